"""The profiles that players of Gloom Trench 1926 write themselves (units, weapons, formations), and the few that come
with the game.

The core rules print no army list and no complete profile. The one special rule that they give in full, Obscuring, is
the game's own; every unit here is invented and marked as such. Distances are in MU: inches at 28 mm, centimetres at
15 mm.

Source: Gloom Trench 1926 core rules, "Unit Profile", "Units and Squads", "Unit Orders", "Obscured".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rules.custom.parse import read, slug
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileProblem
from rules.gloom_trench.profile_checks import CHECKS
from rules.gloom_trench.profile_fields import (
    BANDS,
    COMMANDER,
    FORMATION,
    KEYWORDS,
    KINDS,
    RULE,
    SMALL,
    SQUAD,
    UNIT,
    WEAPON,
    bands,
    has_keyword,
)
from rules.translation import gettext

FIGURES = ("combat", "damage", "defence", "save", "wounds", "command")
_KIND = {kind.id: kind for kind in KINDS}


def read_profile(kind: str, data: Any) -> tuple[dict[str, Any], tuple[ProfileProblem, ...]]:
    """Return a profile with defaults filled in, and its problems. Raises KeyError for an unknown kind.

    The game's keywords are spelled as in the book. Ranges are in MU.
    """
    values, problems = read(_KIND[kind], data, CHECKS.get(kind))
    if kind == "unit":
        values["keywords"] = [_keyword(each) for each in values["keywords"]]
        for model in values["models"]:
            model["weapon"] = _known_weapon(values, model["weapon"])
    return values, problems


def _keyword(word: str) -> str:
    return next((known for known in KEYWORDS if slug(known) == slug(word)), word)


def _known_weapon(unit: Mapping[str, Any], name: str) -> str:
    return next((str(weapon["name"]) for weapon in unit["weapons"] if slug(weapon["name"]) == slug(name)), name)


# --- cards
def profile_card(profile: CustomProfile) -> ProfileCard:
    """Return a profile as a card shows it, with distances in MU. Unusual but valid values become hints."""
    data = profile.data
    title = profile.name or gettext("No name yet")
    match profile.kind:
        case "weapon":
            return ProfileCard(title, WEAPON.name, lines=(("", weapon_words(data)),))
        case "rule":
            return ProfileCard(title, RULE.name, lines=(("", _rule(data)),))
        case "formation":
            figures = ((gettext("Tactical Points"), f"+{data['tactical_points'] or 0}"),)
            texts = (("", data["text"]), (gettext("Asks for"), data["required"]))
            return ProfileCard(title, FORMATION.name, figures, tuple(line for line in texts if line[1]))
    return _unit_card(title, data)


def _unit_card(title: str, data: Mapping[str, Any]) -> ProfileCard:
    figures = [(key.capitalize(), _shown(data[key])) for key in FIGURES]
    if data["tactics_range"] is not None:
        figures.append((gettext("Tactics"), f"{data['tactics_range']:g} MU"))
    if data["points"] is not None:
        figures.append((gettext("Points"), _shown(data["points"])))
    lines = [
        *((_count(model), ", ".join(filter(None, (_differs(model), model["weapon"])))) for model in data["models"]),
        *((weapon["name"], weapon_words(weapon)) for weapon in data["weapons"]),
        *_rules_and_orders(data),
    ]
    return ProfileCard(
        title,
        ", ".join((UNIT.name, *filter(None, [data["faction"]]), *data["keywords"])),
        tuple(figures),
        tuple((head, text) for head, text in lines if head or text),
        tuple(_hints(data)),
    )


def weapon_words(weapon: Mapping[str, Any]) -> str:
    """Return a weapon as text: "8 MU D12, 16 MU D8, 24 MU D6"."""
    parts = [gettext("to {far:g} MU {die}").format(far=far, die=die) for _, far, die in bands(weapon)]
    if (weapon["dice_per_model"] or 1) > 1:
        parts.append(gettext("{weapon} dice a model").format(weapon=weapon["dice_per_model"]))
    words = ", ".join(parts)
    return f"{words}. {weapon['special']}" if weapon["special"] and words else words or weapon["special"]


def unit_lines(data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what a unit's page shows besides its counts and weapons.

    It shows how the models differ, special rules, and unit orders.
    """
    models = ((str(model["name"]), _differs(model)) for model in data["models"])
    return (*(line for line in models if line[1]), *_rules_and_orders(data))


