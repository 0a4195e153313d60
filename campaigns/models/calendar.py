"""The secret addresses of calendar feeds."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class CalendarFeed(models.Model):
    """The secret address of a calendar: a person's own, of all their campaigns, or a campaign's, for all its players.

    `code` is "" once it is revoked; a new one makes the old address useless.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="calendar_feed"
    )
    campaign = models.OneToOneField(
        "campaigns.Campaign", null=True, blank=True, on_delete=models.CASCADE, related_name="calendar_feed"
    )
    code = models.CharField(max_length=48, blank=True, db_index=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=True, campaign__isnull=False) | Q(user__isnull=False, campaign__isnull=True),
                name="feed_of_a_person_or_a_campaign",
            )
        ]

    def __str__(self) -> str:
        return str(self.user or self.campaign)
