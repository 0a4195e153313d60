"""Saving throws, the damage that remains, the Stress it causes, and the models it removes.

Source: core rules, Saving Throws; Shooting (discarding a token); Removing Models; Mixed units; Differing Levels of
Cover; Stress.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import HOLD_SAVE, NO_SAVE_STRESS, SHOOTING_DAMAGE, TOKENS_DISCARDED, chosen
from rules.gloom_trench.resolvers.dice import (
    Count,
    Die,
    Mods,
    Name,
    Spent,
    Stress,
    TargetThrow,
    enemy_point,
    mods,
    own_point,
    thrown,
)
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.units import Cover, Damage, Group, Suffered, Unit, Wounds
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

FRIENDS_WITHIN = 6
_FRIENDS_SHAKEN = {
    "friends_stress": 1,
    "friends_within": FRIENDS_WITHIN,
}  # what the loss of a unit does to those near it


class Save(Rolling, frozen=True, kw_only=True):
    """Saving throws of a unit that was hit.

    `cover`: the unit's cover; `melee`: the hits are from melee. `discard`: Stress tokens the attacker discards first.
    `tp`: points of the unit's own player, `opponent_tp`: of the attacker. `stress`: its tokens before. `damage`: the
    attacker's Damage, which a failed save inflicts only in melee (`damage_each` among the effects), unless the table
    reads it otherwise. `models`, `wounds`, `recorded_damage`: of the unit. `ignores_saves`: the attack allows no
    saves.
    """

    hits: Count
    save_die: Die | None = None
    dice_mods: Mods = 0
    roll_mods: Mods = 0
    cover: Cover = "none"
    melee: bool = False
    dug_in: bool = False
    hold_and_shoot: bool = False
    tp: Spent = False
    opponent_tp: Spent = False
    discard: bool | Annotated[int, Meta(ge=0, le=60)] = False
    stress: Stress | None = None
    damage: Damage = 1
    wounds: Wounds = 1
    models: Count | None = None
    recorded_damage: Suffered = 0
    ignores_saves: bool = False
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of hits. `casualties`: models removed, if all have the same `wounds`."""

    hits: int
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    failed: int
    damage: int
    casualties: int
    gained: int  # Stress tokens from the damage and from natural ones
    discarded: int


def discarded(content: CustomContent, data: Save) -> int:
    """Tokens the attacker discards. Raises Refusal for more than there are, or than the table allows."""
    count = int(data.discard)
    if count > 1 and chosen(content, TOKENS_DISCARDED) == "one":
        raise Refusal(
            gettext("One Stress token is discarded for a saving roll."),
            mend=gettext("Discard one, or none."),
            code="tokens",
        )
    if data.stress is not None and count > data.stress:
        raise Refusal(
            gettext("The unit has {quantity}; {count} cannot be discarded.").format(quantity=quantity(data.stress, gettext('Stress token')), count=count),
            mend=gettext("Discard none."), code="tokens",
        )  # fmt: skip
    return count


def save_throw(content: CustomContent, data: Save) -> TargetThrow:
    """The dice of a saving roll with every modifier. Raises Refusal if the unit's Save is missing in the input."""
    base = data.save_die or (data.unit.save if data.unit else None)
    if base is None:
        raise Refusal(
            gettext("The Save is not given (at $.save_die)."), mend=gettext("Give D6, D8 or D12."), code="input"
        )
    dice: list[tuple[int, str]] = []
    roll: list[tuple[int, str]] = []
    if data.cover == "solid" and not data.melee:
        dice.append((1, gettext("Solid cover")))
    if data.hold_and_shoot:
        (dice if chosen(content, HOLD_SAVE) == "die" else roll).append((1, gettext("Hold and Shoot")))
    dice += [*own_point(content, data.tp), *mods(data.dice_mods)]
    if data.dug_in:
        roll.append((1, gettext("Dig In")))
    if data.melee and data.cover in ("heavy", "solid"):
        roll.append((1, gettext("{cover} cover").format(cover=data.cover.capitalize())))
    gone = discarded(content, data)
    if gone:
        roll.append((-gone, gettext("Stress token discarded")))
    roll += [*enemy_point(content, data.opponent_tp, data.stress), *mods(data.roll_mods)]
    return thrown(content, base, tuple(dice), tuple(roll))


