"""Attacks as rows for a device without a line: what only some rows of a chart change. Random ones are in `tests/browser/test_reckoning.py`."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from rules.dice import TypedDice
from rules.force import Force, ForceItem
from rules.resolvers.roller import TableDice
from rules.trench_crusade.content import content_of
from rules.trench_crusade.resolvers.arms import bare
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.rules import rule_named
from rules.trench_crusade.tracker.attack_book import _likenesses, _written, attack_book
from rules.trench_crusade.tracker.attack_lines import attack_lines
from rules.trench_crusade.tracker.attack_need import attack_need
from rules.trench_crusade.tracker.attack_shapes import Throw
from tests.table_situations import Table


def test_armour_that_only_a_critical_hit_ignores_counts_on_other_hits() -> None:
    table = Table("1.0", ("lantern-wardens", "gallows-choir"))
    mine, theirs = (table.forces["1"], "1-f2"), (table.forces["2"], "2-f1")
    shape, figures = attack_lines(table.content, mine, "sniper-rifle:ranged", theirs).lines[0][0].rows[0]
    assert isinstance(shape, Throw)
    _, hit, critical = shape.then
    assert isinstance(hit, Throw)
    assert isinstance(critical, Throw)
    assert [tuple(cut - figures[3] for cut in each.cuts) for each in (hit, critical)] == [(3, 8, 10), (2, 7, 9)]


def test_a_near_miss_at_a_point_on_the_ground_hurts_the_target_and_nobody_else() -> None:
    table = Table("1.0", ("gilded-yoke", "black-tide"))
    thrower, target, other = "2-f4", "1-f5", "2-f1"
    data = {"fighter": thrower, "arm": "infernal-bomb:ranged", "target": target, "at_point": "1", "near_miss": "1"}
    rule, given = table.tracker.question(table.state, "attack", data | {"caught": other})
    found = rule_named(rule).resolve(
        table.content, rule_named(rule).read(given), TableDice(TypedDice([3, 3, 6, 6, 6, 6, 6, 6]))
    )
    act = table.tracker.rolled(table.state, "attack", data | {"caught": other}, found)
    hurt = {effect.fighter for effect in act.effects if effect.out or effect.down or effect.markers}
    assert target in hurt
    assert other not in hurt


def test_a_charge_brings_a_second_attack_where_a_text_says_so() -> None:
    table = Table("1.6.3", ("eagles-nest", "crimson-assize"))
    lines = attack_lines(table.content, (table.forces["2"], "2-f4"), "unarmed:melee", (table.forces["1"], "1-f3"))
    assert lines.turns == ("charged", "diving_charge")
    assert [len(each) for each in lines.lines] == [1, 2, 2, 2]


def test_results_are_told_where_every_hit_is_critical() -> None:
    content = content_of("1.0")
    attacker = bare(content, "yeoman", "new-antioch")
    row = replace(attacker.fighters[0], kit=(ForceItem("w", "vivisector"),))
    found = situation(
        content,
        (replace(attacker, fighters=(row,)), "1"),
        "vivisector:melee",
        (bare(content, "yeoman", "new-antioch"), "1"),
        {"target_blood": 6},
    )
    need = attack_need(content, found.given, ())
    assert need.words == "Roll 2 dice. 7 or more is critical."
    assert [choice.label for choice in need.rows[0].choices] == ["Missed", "Critical"]


def test_armour_of_those_in_a_blast_counts_beside_what_spares_its_target() -> None:
    plain = {"ranged": 0, "keywords": ["BLAST"], "injury_flats": [{"number": -3, "why": "a blessing"}]}
    caught = {"armour": -3, "injury_modifiers": [], "injury_flats": []}
    rule = rule_named("attack")
    given = rule.read({**plain, "caught": [caught]})
    found = rule.resolve(content_of("1.0"), given, TableDice(TypedDice([4, 4, 6, 6, 4, 4])))
    assert [step.outcome for step in found.steps[1:]] == ["out-of-action", "minor-hit"]


def test_a_side_among_three_has_rows_for_the_fighters_of_both_others() -> None:
    table = Table("1.0", ("lantern-wardens", "gallows-choir"))
    third = table.forces["2"]
    third = replace(third, fighters=tuple(replace(row, key=row.key.replace("2-", "3-")) for row in third.fighters[:3]))
    book = attack_book(table.content, {**table.forces, "3": third}, {"1"})
    ways = book["ways"][book["fighters"]["1-f2"]]["sniper-rifle:ranged"]
    foes = [row.key for row in (*table.forces["2"].fighters, *third.fighters)]
    assert set(foes) == book["targets"].keys()
    assert all(ways[book["targets"][key]] >= 0 for key in foes)
    mixed = book["mixed"][book["shooters"]["1-f2"]]["sniper-rifle:ranged"]
    assert {key for key, column in book["mates"].items() if mixed[column] >= 0} == {
        row.key for row in table.forces["1"].fighters if row.key != "1-f2"
    }


def test_those_who_are_alike_have_the_rows_of_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("1.0", ("lantern-wardens", "gallows-choir"))
    sides = {side: with_twins(force, side) for side, force in table.forces.items()}
    for force in sides.values():
        assert len(set(_likenesses(force))) <= len(force.fighters) - 3
    joined = attack_book(table.content, sides, {"1"})
    one_by_one = lambda force: tuple(fighter.key.encode() for fighter in force.fighters)  # noqa: E731
    monkeypatch.setattr(sys.modules[_likenesses.__module__], "_likenesses", one_by_one)
    _written.cache_clear()
    assert attack_book(table.content, sides, {"1"}) == joined


def with_twins(force: Force, side: str) -> Force:
    """The first four of them, and three of these once more."""
    twins = (replace(row, key=f"{side}-t{n}", name=f"Twin {n}") for n, row in enumerate(force.fighters[:3]))
    return replace(force, fighters=(*force.fighters[:4], *twins))


def test_a_fighter_whom_something_names_by_its_key_is_like_no_other() -> None:
    force = with_twins(Table("1.0", ("lantern-wardens", "gallows-choir")).forces["1"], "1")
    last = replace(force.fighters[-1], choices={"link": force.fighters[0].key})
    first, *_, twin, _, _ = _likenesses(replace(force, fighters=(*force.fighters[:-1], last)))
    assert _likenesses(force)[0] == _likenesses(force)[-3]
    assert first != twin
