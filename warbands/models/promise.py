"""Promises (IOUs): what a warband may choose later, or is still owed."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy

from warbands.models.base import Recorded


class Promise(Recorded):
    """An IOU. Sheets print it with its expiry until it is settled or lapses. `data` is the input of its resolution."""

    lock_rank = 93

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("Open")
        SETTLED = "settled", gettext_lazy("Settled")
        LAPSED = "lapsed", gettext_lazy("Lapsed")

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="promises")
    kind = models.CharField(max_length=40)
    words = models.CharField(max_length=300)
    expires = models.CharField(max_length=120, blank=True)
    data = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.words
