"""Sheets that a game lays out itself: that they fit their pages, are tagged, lose nothing, and come out of every door of printing."""

from __future__ import annotations

import io
import logging
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from config.qr import printed_code
from rules.force import Force
from rules.problems import Refusal
from rules.registry import system
from rules.sheets import CardWishes, SheetChoice
from tests.drills import WHOLE, sampled
from tests.printed import assert_glyphs_are_right, boxes, cards_held, classes, laid_out, sticking_out, words_of
from tests.stories import fresh, terms
from tests.unit.rules.custom_forces import FAR, GLOOM, bands, far, gloom, profile, row
from warbands.models import ShareLink, Snapshot, Warband
from warbands.pdf import OwnFilesOnly, style_sheet
from warbands.print_options import PAPERS, PrintOptions
from warbands.printing import OwnSheetsPage, own_sheets_page, render_html, render_pdf
from warbands.services.founding import import_document

pytestmark = pytest.mark.slow

LINK = "https://club.example/s/abcdefghij/v3/"
GOLDEN = Path(__file__).resolve().parents[2] / "golden"
LONG = "Wolfeschlegelsteinhausen and the Sodden Bell"
EVERY = [
    (game, choice.id)
    for game in (GLOOM, FAR)
    for choice in system(game).print_sheets.sheet_choices(system(game).content("core"))
]
# Ink saver is laid out like full. Large print is the hardest on Letter, the lower paper, for what goes on over pages, and for wide tables on
# A4, the narrower one. Cards are as large as their print, and some overflow in the usual one alone.
EVERY_WAY = [(*each, paper, look) for each in EVERY for paper in PAPERS for look in ("full", "large")]
WIDE, CARDS = ("force", "companies", "reference"), ("cards", "orders")
HARD_FOR = {("Letter", "large"): ("force", "companies", "turn", "chits"), ("A4", "large"): WIDE, ("A4", "full"): CARDS}
HARDEST = [way for way in EVERY_WAY if way[1] in HARD_FOR.get(way[2:], ())]
# Of the two that are hard on both papers, one on each: the game whose units go on over pages, and the one with the widest table.
SAMPLE = [way for way in HARDEST if way[1:] not in (("force", "A4", "large"), ("companies", "Letter", "large"))]
UNITS = 25 if WHOLE else 10
WORDS = "Some words of a rule that go on. "
WEAPON_ON_A_CARD = {GLOOM: '<table class="arms">', FAR: "<b>Rifles</b>"}


def small(game: str) -> dict[str, Any]:
    """The force of the specification."""
    return gloom() if game == GLOOM else far()


def large(game: str) -> dict[str, Any]:
    """Many units with long names, many weapons and long rules."""
    document = small(game)
    if game == GLOOM:
        rifles = profile(document, "Test Rifles")
        guns = [
            {"name": f"Repeating gun of the {n}. pattern", "special": "It jams when two of its dice show a natural 1.", **bands((6, "D12"), (12, "D8"), (24, "D6"))}
            for n in range(5)
        ]  # fmt: skip
        rifles["weapons"] += guns
        rifles["models"] += [
            {"name": f"Gunner {n}", "least": 0, "most": 3, "usual": 3, "weapon": gun["name"], "wounds": 1 + 2 * n}
            for n, gun in enumerate(guns)
        ]
        rifles["special_rules"] = [
            {"name": f"Rule {n}", "text": "Some words of a rule that go on. " * 6} for n in range(3)
        ]
        rifles["unit_orders"] = [
            {"name": "Volley by half sections", "text": "Half of them shoot, then the others. " * 3}
        ]
        names = ("Test Rifles", "Test MG Team", "Test Officer")
        document["fighters"] = [{"name": f"{n}. of {LONG}", "profile": names[n % 3]} for n in range(UNITS)]
        document["scale"] = "15mm"
    else:
        profile(document, "Rifles with LMG").update(
            type="assault", quality="stubborn", close_combat_weapons=True, traits=["aggressive", "light-infantry", "infiltration", "raider", "rifle-drill", "veteran", "scouts"],
            bases=[{"count": 4}, {"weapon": "LMG", "kind": "attached", "count": 2}, {"weapon": "HMG", "kind": "attached", "count": 1}],
        )  # fmt: skip
        document["profiles"].append({
            "kind": "tanks", "name": "Tanks",
            "data": {"vehicles": [{"name": f"Landship of the {n}. pattern", "class": "heavy", "movement": 4, "reliability": "unreliable", "machine_guns": 6, "guns": ["Tank cannon", "Tank gun, AP"]} for n in range(4)]},
        })  # fmt: skip
        rows: list[dict[str, Any]] = []
        for n in range(4):
            name = f"{n}. of {LONG}"
            rows.append({"name": name, "profile": "Company"})
            rows += [
                {"name": f"{m}. Platoon of {LONG}", "profile": kind, "company": name}
                for m, kind in enumerate(("Rifles", "Rifles with LMG", "Rifles", "HMG team", "Mortar team"))
            ]
        document["fighters"] = [*rows, {"name": "Landships", "profile": "Tanks"}]
    document["name"] = f"The Force of {LONG}"
    return document


