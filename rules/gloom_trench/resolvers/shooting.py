"""Shooting: range, the pool, everything that modifies it, hits, and the saves behind them.

Source: core rules, Shooting; Splitting Fire; Small Units; Shooting and Cover; Obscured; Advance; Hold and Shoot.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import HOLD_DIE, OBSCURED, RANGE_FROM, chosen
from rules.gloom_trench.resolvers import saves
from rules.gloom_trench.resolvers.activation import Action
from rules.gloom_trench.resolvers.dice import (
    Count,
    Die,
    Distance,
    Mods,
    Name,
    Spent,
    Stress,
    Throw,
    enemy_point,
    mods,
    numbers,
    own_point,
    thrown,
)
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.units import Cover, Damage, Suffered, Unit, Wounds, bearing_small, is_small
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput, plain
from rules.resolvers.odds import Odds, successes
from rules.resolvers.roller import Resolved, Roller

BANDS = ("short", "medium", "long")
BandName = Literal["short", "medium", "long"]
MOST_TARGETS = 2
MOST_WAYS = 20_000
COVERS_THAT_OBSCURE: Mapping[str, str] = {"light": "Light cover", "heavy": "Heavy cover"}
Sources = bool | Count | Annotated[tuple["Source | Name", ...], Meta(max_length=40)]


class Source(RuleInput, frozen=True, kw_only=True):
    """Something that makes a unit Obscured: the name of the rule, and whose it is."""

    name: Name
    of: Name = ""


class Band(RuleInput, frozen=True, kw_only=True):
    """A range band: up to how far (that distance included), and the die there."""

    max_range: Distance
    die: Die


class Weapon(RuleInput, frozen=True, kw_only=True):
    """A weapon: up to three bands. `die`: where the range is known. `dice_per_model`: what each model brings."""

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
            raise Refusal("The weapon has no range.", mend="Tell its short, medium or long range.", code="input")
        for (near, one), (longer, other) in pairwise(found):
            if other.max_range <= one.max_range:
                raise Refusal(
                    f"The {longer} range ({other.max_range:g}) does not reach beyond the {near} one ({one.max_range:g}).",
                    mend="Ranges grow from band to band.", code="input",
                )  # fmt: skip
        return found


class Apart(RuleInput, frozen=True, kw_only=True):
    """How far two units are apart, in MU: between leaders, between nominated models where one is lost, between the closest models."""

    leader: Distance | None = None
    nominated: Distance | None = None
    closest: Distance | None = None


class RangeBand(RuleInput, frozen=True, kw_only=True):
    """How far it is, and the weapon."""

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
        raise Refusal("No distance is told (at $.distance).", mend="Tell it in MU.", code="input")
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
            "out-of-range", f"{distance:g} MU is out of range: it may not shoot.", effects=effects(may_shoot=False)
        )
    name, band = found
    return Resolved(
        name, f"{name.capitalize()} range: {band.die}.", effects=effects(band=name, die=band.die, may_shoot=True)
    )


class Shooters(RuleInput, frozen=True, kw_only=True):
    """Models with the same weapon that see at least one model of the target: a die each, from the weapon's band or as told."""

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
    each = weapon.dice_per_model if weapon else 1
    if weapon is not None and group.die is None:
        band_name = group.band or other.band
        distance = group.distance if group.distance is not None else other.distance
        if band_name is not None:
            band: Band | None = getattr(weapon, band_name)
            if band is None:
                raise Refusal(f"The weapon has no {band_name} range.", mend="Tell one it has.", code="input")
            return group.models * each, band.die
        if distance is not None:
            found = band_at(weapon, distance_of(content, distance))
            return (group.models * each, found[1].die) if found else None
    die = group.die or (weapon.die if weapon else None) or other.die
    if die is None:
        raise Refusal("The die is not told (at $.die).", mend="Tell it, or the weapon and the distance.", code="input")
    return group.models * each, die


