"""Army sheets: what stands on them, how they are made, and that they open nothing outside the app."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader
from weasyprint.urls import FatalURLFetchingError

from config.qr import printed_code
from rules.browse import RuleEntry
from rules.problems import Refusal
from tests.conftest import person
from tests.drills import sampled
from tests.printed import boxes, cards_held, classes, laid_out, sticking_out
from tests.scene import rolled_back
from tests.stories import fresh, small_warband, terms
from warbands.adapters import force_of
from warbands.models import Event, Fighter, ShareLink, Snapshot, Warband
from warbands.pdf import OwnFilesOnly, style_sheet
from warbands.print_options import LAYOUTS, LOOKS, PAPERS, PrintOptions
from warbands.printed_cards import CardFrame, PrintedCard, _rules_cards
from warbands.printed_columns import block_height
from warbands.printing import frame_of, render_html, render_pdf, roster_pdf, sheet_page
from warbands.services.founding import copy_sample
from warbands.services.hire import hire_fighter
from warbands.services.sharing import print_link, take_snapshot

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
LINK = "https://club.example/s/abcdefghij/v3/"
LONG = "Wolfeschlegelsteinhausen of the Sodden Bell at Gallows Weir"
SAMPLES = (("1.6.3", "lantern-wardens"), ("1.6.3", "gallows-choir"), ("1.0", "red-thistle"))


@pytest.fixture(scope="module")
def db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The database, open over the whole module and rolled back after it."""
    with django_db_blocker.unblock(), rolled_back():
        yield


@pytest.fixture(scope="module")
def ada(db: None) -> Any:
    """She owns."""
    return person("ada")


@pytest.fixture(scope="module")
def sample(ada: Any) -> Callable[..., Warband]:
    """Return a function that reads a sample warband of Ada's, which is founded once."""

    @cache
    def founded(edition: str, sample_id: str) -> Warband:
        return copy_sample(actor=ada, owner=ada, terms=terms(edition=edition), sample_id=sample_id)

    for each in SAMPLES:
        founded(*each)
    return lambda edition, sample_id: fresh(founded(edition, sample_id))


@pytest.fixture(autouse=True)
def _forgotten(sample: Any) -> Iterator[None]:
    """No test sees what another one did."""
    with rolled_back():
        yield


@pytest.fixture
def wardens(sample: Callable[..., Warband]) -> Warband:
    """The sample warband, Ada's."""
    return sample(*SAMPLES[0])


@pytest.fixture(scope="module")
def printed(sample: Callable[..., Warband]) -> bytes:
    """Their sheet as it is printed where nobody chose."""
    return roster_pdf(sample(*SAMPLES[0]), PrintOptions(), link=LINK)


@pytest.fixture(scope="module")
def printed_text(printed: bytes) -> str:
    """What stands on it."""
    return text_of(printed)


def text_of(pdf: bytes) -> str:
    """The words of a PDF, page by page, with dates and runs of space made even."""
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    words = "\n\f\n".join(
        "\n".join(" ".join(line.split()) for line in page.splitlines() if line.strip()) for page in pages
    )
    return re.sub(r"\b\d{1,2} [A-Z][a-z]{2} \d{4}\b", "DATE", words) + "\n"


def test_the_sheet_reads_as_the_golden_text(printed_text: str, update_golden: bool) -> None:
    golden = GOLDEN / "lantern-wardens-a4.txt"
    if update_golden:
        golden.write_text(printed_text, encoding="utf-8")
    assert printed_text == golden.read_text(encoding="utf-8")


def test_the_pdf_is_tagged_titled_and_in_a_language(printed: bytes, wardens: Warband) -> None:
    pdf = PdfReader(io.BytesIO(printed))
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert pdf.metadata is not None
    assert pdf.metadata.title == wardens.name
    assert size_of(printed) == SIZES["A4"]


