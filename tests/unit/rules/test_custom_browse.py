"""The rules pages of the games of written profiles: everything with a name has a page, says something, and is found by what it is called."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from rules.registry import system
from warbands.models import Terms
from warbands.pages.rule_links import names_of
from warbands.pages.rules import kind_words, search

GAMES = ("gloom-trench", "trench-too-far")
pytestmark = pytest.mark.django_db


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return system(str(request.param))


def found(game: Any, words: str) -> list[str]:
    return [entry.name for entry in search(names_of(Terms(system=game.id, edition="core")), words)]


def test_every_entry_is_told_whole_under_an_id_of_its_own(game: Any) -> None:
    content = game.content("core")
    entries = game.rulebook.entries(content)
    assert len(entries) > 60
    assert len({(entry.kind, entry.id) for entry in entries}) == len(entries)
    for entry in entries:
        assert re.fullmatch(r"[-a-zA-Z0-9_]+", entry.id), entry
        assert entry.words, entry
        assert game.rulebook.entry(content, entry.kind, entry.id) is not None, entry
    assert game.rulebook.entry(content, "order", "no-such-thing") is None


def test_every_reading_has_a_page(game: Any) -> None:
    content = game.content("core")
    readings = [entry for entry in game.rulebook.entries(content) if entry.kind == "reading"]
    assert len(readings) == len(content.readings)


def test_what_only_the_console_names_is_not_among_the_rules_of_the_players(game: Any) -> None:
    content = game.content("core")
    assert "rule" not in {entry.kind for entry in game.rulebook.entries(content)}
    for rule in game.resolvers.table_rules():
        assert game.rulebook.entry(content, "rule", rule.name) is None
        assert f"resolve {rule.name}" not in " ".join(entry.words for entry in game.rulebook.entries(content))


def test_terms_are_found_by_their_names(game: Any) -> None:
    wanted = {"gloom-trench": ("fog", "Fog of War"), "trench-too-far": ("rifle drill", "Rifle Drill")}[game.id]
    assert wanted[1] in found(game, wanted[0])


def test_a_reading_that_a_house_rule_chose_says_so(game: Any) -> None:
    _, readings = game.rulebook.house_settings(game.content("core"))
    reading = next(one for one in readings if one.key in game.content("core").readings)
    other = next(option for option, _ in reading.options if option != reading.default)
    content = game.content("core", house_rules={"readings": {reading.key: other}})
    entry = next(
        e for e in game.rulebook.entries(content) if e.kind == "reading" and e.name == reading.words.rstrip(".")
    )
    told = game.rulebook.entry(content, "reading", entry.id)
    assert dict(reading.options)[other] in told.house[0]
    assert game.rulebook.entry(game.content("core"), "reading", entry.id).house == ()


def test_the_pages_show_the_entries_to_anybody(game: Any, client: Any) -> None:
    answer = client.get(reverse("rule-list", args=[game.id, "core"]))
    assert answer.status_code == 200
    assert game.name in answer.content.decode()
    for kind in {entry.kind for entry in game.rulebook.entries(game.content("core"))}:
        entry = next(e for e in game.rulebook.entries(game.content("core")) if e.kind == kind)
        page = client.get(reverse("rule-show", args=[game.id, "core", entry.kind, entry.id]))
        assert page.status_code == 200
        assert kind_words(kind, one=True) in page.content.decode()
