"""Gloom Trench 1926: units drawn by chits, three sizes of dice, stress. Importing this package registers the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.custom.content import CustomContent
from rules.custom.profiles import ProfileCard
from rules.custom.system import CustomGame
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.game import register
from rules.parts.choice import ChoiceAsked, Choosing
from rules.parts.sheet import WeaponLine
from rules.problems import Problem


class GloomTrench(CustomGame):
    """Every door of `rules.game.GameSystem`, for Gloom Trench 1926."""

    id = "gloom-trench"
    name = "Gloom Trench 1926"
    package = "rules.gloom_trench"
    judged_apart = ("count:", "weapon:")

    def force_asks(self, content: CustomContent, force: Force) -> tuple[ChoiceAsked, ...]:
        """Faction, scale, formation and limit."""
        from rules.gloom_trench import force as forces

        return forces.force_asks(force)

    def force_choices(self, content: CustomContent, force: Force) -> tuple[Choosing, ...]:
        """Choosing a formation keeps a copy of it with the force."""
        from rules.gloom_trench import force as forces

        return tuple(
            replace(choosing, follows=forces.formation_follows(force))
            if choosing.asked.key == "formation"
            else choosing
            for choosing in super().force_choices(content, force)
        )

    def unit_asks(self, content: CustomContent, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        """Models and weapons."""
        from rules.gloom_trench import force as forces

        return forces.unit_asks(unit)

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        """Models."""
        from rules.gloom_trench import force as forces

        return forces.parts(data, choices)

    def profile_code(self, kind: str, path: str) -> str:
        """What is wrong at a place of a profile."""
        from rules.gloom_trench import check

        return check.profile_code(path)

    def findings(self, content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        """What is wrong or odd."""
        from rules.gloom_trench import check

        return check.findings(force, units)

    def unit_facts(self, content: CustomContent, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """What each sort of model carries."""
        from rules.gloom_trench import force as forces

        return {
            "weapons": forces.weapons(unit),
            "formation_points": forces.formation_points(force),
            "scale": str(force.choices.get("scale") or forces.SCALES[0][0]),
        }

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        """Its keywords."""
        return tuple(str(word) for word in unit.data.get("keywords") or ())

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        """Each weapon with its bands, and who carries it."""
        from rules.gloom_trench import force as forces

        return forces.armed(force, unit)

    def told(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """How its models differ, its special rules and its orders."""
        from rules.gloom_trench.profiles import unit_lines

        return unit_lines(unit.data)

    def told_short(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Its keywords, which a page shows as such."""
        return (("", ", ".join(self.keywords(unit))),) if self.keywords(unit) else ()

    def force_notes(self, content: CustomContent, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Command, Tactical Points and chits, and the formation."""
        from rules.gloom_trench import force as forces

        units = self.units(force)
        found = [
            (
                "At the start",
                (
                    f"Command {forces.force_command(units)}",
                    f"Tactical Points {forces.starting_points(force, units)}",
                    f"Chits {forces.chits(units)}",
                ),
            )
        ]
        formation = forces.formation_of(force)
        lines = tuple(str(formation[key]) for key in ("text", "required") if formation.get(key))
        return (*found, ("Formation", lines)) if lines else tuple(found)

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        """Invented forces to begin from."""
        from rules.gloom_trench import samples

        return samples.DOCUMENTS


SYSTEM = GloomTrench()
register(SYSTEM)
