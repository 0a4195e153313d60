"""What a campaign tells a warband's sheet: where it plays, how it stands, and the result of each battle by its number."""

from __future__ import annotations

from django.utils.formats import date_format

from campaigns.models import Battle, Seat, Side
from campaigns.settings_schema import settings_of
from campaigns.standings import COUNTED, found_points, points_of
from warbands.labels import labels_of
from warbands.models import Warband
from warbands.printing import SheetCampaign

LETTERS = {Side.Result.WON: "W", Side.Result.LOST: "L", Side.Result.DRAWN: "D"}


def campaign_line(warband: Warband) -> SheetCampaign | None:
    """The line of the campaign in which the warband has a seat, or None. Two queries, three with a round."""
    seat = (
        Seat.objects.live()
        .filter(warband=warband)
        .exclude(status=Seat.Status.LEFT)
        .select_related("campaign__terms", "warband")
        .first()
    )
    if seat is None:
        return None
    sides = list(
        Side.objects.live()
        .filter(warband=warband, battle__campaign=seat.campaign, battle__status__in=COUNTED, battle__is_undone=False)
        .exclude(battle__kind=Battle.Kind.BYE)
        .order_by("pk")
    )
    letters = [LETTERS.get(side.result, "") for side in sides]
    before = (seat.opening_won, seat.opening_drawn, seat.opening_lost)
    won, drawn, lost = (letters.count(letter) + n for letter, n in zip("WDL", before, strict=True))
    latest = seat.campaign.rounds.live().order_by("-number").first()
    labels, settings = labels_of(warband.terms), settings_of(seat.campaign)
    points = seat.opening_points + found_points(seat, settings) + sum(points_of(side, settings) for side in sides)
    where = [
        ("Campaign", f"{seat.campaign.name}, round {latest.number}" if latest else seat.campaign.name),
        (f"{labels['battle']}s", f"{len(sides) + seat.opening_games}: {won} won, {drawn} drawn, {lost} lost"),
        (labels["campaign_points"] if settings["points"] == "campaign" else "Victory points", str(points)),
    ]
    if seat.campaign.starts_on:
        where.append(("Started", date_format(seat.campaign.starts_on, "j M Y")))
    results = {side.number: letter for side, letter in zip(sides, letters, strict=True) if side.number}
    return SheetCampaign(tuple(where), results)
