"""An offer of a warband to another person."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

OPEN_FOR = timedelta(days=30)


class HandOver(models.Model):
    """An owner's offer of a warband: to a person, to an e-mail address, or to whoever opens its link first.

    `by` made the offer: the owner (`giver`), or an administrator in the owner's name, with a reason. `code` is the end
    of the link; it opens nothing once the offer is settled. `is_told` is set when the owner has read how it ended.
    """

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("Waits for an answer")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="hand_overs")
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hand_overs")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="warbands_offered"
    )
    email = models.EmailField(blank=True)
    code = models.CharField(max_length=48, unique=True)
    reason = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    made_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    is_told = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["warband"], condition=Q(status="open"), name="one_open_offer_per_warband")
        ]

    def __str__(self) -> str:
        return f"{self.warband}, {self.get_status_display()}"

    @property
    def open_until(self) -> datetime:
        return self.made_at + OPEN_FOR

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN and timezone.now() < self.open_until