def test_only_our_own_fonts_are_used_for_every_name_the_pack_knows(printed: bytes, wardens: Warband) -> None:
    names = sorted({entry.name for entry in wardens.terms.game.rulebook.entries(wardens.terms.content)})
    html = render_html(sheet_page(wardens, PrintOptions()))
    head, tail = html.partition("<body")[0], '<body class="paper-A4">'
    pdf = render_pdf(f"{head}{tail}<p>{'; '.join(names)}</p><h1>{'; '.join(names)}</h1></body></html>")
    for each in (printed, pdf):
        fonts = {
            str(font.get_object()["/BaseFont"]).rpartition("+")[2]
            for page in PdfReader(io.BytesIO(each)).pages
            for font in page["/Resources"]["/Font"].values()
        }
        assert fonts
        assert all(font.startswith(("IBM-Plex-Sans-Condensed", "Old-Standard-TT")) for font in fonts), fonts


def test_the_style_of_the_sheet_is_understood_whole(wardens: Warband, caplog: pytest.LogCaptureFixture) -> None:
    style_sheet.cache_clear()  # what was read before is not warned of again
    logging.getLogger("weasyprint").propagate = True
    with caplog.at_level(logging.WARNING, logger="weasyprint"):
        roster_pdf(wardens, PrintOptions(look="large", with_cards=True), link=LINK)
    assert [record.getMessage() for record in caplog.records] == []


def test_each_page_carries_edition_version_link_and_number(printed_text: str, wardens: Warband) -> None:
    pages = printed_text.split("\f")
    assert len(pages) > 1
    for number, page in enumerate(pages, 1):
        assert f"v{wardens.version}" in page
        assert "1.6.3" in page
        assert "club.example/s/abcdefghij/v3/" in page
        assert f"Page {number} of {len(pages)}" in page


# --- the pages ----------------------------------------------------------------------------------------------------------------

SIZES = {"A4": (595, 842), "Letter": (612, 792)}
EVERY_WAY = [(*each, paper, look) for each in SAMPLES for paper in PAPERS for look in LOOKS]
# Large print is the hardest: on A4, the narrower paper, and on Letter, the lower one.
HARDEST = [("1.6.3", "lantern-wardens", "A4", "large"), ("1.0", "red-thistle", "Letter", "large")]
USUAL = [("1.6.3", "gallows-choir", "A4", "full"), ("1.6.3", "lantern-wardens", "Letter", "ink")]


def size_of(pdf: bytes) -> tuple[int, ...]:
    """Width and height of the first page, in points."""
    return tuple(round(float(n)) for n in PdfReader(io.BytesIO(pdf)).pages[0].mediabox[2:])


@pytest.mark.parametrize(("edition", "sample_id", "paper", "look"), sampled(EVERY_WAY, 4, always=HARDEST + USUAL))
def test_everything_stays_in_its_frame_and_no_frame_is_cut(
    sample: Callable[..., Warband], edition: str, sample_id: str, paper: Any, look: Any
) -> None:
    """Each fighter has its boxes, in a frame of its own or of all who are alike; each ELITE keeps the box of its last scar."""
    warband = sample(edition, sample_id)
    longest = warband.fighters.first()
    assert longest is not None
    longest.name, longest.notes = LONG, "Owes the quartermaster a lamp and has not forgotten it since the weir."
    longest.save(update_fields=["name", "notes"])
    with_cards = (sample_id, look) == ("lantern-wardens", "large")  # a test of their own looks at all of them
    layout: Any = LAYOUTS[(len(sample_id) + len(look)) % 2]
    options = PrintOptions(paper=paper, look=look, layout=layout, with_cards=with_cards)
    page = sheet_page(warband, options, link=LINK)
    document = laid_out(render_html(page))
    assert (round(document.pages[0].width * 0.75), round(document.pages[0].height * 0.75)) == SIZES[paper]
    assert sticking_out(document) == []
    blocks = [block for part in page.sections for block in part.blocks]
    frames = [box for leaf in document.pages for box in boxes(leaf) if "fighter" in classes(box)]
    assert len(frames) == len(blocks)
    assert any(block.fighter.tracks for block in blocks)
    assert sum(len(block.people) for block in blocks) == sum(len(part.fighters) for part in page.sections)
    for frame, block in zip(frames, blocks, strict=True):
        inside = list(frame.descendants())
        words = [box.text.strip() for box in inside if hasattr(box, "text")]
        told = len(block.people)
        assert (words.count("OUT"), words.count("DEED"), words.count("DOWN")) == (told, told, told), block.title
        fatal = [box for box in inside if "fatal" in classes(box) and isinstance(box.height, int | float)]
        fatal = list({id(box.element): box for box in fatal}.values())
        assert len(fatal) == (1 if block.fighter.tracks else 0), block.title
        for scar in fatal:
            assert any(box.element_tag.endswith("svg") for box in scar.descendants())
        if layout == "page":
            measured = block_height(block, frame_of(options, page.markers)) / 72 * 96
            assert -5 < measured - frame.border_height() < (36 if look == "large" else 5), block.title


