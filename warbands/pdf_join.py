"""Sheets drawn apart, joined into one tagged PDF: pages, tags, and an outline that names each sheet."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

METADATA = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<pdfuaid:part>1</pdfuaid:part><dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""


def join_pdfs(parts: Sequence[tuple[str, bytes]], *, title: str, on_new_leaves: bool = False) -> tuple[bytes, int]:
    """One PDF/UA of tagged ones, each given with its name, and how many pages it has.

    `on_new_leaves` adds an empty page where a sheet ends on the front of a leaf, so that two-sided printing parts the sheets.
    """
    writer = PdfWriter()
    writer.pdf_header = "%PDF-1.7"
    tags = _Tags(writer)
    for name, content in parts:
        reader = PdfReader(BytesIO(content))
        before = len(writer.pages)
        writer.append(reader, outline_item=name, import_outline=False)
        tags.take(reader, before)
        if on_new_leaves and len(writer.pages) % 2:
            writer.add_blank_page()
        writer.reset_translation(reader)
        reader.close()
        gc.collect()  # a read file is a web of rings; forty of them at once would be several times the booklet
    tags.write()
    writer.add_metadata({"/Title": title})
    root = writer.root_object
    root[NameObject("/Lang")] = TextStringObject("en")
    root[NameObject("/ViewerPreferences")] = _dictionary({"/DisplayDocTitle": BooleanObject(True)})
    metadata = DecodedStreamObject()
    metadata.set_data(METADATA.format(title=escape(title)).encode())
    metadata.update({NameObject("/Type"): NameObject("/Metadata"), NameObject("/Subtype"): NameObject("/XML")})
    root[NameObject("/Metadata")] = writer._add_object(metadata)
    out = BytesIO()
    writer.write(out)
    return out.getvalue(), len(writer.pages)


class _Tags:
    """The structure trees of several PDFs, grown together: one document, and each file a part of it.

    Each page and each link names its row in its own file's parent tree; in the joined one, the rows of a file follow those before it.
    """

    def __init__(self, writer: PdfWriter) -> None:
        self.writer = writer
        self.root = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
        self.reference = writer._add_object(self.root)
        self.kids = ArrayObject()
        self.document = _dictionary(
            {"/Type": NameObject("/StructElem"), "/S": NameObject("/Document"), "/P": self.reference, "/K": self.kids}
        )
        self.document_reference = writer._add_object(self.document)
        self.rows = ArrayObject()
        self.next_row = 0

    def take(self, reader: PdfReader, before: int) -> None:
        """Take over the tags of a file whose pages stand in the writer since page `before`."""
        tree = reader.root_object["/StructTreeRoot"]
        rows = _parent_rows(tree["/ParentTree"])  # type: ignore[index]
        base = self.next_row
        for element in _kids(tree["/K"]):  # type: ignore[index]
            copy = element.clone(self.writer)
            copy[NameObject("/P")] = self.document_reference
            copy[NameObject("/S")] = NameObject("/Part")
            self.kids.append(copy.indirect_reference)
        for number, row in rows:
            self.rows.append(NumberObject(base + number))
            copy = row.clone(self.writer)
            self.rows.append(getattr(copy, "indirect_reference", None) or copy)
            self.next_row = max(self.next_row, base + number + 1)
        for page, own in zip(self.writer.pages[before:], reader.pages, strict=True):
            if "/StructParents" in own:  # pypdf leaves it out of the pages it takes over
                page[NameObject("/StructParents")] = NumberObject(base + own.raw_get("/StructParents"))
            for link in page.get("/Annots", ArrayObject()):
                _shift(link.get_object(), "/StructParent", base)

    def write(self) -> None:
        """Put the tree into the file."""
        tree = self.writer._add_object(_dictionary({"/Nums": self.rows}))
        self.root.update(
            _dictionary(
                {
                    "/K": ArrayObject([self.document_reference]),
                    "/ParentTree": tree,
                    "/ParentTreeNextKey": NumberObject(self.next_row),
                }
            )
        )
        self.writer.root_object[NameObject("/StructTreeRoot")] = self.reference
        self.writer.root_object[NameObject("/MarkInfo")] = _dictionary({"/Marked": BooleanObject(True)})


def _shift(holder: Any, key: str, base: int) -> None:
    if key in holder:
        holder[NameObject(key)] = NumberObject(int(holder[key]) + base)


def _kids(found: Any) -> list[Any]:
    """The elements below a node, which names one or several."""
    found = found.get_object()
    return [entry.get_object() for entry in found] if isinstance(found, ArrayObject) else [found]


def _parent_rows(node: Any) -> list[tuple[int, Any]]:
    """The rows of a number tree with their numbers."""
    node = node.get_object()
    flat = node.get("/Nums", ArrayObject())
    rows = [(int(flat[n]), flat[n + 1]) for n in range(0, len(flat), 2)]
    for kid in node.get("/Kids", ArrayObject()):
        rows += _parent_rows(kid)
    return rows


def _dictionary(entries: dict[str, Any]) -> DictionaryObject:
    return DictionaryObject({NameObject(key): entry for key, entry in entries.items()})
