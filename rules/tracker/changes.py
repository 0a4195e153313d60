"""How the acts that all games share change the table. The rules are the same for every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.problems import Refusal
from rules.tracker.acts import (
    MOST_TURNS,
    AddAct,
    BackAct,
    DeedAct,
    DownAct,
    InitiativeAct,
    KeepAct,
    NoteAct,
    OutAct,
    OutByAct,
    PassAct,
    ReopenAct,
    SceneAct,
    ScoreAct,
    SideEffect,
    SideThereAct,
    TableEffect,
    TableJoins,
    ThereAct,
    TurnAct,
    UsedAct,
)
from rules.tracker.state import TableDeed, TableFighter, TableSide, TableState, keeper_of
from rules.translation import gettext

MOST_SCORE = 999
MOST_ADDED = 30

# --- fighters


def on_table(state: TableState, key: str) -> TableFighter:
    """Return this fighter of the table. Raises Refusal if it is out or has not entered the table yet."""
    fighter = state.fighter(key)
    if fighter.out:
        raise Refusal(
            gettext("{name} is Out of Action and cannot act.").format(name=fighter.name),
            mend=gettext("If that was a slip, undo it in the log."),
            code="out",
        )
    _refuse_absent(fighter)
    return fighter


def _refuse_absent(fighter: TableFighter) -> None:
    if not fighter.there:
        raise Refusal(
            gettext("{name} is in reserve.").format(name=fighter.name),
            mend=gettext("Press “Arrives” first."),
            code="not-there",
        )


def add_counts(whose: str, facts: dict[str, Any], counts: Mapping[str, int]) -> dict[str, Any]:
    """Return the facts with the counts added to their figures. Raises Refusal if a figure would fall below zero."""
    for name, change in counts.items():
        now = int(facts.get(name, 0)) + change
        if now < 0:
            raise Refusal(
                gettext("{whose}: {replace} stands at {amount}; {value} cannot be taken.").format(
                    whose=whose, replace=name.replace("_", " "), amount=now - change, value=-change
                ),
                code="below-nought",
            )
        facts[name] = now
    return facts


def take_out(fighter: TableFighter, by: str) -> TableFighter:
    return replace(fighter, out=True, out_by=by, down=False, markers={}, touched=True)


def _taken_out_by(state: TableState, fighter: TableFighter, by: str) -> str:
    if not by:
        return gettext("by a fall, or unknown")
    if by == fighter.side:
        return gettext("by its own side")
    return gettext("by {side}").format(side=state.side(by).name)


def _down(state: TableState, act: DownAct) -> tuple[TableState, str]:
    fighter = on_table(state, act.fighter)
    if fighter.down == act.now:
        words = gettext("{name} is Down already.") if act.now else gettext("{name} stands already.")
        raise Refusal(words.format(name=fighter.name), code="done")
    message = gettext("{name} goes Down.") if act.now else gettext("{name} stands up.")
    return state.with_fighter(replace(fighter, down=act.now, touched=True)), message.format(name=fighter.name)


def _out(state: TableState, act: OutAct) -> tuple[TableState, str]:
    fighter = on_table(state, act.fighter)
    by = _taken_out_by(state, fighter, act.by)
    return state.with_fighter(take_out(fighter, act.by)), gettext("{name} is Out of Action, {by}.").format(
        name=fighter.name, by=by
    )


def _out_by(state: TableState, act: OutByAct) -> tuple[TableState, str]:
    fighter = state.fighter(act.fighter)
    if not fighter.out:
        raise Refusal(gettext("{name} is not Out of Action.").format(name=fighter.name), code="not-out")
    by = _taken_out_by(state, fighter, act.by)
    return state.with_fighter(replace(fighter, out_by=act.by)), gettext("{name} went out {by}.").format(
        name=fighter.name, by=by
    )


def _back(state: TableState, act: BackAct) -> tuple[TableState, str]:
    fighter = state.fighter(act.fighter)
    if not fighter.out:
        raise Refusal(gettext("{name} is on the table.").format(name=fighter.name), code="not-out")
    return state.with_fighter(replace(fighter, out=False, out_by="")), gettext("{name} is back.").format(
        name=fighter.name
    )


def _there(state: TableState, act: ThereAct) -> tuple[TableState, str]:
    fighter = state.fighter(act.fighter)
    if fighter.there == act.now:
        words = gettext("{name} is on the table already.") if act.now else gettext("{name} is in reserve already.")
        raise Refusal(words.format(name=fighter.name), code="done")
    if not act.now and fighter.touched:
        raise Refusal(
            gettext("{name} took part in this battle.").format(name=fighter.name),
            mend=gettext("Undo what it did first."),
            code="took-part",
        )
    message = gettext("{name} arrives.") if act.now else gettext("{name} is in reserve.")
    return state.with_fighter(replace(fighter, there=act.now)), message.format(name=fighter.name)


def _side_there(state: TableState, act: SideThereAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    move = [one for one in state.of(side.key) if one.there != act.now and not one.out and (act.now or not one.touched)]
    if not move:
        words = gettext("No one of {name} is in reserve.") if act.now else gettext("Everyone of {name} took part.")
        raise Refusal(words.format(name=side.name), code="done")
    for fighter in move:
        state = state.with_fighter(replace(fighter, there=act.now))
    words = gettext("{name}: {names} arrive.") if act.now else gettext("{name}: {names} are in reserve.")
    return state, words.format(name=side.name, names=", ".join(fighter.name for fighter in move))


def _used(state: TableState, act: UsedAct) -> tuple[TableState, str]:
    fighter = state.fighter(act.fighter)
    piece = next((piece for piece in fighter.kit if piece.key == act.item), None)
    if piece is None:
        raise Refusal(gettext("{name} carries no such piece.").format(name=fighter.name), code="unknown-item")
    if piece.used:
        words = (
            gettext("{fighter_name} has used {name} this turn.")
            if piece.again
            else gettext("{name} of {fighter_name} is used up.")
        )
        raise Refusal(words.format(name=piece.name, fighter_name=fighter.name), code="done")
    kit = tuple(replace(p, used=True) if p.key == piece.key else p for p in fighter.kit)
    words = gettext("{name} uses {piece_name}.") if piece.again else gettext("{name} uses up {piece_name}.")
    told = words.format(name=fighter.name, piece_name=piece.name)
    return state.with_fighter(replace(fighter, kit=kit, touched=True)), told


def _joined(state: TableState, joins: TableJoins) -> TableState:
    if any(fighter.key == joins.key for fighter in state.fighters):
        raise Refusal(gettext("{name} stands on the table already.").format(name=joins.name), code="done")
    added = TableFighter(
        key=joins.key,
        side=state.side(joins.side).key,
        name=joins.name,
        profile_name=joins.profile_name,
        markers=dict(joins.markers),
        facts=dict(joins.facts),
        touched=True,
        joined=True,
    )
    return replace(state, fighters=(*state.fighters, added))


def _add(state: TableState, act: AddAct) -> tuple[TableState, str]:
    side, name = state.side(act.side), " ".join(act.name.split())
    if not side.guest:
        raise Refusal(
            gettext("The fighters of {name} are those of its ready version.").format(name=side.name), code="not-guest"
        )
    if not name:
        raise Refusal(gettext("A fighter needs a name."), code="no-name")
    own = state.of(side.key)
    if len(own) >= MOST_ADDED:
        raise Refusal(
            gettext("A guest brings {most_added} fighters at most.").format(most_added=MOST_ADDED), code="many"
        )
    added = TableFighter(key=f"g{side.key}-{len(own) + 1}", side=side.key, name=name)
    return replace(state, fighters=(*state.fighters, added)), gettext("{name} stands with {side_name}.").format(
        name=name, side_name=side.name
    )


# --- deeds and victory points


def _deed(state: TableState, act: DeedAct) -> tuple[TableState, str]:
    deed = next((deed for deed in state.deeds if deed.id == act.deed), None)
    if deed is None:
        raise Refusal(gettext("That is no deed of this battle."), code="unknown-deed")
    side = state.side(act.side)
    if deed.side:
        holder = state.fighter(deed.fighter).name if deed.fighter else state.side(deed.side).name
        raise Refusal(gettext("{name}: {holder} was first.").format(name=deed.name, holder=holder), code="deed-done")
    name = side.name
    if act.fighter and not deed.by_warband:
        fighter = _doer(state, deed, side, act.fighter)
        state, name = state.with_fighter(replace(fighter, touched=True)), fighter.name
    elif not deed.by_warband and not side.guest:
        raise Refusal(gettext("{name}: say which fighter did it.").format(name=deed.name), code="deed-fighter")
    done = replace(deed, side=side.key, fighter="" if deed.by_warband else act.fighter)
    deeds = tuple(done if d.id == deed.id else d for d in state.deeds)
    return replace(state, deeds=deeds), f"{deed.name}: {name}."


def _doer(state: TableState, deed: TableDeed, side: TableSide, key: str) -> TableFighter:
    """Return the fighter that does this deed for its side. Raises Refusal if it may not."""
    fighter = state.fighter(key)
    if fighter.side != side.key:
        raise Refusal(
            gettext("{name} is not of {side_name}.").format(name=fighter.name, side_name=side.name),
            code="unknown-fighter",
        )
    _refuse_absent(fighter)
    if deed.needs_profile and fighter.profile != deed.needs_profile:
        raise Refusal(
            gettext("{name} is not open to {fighter_name}.").format(name=deed.name, fighter_name=fighter.name),
            code="deed-closed",
        )
    return fighter


def _score(state: TableState, act: ScoreAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    now = side.score + act.change
    if not 0 <= now <= MOST_SCORE:
        raise Refusal(
            gettext("{name} has {score}; victory points go from 0 to {most_score}.").format(
                name=side.name, score=side.score, most_score=MOST_SCORE
            ),
            code="score",
        )
    message = gettext("{name}: victory points {score} to {now}{pressed_at}.").format(
        name=side.name, score=side.score, now=now, pressed_at=pressed_at(act.was, side.score)
    )
    return state.with_side(replace(side, score=now)), message


def pressed_at(was: int | None, stood: int) -> str:
    """Return a note for the log about the figure the player saw, if somebody else changed it before this press arrived."""
    return "" if was is None or was == stood else gettext(" (pressed at {was})").format(was=was)


# --- whose turn it is


def _initiative(state: TableState, act: InitiativeAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    if state.initiative == side.key:
        raise Refusal(gettext("{name} has the initiative already.").format(name=side.name), code="done")
    return replace(state, initiative=side.key, acting=side.key), gettext("{name} has the initiative.").format(
        name=side.name
    )


def _pass(state: TableState, act: PassAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    if state.acting == side.key:
        raise Refusal(gettext("{name} acts already.").format(name=side.name), code="done")
    return replace(state, acting=side.key), gettext("{name} acts.").format(name=side.name)


def next_to_act(state: TableState, after: str) -> TableState:
    """Pass the turn to act to the next side with a fighter left to act.

    It stays with the same side if no other has one.
    """
    keys = [side.key for side in state.sides]
    index = keys.index(after)
    for key in [*keys[index + 1 :], *keys[: index + 1]]:
        if any(fighter.fights and not fighter.acted for fighter in state.of(key)):
            return replace(state, acting=key)
    return replace(state, acting="")


def end_turn(state: TableState, act: TurnAct, left_open: Sequence[str]) -> tuple[TableState, str]:
    """Begin the next turn. `left_open` holds sentences for the log on what is still undone in this turn."""
    if act.turn != state.turn:
        raise Refusal(
            gettext("Turn {turn} is over already; this is turn {state_turn}.").format(
                turn=act.turn, state_turn=state.turn
            ),
            code="clash",
        )
    if state.turn >= (state.turn_limit or MOST_TURNS):
        raise Refusal(
            gettext("Turn {turn} is the last one of this battle.").format(turn=state.turn),
            mend=gettext("End the battle."),
            code="last-turn",
        )
    fighters = tuple(_ready(fighter) for fighter in state.fighters)
    return (
        replace(state, turn=state.turn + 1, initiative="", acting="", fighters=fighters),
        gettext("Turn {turn} begins.").format(turn=state.turn + 1) + _all_the_same(left_open),
    )


def _ready(fighter: TableFighter) -> TableFighter:
    """Return a fighter at the beginning of a turn."""
    spent = any(piece.used and piece.again for piece in fighter.kit)
    if spent:
        kit = tuple(replace(piece, used=False) if piece.again else piece for piece in fighter.kit)
        fighter = replace(fighter, kit=kit)
    return replace(fighter, acted=False) if fighter.acted else fighter


def end_battle(state: TableState, left_open: Sequence[str]) -> tuple[TableState, str]:
    scores = ", ".join(f"{side.name} {side.score}" for side in state.sides)
    message = gettext("The battle ends in turn {turn}: {scores}.").format(turn=state.turn, scores=scores)
    return replace(state, ended=True), message + _all_the_same(left_open)


def _all_the_same(left_open: Sequence[str]) -> str:
    """Return a note for the log, with a leading blank, on what was still open when a player ended a turn or battle anyway."""
    return gettext(" Ended all the same: {open}").format(open=" ".join(left_open)) if left_open else ""


def _reopen(state: TableState, act: ReopenAct) -> tuple[TableState, str]:
    if not state.ended:
        raise Refusal(gettext("The battle has not ended."), code="not-ended")
    return replace(state, ended=False), gettext("The battle goes on.")


# --- the scenario, the log, and who keeps it


def _scene(state: TableState, act: SceneAct) -> tuple[TableState, str]:
    """Change the scenario. Deeds already done stay done, even if the new scenario does not offer them."""
    done = {deed.id: deed for deed in state.deeds if deed.side}
    deeds = [done.get(deed.id, deed) for deed in act.deeds]
    deeds += [deed for deed in state.deeds if deed.side and deed.id not in {each.id for each in act.deeds}]
    state = replace(state, deeds=tuple(deeds), turn_least=act.turn_least, turn_limit=act.turn_limit, morale=act.morale)
    if act.attackers:
        state = replace(
            state, sides=tuple(replace(s, attacks=act.attackers.get(s.key, s.attacks)) for s in state.sides)
        )
    attackers = [side.name for side in state.sides if side.attacks and side.key in act.attackers]
    length = gettext(" It lasts {turn_limit} turns.").format(turn_limit=act.turn_limit) if act.turn_limit else ""
    who = "".join(gettext(" {name} attacks.").format(name=name) for name in attackers)
    return state, gettext("The scenario is {name}.").format(name=act.name) + length + who


def _keep(state: TableState, act: KeepAct) -> tuple[TableState, str]:
    side = state.side(act.side)
    keeper = state.side(act.keeper) if act.keeper else None
    if side.keeper == act.keeper:
        raise Refusal(gettext("That was said already."), code="done")
    are_two = sum(not each.open for each in state.sides) == 2
    if keeper is None:
        message = gettext("{name} keeps its own side.").format(name=side.name)
    elif are_two:
        message = gettext("{name}: {keeper_name} may track both sides.").format(name=side.name, keeper_name=keeper.name)
    else:
        message = gettext("{name}: {keeper_name} may track all sides.").format(name=side.name, keeper_name=keeper.name)
    state = state.with_side(replace(side, keeper=act.keeper))
    if keeper and any(keeper_of(state, other.key) == keeper.key for other in state.sides):
        words = (
            gettext(" {name} tracks both sides from now on.")
            if are_two
            else gettext(" {name} tracks all sides from now on.")
        )
        message += words.format(name=keeper.name)
    return state, message


def _note(state: TableState, act: NoteAct) -> tuple[TableState, str]:
    text = " ".join(act.words.split())
    if not text:
        raise Refusal(gettext("The note is empty."), code="empty")
    return state, f"“{text}”"


# --- effects of dice and moves on sides and the table


def apply_to_side(state: TableState, effect: SideEffect) -> TableState:
    if effect.score:
        state, _ = _score(state, ScoreAct(side=effect.side, change=effect.score))
    side = state.side(effect.side)
    facts = add_counts(side.name, {**side.facts, **effect.facts}, effect.counts)
    return state.with_side(replace(side, facts=facts))


def apply_to_table(state: TableState, effect: TableEffect) -> TableState:
    for joins in effect.joins:
        state = _joined(state, joins)
    if effect.next_turn:
        state, _ = end_turn(state, TurnAct(turn=state.turn), ())
    if effect.facts or effect.counts:
        state = replace(state, facts=add_counts(gettext("The table"), {**state.facts, **effect.facts}, effect.counts))
    if effect.acting is not None:
        state = replace(state, acting=state.side(effect.acting).key if effect.acting else "")
    return state


Change = Callable[[TableState, Any], tuple[TableState, str]]

# Acts that are also allowed after the end of the battle.
AFTER_THE_END: Mapping[type, Change] = {ReopenAct: _reopen, SceneAct: _scene}

# Acts that need nothing from the game. Each function returns the new table and a sentence for the log.
CHANGES: Mapping[type, Change] = {
    DownAct: _down,
    OutAct: _out,
    OutByAct: _out_by,
    BackAct: _back,
    ThereAct: _there,
    SideThereAct: _side_there,
    UsedAct: _used,
    DeedAct: _deed,
    ScoreAct: _score,
    InitiativeAct: _initiative,
    PassAct: _pass,
    KeepAct: _keep,
    AddAct: _add,
    NoteAct: _note,
}
