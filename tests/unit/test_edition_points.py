"""The points in which Trench Crusade 1.0 differs from 1.6.3, each in a test that names it and looks at both editions.

Points of the table are rolled with typed dice by the resolvers of both editions; where a point is only words, the quick reference is
read. Points of the campaign are played out on values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.checker import check
from rules.consequences import Leaves, LosesItems, Pays, Taken
from rules.content.campaign_entries import CampaignRules
from rules.content.compiled import Content
from rules.dice import SeededDice
from rules.force import Battles, Force, ForceFighter, ForceItem, ForceTrauma
from rules.parts.post_battle import Aftermath, BattleSide, StepRecord
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.resolution import Progress, Task
from rules.resolvers.roller import Resolved
from rules.trench_crusade import post_battle
from rules.trench_crusade.resolvers import rules as table
from rules.vocabulary import (
    AfterBattleEffect,
    AsksEffect,
    DemotedEffect,
    EliteCapEffect,
    KeywordEffect,
    LosesKitEffect,
    NoExperienceEffect,
    OtherExperienceEffect,
    UncountedEliteEffect,
)
from tests.unit.rules import evening

NEW, OLD = "1.0", "1.6.3"
POINTS = [
    "roll-names",
    "injury-terms",
    "initiative",
    "turn-phases",
    "shoot-and-fight",
    "fight-action",
    "unarmed",
    "retreat",
    "charge-target",
    "charge-los",
    "charge-bonus",
    "diving-charge",
    "climb-fail",
    "low-walls",
    "jump-up",
    "jump-down",
    "fall",
    "dangerous",
    "flying",
    "elevation",
    "cover",
    "los",
    "obstacle",
    "down-injury",
    "down-stand",
    "down-ledge",
    "armour-cap",
    "bloodbath",
    "blast",
    "multi-shot",
    "auto-hit",
    "grenades",
    "pistols",
    "polearm",
    "heavy",
    "golem",
    "fireteam",
    "blessing-cap",
    "morale-fail",
    "shaken",
    "morale-order",
    "fractions",
    "one-off",
    "limits-found",
    "campaign-winner",
    "scenario-tables",
    "scenario-list",
    "attacker",
    "latecomer-xp",
    "phase-steps",
    "third-scar",
    "trauma-bands",
    "captured",
    "head-wound",
    "dark-memory",
    "muscle-damage",
    "facial-scar",
    "promotion-pool",
    "promotion-assign",
    "promotion-count",
    "mercenaries",
    "no-promotion",
    "limited-potential",
    "xp-thresholds",
    "retire",
    "reroll-base",
    "exploration-skills",
    "reinforcements",
    "glory-items",
    "surgical-champion",
    "bad-company",
    "friends",
    "war-stories",
    "glory-hound",
    "locations",
]

ILSE = evening.fighter("ilse", "lieutenant", "Ilse Brandt", kit=("sword-axe",))
MAREK = evening.fighter("marek", "sniper-priest", "Marek")
OTTLA = evening.fighter("ottla", "yeoman", "Ottla")
KOLYA = evening.fighter("kolya", "shocktrooper", "Kolya")
PIETER = evening.fighter("pieter", "yeoman", "Pieter")


def test_every_point_has_its_test() -> None:
    assert len(POINTS) == len(set(POINTS)) == 75
    assert [point for point in POINTS if f"test_{point.replace('-', '_')}" not in globals()] == []


# --- ways to look -----------------------------------------------------------------------------------------------------------------


def content(edition: str, **house: Any) -> Content:
    found = system("trench-crusade").content(edition, (), house)
    assert isinstance(found, Content)
    return found


def at_table(edition: str, rule: str, given: dict[str, Any], *faces: int) -> Resolved:
    """A rule of the table resolved on typed dice, all of which it must ask for."""
    return table.resolve_typed(content(edition), rule, given, faces)


def both(rule: str, given: dict[str, Any], *faces: int) -> tuple[str, str]:
    """What the same dice come to in 1.6.3 and in 1.0."""
    return at_table(OLD, rule, given, *faces).outcome, at_table(NEW, rule, given, *faces).outcome


def hits(edition: str, given: dict[str, Any]) -> set[tuple[str, str]]:
    """The dice that a roll to hit gains and loses, with their causes; the attack misses."""
    for dice in range(2, 9):
        try:
            return set(at_table(edition, "attack", given, *[1] * dice).modifiers)
        except Refusal as refusal:
            if refusal.code != "dice":
                raise
    raise AssertionError(given)


def refused(edition: str, rule: str, given: dict[str, Any], words: str) -> None:
    """The edition does not allow it."""
    with pytest.raises(Refusal, match=words):
        table.resolve(content(edition), rule, given, SeededDice(1))


def said(edition: str, *ids: str) -> str:
    """What the quick reference of an edition says under these ids."""
    entries = {entry.id: entry for entry in content(edition).pack.reference}
    return " ".join(f"{entries[id_].name}: {entries[id_].words}" for id_ in ids)


def keyword(edition: str, name: str) -> str:
    """What the glossary says of a keyword, "" where the edition has none."""
    return next((k.words for k in content(edition).pack.keywords if k.name == name), "")


def rules(edition: str) -> CampaignRules:
    return content(edition).campaign.rules


def force(edition: str, *fighters: ForceFighter, **known: Any) -> Force:
    base: dict[str, Any] = {
        "list": "new-antioch", "patron": "learned-saint", "founding": False, "strongbox": Price(84, 3), "battles": Battles(1),
        "fighters": fighters or (ILSE, MAREK, OTTLA, KOLYA, PIETER), "name": "The Lantern Wardens",
    }  # fmt: skip
    return Force("trench-crusade", edition, **{**base, **known})


def battle(*out: str, won: bool = False, deeds: Any = (), number: int = 1, part: Any = None) -> Aftermath:
    took = tuple(f.key for f in (ILSE, MAREK, OTTLA, KOLYA, PIETER)) if part is None else tuple(part)
    mine = BattleSide(
        "mine", "The Lantern Wardens", "new-antioch", "NEW ANTIOCH", won, took_part=took, out=out,
        out_by=dict.fromkeys(out, "choir"), deeds=tuple(deeds),
    )  # fmt: skip
    choir = BattleSide("choir", "Choir of Brass", "heretic-legion", "HERETIC", not won)
    return Aftermath(f"b{number}", number, "relic-hunt", mine, (choir,))


def tasks(
    edition: str,
    part: str,
    roster: Force | None = None,
    after: Aftermath | None = None,
    record: StepRecord | None = None,
) -> dict[str, Task]:
    """The tasks of the step that holds a part."""
    step = next(s.id for s in content(edition).campaign.steps if part in s.parts)
    roster = roster if roster is not None else force(edition)
    found = post_battle.tasks(content(edition), roster, after or battle(), record or StepRecord(), step)
    return {task.key: task for task in found}


def trauma(edition: str, number: int) -> Any:
    return next(t for t in content(edition).pack.traumas if t.first <= number <= t.last)


def suffer(edition: str, *faces: int, roster: Force | None = None, **choices: Any) -> Progress:
    """Ilse, taken out, rolls on the trauma chart."""
    return evening.run(tasks(edition, "injuries", roster, battle("ilse"))["trauma-ilse"], faces, choices)


def skill(edition: str, id_: str) -> Any:
    return content(edition).skills[id_]


def effects(entry: Any, kind: type) -> list[Any]:
    return [effect for effect in entry.effects if isinstance(effect, kind)]


def rolled(edition: str, table: str, roll: int) -> str:
    rows = content(edition).skill_tables[table].rows
    return next(row.skill for row in rows if row.roll == roll)


def promote(edition: str, dice: dict[str, int], faces: Any, roster: Force | None = None, **how: Any) -> Progress:
    task = tasks(edition, "promotion", roster, battle(**how))["promotion"]
    return evening.run(task, faces, {"dice": dice, **{f"model-{n}-{m}": "ottla" for n in range(3) for m in range(9)}})


# --- the table --------------------------------------------------------------------------------------------------------------------


def test_roll_names() -> None:
    assert "Success Roll" in said(NEW, "success-roll")
    assert "Risky action" in said(OLD, "risky-action")
    assert "Risky Success Roll" in said(NEW, "risky-roll")
    assert "Injury Roll Table" in said(NEW, "injury-table")


def test_injury_terms() -> None:
    for edition, word in ((OLD, "DICE"), (NEW, "INJURY DICE")):
        found = at_table(edition, "injury", {"dice": 1, "armour": -1}, 3, 3, 1)
        assert found.modifiers == ((f"+1 {word}", "told"), ("-1", "Armour"))
        assert found.total == 5
    assert "INJURY MODIFIERS" in said(NEW, "injury-modifiers")


def test_initiative() -> None:
    sides = {"sides": [{"name": "Ada", "on_table": 5, "down": 2}, {"name": "Ben", "on_table": 4}]}
    assert at_table(OLD, "initiative", sides).told == "Ben begins."
    assert at_table(NEW, "initiative", sides).told == "Ada chooses who begins."


def test_turn_phases() -> None:
    assert "Initiative, Activation, Morale" in said(NEW, "turn")
    assert "Morale" not in said(OLD, "turn")


def test_shoot_and_fight() -> None:
    assert "bars Charge and Fight" in said(NEW, "ranged-attack")
    assert "Fight" not in said(OLD, "ranged-attack", "charge")


def test_fight_action() -> None:
    assert "in either order" in said(NEW, "melee-attack")
    assert "the battle's first attack" in said(OLD, "off-hand")


def test_unarmed() -> None:
    assert ("-1 DICE", "Unarmed") in hits(OLD, {"kind": "melee", "unarmed": True})
    refused(NEW, "attack", {"kind": "melee", "unarmed": True}, "Without a melee weapon")


def test_retreat() -> None:
    assert both("retreat", {"enemies": 2}) == ("moves", "moves")
    assert "a Melee Attack first" in at_table(OLD, "retreat", {}).told
    assert "one weapon, one attack" in at_table(NEW, "retreat", {}).told
    assert both("retreat", {"clear": False}) == ("moves", "stays")
    assert at_table(NEW, "retreat", {"struck": True}).effect("moves") is None
    assert 'over 1"' in said(NEW, "retreat")
    assert 'over 1"' not in said(OLD, "retreat")


def test_charge_target() -> None:
    assert "only one" in said(NEW, "charge-targets")
    assert "ends the Charge on that one" in said(OLD, "charge-several")


def test_charge_los() -> None:
    assert at_table(OLD, "charge", {"sees": False}, 1, 2).effect("activation_ends")
    refused(NEW, "charge", {"sees": False}, "line of sight")


def test_charge_bonus() -> None:
    assert both("charge", {"movement": 8}, 6) == ("12", "12")
    assert both("charge", {"movement": 6, "heavy": True}) == ("6", "6")


def test_diving_charge() -> None:
    blow = {"kind": "melee", "diving_charge": True, "defended_obstacle": True}
    old, new = at_table(OLD, "attack", blow, 6, 6, 1, 1, 1, 1, 1), at_table(NEW, "attack", blow, 6, 6, 1, 1, 1)
    assert ("+1 DICE", "Diving Charge") in old.steps[0].modifiers
    assert ("+1 DICE", "Diving Charge") in old.steps[1].modifiers
    assert set(new.steps[0].modifiers) == {("+1 DICE", "Diving Charge"), ("-1 DICE", "Defended Obstacle")}
    assert ("+1 INJURY DICE", "Diving Charge") not in new.steps[1].modifiers
    dive = {"distance": 8, "dive": 7, "lands_within": 1}
    refused(OLD, "charge", dive, "3 to 6 inches")
    assert at_table(NEW, "charge", dive, 3, 4, 4).effect("diving_charge")
    assert at_table(OLD, "charge", {**dive, "dive": 5, "lands_within": 2}, 3, 4, 4).effect("diving_charge")
    refused(NEW, "charge", {**dive, "lands_within": 2}, "within 1 inch")
    failed = at_table(NEW, "charge", dive, 3, 1, 2, 1, 1, 1, 1)
    assert (failed.outcome, failed.effect("falls"), failed.effect("goes_down")) == ("failure", 7, True)
    assert failed.effect("activation_ends")


def test_climb_fail() -> None:
    failed = [at_table(edition, "climb", {"height": 3}, 1, 2) for edition in (OLD, NEW)]
    assert [found.effect("stays") for found in failed] == ["where it is", "at the foot"]
    assert all(found.effect("activation_ends") for found in failed)


def test_low_walls() -> None:
    assert "Open terrain" in said(NEW, "low-walls")
    assert "needs no roll" in said(OLD, "climbing")


def test_jump_up() -> None:
    jump = {"gap": 2, "rise": 1, "movement": 6}
    assert [at_table(e, "jump", jump, 4, 4).effect("costs") for e in (OLD, NEW)] == [3, 3]
    assert at_table(OLD, "jump", {**jump, "gap": 3}, 4, 4).effect("costs") == 4  # one inch more, whatever the jump
    refused(NEW, "jump", {**jump, "gap": 3}, "needs 4")  # the height counts as length
    refused(OLD, "jump", {**jump, "gap": 1, "rise": 2}, "an inch higher")
    assert at_table(NEW, "jump", {**jump, "gap": 1, "rise": 2}, 4, 4).effect("costs") == 3


def test_jump_down() -> None:
    assert at_table(OLD, "fall", {"height": 3, "voluntary": True}).outcome == "unhurt"
    landed = at_table(NEW, "fall", {"height": 3, "voluntary": True}, 1, 4, 4)
    assert (landed.outcome, landed.effect("activation_ends")) == ("down", True)
    assert at_table(OLD, "fall", {"height": 4, "voluntary": True}, 1, 4, 4).effect("activation_ends") is None


def test_fall() -> None:
    assert at_table(OLD, "fall", {"height": 2.5}, 1, 1).outcome == "minor-hit"
    assert at_table(NEW, "fall", {"height": 2.5}).outcome == "unhurt"
    assert at_table(NEW, "fall", {"height": 3}, 1, 1, 1).modifiers == (("+1 INJURY DICE", "A fall of 3 inches"),)


def test_dangerous() -> None:
    started = {"moved_into": False, "injury": {"keywords": ["FIRE"]}}
    old, new = (at_table(edition, "dangerous-terrain", started, 1, 1, 1, 1) for edition in (OLD, NEW))
    assert (old.effect("activation_ends"), new.effect("activation_ends")) == (None, True)
    assert old.effect("blood_markers") == new.effect("blood_markers") == 2  # the keywords of the ground count


def test_flying() -> None:
    assert at_table(OLD, "dangerous-terrain", {"flying": True}).outcome == "success"
    assert at_table(NEW, "dangerous-terrain", {"flying": True}, 6, 6).outcome == "critical"
    over = {"flying": True, "ends_in": False}
    assert both("dangerous-terrain", over) == ("success", "success")
    assert both("climb", {"flying": True}) == both("jump", {"flying": True}) == ("success", "success")
    assert at_table(OLD, "fall", {"flying": True, "height": 6}, 1, 1, 1, 1).outcome == "minor-hit"
    assert at_table(NEW, "fall", {"flying": True, "height": 6}).outcome == "unhurt"


def test_elevation() -> None:
    above = ("+1 DICE", "Elevated position")
    for height, base, old, new in (
        (2, 32, True, False),
        (3, 32, True, True),
        (3, 50, False, True),
        (4, 50, True, True),
    ):
        shot = {"higher_by": height, "target": {"base": base}}
        assert [above in hits(edition, shot) for edition in (OLD, NEW)] == [old, new], (height, base)


def test_cover() -> None:
    assert all(("-1 DICE", "Cover") in hits(edition, {"cover": True}) for edition in (OLD, NEW))
    assert "half an inch" in said(NEW, "cover")
    assert "half an inch" not in said(OLD, "cover")


def test_los() -> None:
    assert "Base, hands, feet" in said(NEW, "line-of-sight")
    assert "line-of-sight" not in {entry.id for entry in content(OLD).pack.reference}


def test_obstacle() -> None:
    assert "cover comes from terrain" in said(NEW, "defended-obstacle")
    assert "not Down" in said(OLD, "defended-obstacle")
    behind = {"kind": "melee", "defended_obstacle": True, "target": {"down": True}}
    assert [("-1 DICE", "Defended Obstacle") in hits(edition, behind) for edition in (OLD, NEW)] == [False, True]


def test_down_injury() -> None:
    for melee, old, new in ((True, 3, 3), (False, 3, 2)):
        target = {"melee": melee, "target": {"down": True}}
        assert len(at_table(OLD, "injury", target, *[1] * old).rolled) == 3
        assert len(at_table(NEW, "injury", target, *[1] * new).rolled) == new


def test_down_stand() -> None:
    assert at_table(OLD, "stand", {"own_activation": True, "movement": 6}, 4, 4).effect("moves") == 3
    refused(NEW, "stand", {"own_activation": True}, "next activated")
    assert at_table(NEW, "charge", {"movement": 6, "stood_up": True}, 4).effect("moves") == 5
    assert "Charge Bonus" in said(NEW, "down")


def test_down_ledge() -> None:
    fell = [at_table(edition, "ledge", {"height": 4}, 1, 1, 1, 1, 1) for edition in (OLD, NEW)]
    assert [found.effect("activation_ends") for found in fell] == [True, None]
    assert [(found.effect("falls"), found.effect("goes_down")) for found in fell] == [(4, True)] * 2


def test_armour_cap() -> None:
    plated = {"armour": -3, "shield": -1}
    assert [at_table(edition, "injury", plated, 6, 6).total for edition in (OLD, NEW)] == [8, 9]
    assert both("injury", plated, 6, 6) == ("down", "out-of-action")
    pierced = {**plated, "keywords": ["ARMOUR PIERCING"]}
    assert [at_table(edition, "injury", pierced, 6, 6).total for edition in (OLD, NEW)] == [9, 9]


def test_bloodbath() -> None:
    spent = {"bloodbath": True, "target": {"blood": 6}}
    assert both("injury", spent, 1, 1, 6) == ("down", "down")
    assert at_table(NEW, "injury", spent, 1, 1, 6).effect("markers_spent") == 6
    down = {"bloodbath": True, "target": {"blood": 3, "down": True}}
    assert at_table(NEW, "injury", down, 1, 1, 1).effect("markers_spent") == 3
    assert at_table(NEW, "injury", {**spent, "keywords": ["DEADLY"]}, 2, 2, 2, 3).total == 9
    assert at_table(OLD, "injury", {**spent, "base_dice": 3}, 2, 2, 2, 3).total == 9
    assert "DEADLY 4D6" in said(NEW, "bloodbath")
    assert "DEADLY" not in said(OLD, "bloodbath")


def test_blast() -> None:
    blast = {"keywords": ["BLAST 3"], "caught": [{"target": {"name": "Kolya"}}]}
    old, new = at_table(OLD, "attack", blast, 6, 6, *[1] * 6), at_table(NEW, "attack", blast, 6, 6, *[1] * 5)
    assert [len(step.rolled) for step in old.steps] == [2, 3, 3]  # the critical hit counts for all
    assert [len(step.rolled) for step in new.steps] == [2, 3, 2]  # for the model aimed at alone
    ground = at_table(NEW, "attack", {**blast, "at_point": True}, 6, 6, 1, 1)
    assert [len(step.rolled) for step in ground.steps] == [2, 2]
    astray = {**blast, "at_point": True, "keywords": ["BLAST 3", "SCATTER"]}
    assert at_table(NEW, "attack", astray, 2, 2).effect("scatters") == 3


def test_multi_shot() -> None:
    assert "AUTOMATIC" in said(NEW, "several-shots")
    assert "one by one" in said(OLD, "ranged-attack")
    assert not any(k.name.startswith("AUTOMATIC") for k in content(OLD).pack.keywords)


def test_auto_hit() -> None:
    assert "FLAMETHROWER" in said(NEW, "automatic-hits")
    assert keyword(NEW, "FLAMETHROWER")
    assert not keyword(OLD, "FLAMETHROWER")


def test_grenades() -> None:
    thrown = {"grenade": True, "cover": True, "long_range": True}
    assert hits(OLD, thrown) == set()
    assert hits(NEW, thrown) == {("-1 DICE", "Cover"), ("-1 DICE", "Long range")}
    assert hits(NEW, {**thrown, "keywords": ["IGNORE COVER", "IGNORE LONG RANGE"]}) == set()


def test_pistols() -> None:
    fired = {"kind": "melee", "pistol": True, "ranged": 1, "melee": 2}
    assert hits(OLD, fired) == {("+1 DICE", "Ranged Characteristic, a pistol")}
    assert hits(NEW, fired) == {("+2 DICE", "the better Characteristic, a pistol")}


def test_polearm() -> None:
    charged = {"kind": "melee", "charged": True, "target": {"polearm": True}}
    assert all(("-1 DICE", "Polearm against a charge") in hits(edition, charged) for edition in (OLD, NEW))
    assert "BLOCK" in content(NEW).item_keywords["trench-polearm"]
    assert "BLOCK" not in content(OLD).item_keywords["trench-polearm"]


def test_heavy() -> None:
    assert "Retreats" in said(NEW, "heavy")
    assert "Retreat" not in keyword(OLD, "HEAVY")


def test_golem() -> None:
    golem = {"target": {"golem": True}}
    assert both("injury", golem, 6, 6) == ("down", "down")
    assert both("injury", {**golem, "bloodbath": True}, 6, 6, 1) == ("out-of-action", "out-of-action")
    assert at_table(NEW, "injury", {**golem, "keywords": ["GAS"]}, 1, 1).effect("blood_markers") == 1
    assert "Never TOUGH" in said(NEW, "golem")
    assert "TOUGH" not in keyword(OLD, "GOLEM")


def test_fireteam() -> None:
    refused(OLD, "activation", {"together": False}, "together")
    assert at_table(NEW, "activation", {"together": False}).outcome == "goes-on"
    assert both("activation", {"failed_risky": True}) == ("ends", "ends")


def test_blessing_cap() -> None:
    assert "Six at most" in said(NEW, "blessing-marker")


def test_morale_fail() -> None:
    half = {"models": 5, "down": 1, "out": 2}
    assert both("morale", half, 1, 2) == ("flees", "shaken")
    assert both("morale", {**half, "flees": True}, 1, 2) == ("flees", "flees")
    assert at_table(NEW, "morale", {"models": 5, "out": 2}).effect("test") is False


def test_shaken() -> None:
    again = {"models": 9, "shaken": True}
    assert at_table(NEW, "morale", again, 1, 2).outcome == "flees"  # whatever the losses
    assert at_table(OLD, "morale", again).effect("test") is False
    assert at_table(NEW, "success", {"shaken": True}, 1, 2).effect("activation_ends")
    assert "another check is due next Turn" in said(NEW, "shaken")
    assert "Optional" in said(OLD, "shaken")


def test_morale_order() -> None:
    assert both("morale-order", {"models": [9, 7], "initiative": 1}) == ("2", "chosen")
    level = {"models": [7, 7], "initiative": 2}
    assert (at_table(OLD, "morale-order", level, 3, 5).outcome, at_table(NEW, "morale-order", level).outcome) == (
        "2",
        "chosen",
    )


def test_fractions() -> None:
    assert "Distances keep them" in said(NEW, "fractions")
    assert "Always" in said(OLD, "fractions")


def test_one_off() -> None:
    assert "700" in said(NEW, "one-off")
    assert content(OLD).lists["new-antioch"].army.start.one_off == Price(900, 8)
    assert content(NEW).lists["new-antioch"].army.start.one_off != Price(900, 8)


def test_limits_found() -> None:
    """A find past its LIMIT is a problem by 1.0 and none by 1.6.3."""
    codes = {}
    for edition in (OLD, NEW):
        offer = next(o for o in content(edition).lists["new-antioch"].item_offers if o.limit == 1)
        finds = tuple(ForceItem(f"find-{n}", offer.item, "found", offer.id) for n in range(2))
        verdict = check(content(edition), force(edition, stash=finds))
        codes[edition] = "warband-limit" in {problem.code for problem in verdict.problems}
    assert codes == {OLD: False, NEW: True}


# --- the campaign -----------------------------------------------------------------------------------------------------------------


def test_campaign_winner() -> None:
    game = system("trench-crusade")
    assert game.campaign.result_points(content(NEW)) == {"won": 15, "drawn": 10, "lost": 7}
    assert game.campaign.result_points(content(OLD)) == {}


def scenario(edition: str, number: int, faces: Any, last: tuple[str, ...] = (), **choices: Any) -> Progress:
    task = post_battle.scenario_task(content(edition), [number, number + 1], last, {}, ["The Wardens", "The Choir"])
    return evening.run(task, faces, choices)


def test_scenario_tables() -> None:
    bands = {e: [(s.first_battle, s.last_battle) for s in content(e).campaign.stages] for e in (OLD, NEW)}
    assert bands == {OLD: [(1, 3), (4, 9), (9, 11), (12, 12)], NEW: [(1, 3), (4, 8), (9, 11), (12, 12)]}
    picks = scenario(NEW, 1, [6]).asked
    assert picks is not None
    assert picks.words == "The Wardens picks the scenario."
    swap = scenario(NEW, 1, [1], ("claim-no-mans-land",))  # what the die says is the choice; another is agreed on apart
    assert swap.asked is None
    assert swap.outcome is not None
    assert swap.outcome.sentence == "The scenario is Claim No Man's Land."
    assert "Both sides may agree" in swap.outcome.will_do[0]
    again = scenario(OLD, 1, [1], ("claim-no-mans-land",))
    assert again.need is not None


def test_scenario_list() -> None:
    old, new = set(content(OLD).scenarios), set(content(NEW).scenarios)
    assert {"hill-223", "storming-the-shores"} <= old - new
    assert {"the-high-ground", "dont-breathe"} <= new - old
    mid = next(s for s in content(NEW).campaign.stages if s.first_battle == 4)
    assert "trench-warfare" in {row.scenario for row in mid.rows}


def test_attacker() -> None:
    sides = [("w", "Wardens", 1), ("c", "Choir", 3)]
    larger = post_battle.attacker_task(content(NEW), sides, {}, "supply-raid", {"w": 9, "c": 12})
    assert evening.settle(larger).sentence == "Choir attacks."
    rolled_off = evening.run(
        post_battle.attacker_task(content(NEW), sides, {}, "relic-hunt", {"w": 9, "c": 12}), [5, 2]
    )
    assert rolled_off.asked is not None
    assert "Wardens won the roll-off" in rolled_off.asked.words
    fewer = evening.run(post_battle.attacker_task(content(OLD), sides, {}))
    assert fewer.asked is not None
    assert "Wardens has fought fewer battles" in fewer.asked.words


def test_latecomer_xp() -> None:
    game = system("trench-crusade")
    assert game.founding.late_start(content(OLD), "new-antioch", 900, 2)[1] == 2
    assert game.founding.late_start(content(NEW), "new-antioch", 900, 2)[1] == 8


def test_phase_steps() -> None:
    names = [step.label for step in post_battle.steps(content(NEW), force(NEW))]
    assert names == ["Trauma", "Promotions & Experience", "Reinforcements", "Exploration", "Quartermaster", "Roster"]
    strict = post_battle.steps(content(OLD, camp="strict"), force(OLD))
    assert len(strict) == 11
    assert "Threshold" in {step.label for step in strict}
    found = tasks(NEW, "injuries", after=battle("ilse", "ottla"))
    assert list(found) == ["casualty-ottla", "trauma-ilse"]
    assert found["trauma-ilse"].needs == ("casualty-ottla",)
    assert list(tasks(OLD, "injuries", after=battle("ilse", "ottla"))) == ["trauma-ilse", "casualty-ottla"]


SCARRED = replace(ILSE, traumas=(ForceTrauma("t1", "chest-wound", battle=1), ForceTrauma("t2", "hand-wound", battle=1)))


def test_third_scar() -> None:
    for edition, status, kept in ((OLD, "dead", False), (NEW, "retired", True)):
        outcome = suffer(edition, 1, 3, roster=force(edition, SCARRED, OTTLA)).outcome
        assert outcome is not None
        leaves = next(c for c in outcome.consequences if hasattr(c, "kit_to_stash"))
        assert (leaves.status, leaves.kit_to_stash) == (status, kept)
    assert "Unfit for Duty" in outcome.sentence


def test_trauma_bands() -> None:
    def bands(edition: str) -> dict[str, tuple[int, int]]:
        return {t.id: (t.first, t.last) for t in content(edition).pack.traumas if t.first >= 36}

    assert bands(NEW) == {
        "robbed": (36, 36), "full-recovery": (41, 63), "hardened": (64, 64), "bitter-lessons": (65, 65), trauma(NEW, 66).id: (66, 66),
    }  # fmt: skip
    assert bands(OLD)["full-recovery"] == (36, 62)
    assert bands(OLD)["robbed"] == (65, 65)


def test_captured() -> None:
    held = suffer(OLD, 1, 2).outcome
    assert held is not None
    assert "is captured by" in held.sentence
    assert any(isinstance(c, LosesItems) for c in held.consequences)
    taken = suffer(NEW, 1, 2).outcome
    assert taken is not None
    assert [type(c) for c in taken.consequences] == [Taken]  # the kit stays with the captive


def captive(edition: str) -> Force:
    return force(edition, replace(ILSE, status="captive"), MAREK, OTTLA)


def test_a_capture_is_bargained_over_before_the_next_roll() -> None:
    progress = suffer(NEW, 1, 2)
    record = StepRecord(draws={"trauma-ilse": progress.draws})
    after = battle("ilse", "marek")
    assert tasks(NEW, "injuries", after=after, record=record)["trauma-marek"].needs == ("trauma-ilse",)
    held = tasks(NEW, "injuries", captive(NEW), after, evening.written("trauma-ilse"))
    assert held["trauma-marek"].needs == ("ransom-ilse",)
    unpaid = evening.settle(held["ransom-ilse"], (), {"ransom": "unpaid"})
    assert unpaid.sentence == "Choir of Brass executes the captive. Ilse Brandt dies."
    assert [(c.fighter, c.status) for c in unpaid.consequences if isinstance(c, Leaves)] == [("ilse", "dead")]
    home = tasks(NEW, "injuries", after=after, record=evening.written("trauma-ilse"))
    assert "ransom-ilse" not in home
    assert home["trauma-marek"].needs == ()
    old = tasks(OLD, "injuries", captive(OLD), after, evening.written("trauma-ilse"))
    assert "ransom-ilse" not in old


def test_for_a_guest_the_loser_writes_down_the_ransom() -> None:
    after = battle("ilse")
    after = replace(after, others=(replace(after.others[0], guest=True),))
    task = tasks(NEW, "injuries", after=after)["trauma-ilse"]
    asked = evening.run(task, (1, 2)).asked
    assert asked is not None
    assert asked.key == "ransom"
    paid = evening.settle(task, (1, 2), {"ransom": "paid", "ducats": 30})
    assert [(c.to, c.amount.ducats) for c in paid.consequences if isinstance(c, Pays)] == [("choir", 30)]
    assert evening.settle(task, (1, 2), {"ransom": "unpaid"}).grave


def test_head_wound() -> None:
    assert effects(trauma(OLD, 22), DemotedEffect)
    assert effects(trauma(NEW, 22), NoExperienceEffect)
    hurt = replace(ILSE, experience=3, advances=1, traumas=(ForceTrauma("t1", trauma(NEW, 22).id, battle=0),))
    roster = force(NEW, hurt, OTTLA)
    views = system("trench-crusade").views(content(NEW), roster)
    assert views["ilse"].elite
    assert not views["ilse"].may_learn
    six = promote(NEW, {"ilse": 1}, [6], roster).outcome
    assert six is not None
    assert evening.sets(six)["ilse", "traumas", "t1", "details", "overcome"] is True
    healed = replace(hurt, traumas=(ForceTrauma("t1", trauma(NEW, 22).id, details={"overcome": True}),))
    assert system("trench-crusade").views(content(NEW), force(NEW, healed, OTTLA))["ilse"].may_learn


def test_dark_memory() -> None:
    """1.6.3 asks for a faction, 1.0 for the enemy warband by its name."""
    assert {e.of for e in effects(trauma(OLD, 24), AsksEffect)} == {"factions"}
    assert {e.of for e in effects(trauma(NEW, 24), AsksEffect)} == {"warband"}
    asked = suffer(NEW, 2, 4).asked
    assert asked is not None
    assert "Choir of Brass" in {option.title for option in asked.options}


def test_muscle_damage() -> None:
    gun = next(i.id for i in content(NEW).pack.items if "HEAVY" in content(NEW).item_keywords[i.id] and i.weapon)
    armed = replace(ILSE, kit=(ForceItem("gun", gun), ForceItem("axe", "sword-axe")))
    outcome = suffer(NEW, 3, 4, roster=force(NEW, armed, OTTLA)).outcome
    assert outcome is not None
    assert [c.items for c in outcome.consequences if hasattr(c, "items")] == [("gun",)]
    assert not effects(trauma(OLD, 34), LosesKitEffect)


def test_facial_scar() -> None:
    assert trauma(OLD, 66).name == "Facial Scar"
    assert trauma(NEW, 66).name == "Prominent Scar"
    assert {e.of for e in effects(trauma(NEW, 66), AsksEffect)} == {"warband"}


def test_promotion_pool() -> None:
    """A victory brings a die by 1.6.3 and none by 1.0."""
    dice = {}
    for edition in (OLD, NEW):
        asked = evening.run(
            tasks(edition, "promotion", after=battle(won=True, deeds=[("sniper", "ilse")]))["promotion"]
        ).asked
        assert asked is not None
        dice[edition] = asked.total
    assert dice == {OLD: 3, NEW: 2}


def test_promotion_assign() -> None:
    deeds = [("sniper", "ilse"), ("a", "ottla"), ("b", "ottla"), ("c", "")]
    assert promote(OLD, {"ottla": 3, "kolya": 0}, [1, 1, 1], deeds=deeds).outcome is not None
    with pytest.raises(Refusal, match="3 is more than 2"):
        promote(NEW, {"ottla": 3}, [], deeds=deeds)
    many = [*deeds, *((name, "") for name in "defgh")]
    with pytest.raises(Refusal, match="only once all have 2; Kolya has 1"):
        promote(NEW, {"ottla": 3, "kolya": 1, "pieter": 2}, [], deeds=many)


def test_promotion_count() -> None:
    deeds = [("sniper", "ilse"), ("a", "kolya")]
    both_rise = promote(NEW, {"ottla": 1, "kolya": 1}, [6, 6], deeds=deeds).outcome
    assert both_rise is not None
    assert both_rise.sentence == "Ottla and Kolya are promoted."
    task = tasks(OLD, "promotion", after=battle(deeds=deeds))["promotion"]
    one = evening.settle(task, [6], {"dice": {"ottla": 1, "kolya": 1}, "die-1": "ottla"})
    assert one.sentence == "Ottla is promoted."


def test_mercenaries() -> None:
    assert not rules(OLD).mercenaries_advance
    for edition, may in ((OLD, False), (NEW, True)):
        entry = next(o for o in content(edition).lists["new-antioch"].profile_offers if o.hired_as == "mercenary")
        hired = ForceFighter("hired", "Hired", entry.profile, entry.id, hired_as="mercenary")
        view = system("trench-crusade").views(content(edition), force(edition, ILSE, hired))["hired"]
        assert (view.may_be_promoted or view.may_learn) is may


def test_no_promotion() -> None:
    def never(edition: str) -> set[str]:
        return {p.id for p in content(edition).pack.profiles if p.advancement in ("none", "animal")}

    assert "war-wolf-assault-beast" in never(NEW)
    assert "war-wolf-assault-beast" not in never(OLD)
    assert "wretched" in never(OLD) & never(NEW)


def test_limited_potential() -> None:
    def limited(edition: str) -> set[str]:
        return {p.id for p in content(edition).pack.profiles if p.advancement == "limited"}

    assert "war-wolf-assault-beast" in limited(OLD)
    assert "war-wolf-assault-beast" not in limited(NEW)
    assert content(NEW).campaign.advances_at[content(NEW).campaign.limited_advances - 1] == 7


def test_xp_thresholds() -> None:
    assert content(OLD).campaign.advances_at == content(NEW).campaign.advances_at == (2, 4, 7, 10, 14, 18)


def test_retire() -> None:
    game = system("trench-crusade")
    for edition, verb in ((OLD, "Dismiss"), (NEW, "Retire")):
        way = game.departures(content(edition), force(edition, SCARRED, OTTLA), "ilse")[0]
        assert (way.name, way.state) == (f"{verb} Ilse Brandt", "open")
        shut = game.departures(content(edition), force(edition), "ilse")[0]
        assert shut.state == "closed"
    camp = next(step for step in content(NEW).campaign.steps if step.kind == "camp")
    assert camp.name == "Quartermaster"


def changes(edition: str, *, won: bool) -> list[str]:
    from rules.trench_crusade.steps.exploration_dice import owned_changes

    scene = post_battle.step_context(content(edition), force(edition), battle(won=won), StepRecord())
    return [change.id for change in owned_changes(scene)]


def test_reroll_base() -> None:
    assert changes(NEW, won=False) == ["free"]
    assert changes(NEW, won=True) == ["free", "winner"]
    assert changes(OLD, won=False) == ["reroll"]
    task = tasks(NEW, "exploration", after=battle(won=True))["exploration"]
    kept = {"mod-1": "free", "mod-1-die": "1", "mod-2": "winner"}
    asked = evening.run(task, [1, 2, 3, 6], kept).asked
    assert asked is not None
    assert [option.value for option in asked.options] == ["2", "3"]  # the first die was rolled again already


def test_exploration_skills() -> None:
    def known(edition: str) -> set[str]:
        return {s.id for s in content(edition).pack.skills if s.kind == "exploration"}

    assert known(OLD) - known(NEW) == {"split", "combine"}
    roster = force(NEW, exploration_skills=("seek",))
    task = tasks(NEW, "exploration", roster)["exploration"]
    total = evening.run(task, [6, 6, 6], {"mod-1": "seek"})
    assert total.asked is not None
    assert "score 19" in total.asked.words  # no die could rise above six
    assert "table" not in {total.asked.key}
    third = tasks(NEW, "exploration", force(NEW, battles=Battles(3)), battle(number=3))["exploration"]
    first = evening.run(third).asked
    assert first is not None
    assert first.key == "table"


def test_reinforcements() -> None:
    record = evening.written("reinforcements", choices={"reinforcements": {"way": "reinforce"}})
    skipped = {
        step.id
        for step in content(NEW).campaign.steps
        if post_battle.skipped(content(NEW), force(NEW), battle(), record, step.id)
    }
    assert skipped == {"exploration", "quartermaster"}
    before = evening.written("fork", choices={"fork": {"way": "reinforce"}})
    assert post_battle.skipped(content(OLD), force(OLD), battle(), before, "exploration")
    assert not post_battle.skipped(content(OLD), force(OLD), battle(), before, "camp")
    game = system("trench-crusade")
    purse = {"reinforced_last": True, "reinforcing": {"battle": 1, "ducats": 300}}
    fresh = replace(PIETER, state={"joined": 1})
    for edition, may in ((OLD, True), (NEW, False)):
        roster = force(edition, ILSE, OTTLA, fresh, state=purse, strongbox=Price(300))
        old_hand = {o.ref: o.state for o in game.shop.item_offers(content(edition), roster, "ottla")}
        newcomer = {o.ref: o.state for o in game.shop.item_offers(content(edition), roster, "pieter")}
        assert ("open" in old_hand.values()) is may
        assert "open" in newcomer.values()
        assert "open" in {o.state for o in game.hire_offers(content(edition), roster)}
        axe = game.shop.carry(content(edition), roster, ILSE.kit[0].key, "ottla")
        assert (axe.state == "open") is may, "who calls for reinforcements does not see the quartermaster"


def test_glory_items() -> None:
    """No glory item is for sale until a discovery opens the trade, and then up to its bound."""
    game = system("trench-crusade")
    glory = {o.id: o.price.glory for o in content(NEW).lists["new-antioch"].item_offers if o.exploration_only}
    assert glory
    merchant = next(x.id for x in content(NEW).pack.lasting if any(getattr(e, "most_glory", 0) == 5 for e in x.effects))
    for lasting, bound in (((), 0), ((merchant,), 5)):
        roster = force(NEW, strongbox=Price(0, 50), lasting=lasting)
        found = {o.id: o.state for o in game.shop.item_offers(content(NEW), roster)}
        assert all(found[id_] == "closed" for id_, price in glory.items() if price > bound)
        assert any(found[id_] == "open" for id_, price in glory.items() if price <= bound) is bool(bound)
    caps = sorted(e.most_glory for x in content(NEW).pack.lasting for e in x.effects if hasattr(e, "most_glory"))
    assert caps == [5, 8, 12]


def test_surgical_champion() -> None:
    table = next(t.id for t in content(NEW).pack.skill_tables if "Melee" in t.name)
    assert (rolled(NEW, table, 10), rolled(NEW, table, 11)) == ("surgical-strike", "champion")
    assert (rolled(OLD, table, 10), rolled(OLD, table, 11)) == ("champion", "surgical-strike")
    assert "CLEAVE" in skill(NEW, "champion").words


def test_bad_company() -> None:
    assert effects(skill(OLD, "bad-company"), EliteCapEffect)
    assert effects(skill(NEW, "bad-company"), UncountedEliteEffect)


def test_friends() -> None:
    def rerolls(edition: str) -> int:
        friends = next(s for s in content(edition).pack.skills if s.name.startswith("Friends"))
        return sum(e.skills.count("reroll") for e in friends.effects if hasattr(e, "skills"))

    assert (rerolls(OLD), rerolls(NEW)) == (2, 1)


def test_war_stories() -> None:
    old, new = (effects(skill(e, "war-stories"), OtherExperienceEffect)[0] for e in (OLD, NEW))
    assert (old.count, new.count) == (1, 0)  # 0: each other one
    assert skill(NEW, "war-stories").most == 1


def test_glory_hound() -> None:
    old, new = (effects(skill(e, "glory-hound"), AfterBattleEffect)[0] for e in (OLD, NEW))
    assert (old.glory, new.glory) == (1, 1)
    assert (old.fielded, old.standing) == (True, True)
    assert new.standing or new.if_so


def test_locations() -> None:
    def at(edition: str) -> list[str]:
        return [x.name for x in content(edition).pack.locations if x.rarity == "legendary" and x.score == 23]

    assert at(OLD) == []
    assert at(NEW) == ["Patron's Visit"]


def test_a_hardened_fighter_is_not_afraid_in_either_edition() -> None:
    assert effects(trauma(NEW, 64), KeywordEffect)
    assert trauma(OLD, 63).name == trauma(NEW, 64).name == "Hardened"
