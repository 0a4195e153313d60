"""Units of a force: a roster row with its own copy of its profile, its choices, and what is left of it.

The state of such a row is `{"profile": {"id", "kind", "name", "version", "data"}, "choices": {...}, "left": {...}, "joined": n}`. `left`
counts what is left by the slug of a model or base; a slug that is absent is at strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import msgspec

from rules.custom.profiles import CustomProfile
from rules.force import Battles, Force, ForceFighter
from rules.problems import Refusal

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class _UnitState(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the state structs. Unknown keys are an error."""


class ProfileCopy(_UnitState):
    """The profile as it was when the unit took it."""

    id: str
    kind: str
    name: str
    data: dict[str, Any] = {}
    version: int = 1


class UnitState(_UnitState):
    """A roster row. `joined`: battles fought when it was taken."""

    profile: ProfileCopy | None = None
    choices: dict[str, Any] = {}
    left: dict[str, Count] = {}
    joined: int | None = None


class CustomState(_UnitState):
    """A force between its battles. `formation` is a copy of the profile chosen for it."""

    fought: Count = 0
    credited: Count = 0
    choices: dict[str, Any] = {}
    formation: ProfileCopy | None = None
    last_scenario: str = ""


@dataclass(frozen=True, slots=True)
class ForceUnit:
    """A roster row with its profile. `counts` are models or bases at strength by name, `left` what is left of each."""

    fighter: ForceFighter
    profile: str
    kind: str
    profile_name: str
    version: int
    data: Mapping[str, Any] = field(hash=False)
    counts: Mapping[str, int] = field(hash=False)
    left: Mapping[str, int] = field(hash=False)
    parts: tuple[tuple[str, str], ...] = ()  # what is counted: (slug, name)

    @property
    def key(self) -> str:
        return self.fighter.key

    @property
    def name(self) -> str:
        return self.fighter.name

    @property
    def strength(self) -> int:
        """Models or bases at strength."""
        return sum(self.counts.values())

    @property
    def lost(self) -> Mapping[str, int]:
        """What is lost, by name; only what is."""
        return {name: n - self.left[name] for name, n in self.counts.items() if self.left[name] < n}

    @property
    def spent(self) -> bool:
        """Whether nothing is left of it."""
        return bool(self.counts) and not any(self.left.values())

    @property
    def worth(self) -> int:
        """What the profile is worth; 0 where it says nothing."""
        return int(self.data.get("points") or 0)


def copy_of(profile: CustomProfile) -> dict[str, Any]:
    """The copy of a profile that a row stores."""
    return {
        "id": profile.id,
        "kind": profile.kind,
        "name": profile.name,
        "version": profile.version,
        "data": dict(profile.data),
    }


def profile_in(fighter: ForceFighter) -> dict[str, Any]:
    """The copy of the profile that a row stores; empty where it has none."""
    kept = fighter.state.get("profile")
    return kept if isinstance(kept, dict) else {}


def unit_state(data: Mapping[str, Any]) -> dict[str, Any]:
    """The validated state of a row. Raises Refusal naming the field."""
    return _read(UnitState, data, "The unit")


def force_state(data: Mapping[str, Any]) -> dict[str, Any]:
    """The validated state of a force. Raises Refusal naming the field."""
    return _read(CustomState, data, "The force")


def _read(kind: type[_UnitState], data: Mapping[str, Any], what: str) -> dict[str, Any]:
    try:
        built: dict[str, Any] = msgspec.to_builtins(msgspec.convert(dict(data), kind))
    except msgspec.ValidationError as error:
        words, _, at = str(error).partition(" - at ")
        place = f" ({at.strip('`')})" if at else ""
        raise Refusal(f"{what} cannot be kept: {words}{place}.", code="state") from error
    return built


def read_state(fighter: ForceFighter, data: Mapping[str, Any], count: int) -> ForceFighter:
    """The row with its choices, and `count` models or bases at strength."""
    choices = data.get("choices")
    return replace(fighter, choices=dict(choices) if isinstance(choices, Mapping) else {}, count=max(1, count))


def write_state(fighter: ForceFighter) -> dict[str, Any]:
    """The inverse of `read_state`."""
    return unit_state({**fighter.state, "choices": dict(fighter.choices)})


def read_force_state(force: Force, data: Mapping[str, Any]) -> Force:
    """The force with its battles and choices."""
    choices = data.get("choices")
    return replace(
        force,
        battles=Battles(int(data.get("fought") or 0), int(data.get("credited") or 0)),
        choices=dict(choices) if isinstance(choices, Mapping) else {},
        state=dict(data),
    )


def write_force_state(force: Force) -> dict[str, Any]:
    """The inverse of `read_force_state`."""
    kept = {key: value for key, value in force.state.items() if key in CustomState.__struct_fields__}
    return force_state(
        {
            **kept,
            "fought": force.battles.fought,
            "credited": force.battles.credited,
            "choices": dict(force.choices),
        }
    )
