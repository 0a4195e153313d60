"""The models for a battle, its sides and its reports."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from warbands.models.base import Recorded


class Battle(Recorded):
    """One played (or forfeited) game of two or more sides.

    `muster` stores the dice rolled during setup: {"draws": {"scenario": [...], "attacker": [...]}, "choices": {...}}.
    `kind` distinguishes a played battle from a walk-over, no-show, concession, abandoned game or bye. `scenario_name`
    is used for a scenario that the edition does not have; its points are typed in.
    """

    lock_rank = 30
    locked_with = ("campaign",)

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", gettext_lazy("Scheduled")
        MUSTERED = "mustered", gettext_lazy("Ready")
        REPORTED = "reported", gettext_lazy("Reported")
        CONFIRMED = "confirmed", gettext_lazy("Confirmed")
        DISPUTED = "disputed", gettext_lazy("Disputed")
        CLOSED = "closed", gettext_lazy("Closed")
        VOID = "void", gettext_lazy("Void")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

    class Kind(models.TextChoices):
        PLAYED = "played", gettext_lazy("Played")
        WALK_OVER = "walk-over", gettext_lazy("Walk-over")
        NO_SHOW = "no-show", gettext_lazy("No-show")
        CONCEDED = "conceded", gettext_lazy("Conceded")
        ABANDONED = "abandoned", gettext_lazy("Abandoned")
        BYE = "bye", gettext_lazy("Bye")

    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE, related_name="battles")
    round = models.ForeignKey(
        "campaigns.Round", null=True, blank=True, on_delete=models.PROTECT, related_name="battles"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.SCHEDULED)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PLAYED)
    scenario_id = models.CharField(max_length=80, blank=True)
    scenario_name = models.CharField(max_length=80, blank=True)
    muster = models.JSONField(default=dict, blank=True)
    planned_for = models.DateField(null=True, blank=True)
    played_on = models.DateField(null=True, blank=True)
    confirm_by = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["campaign", "status"], name="battle_by_status"),
            models.Index(
                fields=["campaign", "confirm_by"],
                condition=Q(is_undone=False, status="reported"),
                name="battle_to_confirm",
            ),
        ]

    def refuse_act(self, kind: str) -> None:
        self.campaign.refuse_act(kind)

    @property
    def occasion(self) -> str:
        """Return the id that the warbands' events use for this battle."""
        return f"battle:{self.pk}"

    def __str__(self) -> str:
        return _("Battle {pk}").format(pk=self.pk)


AHEAD = (Battle.Status.SCHEDULED, Battle.Status.MUSTERED)
ANSWERED = (Battle.Status.CONFIRMED, Battle.Status.CLOSED)
REPORTED = (Battle.Status.REPORTED, Battle.Status.DISPUTED, *ANSWERED)


class Side(Recorded):
    """One side of a battle: a seat with its warband, or a guest from outside.

    `number` is the warband's own battle number, fixed at muster. `force` is {"taken": [fighter keys], "rolls":
    {fighter key: draw}, "upkeep": ducats, "kept_out": [fighter keys], "flag": {"way", "words", "by", "at"} once an
    administrator has settled the problems, "since": [problems] caused by an attacker who mustered later}.

    `snapshot` is the roster at the muster, with the problems of the fielded force. `rating` is the value of the
    fielded force in ducats. `points` are the scenario's points, `campaign_points` what the campaign adds to them.
    """

    lock_rank = 31

    class Result(models.TextChoices):
        WON = "won", gettext_lazy("Won")
        LOST = "lost", gettext_lazy("Lost")
        DRAWN = "drawn", gettext_lazy("Drawn")
        NONE = "none", gettext_lazy("No result")

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="sides")
    seat = models.ForeignKey("campaigns.Seat", null=True, blank=True, on_delete=models.PROTECT, related_name="sides")
    warband = models.ForeignKey(
        "warbands.Warband", null=True, blank=True, on_delete=models.PROTECT, related_name="sides"
    )
    guest_name = models.CharField(max_length=80, blank=True)
    guest_keyword = models.CharField(max_length=40, blank=True)
    place = models.PositiveSmallIntegerField(default=1)
    is_attacker = models.BooleanField(null=True, blank=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    force = models.JSONField(default=dict, blank=True)
    snapshot = models.ForeignKey("warbands.Snapshot", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    rating = models.PositiveIntegerField(default=0)
    ready_at = models.DateTimeField(null=True, blank=True)
    result = models.CharField(max_length=6, choices=Result, blank=True)
    points = models.IntegerField(null=True, blank=True)
    campaign_points = models.IntegerField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(seat__isnull=False) | ~Q(guest_name=""), name="side_is_seat_or_guest"),
            models.UniqueConstraint(
                fields=["battle", "seat"],
                condition=Q(is_undone=False, seat__isnull=False),
                name="seat_once_per_battle",
            ),
        ]

    @property
    def is_guest(self) -> bool:
        """Return whether somebody from outside the campaign plays this side."""
        return self.seat_id is None

    def __str__(self) -> str:
        return self.guest_name or str(self.seat)


class Report(Recorded):
    """What one side (or an administrator) says happened. A new version supersedes the previous one; the newest live
    version is in force.

    `data`: {"winner": side id or None, "points": {side: n}, "campaign_points": {side: n}, "took_part": {side:
    [fighter keys]}, "out": {side: {fighter key: side id that did it or ""}}, "deeds": [[deed id, side id, fighter key
    or ""]], "used": {side: [item keys]}, "outcome": "won" | "drawn" | "none", "words": text}, and with three sides or
    more optionally "places": {side: n}. Side ids are primary keys as strings.

    `stands` is False for a version that a side proposed in a dispute and that nobody has adopted.
    """

    lock_rank = 32

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_side = models.ForeignKey(Side, null=True, blank=True, on_delete=models.PROTECT, related_name="reports")
    number = models.PositiveSmallIntegerField(default=1)
    data = models.JSONField(default=dict)
    stands = models.BooleanField(default=True)
    sent_at = models.DateTimeField(auto_now_add=True)
    dispute_words = models.CharField(max_length=500, blank=True)
    disputed_by = models.ForeignKey(Side, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number", "pk"]
        constraints = [models.UniqueConstraint(fields=["battle", "number"], name="report_number_once_per_battle")]

    def __str__(self) -> str:
        return _("Report {number} of {battle}").format(number=self.number, battle=self.battle)
