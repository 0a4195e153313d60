"""The state of the table during a battle: sides, fighters and deeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from rules.problems import Refusal
from rules.translation import gettext as _


@dataclass(frozen=True, slots=True)
class MarkerKind:
    """A kind of marker. `most` is how many of these a fighter may have."""

    id: str
    name: str
    icon: str
    most: int


@dataclass(frozen=True, slots=True)
class Consumable:
    """A piece of kit that is consumed when it is used, or with `again` something that may be used once in each turn."""

    key: str
    name: str
    used: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class TableFighter:
    """One fighter at the table. The game defines the content of `facts`.

    `out_by` is the side that took it out, "" for a fall or if nobody knows. `there` is False until it enters the table.
    `touched` becomes True once anything happens to the fighter; it then counts as having taken part in the battle.
    `joined`: a rule placed it during the battle, so it is on no roster. `of` is the key of its row on the roster, if
    several fighters come from one row (see `Tracker.apart`).
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
        return self.of or self.key

    @property
    def fights(self) -> bool:
        return self.there and not self.out


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side of a battle.

    `tested` is the turn of its last morale test. `shaken` is the turn in which it is Shaken. `failed`: it has failed a
    test in this battle. `keeper` is the side whose phone may record this side too, because this side's player agreed.
    `open`: no player with a phone plays this side. `attacks`: whether the battle has it as the attacker, None if it has none.
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
    attacks: bool | None = None


@dataclass(frozen=True, slots=True)
class TableDeed:
    """A deed of this battle and who did it first. `side` is "" as long as nobody has done it."""

    id: str
    name: str
    words: str = ""
    by_warband: bool = False
    needs_profile: str = ""
    side: str = ""
    fighter: str = ""


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table.

    `turn_least` and `turn_limit` are 0 if the scenario sets none. `initiative` and `acting` are keys of sides, or "".
    """

    sides: tuple[TableSide, ...]
    fighters: tuple[TableFighter, ...] = ()
    deeds: tuple[TableDeed, ...] = ()
    turn: int = 1
    turn_least: int = 0
    turn_limit: int = 0
    morale: str = ""  # the scenario's text on morale
    initiative: str = ""
    acting: str = ""
    ended: bool = False
    facts: dict[str, Any] = field(default_factory=dict, hash=False)

    def side(self, key: str) -> TableSide:
        """Return the side with this key. Raises Refusal if there is none."""
        side = next((side for side in self.sides if side.key == key), None)
        if side is None:
            raise Refusal(_("That is not one of the sides."), code="unknown-side")
        return side

    def fighter(self, key: str) -> TableFighter:
        """Return the fighter with this key. Raises Refusal if there is none."""
        fighter = next((fighter for fighter in self.fighters if fighter.key == key), None)
        if fighter is None:
            raise Refusal(_("No such fighter is at this table."), code="unknown-fighter")
        return fighter

    def of(self, side: str) -> tuple[TableFighter, ...]:
        return tuple(fighter for fighter in self.fighters if fighter.side == side)

    def with_fighter(self, fighter: TableFighter) -> TableState:
        """Return the table with this fighter in place of the one with the same key."""
        return replace(self, fighters=tuple(fighter if f.key == fighter.key else f for f in self.fighters))

    def with_side(self, side: TableSide) -> TableState:
        """Return the table with this side in place of the one with the same key."""
        return replace(self, sides=tuple(side if s.key == side.key else s for s in self.sides))


def as_seen(state: TableState, saw: str, turn: int) -> TableState:
    """Return the table as a phone without a line saw it when it rolled: the turn, and how the fighters of the roll stood.

    `saw` names them with what held of them: "12:down,15:tough_used". Markers are always those of now: they are added up.
    """
    seen = replace(state, turn=turn) if 0 < turn < state.turn else state
    for told in filter(None, saw.split(",")):
        key, _, words = told.partition(":")
        fighter = next((fighter for fighter in seen.fighters if fighter.key == key), None)
        if fighter is None:
            continue
        held = set(words.split("+"))
        facts = {name: value for name, value in fighter.facts.items() if not name.endswith("_used")}
        used = {name: True for name in held if name.endswith("_used") and name.isidentifier()}
        seen = seen.with_fighter(
            replace(fighter, down="down" in held, acted="acted" in held, out="out" in held, facts={**facts, **used})
        )
    return seen


def keeper_of(state: TableState, side: str) -> str:
    """Return the side other than `side` whose phone records every side, or "" if there is none.

    All sides with a player have to agree on the same keeper.
    """
    if not side:
        return ""
    asked = {each.keeper for each in state.sides if not each.open}
    (one, *others) = asked or {""}
    return one if not others and one != side else ""


def read_state(data: Mapping[str, Any]) -> TableState:
    """Return the table from data that `write_state` wrote."""
    return msgspec.convert(data, TableState)


def write_state(state: TableState) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(state)
    return data
