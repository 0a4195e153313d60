"""Weapons and their range bands: the distance, its band, and the dice that models shoot with.

Source: core rules, Shooting.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.gloom_trench.interpretations import RANGE_FROM, chosen
from rules.gloom_trench.resolvers.dice import Count, Die, Distance, Name
from rules.gloom_trench.resolvers.inputs import effects
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

BANDS = ("short", "medium", "long")
BandName = Literal["short", "medium", "long"]


class Band(RuleInput, frozen=True, kw_only=True):
    """A range band: its greatest distance (inclusive), and the die there."""

    max_range: Distance
    die: Die


class Weapon(RuleInput, frozen=True, kw_only=True):
    """A weapon: up to three bands.

    `die`: use this if the range is known. `dice_per_model`: the dice that each model adds.
    """

    name: Name = ""
    short: Band | None = None
    medium: Band | None = None
    long: Band | None = None
    die: Die | None = None
    dice_per_model: Annotated[int, Meta(ge=1, le=10)] = 1

    @property
    def bands(self) -> tuple[tuple[str, Band], ...]:
        """The bands it has. Raises Refusal if there is none, or if a longer one does not reach farther."""
        found = tuple((name, band) for name in BANDS if (band := getattr(self, name)) is not None)
        if not found:
            raise Refusal(
                gettext("The weapon has no range."), mend=gettext("Give its short, medium or long range."), code="input"
            )
        for (near, one), (longer, other) in pairwise(found):
            if other.max_range <= one.max_range:
                raise Refusal(
                    gettext("The {longer} range ({max_range:g}) does not reach beyond the {near} one ({one_max_range:g}).").format(longer=longer, max_range=other.max_range, near=near, one_max_range=one.max_range),
                    mend=gettext("Ranges grow from band to band."), code="input",
                )  # fmt: skip
        return found


class Apart(RuleInput, frozen=True, kw_only=True):
    """The distance between two units, in MU: between leaders, between nominated models if one is lost, between the
    closest models.
    """

    leader: Distance | None = None
    nominated: Distance | None = None
    closest: Distance | None = None


class RangeBand(RuleInput, frozen=True, kw_only=True):
    """The distance, and the weapon."""

    distance: Distance | Apart
    weapon: Weapon


def distance_of(content: CustomContent, told: float | Apart) -> float:
    """The distance that counts. Raises Refusal if none is given."""
    if not isinstance(told, Apart):
        return told
    after = (
        (told.nominated, told.closest) if chosen(content, RANGE_FROM) == "leader" else (told.closest, told.nominated)
    )
    found = next((each for each in (told.leader, *after) if each is not None), None)
    if found is None:
        raise Refusal(gettext("No distance is given (at $.distance)."), mend=gettext("Give it in MU."), code="input")
    return found


def band_at(weapon: Weapon, distance: float) -> tuple[str, Band] | None:
    """The first band that reaches."""
    return next((each for each in weapon.bands if distance <= each[1].max_range), None)


def range_band(content: CustomContent, data: RangeBand, roller: Roller) -> Resolved:
    """The band and its die, or out of range."""
    distance = distance_of(content, data.distance)
    found = band_at(data.weapon, distance)
    if found is None:
        return Resolved(
            "out-of-range",
            gettext("{distance:g} MU is out of range: it may not shoot.").format(distance=distance),
            effects=effects(may_shoot=False),
        )
    name, band = found
    return Resolved(
        name,
        gettext("{name} range: {die}.").format(name=name.capitalize(), die=band.die),
        effects=effects(band=name, die=band.die, may_shoot=True),
    )


class Shooters(RuleInput, frozen=True, kw_only=True):
    """Models with the same weapon that see at least one model of the target.

    Each rolls a die, from the weapon's band or as given.
    """

    models: Count = 1
    die: Die | None = None
    weapon: Weapon | None = None
    band: BandName | None = None
    distance: Distance | Apart | None = None


class AttackPool(RuleInput, frozen=True, kw_only=True):
    """The models that see the target, their weapon and the band (its name, or the band itself); or groups with different weapons."""

    models_with_los: Count = 0
    weapon: Weapon | Die | None = None
    band: Band | BandName | None = None
    distance: Distance | Apart | None = None
    die: Die | None = None
    groups: Annotated[tuple[Shooters, ...], Meta(max_length=10)] = ()


def pool_of(content: CustomContent, group: Shooters, otherwise: Shooters | None = None) -> tuple[int, Die] | None:
    """Dice and their die; None out of range. Raises Refusal if the input has neither a die nor weapon and range."""
    other = otherwise or Shooters()
    weapon = group.weapon or (None if group.die else other.weapon)
    dice = group.models * (weapon.dice_per_model if weapon else 1)
    if weapon is not None and group.die is None:
        distance = group.distance if group.distance is not None else other.distance
        if band_name := group.band or other.band:
            return dice, _band_named(weapon, band_name).die
        if distance is not None:
            found = band_at(weapon, distance_of(content, distance))
            return (dice, found[1].die) if found else None
    die = group.die or (weapon.die if weapon else None) or other.die
    if die is None:
        raise Refusal(
            gettext("The die is not given (at $.die)."),
            mend=gettext("Give it, or the weapon and the distance."),
            code="input",
        )
    return dice, die


def _band_named(weapon: Weapon, name: BandName) -> Band:
    """One band of a weapon. Raises Refusal if it lacks that band."""
    band: Band | None = getattr(weapon, name)
    if band is None:
        raise Refusal(
            gettext("The weapon has no {name} range.").format(name=name), mend=gettext("Give one it has."), code="input"
        )
    return band


def _shooters(data: AttackPool) -> Shooters:
    """All models of a pool as one group; a band that is told in full takes the place of the weapon's own bands."""
    weapon = data.weapon if isinstance(data.weapon, Weapon) else None
    die = data.die or (data.weapon if isinstance(data.weapon, str) else None)
    name = None if isinstance(data.band, Band) else data.band
    if weapon is not None and isinstance(data.band, Band):
        weapon = msgspec.structs.replace(weapon, short=data.band, medium=None, long=None)
        name = "short"
    elif isinstance(data.band, Band):
        die = data.band.die
    return Shooters(models=data.models_with_los, die=die, weapon=weapon, band=name, distance=data.distance)


def attack_pool(content: CustomContent, data: AttackPool, roller: Roller) -> Resolved:
    top = _shooters(data)
    told = [pool_of(content, group, top) for group in data.groups] if data.groups else [pool_of(content, top)]
    pools = [pool for pool in told if pool is not None]
    total = sum(count for count, _ in pools)
    if not pools:
        return Resolved("0", gettext("Out of range: no dice."), total=0, effects=effects(dice=0, may_shoot=False))
    words = " and ".join(f"{count} {die}" for count, die in pools)
    return Resolved(
        str(total), f"{words}.", total=total,
        effects=effects(dice=total, die=pools[0][1] if len(pools) == 1 else None, pools=[[c, d] for c, d in pools]),
    )  # fmt: skip
