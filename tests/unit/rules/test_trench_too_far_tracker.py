"""A Trench Too Far at the table: whole turns with typed dice, what orders permit, and what an undo may not leave behind."""

from __future__ import annotations

import pytest

from rules.problems import Refusal
from rules.tracker.acts import AddAct, MarkerAct
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.trench_too_far.tracker import TooFarTracker
from tests.unit.rules.too_far_resolvers import GAME, Battle, company, view


def test_the_game_opens_this_door() -> None:
    assert isinstance(GAME.battle.tracker(GAME.content("core")), TooFarTracker)


def test_a_whole_turn_of_both_sides() -> None:
    battle = Battle().begun("b")
    assert battle.state.acting == "b"
    assert battle.offered("ac")["Give an order"] == "B is to act."
    battle.ordered("bc", "fire")
    battle.do("fire", 5, 6, 2, 1, 6, 3, fighter="b1", target="a1", distance=12)
    assert battle.told[-1] == 'B 1st fires at A 1st, 12": 2 hits, 1 saved: 1 base lost. Tally 4 against Tolerance 5.'
    assert (battle.bases("a1"), battle.unit("a1").markers["fire"]) == (3, 4)
    (taken,) = (line for line in battle.tracker.tracks(battle.state, battle.unit("a1")) if line.label == "Fire taken")
    assert (sum(full for _box, full in taken.track), taken.limit, taken.words) == (4, 4, "4 of 4; 1 more die shocks it")
    battle.do("fire", 5, 1, 1, 1, 1, 6, fighter="b3", target="a1", distance=12)
    assert battle.unit("a1").facts["shocked"], "nine dice against a Tolerance of four"
    assert "SHOCKED" in battle.badges("a1")
    battle.do("move", fighter="b2")
    assert battle.offered("b2")["Fire"] == "It moved instead of firing."
    assert battle.offered("bh")["Fire"] == ""
    battle.do("done", fighter="bc")
    assert battle.state.acting == "a"
    # A rolls for its one Shocked platoon, is Disrupted, and loses its order.
    battle.do("begin", 1, fighter="ac")
    battle.do("order-roll", 3, fighter="ac", order="assault")
    assert battle.told[-1].startswith("A Company wants Assault. 3 against 4+: it falls back on Defend.")
    battle.do("done-roll", 1, fighter="ac")
    assert battle.unit("ac").facts["must_defend"] == 2
    battle.ordered("bt", "move").do("drive-free", fighter="bt")
    battle.do("done", fighter="bt")
    battle.ordered("at", "fire").do("done", fighter="at")
    # The end: a platoon of a Disrupted company does not rally, the company does.
    assert [prompt.kind for prompt in battle.tracker.prompts(battle.state)] == ["rally"]
    battle.do("rally", 5, side="a")
    assert battle.told[-1] == "A rallies: A Company."
    assert [prompt.kind for prompt in battle.tracker.prompts(battle.state)] == ["limit"]
    battle.do("next-turn")
    assert battle.state.turn == 2
    assert "fire" not in battle.unit("a1").markers
    assert battle.unit("a1").facts["shocked"]
    # The roll of 1 keeps the company on Defend.
    battle.begun("a")
    battle.do("begin", 6, fighter="ac")
    assert list(battle.offered("ac")) == ["Defend, as it must", "Correct"]
    assert battle.refused("order", fighter="ac", order="fire")
    battle.do("order", fighter="ac", order="defend")
    assert battle.tracker.losses(battle.state) == {"a1": {"Rifles": 1}}


def test_on_move_one_platoon_and_one_team_stay_and_fire() -> None:
    battle = Battle().begun().ordered("ac", "move")
    battle.do("fire", 1, 1, 1, 1, fighter="a1", target="b1", distance=18)
    assert battle.offered("a2")["Fire"] == "A 1st has stayed to fire already."
    assert battle.offered("ah")["Fire"] == ""
    battle.do("fire", 1, 2, 3, 2, fighter="ah", target="b1", distance=18)
    assert battle.offered("am")["Fire"] == "A HMG has stayed to fire already."
    assert battle.offered("a1")["Move"] == "It stayed to fire."
    assert "marches" in battle.do("move", fighter="a3", how="march", position="cover")
    assert battle.unit("a3").facts["position"] == "cover"


