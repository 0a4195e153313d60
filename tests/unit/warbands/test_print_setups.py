"""Kept set-ups of the print page: the choices of last time under a name, and the choice of fighters."""

from __future__ import annotations

import html
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse
from pypdf import PdfReader

from rules.problems import Refusal
from tests.stories import fresh, hire, small_warband
from warbands.models import PrintSetup
from warbands.pages.printing import print_page, with_all
from warbands.print_options import PrintOptions
from warbands.printing import render_html, roster_pdf, sheet_page
from warbands.services.print_setups import MOST_SETUPS, drop_print_setup, keep_print_setup

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CARDS = PrintOptions(paper="Letter", with_cards=True, card_size="big", with_backs=True, with_glossary=False)


@pytest.mark.both_databases
def test_a_set_up_is_kept_replaced_and_dropped_by_its_name(ada: Any) -> None:
    warband = small_warband(ada)
    keep_print_setup(warband=warband, name=" Club  cards ", options=CARDS)
    keep_print_setup(warband=warband, name="Club cards", options=replace(CARDS, look="ink", fighters=("7",)))
    (setup,) = PrintSetup.objects.filter(warband=warband)
    assert setup.name == "Club cards"
    assert PrintOptions.of(setup.options) == replace(CARDS, look="ink", fighters=("7",))
    for name, words in (("", "empty"), ("x" * 41, "41 characters of at most 40")):
        with pytest.raises(Refusal, match=words):
            keep_print_setup(warband=warband, name=name, options=CARDS)
    for number in range(1, MOST_SETUPS):
        keep_print_setup(warband=warband, name=f"Set {number}", options=CARDS)
    with pytest.raises(Refusal, match=f"at most {MOST_SETUPS}"):
        keep_print_setup(warband=warband, name="One more", options=CARDS)
    drop_print_setup(warband=warband, name="Club cards")
    keep_print_setup(warband=warband, name="One more", options=CARDS)
    assert PrintSetup.objects.filter(warband=warband).count() == MOST_SETUPS


def test_options_of_another_release_are_read_as_far_as_they_are_known() -> None:
    assert PrintOptions.of({"paper": "Letter", "with_wings": True}) == PrintOptions(paper="Letter")


def test_the_page_keeps_shows_and_deletes_a_set_up(client: Any, ada: Any, ben: Any) -> None:
    warband = small_warband(ada)
    first = warband.fighters.earliest("pk")
    here = reverse("roster-print", args=[warband.pk])
    client.force_login(ada)
    sent = {"chosen": "1", "some": "1", "fighter": [first.pk], "paper": "Letter", "look": "ink", "layout": "table"}
    version = fresh(warband).version
    answer = client.post(here, {**sent, "cards": "on", "card_size": "big", "setup": "Club & cards", "keep": "1"})
    assert answer.status_code == 302
    page = client.get(answer["Location"]).content.decode()
    ticked = set(re.findall(r'name="(\w+)" value="([^"]+)" checked', page))
    assert {("paper", "Letter"), ("look", "ink"), ("layout", "table"), ("card_size", "big")} <= ticked
    assert {value for name, value in ticked if name == "fighter"} == {str(first.pk)}
    assert 'name="cards" checked' in page
    assert 'name="stash" checked' not in page
    assert html.escape("Club & cards") in client.get(here).content.decode()
    assert fresh(warband).version == version  # a preference is no act
    refused = client.post(here, {**sent, "setup": "", "keep": "1"})
    assert refused.status_code == 422
    kept = set(re.findall(r'name="(\w+)" value="([^"]+)" checked', refused.content.decode()))
    assert {("paper", "Letter"), ("look", "ink"), ("layout", "table"), ("fighter", str(first.pk))} <= kept
    assert 'name="drop"' not in refused.content.decode()
    assert 'name="drop"' in page
    client.force_login(ben)
    assert client.post(here, {**sent, "setup": "His", "keep": "1"}).status_code == 404
    client.force_login(ada)
    client.post(here, {"setup": "Club & cards", "drop": "1"})
    assert not PrintSetup.objects.exists()


