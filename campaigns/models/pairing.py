"""The models that pairing a round reads: challenges between players, their wishes, and the days on which they are away."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from warbands.models.base import Recorded


class Challenge(Recorded):
    """One player asks another for a battle. Once agreed, the next round that an administrator pairs sets it up."""

    lock_rank = 25

    class Status(models.TextChoices):
        OFFERED = "offered", gettext_lazy("Waits for an answer")
        ACCEPTED = "accepted", gettext_lazy("Agreed")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        PAIRED = "paired", gettext_lazy("Set up")

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="challenges")
    seat = models.ForeignKey("campaigns.Seat", on_delete=models.CASCADE, related_name="challenges")
    other = models.ForeignKey("campaigns.Seat", on_delete=models.CASCADE, related_name="challenged")
    status = models.CharField(max_length=10, choices=Status, default=Status.OFFERED)
    words = models.CharField(max_length=200, blank=True)
    battle = models.ForeignKey(
        "campaigns.Battle", null=True, blank=True, on_delete=models.PROTECT, related_name="challenges"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "other"],
                condition=Q(is_undone=False, status__in=["offered", "accepted"]),
                name="challenge_open_once",
            ),
            models.CheckConstraint(condition=~Q(seat=F("other")), name="challenge_of_two"),
        ]

    def __str__(self) -> str:
        return _("{seat} challenges {other}").format(seat=self.seat, other=self.other)


OPEN_CHALLENGES = (Challenge.Status.OFFERED, Challenge.Status.ACCEPTED)


class PairingWish(Recorded):
    """What holds in every round until it ends: a player who should meet another, or be kept apart from them."""

    lock_rank = 26

    class Kind(models.TextChoices):
        MEET = "meet", gettext_lazy("Wants to meet")
        APART = "apart", gettext_lazy("Keep apart")

    seat = models.ForeignKey("campaigns.Seat", on_delete=models.CASCADE, related_name="wishes")
    other = models.ForeignKey("campaigns.Seat", on_delete=models.CASCADE, related_name="wished_for")
    kind = models.CharField(max_length=5, choices=Kind)
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "other"], condition=Q(is_undone=False, is_over=False), name="wish_once_per_pair"
            ),
            models.CheckConstraint(condition=~Q(seat=F("other")), name="wish_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}, {self.other}: {self.get_kind_display()}"


class Absence(Recorded):
    """Days on which a player is away, the first and the last included."""

    lock_rank = 27

    seat = models.ForeignKey("campaigns.Seat", on_delete=models.CASCADE, related_name="absences")
    starts_on = models.DateField()
    ends_on = models.DateField()
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering = ["starts_on", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="absence_ends_after_start")
        ]

    def __str__(self) -> str:
        return f"{self.seat}, {self.starts_on}–{self.ends_on}"
