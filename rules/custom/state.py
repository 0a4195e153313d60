"""Reading and writing the JSON state of units and forces with own profiles.

The state of a unit is `{"profile": {"id", "kind", "name", "version", "data"}, "choices": {...}, "left": {...},
"joined": n}`. `left` counts what is left, by the slug of a model or base. A missing slug is at full strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from rules.custom.content import CustomContent
from rules.custom.force_rules import ForceRules
from rules.custom.units import Count, choices_in, profile_in
from rules.force import Battles, Force, ForceFighter
from rules.problems import Refusal
from rules.translation import gettext


class _CustomState(msgspec.Struct, forbid_unknown_fields=True):
    """Base class of the state structs. Unknown keys are an error."""


class ProfileCopy(_CustomState):
    """The copy of a profile that a unit took, unchanged since then."""

    id: str
    kind: str
    name: str
    data: dict[str, Any] = {}
    version: int = 1


class UnitState(_CustomState):
    """The state of a roster row. `joined`: how many battles were fought when the unit was taken."""

    profile: ProfileCopy | None = None
    choices: dict[str, Any] = {}
    left: dict[str, Count] = {}
    joined: int | None = None


class CustomState(_CustomState):
    """The state of a force between battles. `formation` is a copy of the profile chosen for it."""

    fought: Count = 0
    credited: Count = 0
    choices: dict[str, Any] = {}
    formation: ProfileCopy | None = None
    last_scenario: str = ""


@dataclass(frozen=True)
class CustomRosterState:
    rules: ForceRules

    def fighter_state(self, content: CustomContent, data: Mapping[str, Any]) -> dict[str, Any]:
        return _validated(UnitState, data, gettext("The unit"))

    def warband_state(self, content: CustomContent, data: Mapping[str, Any]) -> dict[str, Any]:
        return _validated(CustomState, data, gettext("The force"))

    def read_state(self, content: CustomContent, fighter: ForceFighter, data: Mapping[str, Any]) -> ForceFighter:
        """Return the unit with its choices and its counts of models or bases."""
        read = replace(fighter, state=dict(data), choices=choices_in(data))
        return replace(read, count=max(1, self.rules.strength(read)))

    def read_warband_state(self, content: CustomContent, force: Force, data: Mapping[str, Any]) -> Force:
        return replace(
            force,
            battles=Battles(int(data.get("fought") or 0), int(data.get("credited") or 0)),
            choices=choices_in(data),
            state=dict(data),
        )

    def write_state(self, content: CustomContent, fighter: ForceFighter) -> dict[str, Any]:
        return self.fighter_state(content, {**fighter.state, "choices": dict(fighter.choices)})

    def write_warband_state(self, content: CustomContent, force: Force) -> dict[str, Any]:
        known = {key: value for key, value in force.state.items() if key in CustomState.__struct_fields__}
        counted = {"fought": force.battles.fought, "credited": force.battles.credited}
        return self.warband_state(content, {**known, **counted, "choices": dict(force.choices)})

    def rekeyed(
        self, content: CustomContent, force: Force, fighters: Mapping[str, str], items: Mapping[str, str]
    ) -> Force:
        """Return the force with the new keys of the rows that its units' choices name."""
        rows = []
        for row in force.fighters:
            named = {key: str(row.choices.get(key)) for key in self.rules.row_choices}
            new = {key: fighters[old] for key, old in named.items() if old in fighters}
            rows.append(replace(row, choices={**row.choices, **new}) if new else row)
        return replace(force, fighters=tuple(rows))

    def unknown(self, content: CustomContent, force: Force) -> tuple[str, ...]:
        """Return the kinds of profile that the game does not have.

        A unit brings its own profile, so the content of the libraries does not matter.
        """
        known = {kind.id for kind in self.rules.kinds}
        kinds = (profile_in(fighter).get("kind", "") for fighter in force.fighters)
        return tuple(dict.fromkeys(kind for kind in kinds if kind and kind not in known))


def _validated(kind: type[_CustomState], data: Mapping[str, Any], what: str) -> dict[str, Any]:
    try:
        state: dict[str, Any] = msgspec.to_builtins(msgspec.convert(dict(data), kind))
    except msgspec.ValidationError as error:
        fault, _, at = str(error).partition(" - at ")
        path = f" ({at.strip('`')})" if at else ""
        raise Refusal(
            gettext("{what} cannot be kept: {fault}{path}.").format(what=what, fault=fault, path=path), code="state"
        ) from error
    return state
