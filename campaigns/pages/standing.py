"""The standings of a campaign as a table and as a line chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from campaigns.models import Campaign
from campaigns.pages.text_width import shortened, width_of
from campaigns.settings_schema import setting_of
from campaigns.standings import SeatStanding, points_by_day
from config.dates import day_of_month
from warbands.labels import list_mark
from warbands.pages.paging import Pager, pager_of

WIDTH, HEIGHT = 310, 200
LEFT, RIGHT, TOP, BASE = 10, 172, 14, 172
LABEL_HEIGHT = 15
LETTER_SIZE = 12
LABEL_GAP = 7
MAX_TICKS = 4


@dataclass(frozen=True, slots=True)
class Column:
    label: str
    href: str
    sorted: bool
    order: str = "descending"


@dataclass(frozen=True, slots=True)
class StandingRow:
    place: str
    name: str
    cells: tuple[str, ...]
    href: str
    mark: str
    mine: bool
    withdrawn: bool
    player: str = ""


@dataclass(frozen=True, slots=True)
class StandingsTable:
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[StandingRow, ...]
    tie_words: str
    empty_words: str
    pager: Pager | None = None


@dataclass(frozen=True, slots=True)
class AxisTick:
    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One seat's points over time, with its label at the end."""

    points: str
    words: str
    title: str
    x: float
    y: float
    mine: bool


@dataclass(frozen=True, slots=True)
class Chart:
    caption: str
    view: str
    left: int
    right: int
    base: int
    ticks: tuple[AxisTick, ...]
    lines: tuple[StandingLine, ...]


SORTS = (
    ("points", _lazy("VP")),
    ("won", _lazy("W")),
    ("drawn", _lazy("D")),
    ("lost", _lazy("L")),
    ("glory", _lazy("g")),
)
LABELS = {"points": {"both": _lazy("VP"), "victory": _lazy("VP"), "campaign": _lazy("CP")}}


NAMES = ("name", "player")  # of the warband, of the player
PER_PAGE = 20
MAX_LINES, MAX_DAYS = 8, 60


