"""What a printed sheet holds, read back from the PDF: its lines, and whether each glyph is the letter it is read as."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from warbands.pdf import read_page
from warbands.pdf_fonts import TEXT, TITLE, Face, font_path, unpacked
from warbands.pdf_memory import collected_once
from warbands.printing import render_pdf

FACES = {face.file: face for run in (*TITLE, *TEXT) for face in run}
PEOPLE = {
    "Polish": "Łukasz Wójcik Żółć Grażyna Świętosława ĄĆĘŁŃÓŚŹŻ ąćęłńóśźż",
    "Czech": "Dvořák Jiří Růžička Šťastný Žďár ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ áčďéěíňóřšťúůýž",
    "Hungarian": "Győző Őry Erzsébet Űrhajós ÁÉÍÓÖŐÚÜŰ áéíóöőúüű",
    "Romanian": "Ștefan Țepeș Brâncuși Înălțare ĂÂÎȘȚ ăâîșț Şerban Ţara",
    "Turkish": "Yüzbaşı Iğdır İnönü Şükrü Çağlar ÇĞİÖŞÜ çğıöşü",
    "Latvian": "Jānis Kļaviņš Ģirts Ņikita ĀČĒĢĪĶĻŅŠŪŽ āčēģīķļņšūž",
    "Lithuanian": "Žydrūnas Ąžuolas ĄČĘĖĮŠŲŪŽ ąčęėįšųūž",
    "Icelandic": "Þórður Æðey Guðmundur ÁÐÉÍÓÚÝÞÆÖ áðéíóúýþæö",
    "Vietnamese": "Nguyễn Văn Ước Đặng Thị Ựu Phạm Quỳnh ẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆ ơưữựỳỵỷỹ",
    "Arabic in Latin letters": "Ḥasan ʿAlī al-Ṣāliḥ Ẓāhir ibn Ḍirār Ṭāriq ḏū ġazāl ḫān ẖ ǧ ʾĀdam",
    "Greek": "Γιώργος Παπαδόπουλος Ἀλέξανδρος ΐΰ ΆΈΉΊΌΎΏ ἀγαθὸς",
    "Russian": "Владимир Ильич Ёжиков Щукин Эдуард Объедков ЪЫЬ",
    "Ukrainian and Serbian": "Ґанна Їжак Євген Іван Ђорђе Љиљана Ћирић Џон",
}


def lines_of(pdf: bytes) -> list[str]:
    """The lines of a PDF, as its text layer has them."""
    return [
        line.strip()
        for page in PdfReader(io.BytesIO(pdf)).pages
        for line in page.extract_text().splitlines()
        if line.strip()
    ]


@cache
def vendored(file: str) -> tuple[TTFont, Any]:
    font = TTFont(io.BytesIO(unpacked(font_path(file))))
    return font, font.getGlyphSet()


def outline(glyphs: Any, name: str) -> list[Any]:
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    return pen.value


def face_of(base_font: str) -> Face:
    """The vendored file that an embedded font was made of, by its name and weight."""
    name = base_font.rpartition("+")[2].replace("-", " ")
    for face in sorted(FACES.values(), key=lambda face: -len(face.family)):
        if name.startswith(face.family):
            rest = name.removeprefix(face.family)
            weight = 700 if " Bold" in rest else 600 if "Semi Bold" in rest else 400
            own = [each for each in FACES.values() if each.family == face.family]
            return next((each for each in own if each.weight == (600 if "Semi Bold" in rest else weight)), own[0])
    raise AssertionError(f"{base_font} is none of our fonts")


def assert_glyphs_are_right(pdf: bytes) -> set[str]:
    """Each glyph that may be drawn looks as the vendored font draws the letter which it is read as. Returns the letters."""
    seen: set[str] = set()
    fonts: dict[int, Any] = {}
    for page in PdfReader(io.BytesIO(pdf)).pages:
        for reference in page["/Resources"]["/Font"].values():  # type: ignore[index]
            fonts[reference.idnum] = reference.get_object()
    assert fonts
    for font in fonts.values():
        file = face_of(str(font["/BaseFont"])).file
        reference, drawn = vendored(file)
        letters = reference.getBestCmap()
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        embedded = TTFont(io.BytesIO(descriptor["/FontFile2"].get_object().get_data()))
        glyphs, order = embedded.getGlyphSet(), embedded.getGlyphOrder()
        table = font["/ToUnicode"].get_object().get_data().decode()
        pairs = re.findall(r"<([0-9A-Fa-f]{4})>\s*<([0-9A-Fa-f]+)>", table.partition("beginbfchar")[2])
        assert pairs, file
        for number, code in pairs:
            letter = bytes.fromhex(code).decode("utf-16-be")
            if len(letter) != 1:
                continue  # a ligature
            assert ord(letter) in letters, f"{file} has no {letter}"
            assert outline(glyphs, order[int(number, 16)]) == outline(drawn, letters[ord(letter)]), (file, letter)
            seen.add(letter)
    return seen


# --- where it stands --------------------------------------------------------------------------------------------------------------

FRAMES = {"fighter", "unit", "company", "cut-card", "figure", "chit", "crib"}


def laid_out(html: str) -> Any:
    """The pages of a sheet as the PDF engine lays them out."""
    with collected_once():
        page, styles = read_page(html)
        return page.render(stylesheets=styles)


def classes(box: Any) -> set[str]:
    """The classes of the element that made the box."""
    return set(str(box.element.get("class") or "").split()) if box.element is not None else set()


def boxes(leaf: Any) -> Iterator[Any]:
    """Every box of a page that an element of ours made."""
    for box in leaf._page_box.descendants():
        if box.element is not None and hasattr(box, "position_x"):
            yield box


def words_of(document: Any) -> str:
    """All words that are drawn, in one line."""
    return " ".join(
        " ".join(box.text for leaf in document.pages for box in boxes(leaf) if hasattr(box, "text")).split()
    )


def sticking_out(document: Any) -> list[str]:
    """What reaches over the right edge of its page or of a cell, or out of a frame around it, each named."""
    found: list[str] = []
    for number, leaf in enumerate(document.pages, 1):
        edge = leaf._page_box
        whole = (edge.content_box_x() + edge.width, float("inf"), "page")
        found += [f"page {number}: {words}" for words in _sticking_out(edge, (whole,))]
    return found


def _sticking_out(box: Any, around: tuple[tuple[float, float, str], ...]) -> Iterator[str]:
    within = around
    if hasattr(box, "position_x") and isinstance(getattr(box, "width", None), int | float):
        if hasattr(box, "text"):
            right, low = box.position_x + box.width, box.position_y
        else:
            right = box.border_box_x() + box.border_width()
            low = box.border_box_y() + box.border_height() if isinstance(box.height, int | float) else box.position_y
        if not classes(box) & {"card-sheet", "card-title"}:  # the rows of cards end in their margin
            for edge, bottom, name in around:
                if right > edge + 0.6 or low > bottom + 0.6:
                    yield f"{box.element_tag}.{'.'.join(classes(box))} {getattr(box, 'text', '')!r} out of {name}"
        if classes(box) & FRAMES:
            within = (*around, (right, low, ".".join(classes(box))))
        elif box.element_tag in ("td", "th"):
            within = (*around, (right, float("inf"), f"{box.element_tag}.{'.'.join(classes(box))}"))
    for inside in getattr(box, "children", None) or ():
        yield from _sticking_out(inside, within)


def cards_held(document: Any, look: str, size: tuple[int, int] = (63, 88)) -> int:
    """How many cards there are; each has its measure, and all that stands on it."""
    wider = 1.25 if look == "large" and size == (63, 88) else 1
    cards = 0
    for leaf in document.pages:
        for card in boxes(leaf):
            if "cut-card" not in classes(card):
                continue
            cards += 1
            width, height = card.border_width() / 96 * 25.4, card.border_height() / 96 * 25.4
            assert (width, height) == pytest.approx((size[0] * wider, size[1] * wider), abs=0.05)
            low, side = card.content_box_y() + card.height, card.content_box_x() + card.width
            foot = [box for box in card.descendants() if box.element is not None and "card-foot" in classes(box)]
            top_of_foot = min((box.position_y for box in foot), default=low)
            in_foot = {id(box) for each in foot for box in (each, *each.descendants())}
            for box in card.descendants():
                if box is card or not isinstance(getattr(box, "height", None), int | float):
                    continue
                limit = low if id(box) in in_foot else top_of_foot
                assert box.position_y + box.height <= limit + 0.6, (box.element_tag, getattr(box, "text", ""))
                assert box.position_x + box.width <= side + 0.6, (box.element_tag, getattr(box, "text", ""))
    return cards


@cache
def one_page(words: str, pages: int = 1) -> bytes:
    """A short sheet, tagged like a roster."""
    body = "".join(
        f'<h1 style="break-before: page">{words} {n}</h1><p><a href="https://club.invalid/{n}">Text</a></p>'
        for n in range(1, pages + 1)
    )
    return render_pdf(f'<html lang="en"><title>{words}</title><body>{body}</body></html>')
