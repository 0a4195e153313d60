"""Tests whether a fighter or an item meets the requirements of an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from rules.content.compiled import Content
from rules.fighters.facts import Bearer
from rules.fighters.kit import CarriedItem, bought_piece
from rules.price import ZERO
from rules.vocabulary import Holder, ItemTest, Trait

# --- requirements of a fighter ---


# The test for each part of a trait. It takes the value, the fighter, the keywords that count, the content, and the item.
_TraitPart = Callable[[Any, Bearer, frozenset[str], Content, str], bool]
_TRAIT_PARTS: dict[str, _TraitPart] = {
    "profile": lambda value, who, keywords, content, item: who.is_profile(value, item),
    "keyword": lambda value, who, keywords, content, item: content.keyword(value) in keywords,
    "lacks_keyword": lambda value, who, keywords, content, item: content.keyword(value) not in keywords,
    "role": lambda value, who, keywords, content, item: value == who.role,
    "item": lambda value, who, keywords, content, item: value in who.item_ids,
    "item_keyword": lambda value, who, keywords, content, item: content.keyword(value) in who.item_keywords,
    "item_group": lambda value, who, keywords, content, item: value in who.groups,
    "upgrade": lambda value, who, keywords, content, item: value in who.upgrades,
    "skill": lambda value, who, keywords, content, item: value in who.skills,
    "base_from_mm": lambda value, who, keywords, content, item: who.base >= value,
    "base_at_most_mm": lambda value, who, keywords, content, item: who.base <= value,
}


@lru_cache(maxsize=4096)
def _trait_parts(trait: Trait) -> tuple[tuple[_TraitPart, Any], ...]:
    """Return the parts that are set in a trait, each with its value."""
    return tuple([(part, getattr(trait, name)) for name, part in _TRAIT_PARTS.items() if getattr(trait, name)])


def trait_holds(trait: Trait, who: Bearer, content: Content, *, item: str = "", owned: bool = False) -> bool:
    """Return whether a fighter has a trait. `owned`: for kit it already carries, a head wound does not remove ELITE."""
    return _any_holds((trait,), who, content, item, owned)


def _any_holds(traits: Iterable[Trait], who: Bearer, content: Content, item: str, owned: bool) -> bool:
    keywords = who.kit_keywords if owned else who.keywords
    for trait in traits:
        for holds, value in _trait_parts(trait):
            if not holds(value, who, keywords, content, item):
                break
        else:
            return True
    return False


def holder_fits(holder: Holder, who: Bearer, content: Content, *, item: str = "", owned: bool = False) -> bool:
    """Return whether a fighter satisfies this holder."""
    if holder.only_for and not _any_holds(holder.only_for, who, content, item, owned):
        return False
    if holder.and_also and not _any_holds(holder.and_also, who, content, item, owned):
        return False
    return not (holder.not_for and _any_holds(holder.not_for, who, content, item, owned))


# --- tests of an item ---


def _is_item(value: str, held: CarriedItem, _who: Bearer | None, content: Content) -> bool:
    return value == held.item.id or value in content.stands_for.get(held.item.id, ())


def _is_restricted(_value: bool, held: CarriedItem, _who: Bearer | None, _content: Content) -> bool:
    holder = None if held.offer is None else held.offer.who
    return holder is not None and bool(holder.only_for or holder.and_also or holder.not_for)


def _is_dearer(ducats: int, held: CarriedItem, _who: Bearer | None, content: Content) -> bool:
    price = content.any_price.get(held.item.id, ZERO) if held.offer is None else held.offer.price
    return price.ducats > ducats


_ItemPart = Callable[[Any, CarriedItem, Bearer | None, Content], bool]
_PRINTED_PARTS: dict[str, _ItemPart] = {  # parts that depend on the item alone, whoever carries it
    "item": _is_item,
    "category": lambda value, held, who, content: value == held.item.category,
    "slot": lambda value, held, who, content: value == held.item.slot,
    "group": lambda value, held, who, content: value in held.item.groups,
    "weapon": lambda value, held, who, content: held.item.weapon,
    "melee_hands": lambda value, held, who, content: value == held.item.hands.melee,
    "ranged_hands": lambda value, held, who, content: value == held.item.hands.ranged,
}
_ITEM_PARTS: dict[str, _ItemPart] = {
    **_PRINTED_PARTS,
    "keyword": lambda value, held, who, content: content.keyword(value) in held.keywords,
    "lacks_keyword": lambda value, held, who, content: content.keyword(value) not in held.keywords,
    "restricted": _is_restricted,
    "limited": lambda value, held, who, content: held.offer is not None and held.offer.limit is not None,
    "over_ducats": _is_dearer,
    "for_glory": lambda value, held, who, content: held.offer is not None and bool(held.offer.price.glory),
    "carrier_has_item_keyword": lambda value, held, who, content: (
        who is not None and content.keyword(value) in who.item_keywords
    ),
}
_NOTHING_ASKED = ItemTest()


def _parts_given(test: ItemTest) -> list[str]:
    return [name for name in _ITEM_PARTS if getattr(test, name) != getattr(_NOTHING_ASKED, name)]


@lru_cache(maxsize=4096)
def _item_parts(test: ItemTest) -> tuple[tuple[_ItemPart, Any], ...]:
    """Return the parts that are set in a test, each with its value."""
    return tuple([(_ITEM_PARTS[name], getattr(test, name)) for name in _parts_given(test)])


def item_passes(test: ItemTest, held: CarriedItem, who: Bearer | None, content: Content) -> bool:
    """Return whether an item, as held, passes one test."""
    return _any_passes((test,), held, who, content)


def _any_passes(tests: Iterable[ItemTest], held: CarriedItem, who: Bearer | None, content: Content) -> bool:
    for test in tests:
        for passes, value in _item_parts(test):
            if not passes(value, held, who, content):
                break
        else:
            return True
    return False


class _SortedTests(NamedTuple):
    """Tests by what they examine: the items that pass a test of the printed item alone, and the other tests."""

    items: frozenset[str]
    others: tuple[ItemTest, ...]


class _KnownTests(dict[tuple[ItemTest, ...], _SortedTests]):
    """A cache of the tests sorted for one content."""

    def __init__(self, content: Content) -> None:
        super().__init__()
        self.content = content

    def __missing__(self, tests: tuple[ItemTest, ...]) -> _SortedTests:
        plain = [test for test in tests if _PRINTED_PARTS.keys() >= set(_parts_given(test))]
        items = frozenset(
            [i for i in self.content.items if _any_passes(plain, bought_piece(self.content, i), None, self.content)]
        )
        self[tests] = found = _SortedTests(items, tuple([test for test in tests if test not in plain]))
        return found


def passes_any(tests: tuple[ItemTest, ...], held: CarriedItem, who: Bearer | None, content: Content) -> bool:
    """Return whether an item, as held, passes one of the tests.

    Tests of the printed item alone are evaluated once per content.
    """
    if not tests:
        return False
    known = content.once(_KnownTests)[tests]
    return held.item.id in known.items or _any_passes(known.others, held, who, content)
