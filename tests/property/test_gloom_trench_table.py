"""No sequence of acts at the table of Gloom Trench 1926 leaves a table that cannot be: acts on offer and off it, answers of any kind, and
any act taken back in the middle."""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rules.dice import SeededDice
from rules.gloom_trench.tracker import MOVES
from rules.gloom_trench.tracker.play import ACTIONS
from rules.problems import Refusal
from rules.table.tracker import Asks, BackAct, MarkerAct, OutAct, TableFighter, ThereAct, fold
from tests.unit.rules.gloom_table import Laid

PHASES = {
    "setup", "effects", "morale", "pool", "bag", "initiative", "draw", "choose", "unit", "reaction", "melee", "end-effects",
    "end-pool", "end-tidy", "end-tea",
}  # fmt: skip


class Tables(RuleBasedStateMachine):
    """A table of two or three sides on which anything is tried."""

    laid: Laid

    @initialize(sides=st.sampled_from((2, 2, 3)), far=st.sampled_from(("setup", "draw", "contact", *ACTIONS)))
    def lay(self, sides: int, far: str) -> None:
        """Lay it, and play on to some step."""
        self.laid = Laid(sides=sides).stressed(a1=1)
        if far == "draw":
            self.laid.to_draw()
        elif far == "contact":
            self.laid.active("a1", "charge")
            self.laid.do("charge", 6, fighter="a1", target="b1", gap=10, cover="light")
        elif far != "setup":
            self.laid.active("a1", far)

    def tried(self, roll: str, data: dict[str, Any], seed: int) -> None:
        before = self.laid.state
        said, refused = "", None
        try:
            said = self.laid.do(roll, source=SeededDice(seed), **data)
        except Refusal as refusal:
            refused = refusal
        if refused is None:
            assert 0 < len(said) <= 500
            return
        assert self.laid.state == before
        assert refused.message.endswith(".")
        assert "None" not in refused.message

    def answers(self, asks: tuple[Asks, ...], data: st.DataObject, given: dict[str, Any]) -> dict[str, Any]:
        """An answer to every question, such as its form allows."""
        found = dict(given)
        for ask in asks:
            if ask.name in found or (ask.kind == "toggle" and not data.draw(st.booleans())):
                continue
            if ask.kind == "toggle":
                found[ask.name] = "1"
            elif ask.kind == "number":
                found[ask.name] = str(data.draw(st.integers(ask.least, max(ask.least, min(ask.most, 12)))))
            elif ask.kind == "option" and ask.options:
                found[ask.name] = data.draw(st.sampled_from([value for value, _ in ask.options]))
            elif ask.kind == "side":
                found[ask.name] = data.draw(st.sampled_from([side.key for side in self.laid.state.sides]))
            elif keys := [key for key in ask.only if key]:
                chosen = data.draw(
                    st.lists(st.sampled_from(keys), unique=True, max_size=3) if ask.several else st.sampled_from(keys)
                )
                found[ask.name] = ",".join(chosen) if isinstance(chosen, list) else chosen
        return found

    @rule(data=st.data(), chance=st.randoms(use_true_random=False), seed=st.integers(0, 10**6), times=st.integers(1, 4))
    def something_on_offer(self, data: st.DataObject, chance: Random, seed: int, times: int) -> None:
        """An offer or a prompt that is open, its form filled in. Those under the thumb come more often."""
        for turn in range(times):
            tracker, state = self.laid.tracker, self.laid.state
            rows = [
                (offer.roll, {**offer.given, **({"fighter": offer.fighter} if offer.fighter else {"side": offer.side} if offer.side else {})}, offer.main)
                for offer in tracker.offers(state)
                if not offer.closed
            ]  # fmt: skip
            rows += [
                (p.roll, {**p.given, **({"side": p.side} if p.side else {})}, True)
                for p in tracker.prompts(state)
                if p.roll
            ]
            if not rows:
                return
            main = [row for row in rows if row[2]]
            roll, given, _ = chance.choice(main if main and chance.randrange(3) else rows)
            kind = tracker.asking(state, roll, given)
            for _ in range(3):  # what hangs on the answers is asked in turn
                given = self.answers(kind.asks, data, given)
                kind = tracker.asking(state, roll, given)
            self.tried(roll, given, seed + turn)

    @rule(data=st.data(), seed=st.integers(0, 10**6))
    def something_off_it(self, data: st.DataObject, seed: int) -> None:
        """Any move at any time, with answers that may be none."""
        keys = [fighter.key for fighter in self.laid.state.fighters]
        sides = [side.key for side in self.laid.state.sides]
        anything = st.sampled_from(
            [*keys, *sides, "", "0", "1", "3", "-1", "fog", "none", "advance", "rifle", "x", "9999999", "½"]
        )
        names = (
            "fighter",
            "side",
            "target",
            "gap",
            "distance",
            "los_0",
            "action",
            "how",
            "which",
            "order",
            "model",
            "gone",
            "who",
            "now",
            "tp",
        )
        told = data.draw(st.dictionaries(st.sampled_from(names), anything, max_size=6))
        self.tried(data.draw(st.sampled_from(sorted(MOVES))), told, seed)

    @rule(data=st.data())
    def something_by_hand(self, data: st.DataObject) -> None:
        """Stress up and down, a unit out, back, not there."""
        key = data.draw(st.sampled_from([fighter.key for fighter in self.laid.state.fighters]))
        act = data.draw(
            st.sampled_from([
                MarkerAct(fighter=key, marker="stress", change=1), MarkerAct(fighter=key, marker="stress", change=2),
                MarkerAct(fighter=key, marker="stress", change=-1), OutAct(fighter=key, by="a"), BackAct(fighter=key),
                ThereAct(fighter=key, now=False), ThereAct(fighter=key),
            ])
        )  # fmt: skip
        with contextlib.suppress(Refusal):
            self.laid.act(act)

    @rule(place=st.integers(-6, -1))
    def something_is_taken_back(self, place: int) -> None:
        """An act of late, or one from the middle."""
        if self.laid.acts:
            before = self.laid.state
            leans = False
            try:
                self.laid.undo(place)
            except Refusal:
                leans = True
            assert not leans or self.laid.state == before

    @rule(data=st.data())
    def something_old_is_taken_back(self, data: st.DataObject) -> None:
        """Any act at all."""
        if self.laid.acts:
            with contextlib.suppress(Refusal):
                self.laid.undo(data.draw(st.integers(0, len(self.laid.acts) - 1)))

    @invariant()
    def it_can_be(self) -> None:
        """Counts, chits, the active unit and all that is told of the table hold together."""
        state, play = self.laid.state, self.laid.play
        for fighter in state.fighters:
            _holds(fighter)
        facts = play.facts
        assert facts["phase"] in PHASES
        for side in state.sides:
            assert 0 <= side.facts["tactical_points"] <= 120
            assert 0 <= play.chits.get(side.key, 0) <= len(state.of(side.key)) + 1
        assert 0 <= play.fog <= 3
        assert 0 <= facts["shots"] <= 2
        assert (facts["phase"] in ("unit", "reaction", "melee")) == bool(facts["active"])
        assert bool(facts["charge"]) == (facts["phase"] in ("reaction", "melee"))
        assert bool(facts["chit"]) == (facts["phase"] == "choose")
        if facts["active"]:
            assert facts["action"]
        for lost in self.laid.tracker.losses(state).values():
            assert all(count > 0 for count in lost.values())
        tracker = self.laid.tracker
        assert tracker.board(state)
        tracker.prompts(state)
        offers = tracker.offers(state)
        if not any(offer.main and not offer.closed and not offer.fighter for offer in offers):
            waits = [p for p in tracker.prompts(state) if p.kind in ("place", "choose", "figures")]
            assert waits or play.phase == "morale" or tracker.prompts(state), f"nothing goes on at {play.phase}"
        for offer in offers:
            tracker.asked(state, offer.roll)

    def teardown(self) -> None:
        """Folding all that stands from the start gives what is there."""
        if hasattr(self, "laid"):
            assert fold(self.laid.tracker, self.laid.start, self.laid.acts) == self.laid.state


def _holds(fighter: TableFighter) -> None:
    facts = fighter.facts
    left = {model["slug"]: facts[f"{model['slug']}_left"] for model in facts["models"]}
    for model in facts["models"]:
        assert 0 <= left[model["slug"]] <= model["full"]
    assert all(facts[name] >= 0 for name in ("recorded_damage", "waiting_damage", "waiting_models"))
    assert 0 <= fighter.markers.get("stress", 0) <= 20
    if fighter.fights:
        assert sum(left.values()) > 0
        if facts["recorded_damage"]:
            assert left[facts["recorded_on"]] > 0
    if fighter.out:
        assert not fighter.markers


Tables.TestCase.settings = settings(
    max_examples=40, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestTables = Tables.TestCase
