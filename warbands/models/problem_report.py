"""Problems with the site that people report to the site owner."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy


class ProblemReport(models.Model):
    """A report: the page without its secrets, the release, a roster if the page showed one, and a sentence.

    `document` is the roster as plain data, None for none or one that is too large. `token` makes two presses one.
    """

    class State(models.TextChoices):
        NEW = "new", gettext_lazy("New")
        READ = "read", gettext_lazy("In work")
        DONE = "done", gettext_lazy("Done")

    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    page = models.CharField(max_length=300, blank=True)
    release = models.CharField(max_length=40)
    words = models.CharField(max_length=1000, blank=True)
    warband = models.ForeignKey(
        "warbands.Warband", null=True, blank=True, on_delete=models.SET_NULL, related_name="problem_reports"
    )
    roster_name = models.CharField(max_length=80, blank=True)
    roster_version = models.PositiveIntegerField(null=True, blank=True)
    document = models.JSONField(null=True, blank=True)
    state = models.CharField(max_length=4, choices=State, default=State.NEW)
    note = models.CharField(max_length=500, blank=True)
    token = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"#{self.pk}"
