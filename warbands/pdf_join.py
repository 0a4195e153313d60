"""Joins sheets that were drawn separately into one tagged PDF: pages, tags, and an outline that names each sheet.

Each sheet is read, its objects get new numbers and are written at once, and it is released before the next is read. A
booklet of any length takes the memory of its longest sheet and of the file itself. A tagged page consists of hundreds of
small objects, which are written packed (PDF 1.7, 7.5.7 "Object streams"). Objects that are the same in several sheets,
such as font files, are written once.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from pypdf import PdfReader
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    IndirectObject,
    NameObject,
    NullObject,
    NumberObject,
    PdfObject,
    StreamObject,
    TextStringObject,
)

from warbands.pdf_memory import collected_once

METADATA = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<pdfuaid:part>1</pdfuaid:part><dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""

PACKED_TOGETHER = 2000  # objects in one packed stream


def join_pdfs(parts: Iterable[tuple[str, bytes]], *, title: str, on_new_leaves: bool = False) -> tuple[bytes, int]:
    """Join tagged PDFs, each given with its name, into one PDF/UA. Returns the PDF and its number of pages.

    `on_new_leaves` adds an empty page after a sheet that ends on the front of a leaf, so that two-sided printing
    separates the sheets.
    """
    book = _Booklet()
    for name, content in parts:
        book.take(name, content)
        if on_new_leaves and len(book.pages) % 2:
            book.add_blank_page()
    return book.finish(title), len(book.pages)


class _File:
    """A PDF that is being written. Objects get a number first, and are written when their content is known."""

    def __init__(self) -> None:
        self.out = BytesIO()
        self.out.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        self.places: list[tuple[int, int, int]] = [(0, 0, 65535)]  # cross-reference rows, by object number
        self.packed: list[tuple[int, bytes]] = []

    def number(self) -> int:
        self.places.append((0, 0, 0))
        return len(self.places) - 1

    def reference(self, number: int) -> IndirectObject:
        """Return a reference to a number; its object need not be written yet."""
        return IndirectObject(number, 0, self)

    def write(self, number: int, value: PdfObject) -> None:
        """Write the object: a stream separately, anything else packed with others."""
        if isinstance(value, StreamObject):
            self._write_alone(number, _words(value))
            return
        self.packed.append((number, _words(value)))
        if len(self.packed) == PACKED_TOGETHER:
            self._write_packed()

    def add(self, value: PdfObject) -> IndirectObject:
        number = self.number()
        self.write(number, value)
        return self.reference(number)

    def finish(self, root: IndirectObject, info: IndirectObject) -> bytes:
        self._write_packed()
        number, start = self.number(), self.out.tell()
        self.places[number] = (1, start, 0)
        stream = _stream(
            _predicted([kind.to_bytes(1, "big") + at.to_bytes(4, "big") + nth.to_bytes(2, "big") for kind, at, nth in self.places]),
            {
                "/Type": NameObject("/XRef"),
                "/Size": NumberObject(len(self.places)),
                "/W": ArrayObject(NumberObject(width) for width in (1, 4, 2)),
                "/DecodeParms": _dictionary({"/Predictor": NumberObject(12), "/Columns": NumberObject(7)}),
                "/Root": root,
                "/Info": info,
            },
        )  # fmt: skip
        self._write_alone(number, _words(stream))
        self.out.write(b"startxref\n%d\n%%%%EOF\n" % start)
        return self.out.getvalue()

    def _write_alone(self, number: int, words: bytes) -> None:
        self.places[number] = (1, self.out.tell(), 0)
        self.out.write(b"%d 0 obj\n%s\nendobj\n" % (number, words))

    def _write_packed(self) -> None:
        if not self.packed:
            return
        number = self.number()
        heads, at = [], 0
        for nth, (own, words) in enumerate(self.packed):
            self.places[own] = (2, number, nth)
            heads.append(b"%d %d" % (own, at))
            at += len(words) + 1
        head = b" ".join(heads) + b"\n"
        counts = {"/N": NumberObject(len(self.packed)), "/First": NumberObject(len(head))}
        body = head + b"\n".join(words for _, words in self.packed)
        self._write_alone(number, _words(_stream(body, {"/Type": NameObject("/ObjStm"), **counts})))
        self.packed = []


class _Booklet:
    """The booklet that is being built: its pages, its outline, and one structure tree in which each sheet is a part.

    Each page and each link refers to its row in its file's parent tree. In the joined tree, the rows of a file follow
    those of the files before it.
    """

    def __init__(self) -> None:
        self.file = _File()
        self.page_tree, self.tag_tree, self.document = (self.file.number() for _ in range(3))
        self.pages: list[int] = []
        self.sheets: list[tuple[str, int]] = []
        self.kids: list[int] = []
        self.rows: list[tuple[int, int]] = []
        self.next_row = 0
        self.last_size: list[float] = []
        self.known: dict[bytes, int] = {}

    def take(self, name: str, content: bytes) -> None:
        """Write a sheet into the book, and release what was read of it."""
        # A read file is full of reference cycles; forty of them would take several times the booklet's memory.
        with collected_once():
            self._take(name, content)

    def _take(self, name: str, content: bytes) -> None:
        reader = PdfReader(BytesIO(content))
        move = _Move(self, reader, self.next_row)
        tree = reader.root_object["/StructTreeRoot"]
        move.numbers[tree.indirect_reference.idnum] = self.document  # type: ignore[union-attr]
        numbers = [move.number_of(page.indirect_reference.idnum) for page in reader.pages]  # type: ignore[union-attr]
        for page in reader.pages:
            page.pop("/Parent", None)
            page[NameObject("/Parent")] = self.file.reference(self.page_tree)
        for element in _kids(tree["/K"]):  # type: ignore[index]
            element[NameObject("/S")] = NameObject("/Part")
            self.kids.append(move.number_of(element.indirect_reference.idnum))
        for number, row in _parent_rows(tree["/ParentTree"]):  # type: ignore[index]
            place = self.file.number() if not isinstance(row, IndirectObject) else move.number_of(row.idnum)
            if not isinstance(row, IndirectObject):
                self.file.write(place, move.moved(row))
            self.rows.append((move.first_row + number, place))
            self.next_row = max(self.next_row, move.first_row + number + 1)
        move.write_all()
        self.sheets.append((name, numbers[0]))
        self.pages += numbers
        self.last_size = [float(side) for side in reader.pages[-1].mediabox]
        reader.close()

    def add_blank_page(self) -> None:
        size = ArrayObject(map(FloatObject, self.last_size))
        page = {"/Type": NameObject("/Page"), "/Parent": self.file.reference(self.page_tree), "/MediaBox": size}
        added = self.file.add(_dictionary({**page, "/Resources": DictionaryObject()}))
        self.pages.append(added.idnum)

    def finish(self, title: str) -> bytes:
        file = self.file
        pages = _dictionary(
            {
                "/Type": NameObject("/Pages"),
                "/Kids": ArrayObject(map(file.reference, self.pages)),
                "/Count": NumberObject(len(self.pages)),
            }
        )
        file.write(self.page_tree, pages)
        rows = ArrayObject()
        for number, place in self.rows:
            rows += [NumberObject(number), file.reference(place)]
        tags = {
            "/Type": NameObject("/StructTreeRoot"),
            "/K": ArrayObject([file.reference(self.document)]),
            "/ParentTree": file.add(_dictionary({"/Nums": rows})),
            "/ParentTreeNextKey": NumberObject(self.next_row),
        }
        file.write(self.tag_tree, _dictionary(tags))
        document = {
            "/Type": NameObject("/StructElem"),
            "/S": NameObject("/Document"),
            "/P": file.reference(self.tag_tree),
            "/K": ArrayObject(map(file.reference, self.kids)),
        }
        file.write(self.document, _dictionary(document))
        metadata = DecodedStreamObject()
        metadata.set_data(METADATA.format(title=escape(title)).encode())
        metadata.update({NameObject("/Type"): NameObject("/Metadata"), NameObject("/Subtype"): NameObject("/XML")})
        root = {
            "/Type": NameObject("/Catalog"),
            "/Pages": file.reference(self.page_tree),
            "/Outlines": self._outline(),
            "/Lang": TextStringObject("en"),
            "/ViewerPreferences": _dictionary({"/DisplayDocTitle": BooleanObject(True)}),
            "/MarkInfo": _dictionary({"/Marked": BooleanObject(True)}),
            "/StructTreeRoot": file.reference(self.tag_tree),
            "/Metadata": file.add(metadata),
        }
        return file.finish(file.add(_dictionary(root)), file.add(_dictionary({"/Title": TextStringObject(title)})))

    def _outline(self) -> IndirectObject:
        file, whole = self.file, self.file.number()
        places = [file.number() for _ in self.sheets]
        for nth, (name, page) in enumerate(self.sheets):
            entry = {
                "/Title": TextStringObject(name),
                "/Parent": file.reference(whole),
                "/Dest": ArrayObject([file.reference(page), NameObject("/Fit")]),
            }
            if nth:
                entry["/Prev"] = file.reference(places[nth - 1])
            if nth + 1 < len(places):
                entry["/Next"] = file.reference(places[nth + 1])
            file.write(places[nth], _dictionary(entry))
        ends = {"/First": file.reference(places[0]), "/Last": file.reference(places[-1])} if places else {}
        file.write(whole, _dictionary({"/Type": NameObject("/Outlines"), "/Count": NumberObject(len(places)), **ends}))
        return file.reference(whole)


class _Move:
    """Moves the objects of one file into the book, with new numbers: all objects reachable from its pages and tags."""

    def __init__(self, book: _Booklet, reader: PdfReader, first_row: int) -> None:
        self.book = book
        self.reader = reader
        self.first_row = first_row
        self.numbers: dict[int, int] = {}
        self.waiting: list[int] = []

    def number_of(self, own: int) -> int:
        """Return the number in the book of an object of the file, which is written later."""
        if own not in self.numbers:
            value = self.reader.get_object(own)
            alike = self._alike(value) if isinstance(value, StreamObject) else None
            known = self.book.known.get(alike) if alike else None
            if known is not None:
                self.numbers[own] = known
                return known
            self.numbers[own] = self.book.file.number()
            if alike:
                self.book.known[alike] = self.numbers[own]
            self.waiting.append(own)
        return self.numbers[own]

    def write_all(self) -> None:
        while self.waiting:
            own = self.waiting.pop()
            value = self.reader.get_object(own)
            self.book.file.write(self.numbers[own], self.moved(value if value is not None else NullObject()))

    def moved(self, value: Any) -> Any:
        """Return the same value with the book's object numbers and rows of the book's parent tree."""
        if isinstance(value, IndirectObject):
            return value if value.pdf is self.book.file else self.book.file.reference(self.number_of(value.idnum))
        if isinstance(value, ArrayObject):
            return ArrayObject(self.moved(each) for each in list.__iter__(value))
        if isinstance(value, DictionaryObject):
            for key, each in list(dict.items(value)):
                if key in ("/StructParent", "/StructParents"):
                    each = NumberObject(int(each) + self.first_row)
                dict.__setitem__(value, key, self.moved(each))
        return value

    @staticmethod
    def _alike(value: StreamObject) -> bytes | None:
        """Return a value that is equal for equal streams; None if the stream refers to other objects."""
        if any(isinstance(each, IndirectObject) for each in dict.values(value)):
            return None
        return hashlib.sha256(_words(value)).digest()


def _words(value: PdfObject) -> bytes:
    out = BytesIO()
    value.write_to_stream(out)
    return out.getvalue()


def _stream(content: bytes, entries: dict[str, Any]) -> StreamObject:
    stream = DecodedStreamObject()
    stream.set_data(zlib.compress(content, 9))
    stream.update({NameObject(key): value for key, value in entries.items()})
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    return stream


def _predicted(rows: list[bytes]) -> bytes:
    """Return the rows as differences from the row above, each after its predictor byte. They compress far better."""
    above, out = bytes(len(rows[0])), bytearray()
    for row in rows:
        out += b"\x02" + bytes((new - old) & 0xFF for new, old in zip(row, above, strict=True))
        above = row
    return bytes(out)


def _kids(found: Any) -> list[Any]:
    """Return the elements below a node as a list; the node contains one or several."""
    found = found.get_object()
    return [entry.get_object() for entry in found] if isinstance(found, ArrayObject) else [found]


def _parent_rows(node: Any) -> list[tuple[int, Any]]:
    """Return the rows of a number tree with their numbers, unchanged."""
    node = node.get_object()
    flat = list(list.__iter__(node.get("/Nums", ArrayObject())))
    rows = [(int(flat[n]), flat[n + 1]) for n in range(0, len(flat), 2)]
    for kid in node.get("/Kids", ArrayObject()):
        rows += _parent_rows(kid)
    return rows


def _dictionary(entries: dict[str, Any]) -> DictionaryObject:
    return DictionaryObject({NameObject(key): entry for key, entry in entries.items()})
