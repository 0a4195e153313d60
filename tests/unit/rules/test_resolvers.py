"""What is rolled at the table, in both editions: worked examples of the books, every modifier they name, and odds against counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial
from typing import Any

import pytest

from rules.dice import SeededDice
from rules.problems import Refusal
from rules.resolvers.odds import totals
from rules.resolvers.roller import Resolved, TableDice
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers import rules as table

OLD, NEW = "1.6.3", "1.0"


def resolve(rule: str, given: Mapping[str, Any], *faces: int, edition: str = OLD) -> Resolved:
    return table.resolve_typed(content_of(edition), rule, given, faces)


def odds(rule: str, given: Mapping[str, Any], edition: str = OLD) -> dict[str, Fraction]:
    return table.odds(content_of(edition), rule, given).outcomes


# --- worked examples of the books


def test_condensed_rules_plus_dice_keep_the_two_highest() -> None:
    assert resolve("success", {"dice": 1}, 6, 5, 1).total == 11


def test_condensed_rules_minus_dice_keep_the_two_lowest() -> None:
    found = resolve("success", {"dice": -2}, 6, 5, 1, 2)
    assert (found.total, found.kept, found.outcome) == (3, (1, 2), "failure")


def test_turns_and_actions_the_yuzbasi_misses() -> None:
    """Turns and actions 1.0: +2 his aim, +1 ammunition, cover, long range, two markers spent: one die too few, and 2, 3, 5 miss."""
    given = {
        "ranged": 2, "cover": True, "distance": 17, "range": 24, "blood_spent": 2,
        "modifiers": [{"dice": 1, "why": "Alchemical Ammunition"}],
    }  # fmt: skip
    found = resolve("attack", given, 2, 3, 5, edition=NEW)
    assert (found.outcome, found.total, found.kept) == ("failure", 5, (2, 3))
    assert sum(int(what.split()[0]) for what, _ in found.modifiers) == -1


def test_attacks_the_prophets_second_shot_hits_at_nine() -> None:
    """Attacks 1.6: +2 his aim and cover leave one die; the two highest make 9, a hit."""
    found = resolve("attack", {"ranged": 2, "cover": True, "distance": 8, "range": 24}, 5, 4, 2, 1, 2)
    assert found.steps[0].total == 9
    assert found.outcome == "minor-hit"


def test_attacks_a_catherine_wheel_with_two_markers_rolls_five_and_keeps_three() -> None:
    found = resolve("injury", {"base_dice": 3, "blood_spent": 2}, 1, 6, 2, 5, 4)
    assert (found.kept, found.total) == ((6, 5, 4), 15)


def test_attacks_a_bloodbath_on_a_downed_fighter_keeps_three_of_four() -> None:
    found = resolve("injury", {"bloodbath": True, "target": {"down": True, "blood": 3}}, 1, 2, 3, 4)
    assert (found.kept, found.total, found.outcome) == ((4, 3, 2), 9, "out-of-action")
    assert found.effect("markers_spent") == 3


def test_attacks_an_infernal_bomb_with_bloodbath_adds_four_dice() -> None:
    assert resolve("injury", {"base_dice": 3, "bloodbath": True}, 1, 1, 1, 1).total == 4


def test_attacks_a_scatter_of_a_five_is_two_inches() -> None:
    assert resolve("scatter", {"total": 5}).effect("scatters") == 2
    found = resolve("attack", {"at_point": True, "scatters": True, "keywords": ["BLAST"]}, 3, 2)
    assert found.effect("scatters") == 2


def test_attacks_the_musket_in_cover_misses_by_one() -> None:
    assert resolve("attack", {"cover": True}, 5, 5, 1).total == 6


def test_turns_and_actions_the_yeomans_dash_ends_his_activation() -> None:
    found = resolve("dash", {}, 3, 2, edition=NEW)
    assert (found.outcome, found.effect("activation_ends")) == ("failure", True)


def test_turns_and_actions_twelve_is_a_critical_hit() -> None:
    found = resolve("attack", {"kind": "melee"}, 6, 6, 1, 2, 3, edition=NEW)
    assert found.steps[0].outcome == "critical"
    assert ("+1 INJURY DICE", "Critical hit") in found.steps[1].modifiers


def test_condensed_rules_a_wound_and_a_marker_take_the_pilgrim_out() -> None:
    """The core rules: an 8 hits, one marker spent, 4, 5 and 1 make 9."""
    assert resolve("attack", {"injury_blood_spent": 1}, 4, 4, 4, 5, 1).outcome == "out-of-action"


# --- the chart and its modifiers


@pytest.mark.parametrize(
    ("faces", "outcome"), [((1, 5), "failure"), ((3, 4), "success"), ((5, 6), "success"), ((6, 6), "critical")]
)
def test_the_success_chart(faces: tuple[int, int], outcome: str) -> None:
    assert resolve("success", {}, *faces).outcome == outcome


@pytest.mark.parametrize(
    ("faces", "armour", "outcome"),
    [
        ((1, 1), -1, "no-effect"), ((1, 1), 0, "minor-hit"), ((3, 3), 0, "minor-hit"), ((3, 4), 0, "down"),
        ((4, 4), 0, "down"), ((4, 5), 0, "out-of-action"), ((6, 6), -3, "out-of-action"), ((6, 5), -3, "down"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_injury_chart(faces: tuple[int, int], armour: int, outcome: str, edition: str) -> None:
    assert resolve("injury", {"armour": armour}, *faces, edition=edition).outcome == outcome


RANGED = {
    "long_range": -1, "cover": -1, "elevated": 1, "down": -1,
}  # fmt: skip
MELEE = {"off_hand": -1, "defended_obstacle": -1, "diving_charge": 1}


@pytest.mark.parametrize("name", RANGED)
def test_each_ranged_modifier(name: str) -> None:
    assert _net({"ranged": 1, name: True}) == 1 + RANGED[name]


@pytest.mark.parametrize("name", MELEE)
def test_each_melee_modifier(name: str) -> None:
    assert _net({"kind": "melee", "melee": 1, name: True}) == 1 + MELEE[name]


def _net(given: Mapping[str, Any], edition: str = OLD) -> int:
    found = table.resolve(content_of(edition), "attack", given, SeededDice(1))
    hit = found.steps[0] if found.steps else found
    return sum(int(what.split()[0]) for what, _ in hit.modifiers if "DICE" in what)


def test_melee_modifiers_of_the_target() -> None:
    assert _net({"kind": "melee", "target": {"fear": True}}) == -1
    assert _net({"kind": "melee", "fear_immune": True, "target": {"fear": True}}) == 0
    assert _net({"kind": "melee", "charged": True, "target": {"polearm": True}}) == -1
    assert _net({"kind": "melee", "target": {"polearm": True}}) == 0


def test_a_grenade_ignores_cover_and_range_in_the_older_edition_only() -> None:
    given = {"grenade": True, "cover": True, "long_range": True}
    assert (_net(given, OLD), _net(given, NEW)) == (0, -2)


def test_a_shotgun_at_long_range_hurts_less_instead_of_missing_more() -> None:
    found = table.resolve(
        content_of(NEW), "attack", {"ranged": 9, "long_range": True, "keywords": ["SHOTGUN"]}, SeededDice(3)
    )
    assert not any("Long" in why for _, why in found.steps[0].modifiers)
    assert len(found.steps[1].rolled) == 3 + (found.steps[0].outcome == "critical") * -1


@pytest.mark.parametrize(
    ("modifier", "keyword"),
    [
        ("cover", "IGNORE COVER"), ("long_range", "IGNORE LONG RANGE"), ("elevated", "IGNORE ELEVATED POSITION"),
        ("off_hand", "IGNORE OFF-HAND WEAPON"), ("off_hand", "IGNORE OFF-HAND"), ("defended_obstacle", "IGNORE DEFENDED OBSTACLE"),
    ],
)  # fmt: skip
def test_a_keyword_ignores_a_modifier_to_the_hit(modifier: str, keyword: str) -> None:
    """Core rules 1.0, IGNORE [MODIFIER]."""
    given = {"kind": "melee" if modifier in MELEE else "ranged", modifier: True}
    assert _net(given, NEW) != 0
    assert _net({**given, "keywords": [keyword]}, NEW) == 0


def test_height_is_measured_by_the_edition() -> None:
    assert _net({"higher_by": 2}) == 1
    assert _net({"higher_by": 2, "target": {"base": 50}}) == 0
    assert _net({"higher_by": 4, "target": {"base": 50}}) == 1
    assert _net({"higher_by": 2}, NEW) == 0
    assert _net({"higher_by": 3, "target": {"base": 50}}, NEW) == 1


def test_a_pistol_in_melee() -> None:
    given = {"kind": "melee", "pistol": True, "ranged": 1, "melee": 2}
    assert (_net(given, OLD), _net(given, NEW)) == (1, 2)


def test_without_a_weapon() -> None:
    found = table.resolve(content_of(OLD), "attack", {"kind": "melee", "unarmed": True, "melee": 8}, SeededDice(3))
    assert ("-1 DICE", "Unarmed") in found.steps[0].modifiers
    assert ("-1 DICE", "Unarmed") in found.steps[1].modifiers
    with pytest.raises(Refusal, match="Without a melee weapon"):
        table.resolve(content_of(NEW), "attack", {"kind": "melee", "unarmed": True}, SeededDice(3))


def test_a_diving_charge_ignores_the_obstacle_and_injures_more_in_the_older_edition() -> None:
    given = {"kind": "melee", "diving_charge": True, "defended_obstacle": True, "melee": 4}
    assert (_net(given, OLD), _net(given, NEW)) == (5, 4)
    found = table.resolve(content_of(OLD), "attack", given, SeededDice(3))
    assert ("+1 DICE", "Diving Charge") in found.steps[1].modifiers


def test_a_target_that_is_down() -> None:
    shot = {"target": {"down": True}}
    assert len(resolve("injury", shot, 1, 1, 1).rolled) == 3
    assert len(resolve("injury", shot, 1, 1, edition=NEW).rolled) == 2
    assert len(resolve("injury", {**shot, "melee": True}, 1, 1, 1, edition=NEW).rolled) == 3


def test_armour_is_capped_in_the_newer_edition() -> None:
    given = {"armour": -3, "shield": -1, "unignorable_armour": -1}
    assert resolve("injury", given, 6, 6).total == 7
    assert resolve("injury", given, 6, 6, edition=NEW).total == 9
    assert resolve("injury", {**given, "modifier": 2}, 6, 6, edition=NEW).total == 11


def test_armour_ignored_pierced_and_unignorable() -> None:
    assert resolve("injury", {"armour": -2, "unignorable_armour": -1, "ignore_armour": True}, 4, 4).total == 7
    assert resolve("injury", {"armour": -2, "keywords": ["ARMOUR PIERCING"]}, 4, 4, edition=NEW).total == 7
    assert resolve("injury", {"keywords": ["ARMOUR PIERCING"]}, 4, 4, edition=NEW).total == 8


def test_a_blast_carries_its_critical_to_all_or_to_the_one_aimed_at() -> None:
    given = {"keywords": ["BLAST"], "caught": [{"target": {"name": "Ottla"}}]}
    assert len(resolve("attack", given, 6, 6, 1, 1, 1, 1, 1, 1).steps[2].rolled) == 3
    assert len(resolve("attack", given, 6, 6, 1, 1, 1, 1, 1, edition=NEW).steps[2].rolled) == 2


def test_an_automatic_hit_rolls_no_dice_to_hit_and_is_never_critical() -> None:
    found = resolve("attack", {"automatic_hit": True, "cover": True, "keywords": ["FIRE"]}, 1, 1)
    assert found.effect("blood_markers") == 2


def test_fire_gas_and_shrapnel_mark_even_without_effect() -> None:
    given = {"armour": -3, "keywords": ["FIRE", "GAS", "SHRAPNEL"]}
    assert resolve("injury", given, 1, 1).effect("blood_markers") == 3
    assert resolve("injury", {**given, "target": {"golem": True}}, 1, 1).effect("blood_markers") == 2


def test_resistances() -> None:
    grail = {"resistances": [{"dice": -1, "unless": "FIRE"}]}
    assert len(resolve("injury", {"target": grail}, 1, 1, 1).rolled) == 3
    assert len(resolve("injury", {"target": grail, "keywords": ["FIRE"]}, 1, 1).rolled) == 2
    mask = {"resistances": [{"dice": -1, "keyword": "GAS", "why": "Gas Mask"}]}
    assert ("-1 DICE", "Gas Mask") in resolve("injury", {"target": mask, "keywords": ["gas"]}, 1, 1, 1).modifiers


def test_tough_golem_and_machine_armour() -> None:
    out = (6, 6)
    tough = resolve("injury", {"target": {"tough": True}}, *out)
    assert (tough.outcome, tough.effect("tough_used"), tough.effect("goes_down")) == ("down", True, True)
    assert resolve("injury", {"target": {"tough": True, "tough_used": True}}, *out).outcome == "out-of-action"
    assert resolve("injury", {"target": {"golem": True}}, *out).outcome == "down"
    assert resolve("injury", {"bloodbath": True, "target": {"golem": True}}, 6, 6, 6).outcome == "out-of-action"
    assert resolve("injury", {"target": {"down_is_minor": True}}, 4, 4).outcome == "minor-hit"
    assert resolve("injury", {"target": {"down_is_minor": True, "tough": True}}, *out).outcome == "down"
    assert resolve("injury", {"target": {"ignores_out": True}}, *out).outcome == "no-effect"


def test_markers_stop_at_six_and_come_from_what_lies_there() -> None:
    assert resolve("injury", {"target": {"blood": 6}}, 1, 2).effect("blood_markers") is None
    assert resolve("injury", {"blood_spent": 2, "target": {"blood": 6}}, 1, 2, 1, 1).effect("blood_markers") == 1
    with pytest.raises(Refusal, match="only 1 lie"):
        resolve("injury", {"blood_spent": 2, "target": {"blood": 1}}, 1, 1, 1, 1)
    with pytest.raises(Refusal, match="only 5 lie"):
        resolve("injury", {"bloodbath": True, "target": {"blood": 3, "infection": 2}}, 1, 1, 1)
    assert resolve("injury", {"bloodbath": True, "target": {"blood": 3, "infection": 3}}, 1, 1, 1).total == 3


def test_down_twice_gives_two_markers() -> None:
    assert resolve("injury", {"target": {"down": True}}, 3, 4, 1).effect("blood_markers") == 2


def test_several_attacks_know_what_the_first_did() -> None:
    attack = {"target": {"name": "Vasek", "tough": True, "blood": 0}}
    found = resolve("attack", {"attacks": [attack, attack]}, 4, 4, 6, 6, 4, 4, 6, 6, 1)
    assert [step.outcome for step in found.steps] == ["down", "out-of-action"]
    third = resolve("attack", {"attacks": [attack, attack, attack]}, 4, 4, 6, 6, 4, 4, 6, 6, 1)
    assert len(third.steps) == 2, "nobody shoots at a fighter that is out"


def test_a_shot_into_melee_may_find_a_friend() -> None:
    assert resolve("shot-into-melee", {}, 3).outcome == "friend"
    found = resolve("shot-into-melee", {"enemies": ["Vasek", "Kolya"]}, 4, 2)
    assert (found.outcome, found.effect("target")) == ("enemy", "Kolya")
    friend = {"name": "Ottla", "tough": True}
    found = resolve("attack", {"into_melee": True, "friend": friend}, 1, 4, 4, 6, 6)
    assert found.effect("tough_used")


def test_attacks_a_missed_shot_at_the_ground_goes_astray() -> None:
    """Attacks 1.6, Ground-Targeted Attacks; 1.0 asks for SCATTER, which holds for a fighter aimed at as well."""
    assert resolve("attack", {"at_point": True, "cover": True}, 3, 2).effect("scatters") == 2
    assert resolve("attack", {"at_point": True, "long_range": True}, 3, 2, 1).effect("scatters") == 4
    assert resolve("attack", {"at_point": True}, 3, 2, edition=NEW).effect("scatters") is None
    assert resolve("attack", {"keywords": ['BLAST 3"', "SCATTER"]}, 3, 2, edition=NEW).effect("scatters") == 2
    assert resolve("attack", {"keywords": ["BLAST (3)"]}, 3, 2).effect("scatters") is None


def test_attacks_a_shot_at_the_ground_that_catches_nobody_stands_among_several() -> None:
    found = resolve("attack", {"attacks": [{"at_point": True}, {}]}, 4, 4, 1, 2)
    assert found.outcome == "success"
    assert odds("attack", {"attacks": [{"at_point": True}, {}]})["success"] == Fraction(7, 12) * Fraction(5, 12)


def test_keywords_of_a_weapon_say_what_its_fields_say() -> None:
    """Condensed rules 1.6.3, GRENADE; core rules 1.0, FLAMETHROWER."""
    assert _net({"keywords": ["GRENADE"], "cover": True, "long_range": True}) == 0
    assert _net({"keywords": ["GRENADE"], "cover": True}, NEW) == -1
    assert resolve("attack", {"keywords": ["FLAMETHROWER"], "cover": True}, 4, 4, edition=NEW).outcome == "down"


def test_keywords_of_a_target_say_what_its_fields_say() -> None:
    assert resolve("injury", {"target": {"keywords": ["Tough"]}}, 6, 6).outcome == "down"
    assert (
        resolve("injury", {"target": {"keywords": ["GOLEM"]}, "keywords": ["GAS"]}, 1, 1).effect("blood_markers") == 1
    )
    assert _net({"kind": "melee", "target": {"keywords": ["FEAR"]}}) == -1
    assert _net({"kind": "melee", "charged": True, "target": {"keywords": ["BLOCK"]}}, NEW) == -1
    for word in ("NEGATE FIRE", "DEMONIC"):
        burning = {"keywords": ["FIRE", "SHRAPNEL"], "target": {"keywords": [word]}}
        assert resolve("injury", burning, 1, 1).effect("blood_markers") == 2


def test_a_friend_shot_in_melee_has_its_own_armour_and_the_foe_is_as_it_was() -> None:
    """Attacks 1.6, Shooting into Melee Combat; each shot finds its own target, a flame as well."""
    shot = {"into_melee": True, "armour": -3, "bloodbath": True, "target": {"name": "Vasek", "blood": 6}}
    friend = {"name": "Ottla", "armour": -1}
    assert resolve("attack", {**shot, "friend": friend}, 3, 4, 4, 4, 4).total == 7
    assert resolve("attack", {**shot, "friend": friend}, 4, 4, 4, 4, 4, 4).total == 9
    assert resolve("attack", shot, 3, 4, 4, 4, 4).total == 8
    assert resolve("attack", {"into_melee": True, "automatic_hit": True}, 2, 4, 4).rolled == (2, 4, 4)
    several = {"into_melee": True, "target": {"name": "Vasek"}, "friend": friend}
    found = resolve("attack", {"attacks": [several, several]}, 1, 4, 4, 6, 6, 6, 4, 4, 6, 6)
    assert len(found.steps) == 2, "a friend that is out leaves the foe standing"
    downed = resolve("attack", {"attacks": [several, several]}, 1, 4, 4, 4, 4, 6, 4, 4, 6, 6)
    assert len(downed.rolled) == 10, "a friend that goes Down leaves the foe on its feet"
    both = odds("attack", {"attacks": [several, several]})
    one = odds("attack", several)
    assert both["failure"] == one["failure"] ** 2


def test_several_attacks_share_what_stands_beside_their_list() -> None:
    """Attacks 1.6, Multiple Attacks: one Ranged Characteristic for all, markers for one of them only."""
    found = resolve("attack", {"ranged": 1, "armour": -2, "attacks": [{}, {"cover": True}]}, 4, 4, 1, 4, 4, 4, 4, 4, 4)
    assert [step.total for step in found.steps] == [6, 6]
    with pytest.raises(Refusal, match="blood_spent"):
        resolve("attack", {"blood_spent": 1, "attacks": [{}, {}]}, 4, 4)


def test_a_failed_risky_shot_ends_the_rest_and_a_reload_does_not() -> None:
    assert len(resolve("attack", {"keywords": ["RISKY"], "attacks": [{}, {}]}, 1, 2).steps) == 1
    found = resolve("attack", {"keywords": ["RELOAD"], "attacks": [{}, {}]}, 1, 2, 1, 2, edition=NEW)
    assert (len(found.steps), found.effect("activation_ends")) == (2, True)


def test_an_attack_names_every_cause_of_both_its_rolls() -> None:
    found = resolve("attack", {"elevated": True, "armour": -1}, 4, 4, 1, 4, 4)
    assert found.modifiers == (("+1 DICE", "Elevated position"), ("-1", "Armour"))


def test_markers_spent_make_room_for_new_ones() -> None:
    given = {"bloodbath": True, "target": {"blood": 6, "infection": 0}}
    assert resolve("injury", given, 1, 1, 2).effect("blood_markers") == 1


def test_armour_piercing_takes_one_off_whatever_armour_there_is() -> None:
    """Core rules 1.0: IMPERVIOUS guards against IGNORE ARMOUR only."""
    pierced = {"unignorable_armour": -2, "keywords": ["ARMOUR PIERCING"]}
    assert resolve("injury", pierced, 4, 4, edition=NEW).total == 7


# --- movement


@pytest.mark.parametrize(
    ("edition", "height", "voluntary", "dice"),
    [
        (OLD, 2, False, None), (OLD, 2.5, False, 2), (OLD, 3, False, 3), (OLD, 3, True, None), (OLD, 3.5, True, 3),
        (OLD, 6, False, 4), (NEW, 2.9, False, None), (NEW, 3, True, 3), (NEW, 5, False, 3), (NEW, 6, False, 4),
    ],
)  # fmt: skip
def test_falls(edition: str, height: float, voluntary: bool, dice: int | None) -> None:
    faces = [1] * (dice or 0)
    found = resolve("fall", {"height": height, "voluntary": voluntary}, *faces, edition=edition)
    assert (found.outcome == "unhurt") is (dice is None)
    assert len(found.rolled) == (dice or 0)


def test_a_climb_that_fails_ends_the_activation() -> None:
    found = resolve("climb", {"height": 3, "movement_left": 4}, 1, 2)
    assert found.effect("activation_ends")
    assert found.effect("stays") == "where it is"
    with pytest.raises(Refusal, match="does not clear"):
        resolve("climb", {"height": 5, "movement_left": 4}, 1, 2)


def test_jumps() -> None:
    with pytest.raises(Refusal, match="jumps 3"):
        resolve("jump", {"gap": 3.5, "movement": 6}, 1, 1)
    assert resolve("jump", {"gap": 3, "rise": 0.5, "movement": 6}, 6, 6).effect("costs") == 4
    with pytest.raises(Refusal, match=r"needs 3\.5"):
        resolve("jump", {"gap": 3, "rise": 0.5, "movement": 6}, 6, 6, edition=NEW)
    found = resolve("jump", {"gap": 2, "drop": 6, "movement": 6}, 1, 1, 5, 5, 1, 1)
    assert found.outcome == "failure"
    assert found.effect("falls") == 6
    assert len(found.rolled) == 6


def test_dangerous_ground() -> None:
    started = {"moved_into": False}
    assert not resolve("dangerous-terrain", started, 1, 1, 1, 1).effect("activation_ends")
    assert resolve("dangerous-terrain", {}, 1, 1, 1, 1).effect("activation_ends")
    assert resolve("dangerous-terrain", started, 1, 1, 1, 1, edition=NEW).effect("activation_ends")
    assert resolve("dangerous-terrain", {"flying": True}).outcome == "success"
    assert resolve("dangerous-terrain", {"flying": True}, 6, 6, edition=NEW).outcome == "critical"


def test_charges() -> None:
    assert resolve("charge", {"movement": 6, "distance": 11}, 4).outcome == "reaches"
    assert resolve("charge", {"movement": 6, "distance": 11}, 3).outcome == "short"
    assert resolve("charge", {"movement": 6, "heavy": True}).outcome == "6"
    assert resolve("charge", {"movement": 6, "heavy": True, "strong": True}, 2).outcome == "8"
    assert resolve("charge", {"movement": 8}, 6).outcome == "12"
    assert resolve("charge", {"movement": 8}, 6, edition=NEW).outcome == "12"
    with pytest.raises(Refusal, match="line of sight"):
        resolve("charge", {"sees": False}, edition=NEW)
    assert resolve("charge", {"sees": False}, 1, 2).outcome == "failure"
    with pytest.raises(Refusal, match="within 12"):
        resolve("charge", {"distance": 13}, 1)


def test_a_diving_charge() -> None:
    dive = {"movement": 6, "distance": 8, "dive": 4, "lands_within": 1}
    assert resolve("charge", dive, 3, 4, 4).effect("diving_charge")
    fell = resolve("charge", dive, 3, 1, 1, 1, 4, 4)
    assert (fell.outcome, fell.effect("falls"), fell.effect("activation_ends")) == ("failure", 4, True)
    assert [effect for effect in fell.effects if "goes_down" in effect] == [{"goes_down": True}]
    short = resolve("charge", {**dive, "distance": 12}, 1)
    assert short.outcome == "short", "nobody dives who does not reach"
    assert not resolve("charge", {**dive, "injury": {"target": {"down": False}}}, 3, 1, 1, 1, 6, 6).effect("goes_down")


def test_what_a_target_negates_does_nothing_to_it() -> None:
    burning = {"keywords": ["FIRE", "GAS"]}
    assert resolve("injury", burning, 1, 1).effect("blood_markers") == 3
    assert resolve("injury", {**burning, "target": {"negates": ["FIRE"]}}, 1, 1).effect("blood_markers") == 2


def test_standing_up_and_ledges() -> None:
    assert resolve("stand", {"movement": 6}).effect("moves") == 3
    assert resolve("stand", {"own_activation": True}, 6, 6).outcome == "critical"
    with pytest.raises(Refusal, match="ended that"):
        resolve("stand", {"own_activation": True}, 6, 6, edition=NEW)
    assert resolve("ledge", {"height": 1}, 1, 1).effect("activation_ends")
    assert not resolve("ledge", {"height": 1}, 1, 1, edition=NEW).effect("activation_ends")
    assert [resolve("evade", {}, face).outcome for face in (2, 3, 6)] == ["1", "2", "3"]


# --- a side


def test_morale() -> None:
    half = {"models": 5, "down": 1, "out": 2}
    assert resolve("morale", {"models": 5, "out": 2}).effect("test") is False
    assert resolve("morale", half, 1, 2).outcome == "flees"
    assert resolve("morale", {**half, "shaken_rule": True}, 1, 2).outcome == "shaken"
    assert resolve("morale", {**half, "shaken_rule": True, "shaken": True}, 1, 2).outcome == "flees"
    assert resolve("morale", half, 1, 2, edition=NEW).outcome == "shaken"
    assert resolve("morale", {**half, "flees": True}, 1, 2, edition=NEW).outcome == "flees"
    assert resolve("morale", {"models": 9, "shaken": True}, 1, 2, edition=NEW).outcome == "flees"
    assert resolve("morale", {**half, "leader": True}, 1, 2, 5).outcome == "holds"


def test_initiative() -> None:
    sides = {"sides": [{"name": "Ada", "on_table": 5, "down": 2}, {"name": "Ben", "on_table": 4}]}
    assert resolve("initiative", sides).outcome == "2"
    assert resolve("initiative", sides, edition=NEW).outcome == "1"
    level = {"sides": [{"on_table": 3}, {"on_table": 3}]}
    assert resolve("initiative", level, 4, 4, 2, 5).outcome == "2"
    assert odds("initiative", level) == {"1": Fraction(1, 2), "2": Fraction(1, 2)}


def test_who_tests_morale_first() -> None:
    """Condensed rules 1.6.3, Morale Phase: the smaller; developer answers, FAQ 1: a roll-off where they are level."""
    assert resolve("morale-order", {"models": [9, 7]}).outcome == "2"
    assert resolve("morale-order", {"models": [7, 7]}, 4, 4, 2, 5).outcome == "2"
    assert odds("morale-order", {"models": [7, 9, 7]}) == {"1": Fraction(1, 2), "3": Fraction(1, 2)}


def test_infection() -> None:
    assert resolve("infection", {"infection": 0}).outcome == "0"
    assert resolve("infection", {"infection": 2}).outcome == "3"
    assert resolve("infection", {"infection": 6}).outcome == "6"
    assert resolve("infection", {"infection": 0, "caught_first": 1}).outcome == "2"


def test_goetic_powers_take_what_they_ask() -> None:
    assert resolve("goetic", {"markers": 2, "givers": [1, 1]}).effect("markers_spent") == 2
    with pytest.raises(Refusal, match="1 lie there"):
        resolve("goetic", {"markers": 2, "givers": [1]})
    with pytest.raises(Refusal, match="DEMONIC"):
        resolve("goetic", {"markers": 1, "barred": True})


def test_a_fireteam_ends_together() -> None:
    assert resolve("activation", {"failed_risky": True}).effect("both")
    with pytest.raises(Refusal, match="together"):
        resolve("activation", {"together": False})
    assert resolve("activation", {"together": False}, edition=NEW).outcome == "goes-on"


# --- the charts of the campaign


def test_a_scar_borne_already_is_rolled_again() -> None:
    found = resolve("trauma", {"suffered": ["Leg Wound"], "scars": 1}, 3, 1, 2, 6)
    assert (found.outcome, found.effect("scars"), len(found.rolled)) == ("lost-arm", 2, 4)


def test_a_third_scar() -> None:
    assert resolve("trauma", {"scars": 2}, 3, 1).effect("dies")
    assert resolve("trauma", {"scars": 2}, 3, 1, edition=NEW).effect("leaves")


@pytest.mark.parametrize("edition", EDITIONS)
def test_charts_take_names_as_people_write_them(edition: str) -> None:
    """Interchange formats: case and punctuation do not matter, and an unknown name brings the nearest."""
    names = (
        "Melee & Strength Skills Table",
        "melee and strength",
        "MELEE",
        "melee-and-strength",
        "Melee & Strength Skills",
    )
    for name in names:
        assert resolve("skill-advance", {"tables": [name]}, 3, 4, edition=edition).effect("row") == 7, name
    assert resolve("skill-advance", {"tables": ["Stealth and Speed"]}, 3, 4, edition=edition).effect("row") == 7
    with pytest.raises(Refusal, match=r"Is it .*Wildcard Skills"):
        resolve("skill-advance", {"tables": ["Wild Card Skils"]}, 3, 4, edition=edition)
    assert len(resolve("trauma", {"suffered": ["leg wound"]}, 3, 1, 2, 6, edition=edition).rolled) == 4
    with pytest.raises(Refusal, match="Leg Wound"):
        resolve("trauma", {"suffered": ["Leg Wounds"]}, 3, 1, edition=edition)


def test_a_patrons_row_stands_in_for_a_known_skill_in_the_older_edition_only() -> None:
    """Skill Advancement Rolls 1.6.3: the next lower number on the table; promotions and experience 1.0: that row is no skill."""
    given = {"tables": ["ranged"], "known": ["hunter"]}
    assert resolve("skill-advance", given, 1, 2).effect("row") == 2
    assert resolve("skill-advance", given, 1, 2, edition=NEW).effect("row") == 4
    assert resolve("skill-advance", given, 1, 1, edition=NEW).outcome == "patron"


def test_promotion_dice() -> None:
    assert resolve("promotion", {"dice": [2, 1]}, 3, 6).effect("promoted") == [1]
    assert resolve("promotion", {"dice": [1, 1]}, 6, 6, edition=NEW).effect("promoted") == [1, 2]
    found = resolve("promotion", {"dice": [2], "missed": 4}, 1)
    assert (found.effect("promoted"), found.effect("missed")) == ([1], 0)


def test_exploration_in_the_newer_edition_asks_for_the_table_first() -> None:
    with pytest.raises(Refusal, match="before the dice fall"):
        resolve("exploration", {"battles": 3}, 1, 1, 1, 1, edition=NEW)
    found = resolve("exploration", {"battles": 3, "table": "common", "reroll": [3, 4]}, 5, 3, 1, 1, 4, 5, edition=NEW)
    assert (found.total, found.effect("loot")) == (17, 170)


# --- odds against counting


def _sorted_throws(dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every throw without regard to order, with the number of orders in which it falls."""
    for faces in combinations_with_replacement(range(1, 7), dice):
        ways = factorial(dice)
        for count in Counter(faces).values():
            ways //= factorial(count)
        yield faces, ways


