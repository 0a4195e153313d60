"""The desk: rules that stop for a die or a decision and are run again from what was kept."""

import pytest

from rules.dice import Draw, TypedDice
from rules.problems import Refusal
from rules.resolution import Option, Outcome, Resolution, Task, advance

TEA, RUM, GIN = Option("tea", "Tea"), Option("rum", "Rum"), Option("gin", "Gin", closed="none is left.")


def resolver(resolution: Resolution) -> Outcome:
    first = resolution.roll(1, 6, "First die")
    resolution.tell(f"{first.total} fell.", first)
    drink = resolution.choose("drink", "What is drunk?", (TEA, RUM, GIN))
    second = resolution.roll(2, 6, "Then two")
    return Outcome(f"{drink}, {first.total}, {second.total}")


TASK = Task("evening", "Evening", resolver)


def test_a_resolver_stops_at_the_first_die():
    progress = advance(TASK, (), {})
    assert progress.need is not None
    assert (progress.need.why, progress.need.count) == ("First die", 1)
    assert progress.told == ()


def test_it_goes_on_from_what_was_kept_and_stops_at_the_decision():
    progress = advance(TASK, (), {}, TypedDice([4]))
    assert progress.asked is not None
    assert progress.asked.key == "drink"
    assert [t.words for t in progress.told] == ["4 fell."]
    again = advance(TASK, progress.draws, {})
    assert again.asked == progress.asked


def test_it_comes_through_with_all_that_is_kept_and_draws_nothing_new():
    kept = (Draw("First die", 6, (4,), "typed"), Draw("Then two", 6, (1, 2), "app"))
    progress = advance(TASK, kept, {"drink": "rum"})
    assert progress.outcome == Outcome("rum, 4, 3")
    assert progress.draws == kept


def test_a_closed_option_is_refused_with_its_reason():
    with pytest.raises(Refusal, match="Gin is closed: none is left"):
        advance(TASK, (), {"drink": "gin"}, TypedDice([4, 1, 1]))


def test_an_unknown_option_is_refused():
    with pytest.raises(Refusal, match="not one of the choices"):
        advance(TASK, (), {"drink": "milk"}, TypedDice([4, 1, 1]))


@pytest.mark.parametrize(
    ("given", "message"),
    [([], "Choose 1 to 2"), (["tea", "rum", "tea", "gin"], "closed"), (["milk"], "not one"), (["tea", "tea"], "")],
)
def test_choosing_some_bounds_the_number_and_counts_each_once(given, message):
    resolution = Resolution(choices={"cups": given})
    if message:
        with pytest.raises(Refusal, match=message):
            resolution.choose_some("cups", "Which?", (TEA, RUM, GIN), least=1, most=2)
    else:
        assert resolution.choose_some("cups", "Which?", (TEA, RUM, GIN), least=1, most=2) == ("tea",)


@pytest.mark.parametrize(("given", "message"), [("x", "whole number"), (7, "outside"), (0, "outside")])
def test_a_number_is_checked(given, message):
    with pytest.raises(Refusal, match=message):
        Resolution(choices={"n": given}).number("n", "How many?", 1, 6)
    assert Resolution(choices={"n": "3"}).number("n", "How many?", 1, 6) == 3


def test_dice_are_given_out_within_limits_and_total():
    options, limits = (TEA, RUM), {"tea": 2, "rum": 2}
    assert Resolution(choices={"d": {"tea": 2, "rum": 0}}).allot("d", "Spread.", options, 3, limits) == {"tea": 2}
    for given, message in (
        ({"tea": 3}, "more than 2"),
        ({"tea": 2, "rum": 2}, "there are 3"),
        ({"tea": "x"}, "not a number"),
    ):
        with pytest.raises(Refusal, match=message):
            Resolution(choices={"d": given}).allot("d", "Spread.", options, 3, limits)


def test_a_decision_sent_empty_asks_for_one():
    with pytest.raises(Refusal, match="Nothing is chosen yet"):
        advance(TASK, (Draw("First die", 6, (4,), "typed"),), {"drink": ""})
    with pytest.raises(Refusal, match="“beer” is not one of the choices"):
        advance(TASK, (Draw("First die", 6, (4,), "typed"),), {"drink": "beer"})
