"""A Trench Too Far: every figure its rules text states, section by section; each test names its section."""

from __future__ import annotations

from typing import Any

import pytest

from rules.problems import Refusal
from tests.unit.rules.too_far import odds, roll

R4: dict[str, Any] = {"bases": 4}


@pytest.mark.parametrize(
    ("quality", "target"), [("Shaky", 6), ("Uncertain", 5), ("Steady", 4), ("Determined", 3), ("Stubborn", 2)]
)
def test_figure_designations_the_five_qualities(quality: str, target: int) -> None:
    assert roll("morale-target", quality=quality).total == target
    assert roll("morale-test", target, quality=quality).outcome == "passes"
    assert roll("morale-test", target - 1, quality=quality).outcome == "fails"


def test_game_sequence_the_attacker_has_1_more_and_militia_1_less() -> None:
    assert roll("roll-initiative", 3, 3, a_attacker=True).outcome == "a"
    assert roll("roll-initiative", 3, 3, a_militia=True).outcome == "b"
    assert roll("roll-initiative", 3, 3, a_attacker=True, a_militia=True).outcome == "tie"


def test_game_sequence_one_card_for_each_company_and_two_more_if_wished() -> None:
    assert roll("card-deck", 1, 1, companies=3).total == 3
    found = roll("card-deck", 3, 1, 1, companies=["Red", "Blue"], with_rally=True, with_artillery=True)
    assert (found.outcome, found.total) == ("Rally", 4)
    assert found.effect("deck") == ["Rally", "Red", "Blue", "Artillery"]
    assert roll("card-deck", companies=["Red", "Blue"], shuffle=False).effect("deck") == ["Red", "Blue"]


def test_company_organization_2_inches_and_12_inches() -> None:
    assert roll("platoon-coherent", max_gap=2).outcome == "coherent"
    assert roll("platoon-coherent", max_gap=2.1).outcome == "stranded"
    assert roll("in-command", distance=12).outcome == "in-command"
    assert roll("in-command", distance=12.1).outcome == "stranded"
    assert roll("in-command", distance=40, independent=True).outcome == "in-command"
    found = roll("legal-target", distance=10, closest=False, stranded=True)
    assert (found.outcome, roll("legal-target", distance=10, closest=True, stranded=True).outcome) == (
        "illegal",
        "legal",
    )


@pytest.mark.parametrize(
    ("kind", "standard", "march"),
    [
        ("Rifle", 4, 6),
        ("Militia", 4, 6),
        ("Cavalry", 8, 10),
        ("HMG", 2, 6),
        ("Trench mortar", 1, 4),
        ("Field artillery", 1, 4),
        ("Anti-tank gun", 1, 4),
    ],
)
def test_movement_rates(kind: str, standard: int, march: int) -> None:
    assert roll("movement", type=kind).total == standard
    assert roll("movement", type=kind, how="march").total == march
    assert roll("movement", type=kind, how="retreat").total == march
    assert roll("movement", type=kind, how="retreat", order="Advance").outcome == "stays"
    assert roll("march", type=kind, nearest_enemy=13).total == march


def test_movement_prone_troops_move_1_inch() -> None:
    assert roll("movement", how="prone").total == 1
    assert roll("movement", how="prone", traits=["close order"]).outcome == "stays"
    assert roll("movement", how="prone", type="cavalry").outcome == "stays"
    assert roll("movement", how="prone", type="cavalry", dismounted=True).total == 1


def test_movement_march_takes_move_orders_and_no_enemy_within_12() -> None:
    assert roll("movement", how="march", nearest_enemy=12).outcome == "stays"
    assert roll("movement", how="march", nearest_enemy=12.1).total == 6
    assert roll("movement", how="march", order="advance").outcome == "stays"
    assert roll("march", order="Advance").outcome == "no-march"


def test_movement_dismounted_cavalry_moves_as_infantry() -> None:
    assert roll("movement", type="cavalry", dismounted=True).total == 4


def test_fire_hits_on_5_and_on_advance_on_6() -> None:
    assert roll("hit-target").total == 5
    for order in ("Move", "Fire", "Assault", "Defend"):
        assert roll("hit-target", order=order).total == 5
    assert roll("hit-target", order="Advance").total == 6


