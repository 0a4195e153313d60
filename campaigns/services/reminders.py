"""The service by which an administrator reminds players of what they have open. History names it, and nobody is reminded too often."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.kept_drafts import with_kept_drafts
from campaigns.models import Campaign, Seat
from campaigns.notifications import REMINDER
from campaigns.open_matters import open_matters
from campaigns.services.common import refuse_unless_running
from notifications.models import Notification
from notifications.services import PersonTold, notify
from rules.formatting import joined
from rules.problems import Refusal
from warbands.recording import recording

GAP = timedelta(hours=12)  # between two reminders of one player in one campaign


def reminded_lately(campaign: Campaign, now: datetime) -> dict[int, datetime]:
    """Return when people were reminded last in this campaign, as far as that is too recent to do it again. One query."""
    lately = Notification.objects.filter(
        group=f"campaign:{campaign.pk}", kind=REMINDER, made_at__gt=now - GAP
    ).order_by("made_at")
    return dict(lately.values_list("user_id", "made_at"))


def to_remind(campaign: Campaign) -> list[Seat]:
    """Return the seats that somebody with an account plays. One query."""
    return [seat for seat in playing(campaign) if seat.user_id is not None]


def playing(campaign: Campaign) -> list[Seat]:
    """Return the seats of everybody who has not left, with and without an account, and what is kept for them. One query."""
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    return list(with_kept_drafts(live).select_related("warband", "user").order_by("pk"))


def remind(*, campaign: Campaign, actor: Any, only: Collection[int] | None = None, token: str = "") -> list[Seat]:
    """Remind everybody of what they have open, or `only` these seats. Return the seats that were reminded.

    Raises Refusal if none of them has anything open, or if all were reminded within the last hours.
    """
    with recording(campaign, kind="remind", actor=actor, for_name="", token=token) as act:
        row = act.row(campaign)
        refuse_unless_running(row)
        now = timezone.now()
        seats = [seat for seat in to_remind(row) if only is None or seat.pk in only]
        matters = open_matters(row, seats)
        wanted = [seat for seat in seats if seat.pk in matters and seat.user_id != actor.pk]
        if not wanted:
            raise Refusal(_("No one has anything open."), code="nothing")
        lately = reminded_lately(row, now)
        fresh = [seat for seat in wanted if seat.user_id not in lately]
        if not fresh:
            raise Refusal(
                _("Reminded less than {hours} hours ago.").format(hours=int(GAP.total_seconds() // 3600)),
                mend=_("Copy the text and send it yourself."),
                code="lately",
            )
        notify(
            [
                PersonTold(
                    user=seat.user_id or 0,
                    kind=REMINDER,
                    key=f"remind:{act.event.pk}",
                    title=_("{actor} reminds you: {campaign}").format(actor=actor, campaign=row.name),
                    words=". ".join(matters[seat.pk]) + ".",
                    href="/",
                    group=f"campaign:{row.pk}",
                    event=act.event.pk,
                )
                for seat in fresh
            ],
            now,
        )
        act.say(_("{{who}} reminded {names}.").format(names=joined([seat.name for seat in fresh])))
    return fresh
