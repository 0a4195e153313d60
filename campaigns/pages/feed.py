"""What happened in campaigns, newest first: their own acts, and those of their battles that others want to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from campaigns.models import Battle, Campaign
from config.written import WrittenQuery
from warbands.models import Event, EventSubject
from warbands.pages.words import clock, day
from warbands.recording import label_of

# Acts of a sequence that only its owner goes through; a death among them is news all the same.
QUIET = (
    "roll",
    "choose",
    "step",
    "fought",
    "write",
    "force",
    "scenario",
    "attacker",
    "muster-roll",
    "claim-link",
)


@dataclass(frozen=True, slots=True)
class News:
    """One event in a sentence."""

    pk: int
    when: str
    sentence: str
    day: str


MOST = 10
TOLD = ("pk", "at", "sentence", "actor_name", "for_name")


def news(campaigns: Iterable[int], most: int) -> tuple[News, ...]:
    """The newest events of these campaigns that stand, up to ten. One query."""
    ids = list(campaigns)
    return tuple(_line(Event(**row)) for row in EVENTS(ids)[:most])


def _events(ids: list[int]) -> QuerySet[Event, dict[str, Any]]:
    # Both lists are read once: asked event by event, a quiet campaign would be looked for in everybody's history.
    here = EventSubject.objects.filter(label=label_of(Campaign), row_id__in=ids).order_by().values("event")
    named = Concat(Value("battle:"), Cast("pk", CharField()))
    occasions = Battle.objects.filter(campaign__in=ids).order_by().annotate(occasion_id=named).values("occasion_id")
    loud = ~Q(kind__in=QUIET) | Q(kind="write", data__grave=True)
    told = Q(occasion__in=occasions) | Q(pk__in=here)
    events = Event.objects.filter(told, loud, undoes__isnull=True, undone_by__isnull=True)
    return events.order_by("-pk").values(*TOLD)[:MOST]


EVENTS: WrittenQuery[dict[str, Any]] = WrittenQuery(_events)


def _line(event: Event) -> News:
    on = day(event.at)
    return News(event.pk, f"{on}, {clock(event.at)}", event.told, on)
