"""What a tracker offers and shows: rolls, moves, their questions, prompts and lines of the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.problems import Refusal
from rules.tracker.state import (
    TableState,
)
from rules.translation import gettext


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: what the players have to do next.

    `roll` is the roll that answers it, `side` is the side that makes the roll, `given` prefills its form. `at_once`: the roll needs none
    of its further answers, so one press is enough. `answers`: the offers to the side that answer it, by their rolls.
    """

    kind: str
    words: str
    side: str = ""
    roll: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)
    at_once: bool = False
    answers: tuple[str, ...] = ()

    def is_answered_by(self, offer: TableOffer) -> bool:
        """Return whether an offer to the side that is asked answers it."""
        fits = offer.roll in self.answers and (offer.side, offer.fighter) == (self.side, "")
        return fits and all(offer.given.get(name) == told for name, told in self.given.items())


@dataclass(frozen=True, slots=True)
class Asks:
    """One question in the form of a roll. `kind` "mine" means one of the player's own fighters.

    `only`: the keys of the fighters to choose from (empty: any). `several`: the answer may hold several keys, separated
    by commas. `leads`: other questions depend on the answer, so the page renders the form again when it changes.
    `chips`: every choice is shown, to be touched once. The chips of a number are its `options` if it has any: figures with their words.
    `quiet`: the question is folded away. `closes`: it stands after the results. `bare`: fighters are offered by their names alone.
    """

    name: str
    label: str
    kind: Literal["toggle", "number", "option", "mine", "foe", "anybody", "side"] = "toggle"
    least: int = 0
    most: int = 0
    options: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    group: str = ""
    only: tuple[str, ...] = ()
    several: bool = False
    leads: bool = False
    chips: bool = False
    quiet: bool = False
    closes: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True)
class ResultChoice:
    """A result that players read off their own dice: its rows of the charts, and the totals that it stands for.

    `rows` is a list of numbers; "h" stands for the row chosen before. One that `ends` is told by itself.
    """

    rows: str
    label: str
    words: str
    ends: bool = True


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The results of one roll, worst first."""

    label: str
    choices: tuple[ResultChoice, ...]


@dataclass(frozen=True, slots=True)
class RollKind:
    """A roll or a move that the tracker offers.

    A `move` needs no dice. Kinds of the same `group` are shown as tabs side by side.

    `tells`: the players rolled the dice at the table, and this move enters their outcome for the roll with that id.

    Once answers are known (see `Tracker.asking`), `reckoned` lists what the app takes into account, `unreckoned` lists
    what the player has to add by hand, and `odds_words` is one line with the exact odds. `need` says what to roll and what counts;
    `results` are the results to tell in place of faces, `at` and `of` the place of this roll among several attacks. `follows`: once a result
    is told, the form asks for the next one.
    """

    id: str
    label: str
    words: str
    asks: tuple[Asks, ...] = ()
    dice_words: str = ""
    move: bool = False
    tells: str = ""
    group: str = ""
    reckoned: tuple[str, ...] = ()
    unreckoned: tuple[str, ...] = ()
    odds_words: str = ""
    need: str = ""
    results: tuple[ResultRow, ...] = ()
    at: int = 1
    of: int = 1
    follows: bool = False


@dataclass(frozen=True, slots=True)
class TableOffer:
    """A roll or move that is on offer now, for the table, a side or one fighter.

    `closed` says why it is not possible.

    `given` prefills its form. `at_once`: it has no questions left, so one press is enough (the app rolls any dice).
    `main` marks the button that is placed under the thumb. `open` says what would be left undone; the page shows it
    beforehand. `weapon` names the weapon on whose line an attack stands (see `Tracker.weapon_attacks`).
    `quiet` offers are folded away. `words` say in short what comes of it.
    """

    roll: str
    label: str
    side: str = ""
    fighter: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)
    closed: str = ""
    at_once: bool = False
    main: bool = False
    open: tuple[str, ...] = ()
    weapon: str = ""
    quiet: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class StillOpen:
    """A thing that the end of the turn would lose, in a sentence.

    `kind` "act": fighters of `side` have yet to act; "morale": its morale is to be tested; "": no button settles it.
    """

    words: str
    kind: Literal["", "act", "morale"] = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One line of the board, which every player sees.

    `track` is a row of boxes: the text of each, and whether it is full. The first `limit` of them are within a limit.

    `side` is the side that the line belongs to, "" for all sides.
    """

    label: str
    figure: str = ""
    words: str = ""
    track: tuple[tuple[str, bool], ...] = ()
    side: str = ""
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Armament:
    """A weapon of a fighter as it is now: its name and what it throws, at which range."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """What the table waits for, where no button of the bar does it: the side, and the bar's words for it and for the others.

    `fighter` is opened by the bar, if it is about one.
    """

    side: str
    own_words: str
    words: str
    fighter: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A short label on a fighter's row. An `alarm` is highlighted."""

    words: str
    kind: Literal["state", "alarm"] = "state"


