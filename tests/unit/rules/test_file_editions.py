"""Which edition, and which list, a roster file of another program is of where it does not say so in a field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.trench_crusade.roster_files.read import recognise
from rules.trench_crusade.roster_files.report import read_report


def answer(data: bytes) -> dict[str, Any]:
    return read_report(data)[0]


def companion(*fighters: tuple[str, int, str], named: str = "", rating: int = 0) -> str:
    """A text of Trench Companion: profile, cost and equipment of each fighter."""
    lines = [
        f"## {named or 'Wardens'} ##",
        "Faction: Trench Pilgrims",
        f"Rating: {rating} Ducats | 0 Glory",
        "## Elites ##",
    ]
    for profile, cost, kit in fighters:
        lines += [profile, f"• Cost: {cost} Ducats | 0 Glory", f"• Equipment: {kit}"]
    return "\n".join(lines)


def test_names_of_one_book_weigh_more_than_a_price_that_is_behind() -> None:
    told = answer(companion(("War Prophet", 96, "Knife/Dagger, Pistol/Revolver"), rating=96).encode())
    assert told["edition"] == "1.6.3"
    assert told["why"] == "its names and prices fit this edition best"


def test_a_file_that_fits_both_is_not_decided_and_of_the_current_edition() -> None:
    text = companion(("War Prophet", 80, "Gas Mask"), rating=80).encode()
    told = answer(text)
    assert (told["edition"], told["why"]) == ("1.0", "not decided by the file: 1.0 is the likelier one")
    assert not recognise(text).is_decided
    assert recognise(companion(("War Prophet", 80, "Knife/Dagger")).encode()).is_decided


@pytest.mark.parametrize(
    ("named", "edition"),
    [
        ("Wardens (Trench Crusade 1.6.3)", "1.6.3"),
        ("Wardens 1.6.3", "1.6.3"),
        ("Edition 1.0.2 Wardens", "1.0"),
        ("Rules: 1.6", "1.6.3"),
    ],
)
def test_a_roster_that_names_its_edition_is_of_that_one(named: str, edition: str) -> None:
    told = answer(companion(("War Prophet", 80, "Gas Mask"), named=named).encode())
    assert (told["edition"], told["why"].startswith("it names 1.")) == (edition, True)


@pytest.mark.parametrize("named", ["Rules 1.6.3 and edition 1.0", "Company 1.0", "Route 11.6.3", "Wave 1.6.35"])
def test_other_numbers_and_two_editions_name_none(named: str) -> None:
    assert not recognise(companion(("War Prophet", 80, "Gas Mask"), named=named).encode()).is_decided


@pytest.mark.parametrize(("count", "variant"), [(3, "Heretic Naval Raiders"), (1, None)])
def test_a_rule_that_most_fighters_have_tells_the_list_in_a_file_without_one(count: int, variant: str | None) -> None:
    rule = {"ability-name": "Fast as Lightning", "ability-id": "rl_fastaslightning"}
    fighters = [
        {
            "model-name": "Heretic Trooper",
            "model-id": "md_heretictrooper",
            "name": f"Nail {number}",
            "cost": {"ducats": 30, "glory": 0},
            "equipment": [],
            "abilities": [rule] if number < count else [],
        }
        for number in range(3)
    ]
    told = answer(json.dumps({"warband-name": "Black Tide", "models": fighters}).encode())
    assert (told["roster"]["faction"], told["roster"]["variant"]) == ("Heretic Legions", variant)
    assert told["lines"][0]["state"] == "guessed"
