"""A small game for the table that no book knows, so that what the frame does for any game is tested without one: lamps, oil and soot.

The table holds oil, a side its lit lamps (three at most), a fighter soot. `trim` is a move without dice, `gather` one that names several
fighters, `flare` throws a die of eight sides and then two of twelve, `draw` draws with one press. Nobody goes Down here, and nobody counts
victory points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.dice import DiceSource
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct, SideEffect, TableEffect
from rules.tracker.rolls import Asks, Badge, BoardLine, Prompt, RollKind, TableOffer
from rules.tracker.state import MarkerKind, TableFighter, TableState
from rules.tracker.tracker import Tracker

MOST_LIT = 3
OIL = 2
TRIM = RollKind("trim", "Trim", "A move of its own: one soot less.", (Asks("fighter", "Who", "mine"),), move=True)


class LampTracker(Tracker):
    """The tracker of the lamps."""

    markers = (MarkerKind("wick", "Wick", "drop", 4),)
    uses = frozenset({"marker", "acted", "out", "there", "turn"})

    def set_up(self, state: TableState) -> TableState:
        return replace(
            state,
            facts={"oil": OIL, "mood": "calm"},
            sides=tuple(replace(side, facts={"lit": 0}) for side in state.sides),
            fighters=tuple(replace(fighter, facts={"soot": 2}) for fighter in state.fighters),
        )

    def rolls(self) -> tuple[RollKind, ...]:
        return (
            RollKind(
                "flare", "Flare", "A die of eight, then two of twelve.",
                (Asks("fighter", "Who", "mine"), Asks("strength", "Strength", "number", 0, 3)),
                "a D8, then two D12",
            ),
            RollKind("draw", "Draw", "One D12 from the bag.", dice_words="one D12"),
        )  # fmt: skip

    def asked(self, state: TableState, roll: str) -> RollKind:
        if roll == "trim":
            return TRIM
        if roll == "gather":
            sooty = tuple(fighter.key for fighter in state.fighters if fighter.facts.get("soot"))
            return RollKind(
                "gather", "Gather", "Those with soot only.",
                (Asks("side", "Whose", "side"), Asks("who", "Who gathers", "anybody", only=sooty, several=True)),
                move=True,
            )  # fmt: skip
        return super().asked(state, roll)

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if roll in ("trim", "gather"):
            return "", {}
        return f"lamp-{roll}", {"strength": data.get("strength", "0")}

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        if roll == "trim":
            fighter = state.fighter(data.get("fighter", ""))
            effect = Effect(fighter=fighter.key, counts={"soot": -1})
            return RollAct(roll=roll, told=f"{fighter.name} trims.", fighter=fighter.key, effects=(effect,))
        if roll == "gather":
            keys = [key for key in data.get("who", "").split(",") if key]
            if not keys:
                raise Refusal("Nobody gathers yet.", mend="Tick whoever does.", code="nobody")
            return RollAct(
                roll=roll, told=f"{len(keys)} gather.", side=data["side"],
                effects=tuple(Effect(fighter=key, facts={"gathered": True}) for key in keys),
            )  # fmt: skip
        if roll == "draw":
            return RollAct(
                roll=roll,
                told=f"Drawn: {found.total}.",
                table=TableEffect(counts={"oil": -1}, facts={"mood": "stirred"}),
            )
        fighter = state.fighter(data["fighter"])
        return RollAct(
            roll=roll, told=f"{fighter.name} flares: {found.total}.", fighter=fighter.key, side=fighter.side,
            side_effects=(SideEffect(side=fighter.side, counts={"lit": 1}),),
        )  # fmt: skip

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        found = list(self._turn_prompts(state))
        for side in state.sides:
            sooty = next((f for f in state.of(side.key) if f.facts["soot"] == 2 and f.acted), None)
            if sooty is not None:
                given = {"fighter": sooty.key}
                found.append(Prompt("soot", f"{sooty.name} is sooty.", side.key, roll="trim", given=given))
        return tuple(found)

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        empty = "" if state.facts["oil"] else "No oil is left."
        return (
            TableOffer("draw", "Draw oil", closed=empty, at_once=True, main=True),
            *(TableOffer("gather", f"Gather for {side.name}", side.key) for side in state.sides),
            *(
                TableOffer(
                    "trim", "Trim the wick", fighter=fighter.key, at_once=True,
                    closed="" if fighter.facts["soot"] else f"{fighter.name} has no soot left.",
                )
                for fighter in state.fighters
            ),
            *(
                TableOffer("flare", "Flare up", fighter=fighter.key, given={"strength": "2"})
                for fighter in state.fighters
            ),
        )  # fmt: skip

    def board(self, state: TableState) -> tuple[BoardLine, ...]:
        oil = int(state.facts["oil"])
        lines = [BoardLine("Oil", str(oil), str(state.facts["mood"]), tuple(("oil", n < oil) for n in range(OIL)))]
        lines += [BoardLine("Lit", str(side.facts["lit"]), side=side.key) for side in state.sides]
        return tuple(lines)

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        return (Badge("SOOT", "alarm"),) if fighter.facts["soot"] else (Badge("clean"),)

    def lines(self, state: TableState, fighter: TableFighter) -> tuple[str, ...]:
        return (f"Soot {fighter.facts['soot']}, oil on the table {state.facts['oil']}",)

    def checked(self, before: TableState, state: TableState) -> TableState:
        for side in state.sides:
            if side.facts.get("lit", 0) > MOST_LIT:
                raise Refusal(f"{side.name} has {MOST_LIT} lamps lit; no more burn.", code="lit")
        return state


def resolve_lamp(rule: str, dice: DiceSource) -> Resolved:
    """The rules of the lamps: what the dice of one throw, or of two, add up to."""
    if rule == "lamp-draw":
        draw = dice.draw(1, 12, "The draw")
        return Resolved("drawn", "Drawn.", draw.faces, draw.faces, draw.total)
    first = dice.draw(1, 8, "The spark")
    then = dice.draw(2, 12, "The flame")
    return Resolved("flared", "Flared.", (*first.faces, *then.faces), then.faces, first.total + then.total)
