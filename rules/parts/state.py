"""The JSON state of roster rows and warbands: validated, read into a force and written back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.force import Force, ForceFighter

C_contra = TypeVar("C_contra", contravariant=True)


class StatePart(Protocol[C_contra]):
    """The JSON state of roster rows and warbands: validated, read into a force and written back."""

    def fighter_state(self, content: C_contra, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the validated state of a roster row (defaults filled in). Raises Refusal naming the field."""

    def warband_state(self, content: C_contra, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the validated state of a warband. Raises Refusal naming the field."""

    def read_state(self, content: C_contra, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """Return the fighter with its JSON state (experience, skills, traumas, upgrades, ...) in typed fields."""

    def read_warband_state(self, content: C_contra, force: Force, data: Mapping[str, Any]) -> Force:
        """Return the force with the warband's JSON state in typed fields."""

    def write_state(self, content: C_contra, fighter: ForceFighter) -> dict[str, Any]:
        """Return the JSON state of a roster row for this fighter; the inverse of `read_state`."""

    def write_warband_state(self, content: C_contra, force: Force) -> dict[str, Any]:
        """Return the JSON state of a warband for this force; the inverse of `read_warband_state`."""

    def rekeyed(self, content: C_contra, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]) -> Force:
        """Return the force with new keys for the fighters and items that its choices name.

        The rows keep their own keys.
        """

    def unknown(self, content: C_contra, force: Force) -> tuple[str, ...]:
        """Return the ids of profiles, items, upgrades and skills on the force that this content does not know, each once."""