DOCUMENTS = {"small": small, "large": large}


@cache
def force(game: str, size: str) -> Force:
    read, problems = system(game).documents.read_document(DOCUMENTS[size](game))
    assert problems == ()
    return read


def page(game: str, size: str, *sheets: str, paper: Any = "A4", look: Any = "full", link: str = LINK) -> OwnSheetsPage:
    doors = system(game)
    content = doors.content("core")
    return OwnSheetsPage(
        sheets=tuple(doors.print_sheets.drawn_sheet(content, force(game, size), sheet) for sheet in sheets), title="Third Watch", mark=game, led_by="Ada",
        paper=paper, look=look, where=(("Campaign", "The Long Winter, round 3"),), stamp_words="A game, v3, 1 Jan 1926",
        link_words=link.removeprefix("https://"), qr_svg=printed_code(link, "Opens this roster"),
    )  # fmt: skip


@cache
def printed(game: str, size: str, sheet: str) -> tuple[bytes, tuple[str, ...]]:
    """The PDF of one sheet, and what the PDF engine warned of while it read the style and drew."""
    style_sheet.cache_clear()
    heard: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    try:
        return render_pdf(render_html(page(game, size, sheet))), tuple(heard)
    finally:
        logger.removeHandler(handler)


@cache
def leaves_of(pdf: bytes) -> tuple[str, ...]:
    """The text of each page."""
    return tuple(leaf.extract_text() for leaf in PdfReader(io.BytesIO(pdf)).pages)


def text_of(pdf: bytes) -> str:
    return " ".join(" ".join(leaf.split()) for leaf in leaves_of(pdf))


# --- the pages ---------------------------------------------------------------------------------------------------------------


def test_there_is_something_to_check() -> None:
    assert len(EVERY) == 9


@pytest.mark.parametrize(
    ("game", "sheet", "paper", "look"),
    sampled(
        list(product((GLOOM, FAR), ("reference",), PAPERS, ("full", "ink")))
        + list(product((GLOOM,), ("turn",), PAPERS, ("full", "ink", "large"))),
        4,
        always=[(GLOOM, "reference", "Letter", "full"), (FAR, "reference", "A4", "ink"), (GLOOM, "turn", "A4", "full"), (GLOOM, "turn", "Letter", "large")],
    ),
)  # fmt: skip
def test_what_is_meant_for_one_page_fits_it(game: str, sheet: str, paper: str, look: str) -> None:
    assert len(laid_out(render_html(page(game, "small", sheet, paper=paper, look=look))).pages) == 1


