"""Profiles that players of A Trench Too Far write (companies, platoons, teams, tanks, weapons), and the book's tables to start from.

The book prints no army list. Its tables of typical weapons, movement rates and tank classes are available as profiles
that players may copy and change. Every company, platoon, team and tank here is invented and marked as such. Distances
are in inches.

Source: A Trench Too Far core rules, "Weapons", "Movement", "Tanks", "Unit traits".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from rules.custom.parse import read
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileField, ProfileKind, ProfileProblem
from rules.translation import gettext, ngettext
from rules.trench_too_far.book_weapons import known_name, of_the_book, usual_weapon, weapon_of
from rules.trench_too_far.charts import (
    MOVEMENT,
    TANK_CLASSES,
    moves,
)
from rules.trench_too_far.profile_checks import CHECKS
from rules.trench_too_far.profile_fields import (
    CLASS_OPTIONS,
    COMPANY,
    KIND,
    MOVEMENT_KIND,
    PLATOON,
    QUALITY_OPTIONS,
    RELIABILITY_OPTIONS,
    SQUADS,
    TANKS,
    TEAM_KINDS,
    TRAITS,
    TYPES,
    VEHICLE,
    WEAPON_KIND,
)


def read_profile(kind: str, data: Any) -> tuple[dict[str, Any], tuple[ProfileProblem, ...]]:
    """Return a profile with missing fields filled in, and its problems. Raises KeyError for an unknown kind.

    Empty weapon fields get the weapons of the type, the kind or the class, by name. Distances are in inches.
    """
    values, problems = read(KIND[kind], data, CHECKS.get(kind))
    if kind == "platoon":
        for base in values["bases"]:
            base["weapon"] = known_name(values, base["weapon"] or usual_weapon(values["type"]))
    elif kind == "team":
        values["weapon"] = known_name(values, values["weapon"] or values["kind"])
    elif kind == "tanks":
        for vehicle in values["vehicles"]:
            vehicle["guns"] = list(dict.fromkeys(known_name(values, gun) for gun in vehicle["guns"]))
    return values, problems


# --- cards
def profile_card(profile: CustomProfile) -> ProfileCard:
    """Return a profile as a card shows it, with distances in inches. Hints list what is unusual but not wrong."""
    data = profile.data
    title = profile.name or gettext("No name yet")
    figures, lines, subtitle = _CARDS[profile.kind](data)
    if data.get("points") is not None:
        figures = (*figures, (gettext("Points"), str(data["points"])))
    own = tuple((weapon["name"], weapon_words(weapon)) for weapon in data.get("weapons", ()))
    hints = tuple(_hints(data)) if profile.kind == "platoon" else ()
    return ProfileCard(title, subtitle, figures, tuple(line for line in (*lines, *own) if any(line)), hints)


_Card = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], str]


def _company_card(data: Mapping[str, Any]) -> _Card:
    advance = gettext("Advance") if data["advance_allowed"] else gettext("No Advance")
    return (
        ((gettext("Commander"), dict(_options(COMPANY, "commander")).get(data["commander"], "-")),),
        (("", advance),),
        COMPANY.name,
    )


def _platoon_card(data: Mapping[str, Any]) -> _Card:
    kind = dict(TYPES).get(data["type"], "")
    bases = sum(base["count"] or 0 for base in data["bases"])
    figures = (
        (gettext("Quality"), _target(QUALITY_OPTIONS, data["quality"])),
        (gettext("Bases"), str(bases)),
        (gettext("Move"), _rates(data, data["type"])),
    )
    lines = [
        ("", f"{base['count']} {dict(_options(PLATOON.field('bases'), 'kind')).get(base['kind'], '')}, {base['weapon']}: {_gun(data, base['weapon'])}")
        for base in data["bases"]
    ]  # fmt: skip
    named = dict(TRAITS)
    lines += [
        (gettext("Traits"), ", ".join(named[trait] for trait in data["traits"])),
        (gettext("Equipment"), _equipment(data)),
    ]
    return figures, tuple(line for line in lines if line[1]), gettext("{kind} platoon").format(kind=kind)


def _equipment(data: Mapping[str, Any]) -> str:
    kept = (
        ("grenades", gettext("Grenades")),
        ("close_combat_weapons", gettext("Close combat weapons")),
        ("dismounted", gettext("Dismounted")),
    )
    return ", ".join(label for key, label in kept if data[key])


def unit_lines(kind: str, data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what a unit's page shows besides its bases, weapons and traits.

    These are a company's orders, a platoon's equipment, and each vehicle once.
    """
    if kind == PLATOON.id:
        return ((gettext("Equipment"), _equipment(data)),) if _equipment(data) else ()
    return tuple(dict.fromkeys(_CARDS[kind](data)[1])) if kind in (COMPANY.id, TANKS.id) else ()


