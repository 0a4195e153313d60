"""Estimate how wide text is drawn, to shorten a label before it leaves a drawing. The page's font is condensed."""

from __future__ import annotations

import unicodedata

# Widths in hundredths of an em, of the bolder cut, which own labels use.
NARROW = dict.fromkeys("',.:;!()[]|ijlfrtI/ \u0131", 34)
WIDE = dict.fromkeys("mwMWHN@%\u00c6\u0152\u00e6\u0153\u2026\u2013\u2014", 84)
CAPITAL, SMALL, FOREIGN = 66, 54, 100
ELLIPSIS = "\u2026"


def width_of(words: str) -> int:
    """Return about how wide the text is, in hundredths of an em, rather more than less."""
    return sum(_width(letter) for letter in unicodedata.normalize("NFC", words))


def shortened(words: str, *, most: int) -> str:
    """Cut the text with an ellipsis if it is wider than that."""
    if width_of(words) <= most:
        return words
    kept = words
    while kept and width_of(kept + ELLIPSIS) > most:
        kept = kept[:-1]
    return kept.rstrip(" ,;:-") + ELLIPSIS


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    if ord(letter) > 0x17F and letter not in WIDE:  # drawn in a font of the device
        return FOREIGN
    plain = unicodedata.normalize("NFD", letter)[0]
    for known in (letter, plain):
        if known in NARROW or known in WIDE:
            return NARROW.get(known) or WIDE[known]
    return CAPITAL if letter.isupper() else SMALL