def _rules_and_orders(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for rule in data["special_rules"]:
        yield str(rule["name"]), _rule(rule)
    for order in data["unit_orders"]:
        yield str(order["name"]), f"1 TP. {order['text']}".strip()


def _count(model: Mapping[str, Any]) -> str:
    least, most, usual = model["least"], model["most"], model["usual"]
    span = gettext(" ({least} to {most})").format(least=least, most=most) if least != most else ""
    return f"{_shown(usual)} {model['name']}{span}"


def _differs(model: Mapping[str, Any]) -> str:
    parts = [gettext("Squad Leader")] if model["squad_leader"] else []
    parts += model["keywords"]
    for key in FIGURES:
        if model[key] not in (None, ""):
            parts.append(f"{key.capitalize()} {model[key]}")
    return ", ".join(parts)


def _rule(rule: Mapping[str, Any]) -> str:
    if rule["text"]:
        return str(rule["text"])
    return gettext("Friends within 3 MU are Obscured.") if rule["effect"] == "obscuring" else ""


def _hints(data: Mapping[str, Any]) -> Iterator[str]:
    usual = sum(model["usual"] or 0 for model in data["models"])
    if 0 < usual <= 2 and not has_keyword(data, SMALL):
        yield gettext("One or two models count as a Small Unit, with the keyword or without.")
    yield from _leading_hints(data)
    if not data["weapons"]:
        yield gettext("It has no weapon to shoot with.")


def _leading_hints(data: Mapping[str, Any]) -> Iterator[str]:
    leaders = [model for model in data["models"] if model["squad_leader"]]
    count = sum(model["usual"] or 0 for model in leaders)
    commands = has_keyword(data, COMMANDER)
    if has_keyword(data, SQUAD) and count > 1:
        yield gettext("This Squad has {count} Squad Leaders; one is enough.").format(count=count)
    if data["no_tactics"] and commands:
        yield gettext("A Commander without Tactics lends no Unit Orders.")
    if data["unit_orders"] and not leaders and not commands:
        yield gettext("No leader: its unit orders need a Commander near.")


def _shown(value: Any) -> str:
    return "-" if value is None or value == "" else str(value)


# --- what comes with the game
def _written(ident: str, kind: str, name: str, origin: Any, **data: Any) -> CustomProfile:
    values, problems = read_profile(kind, data)
    if problems:
        raise ValueError(f"{ident}: {problems[0].path}: {problems[0].message}")
    return CustomProfile(ident, kind, name, values, origin)


def _sort_of(name: str, least: int, most: int, usual: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "least": least, "most": most, "usual": usual, **more}


def _gun(name: str, *given: tuple[float, str] | None, **more: Any) -> dict[str, Any]:
    weapon: dict[str, Any] = {"name": name, **more}
    for band, pair in zip(BANDS, given, strict=False):
        if pair is not None:
            weapon[f"{band}_range"], weapon[f"{band}_die"] = pair
    return weapon


_MARK = gettext("Invented to try things out. No profile of the publisher.")
_RIFLE = _gun("Rifle", (8, "D12"), (16, "D8"), (24, "D6"))
_CARBINE = _gun("Short rifle", (6, "D12"), (12, "D8"), (18, "D6"))
_PISTOL = _gun("Pistol", (6, "D8"))
_OBSCURING = {"name": "Obscuring", "text": "", "effect": "obscuring"}


@cache
def default_profiles() -> tuple[CustomProfile, ...]:
    """Return the initial content of a library.

    It holds invented samples of units, weapons and a formation, each marked as such.
    """

    def sample(ident: str, name: str, kind: str = "unit", **data: Any) -> CustomProfile:
        if kind == "unit":
            data["notes"] = _MARK
        return _written(f"sample-{ident}", kind, f"Sample {name}", "sample", **data)

    def weapon(ident: str, gun: Mapping[str, Any]) -> CustomProfile:
        return sample(
            ident, gun["name"].lower(), "weapon", **{key: value for key, value in gun.items() if key != "name"}
        )

    machine_gun = _gun("Machine gun", (12, "D12"), (24, "D12"), (36, "D8"))
    return (
        sample(
            "rifles", "rifles", faction="Sample Blue", combat="D6", defence="D6", save="D6", command=1, keywords=[SQUAD], points=10,
            models=[_sort_of("Rifle", 4, 9, 7, weapon="Rifle"), _sort_of("NCO", 1, 1, 1, squad_leader=True, command=2, weapon="Rifle")],
            weapons=[_RIFLE, _PISTOL],
            unit_orders=[{"name": "Aimed volley", "text": gettext("This activation its shooting is d+1.")}],
        ),
        sample(
            "machine-gun-team", "machine gun team", faction="Sample Blue", combat="D6", defence="D6", save="D6", command=1, points=9,
            models=[_sort_of("Crew", 3, 3, 3, weapon="Machine gun")],
            weapons=[machine_gun],
        ),
        sample(
            "officer", "officer", faction="Sample Blue", combat="D8", damage=2, defence="D8", save="D8", wounds=3, command=3,
            keywords=[COMMANDER], tactics_range=6, points=8,
            models=[_sort_of("Officer", 1, 1, 1)],
            weapons=[_PISTOL],
        ),
        sample(
            "smoke-thrower", "smoke thrower", faction="Sample Blue", combat="D6", defence="D6", save="D6", command=1, keywords=[SMALL], points=6,
            models=[_sort_of("Thrower", 2, 2, 2)],
            weapons=[_gun("Smoke canister", (6, "D6"), (12, "D6"))],
            special_rules=[_OBSCURING],
        ),
        sample(
            "armoured-car", "armoured car", faction="Sample Blue", combat="D8", damage=2, defence="D8", save="D12", wounds=6, command=2,
            points=18,
            models=[_sort_of("Car", 1, 1, 1)],
            weapons=[_gun("Turret gun", (12, "D12"), (24, "D8"), (36, "D6"), dice_per_model=4)],
            special_rules=[{"name": "Wheels", "text": gettext("It moves 8 MU, on roads and open ground only.")}],
        ),
        sample(
            "assault-squad", "assault squad", faction="Sample Red", combat="D8", defence="D6", save="D6", command=1, keywords=[SQUAD], points=12,
            models=[_sort_of("Raider", 4, 7, 5), _sort_of("Leader", 1, 1, 1, squad_leader=True, combat="D12", command=2)],
            weapons=[_gun("Short gun", (8, "D12"), (14, "D6"))],
            unit_orders=[{"name": "Into them", "text": gettext("Its next charge rolls a D8 for distance.")}],
        ),
        sample(
            "conscripts", "conscripts", faction="Sample Red", combat="D6", defence="D6", save="D6", command=0, keywords=[SQUAD], points=7,
            models=[
                _sort_of("Conscript", 5, 10, 8, weapon="Short rifle"),
                _sort_of("Corporal", 1, 1, 1, squad_leader=True, command=1, weapon="Short rifle"),
            ],
            weapons=[_CARBINE],
        ),
        sample(
            "captain", "captain", faction="Sample Red", combat="D12", damage=2, defence="D8", save="D6", wounds=3, command=2,
            keywords=[COMMANDER], tactics_range=8, points=8,
            models=[_sort_of("Captain", 1, 1, 1)],
            weapons=[_PISTOL],
        ),
        sample(
            "scouts", "scouts", faction="Sample Red", combat="D6", defence="D8", save="D6", command=2, keywords=[SMALL, "Scouts"], points=6,
            models=[_sort_of("Scout", 2, 2, 2)],
            weapons=[_CARBINE],
            special_rules=[{"name": "Soft step", "text": gettext("It moves 7 MU while no enemy is within 12 MU.")}],
        ),
        sample(
            "trench-gun", "trench gun", faction="Sample Red", combat="D6", defence="D6", save="D6", command=1, points=11,
            models=[_sort_of("Gunner", 2, 3, 3)],
            weapons=[_gun("Light gun", None, (24, "D8"), (48, "D12"), bands_skipped=True, special=gettext("Not against anybody nearer than 8 MU."))],
        ),
        _written("book-obscuring", "rule", "Obscuring", "book", effect="obscuring"),
        weapon("rifle", _RIFLE),
        weapon("machine-gun", machine_gun),
        weapon("pistol", _PISTOL),
        sample(
            "patrol", "patrol", "formation",
            text=gettext("{mark} Two Squads under one Commander.").format(mark=_MARK), tactical_points=1, required="One Commander, two Squads",
        ),
    )  # fmt: skip
