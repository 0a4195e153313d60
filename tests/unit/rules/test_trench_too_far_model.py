"""A Trench Too Far: whole companies, platoons and vehicles as the schema has them, and what the list states of answers."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice import SeededDice
from rules.problems import Refusal
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.common import Readings
from tests.unit.rules.too_far import full_odds, read_as, roll

PLATOON: dict[str, Any] = {
    "name": "1st", "type": "Rifle", "quality": "Steady", "traits": ["Veteran"], "grenades": True, "close_combat_weapons": False,
    "dismounted": False, "bases": [{"weapon": "Rifles"}] * 4, "start_bases": 4, "position": "Dispersed", "shocked": False, "fresh": True,
    "tally": 2, "tally_had_indirect": False, "stranded": False,
}  # fmt: skip
COMPANY: dict[str, Any] = {
    "name": "A", "platoons": [PLATOON, {**PLATOON, "shocked": True}, {"type": "tank", "shocked": True}], "immobilised_vehicles": 1,
}  # fmt: skip


def test_a_whole_platoon_is_understood_by_every_rule_that_asks_of_one() -> None:
    assert roll("fire-dice", platoon=PLATOON, distance=18, order="Fire").total == 4
    assert roll("tolerance", platoon=PLATOON).total == 5
    assert roll("add-fire", platoon=PLATOON, dice=4).total == 6
    assert roll("assault-motivation", platoon=PLATOON).outcome == "passes"
    assert roll("assault-reception", 4, defender=PLATOON).outcome == "passes"
    assert roll("assault-dice", side=PLATOON).total == 9
    assert roll("fire", 1, 1, 1, 1, platoon=PLATOON, target=PLATOON).effect("tally") == 6


def test_bases_carry_weapons_of_their_own_and_strength_counts_for_rifle_drill() -> None:
    squads = [{"weapon": "Rifles", "count": 4}]
    assert roll("fire-dice", platoon={"bases": [*squads, {"weapon": "LMG"}]}, distance=18).total == 6
    drilled = {"bases": 3, "start_bases": 4, "traits": ["Rifle Drill"]}
    assert roll("fire-dice", platoon=drilled, order="Fire").total == 4
    assert roll("fire-dice", platoon={**PLATOON, "bases": 0}).total == 0


def test_a_whole_company_begins_its_activation_recovers_and_rallies() -> None:
    begun = roll("begin-activation", 2, 4, company={"platoons": COMPANY["platoons"], "order": "Move"})
    assert (begun.outcome, begun.effect("disrupted")) == ("move", True)  # two Shocked, the tanks among them
    assert roll("end-activation", company={"order": "Move"}).outcome == "free"
    assert roll("recover", 4, 3, 5, platoons=COMPANY["platoons"], lost=1).effect("recovered") == 1
    rallied = roll("end-turn-rally", 5, 4, 6, companies=[COMPANY])
    assert (rallied.effect("platoons_recovered"), rallied.effect("vehicles_mobile")) == (1, 1)
    dead = {**COMPANY, "commander_alive": False}
    assert roll("end-turn-rally", 6, companies=[dead]).effect("platoons_recovered") == 0


def test_an_immobilised_vehicle_is_shot_at_and_mends() -> None:
    tank = {"class": "light", "immobilised": True}
    done = roll("tank-fire", 5, 5, 1, 2, 1, 3, weapon="HMG", tanks=[tank], distance=8)
    assert done.outcome == "destroyed"  # immobilised before: a second time Damaged, then Damaged again
    assert roll("tank-fire", 5, 5, 1, 2, 5, 5, weapon="HMG", tanks=[tank], distance=8).outcome == "destroyed"
    assert roll("assault-dice", side={"type": "tank", "bases": 2, "machine_guns": [2, 0]}).total == 3
    assert roll("tank-repair", 6, immobilised=True).outcome == "mobile"
    assert roll("tank-repair", state=["fresh"]).outcome == "mobile"
    assert roll("tank-damage", 1, state=["immobilised"]).outcome == "damaged"
    assert roll("end-turn-rally", 6, immobilised_vehicles=1).effect("vehicles_mobile") == 1


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("tank-damage", {"state": {"immobilised": True}}),
        ("tank-repair", {"immobilised": False, "state": ["immobilised"]}),
        ("tank-repair", {"state": ["destroyed"]}),
        ("fire", {"weapon": "HMG", "target": {"class": "light"}}),
        ("fire", {"weapon": "HMG", "tanks": [{"class": "light"}]}),
        ("fire", {"weapon": "HMG", "mode": "rapid"}),
        ("tolerance", {"platoon": {"bases": 4, "bsaes": 3}}),
        ("tolerance", {"platoon": {"quality": "steady"}, "quality": "shaky"}),
        ("assault-round", {"bases": 3, "defender": {"bases": 4}}),
        ("legal-target", {"heavy_team": True, "identified": True, "roll": 4}),
        ("indirect-legal", {"distance": 8}),
        ("initiative-of", {"sides": [{"name": "A"}, {"name": "A"}]}),
    ],
)
def test_what_contradicts_itself_or_is_no_field_is_refused_through_both_doors(rule: str, given: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        rules.resolve_typed(Readings(), rule, given, (6,) * 4)
    with pytest.raises(Refusal):
        rules.odds(Readings(), rule, given)


def test_guns_alone_are_a_tanks_and_one_base_with_a_machine_gun_is_a_team() -> None:
    """Core rules, "Tanks: Assault" and "Fire": one die for each machine gun, at least one; heavy weapons teams count as in cover."""
    assert roll("assault-dice", side={"machine_guns": 3}).total == 3
    assert roll("assault-dice", side={"machine_guns": 0}).total == 1
    assert roll("assault-dice", side={"bases": 4, "machine_guns": 3}).total == 7
    at_team = roll("fire", 5, 1, 1, 1, 4, target={"weapon": "HMG", "bases": 1})
    assert (at_team.effect("saved"), at_team.effect("shocked")) == (1, False)
    assert roll("assault-reception", 4, defender={"quality": "Uncertain", "weapon": "HMG"}).effect("falls_back") == 2
    advancing = {"weapon": "HMG", "order": "Advance", "target": {"bases": 4}}
    assert roll("fire", 1, 2, 2, 2, **advancing).effect("counted") == 4


def test_dismounted_cavalry_fights_as_infantry() -> None:
    """Core rules, "Cavalry"."""
    assert roll("assault-dice", side={"type": "Cavalry", "bases": 4}).total == 8
    assert roll("assault-dice", side={"type": "Cavalry", "bases": 4, "dismounted": True}).total == 4
    assert roll("fire-dice", platoon={"type": "Cavalry", "bases": 4, "dismounted": True}, distance=18).total == 4


def test_an_hmg_that_stays_put_on_advance_fires_at_vehicles_and_one_that_moves_does_not() -> None:
    """Core rules, "Machine guns": on Advance, those that do not move fire normally."""
    near = {"weapon": "HMG", "order": "Advance", "distance": 8, "vehicle": True}
    assert roll("legal-target", **near, moved=False).outcome == "legal"
    assert roll("legal-target", **near, moved=True).outcome == "illegal"
    assert (
        roll("legal-target", weapon="LMG", order="Advance", distance=6, vehicle=True, moved=False).outcome == "illegal"
    )
    assert (
        roll("tank-fire", 5, 1, 6, weapon="HMG", order="Advance", distance=8, **{"class": "light"}).effect("saved") == 1
    )


def test_a_platoon_that_is_shocked_already_shakes_nothing_off() -> None:
    """Core rules, "Close order": the die is for a platoon that would have become Shocked."""
    target = {"bases": 4, "traits": ["Close order"], "position": "cover"}
    shot = {"platoon": {"bases": 5}, "order": "Fire"}
    assert roll("fire", 1, 1, 1, 1, 1, 5, **shot, target=target).effect("shocked") is False
    assert roll("fire", 1, 1, 1, 1, 1, **shot, target={**target, "shocked": True}).effect("shocked") is True
    assert (
        full_odds("fire", **shot, target={**target, "shocked": True}).also["shocked"]
        > full_odds("fire", **shot, target=target).also["shocked"]
    )


def test_heavy_guns_among_the_bases_of_a_platoon_add_one_die_each() -> None:
    """Core rules, "Assaulting": a single attack die, never modified."""
    for weapon in ("hmg", "trench-mortar", "field-artillery", "anti-tank-gun"):
        side = {"bases": [{"weapon": "rifles", "count": 4}, {"weapon": weapon}], "traits": ["Veteran"]}
        assert roll("assault-dice", side=side).total == 9
    assert (
        roll(
            "assault-dice", side={"bases": [{"weapon": "rifles", "count": 4}, {"weapon": "lmg"}], "traits": ["veteran"]}
        ).total
        == 10
    )


def test_targets_orders_officers_and_losses_bear_on_a_rule() -> None:
    gun = {"weapon": "Field artillery"}
    assert roll("hit-target", **gun, target_close_order=True).total == 4
    assert roll("hit-target", **gun, target_close_order=False).total == 5
    assert roll("hit-target", ctx={"order": "Advance", "type": "heavy infantry"}).total == 5
    assert roll("hit-target", ctx={"damaged": True}).total == 6
    assert roll("order-check", 3, disrupted="until_rallied", order="Assault").outcome == "defend"
    assert roll("order-check", disrupted="none", order="Assault").outcome == "assault"
    assert roll("disruption", 5, cause="tank attack").outcome == "disrupted"
    assert roll("assault-dice", side={"bases": 4, "heavy_teams": 1, "grenades": True}).total == 6
    assert roll("assault-dice", side={"bases": 4}, outstanding_officer=True).total == 5
    assert roll("assault-round", 5, 6, 2, 1, attacker={"bases": 4}, defender={"bases": 4}).outcome == "attacker-wins"
    assert roll("march", type="Trench mortar", nearest_enemy=12.5).total == 4
    assert roll("indirect-legal", range=15, distance=7.5).outcome == "legal"
    behind = {"weapon": "Rifles", "distance": 10, "closest": False, "heavy_team": True}
    assert roll("legal-target", ctx=behind).outcome == "identify"
    assert roll("legal-target", **behind, roll=4).outcome == "legal"
    assert roll("legal-target", **behind, roll=3).outcome == "illegal"
    harassing = {"platoon": {"type": "HMG"}, "harassing": True, "distance": 28}
    assert roll("fire", 5, 6, 5, 6, 5, 4, **harassing, target={"position": "prone"}).total == 1
    assert roll("fire", 6, 5, weapon="sniper", target={"position": "entrenched"}).total == 1
    stubborn = {"bases": 4, "quality": "Stubborn"}
    assert roll("tolerance", platoon=stubborn, ctx={"outstanding_officer": True}).total == 7
    assert roll("tolerance", platoon=stubborn, ctx={"outstanding_officer": False}).total == 6
    assert roll("assault-motivation", 3, platoon={"quality": "Steady", "lost_bases": 1}).outcome == "fails"
    assert roll("assault-motivation", platoon={"quality": "Steady", "lost_bases": 0}).outcome == "passes"
    assert roll("assault-hit-target", side={"type": "Engineers"}).total == 4
    assert roll("assault-dice", side={"bases": 4, "traits": ["veteran"], "grenades": True}).total == 9
    assert roll("disruption-check", 2, shocked_platoons=2).outcome == "disrupted"
    assert roll("tank-save", 4, weapon="Tank gun AP", **{"class": "medium"}).outcome == "fails"


def test_dice_and_targets_that_are_known_are_not_worked_out_again() -> None:
    told = {"dice": 4, "hit_target": 5, "save_target": 6}
    assert roll("fire", 5, 6, 2, 1, 6, 3, **told).total == 1
    assert roll("fire", 5, 6, 2, 1, dice=4, hit_target=5, save_target=None, target={"position": "cover"}).total == 2
    assert full_odds("fire", **told).outcomes == full_odds("resolve-fire", **told).outcomes
    assert roll("fire", 4, 1, 1, 1, 2, hit_target=4, target={"bases": 4}).effect("tally") == 4


@pytest.mark.parametrize("told", [{"commander_distance": 12}, {"commander_near_enemy": True}])
def test_an_aggressive_company_assaults_however_its_commander_is_told(told: dict[str, Any]) -> None:
    """Core rules, "Aggressive"."""
    platoons = [{"traits": ["Aggressive"], "bases": 4, "position": "Dispersed"}] * 3
    assert roll("begin-activation", company={"platoons": platoons, **told}, order="Fire").outcome == "assault"
    assert roll("begin-activation", company={"aggressive": True, **told}, order="Fire").outcome == "assault"
    covered = [{**each, "position": "Cover"} for each in platoons]
    assert roll("begin-activation", company={"platoons": covered, **told}, order="Fire").outcome == "fire"


def test_a_company_without_its_commander_is_disrupted_until_it_has_a_new_one() -> None:
    """Core rules, "Shock and Disruption"."""
    dead = {"commander_alive": False}
    assert roll("begin-activation", 3, company=dead, order="Assault").outcome == "defend"
    assert roll("begin-activation", 4, company=dead, order="Assault").outcome == "assault"
    assert roll("begin-activation", company=dead, order="Recover").outcome == "recover"
    done = roll("recover", 4, **dead, platoons=[{"quality": "Steady", "shocked": True}])
    assert (done.effect("recovered"), done.effect("commander_replaced")) == (1, True)
    strict = read_as(disrupted_recover="none")
    assert roll("recover", by=strict, **dead, platoons=[{"quality": "Steady", "shocked": True}]).effect("tests") == 0


# A few situations of each rule, which together bring out everything its answers hold.
SITUATIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "morale-target": ({"quality": "steady"},),
    "morale-test": ({"quality": "steady"},),
    "roll-initiative": ({},),
    "card-deck": ({"companies": 3},),
    "platoon-coherent": ({"max_gap": 2},),
    "in-command": ({"distance": 12},),
    "coherency": ({"max_gap": 2, "distance": 12},),
    "begin-activation": ({"shocked_platoons": 2, "order": "fire"},),
    "end-activation": ({},),
    "defend-stick": ({},),
    "save-target": ({},),
    "fire-dice": ({},),
    "hit-target": ({},),
    "legal-target": ({"distance": 30}, {"closest": False, "heavy_team": True}),
    "resolve-fire": ({"dice": 4, "hit_target": 5, "hmg": True},),
    "fire": ({"weapon": "hmg", "target": {"bases": 4}},),
    "hmg-jam": ({},),
    "tolerance": ({},),
    "add-fire": ({"dice": 4},),
    "shock": ({},),
    "disruption": ({"cause": "gas"}, {"cause": "shocked-platoons", "shocked_platoons": 6}, {"cause": "shocked-platoons"}),
    "disruption-check": ({"shocked_platoons": 6}, {"shocked_platoons": 0}),
    "order-check": ({"order": "fire"},),
    "identify-team": ({},),
    "indirect-legal": ({"weapon": "trench-mortar", "distance": 20},),
    "assault-motivation": ({"quality": "stubborn"}, {"quality": "stubborn", "roll": 1}, {"quality": "stubborn", "roll": 2}),
    "assault-reception": ({"roll": 1}, {"roll": 6}),
    "assault-dice": ({},),
    "assault-hit-target": ({},),
    "assault-round": ({}, {"attacker": {"bases": 1}, "defender": {"bases": 1}}),
    "assault": (
        {}, {"motivation": False, "reception": False}, {"reception": False, "attacker": {"fresh": True}}, {"attacker": {"quality": "shaky"}},
        {"attacker": {"bases": 1, "fresh": True}, "defender": {"bases": 1, "position": "entrenched"}}, {"motivation": False},
    ),
    "recover": ({"lost": 2, "shocked_platoons": 1},),
    "recover-remnants": ({"lost": 2},),
    "end-turn-rally": ({"shocked_platoons": 1},),
    "reliability": ({"kind": "stable"},),
    "tank-save": ({"class": "light"},),
    "tank-damage": ({},),
    "tank-fire": ({"weapon": "hmg", "class": "light"},),
    "tank-assault": ({"class": "light"},),
    "tank-repair": ({}, {"immobilised": False}),
    "initiative-of": ({"sides": [{"name": "A"}, {"name": "B"}]},),
    "card-draw": ({"cards": ["A", "B"]},),
    "tanks-move": ({"kinds": ["stable"]},),
    "assault-strike": ({"strikers": [{"bases": 4}], "enemy_bases": 4},),
    "march": ({},),
    "movement": ({}, {"order": "defend"}),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(rules.RULES))
def test_the_list_names_exactly_what_the_answers_of_a_rule_hold(name: str) -> None:
    met = {
        key for given in SITUATIONS[name] for seed in range(12)
        for effect in rules.resolve(Readings(), name, given, SeededDice(seed)).effects for key in effect
    }  # fmt: skip
    told = rules.RULES[name].told()
    assert met == set(told["effects"])
    assert told["answers"]
