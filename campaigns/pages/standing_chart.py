"""The chart of a campaign: the points of its players after each day of battles, as a drawing or as a table of the same figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.pages.text_width import shortened, width_of
from campaigns.standings import SeatStanding, points_by_day
from config.dates import day_of_month

WIDTH, HEIGHT = 310, 200
LEFT, RIGHT, TOP, BASE = 10, 172, 14, 172
LABEL_HEIGHT = 15
LETTER_SIZE = 12
LABEL_GAP = 12
LEADER = 9  # from the end of a line to its label
MAX_TICKS = 3

BEST = 5  # how many are named unless others are chosen
MAX_NAMED = 10  # how many labels the drawing has room for
MAX_DRAWN = 40  # lines, the grey ones included
MAX_DAYS, MAX_GREY_DAYS, MAX_TABLE_DAYS = 60, 20, 20


@dataclass(frozen=True, slots=True)
class ChartState:
    """What the address says about the chart: the seats whose lines are named (empty: the best), and whether it is a table."""

    lines: tuple[int, ...] = ()
    is_table: bool = False

    def query(self) -> list[tuple[str, str]]:
        return [*(("line", str(pk)) for pk in self.lines), *([("chart", "table")] if self.is_table else [])]


@dataclass(frozen=True, slots=True)
class AxisTick:
    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One named seat's points over time, with its label at the end. `dash` tells the lines apart without colour, from 0."""

    points: str
    leader: str
    words: str
    title: str
    x: float
    y: float
    mine: bool
    dash: int


