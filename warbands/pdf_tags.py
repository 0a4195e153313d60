"""Completes the tags of a sheet, after the PDF engine wrote them and before the file is written (PDF/UA-1, ISO 14289-1).

The engine tags every table as data, gives header cells no scope, tags drawings without a name as figures, and keeps what
stands in page margins out of the tree without marking it as an artifact. Here tables of mere layout become plain blocks,
header cells get their scope, and drawings without a name and page margins become artifacts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pydyf

SCOPES = {"row": "/Row", "rowgroup": "/Row", "col": "/Column", "colgroup": "/Column"}
TABLE_PARTS = ("/Table", "/THead", "/TBody", "/TFoot", "/TR", "/TH", "/TD")
FOOTER = pydyf.Dictionary({"Type": "/Pagination", "Subtype": "/Footer"})


def complete_tags(document: Any, pdf: Any) -> None:
    """Complete the tags of a laid out document in its PDF. It is a `finisher` of the engine."""
    tree = _Tree(pdf)
    for leaf in document.pages:
        for cell, role in _cells(leaf._page_box, ""):
            tree.mend_cell(cell, role)
    tree.mark_artifacts(document.pages)


def _cells(box: Any, role: str) -> Iterator[tuple[Any, str]]:
    """Yield the cells of all tables below a box, each with the ARIA role of its own table."""
    box = getattr(box, "_box", box)  # an absolutely positioned box stands behind a placeholder
    if box.element is not None and box.element_tag == "table":
        role = box.element.get("role", "")
    if isinstance(getattr(box, "mark", None), pydyf.Dictionary):
        yield box, role
    for child in getattr(box, "children", ()):
        yield from _cells(child, role)


class _Tree:
    """The structure tree of a PDF that is not written yet."""

    def __init__(self, pdf: Any) -> None:
        self.pdf = pdf
        self.root = self._at(pdf.catalog["StructTreeRoot"])

    def _at(self, reference: Any) -> Any:
        return self.pdf.objects[int(bytes(reference).split()[0])]

    def mend_cell(self, box: Any, role: str) -> None:
        """Turn the cell of a layout table into a block, with its row and table; give a header cell its scope.

        The engine names the headers of each cell. Those names are equal in sheets that are joined, and a scope says the same.
        """
        cell = box.mark
        if role == "presentation":
            while cell["S"] in TABLE_PARTS:
                is_table = cell["S"] == "/Table"
                cell["S"] = "/Div"
                cell.pop("A", None)
                cell.pop("ID", None)
                if is_table:
                    return
                cell = self._at(cell["P"])
            return
        cell.pop("ID", None)
        cell["A"].pop("Headers", None)
        if cell["S"] == "/TH":
            cell["A"]["Scope"] = SCOPES.get(box.element.get("scope", ""), "/Column")
        elif len(cell["A"]) == 1:
            del cell["A"]

    def mark_artifacts(self, leaves: Any) -> None:
        """Take drawings without a name out of the tree, and mark as artifacts whatever does not stand in it."""
        reached: set[int] = set()
        self._keep_named(self.root, reached)
        rows = self._at(self.root["ParentTree"])["Nums"]
        for number, (_leaf, page) in enumerate(zip(leaves, self.pdf.pages["Kids"][::3], strict=True)):
            row = rows[2 * number + 1]
            lost = {mark for mark, reference in enumerate(row) if _number(reference) not in reached}
            for mark in lost:
                row[mark] = "null"
            if lost:
                self._mark_as_artifacts(self._stream_of(page), lost)

    def _keep_named(self, node: Any, reached: set[int]) -> None:
        """Walk the tree, noting the numbers of its elements, and drop figures without alternative text."""
        kept = pydyf.Array()
        for kid in node.get("K", ()):
            if isinstance(kid, int):
                kept.append(kid)
                continue
            element = self._at(kid)
            if element.get("S") == "/Figure" and "Alt" not in element:
                continue
            reached.add(_number(kid))
            if element.get("Type") != "/OBJR":
                self._keep_named(element, reached)
            kept.append(kid)
        if "K" in node:
            node["K"] = kept

    def _stream_of(self, page_number: Any) -> list[Any]:
        page = self.pdf.objects[int(page_number)]
        stream: list[Any] = self._at(page["Contents"]).stream
        return stream

    @staticmethod
    def _mark_as_artifacts(stream: list[Any], marks: set[int]) -> None:
        for at, entry in enumerate(stream):
            if entry == b"BDC" and stream[at - 1].get("MCID") in marks:
                stream[at - 2 : at] = ["/Artifact", FOOTER]


def _number(reference: Any) -> int:
    return int(bytes(reference).split()[0])
