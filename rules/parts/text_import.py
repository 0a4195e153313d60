"""Rosters brought in from pasted text or copied off paper. None where neither says enough of a roster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from rules.import_text import TextRoster
from rules.transcription import PaperBook, PaperData, PaperReading

C_contra = TypeVar("C_contra", contravariant=True)


class TextImportPart(Protocol[C_contra]):
    """Rosters brought in from pasted text or copied off paper. None where neither says enough of a roster."""

    def read_text(
        self, content: C_contra, text: str, list_id: str = "", answers: Mapping[str, str] | None = None
    ) -> TextRoster:
        """A pasted roster read line by line. `answers` explain phrases by key. Raises Refusal for what is no text."""

    def explain_text(self) -> str:
        """The form of a pasted roster, with examples."""

    def paper_book(self, content: C_contra, list_id: str) -> PaperBook:
        """The names that a paper roster of this list may hold, for completion while typing."""

    def read_paper(self, content: C_contra, data: PaperData) -> PaperReading:
        """A paper roster as a roster document, with a list of unknown names."""

    def paper_of(self, content: C_contra, roster: TextRoster) -> PaperData:
        """A pasted roster as a paper roster, to be completed by hand."""
