"""The page of a campaign's regions: the map, a list with stakes, and who held what in which round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import ANSWERED, Battle, Campaign, Region, RegionHold, RegionLink, Seat, Side
from campaigns.pages.battle_queries import read_lines, sides_of
from campaigns.pages.formatting import against
from campaigns.region_map import corners, laid_out, middle
from rules.formatting import joined
from warbands.idempotency import new_token
from warbands.pages.formatting import day
from warbands.pages.widgets import Link

SIZE = 62.0  # of a hexagon on the map, from its middle to a corner
EDGE = 8.0
LINE = 13  # letters of one line of a name on the map
MAX_BATTLES = 30


@dataclass(frozen=True, slots=True)
class Hexagon:
    """A region on the map. `kind` is mine, held or free; `lines` are its name in one or two lines."""

    href: str
    corners: str
    kind: str
    lines: tuple[tuple[str, str, str], ...]  # x, y, words
    owner: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class MapLine:
    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True, slots=True)
class RegionMap:
    box: str
    words: str
    hexagons: tuple[Hexagon, ...]
    lines: tuple[MapLine, ...]


@dataclass(frozen=True, slots=True)
class Neighbour:
    value: int
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class HoldLine:
    round_words: str
    owner: str
    words: str


@dataclass(frozen=True, slots=True)
class RegionRow:
    pk: int
    name: str
    stake: str
    owner: str
    owner_value: str
    neighbours_words: str
    neighbours: tuple[Neighbour, ...]
    history: tuple[HoldLine, ...]
    token: str


@dataclass(frozen=True, slots=True)
class RegionsPage:
    campaign: Link
    here: str
    map: RegionMap | None
    rows: tuple[RegionRow, ...]
    tally: tuple[tuple[str, int], ...]
    administers: bool
    owners: tuple[tuple[str, str], ...]
    battles: tuple[tuple[str, str], ...]
    token: str


def regions_page(campaign: Campaign, user: Any, *, administers: bool, public: bool = False) -> RegionsPage:
    """Build the page. Six queries for administrators, three for everybody else."""
    regions = list(Region.objects.live().filter(campaign=campaign, is_away=False).order_by("name", "pk"))
    links = list(
        RegionLink.objects.live()
        .filter(region__campaign=campaign, is_over=False, region__is_away=False, other__is_away=False)
        .filter(region__is_undone=False, other__is_undone=False)
        .values_list("region", "other")
    )
    holds: dict[int, list[RegionHold]] = {region.pk: [] for region in regions}
    rows = RegionHold.objects.live().filter(region__in=regions).select_related("seat__warband", "round", "battle")
    for hold in rows.order_by("pk"):
        holds[hold.region_id].append(hold)
    beside = _beside(regions, links)
    here = reverse("region-watch", args=[campaign.slug]) if public else reverse("region-list", args=[campaign.pk])
    back = reverse("campaign-watch", args=[campaign.slug]) if public else reverse("campaign-show", args=[campaign.pk])
    return RegionsPage(
        campaign=Link(campaign.name, back),
        here=here,
        map=_map(regions, links, holds, user) if regions else None,
        rows=tuple(_row(region, regions, beside, holds[region.pk], administers) for region in regions),
        tally=_tally(holds),
        administers=administers,
        owners=_owners(campaign) if administers else (),
        battles=_battles(campaign) if administers and regions else (),
        token=new_token() if administers else "",
    )


def _beside(regions: Sequence[Region], links: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {region.pk: set() for region in regions}
    for one, other in links:
        if one in found and other in found:
            found[one].add(other)
            found[other].add(one)
    return found


def _row(
    region: Region,
    regions: Sequence[Region],
    beside: Mapping[int, set[int]],
    holds: Sequence[RegionHold],
    administers: bool,
) -> RegionRow:
    mine = beside[region.pk]
    owner = holds[-1].seat if holds else None
    return RegionRow(
        pk=region.pk,
        name=region.name,
        stake=region.stake,
        owner=called(owner),
        owner_value=str(owner.pk) if owner is not None else "",
        neighbours_words=joined(other.name for other in regions if other.pk in mine),
        neighbours=tuple(
            Neighbour(other.pk, other.name, other.pk in mine) for other in regions if other.pk != region.pk
        )
        if administers
        else (),
        history=tuple(_hold_line(hold) for hold in holds),
        token=new_token() if administers else "",
    )


def called(seat: Seat | None) -> str:
    """Return who holds a region: the seat's warband, or its name without one; "" for nobody."""
    if seat is None:
        return ""
    return seat.warband.name if seat.warband is not None else seat.name


