"""Evenings that are not two players with a phone each: three sides, a guest, one phone for all, a side that comes late, kit that is spent."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, TableAct
from campaigns.report_prefill import logged_report, table_state
from campaigns.services.muster import make_side_ready
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from rules.consequences import GainsItem
from rules.dice import SeededDice
from rules.problems import Refusal
from rules.tracker.state import TableState
from tests import campaign_stories as c
from tests.module_story import story
from warbands.models import Fighter, Item
from warbands.recording import recording
from warbands.services.consequences import carry_out

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EDITIONS = ("1.6.3", "1.0")


class Evening:
    """A table, and what its people see and press."""

    def __init__(self, battle: Battle, *people: Any) -> None:
        self.battle, self.people = battle, people
        self.here = reverse("battle-track", args=[battle.pk])

    @property
    def state(self) -> TableState:
        found = table_state(self.battle)
        assert found is not None
        return found

    def side(self, who: Any) -> str:
        return str(c.side(self.battle, who).pk)

    def act(self, actor: Any, kind: str, **data: Any) -> TableAct:
        return act_at_table(battle=self.battle, actor=actor, data={"kind": kind, **data})

    def page(self, user: Any, query: str = "") -> str:
        client = Client()
        client.force_login(user)
        answer = client.get(self.here + query)
        assert answer.status_code == 200
        return unescape(answer.content.decode())

    def press(self, user: Any, press: str, **more: str) -> int:
        client = Client()
        client.force_login(user)
        return int(client.post(self.here, {"press": press, **more}).status_code)


# --- three sides ---------------------------------------------------------------------------------------------------------


@story(params=EDITIONS)
def three(request: Any, ada: Any, ben: Any, cleo: Any, dora: Any) -> Evening:
    made = c.club(cleo, ada, ben, dora, edition=request.param)
    battle = c.mustered(made, ada, ben, dora, scenario="trench-warfare")
    begin_table(battle=battle, actor=ada)
    return Evening(battle, ada, ben, dora)


def test_three_sides_take_turns_and_each_is_told_by_name(three: Evening) -> None:
    ada, ben, dora = three.people
    first, second, third = (three.side(user) for user in three.people)
    three.act(ada, "initiative", side=first)
    for user, side, after in ((ada, first, second), (ben, second, third), (dora, third, first)):
        three.act(user, "acted", fighter=three.state.of(side)[0].key)
        assert three.state.acting == after
    page = three.page(ada)
    names = [side.name for side in three.state.sides]
    for name in names[1:]:
        assert re.search(rf"data-tab-of[^>]*>{re.escape(name)} ", page), "each other side has a tab of its own"
    assert "Theirs" not in page
    assert page.count("Hand over to ") == 2, "to either of the others"


def test_three_sides_name_who_took_a_fighter_out(three: Evening) -> None:
    ada, ben, dora = three.people
    fallen = three.state.of(three.side(ben))[0]
    assert three.press(ben, f"out {fallen.key} -") == 302
    page = three.page(ben, f"?open={fallen.key}")
    for user in (ada, dora):
        assert f"out_by {fallen.key} {three.side(user)}" in page
    three.act(ben, "out_by", fighter=fallen.key, by=three.side(dora))
    assert logged_report(three.battle, three.state)["out"][three.side(ben)] == {fallen.key: three.side(dora)}


def test_three_sides_are_attacked_and_listed_as_targets(three: Evening) -> None:
    ada, ben, dora = three.people
    mine = three.state.of(three.side(ada))[0]
    page = three.page(ada, f"?roll=attack&fighter={mine.key}")
    for user in (ben, dora):
        assert any(f'value="{foe.key}"' in page for foe in three.state.of(three.side(user)))


# --- a side that comes late ------------------------------------------------------------------------------------------------


@story(params=EDITIONS)
def two(request: Any, ada: Any, ben: Any, cleo: Any) -> Evening:
    battle = c.mustered(c.club(cleo, ada, ben, edition=request.param), ada, ben, scenario="trench-warfare")
    begin_table(battle=battle, actor=ada)
    return Evening(battle, ada, ben)


def test_a_side_that_comes_late_waits_and_arrives_by_one_press_each_way(two: Evening) -> None:
    ada, ben = two.people
    late = two.side(ben)
    page = two.page(ben)
    assert f'value="side_there {late} 0"' in page
    assert two.press(ben, f"side_there {late} 0") == 302
    assert not any(fighter.there for fighter in two.state.of(late))
    two.act(ada, "initiative", side=two.side(ada))
    two.act(ada, "acted", fighter=two.state.of(two.side(ada))[0].key)
    assert two.state.acting == two.side(ada), "nobody of the others is there to act"
    assert f'value="side_there {late} 1"' in two.page(ben)
    assert two.press(ada, f"side_there {late} 1") == 422, "it is not hers"
    assert two.press(ben, f"side_there {late} 1") == 302
    assert all(fighter.there for fighter in two.state.of(late))
    assert TableAct.objects.latest("number").told.endswith("arrive.")
    assert two.press(ben, f"side_there {late} 1") == 422


def test_who_took_part_does_not_go_back_into_reserve_with_the_others(two: Evening) -> None:
    _, ben = two.people
    one, other = two.state.of(two.side(ben))[:2]
    two.act(ben, "acted", fighter=one.key)
    assert f'value="side_there {two.side(ben)} 0"' not in two.page(ben)
    two.act(ben, "side_there", side=two.side(ben), now=False)
    assert two.state.fighter(one.key).there
    assert not two.state.fighter(other.key).there


# --- a guest, and one phone for all -----------------------------------------------------------------------------------------


@story(params=EDITIONS)
def guest(request: Any, ada: Any, cleo: Any) -> Evening:
    battle = c.battle(
        c.club(cleo, ada, edition=request.param), ada, guests=[("Rita", "HERETIC")], scenario="trench-warfare"
    )
    make_side_ready(side=c.side(battle, ada), actor=ada)
    battle = c.fresh_battle(battle)
    begin_table(battle=battle, actor=ada)
    return Evening(battle, ada)


def test_a_guest_is_shot_at_and_shoots_by_hand_on_the_one_phone(guest: Evening) -> None:
    (ada,) = guest.people
    theirs = guest.side("Rita")
    assert guest.press(ada, "add", side=theirs, name="Gorm") == 302
    gorm = guest.state.of(theirs)[0]
    mine = guest.state.of(guest.side(ada))[0]
    for fighter, target in ((mine, gorm), (gorm, mine)):
        page = guest.page(ada, f"?roll=attack&fighter={fighter.key}&target={target.key}")
        assert 'name="way"' in page
        data = {
            "fighter": fighter.key,
            "target": target.key,
            "way": "ranged",
            "last": "1",
            **({"arm": "by-hand"} if fighter == mine else {}),
        }
        act = roll_at_table(battle=guest.battle, actor=ada, roll="attack", data=data, source="app", dice=SeededDice(1))
        assert act.told.startswith(fighter.name)
        assert guest.state.fighter(fighter.key).acted
    assert f"?best={gorm.key}" not in guest.page(ada), "no roster, no odds"


def test_one_phone_tracks_both_sides_once_both_agree(two: Evening) -> None:
    ada, ben = two.people
    for user in (ada, ben):
        two.act(user, "keep", side=two.side(user), keeper=two.side(ada))
    page = two.page(ada)
    for user in (ada, ben):
        assert f'value="acted {two.state.of(two.side(user))[0].key}"' in page
    assert "Your act" not in page


# --- kit that is spent -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_consumable_is_used_once_reported_and_gone_after_the_battle(
    edition: str, ada: Any, ben: Any, cleo: Any
) -> None:
    made = c.club(cleo, ada, ben, edition=edition)
    warband = made.warband(ada)
    carrier = Fighter.objects.live().filter(warband=warband).order_by("pk").last()
    spent = sorted(warband.terms.game.shop.consumables(warband.terms.content))[0]
    assert carrier is not None
    with recording(warband, kind="write", actor=ada) as act:
        carry_out(act, warband, [GainsItem(spent, "granted", "Granted", fighter=str(carrier.pk)) for _ in range(2)])
        act.say("{who} wrote it down.")
    battle = c.mustered(made, ada, ben, scenario="trench-warfare")
    begin_table(battle=battle, actor=ada)
    two = Evening(battle, ada, ben)
    used, kept = two.state.fighter(str(carrier.pk)).kit
    press = f"used {carrier.pk} {used.key}"
    assert press in two.page(ada)
    two.act(ada, "used", fighter=str(carrier.pk), item=used.key)
    assert press not in two.page(ada)
    assert f"used {carrier.pk} {kept.key}" in two.page(ada)
    with pytest.raises(Refusal):
        two.act(ada, "used", fighter=str(carrier.pk), item=used.key)
    reported = logged_report(battle, two.state)["used"]
    assert reported == {two.side(ada): [used.key], two.side(ben): []}
    c.fight(c.fresh_battle(battle), ada, ada, used=reported)
    c.begin(c.fresh_battle(battle), ada)
    pieces = {str(piece.pk): piece for piece in Item.objects.live().filter(warband=warband, item_id=spent)}
    assert pieces[kept.key].fighter_id == carrier.pk
    assert (pieces[used.key].status, pieces[used.key].fighter_id) == (Item.Status.LOST, None)
