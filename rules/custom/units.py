"""Units of a force: a roster row with its own copy of its profile, its choices, and what is left of it.

`rules/custom/state.py` documents what a row stores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec

from rules.custom.profiles import CustomProfile
from rules.force import ForceFighter

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


@dataclass(frozen=True, slots=True)
class ForceUnit:
    """A roster row with its profile.

    `counts` are models or bases at full strength by name, `left` is what remains of each.
    """

    fighter: ForceFighter
    profile: str
    kind: str
    profile_name: str
    version: int
    data: Mapping[str, Any] = field(hash=False)
    counts: Mapping[str, int] = field(hash=False)
    left: Mapping[str, int] = field(hash=False)
    parts: tuple[tuple[str, str], ...] = ()  # the parts that are counted: (slug, name)

    @property
    def key(self) -> str:
        return self.fighter.key

    @property
    def name(self) -> str:
        return self.fighter.name

    @property
    def strength(self) -> int:
        return sum(self.counts.values())

    @property
    def lost(self) -> Mapping[str, int]:
        """Return the losses by name, without parts that lost nothing."""
        return {name: n - self.left[name] for name, n in self.counts.items() if self.left[name] < n}

    @property
    def spent(self) -> bool:
        return bool(self.counts) and not any(self.left.values())

    @property
    def worth(self) -> int:
        """Return the points of the profile, or 0 if it gives none."""
        return int(self.data.get("points") or 0)


def copy_of(profile: CustomProfile) -> dict[str, Any]:
    """Return the copy of a profile that a row stores."""
    return {
        "id": profile.id,
        "kind": profile.kind,
        "name": profile.name,
        "version": profile.version,
        "data": dict(profile.data),
    }


def choices_in(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices in the state of a row or a force."""
    choices = state.get("choices")
    return dict(choices) if isinstance(choices, Mapping) else {}


def profile_in(fighter: ForceFighter) -> dict[str, Any]:
    """Return the copy of the profile that a row stores, or an empty one if it has none."""
    kept = fighter.state.get("profile")
    return kept if isinstance(kept, dict) else {}
