"""What is forgiven of a console input beyond its schema, what is refused, and with which sentence, in all three games."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rules.gloom_trench.resolvers.rules import RULES as GLOOM
from rules.problems import Refusal
from rules.trench_crusade.resolvers.rules import RULES as CRUSADE
from rules.trench_too_far.resolvers.rules import RULES as TOO_FAR

GAMES = {"trench-crusade": CRUSADE, "gloom-trench": GLOOM, "trench-too-far": TOO_FAR}


@pytest.mark.parametrize(
    ("game", "rule", "given", "same"),
    [
        # Case, blanks and hyphens of enum words.
        ("trench-crusade", "attack", {"kind": "Melee"}, {"kind": "melee"}),
        ("trench-crusade", "charge", {"bonus_die": "d3"}, {"bonus_die": "D3"}),
        ("gloom-trench", "stress-test", {"action": "Take that Ground"}, {"action": "take-that-ground"}),
        ("gloom-trench", "attack-pool", {"weapon": "d8"}, {"weapon": "D8"}),
        ("trench-too-far", "movement", {"type": "Heavy_Infantry"}, {"type": "heavy-infantry"}),
        ("trench-too-far", "shock", {"traits": ["Close order"]}, {"traits": ["close-order"]}),
        # Fields beside the one nested object that has them.
        ("trench-crusade", "injury", {"tough": True, "armour": -1}, {"armour": -1, "target": {"tough": True}}),
        ("trench-crusade", "attack", {"caught": [{"tough": True}]}, {"caught": [{"target": {"tough": True}}]}),
        ("trench-crusade", "jump", {"drop": 6, "armour": -2}, {"drop": 6, "injury": {"armour": -2}}),
        ("trench-crusade", "ledge", {"height": 6, "shield": -1}, {"height": 6, "injury": {"shield": -1}}),
        (
            "trench-crusade", "dangerous-terrain", {"keywords": ["GAS"], "target": {"golem": True}},
            {"keywords": ["GAS"], "injury": {"target": {"golem": True}}},
        ),
        ("gloom-trench", "range-band", {"distance": 5, "die": "D8"}, {"distance": 5, "weapon": {"die": "D8"}}),
        ("trench-too-far", "tolerance", {"bases": 3}, {"platoon": {"bases": 3}}),
        ("trench-too-far", "tolerance", {"platoon": {"bases": 3}, "order": "Defend"}, {"platoon": {"bases": 3, "order": "defend"}}),
        ("trench-too-far", "fire", {"bases": 3, "target": {"bases": 4}}, {"platoon": {"bases": 3}, "target": {"bases": 4}}),
        # Names that the specification has for a parameter; the list states them.
        ("gloom-trench", "stress-test", {"roll": 4}, {"rolls": 4}),
        ("gloom-trench", "models", {"u": {"models": 3}}, {"unit": {"models": 3}}),
        ("gloom-trench", "shoot-modifiers", {"ctx": {"cover": "heavy"}}, {"cover": "heavy"}),
        ("trench-too-far", "tolerance", {"platoon": {"bases": 3}, "ctx": {"order": "defend"}}, {"platoon": {"bases": 3, "order": "defend"}}),
        ("trench-too-far", "begin-activation", {"company": {"disrupted": True}}, {"disrupted": True}),
        # What a unit is follows from its weapon.
        ("trench-too-far", "assault-reception", {"weapon": "HMG"}, {"defender": {"weapon": "hmg", "type": "hmg"}}),
        ("trench-too-far", "assault-dice", {"bases": [{"weapon": "sniper"}]}, {"side": {"bases": [{"weapon": "sniper"}], "type": "sniper"}}),
        # Fields that the rules of Trench Crusade share may stand where they change nothing.
        ("trench-crusade", "success", {"armour": 0, "bloodbath": False, "target": {}, "base_dice": 2, "dice": 1}, {"dice": 1}),
        ("trench-crusade", "dash", {"risky": False, "keywords": []}, {"risky": False}),
    ],
)  # fmt: skip
def test_an_input_is_read_as_its_schema_has_it(
    game: str, rule: str, given: dict[str, Any], same: dict[str, Any]
) -> None:
    assert GAMES[game][rule].read(given) == GAMES[game][rule].read(same)


@pytest.mark.parametrize(
    ("game", "rule", "given", "words"),
    [
        ("trench-crusade", "attack", {"kind": "thrown"}, r"“thrown” .* \(at \$\.kind\)\. Known: melee, ranged\."),
        ("trench-crusade", "success", {"armour": -1}, r"No field is called `armour` \(at \$\)\. Known: dice, modifiers,"),
        ("trench-crusade", "success", {"bloodbath": True}, "bloodbath"),
        ("trench-crusade", "survival", {"dice": 1}, r"`dice` \(at \$\)\. Known: none"),
        ("trench-crusade", "injury", {"target": {"colour": "red"}}, r"`colour` \(at \$\.target\)"),
        ("trench-crusade", "injury", {"down": True, "target": {"down": False}}, r"`down` is given twice \(at \$\.target\)"),
        ("trench-crusade", "injury", {"down": True, "target": 3}, r"belongs into an object `target`"),
        ("trench-crusade", "attack", {"tough": True}, r"`tough` may belong into `friend` or `target` \(at \$\)"),
        ("trench-crusade", "attack", {"attacks": [{"type": "melee"}]}, r"`type` \(at \$\.attacks\[0\]\)"),
        ("gloom-trench", "resolve-dice", {"base": "D10"}, r"“D10” .* \(at \$\.base\)\. Known: D6, D8, D12\."),
        ("gloom-trench", "shoot-modifiers", {"ctx": 3}, r"`ctx` is an object \(at \$\.ctx\)"),
        ("gloom-trench", "stress-test", {"roll": 3, "rolls": 4}, "`rolls` is given twice"),
        ("trench-too-far", "assault-round", {"bases": 3}, "`bases` may belong into `attacker` or `defender`"),
        ("trench-too-far", "morale-test", {"quality": "Steady (4+)"}, r"\$\.quality\)\. Known: .*steady"),
        ("trench-too-far", "morale-test", {"quality": "steady", "roll": 7}, r"Expected `int` <= 6 \(at \$\.roll\)"),
        ("trench-too-far", "morale-test", {}, r"missing required field `quality` \(at \$\)"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_schema_is_refused_with_the_field_and_what_is_allowed(
    game: str, rule: str, given: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        GAMES[game][rule].read(given)
    with pytest.raises(CommandError, match=words) as refused:
        call_command("resolve", game, rule, "--input", json.dumps(given), "--seed", "1", stdout=io.StringIO())
    assert refused.value.returncode == 2


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("junk", [None, True, "x", 3, 1e30, [], {}, [None], [[]], {"a": {}}, "é" * 300])
def test_junk_in_any_field_is_read_or_refused(game: str, junk: Any) -> None:
    for rule in GAMES[game].values():
        for field in rule.told()["input"]["properties"]:
            with suppress(Refusal):
                rule.read({field: junk})


@pytest.mark.parametrize("game", GAMES)
def test_a_list_states_the_names_of_the_specification_with_the_type_of_their_field(game: str) -> None:
    for rule in GAMES[game].values():
        fields = rule.told()["input"]["properties"]
        for name, field in rule.data.also_called.items():
            assert fields[name] == (fields[field] if field else {"type": "object"})