def _hold_line(hold: RegionHold) -> HoldLine:
    return HoldLine(
        round_words=_("Round {number}").format(number=hold.round.number) if hold.round is not None else _("No round"),
        owner=called(hold.seat) or _("No owner"),
        words=", ".join(
            part for part in (day(hold.since), str(hold.battle) if hold.battle is not None else "") if part
        ),
    )


def _tally(holds: Mapping[int, Sequence[RegionHold]]) -> tuple[tuple[str, int], ...]:
    """Return how many regions each owner holds, most first."""
    counts: dict[str, int] = {}
    for rows in holds.values():
        if name := called(rows[-1].seat) if rows else "":
            counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _owners(campaign: Campaign) -> tuple[tuple[str, str], ...]:
    seats = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT).select_related("warband")
    return tuple((str(seat.pk), f"{called(seat)} ({seat.name})" if seat.warband else seat.name) for seat in seats)


def _battles(campaign: Campaign) -> tuple[tuple[str, str], ...]:
    """Return the newest battles that somebody won. One query."""
    won = Battle.objects.live().filter(campaign=campaign, status__in=ANSWERED, sides__result=Side.Result.WON)
    rows = read_lines(won.order_by("-pk").distinct()[:MAX_BATTLES], campaign)
    return tuple((str(row.pk), f"{row}: {against(sides_of(row))}") for row in rows)


# --- the map --------------------------------------------------------------------------------------------------------------


def _map(
    regions: Sequence[Region], links: Sequence[tuple[int, int]], holds: Mapping[int, Sequence[RegionHold]], user: Any
) -> RegionMap:
    cells = laid_out((region.pk for region in regions), links)
    at = {pk: middle(cell, SIZE) for pk, cell in cells.items()}
    half = SIZE * 0.8661 + EDGE
    left, right = min(x for x, _y in at.values()) - half, max(x for x, _y in at.values()) + half
    top, bottom = min(y for _x, y in at.values()) - SIZE - EDGE, max(y for _x, y in at.values()) + SIZE + EDGE
    hexagons = tuple(_hexagon(region, at[region.pk], holds[region.pk], user) for region in regions)
    return RegionMap(
        box=f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}",
        words=_("Map of the regions. The list below says the same."),
        hexagons=hexagons,
        lines=tuple(
            MapLine(*(f"{number:.1f}" for number in (*at[one], *at[other])))
            for one, other in sorted(links)
            if one in at and other in at
        ),
    )


def _hexagon(region: Region, at: tuple[float, float], holds: Sequence[RegionHold], user: Any) -> Hexagon:
    x, y = at
    seat = holds[-1].seat if holds else None
    lines = _lines(region.name)
    top = y - 8 - (len(lines) - 1) * 7
    owner = called(seat)
    kind = "free" if seat is None else "mine" if user is not None and seat.user_id == user.pk else "held"
    return Hexagon(
        href=f"#region_{region.pk}",
        corners=corners(x, y, SIZE - 4),
        kind=kind,
        lines=tuple((f"{x:.1f}", f"{top + number * 15:.1f}", line) for number, line in enumerate(lines)),
        owner=(f"{x:.1f}", f"{top + len(lines) * 15 + 4:.1f}", _cut(owner) if owner else "–"),
    )


def _lines(name: str) -> list[str]:
    """Return a name in at most two lines that fit into a hexagon."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE and len(lines) < 2:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [_cut(line) for line in lines]


def _cut(words: str) -> str:
    return words if len(words) <= LINE + 1 else f"{words[:LINE]}…"
