"""Like dice that are read each for itself: their ways, against throwing every die apart."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from rules.dice import TypedDice
from rules.resolvers.odds import many_faces, odds_of
from rules.resolvers.roller import Resolved, Roller, TableDice


@pytest.mark.parametrize(
    ("count", "sides", "cuts"), [(1, 6, (5,)), (4, 6, (2, 5)), (3, 8, (2, 6)), (2, 12, ()), (5, 6, (6,))]
)
def test_ways_are_those_of_dice_thrown_apart(count: int, sides: int, cuts: tuple[int, ...]) -> None:
    def rows(faces: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(sum(face >= cut for cut in cuts) if cuts else face for face in faces))

    thrown = Counter(rows(faces) for faces in product(range(1, sides + 1), repeat=count))
    told = {rows(shown): chance for shown, chance in many_faces(count, sides, cuts)}
    assert told == {row: Fraction(ways, sides**count) for row, ways in thrown.items()}
    assert len(told) == len(many_faces(count, sides, cuts))


def test_a_rule_that_asks_for_several_has_its_odds() -> None:
    def hits(roller: Roller) -> Resolved:
        return Resolved(str(sum(face >= 5 for face in roller.several(3, 6, "To hit", (5,)))), "")

    assert odds_of(hits).outcomes == {
        "0": Fraction(8, 27),
        "1": Fraction(4, 9),
        "2": Fraction(2, 9),
        "3": Fraction(1, 27),
    }
    assert hits(TableDice(TypedDice((5, 1, 6)))).outcome == "2"
    assert TableDice(TypedDice(())).several(0, 6, "none") == ()