def kind_of_act(state: TableState, kind: RollKind, data: Mapping[str, str]) -> tuple[str, ...]:
    """Return what sealed dice know an act by: its turn, side, actor, rule and target. A part that does not apply is "".

    Only answers to questions that the roll asks count, so nothing else in the data gives an act other dice. A second
    target, the weapon and modifiers do not count either: more dice for one act come after the same first ones.
    """
    asked = {asks.name for asks in kind.asks}

    def answer(*names: str) -> str:
        return next((str(data.get(name, "")).strip() for name in names if name in asked), "")

    actor = answer("fighter", "struck")
    side = state.fighter(actor).side if actor else answer("side")
    return str(state.turn), side, actor, kind.id, answer("target")


def refuse_unasked(state: TableState, kind: RollKind, data: Mapping[str, str]) -> None:
    """Raise Refusal for an answer that the roll's form does not offer: a number out of range, an unknown option, a wrong fighter.

    The roll itself checks empty answers, and to whom the chosen fighter belongs.
    """
    for asked in kind.asks:
        answer = str(data.get(asked.name, "")).strip()
        if not answer or asked.kind == "toggle":
            continue
        keys = answer.split(",") if asked.several else (answer,)
        match asked.kind:
            case "number":
                _refuse_number(asked, answer)
            case "option":
                if answer not in {value for value, _ in asked.options}:
                    raise Refusal(
                        gettext("{label}: “{answer}” is not among the choices.").format(
                            label=asked.label, answer=answer[:20]
                        ),
                        code="no-choice",
                    )
            case "side":
                for key in keys:
                    state.side(key)
            case _:
                _refuse_fighters(state, asked, keys)


def _refuse_fighters(state: TableState, asked: Asks, keys: Iterable[str]) -> None:
    for key in keys:
        fighter = state.fighter(key)
        if asked.only and key not in asked.only and fighter.out:
            words = gettext("{label}: {name} is out by now.").format(label=asked.label, name=fighter.name)
            raise Refusal(words, mend=gettext("Choose another, or undo it in the log."), code="out")
        if asked.only and key not in asked.only:
            raise Refusal(
                gettext("{label}: {name} is not one of those it can be.").format(label=asked.label, name=fighter.name),
                code="no-choice",
            )


def _refuse_number(asked: Asks, answer: str) -> None:
    plain = answer.replace("−", "-").removeprefix("+")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 6):
        raise Refusal(
            gettext("{label}: “{answer}” is no whole number.").format(label=asked.label, answer=answer[:12]),
            code="number",
        )
    if not asked.least <= int(plain) <= asked.most:
        message = gettext("{label} goes from {least} to {most}; {plain} does not fit.").format(
            label=asked.label, least=asked.least, most=asked.most, plain=int(plain)
        )
        raise Refusal(message.replace("-", "−"), code="number")


def refuse_closed(offers: Iterable[TableOffer], roll: str, data: Mapping[str, str]) -> None:
    """Raise Refusal if every offer of this roll with these answers is closed.

    A roll that is not offered at all is left to its rule to check.
    """
    matching = [offer for offer in offers if offer.roll == roll and _matches(offer, data)]
    if matching and all(offer.closed for offer in matching):
        raise Refusal(matching[0].closed, code="closed")


def _matches(offer: TableOffer, data: Mapping[str, str]) -> bool:
    """Return whether the answers are those that this offer's form sends."""
    bearer = {"fighter": offer.fighter, "side": "" if offer.fighter else offer.side}
    expected = {**{name: key for name, key in bearer.items() if key}, **offer.given}
    return all(data.get(name, value) == value for name, value in expected.items())


def ticked(data: Mapping[str, str], name: str) -> bool:
    """Return whether a checkbox of the form is ticked."""
    return str(data.get(name, "")) not in ("", "0", "false")
