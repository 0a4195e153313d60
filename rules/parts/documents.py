"""Rosters as documents, as text and as sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.force import Force
from rules.parts.sheet import RosterSheet
from rules.problems import Problem

C_contra = TypeVar("C_contra", contravariant=True)


class DocumentsPart(Protocol[C_contra]):
    """Rosters as documents, as text and as sheets."""

    def read_document(self, document: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
        """Return the force of a roster document, and a problem for each part that could not be read.

        Raises Refusal if the whole document is unreadable.
        """

    def write_document(self, content: C_contra, force: Force) -> dict[str, Any]:
        """Return the roster document of a force."""

    def judge(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the verdict on a roster document in its scope, as `manage.py check_roster` prints it.

        Raises Refusal if it is unreadable.
        """

    def write_text(self, content: C_contra, document: Mapping[str, Any]) -> str:
        """Return a roster document as text in the form that `read_text` reads."""

    def sheet(self, content: C_contra, force: Force) -> RosterSheet: ...
