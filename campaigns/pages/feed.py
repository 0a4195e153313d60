"""What happened in campaigns, newest first: their own acts, and those of their battles that others want to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from campaigns.models import Campaign
from campaigns.news import QUIET
from warbands.models import Event, EventSubject
from warbands.pages.formatting import clock, day
from warbands.recording import label_of


@dataclass(frozen=True, slots=True)
class News:
    """One event in a sentence."""

    pk: int
    when: str
    sentence: str
    day: str


MOST = 10


def news(campaigns: Iterable[int], most: int) -> tuple[News, ...]:
    """The newest events of these campaigns that stand, up to ten. One query."""
    ids = sorted(set(campaigns))
    if not ids:
        return ()
    told = _told().filter(row_id__in=ids)
    if len(ids) > 1:
        # Of each campaign only the newest are looked at: those since the latest of the days on which one of them had told enough.
        enough = _told().filter(row_id=OuterRef("pk")).order_by("-event_id").values("event_id")[MOST - 1 : MOST]
        since = Campaign.objects.filter(pk__in=ids).annotate(since=Subquery(enough)).order_by()
        latest = since.order_by(F("since").desc(nulls_last=True)).values("since")[:1]
        told = told.filter(event_id__gte=Coalesce(Subquery(latest), 0))
    found = {subject.event_id: subject.event for subject in told.select_related("event").order_by("-event_id")[:MOST]}
    return tuple(_line(event) for event in list(found.values())[:most])


def _told() -> QuerySet[EventSubject]:
    """What campaigns read of acts that stand, but for those that only their doer goes through."""
    loud = ~Q(event__kind__in=QUIET) | Q(event__kind="write", event__data__grave=True)
    undone = Exists(Event.objects.filter(undoes=OuterRef("event_id")))
    return EventSubject.objects.filter(loud, ~undone, label=label_of(Campaign), event__undoes__isnull=True)


def _line(event: Event) -> News:
    on = day(event.at)
    return News(event.pk, f"{on}, {clock(event.at)}", event.told, on)
