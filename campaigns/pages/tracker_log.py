"""The log of a battle on the tracker. It lists each act with its author and dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.models import Table, TableAct
from campaigns.pages.tracker_board import (
    Press,
)
from campaigns.services.tracker import SCENE, UNDO
from warbands.pages.formatting import clock

MAX_LINES = 40


MAX_UNDO = 12


LOG = "log"


@dataclass(frozen=True, slots=True)
class LogThrow:
    """One dice roll of an act. `because` describes the modifiers and their causes."""

    why: str
    faces: str
    because: str


@dataclass(frozen=True, slots=True)
class LogLine:
    number: int
    when: str
    told: str
    who: str
    dice: str
    throws: tuple[LogThrow, ...]
    undone: bool
    undo: Press | None


def log_line(act: TableAct, index: int, can_undo: bool, hands: frozenset[str]) -> LogLine:
    """Return the log line of an act. `index` counts from the newest act; `hands` are the sides that the user may act for."""
    actor = str(act.actor) if act.actor is not None else ""
    can_undo = (
        can_undo
        and index < MAX_UNDO
        and act.undone_by_id is None
        and act.number > 1
        and act.data.get("kind") not in (UNDO, SCENE)
        and (act.side_id is None or str(act.side_id) in hands)
    )
    return LogLine(
        number=act.number,
        when=clock(act.at),
        told=act.told,
        who=f"{actor}, for {act.for_name}" if actor and act.for_name else actor,
        dice=_dice_words(act.dice),
        throws=tuple(
            LogThrow(draw["why"], " ".join(map(str, draw["faces"])), draw.get("because", "")) for draw in act.dice
        ),
        undone=act.undone_by_id is not None,
        undo=Press(f"l{act.number}_undo", "Undo", f"undo {act.number}", act.told) if can_undo else None,
    )


def _dice_words(dice: Sequence[Mapping[str, Any]]) -> str:
    if not dice:
        return ""
    return "typed in" if any(draw.get("origin") == "typed" for draw in dice) else "rolled by the app"


def newest_acts(table: Table, since: int | None = None) -> list[TableAct]:
    """Return the newest acts, latest first: one more than the log shows, or all after number `since` if these are more. One query."""
    count = max(MAX_LINES + 1, table.version - since if since is not None else 0)
    return list(TableAct.objects.filter(table=table).select_related("actor").order_by("-number")[:count])
