"""The words in which a pack says what a weapon brings to an attack, each laid on a plain weapon of the pack."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from rules import vocabulary as v
from rules.content.compiled import Content, compile_content
from rules.content.house import HouseRules
from rules.dice import TypedDice
from rules.force import Force, ForceItem
from rules.problems import Refusal
from rules.resolvers.situation import Situation
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers.arms import bare
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.brings import switch_key
from rules.trench_crusade.resolvers.rules import odds, resolve

CLUB, RIFLE = "trench-club", "bolt-action-rifle"
YEOMAN, TROOPER = "new-antioch.yeoman", "heretic-legion.heretic-trooper"
KNIGHT = "court-of-the-seven-headed-serpent.hell-knight"


def with_words(edition: str, item: str, *effects: v.Effect, modifiers: tuple[str, ...] = ()) -> Content:
    """The edition's content with these effects and terms on an item, in place of its own."""
    pack = content_of(edition).pack
    laid = [msgspec.structs.replace(x, effects=effects, modifiers=modifiers) if x.id == item else x for x in pack.items]
    return compile_content(msgspec.structs.replace(pack, items=tuple(laid)), HouseRules())


def fresh(content: Content, who: str, *kit: str) -> Force:
    """One fighter fresh from its profile ("list.profile"), with some kit on top."""
    list_id, _, profile = who.partition(".")
    force = bare(content, profile, list_id)
    pieces = tuple(ForceItem(key=f"k{place}", item=item) for place, item in enumerate(kit))
    return replace(force, fighters=(replace(force.fighters[0], kit=pieces),))


def strike(content: Content, item: str, foe: str = TROOPER, wears: tuple[str, ...] = (), **told: Any) -> Situation:
    """A Yeoman's attack with an item."""
    kind = "ranged" if item == RIFLE else "melee"
    mine, other = fresh(content, YEOMAN, item), fresh(content, foe, *wears)
    return situation(content, (mine, "1"), f"{item}:{kind}", (other, "1"), told)


