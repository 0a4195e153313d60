"""The services of the calendar: days away in several campaigns at once, and the secret addresses of feeds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Absence, CalendarFeed, Campaign, Seat
from campaigns.services.challenges import refuse_days, refuse_too_many
from campaigns.services.common import new_link
from campaigns.services.rounds import weekday
from rules.problems import Refusal
from warbands.recording import recording


def plan_absence_in(
    *, seats: Sequence[Seat], starts_on: date, ends_on: date, actor: Any, token: str = ""
) -> list[Absence]:
    """Note the days on which a person is away, for several of their places at once. One act, so one undo takes it back.

    Raises Refusal without a place, for an end before the start, and for more than a year.
    """
    if not seats:
        raise Refusal(_("You play in no campaign now."), code="no-seat")
    refuse_days(starts_on, ends_on)
    campaigns = [seat.campaign for seat in seats]
    with recording(*campaigns, *seats, kind="absence", actor=actor, for_name="", token=token) as act:
        made = []
        for seat in seats:
            row = act.row(seat)
            refuse_too_many(row)
            absence = act.create(Absence(seat=row, starts_on=starts_on, ends_on=ends_on))
            made.append(act.also_about(absence))
        act.say(
            _("{{who}} noted days away, {first} to {last}.").format(first=weekday(starts_on), last=weekday(ends_on))
        )
    return made


def hand_out_feed(*, user: Any = None, campaign: Campaign | None = None, renew: bool = False) -> str:
    """Return the code of a person's or a campaign's feed. `renew` draws another one, and the old address ends."""
    with transaction.atomic():
        feed, _made = CalendarFeed.objects.select_for_update(no_key=True).get_or_create(user=user, campaign=campaign)
        if renew or not feed.code:
            feed.code, feed.made_at = new_link(), timezone.now()
            feed.save(update_fields=["code", "made_at"])
    return feed.code


def revoke_feed(*, user: Any = None, campaign: Campaign | None = None) -> None:
    """Let the address of a feed show nothing from now on."""
    CalendarFeed.objects.filter(user=user, campaign=campaign).update(code="")
