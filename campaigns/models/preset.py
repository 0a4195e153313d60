"""The model of a campaign preset: settings that a club keeps for its next campaigns."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from warbands.models.base import Recorded


class CampaignPreset(Recorded):
    """Settings to start campaigns with, taken from a campaign. Its administrators manage it.

    `data` is {"system", "edition", "overlays", "house_rules", "settings", "seen_by", "rosters", "dice",
    "rounds_planned", "notes"}, as the campaign had them. A removed preset `is_away`.
    """

    lock_rank = 28

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="presets")
    name = models.CharField(max_length=60)
    data = models.JSONField(default=dict)
    is_away = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                "campaign", Lower("name"), condition=Q(is_undone=False, is_away=False), name="preset_name_once"
            )
        ]

    def __str__(self) -> str:
        return self.name
