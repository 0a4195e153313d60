"""The ledger: every movement of ducats and glory points."""

from __future__ import annotations

from django.db import models


class LedgerEntry(models.Model):
    """One movement of money: positive in, negative out. Append-only; the strongbox is the sum of a warband's entries."""

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="ledger")
    event = models.ForeignKey("warbands.Event", on_delete=models.PROTECT, related_name="ledger")
    ducats = models.IntegerField(default=0)
    glory = models.IntegerField(default=0)
    reason = models.CharField(max_length=200)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "ledger entries"

    def __str__(self) -> str:
        return f"{self.reason}: {self.ducats:+} d, {self.glory:+} g"