def test_a_raider_moves_and_fires_and_leaves_the_allowance_to_others() -> None:
    own = {"company": "ac"}
    raiders = view("a1", "Raiders", "platoon", {"bases": [{"count": 4}], "traits": ["raider"]}, **own)
    rifles = view("a2", "Rifles", "platoon", {"bases": [{"count": 4}]}, **own)
    battle = Battle(views={"a": [view("ac", "A", "company", {}), raiders, rifles]}).begun().ordered("ac", "move")
    battle.do("move", fighter="a1")
    battle.do("fire", 5, 1, 1, 1, 6, fighter="a1", target="b1", distance=10)
    assert battle.offered("a2")["Fire"] == ""


def test_an_order_that_is_closed_says_why() -> None:
    battle = Battle(views={"a": [view("ac", "A", "company", {}), *company("a")[1:]]}).begun()
    battle.do("activate", fighter="ac")
    assert battle.offered("ac")["Advance"] == "It was never trained to Advance."
    assert battle.refused("order", fighter="ac", order="advance") == "It was never trained to Advance."


def test_an_aggressive_company_near_the_enemy_has_to_assault() -> None:
    wild = [
        view(f"a{place}", f"Wild {place}", "platoon", {"bases": [{"count": 4}], "traits": ["aggressive"]}, company="ac")
        for place in (1, 2)
    ]
    battle = Battle(views={"a": [view("ac", "A", "company", {}), *wild]}).begun()
    battle.do("activate", fighter="ac")
    offers = [offer for offer in battle.tracker.offers(battle.state) if offer.fighter == "ac" and offer.roll == "order"]
    assert {offer.at_once for offer in offers if offer.given["order"] != "assault"} == {False}
    battle.do("order", fighter="ac", order="move", near="1")
    assert battle.unit("ac").facts["order"] == "assault"
    assert "Aggressive" in battle.told[-1]


def test_prone_is_changed_once_a_turn_and_close_order_never_lies_down() -> None:
    battle = Battle().begun().ordered("ac", "move")
    battle.do("prone", fighter="a1")
    assert "Get up" not in battle.offered("a1")
    assert "already" in battle.refused("move", fighter="a1", how="standard")
    battle.do("move", fighter="a1", how="crawl")
    assert battle.unit("a1").facts["position"] == "prone"
    assert "Go prone" not in battle.offered("a2")
    assert battle.refused("prone", fighter="a2") == "Close order goes prone only by Defend."


def test_a_hidden_team_is_made_out_before_it_is_fired_at() -> None:
    battle = Battle().begun().ordered("ac", "fire")
    shot = {"fighter": "a1", "target": "bh", "distance": 12, "nearest": "0"}
    assert "not made out yet" in battle.refused("fire", **shot)
    battle.do("identify", 3, fighter="a1", target="bh")
    assert "not identified" in battle.refused("fire", **shot)
    battle.do("identify", 4, fighter="a3", target="bh")
    battle.do("fire", 5, 5, 1, 1, 1, 1, 4, **{**shot, "fighter": "a3"})
    assert battle.unit("bh").out
    assert battle.tracker.losses(battle.state) == {"bh": {"Base": 1}}
    assert battle.unit("bh").out_by == "a"


def test_a_gun_that_jams_is_gone_after_its_hits() -> None:
    battle = Battle().begun().ordered("ac", "fire")
    battle.do("fire", 1, 1, 1, 6, 1, fighter="ah", target="b1", distance=12)
    assert (battle.bases("b1"), battle.unit("ah").out, battle.unit("ah").out_by) == (3, True, "")


