"""From rosters to the table: which attacks a fighter has, what its line and its foe's abilities bring, and what is left out aloud."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.force import Force, ForceItem
from rules.problems import Refusal
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers.arms import arms, bare, profiles_by_list
from rules.trench_crusade.resolvers.attack_situation import situation

OLD, NEW = "1.6.3", "1.0"


RIFLE = "bolt-action-rifle"
SHOT = f"{RIFLE}:ranged"


def fresh(edition: str, who: str, *kit: str) -> Force:
    """One fighter fresh from its profile ("list.profile"), with some kit on top."""
    list_id, _, profile = who.partition(".")
    force = bare(content_of(edition), profile, list_id)
    pieces = tuple(ForceItem(key=f"k{place}", item=item) for place, item in enumerate(kit))
    return replace(force, fighters=(replace(force.fighters[0], kit=pieces),))


def attack(edition: str, foe: str, **told: Any) -> dict[str, Any]:
    """The input of a rifle shot of a Yeoman at a foe."""
    mine, other = fresh(edition, YEOMAN, RIFLE), fresh(edition, foe)
    return dict(situation(content_of(edition), (mine, "1"), SHOT, (other, "1"), told).given)


YEOMAN = "new-antioch.yeoman"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_yeoman_attacks_with_what_he_carries(edition: str) -> None:
    known = arms(content_of(edition), fresh(edition, YEOMAN, RIFLE, "shovel"), "1")
    assert SHOT in {arm.key for arm in known}
    assert "shovel:melee" in {arm.key for arm in known}
    bare_hands = arms(content_of(edition), fresh(edition, YEOMAN, RIFLE), "1")
    assert any(arm.key == "unarmed:melee" for arm in bare_hands) is (edition == OLD)


@pytest.mark.parametrize(
    ("foe", "dice"), [("cult-of-the-black-grail.grail-thrall", -1), ("heretic-legion.heretic-trooper", 0)]
)
@pytest.mark.parametrize("edition", EDITIONS)
def test_undead_fortitude_counts_against_the_injury(edition: str, foe: str, dice: int) -> None:
    given = attack(edition, foe)
    assert sum(one["dice"] for one in given["injury_modifiers"] if one["why"] == "Undead Fortitude") == dice


@pytest.mark.parametrize(
    ("edition", "foe", "dice"),
    [("1.0", "house-of-wisdom.takwin-homunculus", -1), (OLD, "house-of-wisdom.takwin-homunculus", 0)],
)
def test_artificial_life_counts_against_every_injury_in_the_newer_edition(edition: str, foe: str, dice: int) -> None:
    given = attack(edition, foe)
    assert sum(one["dice"] for one in given["injury_modifiers"] if one["why"] == "Artificial Life") == dice


def blow(item: str) -> dict[str, Any]:
    """The input of a blow of a Praetor with a weapon of the older edition."""
    praetor, other = (
        fresh(OLD, "court-of-the-seven-headed-serpent.praetor", item),
        fresh(OLD, "trench-pilgrims.trench-pilgrim"),
    )
    given = dict(situation(content_of(OLD), (praetor, "1"), f"{item}:melee", (other, "1"), {}).given)
    return dict(given["attacks"][0]) if "attacks" in given else given


@pytest.mark.parametrize(("item", "dice"), [("greatsword-greataxe", 1), ("executioners-axe", 2), ("sword-axe", 0)])
def test_a_great_blade_injures_with_more_dice(item: str, dice: int) -> None:
    assert sum(one["dice"] for one in blow(item)["injury_modifiers"]) == dice


def test_what_a_weapon_adds_to_the_injury_is_told_by_its_name() -> None:
    given = blow("double-handed-blunt-weapon")
    assert (given["injury_modifier"], given["injury_modifier_why"]) == (1, "Double-Handed Blunt Weapon")


def test_the_targets_armour_is_told() -> None:
    for edition in EDITIONS:
        given = attack(edition, "heretic-legion.anointed-heavy-infantry")
        assert given["armour"] + given["unignorable_armour"] < 0


def test_a_machine_armour_softens_a_down_result_for_new_antioch_in_the_older_edition() -> None:
    content = content_of(OLD)
    for who, softened in (("new-antioch.lieutenant", True), ("heretic-legion.heretic-priest", False)):
        foe = fresh(OLD, who, "machine-armour")
        given = situation(content, (fresh(OLD, YEOMAN, RIFLE), "1"), SHOT, (foe, "1"), {}).given
        assert given["target"]["down_is_minor"] is softened


def test_a_gas_mask_helps_against_gas_alone() -> None:
    content = content_of(OLD)
    foe = fresh(OLD, "heretic-legion.heretic-trooper", "gas-mask")
    for item, dice in ((RIFLE, 0), ("gas-grenades", -1)):
        mine = fresh(OLD, YEOMAN, item)
        given = situation(content, (mine, "1"), f"{item}:ranged", (foe, "1"), {}).given
        assert sum(one["dice"] for one in given["injury_modifiers"] if one["why"] == "Gas Mask") == dice


@pytest.mark.parametrize("edition", EDITIONS)
def test_switches_of_the_other_kind_of_attack_are_not_offered(edition: str) -> None:
    content = content_of(edition)
    mine, foe = fresh(edition, YEOMAN, RIFLE), fresh(edition, "heretic-legion.heretic-trooper")
    found = situation(content, (mine, "1"), SHOT, (foe, "1"), {"off_hand": 1, "cover": 1})
    keys = {toggle.key for toggle in found.toggles}
    assert "cover" in keys
    assert "off_hand" not in keys
    assert "off_hand" not in found.given
    with pytest.raises(Refusal, match="does not attack"):
        situation(content, (mine, "1"), "great-hammer:melee", (foe, "1"), {})
    with pytest.raises(KeyError):
        situation(content, (mine, "9"), SHOT, (foe, "1"), {})


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_open_profile_can_attack_and_be_attacked(edition: str) -> None:
    """No profile of any open list breaks the way to the resolver, on either end."""
    content = content_of(edition)
    yeoman = fresh(edition, YEOMAN, RIFLE)
    seen = 0
    for _, entries in profiles_by_list(content):
        for value, _name in entries:
            other = fresh(edition, value)
            situation(content, (yeoman, "1"), SHOT, (other, "1"), {})
            for arm in arms(content, other, "1"):
                situation(content, (other, "1"), arm.key, (yeoman, "1"), {})
            seen += 1
    assert seen > 60


def test_what_a_fighter_ignores_by_a_keyword_of_its_own_is_not_asked_of_it() -> None:
    """The Desecrated Saint of the newer edition has IGNORE OFF-HAND."""
    saint = fresh(NEW, "court-of-the-seven-headed-serpent.desecrated-saint", "sword-axe")
    other = fresh(NEW, "new-antioch.yeoman")
    found = situation(content_of(NEW), (saint, "1"), "sword-axe:melee", (other, "1"), {})
    assert "IGNORE OFF-HAND" in found.given["keywords"]
    assert "off_hand" not in {toggle.key for toggle in found.toggles}
    assert "defended_obstacle" in {toggle.key for toggle in found.toggles}


@pytest.mark.parametrize("edition", EDITIONS)
def test_fire_leaves_no_marker_of_its_own_on_a_demonic_foe(edition: str) -> None:
    """Keywords of both editions, DEMONIC."""
    assert attack(edition, "court-of-the-seven-headed-serpent.hell-knight")["target"]["negates"] == ["FIRE"]
    assert attack(edition, "heretic-legion.heretic-trooper")["target"]["negates"] == []
