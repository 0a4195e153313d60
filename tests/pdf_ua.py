"""What a PDF has against PDF/UA-1 (ISO 14289-1), as far as the file itself shows it; docs/printing.md lists the checks.

`faults_of` reads a file with pypdf. Whatever needs a person (does an alternative text say what the picture shows?) is not here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ContentStream, IndirectObject

PAINTS = {b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh", b"Do", b"Tj", b"TJ", b"'", b'"', b"EI", b"INLINE IMAGE"}  # fmt: skip
SHOWS = {b"Tj", b"TJ"}
STANDARD = {f"/{tag}" for tag in re.findall(
    r"\w+",
    """Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody
    Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP
    Figure Formula Form""",
)}  # fmt: skip
INSIDE = {
    "/Table": {"/TR", "/THead", "/TBody", "/TFoot", "/Caption"},
    "/THead": {"/TR"},
    "/TBody": {"/TR"},
    "/TFoot": {"/TR"},
    "/TR": {"/TH", "/TD"},
    "/L": {"/LI", "/L", "/Caption"},
    "/LI": {"/Lbl", "/LBody"},
}
PARENTS = {
    "/TR": {"/Table", "/THead", "/TBody", "/TFoot"},
    "/TH": {"/TR"},
    "/TD": {"/TR"},
    "/LI": {"/L"},
    "/LBody": {"/LI"},
}
WITHOUT_WORDS = {"/H1", "/H2", "/H3", "/H4", "/H5", "/H6"}


def faults_of(pdf: bytes) -> list[str]:
    """Every fault of a PDF, each as a sentence; none if all checks hold."""
    reader, words, drawn = _opened(pdf)
    return [*_of_document(reader), *_of_fonts(reader), *drawn, *_of_tree(reader, words), *_of_pages(reader)]


@lru_cache(maxsize=16)
def _opened(pdf: bytes) -> tuple[PdfReader, dict[tuple[int, int], str], tuple[str, ...]]:
    """The file, the words drawn under each mark of each page, and what of a page is drawn outside of marks and artifacts."""
    reader = PdfReader(io.BytesIO(pdf))
    words: dict[tuple[int, int], str] = {}
    faults = [fault for number, page in enumerate(reader.pages) for fault in _read_page(reader, page, number, words)]
    return reader, words, tuple(faults)


def _of_document(reader: PdfReader) -> Iterator[str]:
    root: Any = reader.root_object
    if not root.get("/MarkInfo", {}).get("/Marked"):
        yield "it is not marked as tagged"
    if root.get("/MarkInfo", {}).get("/Suspects"):
        yield "its tags are suspect"
    if not root.get("/Lang"):
        yield "it has no language"
    if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle"):
        yield "a reader shows its file name in place of its title"
    title = str(reader.metadata.title or "") if reader.metadata is not None else ""
    if not title.strip():
        yield "it has no title"
    if "/StructTreeRoot" not in root:
        yield "it has no structure tree"
    if reader.is_encrypted:
        yield "it is encrypted"
    if "/OpenAction" in root or "/AA" in root:
        yield "it acts by itself"
    if "/Metadata" not in root:
        yield "it has no XMP metadata"
        return
    xmp = root["/Metadata"].get_object().get_data().decode()
    if not re.search(r"pdfuaid:part(?:>|=\")1", xmp) or "http://www.aiim.org/pdfua/ns/id/" not in xmp:
        yield "its metadata does not name PDF/UA-1"
    if "dc:title" not in xmp:
        yield "its metadata have no title"


def _of_fonts(reader: PdfReader) -> Iterator[str]:
    seen: set[int] = set()
    for page in reader.pages:
        for name, reference in page.get("/Resources", {}).get("/Font", {}).items():
            font = reference.get_object()
            if id(font) in seen:
                continue
            seen.add(id(font))
            below = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            descriptor = below.get("/FontDescriptor", {})
            if not any(f"/FontFile{which}" in descriptor for which in ("", "2", "3")):
                yield f"font {name} is not embedded"
            if "/ToUnicode" not in font:
                yield f"font {name} does not say which letters it draws"


def _read_page(reader: PdfReader, page: Any, number: int, words: dict[tuple[int, int], str]) -> Iterator[str]:
    content = page.get_contents()
    if content is None:
        return
    letters = {name: _letters(font.get_object()) for name, font in page.get("/Resources", {}).get("/Font", {}).items()}
    stack: list[int | None] = []
    table: dict[str, str] = {}
    for operands, operator in ContentStream(content, reader).operations:
        if operator in (b"BDC", b"BMC"):
            mark = operands[1].get("/MCID") if operator == b"BDC" else None
            if mark is None and operands[0] != "/Artifact":
                yield f"page {number + 1}: {operands[0]} is neither in the tree nor an artifact"
            if any(each is None for each in stack) and mark is not None:
                yield f"page {number + 1}: mark {mark} stands in an artifact"
            if mark is not None and any(each is not None for each in stack):
                yield f"page {number + 1}: mark {mark} stands in another one"
            if mark is not None:
                if (number, int(mark)) in words:
                    yield f"page {number + 1}: mark {mark} stands twice"
                words[number, int(mark)] = ""
            stack.append(None if mark is None else int(mark))
        elif operator == b"EMC":
            stack.pop()
        elif operator == b"Tf":
            table = letters.get(operands[0], {})
        elif operator in PAINTS:
            if not stack:
                yield f"page {number + 1}: {operator.decode()} is drawn outside of marks and artifacts"
            elif operator in SHOWS and stack[-1] is not None:
                words[number, stack[-1]] += _read(operands[0], table)
    if stack:
        yield f"page {number + 1}: {len(stack)} marks are left open"


def _letters(font: Any) -> dict[str, str]:
    """Codes of a font in hexadecimal, and their letters."""
    if "/ToUnicode" not in font:
        return {}
    table = font["/ToUnicode"].get_object().get_data().decode("latin-1").partition("beginbfchar")[2]
    pairs = re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]*)>", table)
    return {code.lower(): bytes.fromhex(letter).decode("utf-16-be") for code, letter in pairs}


def _read(shown: Any, table: dict[str, str]) -> str:
    parts = shown if isinstance(shown, list) else [shown]
    out = ""
    for part in parts:
        if isinstance(part, str | bytes):
            raw = (
                part if isinstance(part, bytes) else getattr(part, "original_bytes", part.encode("latin-1", "replace"))
            )
            code = raw.hex()
            out += "".join(table.get(code[at : at + 4], "\ufffd") for at in range(0, len(code), 4))
    return out


def _of_tree(reader: PdfReader, words: dict[tuple[int, int], str]) -> Iterator[str]:
    root: Any = reader.root_object.get("/StructTreeRoot")
    if root is None:
        return
    pages = {page.indirect_reference.idnum: number for number, page in enumerate(reader.pages)}  # type: ignore[union-attr]
    roles = root.get("/RoleMap", {})
    reached: set[tuple[int, int]] = set()
    yield from _of_headings(list(_headings(root, pages, words)))
    for element, parent in _elements(root):
        kind = str(element.get("/S", ""))
        if kind not in STANDARD and kind not in roles:
            yield f"{kind} is no standard tag"
        if parent is not None and str(parent.get("/S", "")) in INSIDE and kind not in INSIDE[str(parent["/S"])]:
            yield f"{kind} stands in {parent['/S']}"
        if kind in PARENTS and (parent is None or str(parent.get("/S")) not in PARENTS[kind]):
            yield f"{kind} stands outside of {sorted(PARENTS[kind])}"
        if kind == "/TH" and element.get("/A", {}).get("/Scope") not in ("/Row", "/Column", "/Both"):
            yield f"a header cell has no scope: {_text(element, pages, words)!r}"
        if kind == "/Table" and not any(str(each.get("/S")) == "/TH" for each in _own_cells(element)):
            yield f"a table has no header cell: {_text(element, pages, words)[:60]!r}"
        if kind == "/Figure" and not str(element.get("/Alt", "")).strip():
            yield "a figure has no alternative text"
        if "/ID" in element and "/IDTree" not in root:
            yield "an element has an ID, and there is no tree of them"
        for mark in _marks(element, pages):
            if mark in reached:
                yield f"mark {mark} stands twice in the tree"
            if mark not in words:
                yield f"mark {mark} of the tree is not drawn"
            reached.add(mark)
    lost = sorted(set(words) - reached)
    if lost:
        yield f"{len(lost)} marks are not in the tree, first {lost[0]}: {words[lost[0]]!r}"
    yield from _of_parent_tree(root, reader)


def _elements(node: Any, parent: Any = None) -> Iterator[tuple[Any, Any]]:
    """Every element below a node with the one that it stands in, in reading order."""
    for kid in _kids(node):
        if isinstance(kid, dict) and kid.get("/Type") not in ("/MCR", "/OBJR"):
            yield kid, (None if node.get("/Type") == "/StructTreeRoot" else node)
            yield from _elements(kid, kid)


def _kids(node: Any) -> list[Any]:
    kids = node.get("/K", [])
    kids = kids.get_object() if isinstance(kids, IndirectObject) else kids
    return [
        kid.get_object() if isinstance(kid, IndirectObject) else kid
        for kid in (kids if isinstance(kids, list) else [kids])
    ]


def _marks(element: Any, pages: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The page and number of each mark that is a kid of this very element."""
    for kid in _kids(element):
        if isinstance(kid, int):
            yield pages[element.raw_get("/Pg").idnum], int(kid)
        elif isinstance(kid, dict) and kid.get("/Type") == "/MCR":
            yield pages[(kid if "/Pg" in kid else element).raw_get("/Pg").idnum], int(kid["/MCID"])


