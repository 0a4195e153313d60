"""The standings of a campaign: a row per seat, which the database sums up from its battles. Nothing is stored.

Seats with the same points share a place; the book breaks no ties, only a house rule does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from campaigns.models import REPORTED, Battle, Campaign, Seat, Side
from campaigns.settings_schema import BY_KEY, settings_of

PROVISIONAL = (Battle.Status.REPORTED, Battle.Status.DISPUTED)
FOUGHT = (Battle.Kind.PLAYED, Battle.Kind.CONCEDED, Battle.Kind.ABANDONED)


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """One seat's row. `place` is shared if `is_shared`. `provisional` holds the points of unconfirmed reports.

    `warband` is the name of the seat's warband, `list_id` its list, "" for none; `glory` is the glory that it has now. `parted_by` names
    the house rule that broke a tie. `met` maps a seat id to the battles won against it minus those lost, if a house
    rule needs it.
    """

    seat: Seat
    warband: str = ""
    list_id: str = ""
    place: int = 0
    is_shared: bool = False
    won: int = 0
    drawn: int = 0
    lost: int = 0
    games: int = 0
    points: int = 0
    provisional: int = 0
    glory: int = 0
    parted_by: str = ""
    met: Mapping[int, int] = field(default_factory=dict, compare=False)

    @property
    def has_left(self) -> bool:
        return self.seat.status == Seat.Status.LEFT


def standings(campaign: Campaign) -> list[SeatStanding]:
    """Return the standings, best first. Two queries, three if a house rule breaks ties by meetings.

    A row includes the seat's results from before the campaign was entered here.
    """
    settings = settings_of(campaign)
    seats = Seat.objects.live().filter(campaign=campaign).order_by("pk").defer("list_words", "claim_token")
    seats = seats.annotate(
        warband_name=F("warband__name"),
        army_list=F("warband__list_id"),
        glory=F("warband__strongbox_glory"),
        found=F("warband__state__campaign_points"),
    )
    sums = {row["seat"]: row for row in _sums(campaign, settings)}
    rows = []
    for seat in seats:
        fought = sums.get(seat.pk, {})
        rows.append(
            SeatStanding(
                seat,
                warband=seat.warband_name or "",
                list_id=seat.army_list or "",
                glory=seat.glory or 0,
                won=seat.opening_won + fought.get("won", 0),
                drawn=seat.opening_drawn + fought.get("drawn", 0),
                lost=seat.opening_lost + fought.get("lost", 0),
                games=seat.opening_games + fought.get("games", 0),
                points=seat.opening_points
                + seat.corrected_points
                + _finds(seat.found, settings)
                + fought.get("scored", 0),
                provisional=fought.get("open", 0),
            )
        )
    if settings["tie_break"] == "meeting":
        met = _met(campaign, settings, _level(rows))
        rows = [replace(row, met=met.get(row.seat.pk, {})) for row in rows]
    return placed(rows, settings)


def points_by_day(campaign: Campaign, rows: Collection[SeatStanding]) -> list[tuple[date, dict[int, int]]]:
    """Return the cumulative points of these seats for each day with a battle, by seat id. One query."""
    settings = settings_of(campaign)
    dated = _sides(campaign, settings).filter(seat__in=[row.seat.pk for row in rows], battle__played_on__isnull=False)
    by_day: dict[date, dict[int, int]] = {}
    so_far = {row.seat.pk: row.points for row in rows}  # the total; the points of each day are subtracted from it
    for day, seat, points in dated.values_list("battle__played_on", "seat").annotate(scored=_scored(settings)):
        by_day.setdefault(day, {})[seat] = points
        so_far[seat] -= points
    told = []
    for day in sorted(by_day):
        so_far = {pk: points + by_day[day].get(pk, 0) for pk, points in so_far.items()}
        told.append((day, so_far))
    return told


def _sides(campaign: Campaign, settings: Mapping[str, object]) -> QuerySet[Side, Any]:
    sides = Side.objects.live().filter(
        battle__campaign=campaign, battle__is_undone=False, battle__status__in=REPORTED, seat__isnull=False
    )
    if settings["guests_count"] != "all":
        sides = sides.filter(~Exists(Side.objects.live().filter(battle=OuterRef("battle"), seat__isnull=True)))
    return sides.order_by()


def _scored(settings: Mapping[str, object], **only: Any) -> Coalesce:
    tally, extra = Coalesce(F("points"), 0), Coalesce(F("campaign_points"), 0)
    counted = {"both": tally + extra, "victory": tally, "campaign": extra}[str(settings["points"])]
    return Coalesce(Sum(counted, **only), 0)


def _sums(campaign: Campaign, settings: Mapping[str, object]) -> QuerySet[Side, dict[str, Any]]:
    """Return the sums of each seat's battles in this campaign. One query."""
    no_bye = ~Q(battle__kind=Battle.Kind.BYE)
    return (
        _sides(campaign, settings)
        .values("seat")
        .annotate(
            won=Count("pk", filter=no_bye & Q(result=Side.Result.WON)),
            drawn=Count("pk", filter=no_bye & Q(result=Side.Result.DRAWN)),
            lost=Count("pk", filter=no_bye & Q(result=Side.Result.LOST)),
            games=Count("pk", filter=Q(battle__kind__in=FOUGHT)),
            scored=_scored(settings),
            open=_scored(settings, filter=Q(battle__status__in=PROVISIONAL)),
        )
    )


