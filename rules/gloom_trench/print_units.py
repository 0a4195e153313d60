"""The printed units of Gloom Trench 1926: figures, models with their circles, weapons, rules and boxes for Stress.

Distances are printed only in the force's own unit. Dice are given as "D6", "D8", "D12"; the template draws them as
shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.custom.content import CustomContent
from rules.custom.parse import slug
from rules.custom.sheet import points_words
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.formatting import profile_beside
from rules.gloom_trench import force as forces
from rules.gloom_trench.interpretations import WHEN_TESTED, chosen
from rules.gloom_trench.profile_fields import BANDS, SMALL, SQUAD, has_keyword
from rules.gloom_trench.resolvers import units as table
from rules.translation import gettext

STRESS_BOXES = 8
MOST_PIPS = 9  # more wounds than this are shown as a number
MOST_CIRCLES = 60
LINE = 110  # letters in a line of a block
HALF_PAGE, HALF_LARGE_PAGE = 29, 22  # lines, in usual print and in large
SCALES = {"28mm": gettext("28 mm, distances in inches"), "15mm": gettext("15 mm, distances in centimetres")}
UNITS = {"28mm": "″", "15mm": " cm"}
FIGURES = (("combat", gettext("Combat")), ("damage", gettext("Damage")), ("defence", gettext("Defence")), ("save", gettext("Save")), ("wounds", gettext("Wounds")), ("command", gettext("Command")))  # fmt: skip
DICE = ("D6", "D8", "D12")


@dataclass(frozen=True, slots=True)
class UnitFigure:
    """A characteristic: its label and value. `die`: it is drawn as a die."""

    label: str
    words: str
    die: bool = False


@dataclass(frozen=True, slots=True)
class ModelRow:
    """Models of one profile: a circle for each, with its wounds as pips if it has several.

    `lost` died in earlier battles.
    """

    name: str
    count: int
    circles: tuple[bool, ...]  # whether the model is already gone
    more: int  # the number of models without a circle
    pips: range
    wounds_words: str
    lost: int
    is_leader: bool
    figures: tuple[UnitFigure, ...]
    keywords: str


@dataclass(frozen=True, slots=True)
class WeaponBandRow:
    """The reach of a weapon's band, and its die."""

    reach: str
    die: str


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon with its three bands; a missing band is None. `carried` says who has it and how many dice that makes."""

    name: str
    carried: str
    dice: str
    bands: tuple[WeaponBandRow | None, ...]
    special: str


@dataclass(frozen=True, slots=True)
class StressBox:
    """A box for a Stress token. `bar`: a bar precedes it. `tests`: with this many tokens the unit tests."""

    number: int
    bar: bool
    tests: bool


@dataclass(frozen=True, slots=True)
class UnitBlock:
    name: str
    profile_name: str
    faction: str
    keywords: tuple[str, ...]
    rating_words: str
    figures: tuple[UnitFigure, ...]
    models: tuple[ModelRow, ...]
    weapons: tuple[WeaponRow, ...]
    orders: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    stress: tuple[StressBox, ...]
    stress_words: str
    has_leader: bool
    small_words: str
    shared_orders: tuple[str, ...] = ()  # the names of those whose words stand once for several units
    shared_rules: tuple[str, ...] = ()

    @property
    def breaks(self) -> str:
        """Return on which paper the block takes more than half a page, so that pages may end inside it: "always", "large" or ""."""
        entries = (*self.orders, *self.rules)
        lines = 7 + max(3, len(self.models)) + 2 * len(self.weapons)
        lines += sum(1 + len(f"{name} {words}") // LINE for name, words in entries)
        return "always" if lines > HALF_PAGE else "large" if lines > HALF_LARGE_PAGE else ""


def scale_of(force: Force) -> str:
    """Return the force's scale, 28 mm by default."""
    scale = str(force.choices.get("scale") or "28mm")
    return scale if scale in SCALES else "28mm"


def reach(number: float, scale: str) -> str:
    """Return a distance in the unit of the scale."""
    return f"{number:g}{UNITS[scale]}"


def told(unit: ForceUnit, *, at_strength: bool = False) -> table.Unit:
    """Return the unit as input of the rules.

    `at_strength` ignores the losses of earlier battles.
    """
    data, counts = unit.data, unit.counts if at_strength else unit.left
    groups = tuple(
        table.Group(
            name=model["name"], count=min(100, counts.get(model["name"], 0)), command=model.get("command"),
            keywords=("Squad Leader",) if model.get("squad_leader") else (),
        )
        for model in data["models"]
    )  # fmt: skip
    return table.Unit(
        name=unit.name, models=groups, command=data["command"], keywords=tuple(data["keywords"]),
        tactics_range=data.get("tactics_range"),
    )  # fmt: skip


