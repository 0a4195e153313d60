"""The exact odds of Gloom Trench's table: the tables of the specification, figure by figure."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from rules.gloom_trench.resolvers.rules import RULES
from rules.problems import Refusal
from tests.unit.rules.gloom import ROLLING, rolled, shares, told

SUCCESS = {
    6: "0 0 0 1/6 1/3 1/2 2/3 5/6 5/6",
    8: "0 1/8 1/4 3/8 1/2 5/8 3/4 7/8 7/8",
    12: "1/3 5/12 1/2 7/12 2/3 3/4 5/6 11/12 11/12",
}


@pytest.mark.parametrize(
    ("sides", "m", "odds"), [(s, m, row.split()[m + 4]) for s, row in SUCCESS.items() for m in range(-4, 5)]
)
def test_one_die(sides: int, m: int, odds: str) -> None:
    assert rolled("p-success", {"die": f"D{sides}", "m": m}).outcome == odds
    assert shares("p-success", {"die": f"D{sides}", "m": m})["success"] == Fraction(odds)
    found = shares("roll-vs-tn", {"die": f"D{sides}", "modifier": m, "count": 1})
    assert found.get("1", 0) == Fraction(odds)


@pytest.mark.parametrize(
    ("die", "row"),
    [("D8", "3/8 1/4 1/8 0 0 0 0"), ("D12", "7/12 1/2 5/12 1/3 1/4 1/6 1/12")],
)
@pytest.mark.parametrize("command", [0, 1, 3])
def test_stress_tests(die: str, row: str, command: int) -> None:
    assert shares("stress-test", {"command": command, "stress": command, "die": die}) == {"no-test": 1}
    for over, odds in enumerate(row.split(), 1):
        found = shares("stress-test", {"command": command, "stress": command + over, "die": die})
        assert found.get("passes", 0) == Fraction(odds)
        same = shares(
            "start-activation", {"command": command, "stress": command + over - 1, "near_horror": True, "die": die}
        )
        assert same == found


@pytest.mark.parametrize(
    ("command", "rally", "morale"),
    [(0, "1/3", "1/2"), (1, "1/2", "5/8"), (2, "2/3", "3/4"), (3, "5/6", "7/8"), (5, "5/6", "7/8")],
)
def test_rally_and_morale_for_each_token(command: int, rally: str, morale: str) -> None:
    assert shares("rally", {"command": command, "stress": 1})["1"] == Fraction(rally)
    four = shares("rally", {"command": command, "stress": 4})
    assert four["2"] == comb(4, 2) * Fraction(rally) ** 2 * (1 - Fraction(rally)) ** 2
    assert shares("morale-stress", {"command": command, "stress": 1})["0"] == Fraction(morale) + Fraction(1, 8)
    assert shares("morale-losses", {"command": command, "stress": 1}) == {"0": Fraction(7, 8), "1": Fraction(1, 8)}


@pytest.mark.parametrize("stress", range(1, 9))
def test_morale_costs_a_model_with_any_one(stress: int) -> None:
    found = shares("morale-check", {"command": 1, "stress": stress, "models": 20})
    assert found["loses-models"] == 1 - Fraction(7, 8) ** stress
    losses = shares("morale-losses", {"command": 1, "stress": stress, "models": 1})
    assert losses["1"] == 1 - Fraction(7, 8) ** stress


@pytest.mark.parametrize(
    ("gap", "plain", "point"),
    [
        (0, "1", "1"), (7, "1", "1"), (8, "1", "1"), (8.2, "5/6", "7/8"), (9, "5/6", "7/8"), (10, "2/3", "3/4"), (11, "1/2", "5/8"),
        (11.5, "1/3", "1/2"), (12, "1/3", "1/2"), (13, "1/6", "3/8"), (14, "0", "1/4"), (15, "0", "1/8"), (16, "0", "0"),
    ],
)  # fmt: skip
def test_charges(gap: float, plain: str, point: str) -> None:
    assert shares("charge-move", {"gap": gap}).get("contact", 0) == Fraction(plain)
    assert shares("charge-move", {"gap": gap, "tp": True}).get("contact", 0) == Fraction(point)


@pytest.mark.parametrize("chits", [0, 1, 5, 10, 13])
def test_fog(chits: int) -> None:
    found = shares("fog", {"chits": chits})
    assert found == {str(k): Fraction(comb(k + 2, 2), comb(chits + 3, 3)) for k in range(chits + 1)}
    assert sum(int(k) * odds for k, odds in found.items()) == Fraction(3 * chits, 4)
    assert found[str(chits)] == Fraction(3, chits + 3)


@pytest.mark.parametrize("fog", [1, 2, 3])
def test_a_bag_in_the_middle_of_a_turn(fog: int) -> None:
    found = told(rolled("chit-drawn", {"mine": 2, "theirs": 3, "fog": fog}))
    assert found["each"] == str(Fraction(fog, fog + 1))
    assert found["expected"] == str(Fraction(5 * fog, fog + 1))
    assert found["ends_next"] == ("1/6" if fog == 1 else "0")
    assert found["mine_next"] == "2/5"
    drawn = shares("draw-chit", {"bag": {"mine": 2, "theirs": 3, "fog": fog}})
    assert drawn["mine"] / (drawn["mine"] + drawn["theirs"]) == Fraction(2, 5)
    expected = sum(int(k) * odds for k, odds in shares("fog", {"chits": 5, "fog": fog}).items())
    assert expected == Fraction(5 * fog, fog + 1)


def test_the_pool() -> None:
    kept = shares("check-pool", {"pool": 4})
    assert kept == {str(k): comb(4, k) * Fraction(1, 3) ** k * Fraction(2, 3) ** (4 - k) for k in range(5)}
    gained = shares("populate-pool", {"pool": 2, "command": 3, "commanders_on_table": 1})
    assert gained == {str(3 + k): comb(3, k) * Fraction(1, 3) ** k * Fraction(2, 3) ** (3 - k) for k in range(4)}


@pytest.mark.parametrize(
    ("a", "b", "row"),
    [(3, 2, "35/81 86/243 52/243"), (2, 2, "8/27 11/27 8/27"), (3, 3, "242/729 245/729 242/729"), (0, 0, "0 1 0")],
)
def test_initiative(a: int, b: int, row: str) -> None:
    found = shares("initiative", {"dice_a": a, "dice_b": b})
    assert [found.get(name, 0) for name in ("win", "tie", "lose")] == [Fraction(each) for each in row.split()]
    first = shares("roll-initiative", {"dice_a": a, "dice_b": b, "turn": 1})
    assert [first.get(name, 0) for name in ("A", "reroll", "B")] == [Fraction(each) for each in row.split()]
    later = shares("roll-initiative", {"dice_a": a, "dice_b": b, "turn": 4, "last_winner": "A"})
    assert later.get("A", 0) == found.get("win", 0)


@pytest.mark.parametrize(
    ("attack", "h", "q", "expected", "none", "stress"),
    [
        ({"models": 8, "die": "D8", "save_die": "D6"}, "1/2", "2/3", "8/3", 3.90, (3.90, 45.95, 50.15)),
        ({"models": 8, "die": "D8", "roll_mods": -2, "save_die": "D6"}, "1/4", "2/3", "4/3", 23.26, (23.26, 47.89, 28.86)),
        ({"models": 8, "die": "D8", "cover": "solid", "save_die": "D6"}, "3/8", "1/2", "3/2", 18.99, (18.99, 49.12, 31.89)),
        ({"models": 5, "die": "D6", "save_die": "D8"}, "1/3", "1/2", "5/6", 40.19, (40.19, 40.64, 19.17)),
        ({"models": 6, "die": "D12", "action": "advance", "save_die": "D6", "dug_in": True}, "7/12", "1/2", "7/4", 12.63, (12.63, 41.51, 45.86)),
    ],
)  # fmt: skip
def test_shooting(
    attack: dict[str, Any], h: str, q: str, expected: str, none: float, stress: tuple[float, ...]
) -> None:
    n, through = attack["models"], Fraction(h) * Fraction(q)
    damage = shares("shoot", attack)
    assert damage == {str(k): comb(n, k) * through**k * (1 - through) ** (n - k) for k in range(n + 1)}
    assert sum(int(k) * odds for k, odds in damage.items()) == Fraction(expected)
    assert round(float(damage["0"]) * 100, 2) == none
    found = shares("shoot-stress", attack)
    assert tuple(round(float(found[str(k)]) * 100, 2) for k in range(3)) == stress
    hits = shares("shoot-hits", attack)
    assert sum(int(k) * odds for k, odds in hits.items()) == n * Fraction(h)


def test_models_lost_stop_at_what_the_target_has() -> None:
    given = {
        "models": 8,
        "die": "D8",
        "save_die": "D6",
        "target_models": 3,
        "small": False,
        "wounds": 2,
        "recorded_damage": 1,
    }
    found, damage = shares("shoot-losses", given), shares("shoot", given)
    assert found["0"] == damage["0"]
    assert found["3"] == sum(damage[str(k)] for k in (5, 6, 7, 8))


SIDES: dict[str, Any] = {
    "active": {"models": 8, "combat": "D8", "save": "D6"},
    "defender": {"models": 8, "defence": "D6", "save": "D6"},
}
FEW: dict[str, Any] = {"active": {**SIDES["active"], "models": 5}, "defender": {**SIDES["defender"], "models": 2}}


@pytest.mark.parametrize(
    ("given", "first", "whole"),
    [
        (SIDES, (72.2, 14.9, 12.9), (84.2, 15.8, 0.04)),
        ({**SIDES, "braced": True}, (58.9, 19.6, 21.5), (72.7, 27.3, 0.03)),
        ({**SIDES, "cover": "solid"}, (43.4, 23.3, 33.3), (56.4, 43.6, 0.02)),
        (FEW, (82.0, 14.1, 3.9), (95.7, 4.3, 0.0)),
    ],
)
def test_melee(given: dict[str, Any], first: tuple[float, ...], whole: tuple[float, ...]) -> None:
    found = shares("melee-round", given)
    assert tuple(round(float(found[name]) * 100, 1) for name in ("win", "draw", "lose")) == first
    assert sum(found.values()) == 1
    ends = shares("melee", given)
    assert tuple(round(float(ends[name]) * 100, 1) for name in ("win", "lose")) == whole[:2]
    assert round(float(ends.get("both-gone", 0)) * 100, 2) == whole[2]
    assert sum(ends.values()) == 1


def test_a_melee_in_which_neither_can_hit_is_a_stalemate() -> None:
    hopeless = {side: {**SIDES[side], "roll_mods": -9} for side in SIDES}
    assert shares("melee", hopeless) == {"stalemate": 1}
    assert rolled("melee", hopeless).outcome == "stalemate"
    one_sided = {**SIDES, "active": {**SIDES["active"], "roll_mods": -9}}
    assert set(shares("melee", one_sided)) == {"lose"}


def test_a_point_in_a_melee_holds_for_its_first_round() -> None:
    pointed = {**SIDES, "active": {**SIDES["active"], "tp": True}}
    always = {**SIDES, "active": {**SIDES["active"], "dice_mods": "d+1"}}
    assert shares("melee", SIDES)["win"] < shares("melee", pointed)["win"] < shares("melee", always)["win"]
    assert shares("melee-round", pointed) == shares("melee-round", always)


def test_split_fire_is_told_for_both_targets() -> None:
    groups = [{"name": "X", "models": 1, "die": "D8"}, {"name": "Y", "models": 1, "die": "D12"}]
    found = shares("split-fire", {"groups": groups})
    assert found["1,1"] == Fraction(1, 2) * Fraction(2, 3)
    assert sum(found.values()) == 1


def test_every_rule_that_rolls_tells_its_odds() -> None:
    assert {name for name, rule in RULES.items() if rule.dice != "none"} == set(ROLLING)
    for name, given in ROLLING.items():
        assert sum(shares(name, given).values()) == 1, name
        assert len(shares(name, given)) > 1, name


def test_what_has_too_many_ways_is_refused() -> None:
    with pytest.raises(Refusal, match="too many ways"):
        shares("roll-d3", {"count": 10})
