"""Weapons as the page and the table ask about them: which switches they offer, what is named beside the odds, and whom a blast catches how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.dice import TypedDice
from rules.force import Force, ForceItem
from rules.problems import Refusal
from rules.registry import system
from rules.resolvers.situation import Situation
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.trench_crusade.content import content_of
from rules.trench_crusade.resolvers.arms import arms, bare
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import odds, resolve_typed

OLD = "1.6.3"
CONTENT = content_of(OLD)
YEOMAN, TROOPER = "new-antioch.yeoman", "heretic-legion.heretic-trooper"
SNIPER = "new-antioch.sniper-priest"


def fresh(who: str, *kit: str) -> Force:
    """One fighter fresh from its profile ("list.profile"), with some kit on top."""
    list_id, _, profile = who.partition(".")
    force = bare(CONTENT, profile, list_id)
    pieces = tuple(ForceItem(key=f"k{place}", item=item) for place, item in enumerate(kit))
    return replace(force, fighters=(replace(force.fighters[0], kit=pieces),))


def attack(
    item: str,
    kind: str = "ranged",
    who: str = YEOMAN,
    more: tuple[str, ...] = (),
    wears: tuple[str, ...] = (),
    **told: Any,
) -> Situation:
    mine, other = fresh(who, item, *more), fresh(TROOPER, *wears)
    return situation(CONTENT, (mine, "1"), f"{item}:{kind}", (other, "1"), told)


def switches(found: Situation) -> set[str]:
    return {toggle.key for toggle in found.toggles}


@pytest.mark.parametrize(
    "item", ["flamethrower", "heavy-flamethrower", "corruption-belcher", "flame-cannon", "gas-censer"]
)
def test_what_hits_without_a_roll_asks_nothing_of_a_roll(item: str) -> None:
    found = attack(item)
    assert found.given["automatic_hit"]
    assert "It hits by itself" in found.causes
    of_the_roll = {"long_range", "elevated", "dice", "blood_spent", "blessing_spent", "down"}
    assert not switches(found) & of_the_roll
    assert ("cover" in switches(found)) is (item == "gas-censer")  # there it says whether armour counts
    assert odds(CONTENT, "attack", found.given).outcomes.get("failure", 0) == 0
    with pytest.raises(Refusal, match="no markers"):
        resolve_typed(CONTENT, "attack", {**found.given, "blood_spent": 1}, (4, 4))


@pytest.mark.parametrize("item", ["grenades", "gas-grenades", "molotov-cocktail", "demonic-aura-grenade"])
def test_a_grenade_asks_for_neither_range_nor_cover(item: str) -> None:
    assert not switches(attack(item)) & {"long_range", "cover"}
    assert "elevated" in switches(attack(item))


def test_a_war_cross_is_no_grenade_in_cover() -> None:
    assert switches(attack("war-cross")) & {"long_range", "cover"} == {"cover"}


def test_a_scope_takes_long_range_from_a_rifle_alone() -> None:
    scoped = attack("sniper-rifle", more=("sniper-scope",))
    assert "IGNORE LONG RANGE" in scoped.given["keywords"]
    assert "long_range" in switches(attack("sniper-rifle"))
    assert "long_range" in switches(attack("machine-gun", more=("sniper-scope",)))


@pytest.mark.parametrize("item", ["pistol-revolver", "automatic-pistol", "silenced-pistol"])
def test_a_pistol_in_melee_is_fired_once_with_the_ranged_characteristic(item: str) -> None:
    given = attack(item, "melee", who=SNIPER).given
    assert "attacks" not in given
    assert given["pistol"]
    causes = attack(item, "melee", who=SNIPER).causes
    assert any(
        f"{given['ranged']:+d} DICE to hit: Ranged Characteristic" in cause.replace("−", "-") for cause in causes
    )


@pytest.mark.parametrize(("wears", "armour", "shield", "firm"), [
    (("holy-icon-armour",), 0, 0, -1), (("holy-icon-shield",), 0, 0, -1), (("damascus-armour",), 0, 0, -2),
    (("infernal-iron-armour",), 0, 0, -2), (("reinforced-armour", "trench-shield"), -2, -1, 0),
    (("holy-icon-armour", "trench-shield"), 0, -1, -1), (("machine-armour",), -3, 0, 0),
])  # fmt: skip
def test_four_armours_are_never_ignored(wears: tuple[str, ...], armour: int, shield: int, firm: int) -> None:
    given = attack("bolt-action-rifle", wears=wears).given
    assert (given["armour"], given["shield"], given["unignorable_armour"]) == (armour, shield, firm)


# What a weapon leaves to the table, by a word of it. Every other weapon of the edition leaves nothing.
LEFT = {
    "assassins-dagger": "leave melee", "black-spot-rifle": "Thrall", "bow-of-alamut": "appear in melee", "demonic-aura-grenade": "Scenery",
    "heavy-flamethrower": "One more", "infernal-bomb": "thrown", "infernal-gas-bomb": "thrown", "masterworks-jezzail": "second enemy",
    "parasite-grenades": "moves its target", "rocket-propelled-grenade": "pushed", "sultanate-grand-cannon": "pushed",
    "tartarus-claws": "second bout", "tenderizer-maul": "Every other enemy", "tormentor-chain": "dragged",
}  # fmt: skip


def test_what_a_weapon_leaves_to_the_table_is_named() -> None:
    for item in CONTENT.pack.items:
        if not item.weapon:
            continue
        for arm in arms(CONTENT, fresh(YEOMAN, item.id), "1"):
            if not arm.key.startswith(f"{item.id}:"):
                continue
            mine, other = (fresh(YEOMAN, item.id), "1"), (fresh(TROOPER), "1")
            plain = situation(CONTENT, (fresh(YEOMAN), "1"), "unarmed:melee", other, {}).unreckoned
            found = [
                words
                for whose, words in situation(CONTENT, mine, arm.key, other, {}).unreckoned
                if (whose, words) not in plain
            ]
            if LEFT.get(item.id):
                assert any(LEFT[item.id] in words for words in found), (item.id, found)
            elif item.id not in LEFT:
                assert not found, (item.id, found)


def test_no_printed_term_of_any_weapon_goes_unread() -> None:
    """A term stands in the odds, or is told by the effects of its weapon."""
    for item in CONTENT.pack.items:
        for kind in ("ranged", "melee") if item.weapon else ():
            keys = {arm.key for arm in arms(CONTENT, fresh(YEOMAN, item.id), "1")}
            if f"{item.id}:{kind}" in keys:
                named = {words for _, words in attack(item.id, kind).unreckoned}
                assert not named & {*item.modifiers, *item.keywords}, item.id


# --- whom a blast catches


def thrown(item: str, *faces: int, **data: str) -> tuple[dict[str, Any], dict[str, str], str]:
    """A weapon with a blast at one of two fighters in reinforced armour; the other is caught. Outcomes by name, and the words of the log."""
    forces = {"A": fresh(YEOMAN, item), "B": fresh(TROOPER, "reinforced-armour")}
    ben = forces["B"].fighters[0]
    forces["B"] = replace(forces["B"], fighters=(replace(ben, key="b1"), replace(ben, key="b2")))
    forces["A"] = replace(forces["A"], fighters=(replace(forces["A"].fighters[0], key="a1"),))
    state = TableState(
        sides=(TableSide("A", "Ada"), TableSide("B", "Ben")),
        fighters=(
            TableFighter(key="a1", side="A", name="Ilse", markers={"blood": 1, "blessing": 1}),
            TableFighter(key="b1", side="B", name="Vasek", markers={"blood": 6}), TableFighter(key="b2", side="B", name="Rosk"),
        ),
    )  # fmt: skip
    game = system("trench-crusade")
    tracker = game.battle.tracker(CONTENT).bound(forces.get)
    asked = {"fighter": "a1", "target": "b1", "arm": f"{item}:ranged", "caught": "b2", **data}
    rule, given = tracker.question(state, "attack", asked)
    found = game.resolvers.resolve(CONTENT, rule, given, TypedDice(faces))
    after, told = tracker.apply(state, tracker.rolled(state, "attack", asked, found))
    outcomes = {
        key: "out" if after.fighter(key).out else "down" if after.fighter(key).down else "up" for key in ("b1", "b2")
    }
    return given, outcomes, told


def test_others_in_the_blast_of_a_grenade_are_hurt_with_a_die_less() -> None:
    given, outcomes, _ = thrown("grenades", 4, 4, 6, 6, 6, 6, 1)
    assert sum(one["dice"] for one in given["caught"][0]["injury_modifiers"]) == -1
    assert outcomes == {"b1": "out", "b2": "up"}


def test_a_satchel_charge_ignores_the_armour_of_the_one_it_lands_on() -> None:
    given, outcomes, _ = thrown("satchel-charge", 4, 4, 5, 4, 1, 5, 4, 1)
    assert "IGNORE ARMOUR" in given["keywords"]
    assert "IGNORE ARMOUR" not in given["caught"][0]["keywords"]
    assert outcomes == {"b1": "out", "b2": "down"}


def test_a_bombard_rolls_three_dice_for_the_one_it_lands_on_and_takes_others_down() -> None:
    given, outcomes, _ = thrown("murad-bombard", 4, 4, 4, 4, 4)
    assert (given["base_dice"], given["caught"][0]["base_dice"]) == (3, 2)
    assert outcomes == {"b1": "out", "b2": "down"}


def test_an_axe_that_misses_strikes_no_second_time() -> None:
    found = attack("executioners-axe", "melee")
    assert [one.get("after_hit", False) for one in found.given["attacks"]] == [False, True]
    assert found.causes[0] == "2 attacks, one after the other, each further one only after a hit"
    assert len(resolve_typed(CONTENT, "attack", found.given, (3, 3)).steps) == 1


def test_who_is_chained_is_rolled_no_injury_for() -> None:
    found = attack("tormentor-chain")
    assert not switches(found) & {
        "injury_dice",
        "injury_blood_spent",
        "injury_blessing_spent",
        "bloodbath",
        "long_range",
        "cover",
    }
    hit = resolve_typed(CONTENT, "attack", found.given, (4, 4))
    assert (hit.outcome, hit.effect("blood_markers")) == ("no-effect", 1)


@pytest.mark.parametrize(("item", "told"), [
    ("flamethrower", {"blood_spent": "1"}), ("flamethrower", {"blessing_spent": "1"}), ("tormentor-chain", {"injury_blood_spent": "1"}),
    ("tormentor-chain", {"bloodbath": "1"}), ("grenades", {"at_point": "1", "injury_blood_spent": "1"}),
    ("grenades", {"landed": "1", "blood_spent": "1"}), ("grenades", {"at_point": "1", "bloodbath": "1"}),
])  # fmt: skip
def test_markers_that_an_attack_cannot_spend_are_refused_at_the_table(item: str, told: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refusal:
        thrown(item, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, caught="", **told)
    assert refusal.value.code == "markers"


def test_thralls_near_a_butcher_bayonet_are_critical_sooner() -> None:
    """Not its bearer: in this edition it is for friendly Thralls."""
    knight = fresh("great-hunger.butcher-knight", "butcher-bayonet", "sword-axe")
    thrall = fresh("great-hunger.hungry-grail-thrall", "trench-club")
    both = replace(knight, fighters=(*knight.fighters, replace(thrall.fighters[0], key="2")))
    foe = (fresh(TROOPER), "1")
    told = {toggle.words: toggle.key for toggle in situation(CONTENT, (both, "2"), "trench-club:melee", foe, {}).toggles}  # fmt: skip
    near = {told["Butcher Bayonet: within 3″ of it"]: 1}
    assert situation(CONTENT, (both, "2"), "trench-club:melee", foe, near).given["critical_from"] == 11
    assert "critical_from" not in situation(CONTENT, (both, "2"), "trench-club:melee", foe, {}).given
    assert "critical_from" not in situation(CONTENT, (both, "1"), "sword-axe:melee", foe, near).given


def test_armour_that_is_ignored_is_told() -> None:
    worn = ("reinforced-armour", "trench-shield")
    assert "Armour is ignored" in attack("flamethrower", wears=worn).causes
    assert "Armour is ignored" not in attack("flamethrower").causes
    assert "The shield is ignored" in attack("shotel", "melee", wears=worn).causes
    assert "−2 to the injury: Armour" in attack("shotel", "melee", wears=worn).causes
