"""Makes the icons of the installed app: the logo of favicon.svg as PNG.

Run `python -m config.app_icons` after changing the mark; it rewrites static/img/app-*.png. Pillow comes with WeasyPrint.
"""

from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).resolve().parent.parent / "static" / "img"
SIDE = 32  # the logo is drawn on a square of 32 units
CORNER = 4
INK, PAPER, BRASS = "#1d1a16", "#f5efe2", "#ddb65c"
# Left, right, middle height, thickness, colour of each rule.
RULES = (
    (7, 25, 8, 2, PAPER),
    (7, 25, 13, 2, PAPER),
    (7, 19, 18, 2, PAPER),
    (7, 25, 23.5, 3, BRASS),
    (7, 25, 27.5, 1, BRASS),
)
# File name: pixels, and the logo's share of the square. In a maskable icon, it is smaller, without rounded corners.
ICONS = {
    "app-192.png": (192, 1.0),
    "app-512.png": (512, 1.0),
    "app-maskable-192.png": (192, 0.76),
    "app-maskable-512.png": (512, 0.76),
    "app-touch-180.png": (180, 0.86),
}
FINER = 4  # drawn larger and scaled down, for smooth edges


def drawn(pixels: int, share: float) -> Image.Image:
    whole = pixels * FINER
    corner = whole * CORNER / SIDE if share == 1.0 else 0
    image = Image.new("RGBA", (whole, whole), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, whole - 1, whole - 1), corner, fill=INK)
    unit, edge = whole * share / SIDE, whole * (1 - share) / 2
    # The lines of the logo are 1.75 below the middle of its square; on a plain background they are centred.
    lift = 1.75 * unit if share != 1.0 else 0
    for left, right, middle, thickness, colour in RULES:
        top = edge - lift + (middle - thickness / 2) * unit
        draw.rectangle((edge + left * unit, top, edge + right * unit - 1, top + thickness * unit - 1), fill=colour)
    return image.resize((pixels, pixels), Image.Resampling.LANCZOS)


def write() -> None:
    for name, (pixels, share) in ICONS.items():
        drawn(pixels, share).save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    write()
