"""A table of Gloom Trench 1926 for tests: acted on as the pages do it, with dice typed in, and taken back act by act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules.dice import DiceSource, TypedDice
from rules.gloom_trench.tracker.gloom_tracker import GloomTracker
from rules.gloom_trench.tracker.move import PlayState
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.registry import system
from rules.resolvers.roller import Resolved
from rules.tracker.acts import AnyAct, read_act, write_act
from rules.tracker.rolls import refuse_closed, refuse_unasked
from rules.tracker.state import TableFighter, TableSide, TableState, read_state, write_state
from rules.tracker.tracker import fold
from tests.unit.rules import custom_forces as w

GAME = system(w.GLOOM)


def fielded(side: str, document: Mapping[str, Any], tracker: GloomTracker) -> list[TableFighter]:
    """The units of a force as the table lays them."""
    content = GAME.content("core")
    force, _ = GAME.documents.read_document(document)
    views = GAME.views(content, force)
    return [
        TableFighter(f"{side}{place}", side, row.name, row.profile, facts=tracker.facts(views[row.key]))
        for place, row in enumerate(force.fighters, 1)
    ]


class Laid:
    """A table that is played on: `state`, the acts so far, and how to act."""

    def __init__(
        self, *documents: Mapping[str, Any], sides: int = 2, readings: Mapping[str, str] | None = None
    ) -> None:
        self.content = GAME.content("core", house_rules={"readings": dict(readings or {})})
        self.tracker = GAME.battle.tracker(self.content)
        assert isinstance(self.tracker, GloomTracker)
        names = ("Ada", "Ben", "Cleo", "Dov")[:sides]
        keys = [name[0].lower() for name in names]
        forces = [*documents, *(w.gloom() for _ in range(sides - len(documents)))]
        fighters = [f for key, told in zip(keys, forces, strict=True) for f in fielded(key, told, self.tracker)]
        bare = TableState(
            sides=tuple(TableSide(key, name) for key, name in zip(keys, names, strict=True)), fighters=tuple(fighters)
        )
        self.start = read_state(write_state(self.tracker.set_up(bare)))
        self.state = self.start
        self.acts: list[AnyAct] = []
        self.said: list[str] = []

    # --- acting

    def do(self, roll: str, *dice: int, source: DiceSource | None = None, **data: Any) -> str:
        """A roll or move with these answers and dice; the sentence of the log. Raises Refusal, NeedDice."""
        told = {name: str(value) for name, value in data.items()}
        kind = self.tracker.asking(self.state, roll, told)
        refuse_unasked(self.state, kind, told)
        refuse_closed(self.tracker.offers(self.state), roll, told)
        rule, given = self.tracker.question(self.state, roll, told)
        found = Resolved("", "")
        if rule:
            typed = TypedDice(dice)
            found = GAME.resolvers.resolve(self.content, rule, given, source or typed)
            assert not typed.left, f"{typed.left} were not asked for"
        else:
            assert not dice, "no dice fall for this"
        return self.act(self.tracker.rolled(self.state, roll, told, found))

    def act(self, act: AnyAct) -> str:
        """An act as it is kept and read again."""
        act = read_act(write_act(act))
        self.state, said = self.tracker.apply(self.state, act)
        self.state = read_state(write_state(self.state))
        self.acts.append(act)
        self.said.append(said)
        return said

    def undo(self, place: int = -1) -> None:
        """Take the act at this place back. Raises Refusal where a later one leans on it."""
        left = [act for n, act in enumerate(self.acts) if n != place % len(self.acts)]
        self.state = fold(self.tracker, self.start, left)
        self.acts = left

    def go(self) -> str:
        """On to the next step."""
        return self.do("next", **{"from": self.phase})

    # --- looking

    @property
    def play(self) -> PlayState:
        return self.tracker.play(self.state)

    @property
    def phase(self) -> str:
        return self.play.phase

    def troop(self, key: str) -> Troop:
        return Troop(self.state.fighter(key))

    def left(self, key: str) -> dict[str, int]:
        """Models left by the names of their sorts."""
        return {model.name: model.left for model in self.troop(key).models}

    def offered(self, roll: str, **given: Any) -> bool:
        """Whether a roll is on offer and open."""
        return any(
            offer.roll == roll and not offer.closed and all(offer.given.get(k) == v for k, v in given.items())
            for offer in self.tracker.offers(self.state)
        )

    def asks(self, kind: str) -> list[str]:
        """The prompts of a kind, in words."""
        return [prompt.words for prompt in self.tracker.prompts(self.state) if prompt.kind == kind]

    # --- far on

    def stressed(self, **tokens: int) -> Laid:
        """With so much Stress on units, as it was counted up by hand."""
        for key, count in tokens.items():
            self.act(read_act({"kind": "marker", "fighter": key, "marker": "stress", "change": count}))
        return self

    def to_initiative(self) -> Laid:
        """Through the first turn's Tactical Phase, no die of it a success."""
        self.go()
        self.go()
        for side in self.state.sides:
            self.do("pool", *[1] * self.play.command(side.key), side=side.key)
        self.go()
        self.go()
        return self

    def to_draw(self, winner: str = "a") -> Laid:
        """To the first draw, this side with the initiative."""
        self.to_initiative()
        self.do("taken", whose=winner)
        return self

    def chit(self, side: str) -> Laid:
        """A chit of this side lies on the table."""
        self.do("drawn", which=side)
        return self

    def active(self, key: str, action: str, *dice: int, **data: Any) -> Laid:
        """This unit is active with this action."""
        if self.phase == "setup":
            self.to_draw()
        self.chit(self.state.fighter(key).side)
        self.do("activate", *dice, fighter=key, action=action, **data)
        return self

    def points(self, side: str, count: int) -> Laid:
        """With so many Tactical Points."""
        if self.play.pool(side) != count:
            self.do("points", side=side, now=count)
        return self


def changed(laid: Laid, key: str, **facts: Any) -> Laid:
    """A table begun with other facts of one unit."""
    fighter = laid.start.fighter(key)
    laid.start = laid.state = laid.start.with_fighter(replace(fighter, facts={**fighter.facts, **facts}))
    return laid


def refused(laid: Laid, roll: str, *dice: int, **data: Any) -> str:
    """The code of the refusal of an act; nothing is changed by it."""
    before = laid.state
    with pytest.raises(Refusal) as found:
        laid.do(roll, *dice, **data)
    assert laid.state == before
    assert found.value.message.endswith(".")
    return found.value.code
