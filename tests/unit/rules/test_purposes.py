"""What an entry is for: every profile, item and upgrade on offer says it, and no two of one list say the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

from rules.force import Force
from rules.registry import systems
from tests.every_state import every_state

STATES = every_state()
LISTED: list[Any] = [content for game, content in STATES if game.profiles is None]


@pytest.mark.parametrize("content", LISTED, ids=lambda content: "+".join((content.edition, *content.overlays)))
@pytest.mark.parametrize("table", ["profile", "item", "upgrade"])
def test_everything_on_offer_says_what_it_is_for(content: Any, table: str) -> None:
    offers = getattr(content, f"{table}_offers").values()
    entries = getattr(content, f"{table}s")
    silent = {getattr(offer, table) for offer in offers if not entries[getattr(offer, table)].purpose}
    assert silent == set()


@pytest.mark.parametrize("content", LISTED, ids=lambda content: "+".join((content.edition, *content.overlays)))
@pytest.mark.parametrize("table", ["profile", "item"])
def test_no_two_entries_of_one_list_are_for_the_same(content: Any, table: str) -> None:
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


CHOICES = [(game, content, choice) for game, content in STATES for choice in game.founding.lists(content)]


def test_every_list_says_its_style_of_play_in_four_words() -> None:
    assert {choice.id: choice.temper for _, _, choice in CHOICES if not 1 < len(choice.temper.split()) <= 4} == {}


def test_every_ready_warband_has_a_line_of_character_and_official_lists_come_first() -> None:
    for game, content in STATES:
        foreign = {choice.id for choice in game.founding.lists(content) if choice.third_party}
        ready = game.founding.samples(content)
        assert {id_: words for id_, _, _, words in ready if not 3 < len(words.split()) <= 12} == {}
        order = [list_id in foreign for _, _, list_id, _ in ready]
        assert order == sorted(order)


@pytest.mark.parametrize("game", [game for game in systems() if game.profiles is not None], ids=lambda game: game.id)
def test_a_unit_of_a_game_with_own_profiles_says_who_it_is(game: Any) -> None:
    offers = game.hire_offers(game.content("core"), Force(game.id, "core", "own-force"))
    found = {offer.ref: offer.purpose for offer in offers}
    assert all(len(words.split()) <= 6 and len(words) <= 40 for words in found.values())
    assert found.get("sample-machine-gun-team", "3 Crew; Machine gun") == "3 Crew; Machine gun"
