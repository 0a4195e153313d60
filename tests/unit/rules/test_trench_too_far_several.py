"""A Trench Too Far: what a table asks for in one go, against the single rules and by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.problems import Refusal
from tests.unit.rules.too_far import full_odds, odds, roll


def test_initiative_of_two_sides_is_as_likely_as_the_rule_for_two_says() -> None:
    sides = [{"name": "a", "attacker": True}, {"name": "b", "militia": True}]
    assert odds("initiative-of", sides=sides) == odds("roll-initiative", a_attacker=True, b_militia=True)
    assert odds("initiative-of", sides=[{"name": each} for each in "abc"]) == dict.fromkeys("abc", Fraction(1, 3))


def test_those_who_tie_for_the_most_roll_again_and_the_others_do_not() -> None:
    found = roll("initiative-of", 5, 2, 5, 3, 4, sides=[{"name": each} for each in "abc"])
    assert (found.outcome, found.rolled) == ("c", (5, 2, 5, 3, 4))
    with pytest.raises(Refusal):
        roll("initiative-of", 1, 1, sides=[{"name": "a"}, {"name": "a"}])


def test_the_last_card_needs_no_die() -> None:
    assert roll("card-draw", 2, cards=["x", "y"]).outcome == "y"
    assert roll("card-draw", cards=["y"]).outcome == "y"
    assert odds("card-draw", cards=["x", "y", "z", "x"])["x"] == Fraction(1, 2)


def test_every_vehicle_that_moves_tests_for_itself_from_turn_three_on() -> None:
    found = roll("tanks-move", 2, 1, kinds=["unreliable", "sturdy"], turn=3)
    assert found.effect("broken") == [0]
    assert roll("tanks-move", kinds=["unreliable", "sturdy"], turn=2).effect("broken") == []


def test_a_blow_adds_up_everybody_who_strikes_each_on_its_own_number() -> None:
    rifles, engineers = {"type": "rifle", "bases": 2}, {"type": "engineers", "bases": 2}
    found = roll("assault-strike", 4, 4, 4, 4, strikers=[rifles, engineers], enemy_bases=9)
    assert found.effect("destroyed") == 2, "rifles want a 5, engineers a 4"
    likely = full_odds("assault-strike", strikers=[{"type": "rifle", "bases": 4}], enemy_bases=4)
    assert likely.also["decides"] == Fraction(11, 27), "the book's .4074 of four dice"
    assert (
        roll("assault-strike", 6, 1, strikers=[{"type": "rifle", "bases": 2}], enemy_bases=1).effect("decided") is True
    )


def test_a_gun_of_ones_own_changes_the_save_of_a_tank() -> None:
    gun = {"weapon": "tank-gun-shell", "range": 30, "attacks": 1, "save_modifier": -4}
    found = roll("tank-fire", 5, 6, 5, platoon={"type": "tank", "bases": [gun]}, **{"class": "light"}, distance=28)
    assert found.outcome == "destroyed", "a 6 less four is no 4"
