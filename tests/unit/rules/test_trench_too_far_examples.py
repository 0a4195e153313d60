"""A Trench Too Far: the worked examples of its specification, each under its number."""

from __future__ import annotations

from typing import Any

import pytest

from rules.problems import Refusal
from tests.unit.rules.too_far import odds, roll

RIFLES = {"type": "rifle", "bases": 4}
STEADY = {"bases": 4, "quality": "Steady", "position": "Dispersed"}


def effects(found: Any, *names: str) -> tuple[Any, ...]:
    return tuple(found.effect(name) for name in names)


def test_at_01_a_steady_platoon_passes_on_4_and_fails_on_3() -> None:
    assert roll("morale-test", 4, quality="Steady").outcome == "passes"
    assert roll("morale-test", 3, quality="Steady").outcome == "fails"


def test_at_02_close_order_lifts_a_shaky_5_to_6() -> None:
    found = roll("morale-test", 5, quality="Shaky", bonus=1)
    assert (found.outcome, found.total) == ("passes", 6)
    platoon = {"quality": "Shaky", "traits": ["Close order"], "lost_bases": 1}
    assert roll("assault-motivation", 5, platoon=platoon).outcome == "passes"


def test_at_03_aggressive_troops_test_as_stubborn_in_an_assault() -> None:
    assert roll("morale-test", 2, quality="Uncertain", aggressive_assault=True).outcome == "passes"


def test_at_04_an_attacker_with_3_ties_militia_with_5() -> None:
    found = roll("roll-initiative", 3, 5, a_attacker=True, b_militia=True)
    assert (found.outcome, *effects(found, "a", "b", "reroll")) == ("tie", 4, 4, True)
    assert roll("roll-initiative", 3, 5, 2, 2, a_attacker=True, b_militia=True).outcome == "a"


def test_at_05_the_higher_die_chooses() -> None:
    assert roll("roll-initiative", 2, 5).outcome == "b"
    assert roll("roll-initiative", a=2, b=5).effect("chooses") == "b"


def test_at_06_four_rifles_at_a_dispersed_platoon() -> None:
    found = roll("fire", 5, 6, 2, 1, 6, 3, platoon=RIFLES, order="Fire", target=STEADY)
    assert effects(found, "hits", "saved", "bases_lost", "tally", "tolerance", "shocked") == (2, 1, 1, 4, 4, False)
    assert (found.outcome, found.total) == ("1", 1)


def test_at_07_a_second_attack_of_the_turn_shocks() -> None:
    found = roll("fire", 5, 1, 1, 2, 2, platoon=RIFLES, order="Fire", target=STEADY | {"bases": 3, "tally": 4})
    assert effects(found, "bases_lost", "bases_left", "tally", "tolerance", "shocked") == (1, 2, 8, 3, True)


def test_at_08_on_advance_6s_hit_and_the_first_die_is_free() -> None:
    found = roll("fire", 5, 6, 6, 4, 4, 3, platoon=RIFLES, order="Advance", target={"bases": 4, "position": "Cover"})
    assert effects(found, "hits", "saved", "bases_lost", "tally") == (2, 1, 1, 3)


def test_at_09_an_hmg_at_trenches() -> None:
    found = roll("fire", 5, 6, 1, 3, 3, 2, platoon={"type": "HMG"}, order="Fire", target={"position": "Entrenched"})
    assert effects(found, "hits", "bases_lost", "jammed") == (2, 1, False)


def test_at_10_three_ones_jam_an_hmg_after_its_hits() -> None:
    assert roll("hmg-jam", 1, 1, 1, 6).outcome == "jammed"
    found = roll("fire", 1, 1, 1, 6, 2, platoon={"type": "HMG"}, target={"position": "Entrenched"})
    assert effects(found, "hits", "bases_lost", "jammed") == (1, 1, True)


def test_at_11_harassing_fire_hits_on_6s() -> None:
    found = roll(
        "fire", 5, 6, 5, 6, 5, 4, type="HMG", order="Fire", distance=28, harassing=True, target={"position": "Prone"}
    )
    assert effects(found, "hits", "saved", "bases_lost") == (2, 1, 1)


def test_at_12_rifle_drill_at_full_strength_adds_two_dice() -> None:
    drilled = {"bases": 4, "start_bases": 4, "traits": ["Rifle Drill"]}
    found = roll("fire", 5, 6, 5, 1, 2, 3, platoon=drilled, order="Fire", target={"position": "Closed"})
    assert effects(found, "dice", "hits", "bases_lost") == (6, 3, 3)


def test_at_13_rifle_drill_below_strength_adds_one() -> None:
    assert (
        roll(
            "fire-dice", platoon={"bases": 3, "start_bases": 4, "traits": ["rifle-drill"]}, distance=10, order="Fire"
        ).total
        == 4
    )


def test_at_14_heavy_infantry_is_free_of_the_limits_of_advance() -> None:
    heavy = {"type": "Heavy infantry", "bases": 4}
    dice = (5, 5, 6, 1, 2, 3, 4, 6, 5, 6, 1, 4)
    found = roll("fire", *dice, platoon=heavy, distance=12, order="Advance", target={"position": "Prone", "bases": 9})
    assert effects(found, "hits", "saved", "bases_lost", "tally") == (4, 2, 2, 8)


