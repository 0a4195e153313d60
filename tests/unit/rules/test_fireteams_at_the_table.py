"""Two of a fireteam at the table: who acts with whom, and when the turn to act passes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.registry import system
from rules.tracker.acts import ActedAct, OutAct
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker
from rules.trench_crusade.content import content_of
from tests.unit.rules.test_arms import NEW, OLD, YEOMAN, fresh


def tracker_of(edition: str) -> Tracker:
    tracker: Tracker = system("trench-crusade").battle.tracker(content_of(edition))
    return tracker


@pytest.fixture
def state() -> TableState:
    fighters = tuple(
        TableFighter(key=key, side=key[0].upper(), name=name, facts={"fireteam": [partner]} if partner else {})
        for key, name, partner in (("a1", "Ilse", "a2"), ("a2", "Ottla", "a1"), ("a3", "Ruth", ""), ("b1", "Vasek", ""))
    )
    return TableState(
        sides=(TableSide("A", "Ada"), TableSide("B", "Ben")), fighters=fighters, acting="A", initiative="A"
    )


@pytest.mark.parametrize("edition", [OLD, NEW])
def test_the_turn_to_act_stays_until_both_have_acted(edition: str, state: TableState) -> None:
    tracker = tracker_of(edition)
    state, _ = tracker.apply(state, ActedAct(fighter="a1"))
    assert state.acting == "A"
    assert tracker.acts_too(state) == state.fighter("a2")
    state, _ = tracker.apply(state, ActedAct(fighter="a2"))
    assert state.acting == "B"
    assert tracker.acts_too(replace(state, acting="A")) is None


@pytest.mark.parametrize("edition", [OLD, NEW])
def test_who_has_no_partner_left_hands_over(edition: str, state: TableState) -> None:
    tracker = tracker_of(edition)
    assert [badge.words for badge in tracker.badges(state, state.fighter("a1"))] == ["fireteam: Ottla"]
    alone, _ = tracker.apply(state, OutAct(fighter="a2"))
    after, _ = tracker.apply(alone, ActedAct(fighter="a1"))
    assert after.acting == "B"
    assert tracker.badges(after, after.fighter("a1")) == ()
    after, _ = tracker.apply(state, ActedAct(fighter="a3"))
    assert after.acting == "B"


@pytest.mark.parametrize("edition", [OLD, NEW])
def test_a_failed_risky_roll_ends_the_activation_hands_over_and_tells_of_the_partner(
    edition: str, state: TableState
) -> None:
    from rules.dice import TypedDice
    from rules.trench_crusade.resolvers import rules as table

    tracker = tracker_of(edition)
    state, _ = tracker.apply(state, ActedAct(fighter="a1"))
    for actor in ("a2", "a3"):
        data = {"fighter": actor}
        rule, given = tracker.question(state, "dash", data)
        act = tracker.rolled(state, "dash", data, table.resolve(content_of(edition), rule, given, TypedDice((1, 1))))
        assert act.done
        after, _ = tracker.apply(state, act)
        assert after.fighter(actor).acted
        assert after.acting == "B"
        assert "acts with it" not in act.told
    fresh_state = replace(state, fighters=tuple(replace(one, acted=False) for one in state.fighters))
    rule, given = tracker.question(fresh_state, "dash", {"fighter": "a1"})
    act = tracker.rolled(
        fresh_state, "dash", {"fighter": "a1"}, table.resolve(content_of(edition), rule, given, TypedDice((1, 1)))
    )
    assert act.told.endswith("If Ottla acts with it, that activation ends too.")


@pytest.mark.parametrize("edition", [OLD, NEW])
def test_a_declared_pair_reaches_the_table(edition: str) -> None:
    force = fresh(edition, YEOMAN)
    two = replace(force.fighters[0], key="2")
    force = replace(force, fighters=(*force.fighters, two), choices={"fireteams": [["1", "2"]]})
    views = system("trench-crusade").views(content_of(edition), force)
    assert [tracker_of(edition).facts(views[key]).get("fireteam") for key in ("1", "2")] == [["2"], ["1"]]
