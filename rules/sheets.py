"""Sheets that a game lays out itself: which sheets a force has, and what is on each.

A game whose rosters print from the common `rules.parts.sheet.RosterSheet` tells none. Measures are in millimetres; every word is plain text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """A sheet that can be asked for by `id`. `usual`: it is printed where nobody chose."""

    id: str
    name: str
    words: str
    usual: bool = False


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """A sheet ready to be drawn by `template`, one of the game's own below templates/.

    The template finds `data`, a frozen dataclass of the game, as `sheet`, and what the app tells of the roster as `page`.
    """

    id: str
    title: str
    template: str
    data: Any = field(hash=False)
