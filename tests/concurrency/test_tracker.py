"""Two phones at one table at once: each press falls once, in some order, or is refused with a sentence; the log and the state agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Battle, Table, TableAct
from campaigns.report_prefill import table_state
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table, undo_at_table
from rules.problems import Refusal
from rules.tracker.acts import read_act
from rules.tracker.state import TableState, read_state
from rules.tracker.tracker import fold
from tests import campaign_stories as c
from tests.concurrency.test_two_at_once import at_once, kinds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    return c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")


def pressing(battle: Battle, actor: Any, kind: str, token: str = "", **data: Any) -> Callable[[], Any]:
    return lambda: act_at_table(battle=battle, actor=actor, data={"kind": kind, **data}, token=token)


def state_of(battle: Battle) -> TableState:
    found = table_state(battle)
    assert found is not None
    return found


def folded(battle: Battle) -> TableState:
    """The state that the log comes to."""
    terms = battle.campaign.terms
    acts = TableAct.objects.filter(table__battle=battle, undone_by=None).order_by("number")
    live = [act for act in acts if act.data["kind"] != "undo"]
    first = read_state(live[0].data["state"])
    return fold(terms.game.battle.tracker(terms.content), first, [read_act(act.data) for act in live[1:]])


def test_two_phones_lay_one_table(battle: Battle, ada: Any, ben: Any) -> None:
    results = at_once(*(lambda who=who: begin_table(battle=battle, actor=who) for who in (ada, ben, ada)))
    assert kinds(results) == ["Table", "Table", "Table"]
    assert (Table.objects.count(), TableAct.objects.count()) == (1, 1)


def test_two_phones_end_a_turn_once(battle: Battle, ada: Any, ben: Any) -> None:
    begin_table(battle=battle, actor=ada)
    results = at_once(
        pressing(battle, ada, "turn", turn=1, anyway=True), pressing(battle, ben, "turn", turn=1, anyway=True)
    )
    assert kinds(results) == ["Refusal", "TableAct"]
    assert state_of(battle).turn == 2


def test_presses_at_once_all_fall_and_the_log_tells_each(battle: Battle, ada: Any, ben: Any, cleo: Any) -> None:
    begin_table(battle=battle, actor=ada)
    mine = state_of(battle).of(str(c.side(battle, ada).pk))[0].key
    mark = {"fighter": mine, "marker": "blood", "change": 1}
    results = at_once(
        pressing(battle, ada, "marker", **mark),
        pressing(battle, cleo, "marker", **mark),
        pressing(battle, ada, "marker", **mark),
        pressing(battle, ben, "score", side=str(c.side(battle, ben).pk), change=1),
    )
    assert kinds(results) == ["TableAct"] * 4
    assert state_of(battle).fighter(mine).markers == {"blood": 3}
    assert list(TableAct.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    assert Table.objects.get().version == 5
    assert state_of(battle) == folded(battle)


def test_presses_from_one_figure_all_count_as_far_as_the_cap(battle: Battle, ada: Any, cleo: Any) -> None:
    begin_table(battle=battle, actor=ada)
    mine = state_of(battle).of(str(c.side(battle, ada).pk))[0].key
    mark = {"fighter": mine, "marker": "blood", "change": 1, "was": 0}
    assert kinds(at_once(*(pressing(battle, who, "marker", **mark) for who in (ada, cleo)))) == ["TableAct"] * 2
    assert state_of(battle).fighter(mine).markers == {"blood": 2}
    results = at_once(*(pressing(battle, who, "marker", **{**mark, "change": 3}) for who in (ada, cleo)))
    assert kinds(results) == ["Refusal", "TableAct"]
    assert "holds 5 blood; 6 is the most" in str(next(one for one in results if isinstance(one, Refusal)))
    assert state_of(battle).fighter(mine).markers == {"blood": 5}


def test_one_press_sent_twice_at_once_falls_once(battle: Battle, ada: Any) -> None:
    begin_table(battle=battle, actor=ada)
    mine = state_of(battle).of(str(c.side(battle, ada).pk))[0].key
    mark = {"fighter": mine, "marker": "blood", "change": 1}
    results = at_once(*(pressing(battle, ada, "marker", token="once", **mark) for _ in range(3)))
    assert kinds(results) == ["AlreadyDone", "AlreadyDone", "TableAct"]
    assert state_of(battle).fighter(mine).markers == {"blood": 1}


def test_a_roll_an_undo_and_a_press_at_once_leave_state_and_log_in_step(battle: Battle, ada: Any, ben: Any) -> None:
    begin_table(battle=battle, actor=ada)
    mine, theirs = (state_of(battle).of(str(c.side(battle, who).pk)) for who in (ada, ben))
    first = act_at_table(battle=battle, actor=ada, data={"kind": "down", "fighter": mine[0].key})
    data = {"fighter": mine[1].key, "target": theirs[1].key, "armour": "0"}
    results = at_once(
        lambda: roll_at_table(battle=battle, actor=ada, roll="injury", data=data, source="typed", faces=(6, 6)),
        lambda: undo_at_table(battle=battle, actor=ada, number=first.number),
        pressing(battle, ben, "acted", fighter=theirs[0].key),
        lambda: undo_at_table(battle=battle, actor=ada, number=first.number),
    )
    assert kinds(results) == ["Refusal", "TableAct", "TableAct", "TableAct"]
    state = state_of(battle)
    assert not state.fighter(mine[0].key).down
    assert state.fighter(theirs[0].key).acted
    assert state.fighter(theirs[1].key).touched
    assert state == folded(battle)
