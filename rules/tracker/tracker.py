"""The tracker of a battle, for every game: the state of the table as values, acts as data, and how an act changes the state.

Applying all acts in order to the table as it was set up gives the current state. Undoing one act means applying all the
others. Nothing here rolls dice: the rules of the game do, and the result of a roll is an act like any other.

A game stores its own data in `facts` (of a fighter, a side, the table). Plain facts are set. Figures change through
`counts`, so that undoing one act keeps what other acts counted. `Tracker.checked` rejects an impossible state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.force import FighterView, Force
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import (
    USE_OF,
    ActedAct,
    AddAct,
    AnyAct,
    DeedAct,
    KeepAct,
    MarkerAct,
    MoraleAct,
    NoteAct,
    Outcome,
    PlayedAct,
    RollAct,
    SceneAct,
    ScoreAct,
    SideThereAct,
    TurnAct,
)
from rules.tracker.changes import (
    AFTER_THE_END,
    CHANGES,
    add_counts,
    apply_to_side,
    apply_to_table,
    end_battle,
    end_turn,
    next_to_act,
    on_table,
    pressed_at,
    take_out,
)
from rules.tracker.rolls import (
    Armament,
    Awaited,
    Badge,
    BoardLine,
    Prompt,
    RollKind,
    StillOpen,
    TableOffer,
)
from rules.tracker.state import (
    Consumable,
    MarkerKind,
    TableFighter,
    TableSide,
    TableState,
)
from rules.translation import gettext

MOST_NAMED = 3  # how many of the fighters who have yet to act are named


class Tracker:
    """The tracker of one game in one edition.

    A game overrides the methods for its markers, rolls, moves and prompts.
    """

    markers: tuple[MarkerKind, ...] = ()
    # Whether the table folds away who has acted, and shows first who is still to act.
    folds_acted: bool = True
    # Whether a roster row of several fighters becomes that many fighters at the table, each with its own markers.
    apart: bool = False
    # Whether what happened to those who stay is kept if the forces change in the middle of a battle.
    relays: bool = False
    # Whether a device without a line can work out attacks, from the rows of `attack_book`.
    reckons: bool = False
    # The rolls whose forms a device keeps, so that players can tell their results without a line.
    kept_forms: frozenset[str] = frozenset()
    # The shared acts that this game uses. Pages leave out the buttons of the others.
    uses: frozenset[str] = frozenset(
        {"marker", "acted", "down", "out", "there", "used", "deed", "score", "initiative", "pass", "morale", "turn"}
    )

    def markers_of(self, fighter: TableFighter) -> tuple[MarkerKind, ...]:
        """Return the kinds of marker that a fighter may have. A kind without an icon is shown by the game's badges."""
        return self.markers

    def figure_of(self, fighter: TableFighter, kind: MarkerKind) -> int:
        """Return how many of a kind of marker lie on a fighter."""
        return fighter.markers.get(kind.id, 0)

    def once_each_turn(self, view: FighterView) -> tuple[Consumable, ...]:
        """Return what a fighter may use once in each turn."""
        return tuple(Consumable(f"once-{id_}", name, again=True) for id_, name in view.facts.get("once", ()))

    def laid_down(self, state: TableState) -> TableState:
        """Return the table without what waits for dice or decisions in this turn: its rest was played by hand."""
        return state

    def set_up(self, state: TableState) -> TableState:
        """Return the table at the start of the battle: the mustered forces plus what the game adds."""
        return state

    def attacked_by(self, side: TableSide) -> TableSide:
        """Return a side after the battle's attacker was set. A game whose rules ask who attacks stores it in its facts."""
        return side

    def facts(self, view: FighterView) -> dict[str, Any]:
        """Return what rolls need to know about a fighter, as JSON."""
        return {}

    def rolls(self) -> tuple[RollKind, ...]:
        """Return the rolls that are always on offer."""
        return ()

    def question(self, state: TableState, roll: str, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """Return the name of the rule that resolves a roll, and its input. Raises Refusal."""
        raise Refusal(gettext("This game rolls nothing here."), code="unknown-roll")

    def rolled(self, state: TableState, roll: str, data: Mapping[str, str], found: Resolved) -> RollAct:
        """Return the act for the resolved dice. Raises Refusal."""
        raise Refusal(gettext("This game rolls nothing here."), code="unknown-roll")

    def prompts(self, state: TableState) -> tuple[Prompt, ...]:
        return self._turn_prompts(state)

    def still_open(self, state: TableState) -> tuple[StillOpen, ...]:
        """Return what would be lost if the turn ended now: who has yet to act, a test that is due."""
        return tuple(_yet_to_act(state)) if "acted" in self.uses else ()

    def left_open(self, state: TableState) -> tuple[str, ...]:
        """Return the sentences of `still_open`."""
        return tuple(each.words for each in self.still_open(state))

    def offers(self, state: TableState) -> tuple[TableOffer, ...]:
        """Return the rolls and moves on offer now besides `rolls`, for the table, a side or a fighter."""
        return ()

    def weapon_attacks(self, state: TableState, fighter: TableFighter) -> tuple[TableOffer, ...]:
        """Return the attacks that a fighter's weapons make, each with its `weapon`. They need the rosters (see `bound`)."""
        return ()

    def chances(self, state: TableState, offer: TableOffer, target: str) -> Mapping[str, Fraction]:
        """Return the exact odds of an attack that a weapon makes, as the table stands now: by outcome, empty if they are not known."""
        return {}

    def asked(self, state: TableState, roll: str) -> RollKind:
        """Return a roll or move by its id, with the questions that fit the current table. Raises Refusal."""
        kind = next((kind for kind in self.rolls() if kind.id == roll), None)
        if kind is None:
            raise Refusal(gettext("“{roll}” is no roll of this table.").format(roll=roll), code="unknown-roll")
        return kind

    def needed(self, cuts: Sequence[int]) -> str:
        """Return what the dice of a roll had to come to, given the totals at which each further row of its chart begins."""
        return gettext("{least} or more").format(least=cuts[0]) if cuts else ""

    def by_results(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int]) -> Resolved:
        """Return a roll whose results players told, by rows of its charts. Raises NeedResult for the next one, Refusal."""
        raise Refusal(gettext("This roll takes dice."), mend=gettext("Enter your dice."), code="told")

    def asking(self, state: TableState, roll: str, data: Mapping[str, str], rows: Sequence[int] = ()) -> RollKind:
        """Return the roll or move with its questions after the answers given so far, since later questions may depend on them.

        `rows` are the results told so far. Raises Refusal.
        """
        return self.asked(state, roll)

    def bound(self, forces: Callable[[str], Force | None]) -> Tracker:
        """Return this tracker with access to the mustered forces, by key of the side (None for a guest).

        They are read only when needed.
        """
        return self

    def words_of(self, fighter: TableFighter) -> tuple[str, ...]:
        """Return what a device needs to know of a fighter to go on without a line: its state, and what it has used up."""
        state = {"down": fighter.down, "acted": fighter.acted, "out": fighter.out, "away": not fighter.there}
        used = (name for name, value in fighter.facts.items() if name.endswith("_used") and value is True)
        marks = (f"{kind}={count}" for kind, count in fighter.markers.items() if count)
        return (*(word for word, holds in state.items() if holds), *used, *marks)

    def morale_words(self, state: TableState, hands: Set[str]) -> str:
        """Return what a device needs to test the morale of these sides without a line, "" in games whose tests it does not work out.

        It is the scenario's rule, for how many turns a failure counts, and of each side the turns of its last test, until which its failures
        count (−1: always) and in which it is Shaken: "other|1|12=2/3/3".
        """
        return ""

    def attack_book(self, hands: Set[str], sides: Mapping[str, Force]) -> Mapping[str, Any]:
        """Return what attacks of these sides come to, as rows for a device without a line. Nothing if the game's dice are not so read."""
        return {}

    def board(self, state: TableState) -> tuple[BoardLine, ...]:
        return ()

    def badges(self, state: TableState, fighter: TableFighter) -> tuple[Badge, ...]:
        return ()

    def lines(self, state: TableState, fighter: TableFighter) -> tuple[str, ...]:
        return ()

    def tracks(self, state: TableState, fighter: TableFighter) -> tuple[BoardLine, ...]:
        """Return the rows of boxes on an open fighter: what is left of it, and what it has taken."""
        return ()

    def armaments(self, state: TableState, fighter: TableFighter) -> tuple[Armament, ...]:
        """Return the weapons of a fighter as they are now. A game without any shows those of the roster."""
        return ()

    def has_acted(self, state: TableState, fighter: TableFighter) -> bool:
        """Return whether a fighter is folded away among those who have acted."""
        return fighter.acted

    def awaited(self, state: TableState) -> Awaited | None:
        """Return what the table waits for where no button does it: a unit to choose, or what the other side does."""
        return None

    def checked(self, before: TableState, state: TableState) -> TableState:
        """Return the state after an act if it is possible. Raises Refusal otherwise."""
        return state

    def losses(self, state: TableState) -> Mapping[str, Mapping[str, Any]]:
        """Return what the battle cost each fighter besides being out, for the report: figures by key of the fighter."""
        return {}

    def owner(self, state: TableState, act: AnyAct) -> str:
        """Return the side that an act belongs to, or "" for an act of all sides (the turn, the initiative, the end).

        Raises Refusal.
        """
        if isinstance(act, (ScoreAct, MoraleAct, KeepAct, AddAct, NoteAct, DeedAct, SideThereAct)):
            return state.side(act.side).key
        if isinstance(act, RollAct):
            return state.fighter(act.fighter).side if act.fighter else act.side
        fighter = getattr(act, "fighter", "")
        return state.fighter(fighter).side if fighter else ""

    # --- one act

    def apply(self, state: TableState, act: AnyAct) -> tuple[TableState, str]:
        """Return the state after an act, and a sentence on the act.

        Raises Refusal for an act that is impossible or that this game does not have.
        """
        if USE_OF.get(type(act), "") not in {"", *self.uses}:
            raise Refusal(gettext("This game has no such act at the table."), code="unused")
        after, message = self._apply(state, act)
        return self.checked(state, after), message

    def _apply(self, state: TableState, act: AnyAct) -> tuple[TableState, str]:
        if change := AFTER_THE_END.get(type(act)):
            state, told = change(state, act)
            if isinstance(act, SceneAct):
                state = replace(state, sides=tuple(self.attacked_by(side) for side in state.sides))
            return state, told
        if state.ended:
            words = gettext("The battle has ended.")
            raise Refusal(words, mend=gettext("Press “Go on with the battle” first."), code="ended")
        if change := CHANGES.get(type(act)):
            return change(state, act)
        match act:
            case MarkerAct():
                return self._marker(state, act)
            case ActedAct():
                return self._acted(state, act)
            case MoraleAct():
                return self.tested(state, act.side, act.outcome, act.turn)
            case TurnAct():
                return end_turn(state, act, self.left_open(state))
            case PlayedAct():
                state, told = end_turn(self.laid_down(state), TurnAct(turn=act.turn), ())
                return state, gettext("Turn {turn} was finished by hand. ").format(turn=act.turn) + told
            case RollAct():
                return self._rolled(state, act)
        return end_battle(state, self.left_open(state))

    def _marker(self, state: TableState, act: MarkerAct) -> tuple[TableState, str]:
        fighter = on_table(state, act.fighter)
        kind = next((kind for kind in self.markers_of(fighter) if kind.id == act.marker), None)
        if kind is None:
            raise Refusal(
                gettext("“{marker}” is no marker of this game.").format(marker=act.marker), code="unknown-marker"
            )
        held = self.figure_of(fighter, kind)
        message = gettext("{name}: {marker} {was} to {now}{pressed_at}.").format(
            name=fighter.name,
            marker=kind.name.lower(),
            was=held,
            now=held + act.change,
            pressed_at=pressed_at(act.was, held),
        )
        return state.with_fighter(self.marked(fighter, {kind.id: act.change})), message

    def marked(self, fighter: TableFighter, changes: Mapping[str, int]) -> TableFighter:
        """Return the fighter with its markers changed. Raises Refusal below zero and above the maximum."""
        markers = dict(fighter.markers)
        for kind in self.markers_of(fighter):
            change = changes.get(kind.id, 0)
            now = markers.get(kind.id, 0) + change
            if change and now < 0:
                raise Refusal(
                    gettext("{name} holds {amount} {name_2}; {value} cannot be taken.").format(
                        name=fighter.name, amount=now - change, name_2=kind.name.lower(), value=-change
                    ),
                    code="below-nought",
                )
            if change and now > kind.most:
                raise Refusal(
                    gettext("{name} holds {amount} {name_2}; {most} is the most.").format(
                        name=fighter.name, amount=now - change, name_2=kind.name.lower(), most=kind.most
                    ),
                    code="cap",
                )
            if change:
                markers[kind.id] = now
        return replace(fighter, markers={key: count for key, count in markers.items() if count}, touched=True)

    def _acted(self, state: TableState, act: ActedAct) -> tuple[TableState, str]:
        fighter = on_table(state, act.fighter)
        if is_late(state, act.turn):
            fighter, message = self.activated(fighter)
            state = state.with_fighter(replace(fighter, touched=True))
            words = gettext("{name} has acted, in turn {turn}.").format(name=fighter.name, turn=act.turn)
            return state, words + message
        if fighter.acted:
            raise Refusal(gettext("{name} has acted this turn.").format(name=fighter.name), code="acted")
        fighter, message = self.activated(fighter)
        state = state.with_fighter(replace(fighter, acted=True, touched=True))
        return self.handed_over(state, fighter), gettext("{name} has acted.").format(name=fighter.name) + message

    def activated(self, fighter: TableFighter) -> tuple[TableFighter, str]:
        """Return the fighter after its activation, and a sentence about it with a leading blank."""
        return fighter, ""

    def handed_over(self, state: TableState, fighter: TableFighter) -> TableState:
        """Return the state once a fighter has acted: the turn to act passes on."""
        return next_to_act(state, fighter.side)

    def acts_too(self, state: TableState) -> TableFighter | None:
        """Return the fighter whose activation belongs to that of one who has acted, None if there is none."""
        return None

    def tested(self, state: TableState, key: str, outcome: Outcome, turn: int = 0) -> tuple[TableState, str]:
        """Return the state after a morale test with this outcome, and a sentence. `turn` is that of the test, 0 for this one.

        Raises Refusal for a second test in one turn.
        """
        side, turn = state.side(key), turn or state.turn
        if side.tested >= turn:
            raise Refusal(gettext("{name} has tested its morale this turn.").format(name=side.name), code="tested")
        changes: dict[str, Any] = {"tested": turn}
        if outcome != "holds":
            changes |= {"failed": True, "fled": outcome == "flees"}
        if outcome == "shaken":
            changes["shaken"] = turn + 1
        words = {
            "holds": gettext("Morale: {name} holds."),
            "shaken": gettext("Morale: {name} is Shaken."),
            "flees": gettext("Morale: {name} flees, and loses."),
        }[outcome]
        return state.with_side(replace(side, **changes)), words.format(name=side.name)

    def _rolled(self, state: TableState, act: RollAct) -> tuple[TableState, str]:
        """Apply the effects of dice. Raises Refusal for an effect on a fighter that is out."""
        late = is_late(state, act.turn)
        ends = act.done and (late or not state.fighter(act.fighter).acted)
        for effect in act.effects:
            fighter = on_table(state, effect.fighter)
            fighter = self.marked(fighter, effect.markers) if effect.markers else replace(fighter, touched=True)
            facts = add_counts(fighter.name, {**fighter.facts, **effect.facts}, effect.counts)
            down = fighter.down if effect.down is None else effect.down
            acted = fighter.acted if effect.acted is None or late else effect.acted
            fighter = replace(fighter, facts=facts, down=down, acted=acted)
            state = state.with_fighter(take_out(fighter, effect.by) if effect.out else fighter)
        for change in act.side_effects:
            state = apply_to_side(state, change)
        state = apply_to_table(state, act.table)
        if act.initiative:
            side = state.side(act.initiative)
            state = replace(state, initiative=side.key, acting=side.key)
        if act.morale is not None:
            state, _ = self.tested(state, act.side, act.morale, act.turn)
        return self._ended(state, act) if ends else (state, act.told)

    def _ended(self, state: TableState, act: RollAct) -> tuple[TableState, str]:
        """End the activation that an act was the last action of: the fighter has acted, and the next side acts."""
        fighter = state.fighter(act.fighter)
        if not fighter.fights:
            return self.handed_over(state, fighter), act.told
        fighter, message = self.activated(fighter)
        if is_late(state, act.turn):
            told = gettext("{told} {name} has acted, in turn {turn}.{message}")
            told = told.format(told=act.told, name=fighter.name, turn=act.turn, message=message)
            return state.with_fighter(replace(fighter, touched=True)), told
        state = state.with_fighter(replace(fighter, acted=True, touched=True))
        told = gettext("{told} {name} has acted.{message}").format(told=act.told, name=fighter.name, message=message)
        return self.handed_over(state, fighter), told

    # --- prompts

    def _turn_prompts(self, state: TableState) -> tuple[Prompt, ...]:
        found = []
        if "initiative" in self.uses and not state.initiative and len(state.sides) > 1:
            words, unlisted = gettext("Turn {turn}: who has the initiative?").format(turn=state.turn), _unlisted(state)
            words += (
                gettext(" No one of {name} is listed: add them, or say it.").format(name=unlisted) if unlisted else ""
            )
            found.append(Prompt("initiative", words, roll="" if unlisted else "initiative"))
        if state.turn_limit and state.turn >= state.turn_limit:
            found.append(Prompt("limit", gettext("Turn {turn} is the last.").format(turn=state.turn)))
        elif state.turn_least and state.turn >= state.turn_least:
            found.append(
                Prompt(
                    "limit",
                    gettext("The battle may end with turn {turn}: the scenario says how.").format(turn=state.turn),
                )
            )
        return tuple(found)


