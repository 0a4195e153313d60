"""The characteristics of a fighter."""

from __future__ import annotations

from collections.abc import Mapping

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.sources import Cause, picks, place_of
from rules.force import Counted, ForceFighter

STATS = ("movement", "ranged", "melee", "armour")


def set_stats(content: Content, who: Facts, fighter: ForceFighter, effects: Mapping[type, list[Cause]]) -> None:
    line = who.profile.statline
    values: dict[str, int | None] = {
        "movement": line.movement_inches,
        "ranged": line.ranged,
        "melee": line.melee,
        "armour": line.armour,
    }
    causes: dict[str, list[str]] = {stat: [] for stat in (*STATS, "base")}
    stats: list[Cause] = list(effects.get(v.StatEffect, ()))
    for cause in stats:
        if cause.effect.set is not None:
            values[cause.effect.stat] = cause.effect.set
            causes[cause.effect.stat].append(
                f"{cause.source.name} {_signed(cause.effect.stat, cause.effect.set, sets=True)}"
            )
    for cause in stats:
        if cause.effect.add and values[cause.effect.stat] is not None:
            values[cause.effect.stat] = (values[cause.effect.stat] or 0) + cause.effect.add
            causes[cause.effect.stat].append(f"{cause.source.name} {_signed(cause.effect.stat, cause.effect.add)}")
    movement: str = line.movement
    for cause in effects.get(v.MovementTypeEffect, ()):
        movement = cause.effect.movement
        causes["movement"].append(f"{cause.source.name}: {movement}")
    printed_base = line.base_mm
    base = printed_base
    for cause in effects.get(v.BaseChoiceEffect, ()):
        picked = picks(fighter.choices, "base")
        place = place_of(picked, len(cause.effect.mm)) or 0
        base = cause.effect.mm[place]
        if cause.effect.movement and place < len(cause.effect.movement):
            values["movement"] = cause.effect.movement[place]
    for cause in effects.get(v.BaseEffect, ()):
        wanted = not cause.effect.optional or bool(fighter.choices.get("base-optional"))
        if wanted and max(cause.effect.mm) > max(base):
            base = cause.effect.mm
            causes["base"].append(cause.source.name)
    who.base = max(base)
    who.movement = movement
    printed = {"movement": line.movement_inches, "ranged": line.ranged, "melee": line.melee, "armour": line.armour}
    who.stats = {stat: Counted(values[stat], printed[stat], tuple(causes[stat])) for stat in STATS}
    who.stats["base"] = Counted(max(base), max(printed_base), tuple(causes["base"]))


def _signed(stat: str, number: int, *, sets: bool = False) -> str:
    figure = f"{abs(number)}″" if stat == "movement" else str(abs(number))
    if sets:
        return f"sets {'−' if number < 0 else ''}{figure}"
    return f"{'−' if number < 0 else '+'}{figure}"
