"""Results told in place of faces: they do what the same dice would have done, and the form says what each stands for."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client

from campaigns.models import Battle, Campaign, TableAct
from campaigns.services.tracker import MoreResults, act_at_table, roll_at_table, undo_at_table
from rules.dice import SeededDice
from rules.problems import Refusal
from tests.module_story import story
from tests.unit.campaigns.test_tracker_attack import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story(params=["1.6.3", "1.0"])
def fight(request: Any, ada: Any, ben: Any, cleo: Any) -> Fight:
    return Fight(cleo, ada, ben, request.param)


def plain(fight: Fight, user: Any) -> tuple[str, str, str]:
    """A fighter, one of its weapons whose result can be told, and a foe."""
    foe = fight.own(fight.ben if user == fight.ada else fight.ada).key
    for fighter in fight.state.of(fight.own(user).side):
        for key, _label in fight.asks(fighter=fighter.key, target=foe)["arm"].options:
            data = {"fighter": fighter.key, "arm": key, "target": foe}
            kind = fight.tracker.asking(fight.state, "attack", data)
            if len(kind.results) == 2 and kind.of == 1:
                return fighter.key, key, foe
    raise AssertionError("No one has a weapon whose result can be told.")


def told(fight: Fight, user: Any, *rows: int, **data: str) -> TableAct:
    return roll_at_table(battle=fight.battle, actor=user, roll="attack", data=data, source="told", rows=rows)


def row_of(draw: dict[str, Any]) -> int:
    return sum(sum(draw["kept"]) >= cut for cut in draw["cuts"])


@pytest.mark.parametrize("seed", range(12))
def test_a_told_result_does_what_the_same_dice_do(fight: Fight, seed: int) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    data = {"fighter": fighter, "arm": arm, "target": foe, "last": "1"}
    effects = []
    for rows in (None, ()):
        with transaction.atomic():
            if rows is None:
                act = roll_at_table(
                    battle=fight.battle, actor=fight.ada, roll="attack", data=data, source="app", dice=SeededDice(seed)
                )
                drawn = [row_of(draw) for draw in act.dice]
            else:
                act = told(fight, fight.ada, *drawn, **data)
                assert [draw["origin"] for draw in act.dice] == ["told"] * len(drawn)
            effects.append((act.data["effects"], act.data["done"], fight.state))
            transaction.set_rollback(True)
    assert effects[0] == effects[1]


def test_a_told_sentence_names_no_total_that_no_one_told(fight: Fight) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    act = told(fight, fight.ada, 1, 1, fighter=fighter, arm=arm, target=foe)
    assert "Roll to hit: succeeds." in act.told
    assert re.search(r"Injury roll: Minor Hit", act.told)
    assert fight.state.fighter(foe).markers == {"blood": 1}


def test_the_last_action_hands_over_and_its_undo_takes_that_back_too(fight: Fight) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    sides = [side.key for side in fight.state.sides]
    mine = fight.state.fighter(fighter).side
    act_at_table(battle=fight.battle, actor=fight.ada, data={"kind": "initiative", "side": mine})
    act = told(fight, fight.ada, 0, fighter=fighter, arm=arm, target=foe, last="1")
    assert fight.state.fighter(fighter).acted
    assert fight.state.acting == next(key for key in sides if key != mine)
    assert act.told.endswith("has acted.")
    undo_at_table(battle=fight.battle, actor=fight.ada, number=act.number)
    assert not fight.state.fighter(fighter).acted
    assert fight.state.acting == mine


def test_the_target_aimed_at_last_is_chosen_until_it_is_out(fight: Fight) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    here = f"?roll=attack&fighter={fighter}&arm={arm}"
    assert not re.search(r'name="target"[^>]* checked', fight.page(fight.ada, here))
    told(fight, fight.ada, 0, fighter=fighter, arm=arm, target=foe)
    assert re.search(rf'name="target" id="id_target_{foe}" value="{foe}" checked', fight.page(fight.ada, here))
    act_at_table(battle=fight.battle, actor=fight.ben, data={"kind": "out", "fighter": foe})
    assert not re.search(r'name="target"[^>]* checked', fight.page(fight.ada, here))


@pytest.mark.parametrize("rows", [(7,), (1, 9), (0, 0), (-1,)])
def test_a_result_that_cannot_be_is_refused(fight: Fight, rows: tuple[int, ...]) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    with pytest.raises(Refusal) as refusal:
        told(fight, fight.ada, *rows, fighter=fighter, arm=arm, target=foe)
    assert refusal.value.code == "told"
    assert TableAct.objects.count() == 1


def test_a_result_that_is_missing_is_asked_for(fight: Fight) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    with pytest.raises(MoreResults) as missing:
        told(fight, fight.ada, 1, fighter=fighter, arm=arm, target=foe)
    assert missing.value.rows == (1,)


def test_results_are_told_by_the_form_page_by_page(fight: Fight) -> None:
    fighter, arm, foe = plain(fight, fight.ada)
    client = Client()
    client.force_login(fight.ada)
    fields = {"press": "roll", "roll": "attack", "fighter": fighter, "arm": arm, "target": foe}
    page = fight.page(fight.ada, f"?roll=attack&fighter={fighter}&arm={arm}&target={foe}")
    assert "or more hits" in page
    assert 'name="result" value="h,3"' in page
    half = client.post(fight.here, {**fields, "result": "1"})
    assert half.status_code == 302
    assert "told=1" in half.headers["Location"]
    done = client.post(fight.here, {**fields, "result": "h,2", "first": "1"})
    assert done.headers["Location"].startswith(f"{fight.here}?open={fighter}")
    assert fight.state.fighter(foe).down
    assert client.post(fight.here, {**fields, "result": "x,y"}).status_code == 422


def test_where_the_app_rolls_no_result_is_told(fight: Fight) -> None:
    Campaign.objects.filter(pk=fight.battle.campaign_id).update(dice=Campaign.Dice.APP)
    fight.battle = Battle.objects.select_related("campaign__terms").get(pk=fight.battle.pk)
    fighter, arm, foe = plain(fight, fight.ada)
    assert 'name="result"' not in fight.page(fight.ada, f"?roll=attack&fighter={fighter}&arm={arm}&target={foe}")
    with pytest.raises(Refusal) as refusal:
        told(fight, fight.ada, 0, fighter=fighter, arm=arm, target=foe)
    assert refusal.value.code == "dice-policy"


def test_several_attacks_are_told_one_after_the_other(fight: Fight) -> None:
    foe = fight.own(fight.ben).key
    several = None
    for fighter in fight.state.of(fight.own(fight.ada).side):
        for key, _label in fight.asks(fighter=fighter.key, target=foe)["arm"].options:
            data = {"fighter": fighter.key, "arm": key, "target": foe}
            kind = fight.tracker.asking(fight.state, "attack", data)
            if kind.of > 1 and kind.results and key.endswith(":ranged"):
                several = data
    if several is None:
        pytest.skip("no one of this roster makes several attacks at once")
    count = fight.tracker.asking(fight.state, "attack", several).of
    client = Client()
    client.force_login(fight.ada)
    fields = {"press": "roll", "roll": "attack", "last": "1", "result": "0"}
    for number in range(1, count + 1):
        assert fight.tracker.asking(fight.state, "attack", several).at == number
        page = fight.page(fight.ada, f"?roll=attack&{urlencode(several)}")
        assert f"Attack {number} of {count}" in page
        done = client.post(fight.here, {**fields, **several})
        follows = done.headers["Location"].startswith(f"{fight.here}?roll=attack&fighter={several['fighter']}&arm=")
        assert follows is (number < count)
        assert fight.state.fighter(several["fighter"]).acted is (number == count)
        if number < count:
            assert f"attack {number + 1} of {count}" in fight.page(fight.ada, ""), "the bar leads back to it"
    undo_at_table(battle=fight.battle, actor=fight.ada, number=TableAct.objects.latest("number").number)
    assert fight.tracker.asking(fight.state, "attack", several).at == count
