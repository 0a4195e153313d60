"""Updates of the tracker: the rows and log lines that changed since the version that a phone shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.models import TableAct
from campaigns.pages.tracker import TablePage
from campaigns.pages.tracker_fighters import FighterRow
from campaigns.pages.tracker_log import LogLine
from campaigns.services.tracker import BEGIN, RELAID, SCENE, UNDO
from warbands.parsing import read_number

# Sizes in bytes. An update aims at MAX_BYTES, of which a seventh travels, compressed; the rest comes with the next update. MIN_ROWS are always reserved for rows.
# A log line contains its sentence twice: as text, and as the accessible label of its undo button.
MAX_BYTES, MIN_ROWS, SUMMARY, LINE = 30_000, 1_500, 700, 520
MAX_NEW = 8


@dataclass(frozen=True, slots=True)
class Update:
    """An update: rows of fighters to redraw (each with whether to redraw its panel), log lines, and the resulting version."""

    rows: tuple[tuple[FighterRow, bool], ...]
    lines: tuple[LogLine, ...]
    version: str


def needs_reload(acts: Sequence[TableAct]) -> bool:
    """Return whether the page must reload because an update is not enough.

    That is the case if the table was set up again, a phone took over a side, a fighter joined, or the battle ended or reopened, and
    if such an act was undone. One query if an act was undone and nothing else needs a reload, otherwise none.
    """
    undone = [act.data["number"] for act in acts if act.data.get("kind") == UNDO]
    if any(_redraws(act.data) for act in acts):
        return True
    if not undone:
        return False
    data = TableAct.objects.filter(table=acts[0].table_id, number__in=undone).values_list("data", flat=True)
    return any(map(_redraws, data))


def _redraws(data: Mapping[str, Any]) -> bool:
    """Return whether an act changes more than existing rows of the page."""
    return data.get("kind") in (BEGIN, RELAID, SCENE, "keep", "add", "end", "reopen") or bool(
        (data.get("table") or {}).get("joins")
    )


def read_since(since: str) -> tuple[int, int] | None:
    """Parse a phone's version "12.3": the last act it has in full, and how many fighters of the next. None if it is invalid."""
    whole, _, part = since.rstrip("x").partition(".")
    number, offset = read_number(whole), read_number(part or "0")
    if number is None or offset is None or number < 1 or offset < 0:
        return None
    return number, offset


def _needs_panel(act: TableAct) -> bool:
    """Return whether an act may change a fighter's buttons. The end of a turn touches many fighters but changes no buttons."""
    return bool(act.data.get("kind") != "turn")


def _line_weight(act: TableAct) -> int:
    weight = LINE + 2 * len(act.told.encode())
    return 2 * weight if act.data.get("kind") == UNDO else weight


def changed_deeds(acts: Sequence[TableAct], newest: Sequence[TableAct]) -> frozenset[str]:
    """Return the ids of the deeds that these acts did or undid. `newest` are the newest acts, with all that may still be undone."""
    undone = {act.data.get("number") for act in acts if act.data.get("kind") == UNDO}
    told = [*acts, *(act for act in newest if act.number in undone)]
    return frozenset(str(act.data["deed"]) for act in told if act.data.get("kind") == "deed")


def changes_cards(acts: Sequence[TableAct]) -> bool:
    """Return whether a card may have changed: a used-up piece no longer attacks."""
    return any(act.data.get("kind") in ("used", UNDO) for act in acts)


class _Room:
    """The bytes left in an update, and the fighters it redraws so far."""

    def __init__(self, room: int, sizes: Mapping[str, int]) -> None:
        self.room, self.sizes = room, sizes
        self.panels: dict[str, bool] = {}  # fighter key → whether to redraw its panel
        self.weights: dict[str, int] = {}

    def add(self, act: TableAct, offset: int) -> int | None:
        """Add the fighters an act touched, from `offset` on. Return the index of the first that does not fit, None if all do."""
        panel = _needs_panel(act)
        for index, key in enumerate(act.touched[offset:], offset):
            weight = self.sizes.get(key, SUMMARY) if panel else SUMMARY
            before = self.weights.get(key, 0)
            growth = max(0, weight - before)
            if self.panels and growth > self.room:
                return index
            self.room -= growth
            self.weights[key] = max(weight, before)
            self.panels[key] = self.panels.get(key, False) or panel
        return None


def update_of(page: TablePage, acts: Sequence[TableAct], offset: int, sizes: Mapping[str, int], beside: int) -> Update:
    """Return the update for as many of these acts as fit.

    `sizes` maps fighter keys to bytes, `beside` is the size of everything else in bytes, `offset` is the second number of `read_since`.
    """
    room = _Room(max(MIN_ROWS, MAX_BYTES - beside), sizes)
    taken: list[TableAct] = []
    version = page.version
    for act in acts:
        if len(taken) == MAX_NEW or (taken and _line_weight(act) > room.room):
            version = str(taken[-1].number)
            break
        room.room -= _line_weight(act)
        missing = room.add(act, offset)
        if missing is not None:
            version = f"{act.number - 1}.{missing}"
            break
        taken.append(act)
        offset = 0
    rows = {row.key: row for pane in page.panes for row in pane.fighters}
    undone = {act.data.get("number") for act in taken if act.data.get("kind") == UNDO}
    numbers = {act.number for act in taken} | undone
    return Update(
        rows=tuple((rows[key], panel) for key, panel in room.panels.items() if key in rows),
        lines=tuple(line for line in reversed(page.log) if line.number in numbers),
        version=version,
    )
