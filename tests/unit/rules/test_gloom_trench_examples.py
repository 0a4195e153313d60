"""The worked examples of the specification, each under its number."""

from __future__ import annotations

import pytest

from tests.unit.rules.gloom import rolled, shares, told

RIFLE = {
    "short": {"max_range": 8, "die": "D12"},
    "medium": {"max_range": 16, "die": "D8"},
    "long": {"max_range": 24, "die": "D6"},
}
SECTION = {"models": [{"name": "Riflemen", "count": 8}, {"name": "NCO", "count": 1}], "wounds": 1}


@pytest.mark.parametrize(
    ("number", "base", "dice_mods", "roll_mods", "die", "modifier"),
    [
        ("GT-01", "D8", ["d+1", "d+1"], [], "D12", 1),
        ("GT-02", "D6", ["d-1"], 0, "D6", -1),
        ("GT-03", "D12", "d+1", 0, "D12", 1),
        ("GT-04", "D12", [-1, -1], [], "D8", -1),
        ("GT-05", "D6", -2, [], "D6", -2),
        ("GT-06", "D8", [1, -1], [], "D8", 0),
        ("GT-07", "D8", ["d+1", "d+1", "d-1"], [-1], "D12", -1),
    ],
)
def test_gt_01_to_07_dice_shift_once_and_the_rest_becomes_a_roll_modifier(
    number: str, base: str, dice_mods: object, roll_mods: object, die: str, modifier: int
) -> None:
    done = rolled("resolve-dice", {"base": base, "dice_mods": dice_mods, "roll_mods": roll_mods})
    assert (told(done)["die"], done.total, done.outcome) == (die, modifier, f"{die}{modifier:+d}"), number


def test_gt_05_a_d6_with_minus_two_never_succeeds() -> None:
    assert shares("roll-vs-tn", {"die": "D6", "modifier": -2}) == {"0": 1}


def test_gt_08_a_natural_1_fails_whatever_is_added() -> None:
    assert rolled("roll-vs-tn", {"die": "D6", "modifier": 6}, 1).outcome == "0"


def test_gt_09_modified_results_of_5_or_more_succeed() -> None:
    done = rolled("roll-vs-tn", {"die": "D8", "modifier": -1}, 1, 5, 6, 8)
    assert (done.outcome, done.kept, told(done)["natural_ones"]) == ("2", (6, 8), 1)


def test_gt_10_d3_and_d2_are_read_from_a_d6() -> None:
    assert [rolled("roll-d3", {}, face).total for face in (5, 1, 4)] == [3, 1, 2]
    assert [rolled("roll-d2", {}, face).total for face in (3, 4)] == [1, 2]
    assert told(rolled("roll-d3", {"count": 3}, 5, 1, 4))["results"] == [3, 1, 2]
    assert told(rolled("roll-d2", {"d6": [3, 4]}))["results"] == [1, 2]


def test_gt_11_eight_models_shoot_and_two_fall() -> None:
    done = rolled(
        "shoot",
        {"models": 8, "die": "D8", "target": {"save": "D6", "wounds": 1, "models": 8}},
        *(1, 2, 4, 5, 5, 6, 8, 3),
        *(5, 1, 3, 6),
    )
    found = told(done)
    assert (found["hits"], found["saved"], found["damage"], found["models_lost"], found["stress_delta"]) == (
        4,
        2,
        2,
        2,
        2,
    )
    assert found["models_left"] == 6


def test_gt_12_an_advance_at_light_cover_needs_a_7() -> None:
    done = rolled(
        "shoot",
        {"models": 8, "action": "Advance", "die": "D8", "cover": "Light", "save_die": "D6"},
        *(8, 7, 6, 5, 4, 7, 2, 1),
        *(5, 5, 6),
    )
    found = told(done)
    assert (found["modifier"], found["hits"], found["damage"], found["stress_delta"]) == (-2, 3, 0, 0)


