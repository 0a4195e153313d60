"""What is done at the table, as data: each act, and the effects of dice and moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rules.problems import Refusal
from rules.tracker.state import (
    TableDeed,
)

MOST_TURNS = 99


Outcome = Literal["holds", "shaken", "flees"]


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """Base of all acts. An unknown field is refused."""


Key = Annotated[str, Meta(max_length=80)]
Step = Annotated[int, Meta(ge=-20, le=20)]


class FighterAct(Act, frozen=True, kw_only=True):
    """Base of the acts of one fighter."""

    fighter: Key


class SideAct(Act, frozen=True, kw_only=True):
    """Base of the acts of one side."""

    side: Key


class MarkerAct(FighterAct, frozen=True, tag="marker", kw_only=True):
    """A fighter gains or loses markers. Two presses at once both count. `was` is the figure that the player saw, where it is known."""

    marker: Key
    change: Step
    was: int | None = None


class ActedAct(FighterAct, frozen=True, tag="acted", kw_only=True):
    """A fighter is activated this turn."""


class DownAct(FighterAct, frozen=True, tag="down", kw_only=True):
    """A fighter goes Down, or stands up."""

    now: bool = True


class OutAct(FighterAct, frozen=True, tag="out", kw_only=True):
    """A fighter is taken out by a side, which may be its own. "" stands for a fall, or for unknown."""

    by: Key = ""


class OutByAct(FighterAct, frozen=True, tag="out_by", kw_only=True):
    """A correction of who took a fighter out."""

    by: Key = ""


class BackAct(FighterAct, frozen=True, tag="back", kw_only=True):
    """A fighter that was out is on the table again."""


class ThereAct(FighterAct, frozen=True, tag="there", kw_only=True):
    """A fighter comes on, or has not come on yet."""

    now: bool = True


class UsedAct(FighterAct, frozen=True, tag="used", kw_only=True):
    """A fighter uses up a piece of its kit."""

    item: Key


class DeedAct(Act, frozen=True, tag="deed", kw_only=True):
    """A fighter, or a warband, does a deed."""

    deed: Key
    side: Key
    fighter: Key = ""


class ScoreAct(SideAct, frozen=True, tag="score", kw_only=True):
    """A side gains or loses victory points. `was` is the figure that the player saw."""

    change: Step
    was: int | None = None


class InitiativeAct(SideAct, frozen=True, tag="initiative", kw_only=True):
    """A side has the initiative of this turn."""


class PassAct(SideAct, frozen=True, tag="pass", kw_only=True):
    """It is this side's turn to act."""


class MoraleAct(SideAct, frozen=True, tag="morale", kw_only=True):
    """A morale test and its outcome."""

    outcome: Outcome


class TurnAct(Act, frozen=True, tag="turn", kw_only=True):
    """The turn of this number ends and the next one begins. `anyway`: although something is left open in it."""

    turn: Annotated[int, Meta(ge=1, le=MOST_TURNS)]
    anyway: bool = False


class KeepAct(SideAct, frozen=True, tag="keep", kw_only=True):
    """A side agrees that the phone of side `keeper` records both sides. "" takes that back."""

    keeper: Key = ""


class AddAct(SideAct, frozen=True, tag="add", kw_only=True):
    """A guest's fighter is added by name; the roster of a guest is not known."""

    name: Annotated[str, Meta(max_length=60)]


class NoteAct(SideAct, frozen=True, tag="note", kw_only=True):
    """A player's remark for the log."""

    words: Annotated[str, Meta(max_length=200)]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What dice did to one fighter. None leaves a state as it is."""

    fighter: Key
    markers: dict[str, int] = {}
    down: bool | None = None
    out: bool = False
    by: Key = ""
    acted: bool | None = None
    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}


class SideEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What dice or a move did to a side. `score` and `counts` are added to its figures, `facts` are set."""

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
    """What dice or a move did to the table as a whole.

    `next_turn` begins the next turn. `acting` is the side whose turn it is to act (None: as before). `joins` are fighters that a rule adds.
    """

    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}
    acting: Key | None = None
    next_turn: bool = False
    joins: tuple[TableJoins, ...] = ()


class RollAct(Act, frozen=True, tag="roll", kw_only=True):
    """Dice that fell, or a move of the game: its sentence for the log, and its effects. `Tracker.rolled` writes it, never a page."""

    roll: Key
    told: Annotated[str, Meta(max_length=500)]
    side: Key = ""
    fighter: Key = ""
    effects: tuple[Effect, ...] = ()
    side_effects: tuple[SideEffect, ...] = ()
    table: TableEffect = TableEffect()
    initiative: Key = ""
    morale: Outcome | None = None


class SceneAct(Act, frozen=True, tag="scene", kw_only=True):
    """The scenario was chosen or changed after the table was set up: its length, morale and deeds. No button of the page sends this."""

    name: Annotated[str, Meta(max_length=80)]
    turn_least: int = 0
    turn_limit: int = 0
    morale: str = ""
    deeds: tuple[TableDeed, ...] = ()


class EndAct(Act, frozen=True, tag="end", kw_only=True):
    """The battle ends. Either side may reopen it."""


class ReopenAct(Act, frozen=True, tag="reopen", kw_only=True):
    """The battle goes on after its end."""


AnyAct = (
    MarkerAct | ActedAct | DownAct | OutAct | OutByAct | BackAct | ThereAct | UsedAct | DeedAct | ScoreAct | InitiativeAct
    | PassAct | MoraleAct | TurnAct | KeepAct | AddAct | NoteAct | RollAct | SceneAct | EndAct | ReopenAct
)  # fmt: skip


# The word of `Tracker.uses` that an act belongs to. Acts that every game has are left out.
USE_OF: Mapping[type, str] = {
    MarkerAct: "marker", ActedAct: "acted", DownAct: "down", OutAct: "out", OutByAct: "out", BackAct: "out",
    ThereAct: "there", UsedAct: "used", DeedAct: "deed", ScoreAct: "score", InitiativeAct: "initiative",
    PassAct: "pass", MoraleAct: "morale", TurnAct: "turn",
}  # fmt: skip


# Acts that enter by hand what a roll would settle otherwise, and that roll.
TOLD_FOR: Mapping[type, str] = {InitiativeAct: "initiative", MoraleAct: "morale"}


def read_act(data: Mapping[str, Any]) -> AnyAct:
    """An act from JSON data. Raises Refusal."""
    try:
        act: AnyAct = msgspec.convert(dict(data), AnyAct, strict=False)
    except msgspec.ValidationError as error:
        message, _, at = str(error).partition(" - at ")
        raise Refusal(f"{message} (at {at.strip('`') or '$'}).", code="input") from None
    return act


def write_act(act: AnyAct) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(act)
    return data