def per_failed(content: CustomContent, data: Save) -> int:
    """Damage of one failed save."""
    return data.damage if data.melee or chosen(content, SHOOTING_DAMAGE) == "statline" else 1


def tokens(content: CustomContent, data: Save, damage: int, casualties: int, ones: int) -> int:
    """Stress from an attack: for damage, for a natural 1 when saving, for casualties if no saves are allowed."""
    if data.ignores_saves:
        if chosen(content, NO_SAVE_STRESS) == "instead":
            return 1 if damage else 0
        return (damage > 0) + (casualties > 0)
    return (damage > 0) + (ones > 0)


def settle(content: CustomContent, data: Save, throw: TargetThrow | None, faces: tuple[int, ...]) -> Settled:
    """What these faces come to; without a throw every hit gets through."""
    kept = throw.kept(faces) if throw else ()
    failed = data.hits - len(kept)
    damage = failed * per_failed(content, data)
    casualties = (data.recorded_damage + damage) // data.wounds if damage else 0
    if data.models is not None:
        casualties = min(casualties, data.models)
    gone = discarded(content, data) if throw and data.hits else 0
    return Settled(
        data.hits, faces, kept, failed, damage, casualties,
        tokens(content, data, damage, casualties, faces.count(1)), gone,
    )  # fmt: skip


def saved(content: CustomContent, data: Save, roller: Roller, what: str = "") -> tuple[Settled, TargetThrow | None]:
    """The saving roll, called `what`. No hits: no roll, no Stress, and no token is discarded."""
    if data.ignores_saves or not data.hits:
        return settle(content, data, None, ()), None
    throw = save_throw(content, data)
    return settle(
        content, data, throw, roller.several(data.hits, throw.sides, throw.why(what or gettext("Save")), throw.cuts)
    ), throw


def told_save(content: CustomContent, data: Save, done: Settled, throw: TargetThrow | None) -> Resolved:
    """The saving roll as a result; the outcome is the damage."""
    known = data.stress if data.stress is not None else None if done.discarded else 0
    wounded = data.recorded_damage + done.damage
    left = None if data.models is None else data.models - done.casualties
    words = gettext("{quantity}, {count} saved: {damage} damage, +{gained} Stress.").format(
        quantity=quantity(done.hits, "hit"), count=len(done.kept), damage=done.damage, gained=done.gained
    )
    return Resolved(
        str(done.damage), words, done.faces, done.kept, done.damage, throw.modifiers if throw else (),
        effects(
            hits=done.hits, saved=len(done.kept), failed=done.failed, damage=done.damage, stress_delta=done.gained,
            tokens=done.gained, discarded=done.discarded or None,
            stress=None if known is None else known - done.discarded + done.gained,
            damage_each=per_failed(content, data), natural_ones=done.faces.count(1), models_lost=done.casualties, models_left=left,
            recorded=0 if left == 0 else wounded - done.casualties * data.wounds,
            destroyed=None if left is None else left == 0 and data.models != 0,
            **(_FRIENDS_SHAKEN if left == 0 and data.models else {}),
            die=throw.die if throw else None, modifier=throw.modifier if throw else None,
        ),
    )  # fmt: skip


def completed(data: Save) -> Save:
    """The input, completed from the unit. One profile only: mixed units are for `allocate-damage`."""
    unit = data.unit
    if unit is None:
        return data
    groups = [group for group in unit.groups if group.count]
    wounds = groups[0].wounds if len(groups) == 1 and groups[0].wounds else unit.wounds
    changed: Mapping[str, Any] = {
        "save_die": data.save_die or unit.save,
        "stress": unit.stress if data.stress is None else data.stress,
        "models": unit.size if data.models is None and unit.models is not None else data.models,
        "wounds": wounds if data.wounds == 1 else data.wounds,
        "recorded_damage": data.recorded_damage or unit.recorded_damage,
        "dug_in": data.dug_in or unit.dug_in,
        "cover": unit.cover if data.cover == "none" else data.cover,
        "unit": None,
    }
    return Save(**{**{name: getattr(data, name) for name in data.__struct_fields__}, **changed})


