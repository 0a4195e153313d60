"""Roster files that an administrator brought for a place, and that wait until its player or an administrator finishes them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Case, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce, NullIf
from django.urls import reverse

from campaigns.models import BulkFile, Campaign, Seat


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A kept roster: its name, where it goes on, and whether it has names to check.

    `href` is "" where the roster has no page of its own: then only the administrators' page of many rosters imports it.
    """

    pk: int
    name: str
    href: str
    has_open: bool
    since: datetime


def kept() -> QuerySet[BulkFile]:
    """Select the files whose draft waits for somebody: it was read for a place, and is not imported, or no longer."""
    files = BulkFile.objects.filter(
        state__in=(BulkFile.State.READ, BulkFile.State.IMPORTED), draft__isnull=False, seat__isnull=False
    )
    return files.filter(Q(draft__warband=None) | Q(draft__warband__is_undone=True))


def with_kept_drafts(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Annotate seats for `kept_draft_of` with the oldest roster that is kept for each."""
    named = Coalesce(NullIf(KeyTextTransform("name", "figures"), Value("")), "name", output_field=TextField())
    is_read = Case(
        When(Q(draft__is_export=False) & Q(draft__data__fighters=[]), then=False),
        default=True,
        output_field=BooleanField(),
    )
    first = kept().filter(seat=OuterRef("pk")).order_by("pk").annotate(named=named, is_read=is_read)
    return seats.annotate(
        kept_draft=Subquery(first.values("draft")[:1]),
        kept_name=Subquery(first.values("named")[:1]),
        kept_is_read=Subquery(first.values("is_read")[:1]),
        kept_since=Subquery(first.values("sent_at")[:1]),
    )


def kept_draft_of(seat: Seat, campaign: Campaign | None = None) -> KeptDraft | None:
    """Return the roster that is kept for a seat of `with_kept_drafts`. No queries if its campaign has its terms."""
    pk: int | None = getattr(seat, "kept_draft", None)
    if pk is None:
        return None
    has_open = not seat.kept_is_read  # type: ignore[attr-defined]
    page = reverse("paper-settle" if has_open else "paper-show", args=[pk])
    reads_files = (campaign or seat.campaign).terms.game.text_import is not None
    return KeptDraft(
        pk=pk,
        name=seat.kept_name,  # type: ignore[attr-defined]
        href=page if reads_files else "",
        has_open=has_open,
        since=seat.kept_since,  # type: ignore[attr-defined]
    )


def kept_for(seat: Seat) -> KeptDraft | None:
    """Return the roster that is kept for one seat. One query."""
    found = with_kept_drafts(Seat.objects.filter(pk=seat.pk)).first()
    return kept_draft_of(found, seat.campaign) if found is not None else None


def places_with_drafts(user: int) -> list[str]:
    """Return the names of the places that this person plays without a warband, and for which a roster is kept. One query."""
    seats = Seat.objects.live().filter(user=user, warband=None, campaign__is_undone=False)
    playing = seats.exclude(status=Seat.Status.LEFT).filter(campaign__status=Campaign.Status.RUNNING)
    return [f"seat:{pk}" for pk in playing.filter(pk__in=kept().values("seat")).values_list("pk", flat=True)]


def holding(drafts: Collection[int]) -> dict[int, int | None]:
    """Return which of these drafts are still kept for a place without a warband: the draft → that place's player. One query."""
    rows = kept().filter(draft__in=drafts, seat__warband=None).exclude(seat__status=Seat.Status.LEFT)
    return dict(rows.values_list("draft", "seat__user"))
