"""Numbered roster snapshots and read-only share links."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from warbands.models.base import Recorded


class Snapshot(models.Model):
    """A roster version that is stored for good: the whole document, with its problems and rating at that time."""

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    taken_at = models.DateTimeField(auto_now_add=True)
    document = models.JSONField()
    sheet = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    reason = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["warband", "version"], name="snapshot_once_per_version")]

    def __str__(self) -> str:
        return f"{self.warband} v{self.version}"


class ShareLink(Recorded):
    """A read-only address of a warband. If revoked, it answers 404. Snapshots are below it, as `/v31/`."""

    lock_rank = 94

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="share_links")
    slug = models.CharField(max_length=32, unique=True)
    name = models.CharField(max_length=60, default="Share link")
    shows_money = models.BooleanField(default=False)
    shows_notes = models.BooleanField(default=False)
    for_print = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    is_revoked = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["warband"],
                condition=Q(for_print=True, is_revoked=False, is_undone=False),
                name="one_print_link_per_warband",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"
