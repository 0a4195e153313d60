"""Parameters by the names of the specification, its worked examples, and what the list of rules states."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice import TypedDice
from rules.gloom_trench.game import SYSTEM
from rules.gloom_trench.resolvers.rules import RULES, rule_named
from rules.problems import Refusal
from tests.unit.rules.gloom import ASKED, rolled, shares, told

SIDE: dict[str, Any] = {"models": 2, "combat": "D8", "defence": "D6", "save": "D6"}


@pytest.mark.parametrize(
    ("rule", "given", "outcome"),
    [
        ("models", {"u": {"models": [{"name": "Riflemen", "count": 7}, {"name": "NCO"}]}}, "8"),
        ("is-small", {"u": {"models": 2}}, "yes"),
        ("is-small", {"u": {"models": 5, "small": True}}, "yes"),
        ("is-small", {"u": {"models": 2, "small": False}}, "yes"),  # two models are small without the keyword
        ("unit-command", {"u": {"command": 1, "models": [{"count": 7}, {"command": 2}]}}, "2"),
        ("force-command", {"f": {"units": [{"command": 1}, {"command": 3}]}}, "3"),
        ("starting-tp", {"f": {"units": [{"command": 3}], "formation": 1}}, "4"),
        ("chits", {"f": {"units": [{"command": 1}, {"command": 3}]}, "initiative": True}, "3"),
    ],
)
def test_derived_values_take_the_parameters_of_section_1_3(rule: str, given: dict[str, Any], outcome: str) -> None:
    assert rolled(rule, given).outcome == outcome


def test_a_weapon_may_state_its_die_alone_where_the_range_does_not_matter() -> None:
    held = {"reaction": "Hold and Shoot", "models": 4, "weapon": {"die": "D12"}, "target": {"save": "D6"}}
    done = rolled("charge-reaction", held, 5, 6, 3, 1, 4, 5)
    assert (done.outcome, told(done)["hits"], told(done)["die"]) == ("1", 2, "D6")
    assert rolled("shoot", {"models": 2, "weapon": {"die": "D12"}}, 12, 4).outcome == "1"


def test_gt_15_and_44_in_the_open_is_no_cover() -> None:
    assert rolled("shoot-modifiers", {"ctx": {"cover": "none"}}).total == 0
    assert rolled("shoot-modifiers", {"cover": "heavy", "action": "Open Up"}).total == -2


def test_gt_13_the_target_may_say_itself_that_it_is_small() -> None:
    done = rolled("shoot", {"models": 4, "die": "D12", "target": {"cover": "heavy", "small": True}}, 8, 7, 12, 9)
    assert (done.outcome, told(done)["modifier"], told(done)["need"]) == ("3", -3, 8)
    assert rolled("shoot-modifiers", {"target": {"small": False}}).total == 0


@pytest.mark.parametrize(
    ("words", "purpose", "effect"),
    [
        (1, "own-roll", ("dice_mod", 1)),
        ("Own roll", "own-roll", ("dice_mod", 1)),
        ("opponent roll", "opponent-roll", ("roll_mod", -1)),
        (3, "unit-order", ("orders", 1)),
        ("Take that Ground", "take-that-ground", ("die", "D8")),
        (5, "charge", ("die", "D8")),
        (6, "brace", ("pool", 2)),
        ("Hold and Shoot", "hold-and-shoot", ("pool", 2)),
    ],
)
def test_a_point_is_spent_on_what_section_2_2_lists(words: object, purpose: str, effect: tuple[str, object]) -> None:
    done = rolled("spend-tp", {"pool": 3, "purpose": words})
    assert (done.outcome, done.total, told(done)[effect[0]]) == (purpose, 2, effect[1])


def test_gt_09_rolls_may_say_how_many_dice_are_typed_or_repeat_them() -> None:
    given = {"die": "D8", "modifier": -1}
    for rolls in (4, [1, 5, 6, 8]):
        assert rolled("roll-vs-tn", {**given, "rolls": rolls}, 1, 5, 6, 8).outcome == "2"
    assert rolled("stress-test", {"command": 1, "stress": 2, "roll": 6}, 6).outcome == "passes"
    with pytest.raises(Refusal, match="already"):
        rolled("roll-vs-tn", {**given, "rolls": [1, 5]}, 6, 8)


def test_in_odds_a_number_of_rolls_is_a_number_of_dice() -> None:
    assert len(shares("roll-vs-tn", {"die": "D6", "modifier": 1, "rolls": 3})) == 4
    for wrong in (0, -3, 101):
        with pytest.raises(Refusal, match="1 to 100"):
            shares("roll-vs-tn", {"die": "D6", "rolls": wrong})


def test_gt_44_brace_may_stand_as_the_reaction_of_the_melee() -> None:
    given = {"active": SIDE, "defender": {**SIDE, "models": 1}}
    assert told(rolled("melee-round", {**given, "reaction": "Brace for Melee"}, 4, 5, 1, 2))["hits_active"] == 1
    assert told(rolled("melee-round", {**given, "charge": True}, 4, 5, 1, 2, 2))["hits_active"] == 2


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({"unit": {"leader_alive": False, "commander_distance": 5, "tactics_range": 6}}, "yes"),
        ({"unit": {"leader_alive": False, "commander_distance": 7, "tactics_range": 6}}, "no"),
        (
            {
                "unit": {"leader_alive": False},
                "commanders": [{"distance": 7, "tactics_range": 6}, {"distance": 3, "tactics_range": 4}],
            },
            "yes",
        ),
        ({"unit": {"leader_alive": False}, "commanders": [{"distance": 7, "tactics_range": 6}]}, "no"),
        ({"unit": {"keywords": ["Commander"], "commander_distance": 9, "tactics_range": 6}}, "yes"),
    ],
)
def test_unit_orders_reach_as_far_as_a_commanders_tactics(given: dict[str, Any], allowed: str) -> None:
    assert rolled("may-use-orders", given).outcome == allowed


def test_the_damage_of_one_failed_save_is_told() -> None:
    given = {"hits": 2, "save_die": "D6", "damage": 2}
    assert told(rolled("save", given, 1, 2))["damage_each"] == 1  # Saving Throws: one, whatever the attacker's Damage
    assert told(rolled("save", {**given, "melee": True}, 1, 2))["damage_each"] == 2


def test_a_word_that_is_no_choice_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refusal, match=r"D10.*at \$\.base.*D6, D8, D12"):
        rolled("resolve-dice", {"base": "D10"})
    with pytest.raises(Refusal, match=r"at \$\.weapon\.short\.die"):
        rolled("range-band", {"distance": 3, "weapon": {"short": {"max_range": 8, "die": "D10"}}})
    assert rolled("spend-tp", {"pool": 2, "purpose": "own-roll", "sign": -1}).effect("dice_mod") == -1


# The functions of the specification with their parameters, sections 1.3 and 2.1 to 2.12.
PARAMETERS = {
    "resolve-dice": "base dice_mods roll_mods locked", "roll-vs-tn": "die modifier rolls", "p-success": "die m",
    "roll-d3": "d6", "roll-d2": "d6", "scatter": "point direction distance", "models": "u", "is-small": "u",
    "unit-command": "u", "force-command": "f", "chits": "f", "starting-tp": "f force",
    "populate-pool": "pool command rolls commanders_on_table", "check-pool": "pool rolls", "spend-tp": "pool purpose",
    "coherent": "unit gaps", "start-activation": "unit near_horror coherent action",
    "stress-test": "command stress roll die", "rally": "command stress rolls", "may-use-orders": "unit",
    "may-activate": "unit army", "range-band": "distance weapon", "attack-pool": "models_with_los weapon band",
    "shoot-modifiers": "ctx", "obscured-total": "sources", "split-fire": "groups",
    "save": "hits save_die dice_mods roll_mods rolls", "allocate-damage": "unit damage profile_choice",
    "charge-move": "gap d die", "melee-result": "damage_to_active damage_to_defender",
    "morale-check": "command stress rolls", "roll-initiative": "dice_a dice_b turn last_winner",
    "fill-bag": "units_a units_b winner", "draw-chit": "bag",
}  # fmt: skip


@pytest.mark.parametrize(("rule", "names"), PARAMETERS.items())
def test_the_list_shows_every_parameter_by_the_name_the_specification_uses(rule: str, names: str) -> None:
    schema = rule_named(rule).told()["input"]
    assert set(names.split()) <= set(schema["properties"])
    assert set(schema.get("required", ())) <= set(schema["properties"])


@pytest.mark.parametrize("rule", RULES)
def test_every_schema_stands_for_itself_and_its_references_lead_somewhere(rule: str) -> None:
    schema = rule_named(rule).told()["input"]
    assert schema["type"] == "object"
    found: list[Any] = [schema]
    for each in found:
        if isinstance(each, dict) and isinstance(each.get("$ref"), str):
            place: Any = schema
            for step in each["$ref"].removeprefix("#/").split("/"):
                place = place[step]
            assert place
        if isinstance(each, dict):
            assert "\n" not in str(each.get("description", ""))
        found += each.values() if isinstance(each, dict) else each if isinstance(each, list) else []


@pytest.mark.parametrize("rule", [name for name, rule in RULES.items() if rule.outcomes])
def test_outcomes_that_are_listed_are_all_there_are(rule: str) -> None:
    assert set(shares(rule, ASKED[rule])) <= set(RULES[rule].outcomes)


def test_a_rule_is_found_however_its_name_is_written_and_a_long_one_is_not_repeated() -> None:
    assert rule_named("Roll_vs_TN").name == rule_named(" roll vs tn ").name == "roll-vs-tn"
    with pytest.raises(Refusal) as refused:
        rule_named("x" * 5000)
    assert len(str(refused.value)) < 1000


def test_gt_12_a_target_told_as_obscured_in_light_cover_is_obscured_once() -> None:
    totals = {
        cover: rolled("shoot-modifiers", {"cover": cover, "obscured": True}).total
        for cover in ("none", "light", "heavy", "solid")
    }
    assert totals == {"none": -1, "light": -1, "heavy": -2, "solid": -2}
    assert rolled("shoot-modifiers", {"cover": "light", "obscured": ["Obscuring"]}).total == -2


@pytest.mark.parametrize("rule", ["melee-round", "melee"])
def test_2_10_a_melee_needs_models_on_both_sides_at_both_doors(rule: str) -> None:
    for side in ("active", "defender"):
        given = {"active": SIDE, "defender": SIDE, side: {**SIDE, "models": 0}}
        with pytest.raises(Refusal, match="need a model"):
            rolled(rule, given)
        with pytest.raises(Refusal, match="need a model"):
            shares(rule, given)


def test_2_10_no_further_round_follows_where_neither_side_can_score() -> None:
    stuck = {**SIDE, "roll_mods": -9}
    done = rolled("melee-round", {"active": stuck, "defender": stuck}, 1, 2, 3, 4)
    assert (told(done)["stalemate"], told(done)["another_round"]) == (True, False)
    assert done.told.endswith("neither can hurt the other.")


def test_2_10_a_round_without_a_chance_is_no_stalemate_where_the_next_has_one() -> None:
    # Points of the enemy count in this round alone.
    side = {"models": 1, "combat": "D6", "defence": "D6", "save": "D6", "stress": 1, "roll_mods": -1}
    given = {"active": {**side, "opponent_tp": 1}, "defender": {**side, "opponent_tp": 1}, "charge": False}
    done = rolled("melee-round", given, 6, 6)
    assert ("stalemate" in told(done), told(done)["another_round"]) == (False, True)


CLUBS = [
    ("resolve-dice", {"base": "D8", "dice_mods": [1, -1]}, (), "GT-A02-opposite-dice-modifiers", "first-shifts", "D8+0", "D12-1"),
    ("unit-command", {"u": {"command": 1, "models": [{"count": 7}, {"command": 2}]}}, (), "GT-A08-unit-command", "most-models", "2", "1"),
    ("may-activate", {"activated": True, "army": [True]}, (), "GT-A10-second-activation", "never", "yes", "no"),
    ("charge-move", {"gap": 8}, (1,), "GT-A24-distance-dice", "rule-of-one", "contact", "short"),
    ("coherent", {"unit": {"models": 2}, "gaps": [{"nearest": 1, "leader": 7}, {"nearest": 1, "leader": 0}]}, (), "GT-A28-leader-of-a-unit", "squads-only", "no", "yes"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "given", "dice", "key", "option", "plainly", "otherwise"), CLUBS)
def test_house_rules_of_a_campaign_reach_the_table(
    rule: str, given: dict[str, Any], dice: tuple[int, ...], key: str, option: str, plainly: str, otherwise: str
) -> None:
    for house_rules, outcome in ((None, plainly), ({"readings": {key: option}}, otherwise)):
        content = SYSTEM.content("core", (), house_rules)
        assert SYSTEM.resolvers.resolve(content, rule, given, TypedDice(dice)).outcome == outcome


@pytest.mark.parametrize("option", ["banana", "", 1, True, ["nominated"], {"nominated": 1}])
def test_a_reading_that_is_no_option_is_refused_by_name(option: object) -> None:
    with pytest.raises(Refusal, match="GT-A28-leader-of-a-unit"):
        SYSTEM.content("core", (), {"readings": {"GT-A28-leader-of-a-unit": option}})


@pytest.mark.parametrize(
    ("ctx", "total"),
    [
        ({"advance": True, "cover": "light"}, -2),
        ({"die": "D8", "tp": 1, "opponent_tp": 1, "shooter_stress": True}, -1),
        ({"small": True, "roll_mods": [1]}, 0),
        ({"crossed": ["solid"]}, -1),
        ({"die": "D6", "dice_mods": ["d-1"]}, -1),
    ],
)
def test_2_6_the_context_of_a_shot_may_stand_in_an_object_of_its_own(ctx: dict[str, Any], total: int) -> None:
    assert rolled("shoot-modifiers", {"ctx": ctx}).total == total


def test_2_6_the_band_of_a_pool_may_stand_there_itself() -> None:
    weapon = {"short": {"max_range": 8, "die": "D12"}, "medium": {"max_range": 16, "die": "D8"}, "dice_per_model": 2}
    band = {"max_range": 16, "die": "D8"}
    for given in ({"weapon": weapon, "band": band}, {"weapon": weapon, "band": "medium"}):
        done = rolled("attack-pool", {"models_with_los": 3, **given})
        assert (done.total, told(done)["die"]) == (6, "D8")
    assert rolled("attack-pool", {"models_with_los": 3, "band": band}).told == "3 D8."


def test_1_1_a_unit_is_found_in_its_army_by_its_name() -> None:
    army = [{"name": "U1", "activated_count": 1}, {"name": "U2", "activated_count": 0}]
    assert rolled("may-activate", {"unit": {"name": "U1"}, "army": army}).outcome == "no"
    assert rolled("may-activate", {"unit": {"name": "U2"}, "army": [{"name": "U2"}]}).outcome == "yes"
    activated = [{"name": name, "activated": True} for name in ("U1", "U2")]
    assert rolled("may-activate", {"unit": {"name": "U1"}, "army": activated}).outcome == "yes"
    assert rolled("reactivation", {"units": activated}).outcome == "yes"
    mixed = {"models": [{"name": "Riflemen", "count": 8}, {"name": "NCO", "count": 1}]}
    done = rolled("allocate-damage", {"unit": mixed, "damage": 3, "profile_choice": "NCO"})
    assert told(done)["removed"] == {"NCO": 1, "Riflemen": 2}


@pytest.mark.parametrize("near", [True, False])
def test_2_5_a_commander_near_enough_may_be_told_as_such(near: bool) -> None:
    unit = {"leader_alive": False, "commander_near": near}
    assert rolled("may-use-orders", {"unit": unit}).outcome == ("yes" if near else "no")
    assert rolled("may-use-orders", {"leader_alive": False, "commander_near": near}).outcome == (
        "yes" if near else "no"
    )
