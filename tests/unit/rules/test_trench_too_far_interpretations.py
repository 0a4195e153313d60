"""A Trench Too Far: every reading of an open rule, by each of its options; and input nobody can use."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.problems import Refusal
from rules.trench_too_far.interpretations import READING, READINGS, choice
from rules.trench_too_far.resolvers.common import Readings
from rules.trench_too_far.resolvers.rules import RULES
from tests.unit.rules.too_far import full_odds, odds, read_as, roll

R4: dict[str, Any] = {"bases": 4}


def test_every_reading_has_options_its_default_among_them() -> None:
    assert len(READINGS) == len(READING) >= 25
    for reading in READINGS:
        assert len(reading.options) >= 2
        assert reading.holds(reading.default)
        assert reading.source.startswith("AT-A")


def test_a_choice_stands_at_its_default_until_it_is_made() -> None:
    assert choice(Readings(), "shock-scope") == "turn"
    assert choice(read_as(shock_scope="attack"), "shock-scope") == "attack"
    assert choice(read_as(shock_scope="moon"), "shock-scope") == "turn"
    with pytest.raises(KeyError):
        choice(Readings(), "moon")


def test_shock_by_single_attacks() -> None:
    given: dict[str, Any] = {"platoon": R4 | {"tally": 4}, "dice": 4}
    assert roll("add-fire", **given).outcome == "exceeds"
    assert roll("add-fire", by=read_as(shock_scope="attack"), **given).outcome == "within"
    target = {"bases": 3, "tally": 4}
    assert roll("fire", 1, 1, 1, by=read_as(shock_scope="attack"), bases=3, target=target).effect("shocked") is False
    assert roll("fire", 1, 1, 1, bases=3, target=target).effect("shocked") is True


def test_tolerance_by_the_bases_left() -> None:
    target = {"bases": 4, "position": "closed"}
    assert roll("fire", 5, 1, 1, 1, bases=4, target=target).effect("shocked") is False
    assert (
        roll("fire", 5, 1, 1, 1, by=read_as(tolerance_bases="after"), bases=4, target=target).effect("shocked") is True
    )
    assert (
        roll("add-fire", by=read_as(tolerance_bases="after"), platoon=R4, dice=4, bases_lost=1).effect("tolerance") == 3
    )


def test_assault_casualties_in_all() -> None:
    dice = (5, 1, 1, 1, 1, 1, 1, 5, 1, 1, 1)
    found = roll("assault-round", *dice, by=read_as(assault_casualties="in-all"), attacker=R4, defender=R4)
    assert (found.outcome, found.effect("defender_bases_lost")) == ("attacker-wins", 2)
    by_all = odds("assault-round", read_as(assault_casualties="in-all"), attacker=R4, defender=R4)
    assert by_all != odds("assault-round", attacker=R4, defender=R4)
    assert sum(by_all.values()) == 1


def test_a_beaten_attacker_that_keeps_its_nerve() -> None:
    dice = (1, 1, 1, 1, 5, 5, 1, 1)
    assert roll("assault-round", *dice, attacker=R4, defender=R4).effect("shocked") == "attacker"
    assert (
        roll("assault-round", *dice, by=read_as(beaten_attacker="steady"), attacker=R4, defender=R4).effect("shocked")
        is None
    )


@pytest.mark.parametrize("position", ["dispersed", "cover", "entrenched", "closed"])
def test_defend_as_prone_and_nothing_else(position: str) -> None:
    assert roll("save-target", by=read_as(defend_save="prone"), position=position, defend=True).total == 5


def test_only_bases_in_contact_fight() -> None:
    side = R4 | {"bases_in_contact": 2, "grenades": True}
    assert roll("assault-dice", side=side).total == 5
    assert roll("assault-dice", by=read_as(assault_bases="touching"), side=side).total == 3


def test_shocked_troops_may_be_kept_from_assaulting() -> None:
    no = read_as(shocked_assault="no")
    shocked = R4 | {"shocked": True, "fresh": True}
    assert roll("assault-motivation", platoon=shocked).effect("move_inches") == 4
    assert roll("assault-motivation", by=no, platoon=shocked).outcome == "fails"
    assert roll("movement", by=no, how="assault", order="assault", shocked=True).outcome == "stays"
    assert odds("assault", no, attacker=shocked, defender=R4) == {"stays": 1}


def test_weapons_teams_may_be_shocked() -> None:
    target = {"type": "hmg", "bases": 1}
    assert roll("fire", 1, 1, 1, 1, bases=4, target=target).effect("shocked") is False
    assert (
        roll("fire", 1, 1, 1, 1, by=read_as(team_shock="as-platoon"), bases=4, target=target).effect("shocked") is True
    )
    assert roll("shock", team=True).outcome == "holds"
    assert roll("shock", by=read_as(team_shock="as-platoon"), team=True).outcome == "shocked"


def test_disrupted_companies_may_be_kept_from_testing_on_recover() -> None:
    given: dict[str, Any] = {"platoons": [{"shocked": True}], "disrupted": True}
    assert roll("recover", 4, **given).effect("recovered") == 1
    assert roll("recover", by=read_as(disrupted_recover="none"), **given).effect("tests") == 0


def test_a_leaderless_company_may_rally() -> None:
    given: dict[str, Any] = {"companies": [{"disrupted": True, "commander_alive": False}]}
    assert roll("end-turn-rally", **given).total == 0
    assert roll("end-turn-rally", 5, by=read_as(leaderless_rally="rally"), **given).total == 1


def test_special_fire_under_other_orders() -> None:
    wide = read_as(special_fire="not-advance")
    given: dict[str, Any] = {"type": "hmg", "harassing": True, "distance": 28}
    assert roll("legal-target", order="move", **given).outcome == "illegal"
    assert roll("legal-target", by=wide, order="move", **given).outcome == "legal"
    assert roll("legal-target", by=wide, order="advance", **given).outcome == "illegal"
    with pytest.raises(Refusal, match="Fire orders"):
        roll("fire", order="move", **given)
    assert roll("fire", 1, 1, 2, 2, by=wide, order="move", **given).total == 0


def test_heavy_infantry_spared_the_6s_alone() -> None:
    strict = read_as(heavy_infantry_advance="to-hit")
    heavy = {"type": "heavy-infantry", "bases": 1}
    assert roll("hit-target", by=strict, type="heavy-infantry", order="advance").total == 5
    assert (
        roll("legal-target", by=strict, type="heavy-infantry", order="advance", vehicle=True, distance=5).outcome
        == "illegal"
    )
    assert roll("fire", 1, 1, by=strict, platoon=heavy, order="advance", distance=5, target=R4).effect("tally") == 1
    assert roll("fire", 1, 1, platoon=heavy, order="advance", distance=5, target=R4).effect("tally") == 2


def test_a_damaged_tank_that_is_immobilised_twice() -> None:
    state = ["immobilised", "damaged"]
    assert roll("tank-damage", 1, state=state).outcome == "destroyed"
    assert roll("tank-damage", 1, by=read_as(tank_cascade="stops"), state=state).effect("destroyed") is False


def test_forced_orders() -> None:
    given: dict[str, Any] = {"must_defend_next": True, "aggressive": True, "commander_near_enemy": True}
    assert roll("begin-activation", **given).outcome == "defend"
    assert roll("begin-activation", by=read_as(forced_order="assault"), **given).outcome == "assault"
    given = {"aggressive": True, "commander_near_enemy": True, "disrupted": True}
    assert roll("begin-activation", 3, **given).outcome == "defend"
    assert roll("begin-activation", by=read_as(forced_assault_check="none"), **given).outcome == "assault"
    assert roll("begin-activation", order="defend", half_in_cover=True, **given).outcome == "defend"


def test_falling_back_at_the_march_rate() -> None:
    assert roll("assault-reception", 1, by=read_as(fall_back="march")).effect("falls_back") == 6


def test_natural_faces_may_settle() -> None:
    settle = read_as(natural_faces="settle")
    assert roll("morale-test", 1, by=settle, quality="stubborn", bonus=3).outcome == "fails"
    assert roll("morale-test", 6, by=settle, quality="shaky", bonus=-2).outcome == "passes"
    assert roll("morale-test", 1, quality="stubborn", bonus=3).outcome == "passes"
    assert roll("tank-save", 1, by=settle, mod=2, **{"class": "medium"}).outcome == "fails"
    assert full_odds("tank-fire", settle, bases=1, distance=3, **{"class": "medium"}).also[
        "damage_per_die"
    ] == Fraction(1, 18)
    assert odds("assault", settle, attacker={"traits": ["close-order"], "quality": "stubborn"}, defender=R4)[
        "stays"
    ] == Fraction(1, 6)


def test_a_tie_for_initiative_may_stand() -> None:
    assert roll("roll-initiative", 3, 3, by=read_as(tied_initiative="tie")).outcome == "tie"
    assert odds("roll-initiative", read_as(tied_initiative="tie"))["tie"] == Fraction(1, 6)


def test_fire_on_recover() -> None:
    with pytest.raises(Refusal, match="Recover"):
        roll("fire", order="recover", bases=4)
    assert roll("hit-target", order="recover").outcome == "none"
    assert roll("fire-dice", order="recover").total == 0
    free = read_as(recover_fire="fire")
    assert roll("hit-target", by=free, order="recover").total == 5
    assert roll("legal-target", by=free, order="recover", distance=5).outcome == "legal"
    assert roll("legal-target", order="recover", distance=5).outcome == "illegal"


def test_snipers_with_the_range_of_a_rifle() -> None:
    assert roll("legal-target", by=read_as(sniper_range="rifle"), type="sniper", distance=18.5).outcome == "illegal"
    assert roll("legal-target", type="sniper", distance=18.5).outcome == "legal"


def test_shocked_troops_may_need_6s_hand_to_hand() -> None:
    assert roll("assault-hit-target", by=read_as(shocked_melee="sixes"), shocked=True, type="engineers").total == 6
    assert roll("assault-hit-target", shocked=True, type="engineers").total == 4


def test_aggressive_may_count_for_tolerance() -> None:
    assert roll("tolerance", bases=4, traits=["aggressive"]).total == 4
    assert roll("tolerance", by=read_as(aggressive_tolerance="stubborn"), bases=4, traits=["aggressive"]).total == 6


@pytest.mark.parametrize(("how", "least"), [("most", 3), ("any", 1), ("all", 4)])
def test_when_a_company_is_aggressive(how: str, least: int) -> None:
    for count in range(5):
        found = roll(
            "begin-activation",
            by=read_as(aggressive_company=how),
            platoons=4,
            aggressive_platoons=count,
            commander_distance=3,
            order="fire",
        )
        assert found.outcome == ("assault" if count >= least else "fire")


def test_how_far_an_outstanding_officer_reaches() -> None:
    away = {"outstanding_officer": True, "in_command": False}
    assert roll("tolerance", bases=4, **away).total == 4
    assert roll("tolerance", by=read_as(officer_reach="company"), bases=4, **away).total == 5
    assert roll("assault-dice", bases=4, **away).total == 4
    assert roll("assault-dice", by=read_as(officer_reach="company"), bases=4, **away).total == 5


def test_harassing_fire_nearby() -> None:
    given: dict[str, Any] = {"type": "hmg", "harassing": True, "distance": 20}
    assert roll("hit-target", **given).total == 6
    assert roll("hit-target", by=read_as(harassing_close="normal"), **given).total == 5
    assert roll("hit-target", by=read_as(harassing_close="normal"), **given | {"distance": 25}).total == 6


def test_the_quality_of_remnants() -> None:
    assert roll("recover-remnants", lost=0, quality="determined").effect("quality") == "determined"
    assert (
        roll("recover-remnants", by=read_as(remnant_quality="shaky"), lost=0, quality="determined").effect("quality")
        == "shaky"
    )


def test_how_long_a_rolled_disruption_lasts() -> None:
    given: dict[str, Any] = {"companies": [{"disrupted": "this_turn", "shocked_platoons": 1}]}
    assert roll("end-turn-rally", 6, **given).effect("platoons_recovered") == 0
    assert (
        roll("end-turn-rally", 6, by=read_as(disrupted_this_turn="until-rally"), **given).effect("platoons_recovered")
        == 1
    )


def test_attacks_at_tanks_for_the_platoon() -> None:
    given: dict[str, Any] = {"bases": 4, "distance": 3, "class": "light"}
    assert roll("tank-fire", 1, 1, 1, 1, **given).effect("dice") == 4
    assert roll("tank-fire", 1, by=read_as(tank_attacks="platoon"), **given).effect("dice") == 1


def test_an_assault_may_stop_after_the_counterattack() -> None:
    stops = read_as(after_counterattack="stops")
    found = roll("assault-round", *[1] * 8, by=stops, attacker=R4, defender=R4)
    assert found.outcome == "goes-on"
    assert sum(odds("assault-round", stops, attacker=R4, defender=R4).values()) == 1


def test_a_disrupted_company_may_roll_again() -> None:
    given: dict[str, Any] = {"shocked_platoons": 2, "disrupted": True}
    assert roll("disruption-check", **given).rolled == ()
    assert roll("disruption-check", 5, by=read_as(disruption_roll="rolled"), **given).outcome == "disrupted"


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("morale-test", {"quality": "brave"}),
        ("morale-test", {}),
        ("morale-test", {"quality": "steady", "roll": 7}),
        ("morale-test", {"quality": "steady", "roll": 0}),
        ("morale-test", {"quality": "steady", "roll": "4"}),
        ("morale-test", {"quality": "steady", "moon": 1}),
        ("morale-test", {"quality": ["steady"]}),
        ("roll-initiative", {"a_attacker": True, "b_attacker": True}),
        ("card-deck", {"companies": 0}),
        ("card-deck", {"companies": []}),
        ("platoon-coherent", {"max_gap": -1}),
        ("platoon-coherent", {"max_gap": 1, "traits": ["close-order", "light-infantry"]}),
        ("begin-activation", {"platoons": 2, "shocked_platoons": 3}),
        ("begin-activation", {"bases": 4, "bases_in_cover": 5}),
        ("begin-activation", {"order": "retreat"}),
        ("save-target", {"position": "moon"}),
        ("save-target", {"position": 4}),
        ("fire-dice", {"platoon": {"bases": -1}}),
        ("fire-dice", {"platoon": {"bases": 5, "start_bases": 4}}),
        ("fire-dice", {"platoon": "rifles"}),
        ("fire-dice", {"platoon": {"bases": ["longbow"]}}),
        ("fire-dice", {"platoon": {"type": "anti-tank-rifle"}}),
        ("fire", {"bases": 4, "harassing": True}),
        ("fire", {"bases": 4, "indirect": True}),
        ("fire", {"bases": 40, "attacks": 20, "range": 9}),
        ("fire", {"bases": 4, "platoon": {"bases": 3}}),
        ("fire", {"bases": 4, "rolls": [1, 2]}),
        ("fire", {"bases": 1, "rolls": [6], "saves": []}),
        ("fire", {"target": 3}),
        ("resolve-fire", {"hit_target": 5}),
        ("resolve-fire", {"dice": 2, "rolls": [1], "hit_target": 5}),
        ("resolve-fire", {"dice": 2, "hit_target": "moon"}),
        ("legal-target", {"distance": 4, "nearest_enemy": 5}),
        ("disruption", {"cause": "moon"}),
        ("assault-motivation", {"platoon": {"fresh": True, "lost_bases": 1}}),
        ("assault-round", {"attacker": {"bases": 0}, "defender": {"bases": 4}}),
        ("assault-round", {"attacker": {"bases": 4}, "defender": {"bases": 21}}),
        ("assault-round", {"attacker": {"bases": 4}, "defender": {"type": "tank"}}),
        ("recover", {"lost": 1, "militia_lost": 2}),
        ("recover", {"lost": 2, "rolls": [5]}),
        ("recover", {"shocked_platoons": 1, "platoons": [{"shocked": True}]}),
        ("end-turn-rally", {"shocked_platoons": 2, "rolls": [5]}),
        ("reliability", {"kind": "moon"}),
        ("reliability", {"kind": "stable", "turn": 0}),
        ("tank-save", {"class": "moon"}),
        ("tank-save", {"class": "light", "weapon": "sniper"}),
        ("tank-damage", {"roll": 1, "rolls": [1]}),
        ("tank-damage", {"rolls": []}),
        ("tank-damage", {"rolls": [6, 6]}),
        ("tank-fire", {"bases": 1}),
        ("tank-fire", {"bases": 1, "class": "light", "tanks": [{"class": "light"}]}),
        ("tank-fire", {"bases": 1, "tanks": [{"class": "light", "destroyed": True}]}),
        ("tank-fire", {"type": "sniper", "class": "light"}),
        ("tank-assault", {"attacker": {"type": "tank"}, "class": "light"}),
        ("movement", {"type": "tank"}),
        ("march", {"type": "tank"}),
        ("moon", {}),
    ],
)
def test_input_nobody_can_use_is_refused(rule: str, given: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        roll(rule, *[4] * 0, **given)
    with pytest.raises(Refusal):
        odds(rule, **given)


def test_every_rule_says_what_it_is_told() -> None:
    for rule in RULES.values():
        told = rule.told()
        assert told["input"]
        assert told["dice"]
        assert told["source"].startswith("Core rules")


def test_a_company_may_be_told_by_its_platoons() -> None:
    assert roll("hit-target", artillery=True, target_close_order=True).total == 4
    assert roll("legal-target", distance=12, closest=False, heavy_team=True).outcome == "identify"
    assert roll("legal-target", weapon="LMG", distance=7, vehicle=True).outcome == "illegal"
    assert roll("tank-fire", 5, 4, 5, weapon="Tank gun AP", **{"class": "Medium"}).outcome == "destroyed"
    assert roll("tank-fire", 5, 1, 2, 5, weapon="HMG", distance=6, **{"class": "light"}).effect("dice") == 2
    assert roll("shock", 5, bases_left=2, traits=["Close order"]).outcome == "shakes-off"
    assert roll("disruption-check", 2, shocked_platoons=2).outcome == "disrupted"
    shocked = [{"shocked": True}, {"shocked": True}, {}]
    assert roll("end-turn-rally", 5, 4, 6, companies=[{"platoons": shocked}, {"disrupted": True}]).total == 2
    assert roll("end-turn-rally", 5, 4, platoons=shocked).total == 1
    assert roll("fire", 1, 1, 1, 1, bases=4, target={"bases": 4, "tolerance": 3}).effect("shocked") is True
    assert roll("fire", 5, 1, 1, 1, 5, bases=4, target={"always_prone": True}).effect("saved") == 1
