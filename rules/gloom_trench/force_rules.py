"""The implementation of the force rules for Gloom Trench 1926."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.custom.force_rules import COUNT, ForceRules, ProfileBook
from rules.custom.profiles import ProfileCard
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.gloom_trench import check, profiles, samples
from rules.gloom_trench import force as forces
from rules.gloom_trench.interpretations import READINGS
from rules.gloom_trench.profile_fields import KINDS
from rules.parts.choice import ChoiceAsked, Choosing
from rules.parts.sheet import WeaponLine
from rules.problems import Problem
from rules.translation import gettext as _


class GloomForceRules(ForceRules):
    """The rules of Gloom Trench for its forces."""

    id = "gloom-trench"
    mark = "gloom-trench"
    name = "Gloom Trench 1926"
    profiles: ProfileBook = profiles
    kinds = KINDS
    readings = READINGS
    judged_apart = (COUNT, "weapon:")
    labels = {"edition_words": _("Units and chits. You write your own profiles.")}

    def force_asks(self, force: Force) -> tuple[ChoiceAsked, ...]:
        return forces.force_asks(force)

    def force_choices(self, force: Force) -> tuple[Choosing, ...]:
        """Return the choices of a force. Choosing a formation stores a copy of it with the force."""
        return tuple(
            replace(choosing, follows=forces.formation_follows(force))
            if choosing.asked.key == "formation"
            else choosing
            for choosing in super().force_choices(force)
        )

    def unit_asks(self, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        return forces.unit_asks(unit)

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        return forces.parts(data, choices)

    def profile_code(self, kind: str, path: str) -> str:
        return check.profile_code(path)

    def findings(self, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        return check.findings(force, units)

    def unit_facts(self, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """Return facts about a unit, with what each sort of model carries."""
        return {
            "weapons": forces.weapons(unit),
            "formation_points": forces.formation_points(force),
            "scale": str(force.choices.get("scale") or forces.SCALES[0][0]),
        }

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        return tuple(str(word) for word in unit.data.get("keywords") or ())

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        return forces.armed(force, unit)

    def lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Return how the unit's models differ, its special rules and its orders."""
        return profiles.unit_lines(unit.data)

    def short_lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Return the unit's keywords, which a page shows as keywords."""
        return (("", ", ".join(self.keywords(unit))),) if self.keywords(unit) else ()

    def force_notes(self, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        units = self.units(force)
        found = [
            (
                _("At the start"),
                (
                    _("Command {force_command}").format(force_command=forces.force_command(units)),
                    _("Tactical Points {starting_points}").format(starting_points=forces.starting_points(force, units)),
                    _("Chits {chits}").format(chits=forces.chits(units)),
                ),
            )
        ]
        formation = forces.formation_of(force)
        lines = tuple(str(formation[key]) for key in ("text", "required") if formation.get(key))
        return (*found, (_("Formation"), lines)) if lines else tuple(found)

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        return samples.DOCUMENTS


FORCE_RULES = GloomForceRules()
