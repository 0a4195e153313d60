"""What players of Gloom Trench 1926 write themselves: units, weapons, formations; and the little that the book gives of them.

The core rules print no army list and no whole profile. The one special rule they tell in full, Obscuring, is the game's own; every
unit here is invented, and says so. Distances are in MU: inches at 28 mm, centimetres at 15 mm.

Source: Gloom Trench 1926 core rules, "Unit Profile", "Units and Squads", "Unit Orders", "Obscured".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from rules.custom.parse import Check, read, slug
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileField, ProfileKind, ProfileProblem

DICE = (("D6", "D6"), ("D8", "D8"), ("D12", "D12"))
SQUAD, COMMANDER, SMALL = "Squad", "Commander", "Small Unit"
KEYWORDS = (SQUAD, COMMANDER, SMALL)
# The sides that the published background names; a faction may be called anything.
FACTIONS = (
    "British Empire", "Germany", "United States", "Bolshevik Russia", "White Russians", "Motherland of the Rus", "Japan",
)  # fmt: skip
BANDS = ("short", "medium", "long")


def _die(
    key: str, label: str, words: str = "", *, required: bool = True, group: str = "Figures", usual: str = "D6"
) -> ProfileField:
    return ProfileField(
        key, label, "choice", words, required=required, options=DICE, usual=usual if required else None, group=group
    )


def _band(name: str) -> tuple[ProfileField, ProfileField]:
    return (
        ProfileField(
            f"{name}_range", f"{name.capitalize()} range", "number", "Up to here, in MU." if name == "short" else "",
            least=1, most=200, unit="distance",
        ),
        _die(f"{name}_die", f"{name.capitalize()} die", required=False, group=""),
    )  # fmt: skip


_MORE, _DIFFERS = "More about it", "Where it differs"
WEAPON_FIELDS = (
    *_band("short"),
    *_band("medium"),
    *_band("long"),
    ProfileField(
        "bands_skipped", "A band left out is meant so", "flag",
        "For a weapon that has a farther band without a nearer one.", group=_MORE,
    ),
    ProfileField("dice_per_model", "Dice per model", "integer", usual=1, least=1, most=12, group=_MORE),
    ProfileField("special", "Special rules", "words", "In your own words.", most=500, group=_MORE),
)  # fmt: skip
_NAME = ProfileField("name", "Name", "text", required=True, most=60)
_TEXT = ProfileField("text", "What it does", "words", most=1000)
RULE_FIELDS = (
    _TEXT,
    ProfileField(
        "effect", "Worked out at the table", "choice", "Empty: the players see to it.",
        options=(("obscuring", "Obscuring: friends within 3 MU are Obscured"),),
    ),
)  # fmt: skip
MODEL_FIELDS = (
    _NAME,
    ProfileField("least", "At least", "integer", usual=1, required=True, least=0, most=60),
    ProfileField("most", "At most", "integer", usual=1, required=True, least=1, most=60),
    ProfileField("usual", "Usually", "integer", "How many a fresh unit has.", usual=1, required=True, least=0, most=60),
    ProfileField("squad_leader", "Squad Leader", "flag"),
    ProfileField("weapon", "Usual weapon", "text", "One of the weapons below, by name. Empty: the first.", most=60),
    _die("combat", "Combat", "Empty: as the unit.", required=False, group=_DIFFERS),
    ProfileField("damage", "Damage", "integer", least=1, most=20, group=_DIFFERS),
    _die("defence", "Defence", required=False, group=_DIFFERS),
    _die("save", "Save", required=False, group=_DIFFERS),
    ProfileField("wounds", "Wounds", "integer", least=1, most=50, group=_DIFFERS),
    ProfileField("command", "Command", "integer", least=0, most=20, group=_DIFFERS),
    ProfileField("keywords", "Keywords of its own", "strings", "One a line.", most=12, group=_DIFFERS),
)
UNIT = ProfileKind(
    id="unit",
    name="Unit",
    plural="Units",
    words="A stat block with its models, weapons, special rules and unit orders.",
    fields=(
        ProfileField("faction", "Faction", "text", "Whose unit it is. May stay empty.", most=60, options=tuple((name, name) for name in FACTIONS)),
        _die("combat", "Combat", "Its dice in a melee it charged into."),
        ProfileField("damage", "Damage", "integer", "What a failed save costs in a melee.", usual=1, required=True, least=1, most=20, group="Figures"),
        _die("defence", "Defence", "Its dice in a melee somebody else charged into."),
        _die("save", "Save", "Its dice against hits."),
        ProfileField("wounds", "Wounds", "integer", "Damage that takes one model away.", usual=1, required=True, least=1, most=50, group="Figures"),
        ProfileField("command", "Command", "integer", usual=1, required=True, least=0, most=20, group="Figures"),
        ProfileField("keywords", "Keywords", "strings", "One a line: Squad, Commander, Small Unit, or your own.", most=16, group="Keywords"),
        ProfileField(
            "tactics_range", "Tactics", "number", "In MU: how far a Commander lends Unit Orders. Empty for anybody else.",
            least=1, most=200, unit="distance", group="Keywords",
        ),
        ProfileField("no_tactics", "A Commander without Tactics", "flag", "Only where that is meant.", group="Keywords"),
        ProfileField("points", "Points", "integer", "The core rules have none: your own, or empty.", least=0, most=100_000),
        ProfileField(
            "models", "Models", "rows", "One row for each sort of model in the unit.",
            required=True, least=1, most=8, usual=({"name": "Model"},), fields=MODEL_FIELDS,
        ),
        ProfileField("weapons", "Weapons", "rows", "What its models may carry. A band without a range is none.", most=12, fields=(_NAME, *WEAPON_FIELDS)),
        ProfileField("special_rules", "Special rules", "rows", "In your own words.", most=12, fields=(_NAME, *RULE_FIELDS)),
        ProfileField("unit_orders", "Unit orders", "rows", "Each costs one Tactical Point.", most=12, fields=(_NAME, _TEXT)),
        ProfileField("notes", "Notes", "words", most=1000),
    ),
    fills=(("weapon", "weapons"), ("rule", "special_rules")),
)  # fmt: skip
WEAPON = ProfileKind(
    id="weapon",
    name="Weapon",
    plural="Weapons",
    words="A weapon with its range bands, to be copied into units.",
    fields=WEAPON_FIELDS,
    takes=False,
)
RULE = ProfileKind(
    id="rule",
    name="Special rule",
    plural="Special rules",
    words="A special rule, to be copied into units.",
    fields=RULE_FIELDS,
    takes=False,
)
FORMATION = ProfileKind(
    id="formation",
    name="Formation",
    plural="Formations",
    words="How a force is made up, and what it gains by that.",
    fields=(
        ProfileField("text", "What it does", "words"),
        ProfileField("tactical_points", "Tactical Points to start with", "integer", usual=0, least=0, most=50),
        ProfileField("required", "Units it asks for", "words", most=500),
    ),
    takes=False,
)
KINDS = (UNIT, WEAPON, RULE, FORMATION)
_KIND = {kind.id: kind for kind in KINDS}


def read_profile(kind: str, data: Any) -> tuple[dict[str, Any], tuple[ProfileProblem, ...]]:
    """A profile with everything left out filled in, and what is wrong with it. Raises KeyError for an unknown kind.

    The game's keywords come back as the book writes them. Ranges are in MU.
    """
    values, problems = read(_KIND[kind], data, _CHECKS.get(kind))
    if kind == "unit":
        values["keywords"] = [_keyword(each) for each in values["keywords"]]
        for model in values["models"]:
            model["weapon"] = _known_weapon(values, model["weapon"])
    return values, problems


def _keyword(word: str) -> str:
    return next((known for known in KEYWORDS if slug(known) == slug(word)), word)


def _known_weapon(unit: Mapping[str, Any], name: str) -> str:
    return next((str(weapon["name"]) for weapon in unit["weapons"] if slug(weapon["name"]) == slug(name)), name)


def has_keyword(data: Mapping[str, Any], keyword: str) -> bool:
    """Whether a unit's profile has a keyword, however it is written."""
    return any(slug(each) == slug(keyword) for each in data["keywords"])


