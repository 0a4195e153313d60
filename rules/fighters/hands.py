"""How many hands a fighter has, and what takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes
from rules.fighters.sources import Cause

WORN = {"shield", "standard", "instrument"}


Use = tuple[CarriedItem, int, int]  # a piece, and the hands it takes when shooting and when fighting


def hand_uses(content: Content, who: Facts) -> tuple[Use, ...]:
    """What takes the fighter's hands, piece by piece; a shield that takes none beside its weapon is told with none."""
    told: list[Use] = []
    set_hands(content, who, who.effects, told)
    return tuple(told)


def set_hands(content: Content, who: Facts, effects: Mapping[type, list[Cause]], told: list[Use] | None = None) -> None:
    """Work out hands used and had. `told` gathers what takes them."""
    marks: list[Use] = []
    ranged_of, melee_of = 2, 2
    pool: int | None = None
    strong_arms = 1
    strong_ranged = no_combo = False
    for cause in effects.get(v.HandsEffect, ()):
        change: v.HandsEffect = cause.effect
        if change.set_ranged is not None:
            ranged_of = change.set_ranged
        if change.set_melee is not None:
            melee_of = change.set_melee
        if change.pool is not None:
            pool = change.pool
        if change.strong_arms is not None:
            strong_arms = change.strong_arms
        strong_ranged = strong_ranged or change.strong_for_ranged
        no_combo = no_combo or change.no_shield_combo
    for cause in effects.get(v.HandsEffect, ()):
        ranged_of += cause.effect.add_ranged
        melee_of += cause.effect.add_melee
    cost_hands = content.reading("shields_cost_hands", True)
    light = [c.effect for c in effects.get(v.HandsEffect, ()) if c.effect.in_one_hand is not None]
    lighter = sum(e.in_one_hand or 0 for e in light)
    arms = strong_arms if who.strong and not light else 0
    gun_arms = strong_arms if who.strong and strong_ranged and not light else 0
    ranged = melee = shields = 0
    combo_ranged = combo_melee = False
    for h in who.held:
        item = h.item
        if told is not None:
            marks.append((h, ranged, melee))
        if item.category == "ranged" and "SHIELD COMBO" in h.keywords:
            combo_ranged = True
        if item.category == "melee" and "SHIELD COMBO" in h.keywords:
            combo_melee = True
        if item.built_in or any(isinstance(e, v.NoSlotEffect) for e in item.effects):
            continue
        if item.slot in WORN:
            if not cost_hands:
                continue
            if item.slot == "shield":
                shields += 1
            else:
                ranged += h.hands.ranged or 1
                melee += h.hands.melee or 1
            continue
        if item.slot == "grenade":
            continue
        needs = h.hands
        if lighter and max(needs.melee, needs.ranged) >= 2 and _any_passes(light, h, who, content):
            lighter -= 1
            melee, ranged = melee + min(needs.melee, 1), ranged + min(needs.ranged, 1)
            continue
        if needs.melee >= 2 and arms and "CUMBERSOME" not in h.keywords:
            melee += 1
            arms -= 1
        else:
            melee += needs.melee
        if needs.ranged >= 2 and gun_arms and "CUMBERSOME" not in h.keywords:
            ranged += 1
            gun_arms -= 1
        else:
            ranged += needs.ranged
    if told is not None:
        ends = [*((after, later) for _, after, later in marks[1:]), (ranged, melee)]
        for (held, before, earlier), (after, later) in zip(marks, ends, strict=False):
            if after > before or later > earlier:
                told.append((held, after - before, later - earlier))
        if shields:
            each = int(not combo_ranged or no_combo), int(not combo_melee or no_combo)
            told += [(h, *each) for h in who.held if h.item.slot == "shield" and not h.item.built_in]
    if shields:
        ranged += 0 if combo_ranged and not no_combo else shields
        melee += 0 if combo_melee and not no_combo else shields
    if pool is not None:
        # one budget for everything: a shield is held once
        total = ranged + melee - (shields if shields else 0)
        who.hands_ranged = who.hands_melee = (total, pool)
        return
    who.hands_ranged, who.hands_melee = (ranged, max(0, ranged_of)), (melee, max(0, melee_of))


def _any_passes(light: Sequence[v.HandsEffect], held: CarriedItem, who: Facts, content: Content) -> bool:
    return any(item_passes(t, held, who, content) for e in light for t in e.in_one_hand_items)