@pytest.mark.parametrize(
    ("position", "save"),
    [("Closed", None), ("Dispersed", 6), ("Prone", 5), ("Cover", 4), ("Entrenched", 3)],
)
def test_fire_saves_by_position(position: str, save: int | None) -> None:
    assert roll("save-target", position=position).total == save


def test_fire_snipers_scouts_and_remnants_are_prone_and_heavy_teams_in_cover() -> None:
    assert roll("save-target", position="Dispersed", always_prone=True).total == 5
    assert roll("save-target", position="Dispersed", heavy_team=True).total == 4
    assert roll("save-target", position="Entrenched", heavy_team=True).total == 3
    for kind, save in (("sniper", 5), ("remnant", 5), ("HMG", 4), ("rifle", 6)):
        found = roll("fire", 5, 1, 1, 1, save - 1, platoon=R4, target={"type": kind, "bases": 1})
        assert found.total == 1
        assert roll("fire", 5, 1, 1, 1, save, platoon=R4, target={"type": kind, "bases": 1}).total == 0
    assert roll("fire", 5, 1, 1, 1, 5, platoon=R4, target={"traits": ["scouts"], "bases": 4}).total == 0


@pytest.mark.parametrize(
    ("weapon", "reach", "dice"),
    [
        ("Rifles", 18, 1), ("Carbines", 12, 1), ("LMG", 18, 2), ("HMG", 24, 4), ("Trench mortar", 15, 2), ("Field artillery", 36, 2),
        ("Tank MG", 12, 1), ("Tank cannon", 24, 1), ("Militia", 12, 1), ("Anti tank gun", 36, 1),
    ],
)  # fmt: skip
def test_fire_weapon_ranges_and_dice(weapon: str, reach: int, dice: int) -> None:
    platoon = {"bases": 1, "weapon": weapon}
    assert roll("fire-dice", platoon=platoon, distance=reach).total == dice
    assert roll("fire-dice", platoon=platoon, distance=reach + 0.5).total == 0
    assert roll("legal-target", weapon=weapon, distance=reach).outcome == "legal"
    assert roll("legal-target", weapon=weapon, distance=reach + 0.5).outcome == "illegal"


def test_fire_weapons_may_differ_from_the_typical() -> None:
    assert roll("fire-dice", platoon={"bases": [{"weapon": "hmg", "range": 20, "attacks": 3}]}, distance=20).total == 3
    assert roll("fire-dice", platoon={"bases": [{"weapon": "hmg", "range": 20, "attacks": 3}]}, distance=21).total == 0


def test_fire_a_platoon_adds_up_its_bases_in_range() -> None:
    mixed = {"bases": [{"weapon": "rifles", "count": 3}, {"weapon": "rifles", "distance": 19}, {"weapon": "LMG"}]}
    assert roll("fire-dice", platoon=mixed, distance=18).total == 5


def test_fire_enemies_within_8_bind_to_the_closest() -> None:
    assert roll("legal-target", distance=12, nearest_enemy=8).outcome == "illegal"
    assert roll("legal-target", distance=12, nearest_enemy=8.5).outcome == "legal"
    assert roll("legal-target", distance=7, closest=True).outcome == "legal"


def test_fire_a_team_that_is_not_closest_takes_a_4() -> None:
    assert roll("legal-target", distance=16, closest=False, heavy_team=True).outcome == "identify"
    assert roll("legal-target", distance=16, closest=False, heavy_team=True, identified=True).outcome == "legal"
    assert roll("legal-target", distance=16, closest=False, heavy_team=True, identified=False).outcome == "illegal"
    assert roll("legal-target", distance=16, closest=True, heavy_team=True).outcome == "legal"


def test_machine_guns_on_advance() -> None:
    assert roll("hit-target", type="HMG", order="Advance", moved=False).total == 5
    assert roll("hit-target", type="HMG", order="Advance", moved=True).outcome == "none"
    assert roll("fire-dice", type="HMG", order="Advance", moved=True).total == 0
    assert roll("hit-target", weapon="LMG", order="Advance", moved=True).total == 6
    assert roll("hit-target", weapon="LMG", order="Advance", moved=False).total == 5


