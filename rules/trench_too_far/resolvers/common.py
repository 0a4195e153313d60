"""Helpers of all rules: dice that may have been rolled already, effects as tables, and odds with side results besides the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from rules.formatting import dice_words
from rules.problems import Refusal
from rules.resolvers.odds import MOST_RUNS, Explorer, Odds
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

T = TypeVar("T")

PASSES, FAILS = "passes", "fails"
DISRUPTED, FINE = "disrupted", "fine"
SHOCKED = "shocked"


@dataclass(frozen=True)
class Readings:
    """The readings of a battle as a hashable value, so that odds can be cached."""

    chosen: tuple[tuple[str, str], ...] = ()

    @property
    def readings(self) -> Mapping[str, str]:
        return dict(self.chosen)


def given_or(value: T | None, otherwise: T) -> T:
    """What was given, or another value if nothing was. 0 and False count as given."""
    return otherwise if value is None else value


def facts(**what: Any) -> tuple[Mapping[str, Any], ...]:
    """Effects as one-key tables, in this order."""
    return tuple({key: held} for key, held in what.items())


def one_die(roll: int, outcome: str, message: str, **effects: Any) -> Resolved:
    """What came of a single die, which is the total."""
    return Resolved(outcome, message, (roll,), (roll,), roll, (), facts(**effects))


def is_disrupted(disrupted: bool | str) -> bool:
    """Whether a company is Disrupted at all, as the input states it."""
    return disrupted not in (False, "none")


def ask(roller: Roller, told: int | None, why: str, *cuts: int) -> int:
    """A D6: the one that was given, or one from the roller."""
    return told if told is not None else roller.die(6, needed(why, cuts), tuple(c for c in cuts if 1 < c <= 6) or (7,))


def needed(why: str, cuts: Sequence[int]) -> str:
    """What D6 are rolled for, with the lowest face that succeeds if only one bound matters: "Save, 5+"."""
    if len(cuts) != 1:
        return why
    return f"{why}, {cuts[0]}+" if cuts[0] <= 6 else gettext("{why}, no face is enough").format(why=why)


def ask_several(roller: Roller, told: tuple[int, ...] | None, count: int, why: str, *cuts: int) -> tuple[int, ...]:
    """That many D6. Raises Refusal if another number of them was given."""
    if told is None:
        return roller.several(count, 6, needed(why, cuts), tuple(c for c in cuts if 1 < c <= 6) or (7,))
    if len(told) != count:
        raise Refusal(
            gettext("{why}: {dice_words} {words} asked for, {count} are told.").format(
                why=why, dice_words=dice_words(count), words="is" if count == 1 else "are", count=len(told)
            ),
            code="dice",
        )
    return told


def chance_of(target: int | None) -> Fraction:
    """How likely a D6 reaches a target; None is never reached."""
    if target is None:
        return Fraction(0)
    return Fraction(min(6, max(0, 7 - target)), 6)


@dataclass
class TroopOdds(Odds):
    """Odds with the chance of side results (`also`: fraction by name), and with the mean if outcomes are numbers."""

    also: dict[str, Fraction] = field(default_factory=dict)

    @property
    def expected(self) -> Fraction | None:
        if not self.outcomes or not all(name.isdigit() for name in self.outcomes):
            return None
        return sum((int(name) * share for name, share in self.outcomes.items()), Fraction(0))

    def document(self) -> dict[str, Any]:
        told = Odds.document(self)
        if self.expected is not None:
            told["expected"] = str(self.expected)
        if self.also:
            told["also"] = {name: str(share) for name, share in self.also.items()}
        return told


def ways(resolve: Callable[[Roller], Resolved]) -> Iterator[tuple[Resolved, Fraction]]:
    """Every way a rule can go, with its odds. Raises Refusal if there are too many."""
    explorer = Explorer()
    for _ in range(MOST_RUNS):
        done = resolve(explorer)
        yield done, explorer.chance
        if not explorer.turn():
            return
    raise Refusal(
        gettext("This has too many ways to go for exact odds."), mend=gettext("Fewer dice would help."), code="odds"
    )


def odds_by_ways(
    resolve: Callable[[Roller], Resolved], order: Sequence[str] = (), flags: Iterable[str] = ()
) -> TroopOdds:
    """Odds by running through every way. `flags`: effects that are true or false, listed beside."""
    found: dict[str, Fraction] = {}
    beside = dict.fromkeys(flags, Fraction(0))
    for done, share in ways(resolve):
        found[done.outcome] = found.get(done.outcome, Fraction(0)) + share
        for flag in beside:
            if done.effect(flag) is True:
                beside[flag] += share
    return in_order(found, order, {name: share for name, share in beside.items() if share})


def in_order(
    found: Mapping[str, Fraction], order: Sequence[str] = (), also: Mapping[str, Fraction] | None = None
) -> TroopOdds:
    """Odds with the outcomes in an order; numbers ascend."""
    odds = TroopOdds(also=dict(also or {}))
    places = {name: place for place, name in enumerate(order)}

    def place(name: str) -> tuple[int, int, str]:
        return places.get(name, 99), int(name) if name.isdigit() else 0, name

    for name in sorted(found, key=place):
        if found[name]:
            odds.add(name, 0, found[name])
    return odds


def plus(target: int | None) -> str:
    """4+, or none."""
    return "none" if target is None else f"{target}+"


def many(count: int, word: str, plural: str = "") -> str:
    """1 base, 2 bases."""
    return f"{count} {word if count == 1 else plural or word + 's'}"
