"""The console's doors to the rules: packs in normal form, packs checked, rosters judged, with their exit statuses."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

GOOD = {"game": "trench-crusade", "faction": "New Antioch", "fighters": [{"name": "Ilse", "profile": "Lieutenant"}]}


def run(*args: str) -> tuple[int, str, str]:
    """Exit status, output and diagnostics of a command."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*args, stdout=out, stderr=err)
    except CommandError as error:
        return error.returncode, out.getvalue(), str(error)
    except SystemExit as done:
        return int(done.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def judge(folder: Path, document: Any) -> tuple[int, str, str]:
    file = folder / "roster.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return run("check_roster", str(file))


def test_a_legal_roster_is_status_0(tmp_path: Path) -> None:
    status, out, _ = judge(tmp_path, GOOD)
    assert status == 0
    assert json.loads(out) == {
        "legal": True, "rating": {"ducats": 70, "glory": 0}, "left": {"ducats": 630, "glory": 0}, "problems": [],
    }  # fmt: skip


def test_an_illegal_roster_is_status_1_with_every_problem(tmp_path: Path) -> None:
    status, out, _ = judge(
        tmp_path,
        GOOD | {"fighters": [{"name": "Ottla", "profile": "Yeoman", "kit": ["Standard Armour", "Reinforced Armour"]}]},
    )
    answer = json.loads(out)
    assert status == 1
    assert [p["code"] for p in answer["problems"]] == ["no-leader", "only-for", "slot-armour"]
    assert set(answer["problems"][0]) == {"code", "fighter", "item", "message", "mend", "source"}


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ('{"game": "trench-crusade",\n "faction": }', "line 2, column 13"),
        ("[]", "no JSON object"),
        (GOOD | {"game": "chess"}, "$.game"),
        (GOOD | {"edition": "0.9"}, "$.edition"),
        (GOOD | {"fighters": [{"profile": "Yeoman", "kit": [3]}]}, "$.fighters[0].kit[0]"),
        ({"game": "trench-crusade"}, "faction"),
        ('{"game": "trench-crusade", "faction": "New Antioch", "faction": "Heretic Legion"}', "'faction' stands twice"),
        ('{"game": "trench-crusade", "faction": "\\ud800"}', "half a character"),
        (f'{{"game": "trench-crusade", "faction": "x", "battles": {{"fought": {"9" * 5000}}}}}', "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"game": "trench-crusade", "faction": "x", "budget": {"ducats": NaN}}', "$.budget.ducats"),
        (GOOD | {"budget": {"ducats": 10**12}}, "$.budget.ducats"),
        (GOOD | {"fighters": [{"profile": "Lieutenant", "count": 0}]}, "$.fighters[0].count"),
    ],
)
def test_what_cannot_be_read_is_status_2_and_names_the_place(tmp_path: Path, document: Any, words: str) -> None:
    status, out, err = judge(tmp_path, document)
    assert (status, out) == (2, "")
    assert words in err


def test_a_missing_file_is_status_2(tmp_path: Path) -> None:
    assert run("check_roster", str(tmp_path / "nothing.json"))[0] == 2


def test_the_pack_is_printed_the_same_on_every_run() -> None:
    status, out, _ = run("content", "trench-crusade/1.6.3")
    assert status == 0
    assert run("content", "trench-crusade/1.6.3")[1] == out
    pack = json.loads(out)
    assert (pack["game"], pack["edition"]) == ("trench-crusade", "1.6.3")
    yeoman = next(p for p in pack["profiles"] if p["id"] == "yeoman")
    plain = next(o for o in yeoman["offers"] if o["variant"] is None)
    assert plain == {
        "faction": "new-antioch",
        "variant": None,
        "price": {"ducats": 30, "glory": 0},
        "least": 0,
        "most": None,
        "leader": False,
    }
    gun = next(i for i in pack["kit"] if i["id"] == "machine-gun")
    assert (gun["range_inches"], gun["hands"], gun["keywords"]) == (36, {"ranged": 2, "melee": 0}, ["HEAVY"])
    assert next(o for o in gun["offers"] if o["variant"] is None and o["faction"] == "new-antioch")["limit"] == 2
    assert sorted(n for t in pack["traumas"] for n in t["rolls"]) == [
        t * 10 + u for t in range(1, 7) for u in range(1, 7)
    ]
    assert all(
        offer["price"].keys() == {"ducats", "glory"}
        for kind in ("profiles", "kit", "upgrades")
        for e in pack[kind]
        for offer in e["offers"]
    )
    assert {
        "factions",
        "profiles",
        "kit",
        "upgrades",
        "skills",
        "traumas",
        "locations",
        "patrons",
        "deeds",
        "scenarios",
        "keywords",
    } <= set(pack)


def test_entries_of_the_pack_are_sorted() -> None:
    pack = json.loads(run("content", "trench-crusade/1.6.3")[1])
    for kind in ("profiles", "kit", "upgrades"):
        ids = [entry["id"] for entry in pack[kind]]
        assert ids == sorted(ids)


def test_an_unknown_pack_is_status_2() -> None:
    assert run("content", "trench-crusade/7")[0] == 2
    assert run("content", "chess/1")[0] == 2
    assert run("content", "check", "chess")[0] == 2


@pytest.mark.django_db
def test_all_packs_are_sound() -> None:
    assert run("content", "check")[0] == 0
    assert run("content", "check", "trench-crusade/1.6.3")[0] == 0


# --- the list of a game's rules -----------------------------------------------------------------------------------------


def references(schema: Any) -> set[str]:
    """Every definition that a schema refers to."""
    if isinstance(schema, dict):
        inner = set().union(*map(references, schema.values())) if schema else set()
        return inner | ({schema["$ref"]} if isinstance(schema.get("$ref"), str) else set())
    return set().union(*map(references, schema)) if isinstance(schema, list) and schema else set()


@pytest.mark.parametrize("game", ["trench-crusade", "gloom-trench", "trench-too-far"])
def test_the_list_of_rules_is_one_document_of_moderate_size(game: str) -> None:
    status, out, _ = run("resolve", game, "--list")
    told = json.loads(out)
    assert status == 0
    assert len(out.encode()) < 120_000
    assert len(out.splitlines()) > len(told["rules"]), "a rule a line"
    known = {f"#/$defs/{name}" for name in told["$defs"]}
    assert references(told) <= known
    assert all(rule["input"]["type"] == "object" for rule in told["rules"])


@pytest.mark.parametrize(
    ("game", "rule"), [("gloom-trench", "shoot"), ("trench-crusade", "attack"), ("trench-too-far", "fire")]
)
def test_one_rule_is_listed_with_a_schema_that_stands_alone(game: str, rule: str) -> None:
    status, out, _ = run("resolve", game, rule, "--list")
    (told,) = json.loads(out)["rules"]
    assert status == 0
    assert told["rule"] == rule
    assert references(told["input"]) <= {f"#/$defs/{name}" for name in told["input"].get("$defs", {})}
    status, _, diagnostics = run("resolve", game, "chess", "--list")
    assert status == 2
    assert "chess" in diagnostics
