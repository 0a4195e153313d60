"""A Gloom Trench force: its player's choices, the models of each unit, and the derived figures.

Source: Gloom Trench 1926 core rules, "Units and Squads", "Command", "Tactical Points", "The bag".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.consequences import SetWarband
from rules.custom.parse import slug
from rules.custom.units import ForceUnit, copy_of
from rules.force import Force
from rules.gloom_trench.profile_fields import COMMANDER, FACTIONS, SMALL, bands, has_keyword
from rules.parts.choice import ChoiceAsked
from rules.parts.sheet import WeaponLine
from rules.translation import gettext

SCALES = (("28mm", gettext("28 mm, in inches")), ("15mm", gettext("15 mm, in centimetres")))
MARKS = {"28mm": "″", "15mm": " cm"}  # the suffix of a distance
SMALL_MODELS = 2


def force_asks(force: Force) -> tuple[ChoiceAsked, ...]:
    """Return the choices of a force: faction, scale and limit at founding, and a formation once the library has one."""
    formations = tuple((p.id, p.name) for p in force.library if p.kind == "formation")
    kept = force.state.get("formation")
    if isinstance(kept, Mapping) and kept.get("id") not in {id_ for id_, _ in formations}:
        formations = (*formations, (str(kept.get("id")), str(kept.get("name"))))
    asks = [
        ChoiceAsked("scale", gettext("Scale"), SCALES, any_time=True, optional=True, usual="28mm"),
        ChoiceAsked(
            "faction",
            gettext("Faction"),
            tuple((name, name) for name in FACTIONS),
            any_time=True,
            optional=True,
            kind="text",
            most=60,
        ),
    ]
    if formations:
        asks.append(
            ChoiceAsked("formation", gettext("Formation"), formations, any_time=True, optional=True, at_founding=False)
        )
    asks.append(
        ChoiceAsked(
            "points_limit", gettext("Points limit"), (), any_time=True, optional=True, kind="number", most=99_999
        )
    )
    return tuple(asks)  # fmt: skip


def formation_follows(force: Force) -> tuple[tuple[str, tuple[SetWarband, ...]], ...]:
    """Return the changes that follow from choosing a formation: the force stores a copy of it."""
    chosen = [(p.id, (SetWarband(("formation",), copy_of(p)),)) for p in force.library if p.kind == "formation"]
    return (("", (SetWarband(("formation",), None),)), *chosen)


def formation_of(force: Force) -> Mapping[str, Any]:
    """Return the data of the force's formation, empty if it has none."""
    kept = force.state.get("formation")
    if isinstance(kept, Mapping) and isinstance(kept.get("data"), Mapping):
        return dict(kept["data"])
    chosen = force.choices.get("formation")
    found = next((p for p in force.library if p.kind == "formation" and p.id == chosen), None)
    return dict(found.data) if found is not None else {}


def count_key(model: Mapping[str, Any]) -> str:
    """Return the key of the choice that stores how many of a model are in the unit."""
    return f"count:{slug(model['name'])}"


def weapon_key(model: Mapping[str, Any]) -> str:
    """Return the key of the choice that stores what a model carries."""
    return f"weapon:{slug(model['name'])}"


