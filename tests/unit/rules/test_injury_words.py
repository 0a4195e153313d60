"""What words of a weapon do to a hit and its injury: Critical Successes from a lower total, piercing, more markers, and no roll at all."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.dice import TypedDice
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers import rules as table

both = pytest.mark.parametrize("edition", EDITIONS)


def resolve(edition: str, rule: str, given: dict[str, Any], *faces: int) -> Resolved:
    return table.resolve(content_of(edition), rule, given, TypedDice(faces))


def injury(edition: str, *faces: int, **given: Any) -> Resolved:
    return resolve(edition, "injury", given, *faces)


@both
def test_a_critical_success_may_begin_at_eleven(edition: str) -> None:
    """Brute force over two dice to hit and two or three of the injury, all of which count as the two highest."""
    odds = table.odds(content_of(edition), "attack", {"critical_from": 11}).outcomes
    out = Fraction(0)
    for hit in product(range(1, 7), repeat=2):
        if sum(hit) >= 7:
            dice = 3 if sum(hit) >= 11 else 2
            ways = [sum(sorted(faces)[-2:]) >= 9 for faces in product(range(1, 7), repeat=dice)]
            out += Fraction(sum(ways), len(ways) * 36)
    assert odds["out-of-action"] == out
    assert resolve(edition, "attack", {"critical_from": 11}, 6, 5, 1, 1, 6).steps[0].outcome == "critical"
    assert resolve(edition, "attack", {}, 6, 5, 1, 6).steps[0].outcome == "success"


@both
@pytest.mark.parametrize(
    ("armour", "shield", "never", "words", "total"),
    [
        (-3, 0, 0, ["ARMOUR PIERCING 2"], 8),
        (-1, 0, 0, ["ARMOUR PIERCING 2"], 9),
        (0, 0, 0, ["ARMOUR PIERCING 2"], 9),
        (-2, -1, 0, ["ARMOUR PIERCING"], 7),
        (0, 0, -2, ["ARMOUR PIERCING 2", "ARMOUR PIERCING"], 9),
    ],
)
def test_piercing_takes_no_more_than_the_armour(
    edition: str, armour: int, shield: int, never: int, words: list[str], total: int
) -> None:
    found = injury(edition, 4, 5, armour=armour, shield=shield, unignorable_armour=never, keywords=words)
    assert found.total == total


@both
@pytest.mark.parametrize(
    ("faces", "words", "blood"),
    [
        ((1, 1), ["ONE BLOOD MARKER MORE"], 2),  # a Minor Hit
        ((4, 3), ["TWO BLOOD MARKERS MORE"], 3),
        ((4, 3), ["TWO BLOOD MARKERS MORE", "FIRE"], 4),
        ((6, 6), ["ONE BLOOD MARKER MORE"], None),
    ],
)
def test_more_blood_whatever_the_roll(
    edition: str, faces: tuple[int, ...], words: list[str], blood: int | None
) -> None:
    assert injury(edition, *faces, keywords=words).effect("blood_markers") == blood
    assert injury(edition, 1, 1, modifier=-1, keywords=["ONE BLOOD MARKER MORE"]).effect("blood_markers") == 1


@both
@pytest.mark.parametrize(
    ("target", "outcome", "effects"),
    [
        ({}, "down", [{"goes_down": True}, {"blood_markers": 1}]),
        ({"down": True}, "down", [{"blood_markers": 2}]),
        ({"blood": 6}, "down", [{"goes_down": True}]),
        ({"down_is_minor": True}, "minor-hit", [{"blood_markers": 1}]),
    ],
)
def test_taken_down_without_a_roll(edition: str, target: dict[str, Any], outcome: str, effects: list[Any]) -> None:
    """All that a Down result does, and nothing that comes after an injury roll."""
    found = injury(edition, keywords=["TAKEN DOWN", "SHRAPNEL"], target=target)
    assert (found.outcome, list(found.effects), found.rolled) == (outcome, effects, ())
    odds = table.odds(content_of(edition), "injury", {"keywords": ["TAKEN DOWN"], "target": target})
    assert {name for name, chance in odds.outcomes.items() if chance} == {outcome}
    with pytest.raises(Refusal, match="no markers"):
        injury(edition, keywords=["TAKEN DOWN"], blood_spent=1)


@both
def test_a_minor_hit_may_be_down(edition: str) -> None:
    words = ["MINOR HITS ARE DOWN"]
    for faces, outcome in (((1, 1), "down"), ((4, 2), "down"), ((4, 3), "down"), ((4, 5), "out-of-action")):
        assert injury(edition, *faces, keywords=words).outcome == outcome
    assert injury(edition, 1, 1, modifier=-1, keywords=words).outcome == "no-effect"
    assert injury(edition, 1, 1, 1, melee=True, keywords=words, target={"down": True}).effect("blood_markers") == 2


@both
def test_what_ignores_long_range_ignores_what_it_costs_a_shotgun(edition: str) -> None:
    """Keywords of 1.0, IGNORE [MODIFIER]: of the injury too."""
    far = {"kind": "ranged", "long_range": True, "automatic_hit": True}
    near = table.odds(content_of(edition), "attack", {**far, "long_range": False}).outcomes
    assert table.odds(content_of(edition), "attack", {**far, "keywords": ["SHOTGUN"]}).outcomes != near
    assert (
        table.odds(content_of(edition), "attack", {**far, "keywords": ["SHOTGUN", "IGNORE LONG RANGE"]}).outcomes
        == near
    )
