"""Dice: the sources, what they refuse, and how recorded draws are given out again."""

import pytest

from rules.dice import AppDice, Draw, NeedDice, RecordedDice, SeededDice, TypedDice, d3, d66
from rules.problems import Refusal


def test_app_dice_show_only_faces_that_exist():
    draw = AppDice().draw(200, 6, "many")
    assert len(draw.faces) == 200
    assert set(draw.faces) <= {1, 2, 3, 4, 5, 6}
    assert draw.origin == "app"


def test_seeded_dice_repeat_themselves():
    assert SeededDice("club").draw(9, 6, "a").faces == SeededDice("club").draw(9, 6, "b").faces
    assert SeededDice("club").draw(9, 6, "a").faces != SeededDice("pub").draw(9, 6, "a").faces


def test_typed_dice_are_used_in_order_and_the_rest_is_left():
    dice = TypedDice([3, 5, 1])
    assert dice.draw(2, 6, "first").faces == (3, 5)
    assert dice.left == (1,)


@pytest.mark.parametrize("faces", [[7], [0], [-1]])
def test_a_face_that_a_die_cannot_show_is_refused(faces):
    with pytest.raises(Refusal, match="A die shows 1 to 6"):
        TypedDice(faces).draw(1, 6, "one")


def test_the_refusal_names_the_die():
    with pytest.raises(Refusal, match="the second one says 7"):
        TypedDice([3, 7]).draw(2, 6, "two")


def test_too_few_typed_faces_ask_for_all_of_them_again():
    with pytest.raises(NeedDice) as need:
        TypedDice([4]).draw(2, 6, "Trauma")
    assert (need.value.why, need.value.count, need.value.sides) == ("Trauma", 2, 6)


def test_recorded_draws_come_first_then_the_onward_source():
    dice = RecordedDice([Draw("kept", 6, (2,), "typed")], TypedDice([6]))
    assert dice.draw(1, 6, "kept").faces == (2,)
    assert dice.draw(1, 6, "new").faces == (6,)
    assert [d.why for d in dice.drawn] == ["kept", "new"]


def test_recorded_draws_without_onward_ask():
    with pytest.raises(NeedDice):
        RecordedDice([]).draw(1, 6, "more")


def test_a_recorded_draw_that_does_not_answer_is_a_bug():
    with pytest.raises(ValueError, match="does not answer"):
        RecordedDice([Draw("kept", 6, (2, 3), "typed")]).draw(1, 6, "other")


@pytest.mark.parametrize(("faces", "number"), [((1, 1), 11), ((3, 6), 36), ((6, 2), 62), ((6, 6), 66)])
def test_d66_reads_tens_then_units(faces, number):
    assert d66(TypedDice(faces), "D66")[0] == number


@pytest.mark.parametrize(("face", "value"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_d3_is_the_face_of_a_d6_halved(face, value):
    assert d3(TypedDice([face]), "D3")[0] == value