# --- how many pages -----------------------------------------------------------------------------------------------------------


def roster_of(warband: Warband, number: int, *, alike: bool = False, name: str = "") -> Snapshot:
    """A version of a warband with so many fighters: its own ones over and over, or only the last kind of them."""
    whole = warband.terms.game.documents.sheet(warband.terms.content, force_of(warband))
    kinds = whole.fighters[-1:] if alike else whole.fighters
    many = tuple(
        replace(kinds[n % len(kinds)], key=str(n), name=name or kinds[n % len(kinds)].name) for n in range(number)
    )
    sheet = replace(whole, fighters=many, title=name or whole.title)
    return Snapshot(warband=warband, version=3, taken_at=timezone.now(), sheet=msgspec.to_builtins(sheet))


def leaves(warband: Warband, snapshot: Snapshot, paper: Any, **options: Any) -> int:
    page = sheet_page(warband, PrintOptions(paper=paper, **options), link=LINK, snapshot=snapshot)
    return sum(len(part.leaves) for part in page.sections)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("number", "most"), [(0, 0), (2, 1), (7, 1), (8, 1), (12, 2), (15, 2), (20, 3)])
@pytest.mark.parametrize("name", ["", LONG[:40]])
def test_so_many_fighters_take_so_many_pages(
    sample: Callable[..., Warband], paper: Any, number: int, most: int, name: str
) -> None:
    """The measured heights say where a page ends; the test above compares them with what is drawn."""
    for which in SAMPLES[:2]:
        assert leaves(sample(*which), roster_of(sample(*which), number, name=name), paper) <= most, which


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("number", "most"), [(7, 1), (8, 1), (15, 2)])
def test_words_for_which_there_is_no_room_stand_at_the_end(
    sample: Callable[..., Warband], paper: Any, number: int, most: int
) -> None:
    """Eight who have learned much stay on one page. Every word of theirs is still on the sheet, and only what must move moves."""
    for which in SAMPLES:
        snapshot = learned(roster_of(sample(*which), number, name=LONG[:40]))
        page = sheet_page(sample(*which), PrintOptions(paper=paper), link=LINK, snapshot=snapshot)
        assert sum(len(part.leaves) for part in page.sections) <= most, which
        told = {(rule.name, rule.words) for band in page.glossary for column in band for rule in column}
        blocks = [block for part in page.sections for block in part.blocks]
        assert any(block.lines for block in blocks)
        for block in blocks:
            for name, words in block.fighter.lines:
                assert not words or (name, words) in block.lines or (name, words) in told
                assert name in (*block.kit, *dict(block.lines), *(weapon.name for weapon in block.weapons))
    full = sheet_page(sample(*which), PrintOptions(paper=paper, look="large"), link=LINK, snapshot=snapshot)
    assert any(len(block.lines) > 3 for part in full.sections for block in part.blocks)  # they move for room alone


