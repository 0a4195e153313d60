"""What a fighter may use once in an Activation: a tick at the table, which its turn's end takes off."""

from __future__ import annotations

import pytest

from campaigns.report_prefill import _used_pieces
from rules.problems import Refusal
from rules.tracker.acts import read_act
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.trench_crusade.content import content_of
from rules.trench_crusade.game import SYSTEM
from rules.trench_crusade.tracker import tracker_of
from tests.unit.rules.test_arms import OLD, YEOMAN, fresh

CONTENT = content_of(OLD)


def test_piston_legs_trample_once_in_each_turn() -> None:
    forces = {"A": fresh(OLD, YEOMAN, "piston-legs"), "B": fresh(OLD, YEOMAN)}
    tracker = tracker_of(CONTENT).bound(forces.get)
    kits = {side: tracker.once_each_turn(SYSTEM.views(CONTENT, force)["1"]) for side, force in forces.items()}
    assert [(piece.key, piece.name, piece.again) for piece in kits["A"]] == [("once-piston-legs", "Piston Legs", True)]
    assert kits["B"] == ()
    fighters = tuple(TableFighter(key=side, side=side, of="1", name=side, kit=kit) for side, kit in kits.items())
    state = TableState(sides=(TableSide("A", "Ada"), TableSide("B", "Ben")), fighters=fighters, turn_limit=4)

    def ways(now: TableState) -> set[str]:
        asks = {asked.name: asked for asked in tracker.asking(now, "attack", {"fighter": "A", "target": "B"}).asks}
        return {key.partition(":")[0] for key, _ in asks["arm"].options}

    use = read_act({"kind": "used", "fighter": "A", "item": "once-piston-legs"})
    assert "natural-piston-legs" in ways(state)
    after, told = tracker.apply(state, use)
    assert told == "A uses Piston Legs."
    assert "natural-piston-legs" not in ways(after)
    with pytest.raises(Refusal, match="has used Piston Legs this turn"):
        tracker.apply(after, use)
    assert _used_pieces(after.fighters) == [], "nothing of it leaves the roster"
    turned, _ = tracker.apply(after, read_act({"kind": "turn", "turn": 1, "anyway": True}))
    assert "natural-piston-legs" in ways(turned)


@pytest.mark.parametrize("name", ["Piston Legs", "Trample", "Vengeful Scripture"])
def test_every_text_that_says_so_has_its_tick(name: str) -> None:
    entries = [*CONTENT.pack.abilities, *CONTENT.pack.items]
    marked = [entry for entry in entries if any(getattr(effect, "once", False) for effect in entry.effects)]
    assert name in {entry.name for entry in marked}
    assert len(marked) == 4