@dataclass(frozen=True, slots=True)
class LineChoice:
    value: int
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ChartTable:
    """The figures of the drawing. Each row has a name, whether it is the user's own, and the points after each day."""

    days: tuple[str, ...]
    rows: tuple[tuple[str, bool, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """`lines` are named, `grey` are the points of all others. `table` replaces the drawing; `choices` are the seats to choose from."""

    caption: str
    view: str
    left: int
    right: int
    base: int
    ticks: tuple[AxisTick, ...]
    lines: tuple[StandingLine, ...]
    grey: tuple[str, ...] = ()
    table: ChartTable | None = None
    other_href: str = ""  # the table of the drawing, or the drawing of the table
    choices: tuple[LineChoice, ...] = ()
    choose_words: str = ""
    here: str = ""
    keeps: tuple[tuple[str, str], ...] = ()  # what the form that chooses lines carries along


def _named_lines(
    named: Sequence[SeatStanding], days: Sequence[tuple[date, Mapping[int, int]]], top: int, user: Any
) -> tuple[StandingLine, ...]:
    """Return the lines that have names, best first, and their names where they do not cover each other."""
    places = _label_places([_y(days[-1][1][row.seat.pk], top) for row in named])
    return tuple(
        _line(row, [points[row.seat.pk] for _day, points in days], top, place, number, user)
        for number, (row, place) in enumerate(zip(named, places, strict=True))
    )


def standings_chart(
    campaign: Campaign,
    rows: Sequence[SeatStanding],
    user: Any,
    *,
    state: ChartState | None = None,
    here: str = "",
    keeps: Mapping[str, str] | None = None,
) -> Chart | None:
    """Build the chart, or return None before the second day of battles. One query.

    Named are the user's own line and the chosen ones, or else the best five; the others are drawn in grey. `keeps` is what else the
    address holds.
    """
    state, keeps = state or ChartState(), dict(keeps or {})
    drawn, named = _drawn(rows, user, state.lines)
    days = points_by_day(campaign, drawn)
    if len(days) < 2:
        return None
    last = days[-1][1]
    named.sort(key=lambda row: (-last[row.seat.pk], row.seat.pk))
    chosen = {row.seat.pk for row in named}
    others = [row for row in drawn if row.seat.pk not in chosen]
    fine, coarse = _spread(days, MAX_DAYS), _spread(days, MAX_GREY_DAYS)
    top = max(1, *(max(points.values()) for _day, points in fine))
    turned = ChartState(state.lines, not state.is_table)
    return Chart(
        caption=_("Points after each day of play"),
        view=f"0 0 {WIDTH} {HEIGHT}",
        left=LEFT,
        right=RIGHT,
        base=BASE,
        ticks=_ticks([day for day, _points in fine]),
        lines=_named_lines(named, fine, top, user),
        grey=tuple(_polyline([points[row.seat.pk] for _day, points in coarse], top) for row in others),
        table=_table(_spread(days, MAX_TABLE_DAYS), sorted(drawn, key=lambda row: row.place), user)
        if state.is_table
        else None,
        other_href=f"{here}?{urlencode([*keeps.items(), *turned.query()])}#chart",
        choices=tuple(LineChoice(row.seat.pk, _name(row), row.seat.pk in chosen) for row in rows),
        choose_words=_("Up to {count} names. The other lines stay grey.").format(count=MAX_NAMED),
        here=here,
        keeps=(*keeps.items(), *([("chart", "table")] if state.is_table else [])),
    )


def _drawn(
    rows: Sequence[SeatStanding], user: Any, chosen: Collection[int]
) -> tuple[list[SeatStanding], list[SeatStanding]]:
    """Return the seats with a line, and those of them that are named."""
    own = [row for row in rows if is_mine(row, user)]
    picked = [row for row in rows if row.seat.pk in chosen] or list(rows[:BEST])
    named = [*own, *(row for row in picked if row not in own)][:MAX_NAMED]
    rest = [row for row in rows if row not in named]
    return [*named, *rest[: max(0, MAX_DRAWN - len(named))]], named


def is_mine(row: SeatStanding, user: Any) -> bool:
    return user is not None and user.pk is not None and row.seat.user_id == user.pk


def _spread(days: list[tuple[date, dict[int, int]]], most: int) -> list[tuple[date, dict[int, int]]]:
    """Return at most so many of these days, evenly, with the first and the last."""
    if len(days) <= most:
        return days
    return [days[place * (len(days) - 1) // (most - 1)] for place in range(most)]


def _x(place: int, count: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * place / max(1, count - 1), 1)


def _y(points: int, top: int) -> float:
    return round(BASE - (BASE - TOP) * points / top, 1)


def _polyline(values: Sequence[int], top: int) -> str:
    return " ".join(f"{_x(place, len(values))},{_y(value, top)}" for place, value in enumerate(values))


def _label_places(wanted: list[float]) -> list[float]:
    """Return the y positions of labels, from the top down, so that they neither overlap nor leave the drawing."""
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


def _line(row: SeatStanding, values: list[int], top: int, label_y: float, number: int, user: Any) -> StandingLine:
    name = row.warband or row.seat.name
    end = f" {values[-1]}"
    room = (WIDTH - RIGHT - LABEL_GAP) * 100 // LETTER_SIZE
    short = shortened(name, most=room - width_of(end))
    return StandingLine(
        points=_polyline(values, top),
        leader=f"{RIGHT},{_y(values[-1], top)} {RIGHT + LEADER},{round(label_y - 4, 1)}",
        words=short + end,
        title=f"{name}, {values[-1]}",
        x=RIGHT + LABEL_GAP,
        y=label_y,
        mine=is_mine(row, user),
        dash=number % BEST,
    )


def _name(row: SeatStanding) -> str:
    return row.warband or row.seat.name


def _table(days: Sequence[tuple[date, dict[int, int]]], rows: Sequence[SeatStanding], user: Any) -> ChartTable:
    return ChartTable(
        days=tuple(day_of_month(day) for day, _points in days),
        rows=tuple(
            (_name(row), is_mine(row, user), tuple(points[row.seat.pk] for _day, points in days)) for row in rows
        ),
    )


def _ticks(days: Sequence[date]) -> tuple[AxisTick, ...]:
    every = max(1, -(-len(days) // MAX_TICKS))
    shown = [place for place in range(len(days)) if place % every == 0]
    if shown[-1] != len(days) - 1 and len(days) - 1 - shown[-1] >= every:
        shown.append(len(days) - 1)
    return tuple(
        AxisTick(max(_x(place, len(days)), LEFT + 10), BASE + 18, day_of_month(days[place])) for place in shown
    )
