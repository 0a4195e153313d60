"""The names of the fields on a battle sheet that is filled in on a screen. The battle, side and version stand in each name."""

from __future__ import annotations

import re
from dataclasses import dataclass

FORM = 1  # the arrangement of the fields; a sheet of another one cannot be read
_NAME = re.compile(r"muster(\d{1,4})-b(\d{1,12})-s(\d{1,12})-([0-9a-f]{8})-(.{1,200})", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class FieldName:
    """The parts of a field's name: the arrangement, battle, side and mark of its sheet, and what it asks."""

    form: int
    battle: int
    side: int
    mark: str
    asks: str


def form_prefix(battle: int, side: int, mark: str) -> str:
    """Return the beginning of the names of all fields on the sheet of one side of a battle."""
    return f"muster{FORM}-b{battle}-s{side}-{mark}"


def read_name(name: str) -> FieldName | None:
    """Return the parts of a field's name, None if it is not of our making."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    form, battle, side, mark, asks = found.groups()
    return FieldName(int(form), int(battle), int(side), mark, asks)
