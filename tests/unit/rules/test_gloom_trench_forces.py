"""A force of Gloom Trench 1926: figures that follow from it, each finding from both sides, and documents that lose nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rules.custom.units import ForceUnit
from rules.force import Force
from rules.gloom_trench import force as forces
from rules.gloom_trench.force_rules import FORCE_RULES
from rules.gloom_trench.game import SYSTEM
from rules.problems import Refusal
from tests.unit.rules.custom_forces import GLOOM, MG_TEAM, bands, codes, gloom, judged, profile, row


def read(document: dict[str, Any]) -> Force:
    force, problems = SYSTEM.documents.read_document(document)
    assert problems == ()
    return force


def units(document: dict[str, Any]) -> dict[str, ForceUnit]:
    return {unit.name: unit for unit in FORCE_RULES.units(read(document))}


def test_the_force_of_the_specification_holds_and_nothing_about_it_is_odd() -> None:
    verdict = judged(gloom())
    assert verdict["legal"] is True
    assert verdict["problems"] == []


def test_its_figures_are_those_of_the_specification() -> None:
    force = read(gloom())
    found = FORCE_RULES.units(force)
    assert forces.force_command(found) == 3
    assert forces.starting_points(force, found) == 3
    assert forces.chits(found) == 4
    assert forces.chits(found, initiative=True) == 5


def test_without_the_officer_the_nco_commands_and_somebody_is_told() -> None:
    document = gloom()
    document["fighters"].pop()
    assert forces.force_command(FORCE_RULES.units(read(document))) == 2
    assert codes(document) == []
    assert codes(document, "warning") == [("no-commander", "")]


def test_a_squad_that_lost_its_nco_has_the_command_of_its_riflemen() -> None:
    document = gloom()
    row(document, "First")["left"] = {"NCO": 0}
    found = units(document)
    assert (forces.unit_command(found["First"]), forces.unit_command(found["Second"])) == (1, 2)
    assert (forces.models(found["First"]), found["First"].strength) == (7, 8)


def test_a_unit_with_nothing_left_brings_no_chit_and_no_command() -> None:
    document = gloom()
    row(document, "Officer")["left"] = {"Officer": 0}
    found = FORCE_RULES.units(read(document))
    assert forces.chits(found) == 3
    assert forces.force_command(found) == 2


def test_a_formation_adds_its_points_to_the_start() -> None:
    document = gloom(formation="Patrol")
    document["profiles"].append({"kind": "formation", "name": "Patrol", "data": {"tactical_points": 2}})
    force = read(document)
    assert forces.starting_points(force, FORCE_RULES.units(force)) == 5
    again = read(SYSTEM.documents.write_document(SYSTEM.content("core"), force))
    assert forces.starting_points(again, FORCE_RULES.units(again)) == 5


# --- the findings, each from both sides


def test_a_force_of_nobody_is_no_force() -> None:
    assert codes(gloom(fighters=[])) == [("no-units", "")]
    one = gloom()
    one["fighters"] = one["fighters"][:1]
    assert codes(one) == []


def squad_of(rifles: int, ncos: int) -> dict[str, Any]:
    document = gloom()
    row(document, "First")["models"] = {"Rifle": rifles, "NCO": ncos}
    return document


def test_a_squad_has_two_models_and_one_that_leads() -> None:
    assert codes(squad_of(1, 1)) == []
    assert codes(squad_of(7, 0)) == [("no-squad-leader", "First")]
    assert codes(squad_of(1, 0)) == [("squad-too-small", "First"), ("no-squad-leader", "First")]
    assert codes(squad_of(0, 1)) == [("squad-too-small", "First")]


def test_two_squad_leaders_are_allowed_and_told() -> None:
    assert codes(squad_of(7, 2)) == []
    assert ("squad-leaders", "First") in codes(squad_of(7, 2), "warning")
    assert ("squad-leaders", "First") not in codes(squad_of(7, 1), "warning")


def test_a_count_stays_within_what_the_profile_allows() -> None:
    assert codes(squad_of(9, 1)) == []
    assert codes(squad_of(10, 1)) == [("model-count", "First")]
    document = gloom()
    row(document, "Guns")["models"] = {"Crew": 2}
    profile(document, "Test MG Team")["models"][0]["most"] = 4
    assert codes(document) == [("model-count", "Guns")]
    row(document, "Guns")["models"] = {"Crew": 4}
    assert codes(document) == []


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [("save", "D12", "D10"), ("combat", "D8", "D20"), ("defence", "D6", "6"), ("wounds", 1, 0), ("damage", 1, 0), ("command", 0, -1)],
)  # fmt: skip
def test_figures_of_a_profile_are_dice_of_three_sizes_and_no_less_than_they_may_be(
    field: str, right: Any, wrong: Any
) -> None:
    document = gloom()
    profile(document, "Test MG Team")[field] = right
    assert codes(document) == []
    profile(document, "Test MG Team")[field] = wrong
    assert codes(document) == [("profile-figures", "Guns")]


@pytest.mark.parametrize(
    ("weapon", "right"),
    [
        (bands((8, "D12"), (9, "D8")), True),
        (bands((8, "D12"), (8, "D8")), False),
        (bands((8, "D12"), (16, "D8"), (15, "D6")), False),
        ({}, False),
        ({"medium_range": 16, "medium_die": "D8"}, False),
        ({"medium_range": 16, "medium_die": "D8", "bands_skipped": True}, True),
        ({**bands((8, "D12")), "long_range": 24, "long_die": "D6"}, False),
        ({"short_range": 8}, False),
    ],
)
def test_the_bands_of_a_weapon_reach_ever_farther_without_a_gap(weapon: dict[str, Any], right: bool) -> None:
    document = gloom()
    profile(document, "Test MG Team")["weapons"] = [{"name": "Gun", **weapon}]
    assert codes(document) == ([] if right else [("weapon-bands", "Guns")])


def test_tactics_are_a_commanders_and_a_commander_has_them() -> None:
    document = gloom()
    profile(document, "Test MG Team")["tactics_range"] = 6
    assert codes(document) == [("tactics", "Guns")]
    bare = gloom()
    profile(bare, "Test Officer")["tactics_range"] = None
    assert codes(bare) == [("tactics", "Officer")]
    profile(bare, "Test Officer")["no_tactics"] = True
    assert codes(bare) == []
    assert codes(bare, "warning") == [("tactics", "Officer")]


def test_a_model_carries_what_is_among_the_weapons_of_its_unit() -> None:
    document = gloom()
    profile(document, "Test Rifles")["weapons"].append({"name": "Pistol", **bands((6, "D8"))})
    row(document, "First")["choices"] = {"weapon:nco": "Pistol"}
    assert codes(document) == []
    force = read(document)
    first = SYSTEM.views(SYSTEM.content("core"), force)["1"]
    assert first.facts["weapons"] == {"Rifle": "Rifle", "NCO": "Pistol"}
    gone = force.fighter("1")
    gone.state["profile"]["data"]["weapons"].pop()
    found = SYSTEM.check(SYSTEM.content("core"), force.with_fighter(gone)).errors
    assert [(problem.code, problem.fighter) for problem in found] == [("weapon-not-carried", "First")]


def test_a_usual_weapon_that_the_unit_does_not_have_is_told() -> None:
    document = gloom()
    profile(document, "Test MG Team")["models"][0]["weapon"] = "Mortar"
    assert codes(document) == [("weapon-not-carried", "Guns")]


def test_orders_that_nobody_can_give_are_odd() -> None:
    document = gloom()
    profile(document, "Test MG Team")["unit_orders"] = [{"name": "Hold", "text": "It stays."}]
    assert codes(document, "warning") == []
    document["fighters"].pop()
    assert codes(document, "warning") == [("no-commander", ""), ("orders-never-used", "Guns")]


def test_a_force_without_command_is_odd() -> None:
    document = gloom()
    document["fighters"] = [row(document, "Guns")]
    assert ("no-command", "") not in codes(document, "warning")
    profile(document, "Test MG Team")["command"] = 0
    assert ("no-command", "") in codes(document, "warning")
    assert codes(document) == []


def test_points_over_the_limit_are_told_and_forbid_nothing() -> None:
    document = gloom(points_limit=30)
    profile(document, "Test Rifles")["points"] = 15
    assert codes(document, "warning") == []
    assert judged(document)["rating"] == {"ducats": 30, "glory": 0}
    profile(document, "Test Officer")["points"] = 1
    assert codes(document, "warning") == [("points-limit", "")]
    assert judged(document)["legal"] is True


def test_one_or_two_models_count_as_a_small_unit_and_that_is_told() -> None:
    document = gloom()
    profile(document, "Test Officer")["keywords"] = ["Commander"]
    assert codes(document, "warning") == [("counts-as-small", "Officer")]
    assert codes(gloom(), "warning") == []
    row(document, "Guns")["left"] = {"Crew": 2}
    assert ("counts-as-small", "Guns") in codes(document, "warning")


# --- documents


def test_a_document_written_and_read_again_is_the_same_force() -> None:
    document = gloom(scale="15mm", faction="Japan", points_limit=200, name="The Grey Column")
    row(document, "Second")["models"] = {"Rifle": 5}
    row(document, "Second")["left"] = {"Rifle": 3}
    force = read(document)
    again = read(SYSTEM.documents.write_document(SYSTEM.content("core"), force))
    assert [(f.name, f.profile, f.state, f.count) for f in again.fighters] == [
        (f.name, f.profile, f.state, f.count) for f in force.fighters
    ]
    assert again.choices == force.choices == {"scale": "15mm", "faction": "Japan", "points_limit": "200"}


def test_unknown_names_become_problems_with_near_ones() -> None:
    document = gloom(scale="20mm")
    row(document, "First")["profile"] = "Test Rifels"
    row(document, "Guns")["models"] = {"Crow": 3}
    found = judged(document)["problems"]
    assert [each["code"] for each in found] == ["unknown-name"] * 3
    assert any("Test Rifles" in each["mend"] for each in found)


def test_a_profile_that_nobody_takes_may_be_unfinished() -> None:
    document = gloom()
    document["profiles"].append({"kind": "unit", "name": "Sketch", "data": {"combat": "D10"}})
    assert judged(document)["legal"] is True


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"fighters": [{"name": "x"}]}, "$.fighters[0]"),
        ({"fighters": [{"profile": 3}]}, "$.fighters[0].profile"),
        ({"strange": 1}, "strange"),
        ({"edition": "9"}, "$.edition"),
        ({"profiles": [{"kind": "unit", "name": "", "data": {}}]}, "$.profiles[0].name"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_path(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal) as refused:
        SYSTEM.documents.judge(gloom(**changes))
    assert words in str(refused.value)


def test_the_game_is_told_in_normal_form() -> None:
    told = SYSTEM.rulebook.normal_form(SYSTEM.content("core"))
    assert told["game"] == GLOOM
    assert {each["id"] for each in told["readings"]} == set(SYSTEM.content("core").readings)
    assert all(each["origin"] in ("book", "sample") for each in told["profiles"])


def test_only_kinds_from_which_a_unit_is_taken_stand_on_a_roster() -> None:
    document = gloom(fighters=[{"name": "Gun", "profile": "Rifle"}])
    document["profiles"].append({"kind": "weapon", "name": "Rifle", "data": bands((8, "D12"))})
    assert ("unknown-name", "Gun") in codes(document)
    document["profiles"].append({"kind": "unit", "name": "Rifle", "data": MG_TEAM})
    assert codes(document) == []
