"""The calendar of a person and of a campaign: a month as a grid, and below it the same in words."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.calendar_entries import CalendarEntry, campaigns_of, entries_between
from campaigns.models import Absence, CalendarFeed, Campaign, Seat
from campaigns.pages.formatting import on_day
from rules.formatting import joined
from warbands.pages.widgets import Link

ICONS = {"round": "flag", "battle": "crossed-swords", "confirm": "hourglass", "away": "user"}
WEEKDAYS: tuple[tuple[str, Any], ...] = (
    ("Mo", gettext_lazy("Monday")),
    ("Tu", gettext_lazy("Tuesday")),
    ("We", gettext_lazy("Wednesday")),
    ("Th", gettext_lazy("Thursday")),
    ("Fr", gettext_lazy("Friday")),
    ("Sa", gettext_lazy("Saturday")),
    ("Su", gettext_lazy("Sunday")),
)


@dataclass(frozen=True, slots=True)
class DayLine:
    """One thing on a day. `where` is its campaign where the page shows several."""

    icon: str
    words: str
    where: str
    href: str


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of the grid. `key` is the anchor of its lines, "" without any."""

    number: int
    key: str
    is_today: bool
    is_out: bool
    title: str
    icons: tuple[str, ...]
    lines: tuple[DayLine, ...]


@dataclass(frozen=True, slots=True)
class AwayLine:
    pk: int
    words: str
    where: str


@dataclass(frozen=True, slots=True)
class FeedPart:
    """The address of the calendar feed, "" where there is none. `may_act`: who reads this may make and end it."""

    address: str
    web_address: str
    may_act: bool


@dataclass(frozen=True, slots=True)
class CalendarPage:
    """`seats` are the places for which this person can be away: (0 for all or the id, label)."""

    here: str
    title: str
    back: Link | None
    month: str
    before: Link
    after: Link
    weekdays: tuple[tuple[str, Any], ...]
    weeks: tuple[tuple[CalendarDay, ...], ...]
    days: tuple[CalendarDay, ...]
    seats: tuple[tuple[int, str], ...]
    away: tuple[AwayLine, ...]
    away_words: str
    feed: FeedPart
    today: str


def month_of(text: str) -> date:
    """Return the first day of a month that an address names ("2026-11"), else of this month."""
    try:
        found = date.fromisoformat(f"{text}-01")
    except ValueError:
        found = timezone.localdate()
    return found.replace(day=1) if 2000 <= found.year < 2200 else timezone.localdate().replace(day=1)


def own_calendar_page(user: Any, month: date, site: str) -> CalendarPage:
    """Build a person's calendar. Six queries, two without a campaign."""
    campaigns = campaigns_of(user)
    first, last = _shown(month)
    seats = _own_seats(user, campaigns)
    entries = entries_between(campaigns, first, last, user=user)
    absences = _absences([seat.pk for seat in seats], first, last)
    feed = CalendarFeed.objects.filter(user=user).first()
    many = len(campaigns) > 1
    labels = tuple((seat.pk, seat.campaign.name) for seat in seats)
    return _page(
        month,
        entries,
        [(each, _("Away")) for each in absences],
        here=reverse("calendar-show"),
        title=_("My calendar"),
        back=None,
        where=many,
        seats=((0, _("All my campaigns")), *labels) if len(labels) > 1 else labels,
        away=_own_away(seats, many),
        away_words=_("Administrators see these days when they pair a round.") if seats else "",
        feed=_feed(feed, site, may_act=True),
    )


def campaign_calendar_page(
    campaign: Campaign, user: Any, month: date, site: str, *, administers: bool, mine: Seat | None
) -> CalendarPage:
    """Build a campaign's calendar. Five queries at most. Administrators see who is away, others only themselves."""
    first, last = _shown(month)
    entries = entries_between([campaign], first, last)
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    seats = list(live.order_by("name", "pk")) if administers else [mine] if mine is not None else []
    absences = _absences([seat.pk for seat in seats], first, last)
    names = {seat.pk: seat.name for seat in seats}
    feed = CalendarFeed.objects.filter(campaign=campaign).first() if administers or mine is not None else None
    return _page(
        month,
        entries,
        [(each, names[each.seat_id] if administers else _("Away")) for each in absences],
        here=reverse("campaign-calendar", args=[campaign.pk]),
        title=_("Calendar"),
        back=Link(campaign.name, reverse("campaign-show", args=[campaign.pk])),
        where=False,
        seats=((mine.pk, campaign.name),) if mine is not None else (),
        away=_own_away([mine], False) if mine is not None else (),
        away_words=_("Only the administrators see these days."),
        feed=_feed(feed, site, may_act=administers),
    )


