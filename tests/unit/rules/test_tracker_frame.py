"""What the frame of the table does for any game: facts and counts, moves, offers that are closed, answers that no form offers."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice import NeedDice, TypedDice
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct, read_act, write_act
from rules.tracker.rolls import Asks, RollKind, refuse_closed, refuse_unasked
from rules.tracker.state import TableFighter, TableSide, TableState, read_state, write_state
from rules.tracker.tracker import fold
from tests.fake_tracker import LampTracker, resolve_lamp

GAME = LampTracker()


@pytest.fixture
def table() -> TableState:
    fighters = tuple(TableFighter(key=key, side=key[0].upper(), name=key) for key in ("a1", "a2", "b1"))
    return GAME.set_up(TableState(sides=(TableSide("A", "Ada"), TableSide("B", "Ben")), fighters=fighters))


def trim(state: TableState, key: str) -> RollAct:
    return GAME.rolled(state, "trim", {"fighter": key}, Resolved("", ""))


def draw(state: TableState) -> RollAct:
    return GAME.rolled(state, "draw", {}, resolve_lamp("lamp-draw", TypedDice((7,))))


def flare(state: TableState, key: str) -> RollAct:
    return GAME.rolled(state, "flare", {"fighter": key}, resolve_lamp("lamp-flare", TypedDice((1, 2, 3))))


def test_counts_go_no_lower_than_nought(table: TableState) -> None:
    state = fold(GAME, table, [trim(table, "a1"), trim(table, "a1")])
    assert state.fighter("a1").facts == {"soot": 0}
    assert state.fighter("a1").touched
    with pytest.raises(Refusal, match="soot stands at 0") as below:
        GAME.apply(state, trim(state, "a1"))
    assert below.value.code == "below-nought"
    state = fold(GAME, table, [draw(table), draw(table)])
    assert state.facts == {"oil": 0, "mood": "stirred"}
    with pytest.raises(Refusal, match="oil stands at 0"):
        GAME.apply(state, draw(state))


def test_leaving_one_out_leaves_what_others_counted(table: TableState) -> None:
    acts = [draw(table), flare(table, "a1"), trim(table, "a2"), flare(table, "a2"), draw(table)]
    whole = fold(GAME, table, acts)
    assert (whole.facts["oil"], whole.side("A").facts["lit"], whole.fighter("a2").facts["soot"]) == (0, 2, 1)
    for place, (oil, lit, soot) in enumerate([(1, 2, 1), (0, 1, 1), (0, 2, 2), (0, 1, 1), (1, 2, 1)]):
        left = fold(GAME, table, [act for n, act in enumerate(acts) if n != place])
        assert (left.facts["oil"], left.side("A").facts["lit"], left.fighter("a2").facts["soot"]) == (oil, lit, soot)


def test_a_state_that_cannot_be_is_refused_by_the_game(table: TableState) -> None:
    state = fold(GAME, table, [flare(table, "a1")] * 3)
    with pytest.raises(Refusal, match="3 lamps lit"):
        GAME.apply(state, flare(state, "a2"))
    GAME.apply(state, flare(state, "b1"))


@pytest.mark.parametrize("act", [
    {"kind": "down", "fighter": "a1"}, {"kind": "score", "side": "A", "change": 1}, {"kind": "initiative", "side": "A"},
    {"kind": "morale", "side": "A", "outcome": "holds"}, {"kind": "pass", "side": "A"}, {"kind": "deed", "deed": "x", "side": "A"},
    {"kind": "used", "fighter": "a1", "item": "x"},
])  # fmt: skip
def test_what_a_game_does_not_use_cannot_be_done(table: TableState, act: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="has no such act") as unused:
        GAME.apply(table, read_act(act))
    assert unused.value.code == "unused"


def test_a_game_without_initiative_asks_for_none(table: TableState) -> None:
    assert [prompt.kind for prompt in GAME.prompts(table)] == []


def test_facts_and_their_effects_survive_being_written(table: TableState) -> None:
    act = flare(table, "a1")
    assert read_act(write_act(act)) == act
    state, _ = GAME.apply(table, act)
    assert read_state(write_state(state)) == state


def test_the_move_of_an_offer_that_is_closed_is_refused_with_its_reason(table: TableState) -> None:
    refuse_closed(GAME.offers(table), "trim", {"fighter": "a1"})
    state = fold(GAME, table, [trim(table, "a1"), trim(table, "a1")])
    with pytest.raises(Refusal, match="a1 has no soot left"):
        refuse_closed(GAME.offers(state), "trim", {"fighter": "a1"})
    refuse_closed(GAME.offers(state), "trim", {"fighter": "a2"})
    refuse_closed(GAME.offers(state), "unheard-of", {})


ASKING = RollKind("x", "X", "", (
    Asks("n", "Figure", "number", -2, 3), Asks("o", "Choice", "option", options=(("a", "A"),)), Asks("s", "Side", "side"),
    Asks("m", "Who", "mine", only=("a1",)), Asks("w", "All who", "anybody", several=True, only=("a1", "b1")), Asks("t", "Tick"),
))  # fmt: skip


def test_answers_that_the_form_offers_pass(table: TableState) -> None:
    refuse_unasked(table, ASKING, {})
    refuse_unasked(table, ASKING, {"n": "−2", "o": "a", "s": "A", "m": "a1", "w": "a1,b1", "t": "whatever"})


@pytest.mark.parametrize(("name", "told", "words"), [
    ("n", "4", "from −2 to 3; 4 does not fit"), ("n", "x", "no whole number"), ("n", "1e3", "no whole number"),
    ("o", "b", "not among the choices"), ("s", "Z", "not one of the sides"), ("m", "a2", "a2 is not one of those"),
    ("m", "zz", "No such fighter"), ("w", "a1,a2", "a2 is not one of those"), ("w", "a1,", "No such fighter"),
])  # fmt: skip
def test_answers_that_no_form_offers_are_refused(table: TableState, name: str, told: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        refuse_unasked(table, ASKING, {name: told})


def test_dice_of_every_kind_run_out_one_throw_after_the_other() -> None:
    with pytest.raises(NeedDice) as need:
        resolve_lamp("lamp-flare", TypedDice((8,)))
    assert (need.value.count, need.value.sides) == (2, 12)


def test_every_icon_of_a_marker_is_in_the_sprite() -> None:
    from pathlib import Path

    from rules.registry import systems

    drawn = {path.stem for path in (Path(__file__).parents[3] / "static" / "img" / "icons").glob("*.svg")}
    for game in systems():
        for edition in game.editions():
            icons = {kind.icon for kind in game.battle.tracker(game.content(edition)).markers if kind.icon}
            assert icons <= drawn, (game.id, edition)
