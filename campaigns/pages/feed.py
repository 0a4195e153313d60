"""The news of campaigns, newest first: their own events, and the events of their battles that interest others.

Each line names the battle and the warbands that it is about, with their players. The page of all news goes back to the first day,
a part at a time, and folds the rounds that are over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle, Campaign, Round, Side
from campaigns.news import QUIET
from campaigns.scenarios import scenario_name
from rules.formatting import joined
from warbands.models import Event, EventSubject
from warbands.pages.formatting import clock, day
from warbands.pages.widgets import Link


@dataclass(frozen=True, slots=True)
class News:
    """One line. `about` are the warbands that it concerns, with their players; `battle` leads to the battle, if there is one."""

    pk: int
    when: str
    sentence: str
    day: str
    about: str = ""
    battle: Link | None = None
    on: date | None = None
    round_pk: int | None = None


@dataclass(frozen=True, slots=True)
class NewsGroup:
    """The news of one round on this page. Only the newest group is open."""

    title: str
    lines: tuple[News, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class NewsPage:
    campaign: Link
    groups: tuple[NewsGroup, ...]
    older_href: str
    newest_href: str
    first_words: str


MOST = 10
PER_PAGE = 32

# The events of a campaign that make news (flagged as news, or not of a quiet kind) and were not undone.
LOUD = """
    FROM warbands_eventsubject subject JOIN warbands_event event ON event.id = subject.event_id
    WHERE subject.label = %s AND (subject.is_news OR event.kind NOT IN ({quiet})) AND event.undoes_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM warbands_event undoing WHERE undoing.undoes_id = event.id)
"""
FIELDS = ", ".join(f"event.{name}" for name in ("id", "at", "sentence", "actor_name", "for_name", "occasion"))
# Reads only the newest events. It finds the tenth newest event of each campaign, and skips everything before the latest of these.
NEWEST = """SELECT {fields} {loud}
    AND subject.row_id IN ({ids}) AND subject.event_id >= COALESCE((
        SELECT MAX((SELECT subject.event_id {loud} AND subject.row_id = campaign.id ORDER BY subject.event_id DESC LIMIT 1 OFFSET {before}))
        FROM campaigns_campaign campaign WHERE campaign.id IN ({ids})
    ), 0)
    ORDER BY subject.event_id DESC LIMIT {most}"""
# Reads on from an event. What is written meanwhile is newer than it, so no line comes twice and none is left out.
OLDER = """SELECT {fields} {loud}
    AND subject.row_id = %s AND subject.event_id < %s
    ORDER BY subject.event_id DESC LIMIT {most}"""
LATEST = 2**62


def newest_events(campaigns: Iterable[int], most: int) -> list[Event]:
    """Return the newest events that are news of these campaigns, at most ten and at most `most`. One query."""
    ids = sorted(set(campaigns))
    if not ids:
        return []
    loud = LOUD.format(quiet=_marks(QUIET))
    asked = (Campaign._meta.label, *QUIET)
    found = Event.objects.raw(
        NEWEST.format(fields=FIELDS, loud=loud, ids=_marks(ids), before=MOST - 1, most=MOST),
        (*asked, *ids, *asked, *ids),
    )
    return list(dict.fromkeys(found))[:most]


def news_page(campaign: Campaign, *, before: int = 0, watched: bool = False) -> NewsPage:
    """Build a page of all news, from the newest event or from the one before the event `before`. At most four queries."""
    name, key = ("news-watch", campaign.slug) if watched else ("news-list", campaign.pk)
    home = ("campaign-watch", campaign.slug) if watched else ("campaign-show", campaign.pk)
    here = reverse(name, args=[key])
    events = _older(campaign, before or LATEST, PER_PAGE + 1)
    shown = events[:PER_PAGE]
    sides = _sides(battles_of(shown))
    others = _warbands([event.pk for event in shown if _battle_of(event) not in sides])
    lines = news_lines(shown, sides, others=others, watched=campaign if watched else None)
    has_older = len(events) > PER_PAGE
    return NewsPage(
        campaign=Link(campaign.name, reverse(home[0], args=[home[1]])),
        groups=_groups(campaign, lines),
        older_href=f"{here}?before={shown[-1].pk}" if has_older else "",
        newest_href=here if before else "",
        first_words="" if has_older or not lines else _("The campaign began here."),
    )


def _older(campaign: Campaign, before: int, most: int) -> list[Event]:
    loud = LOUD.format(quiet=_marks(QUIET))
    statement = OLDER.format(fields=FIELDS, loud=loud, most=most)
    return list(Event.objects.raw(statement, (Campaign._meta.label, *QUIET, campaign.pk, before)))


def _marks(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values))


# --- a line -------------------------------------------------------------------------------------------------------------------


def news_lines(
    events: Sequence[Event],
    sides: Mapping[int, Sequence[Side]],
    *,
    others: Mapping[int, Sequence[tuple[str, str]]] | None = None,
    watched: Campaign | None = None,
) -> tuple[News, ...]:
    """Return events as lines. No queries.

    `sides` holds the sides of each battle by its id, `others` the warbands of further events, each with its player. For spectators of
    the campaign `watched` players are not named, and battles have their public addresses.
    """
    return tuple(_line(event, sides, others or {}, watched) for event in events)


def battles_of(events: Iterable[Event]) -> set[int]:
    """Return the ids of the battles that these events are about."""
    return {pk for event in events if (pk := _battle_of(event)) is not None}


def _battle_of(event: Event) -> int | None:
    kind, _colon, number = event.occasion.partition(":")
    return int(number) if kind == "battle" and number.isdigit() else None


def _sides(battles: Collection[int]) -> dict[int, list[Side]]:
    """Return the sides of these battles. One query, none for no battles."""
    found: dict[int, list[Side]] = defaultdict(list)
    if battles:
        rows = Side.objects.live().filter(battle__in=battles)
        for side in rows.select_related("battle__campaign__terms", "seat", "warband").order_by("battle", "place", "pk"):
            found[side.battle_id].append(side)
    return dict(found)


def _warbands(events: Collection[int]) -> dict[int, list[tuple[str, str]]]:
    """Return the warbands that these events changed, each with the name of its player. One query, none for no events."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    if events:
        subjects = EventSubject.objects.filter(event__in=events, warband__isnull=False).order_by("pk")
        rows = subjects.values_list("event", "warband__name", "warband__owner__first_name", "warband__owner__username")
        for event, warband, first_name, username in rows:
            found[event].append((warband, first_name or username or ""))
    return dict(found)


