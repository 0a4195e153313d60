"""Every list of every game and edition has a mark of its own, and every mark that is drawn is somebody's."""

from __future__ import annotations

import pytest

from config.icons import MARKS
from rules.parts.founding import BANNER
from tests.every_state import every_state

CONTENTS = every_state()


@pytest.mark.parametrize(
    ("game", "content"), CONTENTS, ids=lambda value: getattr(value, "id", getattr(value, "edition", ""))
)
def test_every_list_has_a_mark_that_no_other_list_has(game, content):
    marks = [game.founding.mark(content, choice.id) for choice in game.founding.lists(content)]
    assert marks
    assert BANNER not in marks
    assert len(set(marks)) == len(marks)
    assert set(marks) <= MARKS.names()


def test_no_mark_is_drawn_for_nobody():
    used = {
        game.founding.mark(content, choice.id) for game, content in CONTENTS for choice in game.founding.lists(content)
    }
    assert MARKS.names() == used | {BANNER}


def test_an_unknown_list_of_a_game_with_printed_lists_gets_the_banner():
    game, content = CONTENTS[0]
    assert game.founding.mark(content, "no-such-list") == BANNER
