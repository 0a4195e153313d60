"""What is left over in a campaign: musters with problems, what void battles leave standing, and a booklet that failed."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils import timezone

from campaigns.models import Battle, Booklet, Side
from warbands.models import Event

VOIDS_FOR = timedelta(days=14)
BATTLE, BOOKLET, FLAG, VOID = "battle", "booklet", "flag", "void"  # in the order in which they are read


class LooseEnd(NamedTuple):
    """`row` is the id of the battle, or of the booklet. `words` name the side, or say what stands or why it failed."""

    kind: str
    campaign: int
    row: int
    words: tuple[str, ...]
    at: datetime


def read_loose_ends(
    campaigns: Collection[int], most: int, battles: QuerySet[Battle] | None = None
) -> tuple[LooseEnd, ...]:
    """Return what is left over in these campaigns, at most so many, the newest of each kind first. One query, none without a campaign.

    With `battles` these come first, as ends of the kind `BATTLE`: the desk reads them in the same query.
    """
    if not campaigns and battles is None:
        return ()
    kinds = [_flags(campaigns), _voids(campaigns), _booklets(campaigns)] if campaigns else []
    first, *others = [*([_battles(battles)] if battles is not None else []), *kinds]
    rows = first.union(*others, all=True).order_by("end_kind", "-end_row")[:most]
    found = []
    for kind, campaign, row, words, at in rows.values_list("end_kind", "end_of", "end_row", "end_words", "end_at"):
        told = tuple(json.loads(words or "[]")) if kind == VOID else (words,)
        if told:
            found.append(LooseEnd(kind, campaign, row, told, at))
    return tuple(found)


def _battles(battles: QuerySet[Battle]):  # type: ignore[no-untyped-def]
    return battles.order_by().values(
        end_kind=Value(BATTLE, CharField()),
        end_of=F("campaign"),
        end_row=F("pk"),
        end_words=Value("", TextField()),
        end_at=F("created_at"),
    )


def _flags(campaigns: Collection[int]):  # type: ignore[no-untyped-def]  # the rows of three tables, named alike
    """Return the sides that were mustered with problems about which no administrator has decided."""
    over = (Battle.Status.VOID, Battle.Status.CANCELLED)
    sides = Side.objects.live().filter(
        battle__campaign__in=campaigns, battle__is_undone=False, snapshot__isnull=False, force__flag__isnull=True
    )
    return (
        sides.exclude(battle__status__in=over)
        .exclude(snapshot__problems=[])
        .order_by()
        .values(
            end_kind=Value(FLAG, CharField()),
            end_of=F("battle__campaign"),
            end_row=F("battle"),
            end_words=Cast(Coalesce("seat__name", "guest_name"), TextField()),
            end_at=Coalesce("ready_at", "battle__created_at"),
        )
    )


def _voids(campaigns: Collection[int]):  # type: ignore[no-untyped-def]
    """Return the battles of which the voiding left something standing, for two weeks."""
    occasion = Concat(Value("battle:"), Cast(OuterRef("pk"), CharField()))
    acts = Event.objects.filter(kind="void", occasion=occasion).order_by("-pk")
    stands = Cast(KeyTransform("stands", "data"), TextField())
    battles = Battle.objects.live().filter(campaign__in=campaigns, status=Battle.Status.VOID).order_by()
    battles = battles.annotate(voided_at=Subquery(acts.values("at")[:1])).filter(
        voided_at__gte=timezone.now() - VOIDS_FOR
    )
    return battles.values(
        end_kind=Value(VOID, CharField()),
        end_of=F("campaign"),
        end_row=F("pk"),
        end_words=Subquery(acts.annotate(stands=stands).values("stands")[:1], output_field=TextField()),
        end_at=F("voided_at"),
    )


def _booklets(campaigns: Collection[int]):  # type: ignore[no-untyped-def]
    """Return the newest booklet of each campaign if it failed within a week."""
    newer = Booklet.objects.filter(campaign=OuterRef("campaign"), pk__gt=OuterRef("pk"))
    failed = Booklet.objects.kept().filter(campaign__in=campaigns, status=Booklet.Status.FAILED)
    return (
        failed.exclude(Exists(newer))
        .order_by()
        .values(
            end_kind=Value(BOOKLET, CharField()),
            end_of=F("campaign"),
            end_row=F("pk"),
            end_words=Cast("why", TextField()),
            end_at=F("asked_at"),
        )
    )