def test_gt_13_a_small_unit_in_heavy_cover_takes_three_off() -> None:
    done = rolled("shoot", {"models": 4, "die": "D12", "cover": "heavy", "small": True}, 8, 7, 12, 9)
    assert (told(done)["modifier"], done.outcome) == (-3, "3")


def test_gt_14_differently_named_sources_add_up() -> None:
    assert rolled("obscured-total", {"sources": ["Light cover", "Obscuring"]}).total == -2


def test_gt_15_the_same_name_counts_once() -> None:
    sources = [{"name": "Obscuring", "of": "Gas Thrower 1"}, {"name": "Obscuring", "of": "Gas Thrower 2"}]
    assert rolled("obscured-total", {"sources": sources}).total == -1
    assert rolled("shoot", {"models": 3, "die": "D6", "obscured": sources}, 5, 6, 6).outcome == "2"


def test_gt_16_heavy_cover_and_a_gas_thrower() -> None:
    done = rolled("shoot-modifiers", {"ctx": {"action": "Open Up", "cover": "heavy", "obscured": ["Obscuring"]}})
    assert (done.outcome, done.total) == ("-3", -3)
    assert [why for _, why in done.modifiers] == ["Heavy cover", "Obscured: Heavy cover", "Obscured: Obscuring"]


def test_gt_17_solid_cover_shifts_the_save() -> None:
    found = told(rolled("save", {"hits": 4, "save_die": "D6", "cover": "solid"}, 1, 4, 5, 8))
    assert (found["die"], found["saved"], found["damage"], found["stress_delta"]) == ("D8", 2, 2, 2)


def test_gt_18_a_d12_that_cannot_shift_gains_one() -> None:
    found = told(rolled("save", {"hits": 3, "save_die": "D12", "cover": "solid"}, 4, 3, 1))
    assert (found["die"], found["modifier"], found["saved"], found["damage"], found["stress_delta"]) == (
        "D12",
        1,
        1,
        2,
        2,
    )


def test_gt_19_solid_cover_and_dig_in() -> None:
    found = told(rolled("save", {"hits": 2, "save_die": "D8", "cover": "solid", "dug_in": True}, 4, 3))
    assert (found["die"], found["modifier"], found["damage"], found["stress_delta"]) == ("D12", 1, 1, 1)


def test_gt_20_a_token_discarded_before_the_save() -> None:
    done = rolled("save", {"hits": 3, "save_die": "D8", "stress": 2, "discard": True}, 5, 6, 1)
    assert (told(done)["damage"], told(done)["stress"], told(done)["stress_delta"]) == (2, 3, 2)
    assert ("-1", "Stress token discarded") in done.modifiers


def test_gt_21_points_of_both_players_on_one_roll() -> None:
    given = {"models": 4, "die": "D8", "tp": True, "opponent_tp": True, "shooter_stress": 1}
    done = rolled("shoot", given, 5, 6, 2, 12)
    assert (told(done)["die"], told(done)["modifier"], done.outcome) == ("D12", -1, "2")


@pytest.mark.parametrize(
    ("distance", "band", "die"),
    [(8, "short", "D12"), (8.5, "medium", "D8"), (24, "long", "D6"), (24.1, "out-of-range", None)],
)
def test_gt_22_a_band_reaches_as_far_as_it_says(distance: float, band: str, die: str | None) -> None:
    done = rolled("range-band", {"distance": distance, "weapon": RIFLE})
    assert (done.outcome, told(done).get("die")) == (band, die)


def test_gt_23_no_test_up_to_command() -> None:
    done = rolled("stress-test", {"command": 1, "stress": 1, "action": "Open Up"})
    assert (done.outcome, told(done)["stress"], told(done)["acts"]) == ("no-test", 1, True)


def test_gt_24_a_passed_test_takes_a_token_off() -> None:
    done = rolled("stress-test", {"command": 1, "stress": 2, "action": "open-up"}, 6)
    assert (done.outcome, done.total, told(done)["stress"]) == ("passes", 5, 1)


