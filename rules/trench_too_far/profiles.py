"""Profiles that players of A Trench Too Far write (companies, platoons, teams, tanks, weapons), and the book's tables to start from.

The book prints no army list. Its tables of typical weapons, movement rates and tank classes are available as profiles
that players may copy and change. Every company, platoon, team and tank here is invented and marked as such. Distances
are in inches.

Source: A Trench Too Far core rules, "Weapons", "Movement", "Tanks", "Unit traits".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from rules.custom.parse import Check, read, slug
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileField, ProfileKind, ProfileProblem
from rules.translation import gettext
from rules.trench_too_far.charts import (
    MOVEMENT,
    PLATOON_WEAPON,
    QUALITIES,
    RELIABILITY,
    TANK_CLASSES,
    TANK_LEAST_INCHES,
    TANK_MOST_INCHES,
    TANK_WEAPONS,
    WEAPON,
    WEAPONS,
    moves,
)

TYPES = (
    ("infantry", "Infantry"),
    ("militia", "Militia"),
    ("heavy-infantry", "Heavy infantry"),
    ("assault", "Assault"),
    ("cavalry", "Cavalry"),
    ("engineers", "Engineers"),
    ("remnant", "Remnant"),
)
TEAM_KINDS = (
    ("hmg", "HMG"),
    ("lmg", "LMG"),
    ("trench-mortar", "Trench mortar"),
    ("field-artillery", "Field artillery"),
    ("anti-tank-gun", "Anti-tank gun"),
    ("anti-tank-rifle", "Anti-tank rifle"),
    ("sniper", "Sniper"),
)
TRAITS = (
    ("aggressive", "Aggressive"),
    ("close-order", "Close order"),
    ("light-infantry", "Light infantry"),
    ("infiltration", "Infiltration"),
    ("raider", "Raider"),
    ("rifle-drill", "Rifle Drill"),
    ("veteran", "Veteran"),
    ("scouts", "Scouts"),
)
SQUADS = 4  # squads of a full platoon, without attached stands
VEHICLES = 4
_QUALITIES = tuple((rated.id, f"{rated.name} {rated.target}+") for rated in QUALITIES)
_CLASSES = tuple((rated.id, f"{rated.name} {rated.target}+") for rated in TANK_CLASSES)
_RELIABILITY = tuple((rated.id, f"{rated.name} {rated.target}+") for rated in RELIABILITY)
# Weapons of the anti-tank table that the weapon table does not list.
_TANK_ONLY = tuple(weapon for weapon in TANK_WEAPONS if weapon.id in ("anti-tank-rifle", "tank-gun-ap"))


def _inches(key: str, label: str, words: str = "", *, least: float = 0, group: str = "") -> ProfileField:
    return ProfileField(key, label, "number", words, least=least, most=200, unit="inches", group=group)


_TROOPS, _ARMOUR, _SPECIAL = "Against troops", "Against tanks", "Special"
WEAPON_FIELDS = (
    _inches("range", "Range", gettext("Empty: as far as is seen."), group=_TROOPS),
    ProfileField("attacks", "Attacks", "integer", gettext("Dice of one base."), usual=1, least=0, most=20, group=_TROOPS),
    _inches("close_range", "Close range", gettext("Where it has more dice near by."), group=_TROOPS),
    ProfileField("close_attacks", "Attacks at close range", "integer", least=0, most=20, group=_TROOPS),
    _inches("tank_range", "Range against tanks", gettext("Empty: it cannot fire at tanks."), group=_ARMOUR),
    ProfileField("tank_attacks", "Attacks against tanks", "integer", least=0, most=20, group=_ARMOUR),
    ProfileField("tank_save", "Change of the tank's save", "integer", gettext("+1 helps the tank, -1 the gun."), least=-6, most=6, group=_ARMOUR),
    ProfileField("indirect", "Fires at what it does not see", "flag", group=_SPECIAL),
    ProfileField("harassing", "Harassing fire", "flag", group=_SPECIAL),
    _inches("harassing_range", "Range of harassing fire", group=_SPECIAL),
    ProfileField("jams", "Jams on three 1s", "flag", group=_SPECIAL),
    ProfileField("artillery", "Counts as artillery", "flag", group=_SPECIAL),
    ProfileField("mortar", "Counts as a mortar", "flag", group=_SPECIAL),
    ProfileField("militia", "Militia arms", "flag", gettext("No effect on vehicles but in an assault."), group=_SPECIAL),
)  # fmt: skip
_NAME = ProfileField("name", "Name", "text", required=True, most=60)
_NOTES = ProfileField("notes", "Notes", "words", most=1000)
_POINTS = ProfileField(
    "points", "Points", "integer", gettext("The book has none: your own, or empty."), least=0, most=100_000
)
_OWN = ProfileField(
    "weapons", "Weapons of its own", "rows", gettext("Only what is not in the book's table, or differs from it."),
    most=6, fields=(_NAME, *WEAPON_FIELDS),
)  # fmt: skip
_WEAPON_NAMES = tuple((name, name) for name in (*(gun.name for gun in WEAPONS), *(gun.name for gun in _TANK_ONLY)))
_QUALITY = ProfileField("quality", "Quality", "choice", required=True, options=_QUALITIES, usual="steady")
_MOVEMENT_FIELDS = (
    _inches("move", "Move", gettext("Empty: as the book's table."), group="Movement"),
    _inches("march", "March or retreat", gettext("Empty: as the book's table."), group="Movement"),
)
_VEHICLE_FIELDS = (
    ProfileField("class", "Class", "choice", required=True, options=_CLASSES, usual="light"),
    ProfileField("movement", "Movement", "number", usual=6, required=True, least=TANK_LEAST_INCHES, most=TANK_MOST_INCHES, unit="inches"),
    ProfileField("reliability", "Reliability", "choice", required=True, options=_RELIABILITY, usual="stable"),
    ProfileField("machine_guns", "Machine guns", "integer", usual=1, required=True, least=0, most=12),
    ProfileField("guns", "Guns", "strings", gettext("One a line: Tank cannon, Tank gun, AP, or one of your own."), most=6),
)  # fmt: skip
COMPANY = ProfileKind(
    id="company",
    name="Company",
    plural="Companies",
    words=gettext("A company: its commander, and whether it knows how to Advance."),
    fields=(
        ProfileField(
            "commander", "Commander", "choice", required=True, options=(("normal", "Normal"), ("outstanding", "Outstanding")), usual="normal"
        ),
        ProfileField("advance_allowed", "May be ordered to Advance", "flag"),
        _POINTS,
        _NOTES,
    ),
)  # fmt: skip
PLATOON = ProfileKind(
    id="platoon",
    name="Platoon",
    plural="Platoons",
    words=gettext("Up to four squads, each a base, with what is attached to them."),
    fields=(
        ProfileField("type", "Type", "choice", required=True, options=TYPES, usual="infantry"),
        _QUALITY,
        ProfileField("traits", "Traits", "choices", options=TRAITS),
        ProfileField("grenades", "Grenades", "flag", group="Equipment"),
        ProfileField("close_combat_weapons", "Close combat weapons", "flag", gettext("Hits on 4+ in an assault."), group="Equipment"),
        ProfileField("dismounted", "Dismounted", "flag", gettext("Cavalry that begins on foot."), group="Equipment"),
        ProfileField(
            "bases", "Bases", "rows", gettext("Squads make the platoon; attached stands come on top."), required=True, least=1, most=8,
            usual=({"count": SQUADS},),
            fields=(
                ProfileField("weapon", "Weapon", "text", gettext("Empty: what its type carries."), most=60, options=_WEAPON_NAMES),
                ProfileField(
                    "kind", "Kind", "choice", required=True, options=(("squad", "Squad"), ("attached", "Attached stand")), usual="squad"
                ),
                ProfileField("count", "How many", "integer", required=True, usual=1, least=1, most=8),
            ),
        ),
        *_MOVEMENT_FIELDS,
        _OWN,
        _POINTS,
        _NOTES,
    ),
    fills=(("weapon", "weapons"), ("movement", "")),
)  # fmt: skip
TEAM = ProfileKind(
    id="team",
    name="Weapons team",
    plural="Weapons teams",
    words=gettext("One base that serves one weapon."),
    fields=(
        ProfileField("kind", "Kind", "choice", required=True, options=TEAM_KINDS, usual="hmg"),
        _QUALITY,
        ProfileField(
            "weapon", "Weapon", "text", gettext("Empty: what its kind serves."), most=60, options=_WEAPON_NAMES
        ),
        *_MOVEMENT_FIELDS,
        _OWN,
        _POINTS,
        _NOTES,
    ),
    fills=(("weapon", "weapons"), ("movement", "")),
)
TANKS = ProfileKind(
    id="tanks",
    name="Tank platoon",
    plural="Tank platoons",
    words=gettext("One to four vehicles."),
    fields=(
        ProfileField(
            "vehicles", "Vehicles", "rows", required=True, least=1, most=VEHICLES, usual=({"name": "Tank"},),
            fields=(_NAME, *_VEHICLE_FIELDS),
        ),
        _OWN,
        _POINTS,
        _NOTES,
    ),
    fills=(("vehicle", "vehicles"), ("weapon", "weapons")),
)  # fmt: skip
WEAPON_KIND = ProfileKind(
    id="weapon",
    name="Weapon",
    plural="Weapons",
    words=gettext("A weapon, to be copied into platoons, teams and tanks."),
    fields=WEAPON_FIELDS,
    takes=False,
)
MOVEMENT_KIND = ProfileKind(
    id="movement",
    name="Rate of movement",
    plural="Rates of movement",
    words=gettext("How far a kind of troops goes, to be copied into platoons and teams."),
    fields=_MOVEMENT_FIELDS,
    takes=False,
)
VEHICLE = ProfileKind(
    id="vehicle",
    name="Vehicle",
    plural="Vehicles",
    words=gettext("One tank or armoured car, to be copied into tank platoons."),
    fields=_VEHICLE_FIELDS,
    takes=False,
)
KINDS = (COMPANY, PLATOON, TEAM, TANKS, WEAPON_KIND, MOVEMENT_KIND, VEHICLE)
_KIND = {kind.id: kind for kind in KINDS}


# --- the book's weapons
def _of_the_book() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the weapons of both tables as (id, name, data of the kind weapon).

    A weapon that only the anti-tank table lists has no attack against troops. The exception is the gun with AP, which
    fires at troops like any tank cannon.
    """
    against = {key: weapon for weapon in TANK_WEAPONS for key in (weapon.id, *weapon.weapons)}
    for weapon in WEAPONS:
        tank = against.get(weapon.id)
        yield weapon.id, weapon.name, {
            "range": weapon.range_inches,
            "attacks": weapon.attacks,
            "close_range": weapon.close_range_inches or None,
            "close_attacks": weapon.close_attacks or None,
            "tank_range": tank.range_inches if tank else None,
            "tank_attacks": tank.attacks if tank else None,
            "tank_save": tank.save_modifier if tank else None,
            "indirect": weapon.indirect,
            "harassing": bool(weapon.harassing_inches),
            "harassing_range": weapon.harassing_inches or None,
            "jams": weapon.jams,
            "artillery": weapon.artillery,
            "mortar": weapon.mortar,
            "militia": weapon.id == "militia",
        }  # fmt: skip
    cannon = WEAPON["tank-cannon"]
    for tank in _TANK_ONLY:
        gun = tank.id == "tank-gun-ap"
        yield tank.id, tank.name, {
            "range": cannon.range_inches if gun else 0,
            "attacks": cannon.attacks if gun else 0,
            "tank_range": tank.range_inches,
            "tank_attacks": tank.attacks,
            "tank_save": tank.save_modifier,
        }  # fmt: skip


