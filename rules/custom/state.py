"""The JSON state of units and forces of own profiles, read into a force and written back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.custom import units
from rules.custom.content import CustomContent
from rules.custom.force_rules import ForceRules
from rules.force import Force, ForceFighter


@dataclass(frozen=True)
class CustomRosterState:
    rules: ForceRules

    def fighter_state(self, content: CustomContent, data: Mapping[str, Any]) -> dict[str, Any]:
        return units.unit_state(data)

    def warband_state(self, content: CustomContent, data: Mapping[str, Any]) -> dict[str, Any]:
        return units.force_state(data)

    def read_state(self, content: CustomContent, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """The unit with its choices, counted in models or bases."""
        read = units.read_state(replace(fighter, state=dict(data)), data, 1)
        return replace(read, count=max(1, self.rules.strength(read)))

    def read_warband_state(self, content: CustomContent, force: Force, data: Mapping[str, Any]) -> Force:
        return units.read_force_state(force, data)

    def write_state(self, content: CustomContent, fighter: ForceFighter) -> dict[str, Any]:
        return units.write_state(fighter)

    def write_warband_state(self, content: CustomContent, force: Force) -> dict[str, Any]:
        return units.write_force_state(force)

    def rekeyed(
        self, content: CustomContent, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]
    ) -> Force:
        """The force with the rows that its units' choices name called by their new keys."""
        rows = []
        for row in force.fighters:
            named = {key: str(row.choices.get(key)) for key in self.rules.row_choices}
            new = {key: fighters[old] for key, old in named.items() if old in fighters}
            rows.append(replace(row, choices={**row.choices, **new}) if new else row)
        return replace(force, fighters=tuple(rows))

    def unknown(self, content: CustomContent, force: Force) -> tuple[str, ...]:
        """Kinds of profile that the game does not have. A unit brings its own profile, whatever the libraries hold."""
        known = {kind.id for kind in self.rules.kinds}
        kinds = (units.profile_in(fighter).get("kind", "") for fighter in force.fighters)
        return tuple(dict.fromkeys(kind for kind in kinds if kind and kind not in known))
