"""Pages of sheets as small grey pictures, and how far two of them differ."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

GOLDEN = Path(__file__).resolve().parent / "golden" / "pages"
DOTS = 36  # per inch: a page has 298 by 421 of them, and a line of text is five high
SHADES = 8
BLUR = 2.5  # dots; a letter that is drawn a little differently, or half a dot beside, is the same grey
FAR = 26  # of 255: two blurred dots differ if they are further apart
MOST = 0.007  # of all dots of a page may differ: one drawn without soft edges stays below, one with a part 3 mm lower does not


def pictures_of(pdf: bytes, *how: str) -> list[Image.Image]:
    """Every page of a PDF, drawn by poppler, with more of its options."""
    command = ["pdftoppm", "-gray", "-r", str(DOTS), *how, "-"]
    drawn = io.BytesIO(subprocess.run(command, input=pdf, capture_output=True, check=True).stdout)
    found = []
    while drawn.read(1):
        drawn.seek(-1, io.SEEK_CUR)
        magic, width, height, _most = (drawn.readline().split() + drawn.readline().split() + drawn.readline().split())[
            :4
        ]
        assert magic == b"P5"
        size = (int(width), int(height))
        found.append(Image.frombytes("L", size, drawn.read(size[0] * size[1])))
    return found


def kept_small(picture: Image.Image) -> bytes:
    """A page as a PNG of few shades, as the golden files hold it."""
    out = io.BytesIO()
    few = picture.quantize(SHADES, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def difference(one: Image.Image, other: Image.Image) -> float:
    """The share of dots in which two pages differ, from 0 to 1; pages of two sizes differ in all."""
    if one.size != other.size:
        return 1.0
    soft = [each.convert("L").filter(ImageFilter.GaussianBlur(BLUR)) for each in (one, other)]
    counts = ImageChops.difference(*soft).histogram()
    return sum(counts[FAR:]) / (one.width * one.height)
