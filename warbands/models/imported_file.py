"""The file or text that a warband was imported from."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class ImportedFile(models.Model):
    """What somebody brought, byte for byte, with its hour and its sender. It is never changed; it goes with the warband.

    `source_key` is the id that the other program gives the roster. `brought` is what was read: the roster document, and for
    each of its fighters the other program's id and the row here. Bringing the roster again compares with it.
    """

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="imported_files")
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=120)
    format = models.CharField(max_length=30)
    data = models.BinaryField()
    sent_at = models.DateTimeField(auto_now_add=True)
    source_key = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    brought = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name
