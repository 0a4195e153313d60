"""No sequence of acts at the table of Gloom Trench 1926 leaves a table that cannot be: acts on offer and off it, answers of any kind, and
any act taken back in the middle."""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rules.dice import SeededDice
from rules.gloom_trench.interpretations import READINGS
from rules.gloom_trench.tracker.gloom_tracker import MOVES
from rules.gloom_trench.tracker.move import ACTIONS
from rules.problems import Refusal
from rules.tracker.acts import BackAct, MarkerAct, OutAct, ThereAct
from rules.tracker.rolls import Asks
from rules.tracker.state import TableFighter
from rules.tracker.tracker import fold
from tests.drills import examples, sampled
from tests.unit.rules.gloom_resolvers import Laid

PHASES = {
    "setup", "effects", "morale", "pool", "bag", "initiative", "draw", "choose", "unit", "reaction", "melee", "end-effects",
    "end-pool", "end-tidy", "end-tea",
}  # fmt: skip


def answered(laid: Laid, asks: tuple[Asks, ...], given: dict[str, Any], chance: Random) -> dict[str, Any]:
    """An answer to every question, such as its form allows."""
    found = dict(given)
    for ask in asks:
        keys = [key for key in ask.only if key]
        if ask.name in found or (ask.kind == "toggle" and chance.randrange(2)):
            continue
        if ask.kind == "toggle":
            found[ask.name] = "1"
        elif ask.kind == "number":
            found[ask.name] = str(chance.randint(ask.least, max(ask.least, min(ask.most, 12))))
        elif ask.kind == "option" and ask.options:
            found[ask.name] = chance.choice(ask.options)[0]
        elif ask.kind == "side":
            found[ask.name] = chance.choice(laid.state.sides).key
        elif keys:
            found[ask.name] = (
                ",".join(chance.sample(keys, chance.randint(0, min(3, len(keys)))))
                if ask.several
                else chance.choice(keys)
            )
    return found


def on_offer(laid: Laid) -> list[tuple[str, dict[str, Any], bool]]:
    """What is open now: the roll, what is given with it, and whether it stands under the thumb or is asked for."""
    rows = []
    for offer in laid.tracker.offers(laid.state):
        whose = {"fighter": offer.fighter} if offer.fighter else {"side": offer.side} if offer.side else {}
        if not offer.closed:
            rows.append((offer.roll, {**offer.given, **whose}, offer.main))
    for prompt in laid.tracker.prompts(laid.state):
        if prompt.roll:
            rows.append((prompt.roll, {**prompt.given, **({"side": prompt.side} if prompt.side else {})}, True))
    return rows


def filled(laid: Laid, roll: str, given: dict[str, Any], chance: Random) -> dict[str, Any]:
    """The form of a roll filled in, what hangs on its answers asked in turn."""
    for _ in range(3):
        given = answered(laid, laid.tracker.asking(laid.state, roll, given).asks, given, chance)
    return given


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

    @rule(chance=st.randoms(use_true_random=False), seed=st.integers(0, 10**6), times=st.integers(1, 4))
    def something_on_offer(self, chance: Random, seed: int, times: int) -> None:
        """An offer or a prompt that is open, its form filled in. Those under the thumb come more often."""
        for turn in range(times):
            rows = on_offer(self.laid)
            if not rows:
                return
            main = [row for row in rows if row[2]]
            roll, given, _ = chance.choice(main if main and chance.randrange(3) else rows)
            self.tried(roll, filled(self.laid, roll, given, chance), seed + turn)

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
    max_examples=examples(40), stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestTables = Tables.TestCase


@pytest.mark.parametrize(
    ("key", "option"), sampled([(reading.key, option) for reading in READINGS for option, _ in reading.options[1:]], 8)
)
def test_a_battle_is_played_under_every_reading(key: str, option: str) -> None:
    """Two hundred presses of whatever stands on offer under another reading: nothing but refusals, and the turn comes to an end."""
    laid, chance = Laid(readings={key: option}).stressed(a1=2, b1=2), Random(key + option)
    done = 0
    for place in range(200):
        rows = on_offer(laid)
        main = [row for row in rows if row[2]]
        roll, given, _ = chance.choice(main if main and chance.randrange(4) else rows)
        with contextlib.suppress(Refusal):
            laid.do(roll, source=SeededDice(place), **filled(laid, roll, given, chance))
            done += 1
    assert done > 100
    assert laid.state.turn > 1 or laid.phase.startswith("end") or len(laid.play.facts["drawn"]) > 2