def test_machine_guns_three_ones_jam_and_two_do_not() -> None:
    assert roll("hmg-jam", rolls=[1, 1, 5, 6]).outcome == "fires"
    assert roll("hmg-jam", rolls=[1, 1, 1, 1]).outcome == "jammed"
    two = {"bases": [{"weapon": "hmg", "count": 2}]}
    assert roll("fire", 1, 1, 2, 2, 1, 1, 2, 2, platoon=two, target={"position": "closed"}).effect("jammed") is False
    assert roll("fire", 1, 1, 1, 2, 1, 1, 2, 2, platoon=two, target={"position": "closed"}).effect("jammed") is True


def test_machine_guns_harass_to_30_inches_on_6s_over_infantry() -> None:
    given: dict[str, Any] = {"type": "HMG", "harassing": True, "order": "Fire"}
    assert roll("legal-target", distance=30, intervening=True, **given).outcome == "legal"
    assert roll("legal-target", distance=30.5, **given).outcome == "illegal"
    assert roll("legal-target", distance=20, intervening=True, type="HMG").outcome == "illegal"
    assert roll("fire-dice", distance=30, **given).total == 4
    assert roll("hit-target", **given).total == 6
    assert roll("legal-target", distance=20, harassing=True, type="rifle").outcome == "illegal"


def test_snipers_hit_on_6_leave_a_6_and_fire_at_whom_they_see() -> None:
    assert roll("hit-target", type="sniper").total == 6
    assert roll("hit-target", sniper=True).total == 6
    for position in ("closed", "dispersed", "prone", "cover", "entrenched"):
        assert roll("save-target", position=position, sniper_shot=True).total == 6
    assert roll("legal-target", type="sniper", distance=90, nearest_enemy=4, heavy_team=True).outcome == "legal"
    assert roll("legal-target", type="sniper", distance=9, line_of_sight=False).outcome == "illegal"


def test_indirect_fire_from_half_the_range_up() -> None:
    for weapon, half in (("Trench mortar", 7.5), ("Field artillery", 18)):
        assert roll("indirect-legal", weapon=weapon, distance=half).outcome == "legal"
        assert roll("indirect-legal", weapon=weapon, distance=half - 0.1).outcome == "illegal"
        assert roll("indirect-legal", weapon=weapon, distance=2 * half + 0.1).outcome == "illegal"
    assert roll("indirect-legal", weapon="HMG", distance=20).outcome == "illegal"
    assert (
        roll("legal-target", type="trench-mortar", distance=5, line_of_sight=False, indirect=True).outcome == "illegal"
    )
    assert roll("legal-target", type="trench-mortar", distance=5).outcome == "legal"


def test_indirect_fire_leaves_trenches_and_open_ground_as_they_are() -> None:
    assert roll("save-target", position="entrenched", indirect=True).total == 3
    assert roll("save-target", position="dispersed", indirect=True).total == 6
    assert roll("save-target", position="dispersed", heavy_team=True, indirect=True).total == 5


def test_heavy_infantry_rolls_two_dice_within_12() -> None:
    heavy = {"type": "heavy infantry", "bases": 4}
    assert roll("fire-dice", platoon=heavy, distance=12).total == 8
    assert roll("fire-dice", platoon=heavy, distance=12.1).total == 4
    assert roll("fire-dice", platoon=heavy, distance=18.1).total == 0


@pytest.mark.parametrize(
    ("more", "tolerance"),
    [
        ({}, 4), ({"outstanding_officer": True}, 5), ({"quality": "determined"}, 5), ({"quality": "stubborn"}, 6), ({"traits": ["veteran"]}, 5),
        ({"in_trenches": True}, 5), ({"position": "entrenched"}, 5), ({"in_trenches": True, "enemy_to_flank_or_rear": True}, 4),
        ({"in_trenches": True, "tally_had_indirect": True}, 4), ({"order": "defend"}, 6), ({"position": "cover"}, 4),
        ({"quality": "stubborn", "traits": ["veteran"], "outstanding_officer": True, "in_trenches": True, "order": "defend"}, 11),
    ],
)  # fmt: skip
def test_shock_and_disruption_tolerance(more: dict[str, Any], tolerance: int) -> None:
    assert roll("tolerance", bases=4, **more).total == tolerance


