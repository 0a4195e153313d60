"""A profile that a player wrote, in their own library or shared in a campaign."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from warbands.models.base import Recorded, RecordedQuerySet


class ProfileQuerySet(RecordedQuerySet):
    def kept(self):
        """Select profiles that are not archived."""
        return self.live().filter(is_away=False)


class Profile(Recorded):
    """A profile written by a player, for a game whose books contain no lists.

    `data` holds the fields of the game's kind of profile, as `Profiles.read_profile` returned them. If `terms` is set,
    the profile is shared with everybody who plays under these terms. `version` counts changes of name and data. `slug`
    identifies it within its owner's library of the game. An archived profile is no longer listed or offered. `owner`
    is empty if the account was deleted and the campaign keeps the profile.
    """

    lock_rank = 20
    counted: ClassVar[tuple[str, ...]] = ("name", "data")
    saved_with_count: ClassVar[tuple[str, ...]] = ("version", "changed_at")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="profiles"
    )
    terms = models.ForeignKey(
        "warbands.Terms", null=True, blank=True, on_delete=models.SET_NULL, related_name="profiles"
    )
    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    kind = models.CharField(max_length=40)
    slug = models.SlugField(max_length=60, db_index=False)
    name = models.CharField(max_length=80)
    data = models.JSONField(default=dict, blank=True)
    is_away = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = ProfileQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        indexes = [models.Index(fields=["owner", "system", "kind"], name="profile_by_owner")]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "system", "slug"], condition=Q(is_undone=False), name="profile_slug_once_per_library"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def ident(self) -> str:
        """Return its id in forces, unique over all libraries. Ids of the game itself never contain two hyphens in a row."""
        return f"{self.slug}--{self.pk}"
