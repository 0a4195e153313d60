"""Inputs of the rules of A Trench Too Far: typed, checked against bounds, and described as JSON Schema for callers.

Distances are in inches. A `roll`, `rolls` or `saves` in the input counts as rolled already; missing dice are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from rules.resolvers.normaliser import RuleInput
from rules.translation import gettext as _
from rules.trench_too_far.charts import HEAVY_TEAMS

Face = Annotated[int, Meta(ge=1, le=6, description="A D6 that has fallen; left out, it is asked for.")]
Faces = Annotated[tuple[Face, ...], Meta(max_length=200)]
Inches = Annotated[float, Meta(ge=0, le=200)]
Bases = Annotated[int, Meta(ge=0, le=40)]
Few = Annotated[int, Meta(ge=0, le=20)]
Dice = Annotated[int, Meta(ge=0, le=120)]
Tally = Annotated[int, Meta(ge=0, le=400)]
Named = Annotated[str, Meta(max_length=120)]
Bonus = Annotated[int, Meta(ge=-6, le=6)]

Quality = Literal["shaky", "uncertain", "steady", "determined", "stubborn"]
Kind = Literal[
    "rifle", "militia", "heavy-infantry", "assault", "cavalry", "engineers", "remnant",
    "hmg", "lmg", "trench-mortar", "field-artillery", "anti-tank-gun", "anti-tank-rifle", "sniper", "tank",
]  # fmt: skip
Trait = Literal[
    "aggressive", "close-order", "light-infantry", "infiltration", "raider", "rifle-drill", "veteran", "scouts"
]
Position = Literal["closed", "dispersed", "prone", "cover", "entrenched"]
Order = Literal["", "move", "fire", "assault", "advance", "defend", "recover"]
WeaponId = Literal[
    "rifles", "carbines", "lmg", "hmg", "trench-mortar", "field-artillery", "tank-mg", "tank-cannon", "militia", "anti-tank-gun",
    "heavy-infantry", "sniper", "anti-tank-rifle", "tank-gun-shell", "tank-gun-ap", "artillery", "infantry",
]  # fmt: skip
State = Literal["fresh", "immobilised", "damaged"]
TankClass = Literal["armoured-car", "light", "medium", "heavy"]
Reliability = Literal["unreliable", "stable", "sturdy"]
Disrupted = bool | Literal["none", "until-replaced", "until-rallied", "this-turn"]
Traits = Annotated[tuple[Trait, ...], Meta(max_length=8)]
Save = Annotated[int, Meta(ge=1, le=7, description="4 stands for 4+; null: no save.")]


class Base(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Identical bases of a platoon: `count` of them with one weapon, at their own distance if it differs.

    `range`, `attacks` and `save_modifier` (of a tank that is hit) are for weapons that differ from the listed ones.
    `moved`: in this activation. `damaged`: on a Damaged vehicle.
    """

    weapon: WeaponId
    count: Annotated[int, Meta(ge=0, le=40)] = 1
    distance: Inches | None = None
    range: Inches | None = None
    attacks: Annotated[int, Meta(ge=0, le=20)] | None = None
    save_modifier: Annotated[int, Meta(ge=-6, le=6)] | None = None
    moved: bool | None = None
    damaged: bool = False