def test_shock_and_disruption_a_tally_must_exceed_tolerance() -> None:
    assert roll("add-fire", platoon=R4, dice=4).outcome == "within"
    assert roll("add-fire", platoon=R4, dice=5).outcome == "exceeds"
    assert roll("add-fire", platoon=R4 | {"tally": 4}, dice=1).outcome == "exceeds"


def test_shock_and_disruption_a_mortar_that_fires_takes_the_trench_at_once() -> None:
    target = {"bases": 2, "position": "entrenched", "tally": 1}
    assert roll("fire", 1, 1, type="trench-mortar", target=target).effect("shocked") is True
    assert roll("fire", 1, 1, platoon={"bases": 2}, target=target).effect("shocked") is False


def test_shock_and_disruption_shocked_troops_need_6s() -> None:
    assert roll("hit-target", shocked=True).total == 6
    assert roll("hit-target", shocked=True, traits=["raider"], order="fire").total == 6


def test_shock_and_disruption_causes() -> None:
    assert roll("disruption", cause="commander-killed").effect("until") == "replaced"
    for cause in ("heavy-artillery", "gas"):
        assert roll("disruption", cause=cause).effect("until") == "rallied"
    for cause in ("medium-artillery", "tank-attack"):
        assert roll("disruption", 5, cause=cause).outcome == "disrupted"
        assert roll("disruption", 4, cause=cause).outcome == "fine"
    assert roll("disruption", 5, cause="tank-attack", distance=8).outcome == "disrupted"
    assert roll("disruption", cause="tank-attack", distance=8.5).outcome == "fine"
    assert roll("disruption", 1, cause="shocked-platoons", shocked_platoons=1).effect("until") == "this-turn"
    assert roll("disruption-check", shocked_platoons=0).outcome == "fine"


def test_shock_and_disruption_defend_and_recover_take_no_roll() -> None:
    for order in ("defend", "recover"):
        assert roll("order-check", order=order).outcome == order
    assert roll("order-check", order="move", disrupted=False).outcome == "move"


def test_activation_goes_step_by_step() -> None:
    assert roll("begin-activation", 1, 4, shocked_platoons=1, platoons=4, order="fire").outcome == "fire"
    assert roll("begin-activation", 1, 3, shocked_platoons=1, platoons=4, order="fire").outcome == "defend"
    assert roll("begin-activation", 2, shocked_platoons=1, platoons=4, order="fire").outcome == "fire"
    assert roll("begin-activation", order="recover", disrupted=True).outcome == "recover"
    assert roll("begin-activation", must_defend_next=True, order="assault").outcome == "defend"
    assert roll("begin-activation").outcome == "choose"
    platoons = [{"shocked": True}, {"shocked": True}, {}, {}]
    assert roll("begin-activation", 2, platoons=platoons).effect("disrupted") is True


def test_assaulting_shocked_platoons_go_at_their_standard_rate() -> None:
    assert roll("movement", order="assault", how="assault").total == 6
    assert roll("movement", order="assault", how="assault", nearest_enemy=2).total == 6
    assert roll("movement", order="assault", how="assault", shocked=True).total == 4
    assert roll("movement", type="cavalry", order="assault", how="assault").total == 10


def test_assaulting_fresh_platoons_need_no_roll() -> None:
    found = roll("assault-motivation", platoon={"quality": "shaky", "fresh": True})
    assert (found.outcome, found.rolled) == ("passes", ())
    assert roll("assault-motivation", platoon={"bases": 4, "start_bases": 4}).outcome == "passes"
    assert roll("assault-motivation", 4, platoon={"bases": 4, "lost_bases": 1}).outcome == "passes"


def test_assaulting_after_a_refusal_fire_within_8_on_6s() -> None:
    assert roll("hit-target", failed_motivation=True, order="assault").total == 6
    assert roll("legal-target", distance=8, failed_motivation=True, order="assault").outcome == "legal"
    assert roll("legal-target", distance=8.5, failed_motivation=True, order="assault").outcome == "illegal"


