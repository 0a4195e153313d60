"""The table during a battle, for every game: its state as values, acts as data, and what an act makes of a state.

`Tracker.apply` is the whole of it: acts folded one after another from the beginning give the state, so that taking one back is folding
without it. Nothing here rolls: dice fall through the game's rules, and what came of them is an act like any other.

What a game keeps beyond the frame stands in `facts` (of a fighter, a side, the table): statements are set, figures are counted up and
down by `counts`, so that taking one act back leaves what others counted. `Tracker.checked` refuses a state that cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rules.force import FighterView, Force
from rules.problems import Refusal
from rules.resolvers.roller import Resolved

MOST_SCORE = 999
MOST_TURNS = 99
MOST_ADDED = 30
MOST_NAMED = 3  # of those who have yet to act
Outcome = Literal["holds", "shaken", "flees"]

# --- the table as it stands --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MarkerKind:
    """A kind of marker: its name on the table, its icon, and how many of it a fighter holds at most."""

    id: str
    name: str
    icon: str
    most: int


@dataclass(frozen=True, slots=True)
class Consumable:
    """A piece that a use may spend."""

    key: str
    name: str
    used: bool = False


@dataclass(frozen=True, slots=True)
class TableFighter:
    """One fighter at the table. `out_by` is the side that took it out, "" for a fall or nobody knows; `facts` are the game's own.

    `there` is off while it has not come on; `touched` is on once anything befell it, after which it took part for good. `joined`: placed by a
    rule during the battle, so that it stands on no roster. `of`: the roster's row where several come of one (see `Tracker.apart`).
    """

    key: str
    side: str
    name: str
    profile: str = ""
    profile_name: str = ""
    there: bool = True
    touched: bool = False
    acted: bool = False
    down: bool = False
    out: bool = False
    out_by: str = ""
    markers: dict[str, int] = field(default_factory=dict, hash=False)
    kit: tuple[Consumable, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict, hash=False)
    joined: bool = False
    of: str = ""

    @property
    def row(self) -> str:
        """The key of its row on the roster."""
        return self.of or self.key

    @property
    def fights(self) -> bool:
        """Whether it stands or lies on the table."""
        return self.there and not self.out


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side. `tested` is the turn of its last morale test, `shaken` the turn in which it is Shaken, `failed` whether it ever was.

    `keeper` is the side whose phone its player agrees to have both sides kept on; `open`: nobody with a phone plays it.
    """

    key: str
    name: str
    score: int = 0
    tested: int = 0
    shaken: int = 0
    failed: bool = False
    fled: bool = False
    keeper: str = ""
    open: bool = False
    guest: bool = False
    facts: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TableDeed:
    """A deed of this battle and who did it first: `side` "" while nobody has."""

    id: str
    name: str
    words: str = ""
    by_warband: bool = False
    needs_profile: str = ""
    side: str = ""
    fighter: str = ""


@dataclass(frozen=True, slots=True)
class TableState:
    """The table. `turn_least` and `turn_limit` are 0 where the scenario sets none; `initiative` and `acting` are sides, or ""."""

    sides: tuple[TableSide, ...]
    fighters: tuple[TableFighter, ...] = ()
    deeds: tuple[TableDeed, ...] = ()
    turn: int = 1
    turn_least: int = 0
    turn_limit: int = 0
    morale: str = ""  # the scenario's word on it
    initiative: str = ""
    acting: str = ""
    ended: bool = False
    facts: dict[str, Any] = field(default_factory=dict, hash=False)

    def side(self, key: str) -> TableSide:
        """A side. Raises Refusal."""
        found = next((side for side in self.sides if side.key == key), None)
        if found is None:
            raise Refusal("That is not one of the sides.", code="unknown-side")
        return found

    def fighter(self, key: str) -> TableFighter:
        """A fighter. Raises Refusal."""
        found = next((fighter for fighter in self.fighters if fighter.key == key), None)
        if found is None:
            raise Refusal("No such fighter is at this table.", code="unknown-fighter")
        return found

    def of(self, side: str) -> tuple[TableFighter, ...]:
        """The fighters of a side."""
        return tuple(fighter for fighter in self.fighters if fighter.side == side)

    def with_fighter(self, fighter: TableFighter) -> TableState:
        """With this fighter in the place of the one with its key."""
        return replace(self, fighters=tuple(fighter if f.key == fighter.key else f for f in self.fighters))

    def with_side(self, side: TableSide) -> TableState:
        """With this side in the place of the one with its key."""
        return replace(self, sides=tuple(side if s.key == side.key else s for s in self.sides))


