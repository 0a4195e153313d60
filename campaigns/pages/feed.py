"""What happened in campaigns, newest first: their own acts, and those of their battles that others want to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from campaigns.models import Battle, Campaign
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


def news(campaigns: Iterable[int], most: int) -> tuple[News, ...]:
    """The newest events of these campaigns that stand. One query."""
    ids = list(campaigns)
    return tuple(_line(event) for event in _events(ids)[:most]) if ids else ()


def _events(ids: list[int]) -> QuerySet[Event]:
    here = EventSubject.objects.filter(event=OuterRef("pk"), label=label_of(Campaign), row_id__in=ids)
    named = Concat(Value("battle:"), Cast("pk", CharField()))
    occasions = Battle.objects.filter(campaign__in=ids).annotate(occasion_id=named).values("occasion_id")
    told = Q(occasion__in=occasions) | Exists(here)
    loud = ~Q(kind__in=QUIET) | Q(kind="write", data__grave=True)
    return Event.objects.filter(told, loud, undoes__isnull=True, undone_by__isnull=True).order_by("-pk")


def _line(event: Event) -> News:
    return News(event.pk, f"{day(event.at)}, {clock(event.at)}", event.told, day(event.at))
