"""Army sheets: what stands on them, how they are made, and that they open nothing outside the app."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from weasyprint.urls import FatalURLFetchingError

from rules.problems import Refusal
from tests.conftest import person
from tests.drills import sampled
from tests.printed import boxes, cards_held, classes, laid_out, sticking_out
from tests.scene import rolled_back
from tests.stories import fresh, small_warband, terms
from warbands.adapters import force_of
from warbands.models import Event, ShareLink, Snapshot, Warband
from warbands.pdf import OwnFilesOnly, style_sheet
from warbands.print_options import LOOKS, PAPERS, PrintOptions
from warbands.printing import qr_code, render_html, render_pdf, roster_pdf, sheet_page
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
    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert f"v{wardens.version}" in page
        assert "1.6.3" in page
        assert "club.example/s/abcdefghij/v3/" in page
        assert f"Page {number} of {len(pages)}" in page


# --- the pages ----------------------------------------------------------------------------------------------------------------

SIZES = {"A4": (595, 842), "Letter": (612, 792)}
EVERY_WAY = [(*each, paper, look) for each in SAMPLES for paper in PAPERS for look in LOOKS]
# Large print is the hardest: on A4, the narrower paper, and on Letter, the lower one.
HARDEST = [(*each, paper, "large") for each in SAMPLES for paper in PAPERS]
USUAL = [("1.6.3", "gallows-choir", "A4", "full"), ("1.6.3", "lantern-wardens", "Letter", "ink")]


def size_of(pdf: bytes) -> tuple[int, ...]:
    """Width and height of the first page, in points."""
    return tuple(round(float(n)) for n in PdfReader(io.BytesIO(pdf)).pages[0].mediabox[2:])


@pytest.mark.parametrize(("edition", "sample_id", "paper", "look"), sampled(EVERY_WAY, 8, always=HARDEST + USUAL))
def test_everything_stays_in_its_frame_and_no_frame_is_cut(
    sample: Callable[..., Warband], edition: str, sample_id: str, paper: Any, look: Any
) -> None:
    """Each fighter has one frame, with one box for "out" and one for "deed"; each ELITE keeps the box of its last scar."""
    warband = sample(edition, sample_id)
    longest = warband.fighters.first()
    assert longest is not None
    longest.name = LONG
    longest.save(update_fields=["name"])
    with_cards = (sample_id, look) == ("lantern-wardens", "large")  # a test of their own looks at all of them
    page = sheet_page(warband, PrintOptions(paper=paper, look=look, with_cards=with_cards), link=LINK)
    document = laid_out(render_html(page))
    assert len(document.pages) > 2
    assert (round(document.pages[0].width * 0.75), round(document.pages[0].height * 0.75)) == SIZES[paper]
    assert sticking_out(document) == []
    frames = [box for leaf in document.pages for box in boxes(leaf) if "fighter" in classes(box)]
    fighters = [fighter for part in page.sections for fighter in part.fighters]
    assert len(frames) == len(fighters)
    assert any(fighter.tracks for fighter in fighters)
    for frame, fighter in zip(frames, fighters, strict=True):
        inside = list(frame.descendants())
        words = [box.text.strip() for box in inside if hasattr(box, "text")]
        assert (words.count("out"), words.count("deed")) == (1, 1), fighter.name
        fatal = [box for box in inside if "fatal" in classes(box) and isinstance(box.height, int | float)]
        fatal = list({id(box.element): box for box in fatal}.values())
        assert len(fatal) == (1 if fighter.tracks else 0), fighter.name
        for scar in fatal:
            assert any(box.element_tag.endswith("svg") for box in scar.descendants())


@pytest.mark.parametrize(
    ("paper", "look"),
    sampled(
        product(PAPERS, LOOKS), 4, always=[("A4", "full"), ("Letter", "full"), ("A4", "large"), ("Letter", "large")]
    ),
)
def test_lines_to_write_on_never_fill_a_page_of_their_own(wardens: Warband, paper: Any, look: Any) -> None:
    wardens.name = "Wolfeschlegelsteinhausen and his Lanterns of the Sodden Bell at Gallows Weir"
    wardens.notes = "One line.\n" * 3
    document = laid_out(render_html(sheet_page(wardens, PrintOptions(paper=paper, look=look))))
    heads = [[box for box in boxes(leaf) if box.element_tag == "h2"] for leaf in document.pages]
    assert "Elite" not in {head.element.text for head in heads[0]}
    assert heads[1][0].element.text == "Elite"
    above = [
        box for box in boxes(document.pages[1]) if hasattr(box, "text") and box.position_y < heads[1][0].position_y
    ]
    assert above == []


# --- what may be left out, and what is never opened -------------------------------------------------------------------------------


def test_without_a_link_there_is_no_code(wardens: Warband) -> None:
    assert qr_code("") == ""
    assert "<svg" in qr_code(LINK)
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
    assert name in text_of(roster_pdf(fresh(wardens), PrintOptions(with_glossary=False)))


@pytest.mark.parametrize(("field", "value"), [("paper", "A3"), ("look", "loud")])
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
        4,
        always=[("1.6.3", "gallows-choir", *how) for how in (("A4", "full"), ("Letter", "large"))]
        + [("1.6.3", "lantern-wardens", "A4", look) for look in ("full", "large")],
    ),
)
def test_every_fighter_has_cards_that_hold_all_its_lines(
    sample: Callable[..., Warband], edition: str, sample_id: str, paper: Any, look: Any
) -> None:
    warband = sample(edition, sample_id)
    made = sheet_page(warband, PrintOptions(paper=paper, look=look, with_cards=True), link=LINK)
    fighters = [fighter for section in made.sections for fighter in section.fighters]
    assert [card.fighter.name for card in made.cards if card.is_first] == [fighter.name for fighter in fighters]
    for fighter in fighters:
        mine = [card for card in made.cards if card.fighter is fighter]
        assert [weapon for card in mine for weapon in card.weapons] == list(fighter.weapons)
        told = " ".join(words for card in mine for _, words in card.lines)
        assert told.split() == " ".join(words for _, words in fighter.lines).split()
    only = replace(made, sections=(), glossary=())
    assert cards_held(laid_out(render_html(only)), look) == len(made.cards)


def test_cards_are_printed_when_they_are_asked_for(client: Client, ada: Any) -> None:
    warband = small_warband(ada)
    client.force_login(ada)
    assert 'name="cards">' in client.get(reverse("roster-print", args=[warband.pk])).content.decode()
    asked = {"chosen": "1", "paper": "Letter", "look": "full", "unlinked": "on", "cards": "on"}
    pages = PdfReader(io.BytesIO(client.post(reverse("roster-print", args=[warband.pk]), asked).content)).pages
    across = [leaf.mediabox.width > leaf.mediabox.height for leaf in pages]
    assert across == [False] * (len(pages) - 1) + [True]  # cards lie on their side on this paper, and nothing else does
