"""How many hands a fighter has, and what takes them when it shoots and when it fights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Bearer
from rules.fighters.kit import CarriedItem, HandUse
from rules.fighters.matching import passes_any
from rules.fighters.sources import Cause
from rules.vocabulary import ItemTest

_WORN = {"shield", "standard", "instrument"}


class UsedHands(NamedTuple):
    """Hands used and had, for shooting and for fighting, and what takes them. With one budget for everything both are the same."""

    ranged: tuple[int, int]
    melee: tuple[int, int]
    uses: tuple[HandUse, ...]


class _Budget:
    """The hands a fighter has, and how many of its pieces may still take one hand instead of two."""

    ranged = melee = 2
    pool: int | None = None
    no_combo = False
    lighter = 0
    light_items: tuple[ItemTest, ...] = ()
    strong_ranged = 0

    def __init__(self, effects: Sequence[v.HandsEffect], strong: bool) -> None:
        self.strong_melee = int(strong)
        if effects:
            self._change(effects, strong)

    def _change(self, effects: Sequence[v.HandsEffect], strong: bool) -> None:
        strong_arms = 1
        for effect in effects:
            self.ranged = self.ranged if effect.set_ranged is None else effect.set_ranged
            self.melee = self.melee if effect.set_melee is None else effect.set_melee
            self.pool = self.pool if effect.pool is None else effect.pool
            strong_arms = strong_arms if effect.strong_arms is None else effect.strong_arms
        self.ranged += sum(e.add_ranged for e in effects)
        self.melee += sum(e.add_melee for e in effects)
        self.no_combo = any(e.no_shield_combo for e in effects)
        light = [e for e in effects if e.in_one_hand is not None]
        self.lighter = sum(e.in_one_hand or 0 for e in light)
        self.light_items = tuple([test for e in light for test in e.in_one_hand_items])
        self.strong_melee = strong_arms if strong and not light else 0
        self.strong_ranged = self.strong_melee if any(e.strong_for_ranged for e in effects) else 0

    def use_of(self, content: Content, held: CarriedItem, who: Bearer) -> HandUse:
        """The hands a two-handed weapon takes: fewer where something makes it light or its bearer strong."""
        melee, ranged = held.hands.melee, held.hands.ranged
        if self.lighter and passes_any(self.light_items, held, who, content):
            self.lighter -= 1
            return HandUse(held, min(ranged, 1), min(melee, 1))
        if "CUMBERSOME" not in held.keywords:
            if melee >= 2 and self.strong_melee:
                self.strong_melee -= 1
                melee = 1
            if ranged >= 2 and self.strong_ranged:
                self.strong_ranged -= 1
                ranged = 1
        return HandUse(held, ranged, melee)


def _takes_no_hand(content: Content) -> frozenset[str]:
    """Items that take no hand of their bearer."""
    return frozenset(
        item.id
        for item in content.items.values()
        if item.built_in or item.slot == "grenade" or any(isinstance(e, v.NoSlotEffect) for e in item.effects)
    )


def used_hands(
    content: Content, who: Bearer, pieces: Sequence[CarriedItem], effects: Mapping[type, list[Cause]]
) -> UsedHands:
    """The hands a fighter uses and has. A shield takes none beside a weapon with SHIELD COMBO."""
    budget = _Budget([cause.effect for cause in effects.get(v.HandsEffect, ())], "STRONG" in who.keywords)
    worn_count = content.reading("shields_cost_hands", True)
    handless = content.once(_takes_no_hand)
    uses: list[HandUse] = []
    shields: list[CarriedItem] = []
    combos: set[str] = set()
    for held in pieces:
        item = held.item
        if "SHIELD COMBO" in held.keywords:
            combos.add(item.category)
        if item.id in handless:
            continue
        if item.slot not in _WORN:
            hands = held.hands
            if hands.melee > 1 or hands.ranged > 1:
                uses.append(budget.use_of(content, held, who))
            elif hands.melee or hands.ranged:
                uses.append(HandUse(held, hands.ranged, hands.melee))
        elif not worn_count:
            continue
        elif item.slot == "shield":
            shields.append(held)
        else:
            uses.append(HandUse(held, held.hands.ranged or 1, held.hands.melee or 1))
    if shields:
        beside_gun, beside_blade = (int(category not in combos or budget.no_combo) for category in ("ranged", "melee"))
        uses += [HandUse(shield, beside_gun, beside_blade) for shield in shields]
    ranged, melee = sum([use.ranged for use in uses]), sum([use.melee for use in uses])
    if budget.pool is not None:
        both = ranged + melee - len(shields), budget.pool  # a shield is held once
        return UsedHands(both, both, tuple(uses))
    return UsedHands((ranged, max(0, budget.ranged)), (melee, max(0, budget.melee)), tuple(uses))
