"""The table of Gloom Trench 1926 for tests: one call that resolves with typed dice, one for exact odds, readings as a table chooses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.gloom_trench.table.rules import odds, resolve_typed
from rules.table.roller import Resolved


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
