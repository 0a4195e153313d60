"""How a rule asks for dice: a pool of which some dice count, or single dice.

A resolver asks a `Roller`. `TableDice` come from a `DiceSource`. `Explorer` (see `odds`) goes through all possible
results instead, so a rule is written once and also gives its exact odds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from rules.dice import DiceSource
from rules.translation import gettext


@dataclass(frozen=True, slots=True)
class Changes:
    """+DICE and -DICE with the source of each: (dice, why), in the order in which they were found."""

    entries: tuple[tuple[int, str], ...] = ()

    def plus(self, dice: int, why: str) -> Changes:
        return Changes((*self.entries, (dice, why))) if dice else self

    @property
    def net(self) -> int:
        return sum(dice for dice, _ in self.entries)


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of dice: `base` dice count, and as many more are rolled as `net` says.

    The best are kept, or the worst if `net` is below zero. `sixes` of the dice are set to 6 and not rolled. `turned`:
    after the roll, the lowest die is turned to 6. `lowered`: after the roll, the highest die is set to 1. `flawed`: a 1
    on any die spoils the roll, and its total is `FLAW`.
    """

    base: int
    net: int
    sixes: int = 0
    turned: bool = False
    lowered: bool = False
    flawed: bool = False

    @property
    def dice(self) -> int:
        return self.base + abs(self.net) - self.sixes

    @property
    def words(self) -> str:
        """Which of the dice count, where more are rolled than do: ", the best 2 of 3"; "" where all do."""
        if not self.net:
            return ""
        return (
            gettext(", the best {base} of {number}") if self.net > 0 else gettext(", the lowest {base} of {number}")
        ).format(base=self.base, number=self.dice + self.sixes)

    def keep(self, faces: Sequence[int]) -> tuple[int, ...]:
        """The faces that count, highest first where dice were added, lowest first where they were taken."""
        rolled = [6, *sorted(faces)[1:]] if self.turned and faces else faces
        rolled = [1, *sorted(rolled)[:-1]] if self.lowered and rolled else rolled
        return tuple(sorted((*rolled, *[6] * self.sixes), reverse=self.net >= 0)[: self.base])

    def total(self, faces: Sequence[int]) -> int:
        """The sum of the faces that count, or `FLAW`."""
        return FLAW if self.flawed and 1 in faces else sum(self.keep(faces))


FLAW = -99  # the total of a roll that a 1 has spoilt: below every row of every chart


@dataclass(frozen=True, slots=True)
class DiceThrow:
    """The result of a pool. `rolled` and `kept` are empty if only the total is known."""

    total: int
    rolled: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()


class Roller(Protocol):
    """An object that answers a rule's questions for dice."""

    def pool(self, pool: Pool, why: str, cuts: tuple[int, ...]) -> DiceThrow:
        """The sum of a pool. `cuts` are the totals from which another row of the chart applies: nothing else matters to the rule."""
        ...

    def die(self, sides: int, why: str, cuts: tuple[int, ...] = ()) -> int:
        """One die. `cuts` as above; empty where every face matters."""
        ...

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        """That many like dice, each read for itself, where it does not matter which shows what. `cuts` as above, for each die."""
        ...


@runtime_checkable
class Noting(Protocol):
    """A source of dice that also notes which of them counted."""

    def note(self, kept: tuple[int, ...], cuts: tuple[int, ...]) -> None:
        """Note of the last draw the faces that count, and the totals at which each further row of the chart begins."""
        ...


class TableDice:
    """Physical dice from a source."""

    def __init__(self, source: DiceSource) -> None:
        self.source = source

    def pool(self, pool: Pool, why: str, cuts: tuple[int, ...]) -> DiceThrow:
        faces = self.source.draw(pool.dice, 6, f"{why}{pool.words}").faces
        kept = pool.keep(faces)
        if isinstance(self.source, Noting):
            self.source.note(kept, cuts)
        return DiceThrow(pool.total(faces), faces, kept)

    def die(self, sides: int, why: str, cuts: tuple[int, ...] = ()) -> int:
        return self.source.draw(1, sides, why).faces[0]

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        return self.source.draw(count, sides, why).faces if count else ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """The result of a rule.

    `modifiers` are (what, why). `effects` are one-key tables like {"blood_markers": 1}. `steps` hold the rolls of a
    rule that consists of others (an attack: hit, then injury).
    """

    outcome: str
    told: str
    rolled: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    total: int | None = None
    modifiers: tuple[tuple[str, str], ...] = ()
    effects: tuple[Mapping[str, Any], ...] = ()
    steps: tuple[Resolved, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def effect(self, name: str, otherwise: Any = None) -> Any:
        return next((table[name] for table in self.effects if name in table), otherwise)

    def summed(self, name: str) -> int:
        """The sum of a count over several effects: each fighter that a blast catches has its own."""
        return sum(int(table.get(name, 0)) for table in self.effects)

    def document(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "rolled": list(self.rolled),
            "kept": list(self.kept),
            "total": self.total,
            "outcome": self.outcome,
            "modifiers": [{"what": what, "why": why} for what, why in self.modifiers],
            "effects": [dict(effect) for effect in self.effects],
            "told": self.told,
        }
        if self.steps:
            told["steps"] = [step.document() for step in self.steps]
        return told


def told_dice(changes: Iterable[tuple[int, str]], word: str = "DICE") -> tuple[tuple[str, str], ...]:
    """Changes as (what, why): ("+1 DICE", "Elevated position")."""
    return tuple((f"{dice:+d} {word}", why) for dice, why in changes)


def told_flat(changes: Iterable[tuple[int, str]], word: str = "") -> tuple[tuple[str, str], ...]:
    """Flat changes as (what, why): ("-2", "Armour")."""
    return tuple((f"{number:+d}{' ' + word if word else ''}", why) for number, why in changes)


def causes_by_throw(found: Resolved, counts: Sequence[int]) -> tuple[str, ...]:
    """Return what changed each throw of a rule and why, in a line: "−1 Advance, −1 Light cover"; "" where nothing did.

    `counts` are how many dice fell in each throw, in order. A step of the rule tells of the throws that make up its dice; where throws
    and steps do not match, the first throw tells what is known of the whole.
    """
    told: list[str] = []
    left = list(counts)
    for step in _leaves(found):
        dice = len(step.rolled)
        words = _caused(step)
        while dice > 0 and left and left[0] <= dice:
            dice -= left.pop(0)
            told.append(words)
            words = ""
        if dice:
            break
    if left or not any(told):
        return (_caused(found), *[""] * (len(counts) - 1)) if counts else ()
    return tuple(told)


def _caused(found: Resolved) -> str:
    return ", ".join(dict.fromkeys(f"{what.replace('-', '−')} {why}" for what, why in found.modifiers))


def _leaves(found: Resolved) -> Iterable[Resolved]:
    if not found.steps:
        yield found
    for step in found.steps:
        yield from _leaves(step)
