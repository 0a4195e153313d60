"""What a fighter is right now, as a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules import vocabulary as v
from rules.content.schema import ItemOffer, KitSet, ProfileEntry, ProfileOffer
from rules.fighters.kit import CarriedItem
from rules.fighters.sources import Cause, EffectSource
from rules.force import Counted, GainedWord
from rules.price import Price


class Facts:
    """One fighter worked out. Built by `facts`, read by checker, offers and views; never changed afterwards."""

    __slots__ = (
        "abilities", "base", "becomes", "causes", "counts_as", "counts_except", "effects", "elite", "explicit", "findings", "groups", "hands_melee",
        "hands_ranged", "held", "item_ids", "item_keywords", "keyword_causes", "keywords", "kit_keywords", "leader", "mercenary",
        "missing", "movement", "offer", "printed", "profile", "profile_price", "rating", "removed_sets", "skills", "sources", "spent",
        "stats", "strong", "under", "upgrade_prices", "upgrades",
    )  # fmt: skip

    profile: ProfileEntry
    printed: ProfileEntry
    offer: ProfileOffer | ItemOffer | None
    counts_as: frozenset[str]
    counts_except: dict[str, frozenset[str]]
    keywords: frozenset[str]
    kit_keywords: frozenset[str]
    keyword_causes: tuple[GainedWord, ...]
    abilities: dict[str, str]
    held: tuple[CarriedItem, ...]
    effects: dict[type, list[Cause]]
    sources: tuple[EffectSource, ...]
    stats: dict[str, Counted]
    base: int
    movement: str
    elite: bool
    leader: bool
    mercenary: bool
    strong: bool
    hands_ranged: tuple[int, int]
    hands_melee: tuple[int, int]
    item_ids: frozenset[str]
    item_keywords: frozenset[str]
    groups: frozenset[str]
    upgrades: frozenset[str]
    skills: frozenset[str]
    rating: Price
    spent: Price
    profile_price: Price
    upgrade_prices: tuple[Price, ...]
    removed_sets: tuple[KitSet, ...]
    missing: tuple[tuple[str, str], ...]
    explicit: bool  # made from rows, which leave nothing unsaid
    findings: tuple[Any, ...] | None
    under: tuple[tuple[CarriedItem, ...], ...] | None  # the pieces under each of the warband's rules on what it owns
    becomes: v.BecomesEffect | None

    def of(self, kind: type) -> Sequence[Cause]:
        """The fighter's effects of one type (its warband's included)."""
        return self.effects.get(kind, ())

    def is_profile(self, profile: str, item: str = "") -> bool:
        """Whether a rule naming this profile means the fighter (for `item`, where it counts as another except for some items)."""
        if profile == self.profile.id:
            return True
        return profile in self.counts_as and not (item and item in self.counts_except.get(profile, ()))
