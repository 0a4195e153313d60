"""Drawing a sheet: of several the one that fits is drawn, the garbage collector is left alone until the end, and nothing of the sheet stays behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from io import BytesIO

import pytest
from pypdf import PdfReader
from weasyprint.urls import FatalURLFetchingError

from warbands.pdf import pdf_of
from warbands.pdf_memory import collected_once

SHEET = (
    '<!DOCTYPE html><html lang="en"><head><title>Sheet</title>{head}</head><body>' + "<p>Ilse <b>Brandt</b></p>" * 200
)
SHEET += "</body></html>"


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """The generations that are collected, as it happens."""
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            found.append(info["generation"])

    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def boxes_left() -> int:
    return sum(type(each).__module__ == "weasyprint.formatting_structure.boxes" for each in gc.get_objects())


def test_a_sheet_is_drawn_with_one_collection_at_its_end_and_leaves_no_box(collections: list[int]) -> None:
    html = SHEET.format(head="")
    pdf_of((html,))  # loads the engine
    gc.freeze()  # what stands is neither collected nor counted
    collections.clear()
    pdf_of((html,))
    assert collections.count(0) <= 2  # the one at the end, and one that may fall due before anything is drawn
    assert max(collections) == 0
    assert boxes_left() == 0


def test_the_collector_works_again_after_a_sheet_that_cannot_be_drawn() -> None:
    with pytest.raises(FatalURLFetchingError):
        pdf_of((SHEET.format(head='<link rel="stylesheet" href="../README.md">'),))
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collected_once():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def of_pages(count: int, title: str) -> str:
    return f'<!DOCTYPE html><html lang="en"><title>{title}</title>' + '<p style="break-after: page">Ilse</p>' * count


def title_of(pdf: bytes) -> str:
    return str(PdfReader(BytesIO(pdf)).metadata.title)


def test_the_first_sheet_that_takes_one_page_is_drawn_and_none_after_it_laid_out() -> None:
    def tried() -> Iterator[str]:
        yield of_pages(2, "large")
        yield of_pages(1, "smaller")
        raise AssertionError("a third is asked for")

    assert title_of(pdf_of(tried())) == "smaller"


def test_where_none_takes_one_page_the_first_of_the_fewest_is_drawn() -> None:
    assert title_of(pdf_of([of_pages(3, "large"), of_pages(2, "smaller"), of_pages(2, "smallest")])) == "smaller"
