"""Queries for battles with their sides, sequences and reports. Each kind of row is read once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from campaigns.models import Battle, Campaign, PostBattle, Report, ReportDraft, Round, Seat, Side
from warbands.models import Warband

WAITING = (Battle.Status.REPORTED, Battle.Status.DISPUTED)

Row = TypeVar("Row", Battle, Round, Seat)


def sides_of(battle: Battle) -> list[Side]:
    """Return the sides, in order, of a battle that this module read. No queries."""
    return battle.read_sides  # type: ignore[attr-defined, no-any-return]


def sequence_of(side: Side) -> PostBattle | None:
    """Return the sequence of a side read by `read_battles`. No queries."""
    return side.read_sequence  # type: ignore[attr-defined, no-any-return]


def draft_of(side: Side) -> tuple[int, datetime] | None:
    """Return the oldest waiting draft of this side's report, as its id and when it was sent; None without one. No queries."""
    return (side.draft, side.draft_sent_at) if side.draft is not None else None  # type: ignore[attr-defined]


def reports_of(battle: Battle) -> list[Report]:
    """Return all versions of a battle's report, newest last. Call `with_reports` first. No queries."""
    return battle.read_reports  # type: ignore[attr-defined, no-any-return]


def report_of(battle: Battle) -> Report | None:
    """Return the newest report of a battle with `stands` set, or None. Call `with_reports` first. No queries."""
    return next((report for report in reversed(reports_of(battle)) if report.stands), None)


def tied(campaigns: Iterable[Campaign], rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows with each row's `campaign` set to the given instance. No queries except the one for the rows."""
    known = {campaign.pk: campaign for campaign in campaigns}
    found = tuple(rows)
    for row in found:
        row.campaign = known[row.campaign_id]
    return found


def under_terms(warband: Warband | None, campaign: Campaign) -> None:
    """Set the `terms` of a warband that plays in the campaign to the campaign's instance. No queries.

    A warband that moved to another campaign has other terms, which Django reads when needed.
    """
    if warband is not None and warband.terms_id == campaign.terms_id:
        warband.terms = campaign.terms


def read_lines(
    battles: QuerySet[Battle] | Sequence[Battle], campaign: Campaign, also: Collection[int] = ()
) -> tuple[Battle, ...]:
    """Read battles of a campaign with the fields that lists show, newest first. One query. `also` are ids of more battles."""
    wanted = battles.values("pk") if isinstance(battles, QuerySet) else [battle.pk for battle in battles]
    listed = Q(battle__in=wanted) | Q(battle__in=also) if also else Q(battle__in=wanted)
    sides = Side.objects.live().filter(listed, battle__campaign=campaign)  # or it looks at every side of the site
    sides = sides.select_related("battle", "seat", "warband").only(*OF_LINES)
    found = _gathered(sides, {campaign.pk: campaign})
    return tuple(found.values())


def read_battles(battles: Collection[int], campaigns: Iterable[Campaign]) -> tuple[Battle, ...]:
    """Read the battles with these ids, with sides and sequences, oldest first. One query, none for no ids.

    `campaigns` must include the campaign of each battle.
    """
    if not battles:
        return ()
    after = FilteredRelation("post_battles", condition=Q(post_battles__is_undone=False))
    sides = Side.objects.live().filter(battle__in=battles).annotate(after=after)
    sides = sides.select_related("battle", "seat", "warband")
    told = sides.annotate(**{f"after_{name}": F(f"after__{name}") for name in OF_SEQUENCE})
    waiting = ReportDraft.objects.live().filter(side=OuterRef("pk"), state=ReportDraft.State.WAITING).order_by("pk")
    told = told.annotate(
        draft=Subquery(waiting.values("pk")[:1]), draft_sent_at=Subquery(waiting.values("sent_at")[:1])
    )
    found = _gathered(told, {campaign.pk: campaign for campaign in campaigns})
    for battle in found.values():
        for side in sides_of(battle):
            kept = {name: getattr(side, f"after_{name}") for name in OF_SEQUENCE}
            sequence = PostBattle(**kept, side=side, warband_id=side.warband_id) if kept["pk"] is not None else None
            side.read_sequence = sequence  # type: ignore[attr-defined]
            under_terms(side.warband, battle.campaign)
    return tuple(found[pk] for pk in sorted(found))


def with_reports(battles: Iterable[Battle]) -> None:
    """Attach `read_reports` to these battles; it is empty unless a battle waits for an answer. One query, none if no battle waits."""
    known = {battle.pk: battle for battle in battles}
    for battle in known.values():
        battle.read_reports = []  # type: ignore[attr-defined]
    if waiting := [battle.pk for battle in known.values() if battle.status in WAITING]:
        reports = Report.objects.live().filter(battle__in=waiting).select_related("by").defer("data")
        for report in reports.order_by("number", "pk"):
            known[report.battle_id].read_reports.append(report)  # type: ignore[attr-defined]


OF_LINES = (
    "guest_name",
    "place",
    "points",
    "seat__name",
    "warband__name",
    "battle__campaign",
    "battle__round",
    "battle__status",
    "battle__kind",
    "battle__scenario_id",
    "battle__scenario_name",
    "battle__muster",
    "battle__planned_for",
)
OF_SEQUENCE = ("pk", "made_at", "started_at", "closed_at", "done")


def _gathered(sides: QuerySet[Side], campaigns: Mapping[int, Campaign]) -> dict[int, Battle]:
    """Return the battles of these sides by id, newest first, each with its campaign and its sides in order. One query."""
    found: dict[int, Battle] = {}
    for side in sides.order_by("-battle", "place", "pk"):
        battle = found.setdefault(side.battle_id, side.battle)
        if battle is side.battle:
            battle.campaign = campaigns[battle.campaign_id]
            battle.read_sides = []  # type: ignore[attr-defined]
        side.battle = battle
        battle.read_sides.append(side)  # type: ignore[attr-defined]
    return found
