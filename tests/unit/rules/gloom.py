"""The table of Gloom Trench 1926 for tests: one call that resolves with typed dice, one for exact odds, readings as a table chooses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.gloom_trench.resolvers.rules import odds, resolve_typed
from rules.resolvers.roller import Resolved


@dataclass(frozen=True)
class Played:
    """Content as far as the table needs it."""

    readings: Mapping[str, str] = field(default_factory=dict)


def rolled(rule: str, given: Mapping[str, Any], *dice: int, **readings: str) -> Resolved:
    """A rule with exactly these dice. Readings by key, hyphens as underscores."""
    return resolve_typed(Played(keys(readings)), rule, given, dice)


def shares(rule: str, given: Mapping[str, Any], **readings: str) -> dict[str, Fraction]:
    """The exact odds by outcome."""
    return odds(Played(keys(readings)), rule, given).outcomes


def keys(readings: Mapping[str, str]) -> dict[str, str]:
    """GT_A03_points_per_roll as GT-A03-points-per-roll."""
    return {key.replace("_", "-"): option for key, option in readings.items()}


def told(done: Resolved) -> dict[str, Any]:
    """All effects as one table."""
    return {name: each for effect in done.effects for name, each in effect.items()}


_SIDE = {"combat": "D8", "defence": "D6", "save": "D6"}
FEW: dict[str, Any] = {"active": {**_SIDE, "models": 5}, "defender": {**_SIDE, "models": 2}}
_WEAPON = {"short": {"max_range": 8, "die": "D12"}, "medium": {"max_range": 16, "die": "D8"}}
_UNITS = [{"name": "a", "models": 3, "command": 1}]
# An input for every rule that rolls, and below for every other.
ROLLING: dict[str, dict[str, Any]] = {
    "roll-vs-tn": {"die": "D6", "count": 3}, "roll-d3": {}, "roll-d2": {}, "scatter": {"point": {"x": 1, "y": 1}, "distance": "D3"},
    "populate-pool": {"command": 2}, "check-pool": {"pool": 2}, "start-activation": {"command": 0, "stress": 1},
    "stress-test": {"command": 0, "stress": 1}, "rally": {"command": 0, "stress": 2}, "morale-check": {"command": 0, "stress": 2},
    "morale-losses": {"command": 0, "stress": 2}, "morale-stress": {"command": 0, "stress": 2},
    "morale-step": {"units": [{"name": "a", "command": 1, "stress": 2, "models": 2}]}, "take-that-ground": {},
    "shoot": {"models": 2, "die": "D6"}, "shoot-hits": {"models": 2, "die": "D6"},
    "shoot-stress": {"models": 2, "die": "D6", "save_die": "D6"}, "shoot-losses": {"models": 2, "die": "D6", "save_die": "D6"},
    "split-fire": {"die": "D6", "groups": [{"models": 2}]}, "save": {"hits": 2, "save_die": "D6"},
    "save-stress": {"hits": 2, "save_die": "D6"}, "charge-move": {"gap": 9},
    "charge-reaction": {"reaction": "hold-and-shoot", "models": 2, "save_die": "D6", "die": "D6"},
    "melee-round": FEW, "melee": FEW, "roll-initiative": {"dice_a": 1, "dice_b": 1}, "initiative": {"dice_a": 1, "dice_b": 1},
    "draw-chit": {"bag": {"A": 1, "B": 1, "fog": 3}}, "fog": {"chits": 3},
}  # fmt: skip
ASKED: dict[str, dict[str, Any]] = ROLLING | {
    "resolve-dice": {"base": "D6"}, "p-success": {"die": "D6"}, "models": {"models": 3}, "is-small": {"models": 3},
    "unit-command": {"unit": _UNITS[0]}, "force-command": {"units": _UNITS}, "starting-tp": {"units": _UNITS}, "chits": {"units": 3},
    "spend-tp": {"pool": 2, "purpose": "charge"}, "coherent": {"gaps": [{"nearest": 1, "leader": 2}, {"nearest": 1, "leader": 3}]}, "may-use-orders": {"active": True},
    "may-activate": {"activated": True, "army": [True]}, "reactivation": {"units": 2, "activated": 1},
    "range-band": {"distance": 5, "weapon": _WEAPON}, "attack-pool": {"models": 3, "die": "D6"}, "shoot-modifiers": {"die": "D6"},
    "obscured-total": {"sources": ["Smoke"]}, "allocate-damage": {"unit": {"models": 3}, "damage": 2},
    "melee-result": {"damage_to_active": 1, "damage_to_defender": 2}, "fill-bag": {"units_a": 1, "units_b": 2},
    "chit-drawn": {"mine": 1, "theirs": 1},
}  # fmt: skip