def units_of(number: int) -> dict[str, Any]:
    """A force of so many units of three profiles, each with two rules and an order, and with a name of 40 letters."""
    document = gloom()
    names = ("Test Rifles", "Test MG Team", "Test Officer")
    for name in names:
        profile(document, name).update(
            special_rules=[{"name": f"Rule {n} of {name}", "text": f"Rule {n}: {WORDS * 4}"} for n in range(2)],
            unit_orders=[{"name": "Volley by half sections", "text": f"By halves. {WORDS * 2}"}],
        )
    document["fighters"] = [{"name": f"{n}. of {LONG}"[:40], "profile": names[n % 3]} for n in range(number)]
    return document


@pytest.mark.parametrize(
    ("number", "paper", "most"),
    sampled([(2, "A4", 1), (7, "Letter", 3), (12, "A4", 4), (12, "Letter", 4), (20, "A4", 6), (20, "Letter", 6)], 2, always=[(7, "Letter", 3), (12, "A4", 4)]),
)  # fmt: skip
def test_rules_of_several_units_stand_once_and_no_middle_page_is_a_third_empty(
    number: int, paper: str, most: int
) -> None:
    doors = system(GLOOM)
    read, problems = doors.documents.read_document(units_of(number))
    assert problems == ()
    drawn = doors.print_sheets.drawn_sheet(doors.content("core"), read, "force")
    document = laid_out(render_html(replace(page(GLOOM, "small", paper=paper), sheets=(drawn,))))
    assert len(document.pages) <= most
    words = words_of(document)
    for name in ("Test Rifles", "Test MG Team") if number > 3 else ():
        for n in range(2):
            assert words.count(f"Rule {n} of {name}") == 1 + sum(
                f["profile"] == name for f in units_of(number)["fighters"]
            )
            assert words.count(f"Rule {n} of {name} Rule {n}: Some words") == 1
    for leaf in document.pages[:-1]:
        edge = leaf._page_box
        lowest = max(box.position_y + box.height for box in boxes(leaf) if "unit" in classes(box))
        assert (lowest - edge.content_box_y()) / edge.height > 2 / 3


def test_a_rule_with_other_words_in_another_unit_stays_with_both() -> None:
    document = gloom()
    for name, words in (("Test Rifles", "At night."), ("Test MG Team", "By day.")):
        profile(document, name)["special_rules"] = [{"name": "Steady", "text": words}]
    read, _ = system(GLOOM).documents.read_document(document)
    data = system(GLOOM).print_sheets.drawn_sheet(system(GLOOM).content("core"), read, "force").data
    assert data.rules == ()
    assert {unit.rules for unit in data.units} == {(("Steady", "At night."),), (("Steady", "By day."),), ()}


BLOCKS = {(GLOOM, "force"): "unit", (GLOOM, "chits"): "chit", (FAR, "reference"): "part", (GLOOM, "reference"): "part"}


@pytest.mark.parametrize(("game", "sheet", "paper", "look"), sampled(EVERY_WAY, len(SAMPLE), always=SAMPLE))
def test_a_long_sheet_is_laid_out_whole(game: str, sheet: str, paper: str, look: str) -> None:
    """It is laid out once, for that is what takes the time, and holds for each of its checks."""
    document = laid_out(render_html(page(game, "large", sheet, paper=paper, look=look)))
    assert sticking_out(document) == []
    nothing_reaches_over_the_edge_of_its_page(document)
    no_heading_ends_a_page(document)
    assert all(share > 0.5 for share in filled(document)[:-1])
    if (game, sheet) in BLOCKS:
        stays_in_one_piece(document, BLOCKS[game, sheet])
    if sheet in CARDS:
        assert cards_held(document, look) >= 9
    if (game, sheet) == (FAR, "companies"):
        no_line_of_a_company_is_cut(document)
    if (game, sheet) in SAID:
        says_everything(words_of(document), game, "large", sheet)


def filled(document: Any) -> list[float]:
    """How far down each page something stands, from 0 to 1."""
    shares = []
    for leaf in document.pages:
        page = leaf._page_box
        stamp = {id(box) for box in boxes(leaf) if box.position_y > page.content_box_y() + page.height}
        lows = [box.position_y + box.height for box in boxes(leaf) if hasattr(box, "text") and id(box) not in stamp]
        shares.append((max(lows) - page.content_box_y()) / page.height)
    return shares


