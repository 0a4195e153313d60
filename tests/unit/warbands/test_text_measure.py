"""The widths of text as they are measured beforehand: those that the PDF engine draws, in the letters of every language."""

from __future__ import annotations

import pytest

from tests.printed import PEOPLE, boxes, laid_out
from warbands.pdf_fonts import with_fonts
from warbands.text_measure import BOLD, ITALIC, TEXT, TITLE, lines, width

FONTS = {
    TEXT: "400 10px var(--font-text)",
    BOLD: "600 10px var(--font-text)",
    TITLE: "700 10px var(--font-title)",
    ITALIC: "italic 400 10px var(--font-title)",
}


@pytest.mark.parametrize("file", FONTS)
def test_words_are_as_wide_as_they_are_drawn(file: str) -> None:
    """Kerning is left out, so they are never drawn much wider than measured."""
    words = "".join(f'<p style="white-space: nowrap; font: {FONTS[file]}">{name}</p>' for name in PEOPLE.values())
    document = laid_out(with_fonts(f"<html lang='en'><head><title>A</title></head><body>{words}</body></html>"))
    drawn = [box for leaf in document.pages for box in boxes(leaf) if hasattr(box, "text")]
    assert [box.text for box in drawn] == list(PEOPLE.values())
    for box, language in zip(drawn, PEOPLE, strict=True):
        assert -0.01 < width(box.text, file) * 10 / box.width - 1 < 0.05, language


def test_a_word_longer_than_its_line_is_broken() -> None:
    assert lines([("Ottla", TEXT), ("x" * 100, TEXT)], 8, 100) == 1 + -(-round(width("x" * 100) * 8) // 100)
    assert lines([], 8, 100) == 0
