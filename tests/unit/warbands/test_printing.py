"""Army sheets: what stands on them, how they are made, and that they open nothing outside the app."""

from __future__ import annotations

import io
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from weasyprint.urls import FatalURLFetchingError

from rules.problems import Refusal
from tests.stories import fresh, terms
from warbands.models import Event, ShareLink, Snapshot, Warband
from warbands.pdf import OwnFilesOnly
from warbands.printing import (
    LOOKS,
    PAPERS,
    PrintOptions,
    qr_code,
    render_html,
    render_pdf,
    roster_pdf,
    sheet_page,
)
from warbands.services.found import copy_sample
from warbands.services.hire import hire_fighter

pytestmark = pytest.mark.django_db

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
LINK = "https://club.example/s/abcdefghij/v3/"


@pytest.fixture
def wardens(ada: Any) -> Warband:
    """The sample warband, Ada's."""
    return fresh(copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="lantern-wardens"))


def text_of(pdf: bytes) -> str:
    """The words of a PDF, page by page, with dates and runs of space made even."""
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    words = "\n\f\n".join(
        "\n".join(" ".join(line.split()) for line in page.splitlines() if line.strip()) for page in pages
    )
    return re.sub(r"\b\d{1,2} [A-Z][a-z]{2} \d{4}\b", "DATE", words) + "\n"


def test_the_sheet_reads_as_the_golden_text(wardens: Warband, update_golden: bool) -> None:
    text = text_of(roster_pdf(wardens, PrintOptions(), link=LINK))
    golden = GOLDEN / "lantern-wardens-a4.txt"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("look", LOOKS)
def test_paper_and_look_are_as_asked(wardens: Warband, paper: Any, look: Any) -> None:
    pdf = PdfReader(io.BytesIO(roster_pdf(wardens, PrintOptions(paper=paper, look=look))))
    width, height = (round(float(n)) for n in pdf.pages[0].mediabox[2:])
    assert (width, height) == {"A4": (595, 842), "Letter": (612, 792)}[paper]


def test_the_pdf_is_tagged_titled_and_in_a_language(wardens: Warband) -> None:
    pdf = PdfReader(io.BytesIO(roster_pdf(wardens, PrintOptions())))
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert pdf.metadata is not None
    assert pdf.metadata.title == wardens.name


def test_only_our_own_fonts_are_used_for_every_name_the_pack_knows(ada: Any) -> None:
    content = terms().content
    names = sorted({entry.name for entry in terms().game.entries(content)})
    html = render_html(
        sheet_page(fresh(copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="lantern-wardens")), PrintOptions())
    )
    html = html.replace("</body>", f"<p>{'; '.join(names)}</p><h1>{'; '.join(names)}</h1></body>")
    pdf = PdfReader(io.BytesIO(render_pdf(html)))
    fonts = set()
    for page in pdf.pages:
        for font in page["/Resources"]["/Font"].values():
            fonts.add(str(font.get_object()["/BaseFont"]).rpartition("+")[2])
    assert fonts
    assert all(font.startswith(("IBM-Plex-Sans-Condensed", "Old-Standard-TT")) for font in fonts), fonts


def test_the_style_of_the_sheet_is_understood_whole(wardens: Warband, caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("weasyprint").propagate = True
    with caplog.at_level(logging.WARNING, logger="weasyprint"):
        roster_pdf(wardens, PrintOptions(look="large"), link=LINK)
    assert [record.getMessage() for record in caplog.records] == []


def test_no_fighter_is_cut_by_a_page(ada: Any) -> None:
    warband = copy_sample(actor=ada, owner=ada, terms=terms(), sample_id="gallows-choir")
    for look in LOOKS:
        pages = text_of(roster_pdf(fresh(warband), PrintOptions(look=look))).split("\f")
        assert len(pages) > 2
        for page in pages:
            assert page.count("WEAPON") <= page.count("BASE MM")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("look", LOOKS)
def test_lines_to_write_on_never_fill_a_page_of_their_own(wardens: Warband, paper: Any, look: Any) -> None:
    wardens.name = "Wolfeschlegelsteinhausen and his Lanterns of the Sodden Bell at Gallows Weir"
    wardens.notes = "One line.\n" * 3
    second = text_of(roster_pdf(wardens, PrintOptions(paper=paper, look=look))).split("\f")[1]
    assert second.lstrip().startswith("Elite")


def test_each_page_carries_edition_version_link_and_number(wardens: Warband) -> None:
    pages = text_of(roster_pdf(wardens, PrintOptions(), link=LINK)).split("\f")
    for number, page in enumerate(pages, 1):
        assert f"v{wardens.version}" in page
        assert "1.6.3" in page
        assert "club.example/s/abcdefghij/v3/" in page
        assert f"Page {number} of {len(pages)}" in page


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
    offers = wardens.terms.game.hire_offers(wardens.terms.content, _force(wardens))
    yeoman = next(offer for offer in offers if offer.ref == "yeoman")
    hire_fighter(warband=wardens, offer_id=yeoman.id, actor=ada, name="<b>Ottla</b> & <link href=//x>")
    text = text_of(roster_pdf(fresh(wardens), PrintOptions()))
    assert "<b>Ottla</b> & <link href=//x>" in text


def _force(warband: Warband) -> Any:
    from warbands.force import force_of

    return force_of(warband)


@pytest.mark.parametrize(("field", "value"), [("paper", "A3"), ("look", "loud")])
def test_unknown_options_are_refused_by_name(field: str, value: str) -> None:
    with pytest.raises(Refusal, match=value):
        PrintOptions.read({field: value})


# --- the pages ----------------------------------------------------------------------------------------------------------------


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
    assert answer.content.startswith(b"%PDF")
    snapshot = Snapshot.objects.get(warband=wardens)
    link = ShareLink.objects.get(warband=wardens, for_print=True)
    assert f"/s/{link.slug}/v{snapshot.version}/" in text_of(answer.content)
    assert Event.objects.count() >= events


def test_without_link_nothing_is_kept(client: Client, ada: Any, wardens: Warband) -> None:
    client.force_login(ada)
    answer = client.post(
        reverse("roster-print", args=[wardens.pk]), {"chosen": "1", "paper": "A4", "look": "full", "unlinked": "on"}
    )
    assert answer.content.startswith(b"%PDF")
    assert not ShareLink.objects.filter(warband=wardens).exists()


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


def test_the_shared_pdf_shows_no_purse_and_ends_with_the_link(client: Client, ada: Any, wardens: Warband) -> None:
    client.force_login(ada)
    client.post(reverse("roster-print", args=[wardens.pk]), {"chosen": "1", "paper": "A4", "look": "full"})
    link = ShareLink.objects.get(warband=wardens, for_print=True)
    version = Snapshot.objects.get(warband=wardens).version
    client.logout()
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
