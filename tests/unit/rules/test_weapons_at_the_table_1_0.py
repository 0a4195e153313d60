"""Weapons of edition 1.0 at the table: what is asked for them, and what their dice do to everybody they strike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rules.dice import TypedDice
from rules.force import Force
from rules.registry import system
from rules.tracker.acts import read_act
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker
from rules.trench_crusade.content import content_of
from rules.trench_crusade.resolvers import rules as table
from tests.unit.rules.test_arms import NEW, YEOMAN, fresh

FOE = "heretic-legion.heretic-trooper"


class Fray:
    """A Yeoman with a weapon and a friend of his against two Troopers."""

    def __init__(self, arm: str) -> None:
        self.arm = arm
        forces: dict[str, Force] = {"A": fresh(NEW, YEOMAN, arm.partition(":")[0]), "B": fresh(NEW, FOE)}
        self.tracker: Tracker = system("trench-crusade").battle.tracker(content_of(NEW)).bound(forces.get)
        names = {"a1": "Ilse", "a2": "Ottla", "b1": "Vasek", "b2": "Rosk"}
        fighters = tuple(
            TableFighter(key=key, side=key[0].upper(), of="1", name=name, profile="yeoman")
            for key, name in names.items()
        )
        self.state = TableState(sides=(TableSide("A", "Ada"), TableSide("B", "Ben")), fighters=fighters, turn_limit=4)

    def data(self, **more: str) -> Mapping[str, str]:
        return {"fighter": "a1", "target": "b1", "arm": self.arm, **more}

    def asks(self, **more: str) -> dict[str, Any]:
        return {asked.name: asked for asked in self.tracker.asking(self.state, "attack", self.data(**more)).asks}

    def roll(self, *faces: int, **more: str) -> tuple[TableState, str]:
        data = self.data(**more)
        rule, given = self.tracker.question(self.state, "attack", data)
        dice = TypedDice(faces)
        found = table.resolve(content_of(NEW), rule, given, dice)
        assert not dice.left
        return self.tracker.apply(self.state, self.tracker.rolled(self.state, "attack", data, found))


@pytest.mark.parametrize("arm", ["flame-cannon", "vomitus", "gas-censer", "locust-spitter", "masterworks-jezzail"])
def test_whom_a_line_a_cloud_or_a_swarm_strikes_besides_is_asked(arm: str) -> None:
    asks = Fray(f"{arm}:ranged").asks()
    assert asks["caught"].label == "Also hit"
    assert set(asks["caught"].only) == {"a1", "a2", "b2"}
    assert not {"at_point", "landed"} & set(asks)


@pytest.mark.parametrize("arm", ["infernal-bomb:ranged", "murad-bombard:ranged"])
def test_whom_a_blast_catches_is_asked_and_where_it_lands(arm: str) -> None:
    asks = Fray(arm).asks()
    assert asks["caught"].label == "Caught in the blast"
    assert {"at_point", "landed"} <= set(asks)


def test_a_flame_cannon_strikes_everybody_on_its_line_without_a_roll() -> None:
    fray = Fray("flame-cannon:ranged")
    assert not {"cover", "long_range", "elevated", "dice"} & set(fray.asks())
    state, words = fray.roll(2, 3, 1, 1, caught="b2")
    assert [state.fighter(key).markers for key in ("b1", "b2")] == [{"blood": 2}, {"blood": 2}]
    assert "It hits by itself" in words


def test_a_murad_bombard_is_deadly_to_its_target_and_takes_the_others_down() -> None:
    state, words = Fray("murad-bombard:ranged").roll(4, 4, 2, 3, 4, caught="b2,a2")
    assert state.fighter("b1").out
    for key in ("b2", "a2"):
        assert (state.fighter(key).down, state.fighter(key).markers) == (True, {"blood": 1})
    assert "Rosk: Injury: Down without a roll" in words


def test_at_a_point_a_murad_bombard_takes_down_all_whom_it_catches() -> None:
    state, _ = Fray("murad-bombard:ranged").roll(4, 4, caught="b2", at_point="1")
    assert (state.fighter("b1").down, state.fighter("b2").down) == (False, True)


def test_an_infernal_bomb_is_deadly_to_its_target_alone() -> None:
    state, _ = Fray("infernal-bomb:ranged").roll(4, 4, 2, 3, 4, 2, 3, caught="b2")
    assert state.fighter("b1").out
    assert (state.fighter("b2").out, state.fighter("b2").markers) == (False, {"blood": 2})


def test_a_tormentor_chain_places_two_markers_and_rolls_no_injury() -> None:
    fray = Fray("tormentor-chain:ranged")
    assert not {"injury_dice", "bloodbath"} & set(fray.asks())
    state, words = fray.roll(4, 4)
    assert state.fighter("b1").markers == {"blood": 2}
    assert "none is rolled; 2 BLOOD MARKERS" in words
    missed, _ = fray.roll(1, 1)
    assert missed.fighter("b1").markers == {}


def test_a_torture_instrument_rolls_one_die_and_leaves_twice_the_markers() -> None:
    state, _ = Fray("torture-instrument:melee").roll(4, 4, 3)
    assert state.fighter("b1").markers == {"blood": 2}


def test_the_second_attack_of_iron_clawed_hands_is_off_hand() -> None:
    """Two dice to hit, then three of which the lowest two count: 6, 4 and 2 miss."""
    fray = Fray("iron-clawed-hands:melee")
    assert "target_2" in fray.asks()
    state, words = fray.roll(4, 4, 1, 1, 6, 4, 2, target_2="b2")
    assert (state.fighter("b1").markers, state.fighter("b2").markers) == ({"blood": 1}, {})
    assert "at Rosk: Roll to hit: 6 fails" in words


def test_full_auto_asks_for_five_targets_and_ends_the_activation() -> None:
    fray = Fray("autocannon:ranged")
    switch = next(name for name, asked in fray.asks().items() if asked.label == "Full auto")
    assert {"target_2", "target_3"} == {name for name in fray.asks() if name.startswith("target_")}
    assert len([name for name in fray.asks(**{switch: "1"}) if name.startswith("target_")]) == 4
    state, _ = fray.roll(1, 1, **{switch: "1"})  # RISKY: the first miss ends it
    assert state.fighter("a1").acted


def test_an_overcharged_punt_gun_has_a_blast() -> None:
    fray = Fray("punt-gun:ranged")
    assert "caught" not in fray.asks()
    switch = next(name for name, asked in fray.asks().items() if asked.label == "Overcharged")
    assert "caught" in fray.asks(**{switch: "1"})


def test_markers_on_the_target_make_a_vivisector_critical_sooner() -> None:
    fray = Fray("vivisector:melee")
    marked, _ = fray.tracker.apply(
        fray.state, read_act({"kind": "marker", "fighter": "b1", "marker": "blood", "change": 2})
    )
    fray.state = marked
    _, given = fray.tracker.question(fray.state, "attack", fray.data())
    assert given["critical_from"] == 10


@pytest.mark.parametrize(
    ("arm", "strays"),
    [("flame-cannon", False), ("vomitus", False), ("gas-censer", False), ("masterworks-jezzail", False), ("locust-spitter", True),
     ("flamethrower", True), ("jezzail", True)],
)  # fmt: skip
def test_whether_a_shot_into_a_melee_may_find_a_friend(arm: str, strays: bool) -> None:
    fray = Fray(f"{arm}:ranged")
    assert ("friend" in fray.asks()) is strays
    _, given = fray.tracker.question(fray.state, "attack", fray.data(friend="a2"))
    odds = table.odds(content_of(NEW), "attack", given)
    hurt = table.odds(content_of(NEW), "attack", {**given, "friend": {**given["friend"], "ignores_out": True}})
    assert (odds.outcomes != hurt.outcomes) is strays
