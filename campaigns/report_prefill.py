"""Functions that fill in a battle's report from the log of its table, and compare a report with that log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Table
from campaigns.scenarios import scenario_of
from rules.tracker.state import TableFighter, TableState, read_state


def table_state(battle: Battle) -> TableState | None:
    """Return the current or last state of the table, None if no table was set up. One query."""
    kept = Table.objects.filter(battle=battle).values_list("state", flat=True).first()
    return read_state(kept) if kept else None


def logged_report(battle: Battle, state: TableState) -> dict[str, Any]:
    """Return a report's data from the table's log: out and by whom, deeds, points, used kit, who took part. No
    queries.

    If all other sides fled, the remaining side won; else the side with more points, if points decide the scenario.
    Otherwise there is no winner yet.
    """
    winner, outcome = _result(battle, state)
    reported = _reported_rows(state)
    own = {side.key: [row for row in reported if row.side == side.key] for side in state.sides if not side.guest}
    losses = logged_losses(battle, state)
    return {
        "winner": winner,
        "outcome": outcome,
        "points": {side.key: side.score for side in state.sides},
        "took_part": {side: [row.key for row in rows if row.there] for side, rows in own.items()},
        "out": {side: {row.key: row.out_by for row in rows if row.out} for side, rows in own.items()},
        "deeds": _logged_deeds(state, {row.key for row in reported}),
        "used": {side: _used_pieces(rows) for side, rows in own.items()},
        **({"losses": losses} if losses else {}),
    }


def _logged_deeds(state: TableState, known: set[str]) -> list[list[str]]:
    """Return the completed deeds in the form in which a report stores them. A fighter that the report cannot name is ""."""
    rows = {fighter.key: fighter.row for fighter in state.fighters if fighter.row in known}
    return [[deed.id, deed.side, rows.get(deed.fighter, "")] for deed in state.deeds if deed.side]


def _used_pieces(fighters: Iterable[TableFighter]) -> list[str]:
    return [piece.key for fighter in fighters for piece in fighter.kit if piece.used and not piece.again]


def logged_losses(battle: Battle, state: TableState) -> dict[str, dict[str, dict[str, int]]]:
    """Return what rows of several models lost, by side, row and name, if the game's tracker counts losses. No queries."""
    terms = battle.campaign.terms
    told = terms.game.battle.tracker(terms.content).losses(state)
    found: dict[str, dict[str, dict[str, int]]] = {}
    for fighter in _reported_rows(state):
        lost = {str(name): int(n) for name, n in (told.get(fighter.key) or {}).items() if isinstance(n, int) and n > 0}
        if lost:
            found.setdefault(fighter.side, {})[fighter.key] = lost
    return found


def rows_of(state: TableState) -> tuple[TableFighter, ...]:
    """Return one fighter per roster row.

    The first model of a row stands for all of them: it is out once all models that came on are out.
    """
    rows = []
    for fighter in state.fighters:
        if fighter.of:
            continue
        models = [each for each in state.fighters if each.row == fighter.key]
        there = [each for each in models if each.there]
        out = bool(there) and all(each.out for each in there)
        out_by = next((each.out_by for each in there if each.out_by), "") if out else ""
        out = out or (fighter.out and len(models) == 1)
        rows.append(replace(fighter, there=bool(there), out=out, out_by=out_by))
    return tuple(rows)


def _reported_rows(state: TableState) -> list[TableFighter]:
    """Return the rows that a report can name: no guests, and no fighters who joined during the battle."""
    guests = {side.key for side in state.sides if side.guest}
    return [row for row in rows_of(state) if not row.joined and row.side not in guests]


def _result(battle: Battle, state: TableState) -> tuple[str | None, str]:
    stayed = [side for side in state.sides if not side.fled]
    if len(stayed) == 1 and len(state.sides) > 1:
        return stayed[0].key, "won"
    scenario = scenario_of(battle) if battle.scenario_id else None
    if scenario is None or scenario.winner != "points":
        return None, ""
    most = max(side.score for side in state.sides)
    best = [side.key for side in state.sides if side.score == most]
    return (best[0], "won") if len(best) == 1 else (None, "drawn")


Losses = Mapping[str, Mapping[str, Mapping[str, int]]]


def otherwise(state: TableState, data: Mapping[str, Any], losses: Losses | None = None) -> tuple[str, ...]:
    """Return sentences on where a report differs from the table's log. `losses` come from `logged_losses`. No queries."""
    parts = (
        *_other_fighters(state, data, losses or {}),
        *_other_scores(state, data),
        *_other_deeds(state, data),
        *_other_pieces(state, data),
    )
    return tuple(_("The table log has {entry}.").format(entry=part) for part in parts)


def _other_fighters(state: TableState, data: Mapping[str, Any], losses: Losses) -> Iterator[str]:
    reported = {side: set(fighters) for side, fighters in data.get("out", {}).items()}
    took_part = {side: set(fighters) for side, fighters in data.get("took_part", {}).items()}
    for fighter in _reported_rows(state):
        key, side = fighter.key, fighter.side
        is_out = key in reported.get(side, ())
        if fighter.out != is_out:
            words = _("{fighter} out") if fighter.out else _("{fighter} standing")
            yield words.format(fighter=fighter.name)
        if side in took_part and (key in took_part[side]) != fighter.there:
            words = _("{fighter} taking part") if fighter.there else _("{fighter} not deployed")
            yield words.format(fighter=fighter.name)
        logged = losses.get(side, {}).get(key, {})
        claimed = (data.get("losses") or {}).get(side, {}).get(key, {})
        all_lost = is_out and fighter.out  # then the exact losses do not matter
        if dict(logged) != dict(claimed) and not all_lost:
            yield _("{fighter} losing {losses}").format(fighter=fighter.name, losses=_loss_words(logged))


def _loss_words(losses: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in losses.items()) or _("nothing")


def _other_scores(state: TableState, data: Mapping[str, Any]) -> Iterator[str]:
    for side in state.sides:
        points = data.get("points", {}).get(side.key)
        if points is not None and int(points) != side.score:
            yield ngettext("{side} with {count} point", "{side} with {count} points", side.score).format(
                side=side.name, count=side.score
            )


def _other_deeds(state: TableState, data: Mapping[str, Any]) -> Iterator[str]:
    claimed = {deed: (side, fighter) for deed, side, fighter in data.get("deeds", ())}
    names = {fighter.key: fighter.name for fighter in state.fighters} | {side.key: side.name for side in state.sides}
    rows = {fighter.key: fighter.row for fighter in state.fighters}
    for deed in state.deeds:
        side, fighter = claimed.get(deed.id, ("", ""))
        is_guest = deed.fighter.startswith("g") and side == deed.side  # a report knows only the side of a guest
        if (side, fighter) != (deed.side, rows.get(deed.fighter, "")) and not is_guest:
            yield _("{deed} by {fighter}").format(
                deed=deed.name, fighter=names.get(deed.fighter or deed.side, _("no one"))
            )


def _other_pieces(state: TableState, data: Mapping[str, Any]) -> Iterator[str]:
    used = {item for items in data.get("used", {}).values() for item in items}
    for fighter in state.fighters:
        for piece in fighter.kit:
            if not piece.again and piece.used != (piece.key in used):
                words = _("{piece} of {fighter} used up") if piece.used else _("{piece} of {fighter} unused")
                yield words.format(piece=piece.name, fighter=fighter.name)
