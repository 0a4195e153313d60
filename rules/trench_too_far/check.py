"""The checks of a force of A Trench Too Far: what is wrong with it, and what is unusual but allowed.

Source: A Trench Too Far core rules, "Companies", "Platoons", "Unit traits", "Weapons teams", "Tanks", "Recover".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rules.custom.check import unit_problem
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.formatting import joined
from rules.problems import Problem
from rules.translation import gettext
from rules.trench_too_far.charts import QUALITIES, TANK_LEAST_INCHES, TANK_MOST_INCHES
from rules.trench_too_far.force import COMPANY, PLATOON, TANKS, TEAM, companies, of_company, squads
from rules.trench_too_far.profile_fields import SQUADS, TRAITS, TYPES, VEHICLES
from rules.trench_too_far.profiles import read_profile

BOOK = "A Trench Too Far, core rules"
OF_COMPANIES, OF_PLATOONS, OF_TRAITS = (
    gettext("{book}: Companies").format(book=BOOK),
    gettext("{book}: Platoons").format(book=BOOK),
    gettext("{book}: Unit traits").format(book=BOOK),
)
OF_TEAMS, OF_TANKS, OF_RECOVER, OF_CAVALRY = (
    gettext("{book}: Weapons teams").format(book=BOOK),
    gettext("{book}: Tanks").format(book=BOOK),
    gettext("{book}: Recover").format(book=BOOK),
    gettext("{book}: Cavalry").format(book=BOOK),
)
TYPICAL_PLATOONS = 4
FOOT_ONLY = ("rifle-drill", "infiltration", "raider", "close-order")
KNOWN_QUALITY = {rated.id for rated in QUALITIES}
KNOWN_TYPE = {id_ for id_, _ in TYPES}
TRAIT_NAMES = dict(TRAITS)
HEAVY_FROM = 1918
YEAR = re.compile(r"(?<!\d)(1[89]\d\d)(?!\d)")
FOOT = ("infantry", "militia", "heavy-infantry", "assault", "engineers")


def profile_code(kind: str, path: str) -> str:
    """Return the problem code for a path within a profile."""
    first = path.split(".")[0]
    if kind == TANKS and first == "vehicles":
        return "vehicle-figures" if "." in path else "vehicles"
    if first == "traits":
        return "traits-exclude" if kind == PLATOON else "trait-not-for"
    if first in ("quality", "type"):
        return "quality-or-type"
    if first == "bases":
        return "no-bases" if path == "bases" else "base"
    return "profile-figures"


def findings(force: Force, units: Sequence[ForceUnit]) -> Iterator[Problem]:
    """Yield everything that is wrong with a force, then what is unusual."""
    if not units:
        yield Problem(
            "no-units", gettext("The force has no units."), gettext("Take a company from the library."), OF_COMPANIES
        )
        return
    yield from _companies(units)
    for unit in units:
        if unit.kind == PLATOON:
            yield from _platoon(force, unit)
        elif unit.kind == TANKS:
            yield from _tanks(unit)
        yield from _quality(unit)
        yield from _own_traits(unit)
        yield from _profile(unit)
    yield from _odd(units)


def position_problem(unit: ForceUnit, position: str) -> Problem | None:
    """Return a problem for a position that the book leaves open: cavalry that lies down with its horses."""
    if position != "prone" or unit.data.get("type") != "cavalry" or unit.data.get("dismounted"):
        return None
    return unit_problem(
        unit, "mounted-prone", gettext("{name} is mounted and goes Prone; the rules do not tell of that.").format(name=unit.name),
        gettext("Dismount first, or agree how it is played."), OF_CAVALRY, warns=True,
    )  # fmt: skip


def _companies(units: Sequence[ForceUnit]) -> Iterator[Problem]:
    known = {unit.key: unit for unit in companies(units)}
    names = Counter(unit.name.casefold() for unit in known.values())
    for company in known.values():
        if names[company.name.casefold()] > 1:
            yield unit_problem(
                company, "command-base", gettext("{name} has {names} command bases; a company has one.").format(name=company.name, names=names[company.name.casefold()]),
                gettext("Dismiss one, or give it a name of its own."), OF_COMPANIES,
            )  # fmt: skip
    astray: dict[str, list[ForceUnit]] = {}
    for unit in units:
        wanted = str(unit.fighter.choices.get("company") or "")
        if wanted and wanted not in known:
            astray.setdefault(wanted, []).append(unit)
    for lost in astray.values():
        yield unit_problem(
            lost[0], "command-base", gettext("The company of {listed} has no command base.").format(listed=_listed(lost)),
            gettext("Take a company, or put them into another."), OF_COMPANIES,
        )  # fmt: skip


def _listed(units: Sequence[ForceUnit]) -> str:
    return joined(unit.name for unit in units)


def _platoon(force: Force, unit: ForceUnit) -> Iterator[Problem]:
    count, type_, traits = squads(unit), str(unit.data.get("type")), set(unit.data.get("traits") or ())
    if not unit.strength or not count:
        yield unit_problem(
            unit,
            "no-bases",
            gettext("{name} has no squads.").format(name=unit.name),
            gettext("Give its profile bases."),
            OF_PLATOONS,
        )
    if count > SQUADS:
        yield unit_problem(
            unit, "too-many-squads", gettext("{name} has {count} squads; a platoon has at most four.").format(name=unit.name, count=count),
            gettext("Make some of them attached stands, or a platoon of their own."), OF_PLATOONS,
        )  # fmt: skip
    if {"close-order", "light-infantry"} <= traits:
        yield unit_problem(
            unit, "traits-exclude", gettext("{name} is in Close order and Light infantry at once: touching, and up to 4″ apart.").format(name=unit.name),
            gettext("Keep one of the two."), OF_TRAITS,
        )  # fmt: skip
    if type_ == "remnant":
        yield unit_problem(
            unit,
            "remnant",
            gettext("{name} is a Remnant; those come from Recover alone.").format(name=unit.name),
            gettext("Leave it out at the start."),
            OF_RECOVER,
        )
    if problem := position_problem(unit, str(unit.fighter.choices.get("position") or "")):
        yield problem
    yield from _odd_platoon(force, unit, count)


def _odd_platoon(force: Force, unit: ForceUnit, count: int) -> Iterator[Problem]:
    """Yield what is unusual but allowed about a platoon with this many squads."""
    type_ = str(unit.data.get("type"))
    if 0 < count < SQUADS and type_ in FOOT:
        yield unit_problem(
            unit,
            "few-squads",
            gettext("{name} is understrength: {count} of {squads} squads.").format(
                name=unit.name, count=count, squads=SQUADS
            ),
            gettext("That is allowed."),
            OF_PLATOONS,
            warns=True,
        )
    odd = sorted({"rifle-drill", "veteran"}.intersection(unit.data.get("traits") or ()))
    if type_ == "militia" and odd:
        yield unit_problem(
            unit, "militia-traits", gettext("{name} is Militia with {listed}.").format(name=unit.name, listed=' and '.join(TRAIT_NAMES[trait] for trait in odd)),
            gettext("Unusual, and allowed."), OF_TRAITS, warns=True,
        )  # fmt: skip
    years = [int(year) for year in YEAR.findall(str(force.choices.get("period") or ""))]
    if type_ == "heavy-infantry" and years and max(years) < HEAVY_FROM:
        yield unit_problem(
            unit, "heavy-infantry-period", gettext("{name} is Heavy infantry in {max}.").format(name=unit.name, max=max(years)),
            gettext("It is seen from {heavy_from} on.").format(heavy_from=HEAVY_FROM), OF_PLATOONS, warns=True,
        )  # fmt: skip


def _tanks(unit: ForceUnit) -> Iterator[Problem]:
    vehicles = unit.data.get("vehicles") or ()
    if not 1 <= len(vehicles) <= VEHICLES:
        yield unit_problem(
            unit,
            "vehicles",
            gettext("{name} has {count} vehicles; a tank platoon has one to four.").format(
                name=unit.name, count=len(vehicles)
            ),
            gettext("Change its profile."),
            OF_TANKS,
        )
    for vehicle in vehicles:
        moves, guns = vehicle.get("movement"), vehicle.get("machine_guns")
        if moves is None or not TANK_LEAST_INCHES <= moves <= TANK_MOST_INCHES:
            yield unit_problem(
                unit, "vehicle-figures",
                gettext("{name}: {vehicle} moves {moves}″; tanks move {tank_least_inches} to {tank_most_inches}″.").format(name=unit.name, vehicle=vehicle['name'], moves=moves, tank_least_inches=TANK_LEAST_INCHES, tank_most_inches=TANK_MOST_INCHES),
                gettext("Change its profile."), OF_TANKS,
            )  # fmt: skip
        if guns is None or guns < 0:
            yield unit_problem(
                unit,
                "vehicle-figures",
                gettext("{name}: {vehicle} has {guns} machine guns.").format(
                    name=unit.name, vehicle=vehicle["name"], guns=guns
                ),
                gettext("None is the least."),
                OF_TANKS,
            )


def _quality(unit: ForceUnit) -> Iterator[Problem]:
    if unit.kind not in (PLATOON, TEAM):
        return
    quality, type_ = unit.data.get("quality"), unit.data.get("type")
    if quality not in KNOWN_QUALITY:
        yield unit_problem(
            unit,
            "quality-or-type",
            gettext("{name} is of no quality that the rules know: “{quality}”.").format(
                name=unit.name, quality=quality
            ),
            gettext("Choose one of five."),
            OF_PLATOONS,
        )
    if unit.kind == PLATOON and type_ not in KNOWN_TYPE:
        yield unit_problem(
            unit,
            "quality-or-type",
            gettext("{name} is of no type that the rules know: “{type}”.").format(name=unit.name, type=type_),
            gettext("Choose one of the list."),
            OF_PLATOONS,
        )


def _own_traits(unit: ForceUnit) -> Iterator[Problem]:
    if unit.kind not in (TEAM, TANKS):
        return
    wrong = [TRAIT_NAMES[trait] for trait in unit.data.get("traits") or () if trait in FOOT_ONLY]
    if wrong:
        yield unit_problem(
            unit,
            "trait-not-for",
            gettext("{name} has {wrong}, which is for platoons on foot.").format(
                name=unit.name, wrong=", ".join(wrong)
            ),
            gettext("Take it away."),
            OF_TRAITS,
        )


# What the checks above judge, with their own messages and codes.
_JUDGED = {
    PLATOON: ("bases", "traits", "quality", "type"),
    TEAM: ("quality", "traits"),
    TANKS: ("vehicles", "traits"),
    COMPANY: (),
}


def _profile(unit: ForceUnit) -> Iterator[Problem]:
    _, wrong = read_profile(unit.kind, unit.data)
    for each in wrong:
        first, _, rest = each.path.partition(".")
        figures = (
            unit.kind == TANKS and first == "vehicles" and rest.rpartition(".")[2] not in ("movement", "machine_guns")
        )
        if first in _JUDGED.get(unit.kind, ()) and not (rest and first == "bases") and not (rest and figures):
            continue
        code = profile_code(unit.kind, each.path)
        yield unit_problem(
            unit,
            code,
            f"{unit.name}: {each.message}",
            gettext("Fix the profile in the library, then update the unit."),
            BOOK,
        )


def _odd(units: Sequence[ForceUnit]) -> Iterator[Problem]:
    for company in companies(units):
        platoons = [unit for unit in of_company(units, company.key) if unit.kind == PLATOON]
        if len(platoons) != TYPICAL_PLATOONS:
            yield unit_problem(
                company, "platoons", gettext("{name} has {count} platoon{words}; four are typical.").format(name=company.name, count=len(platoons), words='' if len(platoons) == 1 else 's'),
                gettext("That is allowed."), OF_COMPANIES, warns=True,
            )  # fmt: skip
    for unit in of_company(units, ""):
        if unit.kind == TEAM:
            yield unit_problem(
                unit, "team-alone", gettext("{name} belongs to no company.").format(name=unit.name), gettext("Some heavy weapons fight alone. Any other belongs in a company."),
                OF_TEAMS, warns=True,
            )  # fmt: skip
