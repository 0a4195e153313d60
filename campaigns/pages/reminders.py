"""The page from which an administrator reminds players, with a text to paste, and what became of what was sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Campaign, Seat
from campaigns.notifications import REMINDER
from campaigns.open_matters import open_matters
from campaigns.services.reminders import playing, reminded_lately
from notifications.models import Channel, Notification
from notifications.pages import doubtful, fate_words
from notifications.services import channel_for, reachable
from warbands.pages.widgets import Link

MOST_SENT = 40


@dataclass(frozen=True, slots=True)
class ReminderRow:
    seat: int
    name: str
    matters: tuple[str, ...]
    reached: str
    is_open: bool  # may be reminded now


@dataclass(frozen=True, slots=True)
class SentLine:
    name: str
    title: str
    when: str
    fate: str
    is_doubtful: bool


@dataclass(frozen=True, slots=True)
class ReminderPage:
    here: str
    back: Link
    rows: tuple[ReminderRow, ...]
    open_count: int
    text: str
    sent: tuple[SentLine, ...]
    doubtful: tuple[SentLine, ...]


HOW = {
    Channel.EMAIL: lambda: _("by e-mail"),
    Channel.PUSH: lambda: _("on their device"),
    Channel.DESK: lambda: _("only on this site: send the text yourself"),
}


def _row(seat: Seat, matters: Iterable[str], person: Any, user: Any, reminded_at: datetime | None) -> ReminderRow:
    """Return the row of one place. Nobody is reminded twice on a day, or by themselves."""
    if reminded_at is not None:
        reached = _("reminded at {time}").format(time=_moment(reminded_at))
    elif seat.user_id is None:
        reached = _("no account: send the text yourself")
    else:
        reached = HOW[channel_for(person, REMINDER) if person is not None else Channel.DESK]()
    is_open = seat.user_id != user.pk and reminded_at is None and person is not None
    return ReminderRow(seat.pk, seat.name, tuple(matters), reached, is_open)


def reminder_page(campaign: Campaign, user: Any) -> ReminderPage:
    """Build the page. Ten queries for any number of players."""
    now = timezone.now()
    seats = playing(campaign)
    matters = open_matters(campaign, seats)
    lately = reminded_lately(campaign, now)
    people = {person.pk: person for person in reachable(seat.user_id for seat in seats if seat.user_id)}
    rows = [
        _row(seat, matters[seat.pk], people.get(seat.user_id or 0), user, lately.get(seat.user_id or 0))
        for seat in seats
        if seat.pk in matters
    ]
    text = [_("{campaign}: still open").format(campaign=campaign.name)]
    text += [_("{name}: {matters}").format(name=row.name, matters="; ".join(row.matters)) for row in rows]
    group = Notification.objects.filter(group=f"campaign:{campaign.pk}").select_related("user")
    reminders = list(group.filter(kind=REMINDER).prefetch_related("sent_in")[:MOST_SENT])
    unsure = group.exclude(kind=REMINDER).filter(sent_in__state="perhaps").distinct().prefetch_related("sent_in")
    return ReminderPage(
        here=reverse("reminder-list", args=[campaign.pk]),
        back=Link(_("Campaign desk"), reverse("campaign-administer", args=[campaign.pk])),
        rows=tuple(rows),
        open_count=sum(row.is_open for row in rows),
        text="\n".join(text) if rows else "",
        sent=tuple(_line(row) for row in reminders),
        doubtful=tuple(_line(row) for row in doubtful(unsure[:MOST_SENT])),
    )


def _line(row: Notification) -> SentLine:
    messages = list(row.sent_in.all())
    return SentLine(
        name=str(row.user),
        title=row.title,
        when=_moment(row.made_at),
        fate=fate_words(row, messages) or _("Only on this site."),
        is_doubtful=any(message.state == "perhaps" for message in messages),
    )


def _moment(at: Any) -> str:
    return f"{timezone.localtime(at):%-d %b, %H:%M}"
