"""Attacks as rows for a device without a line: what only some rows of a chart change. Random ones are in `tests/browser/test_reckoning.py`."""

from __future__ import annotations

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