@pytest.mark.parametrize("base", [2, 3, 4])
@pytest.mark.parametrize("net", range(-6, 7))
def test_totals_equal_counting(base: int, net: int) -> None:
    dice = base + abs(net)
    counted: Counter[int] = Counter()
    for faces, ways in _sorted_throws(dice):
        counted[sum(faces[-base:] if net >= 0 else faces[:base])] += ways
    assert dict(totals(base, net)) == {total: Fraction(ways, 6**dice) for total, ways in counted.items()}
    assert sum(chance for _, chance in totals(base, net)) == 1


@pytest.mark.parametrize("base", [2, 3, 4])
@pytest.mark.parametrize("net", range(-6, 7))
@pytest.mark.parametrize("flat", range(-3, 4))
def test_odds_of_an_injury_equal_counting(base: int, net: int, flat: int) -> None:
    found = odds("injury", {"base_dice": base, "dice": net, "modifier": flat})
    counted: Counter[str] = Counter()
    dice = base + abs(net)
    for faces, ways in _sorted_throws(dice):
        total = sum(faces[-base:] if net >= 0 else faces[:base]) + flat
        counted[
            "out-of-action" if total >= 9 else "down" if total >= 7 else "minor-hit" if total >= 2 else "no-effect"
        ] += ways
    assert found == {outcome: Fraction(ways, 6**dice) for outcome, ways in counted.items()}


