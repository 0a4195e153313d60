"""What an attack at the table does to the attacker, and what a miss leaves on its target."""

from __future__ import annotations

from typing import Any

import pytest

from rules.resolvers.roller import Resolved
from rules.tracker.state import TableFighter
from rules.trench_crusade.resolvers.field import MOST_MARKERS
from rules.trench_crusade.tracker.attack_result import on_attacker


def attacker(**state: Any) -> TableFighter:
    return TableFighter(key="1", side="1", name="Ilse", **state)


@pytest.mark.parametrize(
    ("there", "spent", "own", "change"),
    [
        (0, 0, 2, 2),
        (1, 0, -3, -1),
        (MOST_MARKERS, 0, 1, 0),
        (MOST_MARKERS - 1, 0, 3, 1),
        (3, -2, -2, -3),
        (2, -2, 1, -1),
    ],
)
def test_an_attacker_gains_and_loses_markers_within_bounds(there: int, spent: int, own: int, change: int) -> None:
    found = Resolved("failure", "", effects=({"own_blood_markers": own},))
    effect = on_attacker(attacker(markers={"blood": there}), {"blood": spent} if spent else {}, found)
    assert effect.markers == ({"blood": change} if change else {})


def test_blessings_of_several_attacks_are_added() -> None:
    found = Resolved("failure", "", effects=({"own_blessing_markers": 1}, {"own_blessing_markers": 1}))
    assert on_attacker(attacker(), {}, found).markers == {"blessing": 2}


@pytest.mark.parametrize(("is_down", "down"), [(False, True), (True, None)])
def test_a_flawed_second_roll_brings_the_attacker_down_once(is_down: bool, down: bool | None) -> None:
    found = Resolved("failure", "", effects=({"attacker_down": True}, {"activation_ends": True}))
    effect = on_attacker(attacker(down=is_down), {}, found)
    assert (effect.down, effect.acted) == (down, True)
    assert on_attacker(attacker(acted=True), {}, found).acted is None