def test_at_15_heavy_infantry_beyond_12_inches_throws_one_die_a_base() -> None:
    assert roll("fire-dice", platoon={"type": "Heavy infantry", "bases": 4}, distance=13).total == 4


def test_at_16_a_sniper_leaves_a_6_to_save_even_in_trenches() -> None:
    assert roll("fire", 6, 5, type="Sniper", target={"position": "Entrenched"}).total == 1


def test_at_17_shocked_troops_hit_on_6s_and_fire_at_the_closest() -> None:
    found = roll("fire", 5, 6, 5, 1, platoon=RIFLES | {"shocked": True}, order="Fire", target={"position": "Closed"})
    assert found.effect("hits") == 1
    assert roll("legal-target", distance=12, closest=False, shocked=True).outcome == "illegal"


def test_at_18_artillery_hits_close_order_on_4s() -> None:
    found = roll("fire", 4, 3, type="Field artillery", target={"position": "Closed"})
    assert effects(found, "hits", "bases_lost") == (1, 1)


def test_at_19_indirect_fire_keeps_to_half_the_range_or_more() -> None:
    assert roll("indirect-legal", weapon="Trench mortar", distance=7).outcome == "illegal"
    assert roll("indirect-legal", weapon="Trench mortar", distance=7.5).outcome == "legal"


def test_at_20_overhead_cover_keeps_its_save_under_indirect_fire() -> None:
    assert roll("save-target", position="Cover", indirect=True).total == 5
    assert roll("save-target", position="Cover", indirect=True, overhead=True).total == 4


@pytest.mark.parametrize(("position", "save"), [("Dispersed", 5), ("Cover", 4), ("Entrenched", 3)])
def test_at_21_defend_is_a_floor(position: str, save: int) -> None:
    assert roll("save-target", position=position, defend=True).total == save


def test_at_22_a_team_behind_others_is_identified_on_4() -> None:
    assert roll("identify-team", 3).outcome == "not-identified"
    assert roll("identify-team", 4).outcome == "identified"


DUG_IN = {"bases": 3, "quality": "Determined", "traits": ["veteran"], "in_trenches": True, "order": "Defend"}


def test_at_23_tolerance_adds_up() -> None:
    assert roll("tolerance", **DUG_IN).total == 8
    assert (
        roll(
            "tolerance",
            platoon={"bases": 3, "quality": "Determined", "traits": ["Veteran"]},
            ctx={"in_trenches": True, "order": "Defend"},
        ).total
        == 8
    )


def test_at_24_a_mortar_takes_the_trench_away() -> None:
    assert roll("tolerance", **DUG_IN, tally_had_indirect=True).total == 7


def test_at_25_stubborn_with_an_outstanding_officer() -> None:
    assert roll("tolerance", bases=4, quality="Stubborn", outstanding_officer=True).total == 7


def test_at_26_close_order_shakes_shock_off_with_two_bases() -> None:
    assert roll("shock", 5, traits=["Close order"], bases_left=2).outcome == "shakes-off"
    assert roll("shock", traits=["Close order"], bases_left=1).outcome == "shocked"


def test_at_27_two_shocked_platoons_disrupt_on_2() -> None:
    assert roll("disruption-check", 2, shocked_platoons=2).outcome == "disrupted"
    assert roll("disruption-check", 3, shocked_platoons=2).outcome == "fine"


def test_at_28_a_disrupted_company_needs_4_for_its_order() -> None:
    assert roll("order-check", 3, order="Assault").outcome == "defend"
    assert roll("order-check", 4, order="Assault").outcome == "assault"


def test_at_29_medium_artillery_disrupts_on_5() -> None:
    assert roll("disruption", 5, cause="medium artillery").outcome == "disrupted"
    assert roll("disruption", 4, cause="medium-artillery").outcome == "fine"


def test_at_30_a_1_holds_a_company_to_defend() -> None:
    assert roll("defend-stick", 1).outcome == "must-defend"
    assert roll("end-activation", 2, order="Defend").outcome == "free"


def test_at_31_a_platoon_that_lost_a_base_tests_to_assault() -> None:
    found = roll("assault-motivation", 3, platoon={"quality": "Steady", "bases": 3, "start_bases": 4})
    assert (found.outcome, *effects(found, "may_fire_within", "hit_target")) == ("fails", 8, 6)


def test_at_32_a_defender_in_the_open_falls_back() -> None:
    found = roll("assault-reception", 4, defender={"quality": "Uncertain", "type": "Rifle"})
    assert (found.outcome, *effects(found, "falls_back", "shocked")) == ("fails", 4, True)


def test_at_33_assault_dice_of_veterans() -> None:
    side = {"type": "Assault", "bases": 4, "traits": ["Veteran"], "outstanding_officer": True, "grenades": True}
    assert roll("assault-dice", side=side).total == 14


def test_at_34_cavalry_and_a_machine_gun_that_joins() -> None:
    assert roll("assault-dice", type="Cavalry", bases=4).total == 8
    assert roll("assault-dice", bases=4, heavy_teams=1).total == 5


