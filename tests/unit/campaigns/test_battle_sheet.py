"""The paper battle sheet: its boxes are those of the report, its steps those of the edition."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaigns.booklet import BookletOptions, booklet_sheets
from campaigns.scenarios import deeds_of
from rules.problems import Refusal
from rules.vocabulary import Price
from tests.campaign_stories import Club, battle, begin, club, fight, fresh_battle, joins, mustered, open_campaign, side
from tests.stories import hire
from warbands.force import force_of
from warbands.printing import PrintOptions
from warbands.recording import recording

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
        assert (deed.name in text) is (deed.needs_profile == "")
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


def test_a_deed_of_one_profile_is_open_to_whoever_brings_it(client: Client, cleo: Any, ada: Any, ben: Any) -> None:
    made = club(cleo, ada, ben)
    warband = made.warband(ada)
    with recording(warband, kind="grant", actor=cleo) as act:
        act.earn(Price(glory=9), reason="Granted")
    cutter = hire(made.warband(ada), "Combat Biologist", "Sister Agathe")
    row = mustered(made, ada, ben)
    client.force_login(ada)
    assert "Battlefield Vivisection" in words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    page = client.get(reverse("battle-report", args=[row.pk])).context["page"]
    (line,) = [line for line in page.deeds if line.name == "deed_battlefield-vivisection"]
    assert [[pick.words for pick in picks] for _side, picks in line.groups] == [[cutter.name]]
    another = next(f for f in force_of(made.warband(ada)).fighters if f.name != cutter.name)
    with pytest.raises(Refusal, match="Battlefield Vivisection is not open to the fighter named"):
        fight(row, ada, ada, deeds=[("battlefield-vivisection", ada, another.name)])
    fight(row, ada, ada, deeds=[("battlefield-vivisection", ada, cutter.name)])


def test_a_deed_of_a_profile_nobody_brings_is_not_offered(client: Client, cleo: Any, ada: Any, ben: Any) -> None:
    made = club(cleo, ada, ben)
    row = mustered(made, ada, ben)
    client.force_login(ada)
    page = client.get(reverse("battle-report", args=[row.pk])).context["page"]
    offered = {line.name.removeprefix("deed_") for line in page.deeds}
    assert offered == {deed.id for deed in deeds_of(row) if not deed.needs_profile}
    assert len(offered) < len(deeds_of(row))


def test_printed_again_once_the_battle_is_counted_its_steps_stay_those_of_the_battle(
    client: Client, cleo: Any, ada: Any, ben: Any
) -> None:
    made = club(cleo, ada, ben)
    row = mustered(made, ada, ben)
    client.force_login(ada)
    address = reverse("battle-sheet", args=[row.pk])
    assert "Next battle: 800 ducats, 11 fighters." in words_of(client.get(address).content)
    fight(row, ada, ada)
    begin(row, ada)
    assert "Next battle: 800 ducats, 11 fighters." in words_of(client.get(address).content)


@pytest.mark.parametrize(("system", "samples"), [("gloom-trench", ("lamplight-column", "red-ford-company")), ("trench-too-far", ("canal-company", "quarry-company"))])  # fmt: skip
def test_a_game_without_markers_and_deeds_has_room_for_what_was_lost(
    client: Client, cleo: Any, ada: Any, ben: Any, system: str, samples: tuple[str, str]
) -> None:
    campaign = open_campaign(actor=cleo, name="The Long Wire", system=system, edition="")
    made = Club(campaign, cleo)
    for player, sample in zip((ada, ben), samples, strict=True):
        joins(made, player, sample=sample)
    row = mustered(made, ada, ben, scenario="open-battle")
    client.force_login(ada)
    text = words_of(client.get(reverse("battle-sheet", args=[row.pk])).content)
    for fighter in force_of(made.warband(ada)).fighters:
        assert fighter.name in text
    for word in ("UNIT", "LOST", "WAS THERE", "BY WHOM"):
        assert word in text
    for word in ("DEED", "MARKERS", "FIGHTER", "MODEL "):
        assert word not in text
    sheets = booklet_sheets(campaign, BookletOptions(PrintOptions()), "")
    assert len(sheets) == 2
    assert "QUICK REFERENCE" in words_of(sheets[0].draw()).upper()
