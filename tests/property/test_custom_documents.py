"""Roster documents of games of written profiles: whatever stands in them, the answer is a verdict or a refusal, and writing loses nothing."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.problems import Refusal
from rules.registry import system
from tests.drills import examples
from tests.unit.rules.custom_forces import far, gloom

SCRAP = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**7) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += places(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            found += places(inner, (*path, place))
    return found


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    for step in path[:-1]:
        document = document[step]
    document[path[-1]] = value


EXTRA = ("choices", "left", "models", "company", "count", "joined", "status")
WHOLE = (
    "choices",
    "scale",
    "formation",
    "period",
    "points_limit",
    "faction",
    "force",
    "scope",
    "house_rules",
    "battles",
)


@st.composite
def documents(draw: Any) -> dict[str, Any]:
    """A sound document with a few of its places replaced by anything, and keys of rows and force set to anything."""
    document = deepcopy(draw(st.sampled_from([gloom(), far()])))
    known = places(document)
    for path in draw(st.lists(st.sampled_from(known), max_size=3)):
        try:
            put(document, path, draw(SCRAP))
        except (KeyError, IndexError, TypeError):
            continue
    rows = document.get("fighters")
    if isinstance(rows, list) and rows and draw(st.booleans()):
        row = draw(st.sampled_from(rows))
        if isinstance(row, dict):
            row[draw(st.sampled_from(EXTRA))] = draw(SCRAP)
    if draw(st.booleans()):
        document[draw(st.sampled_from(WHOLE))] = draw(SCRAP)
    return document


@settings(max_examples=examples(400))
@given(documents())
def test_a_document_is_judged_or_refused_and_nothing_else(document: dict[str, Any]) -> None:
    game = system("gloom-trench" if document.get("game") == "gloom-trench" else "trench-too-far")
    try:
        answer = game.documents.judge(document)
    except Refusal:
        return
    json.dumps(answer)
    content = game.content("core")
    force, problems = game.documents.read_document(document)
    again, more = game.documents.read_document(json.loads(json.dumps(game.documents.write_document(content, force))))
    assert not [each for each in more if each.code == "unknown-name" and not problems]
    assert [(f.name, f.profile, f.choices, f.state.get("left")) for f in again.fighters] == [
        (f.name, f.profile, f.choices, f.state.get("left")) for f in force.fighters
    ]
    game.documents.sheet(content, again)
    game.views(content, again)
    game.hire_offers(content, again)
    game.battle.muster(content, again)
