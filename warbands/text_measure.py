"""How much room text takes on paper, from the widths of the letters in our own fonts.

It serves to decide what stands on which card or in which column before the PDF engine is asked. Kerning is left out, so
lines come out slightly long rather than short.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from warbands import pdf_fonts
from warbands.pdf_fonts import font_path, unpacked

MM = 72 / 25.4  # points in a millimetre
RUNS = {run[0].file: run for run in (*pdf_fonts.TEXT, *pdf_fonts.TITLE)}
TEXT, BOLD, TITLE, ITALIC = RUNS
NO_LETTER = 0.55  # em, for what none of our font files has

Run = tuple[str, str]  # words, and the font file that draws most of their letters


@cache
def _advances(file: str) -> dict[str, float]:
    """Return the width of each letter of a font file, in em."""
    from io import BytesIO

    from fontTools.ttLib import TTFont

    with TTFont(BytesIO(unpacked(font_path(file))), lazy=True) as font:
        per_em = font["head"].unitsPerEm
        widths = font["hmtx"].metrics
        return {chr(code): widths[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}


@cache
def width(words: str, file: str = TEXT) -> float:
    """Return the width of words in em. Letters that the file lacks are drawn by the next one of its run that has them."""
    known = _advances(file)
    return sum(known[letter] if letter in known else _width_elsewhere(letter, file) for letter in words)


@cache
def _width_elsewhere(letter: str, file: str) -> float:
    found = (advances[letter] for face in RUNS[file][1:] if letter in (advances := _advances(face.file)))
    return next(found, NO_LETTER)


def lines(runs: Iterable[Run], size: float, room: float) -> int:
    """Return the number of lines that text of `size` points takes in `room` points; 0 for no words."""
    found, at = 0, 0.0
    for words, file in runs:
        space = width(" ", file) * size
        for word in words.split():
            long = width(word, file) * size
            if not found or (at and at + space + long > room):
                found, at = found + 1, 0.0
            at += (space if at else 0.0) + long
            while at > room:  # a word longer than the line is broken
                found, at = found + 1, at - room
    return found


def fits(runs: Iterable[Run], size: float, room: float) -> bool:
    return lines(runs, size, room) <= 1
