"""A warband: its owner, its list, and numbers computed from its ledger and roster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from rules.price import Price
from warbands.models.base import Recorded, RecordedQuerySet
from warbands.models.terms import TermsKey

if TYPE_CHECKING:
    from warbands.adapters import RosterRead


class WarbandQuerySet(RecordedQuerySet):
    def held_by(self, user):
        """Select warbands that this person owns or acts for as a delegate."""
        owned = Warband.objects.order_by().filter(owner=user).values("pk")
        lent = Delegate.objects.live().filter(user=user).order_by().values("warband")
        return self.live().filter(pk__in=owned.union(lent))  # "or" would look at every warband of the site

    def kept(self):
        """Select warbands that are neither disbanded nor archived."""
        return self.live().exclude(status__in=[Warband.Status.DISBANDED, Warband.Status.ARCHIVED])


class Warband(Recorded):
    """A warband over time.

    `strongbox_*`, `rating_*`, `problem_count` and `version` are cached: `recording()` recomputes them from ledger,
    roster and events, and nothing else sets them but `judge_again` after an upgrade. `judged_under` is the mark of the
    terms under which rating and problems were computed. A page that shows these reads the warband through
    `warbands.verdicts`, since a house rule may take effect on a day without any act. `state` belongs to the game, which
    validates it with `RosterState.warband_state`. `owner` is empty while a seat is unclaimed. `copied_from` is the warband that it
    carries on, whose history is its earlier history.
    """

    lock_rank = 90
    read: RosterRead | None = None  # its roster, where a page has read it

    class Mode(models.TextChoices):
        CAMPAIGN = "campaign", gettext_lazy("Campaign")
        ONE_OFF = "one-off", gettext_lazy("One-off battles")

    class Status(models.TextChoices):
        FOUNDING = "founding", "Founding"
        CAMP = "camp", gettext_lazy("In camp")
        ARCHIVED = "archived", gettext_lazy("Archived")
        DISBANDED = "disbanded", gettext_lazy("Disbanded")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="warbands"
    )
    name = models.CharField(max_length=80)
    terms = TermsKey("warbands.Terms", on_delete=models.PROTECT, related_name="warbands")
    list_id = models.CharField(max_length=80)
    patron = models.CharField(max_length=80, blank=True)
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.CAMPAIGN)
    status = models.CharField(max_length=10, choices=Status, default=Status.FOUNDING)
    state = models.JSONField(default=dict, blank=True)
    budget_ducats = models.PositiveIntegerField(default=0)
    budget_glory = models.PositiveIntegerField(default=0)
    notes = models.TextField(blank=True, max_length=4000)
    lends_rights = models.BooleanField(
        default=False,
        help_text="Delegates and administrators may also disband it, bring it back, and close or reopen share links.",
    )
    copied_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="copies", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    strongbox_ducats = models.IntegerField(default=0, editable=False)
    strongbox_glory = models.IntegerField(default=0, editable=False)
    rating_ducats = models.IntegerField(default=0, editable=False)
    rating_glory = models.IntegerField(default=0, editable=False)
    problem_count = models.PositiveIntegerField(default=0, editable=False)
    judged_under = models.CharField(max_length=16, blank=True, editable=False)
    fighter_count = models.PositiveIntegerField(default=0, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)

    objects = WarbandQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="camp") | Q(strongbox_ducats__gte=0, strongbox_glory__gte=0),
                name="warband_strongbox_not_below_zero",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def strongbox(self) -> Price:
        """Return the current money; below zero only while founding."""
        return Price(ducats=self.strongbox_ducats, glory=self.strongbox_glory)

    @property
    def owes(self) -> Price:
        """Return by how much the strongbox is below zero; nothing if it is not."""
        return Price(ducats=max(0, -self.strongbox_ducats), glory=max(0, -self.strongbox_glory))

    @property
    def is_put_away(self) -> bool:
        """Return whether the warband is archived or disbanded, and so read-only."""
        return self.status in (self.Status.ARCHIVED, self.Status.DISBANDED)

    @property
    def is_founding(self) -> bool:
        return self.status == self.Status.FOUNDING


class Delegate(Recorded):
    """A person who may act on a warband for its owner. The history names both."""

    warband = models.ForeignKey(Warband, on_delete=models.CASCADE, related_name="delegates")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="delegations")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["warband", "user"], condition=Q(is_undone=False), name="delegate_once_per_warband"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} for {self.warband}"