def test_gt_25_a_failed_test_leaves_the_tokens() -> None:
    done = rolled("stress-test", {"command": 2, "stress": 5}, 7)
    assert (done.outcome, done.total, told(done)["stress"], told(done)["acts"]) == ("fails", 4, 5, False)


@pytest.mark.parametrize("point", [{"tp": True}, {"tp": 1}, {"die": "D12"}, {"dice_mods": "d+1"}])
def test_gt_26_a_point_makes_the_test_possible(point: dict[str, object]) -> None:
    done = rolled("stress-test", {"command": 1, "stress": 5, **point}, 9)
    assert (done.outcome, done.total, told(done)["stress"]) == ("passes", 5, 4)
    assert shares("stress-test", {"command": 1, "stress": 5}) == {"fails": 1}


def test_gt_27_a_rally_without_a_stress_test() -> None:
    done = rolled("rally", {"command": 2, "stress": 3}, 3, 2, 1)
    assert (done.total, told(done)["stress"]) == (1, 2)
    assert rolled("stress-test", {"command": 2, "stress": 3, "action": "rally"}).outcome == "no-test"


def test_gt_28_a_rally_of_four_tokens() -> None:
    done = rolled("rally", {"command": 1, "stress": 4}, 4, 4, 6, 3)
    assert (told(done)["removed"], told(done)["stress"]) == (3, 1)


def test_gt_29_morale_removes_tokens_and_a_model() -> None:
    found = told(rolled("morale-check", {"command": 1, "stress": 3, "models": 6}, 4, 1, 3))
    assert (found["stress"], found["models"], found["models_lost"]) == (1, 5, 1)


def test_gt_30_morale_can_destroy_a_unit() -> None:
    done = rolled("morale-check", {"command": 2, "stress": 2, "models": 2}, 1, 1)
    found = told(done)
    assert (done.outcome, found["models"], found["destroyed"]) == ("destroyed", 0, True)
    assert (found["friends_stress"], found["friends_within"]) == (1, 6)


def test_gt_31_the_pool_grows() -> None:
    done = rolled("populate-pool", {"pool": 3, "command": 3, "commanders_on_table": 2}, 5, 2, 6)
    assert (done.total, told(done)["successes"], told(done)["gained"]) == (7, 2, 4)


def test_gt_32_the_pool_shrinks_at_the_end_of_the_turn() -> None:
    done = rolled("check-pool", {"pool": 5}, 5, 6, 4, 1, 3)
    assert (done.total, told(done)["discarded"]) == (2, 3)


def test_gt_33_a_tie_goes_to_the_side_that_went_without() -> None:
    done = rolled("roll-initiative", {"dice_a": 3, "dice_b": 2, "turn": 3, "last_winner": "A"}, 5, 6, 1, 5, 5)
    assert (done.outcome, told(done)["successes_a"], told(done)["successes_b"]) == ("B", 2, 2)


def test_gt_34_a_tie_on_the_first_turn_is_rolled_again() -> None:
    assert rolled("roll-initiative", {"dice_a": [5, 6, 1], "dice_b": [5, 5], "turn": 1}).outcome == "reroll"


def test_gt_35_the_bag_holds_a_chit_more_for_the_initiative() -> None:
    done = rolled("fill-bag", {"units_a": 5, "units_b": 4, "winner": "B"})
    assert (done.total, told(done)["A"], told(done)["B"], told(done)["fog"]) == (13, 5, 5, 3)


def test_gt_36_the_third_fog_ends_the_turn() -> None:
    drawn = ["A", "Fog", "B", "B", "Fog", "A", "Fog"]
    found = told(rolled("draw-chit", {"bag": {"A": 5, "B": 5, "Fog": 3}, "drawn": drawn}))
    assert (found["order"], found["ended"], found["undrawn"]) == (["A", "B", "B", "A"], True, 6)