def _text(element: Any, pages: dict[int, int], words: dict[tuple[int, int], str]) -> str:
    own = "".join(words.get(mark, "") for mark in _marks(element, pages))
    return own + "".join(
        "".join(words.get(mark, "") for mark in _marks(each, pages)) for each, _parent in _elements(element)
    )


def _own_cells(table: Any) -> Iterator[Any]:
    """The cells of a table, without those of tables in it."""
    for kid in _kids(table):
        if isinstance(kid, dict) and str(kid.get("/S")) != "/Table":
            if str(kid.get("/S")) in ("/TH", "/TD"):
                yield kid
            else:
                yield from _own_cells(kid)


def _headings(root: Any, pages: dict[int, int], words: dict[tuple[int, int], str]) -> Iterator[tuple[int, str]]:
    for element, _parent in _elements(root):
        if str(element.get("/S")) in WITHOUT_WORDS:
            yield int(str(element["/S"])[2]), _text(element, pages, words)


def _of_headings(headings: list[tuple[int, str]]) -> Iterator[str]:
    if not headings:
        yield "it has no heading"
        return
    if headings[0][0] != 1:
        yield f"its first heading is of level {headings[0][0]}"
    for (above, _words), (level, words) in pairwise(headings):
        if level > above + 1:
            yield f"a heading of level {level} follows one of level {above}: {words!r}"
    for level, words in headings:
        if not words.strip("\xa0 "):
            yield f"a heading of level {level} is empty"


