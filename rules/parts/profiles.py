"""Profiles that players write. None for games whose books hold every profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem

C_contra = TypeVar("C_contra", contravariant=True)


class Profiles(Protocol[C_contra]):
    """Profiles that players write. None for games whose books hold every profile."""

    def profile_kinds(self, content: C_contra) -> tuple[ProfileKind, ...]:
        """What players may write themselves; empty where the books hold every profile."""
        ...

    def read_profile(
        self, content: C_contra, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]:
        """A profile with everything left out filled in, and what is wrong with it. Raises KeyError for an unknown kind."""
        ...

    def default_profiles(self, content: C_contra) -> tuple[CustomProfile, ...]:
        """The game's own tables as profiles, and invented samples, marked as such: to be taken or copied."""
        ...

    def profile_card(self, content: C_contra, profile: CustomProfile) -> ProfileCard:
        """A profile as a card shows it."""
        ...

    def losable(self, content: C_contra, state: Mapping[str, Any]) -> tuple[tuple[str, str, int, int], ...]:
        """What a row of several may lose, from its state: key, name, how many are left and how many there are at strength.

        Empty for a row that is one, and out or not.
        """
        ...