def test_assaulting_works_spare_the_defender_its_test() -> None:
    for where in (
        {"position": "entrenched"},
        {"in_trenches": True},
        {"in_building": True},
    ):
        assert roll("assault-reception", defender={"quality": "shaky", **where}).outcome == "passes"
    assert roll("assault-reception", 5, defender={"quality": "shaky", "position": "cover"}).outcome == "fails"
    assert roll("assault-reception", 1, defender={"type": "cavalry"}).effect("falls_back") == 8
    assert roll("assault-reception", 1, defender={"type": "hmg"}).effect("falls_back") == 2


@pytest.mark.parametrize(
    ("side", "dice"),
    [
        ({}, 4), ({"type": "assault"}, 8), ({"type": "cavalry"}, 8), ({"traits": ["veteran"]}, 8), ({"outstanding_officer": True}, 5),
        ({"grenades": True}, 5), ({"heavy_teams": 2}, 6), ({"type": "cavalry", "traits": ["veteran"]}, 12),
        ({"type": "militia"}, 4), ({"type": "remnant"}, 4), ({"traits": ["veteran"], "heavy_teams": 1}, 9),
    ],
)  # fmt: skip
def test_assaulting_dice(side: dict[str, Any], dice: int) -> None:
    assert roll("assault-dice", side={"bases": 4, **side}).total == dice


def test_assaulting_hits() -> None:
    assert roll("assault-hit-target").total == 5
    assert roll("assault-hit-target", type="engineers").total == 4
    assert roll("assault-hit-target", close_combat_weapons=True).total == 4
    assert roll("assault-hit-target", shocked=True).total == 5


def test_assaulting_alternates_until_a_roll_destroys_two_or_all() -> None:
    found = roll("assault-round", 5, 1, 1, 1, 5, 1, 1, 1, 1, 1, 5, 5, 1, attacker=R4, defender=R4)
    assert (found.outcome, found.effect("attacker_bases_left"), found.effect("defender_bases_left")) == (
        "defender-wins",
        1,
        3,
    )
    wiped = roll("assault-round", 5, 1, 1, 1, attacker=R4, defender={"bases": 1})
    assert (wiped.outcome, wiped.effect("wiped_out"), wiped.effect("falls_back")) == ("attacker-wins", "defender", None)


def test_assaulting_friends_within_6_inches_may_join() -> None:
    found = roll("assault-round", 5, 1, 1, 1, 5, 5, 1, 1, 1, attacker=R4, defender=R4, joining_bases=2)
    assert (found.outcome, found.effect("defender_bases_left")) == ("defender-wins", 5)
    with pytest.raises(Refusal, match="Defend"):
        roll("assault-round", attacker=R4, defender=R4 | {"order": "defend"}, joining_bases=2)


def test_advance_no_vehicles_no_special_fire_and_the_first_die_free() -> None:
    assert roll("legal-target", order="advance", distance=5, vehicle=True).outcome == "illegal"
    assert roll("legal-target", order="fire", distance=5, vehicle=True).outcome == "legal"
    assert roll("legal-target", type="HMG", order="advance", distance=28, harassing=True).outcome == "illegal"
    assert roll("indirect-legal", weapon="trench-mortar", distance=10, order="advance").outcome == "illegal"
    assert roll("add-fire", dice=4, from_advance=True).effect("counted") == 3
    assert roll("add-fire", dice=0, from_advance=True).effect("counted") == 0


def test_advance_spares_heavy_infantry() -> None:
    assert roll("hit-target", type="heavy infantry", order="advance").total == 5
    assert roll("legal-target", type="heavy infantry", order="advance", distance=12, vehicle=True).outcome == "legal"
    assert roll("movement", type="heavy infantry", order="advance", how="march").outcome == "stays"


def test_advance_must_be_allowed() -> None:
    with pytest.raises(Refusal, match="may not Advance"):
        roll("order-check", order="advance", disrupted=False, advance_allowed=False)
    assert roll("begin-activation", order="advance", advance_allowed=True).outcome == "advance"


