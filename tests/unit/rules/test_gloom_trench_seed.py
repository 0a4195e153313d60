"""Every number of the core rules text of Gloom Trench 1926, under the heading where it stands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.problems import Refusal
from tests.unit.rules.gloom import rolled, shares, told

SIDES: dict[str, Any] = {
    "active": {"models": 4, "combat": "D8", "save": "D6"},
    "defender": {"models": 4, "defence": "D8", "save": "D6"},
}


# Squad Leader
@pytest.mark.parametrize(
    ("nearest", "leader", "outcome"),
    [(2, 6, "yes"), (2.1, 6, "no"), (2, 6.1, "no"), (0, 0, "yes"), (1, None, "yes")],
)
def test_squad_leader_two_mu_to_another_model_and_six_to_the_leader(
    nearest: float, leader: float | None, outcome: str
) -> None:
    gaps = [{"nearest": 1, "leader": 1}, {"nearest": nearest, "leader": leader}]
    assert rolled("coherent", {"gaps": gaps}).outcome == outcome


def test_squad_leader_one_model_alone_is_in_coherency() -> None:
    assert rolled("coherent", {"unit": {"models": 1}, "gaps": []}).outcome == "yes"
    assert rolled("coherent", {"gaps": [{"nearest": 9, "leader": 9}]}).outcome == "yes"


def test_squad_leader_out_of_coherency_brings_a_token_and_an_advance() -> None:
    found = told(rolled("start-activation", {"command": 2, "stress": 0, "coherent": False, "action": "charge"}))
    assert (found["tokens"], found["stress"], found["forced_action"], found["action"]) == (1, 1, "advance", "advance")


# Random Direction
def test_random_direction_d6_inches_and_lost_off_the_table() -> None:
    on = rolled(
        "scatter",
        {"point": {"x": 10, "y": 10}, "direction": 90, "distance": "D6", "table": {"width": 48, "height": 48}},
        4,
    )
    assert (on.outcome, told(on)["x"], told(on)["y"]) == ("on-table", 14, 10)
    off = rolled(
        "scatter",
        {"point": {"x": 45, "y": 10}, "direction": 90, "distance": "D6", "table": {"width": 48, "height": 48}},
        4,
    )
    assert (off.outcome, told(off)["lost"]) == ("lost", True)


@pytest.mark.parametrize(("die", "face", "degrees"), [("D8", 2, 90), ("D12", 3, 90), ("D12", 12, 0), ("D8", 4, 180)])
def test_random_direction_by_a_d8_or_a_d12(die: str, face: int, degrees: int) -> None:
    done = rolled("scatter", {"point": {"x": 10, "y": 10}, "direction": die, "distance": 2}, face)
    assert told(done)["direction"] == degrees


# Dice
@pytest.mark.parametrize(("face", "three", "two"), [(1, 1, 1), (2, 1, 1), (3, 2, 1), (4, 2, 2), (5, 3, 2), (6, 3, 2)])
def test_dice_d3_rounds_up_and_d2_halves(face: int, three: int, two: int) -> None:
    assert rolled("roll-d3", {}, face).outcome == str(three)
    assert rolled("roll-d2", {}, face).outcome == str(two)
    assert shares("roll-d3", {}) == {"1": Fraction(1, 3), "2": Fraction(1, 3), "3": Fraction(1, 3)}
    assert shares("roll-d2", {}) == {"1": Fraction(1, 2), "2": Fraction(1, 2)}


# Target Number
@pytest.mark.parametrize("die", ["D6", "D8", "D12"])
def test_target_number_five_or_more(die: str) -> None:
    for face in range(2, int(die[1:]) + 1):
        assert rolled("roll-vs-tn", {"die": die}, face).outcome == str(int(face >= 5))


# Roll Modifiers
def test_roll_modifiers_plus_two_makes_a_four_a_six() -> None:
    assert rolled("roll-vs-tn", {"die": "D6", "modifier": 2}, 4, 3, 2).outcome == "2"


# Dice Modifiers
@pytest.mark.parametrize(
    ("base", "change", "told_die", "modifier"),
    [
        ("D8", ["d+1"], "D12", 0), ("D8", ["d-1"], "D6", 0), ("D6", ["d+1"], "D8", 0), ("D12", ["d-1"], "D8", 0),
        ("D8", ["d+1", "d+1"], "D12", 1), ("D6", ["d-1"], "D6", -1), ("D6", ["d+1", "d+1"], "D8", 1),
        ("D6", ["d+1", "d+1", "d+1"], "D8", 2), ("D12", ["d+1", "d+1"], "D12", 2), ("D8", ["d-1", "d-1"], "D6", -1),
    ],
)  # fmt: skip
def test_dice_modifiers_one_step_and_the_rest_converted(
    base: str, change: list[str], told_die: str, modifier: int
) -> None:
    done = rolled("resolve-dice", {"base": base, "dice_mods": change})
    assert (told(done)["die"], done.total) == (told_die, modifier)


# Rule of One
@pytest.mark.parametrize("die", ["D6", "D8", "D12"])
def test_rule_of_one_on_every_die_with_plus_six(die: str) -> None:
    assert rolled("roll-vs-tn", {"die": die, "modifier": 6}, 1).outcome == "0"
    assert rolled("roll-vs-tn", {"die": die, "modifier": 6}, 2).outcome == "1"
    assert rolled("p-success", {"die": die, "m": 6}).outcome == str(Fraction(int(die[1:]) - 1, int(die[1:])))


# Activation Bag; Fog of War Chits
def test_activation_bag_a_chit_for_each_unit_and_three_of_fog() -> None:
    assert rolled("fill-bag", {"units_a": 4, "units_b": 6}).total == 13
    assert rolled("chits", {"units": 4}).total == 4
    assert rolled("chits", {"force": {"units": [{"models": 3}, {"models": 0}, {"destroyed": True}]}}).total == 1


def test_fog_of_war_is_set_aside_until_the_third() -> None:
    bag = {"A": 1, "B": 1, "fog": 3}
    assert rolled("draw-chit", {"bag": bag}, 5, 4, 1).outcome == "A"
    assert rolled("draw-chit", {"bag": bag}, 5, 4, 3).outcome == "ends"
    found = told(rolled("draw-chit", {"bag": bag}, 5, 4, 3))
    assert (found["fog_drawn"], found["undrawn"], found["activations"]) == (3, 2, 0)


# Tactical Pool
def test_tactical_pool_begins_with_the_highest_command() -> None:
    units = [{"command": 1}, {"command": 3, "keywords": ["Commander"]}, {"command": 2}]
    assert rolled("starting-tp", {"force": {"units": units}}).total == 3
    assert rolled("starting-tp", {"force": {"units": units, "formation": {"bonus_tactical_points": 2}}}).total == 5
    assert rolled("starting-tp", {"force_command": 3, "formation": 1}).total == 4
    assert rolled("force-command", {"units": units[:1]}).total == 1


# Generating Tactical Points
def test_generating_tactical_points_one_a_success_and_one_a_commander() -> None:
    assert rolled("populate-pool", {"pool": 0, "command": 2, "commanders_on_table": 1}, 5, 4).total == 2
    assert rolled("populate-pool", {"pool": 4, "command": 0, "commanders_on_table": 0}).total == 4


# Spending Tactical Points
@pytest.mark.parametrize(
    ("purpose", "effect"),
    [
        ("own-roll", {"dice_mod": 1}), ("opponent-roll", {"roll_mod": -1}), ("unit-order", {"orders": 1}),
        ("take-that-ground", {"die": "D8", "dice_mod": 1}), ("charge", {"die": "D8", "dice_mod": 1}), ("brace", {}),
        ("hold-and-shoot", {}), (1, {"dice_mod": 1}), ("Hold and Shoot", {}), ("Take that Ground", {"die": "D8"}),
    ],
)  # fmt: skip
def test_spending_tactical_points_takes_one(purpose: object, effect: dict[str, object]) -> None:
    found = told(rolled("spend-tp", {"pool": 3, "purpose": purpose, "stress": 1}))
    assert (found["pool"], found["spent"]) == (2, 1)
    assert effect.items() <= found.items()


def test_spending_tactical_points_needs_one_and_a_stressed_unit_against_an_opponent() -> None:
    with pytest.raises(Refusal, match="empty"):
        rolled("spend-tp", {"pool": 0, "purpose": "own-roll"})
    with pytest.raises(Refusal, match="no Stress"):
        rolled("spend-tp", {"pool": 2, "purpose": "opponent-roll", "stress": 0})
    with pytest.raises(Refusal, match="no Stress"):
        rolled("shoot", {"models": 1, "die": "D8", "opponent_tp": True, "shooter_stress": 0}, 3)


def test_spending_tactical_points_what_is_left_is_rolled_for_on_d6() -> None:
    assert shares("check-pool", {"pool": 1}) == {"0": Fraction(2, 3), "1": Fraction(1, 3)}
    assert rolled("check-pool", {"pool": 0}).total == 0


# Roll for Initiative
def test_roll_for_initiative_goes_to_more_successes() -> None:
    assert (
        rolled("roll-initiative", {"dice_a": 3, "dice_b": 2, "turn": 2, "last_winner": "B"}, 5, 6, 1, 6, 2).outcome
        == "A"
    )
    assert rolled("roll-initiative", {"dice_a": 1, "dice_b": 2}, 4, 6, 2).outcome == "B"
    assert rolled("roll-initiative", {"dice_a": 1, "dice_b": 1, "turn": 2, "last_winner": "B"}, 4, 4).outcome == "A"


# Activating Units
def test_activating_units_not_again_unless_all_others_have_been() -> None:
    fresh, spent = {"name": "a", "activated": False}, {"name": "b", "activated": True}
    assert rolled("may-activate", {"unit": fresh, "army": [fresh, spent]}).outcome == "yes"
    assert rolled("may-activate", {"unit": spent, "army": [fresh, spent]}).outcome == "no"
    assert (
        rolled("may-activate", {"unit": spent, "army": [spent, {"name": "c", "activated_count": 1}]}).outcome == "yes"
    )
    assert rolled("may-activate", {"unit": spent, "army": [{"name": "c", "models": 0}]}).outcome == "yes"
    assert rolled("may-activate", {"unit": {"models": 0}, "army": []}).outcome == "no"


# Actions
def test_advance_takes_one_off_the_attack() -> None:
    assert rolled("shoot-modifiers", {"action": "Advance", "die": "D8"}).outcome == "D8-1"
    assert rolled("shoot-modifiers", {"action": "Open Up", "die": "D8"}).outcome == "D8+0"


def test_take_that_ground_five_and_a_d6() -> None:
    assert rolled("take-that-ground", {}, 4).total == 9
    assert rolled("take-that-ground", {"tp": True}, 8).total == 13
    assert shares("take-that-ground", {}) == {str(5 + face): Fraction(1, 6) for face in range(1, 7)}


def test_charge_adds_one_to_the_melee_of_the_active_unit_only() -> None:
    done = rolled("melee-round", SIDES, 4, 4, 4, 3, 4, 4, 4, 4, 5, 5, 5)
    assert (told(done)["hits_active"], told(done)["hits_defender"]) == (3, 0)
    plain = rolled("melee-round", {**SIDES, "charge": False}, 4, 4, 4, 3, 4, 4, 4, 4)
    assert told(plain)["hits_active"] == 0


def test_dig_in_adds_one_to_saves_until_the_next_activation() -> None:
    assert rolled("save", {"hits": 2, "save_die": "D6", "dug_in": True}, 4, 3).outcome == "1"
    assert rolled("save", {"hits": 1, "save_die": "D6", "melee": True, "dug_in": True}, 4).outcome == "0"
    assert told(rolled("start-activation", {"command": 1, "stress": 0}))["dug_in"] is False


def test_rally_a_d6_for_each_token_with_command() -> None:
    assert rolled("rally", {"command": 0, "stress": 2}, 5, 4).total == 1
    assert rolled("rally", {"command": 6, "stress": 2}, 1, 2).total == 1
    assert rolled("rally", {"command": 3, "stress": 0}).total == 0


# Unit Orders
@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ({"active": True, "leader_alive": True}, "yes"),
        ({"active": False, "leader_alive": True}, "no"),
        ({"active": True, "leader_alive": False}, "no"),
        ({"active": True, "leader_alive": False, "commander_distance": 6, "tactics_range": 6}, "yes"),
        ({"active": True, "leader_alive": False, "commander_distance": 6.1, "tactics_range": 6}, "no"),
        ({"active": True, "leader_alive": True, "pool": 0}, "no"),
        ({"unit": {"active": True, "models": [{"name": "NCO", "keywords": ["Squad Leader"]}]}}, "yes"),
        ({"unit": {"active": True, "models": [{"name": "NCO", "count": 0, "keywords": ["Squad Leader"]}]}}, "no"),
    ],
)
def test_unit_orders_ask_for_a_leader_or_a_commander_near(given: dict[str, Any], outcome: str) -> None:
    assert rolled("may-use-orders", given).outcome == outcome


# Shooting
def test_shooting_a_die_for_each_model_that_sees_the_target() -> None:
    weapon = {"short": {"max_range": 8, "die": "D12"}, "medium": {"max_range": 16, "die": "D8"}}
    done = rolled("attack-pool", {"models_with_los": 6, "weapon": weapon, "band": "medium"})
    assert (done.total, told(done)["die"]) == (6, "D8")
    mixed = rolled("attack-pool", {"groups": [{"models": 5, "die": "D8"}, {"models": 1, "die": "D12"}]})
    assert (mixed.total, told(mixed)["pools"]) == (6, [[5, "D8"], [1, "D12"]])
    both = rolled("shoot", {"groups": [{"models": 2, "die": "D8"}, {"models": 1, "die": "D12"}]}, 8, 4, 12)
    assert both.outcome == "2"
    assert rolled("shoot", {"models": 6, "weapon": weapon, "distance": 17}).outcome == "out-of-range"


def test_shooting_a_discarded_token_takes_one_off_the_save() -> None:
    assert rolled("save", {"hits": 1, "save_die": "D6", "stress": 1, "discard": True}, 5).outcome == "1"
    with pytest.raises(Refusal, match="0 Stress tokens"):
        rolled("save", {"hits": 1, "save_die": "D6", "stress": 0, "discard": True}, 5)


# Splitting Fire
def test_splitting_fire_between_two_units_at_most() -> None:
    groups = [{"name": name, "models": 2, "die": "D8"} for name in ("X", "Y", "Z")]
    with pytest.raises(Refusal, match="two units at most"):
        rolled("split-fire", {"groups": groups}, 1, 1, 1, 1, 1, 1)
    assert (
        rolled("split-fire", {"groups": [*groups[:2], {**groups[0], "die": "D12"}]}, 8, 1, 8, 8, 1, 2).outcome
        == "1,2,0"
    )


# Small Units
@pytest.mark.parametrize(("models", "small"), [(1, "yes"), (2, "yes"), (3, "no")])
def test_small_units_have_two_models_or_fewer(models: int, small: str) -> None:
    assert rolled("is-small", {"models": models}).outcome == small
    assert rolled("shoot-modifiers", {"target": {"models": models}}).total == (-1 if small == "yes" else 0)
    assert rolled("is-small", {"unit": {"models": 5, "keywords": ["Small Unit"]}}).outcome == "yes"


# Melee (the charge)
def test_melee_a_charge_within_two_mu_or_not_at_all() -> None:
    assert [rolled("charge-move", {"gap": gap}, 6).outcome for gap in (13, 13.1)] == ["contact", "short"]
    assert told(rolled("charge-move", {"gap": 14}, 6))["moved"] == 0


@pytest.mark.parametrize(("gap", "react"), [(7, False), (7.1, True), (2, False), (1, False)])
def test_melee_a_reaction_to_more_than_five_mu(gap: float, react: bool) -> None:
    assert told(rolled("charge-move", {"gap": gap}, 6))["may_react"] is react


def test_melee_what_was_really_moved_counts() -> None:
    assert told(rolled("charge-move", {"gap": 7, "moved": 6}, 3))["may_react"] is True
    with pytest.raises(Refusal, match="5 to 8 MU"):
        rolled("charge-move", {"gap": 7, "moved": 9}, 3)


# Hold and Shoot
def test_hold_and_shoot_d6_and_a_bigger_save_die_and_no_part_of_the_melee() -> None:
    given = {
        "reaction": "hold-and-shoot", "pool": 1, "moved": 6, "models": 3, "dice_mods": "d+1",
        "weapon": {"short": {"max_range": 12, "die": "D12"}}, "distance": 6, "target": {"save": "D12", "models": 3, "wounds": 1, "stress": 1},
    }  # fmt: skip
    done = rolled("charge-reaction", given, 4, 6, 2, 4, 3)
    found = told(done)
    assert (done.steps[0].effect("die"), done.steps[0].effect("modifier")) == ("D6", 1)
    assert (found["hits"], found["damage"], found["models_left"], found["stress"]) == (2, 1, 2, 2)
    gone = rolled("charge-reaction", given, 5, 6, 4, 2, 3, 1)
    assert (told(gone)["destroyed"], told(gone)["melee"]) == (True, False)
    assert rolled("charge-reaction", {**given, "pool": 0}).outcome == "not-allowed"


# Fighting in Melee
def test_fighting_in_melee_both_move_a_d3() -> None:
    done = rolled("melee-round", {**SIDES, "moves": True}, 5, 2, *(1,) * 8)
    assert [step.total for step in done.steps[:2]] == [3, 1]


def test_fighting_in_melee_both_saves_are_made_and_both_lose_models() -> None:
    done = rolled("melee-round", SIDES, 8, 8, 1, 1, 8, 1, 1, 1, 2, 2, 3)
    found = told(done)
    assert (found["active_left"], found["defender_left"], done.outcome) == (3, 2, "win")


def test_fighting_in_melee_models_with_their_own_statline_roll_their_own_die() -> None:
    active = {
        **SIDES["active"],
        "models": [{"name": "Rifle", "count": 1}, {"name": "NCO", "count": 1, "combat": "D12"}],
    }
    done = rolled("melee-round", {**SIDES, "active": active}, 4, 12, 1, 1, 1, 1, 5, 5)
    assert told(done)["hits_active"] == 2


# Drawn Melee; Remove Losing Unit
def test_drawn_melee_goes_on_with_the_models_left() -> None:
    one = {
        "active": {"models": 2, "combat": "D8", "save": "D6"},
        "defender": {"models": 2, "defence": "D8", "save": "D6"},
    }
    done = rolled("melee", one, *(8, 1), *(8, 1), 2, 2, *(8,), *(2,), 2)
    assert (done.outcome, done.total, told(done)["removed"]) == ("win", 2, ["defender"])


@pytest.mark.parametrize(
    ("to_active", "to_defender", "left", "outcome"),
    [
        (1, 2, (3, 3), "win"), (2, 1, (3, 3), "lose"), (2, 2, (3, 3), "draw"), (2, 2, (1, 0), "win"), (2, 2, (0, 1), "lose"),
        (2, 2, (0, 0), "both-gone"), (3, 5, (0, 2), "both-gone"), (5, 3, (2, 0), "both-gone"), (5, 3, (0, 2), "lose"),
    ],
)  # fmt: skip
def test_remove_losing_unit(to_active: int, to_defender: int, left: tuple[int, int], outcome: str) -> None:
    given = {
        "damage_to_active": to_active,
        "damage_to_defender": to_defender,
        "active_left": left[0],
        "defender_left": left[1],
    }
    assert rolled("melee-result", given).outcome == outcome


def test_remove_losing_unit_counts_as_destroyed_for_its_friends() -> None:
    found = told(rolled("melee-result", {"damage_to_active": 0, "damage_to_defender": 1}))
    assert (found["friends_stress"], found["friends_within"], found["removed"]) == (1, 6, ["defender"])


# Shooting and Cover
@pytest.mark.parametrize(
    ("cover", "attack", "die"), [("none", 0, "D8"), ("light", -1, "D8"), ("heavy", -2, "D8"), ("solid", -1, "D12")]
)
def test_shooting_and_cover(cover: str, attack: int, die: str) -> None:
    assert rolled("shoot-modifiers", {"cover": cover}).total == attack
    found = told(rolled("save", {"hits": 1, "save_die": "D8", "cover": cover}, 5))
    assert (found["die"], found["modifier"]) == (die, 0)


def test_shooting_and_cover_one_cover_counts() -> None:
    assert rolled("shoot-modifiers", {"cover": "light", "crossed": ["heavy", "solid"]}).total == -1
    crossed = {"crossed": ["light", "heavy"]}
    assert rolled("shoot-modifiers", {**crossed, "crossed_choice": "heavy"}).total == -2
    assert rolled("shoot-modifiers", {"crossed": ["light"]}).total == -1
    with pytest.raises(Refusal, match="defender picks"):
        rolled("shoot-modifiers", crossed)


# Melee and Cover
@pytest.mark.parametrize(
    ("cover", "attack", "save"), [("none", 1, 0), ("light", 1, 0), ("heavy", 1, 1), ("solid", 0, 1)]
)
def test_melee_and_cover(cover: str, attack: int, save: int) -> None:
    done = rolled("melee-round", {**SIDES, "cover": cover}, 8, 1, 1, 1, 1, 1, 1, 1, 6)
    hit, _, saved, _ = done.steps
    assert (hit.effect("modifier"), saved.effect("modifier"), saved.effect("die")) == (attack, save, "D6")


# Saving Throws
def test_saving_throws_one_damage_each_and_one_token_for_any_ones() -> None:
    found = told(rolled("save", {"hits": 4, "save_die": "D6", "damage": 3}, 1, 1, 2, 5))
    assert (found["damage"], found["stress_delta"]) == (3, 2)
    assert told(rolled("save", {"hits": 0, "save_die": "D6"}))["stress_delta"] == 0
    assert rolled("save", {"hits": 2, "save_die": "D6", "melee": True, "damage": 3}, 1, 2).outcome == "6"


# Obscured
def test_obscured_stacks_by_the_name_of_the_rule() -> None:
    def total(*names: str) -> int | None:
        return rolled("obscured-total", {"sources": list(names)}).total

    assert total("Light cover", "Obscuring") == -2
    assert total("Obscuring", "obscuring ") == -1
    assert total("Light cover", "Heavy cover") == -1
    assert (total(), total("Solid cover"), total("Smoke", "Obscuring", "Light cover")) == (0, 0, -3)


# Removing Models; Mixed units
def test_removing_models_records_what_is_too_little() -> None:
    found = told(rolled("allocate-damage", {"unit": {"models": 3, "wounds": 2}, "damage": 1}))
    assert (found["models_lost"], found["recorded"]) == (0, 1)
    found = told(rolled("allocate-damage", {"unit": {"models": 3, "wounds": 2, "recorded_damage": 1}, "damage": 1}))
    assert (found["models_lost"], found["recorded"]) == (1, 0)


def test_mixed_units_use_up_a_profile_before_the_next() -> None:
    unit = {"models": [{"name": "Riflemen", "count": 2}, {"name": "NCO"}]}
    found = told(rolled("allocate-damage", {"unit": unit, "damage": 3, "profile_choice": "Riflemen"}))
    assert (found["removed"], found["destroyed"]) == ({"Riflemen": 2, "NCO": 1}, True)
    tough = {"models": [{"name": "Crew", "count": 2, "wounds": 2}, {"name": "Gun", "count": 1, "wounds": 3}],
             "recorded_damage": 1, "recorded_on": "Gun"}  # fmt: skip
    found = told(rolled("allocate-damage", {"unit": tough, "damage": 3, "profile_choice": "Crew"}))
    assert (found["removed"], found["recorded"], found["recorded_on"]) == ({"Gun": 1}, 1, "Crew")


def test_mixed_units_use_the_highest_command_left() -> None:
    rifles = {"models": [{"name": "Riflemen", "count": 7, "command": 1}, {"name": "NCO", "count": 1, "command": 2}]}
    assert rolled("unit-command", {"unit": rifles}).total == 2
    rifles["models"][1]["count"] = 0
    assert rolled("unit-command", {"unit": rifles}).total == 1


# Stress
@pytest.mark.parametrize(("horror", "tokens"), [(True, 1), (4, 1), (4.1, 0), (False, 0)])
def test_stress_within_four_mu_of_horror(horror: object, tokens: int) -> None:
    assert told(rolled("start-activation", {"command": 3, "stress": 0, "near_horror": horror}))["stress"] == tokens


def test_stress_for_coherency_and_horror_together() -> None:
    given = {"command": 2, "stress": 1, "coherent": False, "near_horror": True}
    found = told(rolled("start-activation", given, 6))
    assert (found["tokens"], found["stress"], found["test_needed"]) == (2, 2, True)


def test_stress_of_an_attack_without_saves() -> None:
    given = {
        "models": 3,
        "die": "D8",
        "ignores_saves": True,
        "obscured": ["Obscuring"],
        "cover": "heavy",
        "target_models": 5,
    }
    found = told(rolled("shoot", given, 6, 5, 7))
    assert (found["modifier"], found["hits"], found["damage"], found["stress_delta"]) == (-1, 2, 2, 2)
    tough = told(rolled("shoot", {**given, "wounds": 3}, 6, 5, 7))
    assert (tough["models_lost"], tough["stress_delta"]) == (0, 1)


# Stress Test
@pytest.mark.parametrize(("stress", "outcome"), [(0, "no-test"), (2, "no-test"), (3, "passes")])
def test_stress_test_only_above_command(stress: int, outcome: str) -> None:
    dice = (6,) if stress > 2 else ()
    assert rolled("stress-test", {"command": 2, "stress": stress}, *dice).outcome == outcome


def test_stress_test_a_natural_1_fails() -> None:
    assert rolled("stress-test", {"command": 9, "stress": 10, "roll_mods": 6}, 1).outcome == "fails"


# Morale
def test_morale_a_d8_with_command_for_each_token() -> None:
    found = told(rolled("morale-check", {"command": 0, "stress": 2, "models": 3}, 5, 4))
    assert (found["stress"], found["models"]) == (1, 3)
    assert rolled("morale-check", {"command": 1, "stress": 0}).outcome == "no-check"
    assert told(rolled("morale-check", {"command": 9, "stress": 1, "models": 3}, 1))["models_lost"] == 1
