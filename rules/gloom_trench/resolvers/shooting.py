"""Shooting: a whole attack with its hits and saves, and its odds.

Source: core rules, Shooting; Saving Throws; Hold and Shoot.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import HOLD_DIE, chosen
from rules.gloom_trench.resolvers import saves
from rules.gloom_trench.resolvers.aiming import COVERS_THAT_OBSCURE, Aimed, Shooting, aimed, cover_of
from rules.gloom_trench.resolvers.dice import Count, Die, Distance, Mods, Spent, Stress, TargetThrow, numbers
from rules.gloom_trench.resolvers.inputs import effects
from rules.gloom_trench.resolvers.units import Cover, Damage, Suffered, Wounds
from rules.gloom_trench.resolvers.weapons import Apart, BandName, Shooters, Weapon, pool_of
from rules.problems import Refusal
from rules.resolvers.odds import Odds, successes
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext


class Shoot(Shooting, frozen=True, kw_only=True):
    """A shooting attack: the pool, its modifiers, and, if the target's Save is given, the saving throws.

    `models` shoot with `die`, or with `weapon` at `distance` (or in `band`); use `groups` for mixed weapons.
    `save_die` and every field that begins with `save_` belong to the target's saving roll: `save_tp` its player's
    points, `save_opponent_tp` the shooter's, `discard` tokens the shooter discards first. `damage`: the shooter's
    Damage, if a table counts it.
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
    """An attack before it is rolled: dice and their throw by group, and the saving roll (without its hits) if there
    is one.
    """

    pools: tuple[tuple[int, TargetThrow], ...]
    save: saves.Save | None


def planned(content: CustomContent, data: Shoot) -> Shot | None:
    """The attack before its dice; None if nothing is in range."""
    if data.ignores_saves and data.obscured:
        data = msgspec.structs.replace(data, obscured=())
    if data.models is None and not data.groups:
        raise Refusal(
            gettext("No models shoot (at $.models)."), mend=gettext("Give how many see the target."), code="input"
        )
    always: Die | None = "D6" if data.hold_and_shoot and data.weapon is None else None
    top = Shooters(
        models=data.models or 0, die=data.die or always, weapon=data.weapon, band=data.band, distance=data.distance
    )
    pools: list[tuple[int, TargetThrow]] = []
    cover: Cover = "none"
    for group in data.groups or (top,):
        pool = pool_of(content, group, top)
        if pool is None:
            continue
        dice, die = pool
        aim = _aim(content, data, die)
        cover = aim.cover
        pools.append((max(0, dice - aim.fewer), aim.throw))
    return Shot(tuple(pools), _save_of(content, data, cover)) if pools else None


def _aim(content: CustomContent, data: Shoot, die: Die) -> Aimed:
    """The throw of one group, by the rules of Hold and Shoot and of attacks that ignore saves."""
    base: Die = "D6" if data.hold_and_shoot else die
    locked = data.locked or (data.hold_and_shoot and chosen(content, HOLD_DIE) == "locked")
    aim = aimed(content, msgspec.structs.replace(data, locked=locked), base)
    if data.ignores_saves and aim.cover in COVERS_THAT_OBSCURE:
        return Aimed(_unobscured(content, data, base, locked), aim.cover, 0)
    return aim


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


def _unobscured(content: CustomContent, data: Shoot, base: Die, locked: bool) -> TargetThrow:
    """The throw of an attack that ignores Obscured: the cover's -1 stays, its Obscured does not count."""
    cover = cover_of(data)
    bare = msgspec.structs.replace(
        data, cover="solid" if cover == "heavy" else "none", crossed=(), locked=locked,
        target=None if data.target is None else msgspec.structs.replace(data.target, cover="none"),
    )  # fmt: skip
    throw = aimed(content, bare, base).throw
    told = tuple(
        (what, gettext("Heavy cover") if why == gettext("Solid cover") else why) for what, why in throw.modifiers
    )
    return dataclasses.replace(throw, modifiers=told)


def shot(content: CustomContent, data: Shoot, roller: Roller) -> Resolved:
    """The attack, and the saves. The outcome is the damage, or the hits if the input names no Save."""
    ready = planned(content, data)
    if ready is None:
        return Resolved(
            "out-of-range",
            gettext("Out of range: it may not shoot."),
            total=0,
            effects=effects(hits=0, may_shoot=False),
        )
    faces: list[int] = []
    kept: list[int] = []
    for count, throw in ready.pools:
        fell = roller.several(count, throw.sides, throw.why(gettext("To hit")), throw.cuts[-1:])
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
        hit.modifiers + tuple((what, gettext("{why} (save)").format(why=why)) for what, why in told.modifiers),
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
        raise Refusal(
            gettext("The target's Save is not given (at $.save_die)."),
            mend=gettext("Give D6, D8 or D12."),
            code="input",
        )


def _failing(content: CustomContent, save: saves.Save) -> Fraction:
    return Fraction(1) if save.ignores_saves else 1 - saves.save_throw(content, save).odds


def _spread(pools: Sequence[tuple[int, TargetThrow]], through: Fraction) -> tuple[Fraction, ...]:
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


def _none(pools: Sequence[tuple[int, TargetThrow]], through: Fraction) -> Fraction:
    return math.prod((((1 - throw.odds * through) ** count) for count, throw in pools), start=Fraction(1))
