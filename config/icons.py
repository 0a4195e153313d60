"""The icon set: one SVG file per icon in static/img/icons, combined into one sprite for the screen.

Run `python -m config.icons` after adding or changing a file; it rewrites static/img/icons.svg.
"""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "static" / "img" / "icons"
SPRITE = FOLDER.parent / "icons.svg"

_SVG = re.compile(r'<svg xmlns="http://www\.w3\.org/2000/svg" (?P<attributes>[^>]*)>(?P<body>.*)</svg>', re.DOTALL)


@cache
def icon_names() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.svg"))


@cache
def icon_parts(name: str) -> tuple[str, str]:
    """Return (attributes of the svg element, everything inside it) of one icon.

    Raises:
        LookupError: there is no such icon, or its file is not a plain SVG.
    """
    path = FOLDER / f"{name}.svg"
    found = _SVG.match(path.read_text(encoding="utf-8")) if name in icon_names() else None
    if found is None:
        raise LookupError(f"No icon named {name!r} in static/img/icons.")
    return found["attributes"], found["body"].strip()


def sprite() -> str:
    symbols = []
    for name in sorted(icon_names()):
        attributes, body = icon_parts(name)
        symbols.append(f'<symbol id="{name}" {attributes}>{body}</symbol>')
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


if __name__ == "__main__":
    SPRITE.write_text(sprite(), encoding="utf-8")
