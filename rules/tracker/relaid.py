"""A table set up again with other fighters in the middle of a battle: who stays keeps what happened to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.tracker.state import TableDeed, TableFighter, TableSide, TableState


def _laid_again(begun: TableState, state: TableState, fresh: TableState) -> Iterator[TableFighter]:
    """Yield the fighters of `fresh`, as they stand now if they were on the table."""
    before = {fighter.key: fighter for fighter in begun.fighters}
    now = {fighter.key: fighter for fighter in state.fighters}
    for one in fresh.fighters:
        yield _kept(before[one.key], now[one.key], one) if one.key in now and one.key in before else one


def _added_since(state: TableState, fresh: TableState) -> Iterator[TableFighter]:
    """Yield the fighters that joined in the middle of the battle, and those of guests."""
    there = {fighter.key for fighter in fresh.fighters}
    sides = {side.key for side in fresh.sides}
    guests = {side.key for side in fresh.sides if side.guest}
    for fighter in state.fighters:
        if fighter.key not in there and fighter.side in sides and (fighter.joined or fighter.side in guests):
            yield fighter


def relaid(begun: TableState, state: TableState, fresh: TableState) -> TableState:
    """Return the table with the fighters of `fresh`, on which all stands that happened since `begun` to those who are on both.

    Who was added during the battle stays too. A fighter that is gone takes its deeds back, so that they can be done again.
    """
    fighters = [*_laid_again(begun, state, fresh), *_added_since(state, fresh)]
    sides = {side.key for side in fresh.sides}
    known = {fighter.key for fighter in fighters}
    return replace(
        state,
        sides=tuple(_side(begun, state, side) for side in fresh.sides),
        fighters=tuple(fighters),
        deeds=tuple(_deed(state, deed, known, sides) for deed in fresh.deeds),
        turn_least=fresh.turn_least,
        turn_limit=fresh.turn_limit,
        morale=fresh.morale,
        initiative=state.initiative if state.initiative in sides else "",
        acting=state.acting if state.acting in sides else "",
        facts=_facts(begun.facts, state.facts, fresh.facts),
    )


def _facts(before: Mapping[str, Any], now: Mapping[str, Any], fresh: Mapping[str, Any]) -> dict[str, Any]:
    """Return fresh facts under those that the battle set or changed."""
    return {**fresh, **{name: fact for name, fact in now.items() if name not in before or before[name] != fact}}


def _kept(before: TableFighter, now: TableFighter, fresh: TableFighter) -> TableFighter:
    used = {piece.key for piece in now.kit if piece.used}
    return replace(
        fresh,
        there=now.there,
        touched=now.touched,
        acted=now.acted,
        down=now.down,
        out=now.out,
        out_by=now.out_by,
        markers=dict(now.markers),
        kit=tuple(replace(piece, used=piece.key in used) for piece in fresh.kit),
        facts=_facts(before.facts, now.facts, fresh.facts),
    )


def _side(begun: TableState, state: TableState, fresh: TableSide) -> TableSide:
    now = next((side for side in state.sides if side.key == fresh.key), None)
    before = next((side for side in begun.sides if side.key == fresh.key), None)
    if now is None or before is None:
        return fresh
    return replace(
        now, name=fresh.name, open=fresh.open, guest=fresh.guest, facts=_facts(before.facts, now.facts, fresh.facts)
    )


def _deed(state: TableState, fresh: TableDeed, fighters: set[str], sides: set[str]) -> TableDeed:
    done = next((deed for deed in state.deeds if deed.id == fresh.id and deed.side), None)
    if done is None or done.side not in sides or (done.fighter and done.fighter not in fighters):
        return fresh
    return replace(fresh, side=done.side, fighter=done.fighter)
