"""The requirements that an entry may have for a fighter or an item."""

from __future__ import annotations

from rules.vocabulary.base import PackStruct


class Trait(PackStruct, frozen=True, cache_hash=True):
    """One test of a fighter. All given parts must hold.

    `profile` is matched against the fighter's profile and every profile it counts as.
    """

    profile: str = ""
    keyword: str = ""
    lacks_keyword: str = ""
    role: str = ""  # elite, troop, mercenary, special
    item: str = ""
    item_keyword: str = ""
    item_group: str = ""
    upgrade: str = ""
    skill: str = ""
    base_at_most_mm: int = 0
    base_from_mm: int = 0


class Holder(PackStruct, frozen=True):
    """The fighters that may carry or take something.

    They match one of `only_for` (if any), one of `and_also` (if any) and none of `not_for`.
    """

    only_for: tuple[Trait, ...] = ()
    and_also: tuple[Trait, ...] = ()
    not_for: tuple[Trait, ...] = ()


class ItemTest(PackStruct, frozen=True, cache_hash=True):
    """One test of an item (with the offer it is or would be held through). All given parts must hold."""

    item: str = ""
    category: str = ""  # ranged, melee, armour, equipment, field
    slot: str = ""
    group: str = ""
    keyword: str = ""
    lacks_keyword: str = ""
    weapon: bool = False
    restricted: bool = False  # the armoury entry restricts who may carry it
    limited: bool = False  # the armoury entry has a LIMIT
    over_ducats: int | None = None  # costs more than this
    for_glory: bool = False  # the armoury entry has a price in glory
    melee_hands: int = 0  # takes this many hands in melee, as printed
    ranged_hands: int = 0  # takes this many hands for shooting, as printed
    carrier_has_item_keyword: str = ""
