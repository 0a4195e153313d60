"""The models for a campaign, its people, seats, invitations and rounds."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.problems import Refusal
from warbands.models.base import Recorded, RecordedQuerySet

# Acts that an archived campaign allows: they change nothing in it, or bring it back, or free a player's warband.
IN_THE_ARCHIVE = frozenset({"archive", "unarchive", "season", "campaign-copy", "leave", "campaign-move"})


class CampaignQuerySet(RecordedQuerySet):
    def administered_by(self, user: Any) -> CampaignQuerySet:
        return self.live().filter(administrators__user=user, administrators__is_undone=False)

    def series(self) -> CampaignQuerySet:
        """Select campaigns proper. What carries a friendly battle is none, and no page lists it."""
        return self.live().filter(kind=Campaign.Kind.SERIES)

    def joined_by(self, user: Any) -> CampaignQuerySet:
        """Return the campaigns that this person administers or has (or had) a seat in. Those who left may still look."""
        runs = Administrator.objects.live().filter(user=user).order_by().values("campaign")
        sits = Seat.objects.live().filter(user=user).order_by().values("campaign")
        return self.series().filter(pk__in=runs.union(sits))  # "or" would look at every campaign of the site


class Campaign(Recorded):
    """A series of battles under one set of terms.

    `settings` holds the campaign's own settings (silence_days, what guests and walk-overs count for, tie-breaks …),
    each with a default in `campaigns.settings_schema`. `slug` is the public address for
    spectators; it works only if `seen_by` is LINK. A campaign of kind FRIENDLY carries one battle of two people: it has
    two seats, no administrator and no page of its own. `continues` is the campaign whose next season this is, and
    `season` counts them from 1.
    """

    lock_rank = 20

    class Status(models.TextChoices):
        RUNNING = "running", gettext_lazy("Running")
        FINISHED = "finished", gettext_lazy("Finished")
        ARCHIVED = "archived", gettext_lazy("Archived")

    class Kind(models.TextChoices):
        SERIES = "series", gettext_lazy("Campaign")
        FRIENDLY = "friendly", gettext_lazy("Friendly battle")

    class SeenBy(models.TextChoices):
        PLAYERS = "players", gettext_lazy("Its players")
        LINK = "link", gettext_lazy("Anyone with the link")

    class Rosters(models.TextChoices):
        OPEN = "open", gettext_lazy("Open to all players")
        OPPONENTS = "opponents", gettext_lazy("Open to the opponent")
        MUSTER = "muster", gettext_lazy("Hidden until Ready")

    class Dice(models.TextChoices):
        EITHER = "either", gettext_lazy("The app's dice or own dice")
        APP = "app", gettext_lazy("The app's dice only")
        TYPED = "typed", gettext_lazy("Own dice only")

    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.SERIES)
    slug = models.CharField(max_length=32, unique=True)
    terms = models.ForeignKey("warbands.Terms", on_delete=models.PROTECT, related_name="campaigns")
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    seen_by = models.CharField(max_length=10, choices=SeenBy, default=SeenBy.PLAYERS)
    rosters = models.CharField(max_length=10, choices=Rosters, default=Rosters.OPEN)
    dice = models.CharField(max_length=6, choices=Dice, default=Dice.EITHER)
    starts_on = models.DateField(null=True, blank=True)
    rounds_planned = models.PositiveSmallIntegerField(default=0)
    settings = models.JSONField(default=dict, blank=True)
    notes = models.TextField(blank=True, max_length=4000)
    continues = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="next_seasons")
    season = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["continues"],
                condition=Q(is_undone=False, continues__isnull=False),
                name="one_next_season",
            )
        ]

    def refuse_act(self, kind: str) -> None:
        """Refuse what would change an archived campaign. It can be brought back, left, and started from."""
        if self.status == self.Status.ARCHIVED and kind not in IN_THE_ARCHIVE:
            raise Refusal(
                _("{name} is archived. You can only read it.").format(name=self.name),
                mend=_("An administrator can bring it back."),
                code="archived",
            )

    @property
    def is_friendly(self) -> bool:
        """Return whether this only carries one friendly battle, which changes no roster and no standings."""
        return self.kind == self.Kind.FRIENDLY

    def __str__(self) -> str:
        return self.name


class Administrator(Recorded):
    lock_rank = 21

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="administrators")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="administrations")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"], condition=Q(is_undone=False), name="administrator_once_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.campaign}"


class Seat(Recorded):
    """A place in a campaign: a row of the standings. It may be unclaimed (no user), and its warband may change over
    time.

    `list_state` says whether an administrator accepted the starting list, `list_words` what they wrote about it.
    `claim_token` belongs to the link by which somebody takes an unclaimed seat. The `opening_` figures are results
    from before the campaign was entered here; standings include them, and `corrected_points`, which an administrator
    adds or takes away.
    """

    lock_rank = 22
    locked_with = ("campaign",)

    class ListState(models.TextChoices):
        OPEN = "", gettext_lazy("Not sent")
        SUBMITTED = "submitted", gettext_lazy("Sent")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        RETURNED = "returned", gettext_lazy("Returned")

    class Status(models.TextChoices):
        PLAYING = "playing", gettext_lazy("Playing")
        AWAY = "away", gettext_lazy("Away")
        LEFT = "left", gettext_lazy("Left")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    name = models.CharField(max_length=80)
    warband = models.ForeignKey(
        "warbands.Warband", null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.PLAYING)
    list_state = models.CharField(max_length=10, choices=ListState, blank=True, default=ListState.OPEN)
    list_words = models.CharField(max_length=300, blank=True)
    claim_token = models.CharField(max_length=48, blank=True, db_index=True)
    opening_points = models.PositiveIntegerField(default=0)
    opening_games = models.PositiveSmallIntegerField(default=0)
    opening_won = models.PositiveSmallIntegerField(default=0)
    opening_drawn = models.PositiveSmallIntegerField(default=0)
    opening_lost = models.PositiveSmallIntegerField(default=0)
    corrected_points = models.IntegerField(default=0)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"],
                condition=Q(is_undone=False, user__isnull=False) & ~Q(status="left"),
                name="seat_once_per_player",
            ),
            models.UniqueConstraint(
                fields=["warband"],
                condition=Q(is_undone=False, warband__isnull=False) & ~Q(status="left"),
                name="warband_in_one_seat",
            ),
        ]

    def refuse_act(self, kind: str) -> None:
        self.campaign.refuse_act(kind)

    def __str__(self) -> str:
        return self.name


class Invitation(Recorded):
    """A link by which people take a seat. A new one revokes the old one."""

    lock_rank = 23

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=48, unique=True)
    is_revoked = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return _("Invitation to {campaign}").format(campaign=self.campaign)


class Round(Recorded):
    """A period of the campaign in which battles are scheduled. A campaign may have no rounds."""

    lock_rank = 24
    locked_with = ("campaign",)

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    is_closed = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], condition=Q(is_undone=False), name="round_number_once"
            )
        ]

    def refuse_act(self, kind: str) -> None:
        self.campaign.refuse_act(kind)

    def __str__(self) -> str:
        return _("Round {number}").format(number=self.number)
