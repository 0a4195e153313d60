"""Marks: how a key of a row stands inside JSON in a campaign file, so that another server knows it for one.

In the file the key 12 of a fighter is written as "⟦warbands.Fighter 12⟧", and as "⟦#warbands.Event 12⟧" where it was a
number instead of a text. "⟦" that people wrote is doubled. Who replaces each mark by its number has the JSON as it stood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

OPENS, CLOSES = "⟦", "⟧"
_MARK = re.compile(r"⟦(?:⟦|(#?)([A-Za-z]+\.[A-Za-z]+) (-?[0-9]{1,19})⟧)")

Meaning = Callable[[str, int], int]  # the label and key of a row in the file -> its key here


def mark_of(label: str, key: int | str, *, number: bool = False) -> str:
    return f"{OPENS}{'#' if number else ''}{label} {key}{CLOSES}"


def escaped(text: str) -> str:
    return text.replace(OPENS, OPENS * 2)


def unmarked(value: Any, meaning: Meaning) -> Any:
    """Return JSON with a number for each mark, also in the keys of objects.

    Raises:
        ValueError: two keys of one object become the same, or a mark is not one.
    """
    if isinstance(value, str):
        return _text(value, meaning)
    if isinstance(value, list):
        return [unmarked(each, meaning) for each in value]
    if not isinstance(value, dict):
        return value
    found = {str(_text(key, meaning)): unmarked(each, meaning) for key, each in value.items()}
    if len(found) != len(value):
        raise ValueError("Two keys of one object become the same.")
    return found


def _text(text: str, meaning: Meaning) -> str | int:
    if OPENS not in text:
        return text
    whole = _MARK.fullmatch(text)
    if whole and whole[1]:
        return meaning(whole[2], int(whole[3]))
    if OPENS in _MARK.sub("", text):
        raise ValueError("A mark is not one.")
    return _MARK.sub(lambda found: OPENS if not found[2] else str(meaning(found[2], int(found[3]))), text)


def as_it_stood(label: str, key: int) -> int:
    """Return the key of the server that wrote the file: the JSON as it stood there."""
    return key
