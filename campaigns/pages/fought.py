"""Battles with their sides, sequences and reports: each kind of row read once, and tied together here.

A join would have the database send a seat again with every side it ever had; and what a wide query takes is less its answer than the
writing of it, each time anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from campaigns.models import Battle, Campaign, PostBattle, Report, Round, Seat, Side
from config.written import WrittenQuery
from warbands.models import Warband

WAITING = (Battle.Status.REPORTED, Battle.Status.DISPUTED)

Row = TypeVar("Row", Battle, Round, Seat)

SEATS: WrittenQuery[Seat] = WrittenQuery(
    lambda campaigns: Seat.objects.live().filter(campaign__in=campaigns).select_related("warband__terms").order_by("pk")
)
BATTLES: WrittenQuery[Battle] = WrittenQuery(
    lambda campaign: Battle.objects.live().filter(campaign=campaign).order_by("pk")
)
SIDES: WrittenQuery[Side] = WrittenQuery(
    lambda battles: Side.objects.live().filter(battle__in=battles).order_by("place", "pk")
)
SEQUENCES: WrittenQuery[PostBattle] = WrittenQuery(
    lambda sides: PostBattle.objects.live().filter(side__in=sides).defer("aftermath", "record").order_by()
)
REPORTS: WrittenQuery[Report] = WrittenQuery(
    lambda battles: (
        Report.objects.live().filter(battle__in=battles).select_related("by").defer("data").order_by("number", "pk")
    )
)


def sides_of(battle: Battle) -> list[Side]:
    """The sides of a battle read by `read_battles`, in their order. No queries."""
    return battle.read_sides  # type: ignore[attr-defined, no-any-return]


def sequence_of(side: Side) -> PostBattle | None:
    """The sequence of a side read by `read_battles`. No queries."""
    return side.read_sequence  # type: ignore[attr-defined, no-any-return]


def reports_of(battle: Battle) -> list[Report]:
    """All versions of the report of a battle read by `read_battles` that waits for an answer, the newest last. No queries."""
    return battle.read_reports  # type: ignore[attr-defined, no-any-return]


def report_of(battle: Battle) -> Report | None:
    """The newest report that stands, of a battle read by `read_battles` that waits for an answer. No queries."""
    return next((report for report in reversed(reports_of(battle)) if report.stands), None)


def read_seats(campaigns: Iterable[Campaign]) -> tuple[Seat, ...]:
    """The seats of these campaigns, each tied to its own, with warbands and the terms of these. One query."""
    known = list(campaigns)
    return tied(known, SEATS([campaign.pk for campaign in known]))


def tied(campaigns: Iterable[Campaign], rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, each tied to its campaign as it was read already. No queries but that for the rows."""
    known = {campaign.pk: campaign for campaign in campaigns}
    found = tuple(rows)
    for row in found:
        row.campaign = known[row.campaign_id]
    return found


def read_battles(
    battles: Iterable[Battle], *, campaigns: Iterable[Campaign], seats: Iterable[Seat]
) -> tuple[Battle, ...]:
    """Battles of these campaigns with sides and sequences, and with the reports that wait for an answer.

    Three queries at most; two more for sides whose seat is not among `seats` (read by `read_seats`) or brought another warband then.
    """
    found = tied(campaigns, battles)
    sides = SIDES([battle.pk for battle in found])
    _seat(sides, list(seats))
    sequence_by_side = {each.side_id: each for each in SEQUENCES([side.pk for side in sides])}
    by_battle: dict[int, tuple[list[Side], list[Report]]] = {battle.pk: ([], []) for battle in found}
    for side in sides:
        side.read_sequence = sequence_by_side.get(side.pk)  # type: ignore[attr-defined]
        by_battle[side.battle_id][0].append(side)
    for report in REPORTS([battle.pk for battle in found if battle.status in WAITING]):
        by_battle[report.battle_id][1].append(report)
    for battle in found:
        battle.read_sides, battle.read_reports = by_battle[battle.pk]  # type: ignore[attr-defined]
    return found


def _seat(sides: list[Side], seats: list[Seat]) -> None:
    """Tie sides to seats and warbands. Two queries at most, for those that are not among these seats."""
    sat = {seat.pk: seat for seat in seats}
    if missing := {side.seat_id for side in sides} - {None, *sat}:
        sat |= Seat.objects.in_bulk(missing)
    held = {seat.warband_id: seat.warband for seat in seats if seat.warband is not None}
    if missing := {side.warband_id for side in sides} - {None, *held}:
        held |= Warband.objects.select_related("terms").in_bulk(missing)
    for side in sides:
        if side.seat_id is not None:
            side.seat = sat[side.seat_id]
        if side.warband_id is not None:
            side.warband = held[side.warband_id]
