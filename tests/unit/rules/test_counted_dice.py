"""Own dice counted at the tables of the two games of units: hits, saves that their owner makes, and what hangs on them."""

from __future__ import annotations

from typing import Any

import pytest

from rules.problems import Refusal
from rules.resolvers.told import CountedRoller, NeedResult
from rules.tracker.rolls import kind_of_act
from tests.unit.rules.gloom_resolvers import Laid
from tests.unit.rules.too_far_resolvers import Battle


def told(table: Laid | Battle, roll: str, *rows: int, **data: Any) -> str:
    """A roll whose result was counted at the table; the sentence of the log. Raises Refusal, NeedResult."""
    given = {name: str(value) for name, value in data.items()}
    found = table.tracker.by_results(table.state, roll, given, rows)
    return table.act(table.tracker.rolled(table.state, roll, given, found))


def test_a_count_stands_for_faces_and_no_more_than_there_are_dice() -> None:
    assert CountedRoller((2,), ones=1).several(4, 6, "Save, D6, 5+", (2, 5)) == (6, 6, 1, 4)
    shared = CountedRoller((3,))
    assert shared.several(2, 6, "Attack, Rifles", (5,)) == (6, 6)
    assert shared.several(2, 6, "Attack, LMG", (5,)) == (6, 4), "several pools of one throw share a number"
    shared.finish()
    with pytest.raises(NeedResult):
        shared.several(1, 6, "Save", (5,))
    over = CountedRoller((3,))
    over.several(2, 6, "Attack", (5,))
    with pytest.raises(Refusal, match="cannot come to that"):
        over.finish()
    assert CountedRoller((4,)).several(1, 6, "Distance") == (4,)


def test_hits_are_counted_and_the_owner_saves() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    shot = {"fighter": "a1", "target": "b3", "distance": 8, "los_0": 3}
    assert "b3" not in {offer.side for offer in laid.tracker.offers(laid.state)}
    assert told(laid, "shoot", 2, **shot).endswith("2 saves to make.")
    assert laid.troop("b3").owed["hits"] == 2
    assert [offer.side for offer in laid.tracker.offers(laid.state) if offer.roll == "save"] == ["b"]
    assert not [offer for offer in laid.tracker.offers(laid.state) if offer.roll == "draw" and not offer.closed]
    before = laid.troop("b3").size
    with pytest.raises(Refusal, match="cannot come to that"):
        told(laid, "save", 2, fighter="b3", one=1)  # a natural 1 is no save that was made
    told(laid, "save", 1, fighter="b3", one=1)
    assert not laid.troop("b3").owed
    assert (before - laid.troop("b3").size, laid.troop("b3").stress) == (1, 2), "damage, and a natural 1"
    with pytest.raises(Refusal):
        laid.undo(-2)  # the save belongs to its shot
    laid.undo()
    assert laid.troop("b3").owed["hits"] == 2


def test_the_end_of_an_activation_draws_the_same_chit_as_a_draw_of_its_own() -> None:
    laid = Laid()
    laid.active("a1", "open-up")
    (ends,) = (offer for offer in laid.tracker.offers(laid.state) if offer.roll == "draw")
    acts = [
        kind_of_act(laid.state, laid.tracker.asking(laid.state, "draw", given), given)
        for given in ({}, {"side": "a", **ends.given})
    ]
    assert acts[0] == acts[1], "so sealed dice fall the same"
    said = laid.do("draw", 1, **ends.given)
    assert "its activation is over" in said
    assert laid.phase == "choose"


def test_a_point_of_the_opponent_is_promised_on_their_phone_and_paid_with_the_roll() -> None:
    laid = Laid().stressed(a1=1)
    laid.active("a1", "open-up")
    pool = laid.play.pool("b")
    (offer,) = (offer for offer in laid.tracker.offers(laid.state) if offer.roll == "oppose")
    assert offer.side == "b"
    laid.do("oppose", side="b", target="a1")
    assert laid.play.pool("b") == pool
    told(laid, "shoot", 0, fighter="a1", target="b3", distance=8, los_0=1)
    assert laid.play.pool("b") == pool - 1
    assert not laid.troop("a1").facts["opposed"]


def test_fire_is_counted_and_its_saves_settle_losses_and_shock() -> None:
    battle = Battle().begun("b").ordered("bc", "fire")
    shot = {"fighter": "b1", "target": "a1", "distance": 12}
    assert "2 hits" in told(battle, "fire", 2, **shot)
    assert battle.bases("a1") == 4
    assert battle.refused("done", fighter="bc") == "A 1st has saves to make first."
    assert told(battle, "saves", 1, fighter="a1") == "A 1st: 2 hits, 1 saved: 1 base lost. Tally 4 against Tolerance 5."
    assert battle.bases("a1") == 3
    assert battle.unit("b1").facts["aimed"] == "a1"