@pytest.mark.parametrize("net", range(-5, 6))
def test_odds_of_success_equal_every_single_throw(net: int) -> None:
    counted: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=2 + abs(net)):
        kept = sorted(faces)[-2:] if net >= 0 else sorted(faces)[:2]
        total = sum(kept)
        counted["critical" if total >= 12 else "success" if total >= 7 else "failure"] += 1
    whole = 6 ** (2 + abs(net))
    assert odds("success", {"dice": net}) == {outcome: Fraction(ways, whole) for outcome, ways in counted.items()}


def test_odds_of_a_chain_equal_walking_through_it() -> None:
    """Two attacks on a TOUGH fighter: the state after the first against every throw of both."""
    attack = {"dice": 1, "target": {"name": "Vasek", "tough": True, "blood": 0}}
    chart = {"failure": Fraction(0), "success": Fraction(0), "critical": Fraction(0)} | odds("success", {"dice": 1})
    expected = Fraction(0)
    first = _injuries(chart, {"tough": True, "blood": 0})
    for state, chance in first.items():
        target = {"tough": True, "tough_used": state == "saved", "blood": 0, "down": state in ("down", "saved")}
        expected += chance * _injuries(chart, target).get("out-of-action", Fraction(0))
    assert odds("attack", {"attacks": [attack, attack]})["out-of-action"] == expected