def test_harassing_and_indirect_fire_are_asked_of_who_can_on_fire_alone() -> None:
    battle = Battle().begun().ordered("ac", "fire")

    def asks(fighter: str, target: str = "b1") -> set[str]:
        return {
            ask.name for ask in battle.tracker.asking(battle.state, "fire", {"fighter": fighter, "target": target}).asks
        }

    assert "harassing" in asks("ah")
    assert "indirect" in asks("am")
    assert not {"harassing", "indirect"} & asks("a1")
    battle.do("fire", 6, 1, 2, 3, 1, fighter="ah", target="b1", distance=28, harassing="1")
    assert battle.refused("fire", fighter="am", target="b1", distance=7, indirect="1").startswith("No indirect fire")
    battle.do("fire", 1, 1, fighter="am", target="b1", distance=8, indirect="1")
    assert battle.unit("b1").facts["indirect"] == 1
    assert "reaches that far" in battle.refused("fire", fighter="a1", target="b2", distance=19)
    assert "not measured" in battle.refused("fire", fighter="a1", target="b2")


def test_a_company_is_not_done_before_it_rolled_for_recover() -> None:
    battle = Battle().begun("a").ordered("ac", "recover")
    words = "It was ordered to Recover. Roll that first."
    assert battle.refused("done", fighter="ac") == words
    closed = {offer.roll: offer.closed for offer in battle.tracker.offers(battle.state) if offer.side == "a"}
    assert closed["done"] == words
    battle.do("recover", fighter="ac")
    battle.do("done", fighter="ac")


def test_orders_are_given_to_companies_and_independent_units_alone() -> None:
    battle = Battle().begun("a")
    for roll in ("activate", "begin", "order", "order-roll", "done", "recover"):
        (who,) = [ask for ask in battle.tracker.asking(battle.state, roll, {}).asks if ask.name == "fighter"]
        assert set(who.only) == {"ac", "at", "bc", "bt"}, roll


def test_the_form_of_fire_knows_where_its_target_is() -> None:
    battle = Battle().begun().ordered("ac", "fire")
    shot = {"fighter": "a1", "target": "b1", "distance": "12"}
    asks = {ask.name: ask for ask in battle.tracker.asking(battle.state, "fire", shot).asks}
    assert [value for value, _ in asks["position"].options] == ["", "dispersed", "cover", "entrenched"]
    plain = battle.tracker.asking(battle.state, "fire", shot)
    assert "saves on 6+: Dispersed" in plain.reckoned
    covered = battle.tracker.asking(battle.state, "fire", {**shot, "position": "cover"})
    assert "saves on 4+: Cover" in covered.reckoned
    assert covered.odds_words != plain.odds_words
    battle.do("fire", 5, 5, 1, 1, 4, 4, **shot, position="cover")
    assert "2 hits, 2 saved" in battle.told[-1]


def test_the_form_of_fire_tells_exact_odds() -> None:
    battle = Battle().begun().ordered("ac", "fire")
    kind = battle.tracker.asking(battle.state, "fire", {"fighter": "a1", "target": "b1", "distance": "12"})
    assert kind.odds_words == "0 lost 27.2 %, 1 lost 41.9 %, 2 lost 24.1 %, 3 lost 6.2 %, 4 or more 0.6 %."
    assert "4 attack dice: 4 Rifles." in kind.reckoned


def test_advance_hits_on_six_and_leaves_its_first_die_out_of_the_tally() -> None:
    battle = Battle().begun().ordered("ac", "advance")
    battle.do("move", fighter="a1")
    battle.do("fire", 5, 5, 5, 6, 1, fighter="a1", target="b1", distance=12)
    assert (battle.bases("b1"), battle.unit("b1").markers["fire"]) == (3, 3)
    assert "vehicles are no targets on Advance" in battle.refused("fire", fighter="a3", target="bt", distance=4)


def test_tanks_are_hit_saved_and_damaged_and_their_platoon_is_shocked() -> None:
    battle = Battle().begun().ordered("at", "fire")
    battle.do("fire", 5, 5, 1, 1, 5, 3, fighter="at", target="bt", distance=20)
    assert [battle.unit("bt").facts.get(f"v{place}") for place in (0, 1)] == ["x", "d"]
    assert battle.unit("bt").facts["shocked"]
    assert battle.tracker.losses(battle.state) == {"bt": {"Ox": 1}}
    assert battle.badges("bt")[0] == "1 of 2"
    assert battle.badges("bt")[1] == "1 damaged"