def unit_block(content: CustomContent, unit: ForceUnit, scale: str) -> UnitBlock:
    data, at_table = unit.data, told(unit)
    command = table.unit_command(content, at_table)
    models = tuple(_models(unit))
    leaders = [model for model in models if model.is_leader and model.count]
    figures = [*_unit_figures(data)]
    if data.get("tactics_range") is not None:
        figures.append(UnitFigure(gettext("Tactics"), reach(data["tactics_range"], scale)))
    return UnitBlock(
        name=unit.name,
        profile_name=profile_beside(unit.name, unit.profile_name),
        faction=str(data.get("faction") or ""),
        keywords=tuple(data["keywords"]),
        rating_words=points_words(unit.worth),
        figures=tuple(figures),
        models=models,
        weapons=tuple(_weapons(unit, scale)),
        orders=tuple((order["name"], order["text"]) for order in data["unit_orders"]),
        rules=tuple((rule["name"], _rule_words(rule, scale)) for rule in data["special_rules"]),
        stress=tuple(stress_boxes(content, command)),
        stress_words=_stress_words(content, at_table, command, leaders),
        has_leader=bool(leaders) or has_keyword(data, SQUAD),
        small_words=gettext("counts as a Small Unit")
        if table.is_small(at_table) and not has_keyword(data, SMALL)
        else "",
    )


def _unit_figures(data: Mapping[str, Any]) -> Iterator[UnitFigure]:
    for key, label in FIGURES:
        yield UnitFigure(label, str(data[key]), die=data[key] in DICE)


def _models(unit: ForceUnit) -> Iterator[ModelRow]:
    for model in unit.data["models"]:
        count = unit.counts.get(model["name"], 0)
        if not count:
            continue
        wounds, left = model.get("wounds") or unit.data["wounds"], unit.left.get(model["name"], count)
        differs = tuple(
            UnitFigure(label, str(model[key]), die=model[key] in DICE)
            for key, label in FIGURES
            if model.get(key) not in (None, "") and model[key] != unit.data[key]
        )
        yield ModelRow(
            name=model["name"],
            count=count,
            circles=tuple(n >= left for n in range(min(count, MOST_CIRCLES))),
            more=max(0, count - MOST_CIRCLES),
            pips=range(wounds if 1 < wounds <= MOST_PIPS else 0),
            wounds_words=gettext("{wounds} Wounds each").format(wounds=wounds)
            if wounds > MOST_PIPS and wounds == unit.data["wounds"]
            else "",
            lost=count - left,
            is_leader=bool(model.get("squad_leader")),
            figures=differs,
            keywords=", ".join(model.get("keywords") or ()),
        )


def _weapons(unit: ForceUnit, scale: str) -> Iterator[WeaponRow]:
    """Yield the weapons that the remaining models carry, or all of the profile if it does not say who carries them."""
    carriers = _carriers(unit)
    alone = len(unit.counts) == 1
    for weapon in unit.data["weapons"]:
        models = carriers.get(slug(weapon["name"]), [])
        if carriers and not models:
            continue
        yield WeaponRow(
            name=weapon["name"],
            carried="" if alone else ", ".join(f"{count} {name}" for name, count in models),
            dice=_dice_text(sum(count for _, count in models), weapon.get("dice_per_model") or 1),
            bands=tuple(_band_row(weapon, band, scale) for band in BANDS),
            special=weapon.get("special") or "",
        )


def _carriers(unit: ForceUnit) -> dict[str, list[tuple[str, int]]]:
    """Return the remaining models that carry each weapon, with their number, by the slug of the weapon's name."""
    carriers: dict[str, list[tuple[str, int]]] = {}
    weapons = forces.weapons(unit)
    for name, count in unit.left.items():
        if count and weapons.get(name):
            carriers.setdefault(slug(weapons[name]), []).append((name, count))
    return carriers


def _dice_text(models: int, each: int) -> str:
    if not models:
        return gettext("{each} a model").format(each=each)
    return f"{models}" if each == 1 else gettext("{number} ({each} a model)").format(number=models * each, each=each)


def _band_row(weapon: Mapping[str, Any], band: str, scale: str) -> WeaponBandRow | None:
    distance, die = weapon[f"{band}_range"], weapon[f"{band}_die"]
    return WeaponBandRow(reach(distance, scale), die) if distance is not None and die else None


def _rule_words(rule: Mapping[str, Any], scale: str) -> str:
    if rule["text"]:
        return str(rule["text"])
    return (
        gettext("Friends within {reach} are Obscured.").format(reach=reach(3, scale))
        if rule["effect"] == "obscuring"
        else ""
    )


def stress_boxes(content: CustomContent, command: int) -> Iterator[StressBox]:
    """Yield the boxes of a unit. The bar precedes the first box with which it tests."""
    calm = 0 if chosen(content, WHEN_TESTED) == "any-stress" else command
    for number in range(1, STRESS_BOXES + 1):
        yield StressBox(number, bar=number == calm + 1, tests=number > calm)


def _stress_words(content: CustomContent, unit: table.Unit, command: int, leaders: Sequence[ModelRow]) -> str:
    """Return what determines the position of the bar, and what remains of it without the leader."""
    if chosen(content, WHEN_TESTED) == "any-stress":
        return gettext("test with any; Command {command}").format(command=command)
    if command >= STRESS_BOXES:
        return gettext("test above {command}").format(command=command)
    words = gettext("right of the bar: test (Command {command}").format(command=command)
    names = {model.name for model in leaders}
    rest = tuple(group for group in unit.groups if group.name not in names)
    if names and any(group.count for group in rest):
        without = table.unit_command(content, table.Unit(models=rest, command=unit.command))
        if without != command:
            words += gettext("; {without} without {sorted}").format(without=without, sorted=" and ".join(sorted(names)))
    return words + ")"
