"""The tracker of Gloom Trench: its overrides of the base tracker, which call the modules of the acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.custom.content import CustomContent
from rules.force import FighterView
from rules.gloom_trench.resolvers import rules
from rules.gloom_trench.tracker import (
    activation,
    board,
    checks,
    chits,
    initiative,
    losses,
    melee,
    morale,
    offers,
    opposing,
    owed,
    phases,
    pools,
    shooting,
)
from rules.gloom_trench.tracker.move import BEGINNING, MOST_POINTS, MOST_STRESS, POINTS, GloomMove, PlayState
from rules.gloom_trench.tracker.units import STRESS, Troop, unit_facts
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.changes import take_out
from rules.tracker.rolls import Armament, Awaited, Badge, BoardLine, Prompt, RollKind, StillOpen, TableOffer
from rules.tracker.state import MarkerKind, TableFighter, TableState
from rules.tracker.tracker import Tracker
from rules.translation import gettext as _

MOVES: Mapping[str, GloomMove] = {
    name: move
    for part in (phases, morale, pools, initiative, chits, activation, shooting, opposing, owed, melee, losses)
    for name, move in part.MOVES.items()
}
TABS = ("hits", "dice")


class GloomTracker(Tracker):
    """The tracker under the readings of its content."""

    markers = (MarkerKind(STRESS, _("Stress"), "triangle-alert", MOST_STRESS),)
    uses = frozenset({"marker", "out", "there", "score", "played"})
    kept_forms = frozenset(name for name, move in MOVES.items() if move.told is not None)

    def __init__(self, content: CustomContent) -> None:
        self.content = content

    def play(self, state: TableState) -> PlayState:
        return PlayState(self.content, state)

    # --- what players count by hand

    def markers_of(self, fighter: TableFighter) -> tuple[MarkerKind, ...]:
        """Return Stress, and the models left of each sort, which go out one by one where losses are counted by hand."""
        sorts = Troop(fighter).models if fighter.fights else ()
        left = (
            MarkerKind(f"{each.slug}_left", _("{model} left").format(model=each.name), "", each.full) for each in sorts
        )
        return (*self.markers, *left)

    def figure_of(self, fighter: TableFighter, kind: MarkerKind) -> int:
        return super().figure_of(fighter, kind) if kind in self.markers else int(fighter.facts.get(kind.id, 0))

    def words_of(self, fighter: TableFighter) -> tuple[str, ...]:
        kinds = [kind for kind in self.markers_of(fighter) if kind not in self.markers]
        return (*super().words_of(fighter), *(f"{kind.id}={self.figure_of(fighter, kind)}" for kind in kinds))

    def marked(self, fighter: TableFighter, changes: Mapping[str, int]) -> TableFighter:
        """Return the unit with its Stress and its models changed; out with its last model. Raises Refusal."""
        counted = {kind.id: self.figure_of(fighter, kind) for kind in self.markers_of(fighter)}
        sorts = {name: counted[name] for name in changes.keys() & counted.keys() if name != STRESS}
        filled = replace(fighter, markers={**fighter.markers, **sorts})
        found = super().marked(filled, changes)
        if not sorts:
            return found
        facts = {**fighter.facts, **{name: found.markers.get(name, 0) for name in sorts}}
        borne = str(facts.get("recorded_on") or "")
        if borne and not facts.get(f"{borne}_left"):
            facts |= {"recorded_damage": 0, "recorded_on": ""}
        marks = {name: count for name, count in found.markers.items() if name not in sorts}
        left = replace(found, markers=marks, facts=facts)
        return left if Troop(left).size else take_out(replace(left, facts=fighter.facts), "")

    def laid_down(self, state: TableState) -> TableState:
        return phases.laid_down(self.play(state))

    # --- the initial table

    def facts(self, view: FighterView) -> dict[str, Any]:
        return unit_facts(view.facts)

    def set_up(self, state: TableState) -> TableState:
        """Give each side its first Tactical Points: its highest Command plus what its formation adds."""
        play = self.play(replace(state, facts=dict(BEGINNING)))
        sides = []
        for side in state.sides:
            added = max((int(f.facts.get("formation_points") or 0) for f in state.of(side.key)), default=0)
            points = min(MOST_POINTS, play.command(side.key) + added)
            sides.append(replace(side, facts={POINTS: points, "filled": 0, "kept": 0}))
        return replace(play.state, sides=tuple(sides))

    # --- rolls and moves

    def rolls(self) -> tuple[RollKind, ...]:
        """Return the rolls that are always available: hits from anywhere, and dice for anything.

        All others are offered when due.
        """
        bare = PlayState(self.content, TableState(sides=()))
        return tuple(MOVES[name].asked(bare, {}) for name in TABS)

    def asked(self, state: TableState, roll: str) -> RollKind:
        return self._move(roll).asked(self.play(state), {})

    def asking(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int] = ()) -> RollKind:
        move, play = self._move(roll), self.play(state)
        kind = move.asked(play, data)
        return kind if move.counting is None else move.counting(play, data, rows, kind)

    def _move(self, roll: str) -> GloomMove:
        if roll not in MOVES:
            raise Refusal(_("“{roll}” is no roll of this table.").format(roll=roll), code="unknown-roll")
        return MOVES[roll]

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        move = self._move(roll)
        return move.question(self.play(state), data) if move.question else ("", {})

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        return self._move(roll).rolled(self.play(state), data, found)

    def by_results(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int]) -> Resolved:
        """Return a roll that players counted on their own dice. Raises NeedResult for the next number, Refusal."""
        move = self._move(roll)
        if move.told is None or move.question is None:
            return super().by_results(state, roll, data, rows)
        play = self.play(state)
        more, ones = move.told(play, data)
        rule, given = move.question(play, {**data, **more})
        return rules.resolve_told(self.content, rule, given, rows, ones if rows else 0)

    # --- prompts, offers and display

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        return () if state.ended else tuple(offers.prompts(self.play(state)))

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        return () if state.ended else tuple(offers.offers(self.play(state)))

    def still_open(self, state: TableState) -> tuple[StillOpen, ...]:
        """Return what blocks the turn: losses to place, and morale checks and dice that are due."""
        held = phases.held_up(self.play(state))
        return (StillOpen(held),) if held else ()

    def board(self, state: TableState) -> tuple[BoardLine, ...]:
        return tuple(board.board(self.play(state)))

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        return tuple(board.badges(state, fighter))

    def lines(self, state: TableState, fighter: TableFighter) -> tuple[str, ...]:
        return tuple(board.lines(self.content, fighter))

    def tracks(self, state: TableState, fighter: TableFighter) -> tuple[BoardLine, ...]:
        return tuple(board.tracks(self.content, fighter))

    def armaments(self, state: TableState, fighter: TableFighter) -> tuple[Armament, ...]:
        return tuple(board.armaments(fighter))

    def has_acted(self, state: TableState, fighter: TableFighter) -> bool:
        """Return whether a unit has been activated and cannot act again with the chit that was drawn."""
        facts = state.facts or BEGINNING
        if not fighter.acted or facts["active"] == fighter.key:
            return False
        play = self.play(state)
        return play.phase != "choose" or fighter.key not in {each.key for each in play.eligible(str(facts["chit"]))}

    def awaited(self, state: TableState) -> Awaited | None:
        return None if state.ended else offers.awaited(self.play(state))

    # --- validation

    def checked(self, before: TableState, state: TableState) -> TableState:
        """Return the checked state.

        Raises Refusal for a turn that skips a step, impossible counts, and losses of a unit that is not out.
        """
        checks.refuse_steps(before, state)
        play = self.play(state)
        for side in state.sides:
            checks.refuse_side(play, side, before.side(side.key))
        for fighter in state.fighters:
            if fighter.fights and fighter.facts.get("models"):
                checks.refuse_unit(Troop(fighter))
        acting = play.active.side if play.active is not None else str((state.facts or BEGINNING)["chit"])
        return state if state.acting == acting else replace(state, acting=acting)

    def losses(self, state: TableState) -> Mapping[str, Mapping[str, Any]]:
        """Return the lost models by the names of their sorts. A unit that is out has lost all that it came with."""
        found: dict[str, dict[str, int]] = {}
        for fighter in state.fighters:
            troop = Troop(fighter)
            lost = {model.name: model.full if fighter.out else model.full - model.left for model in troop.models}
            if told := {name: count for name, count in lost.items() if count}:
                found[fighter.key] = told
        return found
