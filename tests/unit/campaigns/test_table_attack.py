"""Attacks at the table with the fighters' own weapons, and the other rolls of the game: what is asked, what is reckoned, what is written."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, TableAct
from campaigns.services.table import act_at_table, begin_table, roll_at_table, tracker_of
from campaigns.table_report import table_state
from rules.problems import Refusal
from rules.table.tracker import TableFighter, TableState, Tracker
from tests import campaign_stories as c

pytestmark = pytest.mark.django_db


class Fight:
    """A table between Ada and Ben, its fighters found by name."""

    def __init__(self, cleo: Any, ada: Any, ben: Any, edition: str = "1.6.3") -> None:
        self.ada, self.ben, self.cleo = ada, ben, cleo
        self.battle: Battle = c.mustered(c.club(cleo, ada, ben, edition=edition), ada, ben, scenario="trench-warfare")
        begin_table(battle=self.battle, actor=ada)
        self.here = reverse("battle-track", args=[self.battle.pk])

    @property
    def state(self) -> TableState:
        found = table_state(self.battle)
        assert found is not None
        return found

    @property
    def tracker(self) -> Tracker:
        return tracker_of(self.battle, list(self.battle.sides.live().select_related("seat", "warband__terms")))

    def own(self, user: Any, place: int = 0) -> TableFighter:
        return self.state.of(str(c.side(self.battle, user).pk))[place]

    def asks(self, **data: str) -> dict[str, Any]:
        return {asked.name: asked for asked in self.tracker.asking(self.state, "attack", data).asks}

    def armed(self, user: Any, kind: str, *, having: str = "", without: str = "") -> tuple[TableFighter, str]:
        """A fighter of this person's and a weapon of such a kind; `having` is a question that the weapon must bring, `without` one it
        must not."""
        foe = self.own(self.ben if user == self.ada else self.ada).key
        for fighter in self.state.of(str(c.side(self.battle, user).pk)):
            for key, _ in self.asks(fighter=fighter.key, target=foe)["arm"].options:
                if not key.endswith(f":{kind}"):
                    continue
                asks = self.asks(fighter=fighter.key, target=foe, arm=key)
                if (not having or having in asks) and without not in asks:
                    return fighter, key
        raise AssertionError(f"Nobody attacks like that: {kind} {having}.")

    def roll(self, actor: Any, roll: str, *faces: int, **data: str) -> TableAct:
        return roll_at_table(battle=self.battle, actor=actor, roll=roll, data=data, source="typed", faces=faces)

    def mark(self, actor: Any, fighter: TableFighter, count: int, marker: str = "blood") -> None:
        data = {"kind": "marker", "fighter": fighter.key, "marker": marker, "change": count}
        act_at_table(battle=self.battle, actor=actor, data=data)

    def page(self, user: Any, query: str) -> str:
        client = Client()
        client.force_login(user)
        answer = client.get(self.here + query)
        assert answer.status_code == 200
        return unescape(answer.content.decode())


@pytest.fixture(params=["1.6.3", "1.0"])
def fight(request: Any, ada: Any, ben: Any, cleo: Any) -> Fight:
    return Fight(cleo, ada, ben, request.param)


def faces_until_done(
    fight: Fight, actor: Any, roll: str, face: int, *, first: tuple[int, ...] = (), **data: str
) -> TableAct:
    """Roll with dice that all show this face after the first ones, as many as are asked for."""
    for count in range(40):
        try:
            return fight.roll(actor, roll, *first, *[face] * count, **data)
        except Refusal as refusal:
            if refusal.code != "dice":
                raise
    raise AssertionError("It never had enough dice.")


def test_the_form_asks_by_the_weapon_and_tells_odds_and_causes(fight: Fight) -> None:
    fighter, arm = fight.armed(fight.ada, "ranged", having="cover")
    foe = fight.own(fight.ben)
    page = fight.page(fight.ada, f"?roll=attack&fighter={fighter.key}&arm={arm}&target={foe.key}")
    assert re.search(rf'<option value="{arm}" selected>', page)
    assert 'name="cover"' in page
    assert 'name="defended_obstacle"' not in page
    assert "Ranged Characteristic" in page or "hits by itself" in page
    assert re.search(r"<b>Odds</b> .*\d+\.\d %", page)
    _, blade = fight.armed(fight.ada, "melee", having="defended_obstacle")
    assert "cover" not in fight.asks(fighter=fighter.key, target=foe.key, arm=blade)


def test_dice_below_nought_are_chosen_since_a_phones_figures_know_no_minus(fight: Fight) -> None:
    fighter = fight.own(fight.ada)
    page = fight.page(fight.ada, f"?roll=success&fighter={fighter.key}&dice=-2")
    assert '<select name="dice" id="id_dice"' in page
    assert '<option value="-2" selected>−2</option>' in page
    fell = fight.roll(fight.ada, "success", 6, 1, 2, 6, fighter=fighter.key, dice="-2")
    assert "3" in fell.told


def test_without_an_answer_the_first_weapon_and_foe_stand_in_the_form(fight: Fight) -> None:
    fighter, foe = fight.own(fight.ada), fight.own(fight.ben)
    page = fight.page(fight.ada, f"?roll=attack&fighter={fighter.key}")
    assert re.search(rf'<option value="{foe.key}" selected>', page)
    assert "Odds" in page
    gone = fight.page(fight.ada, f"?roll=attack&fighter={fighter.key}&arm=nothing:ranged&target=99")
    assert "Odds" in gone


def test_what_lies_on_the_table_goes_in_by_itself(fight: Fight) -> None:
    fighter, arm = fight.armed(fight.ada, "ranged")
    foe = fight.own(fight.ben)
    asks = fight.asks(fighter=fighter.key, target=foe.key, arm=arm)
    assert not {"injury_blood_spent", "blood_spent", "target_down", "down"} & set(asks)
    fight.mark(fight.ben, foe, 2)
    act_at_table(battle=fight.battle, actor=fight.ben, data={"kind": "down", "fighter": foe.key})
    asks = fight.asks(fighter=fighter.key, target=foe.key, arm=arm)
    assert asks["injury_blood_spent"].most == 2
    _, given = fight.tracker.question(fight.state, "attack", {"fighter": fighter.key, "target": foe.key, "arm": arm})
    plain = given["attacks"][0] if "attacks" in given else given
    assert (plain["target"]["down"], plain["target"]["blood"]) == (True, 2)
    with pytest.raises(Refusal, match="does not fit"):
        fight.roll(fight.ada, "attack", fighter=fighter.key, target=foe.key, arm=arm, injury_blood_spent="3")


def test_the_input_is_that_of_the_odds_page(fight: Fight) -> None:
    fighter, arm = fight.armed(fight.ada, "ranged", having="cover")
    foe = fight.own(fight.ben)
    terms = fight.battle.campaign.terms
    sides = {str(side.pk): side for side in fight.battle.sides.live()}
    from warbands.force import force_of

    mine, theirs = (force_of(sides[one.side].warband) for one in (fighter, foe))
    found = terms.game.situation(terms.content, (mine, fighter.key), arm, (theirs, foe.key), {"cover": 1, "dice": 2})
    data = {"fighter": fighter.key, "target": foe.key, "arm": arm, "cover": "1", "dice": "2"}
    rule, given = fight.tracker.question(fight.state, "attack", data)
    assert rule == found.rule
    one, other = (each["attacks"][0] if "attacks" in each else each for each in (given, found.given))
    for name in (
        "kind",
        "modifiers",
        "injury_modifiers",
        "keywords",
        "armour",
        "unignorable_armour",
        "base_dice",
        "cover",
        "dice",
    ):
        assert one[name] == other[name], name
    odds = terms.game.odds(terms.content, rule, given).outcomes
    assert odds == terms.game.odds(terms.content, found.rule, found.given).outcomes


def test_a_hit_is_written_to_its_target_with_the_weapons_name(fight: Fight) -> None:
    fighter, arm = fight.armed(fight.ada, "melee", having="defended_obstacle")
    foe = fight.own(fight.ben)
    act = faces_until_done(fight, fight.ada, "attack", 6, fighter=fighter.key, target=foe.key, arm=arm)
    hurt = fight.state.fighter(foe.key)
    assert hurt.out or hurt.down or hurt.markers
    assert act.told.startswith(f"{fighter.name} with ")
    assert foe.name in act.told


def test_several_attacks_may_go_at_several_foes(ada: Any, ben: Any, cleo: Any) -> None:
    for edition in ("1.6.3", "1.0"):
        fight = Fight(cleo, ada, ben, edition)
        for user, other in ((ada, ben), (ben, ada)):
            try:
                fighter, arm = fight.armed(user, "ranged", having="target_2")
            except AssertionError:
                continue
            one, two = fight.own(other), fight.own(other, 1)
            faces_until_done(fight, user, "attack", 6, fighter=fighter.key, target=one.key, target_2=two.key, arm=arm)
            for foe in (one, two):
                assert fight.state.fighter(foe.key).touched
            return
    raise AssertionError("No sample has a weapon of several attacks.")


def test_a_blast_hurts_everybody_whom_it_catches(ada: Any, ben: Any, cleo: Any) -> None:
    for edition in ("1.6.3", "1.0"):
        fight = Fight(cleo, ada, ben, edition)
        for user, other in ((ada, ben), (ben, ada)):
            try:
                fighter, arm = fight.armed(user, "ranged", having="caught")
            except AssertionError:
                continue
            target, near, friend = (
                fight.own(other),
                fight.own(other, 1),
                fight.own(user, 1 if fight.own(user).key == fighter.key else 0),
            )
            data = {"fighter": fighter.key, "target": target.key, "arm": arm, "caught": f"{near.key},{friend.key}"}
            act = faces_until_done(fight, user, "attack", 6, **data)
            touched = {key for key in (target.key, near.key, friend.key) if fight.state.fighter(key).touched}
            assert touched == {target.key, near.key, friend.key}
            assert near.name in act.told
            again = fight.own(other, 2)
            point = faces_until_done(
                fight, user, "attack", 6, fighter=fighter.key, target=fight.own(other, 3).key, arm=arm, caught=again.key, at_point="1",
                landed="1",
            )  # fmt: skip
            assert "at a point" in point.told
            assert fight.state.fighter(again.key).touched
            assert not fight.own(other, 3).touched
            return
    raise AssertionError("No sample has a weapon with a blast.")


def test_a_shot_into_melee_may_hit_the_friend(fight: Fight) -> None:
    fighter, arm = fight.armed(fight.ada, "ranged", having="friend", without="target_2")
    friend = next(one for one in fight.state.of(fighter.side) if one.key != fighter.key)
    foe = fight.own(fight.ben)
    data = {"fighter": fighter.key, "target": foe.key, "arm": arm, "friend": friend.key}
    act = faces_until_done(fight, fight.ada, "attack", 6, first=(1,), **data)
    assert fight.state.fighter(friend.key).touched
    assert not fight.state.fighter(foe.key).touched
    assert friend.name in act.told


def test_what_is_used_up_attacks_no_more_and_a_guest_is_told_by_hand(fight: Fight) -> None:
    fighter, foe = fight.own(fight.ada), fight.own(fight.ben)
    assert fight.asks(fighter=fighter.key, target=foe.key)["arm"].options[-1] == ("by-hand", "Told by hand")
    by_hand = fight.asks(fighter=fighter.key, target=foe.key, arm="by-hand")
    assert {"way", "armour", "word_fire"} <= set(by_hand)
    with pytest.raises(Refusal, match="not among the choices"):
        fight.roll(fight.ada, "attack", fighter=fighter.key, target=foe.key, arm="no-such:ranged")


# --- other rolls


def test_movement_stands_behind_a_fighters_panel_as_tabs(fight: Fight) -> None:
    fighter = fight.own(fight.ada)
    page = fight.page(fight.ada, f"?open={fighter.key}")
    panel = page.partition(f'id="p{fighter.key}"')[2].partition("</details>")[0]
    for roll in ("attack", "charge"):
        assert f"?roll={roll}&fighter={fighter.key}" in panel
    page = fight.page(fight.ada, f"?roll=charge&fighter={fighter.key}")
    for roll in ("dash", "climb", "jump", "fall", "dangerous-terrain", "ledge", "stand", "retreat", "evade"):
        assert f"?roll={roll}&fighter={fighter.key}" in page


def test_a_fall_hurts_who_falls_and_is_nobodys_doing(fight: Fight) -> None:
    fighter = fight.own(fight.ada, 4)
    faces_until_done(fight, fight.ada, "fall", 6, fighter=fighter.key, height="12")
    fallen = fight.state.fighter(fighter.key)
    assert fallen.out or fallen.down
    assert fallen.out_by == ""
    act = fight.roll(fight.ada, "fall", fighter=fight.own(fight.ada, 1).key, height="1")
    assert "no harm" in act.told


@pytest.mark.parametrize("roll", ["dash", "climb", "jump", "dangerous-terrain", "ledge"])
def test_a_failed_roll_of_movement_ends_the_activation_or_hurts(fight: Fight, roll: str) -> None:
    fighter = fight.own(fight.ada, 3)
    data = {"fighter": fighter.key, "height": "6", "gap": "1", "drop": "9", "moved_into": "1", "ends_in": "1"}
    faces_until_done(fight, fight.ada, roll, 1, **data)
    after = fight.state.fighter(fighter.key)
    assert after.acted or after.down or after.out or after.markers or roll == "ledge"


def test_standing_at_once_and_what_refuses(fight: Fight) -> None:
    fighter = fight.own(fight.ada)
    with pytest.raises(Refusal):
        fight.roll(fight.ada, "stand", 6, 6, fighter=fighter.key)
    with pytest.raises(Refusal, match="no SKIRMISHER"):
        fight.roll(fight.ada, "evade", 6, fighter=fighter.key)
    retreat = fight.roll(fight.ada, "retreat", fighter=fighter.key, enemies="2", clear="1")
    assert "first" in retreat.told
    with pytest.raises(Refusal, match="Whose BLOOD MARKERS"):
        fight.roll(fight.ada, "goetic", fighter=fighter.key, asked="2")


def test_a_goetic_power_takes_the_markers_from_those_who_give_them(fight: Fight) -> None:
    fighter, one, two = fight.own(fight.ada), fight.own(fight.ada, 1), fight.own(fight.ada, 2)
    fight.mark(fight.ada, one, 1)
    fight.mark(fight.ada, two, 3)
    fight.roll(fight.ada, "goetic", fighter=fighter.key, asked="3", givers=f"{one.key},{two.key}")
    assert (fight.state.fighter(one.key).markers, fight.state.fighter(two.key).markers) == ({}, {"blood": 1})


def test_a_shot_into_melee_says_whom_it_goes_at(fight: Fight) -> None:
    fighter, friend = fight.own(fight.ada), fight.own(fight.ada, 1)
    foe, other = fight.own(fight.ben), fight.own(fight.ben, 1)
    who = ",".join(one.key for one in (friend, foe, other))
    act = fight.roll(fight.ada, "shot-into-melee", 5, 2, fighter=fighter.key, who=who)
    assert other.name in act.told
    with pytest.raises(Refusal, match="No enemy stands in that melee"):
        fight.roll(fight.ada, "shot-into-melee", fighter=fighter.key, who=friend.key)
