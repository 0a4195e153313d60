"""Weapons of edition 1.0 at the table: what is asked for them, and what their dice do to everybody they strike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules.dice import TypedDice
from rules.force import Force
from rules.problems import Refusal
from rules.registry import system
from rules.tracker.acts import RollAct, read_act
from rules.tracker.rolls import RollKind
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker
from rules.trench_crusade.content import content_of
from rules.trench_crusade.game import SYSTEM
from rules.trench_crusade.resolvers import rules as table
from rules.trench_crusade.tracker import tracker_of as bare_tracker
from tests.unit.rules.test_arms import NEW, YEOMAN, fresh

FOE = "heretic-legion.heretic-trooper"


class Fray:
    """A Yeoman with a weapon and a friend of his against two Troopers."""

    def __init__(self, arm: str, *kit: str, foe: str = FOE) -> None:
        self.arm = arm
        forces: dict[str, Force] = {"A": fresh(NEW, YEOMAN, arm.partition(":")[0], *kit), "B": fresh(NEW, foe)}
        self.tracker: Tracker = system("trench-crusade").battle.tracker(content_of(NEW)).bound(forces.get)
        names = {"a1": "Ilse", "a2": "Ottla", "b1": "Vasek", "b2": "Rosk"}
        fighters = tuple(
            TableFighter(key=key, side=key[0].upper(), of="1", name=name, profile="yeoman")
            for key, name in names.items()
        )
        self.state = TableState(sides=(TableSide("A", "Ada"), TableSide("B", "Ben")), fighters=fighters, turn_limit=4)

    def data(self, **more: str) -> Mapping[str, str]:
        return {"fighter": "a1", "target": "b1", "arm": self.arm, **more}

    def asks(self, **more: str) -> dict[str, Any]:
        return {asked.name: asked for asked in self.tracker.asking(self.state, "attack", self.data(**more)).asks}

    def kind(self, **more: str) -> RollKind:
        return self.tracker.asking(self.state, "attack", self.data(**more))

    def act(self, *faces: int, **more: str) -> RollAct:
        data = self.data(**more)
        rule, given = self.tracker.question(self.state, "attack", data)
        dice = TypedDice(faces)
        found = table.resolve(content_of(NEW), rule, given, dice)
        assert not dice.left
        return self.tracker.rolled(self.state, "attack", data, found)

    def roll(self, *faces: int, **more: str) -> tuple[TableState, str]:
        return self.tracker.apply(self.state, self.act(*faces, **more))


@pytest.mark.parametrize("arm", ["flame-cannon", "vomitus", "gas-censer", "locust-spitter", "masterworks-jezzail"])
def test_whom_a_line_a_cloud_or_a_swarm_strikes_besides_is_asked(arm: str) -> None:
    asks = Fray(f"{arm}:ranged").asks()
    assert asks["caught"].label == "Also hit"
    assert set(asks["caught"].only) == {"a1", "a2", "b2"}
    assert not {"at_point", "landed"} & set(asks)


@pytest.mark.parametrize("arm", ["infernal-bomb:ranged", "murad-bombard:ranged"])
def test_whom_a_blast_catches_is_asked_and_where_it_lands(arm: str) -> None:
    asks = Fray(arm).asks()
    assert asks["caught"].label == "Caught in the blast"
    assert {"at_point", "landed"} <= set(asks)


def test_a_flame_cannon_strikes_everybody_on_its_line_without_a_roll() -> None:
    fray = Fray("flame-cannon:ranged")
    assert not {"cover", "long_range", "elevated", "dice"} & set(fray.asks())
    state, words = fray.roll(2, 3, 1, 1, caught="b2")
    assert [state.fighter(key).markers for key in ("b1", "b2")] == [{"blood": 2}, {"blood": 2}]
    assert "It hits by itself" in words


def test_a_murad_bombard_is_deadly_to_its_target_and_takes_the_others_down() -> None:
    state, words = Fray("murad-bombard:ranged").roll(4, 4, 2, 3, 4, caught="b2,a2")
    assert state.fighter("b1").out
    for key in ("b2", "a2"):
        assert (state.fighter(key).down, state.fighter(key).markers) == (True, {"blood": 1})
    assert "Rosk: Injury: Down without a roll" in words


def test_at_a_point_a_murad_bombard_takes_down_all_whom_it_catches() -> None:
    state, _ = Fray("murad-bombard:ranged").roll(4, 4, caught="b2", at_point="1")
    assert (state.fighter("b1").down, state.fighter("b2").down) == (False, True)


def test_an_infernal_bomb_is_deadly_to_its_target_alone() -> None:
    state, _ = Fray("infernal-bomb:ranged").roll(4, 4, 2, 3, 4, 2, 3, caught="b2")
    assert state.fighter("b1").out
    assert (state.fighter("b2").out, state.fighter("b2").markers) == (False, {"blood": 2})


def test_a_tormentor_chain_places_two_markers_and_rolls_no_injury() -> None:
    fray = Fray("tormentor-chain:ranged")
    assert not {"injury_dice", "bloodbath"} & set(fray.asks())
    state, words = fray.roll(4, 4)
    assert state.fighter("b1").markers == {"blood": 2}
    assert "none is rolled; 2 BLOOD MARKERS" in words
    missed, _ = fray.roll(1, 1)
    assert missed.fighter("b1").markers == {}


def test_a_torture_instrument_rolls_one_die_and_leaves_twice_the_markers() -> None:
    state, _ = Fray("torture-instrument:melee").roll(4, 4, 3)
    assert state.fighter("b1").markers == {"blood": 2}


def test_the_second_attack_of_iron_clawed_hands_is_off_hand() -> None:
    """Two dice to hit, then three of which the lowest two count: 6, 4 and 2 miss."""
    fray = Fray("iron-clawed-hands:melee")
    state, _ = fray.roll(4, 4, 1, 1)
    assert state.fighter("b1").markers == {"blood": 1}
    fray.state = state
    state, words = fray.roll(6, 4, 2, target="b2")
    assert state.fighter("b2").markers == {}
    assert "at Rosk: Roll to hit: 6 fails" in words


def test_full_auto_makes_five_attacks_and_a_miss_ends_the_activation() -> None:
    fray = Fray("autocannon:ranged")
    switch = next(name for name, asked in fray.asks().items() if asked.label == "Full auto")
    assert fray.kind().of == 3
    assert fray.kind(**{switch: "1"}).of == 5
    state, _ = fray.roll(4, 4, 1, 1, 1, **{switch: "1"})
    assert not state.fighter("a1").acted, "RELOAD ends it with the last of them"
    fray.state = state
    (offer,) = [offer for offer in fray.tracker.offers(state) if offer.main]
    assert offer.label == "Ilse: attack 2 of 5"
    state, _ = fray.roll(1, 1, **offer.given)  # RISKY: the first miss ends it
    assert state.fighter("a1").acted
    assert not [offer for offer in fray.tracker.offers(state) if offer.main]


def test_each_attack_is_written_by_itself_and_the_last_one_hands_over() -> None:
    fray = Fray("autocannon:ranged")
    for number, target in enumerate(("b1", "b2", "b1"), 1):
        assert (fray.kind().at, fray.kind().of) == (number, 3)
        act = fray.act(4, 4, 1, 1, 1, target=target, last="1")
        assert act.done is (number == 3)
        assert act.then == ({} if number == 3 else {"fighter": "a1", "arm": "autocannon:ranged", "target": target})
        fray.state, _ = fray.tracker.apply(fray.state, act)
    assert [fray.state.fighter(key).markers for key in ("b1", "b2")] == [{"blood": 2}, {"blood": 1}]
    assert fray.state.fighter("a1").acted
    assert fray.kind().at == 1


def test_a_target_that_went_out_is_chosen_anew_and_what_was_said_of_its_place_is_forgotten() -> None:
    fray = Fray("autocannon:ranged")
    act = fray.act(4, 4, 4, 6, 6, 6, cover="1")
    assert act.effects[-1].out
    assert act.then == {"fighter": "a1", "arm": "autocannon:ranged"}


def test_another_weapon_or_another_turn_begins_anew() -> None:
    fray = Fray("autocannon:ranged")
    fray.state, _ = fray.roll(1, 1)
    assert fray.kind().at == 2
    fray.state = replace(fray.state, turn=2)
    assert fray.kind().at == 1


def test_both_shots_of_an_automatic_rifle_go_at_one_target() -> None:
    fray = Fray("automatic-rifle:ranged")
    fray.state, _ = fray.roll(4, 4, 1, 1)
    with pytest.raises(Refusal, match="All attacks with this weapon go at Vasek"):
        fray.roll(4, 4, 1, 1, target="b2")
    fray.state, _ = fray.roll(4, 4, 1, 1)
    assert fray.state.fighter("b1").markers == {"blood": 2}
    out = Fray("automatic-rifle:ranged")
    assert not out.act(6, 6, 6, 6, 6).then, "the second shot is lost with its target"


def test_a_second_melee_weapon_follows_the_first_off_hand() -> None:
    fray = Fray("trench-club:melee", "sword-axe")
    assert (fray.kind().at, fray.kind().of) == (1, 2)
    act = fray.act(4, 4, 1, 1, charged="1", last="1")
    assert not act.done
    assert act.then == {"fighter": "a1", "target": "b1", "arm": "sword-axe:melee", "charged": "1", "off_hand": "1"}
    fray.state, _ = fray.tracker.apply(fray.state, act)
    assert (fray.kind(**act.then).at, fray.kind(**act.then).of) == (2, 2)
    act = fray.act(5, 4, 2, last="1", **{**act.then, "charged": ""})
    assert act.done
    assert not act.then
    alone = Fray("trench-polearm:melee", "sword-axe")
    assert alone.kind().of == 1, "it takes both hands"


def test_an_overcharged_punt_gun_has_a_blast() -> None:
    fray = Fray("punt-gun:ranged")
    assert "caught" not in fray.asks()
    switch = next(name for name, asked in fray.asks().items() if asked.label == "Overcharged")
    assert "caught" in fray.asks(**{switch: "1"})


def test_markers_on_the_target_make_a_vivisector_critical_sooner() -> None:
    fray = Fray("vivisector:melee")
    marked, _ = fray.tracker.apply(
        fray.state, read_act({"kind": "marker", "fighter": "b1", "marker": "blood", "change": 2})
    )
    fray.state = marked
    _, given = fray.tracker.question(fray.state, "attack", fray.data())
    assert given["critical_from"] == 10


@pytest.mark.parametrize(
    ("arm", "strays"),
    [("flame-cannon", False), ("vomitus", False), ("gas-censer", False), ("masterworks-jezzail", False), ("locust-spitter", True),
     ("flamethrower", True), ("jezzail", True)],
)  # fmt: skip
def test_whether_a_shot_into_a_melee_may_find_a_friend(arm: str, strays: bool) -> None:
    fray = Fray(f"{arm}:ranged")
    assert ("friend" in fray.asks()) is strays
    _, given = fray.tracker.question(fray.state, "attack", fray.data(friend="a2"))
    odds = table.odds(content_of(NEW), "attack", given)
    friend = given["at_friend"]
    spared = {**friend, "target": {**friend["target"], "ignores_out": True}}
    hurt = table.odds(content_of(NEW), "attack", {**given, "at_friend": spared})
    assert (odds.outcomes != hurt.outcomes) is strays


def test_a_shot_that_finds_a_friend_is_the_shot_that_it_is_on_that_friend() -> None:
    """What the weapon does to a fighter of the Black Grail it does not do to a Yeoman beside him, and nobody is caught twice."""
    fray = Fray("holy-grenade:ranged", foe="cult-of-the-black-grail.grail-thrall")
    _, given = fray.tracker.question(fray.state, "attack", fray.data(friend="a2"))
    assert [one["dice"] for one in given["injury_modifiers"]] == [1, -1]
    assert given["at_friend"]["injury_modifiers"] == []
    act = fray.act(1, 4, 4, 6, 6, friend="a2", caught="a2")
    assert [effect.fighter for effect in act.effects if effect.out or effect.down or effect.markers] == ["a2"]
    assert "Ottla: Injury" in act.told


def test_infection_on_who_is_more_worm_than_man_pays_for_a_bloodbath_alone() -> None:
    husk = "great-hunger.desiccated-husk"
    fray = Fray("bolt-action-rifle:ranged", foe=husk)
    (foe,) = SYSTEM.views(content_of(NEW), fresh(NEW, husk)).values()
    marked = replace(
        fray.state.fighter("b1"), facts=bare_tracker(content_of(NEW)).facts(foe), markers={"blood": 2, "infection": 4}
    )
    fray.state = fray.state.with_fighter(marked)
    asks = fray.asks()
    assert asks["injury_blood_spent"].most == 2
    assert "bloodbath" in asks
    assert "keeps_infection" in fray.tracker.words_of(marked)
    with pytest.raises(Refusal, match="only for a Bloodbath"):
        fray.act(4, 4, 4, 4, 4, 4, 4, injury_blood_spent="3")
    spent = next(effect for effect in fray.act(4, 4, 1, 1, 1, 1, bloodbath="1").effects if effect.fighter == "b1")
    assert spent.markers["infection"] == -4
    # Its own rolls are spoilt by BLOOD MARKERS alone, too.
    _, given = fray.tracker.question(fray.state, "success", {"fighter": "b1", "blood_spent": "2"})
    assert given["infection"] == 0
