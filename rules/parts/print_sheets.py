"""Sheets that the game lays out itself. None for games whose rosters print from the common sheet."""

from __future__ import annotations

from typing import Protocol, TypeVar

from rules.force import Force
from rules.sheets import DrawnSheet, SheetChoice

C_contra = TypeVar("C_contra", contravariant=True)


class PrintSheetsPart(Protocol[C_contra]):
    """Sheets that the game lays out itself. None for games whose rosters print from the common sheet."""

    def sheet_choices(self, content: C_contra) -> tuple[SheetChoice, ...]:
        """Return the available sheets."""

    def drawn_sheet(self, content: C_contra, force: Force, sheet: str) -> DrawnSheet:
        """Return a sheet of `sheet_choices` with its data. Raises KeyError."""
