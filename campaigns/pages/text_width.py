"""Estimates of the width of text, for shortening labels that would not fit a drawing. The page's font is condensed."""

from __future__ import annotations

import unicodedata

# Widths in hundredths of an em in the bold weight, which labels of the user's own seat use.
NARROW = dict.fromkeys("',.:;!()[]|ijlfrtI/ \u0131", 34)
WIDE = dict.fromkeys("mwMWHN@%\u00c6\u0152\u00e6\u0153\u2026\u2013\u2014", 84)
CAPITAL, SMALL, FOREIGN = 66, 54, 100
ELLIPSIS = "\u2026"


def width_of(words: str) -> int:
    """Estimate the width of the text in hundredths of an em, rather too wide than too narrow."""
    return sum(_width(letter) for letter in unicodedata.normalize("NFC", words))


def shortened(words: str, *, most: int) -> str:
    """Cut the text and add an ellipsis if it is wider than `most` (hundredths of an em)."""
    if width_of(words) <= most:
        return words
    kept = words
    while kept and width_of(kept + ELLIPSIS) > most:
        kept = kept[:-1]
    return kept.rstrip(" ,;:-") + ELLIPSIS


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    if ord(letter) > 0x17F and letter not in WIDE:  # the device draws it in a fallback font
        return FOREIGN
    plain = unicodedata.normalize("NFD", letter)[0]
    for known in (letter, plain):
        if known in NARROW or known in WIDE:
            return NARROW.get(known) or WIDE[known]
    return CAPITAL if letter.isupper() else SMALL
