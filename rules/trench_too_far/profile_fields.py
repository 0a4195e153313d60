"""The fields of each kind of profile of A Trench Too Far: what players fill in, between which figures.

Source: A Trench Too Far core rules, "Weapons", "Movement", "Tanks", "Unit traits".
"""

from __future__ import annotations

from rules.custom.profiles import ProfileField, ProfileKind
from rules.translation import gettext
from rules.trench_too_far.charts import (
    QUALITIES,
    RELIABILITY,
    TANK_CLASSES,
    TANK_LEAST_INCHES,
    TANK_MOST_INCHES,
    TANK_WEAPONS,
    WEAPONS,
)

TYPES = (
    ("infantry", gettext("Infantry")),
    ("militia", gettext("Militia")),
    ("heavy-infantry", gettext("Heavy infantry")),
    ("assault", gettext("Assault")),
    ("cavalry", gettext("Cavalry")),
    ("engineers", gettext("Engineers")),
    ("remnant", gettext("Remnant")),
)
TEAM_KINDS = (
    ("hmg", "HMG"),
    ("lmg", "LMG"),
    ("trench-mortar", gettext("Trench mortar")),
    ("field-artillery", gettext("Field artillery")),
    ("anti-tank-gun", gettext("Anti-tank gun")),
    ("anti-tank-rifle", gettext("Anti-tank rifle")),
    ("sniper", gettext("Sniper")),
)
TRAITS = (
    ("aggressive", gettext("Aggressive")),
    ("close-order", gettext("Close order")),
    ("light-infantry", gettext("Light infantry")),
    ("infiltration", gettext("Infiltration")),
    ("raider", gettext("Raider")),
    ("rifle-drill", gettext("Rifle Drill")),
    ("veteran", gettext("Veteran")),
    ("scouts", gettext("Scouts")),
)
SQUADS = 4  # squads of a full platoon, without attached stands
VEHICLES = 4
QUALITY_OPTIONS = tuple((rated.id, f"{rated.name} {rated.target}+") for rated in QUALITIES)
CLASS_OPTIONS = tuple((rated.id, f"{rated.name} {rated.target}+") for rated in TANK_CLASSES)
RELIABILITY_OPTIONS = tuple((rated.id, f"{rated.name} {rated.target}+") for rated in RELIABILITY)


def _inches(key: str, label: str, words: str = "", *, least: float = 0, group: str = "") -> ProfileField:
    return ProfileField(key, label, "number", words, least=least, most=200, unit="inches", group=group)