def bands(weapon: Mapping[str, Any]) -> tuple[tuple[str, float, str], ...]:
    """A weapon's bands from near to far: name, range in MU, die. Bands that it lacks are left out."""
    return tuple(
        (band, weapon[f"{band}_range"], weapon[f"{band}_die"])
        for band in BANDS
        if weapon[f"{band}_range"] is not None and weapon[f"{band}_die"]
    )


def _check_unit(unit: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    models = unit["models"]
    yield from _twice(models, "models", "model")
    yield from _twice(unit["weapons"], "weapons", "weapon")
    for index, model in enumerate(models):
        yield from _check_model(unit, model, f"models.{index}.")
    if models and not any(model["usual"] for model in models):
        yield ProfileProblem("models", "A fresh unit would have no models. Give one sort of them a usual number.")
    if has_keyword(unit, SQUAD):
        yield from _check_squad(models)
    yield from _check_tactics(unit)
    for place, weapon in enumerate(unit["weapons"]):
        yield from _check_bands(weapon, f"weapons.{place}.")
    for place, rule in enumerate(unit["special_rules"]):
        yield from _check_rule(rule, f"special_rules.{place}.")


def _check_model(unit: Mapping[str, Any], model: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    least, usual, most = model["least"], model["usual"], model["most"]
    if None in (least, usual, most):
        return
    if least > most:
        yield ProfileProblem(
            f"{path}most", f"At most {most} is less than at least {least}. Raise the one or lower the other."
        )
    elif not least <= usual <= most:
        yield ProfileProblem(
            f"{path}usual", f"Usually {usual} lies outside {least} to {most}. Choose a number between."
        )
    weapon = model["weapon"]
    if weapon and all(slug(weapon) != slug(known["name"]) for known in unit["weapons"]):
        yield ProfileProblem(
            f"{path}weapon", f"The unit has no weapon called “{weapon}”. Add it under Weapons, or leave this empty."
        )


def _check_squad(models: list[dict[str, Any]]) -> Iterator[ProfileProblem]:
    if sum(model["most"] or 0 for model in models) < 2:
        yield ProfileProblem(
            "models", "A Squad has two models or more. Raise a number, or take the keyword Squad away."
        )
    if not any(model["squad_leader"] for model in models):
        yield ProfileProblem(
            "models",
            "A Squad is led by somebody. Mark one sort of model as Squad Leader, or take the keyword Squad away.",
        )


def _check_tactics(unit: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    commander = has_keyword(unit, COMMANDER)
    if unit["tactics_range"] is not None and not commander:
        yield ProfileProblem(
            "tactics_range", "Only a Commander has Tactics. Add the keyword Commander, or leave Tactics empty."
        )
    if commander and unit["tactics_range"] is None and not unit["no_tactics"]:
        yield ProfileProblem(
            "tactics_range", "This Commander has no Tactics. Give their range, or tick that none are meant."
        )
    if unit["no_tactics"] and (unit["tactics_range"] is not None or not commander):
        yield ProfileProblem("no_tactics", "This is for a Commander whose Tactics are empty. Take the tick away.")


def _twice(rows: list[dict[str, Any]], path: str, word: str) -> Iterator[ProfileProblem]:
    seen: set[str] = set()
    for place, row in enumerate(rows):
        key = slug(row["name"])
        if row["name"] and key in seen:
            yield ProfileProblem(
                f"{path}.{place}.name", f"Another {word} is called “{row['name']}”. Give this one a name of its own."
            )
        seen.add(key)


def _check_bands(weapon: Mapping[str, Any], path: str = "") -> Iterator[ProfileProblem]:
    for band in BANDS:
        far, die = weapon[f"{band}_range"], weapon[f"{band}_die"]
        if far is None and die:
            yield ProfileProblem(
                f"{path}{band}_range", f"The {band} band has a die and no range. Give both, or neither."
            )
        if far is not None and not die:
            yield ProfileProblem(f"{path}{band}_die", f"The {band} band has a range and no die. Give both, or neither.")
    given = [
        (place, band, weapon[f"{band}_range"])
        for place, band in enumerate(BANDS)
        if weapon[f"{band}_range"] is not None
    ]
    if not given:
        if not any(weapon[f"{band}_die"] for band in BANDS):
            yield ProfileProblem(
                f"{path}short_range", "A weapon has at least one range band. Give a range and its die."
            )
        return
    for (_, near, nearer), (_, band, far) in pairwise(given):
        if far <= nearer:
            yield ProfileProblem(
                f"{path}{band}_range",
                f"The {band} range of {_far(far)} does not reach beyond the {near} range of {_far(nearer)}. Raise it.",
            )
    last = given[-1][0]
    missing = next(
        (band for place, band in enumerate(BANDS[:last]) if all(place != there for there, _, _ in given)), None
    )
    if missing and not weapon["bands_skipped"]:
        yield ProfileProblem(
            f"{path}{missing}_range",
            f"There is no {missing} band before a farther one. Fill it in, or tick that it is left out on purpose.",
        )


def _check_rule(rule: Mapping[str, Any], path: str = "") -> Iterator[ProfileProblem]:
    if not (rule["text"] or rule["effect"]):
        yield ProfileProblem(f"{path}text", "A special rule says what it does. Write a line, or choose an effect.")


def _check_formation(formation: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    if not (formation["text"] or formation["tactical_points"] or formation["required"]):
        yield ProfileProblem("text", "This formation does nothing yet. Write what it does, or give Tactical Points.")


_CHECKS: dict[str, Check] = {
    "unit": _check_unit,
    "weapon": _check_bands,
    "rule": _check_rule,
    "formation": _check_formation,
}


# --- cards
def profile_card(profile: CustomProfile) -> ProfileCard:
    """A profile as a card shows it, distances in MU; what is odd about it without being wrong as hints."""
    data = profile.data
    title = profile.name or "No name yet"
    if profile.kind == "weapon":
        return ProfileCard(title, WEAPON.name, lines=(("", weapon_words(data)),))
    if profile.kind == "rule":
        return ProfileCard(title, RULE.name, lines=(("", _rule(data)),))
    if profile.kind == "formation":
        figures = (("Tactical Points", f"+{data['tactical_points'] or 0}"),)
        told = tuple((head, words) for head, words in (("", data["text"]), ("Asks for", data["required"])) if words)
        return ProfileCard(title, FORMATION.name, figures, told)
    shown: list[tuple[str, Any]] = [
        ("Combat", data["combat"]), ("Damage", data["damage"]), ("Defence", data["defence"]),
        ("Save", data["save"]), ("Wounds", data["wounds"]), ("Command", data["command"]),
    ]  # fmt: skip
    if data["tactics_range"] is not None:
        shown.append(("Tactics", f"{_far(data['tactics_range'])} MU"))
    if data["points"] is not None:
        shown.append(("Points", data["points"]))
    lines = [
        *((_count(model), ", ".join(filter(None, (_differs(model), model["weapon"])))) for model in data["models"]),
        *((weapon["name"], weapon_words(weapon)) for weapon in data["weapons"]),
        *_rules_and_orders(data),
    ]
    return ProfileCard(
        title,
        ", ".join((UNIT.name, *filter(None, [data["faction"]]), *data["keywords"])),
        tuple((label, _shown(value)) for label, value in shown),
        tuple((head, words) for head, words in lines if head or words),
        tuple(_hints(data)),
    )


def weapon_words(weapon: Mapping[str, Any]) -> str:
    """A weapon in full: "8 MU D12, 16 MU D8, 24 MU D6"."""
    parts = [f"to {_far(far)} MU {die}" for _, far, die in bands(weapon)]
    if (weapon["dice_per_model"] or 1) > 1:
        parts.append(f"{weapon['dice_per_model']} dice a model")
    words = ", ".join(parts)
    return f"{words}. {weapon['special']}" if weapon["special"] and words else words or weapon["special"]


def unit_lines(data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a unit's page says beside its counts and weapons: how its models differ, special rules, unit orders."""
    models = ((str(model["name"]), _differs(model)) for model in data["models"])
    return (*(line for line in models if line[1]), *_rules_and_orders(data))


def _rules_and_orders(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for rule in data["special_rules"]:
        yield str(rule["name"]), _rule(rule)
    for order in data["unit_orders"]:
        yield str(order["name"]), f"1 TP. {order['text']}".strip()


def _count(model: Mapping[str, Any]) -> str:
    least, most, usual = model["least"], model["most"], model["usual"]
    span = f" ({least} to {most})" if least != most else ""
    return f"{_shown(usual)} {model['name']}{span}"


def _differs(model: Mapping[str, Any]) -> str:
    parts = ["Squad Leader"] if model["squad_leader"] else []
    parts += model["keywords"]
    for key in ("combat", "damage", "defence", "save", "wounds", "command"):
        if model[key] not in (None, ""):
            parts.append(f"{key.capitalize()} {model[key]}")
    return ", ".join(parts)


def _rule(rule: Mapping[str, Any]) -> str:
    if rule["text"]:
        return str(rule["text"])
    return "Friends within 3 MU are Obscured." if rule["effect"] == "obscuring" else ""


def _hints(data: Mapping[str, Any]) -> Iterable[str]:
    usual = sum(model["usual"] or 0 for model in data["models"])
    leaders = sum(model["usual"] or 0 for model in data["models"] if model["squad_leader"])
    if 0 < usual <= 2 and not has_keyword(data, SMALL):
        yield "One or two models count as a Small Unit, with the keyword or without."
    if has_keyword(data, SQUAD) and leaders > 1:
        yield f"This Squad has {leaders} Squad Leaders; one is enough."
    if data["no_tactics"] and has_keyword(data, COMMANDER):
        yield "A Commander without Tactics lends nobody Unit Orders."
    if (
        data["unit_orders"]
        and not any(model["squad_leader"] for model in data["models"])
        and not has_keyword(data, COMMANDER)
    ):
        yield "Nobody here leads: its unit orders need a Commander near."
    if not data["weapons"]:
        yield "It has no weapon to shoot with."


def _far(value: float) -> str:
    return f"{value:g}"


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


_MARK = "Invented to try things out. No profile of the publisher."
_RIFLE = _gun("Rifle", (8, "D12"), (16, "D8"), (24, "D6"))
_CARBINE = _gun("Short rifle", (6, "D12"), (12, "D8"), (18, "D6"))
_PISTOL = _gun("Pistol", (6, "D8"))
_OBSCURING = {"name": "Obscuring", "text": "", "effect": "obscuring"}


@cache
def default_profiles() -> tuple[CustomProfile, ...]:
    """What a library holds before anybody wrote anything: invented samples of units, weapons and a formation, each marked as such."""

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
            unit_orders=[{"name": "Aimed volley", "text": "This activation its shooting is d+1."}],
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
            special_rules=[{"name": "Wheels", "text": "It moves 8 MU, on roads and open ground only."}],
        ),
        sample(
            "assault-squad", "assault squad", faction="Sample Red", combat="D8", defence="D6", save="D6", command=1, keywords=[SQUAD], points=12,
            models=[_sort_of("Raider", 4, 7, 5), _sort_of("Leader", 1, 1, 1, squad_leader=True, combat="D12", command=2)],
            weapons=[_gun("Short gun", (8, "D12"), (14, "D6"))],
            unit_orders=[{"name": "Into them", "text": "Its next charge rolls a D8 for distance."}],
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
            special_rules=[{"name": "Soft step", "text": "It moves 7 MU while no enemy is within 12 MU."}],
        ),
        sample(
            "trench-gun", "trench gun", faction="Sample Red", combat="D6", defence="D6", save="D6", command=1, points=11,
            models=[_sort_of("Gunner", 2, 3, 3)],
            weapons=[_gun("Light gun", None, (24, "D8"), (48, "D12"), bands_skipped=True, special="Not against anybody nearer than 8 MU.")],
        ),
        _written("book-obscuring", "rule", "Obscuring", "book", effect="obscuring"),
        weapon("rifle", _RIFLE),
        weapon("machine-gun", machine_gun),
        weapon("pistol", _PISTOL),
        sample(
            "patrol", "patrol", "formation",
            text=f"{_MARK} Two Squads under one Commander.", tactical_points=1, required="One Commander, two Squads",
        ),
    )  # fmt: skip