def nothing_reaches_over_the_edge_of_its_page(document: Any) -> None:
    for number, leaf in enumerate(document.pages, 1):
        edge = leaf._page_box
        right = edge.content_box_x() + edge.width
        drawn = 0
        for box in boxes(leaf):
            if hasattr(box, "text") or box.element_tag == "table" or {"cut-card", "chit", "box"} & set(classes(box)):
                drawn += 1
                assert box.position_x + box.width <= right + 0.6, (number, box.element_tag, getattr(box, "text", ""))
        assert drawn > 5


def stays_in_one_piece(document: Any, block: str) -> None:
    """So does each block, but one of more than half a page, which keeps its lines."""
    whole, lines = Counter[int](), Counter[int]()
    for box in (box for leaf in document.pages for box in boxes(leaf) if block in classes(box)):
        whole[id(box.element)] += 1
        bodies = (body for body in box.descendants() if body.element_tag == "tbody")
        lines.update(id(line.element) for body in bodies for line in body.children)
        if "breaks-large" in classes(box):
            del whole[id(box.element)]
    assert len(whole) >= 6
    assert set(whole.values()) == {1}
    assert set(lines.values()) <= {1}


def no_line_of_a_company_is_cut(document: Any) -> None:
    lines: Counter[int] = Counter()
    for leaf in document.pages:
        tables = [table for table in boxes(leaf) if "platoons" in classes(table)]
        bodies = [body for table in tables for body in table.descendants() if body.element_tag == "tbody"]
        lines.update({id(line.element) for body in bodies for line in body.children})
    assert len(lines) > 20
    assert set(lines.values()) == {1}


def no_heading_ends_a_page(document: Any) -> None:
    for leaf in document.pages:
        inside = [box for box in boxes(leaf) if "stamp" not in classes(box)]
        heads = [box for box in inside if box.element_tag in ("h1", "h2")]
        words = [box for box in inside if box.element_tag in ("p", "td", "th", "span")]
        for head in heads:
            low = head.position_y + head.height
            stamp_top = leaf._page_box.content_box_y() + leaf._page_box.height
            assert any(low - 1 <= box.position_y < stamp_top for box in words), (head.element_tag, head.element.text)


@pytest.mark.parametrize(("game", "sheet"), EVERY)
def test_the_style_is_understood_whole(game: str, sheet: str) -> None:
    assert printed(game, "small", sheet)[1] == ()


def test_a_style_that_is_not_understood_would_be_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = render_html(page(FAR, "small", "orders")).replace("</head>", "<style>p { shape: odd }</style></head>")
    monkeypatch.setitem(globals(), "render_html", lambda page: sheet)
    assert printed.__wrapped__(FAR, "small", "orders")[1]


@pytest.mark.parametrize(("game", "sheet"), EVERY)
def test_every_template_that_a_game_names_is_there(game: str, sheet: str) -> None:
    assert get_template(page(game, "small", sheet).sheets[0].template)


# --- what stands on them -----------------------------------------------------------------------------------------------------


def tags_of(pdf: bytes) -> Counter[str]:
    """The tags of the structure tree."""
    found: Counter[str] = Counter()

    def walk(node: Any) -> None:
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            found[str(node.get("/S", ""))] += 1
            if "/K" in node:
                walk(node["/K"])

    walk(PdfReader(io.BytesIO(pdf)).trailer["/Root"]["/StructTreeRoot"])
    return found