def test_from_turn_three_on_tanks_break_down_and_a_six_mends_them() -> None:
    battle = Battle(views={"a": [company("a")[-1]], "b": [company("b")[-1]]})
    for _ in range(2):
        battle.begun().turn_done()
        battle.do("next-turn")
    battle.begun().ordered("at", "move")
    battle.do("drive", 3, 2, fighter="at", crossing="1")
    assert [battle.unit("at").facts.get(f"v{place}") for place in (0, 1)] == ["i", "i"], "one less across a trench"
    battle.do("done", fighter="at")
    battle.turn_done()
    battle.do("rally", 6, 5, side="a")
    assert [battle.unit("at").facts.get(f"v{place}") for place in (0, 1)] == ["", "i"]


def test_an_assault_blow_by_blow() -> None:
    battle = Battle().begun().ordered("ac", "assault")
    assert battle.offered("ah")["Fire"] == ""
    battle.do("assault", fighter="a1", target="b1", with_=("ah",))
    assert battle.refused("assault", fighter="a2", target="b2")
    assert battle.refused("done", fighter="ac") == "The assault is not over."
    prompt = battle.tracker.prompts(battle.state)[0]
    assert (prompt.side, prompt.roll, prompt.given["fighter"]) == ("b", "reception", "b1")
    battle.do("reception", 4, fighter="b1")
    prompt = battle.tracker.prompts(battle.state)[0]
    assert "7 dice at 5+; it is decided in 73.7 %" in prompt.words, (
        "four bases, grenades, an Outstanding Officer, a team"
    )
    battle.do("blow", 5, 1, 1, 1, 1, 1, 1, fighter="a1")
    assert battle.bases("b1") == 3
    battle.do("join", who=("b2",))
    battle.do("blow", *(5, 5, *[1] * 9), fighter="b1")
    assert battle.told[-1].endswith('A 1st, A HMG fall back 8", Shocked.')
    assert (battle.bases("a1"), battle.unit("a1").facts["shocked"], battle.unit("ah").facts.get("shocked")) == (
        2,
        True,
        None,
    )
    assert battle.state.facts["assault"] is None
    battle.do("done", fighter="ac")


def test_who_would_not_assault_fires_near_by_on_sixes() -> None:
    battle = Battle().begun()
    battle.count("a1", "rifles", -1)
    battle.ordered("ac", "assault")
    battle.do("assault", 3, fighter="a1", target="b1")
    assert battle.unit("a1").facts["failed"] == 1
    assert 'within 8"' in battle.refused("fire", fighter="a1", target="b1", distance=9)
    battle.do("fire", 5, 5, 6, 1, fighter="a1", target="b1", distance=8)
    assert battle.bases("b1") == 3


def test_who_does_not_stand_falls_back_shocked_and_works_spare_the_test() -> None:
    battle = Battle().begun().ordered("ac", "assault")
    battle.do("assault", fighter="a1", target="b1")
    battle.do("reception", 3, fighter="b1")
    assert battle.unit("b1").facts["shocked"]
    assert battle.state.facts["assault"] is None
    battle.do("right", fighter="b2", position="entrenched")
    battle.do("assault", fighter="a2", target="b2")
    battle.do("reception", fighter="b2")
    assert battle.state.facts["assault"]["step"] == "strike"


def test_troops_assault_tanks() -> None:
    battle = Battle().begun().ordered("ac", "assault")
    battle.do("assault", fighter="a1", target="bt")
    battle.do("blow", 5, 1, 1, 1, 1, 1, 3, 5, fighter="a1")
    assert battle.unit("bt").facts["v0"] == "x"
    assert battle.unit("bt").facts["shocked"]
    battle.do("blow", 5, fighter="bt")
    assert battle.bases("a1") == 3
    battle.do("part")


