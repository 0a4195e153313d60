"""The model of a roster that was printed before, so that the next print of the same version needs no drawing."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class KeptSheet(models.Model):
    """A PDF of a warband. `key` is made of all that the PDF depends on (`warbands.kept_sheets.key_of`)."""

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="kept_sheets")
    key = models.CharField(max_length=64)
    pdf = models.BinaryField()
    kept_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["warband", "key"], name="one_kept_sheet_of_a_key")]

    def __str__(self) -> str:
        return f"{self.warband}, {self.key[:8]}"