def learned(snapshot: Snapshot) -> Snapshot:
    """The same with three skills to each fighter, none of which two of them have."""
    sheet = dict(snapshot.sheet)
    words = "Some words of a rule that go on. " * 3
    sheet["fighters"] = [
        {**fighter, "lines": [*fighter["lines"], *((f"Skill {n} of {nth}", words) for n in range(3))]}
        for nth, fighter in enumerate(snapshot.sheet["fighters"])
    ]
    return Snapshot(warband=snapshot.warband, version=3, taken_at=snapshot.taken_at, sheet=sheet)


def test_twenty_who_are_alike_are_one_block_with_a_line_for_each(wardens: Warband) -> None:
    page = sheet_page(wardens, PrintOptions(), snapshot=roster_of(wardens, 20, alike=True))
    (block,) = page.sections[0].blocks
    assert len(block.names) == 20
    assert "× 20" in block.title
    for name in ("", LONG[:40]):
        page = sheet_page(
            wardens, PrintOptions(paper="Letter"), link=LINK, snapshot=roster_of(wardens, 20, alike=True, name=name)
        )
        (leaf,) = page.sections[0].leaves
        assert leaf.left > 0, name


def test_the_boxes_of_those_who_are_alike_stay_in_their_frame_beside_long_names(wardens: Warband) -> None:
    snapshot = roster_of(wardens, 9, alike=True, name=LONG[:40])
    page = sheet_page(wardens, PrintOptions(with_glossary=False), link=LINK, snapshot=snapshot)
    assert sticking_out(laid_out(render_html(page))) == []


def test_a_note_or_a_track_takes_a_fighter_out_of_the_pool(wardens: Warband) -> None:
    page = sheet_page(wardens, PrintOptions())
    pool = next(block for part in page.sections for block in part.blocks if block.names)
    Fighter.objects.filter(pk=int(pool.fighter.key)).update(notes="Owes Ottla a boot.")
    for with_notes in (True, False):
        blocks = [b for part in sheet_page(wardens, PrintOptions(with_notes=with_notes)).sections for b in part.blocks]
        mine = next(block for block in blocks if block.fighter.key == pool.fighter.key)
        assert (mine.notes, bool(mine.names)) == (("Owes Ottla a boot.", False) if with_notes else ("", True))
        assert not any(block.names for block in blocks if block.fighter.tracks)


@pytest.mark.parametrize(("layout", "paper", "most"), [("page", "A4", 2), ("full", "Letter", 4), ("table", "A4", 2)])
def test_every_layout_is_short_and_only_its_last_page_is_half_empty(
    sample: Callable[..., Warband], layout: Any, paper: Any, most: int
) -> None:
    document = laid_out(
        render_html(sheet_page(sample(*SAMPLES[1]), PrintOptions(layout=layout, paper=paper), link=LINK))
    )
    assert len(document.pages) <= most
    for leaf in document.pages[:-1]:
        drawn = [box for box in boxes(leaf) if hasattr(box, "text") and box.position_y < leaf.height - 60]
        assert max(box.position_y for box in drawn) > leaf.height / 2
    assert sticking_out(document) == []


def test_the_table_has_every_weapon_of_the_force_once_for_those_who_are_alike(wardens: Warband) -> None:
    page = sheet_page(wardens, PrintOptions(layout="table", with_markers=False))
    html = render_html(page)
    assert html.count('class="weapon"') == sum(len(block.rows) for part in page.sections for block in part.blocks)
    assert 'class="label c-out"' not in html


@pytest.mark.parametrize("with_cards", [False, True])
def test_a_long_name_stays_in_its_column_of_the_table_in_large_print(wardens: Warband, with_cards: bool) -> None:
    options = PrintOptions(layout="table", look="large", with_cards=with_cards, with_rules_cards=with_cards)
    page = sheet_page(wardens, options, snapshot=roster_of(wardens, 7, name=LONG[:40]))
    assert sticking_out(laid_out(render_html(page))) == []


