"""The model of a booklet: the sheets of a whole club in one file. A background task draws it while the page shows its progress."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

KEPT_FOR = timedelta(days=7)
SILENT_AFTER = timedelta(minutes=10)


class BookletQuerySet(models.QuerySet[Any]):
    def kept(self) -> BookletQuerySet:
        """Return the booklets of the last week, without loading their files."""
        return self.filter(asked_at__gte=timezone.now() - KEPT_FOR).defer("pdf")

    def over(self) -> BookletQuerySet:
        """Return the booklets older than a week."""
        return self.filter(asked_at__lt=timezone.now() - KEPT_FOR)


class Booklet(models.Model):
    """The latest booklet of a campaign.

    `options` is a `campaigns.booklet.BookletOptions` as plain data, `site` the address that printed links begin with.
    `done` is the number of sheets drawn, out of `count`. `left_out` names those that could not be drawn, each with
    its reason. `told_at` is the time when the task last reported its progress.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", gettext_lazy("Queued")
        RUNNING = "running", gettext_lazy("Running")
        DONE = "done", gettext_lazy("Done")
        FAILED = "failed", gettext_lazy("Failed")

    AT_WORK = (Status.QUEUED, Status.RUNNING)

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="booklets")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    options = models.JSONField(default=dict)
    site = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    done = models.PositiveSmallIntegerField(default=0)
    count = models.PositiveSmallIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    left_out = models.JSONField(default=list, blank=True)
    why = models.CharField(max_length=300, blank=True)
    pdf = models.BinaryField(null=True, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(default=timezone.now)

    objects = BookletQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(status__in=["queued", "running"]), name="one_booklet_at_work"
            )
        ]

    def __str__(self) -> str:
        return f"Booklet of {self.campaign}"

    @property
    def is_silent(self) -> bool:
        """Return whether an unfinished booklet has reported no progress for a while, which means that its worker has stopped."""
        return self.status in self.AT_WORK and self.told_at < timezone.now() - SILENT_AFTER


class PrinterLink(models.Model):
    """The secret link by which whoever stands at the printer opens a campaign's latest booklet, without an account.

    `code` is "" once it is revoked.
    """

    campaign = models.OneToOneField("campaigns.Campaign", on_delete=models.CASCADE, related_name="printer_link")
    code = models.CharField(max_length=24, blank=True, db_index=True)

    def __str__(self) -> str:
        return _("Printer link of {campaign}").format(campaign=self.campaign)
