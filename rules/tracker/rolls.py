"""What a tracker asks for, offers and shows: rolls, moves, prompts and lines of the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.problems import Refusal
from rules.tracker.state import (
    TableState,
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table asks for now. `roll` is the roll that answers it, `side` is whose it is, `given` prefills its form."""

    kind: str
    words: str
    side: str = ""
    roll: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Asks:
    """One question of a roll. `kind` "mine" is one's own fighter.

    `only`: these fighters alone may be named (empty: any). `several`: the answer may hold several keys, with commas between them.
    `leads`: other questions depend on the answer, so the form is drawn again when it changes.
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


@dataclass(frozen=True, slots=True)
class RollKind:
    """A roll or a move that the tracker offers. A `move` needs no dice. Kinds of one `group` are shown side by side as tabs.

    `tells`: this move enters the outcome of that roll, where the dice fell at the table and not in the app.

    Once answers are known (see `Tracker.asking`), `reckoned` lists what the app takes into account, `unreckoned` what has to be added by
    hand, and `odds_words` the exact odds in one line.
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


@dataclass(frozen=True, slots=True)
class TableOffer:
    """A roll or move on offer now: for the table, for a side, or for one fighter. `closed` says why it is not possible.

    `given` prefills its form. `at_once`: nothing is left to ask, so one press does it (with the app's dice where it needs dice). `main`
    is the button placed under the thumb. `open` is what it would leave undone, shown before it is done.
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


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One line that the table shows to everybody. `track` is a row of boxes: the text of each, and whether it is full.

    `side` is whose line it is, "" for everybody's.
    """

    label: str
    figure: str = ""
    words: str = ""
    track: tuple[tuple[str, bool], ...] = ()
    side: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A word on a fighter's row. An `alarm` stands out."""

    words: str
    kind: Literal["state", "alarm"] = "state"


def refuse_unasked(state: TableState, kind: RollKind, data: Mapping[str, str]) -> None:
    """Raise Refusal for an answer that the roll's form does not offer: a number out of range, an unknown option, a wrong fighter.

    The roll itself judges empty answers, and whose fighter was named.
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
                    raise Refusal(f"{asked.label}: “{answer[:20]}” is not among the choices.", code="no-choice")
            case "side":
                for key in keys:
                    state.side(key)
            case _:
                _refuse_fighters(state, asked, keys)


def _refuse_fighters(state: TableState, asked: Asks, keys: Iterable[str]) -> None:
    for key in keys:
        fighter = state.fighter(key)
        if asked.only and key not in asked.only:
            raise Refusal(f"{asked.label}: {fighter.name} is not one of those it can be.", code="no-choice")


def _refuse_number(asked: Asks, answer: str) -> None:
    plain = answer.replace("−", "-").removeprefix("+")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 6):
        raise Refusal(f"{asked.label}: “{answer[:12]}” is no whole number.", code="number")
    if not asked.least <= int(plain) <= asked.most:
        message = f"{asked.label} goes from {asked.least} to {asked.most}; {int(plain)} does not fit."
        raise Refusal(message.replace("-", "−"), code="number")


def refuse_closed(offers: Iterable[TableOffer], roll: str, data: Mapping[str, str]) -> None:
    """Raise Refusal where every offer of this roll with these answers is closed. The rule judges a roll that nothing offers."""
    matching = [offer for offer in offers if offer.roll == roll and _matches(offer, data)]
    if matching and all(offer.closed for offer in matching):
        raise Refusal(matching[0].closed, code="closed")


def _matches(offer: TableOffer, data: Mapping[str, str]) -> bool:
    """Whether the answers are those that this offer's form sends."""
    bearer = {"fighter": offer.fighter, "side": "" if offer.fighter else offer.side}
    expected = {**{name: key for name, key in bearer.items() if key}, **offer.given}
    return all(data.get(name, value) == value for name, value in expected.items())


def ticked(data: Mapping[str, str], name: str) -> bool:
    """Whether a box of a form is ticked."""
    return str(data.get(name, "")) not in ("", "0", "false")
