"""Inputs of the rules for fire at troops and for the Shock it causes. Distances are in inches."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, field

from rules.resolvers.normaliser import RuleInput
from rules.trench_too_far.resolvers.inputs import (
    Bases,
    Dice,
    Face,
    Faces,
    Inches,
    Kind,
    Order,
    Platoon,
    Position,
    Save,
    Traits,
    Typed,
    WeaponId,
)


class SaveTarget(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the target is, and what changes its save.

    `always_prone`: snipers, scouts, remnants. `heavy_team`: a heavy weapons team. `defend`: on Defend orders.
    `indirect`: the fire is indirect. `overhead`: cover protects from above. `sniper_shot`: a sniper fires.
    """

    position: Position = "dispersed"
    always_prone: bool = False
    heavy_team: bool = False
    defend: bool = False
    indirect: bool = False
    overhead: bool = False
    sniper_shot: bool = False


class FireDice(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The firer and the distance to its target.

    `order` is given within the platoon or next to it. `harassing`: harassing fire.
    """

    platoon: Platoon = Platoon()
    distance: Inches = 0
    harassing: bool = False


class HitTarget(Typed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What decides the hit number: the firer, the mode of fire, and whether the target is in Close order.

    The firer counts with its order, type, traits and state.

    `moved`: the firer moved in this activation. If it is missing on Advance, an LMG counts as having moved and an HMG
    as not.
    """

    also_called = {"ctx": ""}

    order: Order = "fire"
    kind: Kind = field(default="rifle", name="type")
    traits: Traits = ()
    weapon: WeaponId | None = None
    moved: bool | None = None
    shocked: bool = False
    harassing: bool = False
    distance: Inches | None = None
    sniper: bool = False
    failed_motivation: bool = False
    damaged: bool = False
    artillery: bool = False
    target_close_order: bool = False


class LegalTarget(Typed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A firer, a target and their surroundings.

    `closest`: the target is the closest enemy. `nearest_enemy`: the distance to the closest enemy. `enemies_within_8`:
    there are enemies within 8". `heavy_team`: the target is a heavy weapons team. `identified`: whether its
    identification roll passed, left out if it was not rolled yet; or `roll`, the die of that roll. `indirect`: the
    firer shoots at what it cannot see. `line_of_sight`: the firer sees the target. `intervening`: infantry is in the
    way. `vehicle`: the target is a vehicle.
    """

    also_called = {"ctx": ""}

    order: Order = "fire"
    kind: Kind = field(default="rifle", name="type")
    traits: Traits = ()
    weapon: WeaponId | None = None
    range: Inches | None = None
    distance: Inches | None = None
    closest: bool | None = None
    nearest_enemy: Inches | None = None
    enemies_within_8: bool | None = None
    heavy_team: bool = False
    identified: bool | None = None
    roll: Face | None = None
    shocked: bool = False
    stranded: bool = False
    failed_motivation: bool = False
    sniper: bool = False
    harassing: bool = False
    indirect: bool = False
    moved: bool | None = None
    line_of_sight: bool = True
    intervening: bool = False
    vehicle: bool = False


class ResolveFire(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Attack dice against a hit target, then a save for each hit.

    `bases`: the target's bases, if they limit the loss.

    `hmg`: the dice are those of one HMG, which may jam.
    """

    dice: Dice | None = None
    hit_target: Save
    save_target: Save | None = None
    rolls: Faces | None = None
    saves: Faces | None = None
    bases: Bases | None = None
    hmg: bool = False


class Fire(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fire attack: who fires (`platoon`), at whom (`target`), and how.

    The other fields describe the firer; fields of the target are in `target`. Without `order`, the firer is on Fire.
    `overhead`: the target's cover protects from above. `indirect`, `harassing`: the mode of fire. The target's `bases`
    limit its losses and determine its Tolerance; without them neither is computed. `dice`, `hit_target`, `save_target`
    (null: none): given if they are known and need not be computed. `rolls`, `saves`, `shock_roll`: dice that were
    rolled already.
    """

    main = "platoon"

    platoon: Platoon = Platoon()
    target: Platoon = Platoon()
    distance: Inches = 0
    harassing: bool = False
    indirect: bool = False
    overhead: bool = False
    dice: Dice | None = None
    hit_target: Save | None = None
    save_target: Save | msgspec.UnsetType | None = msgspec.UNSET
    rolls: Faces | None = None
    saves: Faces | None = None
    shock_roll: Face | None = None


class Jam(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dice of one HMG: the results rolled already, or how many."""

    rolls: Faces | None = None
    dice: Dice = 4


class Tolerance(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon with the order of its company, its trenches and the fire it took this turn."""

    also_called = {"ctx": ""}

    platoon: Platoon = Platoon()


class AddFire(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Attack dice directed at a platoon. `from_advance`: the firer is under the limits of Advance.

    `tolerance`: given if it is known; otherwise it is computed from the platoon. `bases_lost`: the bases lost to this
    attack.
    """

    platoon: Platoon = Platoon()
    dice: Dice
    from_advance: bool = False
    tolerance: Annotated[int, Meta(ge=0, le=60)] | None = None
    bases_lost: Bases = 0


class Shock(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon after fire.

    `exceeds`: its tally is above its Tolerance. `bases_left`: the bases left after losses. `team`: it is a single
    weapons team.
    """

    exceeds: bool = True
    bases_left: Bases = 4
    traits: Traits = ()
    team: bool = False
    roll: Face | None = None


class IndirectLegal(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon that fires at what it cannot see.

    `range`: given if it differs from the listed range; it may be given without a weapon. An empty `order` is not
    checked.
    """

    weapon: WeaponId | None = None
    distance: Inches
    range: Inches | None = None
    order: Order = ""
