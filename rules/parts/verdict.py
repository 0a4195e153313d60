"""The checker's verdict on a roster, and the limits of the next battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.force import FighterView
from rules.price import Price
from rules.problems import Problem

Scope = Literal["roster", "purchase", "fielding"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's answer. `left` is None where money is not checked."""

    problems: tuple[Problem, ...]
    rating: Price
    left: Price | None
    views: Mapping[str, FighterView] = field(default_factory=dict, hash=False)
    fielded: Price | None = None

    @property
    def legal(self) -> bool:
        """Return whether there are no errors; warnings do not count."""
        return not self.errors

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if not problem.warns)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the next battle: its number, threshold (ducats) and field strength (fighters); the rest as text."""

    battle: int
    threshold: int | None
    field_strength: int | None
    elite_cap: int | None = None
