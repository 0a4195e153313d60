"""The paper battle sheet: its boxes are those of the report, its steps those of the edition."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.scenarios import deeds_of
from tests.campaign_stories import battle, club, fresh_battle, mustered, side
from warbands.force import force_of

pytestmark = pytest.mark.django_db


def words_of(content: bytes) -> str:
    """All words of a PDF in one line."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())


def test_the_sheet_holds_what_the_report_asks(client: Client, cleo: Any, ada: Any, ben: Any) -> None:
    made = club(cleo, ada, ben)
    row = mustered(made, ada, ben)
    client.force_login(ada)
    answer = client.get(reverse("battle-sheet", args=[row.pk]))
    assert answer["Content-Type"] == "application/pdf"
    text = words_of(answer.content)
    for player in (ada, ben):
        for fighter in force_of(made.warband(player)).fighters:
            assert fighter.name in text
    for deed in deeds_of(row):
        assert deed.name in text
    for word in ("WHO WON", "drawn", "no winner", "OUT", "BY WHOM", "DEED", "WAS THERE"):
        assert word in text


def test_its_steps_are_the_edition_s_in_order(client: Client, cleo: Any, ada: Any, ben: Any) -> None:
    made = club(cleo, ada, ben)
    row = mustered(made, ada, ben)
    warband = made.warband(ada)
    client.force_login(ada)
    text = words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    after = text[text.index("After the battle") :]
    places = [
        after.index(f"{n} {step.label}")
        for n, step in enumerate(warband.terms.game.steps(warband.terms.content, force_of(warband)), 1)
    ]
    assert places == sorted(places)
    assert len(places) > 5


def test_before_muster_every_fighter_stands_on_it_and_a_guest_has_lines_to_write_on(
    client: Client, cleo: Any, ada: Any
) -> None:
    made = club(cleo, ada)
    row = battle(made, ada, guests=[("Marta", "PILGRIM")], scenario="")
    client.force_login(ada)
    text = words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    assert "Marta" in text
    assert all(fighter.name in text for fighter in force_of(made.warband(ada)).fighters)


def test_a_list_hidden_until_muster_stays_hidden_on_paper(client: Client, cleo: Any, ada: Any, ben: Any) -> None:
    made = club(cleo, ada, ben, rosters="muster")
    row = battle(made, ada, ben)
    client.force_login(ada)
    text = words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    assert not any(fighter.name in text for fighter in force_of(made.warband(ben)).fighters)


def test_an_administrator_prints_for_everybody_and_strangers_nothing(
    client: Client, cleo: Any, ada: Any, ben: Any, dora: Any
) -> None:
    made = club(cleo, ada, ben)
    row = fresh_battle(battle(made, ada, ben))
    address = reverse("battle-sheet", args=[row.pk])
    client.force_login(cleo)
    text = words_of(client.get(address).content)
    assert text.count("After the battle") == 2
    assert client.get(address, {"paper": "A3"}).status_code == 400
    client.force_login(dora)
    assert client.get(address).status_code == 404
    assert side(row, ada).battle_id == row.pk
