"""The Heretic Naval Raiders at the table: what their rules and texts bring to an attack, each with and without its switch."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dice import TypedDice
from rules.force import Force
from rules.trench_crusade.documents.reader import read_with_content
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.brings import switch_key
from rules.trench_crusade.resolvers.rules import resolve
from tests.unit.rules.test_naval_raiders import CHOIR, CONTENT, RAIDERS, SHOAL, roster

FOE = ("Heretic Captain", ["Standard Armour", "Sword/Axe"])


def force_of(list_id: str, *fighters: tuple[Any, ...]) -> Force:
    _, force, problems = read_with_content(roster(list_id, *fighters))
    assert problems == ()
    return force


def strike(
    mine: Force, item: str, other: Force, kind: str = "melee", who: str = "f1", foe: str = "f1", **told: Any
) -> Any:
    return situation(CONTENT, (mine, who), f"{item}:{kind}", (other, foe), told)


def key_of(found: Any, words: str) -> str:
    return next(toggle.key for toggle in found.toggles if words in toggle.words)


def dice(found: Any) -> int:
    return sum(one["dice"] for one in found.given["modifiers"])


PLAIN = force_of(RAIDERS, FOE)


def test_a_feeding_frenzy_adds_up_to_three_dice() -> None:
    shoal = force_of(SHOAL, ("Heretic Raider", ["Sword/Axe"]))
    calm = strike(shoal, "sword-axe", PLAIN)
    frenzy = key_of(calm, "within 1″ with BLOOD MARKERS")
    assert [dice(strike(shoal, "sword-axe", PLAIN, **{frenzy: n})) - dice(calm) for n in (1, 2, 3, 4)] == [1, 2, 3, 3]
    gun = force_of(SHOAL, ("Heretic Raider", ["Shotgun"]))
    assert frenzy not in {toggle.key for toggle in strike(gun, "shotgun", PLAIN, "ranged").toggles}


def test_a_chosen_son_is_tough_once_it_has_killed_in_melee() -> None:
    shoal = force_of(SHOAL, ("Anointed Heretic Raider",), ("Heretic Raider",))
    raider = force_of(RAIDERS, ("Heretic Raider", ["Sword/Axe"]))
    calm = strike(raider, "sword-axe", shoal)
    key = key_of(calm, "taken an enemy out in melee")
    fed = strike(raider, "sword-axe", shoal, **{key: 1})
    assert (calm.given["target"]["tough"], fed.given["target"]["tough"]) == (False, True)
    told = [toggle.words for toggle in strike(raider, "sword-axe", shoal, foe="f2").toggles]
    assert not any("taken an enemy out" in words for words in told)


def test_dread_harmony_makes_an_enemy_roll_risky() -> None:
    choir = force_of(CHOIR, ("Drowned Chorister", [], ["Leviathal Chorus"]), ("Heretic Raider",))
    raider = force_of(RAIDERS, ("Heretic Raider", ["Sword/Axe"]))
    calm = strike(raider, "sword-axe", choir, foe="f2")
    key = key_of(calm, "Dread Harmony")
    assert "RISKY" not in calm.given["keywords"]
    assert "RISKY" in strike(raider, "sword-axe", choir, foe="f2", **{key: 1}).given["keywords"]
    assert not any("Unholy Hymns" in toggle.words for toggle in calm.toggles)


def test_joined_voices_reach_further_only_in_the_choir() -> None:
    raider = force_of(RAIDERS, ("Heretic Raider", ["Bolt-Action Rifle"]))
    near = ("Heretic Raider",)
    alone = force_of(RAIDERS, near, ("Drowned Chorister",))
    choir = force_of(CHOIR, near, ("Drowned Chorister",), ("Drowned Chorister", [], ["Leviathal Chorus"]))
    for force, words in ((alone, "within 8″"), (choir, "within 8″, or 12″ beside another Chorister")):
        calm = strike(raider, "bolt-action-rifle", force, "ranged")
        (key,) = [t.key for t in calm.toggles if "Unholy Hymns" in t.words and t.words.endswith(words)]
        assert dice(strike(raider, "bolt-action-rifle", force, "ranged", **{key: 1})) == dice(calm) - 1


def test_a_thrall_fights_better_near_the_choir() -> None:
    choir = force_of(CHOIR, ("Wretched", ["Trench Club"]))
    calm = strike(choir, "trench-club", PLAIN)
    key = key_of(calm, "of a Chorister or the Chorus")
    assert dice(strike(choir, "trench-club", PLAIN, **{key: 1})) == dice(calm) + 1


def test_the_commando_is_hard_to_shoot_and_hides_in_water() -> None:
    shooter = force_of(RAIDERS, ("Heretic Raider", ["Bolt-Action Rifle"]))
    diver = force_of(RAIDERS, ("Abyssal Commando", ["Reinforced Armour"], ["Abyssal Armour"]), ("Heretic Raider",))
    calm = strike(shooter, "bolt-action-rifle", diver, "ranged")
    assert dice(calm) == dice(strike(shooter, "bolt-action-rifle", diver, "ranged", foe="f2")) - 1
    key = key_of(calm, "touches water")
    hidden = strike(shooter, "bolt-action-rifle", diver, "ranged", **{key: 1})
    assert [any("Cover" in cause for cause in found.causes) for found in (calm, hidden)] == [False, True]


def test_a_talisman_gives_one_die_and_no_fear() -> None:
    bearer = force_of(RAIDERS, ("Heretic Raider", ["Sword/Axe", "Shark Tooth Talisman"]))
    calm = strike(bearer, "sword-axe", PLAIN)
    key = key_of(calm, "used beside a model with BLOOD MARKERS")
    assert dice(strike(bearer, "sword-axe", PLAIN, **{key: 1})) == dice(calm) + 1
    fearsome = force_of(RAIDERS, ("Drowned Chorister",))
    bare = force_of(RAIDERS, ("Heretic Raider", ["Sword/Axe"]))
    afraid = [strike(each, "sword-axe", fearsome).causes for each in (bearer, bare)]
    assert [any("FEAR" in cause for cause in causes) for causes in afraid] == [False, True]


@pytest.mark.parametrize(
    ("item", "keywords"),
    [
        ("boarding-axe", {"ARMOUR PIERCING", "CRITICAL", "RISKY"}),
        ("hull-drill", {"CRITICAL", "IGNORE ARMOUR", "RISKY"}),
        ("wreckers-torch", {"ARMOUR PIERCING", "FIRE"}),
    ],
)
def test_their_weapons_strike_with_their_keywords(item: str, keywords: set[str]) -> None:
    holder = "Heretic Captain" if item != "hull-drill" else "Abyssal Commando"
    mine = force_of(RAIDERS, (holder, [CONTENT.items[item].name]))
    found = strike(mine, item, PLAIN)
    assert keywords <= set(found.given["keywords"])
    outcome = resolve(CONTENT, "attack", found.given, TypedDice((6, 6, 6, 6, 6, 6, 6, 6)))
    assert outcome.steps


def test_switch_keys_are_of_the_words_they_ask() -> None:
    assert switch_key("within 8″") != switch_key("within 8″, or 12″ beside another Chorister")
