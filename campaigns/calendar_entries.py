"""What stands in a calendar: the ends of rounds, agreed battles, the days until which reports are confirmed.

An entry holds no text that a person wrote to another: only the names of rounds, campaigns, sides and scenarios.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Administrator, Battle, Campaign, Round, Seat, Side
from campaigns.pages.battle_queries import read_battles, sides_of
from campaigns.pages.formatting import against
from campaigns.scenarios import scenario_name
from warbands.models import Change, Delegate

GONE = (Battle.Status.CANCELLED, Battle.Status.VOID)
# The fields whose recorded changes make an entry another one, by kind.
TELLING = {"round": ("ends_on",), "battle": ("planned_for", "status"), "confirm": ("confirm_by", "status")}
MOST = 500


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """One entry: on a whole day, or at a moment (`at`, aware). `uid` never changes; `revision` grows with each change.

    `changed_at` is the time of the last change. `is_gone` marks what was called off.
    """

    kind: str  # round, battle, confirm
    uid: str
    on: date
    at: datetime | None
    title: str
    campaign: str
    href: str
    is_gone: bool = False
    revision: int = 0
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _RevisedEntry:
    """An entry, with the row whose recorded changes count as its revisions."""

    entry: CalendarEntry
    label: str
    row: int


def campaigns_of(user: Any) -> list[Campaign]:
    """Return the running campaigns in which a person has a place or which they administer. One query."""
    sits = Seat.objects.live().filter(user=user).exclude(status=Seat.Status.LEFT).values("campaign")
    runs = Administrator.objects.live().filter(user=user).values("campaign")
    series = Campaign.objects.series().filter(Q(pk__in=sits) | Q(pk__in=runs), status=Campaign.Status.RUNNING)
    return list(series.select_related("terms").order_by("name", "pk"))


def entries_between(
    campaigns: Collection[Campaign], first: date, last: date, *, user: Any = None, gone: bool = False
) -> list[CalendarEntry]:
    """Return the entries of these campaigns from one day to another, sorted. A fixed number of queries.

    With a `user`, of battles only those that this person plays. `gone` adds what was called off.
    """
    known = {campaign.pk: campaign for campaign in campaigns}
    if not known:
        return []
    found = [*_rounds(known, first, last), *_battles(known, first, last, user, gone)]
    return [each.entry for each in sorted(found, key=lambda each: (each.entry.on, each.entry.uid))][:MOST]


def with_revisions(
    campaigns: Collection[Campaign], first: date, last: date, *, user: Any = None
) -> list[CalendarEntry]:
    """Return the entries for a feed: with what was called off, and each with its revision. One query more."""
    known = {campaign.pk: campaign for campaign in campaigns}
    if not known:
        return []
    found = [*_rounds(known, first, last), *_battles(known, first, last, user, True)][:MOST]
    counts = _revisions(found)
    entries = []
    for each in found:
        told = [counts.get((each.label, each.row, name)) for name in ("", *TELLING[each.entry.kind])]
        changes = [(count, at) for count, at in filter(None, told)]
        revision = sum(count for count, _at in changes)
        changed = max((at for _count, at in changes), default=None)
        entries.append(replace(each.entry, revision=max(0, revision - 1), changed_at=changed))
    return sorted(entries, key=lambda entry: (entry.on, entry.uid))


def _revisions(found: Collection[_RevisedEntry]) -> dict[tuple[str, int, str], tuple[int, datetime]]:
    """Return how often each telling field of these rows was changed, and when last. One query.

    Recorded changes are never deleted, so the number only grows; an undo is a change too.
    """
    rows: dict[str, set[int]] = {}
    for each in found:
        rows.setdefault(each.label, set()).add(each.row)
    fields = {name for names in TELLING.values() for name in names} | {""}
    wanted = Q(pk__in=())
    for label, ids in rows.items():
        wanted |= Q(label=label, row_id__in=ids)
    changes = Change.objects.filter(wanted, field__in=fields).order_by().values_list("label", "row_id", "field")
    counted = changes.annotate(count=Count("pk"), at=Max("event__at"))
    return {(label, row, name): (count, at) for label, row, name, count, at in counted}


def _rounds(known: dict[int, Campaign], first: date, last: date) -> list[_RevisedEntry]:
    rounds = Round.objects.live().filter(campaign__in=known, ends_on__gte=first, ends_on__lte=last)
    found = []
    for each in rounds:
        campaign = known[each.campaign_id]
        assert each.ends_on is not None
        entry = CalendarEntry(
            kind="round",
            uid=_uid("round", each.pk, campaign),
            on=each.ends_on,
            at=None,
            title=_("Round {number} ends").format(number=each.number),
            campaign=campaign.name,
            href=reverse("round-show", args=[campaign.pk, each.number]),
        )
        found.append(_RevisedEntry(entry, Round._meta.label, each.pk))
    return found


def _battles(known: dict[int, Campaign], first: date, last: date, user: Any, gone: bool) -> list[_RevisedEntry]:
    rows = Battle.objects.live().filter(campaign__in=known)
    days = Q(planned_for__gte=first, planned_for__lte=last)
    begins, ends = _moments(first, last)
    rows = rows.filter(days | Q(status=Battle.Status.REPORTED, confirm_by__gte=begins, confirm_by__lt=ends))
    if not gone:
        rows = rows.exclude(status__in=GONE)
    if user is not None:
        acts = Delegate.objects.live().filter(user=user).values("warband")
        mine = Q(seat__user=user) | Q(warband__owner=user) | Q(warband__in=acts)
        rows = rows.filter(pk__in=Side.objects.live().filter(mine).values("battle"))
    keys = list(rows.exclude(kind=Battle.Kind.BYE).order_by("-pk").values_list("pk", flat=True)[:MOST])
    found: list[_RevisedEntry] = []
    for battle in read_battles(keys, list(known.values())) if keys else ():
        found += _of_battle(battle, known[battle.campaign_id], first, last)
    return found


def _of_battle(battle: Battle, campaign: Campaign, first: date, last: date) -> list[_RevisedEntry]:
    names = against(sides_of(battle))
    scenario = scenario_name(battle) if battle.scenario_id or battle.scenario_name else ""
    title = f"{names} ({scenario})" if scenario else names
    found = []
    if battle.planned_for is not None and first <= battle.planned_for <= last:
        entry = CalendarEntry(
            kind="battle",
            uid=_uid("battle", battle.pk, campaign),
            on=battle.planned_for,
            at=None,
            title=title,
            campaign=campaign.name,
            href=reverse("battle-show", args=[battle.pk]),
            is_gone=battle.status in GONE,
        )
        found.append(_RevisedEntry(entry, Battle._meta.label, battle.pk))
    if battle.status == Battle.Status.REPORTED and battle.confirm_by is not None:
        at = timezone.localtime(battle.confirm_by)
        if first <= at.date() <= last:
            entry = CalendarEntry(
                kind="confirm",
                uid=_uid("confirm", battle.pk, campaign),
                on=at.date(),
                at=battle.confirm_by,
                title=_("Time to confirm ends: {battle}").format(battle=names),
                campaign=campaign.name,
                href=reverse("report-confirm", args=[battle.pk]),
            )
            found.append(_RevisedEntry(entry, Battle._meta.label, battle.pk))
    return found


def _moments(first: date, last: date) -> tuple[datetime, datetime]:
    """Return the local midnights before the first day and after the last."""
    begins = timezone.make_aware(datetime.combine(first, time()))
    return begins, timezone.make_aware(datetime.combine(last + timedelta(days=1), time()))


def _uid(kind: str, pk: int, campaign: Campaign) -> str:
    """Return an id that is the same for ever, and different on every site: it holds when the campaign was made."""
    return f"{kind}-{pk}-{campaign.created_at:%Y%m%dT%H%M%S%f}@muster-roll"
