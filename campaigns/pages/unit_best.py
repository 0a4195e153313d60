"""Which units answer a unit best: every way to attack it, at each distance, by exact odds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rules.game import GameContent
from rules.parts.unit_attacks import UnitAttacksPart, UnitOdds, UnitWay
from rules.problems import Refusal
from rules.tracker.state import TableState

DISTANCE = "distance"


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    """A unit with what its attacks on a target come to, the best way first: (way, what it comes to).

    `way` and `distance` are those of the best one.
    """

    unit: str
    lines: tuple[tuple[str, str], ...]
    rank: tuple[Fraction, Fraction]
    way: str
    distance: str = ""


def unit_answers(
    part: UnitAttacksPart[GameContent], content: GameContent, table: TableState, units: Iterable[str], target: str
) -> list[UnitAnswer]:
    """Return what each of these units does to a target with its usual answers, who does most first. No queries."""
    found = [answer for unit in units if (answer := _answer(part, content, table, unit, target)) is not None]
    return sorted(found, key=lambda answer: answer.rank, reverse=True)


def _answer(
    part: UnitAttacksPart[GameContent], content: GameContent, table: TableState, unit: str, target: str
) -> UnitAnswer | None:
    ways = []
    for way in part.ways(content, table, unit, target):
        if way.key == "hold":
            continue  # only an answer to a charge
        tried = _tried(part, content, table, unit, target, way)
        if tried:
            best = max(tried, key=lambda one: one[2].harm)
            told = "; ".join(f"{label}: {odds.short}" if label else odds.short for _stop, label, odds in tried)
            ways.append((best[2].harm, way, best[0], told))
    if not ways:
        return None
    ways.sort(key=lambda one: one[0], reverse=True)
    rank, way, distance, _told = ways[0]
    return UnitAnswer(unit, tuple((each.name, told) for _rank, each, _stop, told in ways), rank, way.key, distance)


def _tried(
    part: UnitAttacksPart[GameContent], content: GameContent, table: TableState, unit: str, target: str, way: UnitWay
) -> list[tuple[str, str, UnitOdds]]:
    """Return the odds of a way at each of its distances: the distance, its words, the odds. Those out of range are left out."""
    asks = part.asks(content, table, unit, target, way.key)
    stops = next((each.options for each in asks if each.key == DISTANCE), (("", ""),))
    found: list[tuple[str, str, UnitOdds]] = []
    for stop, label in stops:
        try:
            odds = part.odds(content, table, unit, target, way.key, {DISTANCE: stop} if stop else {})
        except Refusal:
            continue
        if found and found[-1][2].short == odds.short:
            found.pop()  # nothing changes up to here, so the farther distance stands for both
        found.append((stop, label, odds))
    return found
