"""What another state would change: for a warband row by row, for the books entry by entry, and what overlays say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.content.overlays.states import overlays_of
from rules.force import Force, ForceItem
from rules.price import Price
from rules.problems import Refusal
from rules.registry import system
from rules.trench_crusade.roster_files.read import read_roster_file

GAME, EDITION = system("trench-crusade"), "1.0"
EXAMPLES = json.loads((Path(__file__).parent / "overlay_examples.json").read_text("utf-8"))
CASES = [c for c in EXAMPLES["cases"] if {*overlays_of(GAME.id, EDITION)}.issuperset(c["overlays"]) and c["changes"]]


def part() -> Any:
    assert GAME.states is not None
    return GAME.states


def force_of(roster: dict[str, Any]) -> Force:
    return GAME.documents.read_document(roster)[0]


def told(price: dict[str, int]) -> str:
    return f"{price['ducats']} d" if price["ducats"] else f"{price['glory']} g"


def test_there_is_something_to_check() -> None:
    assert len(CASES) == 2


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_change_of_an_example_is_told_for_its_fighter(case: dict[str, Any]) -> None:
    here, there = GAME.content(EDITION), GAME.content(EDITION, case["overlays"])
    found = part().roster_changes(here, there, force_of(case["roster"]))
    assert found.refund == Price(**case["refund"])
    lines = {(line.fighter, line.entry, line.label, line.before, line.after) for line in found.lines}
    for change in case["changes"]:
        who, entry, what = change["fighter"] or "", change["entry"], change["what"]
        if what == "price":
            assert (who, entry, "price", told(change["from"]), told(change["to"])) in lines
        elif what.startswith("statline "):
            assert (who, entry, what.removeprefix("statline "), change["from"], change["to"]) in lines
        else:
            label = {"keyword": "Keywords", "limit": "on the list"}[what]
            assert any(line[:3] == (who, entry, label) and str(change["to"]) in line[4] for line in lines), change
    assert sorted({problem.code for problem in found.new}) == case["after"]["problem_codes"]


def test_a_state_changes_nothing_against_itself() -> None:
    here = GAME.content(EDITION)
    assert part().book_changes(here, here) == ()
    assert part().roster_changes(here, here, force_of(CASES[0]["roster"])).nothing


def test_what_has_no_counterpart_is_listed_and_kept() -> None:
    new = next(id_ for id_ in overlays_of(GAME.id, EDITION) if id_.endswith("iron-sultanate"))
    here, there = GAME.content(EDITION, (new,)), GAME.content(EDITION)
    force = replace(force_of(CASES[1]["roster"]), stash=(ForceItem("s", "alchemical-fire", "found"),))
    found = part().roster_changes(here, there, force)
    assert [(row.table, row.id, row.holder) for row in found.missing] == [("items", "alchemical-fire", "")]
    assert [(table, row["id"]) for table, row in part().kept(here, there, force)] == [("items", "alchemical-fire")]


def test_the_difference_of_the_books_names_what_is_new() -> None:
    here, there = GAME.content(EDITION), GAME.content(EDITION, CASES[1]["overlays"])
    rows = part().book_changes(here, there)
    assert ("item", "alchemical-fire", "new") in {(row.kind, row.id, row.label) for row in rows}
    assert ("item", "alchemical-fire", "no longer there") in {
        (row.kind, row.id, row.label) for row in part().book_changes(there, here)
    }


def test_an_entry_has_a_history() -> None:
    said = part().history(GAME.content(EDITION), "profile", "observer")
    assert ("price", "3 g", "5 g") in {(row.field, row.before, row.after) for row in said}


@pytest.mark.parametrize(
    ("overlays", "code"),
    [
        (("-tc-1.0.2",), "history"),
        (("moonbeam",), "unknown-overlay"),
        (("-tc-1.0.1",), "history"),
        (("tc-1.0.2",), "overlay-held"),
    ],
)
def test_the_past_and_the_unknown_are_never_pinned(overlays: tuple[str, ...], code: str) -> None:
    with pytest.raises(Refusal) as caught:
        part().ordered(EDITION, overlays)
    assert caught.value.code == code


def test_a_document_keeps_its_overlays_and_one_without_any_has_no_such_field() -> None:
    roster = CASES[0]["roster"]
    content = GAME.content(EDITION, CASES[0]["overlays"])
    written = GAME.documents.write_document(content, force_of({**roster, "overlays": CASES[0]["overlays"]}))
    assert written["overlays"] == list(content.overlays)
    assert "overlays" not in GAME.documents.write_document(GAME.content(EDITION), force_of(roster))
    with pytest.raises(Refusal):
        force_of({**roster, "overlays": ["-tc-1.0.2"]})


def test_an_overlay_that_the_edition_holds_is_told_in_a_document() -> None:
    for named, told in ((["tc-1.0.2", "tc-1.0.2"], ["tc-1.0.2"]), ([], [])):
        force, problems = GAME.documents.read_document({**CASES[0]["roster"], "overlays": named})
        assert [(p.code, p.item, p.warns) for p in problems] == [("overlay-held", id_, True) for id_ in told]
        assert force.fighters
        verdict = GAME.documents.judge({**CASES[0]["roster"], "overlays": named})
        assert (verdict["legal"], verdict["problems"], len(verdict.get("notes", ()))) == (True, [], len(told))


def test_an_overlay_that_the_edition_holds_is_told_of_a_file() -> None:
    document = json.dumps({**CASES[0]["roster"], "overlays": ["tc-1.0.2"]}).encode()
    assert any("“tc-1.0.2” is part of edition 1.0" in remark for remark in read_roster_file(document).remarks)


@pytest.mark.parametrize("overlays", [5, "tc-2026-09-patrons", [1], [["a"]], {"a": 1}, [{}]])
def test_overlays_that_are_no_list_of_ids_are_refused(overlays: object) -> None:
    with pytest.raises(Refusal, match="overlays"):
        read_roster_file(json.dumps({**CASES[0]["roster"], "overlays": overlays}).encode())


def test_how_a_doubtful_place_of_an_overlay_is_read_is_told_with_it_and_on_its_entry() -> None:
    part = system("trench-crusade").states
    assert part is not None
    said = {line.name: line.reason for line in part.told("1.0", "tc-2026-09-procession")}
    assert said["Incendiary Grenades"].startswith("The book prints 15, the catalogue of the new list 10.")
    content = system("trench-crusade").content("1.0", ("tc-2026-09-procession",))
    history = part.history(content, "item", "incendiary-grenades")
    assert any(line.field == "how it is read here" for line in history)


def test_a_list_of_another_name_is_the_same_list_in_the_other_edition() -> None:
    old, new = GAME.content("1.6.3"), GAME.content(EDITION)
    assert old.name("list", "heretic-legion") != new.name("list", "heretic-legion")
    lines = [line for line in part().book_changes(old, new) if (line.kind, line.id) == ("profile", "heretic-priest")]
    assert not [line for line in lines if not line.after], lines
    told = {
        line.label: (line.before, line.after) for line in part().book_changes(old, new) if line.id == "heretic-legion"
    }
    assert told["Battlefield Title"][0].startswith("6 g")
    assert told["Battlefield Title"][1].startswith("5 g")
    assert "Silenced Pistol" not in told  # 15 d, only ELITE, in both: worded otherwise


def test_two_offers_of_one_thing_on_a_list_are_both_told() -> None:
    here, there = GAME.content(EDITION), GAME.content(EDITION, ("tc-2026-04-court-hotfix",))
    (line,) = [
        line
        for line in part().book_changes(here, there)
        if (line.id, line.label) == ("court-of-the-seven-headed-serpent", "Unholy Relic")
    ]
    assert line.after.startswith("15 d")
    assert "; or 5 d" in line.after
