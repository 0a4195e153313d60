"""A warband that somebody is copying off paper: kept as it is typed, until it is brought in."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PaperDraft(models.Model):
    """What was typed so far. It is nobody's history: it can be changed and thrown away, and it stays behind when the act is undone.

    `data` holds the roster as typed (`rules.transcription.PaperData`), `text` a pasted roster and `answers` what its phrases mean, while they
    are being settled. `place` names where the warband goes ("seat:12"), empty for one's own list. `warband` is what came of it.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="paper_drafts")
    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    place = models.CharField(max_length=40, blank=True)
    data = models.JSONField(default=dict, blank=True)
    text = models.TextField(blank=True)
    answers = models.JSONField(default=dict, blank=True)
    warband = models.ForeignKey("warbands.Warband", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return str(self.data.get("name") or "") or "A warband without a name"
