"""Attacks as rows for a device without a line: what only some rows of a chart change. Random ones are in `tests/browser/test_reckoning.py`."""

from __future__ import annotations

from rules.dice import TypedDice
from rules.resolvers.roller import TableDice
from rules.trench_crusade.resolvers.rules import rule_named
from rules.trench_crusade.tracker.attack_lines import Throw, attack_lines
from tests.table_situations import Table


def test_armour_that_only_a_critical_hit_ignores_counts_on_other_hits() -> None:
    table = Table("1.0", ("lantern-wardens", "gallows-choir"))
    mine, theirs = (table.forces["1"], "1-f2"), (table.forces["2"], "2-f1")
    shape, figures = attack_lines(table.content, mine, "sniper-rifle:ranged", theirs).lines[0].rows[0]
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
