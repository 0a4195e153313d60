"""Standings as a table and as lines over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from campaigns.models import Battle, Campaign
from campaigns.pages.board import Board
from campaigns.pages.fought import sides_of
from campaigns.pages.lettering import shortened, width_of
from campaigns.standings import COUNTED, Standing, count, placed
from campaigns.ways import way, ways
from warbands.names import word

WIDTH, HEIGHT = 310, 200
LEFT, RIGHT, TOP, BASE = 10, 172, 14, 172
LABEL_HEIGHT = 15
LETTER_SIZE = 12
LABEL_GAP = 7
MOST_TICKS = 4


@dataclass(frozen=True, slots=True)
class Column:
    """A head of the table, which sorts by it."""

    label: str
    href: str
    sorted: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One seat's row."""

    place: str
    name: str
    cells: tuple[str, ...]
    href: str
    mine: bool
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The standings as the table shows them."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    tie_words: str
    empty_words: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the ground line."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's points over time, with its label at the end."""

    points: str
    words: str
    title: str
    x: float
    y: float
    mine: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """Points over time, as the line chart draws them."""

    caption: str
    view: str
    left: int
    right: int
    base: int
    ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]


SORTS = (("points", "VP"), ("won", "W"), ("drawn", "D"), ("lost", "L"), ("glory", "g"))
LABELS = {"points": {"both": "VP", "victory": "VP", "campaign": "CP"}}


def counted(board: Board) -> list[Battle]:
    """The battles of a campaign read whole that count, each with its sides where the count looks for them. No queries."""
    battles = [battle for battle in board.battles if battle.status in COUNTED]
    for battle in battles:
        battle.counted_sides = sides_of(battle)  # type: ignore[attr-defined]
    return battles


def standings_table(board: Board, *, sort: str = "", here: str = "", rosters: bool = True) -> Table:
    """The table of a campaign that was read whole. `sort` is one of the columns; without one, the places rule. No queries."""
    campaign, user = board.campaigns[0], board.user
    settings = ways(campaign)
    rows = placed(count(board.seats, counted(board), settings), settings)
    known = dict(SORTS)
    ordered = sorted(rows, key=lambda row: -getattr(row, sort)) if sort in known else rows
    points_label = LABELS["points"][str(way(campaign, "points"))]
    columns = [Column("Warband", "", False)]
    sorts = [each for each in SORTS if each[0] != "glory" or word(campaign.terms, "glory", "Glory")]
    for key, label in sorts:
        label = points_label if key == "points" else label
        address = here if key == "points" else f"{here}?{urlencode({'sort': key})}"
        columns.append(Column(label, f"{address}#standings", key == (sort if sort in known else "points")))
    fought = any(row.games or row.points for row in rows)
    return Table(
        caption="Standings",
        columns=tuple(columns),
        rows=tuple(_row(row, user, rosters, fought, [key for key, _ in sorts]) for row in ordered),
        tie_words=_tie_words(rows, campaign) if fought else "",
        empty_words="Nobody sits here yet.",
    )


def _row(row: Standing, user: Any, rosters: bool, fought: bool, keys: Sequence[str]) -> Row:
    warband = row.seat.warband
    name = warband.name if warband is not None else row.seat.name
    mine = user is not None and user.pk is not None and row.seat.user_id == user.pk
    points = f"{row.points}" + ("*" if row.provisional else "")
    href = reverse("warband-show", args=[warband.pk]) if warband is not None and rosters else ""
    place = f"{row.place}=" if row.is_shared else str(row.place)
    return Row(
        place=place if fought else "",
        name=name,
        cells=(name, *(points if key == "points" else str(getattr(row, key)) for key in keys)),
        href=href,
        mine=mine,
        withdrawn=row.has_left,
    )


def _tie_words(rows: Sequence[Standing], campaign: Campaign) -> str:
    words = []
    if parted := next((row.parted_by for row in rows if row.parted_by), ""):
        words.append(f"Level on points: {parted} first, by house rule.")
    if any(row.is_shared for row in rows):
        words.append("Level on points: the place is shared.")
    if any(row.provisional for row in rows):
        words.append("* a report in it is not confirmed yet.")
    return " ".join(words)


def standings_chart(board: Board) -> Chart | None:
    """The points over time, of a campaign that was read whole; None before the second day of battles. No queries."""
    battles = [battle for battle in counted(board) if battle.played_on is not None]
    settings, user = ways(board.campaigns[0]), board.user
    dates = sorted({battle.played_on for battle in battles if battle.played_on is not None})
    if len(dates) < 2:
        return None
    days = [
        (day, _points(board, [b for b in battles if b.played_on is not None and b.played_on <= day], settings))
        for day in dates
    ]
    last = days[-1][1]
    top = max(1, *last.values())
    seats = {seat.pk: seat for seat in board.seats}
    shown = sorted((pk for pk in last if pk in seats), key=lambda pk: (-last[pk], pk))[:8]
    places = _label_places([_y(last[pk], top) for pk in shown])
    lines = [
        _line(seats[pk], [points.get(pk, 0) for _, points in days], top, place, user)
        for pk, place in zip(shown, places, strict=True)
    ]
    return Chart(
        caption="Points after each day of battles",
        view=f"0 0 {WIDTH} {HEIGHT}",
        left=LEFT,
        right=RIGHT,
        base=BASE,
        ticks=_ticks([day for day, _ in days]),
        lines=tuple(lines),
    )


def _points(board: Board, battles: list[Battle], settings: Any) -> dict[int, int]:
    return {row.seat.pk: row.points for row in count(board.seats, battles, settings)}


def _x(place: int, count: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * place / max(1, count - 1), 1)


def _y(points: int, top: int) -> float:
    return round(BASE - (BASE - TOP) * points / top, 1)


def _label_places(wanted: list[float]) -> list[float]:
    """Where labels stand, from the top down, so that none covers another and none leaves the drawing."""
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y + 4, placed[-1] + LABEL_HEIGHT if placed else TOP))
    over = placed[-1] - (BASE + 4) if placed else 0
    if over > 0:
        floor = BASE + 4.0
        for place in range(len(placed) - 1, -1, -1):
            placed[place] = min(placed[place], floor)
            floor = placed[place] - LABEL_HEIGHT
    return [round(y, 1) for y in placed]


def _line(seat: Any, values: list[int], top: int, label_y: float, user: Any) -> Line:
    points = " ".join(f"{_x(place, len(values))},{_y(value, top)}" for place, value in enumerate(values))
    name = seat.warband.name if seat.warband is not None else seat.name
    end = f" {values[-1]}"
    room = (WIDTH - RIGHT - LABEL_GAP) * 100 // LETTER_SIZE
    short = shortened(name, most=room - width_of(end))
    mine = user is not None and user.pk is not None and seat.user_id == user.pk
    return Line(points, short + end, f"{name}, {values[-1]}", RIGHT + LABEL_GAP, label_y, mine)


def _ticks(days: Sequence[date]) -> tuple[Tick, ...]:
    every = max(1, -(-len(days) // MOST_TICKS))
    shown = [place for place in range(len(days)) if place % every == 0]
    if shown[-1] != len(days) - 1 and len(days) - 1 - shown[-1] >= every:
        shown.append(len(days) - 1)
    return tuple(
        Tick(max(_x(place, len(days)), LEFT + 10), BASE + 18, f"{days[place].day} {days[place]:%b}") for place in shown
    )
