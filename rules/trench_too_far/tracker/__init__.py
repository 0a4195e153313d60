"""The tracker of A Trench Too Far: companies that act one after the other, fire, assaults, tanks, and the end of the turn.

`units` reads units, and `allowed` says what orders permit. `turns`, `companies`, `platoons`, `firing`, `assaults` and
`corrections` hold the rolls and moves. `offers` lists what is possible now, and `board` what the page shows.
`rules.trench_too_far.resolvers` resolves the rules.

The rules text does not answer some questions, so this tracker decides:

- An order lasts until the company takes its next one: a unit that dug in stays dug in while others act in the following
  turn.
- A unit is fresh while it has all the bases it had when this battle began.
- Remnants are rolled for every lost base of foot except Militia, Remnants, horse and heavy weapons, once each.
- A command base is a single base that is never Shocked and never fires; it tests with the quality of the first platoon
  it leads.
- Teams and tanks of the company may join a platoon that assaults. In a fight of several units, hits fall on the first
  unit first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.force import FighterView
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Armament, Awaited, Badge, BoardLine, Prompt, RollKind, StillOpen, TableOffer
from rules.tracker.state import MarkerKind, TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker
from rules.translation import gettext
from rules.trench_too_far.force import COMPANY, PLATOON, TANKS
from rules.trench_too_far.tracker import board, offers
from rules.trench_too_far.tracker.allowed import active
from rules.trench_too_far.tracker.assaults import ASSAULT_PLAYS, fight_of, standing
from rules.trench_too_far.tracker.companies import COMPANY_PLAYS
from rules.trench_too_far.tracker.corrections import Correction
from rules.trench_too_far.tracker.firing import FIRE_PLAYS
from rules.trench_too_far.tracker.move import TooFarMove, revived
from rules.trench_too_far.tracker.platoons import PLATOON_PLAYS
from rules.trench_too_far.tracker.saving import SAVE_PLAYS
from rules.trench_too_far.tracker.turns import INITIATIVE, TURN_PLAYS, left_open
from rules.trench_too_far.tracker.units import (
    FIRE,
    alive,
    bases,
    facts_of,
    guest_facts,
    kind_of,
    leader_of,
    markers_at_start,
    markers_of,
    parts_of,
    start_bases,
    vehicles,
    with_turn_swept,
)

PLAYS: Mapping[str, TooFarMove] = {
    play.id: play
    for play in (*TURN_PLAYS, *COMPANY_PLAYS, *PLATOON_PLAYS, Correction(), *FIRE_PLAYS, *SAVE_PLAYS, *ASSAULT_PLAYS)
}
TABS = ("morale", "disrupt")
# Moves of a whole side. Every other move that names nobody belongs to the table.
OF_A_SIDE = frozenset({"rally"})
MOST_MILITIA = 3  # a force is mostly militia if two out of this many platoons are


def tracker_of(content: HasReadings) -> TooFarTracker:
    return TooFarTracker(content)


class TooFarTracker(Tracker):
    """The tracker of this game. Nobody goes Down, nothing is used up, and a unit is out once it has no base left."""

    uses = frozenset({"marker", "there", "score", "initiative", "played"})
    kept_forms = frozenset(play.id for play in PLAYS.values() if play.tells_results)

    def __init__(self, content: HasReadings) -> None:
        self.content = content

    # --- setting up

    def facts(self, view: FighterView) -> dict[str, Any]:
        return facts_of(view)

    def set_up(self, state: TableState) -> TableState:
        fighters = tuple(_at_start(each) for each in state.fighters)
        state = replace(
            state, fighters=_in_order(replace(state, fighters=fighters)), facts={"mode": INITIATIVE, "active": ""}
        )
        sides = tuple(replace(side, facts=_side_facts(state, side)) for side in state.sides)
        return self._settled(replace(state, sides=sides))

    def markers_of(self, fighter: TableFighter) -> tuple[MarkerKind, ...]:
        return markers_of(fighter)

    def laid_down(self, state: TableState) -> TableState:
        owing = (replace(each, facts={**each.facts, "owed": {}}) for each in state.fighters if each.facts.get("owed"))
        for fighter in tuple(owing):
            state = state.with_fighter(fighter)
        return state

    # --- rolls and moves

    def rolls(self) -> tuple[RollKind, ...]:
        bare = TableState(sides=())
        return tuple(PLAYS[name].kind(self.content, bare, {}) for name in TABS)

    def asked(self, state: TableState, roll: str) -> RollKind:
        return self.asking(state, roll, {})

    def asking(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int] = ()) -> RollKind:
        play = self._play(roll)
        return play.counting(self.content, state, data, rows, play.kind(self.content, state, data))

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        return self._play(roll).question(self.content, state, data)

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        return self._play(roll).rolled(self.content, state, data, found)

    def _play(self, roll: str) -> TooFarMove:
        found = PLAYS.get(roll)
        if found is None:
            raise Refusal(gettext("“{roll}” is no roll of this table.").format(roll=roll), code="unknown-roll")
        return found

    def attacked_by(self, side: TableSide) -> TableSide:
        """Return a side with what the battle says of who attacks."""
        return side if side.attacks is None else replace(side, facts={**side.facts, "attacker": side.attacks})

    def by_results(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int]) -> Resolved:
        """Return a roll that players counted on their own dice. Raises NeedResult for the next number, Refusal."""
        play = self._play(roll)
        if play.tells_results:
            return play.counted(self.content, state, data, rows)
        return super().by_results(state, roll, data, rows)

    # --- what is shown

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        return tuple(offers.prompts(self.content, state))

    def still_open(self, state: TableState) -> tuple[StillOpen, ...]:
        return tuple(StillOpen(words) for words in left_open(self.content, state))

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        return tuple(offers.offers(self.content, state))

    def board(self, state: TableState) -> tuple[BoardLine, ...]:
        return tuple(board.board(self.content, state))

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        return tuple(board.badges(self.content, state, fighter))

    def lines(self, state: TableState, fighter: TableFighter) -> tuple[str, ...]:
        return tuple(board.lines(self.content, state, fighter))

    def tracks(self, state: TableState, fighter: TableFighter) -> tuple[BoardLine, ...]:
        return tuple(board.tracks(self.content, state, fighter))

    def armaments(self, state: TableState, fighter: TableFighter) -> tuple[Armament, ...]:
        return tuple(board.armaments(self.content, state, fighter))

    def has_acted(self, state: TableState, fighter: TableFighter) -> bool:
        """Return whether the company of a unit has acted, or the unit itself where it is independent."""
        return leader_of(state, fighter).acted

    def awaited(self, state: TableState) -> Awaited | None:
        return None if state.ended else offers.awaited(self.content, state)

    def losses(self, state: TableState) -> Mapping[str, Mapping[str, Any]]:
        """Return the bases and vehicles lost in this battle, by unit and by their names on the roster."""
        found: dict[str, dict[str, int]] = {}
        for fighter in state.fighters:
            lost: dict[str, int] = {}
            if kind_of(fighter) == TANKS:
                for _, vehicle, how in vehicles(fighter):
                    if how == "x":
                        lost[vehicle["name"]] = lost.get(vehicle["name"], 0) + 1
            for part in parts_of(fighter):
                name = "Base" if kind_of(fighter) == "team" else part["name"]
                gone = part["start"] - fighter.markers.get(part["id"], 0)
                if gone:
                    lost[name] = lost.get(name, 0) + gone
            if lost and not fighter.joined:
                found[fighter.key] = lost
        return found

    # --- applying acts

    def _rolled(self, state: TableState, act: RollAct) -> tuple[TableState, str]:
        """Apply an act of this table.

        Raises Refusal if the act is impossible, also when the acts are applied again without an earlier one.
        """
        play = self._play(act.roll)
        whose = act.fighter or (act.side if act.roll in OF_A_SIDE else "")
        if act.roll == "join":
            whose = ""
        play.refuse(self.content, state, whose)
        if act.roll == "right":
            state = revived(state, [effect.fighter for effect in act.effects])
            for effect in act.effects:
                fighter = state.fighter(effect.fighter)
                if "parts" in effect.facts:  # these facts limit the markers, so they come first
                    state = state.with_fighter(
                        replace(fighter, facts={**fighter.facts, "parts": effect.facts["parts"]})
                    )
        return super()._rolled(state, act)

    def checked(self, before: TableState, state: TableState) -> TableState:
        """Return the state with the consequences of an act (a new turn, units that are out).

        Raises Refusal for an impossible state.
        """
        if state.turn != before.turn:
            state = with_turn_swept(state)
        state = self._settled(state)
        current = active(state)
        if current:
            leader = state.fighter(current)
            if leader.acted:
                raise Refusal(
                    gettext("{name} has acted this turn.").format(name=leader.name),
                    mend=gettext("Another company is to act."),
                    code="acted",
                )
            if active(before) and active(before) != current and not before.fighter(active(before)).acted:
                still = before.fighter(active(before))
                if not still.out:
                    raise Refusal(
                        gettext("{name} is still active.").format(name=still.name),
                        mend=gettext("End its activation first."),
                        code="two-active",
                    )
        for fighter in state.fighters:
            for part in parts_of(fighter):
                if fighter.markers.get(part["id"], 0) > part["start"]:
                    raise Refusal(
                        gettext("{name} began with {part} {part_2}; more never come back.").format(
                            name=fighter.name, part=part["start"], part_2=part["name"]
                        ),
                        mend=gettext("Count again."),
                        code="cap",
                    )
        return state

    def _settled(self, state: TableState) -> TableState:
        """Return the state with guests' units described, and with exactly those units out that have nothing left.

        A fight with only one side left is over.
        """
        described = (each if each.facts else _at_start(each) for each in state.fighters)
        state = replace(state, fighters=tuple(described))
        state = replace(state, fighters=tuple(_out_or_back(state, each) for each in state.fighters))
        fight = fight_of(state)
        if fight is not None and not (standing(state, fight["by"]) and standing(state, fight["on"])):
            state = replace(state, facts={**state.facts, "assault": None})
        current = active(state)
        if current and state.fighter(current).out:
            state = replace(state, facts={**state.facts, "active": ""})
        return state


def _out_or_back(state: TableState, fighter: TableFighter) -> TableFighter:
    """Return the fighter, marked as out exactly if it has nothing left."""
    gone = not alive(state, fighter)
    if gone != fighter.out:
        by = str(fighter.facts.get("by") or "") if gone else ""
        fighter = replace(fighter, out=gone, out_by=by if any(side.key == by for side in state.sides) else "")
    return replace(fighter, markers={}) if gone and fighter.markers.get(FIRE) else fighter


def _at_start(fighter: TableFighter) -> TableFighter:
    facts = fighter.facts or guest_facts()
    return replace(fighter, facts=facts, markers=markers_at_start(facts))


def _in_order(state: TableState) -> tuple[TableFighter, ...]:
    """Return for each side its companies, each followed by its units, then the independent units."""
    found: list[TableFighter] = []
    for side in state.sides:
        own = state.of(side.key)
        heads = [each for each in own if kind_of(each) == COMPANY]
        for head in heads:
            found += [head, *(each for each in own if each.key != head.key and leader_of(state, each).key == head.key)]
        found += [each for each in own if each not in found]
    return tuple(found)


def _side_facts(state: TableState, side: TableSide) -> dict[str, Any]:
    """Return whether a side attacks and whether it is mostly militia.

    It is mostly militia if its player says so. Without an answer, two thirds of its platoons have to be militia.
    """
    own = state.of(side.key)
    said: Mapping[str, Any] = next((each.facts["force"] for each in own if each.facts.get("force")), {})
    platoons = [each for each in own if kind_of(each) == PLATOON]
    militia = sum(each.facts.get("type") == "militia" for each in platoons)
    most = bool(platoons) and militia * MOST_MILITIA >= len(platoons) * (MOST_MILITIA - 1)
    told = said.get("mostly_militia")
    attacks = side.attacks if side.attacks is not None else said.get("attacker") == "yes"
    return {"attacker": attacks, "militia": told == "yes" if told in ("yes", "no") else most}


__all__ = ["PLAYS", "TooFarTracker", "bases", "start_bases", "tracker_of"]
