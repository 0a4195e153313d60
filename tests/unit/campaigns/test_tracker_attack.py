"""Attacks at the table with the fighters' own weapons, and the other rolls of the game: what is asked, what is reckoned, what is written."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table, tracker_of
from rules.problems import Refusal
from rules.tracker.state import TableFighter, TableState
from rules.tracker.tracker import Tracker
from tests import campaign_stories as c
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


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

    def armed(self, user: Any, kind: str, *, having: str = "", attacks: int = 0) -> tuple[TableFighter, str]:
        """A fighter of this person's and a weapon of such a kind; `having` is a question that the weapon must bring, `attacks` how many
        attacks it makes in one ACTION (0: any number; 2: at least two)."""
        foe = self.own(self.ben if user == self.ada else self.ada).key
        for fighter in self.state.of(str(c.side(self.battle, user).pk)):
            for key, _ in self.asks(fighter=fighter.key, target=foe)["arm"].options:
                if not key.endswith(f":{kind}"):
                    continue
                asked = self.tracker.asking(self.state, "attack", {"fighter": fighter.key, "target": foe, "arm": key})
                names = {each.name for each in asked.asks}
                if (not having or having in names) and attacks in (0, min(2, asked.of)):
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


@story(params=["1.6.3", "1.0"])
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


def test_the_log_parts_the_throws_of_an_act_with_their_causes(fight: Fight) -> None:
    fighter = fight.own(fight.ada)
    fight.roll(fight.ada, "success", 6, 1, 2, 6, fighter=fighter.key, dice="-2")
    log = fight.page(fight.ada, "?tab=log")
    assert re.search(r"the lowest 2 of 4: <b>6 1 2 6</b> \(−2 DICE [^)]+\)", log)


def test_without_an_answer_the_first_weapon_stands_in_the_form_and_no_foe(fight: Fight) -> None:
    fighter, foe = fight.own(fight.ada), fight.own(fight.ben)
    page = fight.page(fight.ada, f"?roll=attack&fighter={fighter.key}")
    assert f'value="{foe.key}"' in page
    assert not re.search(r'name="target"[^>]* checked', page)
    for target in (foe.key, "99"):
        chosen = fight.page(fight.ada, f"?roll=attack&fighter={fighter.key}&arm=nothing:ranged&target={target}")
        assert ("Odds" in chosen) == (target == foe.key)


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
    from warbands.adapters import force_of

    mine, theirs = (force_of(sides[one.side].warband) for one in (fighter, foe))
    found = terms.game.attacks.situation(
        terms.content, (mine, fighter.key), arm, (theirs, foe.key), {"cover": 1, "dice": 2}
    )
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
    odds = terms.game.resolvers.odds(terms.content, rule, given).outcomes
    assert odds == terms.game.resolvers.odds(terms.content, found.rule, other).outcomes


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
                fighter, arm = fight.armed(user, "ranged", attacks=2)
            except AssertionError:
                continue
            one, two = fight.own(other), fight.own(other, 1)
            data = {"fighter": fighter.key, "arm": arm, "last": "1"}
            count = fight.tracker.asking(fight.state, "attack", {**data, "target": one.key}).of
            for number in range(count):
                assert not fight.state.fighter(fighter.key).acted
                target = two if number else one
                act = faces_until_done(fight, user, "attack", 1, **data, target=target.key)
                assert bool(act.data["then"]) is (number < count - 1)
                assert f"at {target.name}" in act.told
            assert fight.state.fighter(fighter.key).acted
            assert not fight.page(user, "").count("attack 2 of")
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
    fighter, arm = fight.armed(fight.ada, "ranged", having="friend", attacks=1)
    friend = next(one for one in fight.state.of(fighter.side) if one.key != fighter.key)
    foe = fight.own(fight.ben)
    data = {"fighter": fighter.key, "target": foe.key, "arm": arm, "friend": friend.key}
    act = faces_until_done(fight, fight.ada, "attack", 6, first=(1,), **data)
    assert fight.state.fighter(friend.key).touched
    assert not fight.state.fighter(foe.key).touched
    assert friend.name in act.told


def test_what_is_used_up_attacks_no_more_and_a_guest_is_told_by_hand(fight: Fight) -> None:
    fighter, foe = fight.own(fight.ada), fight.own(fight.ben)
    assert fight.asks(fighter=fighter.key, target=foe.key)["arm"].options[-1] == ("by-hand", "Other: enter it by hand")
    by_hand = fight.asks(fighter=fighter.key, target=foe.key, arm="by-hand")
    assert {"way", "armour", "word_fire"} <= set(by_hand)
    with pytest.raises(Refusal, match="not among the choices"):
        fight.roll(fight.ada, "attack", fighter=fighter.key, target=foe.key, arm="no-such:ranged")


# --- other rolls


def test_movement_stands_behind_a_fighters_panel_as_tabs(fight: Fight) -> None:
    fighter = fight.own(fight.ada)
    page = fight.page(fight.ada, f"?open={fighter.key}")
    panel = page.partition(f'id="p{fighter.key}"')[2].partition("</details>")[0]
    for roll in ("success", "charge"):
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


def test_what_a_text_changes_is_a_switch_of_the_roll_and_counts(fight):
    """A sniper priest who aimed rolls two dice more, once the table says so."""
    foe = fight.own(fight.ben)
    found = None
    for fighter in fight.state.of(str(c.side(fight.battle, fight.ada).pk)):
        for key, _ in fight.asks(fighter=fighter.key, target=foe.key)["arm"].options:
            asks = fight.asks(fighter=fighter.key, target=foe.key, arm=key)
            name = next((name for name, asked in asks.items() if asked.label.startswith("Aim")), None)
            if name:
                found = fighter, key, name
    assert found is not None
    fighter, key, name = found
    data = {"fighter": fighter.key, "target": foe.key, "arm": key}
    calm = fight.tracker.asking(fight.state, "attack", data)
    keen = fight.tracker.asking(fight.state, "attack", {**data, name: "1"})
    assert "+2 DICE to hit: Aim" in keen.reckoned
    assert "+2 DICE to hit: Aim" not in calm.reckoned
    assert any("Aim" in words for words in calm.unreckoned)
    assert calm.odds_words != keen.odds_words


def test_a_first_down_that_a_skill_spares_is_spared_once(fight):
    """The table remembers that it is used up."""
    fighter = fight.own(fight.ada)
    tracker = fight.tracker
    assert tracker is not None
    from rules.resolvers.roller import Resolved
    from rules.trench_crusade.tracker.attack_question import _meets
    from rules.trench_crusade.tracker.rolls import suffered

    done = Resolved("minor-hit", "Injury roll: 7.", effects=({"first_down_used": True}, {"blood_markers": 1}))
    effect = suffered(fighter, fighter, (done,))
    assert effect.facts == {"first_down_used": True}
    plain = {"first_down": "minor-hit", "first_down_tough": False}
    assert _meets(fighter, plain)["first_down"] == "minor-hit"
    fighter.facts["first_down_used"] = True
    assert _meets(fighter, plain)["first_down"] == ""


def test_the_first_marker_that_a_text_spares_is_spared_once(fight):
    """Sacrificial Lamb: the table remembers that it is used up."""
    from rules.dice import TypedDice
    from rules.trench_crusade.resolvers.rules import resolve
    from rules.trench_crusade.tracker.attack_question import _meets
    from rules.trench_crusade.tracker.rolls import suffered

    fighter = fight.own(fight.ada)
    for spares, left in ((1, 0), (0, 1)):
        done = resolve(fight.tracker.content, "injury", {"target": {"spares": spares}}, TypedDice([2, 1]))
        effect = suffered(fighter, fighter, (done,))
        assert effect.markers.get("blood", 0) == left
        assert effect.facts == ({"spares_used": True} if spares else {})
    assert _meets(fighter, {"spares": 1})["spares"] == 1
    fighter.facts["spares_used"] = True
    assert _meets(fighter, {"spares": 1})["spares"] == 0


def test_a_fall_meets_what_the_roster_tells_of_the_faller(fight):
    """Armour and texts that hold whoever deals the injury: a shield counts, and so does what negates a keyword."""
    for fighter in fight.state.of(str(c.side(fight.battle, fight.ada).pk)):
        rule, given = fight.tracker.question(fight.state, "fall", {"fighter": fighter.key, "height": "6"})
        assert rule == "fall"
        known = fight.tracker._met(fighter)
        assert known is not None
        assert (given["armour"], given["shield"], given["unignorable_armour"]) == tuple(
            known[name] for name in ("armour", "shield", "unignorable_armour")
        )
        assert given["target"]["negates"] == known["target"]["negates"]
    told = fight.tracker.question(fight.state, "fall", {"fighter": fighter.key, "height": "6", "armour": "-1"})[1]
    assert (told["armour"], told.get("shield")) == (-1, None)


@story(params=["1.6.3", "1.0"])
def court(request: Any, ada: Any, ben: Any, cleo: Any) -> Fight:
    """Ada's Court, with a Sorcerer of several powers, against Ben."""
    made = c.club(cleo, edition=request.param)
    c.joins(made, ada, sample="crimson-assize")
    c.joins(made, ben, sample="gallows-choir")
    fight = Fight.__new__(Fight)
    fight.ada, fight.ben, fight.cleo = ada, ben, cleo
    fight.battle = c.mustered(made, ada, ben, scenario="trench-warfare")
    begin_table(battle=fight.battle, actor=ada)
    fight.here = reverse("battle-track", args=[fight.battle.pk])
    return fight


