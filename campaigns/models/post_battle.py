"""The models for what follows a battle: one side's post-battle sequence, and captives between two warbands."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from warbands.models.base import Recorded


class PostBattle(Recorded):
    """One side's sequence, resumable at every step. The report creates it; it begins (`started_at`) when its owner
    opens it.

    `aftermath` is the battle from this side's view, frozen from the report when the sequence begins
    (`rules.parts.post_battle.Aftermath` as JSON). `record` is {"draws": {task: [{"why", "sides", "faces", "origin",
    "by"}]}, "choices": {task: {...}}, "written": {task: event id}}. For tasks written before the report was amended
    it also has {"before": {task: aftermath}}, the battle as it was reported then.

    `done` lists the ids of finished steps; the edition defines the steps.
    """

    lock_rank = 40

    side = models.ForeignKey("campaigns.Side", on_delete=models.PROTECT, related_name="post_battles")
    warband = models.ForeignKey("warbands.Warband", on_delete=models.PROTECT, related_name="post_battles")
    aftermath = models.JSONField(default=dict, blank=True)
    record = models.JSONField(default=dict, blank=True)
    done = models.JSONField(default=list, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["side"], condition=Q(is_undone=False), name="post_battle_once_per_side")
        ]

    def __str__(self) -> str:
        return f"After battle {self.side.battle_id}, {self.warband}"


class Capture(Recorded):
    """A fighter held by another side until a ransom is paid, or until the fighter is released or given up.

    A captor from outside the campaign has a name and no warband.
    """

    lock_rank = 41

    class Status(models.TextChoices):
        HELD = "held", gettext_lazy("Held")
        RANSOMED = "ransomed", gettext_lazy("Ransomed")
        FREED = "freed", gettext_lazy("Let go")
        LOST = "lost", gettext_lazy("Given up")

    fighter = models.ForeignKey("warbands.Fighter", on_delete=models.PROTECT, related_name="captures")
    warband = models.ForeignKey("warbands.Warband", on_delete=models.PROTECT, related_name="captives_away")
    captor = models.ForeignKey(
        "warbands.Warband", null=True, blank=True, on_delete=models.PROTECT, related_name="captives_held"
    )
    captor_name = models.CharField(max_length=80)
    battle = models.ForeignKey(
        "campaigns.Battle", null=True, blank=True, on_delete=models.PROTECT, related_name="captures"
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.HELD)
    taken_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["battle"],
                condition=Q(is_undone=False, status="held", captor__isnull=True),
                name="capture_held_by_guest",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["fighter"], condition=Q(is_undone=False, status="held"), name="fighter_held_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.fighter}, held by {self.captor_name}"


class RansomOffer(Recorded):
    """A price named by one of the two owners. It is binding once the other accepts it and the strongbox covers it."""

    lock_rank = 42

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("Open")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        REPLACED = "replaced", gettext_lazy("Replaced")
        REFUSED = "refused", gettext_lazy("Refused")

    capture = models.ForeignKey(Capture, on_delete=models.CASCADE, related_name="offers")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_captor = models.BooleanField()
    ducats = models.PositiveIntegerField()
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["capture", "by_captor"],
                condition=Q(is_undone=False, status="open"),
                name="one_open_offer_a_side",
            )
        ]

    def __str__(self) -> str:
        return f"{self.ducats} d for {self.capture.fighter}"
