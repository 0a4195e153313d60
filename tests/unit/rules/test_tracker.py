"""The table during a battle: acts folded into a state, what cannot be, what is asked for, and what dice do, in both editions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rules.dice import SeededDice, TypedDice
from rules.problems import Refusal
from rules.registry import system
from rules.tracker.acts import read_act, write_act
from rules.tracker.state import (
    Consumable,
    TableDeed,
    TableFighter,
    TableSide,
    TableState,
    keeper_of,
    read_state,
    write_state,
)
from rules.tracker.tracker import Tracker, fold, refuse_open
from rules.trench_crusade.content import EDITIONS, content_of

OLD, NEW = "1.6.3", "1.0"


def tracker(edition: str = OLD) -> Tracker:
    return system("trench-crusade").battle.tracker(content_of(edition))


def table(**how: Any) -> TableState:
    """Ada's four against Ben's two, in turn 1."""
    ada = tuple(TableFighter(key=f"a{n}", side="A", name=name, profile="yeoman") for n, name in enumerate(
        ("Ilse", "Ottla", "Kolya", "Matthias"), 1))  # fmt: skip
    ben = (
        TableFighter(key="b1", side="B", name="Vasek", facts={"tough": True, "armour": -1}),
        TableFighter(key="b2", side="B", name="Rosk", kit=(Consumable("i1", "Grenades"),)),
    )
    given = {"turn_limit": 4, "turn_least": 4, "morale": "loses"} | how
    return TableState(
        sides=(TableSide("A", "Ada"), TableSide("B", "Ben")), fighters=ada + ben,
        deeds=(TableDeed("sniper", "Sniper"), TableDeed("flag", "Flag", by_warband=True)), **given,
    )  # fmt: skip


def after(state: TableState, *acts: Mapping[str, Any], edition: str = OLD) -> TableState:
    return fold(tracker(edition), state, [read_act(act) for act in acts])


def told(state: TableState, act: Mapping[str, Any], edition: str = OLD) -> str:
    return tracker(edition).apply(state, read_act(act))[1]


def mark(fighter: str, change: int, kind: str = "blood", **more: Any) -> dict[str, Any]:
    return {"kind": "marker", "fighter": fighter, "marker": kind, "change": change, **more}


def roll(state: TableState, kind: str, *faces: int, edition: str = OLD, **data: str) -> tuple[TableState, str]:
    """Roll with these dice and apply what they do."""
    game, content, of = system("trench-crusade"), content_of(edition), tracker(edition)
    rule, given = of.question(state, kind, data)
    dice = TypedDice(faces)
    found = game.resolvers.resolve(content, rule, given, dice)
    assert not dice.left
    return of.apply(state, of.rolled(state, kind, data, found))


# --- the frame


def test_markers_stop_at_nought_and_at_the_cap() -> None:
    state = after(table(), mark("a1", 6))
    assert state.fighter("a1").markers == {"blood": 6}
    with pytest.raises(Refusal, match="6 is the most"):
        after(state, mark("a1", 1))
    with pytest.raises(Refusal, match="cannot be taken"):
        after(table(), mark("a1", -1))


def test_markers_pressed_from_one_figure_both_count_and_the_log_says_from_which() -> None:
    state = after(table(), mark("a1", 2))
    assert after(state, mark("a1", 1, was=2)).fighter("a1").markers["blood"] == 3
    counted, told = tracker(OLD).apply(state, read_act(mark("a1", 1, was=0)))
    assert counted.fighter("a1").markers["blood"] == 3
    assert told == "Ilse: blood 2 to 3 (pressed at 0)."
    with pytest.raises(Refusal, match="Ilse holds 6 blood; 6 is the most") as cap:
        after(after(state, mark("a1", 4)), mark("a1", 1, was=5))
    assert cap.value.code == "cap"


def test_what_is_out_neither_acts_nor_takes_markers() -> None:
    state = after(table(), mark("a1", 2), {"kind": "out", "fighter": "a1", "by": "B"})
    assert (state.fighter("a1").out_by, state.fighter("a1").markers) == ("B", {})
    for act in (
        mark("a1", 1), {"kind": "acted", "fighter": "a1"}, {"kind": "down", "fighter": "a1"},
        {"kind": "out", "fighter": "a1"},
    ):  # fmt: skip
        with pytest.raises(Refusal, match="Ilse is Out of Action and cannot act"):
            after(state, act)
    assert not after(state, {"kind": "back", "fighter": "a1"}).fighter("a1").out


def test_who_took_it_out_can_be_said_otherwise() -> None:
    state = after(table(), {"kind": "out", "fighter": "a1", "by": "B"}, {"kind": "out_by", "fighter": "a1", "by": "A"})
    assert state.fighter("a1").out_by == "A"
    with pytest.raises(Refusal, match="not one of the sides"):
        after(state, {"kind": "out_by", "fighter": "a1", "by": "Z"})


def test_a_fighter_acts_once_a_turn_and_the_other_side_is_next() -> None:
    state = after(table(), {"kind": "acted", "fighter": "a1"})
    assert state.acting == "B"
    with pytest.raises(Refusal, match="has acted this turn"):
        after(state, {"kind": "acted", "fighter": "a1"})
    state = after(state, {"kind": "turn", "turn": 1})
    assert (state.turn, state.initiative, state.fighter("a1").acted) == (2, "", False)
    after(state, {"kind": "acted", "fighter": "a1"})


def test_one_turn_ends_once() -> None:
    state = after(table(), {"kind": "turn", "turn": 1})
    with pytest.raises(Refusal, match="Turn 1 is over already; this is turn 2"):
        after(state, {"kind": "turn", "turn": 1})
    with pytest.raises(Refusal, match="the last one"):
        after(table(turn=4), {"kind": "turn", "turn": 4})


def test_whoever_never_came_on_took_no_part_and_does_nothing() -> None:
    state = after(table(), {"kind": "there", "fighter": "a4", "now": False})
    with pytest.raises(Refusal, match="is in reserve"):
        after(state, mark("a4", 1))
    with pytest.raises(Refusal, match="took part"):
        after(after(table(), mark("a4", 1)), {"kind": "there", "fighter": "a4", "now": False})
    assert after(state, {"kind": "there", "fighter": "a4"}, mark("a4", 1)).fighter("a4").markers == {"blood": 1}


def test_a_deed_goes_to_whoever_is_first() -> None:
    state = after(table(), {"kind": "deed", "deed": "sniper", "side": "A", "fighter": "a2"})
    with pytest.raises(Refusal, match="Sniper: Ottla was first"):
        after(state, {"kind": "deed", "deed": "sniper", "side": "B", "fighter": "b1"})
    with pytest.raises(Refusal, match="say which fighter"):
        after(table(), {"kind": "deed", "deed": "sniper", "side": "A"})
    with pytest.raises(Refusal, match="is not of Ada"):
        after(table(), {"kind": "deed", "deed": "sniper", "side": "A", "fighter": "b1"})
    flag = after(table(), {"kind": "deed", "deed": "flag", "side": "B", "fighter": "b1"}).deeds[1]
    assert (flag.side, flag.fighter) == ("B", "")


def test_points_and_kit() -> None:
    state = after(table(), {"kind": "score", "side": "A", "change": 2}, {"kind": "used", "fighter": "b2", "item": "i1"})
    assert (state.side("A").score, state.fighter("b2").kit[0].used) == (2, True)
    with pytest.raises(Refusal, match="is used up"):
        after(state, {"kind": "used", "fighter": "b2", "item": "i1"})
    with pytest.raises(Refusal, match="from 0 to 999"):
        after(table(), {"kind": "score", "side": "A", "change": -1})
    assert after(state, {"kind": "score", "side": "A", "change": 1, "was": 0}).side("A").score == 3


def test_an_ended_battle_takes_no_act_until_it_is_taken_up_again() -> None:
    state = after(table(), {"kind": "end"})
    with pytest.raises(Refusal, match="has ended"):
        after(state, mark("a1", 1))
    assert after(state, {"kind": "reopen"}, mark("a1", 1)).fighter("a1").markers == {"blood": 1}


def test_one_phone_keeps_both_when_both_say_so() -> None:
    state = after(table(), {"kind": "keep", "side": "A", "keeper": "A"})
    assert keeper_of(state, "B") == ""
    state = after(state, {"kind": "keep", "side": "B", "keeper": "A"})
    assert (keeper_of(state, "B"), keeper_of(state, "A")) == ("A", "")
    assert keeper_of(after(state, {"kind": "keep", "side": "B", "keeper": ""}), "B") == ""


@pytest.mark.parametrize(
    "act",
    [
        {"kind": "jump"}, {}, {"kind": "marker", "fighter": "a1"}, mark("a1", 99), mark("zz", 1), mark("a1", 1, "gold"),
        {"kind": "turn", "turn": "soon"}, {"kind": "note", "side": "A", "words": " "}, {"kind": "end", "more": 1},
        {"kind": "add", "side": "A", "name": "Somebody"}, {"kind": "score", "side": "Z", "change": 1},
    ],
)  # fmt: skip
def test_what_is_no_act_is_refused(act: Mapping[str, Any]) -> None:
    with pytest.raises(Refusal):
        after(table(), act)


def test_states_and_acts_are_written_and_read_as_they_are() -> None:
    state = after(table(), mark("a1", 2), {"kind": "deed", "deed": "flag", "side": "A"}, {"kind": "turn", "turn": 1})
    assert read_state(write_state(state)) == state
    for data in (mark("a1", 1, was=None), {"kind": "end"}):
        assert read_act(write_act(read_act(data))) == read_act(data)


# --- Trench Crusade


@pytest.mark.parametrize("edition", EDITIONS)
def test_infection_breeds_on_whoever_is_activated_with_it(edition: str) -> None:
    state = after(table(), mark("a1", 1, "infection"), edition=edition)
    assert told(state, {"kind": "acted", "fighter": "a1"}, edition) == "Ilse has acted. Infection breeds: 1 to 2."
    assert told(state, {"kind": "acted", "fighter": "a2"}, edition) == "Ottla has acted."
    full = after(table(), mark("a1", 6, "infection"), edition=edition)
    assert after(full, {"kind": "acted", "fighter": "a1"}, edition=edition).fighter("a1").markers["infection"] == 6


def test_morale_is_asked_for_when_half_are_down_or_out() -> None:
    one = after(table(), {"kind": "down", "fighter": "a1"})
    assert not [prompt for prompt in tracker().prompts(one) if prompt.kind == "morale"]
    two = after(one, {"kind": "out", "fighter": "a2", "by": "B"})
    (asked,) = [prompt for prompt in tracker().prompts(two) if prompt.kind == "morale"]
    assert (asked.side, asked.roll) == ("A", "morale")
    assert "2 of 4" in asked.words
    assert not [
        prompt for prompt in tracker().prompts(after(two, {"kind": "morale", "side": "A", "outcome": "holds"}))
        if prompt.kind == "morale"
    ]  # fmt: skip
    silent = after(table(morale="no-tests"), {"kind": "down", "fighter": "b1"}, {"kind": "down", "fighter": "b2"})
    assert not [prompt for prompt in tracker().prompts(silent) if prompt.kind == "morale"]


def fallen(**how: Any) -> TableState:
    return after(table(**how), {"kind": "down", "fighter": "a1"}, {"kind": "out", "fighter": "a2", "by": "B"})


def test_condensed_rules_a_failed_morale_test_flees() -> None:
    state, words = roll(fallen(), "morale", 1, 2, side="A")
    assert state.side("A").fled
    assert "Ada flees and loses" in words
    assert any(prompt.kind == "fled" for prompt in tracker().prompts(state))


def test_condensed_rules_the_option_shakes_once_then_flees() -> None:
    state, _ = roll(fallen(), "morale", 1, 2, side="A", shaken_rule="1")
    assert (state.side("A").shaken, state.side("A").fled) == (2, False)
    state = after(state, {"kind": "turn", "turn": 1}, {"kind": "turn", "turn": 2})
    state, _ = roll(state, "morale", 1, 2, side="A", shaken_rule="1")
    assert state.side("A").fled


def test_turns_and_actions_shaken_tests_again_whoever_stands_and_flees_on_the_second_failure() -> None:
    state, _ = roll(fallen(), "morale", 1, 2, edition=NEW, side="A")
    assert state.side("A").shaken == 2
    state = after(state, {"kind": "turn", "turn": 1}, {"kind": "back", "fighter": "a2"},
                  {"kind": "down", "fighter": "a1", "now": False}, edition=NEW)  # fmt: skip
    kinds = {prompt.kind: prompt.words for prompt in tracker(NEW).prompts(state)}
    assert "RISKY" in kinds["shaken"]
    assert "flees" in kinds["morale"]
    fled, _ = roll(state, "morale", 1, 2, edition=NEW, side="A")
    assert fled.side("A").fled
    held, _ = roll(state, "morale", 6, 2, edition=NEW, side="A")
    later = after(held, {"kind": "turn", "turn": 2}, edition=NEW)
    assert not [prompt for prompt in tracker(NEW).prompts(later) if prompt.side == "A"]


def test_a_leader_on_the_table_adds_a_die_to_morale() -> None:
    from dataclasses import replace

    state = fallen()
    state = state.with_fighter(replace(state.fighter("a3"), facts={"leader": True}))
    held, _ = roll(state, "morale", 1, 2, 5, side="A")
    assert not held.side("A").fled
    with pytest.raises(Refusal, match="tested its morale this turn"):
        roll(held, "morale", 1, 2, 5, side="A")


def test_where_nobody_flees_a_failure_shakes() -> None:
    state, _ = roll(fallen(morale="other"), "morale", 1, 1, side="A")
    state = after(state, {"kind": "turn", "turn": 1})
    state, _ = roll(state, "morale", 1, 1, side="A")
    assert (state.side("A").fled, state.side("A").shaken) == (False, 3)


def test_morale_that_is_not_due_is_not_rolled_for() -> None:
    of = tracker()
    rule, given = of.question(table(), "morale", {"side": "A"})
    found = system("trench-crusade").resolvers.resolve(content_of(OLD), rule, given, SeededDice(1))
    with pytest.raises(Refusal, match="No morale test is due"):
        of.rolled(table(), "morale", {"side": "A"}, found)


def test_initiative_goes_to_the_fewer_and_rolls_off_level_ones() -> None:
    state, _ = roll(table(), "initiative")
    assert (state.initiative, state.acting) == ("B", "B")
    level = after(table(), {"kind": "out", "fighter": "a1"}, {"kind": "out", "fighter": "a2"})
    state, words = roll(level, "initiative", 5, 2)
    assert state.initiative == "A"
    assert "(5, 2)" in words
    with pytest.raises(Refusal, match="Ada has the initiative of turn 1"):
        roll(state, "initiative", 5, 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_attack_does_what_its_dice_say(edition: str) -> None:
    """The core rules: an 8 hits, one marker spent, 4, 5 and 1 make 9; the TOUGH one goes Down instead, and out the next time."""
    state = after(table(), mark("b1", 2), edition=edition)
    data = {"fighter": "a1", "target": "b1", "armour": "0", "injury_blood_spent": "1"}
    state, words = roll(state, "attack", 4, 4, 4, 5, 1, edition=edition, **data)
    vasek = state.fighter("b1")
    assert (vasek.down, vasek.out, vasek.facts["tough_used"], vasek.markers["blood"]) == (True, False, True, 2)
    assert words.startswith("Ilse at Vasek: Roll to hit: 8")
    base = (4, 4, 4, 5, 1) if edition == OLD else (4, 4, 4, 5)
    state, _ = roll(state, "attack", *base, edition=edition, fighter="a2", target="b1", armour="0")
    assert (state.fighter("b1").out, state.fighter("b1").out_by) == (True, "A")


def test_a_miss_does_nothing_and_spends_what_was_spent() -> None:
    state = after(table(), mark("a1", 2))
    state, _ = roll(state, "attack", 1, 2, 3, fighter="a1", target="b2", blood_spent="1")
    assert (state.fighter("a1").markers["blood"], state.fighter("b2").markers) == (1, {})


def test_a_failed_risky_action_ends_the_activation() -> None:
    state, _ = roll(table(), "success", 1, 2, fighter="a1", risky="1")
    assert state.fighter("a1").acted


def test_an_injury_of_ones_own_is_by_ones_own_side() -> None:
    state, _ = roll(table(), "injury", 6, 6, fighter="a1", target="a1")
    assert (state.fighter("a1").out, state.fighter("a1").out_by) == (True, "A")


def test_dice_ask_who_and_refuse_who_cannot() -> None:
    of = tracker()
    for data in (
        {},
        {"fighter": "a1"},
        {"fighter": "zz", "target": "b1"},
        {"fighter": "a1", "target": "b1", "dice": "x"},
    ):
        with pytest.raises(Refusal):
            of.question(table(), "attack", data)
    gone = after(table(), {"kind": "out", "fighter": "b1"})
    with pytest.raises(Refusal, match="Out of Action"):
        of.question(gone, "attack", {"fighter": "a1", "target": "b1"})
    with pytest.raises(Refusal, match="markers are spent, but only"):
        roll(table(), "attack", 4, 4, fighter="a1", target="b1", blood_spent="2")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_roll_names_what_it_asks(edition: str) -> None:
    names = [kind.id for kind in tracker(edition).rolls() if not kind.group]
    assert names == ["attack", "injury", "success", "shot-into-melee", "goetic", "morale", "initiative"]
    for kind in tracker(edition).rolls():
        assert len({asked.name for asked in kind.asks}) == len(kind.asks)


# --- what is open at the end of a turn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [OLD, NEW])
def test_what_a_turn_would_lose_is_named_and_logged_when_it_ends_all_the_same(edition: str) -> None:
    of, state = tracker(edition), table()
    assert of.left_open(state) == (
        "Ada has 4 still to act: Ilse, Ottla, Kolya and 1 more.",
        "Ben has 2 still to act: Vasek, Rosk.",
    )
    acted = [{"kind": "acted", "fighter": key} for key in ("a1", "a2", "a3", "a4", "b1")]
    state = after(state, *acted, {"kind": "out", "fighter": "b2", "by": "A"}, edition=edition)
    assert of.left_open(state) == ("Ben: 1 of 2 are Down or Out. Its morale is not tested.",)
    with pytest.raises(Refusal, match=r"Turn 1 is not ended yet\. Ben: 1 of 2 are Down or Out") as asked:
        refuse_open(of, state, read_act({"kind": "turn", "turn": 1}))
    assert asked.value.code == "open"
    refuse_open(of, state, read_act({"kind": "turn", "turn": 1, "anyway": True}))
    assert told(state, {"kind": "turn", "turn": 1, "anyway": True}, edition) == (
        "Turn 2 begins. Ended all the same: Ben: 1 of 2 are Down or Out. Its morale is not tested."
    )
    assert told(state, {"kind": "end"}, edition).endswith("Its morale is not tested.")
    done = after(state, {"kind": "morale", "side": "B", "outcome": "holds"}, edition=edition)
    assert of.left_open(done) == ()
    refuse_open(of, done, read_act({"kind": "turn", "turn": 1}))
    assert told(done, {"kind": "turn", "turn": 1}, edition) == "Turn 2 begins."


def test_the_log_folds_whatever_was_open_when_a_turn_ended() -> None:
    assert after(table(), {"kind": "turn", "turn": 1}).turn == 2


def test_who_fled_has_nobody_left_to_act() -> None:
    state = after(table(), {"kind": "down", "fighter": "b1"}, {"kind": "morale", "side": "B", "outcome": "flees"})
    assert [words.partition(" ")[0] for words in tracker().left_open(state)] == ["Ada"]


# --- what needs no die, and what is not on offer -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [OLD, NEW])
def test_an_initiative_that_counting_settles_asks_no_die(edition: str) -> None:
    of = tracker(edition)
    kind = of.asked(table(), "initiative")
    assert (kind.move, kind.dice_words) == (True, "")
    assert "Ben has fewest fighters" in kind.words
    level = after(table(), *({"kind": "out", "fighter": key} for key in ("a3", "a4")), edition=edition)
    assert not of.asked(level, "initiative").move
    rule, given = of.question(table(), "initiative", {})
    found = system("trench-crusade").resolvers.resolve(content_of(edition), rule, given, TypedDice(()))
    assert of.rolled(table(), "initiative", {}, found).initiative == "B"


@pytest.mark.parametrize("edition", [OLD, NEW])
@pytest.mark.parametrize(
    ("markers", "down", "offered"),
    [(0, False, False), (2, True, False), (3, True, True), (5, False, False), (6, False, True)],
)
def test_a_bloodbath_is_on_offer_where_enough_markers_lie(
    edition: str, markers: int, down: bool, offered: bool
) -> None:
    state = table()
    if markers:
        state = after(state, mark("b1", markers), edition=edition)
    if down:
        state = after(state, {"kind": "down", "fighter": "b1"}, edition=edition)
    of = tracker(edition)
    names = {asks.name for asks in of.asked(state, "injury").asks}
    assert ("bloodbath" in names) == offered
    by_hand = of.asking(state, "attack", {"fighter": "a1", "target": "b1", "arm": "by-hand"})
    assert isinstance(by_hand.asks, tuple)


def test_the_log_parts_the_dice_of_hit_and_injury() -> None:
    from rules.resolvers.roller import Resolved
    from rules.trench_crusade.tracker.rolls import fell_words

    hit, injury = Resolved("success", "A hit.", (6, 5)), Resolved("down", "Down.", (4, 3, 1))
    assert fell_words(Resolved("down", "", (), steps=(hit, injury))) == " (6, 5; 4, 3, 1)"
    assert fell_words(hit) == " (6, 5)"
    assert fell_words(Resolved("failure", "")) == ""
