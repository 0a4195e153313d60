"""A profile that a player wrote, in a library of one's own or shared inside a campaign."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from warbands.models.base import Recorded, RecordedQuerySet


class ProfileQuerySet(RecordedQuerySet):
    def kept(self):
        """Profiles that were not put away."""
        return self.live().filter(is_away=False)


class Profile(Recorded):
    """What a player wrote for a game whose books hold no lists.

    `data` holds what the game's kind of profile asks for, as `Profiles.read_profile` gave it. `terms` set: it is shared with everybody
    who plays under these terms. `version` counts changes of name and data. `slug` names it within its owner's library of the game. Put
    away it is listed and offered no longer. `owner` is empty where the account ended and the campaign keeps the profile.
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
        """The id under which forces know it: one of its kind over all libraries. The game's own ids have no two hyphens together."""
        return f"{self.slug}--{self.pk}"
