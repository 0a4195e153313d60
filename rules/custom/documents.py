"""Documents, text and sheets of forces with own profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.custom import document, sheet
from rules.custom.browse import CustomGameBook
from rules.custom.content import CustomContent
from rules.custom.force_rules import ForceRules
from rules.force import Force
from rules.formatting import profile_beside
from rules.parts.sheet import RosterSheet
from rules.problems import Problem


@dataclass(frozen=True)
class CustomDocuments:
    rules: ForceRules
    book_of: Callable[[CustomContent], CustomGameBook]

    def read_document(self, document_: Mapping[str, Any]) -> tuple[Force, tuple[Problem, ...]]:
        return document.read_document(self.rules, document_)

    def write_document(self, content: CustomContent, force: Force) -> dict[str, Any]:
        return document.write_document(self.rules, force)

    def judge(self, document_: Mapping[str, Any]) -> dict[str, Any]:
        return document.judge(self.rules, document_)

    def write_text(self, content: CustomContent, document_: Mapping[str, Any]) -> str:
        force, _ = self.read_document(document_)
        lines = [f"{force.name or self.rules.list_name}, {self.rules.name}"]
        for unit in self.rules.units(force):
            line = f"{unit.name}, {unit.profile_name}" if profile_beside(unit.name, unit.profile_name) else unit.name
            figures = "; ".join(filter(None, (sheet.strength_words(unit), sheet.points_words(unit.worth))))
            lines.append(f"{line}: {figures}" if figures else line)
        return "\n".join(lines) + "\n"

    def sheet(self, content: CustomContent, force: Force) -> RosterSheet:
        return sheet.SheetWriter(self.rules, content, force, self.book_of(content)).sheet()
