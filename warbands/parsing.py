"""Whole numbers as people and addresses send them: plain digits, no more of them than a column of the database holds."""

from __future__ import annotations

LONGEST = 18  # digits; the largest number of a column has nineteen


def read_number(text: str) -> int | None:
    """The number that a text is, None for anything that is none: signs, fractions, digits of other kinds, and far too many of them."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None