def unit_asks(unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
    """Return the choices of a unit.

    They are the number of each model if the profile leaves it open, and the weapon if there are several.
    """
    asks = []
    weapons = tuple((slug(weapon["name"]), str(weapon["name"])) for weapon in unit.data.get("weapons") or ())
    for model in unit.data.get("models") or ():
        name, least, most = str(model["name"]), model["least"] or 0, model["most"] or 0
        if least < most:
            options = tuple((str(n), str(n)) for n in range(least, most + 1))
            asks.append(ChoiceAsked(
                count_key(model), gettext("How many: {name}").format(name=name), options, any_time=True, optional=True, usual=str(model["usual"] or 0)
            ))  # fmt: skip
        if len(weapons) > 1:
            usual = slug(model.get("weapon") or "") if model.get("weapon") else weapons[0][0]
            asks.append(ChoiceAsked(
                weapon_key(model), gettext("Weapon: {name}").format(name=name), weapons, any_time=True, optional=True, usual=usual
            ))  # fmt: skip
    return tuple(asks)


def parts(data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
    """Return every sort of model with its number at full strength."""
    found = []
    for model in data.get("models") or ():
        given = str(choices.get(count_key(model)) or "")
        n = int(given) if given.isdecimal() else int(model["usual"] or 0)
        found.append((slug(model["name"]), str(model["name"]), n))
    return tuple(found)


def weapons(unit: ForceUnit) -> dict[str, str]:
    """Return what each sort of model carries, by name: the chosen weapon, else the usual one, else the unit's first."""
    known = {slug(weapon["name"]): str(weapon["name"]) for weapon in unit.data.get("weapons") or ()}
    found = {}
    for model in unit.data.get("models") or ():
        chosen = str(unit.fighter.choices.get(weapon_key(model)) or "") or slug(model.get("weapon") or "-")
        found[str(model["name"])] = known.get(chosen) or next(iter(known.values()), "")
    return found


def armed(force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
    """Return a unit's weapons for its card and page, with distances in the force's own unit. Spare weapons come last."""
    distance = MARKS[str(force.choices.get("scale") or SCALES[0][0])]
    by_model = weapons(unit)
    found = []
    for weapon in unit.data.get("weapons") or ():
        carriers = [name for name, carried in by_model.items() if carried == weapon["name"] and unit.counts.get(name)]
        figures = [f"{far:g}{distance} {die}" for _, far, die in bands(weapon)]
        if (weapon["dice_per_model"] or 1) > 1:
            figures.append(gettext("{weapon} dice a model").format(weapon=weapon["dice_per_model"]))
        found.append(WeaponLine(
            name=str(weapon["name"]), range_words=", ".join(figures), hands_words="", effect_words=weapon["special"] or "",
            keywords=gettext("with {carriers}").format(carriers=', '.join(carriers)) if carriers else gettext("not carried"), carried=bool(carriers),
            short_words=", ".join(figures),
        ))  # fmt: skip
    return tuple(sorted(found, key=lambda line: not line.carried))


# --- derived values


def models(unit: ForceUnit) -> int:
    return sum(unit.left.values())


def is_small(unit: ForceUnit) -> bool:
    return has_keyword(unit.data, SMALL) or models(unit) <= SMALL_MODELS


def is_commander(unit: ForceUnit) -> bool:
    return has_keyword(unit.data, COMMANDER)


def leaders(unit: ForceUnit) -> int:
    return sum(unit.left.get(str(m["name"]), 0) for m in unit.data.get("models") or () if m["squad_leader"])


def unit_command(unit: ForceUnit) -> int:
    """Return the highest Command among the models left. Reading GT-A08."""
    own = int(unit.data.get("command") or 0)
    found = [
        own if model.get("command") is None else int(model["command"])
        for model in unit.data.get("models") or ()
        if unit.left.get(str(model["name"]), 0) > 0
    ]
    return max(found, default=0)


def force_command(units: Iterable[ForceUnit]) -> int:
    """Return the highest Command among the units on the table."""
    return max((unit_command(unit) for unit in units if models(unit)), default=0)


def starting_points(force: Force, units: Sequence[ForceUnit]) -> int:
    """Return the starting Tactical Points: the force's Command plus its formation's points."""
    return force_command(units) + formation_points(force)


def formation_points(force: Force) -> int:
    """Return the Tactical Points that the formation adds."""
    return int(formation_of(force).get("tactical_points") or 0)


def chits(units: Iterable[ForceUnit], initiative: bool = False) -> int:
    """Return the number of chits in the bag.

    There is one for each unit on the table, and one more for the side with the initiative.
    """
    return sum(1 for unit in units if models(unit)) + int(initiative)
