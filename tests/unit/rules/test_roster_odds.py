"""The odds of one roster on another at the console: every attack, the same figures as the pages, and clear refusals."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules.registry import system
from tests.unit.test_rules_console import run

LEADER = {"name": "Ilse", "profile": "Lieutenant", "kit": ["Automatic Pistol", "Sword/Axe"]}
GUARD = {"name": "Ottla", "profile": "Yeoman", "kit": ["Bolt-Action Rifle"]}
ROSTER = {"game": "trench-crusade", "edition": "1.0", "faction": "New Antioch", "fighters": [LEADER, GUARD]}


def asked(folder: Path, mine: Any, theirs: Any, *options: str) -> tuple[int, str, str]:
    files = []
    for name, document in (("mine", mine), ("theirs", theirs)):
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(document), "utf-8")
    return run("roster_odds", *map(str, files), *options)


def test_every_weapon_of_every_fighter_meets_every_target(tmp_path: Path) -> None:
    status, out, _ = asked(tmp_path, ROSTER, ROSTER)
    answer = json.loads(out)
    assert status == 0
    rows = answer["rows"]
    assert {(row["attacker"], row["target"]) for row in rows} == {
        (a, b) for a in ("Ilse", "Ottla") for b in ("Ilse", "Ottla")
    }
    assert {row["weapon"] for row in rows if row["attacker"] == "Ilse"} >= {"Automatic Pistol", "Sword/Axe"}
    assert all(sum(map(Fraction, row["outcomes"].values())) == 1 for row in rows)


def test_a_row_has_the_figures_of_the_odds_page(tmp_path: Path) -> None:
    _, out, _ = asked(tmp_path, ROSTER, ROSTER, "--attacker", "ottla", "--target", "Ilse", "--told", '{"cover": true}')
    (row, *_fists) = json.loads(out)["rows"]
    game = system("trench-crusade")
    content = game.content("1.0")
    force, _ = game.documents.read_document(ROSTER)
    ilse, ottla = (fighter.key for fighter in force.fighters)
    assert game.attacks is not None
    plan = game.attacks.situation(content, (force, ottla), "bolt-action-rifle:ranged", (force, ilse), {"cover": 1})
    outcomes = game.resolvers.odds(content, plan.rule, plan.given).outcomes
    assert (row["weapon"], row["told"]) == ("Bolt-Action Rifle", {"cover": "1"})
    assert row["outcomes"] == {name: str(share) for name, share in outcomes.items()}


def test_a_line_of_the_table_is_one_result(tmp_path: Path) -> None:
    named = ROSTER | {"fighters": [{**LEADER, "name": "=Ilse"}]}
    status, out, _ = asked(tmp_path, named, ROSTER, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0
    assert {row["attacker"] for row in rows} == {"'=Ilse"}  # no formula for a spreadsheet
    assert {row["outcome"] for row in rows} >= {"failure", "down", "out-of-action"}


@pytest.mark.parametrize("game", ["gloom-trench", "trench-too-far"])
def test_units_attack_in_every_way_at_every_distance(tmp_path: Path, game: str) -> None:
    made = system(game)
    sample = made.founding.samples(made.content(made.document_edition()))[0][0]
    document = made.founding.sample(made.content(made.document_edition()), sample)
    status, out, why = asked(tmp_path, document, document)
    assert status == 0, why
    rows = json.loads(out)["rows"]
    known = [row for row in rows if "closed" not in row]
    assert len({row["attacker"] for row in known}) > 2
    assert any("distance" in row["told"] for row in known)
    for row in known:
        shares: Mapping[str, Any] = row["parts"]
        assert all(sum(map(Fraction, part["outcomes"].values())) == 1 for part in shares.values())


@pytest.mark.parametrize(
    ("theirs", "options", "words"),
    [
        (ROSTER | {"edition": "1.6.3"}, (), "two editions"),
        ({"game": "gloom-trench"}, (), "two games"),
        (ROSTER, ("--told", '{"covr": 1}'), "covr"),
        (ROSTER, ("--told", '{"cover": "much"}'), "much"),
        (ROSTER, ("--told", '{"cover": [1]}'), "cover"),
        (ROSTER, ("--told", "{"), "line 1"),
        (ROSTER, ("--target", "Nemo"), "Nemo"),
        (ROSTER | {"edition": "0.9"}, (), "0.9"),
    ],
)
def test_what_cannot_be_read_is_status_2_with_a_sentence(
    tmp_path: Path, theirs: Any, options: tuple[str, ...], words: str
) -> None:
    mine = theirs if theirs.get("edition") == "0.9" else ROSTER
    status, _, message = asked(tmp_path, mine, theirs, *options)
    assert status == 2
    assert words in message


def test_what_is_unknown_on_a_roster_is_named_and_left_out(tmp_path: Path) -> None:
    odd = ROSTER | {"fighters": [{**GUARD, "kit": ["Bolt-Action Rifle", "Zzyzx Charm"]}]}
    status, out, _ = asked(tmp_path, ROSTER, odd)
    answer = json.loads(out)
    assert status == 1
    assert any("Zzyzx" in problem["message"] for problem in answer["problems"])
    assert answer["rows"]
