"""Promotions: the pool, how it is spread, dice one by one, the streak of failures, and exact chances."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from rules.force import ForceTrauma
from rules.problems import Refusal
from rules.trench_crusade.post_battle import promotion_chances
from rules.trench_crusade.steps.context import StepContext
from rules.trench_crusade.steps.promotion import check_spread, most_dice, percent, pool
from tests.unit.rules.evening import (
    ILSE,
    KOLYA,
    OTTLA,
    after,
    battle,
    content,
    fighter,
    run,
    sets,
    settle,
    shown,
    tasks,
    wardens,
    written,
)

MATTHIAS = fighter("matthias", "yeoman", "Matthias")


def promotion(force=None, aftermath=None, record=None):
    return tasks("promotion", force or wardens(), aftermath or battle(), record)["promotion"]


def scene(force=None, aftermath=None):
    from rules.parts.post_battle import StepRecord
    from rules.trench_crusade.post_battle import step_context

    made = step_context(content(), force or wardens(), aftermath or battle(), StepRecord())
    assert isinstance(made, StepContext)
    return made


# --- the pool


@pytest.mark.parametrize(
    ("won", "deeds", "skills", "dice"),
    [
        (False, [], (), 1),
        (True, [], (), 2),
        (True, [("sniper", "ilse"), ("bloodletting", "")], (), 4),
        (False, [], ("show-off",), 2),
    ],
)
def test_the_pool_is_one_and_one_for_the_win_for_each_deed_and_for_skills(won, deeds, skills, dice):
    force = wardens(fighter("ilse", "lieutenant", skills=skills), OTTLA)
    assert sum(n for _, n in pool(scene(force, battle(won=won, deeds=deeds)))) == dice


def test_only_those_who_may_rise_are_offered():
    force = wardens(
        ILSE,
        OTTLA,
        fighter("faris", "mamluk-faris", offer="mercenary-mamluk-faris", hired_as="mercenary"),
        replace(KOLYA, status="captive"),
        fighter("medic", "combat-medic"),
        fighter("absent", "yeoman"),
    )
    asked = run(promotion(force)).asked
    assert [o.value for o in asked.options] == ["ottla", "medic", "absent"]  # who stayed at home may rise too


def test_the_wretched_never_rise():
    force = wardens(fighter("p", "heretic-priest"), fighter("w", "wretched"), list="heretic-legion")
    assert settle(promotion(force)).sentence == "No fighter can be promoted."


@pytest.mark.parametrize(("skills", "closed"), [((), True), (("bad-company",), False)])
def test_six_elites_are_enough_unless_bad_company(skills, closed):
    elites = [fighter(f"e{i}", "yeoman", promoted=True) for i in range(5)]
    force = wardens(fighter("ilse", "lieutenant", skills=skills), *elites, OTTLA)
    progress = run(promotion(force))
    assert (progress.outcome is not None) is closed
    if closed:
        assert "6 ELITE fighters of 6" in progress.outcome.sentence
        assert progress.outcome.consequences == ()


# --- the spread


@pytest.mark.parametrize(
    ("given", "deeds", "legal"),
    [
        ({"a": 2}, [], True),
        ({"a": 3}, [], False),
        ({"a": 3}, ["a"], True),
        ({"a": 4}, ["a"], False),
        ({"a": 2, "b": 2, "c": 2}, [], True),
        ({"a": 3, "b": 2, "c": 2}, [], True),
        ({"a": 3, "b": 3, "c": 2}, [], True),
        ({"a": 4, "b": 2, "c": 2}, [], False),
        ({"a": 3, "b": 2, "c": 1}, [], False),
        ({"a": 4, "b": 3, "c": 3}, [], True),
        ({"a": 3, "b": 3, "c": 1}, ["a"], False),
        ({"a": 3, "b": 2, "c": 0}, ["a"], True),
    ],
)
def test_further_dice_wait_until_all_have_two_and_nobody_is_two_ahead(given, deeds, legal):
    keys = ("a", "b", "c")
    force = wardens(*(fighter(k, "yeoman") for k in keys))
    here = scene(force, battle(deeds=[("sniper", k) for k in deeds]))
    if legal:
        check_spread(here, keys, given)
    else:
        with pytest.raises(Refusal) as refusal:
            check_spread(here, keys, given)
        assert refusal.value.code == "promotion-spread"


def test_dice_given_to_nobody_are_told_to_lapse():
    force, won = wardens(ILSE, OTTLA, MATTHIAS), battle(won=True)
    nobody = run(promotion(force, won), (), {"dice": {}}).outcome
    assert nobody.sentence == "No die is rolled."
    assert "2 promotion dice lapse: not given to a fighter, and not kept." in nobody.will_do
    assert "1 promotion die lapses" in shown(run(promotion(force, won), (3,), {"dice": {"ottla": 1}}))


@pytest.mark.parametrize(
    ("dice", "count", "deed", "most"),
    [
        (1, 3, False, 1),
        (5, 3, False, 2),
        (6, 3, False, 2),
        (7, 3, False, 3),
        (5, 3, True, 3),
        (9, 3, False, 3),
        (4, 1, False, 4),
    ],
)
def test_the_most_dice_one_may_hold_follow_from_the_rule(dice, count, deed, most):
    keys = [f"k{i}" for i in range(count)]
    here = scene(wardens(*(fighter(k, "yeoman") for k in keys)), battle(deeds=[("sniper", "k0")] if deed else []))
    assert most_dice(here, keys, dice)["k0"] == most
    reachable = []
    for counts in product(range(dice + 1), repeat=count):
        if sum(counts) > dice:
            continue
        try:
            check_spread(here, keys, dict(zip(keys, counts, strict=True)))
        except Refusal:
            continue
        reachable.append(counts[0])
    assert max(reachable) == most


def test_a_spread_against_the_rule_is_refused_with_a_sentence():
    aftermath = battle(won=True, deeds=[("sniper", "ottla"), ("bloodletting", "")])
    with pytest.raises(Refusal, match="more than 2"):
        run(promotion(aftermath=aftermath), choices={"dice": {"kolya": 3}})


# --- the dice


def test_a_six_promotes_and_ends_it():
    aftermath = battle(won=True, deeds=[("sniper", "ilse")])
    outcome = settle(
        promotion(aftermath=aftermath), (3, 6), {"dice": {"ottla": 2, "kolya": 1}, "die-1": "ottla", "die-2": "ottla"}
    )
    assert sets(outcome) == {
        ("ottla", "promoted"): True,
        ("ottla", "choices", "promoted_after"): 1,
        ("ottla", "experience"): 0,
        ("", "promotion_misses"): 0,
    }
    assert "ELITE (4 of 6)" in outcome.will_do[0]


def test_dice_are_rolled_one_by_one_in_the_order_of_the_players_choosing():
    task = promotion(aftermath=battle(won=True))
    given = {"dice": {"ottla": 1, "kolya": 1}}
    assert run(task, choices=given).asked.key == "die-1"
    need = run(task, choices={**given, "die-1": "kolya"}).need
    assert (need.count, need.sides) == (1, 6)
    assert "Kolya" in need.why
    assert "Ottla" in run(task, (2,), {**given, "die-1": "kolya"}).need.why


def test_failures_are_counted_on_across_battles():
    outcome = settle(promotion(wardens(promotion_misses=2), battle(won=True)), (1, 5), {"dice": {"ottla": 2}})
    assert sets(outcome) == {("", "promotion_misses"): 4}


def test_dice_not_drawn_are_no_failures():
    force = wardens(promotion_misses=3)
    outcome = settle(promotion(force, battle(won=True)), (6,), {"dice": {"ottla": 2}})
    assert sets(outcome)["", "promotion_misses"] == 0


def test_after_five_failures_the_next_die_needs_no_throw():
    force = wardens(promotion_misses=5)
    outcome = settle(promotion(force), (), {"dice": {"kolya": 1}})
    assert sets(outcome)["kolya", "promoted"] is True
    assert sets(outcome)["", "promotion_misses"] == 0


def test_the_streak_may_fill_up_within_one_pool():
    force = wardens(ILSE, OTTLA, KOLYA, promotion_misses=3)
    aftermath = battle(won=True, deeds=[("sniper", "ilse")])
    choices = {"dice": {"ottla": 2, "kolya": 1}, "die-1": "ottla", "die-2": "ottla"}
    progress = run(promotion(force, aftermath), (1, 1), choices)
    assert sets(progress.outcome)["kolya", "promoted"] is True
    assert "after 5 failures this die cannot fail" in shown(progress)


def test_five_failures_are_announced():
    outcome = settle(promotion(wardens(promotion_misses=4)), (2,), {"dice": {"ottla": 1}})
    assert sets(outcome) == {("", "promotion_misses"): 5}
    assert "The next promotion die cannot fail." in outcome.will_do


def test_keeping_the_dice_back_changes_nothing():
    assert settle(promotion(), (), {"dice": {}}).consequences == ()


def test_a_head_wound_is_open_to_a_die_in_the_same_sequence_and_keeps_its_experience():
    wound = ForceTrauma("b1-trauma-ilse", "head-wound", battle=1)
    demoted = replace(ILSE, demoted=True, experience=5, advances=2, traumas=(wound,))
    outcome = settle(promotion(wardens(demoted)), (6,), {"dice": {"ilse": 1}})
    done = sets(outcome)
    assert done["ilse", "demoted"] is False
    assert ("ilse", "experience") not in done
    again = after(wardens(demoted), outcome)
    assert tasks("experience", again, battle(2))["experience"]


def test_a_written_promotion_stays_listed():
    outcome = settle(promotion(), (6,), {"dice": {"ottla": 1}})
    done = after(wardens(), outcome)
    again = promotion(done, record=written("promotion"))
    assert settle(again).sentence == "Ottla joined the ELITE."
    assert settle(again).consequences == ()


# --- chances


def test_the_chances_of_the_drawn_screen():
    chances = promotion_chances(["ottla", "ottla", "kolya"], misses=3)
    assert percent(chances["ottla"]) == "30.6 %"
    assert percent(chances["kolya"]) == "69.4 %"


@pytest.mark.parametrize("misses", range(6))
@pytest.mark.parametrize("order", ["a", "ab", "aab", "abab", "aabbc", "abcabc"])
def test_chances_agree_with_every_possible_throw(order, misses):
    counted = dict.fromkeys(order, 0)
    for faces in product(range(1, 7), repeat=len(order)):
        failed = misses
        for key, face in zip(order, faces, strict=True):
            if failed >= 5 or face == 6:
                counted[key] += 1
                break
            failed += 1
    total = 6 ** len(order)
    assert promotion_chances(list(order), misses) == {key: Fraction(n, total) for key, n in counted.items()}
