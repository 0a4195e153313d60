"""Inputs of the rules for tanks. Distances in inches."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from rules.resolvers.normaliser import RuleInput
from rules.trench_too_far.resolvers.inputs import (
    Face,
    Faces,
    Inches,
    Platoon,
    Reliability,
    State,
    Tank,
    TankClass,
    WeaponId,
)


class ReliabilityTest(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tank that moves. `crossing`: a trench or the like. `turn` left out: later than the second."""

    kind: Reliability
    roll: Face | None = None
    crossing: bool = False
    turn: Annotated[int, Meta(ge=1, le=200)] | None = None


class TankSave(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tank that is hit. `mod`: of the weapon, or told by `weapon`. `assault`: in close assault; `engineers`: or anti-tank rifles, there."""

    class_: TankClass = field(name="class")
    mod: Annotated[int, Meta(ge=-6, le=6)] | None = None
    weapon: WeaponId | None = None
    assault: bool = False
    engineers: bool = False
    roll: Face | None = None


class TankDamage(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Damage rolls, one after another. `state`: fresh, immobilised, damaged, or both. `rolls`: several dice; `dice`: how many."""

    state: State | Annotated[tuple[State, ...], Meta(max_length=3)] = ()
    roll: Face | None = None
    rolls: Faces | None = None
    dice: Annotated[int, Meta(ge=1, le=12)] = 1


class TankFire(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fire at a platoon of tanks. `platoon` fires; `tanks` are hit in turn, one after another; `class` stands for a single fresh one.

    `weapon`: which of the firer's weapons, where it is not the usual one. `attack_dice`: how many dice, where they are known.
    """

    platoon: Platoon = Platoon()
    weapon: WeaponId | None = None
    tanks: Annotated[tuple[Tank, ...], Meta(min_length=1, max_length=4)] | None = None
    class_: TankClass | None = field(default=None, name="class")
    distance: Inches = 0
    harassing: bool = False
    attack_dice: Annotated[int, Meta(ge=0, le=40)] | None = None


class TankAssault(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack on tanks in close assault by one side's roll."""

    attacker: Platoon = Platoon()
    tanks: Annotated[tuple[Tank, ...], Meta(min_length=1, max_length=4)] | None = None
    class_: TankClass | None = field(default=None, name="class")
    anti_tank_rifles: bool = False


class Repair(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A vehicle at the end of the turn: `immobilised` unless told otherwise, as a flag or among its `state`."""

    immobilised: bool | None = None
    state: Annotated[tuple[Literal["fresh", "immobilised", "damaged", "destroyed"], ...], Meta(max_length=4)] | None = (
        None
    )
    roll: Face | None = None


class TanksMove(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The vehicles of a platoon that move, by their reliability. `crossing` and `turn` as for one of them."""

    kinds: Annotated[tuple[Reliability, ...], Meta(min_length=1, max_length=8)]
    crossing: bool = False
    turn: Annotated[int, Meta(ge=1, le=200)] | None = None
