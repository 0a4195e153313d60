"""What Gloom Trench's table understands, and what it refuses: never anything but a sentence."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rules.gloom_trench.resolvers.rules import RULES, rule_named
from rules.problems import Refusal
from tests.unit.rules.gloom import ASKED, rolled, shares, told

SIDE: dict[str, Any] = {"models": 2, "combat": "D8", "defence": "D6", "save": "D6"}


@pytest.mark.parametrize(
    ("rule", "given", "words"),
    [
        ("resolve-dice", {}, "base"),
        ("resolve-dice", {"base": "D10"}, r"\$\.base"),
        ("resolve-dice", {"base": "D6", "dice_mods": "x+1"}, "no modifier"),
        ("resolve-dice", {"base": "D6", "dice_mods": [1] * 30}, "At most 20"),
        ("resolve-dice", {"base": "D6", "colour": "red"}, "colour"),
        ("resolve-dice", {"base": "D6", "die": "D8"}, "No field is called `die`"),
        ("roll-vs-tn", {"die": "D6", "count": -1}, r"\$\.count"),
        ("roll-vs-tn", {"die": "D6", "modifier": 99}, r"\$\.modifier"),
        ("roll-vs-tn", {"die": "D6", "rolls": [7]}, "1 to 6"),
        ("roll-d3", {"d6": [0]}, "1 to 6"),
        ("stress-test", {"command": 1}, "Stress is not given"),
        ("stress-test", {"stress": 1}, "Command is not given"),
        ("stress-test", {"command": 1, "stress": -1}, r"\$\.stress"),
        ("stress-test", {"command": 0, "stress": 1, "rolls": [3, 4]}, "not asked for"),
        ("rally", {"command": 0, "stress": 3, "rolls": [3]}, "are left in `rolls`"),
        ("check-pool", {"pool": 101}, r"\$\.pool"),
        ("spend-tp", {"pool": 1, "purpose": "a cup of tea"}, "cup of tea"),
        ("spend-tp", {"pool": 1, "purpose": 9}, r"purpose"),
        ("starting-tp", {}, "No force"),
        ("models", {}, "No unit"),
        ("range-band", {"distance": 5, "weapon": {}}, "no range"),
        (
            "range-band",
            {
                "distance": 5,
                "weapon": {"short": {"max_range": 8, "die": "D8"}, "medium": {"max_range": 8, "die": "D6"}},
            },
            "does not reach beyond",
        ),
        ("range-band", {"distance": -1, "weapon": {"short": {"max_range": 8, "die": "D8"}}}, r"\$\.distance"),
        ("range-band", {"distance": {}, "weapon": {"short": {"max_range": 8, "die": "D8"}}}, "No distance"),
        ("attack-pool", {"models_with_los": 3}, "die is not given"),
        (
            "attack-pool",
            {"models_with_los": 3, "weapon": {"short": {"max_range": 8, "die": "D8"}}, "band": "long"},
            "no long range",
        ),
        ("shoot", {"die": "D8"}, "No models"),
        ("shoot", {"models": 1}, "die is not given"),
        ("shoot", {"models": 1, "die": "D8", "cover": "wet"}, r"\$\.cover"),
        ("shoot-stress", {"models": 1, "die": "D8"}, "Save is not given"),
        ("shoot-modifiers", {"tp": True}, "die is not given"),
        ("shoot-modifiers", {"crossed": ["light"], "crossed_choice": "heavy"}, "does not cross"),
        ("save", {"hits": 1}, "Save is not given"),
        ("save", {"hits": 1, "save_die": "D6", "discard": True, "stress": 0}, "cannot be discarded"),
        ("split-fire", {"groups": []}, "groups"),
        ("split-fire", {"models": 3, "die": "D8", "groups": [{"models": 2}, {"models": 2}]}, "told off"),
        ("allocate-damage", {"damage": 1}, "No unit"),
        ("allocate-damage", {"damage": -1, "unit": {"models": 1}}, r"\$\.damage"),
        ("allocate-damage", {"damage": 1, "unit": {"models": [{"name": "a"}]}, "profile_choice": "b"}, "called “b”"),
        ("allocate-damage", {"damage": 1, "unit": {"models": 2, "wounds": 2, "recorded_damage": 2}}, "are recorded"),
        ("charge-move", {}, "gap"),
        ("charge-move", {"gap": "far"}, r"\$\.gap"),
        ("charge-reaction", {"reaction": "run"}, r"\$\.reaction"),
        ("melee-round", {"active": SIDE}, "defender"),
        ("melee-round", {"active": SIDE, "defender": {"models": 2, "save": "D6"}}, r"\$\.defender\.defence"),
        ("melee-round", {"active": SIDE, "defender": {"models": 2, "defence": "D6"}}, r"\$\.defender\.save"),
        ("melee-round", {"active": SIDE, "defender": {**SIDE, "models": 0}}, "need a model"),
        ("melee", {"active": SIDE, "defender": {**SIDE, "models": 61}}, "At most 60"),
        ("roll-initiative", {"dice_a": 2}, "dice_b"),
        ("roll-initiative", {"dice_a": [7], "dice_b": 1}, "ends at 6"),
        ("fill-bag", {"units_a": 1, "units_b": 1, "winner": "C"}, r"\$\.winner"),
        ("draw-chit", {"bag": {"A": 1}}, "0 Fog"),
        ("draw-chit", {"bag": {"A": 1, "fog": 4}}, "4 Fog"),
        ("draw-chit", {"bag": {"A": 1, "fog": 3}, "drawn": ["B"]}, "is left in the bag"),
        ("draw-chit", {"bag": {"A": 1, "fog": 3}, "drawn": ["A", "Fog"]}, "has ended"),
        ("fog", {"chits": 3, "fog": 0}, r"\$\.fog"),
        ("reactivation", {"units": 2, "activated": 3}, "cannot have been"),
        ("morale-step", {"units": [{"name": "a", "command": 1, "stress": 1, "models": 1}] * 2}, "same name"),
        ("tea", {}, "No rule is called"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(rule: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        rolled(rule, given)


@pytest.mark.parametrize("junk", [None, True, "x", 3, [], {}, [None], {"a": {}}, 1e30, -1, "d+1, d+1"])
def test_no_field_of_any_rule_breaks_on_junk(junk: Any) -> None:
    assert set(ASKED) == set(RULES)
    for name, rule in RULES.items():
        for field in rule.data.__struct_encode_fields__:
            for call in (rolled, shares):
                with suppress(Refusal):
                    call(name, {**ASKED[name], field: junk})


@pytest.mark.parametrize("form", ["d8", "D8", " d8 "])
def test_dice_are_read_in_any_form(form: object) -> None:
    assert rolled("resolve-dice", {"base": form}).outcome == "D8+0"


@pytest.mark.parametrize(
    "form", ["d+1", "+1", 1, [1], ["d+1"], [{"modifier": 1, "why": "Drill"}], "d+1, d+1, d-1", [2, -1]]
)
def test_modifiers_are_read_in_any_form(form: object) -> None:
    assert rolled("resolve-dice", {"base": "D6", "dice_mods": form}).outcome == "D8+0"


def test_units_and_modifiers_may_be_told_in_objects() -> None:
    unit = {"name": "Rifles", "command": 1, "stress": 2, "models": [{"name": "Riflemen", "count": 7}, {"name": "NCO"}]}
    assert rolled("stress-test", {"unit": unit}, 6).outcome == "passes"
    assert told(rolled("stress-test", {"unit": unit}, 6))["stress"] == 1
    assert rolled("models", {"unit": unit}).total == 8
    assert rolled("save", {"hits": 1, "save_die": "D6", "cover": "Solid"}, 5).outcome == "0"
    assert (
        rolled("shoot", {"ctx": {"cover": "Heavy", "action": "Advance"}, "models": 1, "die": "D12"}, 8).outcome == "1"
    )
    groups = [{"name": "X", "models": 1, "die": "D8"}, {"name": "Y", "models": 1, "die": "D8"}]
    assert rolled("split-fire", {"groups": groups}, 8, 4).outcome == "1,0"
    assert rolled("shoot", {"models": 1, "die": "D8", "shooter_stress": True, "opponent_tp": True}, 5).outcome == "0"


def test_a_reaction_goes_by_models_of_one_side() -> None:
    held = {"reaction": "Hold and Shoot", "models": 4, "target": {"save": "D6", "models": 5}}
    assert rolled("charge-reaction", held, 5, 6, 3, 1, 4, 5).outcome == "1"
    braced = {"reaction": "brace", "models": 2, "die": "D8"}
    assert rolled("charge-reaction", braced, 4, 5).outcome == "1"
    assert rolled("charge-reaction", {"reaction": "brace"}).outcome == "brace"


def test_the_heavier_part_of_a_unit_bounds_no_losses() -> None:
    given = {"unit": {"models": 6}, "damage": 3, "models_there": 2}
    assert rolled("allocate-damage", {**given, "aimed_at": "heavier"}).total == 3
    assert rolled("allocate-damage", {**given, "aimed_at": "lighter"}).total == 2


def test_names_stand_for_units_profiles_and_sources() -> None:
    army = [{"name": "Rifles", "activated": True}, {"name": "MMG"}]
    assert rolled("may-activate", {"unit": {"name": "Rifles"}, "army": army}).outcome == "no"
    assert rolled("may-activate", {"unit": {"name": "MMG"}, "army": army}).outcome == "yes"
    assert rolled("allocate-damage", {"unit": {"models": 3}, "damage": 1, "profile_choice": "Rifles"}).total == 1
    assert rolled("obscured-total", {"sources": "Obscuring"}).total == -1


def test_friends_near_a_unit_shot_to_the_last_model_feel_it() -> None:
    found = told(rolled("shoot", {"models": 1, "die": "D12", "target": {"models": 1, "save": "D6"}}, 12, 2))
    assert (found["destroyed"], found["friends_stress"], found["friends_within"]) == (True, 1, 6)


def test_a_direction_may_be_an_arrow() -> None:
    found = told(rolled("scatter", {"point": {"x": 10, "y": 10}, "direction": [1, 0], "distance": 4}))
    assert (found["x"], found["y"], found["direction"]) == (14, 10, 90)
    with pytest.raises(Refusal, match="two numbers"):
        rolled("scatter", {"direction": [0, 0], "distance": 4})


def test_natural_results_may_stand_in_the_input() -> None:
    assert rolled("roll-vs-tn", {"die": "D8", "modifier": -1, "rolls": [1, 5, 6, 8]}).outcome == "2"
    assert rolled("stress-test", {"command": 1, "stress": 2, "roll": 6}).outcome == "passes"
    assert (
        shares("stress-test", {"command": 1, "stress": 2, "roll": 6})["passes"]
        == shares("stress-test", {"command": 1, "stress": 2})["passes"]
    )


def test_every_rule_tells_its_input_and_where_it_stands() -> None:
    assert len(RULES) > 45
    for rule in RULES.values():
        assert rule.source.startswith("Core rules")
        assert json.loads(json.dumps(rule.told()))["input"]
    with pytest.raises(Refusal, match="resolve-dice"):
        rule_named("chess")


def console(*args: str) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command(*args, stdout=out, stderr=io.StringIO())
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_the_console_asks_the_same_rules() -> None:
    asked = json.dumps({"command": 1, "stress": 2})
    status, out = console("resolve", "gloom-trench", "stress-test", "--input", asked, "--dice", "6")
    assert (status, json.loads(out)["outcome"]) == (0, "passes")
    status, out = console("odds", "gloom-trench", "stress-test", "--input", asked)
    assert (status, json.loads(out)["outcomes"]) == (0, {"fails": "5/8", "passes": "3/8"})
    status, out = console("resolve", "gloom-trench", "--list")
    assert {rule["rule"] for rule in json.loads(out)["rules"]} == set(RULES)


@pytest.mark.parametrize("dice", ["", "6,6", "9", "0", "x"])
def test_the_console_refuses_dice_that_do_not_fit(dice: str) -> None:
    asked = json.dumps({"command": 1, "stress": 2})
    assert console("resolve", "gloom-trench", "stress-test", "--input", asked, "--dice", dice)[0] == 2