def test_the_table_has_a_box_beside_the_name_of_each_who_is_alike(wardens: Warband) -> None:
    many = roster_of(wardens, 12, alike=True, name=LONG[:40])
    options = PrintOptions(layout="table", with_fields=True, with_cards=True)
    html = render_html(sheet_page(wardens, options, link=LINK, snapshot=many))
    assert len(set(re.findall(r'name="([^"]+-out)" title="Out: ' + LONG[:40], html))) == 12
    document = laid_out(html)
    assert sticking_out(document) == []
    cells = [box for box in boxes(document.pages[0]) if type(box).__name__ == "TableCellBox"]
    told = [box for box in cells if "cause" in classes(box)]
    assert told
    assert min(box.border_width() for box in told) > document.pages[0].width / 2  # across the table


def test_rules_stand_once_and_every_word_of_them_somewhere(wardens: Warband) -> None:
    """What two blocks would repeat is told at the end of the sheet; without the rules there, the blocks tell all."""
    for with_glossary in (True, False):
        page = sheet_page(wardens, PrintOptions(with_glossary=with_glossary))
        html = unescape(render_html(page))
        for part in page.sections:
            for block in part.blocks:
                for name, words in block.fighter.lines:
                    times = html.count(f"<b>{name}</b> {words}") if words else 1
                    assert times == 1 if with_glossary else times >= 1, name


def test_lines_to_write_on_come_where_they_are_asked_for(wardens: Warband) -> None:
    assert 'class="blank"' not in render_html(sheet_page(wardens, PrintOptions()))
    page = sheet_page(wardens, PrintOptions(with_blank=True))
    assert render_html(page).count('class="blank"') == sum(len(part.blocks) for part in page.sections)


# --- what may be left out, and what is never opened -------------------------------------------------------------------------------


def test_without_a_link_there_is_no_code(wardens: Warband) -> None:
    assert printed_code("", "Opens it") == ""
    assert "<svg" in printed_code(LINK, "Opens it")
    assert 'class="qr"' not in render_html(sheet_page(wardens, PrintOptions()))


def test_the_glossary_and_the_stash_can_be_left_out(wardens: Warband) -> None:
    bare = PrintOptions.read({"chosen": "1", "paper": "A4", "look": "full"})
    html = render_html(sheet_page(wardens, bare))
    assert "Rules used here" not in html
    assert "<h2>Stash</h2>" not in html


def test_a_sheet_opens_only_our_own_files() -> None:
    fetch = OwnFilesOnly().fetch
    assert fetch(f"{OwnFilesOnly.BASE}css/print/sheet.css") is not None
    for address in (
        "https://elsewhere.example/x.css",
        "file:///etc/passwd",
        f"{OwnFilesOnly.BASE}../manage.py",
        f"{OwnFilesOnly.BASE}nothing.css",
    ):
        with pytest.raises(FatalURLFetchingError):
            fetch(address)


def test_a_name_with_markup_stays_a_name(wardens: Warband, ada: Any) -> None:
    offers = wardens.terms.game.hire_offers(wardens.terms.content, force_of(wardens))
    yeoman = next(offer for offer in offers if offer.ref == "yeoman")
    name = '<b>Ottla</b> & <link rel="stylesheet" href="//x">'
    hire_fighter(warband=wardens, offer_id=yeoman.id, actor=ada, name=name)
    assert name in text_of(roster_pdf(fresh(wardens), PrintOptions(layout="full", with_glossary=False)))


@pytest.mark.parametrize(("field", "value"), [("paper", "A3"), ("look", "loud"), ("layout", "poster")])
def test_unknown_options_are_refused_by_name(field: str, value: str) -> None:
    with pytest.raises(Refusal, match=value):
        PrintOptions.read({field: value})


# --- from the button to the file ----------------------------------------------------------------------------------------------


def test_one_click_makes_the_pdf_and_keeps_its_version(client: Client, ada: Any, wardens: Warband) -> None:
    client.force_login(ada)
    events = Event.objects.count()
    page = client.get(reverse("roster-print", args=[wardens.pk]))
    assert page.status_code == 200
    answer = client.post(
        reverse("roster-print", args=[wardens.pk]),
        {"chosen": "1", "paper": "Letter", "look": "ink", "stash": "on", "glossary": "on"},
    )
    assert answer["Content-Type"] == "application/pdf"
    assert size_of(answer.content) == SIZES["Letter"]
    snapshot = Snapshot.objects.get(warband=wardens)
    link = ShareLink.objects.get(warband=wardens, for_print=True)
    assert f"/s/{link.slug}/v{snapshot.version}/" in text_of(answer.content)
    assert Event.objects.count() >= events


