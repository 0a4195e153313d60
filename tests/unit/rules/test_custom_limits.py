"""What a document of a game of written profiles may hold at most: a long one is refused or told in short, and is no work for long."""

from __future__ import annotations

from typing import Any

import pytest

from rules.custom import parse
from rules.custom.exchange import read_profiles
from rules.problems import Refusal
from rules.registry import system
from tests.unit.rules.custom_forces import FAR, GLOOM, far, gloom

STRANGE = {f"combat{number:x}": 1 for number in range(5_000)}


@pytest.fixture
def guesses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The fields for which the reader looked for what may have been meant."""
    made: list[str] = []

    def guess(word: str, *how: Any) -> list[str]:
        made.append(word)
        return []

    monkeypatch.setattr(parse, "get_close_matches", guess)
    return made


def incoming(game: str, **document: Any) -> list[str]:
    """What is wrong with a document of profiles."""
    found = system(game)
    books = found.content("core", (), {})
    profiles = document.pop("profiles", [{"kind": "weapon", "name": "Gun", "data": {}}])
    return [each.message for each in read_profiles(found.profiles, books, {"profiles": profiles, **document})[1]]


@pytest.mark.parametrize("game", [GLOOM, FAR])
def test_fields_by_the_thousand_are_told_in_short_and_guessed_at_no_more(game: str, guesses: list[str]) -> None:
    for told in (
        incoming(game, **STRANGE),
        incoming(game, profiles=[{"kind": "weapon", "name": "Gun", "data": STRANGE}]),
        incoming(game, profiles=[{"kind": "weapon", "name": "Gun", "data": {}, **STRANGE}]),
    ):
        assert sum("no field called" in words for words in told) == parse.STRANGE
        assert any(f"More unknown fields: {len(STRANGE) - parse.STRANGE}." in words for words in told)
    assert len(guesses) <= 3 * parse.STRANGE


def test_rows_full_of_strange_fields_are_guessed_at_no_longer_than_one(guesses: list[str]) -> None:
    row = {f"nam{number}": 1 for number in range(10)}
    told = incoming(
        GLOOM, profiles=[{"kind": "unit", "name": "Guard", "data": {"weapons": [row] * 24, "models": [row] * 24}}]
    )
    assert sum("no field called" in words for words in told) > 100
    assert len(guesses) <= parse.STRANGE


@pytest.mark.parametrize("write", [gloom, far])
@pytest.mark.parametrize("place", ["force", "choices", "models", "left"])
def test_a_force_with_answers_by_the_thousand_is_refused_with_the_place(write: Any, place: str) -> None:
    document = write()
    if place == "force":
        document["choices"] = STRANGE
    else:
        document["fighters"][0][place] = STRANGE
    with pytest.raises(Refusal) as refused:
        system(document["game"]).documents.read_document(document)
    assert "choices" in str(refused.value) or place in str(refused.value)


@pytest.mark.parametrize("write", [gloom, far])
def test_a_name_nobody_knows_is_told_in_short(write: Any) -> None:
    document = write()
    document["fighters"][0]["profile"] = "y" * 100_000
    document["profiles"][0]["kind"] = "z" * 100_000
    force, problems = system(document["game"]).documents.read_document(document)
    assert sum(problem.code == "unknown-name" for problem in problems) >= 2
    assert all(len(problem.message) + len(problem.mend) < 500 for problem in problems)
    assert len(force.fighters) < len(document["fighters"])
