"""The acts of players at the table, as data, and the effects of dice and moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rules.problems import Refusal
from rules.tracker.state import (
    TableDeed,
)
from rules.translation import gettext

MOST_TURNS = 99


Outcome = Literal["holds", "shaken", "flees"]


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """Base class of all acts. Decoding fails for an unknown field."""


Key = Annotated[str, Meta(max_length=80)]
Step = Annotated[int, Meta(ge=-20, le=20)]


class FighterAct(Act, frozen=True, kw_only=True):
    """Base class of the acts that concern one fighter."""

    fighter: Key


class SideAct(Act, frozen=True, kw_only=True):
    """Base class of the acts that concern one side."""

    side: Key


class MarkerAct(FighterAct, frozen=True, tag="marker", kw_only=True):
    """A fighter gains or loses markers.

    If two players press the button at once, both presses count. `was` is the figure that the player saw, if it is
    known.
    """

    marker: Key
    change: Step
    was: int | None = None


class ActedAct(FighterAct, frozen=True, tag="acted", kw_only=True):
    """A fighter is activated. `turn` is the turn in which that was, as its player saw it (0: this one)."""

    turn: int = 0


class DownAct(FighterAct, frozen=True, tag="down", kw_only=True):
    """A fighter goes Down or stands up."""

    now: bool = True


class OutAct(FighterAct, frozen=True, tag="out", kw_only=True):
    """A side takes a fighter out.

    The side may be the fighter's own; "" means a fall, or that nobody knows who did it.
    """

    by: Key = ""


class OutByAct(FighterAct, frozen=True, tag="out_by", kw_only=True):
    """A player corrects which side took a fighter out."""

    by: Key = ""


class BackAct(FighterAct, frozen=True, tag="back", kw_only=True):
    """A fighter that was out is back on the table."""


class ThereAct(FighterAct, frozen=True, tag="there", kw_only=True):
    """A fighter enters the table, or is marked as not there yet."""

    now: bool = True


class SideThereAct(SideAct, frozen=True, tag="side_there", kw_only=True):
    """All of a side who wait enter the table, or all who have done nothing yet are marked as not there."""

    now: bool = True


class UsedAct(FighterAct, frozen=True, tag="used", kw_only=True):
    """A fighter uses up a piece of its kit."""

    item: Key


class DeedAct(Act, frozen=True, tag="deed", kw_only=True):
    """A fighter or a warband does a deed."""

    deed: Key
    side: Key
    fighter: Key = ""


class ScoreAct(SideAct, frozen=True, tag="score", kw_only=True):
    """A side gains or loses victory points. `was` is the figure that the player saw."""

    change: Step
    was: int | None = None


class InitiativeAct(SideAct, frozen=True, tag="initiative", kw_only=True):
    """A side gets the initiative of this turn."""


class PassAct(SideAct, frozen=True, tag="pass", kw_only=True):
    """The turn to act passes to this side."""


class MoraleAct(SideAct, frozen=True, tag="morale", kw_only=True):
    """A morale test and its outcome. `turn` is the turn of the test, as its player saw it (0: this one)."""

    outcome: Outcome
    turn: int = 0


class TurnAct(Act, frozen=True, tag="turn", kw_only=True):
    """The turn of this number ends and the next one begins.

    `anyway`: the player ends it although something is still open.
    """

    turn: Annotated[int, Meta(ge=1, le=MOST_TURNS)]
    anyway: bool = False


class PlayedAct(Act, frozen=True, tag="played", kw_only=True):
    """The rest of the turn of this number was played by hand, as without a connection, and the next one begins."""

    turn: Annotated[int, Meta(ge=1, le=MOST_TURNS)]


class KeepAct(SideAct, frozen=True, tag="keep", kw_only=True):
    """A side agrees that the phone of side `keeper` records both sides. "" withdraws this agreement."""

    keeper: Key = ""


class AddAct(SideAct, frozen=True, tag="add", kw_only=True):
    """A player adds a guest's fighter by name, because the app does not know a guest's roster."""

    name: Annotated[str, Meta(max_length=60)]


class NoteAct(SideAct, frozen=True, tag="note", kw_only=True):
    """A player adds a remark to the log."""

    words: Annotated[str, Meta(max_length=200)]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of dice on one fighter. None leaves that part of its state unchanged."""

    fighter: Key
    markers: dict[str, int] = {}
    down: bool | None = None
    out: bool = False
    by: Key = ""
    acted: bool | None = None
    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}


class SideEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of dice or a move on a side. `score` and `counts` are added to its figures; `facts` are set."""

    side: Key
    score: int = 0
    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}


class TableJoins(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter that a rule places on the table. It was not mustered and is on no roster."""

    key: Key
    side: Key
    name: Annotated[str, Meta(max_length=80)]
    profile_name: Annotated[str, Meta(max_length=80)] = ""
    markers: dict[str, int] = {}
    facts: dict[str, Any] = {}


class TableEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of dice or a move on the table as a whole.

    `next_turn` begins the next turn. `acting` is the side whose turn it is to act (None: unchanged). `joins` are
    fighters that a rule adds.
    """

    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}
    acting: Key | None = None
    next_turn: bool = False
    joins: tuple[TableJoins, ...] = ()


class RollAct(Act, frozen=True, tag="roll", kw_only=True):
    """The result of a dice roll or a move of the game: a sentence for the log, and its effects.

    `done`: it was the last action of the fighter, who has acted with it. `turn` is the turn of the roll, as its player saw it
    (0: this one). `then` are the answers of the same roll that follows at once,
    such as the next of several attacks. `Tracker.rolled` creates this act; a page never sends it.
    """

    roll: Key
    told: Annotated[str, Meta(max_length=500)]
    side: Key = ""
    fighter: Key = ""
    effects: tuple[Effect, ...] = ()
    side_effects: tuple[SideEffect, ...] = ()
    table: TableEffect = TableEffect()
    initiative: Key = ""
    morale: Outcome | None = None
    done: bool = False
    turn: int = 0
    then: dict[str, str] = {}


class SceneAct(Act, frozen=True, tag="scene", kw_only=True):
    """The scenario is chosen or changed after the table was set up: its length, morale and deeds, and who attacks.

    No button of the page sends this act.
    """

    name: Annotated[str, Meta(max_length=80)]
    turn_least: int = 0
    turn_limit: int = 0
    morale: str = ""
    deeds: tuple[TableDeed, ...] = ()
    attackers: dict[str, bool | None] = {}


class EndAct(Act, frozen=True, tag="end", kw_only=True):
    """The battle ends. Either side may reopen it."""


class ReopenAct(Act, frozen=True, tag="reopen", kw_only=True):
    """The battle goes on after its end."""


AnyAct = (
    MarkerAct | ActedAct | DownAct | OutAct | OutByAct | BackAct | ThereAct | SideThereAct | UsedAct | DeedAct | ScoreAct | InitiativeAct
    | PassAct | MoraleAct | TurnAct | PlayedAct | KeepAct | AddAct | NoteAct | RollAct | SceneAct | EndAct | ReopenAct
)  # fmt: skip


# The word in `Tracker.uses` that enables an act. Acts that every game has are not listed.
USE_OF: Mapping[type, str] = {
    MarkerAct: "marker", ActedAct: "acted", DownAct: "down", OutAct: "out", OutByAct: "out", BackAct: "out",
    ThereAct: "there", SideThereAct: "there", UsedAct: "used", DeedAct: "deed", ScoreAct: "score", InitiativeAct: "initiative",
    PassAct: "pass", MoraleAct: "morale", TurnAct: "turn", PlayedAct: "played",
}  # fmt: skip


# Acts that enter a result by hand which a roll would otherwise decide, with the id of that roll.
TOLD_FOR: Mapping[type, str] = {InitiativeAct: "initiative", MoraleAct: "morale"}


def read_act(data: Mapping[str, Any]) -> AnyAct:
    """Return the act in this JSON data. Raises Refusal if it is not a valid act."""
    try:
        act: AnyAct = msgspec.convert(dict(data), AnyAct, strict=False)
    except msgspec.ValidationError as error:
        message, _, at = str(error).partition(" - at ")
        raise Refusal(
            gettext("{message} (at {what}).").format(message=message, what=at.strip("`") or "$"), code="input"
        ) from None
    return act


def write_act(act: AnyAct) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(act)
    return data