def test_defend_nobody_moves_and_all_are_prone() -> None:
    assert roll("movement", order="defend").outcome == "stays"
    assert roll("save-target", position="closed", defend=True).total == 5
    assert roll("legal-target", order="defend", distance=10, closest=False).outcome == "illegal"
    assert roll("end-activation", 1, order="defend").outcome == "must-defend"
    assert roll("end-activation", order="fire").outcome == "free"


def test_recover_shocked_platoons_test_and_the_company_recovers() -> None:
    platoons = [
        {"name": "One", "shocked": True, "quality": "steady"},
        {"name": "Two"},
        {"name": "Three", "shocked": True, "quality": "shaky"},
    ]
    found = roll(
        "recover", 4, 5, 5, 4, platoons=platoons, lost=3, militia_lost=1, disrupted=True, commander_alive=False
    )
    assert (found.effect("recovered_platoons"), found.effect("remnants"), found.effect("disrupted")) == (
        ["One"],
        1,
        False,
    )
    assert found.effect("commander_replaced") is True


def test_recover_militia_are_not_regrouped() -> None:
    assert roll("recover-remnants", lost=2, militia_lost=2).total == 0


def test_end_of_turn_5s_rally_and_disrupted_companies_hold_their_platoons() -> None:
    found = roll("end-turn-rally", 4, companies=[{"shocked_platoons": 3, "disrupted": True}])
    assert (found.effect("platoons_recovered"), found.effect("companies_recovered")) == (0, 0)
    assert roll("end-turn-rally", companies=[{"disrupted": "until replaced", "shocked_platoons": 1}]).total == 0


@pytest.mark.parametrize(("kind", "target"), [("Unreliable", 3), ("Stable", 2), ("Sturdy", 1)])
def test_tanks_reliability_after_two_turns(kind: str, target: int) -> None:
    assert roll("reliability", target, kind=kind).outcome == "passes"
    assert roll("reliability", target, kind=kind, crossing=True).outcome == "immobilised"
    assert roll("reliability", target + 1, kind=kind, crossing=True, turn=3).outcome == "passes"
    for turn in (1, 2):
        assert roll("reliability", kind=kind, crossing=True, turn=turn).outcome == "passes"


def test_tanks_move_at_their_own_score() -> None:
    assert roll("movement", type="tank", movement=12).total == 12
    with pytest.raises(Refusal):
        roll("movement", type="tank", movement=13)
    with pytest.raises(Refusal, match="own score"):
        roll("movement", type="tank", movement=8, how="march")
    assert roll("movement", type="tank", movement=8, immobilised=True).outcome == "stays"


@pytest.mark.parametrize(
    ("weapon", "reach", "dice", "modifier"),
    [
        ("HMG", 8, 2, 1), ("Trench mortar", 15, 1, 0), ("Artillery", 36, 2, -1), ("Anti-tank rifle", 8, 1, 0), ("Tank gun shell", 24, 1, -1),
        ("Tank gun AP", 24, 1, -2), ("Infantry", 6, 1, 2), ("LMG", 6, 1, 2), ("Rifles", 6, 1, 2), ("Anti tank gun", 36, 1, -2),
        ("Heavy infantry", 12, 1, 1),
    ],
)  # fmt: skip
def test_tanks_weapons_against_them(weapon: str, reach: int, dice: int, modifier: int) -> None:
    given: dict[str, Any] = {"platoon": {"bases": 1, "weapon": weapon}, "class": "heavy"}
    assert roll("tank-fire", *[1] * dice, **given, distance=reach).effect("dice") == dice
    assert roll("tank-fire", **given, distance=reach + 0.5).effect("dice") == 0
    assert roll("tank-save", 2, weapon=weapon, **{"class": "heavy"}).total == 2 + modifier
    assert roll("legal-target", weapon=weapon, vehicle=True, distance=reach).outcome == "legal"
    assert roll("legal-target", weapon=weapon, vehicle=True, distance=reach + 0.5).outcome == "illegal"


@pytest.mark.parametrize(("name", "target"), [("Armoured car", 5), ("Light", 4), ("Medium", 3), ("Heavy", 2)])
def test_tanks_save_by_class(name: str, target: int) -> None:
    assert roll("tank-save", target, **{"class": name}).outcome == "saved"
    assert roll("tank-save", target - 1, **{"class": name}).outcome == "fails"