def dice(found: Situation, name: str) -> int:
    """Dice to hit (`modifiers`) or to injure (`injury_modifiers`) together."""
    return sum(one["dice"] for one in found.given[name])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("word", "told", "otherwise"), [
    ("long range", {"long_range": 1}, {}), ("short range", {}, {"long_range": 1}), ("cover", {"cover": 1}, {}),
    ("in the open", {}, {"cover": 1}), ("elevated", {"elevated": 1}, {}), ("down", {"down": 1}, {}), ("foe down", {"target_down": 1}, {}),
    ("foe standing", {}, {"target_down": 1}), ("direct hit", {}, {"around": 1}), ("in the blast", {"around": 1}, {}),
])  # fmt: skip
def test_a_circumstance_is_asked_for_and_counts(
    edition: str, word: Any, told: dict[str, int], otherwise: dict[str, int]
) -> None:
    content = with_words(edition, RIFLE, v.AttackEffect(injury=2, circumstances=(word,)))
    assert dice(strike(content, RIFLE, **told), "injury_modifiers") == 2
    assert dice(strike(content, RIFLE, **otherwise), "injury_modifiers") == 0
    key = next(iter(told | otherwise))
    assert key in {toggle.key for toggle in strike(content, RIFLE).toggles}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_circumstance_of_melee_counts_in_melee(edition: str) -> None:
    content = with_words(edition, CLUB, v.AttackEffect(hit=1, circumstances=("charged",)))
    assert dice(strike(content, CLUB), "modifiers") == 0
    assert dice(strike(content, CLUB, charged=1), "modifiers") == 1
    assert dice(strike(content, CLUB, diving_charge=1), "modifiers") == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_keywords_may_be_given_always_at_times_and_on_a_critical(edition: str) -> None:
    always = with_words(edition, CLUB, v.AttackEffect(gives=("IGNORE ARMOUR",)))
    assert "IGNORE ARMOUR" in strike(always, CLUB).given["keywords"]
    at_times = with_words(edition, CLUB, v.AttackEffect(gives=("IGNORE ARMOUR",), circumstances=("foe down",)))
    assert "IGNORE ARMOUR" not in strike(at_times, CLUB).given["keywords"]
    assert "IGNORE ARMOUR" in strike(at_times, CLUB, target_down=1).given["keywords"]
    critical = with_words(edition, CLUB, v.AttackEffect(on_critical=("IGNORE ARMOUR",)))
    found = strike(critical, CLUB, wears=("reinforced-armour",))
    assert "IGNORE ARMOUR" not in found.given["keywords"]
    plain = resolve(critical, "attack", found.given, TypedDice((6, 5, 4, 3)))
    keen = resolve(critical, "attack", found.given, TypedDice((6, 6, 4, 3, 1)))
    assert (plain.steps[-1].total, keen.steps[-1].total) == (5, 7)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_effect_may_ask_what_its_opponent_is_and_wears(edition: str) -> None:
    content = with_words(
        edition, CLUB, v.AttackEffect(injury=1, foe=(v.Trait(keyword="DEMONIC"), v.Trait(keyword="BLACK GRAIL")))
    )
    assert dice(strike(content, CLUB), "injury_modifiers") == 0
    assert dice(strike(content, CLUB, KNIGHT), "injury_modifiers") == 1
    content = with_words(edition, CLUB, v.AttackEffect(injury=1, circumstances=("foe armoured",)))
    for wears, there in (
        ((), 0),
        (("trench-shield",), 0),
        (("standard-armour",), 1),
        (("standard-armour", "trench-shield"), 1),
    ):
        assert dice(strike(content, CLUB, wears=wears), "injury_modifiers") == there


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_only_the_table_knows_is_a_switch(edition: str) -> None:
    content = with_words(
        edition, CLUB, v.AttackEffect(flat=2, switch="Not activated yet"), v.AttackEffect(injury=1, unless_switch="Not activated yet")
    )  # fmt: skip
    key = next(toggle.key for toggle in strike(content, CLUB).toggles if "Not activated yet" in toggle.words)
    calm, keen = strike(content, CLUB), strike(content, CLUB, **{key: 1})
    assert (calm.given["injury_modifier"], dice(calm, "injury_modifiers")) == (0, 1)
    assert (keen.given["injury_modifier"], dice(keen, "injury_modifiers")) == (2, 0)
    assert switch_key("Not activated yet") == "when_not_activated_yet"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_weapons_own_words_hold_for_no_other_weapon(edition: str) -> None:
    content = with_words(edition, CLUB, v.AttackEffect(hit=3))
    mine, other = fresh(content, YEOMAN, CLUB, "sword-axe"), fresh(content, TROOPER)
    assert dice(situation(content, (mine, "1"), f"{CLUB}:melee", (other, "1"), {}), "modifiers") == 3
    assert dice(situation(content, (mine, "1"), "sword-axe:melee", (other, "1"), {}), "modifiers") == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_second_attack_may_ask_for_a_hit(edition: str) -> None:
    content = with_words(edition, CLUB, v.AttackEffect(attacks=1, after_hit=True))
    found = strike(content, CLUB)
    assert [one.get("after_hit", False) for one in found.given["attacks"]] == [False, True]
    missed = resolve(content, "attack", found.given, TypedDice((1, 2)))
    assert len(missed.steps) == 1
    hit = resolve(content, "attack", found.given, TypedDice((5, 5, 1, 1, 1, 2)))
    assert [step.outcome for step in hit.steps] == ["minor-hit", "failure"]
    chances = odds(content, "attack", found.given).outcomes
    alone = odds(content, "attack", found.given["attacks"][0]).outcomes
    assert chances["failure"] == alone["failure"]
    assert chances["out-of-action"] > alone["out-of-action"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_later_attack_knows_that_the_target_went_down(edition: str) -> None:
    content = with_words(
        edition,
        CLUB,
        v.AttackEffect(attacks=1, later_hit=-1),
        v.AttackEffect(hit=2, gives=("IGNORE ARMOUR",), circumstances=("foe down",)),
    )
    found = strike(content, CLUB, wears=("reinforced-armour",))
    first, later = found.given["attacks"]
    assert "against_down" not in first
    lying = later["against_down"]
    assert sum(one["dice"] for one in later["modifiers"]) == -1
    assert sum(one["dice"] for one in lying["modifiers"]) == 1
    assert "IGNORE ARMOUR" in lying["keywords"]
    down = resolve(content, "attack", found.given, TypedDice((4, 4, 5, 4, 1, 4, 4, 4, 3, 1)))
    assert [step.steps[-1].outcome for step in down.steps] == ["down", "down"]
    stands = resolve(content, "attack", found.given, TypedDice((4, 4, 1, 2, 4, 4, 4, 4, 4)))
    assert [step.steps[-1].outcome for step in stands.steps] == ["no-effect", "minor-hit"]
    assert "attacks" in strike(content, CLUB, target_down=1).given
    assert all("against_down" not in one for one in strike(content, CLUB, target_down=1).given["attacks"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_weapon_may_always_be_the_off_hand_one(edition: str) -> None:
    content = with_words(edition, CLUB, v.AttackEffect(always_off_hand=True))
    found = strike(content, CLUB)
    assert found.given["off_hand"] is True
    assert "off_hand" not in {toggle.key for toggle in found.toggles}


@pytest.mark.parametrize("edition", EDITIONS)
def test_terms_of_a_weapon_are_read_from_its_line(edition: str) -> None:
    terms = ("ignores shields", "armour counts for 1 less", "1D6 on injuries", "double BLOOD MARKERS")
    found = strike(with_words(edition, CLUB, modifiers=terms), CLUB, wears=("trench-shield",)).given
    assert {"IGNORE SHIELD", "ARMOUR PIERCING", "DOUBLE MARKERS"} <= set(found["keywords"])
    assert (found["base_dice"], found["shield"]) == (1, -1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hit_without_an_injury_roll_leaves_the_markers_of_its_keywords(edition: str) -> None:
    content = content_of(edition)
    given = {"keywords": ["NO INJURY ROLL", "SHRAPNEL"], "target": {"blood": 5}}
    found = resolve(content, "attack", given, TypedDice((4, 4)))
    assert (found.outcome, found.effect("blood_markers")) == ("no-effect", 1)
    with pytest.raises(Refusal, match="No injury is rolled"):
        resolve(content, "attack", given | {"injury_blood_spent": 1}, TypedDice((4, 4)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_markers_of_the_result_alone_are_doubled(edition: str) -> None:
    given = {"keywords": ["DOUBLE MARKERS", "FIRE"]}
    assert resolve(content_of(edition), "injury", given, TypedDice((1, 2))).effect("blood_markers") == 3


@pytest.mark.parametrize("net", range(-3, 4))
def test_a_die_that_is_set_to_six_is_one_of_those_that_are_rolled(net: int) -> None:
    content = content_of("1.6.3")
    given = {"dice": net, "keywords": ["ONE DIE IS 6"]}
    chances = odds(content, "injury", given).outcomes
    falls = list(product(range(1, 7), repeat=1 + abs(net)))
    totals = [sum(sorted((6, *faces), reverse=net >= 0)[:2]) for faces in falls]
    assert chances.get("out-of-action", Fraction(0)) == Fraction(sum(total >= 9 for total in totals), len(falls))
    assert resolve(content, "injury", given, TypedDice((3,) * (1 + abs(net)))).total == (9 if net >= 0 else 6)


@pytest.mark.parametrize("edition", EDITIONS)
def test_markers_are_spent_on_rolls_alone(edition: str) -> None:
    content = content_of(edition)
    for given in (
        {"automatic_hit": True, "blood_spent": 1}, {"keywords": ["FLAMETHROWER"], "blessing_spent": 1},
        {"at_point": True, "injury_blood_spent": 1}, {"at_point": True, "bloodbath": True}, {"at_point": True, "injury_blessing_spent": 1},
    ):  # fmt: skip
        with pytest.raises(Refusal, match="markers"):
            resolve(content, "attack", given, TypedDice((3, 4, 5, 6)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_attacks_after_the_first_may_be_off_hand_or_have_other_dice(edition: str) -> None:
    off_hand = strike(with_words(edition, CLUB, v.AttackEffect(attacks=1, later_off_hand=True)), CLUB).given["attacks"]
    assert [one.get("off_hand", False) for one in off_hand] == [False, True]
    fewer = strike(with_words(edition, CLUB, v.AttackEffect(attacks=2, later_hit=-1)), CLUB).given["attacks"]
    assert [sum(each["dice"] for each in one["modifiers"]) for one in fewer] == [0, -1, -1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_critical_success_may_begin_lower(edition: str) -> None:
    found = strike(with_words(edition, CLUB, v.AttackEffect(critical_from=11)), CLUB)
    assert found.given["critical_from"] == 11
    assert "A Critical Success from 11 on" in found.causes
    assert "critical_from" not in strike(content_of(edition), CLUB).given


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_effect_may_ask_for_armour_or_shield_of_any_kind(edition: str) -> None:
    content = with_words(
        edition, CLUB, v.AttackEffect(gives=("ONE DIE IS 6",), circumstances=("foe in armour or shield",))
    )
    for wears, there in (((), False), (("trench-shield",), True), (("standard-armour",), True)):
        assert ("ONE DIE IS 6" in strike(content, CLUB, wears=wears).given["keywords"]) is there
    tank = "heretic-legion.anointed-heavy-infantry"
    assert "ONE DIE IS 6" in strike(content, CLUB, tank).given["keywords"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("term", ['strikes all on a line of 8"', 'strikes all within 6"', "leaps on to others"])
def test_a_line_a_cloud_and_a_swarm_strike_others_too(edition: str, term: str) -> None:
    found = strike(with_words(edition, RIFLE, modifiers=(term, "no Success Roll")), RIFLE)
    assert {"STRIKES OTHERS TOO", "FLAMETHROWER"} <= set(found.given["keywords"])
    assert found.given["automatic_hit"]
    assert not any(term in words for _, words in found.unreckoned)
    assert {"cover", "long_range", "elevated", "dice", "blood_spent"}.isdisjoint(toggle.key for toggle in found.toggles)


@pytest.mark.parametrize("edition", EDITIONS)
def test_armour_and_keywords_may_be_gone_while_a_switch_is_on(edition: str) -> None:
    helm = v.KeywordEffect(gain=("TOUGH", "NEGATE SHRAPNEL"))
    bare_now = v.AttackEffect(unarmoured=True, without=("TOUGH", "NEGATE SHRAPNEL"), switch="laid bare")
    content = with_words(edition, "standard-armour", v.StatEffect(stat="armour", add=-1), helm, bare_now)
    clad = strike(content, CLUB, wears=("standard-armour",))
    key = next(toggle.key for toggle in clad.toggles if "laid bare" in toggle.words)
    naked = strike(content, CLUB, wears=("standard-armour",), **{key: 1})
    assert (clad.given["armour"], naked.given["armour"]) == (-1, 0)
    assert (clad.given["target"]["tough"], naked.given["target"]["tough"]) == (True, False)
    assert ["SHRAPNEL" in found.given["target"]["negates"] for found in (clad, naked)] == [True, False]
