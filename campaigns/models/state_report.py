"""The models of a report for the whole site: what another state of the rules would change for every warband of a game."""

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
SILENT_AFTER = timedelta(minutes=2)
MOST_TRIES = 3


class StateReportQuerySet(models.QuerySet[Any]):
    def over(self) -> StateReportQuerySet:
        """Return the reports older than a week."""
        return self.filter(asked_at__lt=timezone.now() - KEPT_FOR)


class StateReport(models.Model):
    """One report that the site owner asked for.

    A background task works through the warbands in the order of their terms and keys. `last_terms` and `last_warband`
    are those of the last one that is written, so that another worker goes on from there. `told_at` is the time when
    the task last reported its progress.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", gettext_lazy("Queued")
        RUNNING = "running", gettext_lazy("Running")
        DONE = "done", gettext_lazy("Done")
        FAILED = "failed", gettext_lazy("Failed")

    AT_WORK = (Status.QUEUED, Status.RUNNING)

    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    overlays = models.JSONField(default=list, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    done = models.PositiveIntegerField(default=0)
    count = models.PositiveIntegerField(default=0)
    last_terms = models.BigIntegerField(default=0)
    last_warband = models.BigIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)  # workers that stopped at the same batch
    why = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(default=timezone.now)

    objects = StateReportQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["system"], condition=Q(status__in=["queued", "running"]), name="one_state_report_at_work"
            )
        ]

    def __str__(self) -> str:
        return _("What would change with {edition}").format(edition="+".join((self.edition, *self.overlays)))

    @property
    def is_silent(self) -> bool:
        """Return whether it is unfinished and has reported no progress for a while: its worker has stopped."""
        return self.status in self.AT_WORK and self.told_at < timezone.now() - SILENT_AFTER


class StateReportRow(models.Model):
    """What the other state would change for one warband.

    `kind` tells how bad it is. `data` holds a `WarbandReport` as plain data, `table` its rows for a spreadsheet.
    """

    class Kind(models.TextChoices):
        WORSE = "worse", gettext_lazy("New problems")
        MISSING = "missing", gettext_lazy("No counterpart")
        OTHER = "other", gettext_lazy("Other differences")
        SAME = "same", gettext_lazy("Nothing changes")
        BROKEN = "broken", gettext_lazy("Not compared")

    report = models.ForeignKey(StateReport, on_delete=models.CASCADE, related_name="rows")
    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="+")
    place = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=8, choices=Kind)
    data = models.JSONField(default=dict)
    table = models.JSONField(default=list)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["report", "warband"], name="one_row_for_each_warband")]
        indexes = [models.Index(fields=["report", "kind"], name="state_report_kind")]

    def __str__(self) -> str:
        return f"{self.warband}: {self.get_kind_display()}"
