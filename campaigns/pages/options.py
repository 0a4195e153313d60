"""The option of a select field."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SelectOption:
    """`about` stands small below the words of a chip: the side of a fighter, where several are offered."""

    value: str
    words: str
    chosen: bool = False
    about: str = ""
