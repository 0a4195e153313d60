"""The table of a battle as it stands: sides, fighters and deeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from rules.problems import Refusal


@dataclass(frozen=True, slots=True)
class MarkerKind:
    """A kind of marker. `most` is how many of it a fighter may hold."""

    id: str
    name: str
    icon: str
    most: int


@dataclass(frozen=True, slots=True)
class Consumable:
    """A piece of kit that is used up by a use."""

    key: str
    name: str
    used: bool = False


@dataclass(frozen=True, slots=True)
class TableFighter:
    """One fighter at the table. `facts` belong to the game.

    `out_by` is the side that took it out, "" for a fall or where nobody knows. `there` is False until it comes on. `touched` is True
    once anything happened to it: from then on it took part in the battle. `joined`: a rule placed it during the battle, so it is on no
    roster. `of` is the key of its row on the roster, where several fighters come from one row (see `Tracker.apart`).
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
    """One side.

    `tested` is the turn of its last morale test, `shaken` the turn in which it is Shaken; `failed`: it failed a test at some time.
    `keeper` is the side whose phone may record this side too, by the word of its player. `open`: no player with a phone plays this side.
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
    """A deed of this battle and who did it first. `side` is "" while nobody did."""

    id: str
    name: str
    words: str = ""
    by_warband: bool = False
    needs_profile: str = ""
    side: str = ""
    fighter: str = ""


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table. `turn_least` and `turn_limit` are 0 where the scenario sets none. `initiative` and `acting` are keys of sides, or ""."""

    sides: tuple[TableSide, ...]
    fighters: tuple[TableFighter, ...] = ()
    deeds: tuple[TableDeed, ...] = ()
    turn: int = 1
    turn_least: int = 0
    turn_limit: int = 0
    morale: str = ""  # what the scenario says of it
    initiative: str = ""
    acting: str = ""
    ended: bool = False
    facts: dict[str, Any] = field(default_factory=dict, hash=False)

    def side(self, key: str) -> TableSide:
        """The side with this key. Raises Refusal."""
        side = next((side for side in self.sides if side.key == key), None)
        if side is None:
            raise Refusal("That is not one of the sides.", code="unknown-side")
        return side

    def fighter(self, key: str) -> TableFighter:
        """The fighter with this key. Raises Refusal."""
        fighter = next((fighter for fighter in self.fighters if fighter.key == key), None)
        if fighter is None:
            raise Refusal("No such fighter is at this table.", code="unknown-fighter")
        return fighter

    def of(self, side: str) -> tuple[TableFighter, ...]:
        return tuple(fighter for fighter in self.fighters if fighter.side == side)

    def with_fighter(self, fighter: TableFighter) -> TableState:
        """The table with this fighter instead of the one that has its key."""
        return replace(self, fighters=tuple(fighter if f.key == fighter.key else f for f in self.fighters))

    def with_side(self, side: TableSide) -> TableState:
        """The table with this side instead of the one that has its key."""
        return replace(self, sides=tuple(side if s.key == side.key else s for s in self.sides))


def keeper_of(state: TableState, side: str) -> str:
    """The side whose phone records every side: all sides with a player named the same one. "" while they did not."""
    if not side:
        return ""
    asked = {each.keeper for each in state.sides if not each.open}
    (one, *others) = asked or {""}
    return one if not others and one != side else ""


def read_state(data: Mapping[str, Any]) -> TableState:
    """A table from data that `write_state` wrote."""
    return msgspec.convert(data, TableState)


def write_state(state: TableState) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(state)
    return data