def keeper_of(state: TableState, side: str) -> str:
    """The side that keeps both (or all) by everybody's word: those with a player all named the same one. "" while they did not."""
    if not side:
        return ""
    asked = {each.keeper for each in state.sides if not each.open}
    (one, *others) = asked or {""}
    return one if not others and one != side else ""


# --- acts ----------------------------------------------------------------------------------------------------------------------


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """What every act shares: nothing unknown in it."""


Key = Annotated[str, Meta(max_length=80)]
Step = Annotated[int, Meta(ge=-20, le=20)]


class MarkerAct(Act, frozen=True, tag="marker", kw_only=True):
    """Markers gained or lost; two that are pressed at once both count. `was` is the figure that the player saw, where it is known."""

    fighter: Key
    marker: Key
    change: Step
    was: int | None = None


class ActedAct(Act, frozen=True, tag="acted", kw_only=True):
    """A fighter is activated this turn."""

    fighter: Key


class DownAct(Act, frozen=True, tag="down", kw_only=True):
    """A fighter goes Down, or stands up."""

    fighter: Key
    now: bool = True


class OutAct(Act, frozen=True, tag="out", kw_only=True):
    """A fighter is taken out by a side, its own included; "" is a fall, or unknown."""

    fighter: Key
    by: Key = ""


class OutByAct(Act, frozen=True, tag="out_by", kw_only=True):
    """Another word on who took a fighter out."""

    fighter: Key
    by: Key = ""


class BackAct(Act, frozen=True, tag="back", kw_only=True):
    """A fighter that was out is on the table again."""

    fighter: Key


class ThereAct(Act, frozen=True, tag="there", kw_only=True):
    """A fighter comes on, or has not come on yet."""

    fighter: Key
    now: bool = True


class UsedAct(Act, frozen=True, tag="used", kw_only=True):
    """A piece is used up."""

    fighter: Key
    item: Key


class DeedAct(Act, frozen=True, tag="deed", kw_only=True):
    """A deed is done by a fighter, or by a warband."""

    deed: Key
    side: Key
    fighter: Key = ""


class ScoreAct(Act, frozen=True, tag="score", kw_only=True):
    """Victory points gained or lost; `was` as for markers."""

    side: Key
    change: Step
    was: int | None = None


class InitiativeAct(Act, frozen=True, tag="initiative", kw_only=True):
    """A side has the initiative of this turn."""

    side: Key


class PassAct(Act, frozen=True, tag="pass", kw_only=True):
    """It is this side's turn to act."""

    side: Key


class MoraleAct(Act, frozen=True, tag="morale", kw_only=True):
    """A morale test and what came of it."""

    side: Key
    outcome: Outcome


class TurnAct(Act, frozen=True, tag="turn", kw_only=True):
    """The turn of this number ends, the next one begins. `anyway`: all the same, whatever is open in it."""

    turn: Annotated[int, Meta(ge=1, le=MOST_TURNS)]
    anyway: bool = False


class KeepAct(Act, frozen=True, tag="keep", kw_only=True):
    """A side agrees that this one's phone keeps both; "" takes that back."""

    side: Key
    keeper: Key = ""


class AddAct(Act, frozen=True, tag="add", kw_only=True):
    """A fighter of a guest, by name: nobody else's roster is unknown."""

    side: Key
    name: Annotated[str, Meta(max_length=60)]


class NoteAct(Act, frozen=True, tag="note", kw_only=True):
    """A word for the log."""

    side: Key
    words: Annotated[str, Meta(max_length=200)]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What dice did to one fighter."""

    fighter: Key
    markers: dict[str, int] = {}
    down: bool | None = None
    out: bool = False
    by: Key = ""
    acted: bool | None = None
    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}


class SideEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What dice or a move did to a side: victory points and figures counted on, statements set."""

    side: Key
    score: int = 0
    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}


