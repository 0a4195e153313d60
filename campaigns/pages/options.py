"""The option of a select field."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SelectOption:
    value: str
    words: str
    chosen: bool = False
