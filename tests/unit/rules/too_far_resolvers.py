"""A table of A Trench Too Far in tests: two small forces laid, and whole turns driven by sentences with typed dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.dice import NeedDice
from rules.force import FighterView
from rules.problems import Refusal
from rules.registry import system
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Act, AnyAct, MarkerAct, RollAct, read_act, write_act
from rules.tracker.rolls import TableOffer, refuse_closed, refuse_unasked
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.tracker.tracker import fold
from rules.trench_too_far.profiles import read_profile
from rules.trench_too_far.resolvers.rules import resolve_typed
from rules.trench_too_far.tracker import TooFarTracker, tracker_of

GAME = system("trench-too-far")


def content(**readings: str) -> Any:
    """The game by these readings: shock_scope="attack" for shock-scope."""
    chosen = {key.replace("_", "-"): option for key, option in readings.items()}
    return GAME.content("core", (), {"readings": chosen} if chosen else {})


def view(key: str, name: str, kind: str, data: dict[str, Any], **more: Any) -> FighterView:
    """A unit as the roster tells of it."""
    values, problems = read_profile(kind, data)
    assert not problems, problems
    counts = {"company": {"Command base": 1}, "team": {"Base": 1}}.get(kind, {})
    for base in values.get("bases", ()):
        part = f"{base['weapon']}, attached" if base["kind"] == "attached" else base["weapon"]
        counts[part] = counts.get(part, 0) + base["count"]
    for vehicle in values.get("vehicles", ()):
        counts[vehicle["name"]] = counts.get(vehicle["name"], 0) + 1
    facts = {"kind": kind, "data": values, "counts": counts, "left": {}, "company": "", **more}
    return FighterView(key, name, key, name, elite=False, leader=False, mercenary=False, stats={}, facts=facts)


RIFLES = {"bases": [{"count": 4}], "grenades": True}


def company(side: str) -> list[FighterView]:
    """A company with two rifle platoons (the second Close order), a mixed one, an HMG, a mortar; two tanks by themselves."""
    own = {"company": f"{side}c"}
    tank = {"class": "light", "movement": 8, "reliability": "unreliable", "machine_guns": 1, "guns": ["Tank cannon"]}
    mixed = {"quality": "determined", "bases": [{"count": 3}, {"weapon": "LMG", "kind": "attached", "count": 1}]}
    return [
        view(f"{side}c", f"{side.upper()} Company", "company", {"commander": "outstanding"}, advance=True),
        view(f"{side}1", f"{side.upper()} 1st", "platoon", RIFLES, **own),
        view(f"{side}2", f"{side.upper()} 2nd", "platoon", {**RIFLES, "traits": ["close-order"]}, **own),
        view(f"{side}3", f"{side.upper()} 3rd", "platoon", mixed, **own),
        view(f"{side}h", f"{side.upper()} HMG", "team", {"kind": "hmg"}, **own),
        view(f"{side}m", f"{side.upper()} mortar", "team", {"kind": "trench-mortar"}, **own),
        view(
            f"{side}t",
            f"{side.upper()} tanks",
            "tanks",
            {"vehicles": [{"name": "Ox", **tank}, {"name": "Ram", **tank}]},
            advance=True,
        ),
    ]


class Battle:
    """A table with its log: what is done is an act, and may be undone."""

    def __init__(self, sides: str = "ab", views: dict[str, list[FighterView]] | None = None, **readings: str) -> None:
        self.content = content(**readings)
        self.tracker: TooFarTracker = tracker_of(self.content)
        fighters = [
            TableFighter(each.key, side, each.name, facts=self.tracker.facts(each))
            for side in sides
            for each in (views or {}).get(side, company(side))
        ]
        bare = TableState(sides=tuple(TableSide(side, side.upper()) for side in sides), fighters=tuple(fighters))
        self.start = self.tracker.set_up(bare)
        self.state = self.start
        self.acts: list[AnyAct] = []
        self.told: list[str] = []

    def do(self, roll: str, *faces: int, **data: Any) -> str:
        """A roll or move with exactly these dice, as the table's pages do it; its sentence. Raises Refusal."""
        given = {
            key.rstrip("_"): ",".join(value) if isinstance(value, tuple) else str(value) for key, value in data.items()
        }
        kind = self.tracker.asking(self.state, roll, given)
        refuse_unasked(self.state, kind, given)
        refuse_closed(self.tracker.offers(self.state), roll, given)
        rule, question = self.tracker.question(self.state, roll, given)
        assert rule or not faces, "dice for a move"
        found = resolve_typed(self.content, rule, question, faces) if rule else Resolved("", "")
        act = self.tracker.rolled(self.state, roll, given, found)
        return self.act(act)

    def act(self, act: Act) -> str:
        """An act as it is written and read again."""
        again = read_act(write_act(act))  # type: ignore[arg-type]
        state, told = self.tracker.apply(self.state, again)
        assert not isinstance(again, RollAct) or len(told) <= 500
        self.state = state
        self.acts.append(again)
        self.told.append(told)
        self.show()
        return told

    def undo(self, place: int = -1) -> None:
        """Take an act back: the others are folded anew. Raises Refusal where one leans on it, and leaves all as it was."""
        place %= len(self.acts)
        rest = [*self.acts[:place], *self.acts[place + 1 :]]
        plain = [read_act({key: value for key, value in write_act(act).items() if key != "was"}) for act in rest]
        self.state = fold(self.tracker, self.start, plain)
        self.acts = rest

    def count(self, fighter: str, marker: str, change: int) -> str:
        """− or + on a unit."""
        return self.act(MarkerAct(fighter=fighter, marker=marker, change=change))

    def show(self) -> None:
        """Everything that pages ask for can be told."""
        state, tracker = self.state, self.tracker
        for offer in tracker.offers(state):
            assert len(offer.closed) < 120
            tracker.asked(state, offer.roll)
        for prompt in tracker.prompts(state):
            assert not prompt.roll or tracker.asked(state, prompt.roll)
        assert tracker.board(state) or not state.fighters
        for fighter in state.fighters:
            assert all(len(badge.words) < 60 for badge in tracker.badges(state, fighter))
            assert all(tracker.lines(state, fighter)) or not tracker.lines(state, fighter)

    def unit(self, key: str) -> TableFighter:
        """A unit as it stands."""
        return self.state.fighter(key)

    def bases(self, key: str) -> int:
        """Its bases."""
        return sum(count for name, count in self.unit(key).markers.items() if name != "fire")

    def badges(self, key: str) -> list[str]:
        """The words on its row."""
        return [badge.words for badge in self.tracker.badges(self.state, self.unit(key))]

    def offered(self, key: str) -> dict[str, str]:
        """What is on offer for it, by label, with why it is closed."""
        return {offer.label: offer.closed for offer in self.tracker.offers(self.state) if offer.fighter == key}

    def refused(self, roll: str, *faces: int, **data: Any) -> str:
        """The sentence of a refusal; the table is as it was."""
        before = self.state
        try:
            told = self.do(roll, *faces, **data)
        except Refusal as refusal:
            assert self.state is before
            return refusal.message
        except NeedDice as need:
            return f"dice: {need.why}"
        raise AssertionError(f"It was done: {told}")

    def begun(self, first: str = "a") -> Battle:
        """With the initiative rolled."""
        keys = [side.key for side in self.state.sides]
        self.do("initiative", *[6 if key == first else 1 for key in keys])
        return self

    def ordered(self, leader: str, order: str) -> Battle:
        """With a company active under an order, where no die falls for it."""
        self.do("activate", fighter=leader)
        self.do("order", fighter=leader, order=order)
        return self

    def turn_done(self, keep: Sequence[str] = ()) -> Battle:
        """With everybody else having done nothing this turn, under Move."""
        while not self.state.facts["active"] and (ready := self.ready()):
            self.ordered(ready[0].fighter, "move").do("done", fighter=ready[0].fighter)
        return self

    def ready(self) -> list[TableOffer]:
        """The offers of the companies that may be activated: their orders, or the roll that comes before."""
        offers = self.tracker.offers(self.state)
        return [each for each in offers if each.fighter and each.roll in ("begin", "order") and not each.closed]