_TROOPS, _ARMOUR, _SPECIAL = gettext("Against troops"), gettext("Against tanks"), gettext("Special")
WEAPON_FIELDS = (
    _inches("range", gettext("Range"), gettext("Empty: as far as is seen."), group=_TROOPS),
    ProfileField("attacks", gettext("Attacks"), "integer", gettext("Dice of one base."), usual=1, least=0, most=20, group=_TROOPS),
    _inches("close_range", gettext("Close range"), gettext("Where it has more dice near by."), group=_TROOPS),
    ProfileField("close_attacks", gettext("Attacks at close range"), "integer", least=0, most=20, group=_TROOPS),
    _inches("tank_range", gettext("Range against tanks"), gettext("Empty: it cannot fire at tanks."), group=_ARMOUR),
    ProfileField("tank_attacks", gettext("Attacks against tanks"), "integer", least=0, most=20, group=_ARMOUR),
    ProfileField("tank_save", gettext("Change of the tank's save"), "integer", gettext("+1 helps the tank, -1 the gun."), least=-6, most=6, group=_ARMOUR),
    ProfileField("indirect", gettext("Fires at what it does not see"), "flag", group=_SPECIAL),
    ProfileField("harassing", gettext("Harassing fire"), "flag", group=_SPECIAL),
    _inches("harassing_range", gettext("Range of harassing fire"), group=_SPECIAL),
    ProfileField("jams", gettext("Jams on three 1s"), "flag", group=_SPECIAL),
    ProfileField("artillery", gettext("Counts as artillery"), "flag", group=_SPECIAL),
    ProfileField("mortar", gettext("Counts as a mortar"), "flag", group=_SPECIAL),
    ProfileField("militia", gettext("Militia arms"), "flag", gettext("No effect on vehicles but in an assault."), group=_SPECIAL),
)  # fmt: skip
_NAME = ProfileField("name", gettext("Name"), "text", required=True, most=60)
_NOTES = ProfileField("notes", gettext("Notes"), "words", most=1000)
_POINTS = ProfileField(
    "points", gettext("Points"), "integer", gettext("The book has none: your own, or empty."), least=0, most=100_000
)
_OWN = ProfileField(
    "weapons", gettext("Weapons of its own"), "rows", gettext("Only what is not in the book's table, or differs from it."),
    most=6, fields=(_NAME, *WEAPON_FIELDS),
)  # fmt: skip
# Weapons of the anti-tank table that the weapon table does not list.
TANK_ONLY = tuple(weapon for weapon in TANK_WEAPONS if weapon.id in ("anti-tank-rifle", "tank-gun-ap"))
_WEAPON_NAMES = tuple((name, name) for name in (*(gun.name for gun in WEAPONS), *(gun.name for gun in TANK_ONLY)))
_QUALITY = ProfileField("quality", gettext("Quality"), "choice", required=True, options=QUALITY_OPTIONS, usual="steady")
_MOVEMENT_FIELDS = (
    _inches("move", gettext("Move"), gettext("Empty: as the book's table."), group=gettext("Movement")),
    _inches("march", gettext("March or retreat"), gettext("Empty: as the book's table."), group=gettext("Movement")),
)
_VEHICLE_FIELDS = (
    ProfileField("class", gettext("Class"), "choice", required=True, options=CLASS_OPTIONS, usual="light"),
    ProfileField("movement", gettext("Movement"), "number", usual=6, required=True, least=TANK_LEAST_INCHES, most=TANK_MOST_INCHES, unit="inches"),
    ProfileField("reliability", gettext("Reliability"), "choice", required=True, options=RELIABILITY_OPTIONS, usual="stable"),
    ProfileField("machine_guns", gettext("Machine guns"), "integer", usual=1, required=True, least=0, most=12),
    ProfileField("guns", gettext("Guns"), "strings", gettext("One a line: Tank cannon, Tank gun, AP, or one of your own."), most=6),
)  # fmt: skip
COMPANY = ProfileKind(
    id="company",
    name=gettext("Company"),
    plural=gettext("Companies"),
    words=gettext("A company: its commander, and whether it knows how to Advance."),
    fields=(
        ProfileField(
            "commander", gettext("Commander"), "choice", required=True, options=(("normal", gettext("Normal")), ("outstanding", gettext("Outstanding"))), usual="normal"
        ),
        ProfileField("advance_allowed", gettext("May be ordered to Advance"), "flag"),
        _POINTS,
        _NOTES,
    ),
)  # fmt: skip
PLATOON = ProfileKind(
    id="platoon",
    name=gettext("Platoon"),
    plural=gettext("Platoons"),
    words=gettext("Up to four squads, each a base, with what is attached to them."),
    fields=(
        ProfileField("type", gettext("Type"), "choice", required=True, options=TYPES, usual="infantry"),
        _QUALITY,
        ProfileField("traits", gettext("Traits"), "choices", options=TRAITS),
        ProfileField("grenades", gettext("Grenades"), "flag", group=gettext("Equipment")),
        ProfileField("close_combat_weapons", gettext("Close combat weapons"), "flag", gettext("Hits on 4+ in an assault."), group=gettext("Equipment")),
        ProfileField("dismounted", gettext("Dismounted"), "flag", gettext("Cavalry that begins on foot."), group=gettext("Equipment")),
        ProfileField(
            "bases", gettext("Bases"), "rows", gettext("Squads make the platoon; attached stands come on top."), required=True, least=1, most=8,
            usual=({"count": SQUADS},),
            fields=(
                ProfileField("weapon", gettext("Weapon"), "text", gettext("Empty: what its type carries."), most=60, options=_WEAPON_NAMES),
                ProfileField(
                    "kind", gettext("Kind"), "choice", required=True, options=(("squad", gettext("Squad")), ("attached", gettext("Attached stand"))), usual="squad"
                ),
                ProfileField("count", gettext("How many"), "integer", required=True, usual=1, least=1, most=8),
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
    name=gettext("Weapons team"),
    plural=gettext("Weapons teams"),
    words=gettext("One base that serves one weapon."),
    fields=(
        ProfileField("kind", gettext("Kind"), "choice", required=True, options=TEAM_KINDS, usual="hmg"),
        _QUALITY,
        ProfileField(
            "weapon", gettext("Weapon"), "text", gettext("Empty: what its kind serves."), most=60, options=_WEAPON_NAMES
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
    name=gettext("Tank platoon"),
    plural=gettext("Tank platoons"),
    words=gettext("One to four vehicles."),
    fields=(
        ProfileField(
            "vehicles", gettext("Vehicles"), "rows", required=True, least=1, most=VEHICLES, usual=({"name": gettext("Tank")},),
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
    name=gettext("Weapon"),
    plural=gettext("Weapons"),
    words=gettext("A weapon, to be copied into platoons, teams and tanks."),
    fields=WEAPON_FIELDS,
    takes=False,
)
MOVEMENT_KIND = ProfileKind(
    id="movement",
    name=gettext("Rate of movement"),
    plural=gettext("Rates of movement"),
    words=gettext("How far a kind of troops goes, to be copied into platoons and teams."),
    fields=_MOVEMENT_FIELDS,
    takes=False,
)
VEHICLE = ProfileKind(
    id="vehicle",
    name=gettext("Vehicle"),
    plural=gettext("Vehicles"),
    words=gettext("One tank or armoured car, to be copied into tank platoons."),
    fields=_VEHICLE_FIELDS,
    takes=False,
)
KINDS = (COMPANY, PLATOON, TEAM, TANKS, WEAPON_KIND, MOVEMENT_KIND, VEHICLE)
KIND = {kind.id: kind for kind in KINDS}
