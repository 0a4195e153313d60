"""The current state of a fighter as frozen values: `Bearer` is the part that requirements may test, `Facts` is everything.

Both are msgspec structs, as frozen as a frozen dataclass: one is made for every fighter of every change that is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from rules import vocabulary as v
from rules.content.schema import ItemOffer, KitSet, ProfileEntry, ProfileOffer
from rules.fighters.kit import CarriedItem, HandUse
from rules.fighters.sources import Cause
from rules.force import Counted, GainedWord
from rules.price import Price


class Bearer(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """A fighter as the possible bearer of something: all that a `Trait` may test."""

    profile: ProfileEntry
    counts_as: frozenset[str]
    counts_except: dict[str, frozenset[str]]
    mercenary: bool
    elite: bool
    keywords: frozenset[str]
    kit_keywords: frozenset[str]  # by which its kit is judged: a head wound does not remove ELITE here
    base: int
    item_ids: frozenset[str]
    item_keywords: frozenset[str]
    groups: frozenset[str]
    upgrades: frozenset[str]
    skills: frozenset[str]

    @property
    def role(self) -> str:
        """Return the current role: "mercenary", "elite", or the role of its profile.

        An elite profile that lost ELITE is a troop.
        """
        if self.mercenary:
            return "mercenary"
        if self.elite:
            return "elite"
        return "troop" if self.profile.role == "elite" else self.profile.role

    def is_profile(self, profile: str, item: str = "") -> bool:
        """Return whether a rule that names this profile applies to the fighter.

        `item`: the item concerned, for fighters that count as another profile except for some items.
        """
        if profile == self.profile.id:
            return True
        return profile in self.counts_as and not (item and item in self.counts_except.get(profile, ()))


@dataclass(slots=True, eq=False)
class Remembered:
    """What the checker finds out about one fighter. It depends on the facts and the content alone, so it is cached with them."""

    findings: tuple[Any, ...] | None = None  # the problems of the fighter by itself
    counted: tuple[str, ...] | None = None  # the armoury entries of the copies that count towards their limits
    under: tuple[tuple[CarriedItem, ...], ...] | None = (
        None  # the items under each of the warband's rules on owned items
    )


class Facts(Bearer, frozen=True, eq=False, kw_only=True):
    """The full state of one fighter, for the checker, offers and views."""

    printed: ProfileEntry
    becomes: v.BecomesEffect | None
    offer: ProfileOffer | ItemOffer | None
    leader: bool
    keyword_causes: tuple[GainedWord, ...]
    abilities: dict[str, str]  # with the name of the source, "" for a printed one
    effects: dict[type, list[Cause]]
    stats: dict[str, Counted]
    movement: str
    held: tuple[CarriedItem, ...]
    removed_sets: tuple[KitSet, ...]
    missing: tuple[tuple[str, str], ...]
    hands_ranged: tuple[int, int]  # used, available
    hands_melee: tuple[int, int]
    hand_uses: tuple[HandUse, ...]
    rating: Price
    spent: Price
    profile_price: Price
    upgrade_prices: tuple[Price, ...]
    explicit: bool  # made from rows, which list everything
    remembered: Remembered = msgspec.field(default_factory=Remembered)

    def of(self, kind: type) -> Sequence[Cause]:
        """Return the fighter's effects of one type (its warband's included)."""
        return self.effects.get(kind, ())