@pytest.mark.parametrize(
    ("face", "outcome"),
    [(1, "immobilised"), (2, "immobilised"), (3, "damaged"), (4, "damaged"), (5, "destroyed"), (6, "destroyed")],
)
def test_tanks_damage(face: int, outcome: str) -> None:
    found = roll("tank-damage", face)
    assert (found.outcome, found.effect("shocked")) == (outcome, True)


def test_tanks_damage_twice() -> None:
    assert roll("tank-damage", 2, state="immobilised").outcome == "damaged"
    assert roll("tank-damage", 1, state="damaged").outcome == "immobilised"
    assert roll("tank-damage", 4, state="damaged").outcome == "destroyed"
    assert roll("tank-damage", 1, state=["immobilised", "damaged"]).outcome == "destroyed"
    assert roll("hit-target", damaged=True).total == 6


def test_tanks_fire_is_saved_and_damage_shocks() -> None:
    found = roll("tank-fire", 5, 6, 3, 5, 2, type="field-artillery", distance=20, **{"class": "light"})
    assert (found.outcome, found.effect("hits"), found.effect("saved"), found.effect("shocked")) == (
        "immobilised",
        2,
        1,
        True,
    )
    tanks = [{"class": "heavy"}, {"class": "light", "immobilised": True}]
    spread = roll("tank-fire", 5, 6, 3, 4, 2, type="field-artillery", distance=20, tanks=tanks)
    assert (spread.outcome, spread.effect("states")) == ("damaged", ["no-effect", "damaged"])


def test_tanks_militia_fire_at_none() -> None:
    for kind in ("militia", "remnant"):
        assert roll("legal-target", type=kind, vehicle=True, distance=3).outcome == "illegal"
        with pytest.raises(Refusal, match="Militia"):
            roll("tank-fire", type=kind, distance=3, **{"class": "light"})


def test_tanks_in_assault() -> None:
    assert roll("assault-dice", type="tank", bases=1, machine_guns=3).total == 3
    assert roll("assault-dice", type="tank", bases=1, machine_guns=0).total == 1
    assert roll("assault-dice", type="tank", machine_guns=[0, 2, 4]).total == 7
    assert roll("tank-save", 3, assault=True, mod=2, **{"class": "medium"}).outcome == "saved"
    assert roll("tank-save", 3, assault=True, engineers=True, **{"class": "medium"}).outcome == "fails"
    assert roll("tank-save", 3, assault=True, weapon="anti-tank-rifle", **{"class": "medium"}).outcome == "fails"
    assert (
        roll("tank-assault", 5, 1, 1, 1, 3, attacker={"type": "militia", "bases": 4}, **{"class": "medium"}).outcome
        == "no-effect"
    )
    assert (
        roll(
            "tank-assault", 4, 1, 1, 1, 3, 5, attacker={"type": "engineers", "bases": 4}, **{"class": "medium"}
        ).outcome
        == "destroyed"
    )
    with pytest.raises(Refusal, match="on their own"):
        roll("assault-round", attacker={"type": "tank", "bases": 1}, defender=R4)


def test_tanks_mend_on_6_at_the_end_of_the_turn() -> None:
    assert roll("end-turn-rally", 6, 5, immobilised_vehicles=2).effect("vehicles_mobile") == 1


def test_unit_types_antitank_guns_are_poor_against_infantry() -> None:
    assert roll("fire-dice", type="anti-tank-gun", distance=36).total == 1


def aggressive(**more: Any) -> str:
    given: dict[str, Any] = {
        "platoons": 4,
        "aggressive_platoons": 3,
        "commander_distance": 12,
        "bases": 16,
        "bases_in_cover": 7,
        "order": "fire",
    }
    return roll("begin-activation", **given | more).outcome


def test_unit_traits_aggressive_companies_assault_near_the_enemy() -> None:
    assert aggressive() == "assault"
    assert aggressive(commander_distance=12.5) == "fire"
    assert aggressive(bases_in_cover=8) == "fire"
    assert (
        aggressive(commander_alive=False, order_roll=4) == "fire"
    )  # leaderless and so Disrupted: the order takes its 4+
    assert aggressive(aggressive_platoons=2) == "fire"
    assert aggressive(must_defend_next=True) == "defend"


