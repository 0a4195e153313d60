"""Exact odds of any rule: the rule is run for every possible result of the dice, each with its fraction.

Nothing is simulated. Sums of kept dice come from icepool. `Explorer` answers a rule's questions with one representative
for each row of the chart that a roll can reach, and the rule is run again for every other row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Any, TypeVar

import icepool

from rules.problems import Refusal
from rules.resolvers.roller import DiceThrow, Pool, Resolved, Roller
from rules.translation import gettext

MOST_RUNS = 20_000
_T = TypeVar("_T")


@lru_cache(maxsize=512)
def totals(
    base: int, net: int, sixes: int = 0, turned: bool = False, lowered: bool = False, flawed: bool = False
) -> tuple[tuple[int, Fraction], ...]:
    """The totals of a pool with their chances, lowest first. The arguments are those of `Pool`."""
    if turned or lowered or flawed:
        pool_ = Pool(base, net, sixes, turned, lowered, flawed)
        ordered = icepool.d6.pool(pool_.dice)
        found: dict[int, Fraction] = {}
        for faces, weight in ordered.expand().items():
            total = pool_.total(faces)
            found[total] = found.get(total, Fraction(0)) + Fraction(weight, ordered.denominator())
        return tuple(sorted(found.items()))
    dice = [icepool.d6] * (base + abs(net) - sixes) + [icepool.Die([6])] * sixes
    pool = icepool.Pool(dice) if sixes else icepool.d6.pool(len(dice))
    kept = pool.highest(base) if net >= 0 else pool.lowest(base)
    die = kept.sum()
    whole = die.denominator()
    return tuple((int(total), Fraction(weight, whole)) for total, weight in die.items())


@lru_cache(maxsize=4096)
def rows(pool: Pool, cuts: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
    """For every row between the cuts that a pool can reach: one of its totals, and the chance of the row."""
    found: dict[int, tuple[int, Fraction]] = {}
    for total, chance in totals(pool.base, pool.net, pool.sixes, pool.turned, pool.lowered, pool.flawed):
        row = sum(total >= cut for cut in cuts)
        known = found.get(row)
        found[row] = (known[0], known[1] + chance) if known else (total, chance)
    return tuple(found.values())


@lru_cache(maxsize=256)
def faces(sides: int, cuts: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
    """The same for one die; every face where nothing cuts."""
    if not cuts:
        return tuple((face, Fraction(1, sides)) for face in range(1, sides + 1))
    found: dict[int, tuple[int, Fraction]] = {}
    for face in range(1, sides + 1):
        row = sum(face >= cut for cut in cuts)
        known = found.get(row)
        found[row] = (known[0], known[1] + Fraction(1, sides)) if known else (face, Fraction(1, sides))
    return tuple(found.values())


@lru_cache(maxsize=1024)
def many_faces(count: int, sides: int, cuts: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """For every way in which like dice can share themselves out over the rows: a representative, and its chance."""
    ways = faces(sides, cuts)
    found: list[tuple[tuple[int, ...], Fraction]] = []
    for shares in _shares(count, len(ways)):
        chance = Fraction(factorial(count))
        shown: list[int] = []
        for share, (face, each) in zip(shares, ways, strict=True):
            chance *= each**share / factorial(share)
            shown += [face] * share
        found.append((tuple(shown), chance))
    return tuple(found)


def _shares(count: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _shares(count - first, parts - 1):
            yield (first, *rest)


@lru_cache(maxsize=1024)
def binomial(count: int, each: Fraction) -> tuple[Fraction, ...]:
    """The odds of 0, 1, ... `count` successes."""
    return tuple(comb(count, k) * each**k * (1 - each) ** (count - k) for k in range(count + 1))


@lru_cache(maxsize=1024)
def successes(*groups: tuple[int, Fraction]) -> tuple[Fraction, ...]:
    """The odds of 0, 1, ... successes of several groups of dice together, each a number of dice and the odds of one."""
    total = sum((count @ icepool.coin(each.numerator, each.denominator) for count, each in groups), icepool.Die([0]))
    dice = sum(count for count, _ in groups)
    return tuple(Fraction(total.quantity(k), total.denominator()) for k in range(dice + 1))


class Explorer:
    """Answers a rule's questions along one path of results, and finds the next path that was not taken yet."""

    def __init__(self) -> None:
        self._way: list[int] = []
        self._ways: list[int] = []
        self._place = 0
        self.chance = Fraction(1)

    def pool(self, pool: Pool, why: str, cuts: tuple[int, ...]) -> DiceThrow:
        return DiceThrow(self._take(rows(pool, cuts)))

    def die(self, sides: int, why: str, cuts: tuple[int, ...] = ()) -> int:
        return self._take(faces(sides, cuts))

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        return self._take(many_faces(count, sides, cuts)) if count else ()

    def _take(self, ways: tuple[tuple[_T, Fraction], ...]) -> _T:
        if self._place == len(self._way):
            self._way.append(0)
            self._ways.append(len(ways))
        value, chance = ways[self._way[self._place]]
        self.chance *= chance
        self._place += 1
        return value

    def turn(self) -> bool:
        """Go back to the beginning and take the next way. False when all have been gone."""
        while self._way and self._way[-1] + 1 == self._ways[-1]:
            self._way.pop()
            self._ways.pop()
        self._place, self.chance = 0, Fraction(1)
        if not self._way:
            return False
        self._way[-1] += 1
        return True


