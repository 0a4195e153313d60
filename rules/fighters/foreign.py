"""The entries that a warband may pick from other lists."""

from __future__ import annotations

from collections.abc import Iterator

from rules import vocabulary as v
from rules.content.compiled import Content, ListContent
from rules.content.schema import ItemOffer
from rules.fighters.kit import bought_piece
from rules.fighters.matching import passes_any
from rules.fighters.sources import Cause, EffectSource, picks


def foreign_key(source: EffectSource, effect: v.ForeignPickEffect) -> str:
    """Return the key under which a foreign pick is stored: the rule's id, with the list if a rule has one pick per list."""
    several = sum(isinstance(e, v.ForeignPickEffect) for e in source.effects) > 1
    return f"{source.id}-{effect.lists[0]}" if several and effect.lists else source.id


class _Candidates(dict[tuple[str, v.ForeignPickEffect], tuple[ItemOffer, ...]]):
    """A cache of the candidates of each pick of each list."""

    def __init__(self, content: Content) -> None:
        super().__init__()
        self.content = content

    def __missing__(self, key: tuple[str, v.ForeignPickEffect]) -> tuple[ItemOffer, ...]:
        army, effect = self.content.lists[key[0]], key[1]
        banned = tuple(
            [t for rule in army.rules for e in rule.effects if isinstance(e, v.WarbandBanEffect) for t in e.items]
        )
        self[key] = found = tuple(
            [
                offer
                for offer in _sold_elsewhere(self.content, army, effect)
                if _is_within(self.content, effect, offer)
                and not _has_already(army, effect, offer)
                and not passes_any(banned, bought_piece(self.content, offer.item), None, self.content)
            ]
        )
        return found


def foreign_candidates(content: Content, army: ListContent, effect: v.ForeignPickEffect) -> tuple[ItemOffer, ...]:
    """Return the armoury entries of other lists that a foreign pick may choose.

    They are within its bounds and missing on the own list.
    """
    return content.once(_Candidates)[army.army.id, effect]


def _sold_elsewhere(content: Content, army: ListContent, effect: v.ForeignPickEffect) -> Iterator[ItemOffer]:
    """Yield the armoury entries of the lists that the pick names, else those of all other factions."""
    lists = effect.lists or [
        other.army.id
        for other in content.lists.values()
        if not other.army.faction and other.army.id != army.faction and not other.closed
    ]
    for list_id in lists:
        if list_id in content.lists:
            yield from content.lists[list_id].item_offers
        else:  # a list that is not in the pack yet: the entries of its armoury that the pack already has
            yield from (offer for offer in content.pack.item_offers if list_id in offer.lists)


def _has_already(army: ListContent, effect: v.ForeignPickEffect, offer: ItemOffer) -> bool:
    """Return whether the own list sells the item.

    Items of a third party's visitor do not count as part of the armoury.
    """
    return offer.id in army.item_offer_ids or any(
        (army.army.third_party or not own.third_party) and not (effect.held_for_some and own.who.only_for)
        for own in army.by_item.get(offer.item, ())
    )


def _is_within(content: Content, effect: v.ForeignPickEffect, offer: ItemOffer) -> bool:
    """Return whether an entry is within the bounds of a pick."""
    item = content.items[offer.item]
    if offer.exploration_only or item.slot in effect.not_slots:
        return False
    if effect.categories and item.category not in effect.categories:
        return False
    holders = offer.who.only_for
    if effect.no_profile_only and holders and all(trait.profile for trait in holders):
        return False
    return not any(isinstance(e, v.BuysFighterEffect) for e in item.effects)


def foreign_offers(content: Content, army: ListContent, cause: Cause) -> tuple[ItemOffer, ...]:
    """Return the entries chosen through a foreign pick."""
    effect: v.ForeignPickEffect = cause.effect
    chosen = (*picks(cause.source.choices, foreign_key(cause.source, effect)), *picks(cause.source.choices, "item"))
    if not chosen:
        return ()
    candidates = foreign_candidates(content, army, effect)
    matches = [next((o for o in candidates if pick in (o.id, o.item)), None) for pick in chosen]
    return tuple(dict.fromkeys(o for o in matches if o is not None))[: effect.count]