def _team_card(data: Mapping[str, Any]) -> _Card:
    kind = dict(TEAM_KINDS).get(data["kind"], "")
    figures = (
        (gettext("Quality"), _target(QUALITY_OPTIONS, data["quality"])),
        (gettext("Move"), _rates(data, data["kind"])),
    )
    return figures, ((data["weapon"], _gun(data, data["weapon"])),), gettext("{kind} team").format(kind=kind)


def _tanks_card(data: Mapping[str, Any]) -> _Card:
    lines = tuple((vehicle["name"], _vehicle_words(vehicle)) for vehicle in data["vehicles"])
    return ((gettext("Vehicles"), str(len(data["vehicles"]))),), lines, TANKS.name


def _weapon_card(data: Mapping[str, Any]) -> _Card:
    return (), (("", weapon_words(data)),), WEAPON_KIND.name


def _movement_card(data: Mapping[str, Any]) -> _Card:
    figures = ((gettext("Move"), _far(data["move"])), (gettext("March or retreat"), _far(data["march"])))
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
        parts.append(
            gettext("tanks {far}, {attacks}").format(
                far=_far(weapon["tank_range"]), attacks=_attacks(weapon["tank_attacks"])
            )
        )
    return "; ".join(parts)


def weapon_words(weapon: Mapping[str, Any]) -> str:
    """Return a weapon in full: "18″, 1 attack; tanks 6″, 1 attack, save +2"."""
    parts = []
    if weapon["attacks"]:
        parts.append(f"{_reach(weapon['range'])}, {_attacks(weapon['attacks'])}")
        if weapon["close_range"] is not None:
            parts.append(
                gettext("{attacks} within {far}").format(
                    attacks=_attacks(weapon["close_attacks"]), far=_far(weapon["close_range"])
                )
            )
    if weapon["tank_attacks"]:
        save = weapon["tank_save"] or 0
        parts.append(
            gettext("tanks {far}, {attacks}, save {save:+d}").format(
                far=_far(weapon["tank_range"]), attacks=_attacks(weapon["tank_attacks"]), save=save
            )
        )
    elif weapon["attacks"]:
        parts.append(gettext("not at tanks"))
    if weapon["harassing"]:
        far = weapon["harassing_range"]
        parts.append(
            gettext("harassing fire to {far}").format(far=_far(far)) if far is not None else gettext("harassing fire")
        )
    parts += [
        words
        for key, words in (
            ("indirect", gettext("fires at what it does not see")),
            ("jams", gettext("jams on three 1s")),
        )
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
    armed = [ngettext("{guns} machine gun", "{guns} machine guns", guns).format(guns=guns)] if guns else []
    armed += vehicle["guns"]
    return ", ".join(
        (
            gettext("{target} save").format(target=_target(CLASS_OPTIONS, vehicle["class"])),
            _far(vehicle["movement"]),
            _target(RELIABILITY_OPTIONS, vehicle["reliability"]),
            *(armed or [gettext("no guns")]),
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
    return gettext("as far as is seen") if value is None else _far(value)


def _far(value: float | None) -> str:
    return "-" if value is None else f"{value:g}″"


def _attacks(value: int | None) -> str:
    return ngettext("{count} attack", "{count} attacks", value or 0).format(count=value or 0)


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
    weapons = [_written(f"book-{ident}", "weapon", name, "book", **data) for ident, name, data in of_the_book()]
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
