"""The standings of a campaign: a row per seat, counted from its battles. A pure count over rows and ways; nothing is kept.

Places are shared where the counted points are level; the book parts nobody, only a house rule by name does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from campaigns.models import Battle, Campaign, Capture, Seat, Side
from campaigns.ways import BY_KEY, ways

COUNTED = (Battle.Status.REPORTED, Battle.Status.DISPUTED, Battle.Status.CONFIRMED, Battle.Status.CLOSED)
PROVISIONAL = (Battle.Status.REPORTED, Battle.Status.DISPUTED)
FOUGHT = (Battle.Kind.PLAYED, Battle.Kind.CONCEDED, Battle.Kind.ABANDONED)


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's row. `place` is shared where `is_shared`. `provisional` are the points of reports nobody confirmed yet.

    `glory` is what the warband holds now, `captures` how many captives it took. `parted_by` names the house rule that parts this row
    from one level with it.
    """

    seat: Seat
    place: int = 0
    is_shared: bool = False
    won: int = 0
    drawn: int = 0
    lost: int = 0
    games: int = 0
    points: int = 0
    provisional: int = 0
    glory: int = 0
    captures: int = 0
    parted_by: str = ""
    met: Mapping[int, int] = field(
        default_factory=dict, compare=False
    )  # seat id: battles won against it less those lost

    @property
    def has_left(self) -> bool:
        """Whether the seat was given up; its results stay."""
        return self.seat.status == Seat.Status.LEFT


def standings(campaign: Campaign, *, until: date | None = None) -> list[Standing]:
    """The standings, best first. Four queries, however many seats and battles.

    `until` counts battles played up to that day only.
    """
    seats = list(Seat.objects.live().filter(campaign=campaign).select_related("warband", "user").order_by("pk"))
    battles = _battles(campaign, until)
    captures: dict[int, int] = {}
    taken = Capture.objects.live().filter(battle__campaign=campaign, captor__isnull=False)
    for captor in taken.values_list("captor_id", flat=True):
        captures[captor] = captures.get(captor, 0) + 1
    return placed(count(seats, battles, ways(campaign), captures), ways(campaign))


def standings_over_time(campaign: Campaign) -> list[tuple[date, dict[int, int]]]:
    """For each day with a battle: every seat's counted points up to then, by seat id. Three queries."""
    settings = ways(campaign)
    seats = list(Seat.objects.live().filter(campaign=campaign).select_related("warband").order_by("pk"))
    battles = [b for b in _battles(campaign, None) if b.played_on is not None]
    days = sorted({battle.played_on for battle in battles})
    return [
        (day, {row.seat.pk: row.points for row in count(seats, [b for b in battles if b.played_on <= day], settings)})
        for day in days
    ]


def count(
    seats: Iterable[Seat],
    battles: Iterable[Battle],
    settings: Mapping[str, object],
    captures: Mapping[int, int] | None = None,
) -> list[Standing]:
    """Count battles (with their live sides prefetched as `counted_sides`) into a row per seat, not placed yet.

    A row begins with what the seat fought for before the campaign came here.
    """
    captures = captures or {}
    rows = {
        seat.pk: Standing(
            seat,
            glory=seat.warband.strongbox_glory if seat.warband else 0,
            captures=captures.get(seat.warband_id, 0) if seat.warband_id else 0,
            won=seat.opening_won,
            drawn=seat.opening_drawn,
            lost=seat.opening_lost,
            games=seat.opening_games,
            points=seat.opening_points + found_points(seat, settings),
            met={},
        )
        for seat in seats
    }
    for battle in battles:
        sides: list[Side] = battle.counted_sides  # type: ignore[attr-defined]
        if any(side.is_guest for side in sides) and settings["guests_count"] != "all":
            continue
        for side in sides:
            if side.seat_id in rows:
                rows[side.seat_id] = _counted(rows[side.seat_id], battle, side, sides, settings)
    return list(rows.values())


def points_of(side: Side, settings: Mapping[str, object]) -> int:
    """What a side's battle counts for in the campaign."""
    tally, extra = side.points or 0, side.campaign_points or 0
    return {"both": tally + extra, "victory": tally, "campaign": extra}[str(settings["points"])]


def found_points(seat: Seat, settings: Mapping[str, object]) -> int:
    """Points that a warband's finds brought it, where the campaign counts such points."""
    if seat.warband is None or settings["points"] == "victory":
        return 0
    return int(seat.warband.state.get("campaign_points") or 0)


def placed(rows: list[Standing], settings: Mapping[str, object]) -> list[Standing]:
    """The rows in order with their places; level rows share one, unless the campaign's tie-break parts them."""
    rule = str(settings["tie_break"])
    by: Callable[[Standing, list[Standing]], int] = TIE_BREAKS[rule]
    groups: dict[int, list[Standing]] = {}
    for row in rows:
        groups.setdefault(row.points, []).append(row)
    ordered: list[Standing] = []
    words = dict(BY_KEY["tie_break"].options)[rule]
    for points in sorted(groups, reverse=True):
        level = groups[points]
        keyed = sorted(level, key=lambda row: (-by(row, level), row.has_left, row.seat.pk))
        values = {by(row, level) for row in level}
        for row in keyed:
            mine = by(row, level)
            ahead = sum(1 for other in level if by(other, level) > mine)
            shares = sum(1 for other in level if by(other, level) == mine) > 1
            ordered.append(
                replace(
                    row,
                    place=sum(len(groups[p]) for p in groups if p > points) + ahead + 1,
                    is_shared=shares,
                    parted_by=words if rule != "none" and len(values) > 1 else "",
                )
            )
    return ordered


def _meeting(row: Standing, level: list[Standing]) -> int:
    return sum(row.met.get(other.seat.pk, 0) for other in level)


TIE_BREAKS: Mapping[str, Callable[[Standing, list[Standing]], int]] = {
    "none": lambda row, level: 0,
    "wins": lambda row, level: row.won,
    "games": lambda row, level: -row.games,
    "glory": lambda row, level: row.glory,
    "meeting": _meeting,
}


def _battles(campaign: Campaign, until: date | None) -> list[Battle]:
    from django.db.models import Prefetch

    battles = Battle.objects.live().filter(campaign=campaign, status__in=COUNTED)
    if until is not None:
        battles = battles.filter(played_on__lte=until)
    return list(
        battles.order_by("pk").prefetch_related(Prefetch("sides", Side.objects.live(), to_attr="counted_sides"))
    )


def _counted(row: Standing, battle: Battle, side: Side, sides: list[Side], settings: Mapping[str, object]) -> Standing:
    points = points_of(side, settings)
    met = dict(row.met)
    if side.result in (Side.Result.WON, Side.Result.LOST):
        step = 1 if side.result == Side.Result.WON else -1
        for other in sides:
            decided = {side.result, other.result} == {Side.Result.WON, Side.Result.LOST}
            if other.seat_id is not None and other.seat_id != side.seat_id and decided:
                met[other.seat_id] = met.get(other.seat_id, 0) + step
    is_bye = battle.kind == Battle.Kind.BYE
    return replace(
        row,
        won=row.won + (side.result == Side.Result.WON and not is_bye),
        drawn=row.drawn + (side.result == Side.Result.DRAWN and not is_bye),
        lost=row.lost + (side.result == Side.Result.LOST and not is_bye),
        games=row.games + (battle.kind in FOUGHT),
        points=row.points + points,
        provisional=row.provisional + (points if battle.status in PROVISIONAL else 0),
        met=met,
    )
