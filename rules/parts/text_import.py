"""Rosters imported from pasted text or copied from paper.

None for games where neither describes a roster well enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from rules.import_text import TextRoster
from rules.transcription import PaperBook, PaperData, PaperReading

C_contra = TypeVar("C_contra", contravariant=True)


class TextImportPart(Protocol[C_contra]):
    """Rosters imported from pasted text or copied from paper.

    None for games where neither describes a roster well enough.
    """

    def read_text(
        self, content: C_contra, text: str, list_id: str = "", answers: Mapping[str, str] | None = None
    ) -> TextRoster:
        """Return a pasted roster read line by line.

        `answers` explain phrases by key. Raises Refusal if it is not text.
        """

    def explain_text(self) -> str:
        """Return an explanation of the form of a pasted roster, with examples."""

    def paper_book(self, content: C_contra, list_id: str) -> PaperBook:
        """Return the names that a paper roster of this list may contain, for completion while typing."""

    def read_paper(self, content: C_contra, data: PaperData) -> PaperReading:
        """Return a paper roster as a roster document, with a list of unknown names."""

    def paper_of(self, content: C_contra, roster: TextRoster) -> PaperData:
        """Return a pasted roster as a paper roster, to be completed by hand."""
