"""Whether a fighter or an item meets what an entry requires."""

from __future__ import annotations

from typing import NamedTuple

from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.kit import CarriedItem
from rules.price import ZERO
from rules.vocabulary import Holder, ItemTest, Trait

OF_THE_ITEM = ("item", "category", "slot", "group", "weapon", "melee_hands", "ranged_hands")


class SortedTests(NamedTuple):
    """Tests of items by what they look at: the items that pass those of the printed item alone, and the other tests.

    The tests themselves stay with them, so that nothing else is ever kept under their place in memory.
    """

    tests: tuple[ItemTest, ...]
    items: frozenset[str]
    others: tuple[ItemTest, ...]


def trait_holds(trait: Trait, who: Facts, content: Content, *, item: str = "", owned: bool = False) -> bool:
    """Whether a fighter passes one test. `owned`: for kit it carries already, ELITE is not lost by a head wound."""
    if trait.profile and not who.is_profile(trait.profile, item):
        return False
    keywords = who.kit_keywords if owned else who.keywords
    if trait.keyword and content.keyword(trait.keyword) not in keywords:
        return False
    if trait.lacks_keyword and content.keyword(trait.lacks_keyword) in keywords:
        return False
    if trait.role and trait.role != _role(who):
        return False
    if trait.item and trait.item not in who.item_ids:
        return False
    if trait.item_keyword and content.keyword(trait.item_keyword) not in who.item_keywords:
        return False
    if trait.item_group and trait.item_group not in who.groups:
        return False
    if trait.upgrade and trait.upgrade not in who.upgrades:
        return False
    if trait.skill and trait.skill not in who.skills:
        return False
    if trait.base_from_mm and who.base < trait.base_from_mm:
        return False
    return not (trait.base_at_most_mm and who.base > trait.base_at_most_mm)


def _role(who: Facts) -> str:
    if who.mercenary:
        return "mercenary"
    return "elite" if who.elite else ("troop" if who.profile.role == "elite" else who.profile.role)


def holder_fits(holder: Holder, who: Facts, content: Content, *, item: str = "", owned: bool = False) -> bool:
    """Whether a fighter may hold what names this holder."""
    if holder.only_for and not any(trait_holds(t, who, content, item=item, owned=owned) for t in holder.only_for):
        return False
    if holder.and_also and not any(trait_holds(t, who, content, item=item, owned=owned) for t in holder.and_also):
        return False
    return not any(trait_holds(t, who, content, item=item, owned=owned) for t in holder.not_for)


def item_passes(test: ItemTest, held: CarriedItem, who: Facts | None, content: Content) -> bool:
    """Whether a piece, as held, passes one test."""
    item = held.item
    if test.item and test.item != item.id and test.item not in content.stands_for.get(item.id, ()):
        return False
    if test.category and test.category != item.category:
        return False
    if test.slot and test.slot != item.slot:
        return False
    if test.group and test.group not in item.groups:
        return False
    if test.weapon and not item.weapon:
        return False
    if test.keyword and content.keyword(test.keyword) not in held.keywords:
        return False
    if test.lacks_keyword and content.keyword(test.lacks_keyword) in held.keywords:
        return False
    if test.restricted and not (
        held.offer and (held.offer.who.only_for or held.offer.who.and_also or held.offer.who.not_for)
    ):
        return False
    if test.limited and (held.offer is None or held.offer.limit is None):
        return False
    if test.over_ducats is not None:
        price = held.offer.price if held.offer else content.any_price.get(item.id, ZERO)
        if price.ducats <= test.over_ducats:
            return False
    if test.for_glory and not (held.offer and held.offer.price.glory):
        return False
    if test.melee_hands and test.melee_hands != item.hands.melee:
        return False
    if test.ranged_hands and test.ranged_hands != item.hands.ranged:
        return False
    if test.carrier_has_item_keyword:
        return who is not None and content.keyword(test.carrier_has_item_keyword) in who.item_keywords
    return True


def passes_any(tests: tuple[ItemTest, ...], held: CarriedItem, who: Facts | None, content: Content) -> bool:
    """Whether a piece, as held, passes one of the tests. What asks for the printed item alone is sorted out once per content."""
    if not tests:
        return False
    known: dict[int, SortedTests] = content.cache.setdefault("tests", {})
    found = known.get(id(tests))
    if found is None:
        found = known[id(tests)] = _sorted_tests(tests, content)
    if held.item.id in found.items:
        return True
    return bool(found.others) and any(item_passes(test, held, who, content) for test in found.others)


def _sorted_tests(tests: tuple[ItemTest, ...], content: Content) -> SortedTests:
    plain = [t for t in tests if t == ItemTest(**{name: getattr(t, name) for name in OF_THE_ITEM})]
    pieces = [CarriedItem(item, -1, "bought", content.item_keywords[item.id], None) for item in content.items.values()]
    items = frozenset([p.item.id for p in pieces if any(item_passes(t, p, None, content) for t in plain)])
    return SortedTests(tests, items, tuple([t for t in tests if t not in plain]))
