"""The characteristics of a fighter, its base and its movement type, each with its causes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules import vocabulary as v
from rules.content.schema import ProfileEntry
from rules.fighters.sources import Cause, picked_index, picks
from rules.force import Counted, ForceFighter


class Characteristics(NamedTuple):
    """The numbers by name (including "base"), the movement type ("infantry", "flying"), and the longest side of the base in mm."""

    stats: dict[str, Counted]
    movement: str
    base: int


class _Base(NamedTuple):
    """A base by its sides in mm, with the cause that enlarged it, and the movement that was chosen with it."""

    sides: tuple[int, ...]
    causes: tuple[str, ...]
    movement_inches: int | None


def characteristics_of(
    fighter: ForceFighter, profile: ProfileEntry, effects: Mapping[type, list[Cause]]
) -> Characteristics:
    """Return the characteristics after all effects. Effects that set a number apply before those that add to it."""
    line = profile.statline
    printed: dict[str, int | None] = {
        "movement": line.movement_inches,
        "ranged": line.ranged,
        "melee": line.melee,
        "armour": line.armour,
    }
    values = dict(printed)
    causes: dict[str, list[str]] = {stat: [] for stat in printed}
    changes = effects.get(v.StatEffect, ())
    for cause in changes:
        effect = cause.effect
        if effect.set is not None:
            values[effect.stat] = effect.set
            causes[effect.stat].append(f"{cause.source.name} {_signed(effect.stat, effect.set, sets=True)}")
    for cause in changes:
        effect = cause.effect
        before = values[effect.stat]
        if effect.add and before is not None:
            values[effect.stat] = before + effect.add
            causes[effect.stat].append(f"{cause.source.name} {_signed(effect.stat, effect.add)}")
    movement: str = line.movement
    for cause in effects.get(v.MovementTypeEffect, ()):
        movement = cause.effect.movement
        causes["movement"].append(f"{cause.source.name}: {movement}")
    base = _base_of(fighter, line.base_mm, effects)
    if base.movement_inches is not None:
        values["movement"] = base.movement_inches
    stats = {stat: Counted(values[stat], printed[stat], tuple(causes[stat])) for stat in printed}
    stats["base"] = Counted(max(base.sides), max(line.base_mm), base.causes)
    return Characteristics(stats, movement, max(base.sides))


def _base_of(fighter: ForceFighter, printed: tuple[int, ...], effects: Mapping[type, list[Cause]]) -> _Base:
    """Return the base: the chosen one instead of the printed one, or a larger one."""
    sides, movement_inches = printed, None
    causes = []
    for cause in effects.get(v.BaseChoiceEffect, ()):
        choice: v.BaseChoiceEffect = cause.effect
        index = picked_index(picks(fighter.choices, "base"), len(choice.mm)) or 0
        sides = choice.mm[index]
        if index < len(choice.movement):
            movement_inches = choice.movement[index]
    for cause in effects.get(v.BaseEffect, ()):
        effect: v.BaseEffect = cause.effect
        is_wanted = not effect.optional or bool(fighter.choices.get("base-optional"))
        if is_wanted and max(effect.mm) > max(sides):
            sides = effect.mm
            causes.append(cause.source.name)
    return _Base(sides, tuple(causes), movement_inches)


def _signed(stat: str, number: int, *, sets: bool = False) -> str:
    sign = "−" if number < 0 else "" if sets else "+"
    unit = "″" if stat == "movement" else ""
    return f"{'sets ' if sets else ''}{sign}{abs(number)}{unit}"