def standings_table(
    campaign: Campaign,
    rows: Sequence[SeatStanding],
    user: Any,
    *,
    sort: str = "",
    page: int = 1,
    here: str = "",
    rosters: bool = True,
    per_page: int = PER_PAGE,
) -> StandingsTable:
    """Build a page of the table. The user's own row is added below if it is on another page. No queries.

    `sort` is the key of a column, or "player"; "" sorts by place. Players' names are shown where rosters are.
    """
    sort = sort if sort in dict(SORTS) or sort in NAMES else ""
    if sort in NAMES:
        ordered = sorted(rows, key=lambda row: ((row.warband if sort == "name" else "") or row.seat.name).casefold())
    else:
        ordered = sorted(rows, key=lambda row: -getattr(row, sort)) if sort else list(rows)
    sorts = {key: label for key, label in SORTS if key != "glory" or campaign.terms.game.campaign is not None}
    sorts["points"] = LABELS["points"][str(setting_of(campaign, "points"))]
    has_fought = any(row.games or row.points for row in rows)
    last = max(1, -(-len(ordered) // per_page))
    page = min(max(1, page), last)
    start = (page - 1) * per_page
    shown = ordered[start : start + per_page]
    own = [row for row in ordered if _is_mine(row, user) and row not in shown]
    query = {"sort": sort} if sort else {}
    return StandingsTable(
        caption=_("Standings"),
        columns=(
            Column(_("Warband"), f"{here}?sort=name#standings", sort == "name", "ascending"),
            *_columns(sorts, sort or "points", here),
        ),
        rows=tuple(_row(row, user, rosters, has_fought, list(sorts), campaign) for row in (*shown, *own)),
        tie_words=_tie_words(rows) if has_fought else "",
        empty_words=_("No player yet."),
        pager=pager_of(page, last, len(ordered), start, len(shown), per_page, here, query, "standings"),
    )


def _columns(labels: Mapping[str, str], sort: str, here: str) -> Iterator[Column]:
    for key, label in labels.items():
        address = here if key == "points" else f"{here}?{urlencode({'sort': key})}"
        yield Column(label, f"{address}#standings", key == sort)


def _is_mine(row: SeatStanding, user: Any) -> bool:
    return user is not None and user.pk is not None and row.seat.user_id == user.pk


def _row(
    row: SeatStanding, user: Any, rosters: bool, fought: bool, keys: Sequence[str], campaign: Campaign
) -> StandingRow:
    name = row.warband or row.seat.name
    points = f"{row.points}" + ("*" if row.provisional else "")
    href = reverse("warband-show", args=[row.seat.warband_id]) if row.seat.warband_id and rosters else ""
    place = f"{row.place}=" if row.is_shared else str(row.place)
    return StandingRow(
        place=place if fought else "",
        name=name,
        cells=(name, *(points if key == "points" else str(getattr(row, key)) for key in keys)),
        href=href,
        mark=list_mark(campaign.terms, row.list_id) if row.list_id else "",
        mine=_is_mine(row, user),
        withdrawn=row.has_left,
        player=row.seat.name if rosters and row.warband and row.warband != row.seat.name else "",
    )


def _tie_words(rows: Sequence[SeatStanding]) -> str:
    words = []
    if parted := next((row.parted_by for row in rows if row.parted_by), ""):
        words.append(_("Level on points: {parted} first, by house rule.").format(parted=parted))
    if any(row.is_shared for row in rows):
        words.append(_("Level on points: they share the rank."))
    if any(row.provisional for row in rows):
        words.append(_("* includes a report that is not confirmed yet."))
    return " ".join(words)


def standings_chart(campaign: Campaign, rows: Sequence[SeatStanding], user: Any) -> Chart | None:
    """Build the chart of the best seats, or return None before the second day of battles. One query."""
    best = {row.seat.pk: row for row in rows[:MAX_LINES]}
    days = points_by_day(campaign, best.values())
    if len(days) < 2:
        return None
    if len(days) > MAX_DAYS:  # keep as many days as the chart can distinguish, including the first and the last
        days = [days[place * (len(days) - 1) // (MAX_DAYS - 1)] for place in range(MAX_DAYS)]
    last = days[-1][1]
    top = max(1, *last.values())
    shown = sorted(best, key=lambda pk: (-last[pk], pk))
    places = _label_places([_y(last[pk], top) for pk in shown])
    lines = [
        _line(best[pk], [points[pk] for _, points in days], top, place, user)
        for pk, place in zip(shown, places, strict=True)
    ]
    return Chart(
        caption=_("Points after each day of battles"),
        view=f"0 0 {WIDTH} {HEIGHT}",
        left=LEFT,
        right=RIGHT,
        base=BASE,
        ticks=_ticks([day for day, _ in days]),
        lines=tuple(lines),
    )


def _x(place: int, count: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * place / max(1, count - 1), 1)


def _y(points: int, top: int) -> float:
    return round(BASE - (BASE - TOP) * points / top, 1)


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


def _line(row: SeatStanding, values: list[int], top: int, label_y: float, user: Any) -> StandingLine:
    points = " ".join(f"{_x(place, len(values))},{_y(value, top)}" for place, value in enumerate(values))
    name = row.warband or row.seat.name
    end = f" {values[-1]}"
    room = (WIDTH - RIGHT - LABEL_GAP) * 100 // LETTER_SIZE
    short = shortened(name, most=room - width_of(end))
    return StandingLine(points, short + end, f"{name}, {values[-1]}", RIGHT + LABEL_GAP, label_y, _is_mine(row, user))


def _ticks(days: Sequence[date]) -> tuple[AxisTick, ...]:
    every = max(1, -(-len(days) // MAX_TICKS))
    shown = [place for place in range(len(days)) if place % every == 0]
    if shown[-1] != len(days) - 1 and len(days) - 1 - shown[-1] >= every:
        shown.append(len(days) - 1)
    return tuple(
        AxisTick(max(_x(place, len(days)), LEFT + 10), BASE + 18, day_of_month(days[place])) for place in shown
    )
