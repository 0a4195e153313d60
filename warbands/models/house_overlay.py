"""The model of a house overlay: changes to the rules that somebody wrote and handed in as a file."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from warbands.models.overlay_copy import OverlayCopy


class HouseOverlay(models.Model):
    """A person's offer of a house overlay. Several people may offer the same file; `copy` is kept once for all.

    A withdrawn one is no longer on offer. Whoever plays it keeps it, since the copy stays.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="house_overlays")
    copy = models.ForeignKey(OverlayCopy, on_delete=models.PROTECT, related_name="offers")
    handed_in_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["owner", "copy"], name="one_offer_of_a_house_overlay")]

    def __str__(self) -> str:
        return self.copy.title
