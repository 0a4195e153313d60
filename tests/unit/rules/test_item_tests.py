"""Tests of items: looked up where they ask for the printed item alone, with the answer that each test gives by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes, passes_any
from rules.fighters.sources import picked_index
from rules.registry import system

GAME = system("trench-crusade")
EDITIONS = GAME.editions()


def sets_of_tests(value: Any) -> Iterator[tuple[v.ItemTest, ...]]:
    """Every tuple of item tests inside a part of a pack."""
    if isinstance(value, tuple):
        if value and all(isinstance(part, v.ItemTest) for part in value):
            yield value
        else:
            for part in value:
                yield from sets_of_tests(part)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from sets_of_tests(getattr(value, name))


def pieces(content: Content) -> list[CarriedItem]:
    """Every item as it is held through each of its entries, through none, and with a keyword it did not have."""
    found = []
    for item in content.items.values():
        for offer in (None, *(o for o in content.pack.item_offers if o.item == item.id)):
            piece = CarriedItem(item, -1, "bought", content.item_keywords[item.id], None, offer)
            found.append(piece)
        found.append(CarriedItem(item, -1, "found", content.item_keywords[item.id] | {"HEAVY", "FIRE"}, None))
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_are_item_tests_of_both_kinds(edition: str) -> None:
    content = GAME.content(edition)
    every = [t for tests in sets_of_tests((content.pack.rules, content.pack.profiles)) for t in tests]
    assert [t for t in every if t.keyword]
    assert [t for t in every if t.category and not t.keyword]


@pytest.mark.parametrize("edition", EDITIONS)
def test_several_item_tests_together_answer_as_each_alone(edition: str) -> None:
    content = GAME.content(edition)
    pack = content.pack
    wrong = [
        (tests, piece.item.id)
        for tests in dict.fromkeys(sets_of_tests((pack.rules, pack.profiles, pack.abilities, pack.items, pack.upgrades, pack.skills)))
        for piece in pieces(content)
        if passes_any(tests, piece, None, content) != any(item_passes(t, piece, None, content) for t in tests)
    ]  # fmt: skip
    assert wrong == []


def test_no_tests_pass_nothing() -> None:
    content = GAME.content(EDITIONS[0])
    assert not passes_any((), pieces(content)[0], None, content)


@pytest.mark.parametrize(
    ("picked", "count", "place"),
    [(("1",), 2, 1), (("0",), 1, 0), (("2",), 2, None), (("²",), 3, None), (("9" * 5000,), 3, None), ((), 3, None), (("-1",), 3, None)],
)  # fmt: skip
def test_an_option_is_picked_by_its_number_alone(picked: tuple[str, ...], count: int, place: int | None) -> None:
    assert picked_index(picked, count) == place
