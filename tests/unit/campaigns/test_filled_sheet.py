"""The battle sheet with fields: filled in by a script, and read back as a draft of the report."""

from __future__ import annotations

import io
import subprocess
import sys
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

from campaigns.battle_sheet import battle_sheet, battle_sheet_pdf
from campaigns.filled_sheet import FilledSheet, read_filled_sheet
from campaigns.models import Battle, Report, ReportDraft
from campaigns.pages.battle_sides import read_sides
from config.middleware import refuse_large_requests
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.module_story import story
from tests.pdf_ua import faults_of
from warbands.pdf_fields import UnreadablePdf, read_fields

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

_pdfs: dict[int, bytes] = {}  # a sheet is drawn once for all tests


@story
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    return c.fresh_battle(c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="claim-no-mans-land"))


def sheet_of(battle: Battle) -> bytes:
    sides = list(read_sides(battle))
    if battle.pk not in _pdfs:
        _pdfs[battle.pk] = battle_sheet_pdf(battle_sheet(battle, sides, sides[:1], "A4", "ink", fillable=True))
    return _pdfs[battle.pk]


def filled(pdf: bytes, values: Mapping[str, str | bool]) -> bytes:
    """Fill fields in, named without the prefix of the sheet, as a reader of PDFs would."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    prefix = next(iter(writer.get_fields() or {})).split("-p-")[0]
    known = writer.get_fields() or {}
    given = {f"{prefix}-{asks}": ("/on" if value is True else value) for asks, value in values.items()}
    assert set(given) <= set(known), set(given) - set(known)
    for page in writer.pages:
        writer.update_page_form_field_values(page, given, auto_regenerate=False)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def read(pdf: bytes, battle: Battle) -> FilledSheet:
    return read_filled_sheet(pdf, battle, read_sides(battle))


def names(battle: Battle, user: Any) -> dict[str, str]:
    warband = c.side(battle, user).warband
    return {fighter.name: str(fighter.pk) for fighter in warband.fighters.all()}


def test_its_fields_are_those_of_the_report_with_names_words_and_an_order(battle: Battle, ada: Any, ben: Any) -> None:
    reader = PdfReader(io.BytesIO(sheet_of(battle)))
    fields = reader.get_fields() or {}
    mine = c.side(battle, ada)
    prefixes = {"-".join(name.split("-")[:4]) for name in fields}
    assert prefixes == {next(iter(prefixes))}
    assert next(iter(prefixes)).startswith(f"muster1-b{battle.pk}-s{mine.pk}-")
    assert {str(field["/FT"]) for field in fields.values()} == {"/Tx", "/Btn"}
    assert all(str(field["/TU"]).strip() for field in fields.values())
    asked = {name.split("-", 4)[4] for name in fields}
    for user in (ada, ben):
        for key in names(battle, user).values():
            assert {f"f-{key}-there", f"f-{key}-out", f"f-{key}-by"} <= asked
    assert {f"won-{mine.pk}", "won-drawn", "kind-conceded", "day", "words", "d-sniper"} <= asked
    assert {str(page["/Tabs"]) for page in reader.pages} == {"/S"}
    assert reader.root_object["/AcroForm"]["/NeedAppearances"]  # type: ignore[index]
    assert len(reader.pages) == 2


def test_a_filled_sheet_comes_back_with_every_value(battle: Battle, ada: Any, ben: Any) -> None:
    mine, theirs = c.side(battle, ada), c.side(battle, ben)
    own, foes = names(battle, ada), names(battle, ben)
    (first, second), foe = list(own)[:2], next(iter(foes))
    pdf = filled(
        sheet_of(battle),
        {
            f"won-{mine.pk}": True,
            f"p-{mine.pk}-1": "2",
            f"p-{mine.pk}-2": "3",
            f"p-{theirs.pk}-all": "4",
            f"f-{own[first]}-out": True,
            f"f-{foes[foe]}-out": True,
            f"f-{foes[foe]}-by": first,
            "d-sniper": second[:5].lower(),
            f"x-{mine.pk}": "1",
            "kind-conceded": True,
            "day": "2026-11-14",
            "words": "Żółć on the wire",
        },
    )
    sheet = read(pdf, battle)
    a, b = str(mine.pk), str(theirs.pk)
    assert sheet.unread == []
    assert (sheet.side, sheet.kind, str(sheet.played_on)) == (mine.pk, "conceded", "2026-11-14")
    assert (sheet.data["winner"], sheet.data["points"], sheet.data["campaign_points"]) == (a, {a: 5, b: 4}, {a: 1})
    assert sheet.data["out"] == {a: {own[first]: b}, b: {foes[foe]: a}}
    assert sheet.data["deeds"] == [["sniper", a, own[second]]]
    assert sheet.data["took_part"] == {a: list(own.values()), b: list(foes.values())}
    assert sheet.data["words"] == "Żółć on the wire"


def test_a_viewer_that_draws_appearances_alone_shows_what_is_filled_in(battle: Battle) -> None:
    """Every field has its appearances, empty or not, and a font with the letters of our languages."""
    reader = PdfReader(io.BytesIO(sheet_of(battle)))
    for field in (reference.get_object() for page in reader.pages for reference in page["/Annots"]):  # type: ignore[union-attr]
        drawn = field["/AP"]["/N"]
        assert set(drawn) == {"/on", "/Off"} if field["/FT"] == "/Btn" else drawn.get_object()["/BBox"]
    words = ("Żółć Őry, Yüzbaşı", "Ґанна Παπαδόπουλος")
    pdf = filled(sheet_of(battle), {"words": words[0], "d-sniper": words[1], "kind-conceded": True})
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    writer.root_object["/AcroForm"].pop("/NeedAppearances", None)  # type: ignore[union-attr]
    out = io.BytesIO()
    writer.write(out)
    shown = subprocess.run(["pdftotext", "-", "-"], input=out.getvalue(), capture_output=True, check=True)
    assert [each for each in words if each not in shown.stdout.decode()] == []
    assert faults_of(sheet_of(battle)) == []


def test_what_cannot_be_read_is_said_and_the_rest_counts(battle: Battle, ada: Any, ben: Any) -> None:
    mine, theirs = c.side(battle, ada), c.side(battle, ben)
    own = names(battle, ada)
    first, second = list(own)[:2]
    pdf = filled(
        sheet_of(battle),
        {
            f"won-{mine.pk}": True,
            "won-drawn": True,
            f"p-{mine.pk}-all": "2½",
            f"p-{theirs.pk}-all": "7",
            f"p-{theirs.pk}-1": "3",
            f"f-{own[first]}-there": True,
            f"f-{own[second]}-out": True,
            f"f-{own[second]}-by": "a mule",
            "d-sniper": "Nobody",
            f"f-{own[first]}-deed": "Flying",
            f"x-{theirs.pk}": "-1",
            "kind-conceded": True,
            "kind-abandoned": True,
            "day": "Saturday",
        },
    )
    sheet = read(pdf, battle)
    told = " ".join(sheet.unread)
    for words in (
        "Who won: more",
        "“2½”",
        "add up to 3, not 7",
        "“a mule”",
        "“Nobody”",
        "“Flying”",
        "“-1”",
        "How it ended",
        "“Saturday”",
    ):
        assert words in told
    assert "winner" not in sheet.data
    assert sheet.data["points"] == {str(theirs.pk): 7}
    assert sheet.data["took_part"][str(mine.pk)] == [own[first], own[second]]  # who was out was there
    assert sheet.data["out"][str(mine.pk)] == {own[second]: str(theirs.pk)}


def test_the_form_shows_what_the_sheet_said_and_accepting_it_reports(battle: Battle, ada: Any, ben: Any) -> None:
    client, mine = Client(), c.side(battle, ada)
    own = names(battle, ada)
    first = next(iter(own))
    pdf = filled(
        sheet_of(battle), {f"won-{mine.pk}": True, f"p-{mine.pk}-all": "9", f"f-{own[first]}-out": True, "day": "x"}
    )
    here = reverse("sheet-bring", args=[battle.pk])
    client.force_login(ben)
    refused = client.post(here, {"file": SimpleUploadedFile("sheet.pdf", pdf)})
    assert (refused.status_code, "This sheet is of" in refused.content.decode()) == (422, True)
    client.force_login(ada)
    answer = client.post(here, {"file": SimpleUploadedFile("sheet.pdf", pdf)})
    draft = ReportDraft.objects.get()
    assert answer["Location"].endswith(f"?draft={draft.pk}")
    page = client.get(answer["Location"]).content.decode()
    assert f'value="{mine.pk}" checked' in page
    assert f'id="id_out_{own[first]}" value="{mine.pk}:{own[first]}" checked' in page
    assert "Played on: “x” is not a day" in page
    assert not Report.objects.exists()


@cache
def foreign() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    field = DictionaryObject({NameObject("/T"): TextStringObject("name"), NameObject("/FT"): NameObject("/Tx")})
    form = DictionaryObject({NameObject("/Fields"): ArrayObject([writer._add_object(field)])})
    writer.root_object[NameObject("/AcroForm")] = form
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def blank(**how: Any) -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    if how.get("fields"):
        row = DictionaryObject({NameObject("/T"): TextStringObject("n"), NameObject("/FT"): NameObject("/Tx")})
        fields = ArrayObject([writer._add_object(row)] * how["fields"])
        writer.root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): fields})
    if how.get("password"):
        writer.encrypt(how["password"])
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


FAULTS = {
    "no-pdf": lambda: b"Who won: me",
    "large": lambda: b"%PDF-1.7\n" + b" " * 3_000_001,
    "no-fields": blank,
    "encrypted": lambda: blank(password="secret"),
    "many-fields": lambda: blank(fields=10_000),
    "broken": lambda: (
        b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 9\ngarbage\ntrailer\nstartxref\n77777\n%%EOF"
    ),
    "foreign": foreign,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_is_no_sheet_is_a_sentence(battle: Battle, fault: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(FAULTS[fault](), battle)
    assert refused.value.code == fault
    assert refused.value.message
    assert refused.value.mend


def test_a_sheet_of_another_battle_or_of_before_the_muster_changed_is_refused(
    battle: Battle, ada: Any, ben: Any, cleo: Any
) -> None:
    pdf = sheet_of(battle)
    other = c.fresh_battle(battle)
    other.pk = battle.pk + 7_000_000
    with pytest.raises(Refusal) as refused:
        read(pdf, other)
    assert refused.value.code == "wrong-battle"
    mine = c.side(battle, ada)
    mine.force = {"taken": mine.force["taken"][:-1]}
    mine.save(update_fields=["force"])
    with pytest.raises(Refusal) as refused:
        read(pdf, battle)
    assert refused.value.code == "old-sheet"


def test_a_file_that_unpacks_a_thousandfold_is_broken() -> None:
    packed = zlib.compress(b" " * 100_000_000, 1)
    head = b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length " + str(len(packed)).encode()
    bomb = head + b">>\nstream\n" + packed + b"\nendstream\nendobj\ntrailer<</Root 2 0 R/Size 3>>\nstartxref\n9\n%%EOF"
    with pytest.raises(UnreadablePdf, match="broken"):
        read_fields(bomb)


@pytest.mark.parametrize("greed", ["bytearray(900_000_000)", "any(iter(int, 1))"])
def test_the_process_that_reads_gets_little_time_and_memory(greed: str) -> None:
    code = f"from warbands import pdf_fields; pdf_fields.SECONDS = 1; pdf_fields._limit(); {greed}"
    ended = subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, check=False)
    assert ended.returncode != 0


def test_a_request_of_fifty_megabytes_is_refused_unread() -> None:
    class Untouched(io.BytesIO):
        def read(self, *args: Any) -> bytes:
            raise AssertionError("It was read.")

    request = RequestFactory().post("/battles/7/sheet/bring/", {})
    request.META["CONTENT_LENGTH"] = "50000000"
    request._stream = Untouched()  # type: ignore[assignment]
    answer = refuse_large_requests(lambda _request: pytest.fail("It went on."))(request)
    assert answer.status_code == 413
    assert "6 MB at most" in answer.content.decode()
