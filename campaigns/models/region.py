"""The models of a campaign's regions: what is fought over, what lies beside what, and who held it since when."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from warbands.models.base import Recorded


class Region(Recorded):
    """A place that players fight over. `stake` says in the club's words what holding it brings. A removed one `is_away`."""

    lock_rank = 33

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="regions")
    name = models.CharField(max_length=40)
    stake = models.CharField(max_length=200, blank=True)
    is_away = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                "campaign", Lower("name"), condition=Q(is_undone=False, is_away=False), name="region_name_once"
            )
        ]

    def __str__(self) -> str:
        return self.name


class RegionLink(Recorded):
    """Two regions that lie beside each other: that with the lower key, and the `other`."""

    lock_rank = 34

    region = models.ForeignKey(Region, on_delete=models.CASCADE, related_name="links")
    other = models.ForeignKey(Region, on_delete=models.CASCADE, related_name="links_from")
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["region", "other"], condition=Q(is_undone=False, is_over=False), name="regions_linked_once"
            ),
            models.CheckConstraint(condition=Q(region__lt=F("other")), name="region_link_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.region}, {self.other}"


class RegionHold(Recorded):
    """Who holds a region from this row on: a seat, or nobody. The newest live row counts.

    `battle` is the battle that decided it, and `round` the round in which it happened, if there was one.
    """

    lock_rank = 35

    region = models.ForeignKey(Region, on_delete=models.CASCADE, related_name="holds")
    seat = models.ForeignKey("campaigns.Seat", null=True, blank=True, on_delete=models.PROTECT, related_name="holds")
    battle = models.ForeignKey(
        "campaigns.Battle", null=True, blank=True, on_delete=models.PROTECT, related_name="region_holds"
    )
    round = models.ForeignKey(
        "campaigns.Round", null=True, blank=True, on_delete=models.PROTECT, related_name="region_holds"
    )
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.region}: {self.seat}"