def test_a_dead_commander_disrupts_until_recover_names_another_and_remnants_come() -> None:
    battle = Battle().begun("b").ordered("bc", "fire")
    battle.do("fire", 5, 5, 1, 1, 1, 1, fighter="b1", target="a1", distance=12)
    battle.do("fire", *[5] * 5, *[1] * 5, fighter="b3", target="ac", distance=12)
    assert battle.told[-1].endswith("The commander of A Company is dead: Disrupted.")
    assert not battle.unit("ac").out
    assert "COMMANDER DEAD" in battle.badges("ac")
    battle.do("done", fighter="bc")
    battle.do("begin" if battle.unit("a1").facts.get("shocked") else "activate", fighter="ac")
    battle.do("order-roll", fighter="ac", order="recover")
    battle.do("recover", 5, 2, fighter="ac")
    assert battle.told[-1].endswith("1 Remnant base from 2 lost.")
    remnants = battle.state.fighters[-1]
    assert (remnants.joined, remnants.markers, remnants.side) == (True, {"remnants": 1}, "a")
    assert battle.unit("ac").facts["replaced"]
    assert "OUTSTANDING" not in " ".join(battle.tracker.lines(battle.state, battle.unit("ac"))).upper()
    assert "Recover" not in battle.offered("ac")
    battle.do("done", fighter="ac")
    assert remnants.key not in battle.tracker.losses(battle.state)
    battle.undo(-1)
    battle.undo(-1)
    assert all(not each.joined for each in battle.state.fighters)


def test_cards_are_drawn_from_those_left_and_an_order_is_kept_nowhere() -> None:
    battle = Battle()
    battle.do("setup", mode="cards", rally="1", attacker="a")
    assert battle.state.side("a").facts["attacker"]
    assert battle.refused("activate", fighter="ac") == "Its card has not been drawn."
    battle.do("draw", 2)  # ac, at, bc, bt, rally
    assert battle.told[-1] == "Drawn: A tanks; 4 left."
    assert "yet to act" in battle.refused("draw", 1)
    battle.ordered("at", "move").do("done", fighter="at")
    battle.do("card", card="rally")
    battle.count("a1", "rifles", -1)
    battle.do("right", fighter="a1", shocked="1")
    battle.do("rally", 5, side="a")
    assert not battle.unit("a1").facts["shocked"]
    for card in ("ac", "bc", "bt"):
        battle.do("card", card=card)
        battle.ordered(card, "move").do("done", fighter=card)
    battle.do("next-turn")
    assert battle.state.turn == 2
    assert battle.refused("card", card="nothing")


def test_three_sides_take_turns_and_fire_at_either() -> None:
    battle = Battle("abc").begun("b").ordered("bc", "fire")
    battle.do("fire", 5, 1, 1, 1, 1, fighter="b1", target="c1", distance=12)
    assert battle.unit("c1").markers["fire"] == 4
    battle.do("done", fighter="bc")
    assert battle.state.acting == "c"
    battle.do("pass", acts="a")
    battle.ordered("ac", "move")


def test_whatever_the_table_has_wrong_is_put_right() -> None:
    battle = Battle().begun()
    battle.count("a1", "rifles", -4)
    assert battle.unit("a1").out
    battle.do("right", fighter="a1", bases_rifles="2", position="cover", shocked="1")
    assert (battle.bases("a1"), battle.unit("a1").out, battle.unit("a1").facts["position"]) == (2, False, "cover")
    battle.do("right", fighter="at", vehicle_0="x", vehicle_1="x")
    assert battle.unit("at").out
    battle.do("right", fighter="ac", order="fire", done="1", remnants="0")
    assert battle.unit("ac").acted
    assert battle.refused("right", fighter="b1", position="dispersed") == "Nothing is different."
    battle.do("right", fighter="ac", order="fire", done="-", disrupted="until-rallied", remnants="0")
    assert "DISRUPTED" in battle.badges("ac")
    with pytest.raises(Refusal):
        battle.count("b1", "rifles", 1)
    with pytest.raises(Refusal):
        battle.act(MarkerAct(fighter="b1", marker="lances", change=1))


def test_an_undo_leaves_nothing_impossible_behind() -> None:
    battle = Battle().begun().ordered("ac", "fire")  # 0 initiative, 1 activate, 2 order
    battle.do("fire", 5, 1, 1, 1, 1, fighter="a1", target="b1", distance=12)
    battle.do("done", fighter="ac")
    battle.ordered("bc", "move")
    for place in (0, 1, 2, 4):
        before = battle.state
        with pytest.raises(Refusal):
            battle.undo(place)
        assert battle.state is before
    battle.undo(3)
    assert (battle.bases("b1"), battle.unit("b1").markers.get("fire")) == (4, None)


