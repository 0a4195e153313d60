"""A force of A Trench Too Far: companies and their platoons, each finding from both sides, and documents that lose nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rules.custom.units import ForceUnit
from rules.force import Force
from rules.trench_too_far import force as forces
from rules.trench_too_far.force_rules import FORCE_RULES
from rules.trench_too_far.game import SYSTEM
from tests.unit.rules.custom_forces import codes, far, judged, profile, row


def read(document: dict[str, Any]) -> Force:
    force, problems = SYSTEM.documents.read_document(document)
    assert problems == ()
    return force


def unit(document: dict[str, Any], name: str) -> ForceUnit:
    return next(each for each in FORCE_RULES.units(read(document)) if each.name == name)


def changed(name: str, **data: Any) -> dict[str, Any]:
    """The force of the specification with a profile changed."""
    document = far()
    profile(document, name).update(data)
    return document


def test_the_company_of_the_specification_holds_and_nothing_about_it_is_odd() -> None:
    verdict = judged(far())
    assert verdict["legal"] is True
    assert verdict["problems"] == []


def test_attached_stands_are_bases_and_no_squads() -> None:
    fourth = unit(far(), "4. Platoon")
    assert (forces.squads(fourth), forces.bases(fourth)) == (4, 5)
    assert fourth.counts == {"Rifles": 4, "LMG, attached": 1}


# --- errors


def test_a_company_has_exactly_one_command_base() -> None:
    nobody = far()
    nobody["fighters"] = nobody["fighters"][1:]
    assert codes(nobody) == [("command-base", "1. Platoon")]
    twice = far()
    twice["fighters"].append({"name": "Test Company", "profile": "Company"})
    assert codes(twice) == [("command-base", "Test Company")] * 2
    second = far()
    second["fighters"].append({"name": "Second Company", "profile": "Company"})
    assert codes(second) == []


def test_a_platoon_has_bases_and_four_squads_at_the_most() -> None:
    assert codes(changed("Rifles", bases=[{"count": 4}])) == []
    assert codes(changed("Rifles with LMG", bases=[{"count": 5}])) == [("too-many-squads", "4. Platoon")]
    attached = [{"count": 4}, {"weapon": "LMG", "kind": "attached", "count": 2}]
    assert codes(changed("Rifles with LMG", bases=attached)) == []
    assert ("no-bases", "4. Platoon") in codes(changed("Rifles with LMG", bases=[]))
    assert ("no-bases", "4. Platoon") in codes(changed("Rifles with LMG", bases=attached[1:]))


def tanks(**vehicle: Any) -> list[tuple[str, str]]:
    return tanks_of([{"name": "Tank", "class": "light", "movement": 6, "reliability": "stable", "machine_guns": 1, **vehicle}])  # fmt: skip


def tanks_of(vehicles: list[dict[str, Any]], **data: Any) -> list[tuple[str, str]]:
    document = far()
    document["profiles"].append({"kind": "tanks", "name": "Tanks", "data": {"vehicles": vehicles, **data}})
    document["fighters"].append({"name": "Tanks", "profile": "Tanks"})
    return list(dict.fromkeys(codes(document)))


def test_a_tank_platoon_has_one_to_four_vehicles() -> None:
    vehicles = [{"name": f"Tank {n}"} for n in range(1, 6)]
    assert tanks_of(vehicles[:1]) == tanks_of(vehicles[:4]) == []
    assert tanks_of(vehicles) == [("vehicles", "Tanks")]
    assert tanks_of([]) == [("vehicles", "Tanks")]


def test_vehicles_move_four_to_twelve_inches_and_carry_no_less_than_no_guns() -> None:
    assert tanks(movement=4) == tanks(movement=12) == tanks(machine_guns=0) == []
    assert tanks(movement=3) == tanks(movement=13) == tanks(machine_guns=-1) == [("vehicle-figures", "Tanks")]


def test_quality_and_type_are_of_the_list() -> None:
    assert codes(changed("Rifles", quality="stubborn", type="assault")) == []
    everybody = [("quality-or-type", f"{n}. Platoon") for n in (1, 2, 3)]
    assert codes(changed("Rifles", quality="brave")) == everybody
    assert codes(changed("Rifles", type="guards")) == everybody
    assert codes(changed("HMG team", quality="brave")) == [("quality-or-type", "Guns")]


def test_close_order_and_light_infantry_exclude_each_other() -> None:
    assert codes(changed("Rifles with LMG", traits=["close-order", "aggressive"])) == []
    assert codes(changed("Rifles with LMG", traits=["close-order", "light-infantry"])) == [
        ("traits-exclude", "4. Platoon")
    ]


def test_remnants_begin_no_battle() -> None:
    assert codes(changed("Rifles with LMG", type="remnant")) == [("remnant", "4. Platoon")]
    assert codes(changed("Rifles with LMG", type="militia")) == []


@pytest.mark.parametrize("trait", ["rifle-drill", "infiltration", "raider", "close-order"])
def test_traits_of_foot_are_not_for_teams_and_tanks(trait: str) -> None:
    assert codes(changed("HMG team", traits=[trait])) == [("trait-not-for", "Guns")]
    assert tanks_of([{"name": "Tank"}], traits=[trait]) == [("trait-not-for", "Tanks")]
    assert codes(changed("Rifles with LMG", traits=[trait])) == []


def test_mounted_cavalry_lying_down_is_told() -> None:
    document = changed("Rifles with LMG", type="cavalry")
    row(document, "4. Platoon")["choices"] = {"position": "Dispersed"}
    assert codes(document, "warning") == []
    row(document, "4. Platoon")["choices"] = {"position": "Prone"}
    assert codes(document) == []
    assert codes(document, "warning") == [("mounted-prone", "4. Platoon")]
    profile(document, "Rifles with LMG")["dismounted"] = True
    assert codes(document, "warning") == []


# --- warnings


def test_fewer_than_four_squads_are_allowed_and_told() -> None:
    found = codes(changed("Rifles with LMG", bases=[{"count": 3}]), "warning")
    assert found == [("few-squads", "4. Platoon")]
    assert codes(changed("Rifles with LMG", bases=[{"count": 3}])) == []


def test_a_company_of_other_than_four_platoons_is_told() -> None:
    three = far()
    three["fighters"].pop(1)
    assert codes(three, "warning") == [("platoons", "Test Company")]
    five = far()
    five["fighters"].append({"name": "5. Platoon", "profile": "Rifles", "company": "Test Company"})
    assert codes(five, "warning") == [("platoons", "Test Company")]
    assert codes(five) == codes(three) == []


@pytest.mark.parametrize("trait", ["rifle-drill", "veteran"])
def test_drilled_militia_is_odd(trait: str) -> None:
    assert codes(changed("Rifles with LMG", type="militia", traits=[trait]), "warning") == [
        ("militia-traits", "4. Platoon")
    ]
    assert codes(changed("Rifles with LMG", type="infantry", traits=[trait]), "warning") == []
    assert codes(changed("Rifles with LMG", type="militia", traits=["scouts"]), "warning") == []


def test_heavy_infantry_before_its_time_is_odd() -> None:
    document = changed("Rifles with LMG", type="heavy-infantry")
    for period, told in (("Autumn 1917", True), ("1918", False), ("1916-1918", False), ("", False)):
        document["period"] = period
        assert (("heavy-infantry-period", "4. Platoon") in codes(document, "warning")) is told, period


def test_a_team_of_no_company_is_told() -> None:
    document = far()
    row(document, "Mortar")["company"] = ""
    assert codes(document, "warning") == [("team-alone", "Mortar")]
    assert codes(document) == []


def test_points_over_the_limit_are_told_and_forbid_nothing() -> None:
    document = changed("Rifles", points=10)
    document["points_limit"] = 30
    assert codes(document, "warning") == []
    document["points_limit"] = 29
    assert codes(document, "warning") == [("points-limit", "")]
    assert judged(document)["legal"] is True


def test_a_force_of_nobody_is_no_force() -> None:
    assert codes(far(fighters=[])) == [("no-units", "")]


# --- what follows


def test_two_thirds_of_militia_make_a_force_mostly_militia_unless_its_player_says_otherwise() -> None:
    document = far()
    for name in ("1. Platoon", "2. Platoon"):
        row(document, name)["profile"] = "Militia"
    document["profiles"].append(
        {"kind": "platoon", "name": "Militia", "data": {"type": "militia", "bases": [{"count": 4}]}}
    )
    document["fighters"].pop(4)  # two of three platoons are militia
    force = read(document)
    assert forces.mostly_militia(force, FORCE_RULES.units(force))
    force = read({**document, "mostly_militia": False})
    assert not forces.mostly_militia(force, FORCE_RULES.units(force))
    row(document, "2. Platoon")["profile"] = "Rifles"
    force = read(document)
    assert not forces.mostly_militia(force, FORCE_RULES.units(force))


def test_a_document_written_and_read_again_keeps_everybody_in_the_right_company() -> None:
    document = far(period="1917", name="The Iron Column")
    row(document, "Guns")["left"] = {"Base": 0}
    row(document, "Mortar")["company"] = ""
    force = read(document)
    again = read(SYSTEM.documents.write_document(SYSTEM.content("core"), force))
    assert [(f.name, f.choices, f.state, f.count) for f in again.fighters] == [
        (f.name, f.choices, f.state, f.count) for f in force.fighters
    ]
    assert again.choices == force.choices


def test_companies_are_called_by_the_keys_of_their_rows_wherever_a_force_is_written() -> None:
    force = read(far())
    moved = SYSTEM.state.rekeyed(SYSTEM.content("core"), force, {"1": "401"}, {})
    assert {f.choices.get("company") for f in moved.fighters[1:]} == {"401"}
