"""Telling people of what becomes due: a report that is missing, a confirmation that silence will give, a round that ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.battle_result import standing_report
from campaigns.models import AHEAD, Battle, Campaign, Round, Seat, Side
from campaigns.notifications import CONFIRM, REPORT, ROUND, confirm_title, of_battle
from campaigns.services.common import READY_FOR, live_sides, side_and_player, versus
from campaigns.services.report_parts import waits_for
from config.dates import short_day
from notifications.models import Notification
from notifications.services import PersonTold, notify

ROUND_DAYS = 2  # before a round ends
CONFIRM_BEFORE = timedelta(hours=36)  # before silence confirms
LOOKS_BACK = timedelta(days=30)  # older things that are due are told no more


def tell_deadlines(now: datetime) -> int:
    """Tell everybody once of each thing that becomes due. Return how many notifications that makes."""
    before = Notification.objects.count()
    notify([*_missing_reports(now), *_silent_soon(now), *_rounds_end(now)], now)
    return Notification.objects.count() - before


def _running(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    return battles.filter(campaign__status=Campaign.Status.RUNNING, campaign__is_undone=False).select_related(
        "campaign__terms"
    )


def _sides_of(battles: Sequence[Battle]) -> dict[int, list[Side]]:
    found: dict[int, list[Side]] = defaultdict(list)
    sides = Side.objects.live().filter(battle__in=battles).select_related("seat", "warband")
    for side in sides.order_by("place", "pk"):
        found[side.battle_id].append(side)
    return found


def _missing_reports(now: datetime) -> Iterable[PersonTold]:
    """Tell the players of battles whose day is over, or that were ready a day ago. Three queries."""
    today = timezone.localdate(now)
    ahead = _running(Battle.objects.live().filter(status__in=AHEAD))
    late = ahead.filter(planned_for__lt=today, planned_for__gte=today - LOOKS_BACK)
    ready = ahead.filter(status=Battle.Status.MUSTERED, planned_for=None, created_at__gte=now - LOOKS_BACK)
    battles = [*late.order_by("pk"), *ready.order_by("pk")]
    sides = _sides_of(battles)
    for battle in battles:
        own = sides[battle.pk]
        moments = [side.ready_at for side in own if side.ready_at is not None]
        if battle.planned_for is None and (not moments or max(moments) > now - READY_FOR):
            continue
        day = battle.planned_for or timezone.localtime(max(moments)).date()
        for side in own:
            if side.seat is not None and side.seat.user_id:
                yield of_battle(
                    battle,
                    side.seat.user_id,
                    REPORT,
                    _("Report missing: {versus}").format(versus=versus(own, side_and_player)),
                    _("It was set for {day}. Report it, or move it to another day.").format(day=short_day(day)),
                    href=reverse("battle-report", args=[battle.pk]),
                    key=day.isoformat(),
                )


def _silent_soon(now: datetime) -> Iterable[PersonTold]:
    """Tell those who have not answered a report that silence confirms soon. Two queries for each such battle."""
    soon = Battle.objects.live().filter(
        status=Battle.Status.REPORTED, confirm_by__gt=now, confirm_by__lte=now + CONFIRM_BEFORE
    )
    for battle in _running(soon).order_by("pk"):
        sides = live_sides(battle)
        report = standing_report(battle)
        if report is None or battle.confirm_by is None or report.sent_at > now - CONFIRM_BEFORE:
            continue
        for side in waits_for(battle, sides, report.by_side):
            if side.seat is not None and side.seat.user_id:
                yield of_battle(
                    battle,
                    side.seat.user_id,
                    CONFIRM,
                    confirm_title(battle, sides),
                    _("After that it counts as confirmed."),
                    href=reverse("report-confirm", args=[battle.pk]),
                    key=f"soon:{report.number}",
                )


def _rounds_end(now: datetime) -> Iterable[PersonTold]:
    """Tell the players of rounds that end soon what they have open in it. Four queries."""
    today = timezone.localdate(now)
    ending = Round.objects.live().filter(
        is_closed=False,
        ends_on__gte=today,
        ends_on__lte=today + timedelta(days=ROUND_DAYS),
        campaign__status=Campaign.Status.RUNNING,
        campaign__is_undone=False,
    )
    rounds = list(ending.select_related("campaign"))
    battles = list(Battle.objects.live().filter(round__in=rounds).exclude(status=Battle.Status.CANCELLED))
    by_round: dict[int, list[Battle]] = defaultdict(list)
    for battle in battles:
        by_round[battle.round_id or 0].append(battle)
    sides = _sides_of(battles)
    seats: dict[int, list[Seat]] = defaultdict(list)
    playing = Seat.objects.live().filter(
        campaign__in={round.campaign_id for round in rounds},
        status=Seat.Status.PLAYING,
        user__isnull=False,
        warband__isnull=False,
    )
    for seat in playing.order_by("pk"):
        seats[seat.campaign_id].append(seat)
    for round in rounds:
        own = by_round[round.pk]
        at = {side.seat_id: battle for battle in own for side in sides[battle.pk]}
        for seat in seats[round.campaign_id]:
            battle = at.get(seat.pk)
            if battle is not None and battle.status not in AHEAD:
                continue
            words = (
                _("You have no battle in it yet.")
                if battle is None
                else _("Not reported yet: {versus}.").format(versus=versus(sides[battle.pk], side_and_player))
            )
            assert seat.user_id is not None
            assert round.ends_on is not None
            yield PersonTold(
                user=seat.user_id,
                kind=ROUND,
                key=f"round:{round.pk}:{round.ends_on.isoformat()}",
                title=_("Round {number} ends on {day}").format(number=round.number, day=short_day(round.ends_on)),
                words=words,
                href=battle_or_round(battle, round),
                about=f"round:{round.pk}",
                group=f"campaign:{round.campaign_id}",
            )


def battle_or_round(battle: Battle | None, round: Round) -> str:
    if battle is not None:
        return reverse("battle-report", args=[battle.pk])
    return reverse("round-show", args=[round.campaign_id, round.number])