class Typed(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit whose type is derived from its weapons if it is left out."""

    @classmethod
    def completed(cls, values: dict[str, Any]) -> dict[str, Any]:
        kind = _kind(values)
        return values if kind is None else {**values, "type": kind}


# A weapon that makes a single base a weapons team, and the type of that team.
_SERVED = {**{team: team for team in HEAVY_TEAMS}, "artillery": "field-artillery", "sniper": "sniper"}


def _kind(values: Mapping[str, Any]) -> str | None:
    """What a single base with a heavy weapon is, a unit with machine guns alone, and dismounted Cavalry; None where nothing follows.

    Source: core rules, "Cavalry", "Tanks: Assault".
    """
    if values.get("type") == "cavalry" and values.get("dismounted") is True:
        return "rifle"
    if "type" in values:
        return None
    bases, weapon = values.get("bases"), values.get("weapon")
    match bases:
        case [{**base}] if base.get("count", 1) == 1:
            bases, weapon = 1, weapon or base.get("weapon")
    if isinstance(weapon, str) and bases in (None, 1):
        return _SERVED.get(weapon)
    if values.get("machine_guns") is not None and not {"bases", "start_bases", "weapon"} & values.keys():
        return "tank"
    return None


class Platoon(Typed, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The current state of a platoon or weapons team.

    `bases`: how many, or a list of bases with their weapons; the default is 4 for a platoon, 1 for a team or a team's
    weapon. `start_bases`: the number at full strength. `lost_bases`: the number removed so far. `weapon`: the weapon of
    every base, if it is not the usual one of its type; `range` and `attacks` as for a base. `order`: the order of its
    company. `moved`: in this activation. `fresh`: it has lost no base yet. `tally`: attack dice counted against it this
    turn; `tally_had_indirect`: mortars or artillery were among them. `in_command`: it is within command distance.
    `heavy_teams`: heavy weapons teams that fight beside it. `always_prone`, `heavy_team`: of a target, if its type does
    not say so. `tolerance`: given if it is known. `bases_in_contact`: the bases that touch an enemy. `machine_guns`: of
    a tank, or of each of several.

    If no weapon is given, Assault troops and Cavalry fire carbines, Heavy infantry and Militia their own arms, all
    others rifles. `dismounted` Cavalry is infantry with rifles. If `type` is left out, one base with a heavy weapon is
    that weapons team, machine guns alone are those of a tank, and everything else is rifle.
    """

    name: Named = ""
    kind: Kind = field(default="rifle", name="type")
    quality: Quality = "steady"
    traits: Traits = ()
    bases: Bases | Annotated[tuple[Base, ...], Meta(max_length=40)] | None = None
    start_bases: Bases | None = None
    lost_bases: Bases | None = None
    weapon: WeaponId | None = None
    range: Inches | None = None
    attacks: Annotated[int, Meta(ge=0, le=20)] | None = None
    order: Order = ""
    position: Position = "dispersed"
    in_trenches: bool = False
    in_building: bool = False
    shocked: bool = False
    stranded: bool = False
    fresh: bool | None = None
    moved: bool | None = None
    damaged: bool = False
    failed_motivation: bool = False
    grenades: bool = False
    close_combat_weapons: bool = False
    outstanding_officer: bool = False
    in_command: bool = True
    dismounted: bool = False
    always_prone: bool = False
    heavy_team: bool = False
    tolerance: Annotated[int, Meta(ge=0, le=60)] | None = None
    tally: Tally = 0
    tally_had_indirect: bool = False
    enemy_to_flank_or_rear: bool = False
    heavy_teams: Few = 0
    bases_in_contact: Bases | None = None
    machine_guns: Annotated[tuple[Few, ...], Meta(max_length=4)] | Few | None = None

    @property
    def entrenched(self) -> bool:
        """Whether it lies in trenches."""
        return self.in_trenches or self.position == "entrenched"

    def has(self, trait: str) -> bool:
        """Whether it has a trait."""
        return trait in self.traits


class MoraleTarget(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A quality."""

    quality: Quality


class MoraleTest(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A morale test. `aggressive_assault`: Aggressive troops that assault or are assaulted."""

    quality: Quality
    roll: Face | None = None
    bonus: Bonus = 0
    aggressive_assault: bool = False


class InitiativeOfSides(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The two sides of an initiative roll.

    The fields say who attacks, and whose force is mostly militia or irregulars. `a` and `b` are dice that were rolled
    already.
    """

    a: Face | None = None
    b: Face | None = None
    a_attacker: bool = False
    b_attacker: bool = False
    a_militia: bool = False
    b_militia: bool = False


class Deck(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The companies by name, or how many there are, and whether a Rally and an Artillery card are added.

    `shuffle`: false only lists the deck.
    """

    companies: Annotated[int, Meta(ge=1, le=40)] | Annotated[tuple[Named, ...], Meta(min_length=1, max_length=40)]
    with_rally: bool = False
    with_artillery: bool = False
    shuffle: bool = True


class PlatoonCoherent(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon that must stay together. `max_gap`: the widest gap from a base to its nearest neighbour."""

    max_gap: Inches
    traits: Traits = ()


class InCommand(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit and its distance to its commander.

    `distance`: to the command base of the company. `independent`: the unit belongs to no company.
    """

    distance: Inches
    traits: Traits = ()
    independent: bool = False


class Coherency(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Both measurements of one platoon: its gaps and its distance to the commander."""

    max_gap: Inches = 0
    distance: Inches = 0
    traits: Traits = ()
    independent: bool = False


class Company(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A company that is about to act.

    `shocked_platoons`: those of its `platoons` that are Shocked (a number, or the platoons themselves). `disrupted`: it
    is Disrupted already, as a company without a living commander is. `order`: the order that the player wants.
    `commander_distance`: the distance from its commander to the nearest enemy; or `commander_near_enemy`: whether that
    is within 12". `bases`, `bases_in_cover`: all of its bases, and those in trenches or cover; or `half_in_cover`:
    whether at least half are. `aggressive`: true or false if `aggressive_platoons` does not say. `advance_allowed`:
    null is not checked. `roll`: the die for its Shocked platoons; `order_roll`: the die for its order.
    """

    also_called = {"company": ""}

    platoons: Few | Annotated[tuple[Platoon, ...], Meta(max_length=20)] | None = None
    shocked_platoons: Few | None = None
    disrupted: Disrupted = False
    must_defend_next: bool = False
    order: Order = ""
    aggressive: bool | None = None
    aggressive_platoons: Few | None = None
    commander_alive: bool = True
    commander_distance: Inches | None = None
    commander_near_enemy: bool | None = None
    bases: Annotated[int, Meta(ge=0, le=400)] | None = None
    bases_in_cover: Annotated[int, Meta(ge=0, le=400)] = 0
    half_in_cover: bool | None = None
    advance_allowed: bool | None = None
    roll: Face | None = None
    order_roll: Face | None = None


class EndActivation(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A company that ends its activation, and the order it had."""

    also_called = {"company": ""}

    order: Order = "defend"
    roll: Face | None = None


class InitiativeSide(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A side that rolls for initiative: whether it attacks, and whether it is mostly militia or irregulars."""

    name: Named
    attacker: bool = False
    militia: bool = False


class SidesInitiative(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Any number of sides."""

    sides: Annotated[tuple[InitiativeSide, ...], Meta(min_length=2, max_length=8)]


class CardDraw(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cards that are left in the deck."""

    cards: Annotated[tuple[Named, ...], Meta(min_length=1, max_length=60)]


class Strike(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One blow of an assault: all units on the side that strikes, and the bases of the enemy.

    `why` is the heading of its dice.
    """

    strikers: Annotated[tuple[Platoon, ...], Meta(min_length=1, max_length=12)]
    enemy_bases: Annotated[int, Meta(ge=1, le=80)]
    why: Named = _("Attack")


class Disruption(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An event that may disrupt a company.

    `shocked_platoons`: given if they are the cause. `distance`: to the tank that attacks.
    """

    cause: Literal[
        "commander-killed",
        "shocked-platoons",
        "heavy-artillery",
        "gas",
        "medium-artillery",
        "tank-attack",
        "light-artillery",
    ]
    shocked_platoons: Few = 0
    distance: Inches = 0
    roll: Face | None = None


class DisruptionCheck(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A company with Shocked platoons that is activated. `disrupted`: it is Disrupted already."""

    shocked_platoons: Few
    disrupted: Disrupted = False
    roll: Face | None = None


class OrderCheck(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The order the player wants, and whether the company is Disrupted."""

    order: Literal["move", "fire", "assault", "advance", "defend", "recover"]
    disrupted: Disrupted = True
    advance_allowed: bool | None = None
    roll: Face | None = None


class OneRoll(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A single die."""

    roll: Face | None = None


class Motivation(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon that is about to assault.

    If `fresh` is left out, it follows from the bases; without bases, the platoon tests.
    """

    platoon: Platoon = Platoon()
    roll: Face | None = None


class Reception(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon that is contacted. `in_building` also covers fortifications."""

    defender: Platoon = Platoon()
    roll: Face | None = None


class Sided(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One side of an assault."""

    side: Platoon = Platoon()


class AssaultRound(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The two platoons in contact.

    `joining_bases`: unengaged friends of the defender that join before its first counterattack. `most_rolls`: stop
    after this many rolls of either side; if left out, the fight continues until it is decided.
    """

    attacker: Platoon = Platoon()
    defender: Platoon = Platoon()
    joining_bases: Bases = 0
    most_rolls: Annotated[int, Meta(ge=1, le=100)] | None = None


class Assault(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An assault from the motivation of the attacker to its end.

    `motivation` and `reception` skip that test if false.
    """

    attacker: Platoon = Platoon()
    defender: Platoon = Platoon()
    joining_bases: Bases = 0
    motivation: bool = True
    reception: bool = True


class Recover(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A company on Recover.

    `platoons`: the Shocked ones test with their quality; or `shocked_platoons`: this many, of `quality`. `lost`:
    infantry bases lost and not rolled for, without Militia and Remnants. `rolls`: dice that were rolled already, tests
    first.
    """

    platoons: Annotated[tuple[Platoon, ...], Meta(max_length=20)] = ()
    shocked_platoons: Few = 0
    lost: Dice = 0
    militia_lost: Dice = 0
    disrupted: Disrupted = False
    commander_alive: bool = True
    quality: Quality = "steady"
    rolls: Faces | None = None


class Remnants(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Lost bases that may return as Remnants.

    `lost`: infantry bases lost and not rolled for. `militia_lost`: Militia and Remnants among the losses, which do not
    count.
    """

    lost: Dice
    militia_lost: Dice = 0
    quality: Quality = "steady"
    rolls: Faces | None = None


class RallyCompany(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A company at the end of the turn.

    Its `platoons`, or how many of them are Shocked. `disrupted`: false, true, or until when.
    """

    name: Named = ""
    platoons: Annotated[tuple[Platoon, ...], Meta(max_length=20)] = ()
    shocked_platoons: Few | None = None
    disrupted: Disrupted = False
    commander_alive: bool = True
    immobilised_vehicles: Few = 0


class Rally(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All companies of a side.

    Without them: `platoons` or `shocked_platoons` of one company that is not Disrupted, and how many other companies
    are Disrupted.
    """

    companies: Annotated[tuple[RallyCompany, ...], Meta(max_length=40)] = ()
    platoons: Annotated[tuple[Platoon, ...], Meta(max_length=20)] = ()
    shocked_platoons: Few | None = None
    disrupted_companies: Few = 0
    immobilised_vehicles: Few = 0
    rolls: Faces | None = None


class Tank(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The current state of a vehicle."""

    class_: TankClass = field(default="medium", name="class")
    immobilised: bool = False
    damaged: bool = False
    destroyed: bool = False


class March(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon that wants to march. `nearest_enemy`: the distance to the closest enemy; if left out, none is near."""

    kind: Kind = field(default="rifle", name="type")
    order: Order = "move"
    nearest_enemy: Inches | None = None
    shocked: bool = False
    stranded: bool = False
    prone: bool = False


class Move(RuleInput, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A platoon that wants to move: how far it may go. `movement`: a tank's score. `dismounted`: cavalry on foot."""

    kind: Kind = field(default="rifle", name="type")
    traits: Traits = ()
    order: Order = "move"
    how: Literal["standard", "march", "retreat", "prone", "infiltration", "assault"] = "standard"
    nearest_enemy: Inches | None = None
    shocked: bool = False
    stranded: bool = False
    dismounted: bool = False
    immobilised: bool = False
    movement: Annotated[float, Meta(ge=4, le=12)] | None = None
