"""The hands of a fighter, and the items that take them when it shoots and when it fights."""

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
    """Hands used and available, for shooting and for fighting, and the items that take them.

    If the fighter has one budget for everything, both are the same.
    """

    ranged: tuple[int, int]
    melee: tuple[int, int]
    uses: tuple[HandUse, ...]


class _Budget:
    """The hands of a fighter, and how many of its items may still take one hand instead of two."""

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
        self.ranged = _last([e.set_ranged for e in effects], 2) + sum(e.add_ranged for e in effects)
        self.melee = _last([e.set_melee for e in effects], 2) + sum(e.add_melee for e in effects)
        self.pool = next((e.pool for e in reversed(effects) if e.pool is not None), None)
        self.no_combo = any(e.no_shield_combo for e in effects)
        light = [e for e in effects if e.in_one_hand is not None]
        self.lighter = sum(e.in_one_hand or 0 for e in light)
        self.light_items = tuple([test for e in light for test in e.in_one_hand_items])
        self.strong_melee = _last([e.strong_arms for e in effects], 1) if strong and not light else 0
        self.strong_ranged = self.strong_melee if any(e.strong_for_ranged for e in effects) else 0

    def use_of(self, content: Content, held: CarriedItem, who: Bearer) -> HandUse:
        """Return the hands that a two-handed weapon takes: fewer if an effect makes it light or its bearer strong."""
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


def _last(numbers: Sequence[int | None], default: int) -> int:
    """Return the last number that is set."""
    return next((number for number in reversed(numbers) if number is not None), default)


def _takes_no_hand(content: Content) -> frozenset[str]:
    """Return the items that take no hand of their bearer."""
    return frozenset(
        item.id
        for item in content.items.values()
        if item.built_in or item.slot == "grenade" or any(isinstance(e, v.NoSlotEffect) for e in item.effects)
    )


def _beside(shields: Sequence[CarriedItem], pieces: Sequence[CarriedItem]) -> list[HandUse]:
    """Return the hands that shields take beside these pieces: none beside a weapon with SHIELD COMBO."""
    combos = {held.item.category for held in pieces if "SHIELD COMBO" in held.keywords}
    return [HandUse(shield, int("ranged" not in combos), int("melee" not in combos)) for shield in shields]


def used_hands(
    content: Content, who: Bearer, pieces: Sequence[CarriedItem], effects: Mapping[type, list[Cause]]
) -> UsedHands:
    """Return the hands that a fighter uses and has. A shield takes none beside a weapon with SHIELD COMBO."""
    budget = _Budget([cause.effect for cause in effects.get(v.HandsEffect, ())], "STRONG" in who.keywords)
    handless = content.once(_takes_no_hand)
    worn = content.reading("shields_cost_hands", True)
    uses: list[HandUse] = []
    shields: list[CarriedItem] = []
    for held in pieces:
        slot = held.item.slot
        if held.item.id in handless or (slot in _WORN and not worn):
            continue
        hands = held.hands
        if slot == "shield":
            shields.append(held)
        elif slot in _WORN:
            uses.append(HandUse(held, hands.ranged or 1, hands.melee or 1))
        elif hands.melee > 1 or hands.ranged > 1:
            uses.append(budget.use_of(content, held, who))
        elif hands.melee or hands.ranged:
            uses.append(HandUse(held, hands.ranged, hands.melee))
    if shields:
        uses += _beside(shields, () if budget.no_combo else pieces)
    ranged, melee = sum([use.ranged for use in uses]), sum([use.melee for use in uses])
    if budget.pool is not None:
        both = ranged + melee - len(shields), budget.pool  # a shield is held once
        return UsedHands(both, both, tuple(uses))
    return UsedHands((ranged, max(0, budget.ranged)), (melee, max(0, budget.melee)), tuple(uses))
