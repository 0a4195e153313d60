"""The weapons of the book of A Trench Too Far, in the form in which players write theirs.

Source: A Trench Too Far core rules, "Weapons", "Tanks".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rules.custom.parse import read, slug
from rules.trench_too_far.charts import (
    PLATOON_WEAPON,
    TANK_WEAPONS,
    WEAPON,
    WEAPONS,
)
from rules.trench_too_far.profile_fields import TANK_ONLY, WEAPON_KIND


def of_the_book() -> Iterator[tuple[str, str, dict[str, Any]]]:
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
    for tank in TANK_ONLY:
        gun = tank.id == "tank-gun-ap"
        yield tank.id, tank.name, {
            "range": cannon.range_inches if gun else 0,
            "attacks": cannon.attacks if gun else 0,
            "tank_range": tank.range_inches,
            "tank_attacks": tank.attacks,
            "tank_save": tank.save_modifier,
        }  # fmt: skip


@cache
def book_weapons() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return the book's weapons by id and by the key of their name: (name, data)."""
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for ident, name, data in of_the_book():
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
    return book_weapons()[slug(name)][1]


def known_name(data: Mapping[str, Any], name: str) -> str:
    """Return the name as the profile or the book spells it, or unchanged if neither has it."""
    own = next((str(each["name"]) for each in data["weapons"] if slug(each["name"]) == slug(name)), "")
    book = book_weapons().get(slug(name))
    return own or (book[0] if book else name)


def usual_weapon(platoon_type: str) -> str:
    """Return the name of the default weapon of a type of platoon."""
    ident = PLATOON_WEAPON.get(platoon_type) or PLATOON_WEAPON.get("rifle", "rifles")
    return book_weapons()[ident][0]
