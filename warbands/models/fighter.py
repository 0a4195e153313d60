"""A row of the roster."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy

from rules.price import Price
from warbands.models.base import Recorded


class Fighter(Recorded):
    """One row of the roster, in any game: a fighter, a squad or a vehicle (`count` models, `parent` above it).

    `offer_id` is the recruitment entry it was hired through. `state` belongs to the game, which validates it with
    `RosterState.fighter_state`.
    """

    lock_rank = 91

    class Status(models.TextChoices):
        ACTIVE = "active", gettext_lazy("On the roster")
        CAPTIVE = "captive", gettext_lazy("Captive")
        DEAD = "dead", gettext_lazy("Dead")
        RETIRED = "retired", gettext_lazy("Retired")
        DISMISSED = "dismissed", gettext_lazy("Dismissed")
        SOLD = "sold", gettext_lazy("Sold")
        RETURNED = "returned", gettext_lazy("Hire taken back")
        LEFT = "left", gettext_lazy("Left")

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="fighters")
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="parts")
    profile_id = models.CharField(max_length=80)
    offer_id = models.CharField(max_length=120, blank=True)
    hired_as = models.CharField(max_length=12, default="own")
    name = models.CharField(max_length=80)
    count = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    position = models.PositiveIntegerField(default=0)
    paid_ducats = models.PositiveIntegerField(default=0)
    paid_glory = models.PositiveIntegerField(default=0)
    state = models.JSONField(default=dict, blank=True)
    notes = models.TextField(blank=True, max_length=2000)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    left_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        indexes = [models.Index(fields=["warband", "status"])]

    def __str__(self) -> str:
        return self.name

    @property
    def paid(self) -> Price:
        return Price(ducats=self.paid_ducats, glory=self.paid_glory)
