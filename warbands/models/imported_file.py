"""The file or text that a warband was imported from."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class ImportedFile(models.Model):
    """What somebody brought, byte for byte, with its hour and its sender. It is never changed; it goes with the warband."""

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="imported_files")
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=120)
    format = models.CharField(max_length=30)
    data = models.BinaryField()
    sent_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name
