"""Attacks of whole units on each other, with exact odds. None for games in which single fighters attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from rules.force import Force
from rules.tracker.state import TableState

C_contra = TypeVar("C_contra", contravariant=True)

MINE, THEIRS = "mine", "theirs"  # the sides of a table that `UnitAttacksPart.facing` lays
BARE = "1"  # the key of the only unit in a force of one fresh unit


@dataclass(frozen=True, slots=True)
class UnitWay:
    """One way in which a unit attacks: with fire, in a charge. `key` names it in URLs.

    `across` is the question that decides most beside the distance, "" where the attack has no distance. `cases` are situations
    that a printed crib foresees: a word, and the answers to the questions.
    """

    key: str
    name: str
    across: str = ""
    cases: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class UnitAsks:
    """A question about an attack that only the table answers: one of `options`, or a number from `least` to `most`.

    A number from 0 to 1 is a switch. `usual` is taken if nothing is answered.
    """

    key: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 1
    usual: str = "0"

    @property
    def is_switch(self) -> bool:
        return not self.options and (self.least, self.most) == (0, 1)

    def answer(self, told: Mapping[str, str]) -> str:
        """Return what was answered, or the usual answer for nothing, an unknown option and a number out of range."""
        given = str(told.get(self.key, "")).strip()
        if self.options:
            return given if given in {value for value, _ in self.options} else self.usual
        if given.isascii() and given.isdigit() and len(given) < 5 and self.least <= int(given) <= self.most:
            return given
        return self.usual


@dataclass(frozen=True, slots=True)
class Spread:
    """The exact chances of every result of one thing, in order. `is_count`: the results are numbers, from 0 up."""

    label: str
    shares: tuple[tuple[str, Fraction], ...]
    is_count: bool = True

    @property
    def mean(self) -> Fraction:
        """Return the number to expect. Only for counts."""
        return sum((int(name) * share for name, share in self.shares), Fraction(0))

    def at_least(self, number: int) -> Fraction:
        return sum((share for name, share in self.shares if int(name) >= number), Fraction(0))


@dataclass(frozen=True, slots=True)
class UnitOdds:
    """What an attack of a unit on another comes to.

    `need` says what is rolled. `short` is the answer in one line, `lead` its figure for a narrow column. `harm` ranks attacks on
    the same target: the bases or models to expect, then the chance of their end. `unreckoned` lists texts (whose, words) that the
    odds leave out. `rule` and `given` are the call of the resolver for what falls.
    """

    rule: str
    given: Mapping[str, Any] = field(hash=False)
    need: str
    short: str
    lead: str
    harm: tuple[Fraction, Fraction]
    spreads: tuple[Spread, ...]
    chances: tuple[tuple[str, Fraction], ...] = ()
    causes: tuple[str, ...] = ()
    unreckoned: tuple[tuple[str, str], ...] = ()


class UnitAttacksPart(Protocol[C_contra]):
    """Attacks of whole units on each other, with exact odds. None for games in which single fighters attack.

    Units are those of a table: one of a battle under way, or one that `facing` lays of two rosters.
    """

    def facing(self, content: C_contra, mine: Force, theirs: Force) -> TableState:
        """Return a table of two forces as a battle begins. A unit's key is its side (`MINE`, `THEIRS`) and its own key: "mine:12"."""

    def samples(self, content: C_contra) -> tuple[tuple[str, str], ...]:
        """Return the units that come with the game, to measure others by: (id, name)."""

    def bare_force(self, content: C_contra, sample: str) -> Force:
        """Return a force of one fresh unit of `samples`, whose key is `BARE`. Raises KeyError."""

    def ways(self, content: C_contra, table: TableState, mine: str, theirs: str) -> tuple[UnitWay, ...]:
        """Return every way in which one unit of a table can attack another one. Raises Refusal for an unknown unit."""

    def asks(self, content: C_contra, table: TableState, mine: str, theirs: str, way: str) -> tuple[UnitAsks, ...]:
        """Return the questions about such an attack. That of the distance is called "distance". Raises Refusal."""

    def odds(
        self, content: C_contra, table: TableState, mine: str, theirs: str, way: str, told: Mapping[str, str]
    ) -> UnitOdds:
        """Return the exact odds of such an attack, with the answers to `asks`. Raises Refusal for one that cannot be made."""

    def likeness(self, content: C_contra, table: TableState, unit: str) -> str:
        """Return a word that is equal for units whose attacks come to the same, whatever they are called."""

    def armour(self, content: C_contra, table: TableState, unit: str) -> str:
        """Return what a hit on this unit has to get through, in a few words: "Save D6, 8 models"."""