def resolve_save(content: CustomContent, data: Save, roller: Roller) -> Resolved:
    full = completed(data)
    done, throw = saved(content, full, roller)
    if not done.hits or full.ignores_saves:
        discarded(content, full)  # an impossible discard is refused even if nothing is rolled
    return told_save(content, full, done, throw)


def resolve_save_stress(content: CustomContent, data: Save, roller: Roller) -> Resolved:
    """A saving roll whose outcome is the Stress."""
    done = resolve_save(content, data, roller)
    return dataclasses.replace(done, outcome=str(done.effect("stress_delta")))


class Allocate(RuleInput, frozen=True, kw_only=True):
    """Damage and the unit that takes it.

    `profile_choice`: the profile from which its owner takes models, or several in their order; if left out, in the
    given order. `models_there`: with mixed cover, the models in the lighter part that was aimed at, and no others can
    be lost; it sets no limit if `aimed_at` names the heavier one.
    """

    unit: Unit | None = None
    damage: Suffered
    profile_choice: Name | Annotated[tuple[Name, ...], Meta(max_length=20)] | None = None
    models_there: Count | None = None
    aimed_at: Literal["lighter", "heavier"] = "lighter"
    models: Count | Annotated[tuple[Group, ...], Meta(max_length=20)] | None = None
    wounds: Wounds = 1
    recorded_damage: Suffered = 0
    recorded_on: Name | None = None


@dataclass(frozen=True, slots=True)
class Allocated:
    """A unit after damage: the losses of each profile, the recorded damage and its profile, and what is lost with it."""

    lost: tuple[int, ...]
    recorded: int
    recorded_on: int | None
    discarded: int


def allocated(
    groups: tuple[Group, ...], wounds: int, recorded: int, recorded_on: int | None, damage: int, order: tuple[int, ...],
    models_there: int | None = None,
) -> Allocated:  # fmt: skip
    """Damage on one profile at a time: first the one that bears recorded damage, then in the owner's order.

    A model is removed at its Wounds; a profile is left only when no model of it stands. `models_there` bounds the models that can be
    lost.
    """
    left = [group.count for group in groups]
    lost = [0] * len(groups)
    can = sum(left) if models_there is None else min(models_there, sum(left))
    bears = recorded_on if recorded and recorded_on is not None else None
    queue = [*([bears] if bears is not None else []), *(place for place in order if place != bears)]
    on: int | None = None
    carried = recorded
    remaining = damage
    for place in queue:
        gone, carried, remaining = _removed(min(left[place], can), groups[place].wounds or wounds, carried, remaining)
        left[place] -= gone
        lost[place] += gone
        can -= gone
        if carried and left[place]:
            on = place
            break
    if damage == 0 and carried:
        on = bears
    return Allocated(tuple(lost), carried, on if carried else None, remaining)


def _removed(models: int, wounds: int, carried: int, damage: int) -> tuple[int, int, int]:
    """Return how many models of a profile are removed, the damage that its next model bears, and the damage that is left over."""
    gone = 0
    while gone < models and damage:
        missing = max(0, wounds - carried)
        if damage < missing:
            return gone, carried + damage, 0
        damage -= missing
        gone, carried = gone + 1, 0
    return gone, carried, damage


def _by_name(groups: tuple[Group, ...], counts: Iterable[int]) -> dict[str, int]:
    return {group.name or "models": count for group, count in zip(groups, counts, strict=True)}