def test_unit_traits_aggressive_troops_are_stubborn_in_assaults() -> None:
    assert (
        roll("assault-motivation", 2, platoon={"quality": "shaky", "traits": ["aggressive"], "lost_bases": 1}).outcome
        == "passes"
    )
    assert roll("assault-reception", 2, defender={"quality": "shaky", "traits": ["aggressive"]}).outcome == "passes"
    assert roll("assault-reception", 1, defender={"quality": "shaky", "traits": ["aggressive"]}).outcome == "fails"
    assert (
        roll("recover", 5, platoons=[{"quality": "shaky", "traits": ["aggressive"], "shocked": True}]).effect(
            "recovered"
        )
        == 0
    )


def test_unit_traits_close_order() -> None:
    closed = {"bases": 4, "traits": ["close order"]}
    assert roll("fire", 5, 1, 1, 1, platoon=R4, target=closed).total == 1
    assert roll("fire", 5, 1, 1, 1, 4, platoon=R4, target=closed | {"position": "cover"}).total == 0
    assert roll("fire", 5, 1, 1, 1, 5, platoon=R4, target=closed | {"order": "defend"}).total == 0
    assert roll("hit-target", type="field-artillery", target_close_order=True).total == 4
    assert roll("hit-target", type="field-artillery", target_close_order=True, order="advance").total == 6
    assert roll("hit-target", type="trench-mortar", target_close_order=True).total == 5
    assert roll("fire", 5, 1, 1, 1, 5, platoon=R4, target=closed | {"tally": 1}).effect("shocked") is False
    assert roll("fire", 5, 1, 1, 1, 4, platoon=R4, target=closed | {"tally": 1}).effect("shocked") is True
    assert roll("fire", 5, 5, 5, 1, platoon=R4, target=closed | {"tally": 1}).effect("shocked") is True
    assert roll("platoon-coherent", max_gap=0, traits=["close order"]).outcome == "coherent"
    assert roll("platoon-coherent", max_gap=0.5, traits=["close order"]).outcome == "stranded"
    assert odds("assault-reception", defender={"quality": "steady", "traits": ["close-order"]})["passes"] * 2 == 1


def test_unit_traits_light_infantry() -> None:
    assert roll("platoon-coherent", max_gap=4, traits=["light infantry"]).outcome == "coherent"
    assert roll("platoon-coherent", max_gap=4.1, traits=["light infantry"]).outcome == "stranded"
    assert roll("in-command", distance=18, traits=["light infantry"]).outcome == "in-command"
    assert roll("in-command", distance=18.1, traits=["light infantry"]).outcome == "stranded"


def test_unit_traits_infiltration_is_a_double_standard_move() -> None:
    assert roll("movement", traits=["infiltration"], how="infiltration").total == 8
    assert roll("movement", how="infiltration").outcome == "stays"


def test_unit_traits_raiders_move_and_fire_normally() -> None:
    for order in ("move", "fire", "advance"):
        assert roll("hit-target", traits=["raider"], order=order).total == 5
        found = roll("movement", traits=["raider"], order=order)
        assert (found.total, found.effect("instead_of_firing")) == (4, False)
    assert roll("movement", order="fire").effect("instead_of_firing") is True


def test_unit_traits_rifle_drill() -> None:
    full: dict[str, Any] = {"bases": 4, "start_bases": 4, "traits": ["rifle-drill"]}
    assert roll("fire-dice", platoon=full, order="fire").total == 6
    assert roll("fire-dice", platoon=full | {"bases": 3}, order="fire").total == 4
    for order in ("move", "advance", "defend"):
        assert roll("fire-dice", platoon=full, order=order).total == 4
    assert roll("fire-dice", platoon=full, distance=19).total == 0


def test_unit_traits_veterans() -> None:
    assert roll("assault-dice", bases=3, traits=["veteran"]).total == 6
    assert roll("tolerance", bases=3, traits=["veteran"]).total == 4
