"""Sheets that a game lays out itself: which sheets a force has, and the content of each.

A game whose rosters print from the common `rules.parts.sheet.RosterSheet` has none. Measures are in millimetres; all
text is plain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """A sheet that can be requested by `id`. `usual`: it is printed by default."""

    id: str
    name: str
    words: str
    usual: bool = False


@dataclass(frozen=True, slots=True)
class CardPart:
    """Something that stands on a card unless it is left out."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class CardWishes:
    """What is wanted of cards to cut out: their parts and their units, each by id. None means all."""

    parts: tuple[str, ...] | None = None
    units: tuple[str, ...] | None = None

    def wants(self, part: str) -> bool:
        return self.parts is None or part in self.parts

    def takes(self, unit: str) -> bool:
        return self.units is None or unit in self.units


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """A sheet ready to be rendered by `template`, one of the game's own templates below templates/.

    In the template, `sheet` is `data`, a frozen dataclass of the game, and `page` is the app's data on the roster.
    """

    id: str
    title: str
    template: str
    data: Any = field(hash=False)
