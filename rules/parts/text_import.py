"""Rosters imported from pasted text or copied from paper.

None for games where neither describes a roster well enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.import_text import TextRoster
from rules.roster_files.file_roster import RecognisedFile
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

    def recognise(self, data: bytes) -> RecognisedFile:
        """Return what a file of any known program is, and its edition with the reason. Raises Refusal as `open_file`."""

    def read_file(
        self, content: C_contra, data: bytes, list_id: str = "", answers: Mapping[str, str] | None = None
    ) -> TextRoster:
        """Return a file of another program read line by line, as `read_text` reads a text. Raises Refusal."""

    def written_forms(self) -> tuple[str, ...]:
        """Return the forms in which a roster document can be written for other programs."""

    def write_form(self, document: Mapping[str, Any], form: str) -> str:
        """Return a roster document in one of the forms. Raises Refusal for another form, or an unreadable document."""

    def left_out_of_form(self, document: Mapping[str, Any], form: str) -> tuple[str, ...]:
        """Return what of a roster document a form has no place for. Raises Refusal as `write_form`."""

    def explain_text(self) -> str:
        """Return an explanation of the form of a pasted roster, with examples."""

    def paper_book(self, content: C_contra, list_id: str) -> PaperBook:
        """Return the names that a paper roster of this list may contain, for completion while typing."""

    def read_paper(self, content: C_contra, data: PaperData) -> PaperReading:
        """Return a paper roster as a roster document, with a list of unknown names."""

    def paper_of(self, content: C_contra, roster: TextRoster) -> PaperData:
        """Return a pasted roster as a paper roster, to be completed by hand."""
