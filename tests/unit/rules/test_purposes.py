"""What an entry is for: every profile, item and upgrade on offer says it, and no two of one list say the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

from rules.registry import system

GAME = "trench-crusade"
EDITIONS = system(GAME).editions()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("table", ["profile", "item", "upgrade"])
def test_everything_on_offer_says_what_it_is_for(edition: str, table: str) -> None:
    content: Any = system(GAME).content(edition)
    offers = getattr(content, f"{table}_offers").values()
    entries = getattr(content, f"{table}s")
    silent = {getattr(offer, table) for offer in offers if not entries[getattr(offer, table)].purpose}
    assert silent == set()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("table", ["profile", "item"])
def test_no_two_entries_of_one_list_are_for_the_same(edition: str, table: str) -> None:
    content: Any = system(GAME).content(edition)
    entries = getattr(content, f"{table}s")
    alike = {}
    for list_id, army in content.lists.items():
        offered = {getattr(offer, table) for offer in getattr(army, f"{table}_offers")}
        for purpose, ids in _by_purpose(entries[each] for each in offered).items():
            if len(ids) > 1:
                alike[list_id, purpose] = ids
    assert alike == {}


def _by_purpose(entries: Iterable[Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        found[entry.purpose.lower()].append(entry.id)
    return found
