"""How the PDF engine reads a page: its style once a process, and never the style of a name that somebody gave."""

from __future__ import annotations

from typing import Any

import pytest
from weasyprint.urls import FatalURLFetchingError

from tests.printed import boxes, classes, laid_out
from warbands.pdf import read_page, style_sheet

LINKS = '<link rel="stylesheet" href="css/print/sheet.css"><link rel="stylesheet" href="css/print/own.css">'


def sheet(links: str = LINKS, body: str = "") -> str:
    return f'<!DOCTYPE html><html lang="en" class="look-large"><head>{links}</head><body class="paper-Letter">{body}</body></html>'


def test_a_style_sheet_is_read_once_and_by_a_developer_each_time(settings: Any) -> None:
    style_sheet.cache_clear()
    first, again = (read_page(sheet())[1] for _ in range(2))
    assert len(first) == 2
    assert [id(style) for style in first] == [id(style) for style in again]
    assert [id(style) for style in first] == [id(style_sheet(f"css/print/{name}.css")) for name in ("sheet", "own")]
    settings.DEBUG = True
    assert not {id(style) for style in first} & {id(style) for style in read_page(sheet())[1]}


def test_a_page_is_laid_out_by_its_style_and_the_next_one_by_its_own() -> None:
    card = '<div class="cut-card">Bo</div>'
    for links, wide in ((LINKS, 63 * 1.25), (LINKS.partition(">")[0] + ">", 215.9 - 2 * 12), (LINKS, 63 * 1.25)):
        (leaf,) = laid_out(sheet(links, card)).pages
        assert (leaf.width / 96 * 25.4, leaf.height / 96 * 25.4) == pytest.approx((215.9, 279.4))
        box = next(box for box in boxes(leaf) if "cut-card" in classes(box))
        assert box.border_width() / 96 * 25.4 == pytest.approx(wide, abs=0.05)


def test_a_style_on_the_page_itself_stands_above_what_it_links_to() -> None:
    (leaf,) = laid_out(sheet(LINKS + "<style>h1 { font-size: 7px }</style>", "<h1>Bo</h1>")).pages
    head = next(box for box in boxes(leaf) if box.element_tag == "h1")
    assert head.style["font_size"] == 7


@pytest.mark.parametrize("href", ["https://elsewhere.example/x.css", "../README.md", "css/print/nothing.css"])
def test_a_style_that_is_not_ours_is_not_read(href: str) -> None:
    with pytest.raises(FatalURLFetchingError):
        laid_out(sheet(f'<link rel="stylesheet" href="{href}">'))