def test_what_stands_on_the_cards_is_chosen_and_kept(client: Any, ada: Any) -> None:
    """Name, figures and keywords always stand there; everything else as ticked, and notes never get lost."""
    warband = small_warband(ada)
    one = warband.fighters.get(name="Ilse Brandt")
    one.notes = "Lost the bell at Gallows Weir, and has been looking for it. " * 30
    one.save(update_fields=["notes"])

    def cards(**how: Any) -> tuple[str, str]:
        page = sheet_page(fresh(warband), PrintOptions(with_cards=True, **how))
        told = [line for card in page.cards for line in (*card.told, *((each.name, each.words) for each in card.rules))]
        drawn = render_html(page).partition('<div class="card-page')[2]
        return drawn, " ".join(words for _name, words in told) + " ".join(card.back_notes for card in page.cards)

    drawn, told = cards()
    assert "<b>Sword / Axe</b>" in drawn
    assert told.count("looking for it") == 30  # those that the card has no room for stand on cards of rules
    drawn, told = cards(card_parts=())
    assert told == " " * len(told)
    assert "Ilse Brandt" in drawn
    assert 'class="stats"' in drawn
    assert [words for words in ('class="arm"', "XP", "Scars") if words in drawn] == []
    drawn, told = cards(card_parts=("keyword_rules",))
    assert 'class="arm"' not in drawn
    assert one.name in drawn
    assert told.strip()
    drawn, told = cards(with_backs=True)
    assert "portrait-high" in drawn
    assert told.count("looking for it") == 30
    assert "portrait" not in cards(with_backs=True, card_parts=("weapons",))[0]
    here = reverse("roster-print", args=[warband.pk])
    client.force_login(ada)
    sent = {"chosen": "1", "cards": "on", "some_parts": "1", "card_part": ["weapons", "scars"]}
    kept = client.post(here, {**sent, "setup": "Plain", "keep": "1"})
    ticked = re.findall(r'name="card_part" value="(\w+)" checked', client.get(kept["Location"]).content.decode())
    assert ticked == ["weapons", "scars"]
    assert PrintOptions.of(PrintSetup.objects.get().options).card_parts == ("weapons", "scars")
    assert client.post(here, {**sent, "card_part": "wings"}).status_code == 422


def test_only_the_fighters_that_are_ticked_are_printed(ada: Any) -> None:
    warband = small_warband(ada)
    one = warband.fighters.earliest("pk")
    page = sheet_page(warband, PrintOptions(fighters=(str(one.pk),), with_cards=True))
    assert [fighter.key for part in page.sections for fighter in part.fighters] == [str(one.pk)]
    assert [card.block.title for card in page.cards if card.block is not None] == [one.name]
    with pytest.raises(Refusal, match="Choose a fighter"):
        PrintOptions.read({"chosen": "1", "some": "1"})


def test_with_every_fighter_ticked_those_hired_later_are_printed_too(ada: Any) -> None:
    warband = small_warband(ada)
    keys = tuple(str(pk) for pk in warband.fighters.values_list("pk", flat=True))
    assert with_all(warband, PrintOptions(fighters=keys)).fighters is None
    if len(keys) > 1:
        assert with_all(warband, PrintOptions(fighters=keys[:1])).fighters == keys[:1]
    hire(warband, "Yeoman")
    assert with_all(fresh(warband), PrintOptions(fighters=keys)).fighters == keys


def test_the_page_takes_as_many_queries_for_any_roster(ada: Any, django_assert_max_num_queries: Any) -> None:
    warband = small_warband(ada)
    for _ in range(3):
        with django_assert_max_num_queries(8):
            print_page(fresh(warband), PrintOptions())
        hire(warband, "Yeoman")


def test_a_roster_with_fields_names_them_by_warband_version_and_fighter(ada: Any) -> None:
    warband = small_warband(ada)
    options = PrintOptions(with_fields=True, with_blank=True, with_cards=True)
    fields = PdfReader(io.BytesIO(roster_pdf(warband, options))).get_fields() or {}
    prefix = f"roster-w{warband.pk}-v{warband.version}-"
    assert all(name.startswith(prefix) and str(field["/TU"]) for name, field in fields.items())
    keys = {name.removeprefix(prefix).split("-")[1] for name in fields if name.startswith(f"{prefix}f-")}
    assert keys <= {str(fighter.pk) for fighter in warband.fighters.all()}
    assert keys
    asked = {name.removeprefix(prefix) for name in fields}
    assert {"notes-0", "stash-new-0", "stash-new-0-used"} <= asked
    assert {str(field["/FT"]) for field in fields.values()} == {"/Tx", "/Btn"}
    assert not PdfReader(io.BytesIO(roster_pdf(warband, PrintOptions()))).get_fields()
