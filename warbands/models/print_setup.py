"""Kept choices of the print page."""

from __future__ import annotations

from django.db import models


class PrintSetup(models.Model):
    """The options of a printed roster under a name, for next time. A preference of the screen: no event, no undo."""

    warband = models.ForeignKey("warbands.Warband", on_delete=models.CASCADE, related_name="print_setups")
    name = models.CharField(max_length=40)
    options = models.JSONField(default=dict)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["warband", "name"], name="one_print_setup_of_a_name")]

    def __str__(self) -> str:
        return self.name