def refuse_open(tracker: Tracker, state: TableState, act: AnyAct) -> None:
    """Raise Refusal if something would be lost at the end of this turn, unless the player ends it anyway.

    This check runs when a player presses the button, not when the acts are applied again: after an act was undone, it
    is normal that more is left open. The end of the battle is not checked, because either side can reopen it.
    """
    if not isinstance(act, TurnAct) or act.anyway or act.turn != state.turn or state.ended:
        return
    if left := tracker.left_open(state):
        raise Refusal(
            gettext("Turn {turn} is not ended yet. {open}").format(turn=state.turn, open=" ".join(left)),
            mend=gettext("Do that first, or press “End all the same”."),
            code="open",
        )


def _yet_to_act(state: TableState) -> Iterator[StillOpen]:
    for side in state.sides:
        names = [fighter.name for fighter in state.of(side.key) if fighter.fights and not fighter.acted]
        if names and not side.fled:
            more = gettext(" and {count} more").format(count=len(names) - MOST_NAMED) if len(names) > MOST_NAMED else ""
            words = gettext("{name} has {count} still to act: {listed}{more}.").format(
                name=side.name, count=len(names), listed=", ".join(names[:MOST_NAMED]), more=more
            )
            yield StillOpen(words, "act", side.key)


def _unlisted(state: TableState) -> str:
    """Return the name of a guest's side of which no fighter was added yet, so that it cannot be counted; "" if there is none."""
    return next((side.name for side in state.sides if side.guest and not state.of(side.key)), "")


def refuse_unlisted(state: TableState) -> None:
    """Raise Refusal if a side cannot be counted."""
    if name := _unlisted(state):
        words = gettext("No one of {name} is listed here.").format(name=name)
        raise Refusal(words, mend=gettext("Add them, or say who has the initiative."), code="unlisted")


def is_late(state: TableState, turn: int) -> bool:
    """Return whether an act belongs to a turn that is over: it was made without a line."""
    return 0 < turn < state.turn


def fold(tracker: Tracker, state: TableState, acts: Iterable[AnyAct]) -> TableState:
    """Return the state after all these acts. Raises Refusal at the first impossible one."""
    for act in acts:
        state, _ = tracker.apply(state, act)
    return state
