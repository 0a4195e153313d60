"""The printed tables of A Trench Too Far as data.

The tables list weapons against troops and against tanks, movement, qualities, classes and reliability. Distances are in
inches, dice are D6, and a target of 4 means 4+. The book calls its weapons typical: a new profile starts from them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChartWeapon:
    """A weapon against troops.

    `range_inches` None: as far as the shooter can see. `close_range_inches` and `close_attacks`: more dice at short
    range. `harassing_inches`: the range of harassing fire. `indirect`: it may fire at targets it cannot see. `jams`:
    three natural 1s remove it. `heavy`: a heavy weapons team uses it. `artillery`, `mortar`: how it counts for close
    order and for trenches.
    """

    id: str
    name: str
    range_inches: float | None
    attacks: int
    close_range_inches: float = 0
    close_attacks: int = 0
    harassing_inches: float = 0
    indirect: bool = False
    jams: bool = False
    heavy: bool = False
    artillery: bool = False
    mortar: bool = False


@dataclass(frozen=True, slots=True)
class TankWeapon:
    """A weapon against tanks.

    `save_modifier` is added to the tank's save. `weapons` are the ids of the weapons against troops that it belongs to.
    """

    id: str
    name: str
    range_inches: float
    attacks: int
    save_modifier: int
    weapons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Movement:
    """The distance that a kind of unit moves: at its standard rate, and on a march or a retreat."""

    id: str
    name: str
    standard_inches: float
    march_inches: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating and the target number for its dice."""

    id: str
    name: str
    target: int


WEAPONS = (
    ChartWeapon("rifles", "Rifles", 18, 1),
    ChartWeapon("carbines", "Carbines", 12, 1),
    ChartWeapon("lmg", "LMG", 18, 2),
    ChartWeapon("hmg", "HMG", 24, 4, harassing_inches=30, jams=True, heavy=True),
    ChartWeapon("trench-mortar", "Trench mortar", 15, 2, indirect=True, heavy=True, mortar=True),
    ChartWeapon("field-artillery", "Field artillery", 36, 2, indirect=True, heavy=True, artillery=True),
    ChartWeapon("tank-mg", "Tank MG", 12, 1),
    ChartWeapon("tank-cannon", "Tank cannon", 24, 1),
    ChartWeapon("militia", "Militia arms", 12, 1),
    ChartWeapon("anti-tank-gun", "Anti-tank gun", 36, 1, heavy=True),
    ChartWeapon("heavy-infantry", "Heavy infantry arms", 18, 1, close_range_inches=12, close_attacks=2),
    ChartWeapon("sniper", "Sniper", None, 1),
)
TANK_WEAPONS = (
    TankWeapon("hmg", "HMG", 8, 2, 1),
    TankWeapon("trench-mortar", "Trench mortar", 15, 1, 0),
    TankWeapon("artillery", "Artillery", 36, 2, -1, ("field-artillery",)),
    TankWeapon("anti-tank-rifle", "Anti-tank rifle", 8, 1, 0),
    TankWeapon("tank-gun-shell", "Tank gun, shell", 24, 1, -1, ("tank-cannon",)),
    TankWeapon("tank-gun-ap", "Tank gun, AP", 24, 1, -2),
    TankWeapon("infantry", "Infantry, LMG", 6, 1, 2, ("rifles", "carbines", "lmg")),
    TankWeapon("anti-tank-gun", "Anti-tank gun", 36, 1, -2),
    TankWeapon("heavy-infantry", "Heavy infantry", 12, 1, 1),
)
MOVEMENT = (
    Movement("infantry", "Infantry", 4, 6),
    Movement("cavalry", "Cavalry", 8, 10),
    Movement("machine-gun", "Machine gun", 2, 6),
    Movement("heavy-weapon", "Other heavy weapons", 1, 4),
)
PRONE_INCHES = 1
TANK_LEAST_INCHES, TANK_MOST_INCHES = 4, 12

QUALITIES = (
    Rated("shaky", "Shaky", 6),
    Rated("uncertain", "Uncertain", 5),
    Rated("steady", "Steady", 4),
    Rated("determined", "Determined", 3),
    Rated("stubborn", "Stubborn", 2),
)
TANK_CLASSES = (
    Rated("armoured-car", "Armoured car", 5),
    Rated("light", "Light tank", 4),
    Rated("medium", "Medium tank", 3),
    Rated("heavy", "Heavy tank", 2),
)
RELIABILITY = (
    Rated("unreliable", "Unreliable", 3),
    Rated("stable", "Stable", 2),
    Rated("sturdy", "Sturdy", 1),
)
POSITIONS = (  # the save, if the position gives one
    Rated("closed", "Closed order", 0),
    Rated("dispersed", "Dispersed", 6),
    Rated("prone", "Prone", 5),
    Rated("cover", "Cover", 4),
    Rated("entrenched", "Entrenched", 3),
)
# The default weapon of a base of a platoon, and the row of the movement table that the platoon uses.
PLATOON_WEAPON = {
    "rifle": "rifles",
    "militia": "militia",
    "heavy-infantry": "heavy-infantry",
    "assault": "carbines",
    "cavalry": "carbines",
    "engineers": "rifles",
    "remnant": "militia",
}
MOVES_AS = {
    "cavalry": "cavalry",
    "hmg": "machine-gun",
    "trench-mortar": "heavy-weapon",
    "field-artillery": "heavy-weapon",
    "anti-tank-gun": "heavy-weapon",
    "anti-tank-rifle": "heavy-weapon",
}
HEAVY_TEAMS = ("hmg", "trench-mortar", "field-artillery", "anti-tank-gun", "anti-tank-rifle")
TEAMS = (*HEAVY_TEAMS, "lmg", "sniper")

WEAPON = {weapon.id: weapon for weapon in WEAPONS}
TANK_WEAPON = {key: weapon for weapon in TANK_WEAPONS for key in (weapon.id, *weapon.weapons)}
QUALITY = {rated.id: rated.target for rated in QUALITIES}
TANK_CLASS = {rated.id: rated.target for rated in TANK_CLASSES}
RELIABLE = {rated.id: rated.target for rated in RELIABILITY}
SAVE = {rated.id: rated.target or None for rated in POSITIONS}
MOVES = {movement.id: movement for movement in MOVEMENT}
NAMES = {
    rated.id: rated.name for rated in (*QUALITIES, *TANK_CLASSES, *RELIABILITY, *POSITIONS, *WEAPONS, *TANK_WEAPONS)
}


def moves(kind: str) -> Movement:
    """Return the row of the movement table for a type of platoon or team. LMGs and snipers move as infantry."""
    return MOVES[MOVES_AS.get(kind, "infantry")]
