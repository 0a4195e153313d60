"""Sheets drawn in a process apart, and joined: their tags, links, words and fonts, and the memory that it takes."""

from __future__ import annotations

import gc
import io
import os
import tracemalloc
from typing import Any

import pytest
from pypdf import PdfReader

from tests.printed import one_page
from warbands.pdf_join import join_pdfs
from warbands.pdf_process import ProcessEnded, _apart, drawn_apart, join, with_whole_fonts
from warbands.printing import render_pdf

pytestmark = pytest.mark.slow

# --- the process that draws ------------------------------------------------------------------------------------------------------


def test_sheets_drawn_apart_are_the_same_and_their_process_ends() -> None:
    html = "<html lang='en'><head><title>One</title></head><body><h1>Łukasz</h1></body></html>"
    with drawn_apart():
        apart = _apart.get()
        assert apart is not None
        assert apart.process is None
        parts = [(name, render_pdf(html)) for name in ("One", "Two")]
        process = apart.process
        assert process is not None
        assert process.pid != os.getpid()
        joined, pages = join(parts, title="Both")
        assert apart.process is process
        with pytest.raises(RuntimeError, match=r"^(Pdf|Empty)"):
            join([("Broken", b"no sheet")], title="Broken")
    assert process.returncode == 0
    assert pages == 2
    assert [page.extract_text() for page in PdfReader(io.BytesIO(joined)).pages] == ["Łukasz", "Łukasz"]


def test_a_process_that_was_killed_costs_one_sheet() -> None:
    html = "<html lang='en'><head><title>One</title></head><body><h1>One</h1></body></html>"
    with drawn_apart():
        apart = _apart.get()
        assert apart is not None
        render_pdf(html)
        assert apart.process is not None
        apart.process.kill()
        with pytest.raises(ProcessEnded):
            render_pdf(html)
        assert render_pdf(html).startswith(b"%PDF")


# --- joining ---------------------------------------------------------------------------------------------------------------------


def test_joined_sheets_keep_their_tags() -> None:
    """Every page finds its own elements in the joined tree, and reads as it did alone."""
    joined, pages = join_pdfs([("One", one_page("One", 3)), ("Two", one_page("Two", 2))], title="Both & more")
    pdf = PdfReader(io.BytesIO(joined))
    assert pages == len(pdf.pages) == 5
    root = pdf.root_object
    assert root["/MarkInfo"] == {"/Marked": True}
    assert b"<pdfuaid:part>1<" in root["/Metadata"].get_object().get_data()  # type: ignore[attr-defined]
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Both & more"
    tree: Any = root["/StructTreeRoot"]
    (document,) = (kid.get_object() for kid in tree["/K"])
    assert document["/S"] == "/Document"
    assert [part.get_object()["/S"] for part in document["/K"]] == ["/Part", "/Part"]
    flat = tree["/ParentTree"]["/Nums"]
    rows = {int(flat[n]): flat[n + 1].get_object() for n in range(0, len(flat), 2)}
    numbers = [page["/StructParents"] for page in pdf.pages]
    assert len(set(numbers)) == 5
    for page in pdf.pages:
        link = page["/Annots"][0].get_object()  # type: ignore[index]
        assert rows[link["/StructParent"]]["/S"] == "/Link"
        elements = [element.get_object() for element in rows[page["/StructParents"]]]
        assert elements
        for element in elements:
            assert element.raw_get("/Pg").idnum == page.indirect_reference.idnum  # type: ignore[union-attr]
    assert [page.extract_text().split()[:2] for page in pdf.pages] == [
        ["One", "1"], ["One", "2"], ["One", "3"], ["Two", "1"], ["Two", "2"],
    ]  # fmt: skip


def roles(element: Any) -> Any:
    """A structure tree as nested roles, with what each leaf marks."""
    element = element.get_object()
    if isinstance(element, int):
        return element
    if element.get("/Type") == "/OBJR":
        return ("link", element["/Obj"]["/A"]["/URI"])
    kids = element.get("/K", [])
    return (element["/S"], [roles(kid) for kid in (kids if isinstance(kids, list) else [kids])])


