"""The news feed of campaigns, newest first: their own events, and the events of their battles that interest others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from campaigns.models import Campaign
from campaigns.news import QUIET
from warbands.models import Event
from warbands.pages.formatting import clock, day


@dataclass(frozen=True, slots=True)
class News:
    pk: int
    when: str
    sentence: str
    day: str


MOST = 10

# The events of a campaign that make news (flagged as news, or not of a quiet kind) and were not undone.
LOUD = """
    FROM warbands_eventsubject subject JOIN warbands_event event ON event.id = subject.event_id
    WHERE subject.label = %s AND (subject.is_news OR event.kind NOT IN ({quiet})) AND event.undoes_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM warbands_event undoing WHERE undoing.undoes_id = event.id)
"""
# Reads only the newest events. It finds the tenth newest event of each campaign, and skips everything before the latest of these.
NEWEST = """SELECT event.id, event.at, event.sentence, event.actor_name, event.for_name {loud}
    AND subject.row_id IN ({ids}) AND subject.event_id >= COALESCE((
        SELECT MAX((SELECT subject.event_id {loud} AND subject.row_id = campaign.id ORDER BY subject.event_id DESC LIMIT 1 OFFSET {before}))
        FROM campaigns_campaign campaign WHERE campaign.id IN ({ids})
    ), 0)
    ORDER BY subject.event_id DESC LIMIT {most}"""


def news(campaigns: Iterable[int], most: int) -> tuple[News, ...]:
    """Return the newest events of these campaigns that were not undone, at most ten and at most `most`. One query."""
    ids = sorted(set(campaigns))
    if not ids:
        return ()
    loud = LOUD.format(quiet=_marks(QUIET))
    asked = (Campaign._meta.label, *QUIET)
    found = Event.objects.raw(
        NEWEST.format(loud=loud, ids=_marks(ids), before=MOST - 1, most=MOST), (*asked, *ids, *asked, *ids)
    )
    return tuple(_line(event) for event in list(dict.fromkeys(found))[:most])


def _marks(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values))


def _line(event: Event) -> News:
    on = day(event.at)
    return News(event.pk, f"{on}, {clock(event.at)}", event.told, on)
