"""The standings of a campaign as a table, sorted by any column, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from campaigns.models import Campaign
from campaigns.pages.standing_chart import is_mine
from campaigns.settings_schema import setting_of
from campaigns.standings import SeatStanding
from warbands.labels import list_mark
from warbands.pages.paging import Pager, pager_of


@dataclass(frozen=True, slots=True)
class Column:
    """A heading that sorts. `order` is "ascending" or "descending", "" if the table is sorted by something else.

    `other` is a second heading of the same column: the player's, below the warband's.
    """

    label: str
    href: str
    order: str = ""
    other: Column | None = None


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
    """A page of the table. `minor` is the place of the cell that gives way on a phone."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[StandingRow, ...]
    tie_words: str
    empty_words: str
    pager: Pager | None = None
    minor: int = 0


SORTS = (
    ("points", _lazy("VP")),
    ("games", _lazy("P")),
    ("won", _lazy("W")),
    ("drawn", _lazy("D")),
    ("lost", _lazy("L")),
    ("glory", _lazy("g")),
)
LABELS = {"points": {"both": _lazy("VP"), "victory": _lazy("VP"), "campaign": _lazy("CP")}}


NAMES = ("name", "player")  # of the warband, of the player
PER_PAGE = 12


def _columns_of(campaign: Campaign) -> dict[str, str]:
    """Return the labels of the columns. Books that tell of single battles know no glory."""
    has_glory = campaign.terms.game.campaign is not None
    columns = {name: label for name, label in SORTS if name != "glory" or has_glory}
    return {**columns, "points": LABELS["points"][str(setting_of(campaign, "points"))]}


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
    keeps: Sequence[tuple[str, str]] = (),
) -> StandingsTable:
    """Build a page of the table. The user's own row is added below if it is on another page. No queries.

    `sort` is the key of a column, "name" or "player", with a minus for the other direction; "" sorts by place. Players' names are
    shown where rosters are. `keeps` is what else the address holds.
    """
    key = sort.lstrip("-")
    if key not in (*dict(SORTS), "name", *(("player",) if rosters else ())):
        sort = key = ""
    ordered = _sorted(rows, key, turned=sort.startswith("-"))
    sorts = _columns_of(campaign)
    has_fought = any(row.games or row.points for row in rows)
    last = max(1, -(-len(ordered) // per_page))
    page = min(max(1, page), last)
    start = (page - 1) * per_page
    shown = ordered[start : start + per_page]
    own = [row for row in ordered if is_mine(row, user) and row not in shown]
    named = _column("name", _("Warband"), sort, here, keeps)
    player = _column("player", _("Player"), sort, here, keeps) if rosters else None
    return StandingsTable(
        caption=_("Standings"),
        columns=(
            replace(named, other=player),
            *(_column(name, str(label), sort or "points", here, keeps) for name, label in sorts.items()),
        ),
        rows=tuple(_row(row, user, rosters, has_fought, list(sorts), campaign) for row in (*shown, *own)),
        tie_words=_tie_words(rows) if has_fought else "",
        empty_words=_("No players yet."),
        pager=pager_of(
            page,
            last,
            len(ordered),
            start,
            len(shown),
            per_page,
            _address(here, keeps),
            {"sort": sort} if sort else {},
            "standings",
        ),
        minor=1 + list(sorts).index("games"),
    )


def _sorted(rows: Sequence[SeatStanding], key: str, *, turned: bool) -> list[SeatStanding]:
    """Return the rows in order: names from A, numbers from the largest, or the other way round. Equal rows keep their places."""
    if key in NAMES:
        return sorted(rows, key=lambda row: _name(row, key).casefold(), reverse=turned)
    return sorted(rows, key=lambda row: getattr(row, key), reverse=not turned) if key else list(rows)


def _name(row: SeatStanding, key: str) -> str:
    return (row.warband if key == "name" else "") or row.seat.name


def _address(here: str, query: Sequence[tuple[str, str]]) -> str:
    return f"{here}?{urlencode(query)}" if query else here


def _column(key: str, label: str, sort: str, here: str, keeps: Sequence[tuple[str, str]]) -> Column:
    """Return a heading. It sorts by its column, and once sorted by it, the other way round."""
    is_sorted, is_turned = sort.lstrip("-") == key, sort.startswith("-")
    wanted = f"-{key}" if is_sorted and not is_turned else key
    asked = [*keeps, *([("sort", wanted)] if wanted != "points" else [])]
    order = ""
    if is_sorted:
        order = "ascending" if (key in NAMES) != is_turned else "descending"
    return Column(label, f"{_address(here, asked)}#standings", order)


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
        mine=is_mine(row, user),
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