def attack_pool(content: CustomContent, data: AttackPool, roller: Roller) -> Resolved:
    weapon = data.weapon if isinstance(data.weapon, Weapon) else None
    die = data.die or (data.weapon if isinstance(data.weapon, str) else None)
    name = None if isinstance(data.band, Band) else data.band
    if weapon is not None and isinstance(data.band, Band):
        weapon = msgspec.structs.replace(weapon, short=data.band, medium=None, long=None)
        name = "short"
    elif isinstance(data.band, Band):
        die = data.band.die
    top = Shooters(models=data.models_with_los, die=die, weapon=weapon, band=name, distance=data.distance)
    told = [pool_of(content, group, top) for group in data.groups] if data.groups else [pool_of(content, top)]
    pools = [pool for pool in told if pool is not None]
    total = sum(count for count, _ in pools)
    if not pools:
        return Resolved("0", "Out of range: no dice.", total=0, effects=effects(dice=0, may_shoot=False))
    words = " and ".join(f"{count} {die}" for count, die in pools)
    return Resolved(
        str(total), f"{words}.", total=total,
        effects=effects(dice=total, die=pools[0][1] if len(pools) == 1 else None, pools=[[c, d] for c, d in pools]),
    )  # fmt: skip


class Attack(Rolling, frozen=True, kw_only=True):
    """What modifies shooting.

    `action`: an Advance takes -1. `cover`: that of the target; `crossed`: covers between, of which the defender picks `crossed_choice` where
    the target is in none. `obscured`: names (or the number) of rules that make the target Obscured, beside its cover. `small`: the target is a Small Unit
    (or tell its models). `tp` and `opponent_tp`: Tactical Points of either side; `shooter_stress`: Stress of the shooter.
    """

    also_called = {"ctx": ""}

    die: Die | None = None
    ordered: Action = msgspec.field(name="action", default="none")
    advance: bool = False
    cover: Cover = "none"
    crossed: Annotated[tuple[Cover, ...], Meta(max_length=10)] = ()
    crossed_choice: Cover | None = None
    obscured: Sources = ()
    small: bool | None = None
    target_models: Count | None = None
    target: Unit | None = None
    tp: Spent = False
    opponent_tp: Spent = False
    shooter_stress: Stress | bool | None = None
    dice_mods: Mods = 0
    roll_mods: Mods = 0
    locked: bool = False


def cover_of(data: Attack) -> Cover:
    """The one cover that counts: the target's own, else the crossed one that the defender picks. Raises Refusal if nobody picked."""
    own = data.cover if data.cover != "none" else data.target.cover if data.target else "none"
    crossed = tuple(dict.fromkeys(each for each in data.crossed if each != "none"))
    if own != "none" or not crossed:
        return own
    if data.crossed_choice is None and len(crossed) > 1:
        raise Refusal(
            f"The shot crosses {' and '.join(crossed)} cover; the defender picks one.",
            mend="Tell it as crossed_choice.", code="input",
        )  # fmt: skip
    picked = data.crossed_choice or crossed[0]
    if picked not in crossed:
        raise Refusal(
            f"The shot does not cross {picked} cover.", mend=f"It crosses {', '.join(crossed)}.", code="input"
        )
    return picked


def sources_of(given: Sources, cover: Cover) -> tuple[str, ...]:
    """The differently named sources of Obscured: that of the cover, then those of rules. One name of a cover at most."""
    names: list[str] = [COVERS_THAT_OBSCURE[cover]] if cover in COVERS_THAT_OBSCURE else []
    if isinstance(given, tuple):
        told = [each.name if isinstance(each, Source) else each for each in given]
    elif given is True:
        told = [] if names else ["Obscured"]  # with a cover that does it, “it is Obscured” says nothing more
    else:
        told = [f"Source {number}" for number in range(1, int(given) + 1)]
    covered = bool(names)
    for name in told:
        words = " ".join(name.split())
        kind = plain(words).removesuffix("cover")
        if kind in ("light", "heavy", "solid"):
            if covered or kind == "solid":
                continue
            covered, words = True, COVERS_THAT_OBSCURE[kind]
        if words and words.casefold() not in {each.casefold() for each in names}:
            names.append(words)
    return tuple(names)


