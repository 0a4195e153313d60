"""What a table changes by reading an unclear rule of Gloom Trench otherwise: every option of every reading."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.gloom_trench.interpretations import READINGS
from rules.problems import Refusal
from tests.unit.rules.gloom import rolled, shares, told

SIDES: dict[str, Any] = {
    "active": {"models": 2, "combat": "D8", "save": "D6", "cover": "solid"},
    "defender": {"models": 2, "defence": "D8", "save": "D6"},
}
DRAWN: dict[str, Any] = {
    "active": {"models": 2, "combat": "D8", "save": "D6"},
    "defender": {"models": 2, "defence": "D8", "save": "D6"},
}


def test_every_reading_has_its_default_among_two_or_more_options_and_a_source() -> None:
    assert len({reading.key for reading in READINGS}) == len(READINGS) == 25
    for reading in READINGS:
        assert reading.holds(reading.default)
        assert len({option for option, _ in reading.options}) == len(reading.options) >= 2
        assert reading.key.startswith(reading.source + "-")
        assert reading.words


def test_an_option_nobody_knows_leaves_the_default() -> None:
    assert rolled("stress-test", {"command": 1, "stress": 1}, GT_A06_when_tested="on-sundays").outcome == "no-test"


def test_a02_opposite_dice_modifiers() -> None:
    given = {"base": "D8", "dice_mods": ["d+1", "d-1"]}
    assert rolled("resolve-dice", given).outcome == "D8+0"
    assert rolled("resolve-dice", given, GT_A02_opposite_dice_modifiers="first-shifts").outcome == "D12-1"
    six = {"base": "D6", "dice_mods": ["d-1", "d+1"]}
    assert rolled("resolve-dice", six, GT_A02_opposite_dice_modifiers="first-shifts").outcome == "D6+0"


def test_a03_points_per_roll() -> None:
    with pytest.raises(Refusal, match="one Tactical Point"):
        rolled("shoot", {"models": 1, "die": "D8", "tp": 2}, 3)
    with pytest.raises(Refusal, match="has spent"):
        rolled("spend-tp", {"pool": 2, "purpose": "own-roll", "spent_on_roll": 1})
    any_ = {"GT_A03_points_per_roll": "any"}
    assert rolled("shoot", {"models": 1, "die": "D8", "tp": 2}, 4, **any_).outcome == "1"
    assert rolled("spend-tp", {"pool": 2, "purpose": "own-roll", "spent_on_roll": 1}, **any_).total == 1
    assert rolled("charge-move", {"gap": 16, "tp": 2}, 8, **any_).outcome == "contact"


def test_a04_hold_and_shoot_save() -> None:
    given = {"hits": 1, "save_die": "D6", "hold_and_shoot": True}
    assert told(rolled("save", given, 8))["die"] == "D8"
    done = told(rolled("save", given, 4, GT_A04_hold_and_shoot_save="roll"))
    assert (done["die"], done["modifier"], done["saved"]) == ("D6", 1, 1)


def test_a05_shooting_damage() -> None:
    given = {"models": 1, "die": "D8", "save_die": "D6", "damage": 2}
    assert rolled("shoot", given, 8, 2).outcome == "1"
    assert rolled("shoot", given, 8, 2, GT_A05_shooting_damage="statline").outcome == "2"
    assert shares("shoot", given, GT_A05_shooting_damage="statline") == {"0": Fraction(2, 3), "2": Fraction(1, 3)}


def test_a06_when_tested_and_what_a_pass_removes() -> None:
    given = {"command": 3, "stress": 1}
    assert rolled("stress-test", given).outcome == "no-test"
    assert rolled("stress-test", given, 3, GT_A06_when_tested="any-stress").outcome == "passes"
    assert rolled("stress-test", {"command": 3, "stress": 0}, GT_A06_when_tested="any-stress").outcome == "no-test"
    done = rolled("stress-test", {"command": 1, "stress": 2}, 8, GT_A06_passed_test_removes="none")
    assert (done.outcome, told(done)["stress"]) == ("passes", 2)


@pytest.mark.parametrize(("command", "stress"), [(c, s) for c in range(4) for s in range(1, 9)])
def test_a06_odds_with_any_stress(command: int, stress: int) -> None:
    found = shares("stress-test", {"command": command, "stress": stress}, GT_A06_when_tested="any-stress")
    assert found.get("passes", 0) == Fraction(max(0, min(7, 4 + command - stress)), 8)


def test_a07_activation_order() -> None:
    given = {"command": 1, "stress": 1, "coherent": False}
    assert rolled("start-activation", given, 7).outcome == "passes"
    later = rolled("start-activation", given, GT_A07_activation_order="test-first")
    assert (later.outcome, told(later)["stress"]) == ("no-test", 2)


def test_a08_unit_command() -> None:
    unit = {"models": [{"count": 7, "command": 1}, {"count": 1, "command": 2}]}
    assert rolled("unit-command", {"unit": unit}).total == 2
    assert rolled("unit-command", {"unit": unit}, GT_A08_unit_command="most-models").total == 1


def test_a09_melee_damage() -> None:
    given = {
        "damage_to_active": 3,
        "damage_to_defender": 4,
        "active_capacity": 9,
        "defender_capacity": 2,
        "active_left": 6,
        "defender_left": 0,
    }
    assert rolled("melee-result", given).outcome == "win"
    assert rolled("melee-result", given, GT_A09_melee_damage="counted").outcome == "both-gone"
    assert rolled("melee-result", {**given, "defender_left": 1}, GT_A09_melee_damage="counted").outcome == "lose"
    sides = {
        "active": {"models": 3, "combat": "D8", "damage": 3, "save": "D6"},
        "defender": {"models": 2, "defence": "D8", "save": "D6", "wounds": 1},
    }
    assert rolled("melee-round", sides, 8, 1, 1, 8, 8, 2, 2, 2).outcome == "win"
    assert rolled("melee-round", sides, 8, 1, 1, 8, 8, 2, 2, 2, GT_A09_melee_damage="counted").outcome == "draw"


def test_a10_second_activation() -> None:
    unit = {"name": "a", "activated": True}
    assert rolled("may-activate", {"unit": unit, "army": [unit]}).outcome == "yes"
    assert rolled("may-activate", {"unit": unit, "army": [unit]}, GT_A10_second_activation="never").outcome == "no"
    assert rolled("reactivation", {"units": 2, "activated": 2}, GT_A10_second_activation="never").total == 0


def test_a11_range_from() -> None:
    given = {
        "distance": {"nominated": 9, "closest": 7},
        "weapon": {"short": {"max_range": 8, "die": "D12"}, "medium": {"max_range": 16, "die": "D8"}},
    }
    assert rolled("range-band", given).outcome == "medium"
    assert rolled("range-band", given, GT_A11_range_from="closest").outcome == "short"
    led = {**given, "distance": {"leader": 10, "closest": 7}}
    assert rolled("range-band", led, GT_A11_range_from="closest").outcome == "medium"


def test_a12_stress_without_saves() -> None:
    given = {"hits": 2, "ignores_saves": True}
    assert told(rolled("save", given))["stress_delta"] == 2
    assert told(rolled("save", given, GT_A12_stress_without_saves="instead"))["stress_delta"] == 1


def test_a13_hold_and_shoot_die() -> None:
    given = {"reaction": "hold-and-shoot", "models": 1, "die": "D12", "dice_mods": "d+1"}
    assert told(rolled("charge-reaction", given, 4))["die"] == "D6"
    assert told(rolled("charge-reaction", given, 8, GT_A13_hold_and_shoot_die="shifts"))["die"] == "D8"


def test_a14_solid_cover_in_melee() -> None:
    done = rolled("melee-round", SIDES, 1, 1, 5, 5)
    assert (done.steps[1].effect("modifier"), done.steps[1].effect("hits")) == (-1, 0)
    done = rolled("melee-round", SIDES, 1, 1, 5, 5, 4, 4, GT_A14_solid_cover_in_melee="charger")
    assert (done.steps[1].effect("modifier"), done.outcome) == (0, "draw")


def test_a15_charge_bonus() -> None:
    second = {**DRAWN, "round": 2}
    assert rolled("melee-round", second, 4, 1, 1, 1, 5).steps[0].outcome == "1"
    assert rolled("melee-round", second, 4, 1, 1, 1, GT_A15_charge_bonus="first-round").steps[0].outcome == "0"
    assert shares("melee", DRAWN)["win"] > shares("melee", DRAWN, GT_A15_charge_bonus="first-round")["win"]


def test_a16_stress_during_morale() -> None:
    units = [
        {"name": "a", "command": 1, "stress": 1, "models": 1, "near": ["b"]},
        {"name": "b", "command": 1, "stress": 1, "models": 3},
    ]
    done = rolled("morale-step", {"units": units}, 1, 4)
    assert (told(done)["stress"], told(done)["destroyed"]) == ({"a": 0, "b": 1}, ["a"])
    at_once = rolled("morale-step", {"units": units}, 1, 4, 4, GT_A16_stress_during_morale="at-once")
    assert told(at_once)["stress"] == {"a": 0, "b": 0}


def test_a17_chits_of_lost_units() -> None:
    given = {"bag": {"A": 2, "B": 1, "fog": 1}, "lost": {"A": 2}}
    assert told(rolled("draw-chit", given, 4))["undrawn"] == 3
    assert rolled("draw-chit", given, 1).outcome == "A"
    assert rolled("draw-chit", given, 1, GT_A17_chits_of_lost_units="leave").outcome == "B"


def test_a18_obscured_as_a_die_fewer() -> None:
    given = {"models": 3, "die": "D8", "obscured": ["Smoke"], "cover": "light"}
    assert rolled("shoot", given, 7, 6, 5).outcome == "1"
    assert rolled("shoot", given, 5, GT_A18_obscured="dice").outcome == "1"


def test_a20_point_against_a_roll() -> None:
    given = {"models": 1, "die": "D8", "opponent_tp": True, "shooter_stress": 1}
    assert rolled("shoot", given, 6).outcome == "1"
    assert rolled("shoot", given, 6, GT_A20_point_against_a_roll="minus-2").outcome == "0"
    assert (
        told(rolled("spend-tp", {"pool": 1, "purpose": 2, "stress": 1}, GT_A20_point_against_a_roll="minus-2"))[
            "roll_mod"
        ]
        == -2
    )


def test_a22_stress_for_a_melee_loser() -> None:
    given = {"damage_to_active": 0, "damage_to_defender": 1}
    assert told(rolled("melee-result", given))["friends_stress"] == 1
    assert "friends_stress" not in told(rolled("melee-result", given, GT_A22_stress_for_a_melee_loser="no"))


def test_a24_distance_dice() -> None:
    assert rolled("take-that-ground", {}, 1).total == 6
    assert rolled("take-that-ground", {}, 1, GT_A24_distance_dice="rule-of-one").total == 5
    assert rolled("charge-move", {"gap": 8}, 1, GT_A24_distance_dice="rule-of-one").outcome == "short"


def test_a25_tokens_discarded() -> None:
    given = {"hits": 1, "save_die": "D6", "stress": 3, "discard": 2}
    with pytest.raises(Refusal, match="One Stress token"):
        rolled("save", given, 6)
    done = told(rolled("save", given, 6, GT_A25_tokens_discarded="any"))
    assert (done["modifier"], done["saved"], done["stress"]) == (-2, 0, 2)


def test_a26_distance_charged() -> None:
    assert told(rolled("charge-move", {"gap": 7}, 3))["may_react"] is False
    found = told(rolled("charge-move", {"gap": 7}, 3, GT_A26_distance_charged="reach"))
    assert (found["moved"], found["may_react"]) == (8, True)


def test_a27_points_for_distance() -> None:
    assert rolled("spend-tp", {"pool": 1, "purpose": "charge"}).total == 0
    free = rolled("spend-tp", {"pool": 0, "purpose": "take-that-ground"}, GT_A27_points_for_distance="none")
    assert (free.total, told(free)["die"]) == (0, "D8")


def test_a28_leader_of_a_unit() -> None:
    given = {
        "unit": {"models": 3},
        "gaps": [{"nearest": 1, "leader": 0}, {"nearest": 1, "leader": 7}, {"nearest": 1, "leader": 2}],
    }
    assert rolled("coherent", given).outcome == "no"
    assert rolled("coherent", given, GT_A28_leader_of_a_unit="squads-only").outcome == "yes"
    squad = {**given, "unit": {"models": 3, "keywords": ["Squad"]}}
    assert rolled("coherent", squad, GT_A28_leader_of_a_unit="squads-only").outcome == "no"