def test_an_order_activates_its_company() -> None:
    battle = Battle().begun("b")
    battle.do("order", fighter="bc", order="move")
    assert (battle.state.facts["active"], battle.unit("bc").facts["order"]) == ("bc", "move")


def rows_asked(table: Laid | Battle, roll: str, *rows: int, **data: Any) -> tuple[str, int]:
    """What the form asks for after these numbers: the heading of its results, and how many there are."""
    given = {name: str(value) for name, value in data.items()}
    (row,) = table.tracker.asking(table.state, roll, given, rows).results
    return row.label, len(row.choices)


def test_a_round_of_melee_is_counted_in_four_numbers() -> None:
    laid = Laid()
    laid.active("a1", "charge")
    laid.do("charge", 1, fighter="a1", target="b1", gap=7, cover="none")
    fight = {"fighter": "a1", "cover": "none", "moves": 1}
    mine, theirs = laid.troop("a1"), laid.troop("b1")
    assert rows_asked(laid, "fight", **fight) == (f"Hits of {mine.name}", mine.size + 1)
    assert rows_asked(laid, "fight", 3, **fight) == (f"Hits of {theirs.name}", theirs.size + 1)
    assert rows_asked(laid, "fight", 3, 2, **fight) == (f"Saves that {theirs.name} made", 4)
    assert rows_asked(laid, "fight", 3, 2, 1, **fight) == (f"Saves that {mine.name} made", 3)
    assert not laid.tracker.asking(laid.state, "fight", fight, (0, 0)).follows, "nothing to save"
    with pytest.raises(NeedResult):
        told(laid, "fight", 3, 2, **fight)
    with pytest.raises(Refusal):
        told(laid, "fight", 3, 2, 4, 1, **fight)
    said = told(laid, "fight", 3, 2, 2, 0, defender_one=1, **fight)
    assert said.startswith("Round 1: "), "no D3 was told"
    assert "has 3 hits and takes 2 damage" in said
    assert laid.troop("a1").size == 0 or laid.phase != "melee"


def test_a_natural_one_belongs_to_the_side_that_rolled_it() -> None:
    laid = Laid()
    laid.active("a1", "charge")
    laid.do("charge", 1, fighter="a1", target="b1", gap=7, cover="none")
    told(laid, "fight", 2, 2, 1, 1, fighter="a1", cover="none", defender_one=1)
    assert (laid.troop("a1").stress, laid.troop("b1").stress) == (1, 2), "damage on both, a natural 1 on one"
    with pytest.raises(Refusal):
        told(laid, "fight", 1, 0, 1, fighter="a1", cover="none", defender_one=1)


def test_an_assault_is_told_by_what_the_dice_came_to() -> None:
    battle = Battle().begun()
    battle.count("a1", next(iter(battle.unit("a1").markers)), -1)
    battle.ordered("ac", "assault")
    goes = {"fighter": "a1", "target": "b1"}
    assert rows_asked(battle, "assault", **goes) == ("My die says", 2)
    said = told(battle, "assault", 1, **goes)
    assert "assaults B 1st" in said
    assert "against" not in said, "the face that stands in for the die was not told by anybody"
    assert rows_asked(battle, "reception", fighter="b1") == ("My die says", 2)
    assert "stands" in told(battle, "reception", 1, fighter="b1")
    assert rows_asked(battle, "blow", fighter="a1")[0] == "Hits on my dice"
    assert "1 base destroyed" in told(battle, "blow", 1, fighter="a1")
    assert battle.bases("b1") == 3
    assert "2 bases destroyed" in told(battle, "blow", 2, fighter="b1")
    assert battle.state.facts["assault"] is None
    battle.undo()
    assert battle.bases("a1") == 3


def test_fire_at_vehicles_is_told_weapon_by_weapon_and_damage_by_face() -> None:
    battle = Battle().begun("b").ordered("bc", "fire")
    shot = {"fighter": "bm", "target": "at", "distance": 12}
    assert rows_asked(battle, "fire", **shot) == ("Hits on my dice", 2)
    assert rows_asked(battle, "fire", 1, **shot) == ("Saves made", 2)
    assert rows_asked(battle, "fire", 1, 0, **shot) == ("My die says", 3)
    with pytest.raises(Refusal):
        told(battle, "fire", 1, 0, 7, **shot)
    assert "Ox immobilised" in told(battle, "fire", 1, 0, 1, **shot)
    assert battle.unit("at").facts["v0"] == "i"
    assert "0 hits" in told(battle, "fire", 0, fighter="b1", target="at", distance=6)
