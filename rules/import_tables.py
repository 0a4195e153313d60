"""Reads the rows of a table in a pasted roster: a head of labels, then a fighter a row."""

from __future__ import annotations

import csv

from rules.content.names import plain
from rules.import_labels import LabelReader
from rules.import_lines import PastedLine, replace_line
from rules.translation import gettext as _

LEAST_COLUMNS, MOST_COLUMNS = 3, 20


class TableReader(LabelReader):
    def as_table_row(self, line: PastedLine) -> bool:
        """Read the head of a table, or a row below it. Return whether it could be read."""
        cells = _cells(line.text)
        if not LEAST_COLUMNS <= len(cells) <= MOST_COLUMNS:
            self.columns = []
            return False
        if fields := self.head_of_table(cells):
            self.settle_waiting()
            self.columns = fields
            self.note(line, "heading", _("the head of a table"))
            return True
        if len(cells) != len(self.columns):
            return False
        return self.row(line, dict(zip(self.columns, cells, strict=True)))

    def head_of_table(self, cells: list[str]) -> list[str]:
        """Return the field of each column, "" for one that says nothing; [] if this is no head of a table of fighters."""
        fields: list[str] = []
        for cell in cells:
            field = self.words.labels.get(plain(cell), "")
            if not field and plain(cell) not in self.words.passed:
                return []
            fields.append("profile" if field == "fighter" and field in fields else field)
        return fields if {"fighter", "profile", "name"} & set(fields) else []

    def row(self, line: PastedLine, cells: dict[str, str]) -> bool:
        """Read a row as the lines that a list of labels would have."""
        name, profile = cells.get("fighter") or cells.get("name", ""), cells.get("profile", "")
        head = f"{name} - {profile}" if name and profile else name or profile
        if not head:
            return False
        start = len(self.out)
        if not self.as_fighter(replace_line(line, head), forced=True):
            return False
        for field, said in cells.items():
            if said and field in _FIELDS and not self.labelled(replace_line(line, said), field, said):
                self.note(line, "open", "")
        told, self.out = self.out[start:], self.out[:start]
        kind = "open" if any(one.kind == "open" for one in told) else "fighter"
        self.note(line, kind, "; ".join(one.read_as for one in told if one.read_as))
        return True


# The fields of a row that have lines of their own in a list of labels.
_FIELDS = ("kit", "upgrades", "skills", "traumas", "experience", "scars", "cost", "status")


def _cells(text: str) -> list[str]:
    if "|" in text:
        return [cell.strip() for cell in text.strip("| ").split("|")]
    if "," not in text:
        return []
    try:
        return [cell.strip() for cell in next(csv.reader([text]), [])]
    except csv.Error:
        return []
