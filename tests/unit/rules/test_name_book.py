"""Names for fighters and warbands: every list of every game has them, women and men in turn, each once."""

from __future__ import annotations

from typing import Any

import pytest

from rules.content.name_book import name_book
from rules.registry import system
from tests.every_state import every_state
from tests.words import retired_in

CRUSADE = system("trench-crusade")
STATES = every_state()
LISTS = [(game, content, choice.id) for game, content in STATES for choice in game.founding.lists(content)]


CRUSADE_STATES: list[Any] = [content for game, content in STATES if game.id == CRUSADE.id]
MANNER, ONE_GENDER, WARBANDS = 40, 20, 12  # names at least


@pytest.mark.parametrize(
    ("game", "content", "list_id"),
    LISTS,
    ids=[f"{game.id}-{getattr(content, 'edition', '')}-{name}" for game, content, name in LISTS],
)
def test_every_list_names_its_fighters_and_its_warbands(game: Any, content: Any, list_id: str) -> None:
    fighters = game.founding.fighter_names(content, list_id, "any")
    warbands = game.founding.warband_names(content, list_id)
    for names in (fighters, warbands):
        assert len(names) == len(set(names))
        assert all(name == name.strip() and 0 < len(name) <= 40 for name in names)
    assert len(fighters) >= MANNER if game.profiles is None else not fighters  # players name their own profiles
    assert len(warbands) >= WARBANDS


def test_each_list_has_warband_names_of_its_own() -> None:
    every = [name for each in name_book().lists for name in each.warbands]
    assert len(every) == len(set(every))
    assert {(game.id, list_id) for game, _, list_id in LISTS} == {(each.game, each.list) for each in name_book().lists}


def test_no_fighter_is_called_what_its_profile_is_called() -> None:
    for content in CRUSADE_STATES:
        for profile in content.profiles.values():
            for list_id in {name for offer in content.profile_offers.values() for name in offer.lists}:
                names = CRUSADE.founding.fighter_names(content, list_id, profile.id)
                assert profile.name not in names
                assert len(names) >= ONE_GENDER


def test_the_book_names_only_profiles_that_exist() -> None:
    known = {id_ for content in CRUSADE_STATES for id_ in content.profiles}
    assert {profile for each in name_book().profiles for profile in each.profiles} <= known


def test_a_title_stands_before_the_name_and_nuns_are_women() -> None:
    content = CRUSADE.content("1.0")
    nuns = CRUSADE.founding.fighter_names(content, "trench-pilgrims", "stigmatic-nun")
    assert all(name.startswith("Sister ") for name in nuns)
    priests = CRUSADE.founding.fighter_names(content, "eire-rangers", "eire-warrior-priest")
    assert {name.split()[0] for name in priests} == {"Mother", "Father"}


def test_two_profiles_of_a_list_start_with_different_names() -> None:
    content = CRUSADE.content("1.0")
    one, other = (
        CRUSADE.founding.fighter_names(content, "new-antioch", profile) for profile in ("yeoman", "shocktrooper")
    )
    assert sorted(one) == sorted(other)
    assert one[0] != other[0]


def test_no_name_holds_a_phrase_that_pages_may_not_say() -> None:
    book = name_book()
    warbands = [name for each in book.lists for name in each.warbands]
    fighters = [name for each in book.manners for name in (*each.women, *each.men, *each.names)]
    assert [found for name in (*warbands, *fighters) for found in retired_in(name)] == []
