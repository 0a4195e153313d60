"""Weapons that leave INFECTION in place of BLOOD MARKERS: the resolver, the odds and the table, in both editions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.dice import TypedDice
from rules.force import Force, ForceUpgrade
from rules.registry import system
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.trench_crusade.content import EDITIONS, content_of
from rules.trench_crusade.resolvers import rules as table
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.attack_situation import situation
from tests.unit.rules.test_arms import NEW, OLD, YEOMAN, fresh
from tests.unit.rules.test_tracker import roll
from tests.unit.rules.test_tracker import table as standing

INFECTING = {
    OLD: ("plague-blade:melee", "beelzebubs-axe:melee", "putrid-shotgun:ranged", "black-spot-rifle:ranged"),
    NEW: ("plague-blade:melee", "beelzebubs-axe:melee", "putrid-shotgun:ranged", "black-spot-rifle:ranged", "vomitus:ranged"),
}  # fmt: skip
EACH = [(edition, arm) for edition in EDITIONS for arm in INFECTING[edition]]


def attack(edition: str, arm: str, **target: Any) -> dict[str, Any]:
    """The resolver's input of an attack of a Plague Knight with a weapon on a Yeoman with these markers."""
    knight, yeoman = (
        fresh(edition, "cult-of-the-black-grail.plague-knight", arm.partition(":")[0]),
        fresh(edition, YEOMAN),
    )
    given = dict(situation(content_of(edition), (knight, "1"), arm, (yeoman, "1"), {}).given)
    return {**given, "target": {**given["target"], **target}}


def resolve(edition: str, rule: str, given: dict[str, Any], *faces: int) -> dict[str, int]:
    """The effects of a rule on these dice, each by its name."""
    found = table.resolve(content_of(edition), rule, given, TypedDice(faces))
    return {name: value for effect in found.effects for name, value in effect.items()}


@pytest.mark.parametrize(("edition", "arm"), EACH)
def test_an_infecting_weapon_leaves_infection_in_place_of_blood(edition: str, arm: str) -> None:
    odds = table.odds(content_of(edition), "attack", attack(edition, arm))
    assert set(odds.blood) == {0}
    assert set(odds.infection) - {0}
    assert "blood_markers" not in odds.document()
    assert sum(odds.infection.values()) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_an_ordinary_weapon_leaves_is_blood(edition: str) -> None:
    odds = table.odds(content_of(edition), "attack", attack(edition, "sword-axe:melee"))
    assert set(odds.infection) == {0}
    assert set(odds.blood) - {0}


@pytest.mark.parametrize(("edition", "arm"), EACH)
def test_what_infects_is_told_with_the_odds(edition: str, arm: str) -> None:
    knight, yeoman = (
        fresh(edition, "cult-of-the-black-grail.plague-knight", arm.partition(":")[0]),
        fresh(edition, YEOMAN),
    )
    found = situation(content_of(edition), (knight, "1"), arm, (yeoman, "1"), {})
    assert "INFECTION in place of BLOOD MARKERS" in found.causes
    assert not any("INFECTION" in words for whose, words in found.unreckoned if whose == "mine" and ":" not in words)


