"""Every kind of sheet: accessible (PDF/UA), in eleven languages, in reading order, and as it looked when somebody last looked at it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw
from pypdf import PdfReader

from tests.conftest import person
from tests.page_images import GOLDEN, MOST, difference, kept_small, pictures_of
from tests.pdf_ua import bare, faults_of, read_in_order, written_order
from tests.printed import assert_glyphs_are_right
from tests.scene import rolled_back
from tests.sheets import PrintedSheet, every_sheet
from warbands.pdf import read_page
from warbands.pdf_fonts import with_fonts
from warbands.pdf_join import join_pdfs
from warbands.pdf_memory import collected_once
from warbands.printing import render_pdf

pytestmark = pytest.mark.slow

KINDS = ("roster, one page", "roster, full", "roster, table", "cards", "battle sheet", "crib", "book", "standings", "gloom-trench", "trench-too-far")  # fmt: skip
# The pages that a golden picture is kept of: those that look different from each other.
LOOKED_AT = {
    "roster, one page": (1,),
    "roster, full": (1,),
    "roster, table": (1,),
    "cards": (2, 3),
    "battle sheet": (1, 2),
    "crib": (1,),
    "book": (1,),  # further pages bear the date of today
    "standings": (1,),
    "gloom-trench": (1, 2, 4),
    "trench-too-far": (1, 2),
}


@pytest.fixture(scope="module")
def db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The database, open over the whole module and rolled back after it."""
    with django_db_blocker.unblock(), rolled_back():
        yield


@pytest.fixture(scope="module")
def sheets(db: None) -> dict[str, PrintedSheet]:
    """All of them, made once."""
    return every_sheet(person("ada"), person("ben"), person("cleo"))


def test_there_is_something_to_check(sheets: dict[str, PrintedSheet]) -> None:
    assert tuple(sheets) == KINDS
    assert set(LOOKED_AT) == set(KINDS)


# --- accessible -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_no_fault_that_a_file_can_show_and_is_read_as_it_is_written(
    sheets: dict[str, PrintedSheet], kind: str
) -> None:
    assert faults_of(sheets[kind].pdf) == []
    assert read_in_order(sheets[kind].pdf) == written_order(sheets[kind].html)


def test_sheets_joined_have_no_fault_either(sheets: dict[str, PrintedSheet]) -> None:
    parts = [(kind, sheets[kind].pdf) for kind in ("roster, table", "crib")]
    joined, _pages = join_pdfs(parts, title="All of them", on_new_leaves=True)
    assert faults_of(joined) == []
    assert read_in_order(joined) == "".join(read_in_order(pdf) for _kind, pdf in parts)


def as_the_engine_alone_draws(html: str) -> bytes:
    with collected_once():
        page, styles = read_page(with_fonts(html))
        drawn: bytes = page.write_pdf(stylesheets=styles, pdf_variant="pdf/ua-1")
    return drawn


WRONG = {
    "a heading of level 3 follows one of level 1": "<h1>A</h1><h3>B</h3>",
    "its first heading is of level 2": "<h2>A</h2>",
    "it has no heading": "<p>A</p>",
    "a heading of level 2 is empty": "<h1>A</h1><h2>&#160;</h2>",
    "a table has no header cell": "<h1>A</h1><table><tr><td>B</td></tr></table>",
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_fault_of_a_page_is_found(fault: str) -> None:
    pdf = render_pdf(f'<html lang="en"><head><title>A</title></head><body>{WRONG[fault]}</body></html>')
    assert any(found.startswith(fault) for found in faults_of(pdf)), faults_of(pdf)


def test_what_the_engine_leaves_out_is_found(sheets: dict[str, PrintedSheet]) -> None:
    """Each of these was once wrong on our sheets."""
    found = " / ".join(faults_of(as_the_engine_alone_draws(sheets["roster, table"].html)))
    for fault in ("a header cell has no scope", "a table has no header", "a figure has no", "no tree of them", "marks are not in the tree"):  # fmt: skip
        assert fault in found


def test_a_file_without_tags_language_and_title_has_faults() -> None:
    page, _styles = read_page("<html><body><h1>A</h1></body></html>")
    found = " / ".join(faults_of(page.write_pdf()))
    for fault in ("not marked as tagged", "no language", "no title", "no structure tree", "XMP", "drawn outside of marks"):  # fmt: skip
        assert fault in found


def test_what_is_drawn_first_is_not_read_first() -> None:
    """The order of reading is that of the page, whatever the order of drawing."""
    html = '<html lang="en"><head><title>A</title></head><body><h1>One</h1><div style="position: relative; z-index: 1">two</div><p>three</p></body></html>'
    assert read_in_order(render_pdf(html)) == written_order(html) == "onetwothree"
    assert written_order(html.replace("three", "four")) != read_in_order(render_pdf(html))


# --- names ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_eleven_languages_are_right_in_glyphs_and_in_text(sheets: dict[str, PrintedSheet], kind: str) -> None:
    pdf, names = sheets[kind].pdf, sheets[kind].names
    text = bare("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))
    assert [name for name in names if bare(name) not in text] == []
    assert set("".join(names)) - {" "} <= assert_glyphs_are_right(pdf)


# --- how they look ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_looks_as_it_did(sheets: dict[str, PrintedSheet], kind: str, update_golden: bool) -> None:
    pictures = pictures_of(sheets[kind].pdf)
    for number in LOOKED_AT[kind]:
        file = GOLDEN / f"{kind.replace(', ', '-').replace(' ', '-')}-{number}.png"
        if update_golden:
            GOLDEN.mkdir(exist_ok=True)
            file.write_bytes(kept_small(pictures[number - 1]))
        with Image.open(file) as golden:
            share = difference(pictures[number - 1], golden)
        assert share <= MOST, f"{file.name}: {share:.2%} of it differs; look at it, then --update-golden"


def test_the_golden_pictures_are_few_and_small() -> None:
    files = sorted(GOLDEN.glob("*.png"))
    assert len(files) == sum(len(pages) for pages in LOOKED_AT.values())
    assert sum(file.stat().st_size for file in files) < 400_000


def test_a_part_that_moved_or_left_is_seen_and_hard_edges_are_not(sheets: dict[str, PrintedSheet]) -> None:
    page = pictures_of(sheets["roster, one page"].pdf)[0]
    width, height = page.size
    moved = Image.new("L", page.size, 255)
    moved.paste(page.crop((0, 60, width, height - 5)), (0, 65))
    moved.paste(page.crop((0, 0, width, 60)), (0, 0))
    assert difference(page, moved) > MOST
    lost = page.copy()
    ImageDraw.Draw(lost).rectangle((10, 100, width // 2, 112), fill=255)
    assert difference(page, lost) > MOST
    twice = (width * 2, height * 2)
    half_a_dot = (1, 0, 1, 0, 1, 1)
    beside = page.resize(twice).transform(twice, Image.Transform.AFFINE, half_a_dot, fillcolor=255).resize(page.size)
    assert difference(page, beside) < MOST
    hard = pictures_of(sheets["roster, one page"].pdf, "-r", "108", "-aa", "no", "-l", "1")[0]
    assert difference(page, hard.resize(page.size, Image.Resampling.BOX)) < MOST
    assert difference(page, ImageChops.constant(page, 255)) > 10 * MOST
    assert difference(page, page.resize((width + 1, height))) == 1
