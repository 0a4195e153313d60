"""What the log of a table says for the report of its battle, and where a report says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaigns.models import Battle, Table
from campaigns.scenarios import scenario_of
from rules.tracker.state import TableFighter, TableState, read_state


def table_state(battle: Battle) -> TableState | None:
    """The table as it stands or stood, None where none was laid. One query."""
    kept = Table.objects.filter(battle=battle).values_list("state", flat=True).first()
    return read_state(kept) if kept else None


def logged_report(battle: Battle, state: TableState) -> dict[str, Any]:
    """A report's data as the table knows it: out and by whom, deeds, points, used up, who took part. No queries.

    Whoever stayed when all others fled won; else more points, where the scenario goes by them. Otherwise nobody is named yet.
    """
    winner, outcome = _result(battle, state)
    known = {side.key for side in state.sides if not side.guest}
    own = [fighter for fighter in rows_of(state) if fighter.side in known and not fighter.joined]
    row = {fighter.key: fighter.row for fighter in state.fighters}
    return {
        "winner": winner,
        "outcome": outcome,
        "points": {side.key: side.score for side in state.sides},
        "took_part": {key: [f.key for f in own if f.side == key and f.there] for key in known},
        "out": {key: {f.key: f.out_by for f in own if f.side == key and f.out} for key in known},
        "deeds": [
            [deed.id, deed.side, row[deed.fighter] if _of(own, row.get(deed.fighter, "")) else ""]
            for deed in state.deeds
            if deed.side
        ],
        "used": {key: [p.key for f in own if f.side == key for p in f.kit if p.used] for key in known},
        **({"losses": lost} if (lost := logged_losses(battle, state)) else {}),
    }


def logged_losses(battle: Battle, state: TableState) -> dict[str, dict[str, dict[str, int]]]:
    """What rows of several lost by side, row and the name of what was lost, where the game tells it. No queries."""
    terms = battle.campaign.terms
    told = terms.game.battle.tracker(terms.content).losses(state)
    guests = {side.key for side in state.sides if side.guest}
    found: dict[str, dict[str, dict[str, int]]] = {}
    for fighter in rows_of(state):
        if fighter.joined or fighter.side in guests:
            continue
        lost = {str(name): int(n) for name, n in (told.get(fighter.key) or {}).items() if isinstance(n, int) and n > 0}
        if lost:
            found.setdefault(fighter.side, {})[fighter.key] = lost
    return found


def rows_of(state: TableState) -> tuple[TableFighter, ...]:
    """The fighters by rows of the roster: of several from one row the first stands for all, out once everybody who came on is."""
    found = []
    for fighter in state.fighters:
        if fighter.of:
            continue
        all_of_it = [one for one in state.fighters if one.row == fighter.key]
        there = [one for one in all_of_it if one.there]
        out = bool(there) and all(one.out for one in there)
        by = next((one.out_by for one in there if one.out_by), "") if out else ""
        found.append(replace(fighter, there=bool(there), out=out or (fighter.out and len(all_of_it) == 1), out_by=by))
    return tuple(found)


def _of(fighters: list[Any], key: str) -> bool:
    return any(fighter.key == key for fighter in fighters)


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


def otherwise(
    state: TableState, data: Mapping[str, Any], losses: Mapping[str, Mapping[str, Mapping[str, int]]] | None = None
) -> tuple[str, ...]:
    """Where a report says otherwise than the table's log, a sentence each. `losses` as `logged_losses` tells them. No queries."""
    found: list[str] = []
    reported = {side: set(fighters) for side, fighters in data.get("out", {}).items()}
    took = {side: set(fighters) for side, fighters in data.get("took_part", {}).items()}
    for fighter in rows_of(state):
        if fighter.joined or next(side.guest for side in state.sides if side.key == fighter.side):
            continue
        is_out = fighter.key in reported.get(fighter.side, ())
        if fighter.out and not is_out:
            found.append(f"The table log has {fighter.name} Out of Action.")
        elif is_out and not fighter.out:
            found.append(f"The table log has {fighter.name} standing.")
        if fighter.side in took and (fighter.key in took[fighter.side]) != fighter.there:
            what = "taking part" if fighter.there else "not coming on"
            found.append(f"The table log has {fighter.name} {what}.")
        logged = (losses or {}).get(fighter.side, {}).get(fighter.key, {})
        said = (data.get("losses") or {}).get(fighter.side, {}).get(fighter.key, {})
        if dict(logged) != dict(said) and not (is_out and fighter.out):  # all of it is gone, whatever the figures say
            lost = ", ".join(f"{n} {name}" for name, n in logged.items()) or "nothing"
            found.append(f"The table log has {fighter.name} lose {lost}.")
    for side in state.sides:
        told = data.get("points", {}).get(side.key)
        if told is not None and int(told) != side.score:
            found.append(f"The table log has {side.name} at {side.score}.")
    claimed = {deed: (side, fighter) for deed, side, fighter in data.get("deeds", ())}
    names = {fighter.key: fighter.name for fighter in state.fighters} | {side.key: side.name for side in state.sides}
    row = {fighter.key: fighter.row for fighter in state.fighters}
    for deed in state.deeds:
        side, fighter = claimed.get(deed.id, ("", ""))
        who = names.get(deed.fighter or deed.side, "nobody")
        if (side, fighter) != (deed.side, row.get(deed.fighter, "")):
            if deed.fighter.startswith("g") and side == deed.side:  # a guest's fighter: the report knows its side alone
                continue
            found.append(f"The table log has {deed.name} done by {who}.")
    used = {item for items in data.get("used", {}).values() for item in items}
    for fighter in state.fighters:
        for piece in fighter.kit:
            if piece.used != (piece.key in used):
                found.append(f"The table log has {piece.name} of {fighter.name} {'used up' if piece.used else 'left'}.")
    return tuple(found)
