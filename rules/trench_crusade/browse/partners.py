"""The index of items that work together: attachments, items that change another, and a shield with what may be used
beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.content.compiled import Content
from rules.content.schema import ItemEntry
from rules.vocabulary import AttachesEffect, ItemKeywordEffect, RangeEffect, Trait

MAXIMUM = 60  # partners of an item shown by name; more would be most of the armoury


def partners(content: Content) -> Mapping[str, tuple[str, ...]]:
    """Return the items that each item works with, sorted by name. Cached with the content."""
    known: dict[str, tuple[str, ...]] | None = content.cache.get("partners")
    if known is None:
        pairs: dict[str, set[str]] = {}
        for item in content.pack.items:
            for group in _partner_groups(content, item):
                others = [other.id for other in group if other.id != item.id]
                if len(others) <= MAXIMUM:
                    for other in others:
                        pairs.setdefault(item.id, set()).add(other)
                        pairs.setdefault(other, set()).add(item.id)
        order = {item.id: (item.name, index) for index, item in enumerate(content.pack.items)}
        known = {item: tuple(sorted(others, key=lambda x: order[x])) for item, others in pairs.items()}
        content.cache["partners"] = known
    return known


def _changed_by(content: Content, item: ItemEntry) -> list[ItemEntry]:
    """Return the items whose keywords or range an item changes."""
    changing = (effect for effect in item.effects if isinstance(effect, ItemKeywordEffect | RangeEffect))
    tests = [test for effect in changing for test in effect.items]
    return [other for other in content.pack.items if any(content.meets(test, other) for test in tests)]


def _partner_groups(content: Content, item: ItemEntry) -> Iterable[list[ItemEntry]]:
    items = content.pack.items
    groups = {group for effect in item.effects if isinstance(effect, AttachesEffect) for group in effect.groups}
    yield [other for other in items if groups.intersection(other.groups)] if groups else _changed_by(content, item)
    yield from _asked_groups(content, item)
    if item.slot == "shield":
        yield [other for other in items if "SHIELD COMBO" in content.item_keywords[other.id] and other.weapon]


def _asked_groups(content: Content, item: ItemEntry) -> Iterable[list[ItemEntry]]:
    """Yield the groups of items that the holder of this item must also carry."""
    offers = [offer for offer in content.pack.item_offers if offer.item == item.id]
    for trait in (trait for offer in offers for trait in (*offer.who.only_for, *offer.who.and_also)):
        if trait.item or trait.item_group or trait.item_keyword:
            yield [other for other in content.pack.items if _is_asked(content, trait, other)]


def _is_asked(content: Content, trait: Trait, item: ItemEntry) -> bool:
    """Return whether an entry requires its holder to carry this item."""
    return (
        trait.item in ("", item.id)
        and (not trait.item_group or trait.item_group in item.groups)
        and (not trait.item_keyword or content.keyword(trait.item_keyword) in content.item_keywords[item.id])
    )