def _places(groups: tuple[Group, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    """Named profiles in their order, the others behind them. Raises Refusal for a name nobody bears."""
    if len(groups) == 1 and not groups[0].name:
        return (0,)
    found: list[int] = []
    for name in names:
        place = next((p for p, group in enumerate(groups) if group.name.casefold() == name.casefold()), None)
        if place is None:
            known = ", ".join(group.name or gettext("(no name)") for group in groups)
            raise Refusal(
                gettext("No profile of the unit is called “{name}”.").format(name=name),
                mend=gettext("It has: {known}.").format(known=known),
                code="input",
            )
        if place not in found:
            found.append(place)
    return (*found, *(place for place in range(len(groups)) if place not in found))


def _order_of_loss(data: Allocate, groups: tuple[Group, ...]) -> tuple[int, ...]:
    """Profiles with models left, those first that the owner named."""
    names = (data.profile_choice,) if isinstance(data.profile_choice, str) else data.profile_choice or ()
    return tuple(index for index in _places(groups, names) if groups[index].count)


def _recorded_on(data: Allocate, unit: Unit, recorded: int, order: tuple[int, ...]) -> int | None:
    """The index of the profile that bears the recorded damage. Raises Refusal for more than a model of it bears."""
    name = unit.recorded_on or data.recorded_on
    bears = _places(unit.groups, (name,))[0] if name else next(iter(order), None)
    if recorded and bears is not None:
        wounds = unit.groups[bears].wounds or unit.wounds
        if recorded >= wounds:
            raise Refusal(
                gettext("{recorded} damage are recorded on models of {wounds} Wounds.").format(
                    recorded=recorded, wounds=wounds
                ),
                mend=gettext("Remove the model."),
                code="input",
            )
    return bears


def _leader_lost(groups: tuple[Group, ...], lost: tuple[int, ...]) -> bool:
    """Whether the last Squad Leader is among the models lost."""
    led = [
        (group.count, gone)
        for group, gone in zip(groups, lost, strict=True)
        if any(keyword.casefold() == "squad leader" for keyword in group.keywords)
    ]
    return any(gone for _, gone in led) and all(count == gone for count, gone in led)


def _unit_of(data: Allocate) -> Unit:
    if data.unit is not None:
        return data.unit
    if data.models is None:
        raise Refusal(gettext("No unit is given (at $.unit)."), mend=gettext("Give its models."), code="input")
    return Unit(
        models=data.models, wounds=data.wounds, recorded_damage=data.recorded_damage, recorded_on=data.recorded_on
    )


def allocate_damage(content: CustomContent, data: Allocate, roller: Roller) -> Resolved:
    """Which models are lost, and what stays on the unit."""
    unit = _unit_of(data)
    groups = unit.groups
    recorded = unit.recorded_damage or data.recorded_damage
    order = _order_of_loss(data, groups)
    bears = _recorded_on(data, unit, recorded, order)
    bound = data.models_there if data.aimed_at == "lighter" else None
    done = allocated(groups, unit.wounds, recorded, bears, data.damage, order, bound)
    left = [group.count - lost for group, lost in zip(groups, done.lost, strict=True)]
    total = sum(done.lost)
    destroyed = total > 0 and not sum(left)
    outcome = "models-lost" if total else "recorded" if done.recorded else "nothing"
    return Resolved(
        "destroyed" if destroyed else outcome,
        gettext("{quantity} lost, {recorded} damage recorded, {discarded} discarded.").format(
            quantity=quantity(total, "model"), recorded=done.recorded, discarded=done.discarded
        ),
        total=total,
        effects=effects(
            models_lost=total,
            removed={name: lost for name, lost in _by_name(groups, done.lost).items() if lost},
            recorded=done.recorded,
            recorded_on=None if done.recorded_on is None else groups[done.recorded_on].name or None,
            discarded=done.discarded,
            models_left=sum(left),
            left=_by_name(groups, left),
            destroyed=destroyed,
            leader_lost=_leader_lost(groups, done.lost) or None,
            **(_FRIENDS_SHAKEN if destroyed else {}),
        ),
    )
