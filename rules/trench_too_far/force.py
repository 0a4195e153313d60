"""A force of A Trench Too Far: its companies, the units that belong to them, their bases, and derived values.

The row of a company is its command base. A platoon, a weapons team or a tank platoon names the company it belongs to,
or none.

Source: A Trench Too Far core rules, "Companies", "Platoons", "Weapons teams", "Tanks".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.custom.parse import slug
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.parts.choice import ChoiceAsked
from rules.parts.sheet import WeaponLine
from rules.translation import gettext as _
from rules.trench_too_far.book_weapons import weapon_of
from rules.trench_too_far.profiles import weapon_reach, weapon_words

COMPANY, PLATOON, TEAM, TANKS = "company", "platoon", "team", "tanks"
POSITIONS = (
    ("closed", _("Closed")),
    ("dispersed", _("Dispersed")),
    ("prone", _("Prone")),
    ("cover", _("Cover")),
    ("entrenched", _("Entrenched")),
)
YES_NO = (("yes", _("Yes")), ("no", "No"))
ATTACHED = "attached"


def force_asks(force: Force) -> tuple[ChoiceAsked, ...]:
    """Return the choices of the force: its period, its main kind of troops, and a limit."""
    return (
        ChoiceAsked("faction", _("Army"), (), any_time=True, optional=True, kind="text", most=60),
        ChoiceAsked("period", _("Period"), (), any_time=True, optional=True, kind="text", most=40),
        ChoiceAsked("attacker", _("Attacks"), YES_NO, any_time=True, optional=True, at_founding=False),
        ChoiceAsked("mostly_militia", _("Mostly militia or irregulars"), YES_NO, any_time=True, optional=True, at_founding=False),
        ChoiceAsked("advance_allowed", _("Companies may Advance"), YES_NO, any_time=True, optional=True),
        ChoiceAsked("points_limit", _("Points limit"), (), any_time=True, optional=True, kind="number", most=99_999),
    )  # fmt: skip


def unit_asks(force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
    """Return the choices of a unit: the company it belongs to, and how a platoon starts the battle."""
    if unit.kind == COMPANY:
        return ()
    companies = tuple(
        (f.key, f.name) for f in force.fighters if f.active and f.key != unit.key and _is_company(f.state)
    )
    asks = []
    if companies or unit.fighter.choices.get("company"):
        asks.append(
            ChoiceAsked(
                "company", _("Company"), (("", _("None: it fights alone")), *companies), any_time=True, optional=True
            )
        )
    if unit.kind == PLATOON:
        asks.append(ChoiceAsked(
            "position", _("Begins"), POSITIONS, any_time=True, optional=True, usual="dispersed", at_founding=False
        ))  # fmt: skip
    return tuple(asks)


def _is_company(state: Mapping[str, Any]) -> bool:
    profile = state.get("profile")
    return isinstance(profile, Mapping) and profile.get("kind") == COMPANY


def parts(kind: str, data: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
    """Return the bases of a unit, squads and attached stands separately. Vehicles are counted by name."""
    if kind == COMPANY:
        return (("command", "Command base", 1),)
    if kind == TEAM:
        return (("base", "Base", 1),)
    found: dict[str, tuple[str, str, int]] = {}
    if kind == TANKS:
        for vehicle in data.get("vehicles") or ():
            part, name, n = str(slug(vehicle["name"])), str(vehicle["name"]), 1
            found[part] = (part, name, n + (found[part][2] if part in found else 0))
        return tuple(found.values())
    for base in data.get("bases") or ():
        attached = base["kind"] == ATTACHED
        weapon = str(base["weapon"] or "Squad")
        name = f"{weapon}, attached" if attached else weapon
        part = slug(name)
        found[part] = (part, name, int(base["count"] or 0) + (found[part][2] if part in found else 0))
    return tuple(found.values())


def armed(unit: ForceUnit) -> tuple[WeaponLine, ...]:
    """Return the weapons of a platoon or a team as its card and its page show them."""
    names = [base["weapon"] for base in unit.data.get("bases") or ()] or [unit.data.get("weapon")]
    found = []
    for name in dict.fromkeys(str(name) for name in names if name):
        try:
            weapon = weapon_of(unit.data, name)
        except KeyError:
            continue
        found.append(WeaponLine(
            name=name, range_words=weapon_words(weapon), hands_words="", effect_words="", keywords="",
            short_words=weapon_reach(weapon),
        ))  # fmt: skip
    return tuple(found)


# --- derived values


def companies(units: Iterable[ForceUnit]) -> tuple[ForceUnit, ...]:
    return tuple(unit for unit in units if unit.kind == COMPANY)


def of_company(units: Iterable[ForceUnit], key: str) -> tuple[ForceUnit, ...]:
    """Return the units that belong to a company, by its key. "" gives the independent units."""
    return tuple(
        unit for unit in units if unit.kind != COMPANY and str(unit.fighter.choices.get("company") or "") == key
    )


def squads(unit: ForceUnit) -> int:
    """Return the squads of a platoon at full strength. Attached stands do not count."""
    return sum(int(base["count"] or 0) for base in unit.data.get("bases") or () if base["kind"] != ATTACHED)


def bases(unit: ForceUnit) -> int:
    """Return the bases that are left, including attached stands."""
    return sum(unit.left.values())


def mostly_militia(force: Force, units: Sequence[ForceUnit]) -> bool:
    """Return whether the force counts as mostly militia: the player's answer, or else whether two thirds of its platoons are militia."""
    said = force.choices.get("mostly_militia")
    if said in ("yes", "no"):
        return bool(said == "yes")
    platoons = [unit for unit in units if unit.kind == PLATOON]
    militia = sum(unit.data.get("type") == "militia" for unit in platoons)
    return bool(platoons) and militia * 3 >= len(platoons) * 2


def advance_allowed(force: Force, company: ForceUnit) -> bool:
    """Return whether a company may be ordered to Advance, because of its own profile or the force as a whole."""
    return bool(company.data.get("advance_allowed")) or force.choices.get("advance_allowed") == "yes"
