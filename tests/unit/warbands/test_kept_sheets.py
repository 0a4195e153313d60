"""Rosters that were printed before: the same sheet is drawn once, and anything else on it or around it is drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.printed import one_page
from tests.stories import fighter, fresh, small_warband
from warbands import kept_sheets, printing
from warbands.account_data import WarbandData
from warbands.kept_sheets import KEPT_FOR, KEPT_OF_A_WARBAND, kept_pdf, key_of, what_draws
from warbands.models import KeptSheet, Warband
from warbands.print_options import PrintOptions
from warbands.printing import roster_pdf
from warbands.services.roster import rename_fighter

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LINK = "https://club.example/s/abcdefghij/v3/"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sheets that the engine was asked for, in their order. It draws short ones here."""
    asked: list[str] = []

    def draw(html: str) -> bytes:
        asked.append(html)
        return one_page("Sheet")

    monkeypatch.setattr(printing, "render_pdf", draw)
    return asked


@pytest.mark.both_databases
def test_the_second_print_of_the_same_version_is_not_drawn(client: Client, ada: Any, drawn: list[str]) -> None:
    warband = small_warband(ada)
    client.force_login(ada)
    here = reverse("roster-print", args=[warband.pk])
    choices = {"chosen": "1", "paper": "A4", "look": "ink", "stash": "on"}
    first, second = (client.post(here, choices).content for _ in range(2))
    assert first == second == one_page("Sheet")
    assert len(drawn) == 1
    client.post(here, {**choices, "unlinked": "on"})
    client.post(here, {**choices, "paper": "Letter"})
    assert len(drawn) == 3
    rename_fighter(fighter=fighter(warband, "Ottla"), name="Odile", actor=ada)
    client.post(here, choices)
    assert len(drawn) == 4


OTHERWISE: dict[str, Callable[[Warband], Any]] = {
    "what the owner is called": lambda warband: type(warband.owner).objects.filter(pk=warband.owner_id).update(username="adele"),  # type: ignore[union-attr]
    "notes": lambda warband: Warband.objects.filter(pk=warband.pk).update(notes="They owe Odile 5."),
    "house rules": lambda warband: type(warband.terms).objects.filter(pk=warband.terms_id).update(house_rules={"threshold_add": 100}),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHERWISE)
def test_what_stands_on_it_and_is_no_act_of_the_warband_is_drawn_anew(ada: Any, drawn: list[str], what: str) -> None:
    warband = small_warband(ada)
    before = fresh(warband).version
    roster_pdf(fresh(warband), PrintOptions(), link=LINK)
    OTHERWISE[what](warband)
    assert fresh(warband).version == before
    roster_pdf(fresh(warband), PrintOptions(), link=LINK)
    assert len(drawn) == 2
    assert drawn[0] != drawn[1]


def test_another_release_draws_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> None:
    before = key_of("<p>A</p>")
    assert key_of("<p>B</p>") != before
    style = tmp_path / "static" / "css" / "print" / "sheet.css"
    style.parent.mkdir(parents=True)
    (tmp_path / "static" / "css" / "tokens.css").write_text("")
    settings.BASE_DIR, settings.DEBUG = tmp_path, True
    keys = set()
    for rule in ("p { color: red }", "p { color: blue }"):
        style.write_text(rule)
        keys.add(key_of("<p>A</p>"))
    assert len({before, *keys}) == 3


def test_what_draws_is_found() -> None:
    """Each file that the key is made of is there."""
    assert what_draws() == what_draws.__wrapped__()
    root = Path(kept_sheets.__file__).resolve().parents[1]
    for found in ("static/css/print/roster.css", "static/css/tokens.css", "warbands/pdf_tags.py"):
        assert (root / found).is_file()


def test_none_is_kept_of_an_account_that_is_deleted(ada: Any, ben: Any) -> None:
    own, other = small_warband(ada), small_warband(ben)
    for warband in (own, other):
        kept_pdf(warband, "<p>A</p>", str.encode)
    WarbandData().delete_own(ada)
    assert list(KeptSheet.objects.values_list("warband", flat=True)) == [other.pk]


def test_a_warband_keeps_few_and_none_for_long(ada: Any) -> None:
    one, other = small_warband(ada), small_warband(ada, name="The others")
    drawn: list[str] = []

    def draw(html: str) -> bytes:
        drawn.append(html)
        return html.encode()

    kept_pdf(other, "theirs", draw)
    for number in range(KEPT_OF_A_WARBAND + 2):
        assert kept_pdf(one, f"sheet {number}", draw) == f"sheet {number}".encode()
    assert KeptSheet.objects.filter(warband=one).count() == KEPT_OF_A_WARBAND
    kept_pdf(one, f"sheet {KEPT_OF_A_WARBAND + 1}", draw)
    assert drawn.count(f"sheet {KEPT_OF_A_WARBAND + 1}") == 1
    kept_pdf(one, "sheet 0", draw)
    assert drawn.count("sheet 0") == 2
    KeptSheet.objects.update(kept_at=timezone.now() - KEPT_FOR - timedelta(minutes=1))
    kept_pdf(other, "theirs", draw)
    assert drawn.count("theirs") == 2
    assert list(KeptSheet.objects.values_list("warband", flat=True)) == [other.pk]
