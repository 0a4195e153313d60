"""What a warband may pick from other lists."""

from __future__ import annotations

from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent
from rules.content.schema import ItemOffer
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes
from rules.fighters.sources import Cause, EffectSource, picks


def foreign_key(cause_source: EffectSource, effect: v.ForeignPickEffect) -> str:
    """The key under which a foreign pick is kept: the rule's id, with the list where a rule has one pick per list."""
    several = sum(isinstance(e, v.ForeignPickEffect) for e in cause_source.effects) > 1
    return f"{cause_source.id}-{effect.lists[0]}" if several and effect.lists else cause_source.id


def foreign_candidates(content: Content, army: ListContent, effect: v.ForeignPickEffect) -> tuple[ItemOffer, ...]:
    """Armoury entries of other lists that a foreign pick may choose: those the own list lacks, within the pick's bounds. Remembered."""
    known: dict[Any, tuple[ItemOffer, ...]] = content.cache.setdefault("foreign-candidates", {})
    key = (army.army.id, effect)
    if key not in known:
        known[key] = _foreign_candidates(content, army, effect)
    return known[key]


def _foreign_candidates(content: Content, army: ListContent, effect: v.ForeignPickEffect) -> tuple[ItemOffer, ...]:
    lists = effect.lists or tuple(
        x.army.id for x in content.lists.values() if not x.army.faction and x.army.id != army.faction and not x.closed
    )
    found = []
    banned = [t for r in army.rules for e in r.effects if isinstance(e, v.WarbandBanEffect) for t in e.items]
    for list_id in lists:
        held = content.lists[list_id].item_offers if list_id in content.lists else None
        if held is None:  # a list that is not in yet: what the pack already holds of its armoury
            held = tuple(o for o in content.pack.item_offers if list_id in o.lists)
        for offer in held:
            item = content.items[offer.item]
            own = army.by_item.get(offer.item, ())
            if not army.army.third_party:  # what a third party's visitor brings along is not of the armoury
                own = tuple(o for o in own if not o.third_party)
            if effect.held_for_some:
                own = tuple(o for o in own if not o.who.only_for)
            if own or offer.id in army.item_offer_ids or offer.exploration_only:
                continue
            piece = CarriedItem(item, -1, "bought", content.item_keywords[item.id], None)
            if any(item_passes(t, piece, None, content) for t in banned):
                continue
            if effect.categories and item.category not in effect.categories:
                continue
            if item.slot in effect.not_slots:
                continue
            only = offer.who.only_for
            if effect.no_profile_only and only and all(t.profile for t in only):
                continue
            if any(isinstance(e, v.BuysFighterEffect) for e in item.effects):
                continue
            found.append(offer)
    return tuple(found)


def foreign_offers(content: Content, army: ListContent, cause: Cause) -> tuple[ItemOffer, ...]:
    """The entries chosen through a foreign pick."""
    effect: v.ForeignPickEffect = cause.effect
    chosen = (*picks(cause.source.choices, foreign_key(cause.source, effect)), *picks(cause.source.choices, "item"))
    if not chosen:
        return ()
    known = foreign_candidates(content, army, effect)
    found: list[ItemOffer] = []
    for pick in chosen:
        match = next((o for o in known if pick in (o.id, o.item)), None)
        if match is not None and match not in found:
            found.append(match)
    return tuple(found[: effect.count])
