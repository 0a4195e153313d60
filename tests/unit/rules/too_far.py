"""A Trench Too Far in tests: one rule with its dice, or its odds, by the readings named."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rules.resolvers.roller import Resolved
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.common import Readings, TroopOdds


def read_as(**readings: str) -> Readings:
    """Content with readings: shock_scope="attack" for shock-scope."""
    return Readings(tuple(sorted((key.replace("_", "-"), option) for key, option in readings.items())))


def roll(rule: str, *faces: int, by: Readings | None = None, **given: Any) -> Resolved:
    """Resolve a rule with exactly these dice."""
    return rules.resolve_typed(by or Readings(), rule, given, faces)


def odds(rule: str, by: Readings | None = None, **given: Any) -> dict[str, Fraction]:
    """The odds of each outcome."""
    return dict(full_odds(rule, by, **given).outcomes)


def full_odds(rule: str, by: Readings | None = None, **given: Any) -> TroopOdds:
    """The odds with what stands beside them."""
    found = rules.odds(by or Readings(), rule, given)
    assert isinstance(found, TroopOdds)
    return found