def test_odds_of_a_blast_equal_walking_through_it() -> None:
    """Two caught besides the one aimed at: every row of each of the three injuries of a hit and of a critical one."""
    given = {
        "ranged": 1,
        "keywords": ["SHRAPNEL"],
        "caught": [{"armour": -1}, {"armour": -3, "target": {"down": True}}],
    }
    chart = odds("success", {"dice": 1})
    nobody_out = chart["failure"]
    for hit in ("success", "critical"):
        critical = {"critical": hit == "critical"}
        rolls = ({}, {"armour": -1}, {"armour": -3, "target": {"down": True}})
        chance = chart[hit]
        for roll in rolls:
            chance *= 1 - odds("injury", {**roll, **critical}).get("out-of-action", Fraction(0))
        nobody_out += chance
    assert 1 - odds("attack", given)["out-of-action"] == nobody_out


def test_odds_of_many_attacks_and_many_caught_are_given_or_refused_at_once() -> None:
    tough = {"tough": True, "blood": 0}
    apart = [{"target": {**tough, "name": f"Vasek {number}"}, "keywords": ["FIRE"]} for number in range(12)]
    assert sum(odds("attack", {"attacks": apart}).values()) == 1
    assert sum(odds("attack", {"caught": [{}] * 30}).values()) == 1
    with pytest.raises(Refusal, match="too many ways"):
        odds("attack", {"attacks": [*apart[:6], *apart[:6]]})


