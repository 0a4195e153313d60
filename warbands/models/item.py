"""An owned piece of kit."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from rules.price import Price
from warbands.models.base import Recorded


class Item(Recorded):
    """One owned item, carried by `fighter`, or in the stash if that is empty.

    `offer_id` is the armoury entry it was bought through (empty = found), since limits count per entry. Swappable kit
    that came with a profile is a row too (origin "mandatory"); fixed kit is implied and has no row.
    """

    lock_rank = 92

    class Origin(models.TextChoices):
        BOUGHT = "bought", gettext_lazy("Bought")
        FOUND = "found", gettext_lazy("Found")
        LOOTED = "looted", gettext_lazy("Looted")
        STARTING = "starting", gettext_lazy("Held from the start")
        GRANTED = "granted", gettext_lazy("Granted")
        MANDATORY = "mandatory", gettext_lazy("Came with the fighter")

    class Status(models.TextChoices):
        HELD = "held", gettext_lazy("Held")
        SOLD = "sold", gettext_lazy("Sold")
        RETURNED = "returned", gettext_lazy("Returned")
        LOST = "lost", gettext_lazy("Lost")
        USED = "used", gettext_lazy("Used up")

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="items")
    fighter = models.ForeignKey(
        "warbands.Fighter", null=True, blank=True, on_delete=models.PROTECT, related_name="items"
    )
    item_id = models.CharField(max_length=80)
    offer_id = models.CharField(max_length=120, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.BOUGHT)
    status = models.CharField(max_length=10, choices=Status, default=Status.HELD)
    paid_ducats = models.PositiveIntegerField(default=0)
    paid_glory = models.PositiveIntegerField(default=0)
    state = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField(default=0)
    why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        indexes = [models.Index(fields=["warband", "status"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="held") | Q(fighter__isnull=True), name="item_gone_is_carried_by_nobody"
            ),
        ]

    def __str__(self) -> str:
        return self.item_id

    @property
    def paid(self) -> Price:
        return Price(ducats=self.paid_ducats, glory=self.paid_glory)