def test_without_link_nothing_is_kept(client: Client, ada: Any) -> None:
    warband = small_warband(ada)
    client.force_login(ada)
    answer = client.post(
        reverse("roster-print", args=[warband.pk]), {"chosen": "1", "paper": "A4", "look": "full", "unlinked": "on"}
    )
    assert answer.content.startswith(b"%PDF")
    assert "/s/" not in text_of(answer.content)
    assert not ShareLink.objects.filter(warband=warband).exists()


def test_a_wrong_option_is_a_sentence_and_no_pdf(client: Client, ada: Any, wardens: Warband) -> None:
    client.force_login(ada)
    answer = client.post(reverse("roster-print", args=[wardens.pk]), {"chosen": "1", "paper": "A3"})
    assert answer.status_code == 422
    assert "A4 or Letter" in answer.content.decode()
    assert client.get(reverse("roster-download", args=[wardens.pk]), {"look": "loud"}).status_code == 400


def test_a_stranger_prints_nothing(client: Client, dora: Any, wardens: Warband) -> None:
    client.force_login(dora)
    for name in ("roster-print", "roster-download"):
        assert client.get(reverse(name, args=[wardens.pk])).status_code == 404


def test_the_shared_pdf_shows_no_purse_and_ends_with_the_link(client: Client, ada: Any) -> None:
    warband = small_warband(ada)
    link = print_link(warband, actor=ada)
    version = take_snapshot(fresh(warband), "Printed").version
    assert "STRONGBOX" in text_of(roster_pdf(fresh(warband), PrintOptions()))
    for address in (
        reverse("watch-download", args=[link.slug]),
        reverse("watch-version-download", args=[link.slug, version]),
    ):
        text = text_of(client.get(address).content)
        assert "Ilse Brandt" in text
        assert "STRONGBOX" not in text
    assert client.get(reverse("watch-version-download", args=[link.slug, version + 7])).status_code == 404
    ShareLink.objects.filter(pk=link.pk).update(is_revoked=True)
    assert client.get(reverse("watch-download", args=[link.slug])).status_code == 404


# --- cards ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "sample_id", "paper", "look"),
    sampled(
        [way for way in EVERY_WAY if way[3] != "ink"],
        3,
        always=[("1.6.3", "gallows-choir", *how) for how in (("A4", "full"), ("Letter", "large"))]
        + [("1.6.3", "lantern-wardens", "A4", "large")],
    ),
)
def test_every_fighter_has_a_card_that_holds_what_it_says(
    sample: Callable[..., Warband], edition: str, sample_id: str, paper: Any, look: Any
) -> None:
    """Those who are alike share one card. Words that find no room on it stand on a card of rules."""
    warband = sample(edition, sample_id)
    size: Any = "big" if (paper, look) == ("A4", "full") and sample_id == "gallows-choir" else "small"
    options = PrintOptions(paper=paper, look=look, with_cards=True, card_size=size, with_rules_cards=size == "big")
    made = sheet_page(warband, options, link=LINK)
    blocks = [block for section in made.sections for block in section.blocks]
    assert [card.block for card in made.cards if card.block is not None] == blocks
    rules = {(entry.name, entry.words) for card in made.cards for entry in card.rules}
    for card in made.cards:
        for name, words in card.block.fighter.lines if card.block is not None else ():
            assert not words or (name, words) in card.told or ((name, words) in rules and name in kept_names(card))
    if options.with_rules_cards:
        sheet = warband.terms.game.documents.sheet(warband.terms.content, force_of(warband))
        assert {entry.name for entry in sheet.glossary} <= {name for name, _words in rules}
    only = replace(made, sections=(), glossary=())
    measure = (95, 138) if size == "big" else (63, 88)
    assert cards_held(laid_out(render_html(only)), look, measure) == len(made.cards)