def _named(warband: str, player: str) -> str:
    return f"{warband} ({player})" if player and player != warband else warband


def _line(
    event: Event,
    battles: Mapping[int, Sequence[Side]],
    others: Mapping[int, Sequence[tuple[str, str]]],
    watched: Campaign | None,
) -> News:
    sides = battles.get(_battle_of(event) or 0, ())
    told = (
        [(side.warband.name, side.seat.name) if side.warband and side.seat else (str(side), "") for side in sides]
        if sides
        else others.get(event.pk, ())
    )
    words = [_named(warband, player if watched is None else "") for warband, player in told]
    battle = sides[0].battle if sides else None
    return News(
        event.pk,
        f"{day(event.at)}, {clock(event.at)}",
        event.told,
        day(event.at),
        about=_(" v ").join(words) if sides else "" if all(name in event.told for name in words) else joined(words),
        battle=Link(scenario_name(battle), _href(battle, watched)) if battle is not None else None,
        on=timezone.localdate(event.at),
        round_pk=battle.round_id if battle is not None else None,
    )


def _href(battle: Battle, watched: Campaign | None) -> str:
    if watched is None:
        return reverse("battle-show", args=[battle.pk])
    return reverse("battle-watch", args=[watched.slug, battle.pk])


# --- rounds -------------------------------------------------------------------------------------------------------------------


def _groups(campaign: Campaign, lines: Sequence[News]) -> tuple[NewsGroup, ...]:
    """Return the lines by round: that of the battle, or else the one that had begun by that day. One query."""
    if not lines:
        return ()
    rounds = list(Round.objects.live().filter(campaign=campaign).order_by("-number"))
    numbers = {each.pk: each.number for each in rounds}
    grouped: dict[int | None, list[News]] = {}
    for line in lines:
        number = numbers.get(line.round_pk or 0) if line.battle is not None else _round_on(rounds, line.on)
        grouped.setdefault(number, []).append(line)
    return tuple(
        NewsGroup(_group_title(number, bool(rounds)), tuple(each), is_open=place == 0)
        for place, (number, each) in enumerate(grouped.items())
    )


def _round_on(rounds: Sequence[Round], on: date | None) -> int | None:
    """Return the number of the newest of these rounds (newest first) that had begun by this day."""
    return next((each.number for each in rounds if each.starts_on and on and each.starts_on <= on), None)


def _group_title(number: int | None, has_rounds: bool) -> str:
    if number is not None:
        return _("Round {number}").format(number=number)
    return _("Outside rounds") if has_rounds else _("News")