@pytest.mark.parametrize(
    ("game", "sheet", "heads"), [(GLOOM, "force", 4), (FAR, "companies", 1), (GLOOM, "cards", 4), (FAR, "cards", 6)]
)
def test_the_pdf_is_tagged_with_a_heading_for_each_unit_and_real_tables(game: str, sheet: str, heads: int) -> None:
    pdf, _ = printed(game, "small", sheet)
    root = PdfReader(io.BytesIO(pdf)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert PdfReader(io.BytesIO(pdf)).metadata.title == "Third Watch"  # type: ignore[union-attr]
    tags = tags_of(pdf)
    assert tags["/H1"] == 1
    assert tags["/H2"] == heads
    assert tags["/TH"] >= 4
    assert tags["/TD"] >= 4


SAID = {
    (GLOOM, "force"): ("COMBAT", "D12", "STRESS", "ACTED IN TURN", "dug in", "leader lost", "right of the bar"),
    (FAR, "companies"): ("Move", "Recover", "DISRUPTED", "must Defend next turn", "Shocked", "Fresh", "Prone", "TALLY", "LOST FOR REMNANTS"),
}  # fmt: skip


def says_everything(text: str, game: str, size: str, sheet: str) -> None:
    """Each unit by its name, and what stands on the sheet in words."""
    for unit in force(game, size).fighters:
        assert unit.name.lower() in text.lower()
        assert game == FAR or unit.name in text
    for words in SAID[game, sheet]:
        assert words in text
    if game == GLOOM:
        assert ("24″" in text) == (size == "small")
        assert ("24 cm" in text) == (size == "large")


@pytest.mark.parametrize(("game", "sheet"), SAID)
def test_a_sheet_says_everything_in_words(game: str, sheet: str) -> None:
    says_everything(text_of(printed(game, "small", sheet)[0]), game, "small", sheet)


def test_chits_differ_by_shape_and_letter_and_not_by_colour() -> None:
    html = render_html(page(GLOOM, "small", "chits"))
    for kind, letter in (("a", "A"), ("b", "B"), ("fog", "F")):
        assert f'<div class="chit chit-{kind}"><span class="mark">{letter}</span>' in html
    style = OwnFilesOnly().fetch(f"{OwnFilesOnly.BASE}css/print/own.css").read().decode()
    shapes = {
        line.split("url(")[1]
        for line in style.splitlines()
        if line.startswith((".chit-a ", ".chit-b ", ".chit-fog ")) and "url(" in line
    }
    assert len(shapes) == 3


def test_only_our_own_fonts_are_used() -> None:
    for game, sheet in EVERY:
        fonts = {
            str(font.get_object()["/BaseFont"]).rpartition("+")[2]
            for leaf in PdfReader(io.BytesIO(printed(game, "small", sheet)[0])).pages
            for font in leaf["/Resources"]["/Font"].values()
        }
        assert fonts
        assert all(font.startswith(("IBM-Plex-Sans-Condensed", "Old-Standard-TT")) for font in fonts), (sheet, fonts)


@pytest.mark.parametrize(("game", "sheets"), [(GLOOM, ("force", "cards")), (FAR, ("companies", "cards"))])
def test_names_of_units_print_as_their_players_write_them(game: str, sheets: tuple[str, ...]) -> None:
    document = small(game)
    names = ["Győző és Łukasz", "Владимир", "Γιώργος", "Nguyễn Ước", "Yüzbaşı ʿAlī"]
    for number, fighter in enumerate(document["fighters"]):
        fighter["name"] = f"{number} {names[number % len(names)]}"
        for part in ("company", "parent"):
            fighter.pop(part, None)
    own = [fighter["name"] for fighter in document["fighters"]]
    doors = system(game)
    read, _ = doors.documents.read_document({**document, "name": "Þórður’s Force"})
    drawn = [doors.print_sheets.drawn_sheet(doors.content("core"), read, sheet) for sheet in sheets]
    bare = replace(page(game, "small", *sheets), title="Þórður’s Force")
    for one in drawn:
        html = render_html(replace(bare, sheets=(one,)))
        assert [name for name in own if name in html], one.title
    pdf = render_pdf(render_html(replace(bare, sheets=tuple(drawn))))
    text = text_of(pdf)
    assert [name for name in own if name in text]
    assert "Þórður’s Force" in text
    assert {"ő", "Ł"} <= assert_glyphs_are_right(pdf)


def test_several_sheets_make_one_file_with_one_stamp_for_each_page() -> None:
    pdf = PdfReader(io.BytesIO(render_pdf(render_html(page(GLOOM, "small", "chits", "turn", "reference")))))
    for number, leaf in enumerate(pdf.pages, 1):
        words = leaf.extract_text()
        assert "A game, v3" in words
        assert "club.example/s/abcdefghij/v3/" in words
        assert f"Page {number} of {len(pdf.pages)}" in " ".join(words.split())
    assert 'class="qr"' not in render_html(page(GLOOM, "small", "turn", link=""))


def test_a_name_with_markup_stays_a_name() -> None:
    document = gloom()
    row(document, "Guns")["name"] = "<b>Guns</b> & <i>more</i>"
    doors = system(GLOOM)
    read, _ = doors.documents.read_document(document)
    sheet = doors.print_sheets.drawn_sheet(doors.content("core"), read, "force")
    html = render_html(
        OwnSheetsPage((sheet,), "<script>", GLOOM, "Ada", "A4", "full", (), "", "", printed_code("", ""))
    )
    assert "&lt;b&gt;Guns&lt;/b&gt; &amp; &lt;i&gt;more" in html
    assert "<script>" not in html


@pytest.mark.parametrize(
    ("game", "sheet"), [(GLOOM, "force"), (GLOOM, "turn"), (GLOOM, "reference"), (FAR, "companies"), (FAR, "reference")]
)
def test_the_sheet_reads_as_the_golden_text(game: str, sheet: str, update_golden: bool) -> None:
    leaves = leaves_of(printed(game, "small", sheet)[0])
    lines = ["\n".join(" ".join(line.split()) for line in leaf.splitlines() if line.strip()) for leaf in leaves]
    text, golden = "\n\f\n".join(lines) + "\n", GOLDEN / f"{game}-{sheet}-a4.txt"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", [GLOOM, FAR])
def test_a_card_shows_the_parts_that_are_wanted_and_no_other(game: str) -> None:
    doors, size = system(game), "large" if game == GLOOM else "small"  # one whose units have rules
    content = doors.content("core")
    bare = page(game, size, "cards")

    def cards_with(parts: tuple[str, ...]) -> str:
        drawn = doors.print_sheets.drawn_sheet(content, force(game, size), "cards", CardWishes(parts))
        return render_html(replace(bare, sheets=(drawn,)))

    every = tuple(part.id for part in doors.print_sheets.card_parts(content))
    whole = cards_with(every)
    assert whole == render_html(bare)
    marks = {"weapons": WEAPON_ON_A_CARD[game], "boxes": "card-foot", "models": "card-models", "left": "Tolerance"}
    for left_out in every:
        shown = cards_with(tuple(part for part in every if part != left_out))
        assert len(shown) < len(whole), left_out
        for part, mark in marks.items():
            if part in every:
                assert (mark in shown) is (part != left_out), (left_out, part)
    assert cards_held(laid_out(cards_with(())), "full") <= cards_held(laid_out(whole), "full")


@pytest.mark.parametrize("game", [GLOOM, FAR])
def test_cards_are_drawn_for_the_chosen_units_alone(game: str) -> None:
    doors = system(game)
    content, own = doors.content("core"), force(game, "small")
    names = {card.name: card.key for card in own.fighters}
    drawn = doors.print_sheets.drawn_sheet(content, own, "cards")
    html = render_html(replace(page(game, "small", "cards"), sheets=(drawn,)))
    shown = [name for name in names if f"<h2>{name}</h2>" in html]
    assert len(shown) > 1
    one = doors.print_sheets.drawn_sheet(content, own, "cards", CardWishes(None, (names[shown[0]],)))
    html = render_html(replace(page(game, "small", "cards"), sheets=(one,)))
    assert [name for name in names if f"<h2>{name}</h2>" in html] == shown[:1]


# --- the doors ---------------------------------------------------------------------------------------------------------------


CHOICES = (SheetChoice("a", "First", "one", usual=True), SheetChoice("b", "Second", "two"))


def test_the_usual_sheets_are_printed_where_nobody_chose() -> None:
    assert [c.id for c in PrintOptions().wanted(CHOICES)] == ["a"]
    assert [c.id for c in PrintOptions.read({"sheet": "b"}).wanted(CHOICES)] == ["b"]
    assert [c.id for c in PrintOptions.read({"chosen": "1", "sheet": ["b", "a"]}).wanted(CHOICES)] == ["a", "b"]
    assert PrintOptions.read({"sheet": "b"}).wanted(()) == ()


@pytest.mark.parametrize(("data", "words"), [({"chosen": "1"}, "Choose a sheet"), ({"sheet": "c"}, "“c”")])
def test_no_sheet_and_an_unknown_one_are_refused(data: dict[str, str], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        PrintOptions.read(data).wanted(CHOICES)


def test_options_come_back_from_what_a_booklet_keeps() -> None:
    from campaigns.booklet import BookletOptions

    for sheets in (None, ("a", "b")):
        kept = deepcopy(BookletOptions(PrintOptions(sheets=sheets)).plain())
        kept["sheets"]["sheets"] = None if sheets is None else list(sheets)  # as JSON keeps it
        assert BookletOptions.of(kept).sheets.sheets == sheets


@pytest.fixture
def watch(ada: Any) -> Warband:
    """Ada's force."""
    return fresh(
        import_document(actor=ada, owner=ada, terms=terms(GLOOM, "core"), document=gloom(), name="Third Watch")
    )


@pytest.mark.django_db
def test_the_print_page_offers_the_sheets_of_the_game(client: Client, ada: Any, watch: Warband) -> None:
    client.force_login(ada)
    answer = client.get(reverse("roster-print", args=[watch.pk])).content.decode()
    for choice in system(GLOOM).print_sheets.sheet_choices(watch.terms.content):
        assert f'name="sheet" value="{choice.id}"{" checked" if choice.usual else ""}>' in answer
    assert 'name="stash"' not in answer
    assert "purse" not in answer


@pytest.mark.django_db
def test_one_click_makes_the_sheets_that_were_ticked_and_keeps_the_version(
    client: Client, ada: Any, watch: Warband
) -> None:
    client.force_login(ada)
    answer = client.post(
        reverse("roster-print", args=[watch.pk]),
        {"chosen": "1", "paper": "Letter", "look": "ink", "sheet": ["turn", "chits"]},
    )
    assert answer.status_code == 200
    text = text_of(answer.content)
    assert "Tactical Pool" in text
    assert "Fog of War" in text
    assert "ACTED IN TURN" not in text
    link, snapshot = ShareLink.objects.get(warband=watch, for_print=True), Snapshot.objects.get(warband=watch)
    assert f"/s/{link.slug}/v{snapshot.version}/" in text
    client.logout()
    shared = client.get(reverse("watch-version-download", args=[link.slug, snapshot.version]))
    assert "Officer" in text_of(shared.content)


@pytest.mark.django_db
def test_nothing_ticked_is_a_sentence_and_keeps_nothing(client: Client, ada: Any, watch: Warband) -> None:
    client.force_login(ada)
    for data in ({"chosen": "1"}, {"chosen": "1", "sheet": "ledger"}):
        answer = client.post(reverse("roster-print", args=[watch.pk]), data)
        assert answer.status_code == 422
    assert "There is no sheet “ledger”." in answer.content.decode()
    assert not Snapshot.objects.filter(warband=watch).exists()
    assert client.get(reverse("roster-download", args=[watch.pk]), {"sheet": "ledger"}).status_code == 400


@pytest.mark.django_db
def test_a_kept_version_prints_as_it_was(ada: Any, watch: Warband) -> None:
    from warbands.services.sharing import take_snapshot

    snapshot = take_snapshot(watch, "Printed")
    watch.fighters.filter(name="Guns").delete()
    options = PrintOptions(sheets=("force",))
    assert "Guns" not in render_html(own_sheets_page(fresh(watch), options))
    assert "Guns" in render_html(own_sheets_page(fresh(watch), options, snapshot=snapshot))
