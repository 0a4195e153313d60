"""The model of a roster file that an administrator brought into a campaign together with others."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

KEPT_FOR = timedelta(days=60)  # a file that nobody took up
SILENT_AFTER = timedelta(minutes=1)  # then its reader has stopped


class BulkFileQuerySet(models.QuerySet["BulkFile"]):
    def over(self) -> BulkFileQuerySet:
        return self.filter(sent_at__lt=timezone.now() - KEPT_FOR)

    def to_take_up(self) -> BulkFileQuerySet:
        """Return the files that nobody works at: those that wait, and those whose task has stopped."""
        states = BulkFile.State
        stopped = models.Q(state__in=(states.READING, states.IMPORTING), told_at__lt=timezone.now() - SILENT_AFTER)
        return self.filter(models.Q(state__in=(states.WAITING, states.QUEUED)) | stopped)


class BulkFile(models.Model):
    """One of many roster files brought to a campaign at once. A background task reads it into a draft, and imports it.

    `data` is None once the draft keeps it. `words` say why it was refused. `seat` is the place that its warband goes to.
    `figures` is what the page says of the roster: its name, list, fighters, rating, how many names are `open`, and how
    many `problems` the rules see. `digest` is that of its bytes, so that a file dropped twice is kept once. `told_at` is
    when its task last took it up; `actor` is who asked for its import.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"
        READ = "read"
        REFUSED = "refused"
        QUEUED = "queued"  # to be imported
        IMPORTING = "importing"
        IMPORTED = "imported"

    AT_WORK = (State.WAITING, State.READING, State.QUEUED, State.IMPORTING)

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="bulk_files")
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    digest = models.CharField(max_length=64)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    data = models.BinaryField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    words = models.CharField(max_length=300, blank=True)
    draft = models.ForeignKey("warbands.PaperDraft", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    seat = models.ForeignKey("campaigns.Seat", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    figures = models.JSONField(default=dict, blank=True)
    sent_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(default=timezone.now)

    objects = BulkFileQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "digest"], name="one_bulk_file_per_content")]

    def __str__(self) -> str:
        return self.name
