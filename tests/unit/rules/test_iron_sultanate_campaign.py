"""The Iron Sultanate between battles: creatures that come back, a geographer's second look, and a hospital under an Alchemist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.consequences import Joins, Leaves
from rules.force import Force, ForceFighter, ForceItem, ForceTrauma, ForceUpgrade
from rules.parts.post_battle import StepRecord
from rules.trench_crusade import post_battle
from rules.trench_crusade.steps.exploration_dice import owned_changes
from tests.unit.rules import evening, evening_1_0
from tests.unit.rules.evening import after, battle, content, fighter, leaves, sets, settle, tasks, wardens
from tests.unit.rules.test_post_battle_exploration import pick

MARYAM = fighter("maryam", "jabirean-alchemist", "Maryam", offer="house-of-wisdom-leading-alchemist")
CLAY = fighter("clay", "takwin-homunculus", "Clay", offer="house-of-wisdom-takwin-homunculus")
AZEB = fighter("ali", "azeb", "Ali", offer="iron-sultanate-azeb")


def house(*fighters: ForceFighter, **known: Any) -> Force:
    return wardens(*fighters, list="house-of-wisdom", patron="sublime-gate", **known)


def learned(upgrade: str) -> ForceFighter:
    return replace(MARYAM, upgrades=(ForceUpgrade("u", upgrade, f"house-of-wisdom-{upgrade}"),))


@pytest.mark.parametrize(
    ("who", "rolls"), [(MARYAM, 1), (learned("cartography-and-geography"), 2), (learned("medicine"), 1)]
)
def test_a_geographer_rolls_a_die_again(who: ForceFighter, rolls: int) -> None:
    scene = post_battle.step_context(content(), house(who), battle(), StepRecord())
    assert [c.id for c in owned_changes(scene)].count("reroll") == rolls


@pytest.mark.parametrize(("face", "lifeless"), [(1, True), (2, True), (3, None)])
def test_a_creature_of_the_house_lies_lifeless_and_is_not_lost(face: int, lifeless: bool | None) -> None:
    force = house(MARYAM, CLAY)
    outcome = settle(
        tasks("injuries", force, battle(out=["clay"], took_part=["maryam", "clay"]))["casualty-clay"], (face,)
    )
    assert not leaves(outcome, Leaves)
    assert sets(outcome).get(("clay", "lifeless")) is lifeless
    assert after(force, outcome).fighter("clay").lifeless is bool(lifeless)


def test_an_azeb_dies_as_others_do() -> None:
    force = wardens(MARYAM, AZEB, list="iron-sultanate", patron="sublime-gate")
    outcome = settle(tasks("injuries", force, battle(out=["ali"], took_part=["ali"]))["casualty-ali"], (1,))
    assert [c.fighter for c in leaves(outcome, Leaves)] == ["ali"]


def test_a_survivor_of_the_sultanate_is_an_azeb() -> None:
    for list_id in ("iron-sultanate", "house-of-wisdom", "fidai-of-alamut", "defenders-of-the-iron-wall"):
        (joined,) = leaves(pick("survivor", "", list_id=list_id).outcome, Joins)
        assert joined.offer == "found-azeb"


def test_an_alchemist_keeps_the_hospital_open() -> None:
    scarred = evening.fighter(
        "yusuf", "janissary", "Yusuf", promoted=True, traumas=(ForceTrauma("t1", "chest-wound", battle=1),)
    )
    stash = (ForceItem("house", "field-hospital", "found"),)
    for healer, opens in ((MARYAM, True), (AZEB, False)):
        force = evening_1_0.wardens(scarred, healer, list="iron-sultanate", patron="sublime-gate", stash=stash)
        assert ("hospital" in evening_1_0.tasks("trauma", force, evening_1_0.game())) is opens
