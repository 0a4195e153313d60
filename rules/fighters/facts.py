"""What a fighter is right now, as frozen values: `Bearer` is what a requirement may look at, `Facts` is everything.

They are msgspec structs, as frozen as a frozen dataclass: one is made for every fighter of every change that is tried.
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
    """Who may carry, take or be something: all that a `Trait` may ask of a fighter."""

    profile: ProfileEntry
    counts_as: frozenset[str]
    counts_except: dict[str, frozenset[str]]
    mercenary: bool
    elite: bool
    keywords: frozenset[str]
    kit_keywords: frozenset[str]  # by which its kit is judged: ELITE is not lost there by a head wound
    base: int
    item_ids: frozenset[str]
    item_keywords: frozenset[str]
    groups: frozenset[str]
    upgrades: frozenset[str]
    skills: frozenset[str]

    @property
    def role(self) -> str:
        """What it is now: "mercenary", "elite", or the role of its profile; an elite profile that lost ELITE is a troop."""
        if self.mercenary:
            return "mercenary"
        if self.elite:
            return "elite"
        return "troop" if self.profile.role == "elite" else self.profile.role

    def is_profile(self, profile: str, item: str = "") -> bool:
        """Whether a rule that names this profile means the fighter (for `item`, where it counts as another except for some items)."""
        if profile == self.profile.id:
            return True
        return profile in self.counts_as and not (item and item in self.counts_except.get(profile, ()))


@dataclass(slots=True, eq=False)
class Remembered:
    """What the checker found out about one fighter. It depends on the facts alone, so it is remembered with them."""

    findings: tuple[Any, ...] | None = None  # what the fighter breaks by itself
    under: tuple[tuple[CarriedItem, ...], ...] | None = (
        None  # the pieces under each of the warband's rules on what it owns
    )


class Facts(Bearer, frozen=True, eq=False, kw_only=True):
    """One fighter worked out: what checker, offers and views read."""

    printed: ProfileEntry
    becomes: v.BecomesEffect | None
    offer: ProfileOffer | ItemOffer | None
    leader: bool
    keyword_causes: tuple[GainedWord, ...]
    abilities: dict[str, str]  # with the name of what gave it, "" for a printed one
    effects: dict[type, list[Cause]]
    stats: dict[str, Counted]
    movement: str
    held: tuple[CarriedItem, ...]
    removed_sets: tuple[KitSet, ...]
    missing: tuple[tuple[str, str], ...]
    hands_ranged: tuple[int, int]  # used, of
    hands_melee: tuple[int, int]
    hand_uses: tuple[HandUse, ...]
    rating: Price
    spent: Price
    profile_price: Price
    upgrade_prices: tuple[Price, ...]
    explicit: bool  # made from rows, which leave nothing unsaid
    remembered: Remembered = msgspec.field(default_factory=Remembered)

    def of(self, kind: type) -> Sequence[Cause]:
        """The fighter's effects of one type (its warband's included)."""
        return self.effects.get(kind, ())
