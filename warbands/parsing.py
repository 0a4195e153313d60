"""Parses whole numbers from forms and URLs: plain digits, and no more of them than a database column can hold."""

from __future__ import annotations

LONGEST = 18  # digits; the largest number in a column has nineteen


def read_number(text: str) -> int | None:
    """Return a text as a number; None for anything else, such as signs, fractions, non-ASCII digits or too many digits."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None
