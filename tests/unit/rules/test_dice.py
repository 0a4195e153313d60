"""Dice: the sources, what they refuse, and how recorded draws are given out again."""

import hashlib
import hmac
from collections import Counter

import pytest

from rules.dice import (
    AppDice,
    Draw,
    NeedDice,
    RecordedDice,
    SealedDice,
    SeededDice,
    TypedDice,
    d3,
    d66,
    new_seed,
    seal_of,
    sealed_faces,
)
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


# --- sealed dice -------------------------------------------------------------------------------------------------------------

SEED = "5a" * 32
ACT = ("1", "10", "21", "attack", "32", "1")


@pytest.mark.parametrize(
    ("sides", "limit"), [(2, 10.8), (3, 13.8), (6, 20.5), (8, 24.3), (10, 27.9), (12, 31.3), (100, 149)]
)
def test_sealed_faces_are_even(sides, limit):
    """Chi-square over the faces of 36 000 dice with a fixed seed; the limit is exceeded once in a thousand seeds."""
    counts = Counter(face for nth in range(600) for face in sealed_faces(SEED, (*ACT, str(nth)), 60, sides))
    assert set(counts) == set(range(1, sides + 1))
    expected = 36_000 / sides
    assert sum((seen - expected) ** 2 / expected for seen in counts.values()) < limit


def test_bytes_that_would_favour_low_faces_are_skipped():
    """253 of 256 bytes count for a die of eleven sides, 252 for six."""
    block = hmac.digest(bytes.fromhex(SEED), ("|".join(ACT) + "|0").encode(), "sha256")
    for sides, fair in ((6, 252), (11, 253), (256, 256)):
        expected = [byte % sides + 1 for byte in block if byte < fair]
        assert list(sealed_faces(SEED, ACT, len(expected), sides)) == expected


@pytest.mark.parametrize("sides", [0, 257])
def test_a_sealed_die_has_as_many_sides_as_a_byte_can_tell_apart(sides):
    with pytest.raises(ValueError, match="sides"):
        sealed_faces(SEED, ACT, 1, sides)


def test_an_act_gets_its_own_dice_in_whatever_order():
    acts = [(*ACT[:2], str(actor), *ACT[3:]) for actor in range(20)]
    forwards = {act: SealedDice(SEED, act).draw(12, 6, "hit").faces for act in acts}
    backwards = {act: SealedDice(SEED, act).draw(12, 6, "hit").faces for act in reversed(acts)}
    assert forwards == backwards
    assert len(set(forwards.values())) == len(acts)


def test_each_part_of_an_identity_counts():
    changed = [(*ACT[:place], "7", *ACT[place + 1 :]) for place in range(len(ACT))]
    assert len({SealedDice(SEED, act).draw(20, 6, "hit").faces for act in (ACT, *changed)}) == len(ACT) + 1
    assert SealedDice("5b" * 32, ACT).draw(20, 6, "hit").faces != SealedDice(SEED, ACT).draw(20, 6, "hit").faces


def test_each_throw_of_an_act_has_dice_of_its_own_and_more_dice_come_after_the_same_first_ones():
    dice = SealedDice(SEED, ACT)
    hit, injury = dice.draw(2, 6, "hit"), dice.draw(20, 6, "injury")
    again = SealedDice(SEED, ACT)
    more = again.draw(3, 6, "hit, one die more")
    assert more.faces[:2] == hit.faces
    assert again.draw(20, 6, "injury").faces == injury.faces
    assert sealed_faces(SEED, (*ACT, "1"), 20, 6) != injury.faces
    assert (hit.origin, hit.identity) == ("app", (*ACT, "1"))


def test_a_seal_gives_nothing_of_its_seed_away():
    seed = new_seed()
    assert seed != new_seed()
    assert len(bytes.fromhex(seed)) == 32
    assert seal_of(seed) == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    assert seed not in repr(SealedDice(seed, ACT)) + repr(SealedDice(seed, ACT).draw(1, 6, "hit"))
