"""Names for fighters and warbands: every list of every game has them, women and men in turn, each once."""

from __future__ import annotations

from typing import Any

import pytest

from rules.registry import systems

LISTS = [
    (game, edition, choice.id)
    for game in systems()
    for edition in game.editions()
    for choice in game.founding.lists(game.content(edition))
]


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
    assert fighters
    assert warbands


def test_two_profiles_of_a_list_start_with_different_names() -> None:
    game = systems()[0]
    content = game.content(game.editions()[0])
    list_id = game.founding.lists(content)[0].id
    one, other = (game.founding.fighter_names(content, list_id, profile) for profile in ("yeoman", "shocktrooper"))
    assert sorted(one) == sorted(other)
    assert one[0] != other[0]
