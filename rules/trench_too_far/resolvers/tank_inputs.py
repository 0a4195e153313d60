"""Inputs of the rules for tanks. Distances are in inches."""

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
    """A tank that moves.

    `crossing`: a trench or a similar obstacle. If `turn` is left out, it is after the second turn.
    """

    kind: Reliability
    roll: Face | None = None
    crossing: bool = False
    turn: Annotated[int, Meta(ge=1, le=200)] | None = None


class TankSave(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tank that is hit.

    `mod`: the modifier of the weapon; `weapon` gives it otherwise. `assault`: in close assault. `engineers`: engineers
    or anti-tank rifles in a close assault.
    """

    class_: TankClass = field(name="class")
    mod: Annotated[int, Meta(ge=-6, le=6)] | None = None
    weapon: WeaponId | None = None
    assault: bool = False
    engineers: bool = False
    roll: Face | None = None


class TankDamage(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Damage rolls, one after another.

    `state`: fresh, immobilised, damaged, or both. `rolls`: several dice. `dice`: how many dice.
    """

    state: State | Annotated[tuple[State, ...], Meta(max_length=3)] = ()
    roll: Face | None = None
    rolls: Faces | None = None
    dice: Annotated[int, Meta(ge=1, le=12)] = 1


class TankFire(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fire at a platoon of tanks.

    `platoon` fires. `tanks` are hit in turn, one after another; `class` is a shorthand for a single fresh tank.
    `weapon`: which of the firer's weapons, if not the usual one. `attack_dice`: how many dice, if known.
    """

    platoon: Platoon = Platoon()
    weapon: WeaponId | None = None
    tanks: Annotated[tuple[Tank, ...], Meta(min_length=1, max_length=4)] | None = None
    class_: TankClass | None = field(default=None, name="class")
    distance: Inches = 0
    harassing: bool = False
    attack_dice: Annotated[int, Meta(ge=0, le=40)] | None = None


class TankAssault(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack on tanks in close assault with one side's roll."""

    attacker: Platoon = Platoon()
    tanks: Annotated[tuple[Tank, ...], Meta(min_length=1, max_length=4)] | None = None
    class_: TankClass | None = field(default=None, name="class")
    anti_tank_rifles: bool = False


class Repair(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A vehicle at the end of the turn.

    It is `immobilised` unless the input says otherwise, as a flag or within its `state`.
    """

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
