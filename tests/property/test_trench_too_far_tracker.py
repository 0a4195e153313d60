"""A Trench Too Far: no sequence of acts at the table, legal or not, undone in the middle or not, leaves a state that cannot be."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.dice import NeedDice
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import MarkerAct, RollAct
from rules.tracker.state import read_state, write_state
from rules.trench_too_far.resolvers.rules import resolve_typed
from rules.trench_too_far.tracker import PLAYS
from rules.trench_too_far.tracker.allowed import active, is_raider
from rules.trench_too_far.tracker.units import is_platoon, kind_of, leader_of, members, now, order_of, remnant_dice
from tests.drills import examples
from tests.unit.rules.too_far_resolvers import Battle

MOST_DICE = 80
PASSED_OVER = ("right", "part", "skip", "setup", "pass", "identify")


class Table(RuleBasedStateMachine):
    """Whatever is pressed: what is on offer, what is not, forms filled in anyhow, acts taken back."""

    def __init__(self) -> None:
        super().__init__()
        self.battle = Battle()
        self.refusals = 0
        self.corrects = False

    @initialize(three=st.booleans(), cards=st.booleans(), corrects=st.booleans())
    def begin(self, three: bool, cards: bool, corrects: bool) -> None:
        self.corrects = corrects
        self.battle = Battle("abc" if three else "ab")
        if cards:
            self.battle.do("setup", mode="cards", rally="1", artillery="1")

    def _try(self, roll: str, data: dict[str, str], faces: list[int]) -> None:
        """Do it with as many of these dice as it asks for; a refusal is an answer."""
        battle = self.battle
        try:
            rule_, given = battle.tracker.question(battle.state, roll, data)
            found = Resolved("", "")
            for count in range(MOST_DICE + 1) if rule_ else ():
                try:
                    found = resolve_typed(
                        battle.content, rule_, given, tuple(faces[place % len(faces)] for place in range(count))
                    )
                    break
                except Refusal as refusal:
                    if refusal.code != "dice":
                        raise
            else:
                if rule_:
                    return
            battle.act(battle.tracker.rolled(battle.state, roll, data, found))
        except NeedDice:
            raise AssertionError("A rule asks beyond what typed dice tell") from None
        except Refusal:
            self.refusals += 1

    @rule(data=st.data(), steps=st.integers(1, 6))
    def play_on(self, data: st.DataObject, steps: int) -> None:
        """The battle goes on as the table asks: prompts, what is under the thumb, what the active company may do, forms filled in as listed."""
        for _ in range(steps):
            state, tracker = self.battle.state, self.battle.tracker
            offers = [
                offer
                for offer in tracker.offers(state)
                if not offer.closed and offer.roll not in ("right", "part", "skip", "setup", "pass")
            ]
            acting = [offer for offer in offers if offer.fighter]
            prompts = [prompt for prompt in tracker.prompts(state) if prompt.roll]
            faces = data.draw(st.lists(st.integers(1, 6), min_size=7, max_size=7))
            if prompts and (not acting or data.draw(st.integers(0, 3))):
                prompt = prompts[0]
                given = {**({"side": prompt.side} if prompt.side else {}), **prompt.given}
                self._try(prompt.roll, self._filled(data, prompt.roll, given), faces)
                continue
            some = acting if acting and data.draw(st.integers(0, 4)) else offers
            if not some:
                return
            offer = data.draw(st.sampled_from(some))
            whose = {"fighter": offer.fighter} if offer.fighter else {"side": offer.side} if offer.side else {}
            self._try(offer.roll, self._filled(data, offer.roll, {**whose, **offer.given}), faces)

    @rule(data=st.data(), steps=st.integers(1, 4))
    def go_in(self, data: st.DataObject, steps: int) -> None:
        """An assault, blow by blow, as far as it comes."""
        state, tracker = self.battle.state, self.battle.tracker
        fight = [prompt for prompt in tracker.prompts(state) if prompt.kind == "alarm" and prompt.roll != "part"]
        for _ in range(steps if fight else 0):
            fight = [prompt for prompt in tracker.prompts(self.battle.state) if prompt.kind == "alarm"]
            for prompt in fight[:1]:
                faces = data.draw(st.lists(st.integers(1, 6), min_size=5, max_size=5))
                self._try(prompt.roll, self._filled(data, prompt.roll, dict(prompt.given)), faces)
        if fight:
            return
        leaders = [] if state.facts["active"] else self.battle.ready()
        if not leaders:
            return
        leader = data.draw(st.sampled_from(leaders))
        if leader.roll == "begin":
            self._try(leader.roll, {"fighter": leader.fighter}, [6])
        order = data.draw(st.sampled_from(("assault", "assault", "recover", "advance", "defend")))
        for roll in ("order", "order-roll"):
            self._try(roll, {"fighter": leader.fighter, "order": order}, [5])
        offers = [
            offer
            for offer in tracker.offers(self.battle.state)
            if offer.roll in ("assault", "recover") and not offer.closed
        ]
        if offers:
            offer = data.draw(st.sampled_from(offers))
            self._try(
                offer.roll,
                self._filled(data, offer.roll, {"fighter": offer.fighter}),
                data.draw(st.lists(st.integers(1, 6), min_size=4, max_size=4)),
            )

    def _filled(self, data: st.DataObject, roll: str, given: dict[str, str]) -> dict[str, str]:
        """The form filled in with what it lists, question after question."""
        for _ in range(24):
            asked = self.battle.tracker.asking(self.battle.state, roll, given).asks
            missing = next((ask for ask in asked if ask.name not in given), None)
            if missing is None:
                break
            if missing.kind == "toggle":
                told = data.draw(st.sampled_from(("", "", "1")))
            elif missing.kind == "number":
                told = str(data.draw(st.integers(missing.least, min(missing.most, 24))))
            elif missing.kind == "option":
                told = data.draw(st.sampled_from([value for value, _ in missing.options])) if missing.options else ""
            elif missing.kind == "side":
                told = data.draw(st.sampled_from([side.key for side in self.battle.state.sides]))
            else:
                keys = [key for key in missing.only or [f.key for f in self.battle.state.fighters] if key != "-"]
                own = {f.key for f in self.battle.state.fighters if f.key.startswith(given.get("fighter", " ")[:1])}
                keys = [
                    key for key in keys if missing.kind == "anybody" or (key in own) == (missing.kind == "mine")
                ] or keys
                told = data.draw(st.sampled_from(keys)) if keys else ""
            given = {**given, missing.name: told}
        return given

    @rule(data=st.data(), faces=st.lists(st.integers(1, 6), min_size=3, max_size=3))
    def do_anything(self, data: st.DataObject, faces: list[int]) -> None:
        """Any roll by anybody, whether on offer or not."""
        keys = [fighter.key for fighter in self.battle.state.fighters]
        roll = data.draw(st.sampled_from(sorted(set(PLAYS) - {"right"})))
        given = {"fighter": data.draw(st.sampled_from(keys)), "target": data.draw(st.sampled_from(keys))}
        given |= {"order": data.draw(st.sampled_from(("move", "fire", "assault", "advance", "defend", "recover", "")))}
        given |= {
            "distance": data.draw(st.sampled_from(("", "5", "12", "40"))),
            "acts": "a",
            "side": "a",
            "who": given["fighter"],
        }
        self._try(roll, given, faces)

    @rule(data=st.data(), change=st.integers(-4, 4).filter(bool))
    def count(self, data: st.DataObject, change: int) -> None:
        """− and + on a unit."""
        fighter = data.draw(st.sampled_from(self.battle.state.fighters))
        kinds = [kind.id for kind in self.battle.tracker.markers_of(fighter)] or ["rifles"]
        try:
            self.battle.act(MarkerAct(fighter=fighter.key, marker=data.draw(st.sampled_from(kinds)), change=change))
        except Refusal:
            self.refusals += 1

    @precondition(lambda self: self.corrects)
    @rule(data=st.data())
    def put_right(self, data: st.DataObject) -> None:
        """A unit put right anyhow."""
        fighter = data.draw(st.sampled_from(self.battle.state.fighters))
        self._try("right", self._filled(data, "right", {"fighter": fighter.key}), [1])

    @precondition(lambda self: self.battle.acts)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        """Any act is taken back, or the refusal says what leans on it."""
        before, acts = self.battle.state, list(self.battle.acts)
        try:
            self.battle.undo(data.draw(st.integers(0, len(acts) - 1)))
        except Refusal:
            self.battle.state, self.battle.acts = before, acts

    # --- what always holds

    @invariant()
    def bases_are_those_that_began(self) -> None:
        for fighter in self.battle.state.fighters:
            most = {kind.id: kind.most for kind in self.battle.tracker.markers_of(fighter)}
            assert all(0 < count <= most[name] for name, count in fighter.markers.items())
            assert not (fighter.out and fighter.fights)
            if kind_of(fighter) == "platoon":
                assert fighter.out == (self.battle.bases(fighter.key) == 0)
                assert not (fighter.out and fighter.markers)
            if kind_of(fighter) == "tanks":
                states = [fighter.facts.get(f"v{place}", "") for place in range(len(fighter.facts["vehicles"]))]
                assert fighter.out == all(state == "x" for state in states)
                assert set(states) <= {"", "i", "d", "id", "x"}

    @invariant()
    def one_company_acts_at_most_and_it_has_not_acted(self) -> None:
        state = self.battle.state
        if active(state):
            leader = state.fighter(active(state))
            assert leader_of(state, leader).key == leader.key
            assert not leader.acted
            assert not leader.out
        assert all(leader_of(state, each).key == each.key for each in state.fighters if each.acted)

    @invariant()
    def nobody_acts_without_an_order_of_this_turn(self) -> None:
        state = self.battle.state
        if any(isinstance(act, RollAct) and act.roll == "right" for act in self.battle.acts):
            return
        for each in state.fighters:
            leader = leader_of(state, each)
            if any(now(state, each, what) for what in ("moved", "fired", "assaulted", "failed", "prone")):
                assert now(state, leader, "ordered")
                assert leader.acted or leader.out or active(state) == leader.key
            if leader.acted and not leader.out:
                assert now(state, leader, "ordered")

    @invariant()
    def a_turn_begins_with_fire_forgotten(self) -> None:
        last = self.battle.acts[-1] if self.battle.acts else None
        if isinstance(last, RollAct) and last.roll in ("next-turn", "skip"):
            state = self.battle.state
            assert not any("fire" in each.markers for each in state.fighters)
            assert not active(state)
            assert not any(each.acted or each.facts.get("disrupted") == "this-turn" for each in state.fighters)

    @invariant()
    def a_fight_has_two_sides_with_somebody_left(self) -> None:
        state = self.battle.state
        fight = state.facts.get("assault")
        if fight:
            by, on = ([state.fighter(key) for key in fight[name]] for name in ("by", "on"))
            assert {each.side for each in by}.isdisjoint({each.side for each in on})
            assert any(not each.out for each in by)
            assert any(not each.out for each in on)
            assert fight["step"] in ("reception", "strike", "back")

    @invariant()
    def allowances_hold_where_nobody_was_put_right(self) -> None:
        state = self.battle.state
        if any(isinstance(act, RollAct) and act.roll == "right" for act in self.battle.acts):
            return
        for leader in state.fighters:
            if leader_of(state, leader).key != leader.key or not now(state, leader, "ordered"):
                continue
            led = [each for each in members(state, leader) if kind_of(each) != "company" and not is_raider(each)]
            for platoons in (True, False):
                sort = [each for each in led if is_platoon(each) == platoons]
                if order_of(leader) == "move":
                    assert sum(now(state, each, "fired") for each in sort) <= 1
                if order_of(leader) == "fire":
                    assert sum(now(state, each, "moved") for each in sort) <= 1
                if order_of(leader) == "defend":
                    assert not any(now(state, each, "moved") for each in sort)

    @invariant()
    def losses_are_no_more_than_there_was_and_remnants_no_more_than_lost(self) -> None:
        state = self.battle.state
        for key, lost in self.battle.tracker.losses(state).items():
            fighter = state.fighter(key)
            assert not fighter.joined
            names = {part["name"]: part["start"] for part in fighter.facts.get("parts", ())}
            for name, count in lost.items():
                assert 0 < count <= names.get(name, 1 if name == "Base" else 2)
        assert all(remnant_dice(state, leader) >= 0 for leader in state.fighters)

    @invariant()
    def it_is_kept_and_read_again_as_it_is(self) -> None:
        assert read_state(write_state(self.battle.state)) == self.battle.state

    @invariant()
    def what_is_under_the_thumb_can_be_done(self) -> None:
        state = self.battle.state
        for offer in self.battle.tracker.offers(state):
            if offer.main and offer.at_once and not offer.closed:
                whose: dict[str, Any] = (
                    {"fighter": offer.fighter} if offer.fighter else {"side": offer.side} if offer.side else {}
                )
                self.battle.tracker.question(state, offer.roll, {**whose, **offer.given})


Table.TestCase.settings = settings(
    max_examples=examples(40),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestTable = Table.TestCase
