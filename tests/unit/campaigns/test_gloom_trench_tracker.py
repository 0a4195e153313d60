"""The table of a battle of Gloom Trench 1926 through the services and pages: whose hands, chits, updates, and what the report reads of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from zlib import compress

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Campaign, DiceSeed, Table, TableAct
from campaigns.report_prefill import logged_report, table_state
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table, undo_at_table
from rules.dice import DiceSource, SeededDice, new_seed
from rules.problems import Refusal
from rules.tracker.state import TableState
from tests import campaign_stories as c
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


class Laid:
    """The table of a battle between Ada and Ben, and how to act at it."""

    def __init__(self, ada: Any, ben: Any, cleo: Any) -> None:
        campaign = c.open_campaign(actor=cleo, name="The Long Wire", system="gloom-trench", edition="")
        made = c.Club(campaign, cleo)
        c.joins(made, ada, sample="lamplight-column")
        c.joins(made, ben, sample="red-ford-company")
        self.ada, self.ben, self.cleo = ada, ben, cleo
        self.battle: Battle = c.mustered(made, ada, ben, scenario="open-battle")
        begin_table(battle=self.battle, actor=ada)
        self.mine, self.theirs = (str(c.side(self.battle, user).pk) for user in (ada, ben))

    @property
    def state(self) -> TableState:
        found = table_state(self.battle)
        assert found is not None
        return found

    def key(self, name: str) -> str:
        """Of a unit."""
        return next(fighter.key for fighter in self.state.fighters if fighter.name == name)

    def do(self, roll: str, actor: Any = None, dice: DiceSource | None = None, **data: Any) -> str:
        """A roll or move, as Cleo who may act for all unless it is said otherwise."""
        told = {name: str(each) for name, each in data.items()}
        return roll_at_table(
            battle=self.battle, actor=actor or self.cleo, roll=roll, data=told, source="app", dice=dice or SeededDice(7)
        ).told  # fmt: skip

    def to_draw(self) -> Laid:
        """To the first chit, the initiative Ada's."""
        for step in ("setup", "effects"):
            self.do("next", **{"from": step})
        for side in (self.mine, self.theirs):
            self.do("pool", side=side)
        for step in ("pool", "bag"):
            self.do("next", **{"from": step})
        self.do("taken", whose=self.mine)
        return self


@story
def laid(ada: Any, ben: Any, cleo: Any) -> Laid:
    return Laid(ada, ben, cleo)


def test_the_table_is_laid_with_the_units_as_they_were_mustered(laid: Laid) -> None:
    rifles = laid.state.fighter(laid.key("First Rifles"))
    assert [model["name"] for model in rifles.facts["models"]] == ["Rifle", "Corporal"] or len(
        rifles.facts["models"]
    ) == 2
    assert sum(model["full"] for model in rifles.facts["models"]) == 8
    assert laid.state.facts["phase"] == "setup"
    assert all(side.facts["tactical_points"] > 0 for side in laid.state.sides)


def test_only_the_hands_of_a_side_act_for_it(laid: Laid) -> None:
    laid.to_draw()
    laid.do("drawn", laid.ben, which=laid.mine)  # a chit is everybody's
    with pytest.raises(Refusal) as found:
        laid.do("begin", laid.ben, fighter=laid.key("First Rifles"), action="advance")
    assert found.value.code == "not-yours"
    laid.do("begin", laid.ada, fighter=laid.key("First Rifles"), action="advance")
    with pytest.raises(Refusal):
        laid.do("end", laid.ben, side=laid.mine)


@pytest.mark.one_database
def test_the_chits_of_the_app_are_drawn_fairly(laid: Laid) -> None:
    """Each of fourteen chits as likely as the others, as a table writes them. Each draw has a seed of its own and is rolled back."""
    laid.to_draw()
    came: Counter[str] = Counter()
    times = 150
    for _ in range(times):
        with transaction.atomic():
            DiceSeed.objects.update(seed=new_seed())
            roll_at_table(battle=laid.battle, actor=laid.ada, roll="draw", data={}, source="app")
            came[laid.state.facts["drawn"][0]] += 1
            transaction.set_rollback(True)
    for chit, count in ((laid.mine, 6), (laid.theirs, 5), ("fog", 3)):
        share = count / 14
        assert abs(came[chit] / times - share) < 5 * (share * (1 - share) / times) ** 0.5


def test_a_chit_that_was_taken_back_is_drawn_again(laid: Laid) -> None:
    laid.to_draw()
    drawn = []
    for _ in range(12):
        roll_at_table(battle=laid.battle, actor=laid.ada, roll="draw", data={}, source="app")
        drawn.append(laid.state.facts["drawn"][0])
        undo_at_table(battle=laid.battle, actor=laid.ada, number=TableAct.objects.latest("number").number)
    assert len(set(drawn)) == 1