def test_at_35_two_bases_decide_an_assault() -> None:
    found = roll("assault-round", 5, 6, 2, 1, attacker=RIFLES, defender=RIFLES)
    assert (found.outcome, *effects(found, "falls_back", "shocked", "defender_bases_lost")) == (
        "attacker-wins",
        8,
        "defender",
        2,
    )


def test_at_36_a_counterattack_throws_the_attacker_back() -> None:
    found = roll("assault-round", 5, 1, 2, 3, 5, 5, 2, attacker=RIFLES, defender=RIFLES)
    assert (found.outcome, *effects(found, "falls_back", "shocked")) == ("defender-wins", 8, "attacker")
    assert effects(found, "attacker_bases_lost", "defender_bases_lost") == (2, 1)


def test_at_37_engineers_hit_on_4() -> None:
    found = roll("assault-round", 4, 4, 3, attacker={"type": "Engineers", "bases": 3}, defender=RIFLES)
    assert (found.outcome, found.effect("defender_bases_lost")) == ("attacker-wins", 2)


def test_at_38_remnants_come_on_5s_and_the_pool_is_used_up() -> None:
    for rule in ("recover", "recover-remnants"):
        found = roll(rule, 5, 2, 6, lost=3)
        assert (found.outcome, found.total, found.effect("pool")) == ("2", 2, 0)


def test_at_39_the_rally_at_the_end_of_the_turn() -> None:
    companies = [{"name": "One", "shocked_platoons": 2}, {"name": "Two", "disrupted": True}]
    found = roll("end-turn-rally", 5, 4, 6, companies=companies)
    assert effects(found, "platoons_recovered", "companies_recovered", "companies") == (1, 1, ["Two"])
    assert found.effect("platoons")[0]["platoons"] == [True, False]
    assert roll("end-turn-rally", 5, 4, 6, shocked_platoons=2, disrupted_companies=1).total == 2


def test_at_40_a_stable_tank_on_a_trench() -> None:
    assert roll("reliability", 2, kind="Stable", crossing=True, turn=3).outcome == "immobilised"
    assert roll("reliability", 3, kind="Stable", crossing=True, turn=3).outcome == "passes"


def test_at_41_a_sturdy_tank_never_fails_in_the_open() -> None:
    assert roll("reliability", 1, kind="Sturdy", turn=3).outcome == "passes"
    found = roll("reliability", kind="Sturdy", turn=2)
    assert (found.outcome, found.effect("tested")) == ("passes", False)


def test_at_42_armour_piercing_shot_at_a_medium_tank() -> None:
    given: dict[str, Any] = {"class": "Medium"}
    assert (roll("tank-save", 4, **given, mod=-2).outcome, roll("tank-save", 4, **given, mod=-2).total) == ("fails", 2)
    assert roll("tank-save", 5, **given, weapon="Tank gun (AP)").outcome == "saved"


def test_at_43_infantry_cannot_hurt_a_medium_tank() -> None:
    given: dict[str, Any] = {"class": "Medium"}
    assert roll("tank-save", 1, **given, mod=2).outcome == "saved"
    assert odds("tank-fire", bases=4, distance=6, **given) == {"no-effect": 1}


def test_at_44_damage_adds_up_to_destruction() -> None:
    assert roll("tank-damage", 2, state="fresh").outcome == "immobilised"
    assert roll("tank-damage", 1, state="immobilised").outcome == "damaged"
    assert roll("tank-damage", 3, state=["immobilised", "damaged"]).outcome == "destroyed"
    assert [step.outcome for step in roll("tank-damage", rolls=[2, 1, 3]).steps] == [
        "immobilised",
        "damaged",
        "destroyed",
    ]


def test_at_45_a_5_destroys() -> None:
    assert roll("tank-damage", 5, state="Damaged").outcome == "destroyed"


def test_at_46_a_6_repairs() -> None:
    assert roll("tank-repair", 6).outcome == "mobile"
    assert roll("tank-repair", 5).outcome == "immobilised"


def test_at_47_a_gap_strands() -> None:
    found = roll("coherency", max_gap=2.5, distance=11)
    assert (found.outcome, found.effect("reasons")) == ("stranded", ["gap"])


def test_at_48_light_infantry_spreads() -> None:
    assert roll("coherency", max_gap=4, distance=18, traits=["Light infantry"]).outcome == "in-command"


def test_at_49_no_march_within_12_inches_of_an_enemy() -> None:
    assert roll("march", order="Move", nearest_enemy=12).outcome == "no-march"
    found = roll("march", order="Move", nearest_enemy=12.5)
    assert (found.outcome, found.total) == ("march", 6)


def test_the_examples_hold_their_dice_to_the_number_asked_for() -> None:
    with pytest.raises(Refusal, match="1 of the dice"):
        roll("morale-test", 4, 4, quality="Steady")
    with pytest.raises(Refusal, match="4 dice of 6 sides are asked for, 3 are left"):
        roll("assault-round", 5, 6, 2, attacker=RIFLES, defender=RIFLES)
