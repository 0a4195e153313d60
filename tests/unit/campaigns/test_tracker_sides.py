"""One phone for several sides, and three sides at one table: whose button it is, whom one can aim at, and questions with their answers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle
from campaigns.report_prefill import table_state
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.dice import Draw
from rules.problems import Refusal
from rules.tracker.state import TableState
from tests import campaign_stories as c

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Falling:
    """Dice that fall as told, then on 1."""

    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)

    def draw(self, n: int, sides: int, why: str) -> Draw:
        """The next faces."""
        return Draw(why, sides, tuple(min(sides, self.faces.pop(0)) if self.faces else 1 for _ in range(n)), "app")


def battle_of(cleo: Any, *brought: tuple[Any, str], system: str = "trench-crusade") -> Battle:
    edition, scenario = ("1.0", "") if system == "trench-crusade" else ("", "open-battle")
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Wire", system=system, edition=edition), cleo)
    for user, sample in brought:
        c.joins(made, user, sample=sample)
    battle = c.mustered(made, *(user for user, _sample in brought), scenario=scenario)
    begin_table(battle=battle, actor=brought[0][0])
    return battle


def state_of(battle: Battle) -> TableState:
    found = table_state(battle)
    assert found is not None
    return found


def one_phone(battle: Battle, keeper: Any, *others: Any) -> None:
    """All sides agree that one player tracks them all."""
    key = str(c.side(battle, keeper).pk)
    for user in (keeper, *others):
        side = str(c.side(battle, user).pk)
        act_at_table(battle=battle, actor=user, data={"kind": "keep", "side": side, "keeper": key})


def shown(battle: Battle, user: Any, query: str = "") -> str:
    client = Client()
    client.force_login(user)
    return re.sub(r"\s+", " ", client.get(reverse("battle-track", args=[battle.pk]) + query).content.decode())


def asks(page: str) -> str:
    """The questions of a page."""
    return page.partition('id="t_asks"')[2].partition('id="t_offers"')[0]


def test_among_three_sides_each_target_has_the_name_of_its_side(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    battle = battle_of(cleo, (ada, "lantern-wardens"), (ben, "gallows-choir"), (dora, "third-breach"))
    mine = state_of(battle).of(str(c.side(battle, ada).pk))[0]
    page = shown(battle, ada, f"?roll=attack&fighter={mine.key}")
    chips = re.findall(r"<span>([^<]+)<small>([^<]+)</small></span>", page)
    foes = [fighter for fighter in state_of(battle).fighters if fighter.side != mine.side]
    sides = {side.key: side.name for side in state_of(battle).sides}
    assert sorted(chips) == sorted((foe.name, sides[foe.side]) for foe in foes)
    assert "Track all sides on this phone" in shown(battle, ada)
    one_phone(battle, ada, ben, dora)
    assert "The Lantern Wardens tracks all sides." in shown(battle, ben)


def test_on_one_phone_for_both_sides_nobody_aims_at_friends(ada: Any, ben: Any, cleo: Any) -> None:
    battle = battle_of(cleo, (ada, "lantern-wardens"), (ben, "gallows-choir"))
    one_phone(battle, ada, ben)
    for user in (ada, ben):
        own = state_of(battle).of(str(c.side(battle, user).pk))
        page = shown(battle, ada, f"?roll=attack&fighter={own[0].key}")
        aimed = set(re.findall(r'name="target" id="\w+" value="(\w+)"', page))
        assert aimed == {each.key for each in state_of(battle).fighters if each.side != own[0].side}


def test_on_one_phone_a_button_says_whose_it_is_and_a_question_holds_its_answers(ada: Any, ben: Any, cleo: Any) -> None:
    battle = battle_of(cleo, (ada, "lamplight-column"), (ben, "red-ford-company"), system="gloom-trench")
    mine, theirs = (str(c.side(battle, user).pk) for user in (ada, ben))

    def do(roll: str, faces: tuple[int, ...] = (), **data: str) -> None:
        roll_at_table(battle=battle, actor=cleo, roll=roll, data=data, source="app", dice=Falling(*faces))

    def unit(name: str) -> str:
        return next(fighter.key for fighter in state_of(battle).fighters if fighter.name == name)

    for step in ("setup", "effects"):
        do("next", **{"from": step})
    assert "<small>Red</small>" not in shown(battle, ada)
    one_phone(battle, ada, ben)
    page = shown(battle, ada)
    assert page.count("<small>Lamplight</small>") == page.count("<small>Red</small>") == 1
    for side in (mine, theirs):
        do("pool", (1,) * 6, side=side)
    for step in ("pool", "bag"):
        do("next", **{"from": step})
    do("taken", whose=mine)
    do("drawn", which=mine)
    do("begin", fighter=unit("The Sewing Machine"), action="open-up")
    aimed = {"fighter": unit("The Sewing Machine"), "target": unit("Reed Cutters"), "distance": "12", "los_0": "3"}
    roll_at_table(battle=battle, actor=cleo, roll="shoot", data=aimed, source="told", rows=(1,))
    page = shown(battle, ada)
    assert "Reed Cutters: 1 save" in asks(page)
    assert "Red: Roll 1 save" in asks(page)


def test_saves_are_rolled_where_they_are_asked(ada: Any, ben: Any, cleo: Any) -> None:
    battle = battle_of(cleo, (ada, "canal-company"), (ben, "quarry-company"), system="trench-too-far")
    mine = str(c.side(battle, ada).pk)
    act_at_table(battle=battle, actor=ada, data={"kind": "initiative", "side": mine})
    named = {fighter.name: fighter.key for fighter in state_of(battle).fighters}

    def do(roll: str, faces: tuple[int, ...] = (), **data: str) -> None:
        roll_at_table(battle=battle, actor=ada, roll=roll, data=data, source="app", dice=Falling(*faces))

    do("order", fighter=named["Canal Company"], order="fire")
    idle = "No unit of Canal Company has done anything yet."
    assert idle in shown(battle, ada)
    aimed = {"fighter": named["Lock Keepers"], "target": named["Hill Platoon"], "distance": "10"}
    roll_at_table(battle=battle, actor=ada, roll="fire", data=aimed, source="told", rows=(3,))
    assert idle not in shown(battle, ada)
    question = asks(shown(battle, ben))
    assert "Hill Platoon:" in question
    assert "roll=saves" in question
    assert "roll=saves" not in asks(shown(battle, ada))


def test_a_guest_whose_fighters_are_not_listed_is_not_counted_for_the_initiative(ada: Any, cleo: Any) -> None:
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Wire", system="trench-crusade", edition="1.0"), cleo)
    c.joins(made, ada)
    battle = c.mustered(made, ada, guests=[("Vera", "")], scenario="")
    begin_table(battle=battle, actor=ada)
    page = shown(battle, ada)
    assert "No one of Vera is listed: add them, or say it." in asks(page)
    assert "Settle the initiative" not in page
    with pytest.raises(Refusal, match="No one of Vera is listed here"):
        roll_at_table(battle=battle, actor=ada, roll="initiative", data={}, source="app")
    vera = str(c.side(battle, "Vera").pk)
    for name in ("Captain", "Gunner"):
        act_at_table(battle=battle, actor=ada, data={"kind": "add", "side": vera, "name": name})
    assert "Settle the initiative" in asks(shown(battle, ada))
    roll_at_table(battle=battle, actor=ada, roll="initiative", data={}, source="app")
    assert state_of(battle).initiative == vera


def test_a_guest_beside_two_players_is_aimed_at_by_both_and_aims_at_both(ada: Any, ben: Any, cleo: Any) -> None:
    """Both players may press for a guest, and still no one aims at friends."""
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Wire", system="trench-crusade", edition="1.0"), cleo)
    for user, sample in ((ada, "lantern-wardens"), (ben, "gallows-choir")):
        c.joins(made, user, sample=sample)
    battle = c.mustered(made, ada, ben, guests=[("Vera", "")], scenario="")
    begin_table(battle=battle, actor=ada)
    sides = [str(c.side(battle, who).pk) for who in (ada, ben, "Vera")]
    act_at_table(battle=battle, actor=ben, data={"kind": "add", "side": sides[2], "name": "Gunner"})
    for side, user in zip(sides, (ada, ben, ben), strict=True):
        page = shown(battle, user, f"?roll=attack&fighter={state_of(battle).of(side)[0].key}")
        aimed = set(re.findall(r'name="target" id="[\w-]+" value="([\w-]+)"', page))
        assert aimed == {each.key for each in state_of(battle).fighters if each.side != side}


def test_a_side_that_waits_is_asked_when_it_arrives_and_nobody_can_aim_at_it(ada: Any, ben: Any, cleo: Any) -> None:
    battle = battle_of(cleo, (ada, "lantern-wardens"), (ben, "gallows-choir"))
    mine, theirs = (str(c.side(battle, user).pk) for user in (ada, ben))
    assert "in reserve" not in asks(shown(battle, ben))
    act_at_table(battle=battle, actor=ben, data={"kind": "side_there", "side": theirs, "now": False})
    late = shown(battle, ben)
    assert "The Gallows Choir is in reserve." in asks(late)
    assert late.count("The Gallows Choir arrives: all 9") == 1
    assert "in reserve" not in asks(shown(battle, ada))
    shooter = state_of(battle).of(mine)[0].key
    assert "No one to choose." in shown(battle, ada, f"?roll=attack&fighter={shooter}")
    act_at_table(battle=battle, actor=ben, data={"kind": "side_there", "side": theirs, "now": True})
    assert "arrives: all" not in shown(battle, ben)