def _level(rows: list[SeatStanding]) -> set[int]:
    by_points: dict[int, list[int]] = {}
    for row in rows:
        by_points.setdefault(row.points, []).append(row.seat.pk)
    return {pk for seats in by_points.values() if len(seats) > 1 for pk in seats}


def _met(campaign: Campaign, settings: Mapping[str, object], seats: set[int]) -> dict[int, dict[int, int]]:
    """Return battles won minus battles lost between these seats, by seat. One query, none for an empty set."""
    if not seats:
        return {}
    won, lost = Side.Result.WON, Side.Result.LOST
    decided = _sides(campaign, settings).filter(
        (Q(result=won) & Q(battle__sides__result=lost)) | (Q(result=lost) & Q(battle__sides__result=won)),
        seat__in=seats,
        battle__sides__is_undone=False,
        battle__sides__seat__in=seats,
    )
    step = Sum(Case(When(result=won, then=1), default=-1, output_field=IntegerField()))
    met: dict[int, dict[int, int]] = {}
    for one, other, balance in decided.values_list("seat", "battle__sides__seat").annotate(balance=step):
        met.setdefault(one, {})[other] = balance
    return met


def points_of(side: Side, settings: Mapping[str, object]) -> int:
    tally, extra = side.points or 0, side.campaign_points or 0
    return {"both": tally + extra, "victory": tally, "campaign": extra}[str(settings["points"])]


def found_points(seat: Seat, settings: Mapping[str, object]) -> int:
    """Return the points from what a warband found, if the campaign counts such points."""
    return _finds(seat.warband.state.get("campaign_points"), settings) if seat.warband is not None else 0


def _finds(found: object, settings: Mapping[str, object]) -> int:
    return int(str(found or 0)) if settings["points"] != "victory" else 0


def placed(rows: list[SeatStanding], settings: Mapping[str, object]) -> list[SeatStanding]:
    """Return the rows in order with their places. Tied rows share a place, unless the campaign's tie-break separates them."""
    rule = str(settings["tie_break"])
    by: Callable[[SeatStanding, list[SeatStanding]], int] = TIE_BREAKS[rule]
    groups: dict[int, list[SeatStanding]] = {}
    for row in rows:
        groups.setdefault(row.points, []).append(row)
    ordered: list[SeatStanding] = []
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


def _meeting(row: SeatStanding, level: list[SeatStanding]) -> int:
    return sum(row.met.get(other.seat.pk, 0) for other in level)


TIE_BREAKS: Mapping[str, Callable[[SeatStanding, list[SeatStanding]], int]] = {
    "none": lambda row, level: 0,
    "wins": lambda row, level: row.won,
    "games": lambda row, level: -row.games,
    "glory": lambda row, level: row.glory,
    "meeting": _meeting,
}
