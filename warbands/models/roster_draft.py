"""Changes to a roster that somebody tries out, stored until they are applied or dropped."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class RosterDraft(models.Model):
    """An ordered list of intended acts on one warband. It has no history: it can be changed and deleted.

    `acts` holds `warbands.draft_acts.DraftAct`s. `base` is the version of the roster that the draft was last edited
    on. `revision` counts its own changes, and `last_number` is the number of its latest act; no number is used twice.
    `token` is the one-use token of the form that started it. `outcome` is what its acts came to when they were last
    played (`warbands.draft_outcome.Outcome`), None if that is not known.
    """

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="drafts")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roster_drafts")
    name = models.CharField(max_length=60)
    base = models.PositiveIntegerField()
    acts = models.JSONField(default=list, blank=True)
    revision = models.PositiveIntegerField(default=0)
    last_number = models.PositiveSmallIntegerField(default=0)
    token = models.CharField(max_length=64, null=True, blank=True, unique=True)
    outcome = models.JSONField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name