def _injuries(chart: Mapping[str, Fraction], target: Mapping[str, Any]) -> dict[str, Fraction]:
    """How one attack leaves such a target: failure, no-effect, minor-hit, down, saved by TOUGH, out-of-action."""
    found: dict[str, Fraction] = {"failure": chart["failure"]}
    for hit in ("success", "critical"):
        plain = odds("injury", {"critical": hit == "critical", "target": {**target, "tough": False}})
        for outcome, chance in plain.items():
            saved = outcome == "out-of-action" and target["tough"] and not target.get("tough_used")
            key = "saved" if saved else outcome
            found[key] = found.get(key, Fraction(0)) + chart[hit] * chance
    return found


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("rule", table.RULES)
def test_every_rule_resolves_and_its_chances_add_up_to_one(rule: str, edition: str) -> None:
    given = {
        "initiative": {"sides": [{"on_table": 3}, {"on_table": 3}]}, "morale-order": {"models": [5, 6]}, "skill-advance": {"tables": ["ranged"]},
        "promotion": {"dice": [1, 1]}, "exploration": {"battles": 1},
    }.get(rule, {})  # fmt: skip
    content = content_of(edition)
    assert table.resolve(content, rule, given, SeededDice(7)).told
    found = table.odds(content, rule, given)
    assert sum(found.outcomes.values()) == 1
    assert sum(found.blood.values()) == 1
    assert table.rule_named(rule).told()["input"]["type"] == "object"