class TableJoins(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter that a rule places on the table: it was not mustered, and stands on no roster."""

    key: Key
    side: Key
    name: Annotated[str, Meta(max_length=80)]
    profile_name: Annotated[str, Meta(max_length=80)] = ""
    markers: dict[str, int] = {}
    facts: dict[str, Any] = {}


class TableEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What dice or a move did to the table. `next_turn` begins the next turn, `acting` says whose turn it is to act (None: as before).

    `joins`: fighters that come to it through a rule.
    """

    facts: dict[str, Any] = {}
    counts: dict[str, int] = {}
    acting: Key | None = None
    next_turn: bool = False
    joins: tuple[TableJoins, ...] = ()


class RollAct(Act, frozen=True, tag="roll", kw_only=True):
    """Dice that fell, or a move of the game's own: what was said of it, and what it did. Written by `Tracker.rolled`, never by a page."""

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
    """The scenario is settled, or another one, after the table was laid: its length, its morale, its deeds. No button of the page does it."""

    name: Annotated[str, Meta(max_length=80)]
    turn_least: int = 0
    turn_limit: int = 0
    morale: str = ""
    deeds: tuple[TableDeed, ...] = ()


class EndAct(Act, frozen=True, tag="end", kw_only=True):
    """The battle is over, until either side goes on with it."""


class ReopenAct(Act, frozen=True, tag="reopen", kw_only=True):
    """It is not over after all."""


AnyAct = (
    MarkerAct | ActedAct | DownAct | OutAct | OutByAct | BackAct | ThereAct | UsedAct | DeedAct | ScoreAct | InitiativeAct
    | PassAct | MoraleAct | TurnAct | KeepAct | AddAct | NoteAct | RollAct | SceneAct | EndAct | ReopenAct
)  # fmt: skip


# Which of `Tracker.uses` an act belongs to; those that every game has stand in none.
USE_OF: Mapping[type, str] = {
    MarkerAct: "marker", ActedAct: "acted", DownAct: "down", OutAct: "out", OutByAct: "out", BackAct: "out",
    ThereAct: "there", UsedAct: "used", DeedAct: "deed", ScoreAct: "score", InitiativeAct: "initiative",
    PassAct: "pass", MoraleAct: "morale", TurnAct: "turn",
}  # fmt: skip


# What is told by hand where a roll settles it otherwise, and that roll.
TOLD_FOR: Mapping[type, str] = {InitiativeAct: "initiative", MoraleAct: "morale"}


def read_act(data: Mapping[str, Any]) -> AnyAct:
    """An act from data, typed. Raises Refusal."""
    try:
        act: AnyAct = msgspec.convert(dict(data), AnyAct, strict=False)
    except msgspec.ValidationError as error:
        words, _, at = str(error).partition(" - at ")
        raise Refusal(f"{words} (at {at.strip('`') or '$'}).", code="input") from None
    return act


def write_act(act: AnyAct) -> dict[str, Any]:
    """An act as data."""
    found: dict[str, Any] = msgspec.to_builtins(act)
    return found


def read_state(data: Mapping[str, Any]) -> TableState:
    """A state from data that `write_state` wrote."""
    return msgspec.convert(data, TableState)


def write_state(state: TableState) -> dict[str, Any]:
    """A state as data."""
    found: dict[str, Any] = msgspec.to_builtins(state)
    return found


# --- what is told besides ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table asks for now. `roll` is the roll that answers it, `side` whose, `given` what the roll's form is filled with."""

    kind: str
    words: str
    side: str = ""
    roll: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Asks:
    """One thing that a roll asks for. `kind`: toggle, number, option, mine (one's own fighter), foe, anybody, or side.

    `only`: of these fighters alone (empty: any). `several`: any number of them, their keys with commas between. `leads`: the other
    questions hang on it, so that the form is drawn anew when it changes.
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
    """A roll or a move that the tracker offers. `move`: no dice fall for it. Kinds of the same `group` stand beside each other as tabs.

    `tells`: the roll whose outcome this move tells, where chance fell on the table and not in the app.

    Where its answers are known (see `Tracker.asking`): `reckoned` is what bears on it, in words, `unreckoned` what has to be added by hand,
    `odds_words` its exact odds in a line.
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
    """A roll or move on offer now: for the table, for a side, or for one fighter; `closed` says why it cannot be.

    `given` fills its form; `at_once`: nothing is left to ask, one press does it (with the app's dice where dice fall). `main` is the act
    that stands under the thumb. `open` is what it would leave undone, shown before it is done.
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
    """One line of what the table shows to everybody: a label, figures, words, and a row of places, each told and full or empty.

    `side` is whose it is, "" for everybody's.
    """

    label: str
    figure: str = ""
    words: str = ""
    track: tuple[tuple[str, bool], ...] = ()
    side: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A word on a fighter's row. `state` is quiet, `alarm` matters."""

    words: str
    kind: Literal["state", "alarm"] = "state"


class Tracker:
    """The table of one game in one edition. The frame holds for every game; what a game adds are its markers, rolls and prompts."""

    markers: tuple[MarkerKind, ...] = ()
    # Whether a row of the roster that stands for several comes to the table as so many, each with markers of its own.
    apart: bool = False
    # Which acts of the frame this game has besides its rolls and moves: a page leaves the buttons of the others out.
    uses: frozenset[str] = frozenset(
        {"marker", "acted", "down", "out", "there", "used", "deed", "score", "initiative", "pass", "morale", "turn"}
    )

    def markers_of(self, fighter: TableFighter) -> tuple[MarkerKind, ...]:
        """The kinds of marker that a fighter may hold; one without an icon is told by the game's own badges on the closed row."""
        return self.markers

    def set_up(self, state: TableState) -> TableState:
        """The table as it begins: whatever the game adds to what was mustered."""
        return state

    def facts(self, view: FighterView) -> dict[str, Any]:
        """What rolls need to know of a fighter, as JSON."""
        return {}

    def rolls(self) -> tuple[RollKind, ...]:
        """The rolls on offer."""
        return ()

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The rule of the table that a roll goes through, and its input. Raises Refusal."""
        raise Refusal("This game rolls nothing here.", code="unknown-roll")

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        """What dice did, as an act. Raises Refusal."""
        raise Refusal("This game rolls nothing here.", code="unknown-roll")

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        """What the table asks for now."""
        return self._turn_prompts(state)

    def left_open(self, state: TableState) -> tuple[str, ...]:
        """What would be lost if the turn ended now, a sentence each: who has yet to act, a test that is due."""
        return tuple(_yet_to_act(state)) if "acted" in self.uses else ()

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        """Rolls and moves on offer now, beyond `rolls`, which are always on offer: at the table, for a side, for a fighter."""
        return ()

    def asked(self, state: TableState, roll: str) -> RollKind:
        """A roll or move by its id, its questions as the table stands. Raises Refusal."""
        found = next((kind for kind in self.rolls() if kind.id == roll), None)
        if found is None:
            raise Refusal(f"“{roll}” is no roll of this table.", code="unknown-roll")
        return found

    def asking(self, state: TableState, roll: str, data: Mapping[str, str]) -> RollKind:
        """The same with the answers given so far, on which further questions may hang. Raises Refusal."""
        return self.asked(state, roll)

    def bound(self, forces: Callable[[str], Force | None]) -> Tracker:
        """This tracker with the mustered force of each side at hand, by the side's key; None for a guest's. Read only when asked for."""
        return self

    def board(self, state: TableState) -> tuple[BoardLine, ...]:
        """What the table shows to everybody beside turn, points and fighters."""
        return ()

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        """Words on a fighter's row beside acted, Down and out."""
        return ()

    def lines(self, state: TableState, fighter: TableFighter) -> tuple[str, ...]:
        """What is told of a fighter when its row is open: figures, weapons, chances."""
        return ()

    def checked(self, before: TableState, state: TableState) -> TableState:
        """The state, when it can be. Raises Refusal for one that cannot."""
        return state

    def losses(self, state: TableState) -> Mapping[str, Mapping[str, Any]]:
        """What the battle cost each fighter beyond being out, for the report: figures by fighter key."""
        return {}

    def owner(self, state: TableState, act: AnyAct) -> str:
        """The side whose act this is; "" where it is everybody's (the turn, the initiative, the end). Raises Refusal."""
        if isinstance(act, (ScoreAct, MoraleAct, KeepAct, AddAct, NoteAct, DeedAct)):
            return state.side(act.side).key
        if isinstance(act, RollAct):
            return state.fighter(act.fighter).side if act.fighter else act.side
        fighter = getattr(act, "fighter", "")
        return state.fighter(fighter).side if fighter else ""

    # --- one act

    def apply(self, state: TableState, act: AnyAct) -> tuple[TableState, str]:
        """The state after an act, and the act in a sentence. Raises Refusal for what cannot be, and for what this game does not have."""
        if USE_OF.get(type(act), "") not in {"", *self.uses}:
            raise Refusal("This game has no such act at the table.", code="unused")
        after, told = self._apply(state, act)
        return self.checked(state, after), told

    def _apply(self, state: TableState, act: AnyAct) -> tuple[TableState, str]:
        if isinstance(act, ReopenAct):
            if not state.ended:
                raise Refusal("The battle is not ended.", code="not-ended")
            return replace(state, ended=False), "The battle goes on."
        if isinstance(act, SceneAct):
            return _scene(state, act)
        if state.ended:
            raise Refusal("The battle is ended.", mend="Go on with it first.", code="ended")
        match act:
            case MarkerAct():
                return self._marker(state, act)
            case ActedAct():
                return self._acted(state, act)
            case DownAct():
                return self._down(state, act)
            case OutAct():
                fighter = _on_table(state, act.fighter)
                by = _by(state, fighter, act.by)
                return state.with_fighter(_out(fighter, act.by)), f"{fighter.name} is Out of Action, {by}."
            case OutByAct():
                fighter = state.fighter(act.fighter)
                if not fighter.out:
                    raise Refusal(f"{fighter.name} is not Out of Action.", code="not-out")
                by = _by(state, fighter, act.by)
                return state.with_fighter(replace(fighter, out_by=act.by)), f"{fighter.name} went out {by}."
            case BackAct():
                fighter = state.fighter(act.fighter)
                if not fighter.out:
                    raise Refusal(f"{fighter.name} is on the table.", code="not-out")
                return state.with_fighter(replace(fighter, out=False, out_by="")), f"{fighter.name} is back."
            case ThereAct():
                return _there(state, act)
            case UsedAct():
                return _used(state, act)
            case DeedAct():
                return _deed(state, act)
            case ScoreAct():
                return _score(state, act)
            case InitiativeAct():
                side = state.side(act.side)
                if state.initiative == side.key:
                    raise Refusal(f"{side.name} has the initiative already.", code="done")
                return replace(state, initiative=side.key, acting=side.key), f"{side.name} has the initiative."
            case PassAct():
                side = state.side(act.side)
                if state.acting == side.key:
                    raise Refusal(f"{side.name} acts already.", code="done")
                return replace(state, acting=side.key), f"{side.name} acts."
            case MoraleAct():
                return self.tested(state, act.side, act.outcome)
            case TurnAct():
                return _turn(state, act, self.left_open(state))
            case KeepAct():
                return _keep(state, act)
            case AddAct():
                return _add(state, act)
            case NoteAct():
                words = " ".join(act.words.split())
                if not words:
                    raise Refusal("Nothing was written.", code="empty")
                return state, f"“{words}”"
            case RollAct():
                return self._rolled(state, act)
            case EndAct():
                told = f"The battle ends in turn {state.turn}: {_standing(state)}."
                return replace(state, ended=True), f"{told}{_all_the_same(self.left_open(state))}"

    def _marker(self, state: TableState, act: MarkerAct) -> tuple[TableState, str]:
        fighter = _on_table(state, act.fighter)
        kind = next((kind for kind in self.markers_of(fighter) if kind.id == act.marker), None)
        if kind is None:
            raise Refusal(f"“{act.marker}” is no marker of this game.", code="unknown-marker")
        held = fighter.markers.get(kind.id, 0)
        told = f"{fighter.name}: {kind.name.lower()} {held} to {held + act.change}{_pressed_at(act.was, held)}."
        return state.with_fighter(self.marked(fighter, {kind.id: act.change})), told

    def marked(self, fighter: TableFighter, changes: Mapping[str, int]) -> TableFighter:
        """With these markers more or fewer. Raises Refusal below nought and above the cap."""
        markers = dict(fighter.markers)
        for kind in self.markers_of(fighter):
            change = changes.get(kind.id, 0)
            now = markers.get(kind.id, 0) + change
            if change and now < 0:
                raise Refusal(
                    f"{fighter.name} holds {now - change} {kind.name.lower()}; {-change} cannot be taken.",
                    code="below-nought",
                )
            if change and now > kind.most:
                raise Refusal(
                    f"{fighter.name} holds {now - change} {kind.name.lower()}; {kind.most} is the most.", code="cap"
                )
            if change:
                markers[kind.id] = now
        return replace(fighter, markers={key: count for key, count in markers.items() if count}, touched=True)

    def _acted(self, state: TableState, act: ActedAct) -> tuple[TableState, str]:
        fighter = _on_table(state, act.fighter)
        if fighter.acted:
            raise Refusal(f"{fighter.name} has acted this turn.", code="acted")
        fighter, told = self.activated(fighter)
        state = state.with_fighter(replace(fighter, acted=True, touched=True))
        return _next_to_act(state, fighter.side), f"{fighter.name} has acted.{told}"

    def activated(self, fighter: TableFighter) -> tuple[TableFighter, str]:
        """What being activated does to a fighter, and its sentence with a blank in front."""
        return fighter, ""

    def _down(self, state: TableState, act: DownAct) -> tuple[TableState, str]:
        fighter = _on_table(state, act.fighter)
        if fighter.down == act.now:
            raise Refusal(f"{fighter.name} {'is Down' if act.now else 'stands'} already.", code="done")
        told = f"{fighter.name} {'goes Down' if act.now else 'stands up'}."
        return state.with_fighter(replace(fighter, down=act.now, touched=True)), told

    def tested(self, state: TableState, key: str, outcome: Outcome) -> tuple[TableState, str]:
        """A morale test with this outcome. Raises Refusal for a second one in a turn."""
        side = state.side(key)
        if side.tested == state.turn:
            raise Refusal(f"{side.name} has tested its morale this turn.", code="tested")
        changes: dict[str, Any] = {"tested": state.turn}
        if outcome != "holds":
            changes |= {"failed": True, "fled": outcome == "flees"}
        if outcome == "shaken":
            changes["shaken"] = state.turn + 1
        words = {"holds": "holds", "shaken": "is Shaken", "flees": "flees, and loses"}[outcome]
        return state.with_side(replace(side, **changes)), f"Morale: {side.name} {words}."

    def _rolled(self, state: TableState, act: RollAct) -> tuple[TableState, str]:
        """Dice and what they did. An effect on a fighter that is out is refused."""
        for effect in act.effects:
            fighter = _on_table(state, effect.fighter)
            fighter = self.marked(fighter, effect.markers) if effect.markers else replace(fighter, touched=True)
            facts = _counted(fighter.name, {**fighter.facts, **effect.facts}, effect.counts)
            down = fighter.down if effect.down is None else effect.down
            acted = fighter.acted if effect.acted is None else effect.acted
            fighter = replace(fighter, facts=facts, down=down, acted=acted)
            state = state.with_fighter(_out(fighter, effect.by) if effect.out else fighter)
        for change in act.side_effects:
            side = state.side(change.side)
            if change.score:
                state, _ = _score(state, ScoreAct(side=side.key, change=change.score))
                side = state.side(side.key)
            facts = _counted(side.name, {**side.facts, **change.facts}, change.counts)
            state = state.with_side(replace(side, facts=facts))
        table = act.table
        for joins in table.joins:
            state = _joined(state, joins)
        if table.next_turn:
            state, _ = _turn(state, TurnAct(turn=state.turn), ())
        if table.facts or table.counts:
            state = replace(state, facts=_counted("The table", {**state.facts, **table.facts}, table.counts))
        if table.acting is not None:
            state = replace(state, acting=state.side(table.acting).key if table.acting else "")
        if act.initiative:
            side = state.side(act.initiative)
            state = replace(state, initiative=side.key, acting=side.key)
        if act.morale is not None:
            state, _ = self.tested(state, act.side, act.morale)
        return state, act.told

    # --- prompts

    def _turn_prompts(self, state: TableState) -> tuple[Prompt, ...]:
        found = []
        if "initiative" in self.uses and not state.initiative and len(state.sides) > 1:
            found.append(Prompt("initiative", f"Turn {state.turn}: who has the initiative?", roll="initiative"))
        if state.turn_limit and state.turn >= state.turn_limit:
            found.append(Prompt("limit", f"Turn {state.turn} is the last."))
        elif state.turn_least and state.turn >= state.turn_least:
            found.append(Prompt("limit", f"The battle may end with turn {state.turn}: the scenario says how."))
        return tuple(found)


# --- the rest of the frame ---------------------------------------------------------------------------------------------------


def _on_table(state: TableState, key: str) -> TableFighter:
    fighter = state.fighter(key)
    if fighter.out:
        raise Refusal(
            f"{fighter.name} is Out of Action and cannot act.",
            mend="If that was a slip, undo it in the log.",
            code="out",
        )
    if not fighter.there:
        raise Refusal(f"{fighter.name} has not come on yet.", mend="Bring it on first.", code="not-there")
    return fighter


def _counted(whose: str, facts: dict[str, Any], counts: Mapping[str, int]) -> dict[str, Any]:
    """Facts with figures counted on. Raises Refusal below nought."""
    for name, change in counts.items():
        now = int(facts.get(name, 0)) + change
        if now < 0:
            raise Refusal(
                f"{whose}: {name.replace('_', ' ')} stands at {now - change}; {-change} cannot be taken.",
                code="below-nought",
            )
        facts[name] = now
    return facts


def _out(fighter: TableFighter, by: str) -> TableFighter:
    return replace(fighter, out=True, out_by=by, down=False, markers={}, touched=True)


def _by(state: TableState, fighter: TableFighter, by: str) -> str:
    if not by:
        return "by a fall, or nobody knows"
    return "by its own side" if by == fighter.side else f"by {state.side(by).name}"


def _there(state: TableState, act: ThereAct) -> tuple[TableState, str]:
    fighter = state.fighter(act.fighter)
    if fighter.there == act.now:
        raise Refusal(f"{fighter.name} {'is on the table' if act.now else 'has not come on'} already.", code="done")
    if not act.now and fighter.touched:
        raise Refusal(f"{fighter.name} took part in this battle.", mend="Undo what it did first.", code="took-part")
    told = f"{fighter.name} {'comes on' if act.now else 'has not come on yet'}."
    return state.with_fighter(replace(fighter, there=act.now)), told


def _used(state: TableState, act: UsedAct) -> tuple[TableState, str]:
    fighter = state.fighter(act.fighter)
    piece = next((piece for piece in fighter.kit if piece.key == act.item), None)
    if piece is None:
        raise Refusal(f"{fighter.name} carries no such piece.", code="unknown-item")
    if piece.used:
        raise Refusal(f"{piece.name} of {fighter.name} is used up.", code="done")
    kit = tuple(replace(p, used=True) if p.key == piece.key else p for p in fighter.kit)
    return state.with_fighter(replace(fighter, kit=kit, touched=True)), f"{fighter.name} uses up {piece.name}."


def _deed(state: TableState, act: DeedAct) -> tuple[TableState, str]:
    deed = next((deed for deed in state.deeds if deed.id == act.deed), None)
    if deed is None:
        raise Refusal("That is no deed of this battle.", code="unknown-deed")
    side = state.side(act.side)
    if deed.side:
        first = state.fighter(deed.fighter).name if deed.fighter else state.side(deed.side).name
        raise Refusal(f"{deed.name}: {first} was first.", code="deed-done")
    name = side.name
    if act.fighter and not deed.by_warband:
        fighter = state.fighter(act.fighter)
        if fighter.side != side.key:
            raise Refusal(f"{fighter.name} is not of {side.name}.", code="unknown-fighter")
        if not fighter.there:
            raise Refusal(f"{fighter.name} has not come on yet.", mend="Bring it on first.", code="not-there")
        if deed.needs_profile and fighter.profile != deed.needs_profile:
            raise Refusal(f"{deed.name} is not open to {fighter.name}.", code="deed-closed")
        state, name = state.with_fighter(replace(fighter, touched=True)), fighter.name
    elif not deed.by_warband and not side.guest:
        raise Refusal(f"{deed.name}: say which fighter did it.", code="deed-fighter")
    done = replace(deed, side=side.key, fighter="" if deed.by_warband else act.fighter)
    deeds = tuple(done if d.id == deed.id else d for d in state.deeds)
    return replace(state, deeds=deeds), f"{deed.name}: {name}."


def _joined(state: TableState, joins: TableJoins) -> TableState:
    if any(fighter.key == joins.key for fighter in state.fighters):
        raise Refusal(f"{joins.name} stands on the table already.", code="done")
    added = TableFighter(
        key=joins.key,
        side=state.side(joins.side).key,
        name=joins.name,
        profile_name=joins.profile_name,
        markers=dict(joins.markers),
        facts=dict(joins.facts),
        touched=True,
        joined=True,
    )
    return replace(state, fighters=(*state.fighters, added))


def _score(state: TableState, act: ScoreAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    now = side.score + act.change
    if not 0 <= now <= MOST_SCORE:
        raise Refusal(
            f"{side.name} has {side.score}; victory points go from 0 to {MOST_SCORE}.",
            code="score",
        )
    told = f"{side.name}: victory points {side.score} to {now}{_pressed_at(act.was, side.score)}."
    return state.with_side(replace(side, score=now)), told


def _pressed_at(was: int | None, stood: int) -> str:
    """For the log, where somebody else had counted before this press came: the figure that its player saw."""
    return "" if was is None or was == stood else f" (pressed at {was})"


def refuse_open(tracker: Tracker, state: TableState, act: AnyAct) -> None:
    """Raise Refusal where something is open that the end of this turn would lose, unless it ends all the same.

    It is asked when somebody presses, not when the log is folded: without an act taken back, more may be open by right. The end of the
    battle is not asked: either side can go on with it.
    """
    if not isinstance(act, TurnAct) or act.anyway or act.turn != state.turn or state.ended:
        return
    if left := tracker.left_open(state):
        raise Refusal(
            f"Turn {state.turn} is not ended yet. {' '.join(left)}",
            mend="Do that first, or press “End all the same”.",
            code="open",
        )


def _yet_to_act(state: TableState) -> Iterator[str]:
    for side in state.sides:
        names = [fighter.name for fighter in state.of(side.key) if fighter.fights and not fighter.acted]
        if names and not side.fled:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            yield f"{side.name} has {len(names)} still to act: {', '.join(names[:MOST_NAMED])}{more}."


def _all_the_same(left: Sequence[str]) -> str:
    """For the log, with a blank in front: what was open when a turn or a battle was ended all the same."""
    return f" Ended all the same: {' '.join(left)}" if left else ""


def _turn(state: TableState, act: TurnAct, left: Sequence[str]) -> tuple[TableState, str]:
    if act.turn != state.turn:
        raise Refusal(f"Turn {act.turn} is over already; this is turn {state.turn}.", code="clash")
    if state.turn >= (state.turn_limit or MOST_TURNS):
        raise Refusal(f"Turn {state.turn} is the last one of this battle.", mend="End the battle.", code="last-turn")
    fighters = tuple(replace(f, acted=False) if f.acted else f for f in state.fighters)
    return (
        replace(state, turn=state.turn + 1, initiative="", acting="", fighters=fighters),
        f"Turn {state.turn + 1} begins.{_all_the_same(left)}",
    )


def _scene(state: TableState, act: SceneAct) -> tuple[TableState, str]:
    """Deeds that were done stay done, also where the scenario does not offer them."""
    done = {deed.id: deed for deed in state.deeds if deed.side}
    deeds = [done.get(deed.id, deed) for deed in act.deeds]
    deeds += [deed for deed in state.deeds if deed.side and deed.id not in {each.id for each in act.deeds}]
    state = replace(state, deeds=tuple(deeds), turn_least=act.turn_least, turn_limit=act.turn_limit, morale=act.morale)
    length = f" It lasts {act.turn_limit} turns." if act.turn_limit else ""
    return state, f"The scenario is {act.name}.{length}"


def _keep(state: TableState, act: KeepAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    keeper = state.side(act.keeper) if act.keeper else None
    if side.keeper == act.keeper:
        raise Refusal("That was said already.", code="done")
    told = f"{side.name}: {keeper.name} may keep both." if keeper else f"{side.name} keeps its own side."
    state = state.with_side(replace(side, keeper=act.keeper))
    if keeper and any(keeper_of(state, other.key) == keeper.key for other in state.sides):
        told += f" {keeper.name} keeps both from now on."
    return state, told


def _add(state: TableState, act: AddAct) -> tuple[TableState, str]:
    side, name = state.side(act.side), " ".join(act.name.split())
    if not side.guest:
        raise Refusal(f"The fighters of {side.name} are those it mustered.", code="not-guest")
    if not name:
        raise Refusal("A fighter needs a name.", code="no-name")
    own = state.of(side.key)
    if len(own) >= MOST_ADDED:
        raise Refusal(f"A guest brings {MOST_ADDED} fighters at most.", code="many")
    added = TableFighter(key=f"g{side.key}-{len(own) + 1}", side=side.key, name=name)
    return replace(state, fighters=(*state.fighters, added)), f"{name} stands with {side.name}."


def _next_to_act(state: TableState, after: str) -> TableState:
    """The next side with somebody left to act; it stays with one side where no other has."""
    keys = [side.key for side in state.sides]
    place = keys.index(after)
    for key in [*keys[place + 1 :], *keys[: place + 1]]:
        if any(fighter.fights and not fighter.acted for fighter in state.of(key)):
            return replace(state, acting=key)
    return replace(state, acting="")


def _standing(state: TableState) -> str:
    return ", ".join(f"{side.name} {side.score}" for side in state.sides)


def refuse_unasked(state: TableState, kind: RollKind, data: Mapping[str, str]) -> None:
    """Raise Refusal for an answer that a roll's form does not offer: a figure beyond its ends, no option of it, a fighter not meant.

    What is left empty is the roll's own to judge, and so is whose fighter it is.
    """
    for asked in kind.asks:
        told = str(data.get(asked.name, "")).strip()
        if not told or asked.kind == "toggle":
            continue
        if asked.kind == "number":
            _refuse_figure(asked, told)
        elif asked.kind == "option":
            if told not in {value for value, _ in asked.options}:
                raise Refusal(f"{asked.label}: “{told[:20]}” is not among the choices.", code="no-choice")
        elif asked.kind == "side":
            for key in told.split(",") if asked.several else (told,):
                state.side(key)
        else:
            for key in told.split(",") if asked.several else (told,):
                fighter = state.fighter(key)
                if asked.only and key not in asked.only:
                    raise Refusal(f"{asked.label}: {fighter.name} is not one of those it can be.", code="no-choice")


def _refuse_figure(asked: Asks, told: str) -> None:
    plain = told.replace("−", "-").removeprefix("+")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 6):
        raise Refusal(f"{asked.label}: “{told[:12]}” is no whole number.", code="number")
    if not asked.least <= int(plain) <= asked.most:
        words = f"{asked.label} goes from {asked.least} to {asked.most}; {int(plain)} does not fit."
        raise Refusal(words.replace("-", "−"), code="number")


def refuse_closed(offers: Iterable[TableOffer], roll: str, data: Mapping[str, str]) -> None:
    """Raise Refusal where every offer of this roll, with these answers, is closed. A roll that nothing offers is left to its rule."""
    meant = [offer for offer in offers if offer.roll == roll and _is_meant(offer, data)]
    if meant and all(offer.closed for offer in meant):
        raise Refusal(meant[0].closed, code="closed")


def _is_meant(offer: TableOffer, data: Mapping[str, str]) -> bool:
    whose = {"fighter": offer.fighter, "side": "" if offer.fighter else offer.side}
    wanted = {**{name: key for name, key in whose.items() if key}, **offer.given}
    return all(data.get(name, told) == told for name, told in wanted.items())


def fold(tracker: Tracker, state: TableState, acts: Iterable[AnyAct]) -> TableState:
    """The state after all these acts. Raises Refusal at the first that cannot be."""
    for act in acts:
        state, _ = tracker.apply(state, act)
    return state
