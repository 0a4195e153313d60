"""Sheets that the game lays out itself. None for games whose rosters print from the common sheet."""

from __future__ import annotations

from typing import Protocol, TypeVar

from rules.force import Force
from rules.sheets import CardPart, CardWishes, DrawnSheet, SheetChoice

C_contra = TypeVar("C_contra", contravariant=True)


class PrintSheetsPart(Protocol[C_contra]):
    """Sheets that the game lays out itself. None for games whose rosters print from the common sheet."""

    def sheet_choices(self, content: C_contra) -> tuple[SheetChoice, ...]:
        """Return the available sheets."""

    def card_parts(self, content: C_contra) -> tuple[CardPart, ...]:
        """Return what can be left out of the cards of units."""

    def drawn_sheet(self, content: C_contra, force: Force, sheet: str, cards: CardWishes = ...) -> DrawnSheet:
        """Return a sheet of `sheet_choices` with its data; `cards` says what stands on cards of units. Raises KeyError."""
