"""Names for fighters and warbands: every list of every game has them, women and men in turn, each once."""

from __future__ import annotations

from typing import Any

import pytest

from rules.content.name_book import name_book
from rules.registry import system, systems
from tests.words import retired_in

CRUSADE = system("trench-crusade")
LISTS = [
    (game, edition, choice.id)
    for game in systems()
    for edition in game.editions()
    for choice in game.founding.lists(game.content(edition))
]


MANNER, ONE_GENDER, WARBANDS = 40, 20, 12  # names at least


@pytest.mark.parametrize(
    ("game", "edition", "list_id"), LISTS, ids=[f"{game.id}-{e}-{name}" for game, e, name in LISTS]
)
def test_every_list_names_its_fighters_and_its_warbands(game: Any, edition: str, list_id: str) -> None:
    content = game.content(edition)
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
    for edition in CRUSADE.editions():
        content: Any = CRUSADE.content(edition)
        for profile in content.profiles.values():
            for list_id in {name for offer in content.profile_offers.values() for name in offer.lists}:
                names = CRUSADE.founding.fighter_names(content, list_id, profile.id)
                assert profile.name not in names
                assert len(names) >= ONE_GENDER


def test_the_book_names_only_profiles_that_exist() -> None:
    known = {id_ for edition in CRUSADE.editions() for id_ in CRUSADE.content(edition).profiles}
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