def test_where_the_apps_dice_alone_count_no_chit_is_told(laid: Laid, client: Any) -> None:
    laid.to_draw()
    client.force_login(laid.ada)
    here = reverse("battle-track", args=[laid.battle.pk])
    assert "Tell a chit" in client.get(here).content.decode()
    Campaign.objects.filter(pk=laid.battle.campaign_id).update(dice=Campaign.Dice.APP)
    page = client.get(here).content.decode()
    assert "Tell a chit" not in page
    assert "Draw a chit" in page
    with pytest.raises(Refusal, match="uses the app's dice"):
        laid.do("drawn", which="fog")


def test_no_other_chit_is_told_in_the_place_of_the_apps(laid: Laid) -> None:
    laid.to_draw()
    roll_at_table(battle=laid.battle, actor=laid.ada, roll="draw", data={}, source="app")
    drawn = laid.state.facts["drawn"][0]
    undo_at_table(battle=laid.battle, actor=laid.ada, number=TableAct.objects.latest("number").number)
    for roll, faces, data in (("draw", (1,), {}), ("drawn", (), {"which": laid.mine}), ("drawn", (), {"which": "fog"})):
        with pytest.raises(Refusal, match="these dice stay"):
            roll_at_table(battle=laid.battle, actor=laid.ada, roll=roll, data=data, source="typed", faces=faces)
    roll_at_table(battle=laid.battle, actor=laid.ada, roll="draw", data={}, source="app")
    assert laid.state.facts["drawn"][0] == drawn


def test_an_undo_that_something_leans_on_leaves_the_table_as_it_was(laid: Laid) -> None:
    laid.to_draw()
    laid.do("drawn", which=laid.mine)
    drawn = TableAct.objects.latest("number").number
    laid.do("begin", fighter=laid.key("First Rifles"), action="advance")
    before = laid.state
    with pytest.raises(Refusal) as found:
        undo_at_table(battle=laid.battle, actor=laid.ada, number=drawn)
    assert found.value.code == "leans"
    assert laid.state == before


def test_the_report_reads_the_losses_of_every_unit(laid: Laid) -> None:
    rifles, gun = laid.key("First Rifles"), laid.key("The Sewing Machine")
    slugs = [model["slug"] for model in laid.state.fighter(rifles).facts["models"]]
    fulls = [model["full"] for model in laid.state.fighter(rifles).facts["models"]]
    laid.do("right", fighter=rifles, **{f"left_{slugs[0]}": fulls[0] - 2, f"left_{slugs[1]}": fulls[1]})
    act_at_table(battle=laid.battle, actor=laid.ada, data={"kind": "out", "fighter": gun, "by": laid.theirs})
    names = [model["name"] for model in laid.state.fighter(rifles).facts["models"]]
    crew = {model["name"]: model["full"] for model in laid.state.fighter(gun).facts["models"]}
    told = logged_report(laid.battle, laid.state)["losses"]
    assert told == {laid.mine: {rifles: {names[0]: 2}, gun: crew}}


def test_an_update_stays_under_ten_kilobytes_in_the_thick_of_it(laid: Laid) -> None:
    laid.to_draw()
    for fighter in laid.state.fighters:
        act_at_table(
            battle=laid.battle, actor=laid.cleo, data={"kind": "marker", "fighter": fighter.key, "marker": "stress", "change": 4}
        )  # fmt: skip
    laid.do("drawn", which="fog")
    laid.do("drawn", which=laid.mine)
    client = Client()
    client.force_login(laid.ada)
    here = reverse("battle-track", args=[laid.battle.pk])
    version, asked, seen = "1", 0, set()
    while (answer := client.get(f"{here}?since={version}", HTTP_X_TABLE="1")).status_code == 200:
        assert len(compress(answer.content)) < 10_000
        version, asked = answer.headers["X-Table-Version"], asked + 1
        seen |= set(re.findall(r' id="f(\w+)"', answer.content.decode()))
        assert asked < 30
    assert version == str(Table.objects.get().version)
    assert seen == {fighter.key for fighter in laid.state.fighters}


@pytest.mark.parametrize(
    "roll", ["shoot", "activate", "right", "points", "chits", "near", "fight", "figures", "nothing"]
)
def test_every_form_answers_whatever_it_is_sent(laid: Laid, roll: str) -> None:
    laid.to_draw()
    client = Client()
    client.force_login(laid.ada)
    here = reverse("battle-track", args=[laid.battle.pk])
    before = laid.state
    for data in (
        {},
        {"fighter": "x", "target": "½", "distance": "9" * 40},
        {"fighter": laid.key("First Rifles"), "now": "-7", "los_0": "x"},
    ):
        assert client.get(here, {"roll": roll, **data}).status_code < 500
        assert client.post(here, {"roll": roll, "source": "app", "token": "", **data}).status_code in (
            302,
            303,
            404,
            422,
            400,
        )
    assert laid.state == before