@pytest.mark.parametrize(("face", "outcome", "react"), [(2, "short", False), (3, "contact", True)])
def test_gt_37_a_charge_over_ten(face: int, outcome: str, react: bool) -> None:
    done = rolled("charge-move", {"gap": 10}, face)
    assert (done.outcome, told(done)["may_react"], done.total) == (outcome, react, 5 + face)
    assert told(done)["moved"] == (8 if react else 0)


@pytest.mark.parametrize("face", range(1, 7))
def test_gt_38_a_charge_over_seven_always_arrives_and_nobody_reacts(face: int) -> None:
    done = rolled("charge-move", {"gap": 7}, face)
    assert (done.outcome, told(done)["moved"], told(done)["may_react"]) == ("contact", 5, False)
    assert rolled("charge-reaction", {"reaction": "brace", "gap": 7, "pool": 1}).outcome == "not-allowed"


def test_gt_39_a_point_carries_a_charge_over_fourteen() -> None:
    assert rolled("charge-move", {"gap": 14, "tp": True}, 7).outcome == "contact"
    assert rolled("charge-move", {"gap": 14, "d": 7, "die": "D8"}).outcome == "contact"
    assert shares("charge-move", {"gap": 14}) == {"short": 1}


def test_gt_40_a_round_of_melee() -> None:
    done = rolled(
        "melee-round",
        {
            "active": {"models": 6, "combat": "D8", "damage": 1, "save": "D6"},
            "defender": {"models": 5, "defence": "D6", "damage": 1, "save": "D6"},
        },
        *(4, 3, 8, 1, 5, 2),
        *(5, 6, 2, 1, 4),
        *(2, 6, 1),
        *(5, 3),
    )
    found = told(done)
    assert (found["hits_active"], found["hits_defender"]) == (3, 2)
    assert (found["damage_to_defender"], found["stress_defender"]) == (2, 2)
    assert (found["damage_to_active"], found["stress_active"]) == (1, 1)
    assert (done.outcome, found["winner"], found["removed"]) == ("win", "active", ["defender"])


def test_gt_41_damage_in_melee_is_that_of_the_statline() -> None:
    done = rolled(
        "melee-round",
        {
            "active": {"models": 2, "combat": "D12", "damage": 2, "save": "D6"},
            "defender": {"models": 3, "defence": "D6", "save": "D6", "wounds": 3},
        },
        *(12, 12),
        *(1, 1, 1),
        *(2, 3),
    )
    found = told(done)
    assert (found["damage_to_defender"], found["models_lost_defender"], found["recorded_defender"]) == (4, 1, 1)


def test_gt_42_equal_damage_is_another_round() -> None:
    done = rolled(
        "melee-result", {"damage_to_active": 1, "damage_to_defender": 1, "active_left": 4, "defender_left": 3}
    )
    assert (done.outcome, told(done)["another_round"]) == ("draw", True)
    assert rolled("melee-result", {"damage_to_active": 0, "damage_to_defender": 0}).outcome == "draw"


def test_gt_43_solid_cover_cancels_the_charge_and_helps_the_save() -> None:
    done = rolled(
        "melee-round",
        {
            "active": {"models": 3, "combat": "D8", "save": "D6"},
            "defender": {"models": 1, "defence": "D6", "save": "D6", "cover": "solid"},
        },
        *(5, 4, 6),
        1,
        *(4, 1),
    )
    found = told(done)
    assert (found["hits_active"], found["damage_to_defender"], found["stress_defender"]) == (2, 1, 2)


def test_gt_44_a_braced_charger_has_no_bonus() -> None:
    done = rolled("charge-reaction", {"reaction": "Brace", "pool": 1, "models": 2, "die": "D8"}, 4, 5)
    assert (told(done)["hits"], told(done)["pool"]) == (1, 0)
    sides = {
        "active": {"models": 2, "combat": "D8", "save": "D6"},
        "defender": {"models": 1, "defence": "D6", "save": "D6"},
    }
    assert told(rolled("melee-round", {**sides, "braced": True}, 4, 5, 1, 5))["hits_active"] == 1
    assert told(rolled("melee-round", sides, 4, 5, 1, 5, 5))["hits_active"] == 2


