"""The model of a kept overlay: its files as they were read, so that what was chosen stays known when files change."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.utils import timezone

from rules.content.load import PackError
from rules.content.overlays.read import read_texts
from rules.content.overlays.schema import Overlay
from rules.content.overlays.states import remember


class OverlayCopy(models.Model):
    """One version of an overlay, file by file. `files` lists [name, text]; `digest` is that of the overlay as read.

    It is compared with the overlay on this server, and applied where that one is gone. One that was `handed_in` by a
    page lies in no folder: the copy is the overlay, and its id never stands for anything else.
    """

    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    overlay = models.CharField(max_length=60)
    version = models.PositiveIntegerField(default=1)
    digest = models.CharField(max_length=16)
    title = models.CharField(max_length=200)
    files = models.JSONField(default=list)
    kept_at = models.DateTimeField(default=timezone.now)
    handed_in = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "edition", "overlay", "digest"], name="one_copy_of_each_overlay_version"
            )
        ]

    @classmethod
    def remember(cls, system: str, edition: str, overlays: Iterable[str]) -> None:
        """Let the rules know the latest copy of each of these overlays, which this server has no longer. One query."""
        for row in cls.objects.filter(system=system, edition=edition, overlay__in=list(overlays)):
            if (found := row.read()) is not None:
                remember(system, edition, found, house=row.handed_in)

    def read(self) -> Overlay | None:
        """Return the overlay; None if this release of the app can no longer read it."""
        try:
            return read_texts([(str(name), str(text).encode()) for name, text in self.files])
        except PackError:
            return None

    def __str__(self) -> str:
        return f"{self.overlay} {self.version}"