def test_a_power_is_paid_with_its_own_numbers_of_markers(court: Fight) -> None:
    side = str(c.side(court.battle, court.ada).pk)
    sorcerer = next(one for one in court.state.of(side) if len(one.facts.get("powers", ())) > 2)
    names = [name for name, *_ in sorcerer.facts["powers"]]
    giver = court.own(court.ben)
    court.mark(court.ben, giver, 5)
    page = court.page(court.ada, f"?roll=goetic&fighter={sorcerer.key}")
    assert all(name in page for name in names)
    place = next(place for place, (_, steps, _) in enumerate(sorcerer.facts["powers"]) if steps == [1, 2, 3])
    asked = court.page(court.ada, f"?roll=goetic&fighter={sorcerer.key}&power={place}")
    options = asked[asked.index('name="asked"') :]
    options = options[: options.index("</select>")]
    assert re.findall(r'<option value="(\d+)"', options) == ["1", "2", "3"]
    cast = {"fighter": sorcerer.key, "power": str(place), "givers": giver.key}
    with pytest.raises(Refusal, match="not among the choices"):
        court.roll(court.ada, "goetic", asked="4", **cast)
    court.roll(court.ada, "goetic", asked="2", **cast)
    assert court.state.fighter(giver.key).markers == {"blood": 3}