@cache
def _book_weapons() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return the book's weapons by id and by the key of their name: (name, data)."""
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for ident, name, data in _of_the_book():
        values, _ = read(WEAPON_KIND, data)
        found[ident] = found[slug(name)] = (name, values)
    return found


def weapon_of(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the figures of a weapon by name, in the form of the kind weapon: the profile's own weapon, or else the book's.

    Raises KeyError for a name that neither has.
    """
    for own in data.get("weapons", ()):
        if slug(own["name"]) == slug(name):
            return {key: value for key, value in own.items() if key != "name"}
    return _book_weapons()[slug(name)][1]


def _known(data: Mapping[str, Any], name: str) -> str:
    """Return the name as the profile or the book spells it, or unchanged if neither has it."""
    own = next((str(each["name"]) for each in data["weapons"] if slug(each["name"]) == slug(name)), "")
    book = _book_weapons().get(slug(name))
    return own or (book[0] if book else name)


def read_profile(kind: str, data: Any) -> tuple[dict[str, Any], tuple[ProfileProblem, ...]]:
    """Return a profile with missing fields filled in, and its problems. Raises KeyError for an unknown kind.

    Empty weapon fields get the weapons of the type, the kind or the class, by name. Distances are in inches.
    """
    values, problems = read(_KIND[kind], data, _CHECKS.get(kind))
    if kind == "platoon":
        for base in values["bases"]:
            base["weapon"] = _known(values, base["weapon"] or usual_weapon(values["type"]))
    elif kind == "team":
        values["weapon"] = _known(values, values["weapon"] or values["kind"])
    elif kind == "tanks":
        for vehicle in values["vehicles"]:
            vehicle["guns"] = list(dict.fromkeys(_known(values, gun) for gun in vehicle["guns"]))
    return values, problems


def usual_weapon(platoon_type: str) -> str:
    """Return the name of the default weapon of a type of platoon."""
    ident = PLATOON_WEAPON.get(platoon_type) or PLATOON_WEAPON.get("rifle", "rifles")
    return _book_weapons()[ident][0]


def _check_platoon(platoon: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    squads = sum(base["count"] or 0 for base in platoon["bases"] if base["kind"] == "squad")
    if squads > SQUADS:
        yield ProfileProblem(
            "bases",
            gettext(
                "This platoon has {squads} squads; four are the most. Take some away, or make them attached stands."
            ).format(squads=squads),
        )
    if platoon["bases"] and not squads:
        yield ProfileProblem("bases", gettext("Attached stands alone make no platoon. Add a squad."))
    if {"close-order", "light-infantry"} <= set(platoon["traits"]):
        yield ProfileProblem("traits", gettext("Close order and Light infantry shut each other out. Keep one of them."))
    if platoon["dismounted"] and platoon["type"] != "cavalry":
        yield ProfileProblem(
            "dismounted", gettext("Only cavalry dismounts. Take the tick away, or make the platoon cavalry.")
        )
    for place, base in enumerate(platoon["bases"]):
        yield from _check_name(platoon, base["weapon"], f"bases.{place}.weapon")
    yield from _check_own(platoon)


def _check_team(team: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    yield from _check_name(team, team["weapon"], "weapon")
    yield from _check_own(team)


def _check_tanks(tanks: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    for place, vehicle in enumerate(tanks["vehicles"]):
        for gun in vehicle["guns"]:
            yield from _check_name(tanks, gun, f"vehicles.{place}.guns")
    yield from _check_own(tanks)


def _check_name(data: Mapping[str, Any], name: str, path: str) -> Iterator[ProfileProblem]:
    if not name:
        return
    if slug(name) not in _book_weapons() and all(slug(own["name"]) != slug(name) for own in data["weapons"]):
        yield ProfileProblem(
            path,
            gettext(
                "Neither the book nor this profile has a weapon called “{name}”. Add it under Weapons of its own."
            ).format(name=name),
        )


def _check_own(data: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    seen: set[str] = set()
    for place, weapon in enumerate(data["weapons"]):
        key = slug(weapon["name"])
        if weapon["name"] and key in seen:
            yield ProfileProblem(
                f"weapons.{place}.name",
                gettext("Another weapon is called “{weapon}”. Give this one a name of its own.").format(
                    weapon=weapon["name"]
                ),
            )
        seen.add(key)
        yield from _check_weapon(weapon, f"weapons.{place}.")


def _check_weapon(weapon: Mapping[str, Any], path: str = "") -> Iterator[ProfileProblem]:
    if not (weapon["attacks"] or weapon["tank_attacks"]):
        yield ProfileProblem(
            f"{path}attacks", gettext("This weapon hits nothing. Give it attacks against troops or against tanks.")
        )
    if (weapon["close_range"] is None) != (weapon["close_attacks"] is None):
        missing = "close_range" if weapon["close_range"] is None else "close_attacks"
        yield ProfileProblem(
            f"{path}{missing}", gettext("Close range and its attacks go together. Give both, or neither.")
        )
    elif weapon["close_range"] is not None and weapon["range"] is not None and weapon["close_range"] >= weapon["range"]:
        yield ProfileProblem(
            f"{path}close_range", gettext("Close range is as far as the range itself. Make it shorter.")
        )
    yield from _check_against_tanks(weapon, path)
    yield from _check_harassing(weapon, path)


def _check_against_tanks(weapon: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    if weapon["tank_range"] is not None and not weapon["tank_attacks"]:
        yield ProfileProblem(
            f"{path}tank_attacks", gettext("It has a range against tanks and no attacks. Give both, or neither.")
        )
    if weapon["tank_range"] is None and (weapon["tank_attacks"] or weapon["tank_save"] is not None):
        yield ProfileProblem(
            f"{path}tank_range", gettext("Against tanks it has no range. Give one, or empty the other figures.")
        )
    if weapon["militia"] and weapon["tank_range"] is not None:
        yield ProfileProblem(
            f"{path}militia", gettext("Militia arms cannot fire at tanks. Take the tick or the range away.")
        )


def _check_harassing(weapon: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    if weapon["harassing_range"] is None:
        return
    if not weapon["harassing"]:
        yield ProfileProblem(
            f"{path}harassing", gettext("It has a range of harassing fire. Tick harassing fire, or empty the range.")
        )
    if weapon["range"] is not None and weapon["harassing_range"] < weapon["range"]:
        yield ProfileProblem(
            f"{path}harassing_range", gettext("Harassing fire reaches at least as far as the weapon itself. Raise it.")
        )


def _check_movement(rate: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    if rate["move"] is None and rate["march"] is None:
        yield ProfileProblem("move", gettext("A rate of movement has a figure. Give the move, the march, or both."))


_CHECKS: dict[str, Check] = {
    "platoon": _check_platoon,
    "team": _check_team,
    "tanks": _check_tanks,
    "weapon": _check_weapon,
    "movement": _check_movement,
}


# --- cards
def profile_card(profile: CustomProfile) -> ProfileCard:
    """Return a profile as a card shows it, with distances in inches. Hints list what is unusual but not wrong."""
    data = profile.data
    title = profile.name or "No name yet"
    figures, lines, subtitle = _CARDS[profile.kind](data)
    if data.get("points") is not None:
        figures = (*figures, ("Points", str(data["points"])))
    own = tuple((weapon["name"], weapon_words(weapon)) for weapon in data.get("weapons", ()))
    hints = tuple(_hints(data)) if profile.kind == "platoon" else ()
    return ProfileCard(title, subtitle, figures, tuple(line for line in (*lines, *own) if any(line)), hints)


_Card = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], str]


def _company_card(data: Mapping[str, Any]) -> _Card:
    advance = "Advance" if data["advance_allowed"] else "No Advance"
    return (
        (("Commander", dict(_options(COMPANY, "commander")).get(data["commander"], "-")),),
        (("", advance),),
        COMPANY.name,
    )


def _platoon_card(data: Mapping[str, Any]) -> _Card:
    kind = dict(TYPES).get(data["type"], "")
    bases = sum(base["count"] or 0 for base in data["bases"])
    figures = (
        ("Quality", _target(_QUALITIES, data["quality"])),
        ("Bases", str(bases)),
        ("Move", _rates(data, data["type"])),
    )
    lines = [
        ("", f"{base['count']} {dict(_options(PLATOON.field('bases'), 'kind')).get(base['kind'], '')}, {base['weapon']}: {_gun(data, base['weapon'])}")
        for base in data["bases"]
    ]  # fmt: skip
    named = dict(TRAITS)
    lines += [("Traits", ", ".join(named[trait] for trait in data["traits"])), ("Equipment", _equipment(data))]
    return figures, tuple(line for line in lines if line[1]), f"{kind} platoon"


def _equipment(data: Mapping[str, Any]) -> str:
    kept = (
        ("grenades", "Grenades"),
        ("close_combat_weapons", "Close combat weapons"),
        ("dismounted", "Dismounted"),
    )
    return ", ".join(label for key, label in kept if data[key])


def unit_lines(kind: str, data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what a unit's page shows besides its bases, weapons and traits.

    These are a company's orders, a platoon's equipment, and each vehicle once.
    """
    if kind == PLATOON.id:
        return (("Equipment", _equipment(data)),) if _equipment(data) else ()
    return tuple(dict.fromkeys(_CARDS[kind](data)[1])) if kind in (COMPANY.id, TANKS.id) else ()


def _team_card(data: Mapping[str, Any]) -> _Card:
    kind = dict(TEAM_KINDS).get(data["kind"], "")
    figures = (("Quality", _target(_QUALITIES, data["quality"])), ("Move", _rates(data, data["kind"])))
    return figures, ((data["weapon"], _gun(data, data["weapon"])),), f"{kind} team"


def _tanks_card(data: Mapping[str, Any]) -> _Card:
    lines = tuple((vehicle["name"], _vehicle_words(vehicle)) for vehicle in data["vehicles"])
    return (("Vehicles", str(len(data["vehicles"]))),), lines, TANKS.name


def _weapon_card(data: Mapping[str, Any]) -> _Card:
    return (), (("", weapon_words(data)),), WEAPON_KIND.name


def _movement_card(data: Mapping[str, Any]) -> _Card:
    figures = (("Move", _far(data["move"])), ("March or retreat", _far(data["march"])))
    return figures, (), MOVEMENT_KIND.name


def _vehicle_card(data: Mapping[str, Any]) -> _Card:
    return (), (("", _vehicle_words(data)),), VEHICLE.name


_CARDS = {
    "company": _company_card,
    "platoon": _platoon_card,
    "team": _team_card,
    "tanks": _tanks_card,
    "weapon": _weapon_card,
    "movement": _movement_card,
    "vehicle": _vehicle_card,
}


def weapon_reach(weapon: Mapping[str, Any]) -> str:
    """Return a weapon in the short form of a card: "18″, 1 attack; tanks 6″, 1 attack"."""
    parts = [f"{_reach(weapon['range'])}, {_attacks(weapon['attacks'])}"] if weapon["attacks"] else []
    if weapon["tank_attacks"]:
        parts.append(f"tanks {_far(weapon['tank_range'])}, {_attacks(weapon['tank_attacks'])}")
    return "; ".join(parts)


def weapon_words(weapon: Mapping[str, Any]) -> str:
    """Return a weapon in full: "18″, 1 attack; tanks 6″, 1 attack, save +2"."""
    parts = []
    if weapon["attacks"]:
        parts.append(f"{_reach(weapon['range'])}, {_attacks(weapon['attacks'])}")
        if weapon["close_range"] is not None:
            parts.append(f"{_attacks(weapon['close_attacks'])} within {_far(weapon['close_range'])}")
    if weapon["tank_attacks"]:
        save = weapon["tank_save"] or 0
        parts.append(f"tanks {_far(weapon['tank_range'])}, {_attacks(weapon['tank_attacks'])}, save {save:+d}")
    elif weapon["attacks"]:
        parts.append("not at tanks")
    if weapon["harassing"]:
        far = weapon["harassing_range"]
        parts.append(f"harassing fire to {_far(far)}" if far is not None else "harassing fire")
    parts += [
        words
        for key, words in (("indirect", "fires at what it does not see"), ("jams", "jams on three 1s"))
        if weapon[key]
    ]
    return "; ".join(parts)


def _gun(data: Mapping[str, Any], name: str) -> str:
    try:
        return weapon_words(weapon_of(data, name))
    except KeyError:
        return ""


def _vehicle_words(vehicle: Mapping[str, Any]) -> str:
    guns = vehicle["machine_guns"] or 0
    armed = [f"{guns} machine gun{'s' * (guns != 1)}"] if guns else []
    armed += vehicle["guns"]
    return ", ".join(
        (
            f"{_target(_CLASSES, vehicle['class'])} save",
            _far(vehicle["movement"]),
            _target(_RELIABILITY, vehicle["reliability"]),
            *(armed or ["no guns"]),
        )
    )


def _hints(data: Mapping[str, Any]) -> Iterable[str]:
    squads = sum(base["count"] or 0 for base in data["bases"] if base["kind"] == "squad")
    if data["type"] == "infantry" and 0 < squads < SQUADS:
        yield gettext("Under strength: {squads} of four squads.").format(squads=squads)
    if data["type"] == "remnant":
        yield gettext("Remnants come from Recover alone; no force begins with them.")
    if data["type"] == "militia" and {"rifle-drill", "veteran"} & set(data["traits"]):
        yield gettext("Rifle Drill and Veteran are rare among militia.")


def _options(of: ProfileKind | ProfileField, key: str) -> tuple[tuple[str, str], ...]:
    return next(field.options for field in of.fields if field.key == key)


def _target(options: tuple[tuple[str, str], ...], value: str) -> str:
    return dict(options).get(value, "-")


def _rates(data: Mapping[str, Any], kind: str) -> str:
    table = moves("infantry" if data.get("dismounted") else kind)
    move = table.standard_inches if data["move"] is None else data["move"]
    march = table.march_inches if data["march"] is None else data["march"]
    return f"{_far(move)} / {_far(march)}"


def _reach(value: float | None) -> str:
    return "as far as is seen" if value is None else _far(value)


def _far(value: float | None) -> str:
    return "-" if value is None else f"{value:g}″"


def _attacks(value: int | None) -> str:
    return f"{value or 0} attack{'s' * (value != 1)}"


# --- what comes with the game
_MARK = gettext("Invented to try things out. No list of any publisher.")
_TYPICAL = {"armoured-car": (12, "sturdy"), "light": (6, "stable"), "medium": (6, "stable"), "heavy": (4, "unreliable")}


def _written(ident: str, kind: str, name: str, origin: Any, /, **data: Any) -> CustomProfile:
    values, problems = read_profile(kind, data)
    if problems:
        raise ValueError(f"{ident}: {problems[0].path}: {problems[0].message}")
    return CustomProfile(ident, kind, name, values, origin)


@cache
def default_profiles() -> tuple[CustomProfile, ...]:
    """Return the profiles of a new library: the book's tables, and invented samples marked as such.

    The book rates classes by their save alone, so the movement and reliability of the sample vehicles are only a
    starting point.
    """
    weapons = [_written(f"book-{ident}", "weapon", name, "book", **data) for ident, name, data in _of_the_book()]
    rates = [
        _written(
            f"book-move-{rate.id}", "movement", rate.name, "book", move=rate.standard_inches, march=rate.march_inches
        )
        for rate in MOVEMENT
    ]

    def sample(ident: str, kind: str, name: str, /, **data: Any) -> CustomProfile:
        if kind != "vehicle":
            data["notes"] = _MARK
        return _written(f"sample-{ident}", kind, f"Sample {name}", "sample", **data)

    vehicles = [
        sample(
            f"vehicle-{rated.id}",
            "vehicle",
            rated.name.lower(),
            **{"class": rated.id},
            movement=far,
            reliability=reliable,
        )
        for rated in TANK_CLASSES
        for far, reliable in (_TYPICAL[rated.id],)
    ]
    lmg = {"weapon": "LMG", "kind": "attached", "count": 1}
    squads = {"kind": "squad", "count": 4}
    samples = [
        sample("company", "company", "company", commander="normal", points=10),
        sample("storm-company", "company", "storm company", commander="outstanding", advance_allowed=True, points=20),
        sample("rifle-platoon", "platoon", "rifle platoon", quality="steady", grenades=True, bases=[squads], points=12),
        sample("rifle-platoon-lmg", "platoon", "rifle platoon with LMG", quality="steady", grenades=True, bases=[squads, lmg], points=15),
        sample("drilled-platoon", "platoon", "drilled platoon", quality="determined", traits=["rifle-drill"], bases=[squads], points=16),
        sample(
            "assault-platoon", "platoon", "assault platoon", type="assault", quality="determined", traits=["raider", "veteran"],
            grenades=True, close_combat_weapons=True, bases=[squads], points=22,
        ),
        sample("militia-platoon", "platoon", "militia platoon", type="militia", quality="uncertain", bases=[squads], points=7),
        sample("close-order-platoon", "platoon", "close order platoon", quality="steady", traits=["aggressive", "close-order"], bases=[squads], points=11),
        sample("riders", "platoon", "riders", type="cavalry", quality="steady", traits=["scouts"], bases=[squads], points=13),
        sample("sappers", "platoon", "sappers", type="engineers", quality="determined", grenades=True, bases=[{"kind": "squad", "count": 3}], points=15),
        sample("hmg", "team", "HMG team", kind="hmg", quality="steady", points=8),
        sample("lmg", "team", "LMG team", kind="lmg", quality="steady", points=4),
        sample("mortar", "team", "mortar team", kind="trench-mortar", quality="steady", points=6),
        sample("field-gun", "team", "field gun", kind="field-artillery", quality="steady", points=9),
        sample("sniper", "team", "sniper", kind="sniper", quality="determined", points=5),
        sample("tank-rifle", "team", "anti-tank rifle team", kind="anti-tank-rifle", quality="steady", points=4),
        sample(
            "light-tanks", "tanks", "light tanks", points=24,
            vehicles=[
                {"name": "Gun tank", "class": "light", "movement": 6, "reliability": "stable", "machine_guns": 0, "guns": ["Tank cannon"]},
                {"name": "Machine gun tank", "class": "light", "movement": 6, "reliability": "stable", "machine_guns": 2},
            ],
        ),
        sample(
            "armoured-cars", "tanks", "armoured cars", points=14,
            vehicles=[{"name": "Car", "class": "armoured-car", "movement": 12, "reliability": "sturdy", "machine_guns": 2}],
        ),
    ]  # fmt: skip
    return (*samples, *weapons, *rates, *vehicles)