def test_acting_with_what_is_gone_is_refused() -> None:
    battle = Battle().begun().ordered("ac", "fire")
    battle.count("a1", "rifles", -4)
    assert battle.refused("fire", fighter="a1", target="b1", distance=3)
    assert battle.offered("a1") == {"Correct": ""}
    assert battle.refused("move", fighter="b1")


def test_a_guest_is_four_steady_rifles_until_it_is_described() -> None:
    tracker = Battle().tracker
    sides = (TableSide("a", "A"), TableSide("g", "Guest", guest=True, open=True))
    own = tuple(TableFighter(each.key, "a", each.name, facts=tracker.facts(each)) for each in company("a"))
    battle = Battle()
    battle.state = battle.start = tracker.set_up(TableState(sides=sides, fighters=own))
    battle.act(AddAct(side="g", name="Foreigners"))
    key = battle.state.of("g")[0].key
    assert battle.bases(key) == 4
    battle.do("right", fighter=key, quality="stubborn", full="6", position="dispersed")
    assert (battle.bases(key), battle.unit(key).facts["quality"]) == (6, "stubborn")


def test_losses_that_were_carried_into_the_battle_are_not_told_again() -> None:
    weak = view("a1", "Weak", "platoon", {"bases": [{"count": 4}]}, left={"Rifles": 3})
    battle = Battle(views={"a": [weak]})
    assert battle.bases("a1") == 3
    assert battle.tracker.losses(battle.state) == {}
    battle.count("a1", "rifles", -1)
    assert battle.tracker.losses(battle.state) == {"a1": {"Rifles": 1}}
    with pytest.raises(Refusal):
        battle.count("a1", "rifles", 2)


def test_weapons_of_ones_own_fire_as_they_are_written() -> None:
    gun = {"name": "Long Tom", "range": 40, "attacks": 3, "tank_range": 30, "tank_attacks": 2, "tank_save": -3}
    team = view("a1", "Crew", "team", {"kind": "field-artillery", "weapon": "Long Tom", "weapons": [gun]}, advance=True)
    battle = Battle(views={"a": [team]}).begun().ordered("a1", "fire")
    kind = battle.tracker.asking(battle.state, "fire", {"fighter": "a1", "target": "b1", "distance": "38"})
    assert kind.reckoned[0].startswith("3 attack dice")
    battle.do("fire", 5, 1, 6, 1, fighter="a1", target="bt", distance=30)
    assert battle.unit("bt").facts["v0"] == "i"


def test_readings_change_what_happens() -> None:
    stays = Battle(beaten_attacker="steady").begun().ordered("ac", "assault")
    stays.do("assault", fighter="a1", target="b1")
    stays.do("reception", 6, fighter="b1")
    stays.do("blow", 1, 1, 1, 1, 1, 1, fighter="a1")
    stays.do("blow", 6, 6, 1, 1, 1, 1, fighter="b1")
    assert not stays.unit("a1").facts.get("shocked")
    teams = Battle(team_shock="as-platoon").begun().ordered("ac", "fire")
    teams.do("fire", 5, 1, 1, 1, 4, fighter="a1", target="bh", distance=12)
    assert teams.unit("bh").facts["shocked"]


def test_what_comes_next_stands_under_the_thumb() -> None:
    battle = Battle(views={"a": [company("a")[-1]]})

    def thumb() -> list[tuple[str, str]]:
        offers = battle.tracker.offers(battle.state)
        return [(offer.label, offer.side) for offer in offers if offer.main and not offer.fighter and not offer.closed]

    battle.begun("a")
    assert thumb() == []
    awaited = battle.tracker.awaited(battle.state)
    assert awaited is not None
    assert (awaited.own_words, awaited.fighter) == ("A tanks’s order", "at")
    battle.ordered("at", "move")
    assert thumb() == [("Done", "a")]
    battle.do("done", fighter="at")
    battle.ordered("bc", "assault").do("assault", fighter="b1", target="at")
    assert thumb() == [("Strike", "b")]
    battle.do("blow", *[1] * 6, fighter="b1")
    assert thumb() == [("Strike back", "a")]
    battle.do("part")
    battle.do("done", fighter="bc")
    battle.ordered("bt", "move").do("done", fighter="bt")
    assert thumb() == [("Turn 2", "")]
