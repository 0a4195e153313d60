"""Checks of a Gloom Trench force: what makes it invalid, and what is unusual about a valid one.

Source: Gloom Trench 1926 core rules, "Unit Profile", "Units and Squads", "Unit Orders", "Tactics", "Weapons". Points
are set by the players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.custom.check import unit_problem
from rules.custom.parse import slug
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.gloom_trench.force import force_command, is_commander, leaders, models, weapon_key
from rules.gloom_trench.profile_fields import SMALL, SQUAD, has_keyword
from rules.gloom_trench.profiles import read_profile
from rules.problems import Problem
from rules.translation import gettext

BOOK = "Gloom Trench 1926, core rules"
SQUADS, PROFILE, ORDERS, COMMAND = (
    gettext("{book}: Units and Squads").format(book=BOOK),
    gettext("{book}: Unit Profile").format(book=BOOK),
    gettext("{book}: Unit Orders").format(book=BOOK),
    gettext("{book}: Command").format(book=BOOK),
)


def profile_code(path: str) -> str:
    """Return the problem code for a field path of a unit's profile."""
    first, *rest = path.split(".")
    if first == "weapons":
        return "weapon-bands"
    if first in ("tactics_range", "no_tactics"):
        return "tactics"
    if first == "models" and rest[1:] == ["weapon"]:
        return "weapon-not-carried"
    if first == "models" and rest[1:2] in (["least"], ["most"], ["usual"]):
        return "model-count"
    return "profile-figures"


def findings(force: Force, units: Sequence[ForceUnit]) -> Iterator[Problem]:
    """Yield the errors of a force, then the warnings."""
    if not units:
        yield Problem("no-units", gettext("The force has no units."), gettext("Take one from the library."), SQUADS)
        return
    for unit in units:
        yield from _profile(unit)
        yield from _squad(unit)
        yield from _counts(unit)
        yield from _weapons(unit)
    yield from _odd(units)


# Skipped when the profile is checked, because the unit's actual composition is checked below.
_OF_COMPOSITION = ("models",)


def _profile(unit: ForceUnit) -> Iterator[Problem]:
    _, wrong = read_profile(unit.kind, unit.data)
    for each in wrong:
        if each.path in _OF_COMPOSITION:
            continue
        code = profile_code(each.path)
        yield unit_problem(
            unit,
            code,
            f"{unit.name}: {each.message}",
            gettext("Fix the profile in the library, then update the unit."),
            PROFILE,
        )
    if is_commander(unit) and unit.data.get("tactics_range") is None and unit.data.get("no_tactics"):
        yield unit_problem(
            unit, "tactics", gettext("{name} commands without Tactics.").format(name=unit.name), gettext("Distant units can't use Unit Orders through it."), PROFILE, warns=True
        )  # fmt: skip


def _squad(unit: ForceUnit) -> Iterator[Problem]:
    if not has_keyword(unit.data, SQUAD):
        return
    count, led = (
        unit.strength,
        sum(unit.counts.get(str(m["name"]), 0) for m in unit.data["models"] if m["squad_leader"]),
    )
    if count < 2:
        yield unit_problem(
            unit, "squad-too-small", gettext("{name} is a Squad of {count} model{words}; a Squad has two or more.").format(name=unit.name, count=count, words='' if count == 1 else 's'),
            gettext("Raise a count."), SQUADS,
        )  # fmt: skip
    if not led:
        yield unit_problem(
            unit,
            "no-squad-leader",
            gettext("{name} is a Squad without a Squad Leader.").format(name=unit.name),
            gettext("Add a model that leads it."),
            SQUADS,
        )
    if led > 1:
        yield unit_problem(
            unit,
            "squad-leaders",
            gettext("{name} has {led} Squad Leaders.").format(name=unit.name, led=led),
            gettext("One is enough; more are allowed."),
            SQUADS,
            warns=True,
        )


def _counts(unit: ForceUnit) -> Iterator[Problem]:
    for model in unit.data["models"]:
        name, least, most = str(model["name"]), model["least"] or 0, model["most"] or 0
        n = unit.counts.get(name, 0)
        if not least <= n <= most:
            span = f"{least}" if least == most else gettext("{least} to {most}").format(least=least, most=most)
            yield unit_problem(
                unit,
                "model-count",
                gettext("{name} has {n} {name_2}; the profile allows {span}.").format(
                    name=unit.name, n=n, name_2=name, span=span
                ),
                gettext("Change the count."),
                PROFILE,
            )


def _weapons(unit: ForceUnit) -> Iterator[Problem]:
    known = {slug(weapon["name"]) for weapon in unit.data["weapons"]}
    for model in unit.data["models"]:
        chosen = str(unit.fighter.choices.get(weapon_key(model)) or "")
        if chosen and chosen not in known:
            yield unit_problem(
                unit, "weapon-not-carried", gettext("{name}: {model} carries “{chosen}”, which is not among the unit's weapons.").format(name=unit.name, model=model['name'], chosen=chosen),
                gettext("Choose another weapon."), PROFILE,
            )  # fmt: skip


def _odd(units: Sequence[ForceUnit]) -> Iterator[Problem]:
    commanded = any(is_commander(unit) for unit in units)
    if not commanded:
        yield Problem(
            "no-commander", gettext("The force has no Commander: no Tactical Points of their own, and no orders for units without a leader."),
            gettext("Take a Commander, or play without."), COMMAND, severity="warning",
        )  # fmt: skip
    for unit in units:
        if unit.data["unit_orders"] and not leaders(unit) and not commanded:
            yield unit_problem(
                unit, "orders-never-used", gettext("{name} has Unit Orders and no Commander to give them.").format(name=unit.name),
                gettext("Add a Squad Leader to it, or a Commander to the force."), ORDERS, warns=True,
            )  # fmt: skip
        if 0 < models(unit) <= 2 and not has_keyword(unit.data, SMALL):
            yield unit_problem(
                unit, "counts-as-small", gettext("{name} has {models} model{words} and counts as a Small Unit.").format(name=unit.name, models=models(unit), words='' if models(unit) == 1 else 's'),
                gettext("Shooting at it is harder."), SQUADS, warns=True,
            )  # fmt: skip
    if force_command(units) == 0:
        yield Problem(
            "no-command", gettext("No unit has Command: no Tactical Points at the start, no dice for the initiative."),
            gettext("Take a unit with Command."), COMMAND, severity="warning",
        )  # fmt: skip
