"""Corrections: players fix what the table has wrong about a unit, question by question.

The form shows the current values. Each answer that differs from them is a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext as _
from rules.trench_too_far.charts import QUALITIES
from rules.trench_too_far.force import COMPANY, TANKS
from rules.trench_too_far.tracker.allowed import active
from rules.trench_too_far.tracker.move import ORDER_WORDS, POSITION_WORDS, UnitMove, fighter_in, named
from rules.trench_too_far.tracker.platoons import positions_open
from rules.trench_too_far.tracker.units import (
    kind_of,
    leader_of,
    now,
    order_of,
    parts_of,
    quality_of,
    remnant_dice,
    vehicles,
)

VEHICLE_STATES = (
    ("-", _("Sound")),
    ("i", _("Immobilised")),
    ("d", _("Damaged")),
    ("id", _("Immobilised and Damaged")),
    ("x", _("Destroyed")),
)
DONE_WORDS = (("-", _("Has yet to act")), ("1", _("Has acted")))
DISRUPTED_WORDS = (
    ("none", _("Not Disrupted")),
    ("this-turn", _("This turn")),
    ("until-rallied", _("Until it rallies")),
)
DID = (
    ("moved", _("Moved this turn")),
    ("fired", _("Fired this turn")),
    ("assaulted", _("Assaulted this turn")),
    ("failed", _("Would not assault this turn")),
)
# Answers that are stored as a turn number: the fact, and the offset from the current turn.
TURN_FACTS = {
    **{name: (name, 0) for name in ("moved", "fired", "assaulted", "failed", "indirect", "must_defend")},
    "must_defend_next": ("must_defend", 1),
}


def _box(name: str, label: str, stands: bool) -> Asks:
    return Asks(name, label, usual="1" if stands else "")


class Correction(UnitMove):
    id, label, move = "right", _("Correct"), True
    words = _("What stands here is what the table says; change what is wrong.")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        fighter = named(state, data)
        everybody = tuple(each.key for each in state.fighters)
        questions = _questions(state, fighter) if fighter is not None else ()
        return (Asks("fighter", _("Who"), "mine", only=everybody, leads=True), *questions)

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        fighter = fighter_in(state, data)
        change = _Change(state.turn, fighter)
        parts: list[str] = []
        for ask in _questions(state, fighter):
            box = ask.kind == "toggle"
            after = ("1" if ticked(data, ask.name) else "") if box else str(data.get(ask.name) or ask.usual).strip()
            if after == ask.usual:
                continue
            shown = ("yes" if after else "no") if box else dict(ask.options).get(after, after)
            parts.append(f"{ask.label} {shown}".replace(":", ","))
            change.put(ask, after)
        if not parts:
            raise Refusal(
                _("Nothing is different."), mend=_("Change what is wrong, or go back to the table."), code="done"
            )
        effect = Effect(
            fighter=fighter.key, facts=change.facts, counts=change.counts, markers=change.markers, acted=change.acted
        )
        table: dict[str, Any] = {"facts": {"active": ""}} if change.acted and active(state) == fighter.key else {}
        return self.act(
            _("{fighter}, corrected: {parts}.").format(fighter=fighter.name, parts="; ".join(parts)),
            fighter=fighter,
            effects=(effect,),
            **table,
        )


def _questions(state: TableState, fighter: TableFighter) -> Iterator[Asks]:
    """Yield the questions about a unit that a player may correct, with the current values."""
    kind = kind_of(fighter)
    if kind == TANKS:
        for index, vehicle, how in vehicles(fighter):
            yield Asks(f"vehicle_{index}", vehicle["name"], "option", options=VEHICLE_STATES, usual=how or "-")
    else:
        yield from _troop_questions(fighter)
    if kind in ("platoon", TANKS):
        yield _box("shocked", _("Shocked"), bool(fighter.facts.get("shocked")))
    if kind != COMPANY:
        yield _box("stranded", _("Stranded: out of command, or strung out"), bool(fighter.facts.get("stranded")))
    if kind == "platoon":
        yield _box("indirect", _("Mortars or artillery fired at it this turn"), now(state, fighter, "indirect"))
    if fighter.facts.get("type") == "cavalry":
        yield _box("dismounted", _("On foot"), bool(fighter.facts.get("dismounted")))
    if leader_of(state, fighter).key == fighter.key:
        yield from _leader_questions(state, fighter)
    if kind != COMPANY:
        yield from (_box(fact, label, now(state, fighter, fact)) for fact, label in DID)
    if state.side(fighter.side).guest:
        qualities = tuple((each.id, each.name) for each in QUALITIES)
        yield Asks("quality", _("Quality"), "option", options=qualities, usual=quality_of(state, fighter))
        yield Asks("full", _("Bases at strength"), "number", 1, 12, usual=str(parts_of(fighter)[0]["full"]))


def _troop_questions(fighter: TableFighter) -> Iterator[Asks]:
    for part in parts_of(fighter) if fighter.out else ():  # fighters on the table have their markers in their panel
        if part["start"]:
            yield Asks(f"bases_{part['id']}", part["name"], "number", 0, part["start"], usual="0")
    position = fighter.facts.get("position", "dispersed")
    positions = dict.fromkeys((*positions_open(fighter), position))
    options = tuple((each, POSITION_WORDS[each]) for each in positions)
    yield Asks("position", _("Position"), "option", options=options, usual=str(position))


def _leader_questions(state: TableState, leader: TableFighter) -> Iterator[Asks]:
    facts = leader.facts
    orders = (("-", _("None yet")), *ORDER_WORDS.items())
    yield Asks("order", _("Order"), "option", options=orders, usual=order_of(leader) or "-")
    disrupted = str(facts.get("disrupted") or "none")
    yield Asks("disrupted", _("Disrupted"), "option", options=DISRUPTED_WORDS, usual=disrupted)
    yield _box("must_defend", _("Must Defend this turn"), now(state, leader, "must_defend"))
    yield _box("must_defend_next", _("Must Defend next turn"), facts.get("must_defend", 0) == state.turn + 1)
    yield Asks("done", _("This turn"), "option", options=DONE_WORDS, usual="1" if leader.acted else "-")
    if kind_of(leader) == COMPANY:
        dice = remnant_dice(state, leader)
        maximum = dice + int(facts.get("rolled_for", 0))
        yield Asks("remnants", _("Bases to roll Remnants for"), "number", 0, maximum, usual=str(dice))
        ordinary = facts.get("commander") != "outstanding" or bool(facts.get("replaced"))
        yield _box("ordinary", _("Its commander is not Outstanding"), ordinary)


class _Change:
    """The corrections of a unit, collected for an effect."""

    def __init__(self, turn: int, fighter: TableFighter) -> None:
        self.turn, self.fighter = turn, fighter
        self.facts: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.markers: dict[str, int] = {}
        self.acted: bool | None = None

    def put(self, ask: Asks, after: str) -> None:
        """Record one answer that differs from the current value."""
        name, plain = ask.name, "" if after == "-" else after
        if name.startswith("vehicle_"):
            self.facts[f"v{name.removeprefix('vehicle_')}"] = plain
        elif name.startswith("bases_"):
            self.markers[name.removeprefix("bases_")] = int(after) - int(ask.usual)
        elif name in TURN_FACTS:
            fact, turns = TURN_FACTS[name]
            self.facts[fact] = self.turn + turns if after else 0
        elif name == "order":
            self.facts |= {"order": plain, "ordered": self.turn if plain else 0}
        elif name == "done":
            self.acted = bool(plain)
        elif name == "remnants":
            self.counts["rolled_for"] = int(ask.usual) - int(after)
        elif name == "ordinary":
            self.facts |= {"commander": "normal" if after else "outstanding", "replaced": False}
        elif name == "full":
            part = parts_of(self.fighter)[0]
            self.facts["parts"] = [{**part, "full": int(after), "start": int(after)}]
            self.markers[part["id"]] = int(after) - part["start"]
        else:
            self.facts[name] = bool(after) if ask.kind == "toggle" else after