def _page(
    month: date,
    entries: Iterable[CalendarEntry],
    absences: Iterable[tuple[Absence, str]],
    *,
    here: str,
    where: bool,
    **rest: Any,
) -> CalendarPage:
    lines: dict[date, list[DayLine]] = defaultdict(list)
    for entry in entries:
        lines[entry.on].append(DayLine(ICONS[entry.kind], entry.title, entry.campaign if where else "", entry.href))
    for day, names in _away_by_day(absences).items():
        words = names[0] if names == [_("Away")] else _("Away: {names}").format(names=joined(names))
        lines[day].append(DayLine(ICONS["away"], words, "", ""))
    weeks = calendar.Calendar().monthdatescalendar(month.year, month.month)
    drawn, listed = _joined_days([[_day(day, month, lines) for day in week] for week in weeks])
    return CalendarPage(
        here=here,
        month=formatted(month, _("F Y")),
        before=_month_link(here, month - timedelta(days=1), _("Month before")),
        after=_month_link(here, month + timedelta(days=31), _("Month after")),
        weekdays=WEEKDAYS,
        weeks=drawn,
        days=listed,
        today=timezone.localdate().isoformat(),
        **rest,
    )


def _joined_days(
    weeks: Iterable[Iterable[CalendarDay]],
) -> tuple[tuple[tuple[CalendarDay, ...], ...], tuple[CalendarDay, ...]]:
    """Return the grid, and its days with entries as a list: days in a row on which the same people are away are one."""
    grid: list[tuple[CalendarDay, ...]] = []
    runs: list[list[CalendarDay]] = []
    for week in weeks:
        row: list[CalendarDay] = []
        for day in week:
            if day.key and runs and _goes_on(runs[-1][-1], day):
                day = replace(day, key=runs[-1][0].key)
                runs[-1].append(day)
            elif day.key:
                runs.append([day])
            row.append(day)
        grid.append(tuple(row))
    return tuple(grid), tuple(
        replace(run[0], title=_("{first} to {last}").format(first=run[0].title, last=run[-1].title))
        if len(run) > 1
        else run[0]
        for run in runs
    )


def _goes_on(before: CalendarDay, day: CalendarDay) -> bool:
    return before.number + 1 == day.number and before.lines == day.lines and day.icons == (ICONS["away"],)


def _month_link(here: str, day: date, label: str) -> Link:
    return Link(label, f"{here}?month={day:%Y-%m}")


def _day(day: date, month: date, lines: Mapping[date, Sequence[DayLine]]) -> CalendarDay:
    is_out = day.month != month.month
    mine = () if is_out else tuple(lines.get(day, ()))
    return CalendarDay(
        number=day.day,
        key=f"day_{day.day}" if mine else "",
        is_today=day == timezone.localdate(),
        is_out=is_out,
        title=on_day(day),
        icons=tuple(dict.fromkeys(line.icon for line in mine))[:4],
        lines=mine,
    )


def _shown(month: date) -> tuple[date, date]:
    return month, month.replace(day=calendar.monthrange(month.year, month.month)[1])


def _away_by_day(absences: Iterable[tuple[Absence, str]]) -> dict[date, list[str]]:
    found: dict[date, list[str]] = defaultdict(list)
    for absence, name in absences:
        for number in range((absence.ends_on - absence.starts_on).days + 1):
            day = absence.starts_on + timedelta(days=number)
            if name not in found[day]:
                found[day].append(name)
    return found


def _absences(seats: list[int], first: date, last: date) -> list[Absence]:
    live = Absence.objects.live().filter(seat__in=seats, is_over=False, starts_on__lte=last, ends_on__gte=first)
    return list(live.order_by("seat__name", "pk")) if seats else []


def _own_seats(user: Any, campaigns: Iterable[Campaign]) -> list[Seat]:
    live = Seat.objects.live().filter(user=user, campaign__in=list(campaigns)).exclude(status=Seat.Status.LEFT)
    return list(live.select_related("campaign").order_by("campaign__name", "pk"))


def _own_away(seats: Iterable[Seat], many: bool) -> tuple[AwayLine, ...]:
    known = {seat.pk: seat for seat in seats}
    live = Absence.objects.live().filter(seat__in=known, is_over=False, ends_on__gte=timezone.localdate())
    return tuple(
        AwayLine(
            each.pk,
            _("{first} to {last}").format(first=on_day(each.starts_on), last=on_day(each.ends_on)),
            known[each.seat_id].campaign.name if many else "",
        )
        for each in live.order_by("starts_on", "pk")
    )


def _feed(feed: CalendarFeed | None, site: str, *, may_act: bool) -> FeedPart:
    if feed is None or not feed.code:
        return FeedPart("", "", may_act)
    address = site + reverse("calendar-feed", args=[feed.code])
    return FeedPart(address, "webcal://" + address.partition("://")[2], may_act)
