"""What fire costs its target: bases, fire taken, and Shock.

Source: core rules, "Fire", "Shock and Disruption".
"""

from __future__ import annotations

from typing import Any

from rules.custom.interpretations import HasReadings
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect
from rules.tracker.state import TableFighter
from rules.trench_too_far.force import ATTACHED
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.tracker.units import FIRE, is_platoon, kind_of, parts_of, taken_off, weapons_of


def weapon_ids(fighter: TableFighter) -> set[str]:
    return {str(weapon.get("id")) for weapon in weapons_of(fighter)}


def losses_of(
    content: HasReadings, turn: int, firer: TableFighter, target: TableFighter, first: str, found: Resolved
) -> Effect:
    """Return the effect of fire on its target. `first`: what is attached to it is nearest to the firer, if it says so."""
    lost = int(found.effect("bases_lost") or 0)
    attached = next((part["id"] for part in reversed(parts_of(target)) if len(parts_of(target)) > 1), "")
    markers = taken_off(target, lost, attached if first == ATTACHED else "")
    facts: dict[str, Any] = {"by": firer.side} if lost else {}
    if kind_of(target) == "platoon":
        counted = int(found.effect("counted") or 0)
        if counted:
            markers[FIRE] = counted
        if weapon_ids(firer) & {"trench-mortar", "field-artillery"}:
            facts["indirect"] = turn
    if found.effect("shocked") and _may_be_shocked(content, target):
        facts["shocked"] = True
    return Effect(fighter=target.key, markers=markers, facts=facts)


def _may_be_shocked(content: HasReadings, target: TableFighter) -> bool:
    if kind_of(target) == "team":
        return choice(content, "team-shock") != "never"
    return is_platoon(target) and not target.facts.get("shocked")
