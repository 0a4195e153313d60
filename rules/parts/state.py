"""The JSON state of roster rows and warbands: validated, read into a force and written back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.force import Force, ForceFighter

C_contra = TypeVar("C_contra", contravariant=True)


class RosterState(Protocol[C_contra]):
    """The JSON state of roster rows and warbands: validated, read into a force and written back."""

    def fighter_state(self, content: C_contra, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a roster row (defaults filled in). Raises Refusal naming the field."""
        ...

    def warband_state(self, content: C_contra, data: Mapping[str, Any]) -> dict[str, Any]:
        """The validated state of a warband. Raises Refusal naming the field."""
        ...

    def read_state(self, content: C_contra, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """The fighter with its JSON state (experience, skills, traumas, upgrades, ...) spread into the typed fields."""
        ...

    def read_warband_state(self, content: C_contra, force: Force, data: Mapping[str, Any]) -> Force:
        """The force with the warband's JSON state spread into the typed fields."""
        ...

    def write_state(self, content: C_contra, fighter: ForceFighter) -> dict[str, Any]:
        """The JSON state of a roster row for this fighter: the other way round of `read_state`."""
        ...

    def write_warband_state(self, content: C_contra, force: Force) -> dict[str, Any]:
        """The JSON state of a warband for this force: the other way round of `read_warband_state`."""
        ...

    def rekeyed(self, content: C_contra, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]) -> Force:
        """The force with every fighter and piece that its choices name called by its new key. The rows themselves keep theirs."""
        ...

    def unknown(self, content: C_contra, force: Force) -> tuple[str, ...]:
        """What a force holds that this content does not know: ids of profiles, items, upgrades and skills, each once."""
        ...
