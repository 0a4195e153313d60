"""The model of a campaign file that the site owner brought, until its campaign is imported."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

KEPT_FOR = timedelta(days=7)
SILENT_AFTER = timedelta(minutes=20)  # an import is one transaction, and shows no progress while it runs
MOST_TRIES = 3


class IncomingCampaignQuerySet(models.QuerySet[Any]):
    def over(self) -> IncomingCampaignQuerySet:
        """Return the files older than a week."""
        return self.filter(sent_at__lt=timezone.now() - KEPT_FOR)

    def at_work(self) -> IncomingCampaignQuerySet:
        return self.filter(state__in=IncomingCampaign.AT_WORK)


class IncomingCampaign(models.Model):
    """A campaign file, what it says of itself, and who of its people has which account here.

    `data` is None once its campaign is here. `told` has `name`, `made`, `release`, `rows` (a count for each table) and
    `people` (`number`, `name`, `administers`, `seats`). `who` maps the number of a person to the key of an account.
    `words` say why it was refused. `told_at` is when its task last took it up.
    """

    class State(models.TextChoices):
        READ = "read", gettext_lazy("Not imported yet")
        QUEUED = "queued", gettext_lazy("Queued")
        RUNNING = "running", gettext_lazy("Running")
        DONE = "done", gettext_lazy("Imported")
        REFUSED = "refused", gettext_lazy("Refused")

    AT_WORK = (State.QUEUED, State.RUNNING)

    name = models.CharField(max_length=300)
    digest = models.CharField(max_length=64, unique=True)
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    data = models.BinaryField(null=True, blank=True)
    told = models.JSONField(default=dict)
    who = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.READ)
    words = models.CharField(max_length=300, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)  # workers that stopped during the import
    campaign = models.ForeignKey(
        "campaigns.Campaign", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    sent_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(default=timezone.now)

    objects = IncomingCampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_silent(self) -> bool:
        """Return whether it is at work and nothing was heard of it for a while: its worker has stopped."""
        return self.state in self.AT_WORK and self.told_at < timezone.now() - SILENT_AFTER