class ObscuredTotal(RuleInput, frozen=True, kw_only=True):
    """The names of the rules that make a unit Obscured, a cover among them as “Light cover” or “Heavy cover”."""

    sources: Name | Annotated[tuple[Source | Name, ...], Meta(max_length=40)] = ()
    cover: Cover = "none"


def obscured_total(content: CustomContent, data: ObscuredTotal, roller: Roller) -> Resolved:
    """Minus one for each name."""
    told = (data.sources,) if isinstance(data.sources, str) else data.sources
    names = sources_of(told, data.cover)
    total = -len(names)
    return Resolved(
        str(total), f"{quantity(len(names), 'source')} of Obscured: {total}.", total=total,
        modifiers=tuple(("-1", f"Obscured: {name}") for name in names),
        effects=effects(modifier=total, sources=list(names)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aimed:
    """The throw of an attack, the cover that counts, and the dice that Obscured takes if the reading says so."""

    throw: Throw
    cover: Cover
    fewer: int


def aimed(content: CustomContent, data: Attack, base: Die) -> Aimed:
    """Every modifier of a shooting roll, in the order of the rules."""
    cover = cover_of(data)
    dice = (*mods(data.dice_mods, "special rule"), *own_point(content, data.tp))
    roll: list[tuple[int, str]] = []
    if data.ordered == "advance" or data.advance:
        roll.append((-1, "Advance"))
    if cover in ("heavy", "solid"):
        roll.append((-1, f"{cover.capitalize()} cover"))
    names = sources_of(data.obscured, cover)
    as_dice = chosen(content, OBSCURED) == "dice"
    if not as_dice:
        roll += [(-1, f"Obscured: {name}") for name in names]
    small = data.small
    if small is None and data.target_models is not None:
        small = data.target_models <= 2
    if small is None and data.target is not None:
        small = bearing_small(data.target) if data.target.models is None else is_small(data.target)
    if small:
        roll.append((-1, "Small Unit"))
    roll += [*enemy_point(content, data.opponent_tp, data.shooter_stress), *mods(data.roll_mods, "special rule")]
    return Aimed(
        thrown(content, base, dice, tuple(roll), locked=data.locked), cover, len(names) if as_dice else 0
    )  # fmt: skip


def shoot_modifiers(content: CustomContent, data: Attack, roller: Roller) -> Resolved:
    """What is added to a shooting roll, and its die if it is known."""
    found = aimed(content, data, data.die or "D8")
    throw = found.throw
    if data.die is None and any(what.startswith("d") for what, _ in throw.modifiers):
        raise Refusal("The die is not told (at $.die).", mend="Dice modifiers need one to shift.", code="input")
    return Resolved(
        throw.told() if data.die else f"{throw.modifier:d}", f"{throw.modifier:+d} in all.", total=throw.modifier,
        modifiers=throw.modifiers,
        effects=effects(modifier=throw.modifier, die=throw.die if data.die else None, need=throw.need,
                        cover=found.cover, dice_fewer=found.fewer or None),
    )  # fmt: skip


class Shoot(Attack, frozen=True, kw_only=True):
    """A shooting attack: the pool, its modifiers, and where the target's Save is told the saving throws.

    `models` shoot with `die`, or with `weapon` at `distance` (or in `band`); `groups` where weapons are mixed. `save_die` and whatever
    begins with `save_` is the target's saving roll: `save_tp` its player's points, `save_opponent_tp` the shooter's, `discard` tokens the
    shooter discards first. `damage`: the shooter's Damage, where a table counts it.
    """

    models: Count | None = None
    weapon: Weapon | None = None
    band: BandName | None = None
    distance: Distance | Apart | None = None
    groups: Annotated[tuple[Shooters, ...], Meta(max_length=10)] = ()
    save_die: Die | None = None
    save_dice_mods: Mods = 0
    save_roll_mods: Mods = 0
    save_tp: Spent = False
    save_opponent_tp: Spent = False
    dug_in: bool = False
    discard: bool | Annotated[int, Meta(ge=0, le=60)] = False
    target_stress: Stress | None = None
    damage: Damage = 1
    wounds: Wounds = 1
    recorded_damage: Suffered = 0
    ignores_saves: bool = False
    hold_and_shoot: bool = False


@dataclass(frozen=True, slots=True)
class Shot:
    """An attack before it is rolled: dice and their throw by group, and the saving roll (without its hits) where there is one."""

    pools: tuple[tuple[int, Throw], ...]
    save: saves.Save | None


def planned(content: CustomContent, data: Shoot) -> Shot | None:
    """The attack before its dice; None if nothing is in range."""
    if data.ignores_saves and data.obscured:
        data = msgspec.structs.replace(data, obscured=())
    if data.models is None and not data.groups:
        raise Refusal("No models shoot (at $.models).", mend="Tell how many see the target.", code="input")
    always: Die | None = "D6" if data.hold_and_shoot and data.weapon is None else None
    top = Shooters(
        models=data.models or 0, die=data.die or always, weapon=data.weapon, band=data.band, distance=data.distance
    )
    pools: list[tuple[int, Throw]] = []
    cover: Cover = "none"
    for group in data.groups or (top,):
        pool = pool_of(content, group, top)
        if pool is None:
            continue
        dice, die = pool
        base: Die = "D6" if data.hold_and_shoot else die
        locked = data.locked or (data.hold_and_shoot and chosen(content, HOLD_DIE) == "locked")
        aim = aimed(content, msgspec.structs.replace(data, locked=locked), base)
        cover = aim.cover
        if data.ignores_saves and cover in COVERS_THAT_OBSCURE:
            pools.append((max(0, dice), _unobscured(content, data, base, locked)))
        else:
            pools.append((max(0, dice - aim.fewer), aim.throw))
    return Shot(tuple(pools), _save_of(content, data, cover)) if pools else None


def _save_of(content: CustomContent, data: Shoot, cover: Cover) -> saves.Save | None:
    """The saving roll against an attack, without its hits; None if the input names no Save."""
    target = data.target
    if data.save_die is None and (target is None or target.save is None) and not data.ignores_saves:
        return None
    full = saves.completed(
        saves.Save(
            hits=0,
            save_die=data.save_die,
            dice_mods=data.save_dice_mods,
            roll_mods=data.save_roll_mods,
            cover=cover,
            dug_in=data.dug_in,
            hold_and_shoot=data.hold_and_shoot,
            tp=data.save_tp,
            opponent_tp=data.save_opponent_tp,
            discard=data.discard,
            stress=data.target_stress,
            damage=data.damage,
            wounds=data.wounds,
            models=data.target_models,
            recorded_damage=data.recorded_damage,
            ignores_saves=data.ignores_saves,
            unit=target,
        )
    )
    full = msgspec.structs.replace(full, cover=cover)
    if not data.ignores_saves:
        saves.save_throw(content, full)
    return full


def _unobscured(content: CustomContent, data: Shoot, base: Die, locked: bool) -> Throw:
    """The throw of an attack that ignores Obscured: the cover's -1 stays, its Obscured does not count."""
    cover = cover_of(data)
    bare = msgspec.structs.replace(
        data, cover="solid" if cover == "heavy" else "none", crossed=(), locked=locked,
        target=None if data.target is None else msgspec.structs.replace(data.target, cover="none"),
    )  # fmt: skip
    throw = aimed(content, bare, base).throw
    told = tuple((what, "Heavy cover" if why == "Solid cover" else why) for what, why in throw.modifiers)
    return dataclasses.replace(throw, modifiers=told)


def shot(content: CustomContent, data: Shoot, roller: Roller) -> Resolved:
    """The attack, and the saves. The outcome is the damage, or the hits if the input names no Save."""
    ready = planned(content, data)
    if ready is None:
        return Resolved(
            "out-of-range", "Out of range: it may not shoot.", total=0, effects=effects(hits=0, may_shoot=False)
        )
    faces: list[int] = []
    kept: list[int] = []
    for count, throw in ready.pools:
        fell = roller.several(count, throw.sides, throw.why("To hit"), throw.cuts[-1:])
        faces += fell
        kept += throw.kept(fell)
    hits = len(kept)
    first = ready.pools[0][1]
    hit = Resolved(
        str(hits), f"{quantity(hits, 'hit')}.", tuple(faces), tuple(kept), hits, first.modifiers,
        effects(hits=hits, die=first.die, modifier=first.modifier, need=first.need,
                dice=sum(count for count, _ in ready.pools)),
    )  # fmt: skip
    if ready.save is None:
        return hit
    save = msgspec.structs.replace(ready.save, hits=hits)
    done, throw_of_save = saves.saved(content, save, roller)
    told = saves.told_save(content, save, done, throw_of_save)
    return Resolved(
        told.outcome, told.told, hit.rolled + told.rolled, hit.kept + told.kept, told.total,
        hit.modifiers + tuple((what, f"{why} (save)") for what, why in told.modifiers),
        (*(e for e in told.effects if not set(e) & {"die", "modifier"}), *(e for e in hit.effects if "hits" not in e)),
        (hit, told),
    )  # fmt: skip


def shoot(content: CustomContent, data: Shoot, roller: Roller) -> Resolved:
    return shot(content, data, roller)


def shoot_hits(content: CustomContent, data: Shoot, roller: Roller) -> Resolved:
    """An attack whose outcome is its hits."""
    done = shot(content, data, roller)
    return dataclasses.replace(done, outcome=str(done.effect("hits", 0)))


def shoot_stress(content: CustomContent, data: Shoot, roller: Roller) -> Resolved:
    """An attack whose outcome is the Stress it brings."""
    _needs_save(content, data)
    done = shot(content, data, roller)
    return dataclasses.replace(done, outcome=str(done.effect("stress_delta", 0)))


def shoot_losses(content: CustomContent, data: Shoot, roller: Roller) -> Resolved:
    """An attack whose outcome is the models it removes."""
    _needs_save(content, data)
    done = shot(content, data, roller)
    return dataclasses.replace(done, outcome=str(done.effect("models_lost", 0)))


def _needs_save(content: CustomContent, data: Shoot) -> None:
    ready = planned(content, data)
    if ready is not None and ready.save is None:
        raise Refusal("The target's Save is not told (at $.save_die).", mend="Tell D6, D8 or D12.", code="input")


def _failing(content: CustomContent, save: saves.Save) -> Fraction:
    return Fraction(1) if save.ignores_saves else 1 - saves.save_throw(content, save).odds


def _spread(pools: Sequence[tuple[int, Throw]], through: Fraction) -> tuple[Fraction, ...]:
    """How many dice both hit and get through."""
    return successes(*((count, throw.odds * through) for count, throw in pools))


def shoot_odds(content: CustomContent, data: Shoot) -> Odds:
    """Damage (or hits) of an attack: binomial in hit and failed save together."""
    ready = planned(content, data)
    if ready is None:
        return Odds({"out-of-range": Fraction(1)}, {0: Fraction(1)})
    if ready.save is None:
        return numbers(_spread(ready.pools, Fraction(1)))
    return numbers(_spread(ready.pools, _failing(content, ready.save)), saves.per_failed(content, ready.save))


def shoot_hits_odds(content: CustomContent, data: Shoot) -> Odds:
    ready = planned(content, data)
    return numbers(_spread(ready.pools, Fraction(1)) if ready else (Fraction(1),))


def shoot_losses_odds(content: CustomContent, data: Shoot) -> Odds:
    _needs_save(content, data)
    ready = planned(content, data)
    odds = Odds()
    if ready is None or ready.save is None:
        odds.add("0", 0, Fraction(1))
        return odds
    save = ready.save
    for failed, share in enumerate(_spread(ready.pools, _failing(content, save))):
        if share:
            damage = failed * saves.per_failed(content, save)
            lost = (save.recorded_damage + damage) // save.wounds if damage else 0
            odds.add(str(lost if save.models is None else min(lost, save.models)), 0, share)
    return odds


def shoot_stress_odds(content: CustomContent, data: Shoot) -> Odds:
    """Stress of 0, 1 or 2: a natural 1 is a failed save, so the two tokens nest."""
    _needs_save(content, data)
    ready = planned(content, data)
    if ready is None or ready.save is None:
        return Odds({"0": Fraction(1)}, {0: Fraction(1)})
    save = ready.save
    if save.ignores_saves:
        odds = Odds()
        for hits, share in enumerate(_spread(ready.pools, Fraction(1))):
            if share:
                done = saves.settle(content, msgspec.structs.replace(save, hits=hits), None, ())
                odds.add(str(done.gained), 0, share)
        return odds
    throw = saves.save_throw(content, save)
    none = _none(ready.pools, 1 - throw.odds)
    both = 1 - _none(ready.pools, Fraction(1, throw.sides))
    found = {"0": none, "1": 1 - none - both, "2": both}
    return Odds({name: share for name, share in found.items() if share}, {0: Fraction(1)})


def _none(pools: Sequence[tuple[int, Throw]], through: Fraction) -> Fraction:
    return math.prod((((1 - throw.odds * through) ** count) for count, throw in pools), start=Fraction(1))


class Volley(Shoot, frozen=True, kw_only=True):
    """One part of split fire: whom it goes at, and an attack of its own. `name`: the unit's."""

    name: Name = ""


class SplitFire(Rolling, frozen=True, kw_only=True):
    """Fire at two units. Each group is an attack of its own; `die` and `action` are those of all that do not say so."""

    groups: Annotated[tuple[Volley, ...], Meta(min_length=1, max_length=10)]
    die: Die | None = None
    ordered: Action = msgspec.field(name="action", default="none")
    models: Count | None = None


def _volleys(data: SplitFire) -> tuple[Volley, ...]:
    names = [
        volley.name or (volley.target.name if volley.target else "") or f"#{n}" for n, volley in enumerate(data.groups)
    ]
    if len(set(names)) > MOST_TARGETS:
        raise Refusal("Fire is split between two units at most.", mend="Choose two of them.", code="targets")
    if data.models is not None and sum(volley.models or 0 for volley in data.groups) > data.models:
        raise Refusal(
            f"The unit has {quantity(data.models, 'model')}; more are told off.", mend="Each shoots once.", code="input"
        )
    return tuple(
        msgspec.structs.replace(
            volley,
            die=volley.die or (None if volley.weapon else data.die),
            ordered=data.ordered if volley.ordered == "none" else volley.ordered,
        )
        for volley in data.groups
    )


def split_fire(content: CustomContent, data: SplitFire, roller: Roller) -> Resolved:
    """Each group's attack, with its saves, one after another."""
    steps = tuple(shot(content, volley, roller) for volley in _volleys(data))
    told = ",".join(step.outcome for step in steps)
    return Resolved(
        told, " ".join(step.told for step in steps), tuple(f for s in steps for f in s.rolled),
        tuple(f for s in steps for f in s.kept), sum(step.total or 0 for step in steps), (),
        effects(hits=[step.effect("hits", 0) for step in steps],
                damage=[step.effect("damage") for step in steps] if steps[0].steps else None,
                stress_delta=[step.effect("stress_delta") for step in steps] if steps[0].steps else None),
        steps,
    )  # fmt: skip


def split_fire_odds(content: CustomContent, data: SplitFire) -> Odds:
    """Every pair of results: the attacks do not touch each other."""
    found: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for volley in _volleys(data):
        each = shoot_odds(content, volley).outcomes
        if len(found) * len(each) > MOST_WAYS:
            raise Refusal(
                "This has too many ways to go for exact odds.", mend="Ask for each target apart.", code="odds"
            )
        found = {(*told, name): share * more for told, share in found.items() for name, more in each.items()}
    odds = Odds()
    for names, share in found.items():
        odds.add(",".join(names), 0, share)
    return odds
