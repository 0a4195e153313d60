"""The model of what a campaign publishes: the gazette of a round, and the closing ceremony."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from warbands.models.base import Recorded


class Publication(Recorded):
    """An editor's words around facts of the campaign. Without a round it is the closing ceremony.

    The facts themselves are not stored: `campaigns.chronicle` reads them from the battles each time, so that an
    amended report amends them too. `left_out` lists the keys of those that the editor leaves out. It is a draft, seen
    by administrators alone, until `published_at` is set.
    """

    lock_rank = 29

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="publications")
    round = models.ForeignKey(
        "campaigns.Round", null=True, blank=True, on_delete=models.PROTECT, related_name="publications"
    )
    title = models.CharField(max_length=100)
    opening = models.TextField(blank=True, max_length=3000)
    closing = models.TextField(blank=True, max_length=3000)
    left_out = models.JSONField(default=list, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    amended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["round"], condition=Q(is_undone=False), name="one_gazette_a_round"),
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(is_undone=False, round__isnull=True), name="one_closing_ceremony"
            ),
        ]

    @property
    def which(self) -> str:
        """Return its name in addresses: "closing", or "round-3". The round should be loaded."""
        return f"round-{self.round.number}" if self.round is not None else "closing"

    def __str__(self) -> str:
        return _("{title}, {campaign}").format(title=self.title, campaign=self.campaign)