def test_gt_45_hold_and_shoot_uses_d6_and_the_charger_saves_on_a_bigger_die() -> None:
    given = {"reaction": "hold-and-shoot", "pool": 2, "models": 4, "die": "D12", "save_die": "D6", "gap": 9}
    found = told(rolled("charge-reaction", given, 5, 6, 3, 1, 4, 5))
    assert (found["hits"], found["damage"], found["stress_delta"], found["counts_in_melee"]) == (2, 1, 1, False)
    assert (found["pool"], found["melee"]) == (1, True)


def test_gt_46_damage_stays_on_one_profile() -> None:
    riflemen = told(rolled("allocate-damage", {"unit": SECTION, "damage": 3, "profile_choice": "Riflemen"}))
    assert riflemen["removed"] == {"Riflemen": 3}
    nco = told(rolled("allocate-damage", {"unit": SECTION, "damage": 3, "profile_choice": ["NCO", "Riflemen"]}))
    assert nco["removed"] == {"Riflemen": 2, "NCO": 1}


def test_gt_47_recorded_damage_counts() -> None:
    found = told(rolled("allocate-damage", {"unit": {"models": 2, "wounds": 3, "recorded_damage": 1}, "damage": 4}))
    assert (found["models_lost"], found["recorded"], found["models_left"]) == (1, 2, 1)


def test_gt_48_what_the_lighter_part_cannot_take_is_lost() -> None:
    found = told(rolled("allocate-damage", {"unit": {"models": 6}, "damage": 3, "models_there": 2}))
    assert (found["models_lost"], found["discarded"], found["models_left"]) == (2, 1, 4)


def test_gt_49_split_fire_is_two_attacks() -> None:
    groups = [{"target": {"name": "X"}, "models": 5}, {"target": {"name": "Y"}, "models": 3}]
    done = rolled("split-fire", {"die": "D8", "groups": groups}, 5, 1, 6, 2, 3, 8, 4, 4)
    assert (done.outcome, told(done)["hits"]) == ("2,1", [2, 1])
    for group in groups:
        group["save_die"] = "D6"
    done = rolled("split-fire", {"die": "D8", "groups": groups}, 5, 1, 6, 2, 3, 1, 6, 8, 4, 4, 2)
    assert (told(done)["damage"], told(done)["stress_delta"]) == ([1, 1], [2, 1])


def test_gt_50_the_token_comes_before_the_test() -> None:
    done = rolled(
        "start-activation", {"command": 1, "stress": 1, "coherent": False, "near_horror": False, "action": "Rally"}, 7
    )
    found = told(done)
    assert (done.outcome, done.total, found["stress"], found["forced_action"]) == ("passes", 6, 1, "advance")
    same = rolled("start-activation", {"unit": {"command": 1, "stress": 1}, "coherent": False}, 7)
    assert told(same)["stress"] == 1


def test_gt_51_a_unit_of_three_that_loses_one_is_small() -> None:
    assert rolled("is-small", {"unit": {"models": 3}}).outcome == "no"
    assert rolled("is-small", {"unit": {"models": 3}, "lost": 1}).outcome == "yes"
    assert rolled("shoot-modifiers", {"target_models": 2}).total == -1


def test_gt_52_a_third_chit_lets_a_unit_go_again() -> None:
    both = [{"name": "Rifles", "activated": True}, {"name": "MMG", "activated": True}]
    done = rolled("reactivation", {"units": both})
    assert (done.outcome, done.total) == ("yes", 2)
    assert rolled("reactivation", {"units": 2, "activated": 2}).outcome == "yes"
    assert rolled("reactivation", {"units": 2, "activated": 1}).outcome == "no"
    for unit in both:
        assert rolled("may-activate", {"unit": unit, "army": both}).outcome == "yes"
