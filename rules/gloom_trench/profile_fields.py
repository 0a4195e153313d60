"""The fields of each kind of profile of Gloom Trench 1926: units, weapons, special rules, formations.

Distances are in MU.

Source: Gloom Trench 1926 core rules, "Unit Profile", "Units and Squads", "Unit Orders", "Obscured".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.custom.parse import slug
from rules.custom.profiles import ProfileField, ProfileKind
from rules.translation import gettext as _

DICE = (("D6", "D6"), ("D8", "D8"), ("D12", "D12"))
SQUAD, COMMANDER, SMALL = "Squad", "Commander", "Small Unit"
KEYWORDS = (SQUAD, COMMANDER, SMALL)
# The sides that the published background names. A faction may have any name.
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
            f"{name}_range", f"{name.capitalize()} range", "number", _("Up to here, in MU.") if name == "short" else "",
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
        _("For a weapon that has a farther band without a nearer one."), group=_MORE,
    ),
    ProfileField("dice_per_model", "Dice per model", "integer", usual=1, least=1, most=12, group=_MORE),
    ProfileField("special", "Special rules", "words", _("In your own words."), most=500, group=_MORE),
)  # fmt: skip
_NAME = ProfileField("name", "Name", "text", required=True, most=60)
_TEXT = ProfileField("text", "What it does", "words", most=1000)
RULE_FIELDS = (
    _TEXT,
    ProfileField(
        "effect", "Worked out at the table", "choice", _("Empty: the players see to it."),
        options=(("obscuring", "Obscuring: friends within 3 MU are Obscured"),),
    ),
)  # fmt: skip
MODEL_FIELDS = (
    _NAME,
    ProfileField("least", "At least", "integer", usual=1, required=True, least=0, most=60),
    ProfileField("most", "At most", "integer", usual=1, required=True, least=1, most=60),
    ProfileField(
        "usual", "Usually", "integer", _("How many a fresh unit has."), usual=1, required=True, least=0, most=60
    ),
    ProfileField("squad_leader", "Squad Leader", "flag"),
    ProfileField("weapon", "Usual weapon", "text", _("One of the weapons below, by name. Empty: the first."), most=60),
    _die("combat", "Combat", _("Empty: as the unit."), required=False, group=_DIFFERS),
    ProfileField("damage", "Damage", "integer", least=1, most=20, group=_DIFFERS),
    _die("defence", "Defence", required=False, group=_DIFFERS),
    _die("save", "Save", required=False, group=_DIFFERS),
    ProfileField("wounds", "Wounds", "integer", least=1, most=50, group=_DIFFERS),
    ProfileField("command", "Command", "integer", least=0, most=20, group=_DIFFERS),
    ProfileField("keywords", "Keywords of its own", "strings", _("One a line."), most=12, group=_DIFFERS),
)
UNIT = ProfileKind(
    id="unit",
    name="Unit",
    plural="Units",
    words=_("A stat block with its models, weapons, special rules and unit orders."),
    fields=(
        ProfileField("faction", "Faction", "text", _("Whose unit it is. May stay empty."), most=60, options=tuple((name, name) for name in FACTIONS)),
        _die("combat", "Combat", _("Its dice in a melee it charged into.")),
        ProfileField("damage", "Damage", "integer", _("What a failed save costs in a melee."), usual=1, required=True, least=1, most=20, group="Figures"),
        _die("defence", "Defence", _("Its dice in a melee when it was charged.")),
        _die("save", "Save", _("Its dice against hits.")),
        ProfileField("wounds", "Wounds", "integer", _("Damage that takes one model away."), usual=1, required=True, least=1, most=50, group="Figures"),
        ProfileField("command", "Command", "integer", usual=1, required=True, least=0, most=20, group="Figures"),
        ProfileField("keywords", "Keywords", "strings", _("One a line: Squad, Commander, Small Unit, or your own."), most=16, group="Keywords"),
        ProfileField(
            "tactics_range", "Tactics", "number", _("In MU: how far a Commander lends Unit Orders. Empty for anybody else."),
            least=1, most=200, unit="distance", group="Keywords",
        ),
        ProfileField("no_tactics", "A Commander without Tactics", "flag", _("Only where that is meant."), group="Keywords"),
        ProfileField("points", "Points", "integer", _("The core rules have none: your own, or empty."), least=0, most=100_000),
        ProfileField(
            "models", "Models", "rows", _("One row for each sort of model in the unit."),
            required=True, least=1, most=8, usual=({"name": "Model"},), fields=MODEL_FIELDS,
        ),
        ProfileField("weapons", "Weapons", "rows", _("What its models may carry. A band without a range is none."), most=12, fields=(_NAME, *WEAPON_FIELDS)),
        ProfileField("special_rules", "Special rules", "rows", _("In your own words."), most=12, fields=(_NAME, *RULE_FIELDS)),
        ProfileField("unit_orders", "Unit orders", "rows", _("Each costs one Tactical Point."), most=12, fields=(_NAME, _TEXT)),
        ProfileField("notes", "Notes", "words", most=1000),
    ),
    fills=(("weapon", "weapons"), ("rule", "special_rules")),
)  # fmt: skip
WEAPON = ProfileKind(
    id="weapon",
    name="Weapon",
    plural="Weapons",
    words=_("A weapon with its range bands, to be copied into units."),
    fields=WEAPON_FIELDS,
    takes=False,
)
RULE = ProfileKind(
    id="rule",
    name="Special rule",
    plural="Special rules",
    words=_("A special rule, to be copied into units."),
    fields=RULE_FIELDS,
    takes=False,
)
FORMATION = ProfileKind(
    id="formation",
    name="Formation",
    plural="Formations",
    words=_("How a force is made up, and what it gains by that."),
    fields=(
        ProfileField("text", "What it does", "words"),
        ProfileField("tactical_points", "Tactical Points to start with", "integer", usual=0, least=0, most=50),
        ProfileField("required", "Units it asks for", "words", most=500),
    ),
    takes=False,
)
KINDS = (UNIT, WEAPON, RULE, FORMATION)


def has_keyword(data: Mapping[str, Any], keyword: str) -> bool:
    """Return whether a unit's profile has a keyword, regardless of its spelling."""
    return any(slug(each) == slug(keyword) for each in data["keywords"])


def bands(weapon: Mapping[str, Any]) -> tuple[tuple[str, float, str], ...]:
    """Return a weapon's bands from near to far: name, range in MU, die. Missing bands are left out."""
    return tuple(
        (band, weapon[f"{band}_range"], weapon[f"{band}_die"])
        for band in BANDS
        if weapon[f"{band}_range"] is not None and weapon[f"{band}_die"]
    )
