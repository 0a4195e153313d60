"""Profiles that players write. None for games whose books hold every profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem

C_contra = TypeVar("C_contra", contravariant=True)


class ProfilesPart(Protocol[C_contra]):
    """Profiles that players write. None for games whose books hold every profile."""

    def profile_kinds(self, content: C_contra) -> tuple[ProfileKind, ...]:
        """Return the kinds of profile that players may write."""

    def read_profile(
        self, content: C_contra, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]:
        """Return a profile with defaults for omitted values, and what is wrong with it.

        Raises KeyError for an unknown kind.
        """

    def default_profiles(self, content: C_contra) -> tuple[CustomProfile, ...]:
        """Return the game's own tables as profiles, and invented samples, which are marked as samples."""

    def profile_card(self, content: C_contra, profile: CustomProfile) -> ProfileCard:
        """Return a profile as a card shows it."""

    def losable(self, content: C_contra, state: Mapping[str, Any]) -> tuple[tuple[str, str, int, int], ...]:
        """Return what a unit may lose, from its row's state: key, name, how many are left, how many there are at full strength."""