def test_joined_sheets_keep_tree_links_words_and_fonts_whole() -> None:
    parts = [(words, one_page(words, pages)) for words, pages in (("Łukasz", 2), ("Ёжиков", 1), ("Łukasz", 2))]
    joined = PdfReader(io.BytesIO(join_pdfs(parts, title="All")[0]))
    alone = [PdfReader(io.BytesIO(content)) for _, content in parts]
    tree: Any = joined.root_object["/StructTreeRoot"]
    (document,) = tree["/K"]
    for part, one in zip(document.get_object()["/K"], alone, strict=True):
        (own,) = (kid.get_object() for kid in one.root_object["/StructTreeRoot"]["/K"])  # type: ignore[index]
        assert roles(part)[1] == roles(own)[1]
        assert part.get_object()["/P"] == document.get_object()
    pages = [page for one in alone for page in one.pages]
    for page, own in zip(joined.pages, pages, strict=True):
        assert page.extract_text() == own.extract_text()
        assert page.mediabox == own.mediabox
        assert page["/Annots"][0]["/A"]["/URI"] == own["/Annots"][0]["/A"]["/URI"]  # type: ignore[index]
        assert page["/Parent"]["/Type"] == "/Pages"  # type: ignore[index]
    outline = [(entry.title, joined.get_destination_page_number(entry)) for entry in joined.outline]  # type: ignore[union-attr, arg-type]
    assert outline == [("Łukasz", 0), ("Ёжиков", 2), ("Łukasz", 3)]
    files = {
        font.get_object()["/DescendantFonts"][0]["/FontDescriptor"].raw_get("/FontFile2").idnum
        for page in joined.pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }
    own_files = [len(one.pages[0]["/Resources"]["/Font"]) for one in alone]  # type: ignore[index, arg-type]
    assert len(files) <= own_files[0] + own_files[1] < sum(own_files)


def test_a_long_booklet_takes_the_room_and_the_memory_of_its_sheets_and_no_more() -> None:
    """Tags are hundreds of objects a page: unpacked they are ten times the sheets, and held together far more."""
    sheet = tall_page("Rows", 60)
    gc.collect()

    def peak(count: int) -> tuple[int, int]:
        parts = [(str(n), sheet) for n in range(count)]
        tracemalloc.start()
        joined, pages = join_pdfs(parts, title="Long")
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert pages == count * len(PdfReader(io.BytesIO(sheet)).pages)
        return highest, len(joined)

    few, small = peak(2)
    many, large = peak(5)
    assert large < 5 * len(sheet)
    assert large - small < 3 * len(sheet) * 0.8
    assert many - few < 3 * (large - small) + 2_000_000


def tall_page(words: str, rows: int) -> bytes:
    """A sheet of many tagged cells."""
    body = "".join(f"<tr><th>{words} {n}</th><td>{n}</td><td><b>{n}</b></td></tr>" for n in range(rows))
    return render_pdf(
        f'<html lang="en"><head><title>{words}</title></head><body><h1>{words}</h1><table>{body}</table></body></html>'
    )


def test_many_sheets_share_their_fonts_and_take_less_room() -> None:
    sheets = ["".join(chr(97 + (at * 7 + number) % 26) for at in range(20)) for number in range(12)]

    def html(words: str) -> str:
        return f'<html lang="en"><head><title>A</title><link rel="stylesheet" href="css/print/sheet.css"></head><body><h1>{words}</h1></body></html>'

    few = [(words, render_pdf(html(words))) for words in sheets]
    with with_whole_fonts():
        whole = [(words, render_pdf(html(words))) for words in sheets]
    assert fonts_in(join_pdfs(whole, title="A")[0]) == 1 < fonts_in(join_pdfs(few, title="A")[0])
    assert [page.extract_text() for page in PdfReader(io.BytesIO(join_pdfs(whole, title="A")[0])).pages] == sheets


def fonts_in(pdf: bytes) -> int:
    """The number of font files of the title."""
    return len(
        {
            font.get_object()["/DescendantFonts"][0]["/FontDescriptor"].raw_get("/FontFile2").idnum
            for page in PdfReader(io.BytesIO(pdf)).pages
            for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
        }
    )


def test_each_sheet_may_begin_a_new_leaf() -> None:
    parts = [("One", one_page("One", 3)), ("Two", one_page("Two"))]
    assert join_pdfs(parts, title="Both")[1] == 4
    joined, pages = join_pdfs(parts, title="Both", on_new_leaves=True)
    assert pages == 6
    texts = [page.extract_text().strip() for page in PdfReader(io.BytesIO(joined)).pages]
    assert [bool(text) for text in texts] == [True, True, True, False, True, False]