@dataclass
class Odds:
    """The exact distribution of a rule: the chance of each outcome, of each number of markers of either kind that it
    gives, and of each number of BLOOD MARKERS that it leaves on whoever rolls (`own`).
    """

    outcomes: dict[str, Fraction] = field(default_factory=dict)
    blood: dict[int, Fraction] = field(default_factory=dict)
    infection: dict[int, Fraction] = field(default_factory=dict)
    own: dict[int, Fraction] = field(default_factory=dict)

    def add(self, outcome: str, blood: int, chance: Fraction, infection: int = 0, own: int = 0) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, Fraction(0)) + chance
        self.blood[blood] = self.blood.get(blood, Fraction(0)) + chance
        self.infection[infection] = self.infection.get(infection, Fraction(0)) + chance
        self.own[own] = self.own.get(own, Fraction(0)) + chance

    def document(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "outcomes": {name: str(chance) for name, chance in self.outcomes.items()},
            "percent": {name: round(float(chance) * 100, 4) for name, chance in self.outcomes.items()},
        }
        told_counts = (
            ("blood_markers", self.blood),
            ("infection_markers", self.infection),
            ("own_blood_markers", self.own),
        )
        for name, counts in told_counts:
            if set(counts) - {0}:
                told[name] = {str(count): str(chance) for count, chance in sorted(counts.items())}
        return told


def every_way(resolve: Callable[[Roller], Resolved]) -> Iterator[tuple[Resolved, Fraction]]:
    """Every way a rule can go, with its chance. Raises Refusal where there are too many, or a rule could go on for ever (a roll-off)."""
    explorer = Explorer()
    for _ in range(MOST_RUNS):
        done = resolve(explorer)
        yield done, explorer.chance
        if not explorer.turn():
            return
    raise Refusal(gettext("This has too many ways to go for exact odds."), code="odds")


def odds_of(resolve: Callable[[Roller], Resolved], order: tuple[str, ...] = ()) -> Odds:
    """Every way a rule can go. `order` names outcomes that are listed first, worst to best.

    Raises Refusal where a rule could go on for ever (a roll-off) or has too many ways.
    """
    found: dict[tuple[str, int, int, int], Fraction] = {}
    for done, chance in every_way(resolve):
        key = (
            done.outcome,
            done.summed("blood_markers"),
            done.summed("infection_markers"),
            done.summed("own_blood_markers"),
        )
        found[key] = found.get(key, Fraction(0)) + chance
    odds = Odds()
    places: Mapping[str, int] = {name: place for place, name in enumerate(order)}
    for (outcome, blood, infection, own), chance in sorted(
        found.items(), key=lambda item: (places.get(item[0][0], 99), _number(item[0]))
    ):
        odds.add(outcome, blood, chance, infection, own)
    return odds


def _number(key: tuple[str, int, int, int]) -> tuple[float, str, int, int, int]:
    outcome, *markers = key
    blood, infection, own = markers
    try:
        return float(outcome), "", blood, infection, own
    except ValueError:
        return 0.0, outcome, blood, infection, own