def _of_parent_tree(root: Any, reader: PdfReader) -> Iterator[str]:
    flat = root.get("/ParentTree", {}).get("/Nums", [])
    rows = {int(flat[at]): flat[at + 1].get_object() for at in range(0, len(flat), 2)}
    for number, page in enumerate(reader.pages, 1):
        if page.get_contents() is not None and page.get("/StructParents") not in rows:
            yield f"page {number} is not in the parent tree"


def _of_pages(reader: PdfReader) -> Iterator[str]:
    for number, page in enumerate(reader.pages, 1):
        for reference in page.get("/Annots", []):
            annotation = reference.get_object()
            if annotation["/Subtype"] == "/Link" and not str(annotation.get("/Contents", "")).strip():
                yield f"page {number}: a link does not say where it leads"
            if annotation["/Subtype"] == "/Widget" and not str(annotation.get("/TU", "")).strip():
                yield f"page {number}: a field has no name that is read out"
            if "/StructParent" not in annotation:
                yield f"page {number}: an annotation is not in the tree"
        if page.get("/Annots") and page.get("/Tabs") != "/S":
            yield f"page {number}: the tabulator does not follow the tree"


# --- reading order ----------------------------------------------------------------------------------------------------------------


def read_in_order(pdf: bytes) -> str:
    """The words of a PDF in the order of its tree, without spaces, in small letters."""
    reader, words, _faults = _opened(pdf)
    pages = {page.indirect_reference.idnum: number for number, page in enumerate(reader.pages)}  # type: ignore[union-attr]
    return bare("".join(_text(element, pages, words) for element in _kids(reader.root_object["/StructTreeRoot"])))


def bare(words: str) -> str:
    return "".join(words.casefold().split()).replace("\xad", "")


VOID = {"br", "img", "path", "input", "col"}


class _Body(HTMLParser):
    """Collects the words of a page's body, without the stamp and without drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.skipped = 0
        self.in_body = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self.in_body = True
        elif tag not in VOID and (self.skipped or tag in ("svg", "style") or ("class", "stamp") in attrs):
            self.skipped += 1

    def handle_endtag(self, tag: str) -> None:
        if self.skipped and tag not in VOID:
            self.skipped -= 1

    def handle_data(self, data: str) -> None:
        if self.in_body and not self.skipped:
            self.words.append(data)


def written_order(html: str) -> str:
    """The words of a sheet in the order of its HTML, as `read_in_order` gives them."""
    parser = _Body()
    parser.feed(html)
    return bare("".join(parser.words))
