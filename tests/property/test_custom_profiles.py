"""Whatever comes in as a profile, something of the right shape goes out; and that reads as itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.custom.exchange import read_profiles, write_profiles
from rules.custom.parse import LINE, read_value
from rules.custom.profiles import CustomProfile, ProfileField, ProfileKind
from rules.registry import system, systems
from tests.drills import examples

WRITTEN = [game for game in systems() if game.profiles]
KINDS = [
    (game.id, kind) for game in WRITTEN for kind in game.profiles.profile_kinds(game.content(game.document_edition()))
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from(["D6", "Squad", "LMG", "sample"]),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=12,
)  # fmt: skip


def nearly(fields: tuple[ProfileField, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Tables with the right keys, and values that fit as often as not."""
    values: dict[str, st.SearchStrategy[Any]] = {}
    for field in fields:
        fitting: st.SearchStrategy[Any]
        if field.kind == "rows":
            fitting = st.lists(nearly(field.fields), max_size=3)
        elif field.kind in ("choice", "choices"):
            one = st.sampled_from([value for value, _ in field.options])
            fitting = st.lists(one, max_size=3) if field.kind == "choices" else one
        elif field.kind == "flag":
            fitting = st.booleans()
        elif field.kind in ("integer", "number"):
            fitting = st.integers(-2, 30) | st.floats(-2, 30)
        elif field.kind == "strings":
            fitting = st.lists(st.sampled_from(["Squad", "commander", "LMG", "own"]), max_size=3)
        else:
            fitting = st.sampled_from(["", "Rifle", "LMG", "Élan"])
        values[field.key] = fitting | fitting | JSON
    return st.fixed_dictionaries({}, optional=values)


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=[f"{game} {kind.id}" for game, kind in KINDS])
@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_any_data_is_read_without_a_crash_and_what_comes_out_reads_as_itself(
    game: str, kind: ProfileKind, data: st.DataObject
) -> None:
    doors = system(game)
    content = doors.content(doors.editions()[0])
    given_data = data.draw(nearly(kind.fields) | JSON)
    values, problems = doors.profiles.read_profile(content, kind.id, given_data)
    assert set(values) == {field.key for field in kind.fields}
    assert all(problem.message.endswith((".", "?")) and len(problem.message) < 400 for problem in problems)
    again, left = doors.profiles.read_profile(content, kind.id, values)
    assert again == values
    assert bool(left) <= bool(problems)
    # The form shows the card of what is typed so far, whatever is wrong with it.
    assert doors.profiles.profile_card(content, CustomProfile("x", kind.id, "X", values)).title == "X"


@settings(max_examples=examples(150), deadline=None)
@given(st.dictionaries(st.sampled_from(["game", "edition", "profiles", "more"]), JSON, max_size=4))
def test_any_document_is_read_without_a_crash(document: dict[str, Any]) -> None:
    game = WRITTEN[0]
    found, problems = read_profiles(game.profiles, game.content(game.editions()[0]), document)
    assert found or problems


@pytest.mark.parametrize("game", WRITTEN, ids=[game.id for game in WRITTEN])
def test_the_games_own_profiles_go_out_and_come_in_again(game: Any) -> None:
    content = game.content(game.editions()[0])
    profiles = game.profiles.default_profiles(content)
    document = write_profiles(game.id, game.editions()[0], ((p.kind, p.name, p.data) for p in profiles))
    found, problems = read_profiles(game.profiles, content, document)
    assert problems == ()
    assert [(each.kind, each.name, each.data) for each in found] == [(p.kind, p.name, p.data) for p in profiles]


@given(st.text(), st.integers(1, 40))
def test_a_text_comes_out_short_and_clean(text: str, most: int) -> None:
    field = ProfileField("x", "X", "text", most=most)
    found = read_value(field, text, "x", [])
    assert len(found) <= most <= LINE
    assert found == " ".join(found.split())
    assert "\0" not in found
