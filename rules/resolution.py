"""Resolvers: rules that may stop for a die or a decision, and then run again from the stored answers.

A resolver is an ordinary function that takes a `Resolution`. It requests dice (`resolution.roll`) and decisions
(`resolution.choose`, `resolution.allot`). If an answer is missing, it raises `NeedDice` or `NeedChoice`. The page asks
for the answer,
stores it, and runs the resolver again from the start. In the end the resolver returns its `Outcome`: a sentence, and
the
consequences for the roster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.consequences import Consequence
from rules.dice import DiceSource, Draw, NeedDice, RecordedDice
from rules.problems import Refusal
from rules.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a decision, with its gains and losses. `closed` says why it cannot be chosen."""

    value: str
    title: str
    words: str = ""
    gains: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    closed: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table that a roll was looked up in. `hit` marks the row that applies."""

    label: str
    name: str
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A pending decision.

    kind "one": one value; "some": up to `most` values; "allot": a number per option, `total` in all; "number": a whole
    number from
    `least` to `most`; "kit": like "some" with repeats.
    """

    key: str
    kind: Literal["one", "some", "allot", "number"]
    words: str
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 1
    total: int = 0
    limits: Mapping[str, int] = field(default_factory=dict, hash=False)
    help: str = ""


class NeedChoice(Exception):
    """A decision is missing: `asked` describes it."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked.words)
        self.asked = asked


@dataclass(frozen=True, slots=True)
class Told:
    """One line of the resolution so far: a sentence, and for a roll the draw and the table rows around the result."""

    words: str
    draw: Draw | None = None
    rows: tuple[TableRow, ...] = ()
    modifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a resolver: one sentence, lines on what will change, and the consequences as data."""

    sentence: str
    will_do: tuple[str, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    grave: bool = False  # a death or another loss: the page shows the destructive button


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a resolver: its lines so far, and the dice it needs, the decision it asks for, or its outcome."""

    told: tuple[Told, ...]
    need: NeedDice | None = None
    asked: Asked | None = None
    outcome: Outcome | None = None
    draws: tuple[Draw, ...] = ()


class Resolution:
    """The input of a resolver: recorded draws, then those of `onward`, and recorded decisions by key."""

    def __init__(
        self, draws: Sequence[Draw] = (), choices: Mapping[str, Any] | None = None, onward: DiceSource | None = None
    ) -> None:
        self.dice = RecordedDice(draws, onward)
        self._choices = dict(choices or {})
        self.told: list[Told] = []

    def roll(self, n: int, sides: int, why: str) -> Draw:
        """Draw `n` faces. Raises NeedDice."""
        return self.dice.draw(n, sides, why)

    def tell(
        self,
        words: str,
        draw: Draw | None = None,
        rows: Sequence[TableRow] = (),
        modifiers: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Add a line to the resolution so far."""
        self.told.append(Told(words, draw, tuple(rows), tuple(modifiers)))

    def choose(self, key: str, words: str, options: Sequence[Option], *, help: str = "") -> str:
        """Return the chosen open option. Raises NeedChoice, or Refusal if the recorded value is not open."""
        asked = Asked(key, "one", words, tuple(options), help=help)
        if key not in self._choices:
            raise NeedChoice(asked)
        value = str(self._choices[key])
        for option in options:
            if option.value == value:
                if option.closed:
                    raise Refusal(
                        _("{title} is closed: {closed}").format(title=option.title, closed=option.closed),
                        code="closed-option",
                    )
                return value
        if not value:
            raise Refusal(_("Nothing is chosen yet."), mend=_("Choose one."), code="unknown-option")
        raise Refusal(_("“{value}” is not one of the choices.").format(value=value), code="unknown-option")

    def choose_some(
        self, key: str, words: str, options: Sequence[Option], *, least: int = 0, most: int = 1, help: str = ""
    ) -> tuple[str, ...]:
        """Return between `least` and `most` different open options. Raises NeedChoice or Refusal."""
        asked = Asked(key, "some", words, tuple(options), least=least, most=most, help=help)
        if key not in self._choices:
            raise NeedChoice(asked)
        values = tuple(dict.fromkeys(str(v) for v in self._choices[key]))
        known = {o.value: o for o in options}
        for value in values:
            if value not in known:
                raise Refusal(_("“{value}” is not one of the choices.").format(value=value), code="unknown-option")
            if known[value].closed:
                raise Refusal(
                    _("{title} is closed: {closed}").format(title=known[value].title, closed=known[value].closed),
                    code="closed-option",
                )
        if not least <= len(values) <= most:
            wanted = f"{least}" if least == most else _("{least} to {most}").format(least=least, most=most)
            raise Refusal(
                _("Choose {wanted}; {count} {words} chosen.").format(
                    wanted=wanted, count=len(values), words="is" if len(values) == 1 else "are"
                ),
                code="wrong-count",
            )
        return values

    def number(self, key: str, words: str, least: int, most: int, *, help: str = "") -> int:
        """Return a whole number. Raises NeedChoice or Refusal."""
        if key not in self._choices:
            raise NeedChoice(Asked(key, "number", words, least=least, most=most, help=help))
        try:
            value = int(self._choices[key])
        except (TypeError, ValueError):
            raise Refusal(
                _("{words}: a whole number from {least} to {most} is asked.").format(
                    words=words, least=least, most=most
                ),
                code="not-a-number",
            ) from None
        if not least <= value <= most:
            raise Refusal(
                _("{words}: {value} lies outside {least} to {most}.").format(
                    words=words, value=value, least=least, most=most
                ),
                code="out-of-range",
            )
        return value

    def allot(
        self, key: str, words: str, options: Sequence[Option], total: int, limits: Mapping[str, int], *, help: str = ""
    ) -> dict[str, int]:
        """Return a number for each option, at most `total` in all, each within its limit.

        Raises NeedChoice or Refusal.
        """
        if key not in self._choices:
            raise NeedChoice(Asked(key, "allot", words, tuple(options), total=total, limits=dict(limits), help=help))
        known = {o.value for o in options}
        given: dict[str, int] = {}
        for value, count in dict(self._choices[key]).items():
            if str(value) not in known:
                raise Refusal(_("“{value}” is not one of the choices.").format(value=value), code="unknown-option")
            try:
                given[str(value)] = int(count)
            except (TypeError, ValueError):
                raise Refusal(_("“{count}” is not a number.").format(count=count), code="not-a-number") from None
        for value, count in given.items():
            if not 0 <= count <= limits.get(value, total):
                raise Refusal(
                    _("{count} is more than {get} here.").format(count=count, get=limits.get(value, total)),
                    code="out-of-range",
                )
        if sum(given.values()) > total:
            raise Refusal(
                _("{sum} are given out; there are {total}.").format(sum=sum(given.values()), total=total),
                code="too-many",
            )
        return {value: count for value, count in given.items() if count}


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to settle in a step. `key` is stable within the sequence; `subject` is a fighter's key or "".

    `needs` holds the keys of tasks that must be written first. `closed` says why it cannot be settled now ("" if it
    can). `absorbs`: once
    it is written, an amended report is accounted for without writing it again. `binds`: once it is written, it can be
    undone as a whole
    until something is bought or rolled after it.
    """

    key: str
    title: str
    resolve: Callable[[Resolution], Outcome]
    subject: str = ""
    group: str = ""
    words: str = ""
    needs: tuple[str, ...] = ()
    optional: bool = False
    closed: str = ""
    absorbs: bool = False
    binds: bool = False


def advance(
    task: Task, draws: Sequence[Draw], choices: Mapping[str, Any], onward: DiceSource | None = None
) -> Progress:
    """Run the task from its stored answers, with `onward` for further dice.

    Raises Refusal if a stored decision no longer fits.
    """
    resolution = Resolution(draws, choices, onward)
    try:
        outcome = task.resolve(resolution)
    except NeedDice as need:
        return Progress(tuple(resolution.told), need=need, draws=tuple(resolution.dice.drawn))
    except NeedChoice as need_choice:
        return Progress(tuple(resolution.told), asked=need_choice.asked, draws=tuple(resolution.dice.drawn))
    return Progress(tuple(resolution.told), outcome=outcome, draws=tuple(resolution.dice.drawn))
