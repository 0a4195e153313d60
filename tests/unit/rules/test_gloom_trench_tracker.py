"""Gloom Trench 1926 at the table: whole turns with typed dice, what each act does and refuses, and what may be taken back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from rules.dice import NeedDice, SeededDice
from rules.problems import Refusal
from rules.tracker.acts import AddAct, BackAct, OutAct, ThereAct, read_act
from rules.tracker.state import TableFighter, TableSide, TableState
from tests.drills import WHOLE
from tests.unit.rules import custom_forces as w
from tests.unit.rules.gloom_resolvers import GAME, Laid, changed, refused

pytestmark = pytest.mark.slow

# First, Second: 7 Rifle and an NCO; Guns: 3 crew; Officer: Commander of 3 Wounds. Keys: side and place.


def with_orders() -> dict[str, Any]:
    """The usual force, whose Rifles know a Unit Order and a rule, and whose Guns know an order."""
    document = w.gloom()
    w.profile(document, "Test Rifles")["unit_orders"] = [{"name": "Steady", "text": "Hold."}]
    w.profile(document, "Test MG Team")["unit_orders"] = [{"name": "Sweep", "text": "Sweep."}]
    rule = {"name": "Smoke", "text": "Friends near it are hidden.", "effect": "obscuring"}
    w.profile(document, "Test MG Team")["special_rules"] = [rule]
    return document


# --- the turn


def test_a_turn_goes_through_its_steps_in_order() -> None:
    laid = Laid()
    seen = [laid.phase]
    for _ in range(2):
        laid.go()
        seen.append(laid.phase)
    laid.do("pool", 5, 2, 6, side="a")
    laid.do("pool", 1, 3, 4, side="b")
    assert (laid.play.pool("a"), laid.play.pool("b")) == (6, 4)
    for _ in range(2):
        laid.go()
        seen.append(laid.phase)
    laid.do("initiative", 5, 6, 1, 5, 4, 2)
    seen.append(laid.phase)
    assert seen == ["setup", "effects", "pool", "bag", "initiative", "draw"]
    assert (laid.state.initiative, dict(laid.play.chits), laid.play.fog) == ("a", {"a": 5, "b": 4}, 3)
    for _ in range(3):
        laid.do("drawn", which="fog")
    assert laid.phase == "end-effects"
    laid.go()
    laid.do("pool", 5, 6, 4, 1, 3, 2, side="a")
    laid.do("pool", 1, 2, 3, 4, side="b")
    assert (laid.play.pool("a"), laid.play.pool("b")) == (2, 0)
    for _ in range(3):
        laid.go()
    assert (laid.phase, laid.state.turn, laid.state.initiative) == ("effects", 2, "")
    assert laid.play.facts["last_initiative"] == "a"
    assert "Ben first" in laid.tracker.board(laid.state)[0].words


def test_each_step_tells_what_to_do_and_how_to_go_on() -> None:
    laid = Laid()
    words = []
    while laid.state.turn == 1:
        line = laid.tracker.board(laid.state)[0]
        words.append(line.figure)
        assert 20 < len(line.words) < 120
        main = [
            offer for offer in laid.tracker.offers(laid.state) if offer.main and not offer.fighter and not offer.closed
        ]
        assert main, f"nothing stands under the thumb at {line.figure}"
        if main[0].roll == "pool":
            dice = laid.play.command("a") if laid.phase == "pool" else laid.play.pool(main[0].side)
            laid.do("pool", *[1] * dice, side=main[0].side)
        elif main[0].roll == "initiative":
            laid.do("taken", whose="b")
        elif main[0].roll == "draw":
            laid.do("drawn", which="fog")
        else:
            laid.go()
    assert any("tea" in word for word in words)
    assert len(dict.fromkeys(words)) == 10


def test_the_turn_waits_for_pools_and_checks() -> None:
    laid = Laid()
    laid.go()
    laid.go()
    assert refused(laid, "next", **{"from": "pool"}) == "closed"
    laid.do("pool", 1, 1, 1, side="a")
    assert refused(laid, "pool", 1, 1, 1, side="a") == "done"
    awaited = laid.tracker.awaited(laid.state)
    assert awaited is not None
    assert (awaited.side, awaited.words) == ("b", "Ben rolls for its pool")
    laid.do("pool", 1, 1, 1, side="b")
    assert laid.tracker.awaited(laid.state) is None
    laid.go()
    assert refused(laid, "next", **{"from": "pool"}) == "clash"


def test_a_level_initiative_is_rolled_again_on_the_first_turn_and_then_goes_by_the_last() -> None:
    laid = Laid().to_initiative()
    assert "roll again" in laid.do("initiative", 5, 6, 1, 5, 5, 1)
    assert laid.phase == "initiative"
    laid.do("initiative", 5, 6, 5, 5, 5, 1)
    assert laid.state.initiative == "a"
    for _ in range(3):
        laid.do("drawn", which="fog")
    laid.points("a", 0).points("b", 0)
    for _ in range(6):
        laid.go()
        if laid.phase == "pool":
            for side in "ab":
                laid.do("pool", 1, 1, 1, side=side)
    assert laid.phase == "initiative"
    laid.do("initiative", 5, 6, 1, 5, 5, 1)
    assert laid.state.initiative == "b"


def test_points_make_the_dice_of_the_initiative_bigger() -> None:
    laid = Laid().to_initiative()
    before = laid.play.pool("b")
    laid.do("initiative", 4, 4, 4, 8, 2, 2, tp_b=1)
    assert (laid.state.initiative, laid.play.pool("b")) == ("b", before - 1)


@pytest.mark.parametrize(("faces", "winner"), [((5, 1, 1, 1, 1, 1, 5, 6, 1), "c"), ((5, 1, 1, 1, 1, 1, 5, 1, 1), "")])
def test_three_sides_roll_for_the_initiative(faces: tuple[int, ...], winner: str) -> None:
    laid = Laid(sides=3).to_initiative()
    laid.do("initiative", *faces)
    assert laid.state.initiative == winner
    if winner:
        assert dict(laid.play.chits) == {"a": 4, "b": 4, "c": 5}


# --- the bag


def test_fog_is_set_aside_and_the_next_chit_is_drawn_at_once() -> None:
    laid = Laid().to_draw("b")  # a 4, b 5, fog 3
    assert laid.do("draw", 12, 5) == "Fog, the first. A chit of Ben."
    assert (laid.phase, laid.play.facts["chit"], laid.play.fog) == ("choose", "b", 2)
    assert list(laid.play.facts["drawn"]) == ["fog", "b"]
    assert dict(laid.play.chits) == {"a": 4, "b": 4}


def test_a_die_may_stand_for_the_bag_and_its_faces_are_told() -> None:
    laid = Laid().to_draw("b")
    assert laid.tracker.asked(laid.state, "draw").words.endswith(
        "On a die of 12: 1 to 4 Ada, 5 to 9 Ben, 10 to 12 Fog."
    )
    for face, chit in ((4, "a"), (5, "b"), (9, "b")):
        laid.do("draw", face)
        assert laid.play.facts["chit"] == chit
        laid.undo()


def test_the_third_fog_ends_the_phase_at_once() -> None:
    laid = Laid().to_draw()
    laid.do("drawn", which="fog")
    laid.do("drawn", which="fog")
    told = {line.label: line for line in laid.tracker.board(laid.state)}
    assert told["Fog"].words == "Next draw ends the turn: 10 %"
    assert told["Fog"].track == (("1", True), ("2", True), ("3", False))
    assert told["Next unit"].words == "Ada 55.6 %, Ben 44.4 %"
    assert "ends at once" in laid.do("draw", 10)
    assert laid.phase == "end-effects"
    assert refused(laid, "draw") == "phase"


def test_a_chit_of_a_side_without_units_is_set_aside() -> None:
    laid = Laid().to_draw()
    for place in range(1, 5):
        laid.act(OutAct(fighter=f"b{place}", by="a"))
    laid.do("drawn", which="b")
    assert laid.phase == "draw"
    laid.do("draw", 6, 1)  # another of b, set aside, then one of a
    assert (laid.phase, laid.play.facts["chit"]) == ("choose", "a")
    assert laid.asks("limit") == ["Ben has no unit left: the battle may end."]


def test_the_phase_ends_when_no_chit_of_a_player_is_left() -> None:
    laid = Laid().to_draw()
    laid.do("chits", chits_a=0, chits_b=1, fog=3)
    laid.active("b1", "do-nothing")
    laid.do("end", side="b")
    assert laid.phase == "end-effects"


def test_chits_of_units_lost_leave_the_bag_where_the_table_reads_it_so() -> None:
    laid = Laid(readings={"GT-A17-chits-of-lost-units": "leave"}).to_draw()
    laid.act(OutAct(fighter="b1", by="a"))
    laid.do("draw", 1)
    assert dict(laid.play.chits) == {"a": 4, "b": 3}


def test_every_chit_comes_as_often_as_it_should() -> None:
    """Six chits, of which three are Ada's, one Ben's and two Fog: who is drawn first, over many bags."""
    laid = Laid().to_draw()
    laid.do("chits", chits_a=3, chits_b=1, fog=2)
    came: Counter[str] = Counter()
    dice = SeededDice("bag")
    many = 3000 if WHOLE else 1000
    for _ in range(many):
        laid.do("draw", source=dice)
        came[str(laid.play.facts["drawn"][0])] += 1
        laid.undo()
    for chit, share in (("a", 3 / 6), ("b", 1 / 6), ("fog", 2 / 6)):
        assert abs(came[chit] / many - share) < 0.04


def test_nothing_of_the_state_says_which_chit_comes_next() -> None:
    laid = Laid().to_draw()
    facts = laid.play.facts
    assert {name: type(told) for name, told in facts.items() if name in ("chits", "fog", "drawn")} == {
        "chits": dict, "fog": int, "drawn": list,
    }  # fmt: skip
    assert facts["drawn"] == []
    outcomes = set()
    for seed in range(40):
        laid.do("draw", source=SeededDice(seed))
        outcomes.add(tuple(laid.play.facts["drawn"]))
        laid.undo()
    assert len(outcomes) > 3, "the same state leads to different chits"


# --- activation


def test_an_activation_from_the_chit_to_its_end() -> None:
    laid = Laid().to_draw()
    laid.chit("a")
    assert laid.asks("choose") == ["Ada: choose a unit and its action."]
    assert refused(laid, "activate", fighter="b1", action="advance") == "no-choice"
    laid.do("activate", fighter="a1", action="advance")
    assert (laid.phase, laid.play.facts["active"], laid.state.fighter("a1").acted) == ("unit", "a1", True)
    laid.do("end", side="a")
    assert laid.phase == "draw"
    laid.chit("a")
    assert refused(laid, "activate", fighter="a1", action="advance") == "no-choice"
    assert laid.offered("activate", action="rally") is False


def test_a_unit_may_go_again_once_all_the_others_have_been_activated() -> None:
    laid = Laid()
    for key in ("a1", "a2", "a3", "a4"):
        laid.active(key, "do-nothing").do("end", side="a")
    laid.active("a2", "do-nothing")
    assert laid.play.active is not None


def test_where_no_unit_goes_twice_the_chit_is_set_aside() -> None:
    laid = Laid(readings={"GT-A10-second-activation": "never"})
    for key in ("a1", "a2", "a3", "a4"):
        laid.active(key, "do-nothing").do("end", side="a")
    laid.chit("a")
    assert laid.offered("aside")
    laid.do("aside", side="a")
    assert laid.phase == "draw"
    laid.do("drawn", which="b")
    assert refused(laid, "aside", side="b") == "phase"


def test_a_stress_test_is_rolled_where_it_is_due_and_takes_a_token_when_passed() -> None:
    laid = Laid().stressed(a3=2)
    assert "5+" not in laid.troop("a3").test_words(laid.content)
    assert "Stress Test: 6+ on a D8, 37.5 %; with a point 6+ on a D12, 58.3 %" in laid.tracker.lines(
        laid.state, laid.state.fighter("a3")
    )
    laid.active("a3", "open-up", 6)
    assert (laid.troop("a3").stress, laid.phase) == (1, "unit")


def test_a_failed_stress_test_ends_the_activation() -> None:
    laid = Laid().stressed(a3=2)
    laid.active("a3", "open-up", 5)
    assert (laid.troop("a3").stress, laid.phase, laid.state.fighter("a3").acted) == (2, "draw", True)


def test_points_of_both_sides_weigh_on_a_stress_test() -> None:
    laid = Laid().stressed(a3=2)
    laid.active("a3", "open-up", 7, tp=1, enemy_tp=1)  # D12, 7 + 1 - 2 - 1 = 5
    assert (laid.play.pool("a"), laid.play.pool("b"), laid.troop("a3").stress) == (3, 3, 1)


def test_no_point_is_taken_where_no_test_is_due() -> None:
    laid = Laid().stressed(a3=1)
    before = laid.play.pool("a")
    laid.active("a3", "open-up", tp=1)
    assert laid.play.pool("a") == before + 1  # what the Commander brought in the Tactical Phase


def test_lost_coherency_and_horror_bring_tokens_and_the_first_forces_an_advance() -> None:
    laid = Laid()
    laid.active("a3", "open-up", 6, astray=1, horror=1)
    assert (laid.play.facts["action"], laid.troop("a3").stress) == ("advance", 1)


def test_a_rally_needs_no_test_and_takes_tokens_off() -> None:
    laid = Laid().stressed(a1=3)
    laid.active("a1", "rally")
    laid.do("rally", 3, 2, 1, fighter="a1")
    assert laid.troop("a1").stress == 2
    assert refused(laid, "rally", fighter="a1") == "done"


def test_digging_in_lasts_until_the_next_activation_of_the_unit() -> None:
    laid = Laid()
    laid.active("a1", "dig-in")
    laid.do("dig", fighter="a1")
    assert (laid.phase, laid.troop("a1").facts["dug_in"]) == ("draw", True)
    for key in ("a2", "a3", "a4"):
        laid.active(key, "do-nothing").do("end", side="a")
    laid.active("a1", "do-nothing")
    assert laid.troop("a1").facts["dug_in"] is False


def test_taking_ground_rolls_its_distance_and_a_point_makes_the_die_bigger() -> None:
    laid = Laid()
    laid.active("a1", "take-that-ground")
    before = laid.play.pool("a")
    assert "12 MU" in laid.do("ground", 7, fighter="a1", tp=1)
    assert laid.play.pool("a") == before - 1
    assert refused(laid, "ground", 3, fighter="a1") == "done"


def test_unit_orders_cost_a_point_each_and_ask_for_a_leader_or_a_commander() -> None:
    laid = Laid(with_orders())
    laid.active("a1", "do-nothing")
    before = laid.play.pool("a")
    laid.do("order", fighter="a1", order=0)
    laid.do("order", fighter="a1", order=0)
    assert laid.play.pool("a") == before - 2
    laid.points("a", 0)
    assert refused(laid, "order", fighter="a1", order=0) == "closed"
    laid.points("a", 1)
    laid.do("end", side="a")
    laid.active("a3", "do-nothing")  # no Squad Leader of its own
    assert refused(laid, "order", fighter="a3", order=0) == "number"
    assert refused(laid, "order", fighter="a3", order=0, far=7) == "closed"
    laid.do("order", fighter="a3", order=0, far=6)
    laid.act(OutAct(fighter="a4"))
    laid.points("a", 1)
    assert refused(laid, "order", fighter="a3", order=0, far=1) == "closed"


def test_only_the_active_unit_acts_and_only_as_it_declared() -> None:
    laid = Laid()
    laid.active("a1", "advance")
    assert refused(laid, "shoot", fighter="a2", target="b1", distance=8, los_0=3) == "no-choice"
    assert refused(laid, "charge", fighter="a1", target="b1", gap=5) == "action"
    assert refused(laid, "end", side="b") == "not-yours"


# --- shooting


def test_a_shot_takes_models_and_brings_stress() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    said = laid.do("shoot", 1, 2, 4, 5, 5, 6, 8, 3, 5, 1, 3, 6, fighter="a1", target="b3", distance=16, los_0=8)
    # Three crew are no Small Unit. Four hits, two saved, a natural 1 among the saves.
    assert laid.left("b3") == {"Crew": 1}
    assert laid.troop("b3").stress == 2
    assert "4 hits, 2 damage, Stress +2." in said


def test_what_bears_on_a_shot_is_reckoned_and_its_odds_are_told() -> None:
    laid = Laid()
    laid.active("a1", "advance")
    kind = laid.tracker.asking(
        laid.state, "shoot", {"fighter": "a1", "target": "b4", "distance": "8", "cover": "heavy", "obscured": "1"}
    )
    assert set(kind.reckoned) >= {"-1 Advance", "-1 Small Unit"}
    assert len(kind.reckoned) == 5
    assert kind.odds_words.startswith("No model lost: ")


def test_the_owner_picks_who_takes_damage_in_a_mixed_unit() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 12, 12, 1, 1, 1, 1, 1, 1, 1, 1, fighter="a1", target="b1", distance=8, los_0=8)
    assert laid.left("b1") == {"Rifle": 7, "NCO": 1}
    assert laid.asks("place") == ["First has 3 damage to place: its owner picks who takes it."]
    assert refused(laid, "place", fighter="b1", model="crew") == "no-choice"
    said = laid.do("place", fighter="b1", model="nco")
    assert "Its Squad Leader is lost." in said
    assert laid.left("b1") == {"Rifle": 5, "NCO": 0}, "what is left over falls on the only other sort"
    assert any("Squad Leader lost" in line for line in laid.tracker.lines(laid.state, laid.state.fighter("b1")))
    laid.do("right", fighter="b1", left_rifle=5, left_nco=0, keeps_to="rifle")
    assert any("kept to a Rifle" in line for line in laid.tracker.lines(laid.state, laid.state.fighter("b1")))


def test_the_next_chit_waits_for_losses_to_be_placed() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 1, fighter="a1", target="b1", distance=8, los_0=1)
    assert not laid.offered("end")
    laid.do("place", fighter="b1", model="rifle")
    laid.do("end", side="a")
    assert laid.offered("draw")


def test_damage_below_the_wounds_is_recorded_and_counts_on() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 12, 7, 1, fighter="a1", target="b4", distance=8, los_0=2)  # Small Unit: -1; Save D8
    assert (laid.troop("b4").facts["recorded_damage"], laid.troop("b4").facts["recorded_on"]) == (1, "officer")
    laid.do("hits", 1, target="b4", hits=1)
    assert laid.troop("b4").facts["recorded_damage"] == 2
    laid.do("hits", 2, target="b4", hits=1)
    assert laid.state.fighter("b4").out


def test_whoever_stood_near_a_unit_destroyed_takes_a_token() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 12, 12, 2, 2, 2, fighter="a1", target="b3", distance=8, los_0=3)
    assert laid.state.fighter("b3").out_by == "a"
    assert laid.asks("near") == ["Guns is gone. Which friends stood within 6 MU?"]
    assert refused(laid, "near", side="b", gone="b3", who="a1") == "no-choice"
    laid.do("near", side="b", gone="b3", who="b1,b4")
    assert (laid.troop("b1").stress, laid.troop("b4").stress, laid.troop("b2").stress) == (1, 1, 0)
    assert not laid.asks("near")
    with pytest.raises(Refusal):
        laid.undo(-2)


def test_fire_is_split_between_two_units_and_nobody_shoots_twice() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", *[1] * 5, fighter="a1", target="b1", distance=16, los_0=5)
    assert refused(laid, "shoot", *[1] * 3, fighter="a1", target="b1", distance=16, los_0=3) == "no-choice"
    assert refused(laid, "shoot", *[1] * 4, fighter="a1", target="b2", distance=16, los_0=4) == "number"
    laid.do("shoot", *[1] * 3, fighter="a1", target="b2", distance=16, los_0=3)
    assert not laid.offered("shoot")
    assert refused(laid, "shoot", *[1], fighter="a1", target="b3", distance=16, los_0=1) in (
        "done",
        "number",
        "no-choice",
    )


def test_points_and_a_discarded_token_weigh_on_a_shot() -> None:
    laid = Laid().stressed(a1=1, b3=1)
    laid.active("a1", "open-up")
    mine, theirs = laid.play.pool("a"), laid.play.pool("b")
    # D8 to D12 by a point, -1 by Ben's; saves D6 to D8 by Ben's, -1 by Ada's, -1 for the token.
    laid.do(
        "shoot", 6, 5, 6, fighter="a1", target="b3", distance=16, los_0=2, tp=1, enemy_tp=1, save_tp=1, save_enemy_tp=1, discard=1,
    )  # fmt: skip
    assert (laid.play.pool("a"), laid.play.pool("b")) == (mine - 2, theirs - 2)
    assert (laid.left("b3"), laid.troop("b3").stress) == ({"Crew": 2}, 1)


def test_points_on_saves_are_kept_where_nothing_has_to_be_saved() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    before = laid.play.pool("b")
    laid.do("shoot", 1, 1, fighter="a1", target="b3", distance=16, los_0=2, save_tp=1)
    assert laid.play.pool("b") == before


def test_a_friend_with_smoke_hides_the_target_by_name() -> None:
    laid = Laid(w.gloom(), with_orders())
    laid.active("a1", "open-up")
    names = [
        ask.label
        for ask in laid.tracker.asking(laid.state, "shoot", {"fighter": "a1", "target": "b1", "distance": "8"}).asks
    ]
    assert "Obscured by Smoke" in names
    assert "1 hit, 0 damage" in laid.do("shoot", 6, 5, 5, fighter="a1", target="b1", distance=8, los_0=2, obscured_0=1)


def test_out_of_range_and_out_of_sight_nobody_shoots() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    assert refused(laid, "shoot", fighter="a1", target="b1", distance=25, los_0=8) == "out-of-range"
    assert refused(laid, "shoot", fighter="a1", target="b1", distance=8, los_0=0) == "no-dice"
    assert refused(laid, "shoot", fighter="a1", target="b1", los_0=2) == "number"


def test_the_lighter_part_of_mixed_cover_bounds_what_is_lost() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", *[12] * 4, *[1] * 4, fighter="a1", target="b1", distance=8, los_0=4, bound=2)
    laid.do("place", fighter="b1", model="rifle")
    assert laid.left("b1") == {"Rifle": 5, "NCO": 1}
    assert not laid.asks("place")


def test_a_unit_with_losses_to_place_is_not_hit_again_before() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 1, fighter="a1", target="b1", distance=8, los_0=1)
    assert refused(laid, "hits", target="b1", hits=1) == "phase"
    laid.do("place", fighter="b1", model="rifle")
    laid.do("hits", 6, target="b1", hits=1)
    assert laid.left("b1") == {"Rifle": 6, "NCO": 1}


# --- charges


def charging(*, gap: int = 10, die: int = 3, target: str = "b1", cover: str = "none") -> Laid:
    """a1 has come into contact with a unit of b."""
    laid = Laid()
    laid.active("a1", "charge")
    laid.do("charge", die, fighter="a1", target=target, gap=gap, cover=cover)
    return laid


def test_a_charge_that_falls_short_ends_the_activation() -> None:
    laid = charging(die=2)
    assert (laid.phase, laid.play.facts["active"]) == ("draw", "")


def test_a_short_charge_allows_no_reaction() -> None:
    assert charging(gap=7, die=1).phase == "melee"
    laid = charging()
    assert laid.phase == "reaction"
    assert laid.asks("reaction") == ["First is charged: Brace, Hold and Shoot, or neither?"]


def test_a_defender_without_points_cannot_react() -> None:
    laid = Laid()
    laid.active("a1", "charge")
    laid.points("b", 0)
    laid.do("charge", 3, fighter="a1", target="b1", gap=10, cover="none")
    assert laid.phase == "melee"


def test_a_braced_defender_takes_the_charge_away() -> None:
    laid = charging()
    before = laid.play.pool("b")
    assert refused(laid, "react", fighter="b2", how="brace") == "no-choice"
    laid.do("react", fighter="b1", how="brace")
    assert laid.play.pool("b") == before - 1
    said = laid.do("fight", *[4] * 8, *[1] * 8, fighter="a1", cover="none")
    assert "First has 0 hits and takes 0 damage, First has 0 hits" in said
    assert (laid.phase, laid.play.charge["round"]) == ("melee", 2)


def test_melee_goes_on_while_it_is_level_and_the_loser_is_removed() -> None:
    laid = charging(gap=7, die=1)
    said = laid.do("fight", 3, 5, *[1] * 7, 4, 5, *[1] * 7, 1, 2, fighter="a1", cover="none", moves=1)
    assert said.startswith("Round 1, D3 moves 2 and 3:")
    assert {troop.key for troop in laid.play.waiting} == {"a1", "b1"}
    assert not laid.offered("fight")
    laid.do("place", fighter="a1", model="rifle")
    laid.do("place", fighter="b1", model="nco")
    assert (laid.left("a1"), laid.left("b1")) == ({"Rifle": 6, "NCO": 1}, {"Rifle": 7, "NCO": 0})
    assert (laid.troop("a1").stress, laid.troop("b1").stress) == (1, 2)  # a natural 1 when Ben saved
    said = laid.do("fight", *[4] * 7, *[1] * 7, *[2] * 7, fighter="a1", cover="none")
    assert laid.state.fighter("b1").out_by == "a"
    assert (laid.phase, laid.play.facts["done"]) == ("unit", True)
    assert laid.asks("near") == ["First is gone. Which friends stood within 6 MU?"]
    laid.do("end", side="a")
    assert laid.phase == "draw"


def test_a_charger_that_loses_leaves_the_table_and_its_activation_ends() -> None:
    laid = charging(gap=7, die=1)
    laid.do("fight", *[1] * 8, *[5] * 2, *[1] * 6, 2, 2, fighter="a1", cover="none")
    assert laid.state.fighter("a1").out_by == "b"
    assert (laid.phase, laid.play.facts["active"]) == ("draw", "")


def test_friends_feel_nothing_for_a_melee_loser_where_the_table_reads_it_so() -> None:
    laid = Laid(readings={"GT-A22-stress-for-a-melee-loser": "no"})
    laid.active("a1", "charge")
    laid.do("charge", 1, fighter="a1", target="b1", gap=7, cover="none")
    laid.do("fight", *[1] * 8, *[5] * 2, *[1] * 6, 2, 2, fighter="a1", cover="none")
    assert not laid.asks("near")


def test_hold_and_shoot_hurts_the_charger_before_the_melee() -> None:
    laid = charging()
    before = laid.play.pool("b")
    laid.do("hold", 5, 6, 3, 1, 4, 5, fighter="b1", los_0=4, cover="none")
    assert (laid.play.pool("b"), laid.phase, laid.troop("a1").stress) == (before - 1, "melee", 1)
    assert not laid.offered("fight")
    laid.do("place", fighter="a1", model="rifle")
    assert laid.offered("fight")
    laid.do("apart", fighter="a1")
    assert laid.phase == "unit"


def test_cover_of_the_defender_told_with_the_charge_counts_in_the_melee() -> None:
    laid = charging(gap=7, die=1, cover="solid")
    offer = next(offer for offer in laid.tracker.offers(laid.state) if offer.roll == "fight" and offer.at_once)
    assert offer.given["cover"] == "solid"
    said = laid.do("fight", 5, 4, *[1] * 6, *[1] * 8, 4, fighter="a1", cover="solid")
    assert "First has 1 hit and" in said  # 5 and the charge's +1 less 1 for the cover


def test_the_odds_of_a_melee_are_told_in_its_form() -> None:
    laid = charging(gap=7, die=1)
    assert laid.tracker.asking(laid.state, "fight", {"fighter": "a1"}).odds_words.startswith("This round: won ")
    assert laid.tracker.asked(laid.state, "fight").odds_words == ""


@pytest.mark.parametrize("count", [-3, 2, 99])
def test_nobody_gains_points_by_spending_them(count: int) -> None:
    laid = Laid().stressed(a1=1, b3=1)
    laid.active("a1", "open-up")
    shot = {"fighter": "a1", "target": "b3", "distance": 8, "los_0": 1}
    for name in ("tp", "save_tp"):
        assert refused(laid, "shoot", **shot, **{name: count}) in ("input", "points", "pool")
    assert refused(laid, "hits", target="b3", hits=1, save_tp=count) in ("input", "points", "pool")


# --- morale


def test_the_scale_of_the_forces_says_what_a_mu_is() -> None:
    laid = Laid(w.gloom(scale="15mm"), w.gloom(scale="15mm"))
    assert ("1 MU", "a centimetre, at 15 mm") in [(line.label, line.figure) for line in laid.tracker.board(laid.state)]


def second_turn(laid: Laid) -> Laid:
    """At the morale step of turn 2."""
    laid.to_draw()
    for _ in range(3):
        laid.do("drawn", which="fog")
    laid.points("a", 0).points("b", 0)
    while not (laid.state.turn == 2 and laid.phase == "morale"):
        laid.go()
    return laid


def test_every_unit_with_stress_checks_its_morale_from_the_second_turn_on() -> None:
    laid = second_turn(Laid().stressed(a3=3, b4=1))
    assert refused(laid, "next", **{"from": "morale"}) == "closed"
    laid.do("morale", 4, 1, 3, fighter="a3")
    assert (laid.troop("a3").stress, laid.left("a3")) == (1, {"Crew": 2})
    assert refused(laid, "morale", 4, fighter="a3") in ("no-check", "no-choice")
    laid.do("morale", 2, fighter="b4")
    assert laid.go() == "Tactical Phase: points."


def test_stress_that_comes_during_the_checks_is_rolled_for_next_turn() -> None:
    laid = second_turn(Laid().stressed(a3=1, a1=1))
    laid.act(read_act({"kind": "marker", "fighter": "a3", "marker": "stress", "change": 2}))
    with pytest.raises(NeedDice) as need:
        laid.do("morale", fighter="a3")
    assert need.value.count == 1


def test_a_mixed_unit_says_who_runs_and_a_unit_can_be_lost_to_morale() -> None:
    laid = second_turn(Laid().stressed(a1=1, a3=3))
    laid.do("morale", 1, fighter="a1")
    assert laid.asks("place") == ["First has 1 model to place: its owner picks who takes it."]
    laid.do("place", fighter="a1", model="nco")
    assert laid.left("a1") == {"Rifle": 7, "NCO": 0}
    laid.do("morale", 1, 1, 1, fighter="a3")
    assert laid.state.fighter("a3").out
    laid.do("near", side="a", gone="a3", who="")
    assert "No unit was near" in laid.said[-1]


# --- by hand, and taking back


def test_a_mistake_is_put_right_by_hand() -> None:
    laid = Laid()
    laid.do("right", fighter="a1", left_rifle=5, left_nco=1, dug_in=1, acted=1)
    assert laid.left("a1") == {"Rifle": 5, "NCO": 1}
    assert laid.troop("a1").facts["dug_in"]
    assert laid.state.fighter("a1").acted
    assert refused(laid, "right", fighter="a1", left_rifle=5, left_nco=1, dug_in=1, acted=1) == "done"
    laid.do("right", fighter="a1", left_rifle=7, left_nco=1)
    assert not laid.state.fighter("a1").acted
    assert refused(laid, "right", fighter="a1", left_rifle=0, left_nco=0) == "models"
    assert refused(laid, "right", fighter="a1", left_rifle=8, left_nco=1) == "number"
    laid.do("right", fighter="a4", left_officer=1, recorded=2, recorded_on="officer")
    assert laid.troop("a4").facts["recorded_damage"] == 2
    assert refused(laid, "points", side="a", now=61) == "number"


def test_a_step_is_taken_back_only_from_the_end() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    activated = len(laid.acts) - 1
    laid.do("shoot", 12, 2, fighter="a1", target="b3", distance=8, los_0=1)
    laid.do("end", side="a")
    with pytest.raises(Refusal):
        laid.undo(activated)
    laid.undo(activated + 1)  # the shot alone: what it did is gone, the turn stands
    assert (laid.left("b3"), laid.phase) == ({"Crew": 3}, "draw")
    laid.undo()
    laid.undo()
    assert (laid.phase, laid.state.fighter("a1").acted) == ("choose", False)


def test_what_hangs_in_a_step_goes_before_the_step() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 2, fighter="a1", target="b3", distance=8, los_0=1)
    with pytest.raises(Refusal):
        laid.undo(-2)


def test_stress_taken_off_later_holds_what_brought_it() -> None:
    laid = Laid().stressed(a1=2)
    laid.stressed(a1=-1)
    laid.act(read_act({"kind": "marker", "fighter": "a1", "marker": "stress", "change": -1}))
    with pytest.raises(Refusal):
        laid.undo(0)


def test_a_unit_taken_out_by_a_slip_comes_back_as_it_was() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.do("shoot", 12, 12, 12, 2, 2, 2, fighter="a1", target="b3", distance=8, los_0=3)
    laid.act(BackAct(fighter="b3"))
    assert laid.left("b3") == {"Crew": 3}


def test_acts_with_a_unit_that_is_gone_are_refused() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    laid.act(OutAct(fighter="a1", by="b"))
    assert refused(laid, "shoot", fighter="a1", target="b1", distance=8, los_0=2) in ("out", "no-choice")
    laid.do("end", side="a")
    assert laid.phase == "draw"


def test_a_unit_that_has_not_come_on_is_no_chit_and_no_target() -> None:
    laid = Laid()
    laid.act(ThereAct(fighter="b4", now=False))
    laid.to_draw()
    assert dict(laid.play.chits) == {"a": 5, "b": 3}
    assert "b4" not in laid.play.foes("a")


# --- what is kept, and others at the table


def test_the_losses_of_a_battle_are_told_by_sort() -> None:
    laid = Laid()
    assert laid.tracker.losses(laid.state) == {}
    laid.do("right", fighter="a1", left_rifle=5, left_nco=0)
    laid.act(OutAct(fighter="b3", by="a"))
    assert laid.tracker.losses(laid.state) == {"a1": {"Rifle": 2, "NCO": 1}, "b3": {"Crew": 3}}


def test_a_unit_that_comes_short_is_counted_as_it_came() -> None:
    content = GAME.content("core")
    force, _ = GAME.documents.read_document(w.gloom())
    view = next(iter(GAME.views(content, force).values()))
    facts = {**view.facts, "left": {"Rifle": 4, "NCO": 1}}
    laid = Laid()
    told = laid.tracker.facts(replace(view, facts=facts))
    changed(laid, "a1", **told)
    assert laid.left("a1") == {"Rifle": 4, "NCO": 1}
    laid.do("right", fighter="a1", left_rifle=3, left_nco=1)
    assert laid.tracker.losses(laid.state) == {"a1": {"Rifle": 1}}


def test_a_formation_adds_to_the_first_points() -> None:
    laid = Laid()
    bare = TableState(sides=laid.state.sides, fighters=laid.state.fighters)
    fighters = tuple(
        TableFighter(f.key, f.side, f.name, facts={**f.facts, "formation_points": 2 if f.side == "a" else 0})
        for f in bare.fighters
    )
    fresh = laid.tracker.set_up(TableState(sides=bare.sides, fighters=fighters))
    assert [side.facts["tactical_points"] for side in fresh.sides] == [5, 3]


def test_a_guest_tells_the_figures_of_its_units_and_plays_on() -> None:
    laid = Laid()
    sides = (laid.state.sides[0], TableSide("g", "Guest", guest=True, open=True))
    bare = TableState(sides=sides, fighters=laid.state.of("a"))
    laid.start = laid.state = laid.tracker.set_up(bare)
    laid.act(AddAct(side="g", name="Visitors"))
    key = laid.state.of("g")[0].key
    assert laid.asks("figures") == ["Visitors has no figures yet."]
    laid.do("figures", fighter=key, count=6, leader=1, command=2, save="D8", short_range=8, short_die="D8")
    laid.to_initiative()
    laid.do("taken", whose="g")
    laid.active(key, "open-up")
    laid.do("shoot", 8, 2, fighter=key, target="a3", distance=8, los_0=1)
    assert laid.left("a3") == {"Crew": 2}
    assert laid.tracker.losses(laid.state)["a3"] == {"Crew": 1}


def test_three_sides_fight_with_chits_of_their_own() -> None:
    laid = Laid(sides=3).to_draw("c")
    assert dict(laid.play.chits) == {"a": 4, "b": 4, "c": 5}
    laid.stressed(c3=2)
    laid.active("c3", "open-up", 7, enemy_tp="b")
    assert laid.play.pool("b") == 3
    assert {laid.state.fighter(key).side for key in laid.play.foes("c")} == {"a", "b"}
    names = [line.words for line in laid.tracker.board(laid.state) if line.label == "Bag"]
    assert names == ["Ada 4, Ben 4, Cleo 4, Fog 3"]


def test_what_no_table_has_is_refused_with_a_sentence() -> None:
    laid = Laid()
    assert refused(laid, "fly") == "unknown-roll"
    for roll in (
        "draw",
        "drawn",
        "aside",
        "charge",
        "react",
        "hold",
        "fight",
        "apart",
        "ground",
        "rally",
        "dig",
        "end",
        "order",
    ):
        assert refused(laid, roll, fighter="a1", side="a")
    for roll in ("place", "near", "morale", "activate", "figures"):
        assert refused(laid, roll, fighter="a1", side="a")
    with pytest.raises(Refusal):
        laid.act(read_act({"kind": "acted", "fighter": "a1"}))
