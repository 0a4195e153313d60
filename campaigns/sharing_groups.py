"""Campaigns as circles in which written profiles are shared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q

from campaigns.models import Administrator, Campaign, Seat
from warbands.sharing_groups import Circle


def circles_of_campaigns(user: Any) -> Iterable[Circle]:
    """The campaigns that this person runs or holds a seat in now. One query."""
    runs = Administrator.objects.live().filter(user_id=user.pk, campaign=OuterRef("pk"))
    sits = Seat.objects.live().filter(user_id=user.pk, campaign=OuterRef("pk")).exclude(status=Seat.Status.LEFT)
    campaigns = Campaign.objects.live().select_related("terms").annotate(runs=Exists(runs), sits=Exists(sits))
    return [
        Circle(campaign.terms_id, campaign.terms.system, campaign.terms.edition, campaign.name, campaign.runs)
        for campaign in campaigns.filter(Q(runs=True) | Q(sits=True))
    ]


def members_of_campaigns(terms: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Who runs the campaigns of these terms or holds a seat in them now. One query."""
    campaigns = Campaign.objects.live().filter(terms__in=set(terms))
    runs = Administrator.objects.live().filter(campaign__in=campaigns)
    sits = Seat.objects.live().filter(campaign__in=campaigns, user__isnull=False).exclude(status=Seat.Status.LEFT)
    pair = ("campaign__terms_id", "user_id")
    found: list[tuple[int, int]] = list(runs.order_by().values_list(*pair).union(sits.order_by().values_list(*pair)))
    return found
