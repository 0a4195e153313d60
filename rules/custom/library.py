"""Reading and showing the profiles that players write, by the rules of one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.custom.content import CustomContent
from rules.custom.force_rules import ForceRules
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.custom.units import choices_in
from rules.force import ForceFighter


@dataclass(frozen=True)
class ProfileLibrary:
    rules: ForceRules

    def profile_kinds(self, content: CustomContent) -> tuple[ProfileKind, ...]:
        return self.rules.kinds

    def read_profile(
        self, content: CustomContent, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]:
        return self.rules.profiles.read_profile(kind, data)

    def default_profiles(self, content: CustomContent) -> tuple[CustomProfile, ...]:
        return self.rules.profiles.default_profiles()

    def profile_card(self, content: CustomContent, profile: CustomProfile) -> ProfileCard:
        return self.rules.profiles.profile_card(profile)

    def losable(self, content: CustomContent, state: Mapping[str, Any]) -> tuple[tuple[str, str, int, int], ...]:
        """Return the models or bases of a unit: slug, name, how many are left, how many there are at full strength."""
        unit = self.rules.unit(ForceFighter("", "", "", choices=choices_in(state), state=dict(state)))
        if unit is None:
            return ()
        return tuple((part, name, unit.left[name], unit.counts[name]) for part, name in unit.parts)
