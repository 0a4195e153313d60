"""A warband as immutable values for the rules, made from a roster document or from the rows of the database.

The checker, the offers and the sheets all use this shape. Keys are opaque strings that come back in problems and offers
(the
console uses positions, the app primary keys).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rules.custom.profiles import CustomProfile
from rules.price import Price

ItemOrigin = Literal["bought", "found", "looted", "starting", "granted", "mandatory"]
FighterStatus = Literal["active", "captive", "dead", "dismissed", "retired", "sold", "left"]


@dataclass(frozen=True, slots=True)
class ForceItem:
    """One owned item. `offer` is the armoury entry it was bought through ("": found, or comes with the profile)."""

    key: str
    item: str
    origin: ItemOrigin = "bought"
    offer: str = ""
    paid: Price = Price()
    choices: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ForceUpgrade:
    """An upgrade that was taken: its offer, its price, and its sub-choice (`option`)."""

    key: str
    upgrade: str
    offer: str = ""
    paid: Price = Price()
    option: str = ""
    choices: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ForceSkill:
    """A learned skill, with the choice it asked for."""

    key: str
    skill: str
    choices: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ForceTrauma:
    """A trauma: the details it asked for, whether it left a scar, and the number of the battle in which it was suffered."""

    key: str
    trauma: str
    scar: bool = True
    details: dict[str, Any] = field(default_factory=dict, hash=False)
    battle: int = 0


@dataclass(frozen=True, slots=True)
class ForceFighter:
    """One row of the roster (a fighter; in other games also a squad or a vehicle, with `count` models)."""

    key: str
    name: str
    profile: str
    offer: str = ""
    paid: Price = Price()
    count: int = 1
    status: FighterStatus = "active"
    hired_as: str = "own"
    kit: tuple[ForceItem, ...] = ()
    upgrades: tuple[ForceUpgrade, ...] = ()
    skills: tuple[ForceSkill, ...] = ()
    traumas: tuple[ForceTrauma, ...] = ()
    scars: int | None = None  # None: counted from the traumas
    experience: int = 0
    advances: int = 0  # skill advancements already taken
    promoted: bool = False
    demoted: bool = False
    misses_battle: int = 0  # the battle number this fighter sits out
    lifeless: bool = False  # killed, and still on the roster until it is brought back or dismissed
    choices: dict[str, Any] = field(default_factory=dict, hash=False)
    state: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def active(self) -> bool:
        """Return whether the fighter counts towards the roster's limits (captives count; the dead do not)."""
        return self.status == "active"


@dataclass(frozen=True, slots=True)
class Battles:
    """Battles fought by this warband, and those credited to a latecomer."""

    fought: int = 0
    credited: int = 0

    @property
    def next_number(self) -> int:
        """Return the number of the next battle, for threshold, field strength and scenario table."""
        return self.fought + self.credited + 1


@dataclass(frozen=True, slots=True)
class Force:
    """A whole warband. `list` is the id of its faction list or variant list.

    `budget` is the money it was founded with (None: the list's own start value before the first battle, unchecked
    afterwards).
    `strongbox` is the money it holds now (None: worked out from budget and prices, as for a roster document). `lost`
    holds items that
    are gone but still have an effect (a title whose bearer died).
    """

    game: str
    edition: str
    list: str
    mode: Literal["campaign", "one-off"] = "campaign"
    name: str = ""
    patron: str = ""
    founding: bool = True
    budget: Price | None = None
    strongbox: Price | None = None
    battles: Battles = Battles()
    fighters: tuple[ForceFighter, ...] = ()
    stash: tuple[ForceItem, ...] = ()
    lost: tuple[ForceItem, ...] = ()
    choices: dict[str, Any] = field(default_factory=dict, hash=False)
    lasting: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    exploration_skills: tuple[str, ...] = ()
    promotion_misses: int = 0
    state: dict[str, Any] = field(default_factory=dict, hash=False)
    library: tuple[CustomProfile, ...] = field(
        default=(), hash=False
    )  # what may be taken, where players write their own profiles

    def fighter(self, key: str) -> ForceFighter:
        """Return the fighter with this key. Raises KeyError."""
        for fighter in self.fighters:
            if fighter.key == key:
                return fighter
        raise KeyError(key)

    def with_fighter(self, changed: ForceFighter) -> Force:
        """Return a copy in which this fighter replaces the one with the same key, or is added at the end."""
        known = any(f.key == changed.key for f in self.fighters)
        rows = tuple(changed if f.key == changed.key else f for f in self.fighters)
        return replace(self, fighters=rows if known else (*rows, changed))


@dataclass(frozen=True, slots=True)
class Counted:
    """A number of a fighter with its origin: the `printed` value, the current one, and each cause as text."""

    value: int | None
    printed: int | None
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GainedWord:
    """A keyword or ability with its state and cause ("" when printed)."""

    id: str
    name: str
    state: Literal["printed", "gained", "lost"] = "printed"
    cause: str = ""


@dataclass(frozen=True, slots=True)
class FighterView:
    """A fighter as it is now, after all effects. Money is in whole ducats and glory."""

    key: str
    name: str
    profile: str
    profile_name: str
    elite: bool
    leader: bool
    mercenary: bool
    stats: dict[str, Counted] = field(hash=False)  # movement, ranged, melee, armour, base
    movement: str = "infantry"
    keywords: tuple[GainedWord, ...] = ()
    abilities: tuple[GainedWord, ...] = ()
    counts_as: tuple[str, ...] = ()
    hands_ranged: tuple[int, int] = (0, 2)  # used, available
    hands_melee: tuple[int, int] = (0, 2)
    kit: tuple[ForceItem, ...] = ()  # everything it carries, mandatory kit included
    rating: Price = Price()
    scar_limit: int = 2
    scars: int = 0
    next_advance: int | None = None
    experience_cap: int = 18
    may_be_promoted: bool = False
    may_learn: bool = False
    reminders: tuple[tuple[str, str], ...] = ()  # (source name, words) for the sheet
    immune: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict, hash=False)  # further facts of the game about it, as JSON

    def has(self, keyword: str) -> bool:
        """Return whether the fighter has the keyword now."""
        return any(k.name == keyword and k.state != "lost" for k in self.keywords)