def kept_names(card: PrintedCard) -> set[str]:
    assert card.block is not None
    return {*card.kit, *(weapon.name for weapon in card.block.weapons)}


@pytest.mark.parametrize(("number", "most"), [(2, 3), (7, 8), (12, 13), (20, 21)])
def test_a_card_is_full_before_a_second_begins(sample: Callable[..., Warband], number: int, most: int) -> None:
    """One card for each fighter, and one of rules. The samples have at most this many kinds."""
    for which in SAMPLES[:2]:
        snapshot = roster_of(sample(*which), number, name=LONG[:40])
        made = sheet_page(sample(*which), PrintOptions(with_cards=True), snapshot=snapshot)
        assert 0 < len(made.cards) <= most, which


def test_no_card_of_rules_has_a_few_lines_only() -> None:
    rule = RuleEntry("shared", "Rule", "Rule", "Some words of a rule that go on. " * 3)
    frame = CardFrame("small", "full", "A4", markers=True)
    held = [[len(card.rules) for card in _rules_cards([rule] * count, frame)] for count in range(1, 30)]
    full = max(map(max, held))
    for count, cards in enumerate(held, 1):
        assert sum(cards) == count
        assert len(cards) == -(-count // full)
        assert len(cards) == 1 or min(cards) >= full // 4, cards


def test_a_back_lies_behind_its_front(wardens: Warband) -> None:
    for paper, turned in (("A4", 1), ("Letter", 0)):
        options = PrintOptions(paper=paper, with_cards=True, with_backs=True, with_blank_cards=True)  # type: ignore[arg-type]
        sheets = sheet_page(wardens, options).card_sheets
        assert [sheet.is_back for sheet in sheets] == [False, True] * (len(sheets) // 2)
        for front, back in zip(sheets[::2], sheets[1::2], strict=True):
            behind = [row[::-1] for row in back.rows] if turned else list(back.rows[::-1])
            assert behind[: len(front.rows)] == list(front.rows)


def test_cards_are_printed_when_they_are_asked_for(client: Client, ada: Any) -> None:
    warband = small_warband(ada)
    client.force_login(ada)
    assert 'name="cards">' in client.get(reverse("roster-print", args=[warband.pk])).content.decode()
    asked = {"chosen": "1", "paper": "Letter", "look": "full", "unlinked": "on", "cards": "on"}
    pages = PdfReader(io.BytesIO(client.post(reverse("roster-print", args=[warband.pk]), asked).content)).pages
    across = [leaf.mediabox.width > leaf.mediabox.height for leaf in pages]
    assert across == [False] * (len(pages) - 1) + [True]  # cards lie on their side on this paper, and nothing else does


@pytest.mark.parametrize(("paper", "size"), [("A4", "small"), ("Letter", "small"), ("A4", "big")])
def test_marks_to_cut_along_lie_at_the_edges_of_the_cards(wardens: Warband, paper: Any, size: Any) -> None:
    options = PrintOptions(paper=paper, with_cards=True, card_size=size, with_backs=True)
    page = replace(sheet_page(wardens, options), sections=(), glossary=())  # cards alone
    marked = 0
    for leaf in laid_out(render_html(page)).pages:
        found = list(boxes(leaf))
        cards = [box for box in found if "cut-card" in classes(box)]
        trims = [box for box in found if "trim-across" in classes(box)]
        marks = {box.position_x for trim in trims for box in trim.descendants() if box.element_tag == "span"}
        if not marks:
            continue
        marked += 1
        edges = {edge for card in cards for edge in (card.position_x, card.position_x + card.border_width())}
        assert edges
        assert all(min(abs(edge - mark) for mark in marks) < 1.5 for edge in edges)  # pixels, of 0.26 mm
    assert marked * 2 == len(page.card_sheets)  # fronts alone
