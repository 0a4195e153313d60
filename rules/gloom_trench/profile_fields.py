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
    key: str, label: str, words: str = "", *, required: bool = True, group: str = _("Figures"), usual: str = "D6"
) -> ProfileField:
    return ProfileField(
        key, label, "choice", words, required=required, options=DICE, usual=usual if required else None, group=group
    )


def _band(name: str) -> tuple[ProfileField, ProfileField]:
    return (
        ProfileField(
            f"{name}_range", _("{name} range").format(name=name.capitalize()), "number", _("The longest distance, in MU.") if name == "short" else "",
            least=1, most=200, unit="distance",
        ),
        _die(f"{name}_die", _("{name} die").format(name=name.capitalize()), required=False, group=""),
    )  # fmt: skip


_MORE, _DIFFERS = _("More"), _("Where it differs")
WEAPON_FIELDS = (
    *_band("short"),
    *_band("medium"),
    *_band("long"),
    ProfileField(
        "bands_skipped", _("A range band is missing on purpose"), "flag",
        _("For a weapon with a longer band but no shorter one."), group=_MORE,
    ),
    ProfileField("dice_per_model", _("Dice per model"), "integer", usual=1, least=1, most=12, group=_MORE),
    ProfileField("special", _("Special rules"), "words", _("In your own words."), most=500, group=_MORE),
)  # fmt: skip
_NAME = ProfileField("name", _("Name"), "text", required=True, most=60)
_TEXT = ProfileField("text", _("What it does"), "words", most=1000)
RULE_FIELDS = (
    _TEXT,
    ProfileField(
        "effect", _("Applied by the app"), "choice", _("Leave empty if players apply it by hand."),
        options=(("obscuring", _("Obscuring: friends within 3 MU are Obscured")),),
    ),
)  # fmt: skip
MODEL_FIELDS = (
    _NAME,
    ProfileField("least", _("At least"), "integer", usual=1, required=True, least=0, most=60),
    ProfileField("most", _("At most"), "integer", usual=1, required=True, least=1, most=60),
    ProfileField(
        "usual", _("Usually"), "integer", _("Models in a new unit."), usual=1, required=True, least=0, most=60
    ),
    ProfileField("squad_leader", _("Squad Leader"), "flag"),
    ProfileField("weapon", _("Usual weapon"), "text", _("The name of a weapon below. Empty: the first one."), most=60),
    _die("combat", _("Combat"), _("Empty: same as the unit."), required=False, group=_DIFFERS),
    ProfileField("damage", _("Damage"), "integer", least=1, most=20, group=_DIFFERS),
    _die("defence", _("Defence"), required=False, group=_DIFFERS),
    _die("save", _("Save"), required=False, group=_DIFFERS),
    ProfileField("wounds", _("Wounds"), "integer", least=1, most=50, group=_DIFFERS),
    ProfileField("command", _("Command"), "integer", least=0, most=20, group=_DIFFERS),
    ProfileField("keywords", _("Its own keywords"), "strings", _("One per line."), most=12, group=_DIFFERS),
)
UNIT = ProfileKind(
    id="unit",
    name=_("Unit"),
    plural=_("Units"),
    words=_("A stat block with its models, weapons, special rules and unit orders."),
    fields=(
        ProfileField("faction", _("Faction"), "text", _("The faction it belongs to, if any."), most=60, options=tuple((name, name) for name in FACTIONS)),
        _die("combat", _("Combat"), _("Its dice in melee after it charged.")),
        ProfileField("damage", _("Damage"), "integer", _("What a failed save costs in melee."), usual=1, required=True, least=1, most=20, group=_("Figures")),
        _die("defence", _("Defence"), _("Its dice in melee when charged.")),
        _die("save", _("Save"), _("The dice it rolls to save against hits.")),
        ProfileField("wounds", _("Wounds"), "integer", _("Damage that removes one model."), usual=1, required=True, least=1, most=50, group=_("Figures")),
        ProfileField("command", _("Command"), "integer", usual=1, required=True, least=0, most=20, group=_("Figures")),
        ProfileField("keywords", _("Keywords"), "strings", _("One per line: Squad, Commander, Small Unit or your own."), most=16, group=_("Keywords")),
        ProfileField(
            "tactics_range", _("Tactics"), "number", _("For a Commander: the range of its Unit Orders, in MU."),
            least=1, most=200, unit="distance", group=_("Keywords"),
        ),
        ProfileField("no_tactics", _("A Commander without Tactics"), "flag", _("Tick this if Tactics stay empty on purpose."), group=_("Keywords")),
        ProfileField("points", _("Points"), "integer", _("Optional: the core rules have no points."), least=0, most=100_000),
        ProfileField(
            "models", _("Models"), "rows", _("One row for each kind of model in the unit."),
            required=True, least=1, most=8, usual=({"name": "Model"},), fields=MODEL_FIELDS,
        ),
        ProfileField("weapons", _("Weapons"), "rows", _("What its models may carry. Leave a range empty if the weapon lacks that band."), most=12, fields=(_NAME, *WEAPON_FIELDS)),
        ProfileField("special_rules", _("Special rules"), "rows", _("In your own words."), most=12, fields=(_NAME, *RULE_FIELDS)),
        ProfileField("unit_orders", _("Unit orders"), "rows", _("Each costs one Tactical Point."), most=12, fields=(_NAME, _TEXT)),
        ProfileField("notes", _("Notes"), "words", most=1000),
    ),
    fills=(("weapon", "weapons"), ("rule", "special_rules")),
)  # fmt: skip
WEAPON = ProfileKind(
    id="weapon",
    name=_("Weapon"),
    plural=_("Weapons"),
    words=_("A weapon with its range bands, to be copied into units."),
    fields=WEAPON_FIELDS,
    takes=False,
)
RULE = ProfileKind(
    id="rule",
    name=_("Special rule"),
    plural=_("Special rules"),
    words=_("A special rule, to be copied into units."),
    fields=RULE_FIELDS,
    takes=False,
)
FORMATION = ProfileKind(
    id="formation",
    name=_("Formation"),
    plural=_("Formations"),
    words=_("Which units a force needs, and what it gains."),
    fields=(
        ProfileField("text", _("What it does"), "words"),
        ProfileField("tactical_points", _("Tactical Points to start with"), "integer", usual=0, least=0, most=50),
        ProfileField("required", _("Units it needs"), "words", most=500),
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