@pytest.mark.parametrize("edition", EDITIONS)
def test_infection_is_reckoned_as_all_ways_of_the_dice_have_it(edition: str) -> None:
    """Brute force over two dice: a Minor Hit leaves one, a target that is Down already two."""
    injury = {"keywords": ["INFECTION MARKERS"], "target": {"down": True, "blood": 5, "infection": 5}}
    counts: dict[int, int] = {}
    for first, second, third in product(range(1, 7), repeat=3):  # the die more is that of a target that is Down
        total = sum(sorted((first, second, third))[1:])
        gained = 0 if total >= 9 or total < 2 else 1  # Down again would be two, but a seventh marker is none
        counts[gained] = counts.get(gained, 0) + 1
    odds = table.odds(content_of(edition), "injury", {**injury, "melee": True})
    assert odds.infection == {count: Fraction(ways, 216) for count, ways in counts.items()}
    assert odds.blood == {0: 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_kind_of_marker_has_its_own_six(edition: str) -> None:
    full = {"blood": 6, "infection": 2}
    assert resolve(edition, "injury", {"keywords": ["INFECTION MARKERS", "SHRAPNEL"], "target": full}, 2, 2) == {
        "infection_markers": 2
    }
    assert resolve(edition, "injury", {"keywords": [], "target": full}, 2, 2) == {}


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_infection_more_comes_with_markers_alone(edition: str) -> None:
    """Pestilent Fang: it comes on top of blood, or of infection, and not of nothing."""
    more = ["ONE INFECTION MARKER MORE"]
    assert resolve(edition, "injury", {"keywords": more}, 2, 2) == {"blood_markers": 1, "infection_markers": 1}
    assert resolve(edition, "injury", {"keywords": [*more, "INFECTION MARKERS"]}, 2, 2) == {"infection_markers": 2}
    assert resolve(edition, "injury", {"keywords": more, "modifier": -9}, 2, 2) == {}
    assert "out_of_action" in resolve(edition, "injury", {"keywords": more}, 6, 6)
    assert "infection_markers" not in resolve(edition, "injury", {"keywords": more}, 6, 6)


@pytest.mark.parametrize("edition", EDITIONS)
def test_infection_of_a_first_attack_lies_there_for_the_next(edition: str) -> None:
    """Two attacks on one target with five markers of infection: only the first leaves one."""
    one = {"kind": "melee", "automatic_hit": True, "keywords": ["INFECTION MARKERS"], "target": {"name": "a", "infection": 5}}  # fmt: skip
    found = table.resolve(content_of(edition), "attack", {"attacks": [one, one]}, TypedDice((2, 2, 2, 2)))
    assert [effect for effect in found.effects if "infection_markers" in effect] == [{"infection_markers": 1}]
    odds = table.odds(content_of(edition), "attack", {"attacks": [one, one]})
    assert max(odds.infection) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_infecting_attack_puts_infection_on_the_table(edition: str) -> None:
    """Told by hand and with the weapon of a roster: the target holds infection, and no blood."""
    state, words = roll(
        standing(), "attack", 5, 3, 2, 2, edition=edition, fighter="a1", target="b2", word_infection_markers="1"
    )
    assert state.fighter("b2").markers == {"infection": 1}
    assert "1 INFECTION MARKER" in words
    forces = {"A": fresh(edition, "cult-of-the-black-grail.plague-knight", "plague-blade"), "B": fresh(edition, YEOMAN)}
    armed = TableState(
        sides=(TableSide("A", "Ada"), TableSide("B", "Ben")),
        fighters=(
            TableFighter(key="a1", side="A", of="1", name="Knight"),
            TableFighter(key="b1", side="B", of="1", name="Yeoman"),
        ),
        turn_limit=4,
    )
    of = system("trench-crusade").battle.tracker(content_of(edition)).bound(forces.get)
    data = {"fighter": "a1", "target": "b1", "arm": "plague-blade:melee"}
    rule, given = of.question(armed, "attack", data)
    dice = TypedDice((5, 4, *[4] * abs(given["melee"]), 2, 3))
    found = table.resolve(content_of(edition), rule, given, dice)
    assert not dice.left
    state, words = of.apply(armed, of.rolled(armed, "attack", data, found))
    assert state.fighter("b1").markers == {"infection": 1}
    assert "Plague Blade" in words


@pytest.mark.parametrize(("edition", "who", "arm", "words"), [
    (NEW, "cult-of-the-black-grail.herald-of-beelzebub", "natural-infected-proboscis:melee", {"INFECTION MARKERS"}),
    (NEW, "great-hunger.matagot-hag", "natural-pestilent:melee", {"INFECTION MARKERS", "ONE INFECTION MARKER MORE"}),
    (NEW, "great-hunger.gregori-gula", "natural-gnashing-and-tearing:melee", {"INFECTION MARKERS"}),
    (NEW, "cult-of-the-black-grail.lord-of-tumours", "natural-crushing-blows:melee", {"ONE INFECTION MARKER MORE"}),
    (OLD, "cult-of-the-black-grail.herald-of-beelzebub", "unarmed:melee", {"INFECTION MARKERS"}),
    (OLD, "great-hunger.matagot-hag", "unarmed:melee", {"INFECTION MARKERS", "ONE INFECTION MARKER MORE"}),
    (OLD, "cult-of-the-black-grail.lord-of-tumours", "natural-beelzebubs-touch:melee", {"ONE INFECTION MARKER MORE"}),
])  # fmt: skip
def test_fighters_infect_without_a_weapon(edition: str, who: str, arm: str, words: set[str]) -> None:
    mine, yeoman = fresh(edition, who), fresh(edition, YEOMAN)
    given = situation(content_of(edition), (mine, "1"), arm, (yeoman, "1"), {}).given
    for one in given.get("attacks", (given,)):
        assert {word for word in one["keywords"] if "INFECTION" in word} == words
    assert set(table.odds(content_of(edition), "attack", given).infection) - {0}


def taught(edition: str, who: str, upgrade: str) -> Force:
    """A fighter with an upgrade."""
    force = fresh(edition, who)
    return replace(force, fighters=(replace(force.fighters[0], upgrades=(ForceUpgrade("u1", upgrade),)),))


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_infectious_hound_infects_with_its_teeth(edition: str) -> None:
    hound = "cult-of-the-black-grail.hound-of-the-black-grail"
    for force, infects in ((fresh(edition, hound), False), (taught(edition, hound, "infectious-hound"), True)):
        arm = next(arm.key for arm in arms(content_of(edition), force, "1") if arm.kind == "melee")
        given = situation(content_of(edition), (force, "1"), arm, (fresh(edition, YEOMAN), "1"), {}).given
        assert ("INFECTION MARKERS" in given["keywords"]) is infects


def test_a_vomiting_hag_of_the_older_edition_infects_a_line_unrolled() -> None:
    hag = taught(OLD, "great-hunger.matagot-hag", "vomitus")
    found = situation(content_of(OLD), (hag, "1"), "natural-vomitus:ranged", (fresh(OLD, YEOMAN), "1"), {})
    assert {"FLAMETHROWER", "INFECTION MARKERS", "STRIKES OTHERS TOO"} <= set(found.given["keywords"])
    paid = [toggle for toggle in found.toggles if "after the first" in toggle.words]
    assert [toggle.most for toggle in paid] == [2]
    more = situation(content_of(OLD), (hag, "1"), "natural-vomitus:ranged", (fresh(OLD, YEOMAN), "1"), {paid[0].key: 2})  # fmt: skip
    assert more.given["injury_modifier"] == 2