def test_a_rule_answers_what_is_wrong_with_an_input() -> None:
    content = content_of(OLD)
    for given, words in (
        ({"dice": 99}, r"\$\.dice"), ({"armour": 1}, r"\$\.armour"), ({"nonsense": 1}, "nonsense"), ({"target": {"blood": 9}}, r"target\.blood"),
        ({"modifiers": [{"dice": 1}, {"dice": "x"}]}, r"\$\.modifiers\[1\]\.dice\)"), ({"x - at y": 1}, r"`x - at y` \(at \$\)"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=words):
            table.resolve(content, "injury", given, SeededDice(1))
    with pytest.raises(Refusal, match=r"“thrown” is none of the words .* \(at \$\.kind\)\. Known: melee, ranged"):
        table.resolve(content, "attack", {"kind": "thrown"}, SeededDice(1))
    with pytest.raises(Refusal) as long:
        table.resolve(content, "attack", {"kind": "x" * 9000, "y" * 9000: 1}, SeededDice(1))
    assert len(str(long.value)) < 1500
    with pytest.raises(Refusal, match="No rule"):
        table.resolve(content, "luck", {}, SeededDice(1))
    with pytest.raises(Refusal, match="not asked for"):
        table.resolve_typed(content, "success", {}, (1, 2, 3))
    with pytest.raises(Refusal, match="shows 1 to 6"):
        table.resolve_typed(content, "success", {}, (1, 7))


def test_typed_and_seeded_dice_give_the_same_result() -> None:
    class Noted(SeededDice):
        drawn: list[int] = []

        def draw(self, n: int, sides: int, why: str) -> Any:
            fell = super().draw(n, sides, why)
            self.drawn += fell.faces
            return fell

    given = {"ranged": 2, "cover": True, "armour": -2, "keywords": ["SHRAPNEL"]}
    content = content_of(OLD)
    dice = Noted("a shot")
    found = table.RULES["attack"].resolve(content, table.RULES["attack"].read(given), TableDice(dice))
    assert table.resolve_typed(content, "attack", given, tuple(dice.drawn)).document() == found.document()


def test_odds_of_the_largest_exploration_add_up_to_one() -> None:
    assert sum(odds("exploration", {"battles": 60, "extra": 6, "table": "legendary"}).values()) == 1
