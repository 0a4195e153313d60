"""A Trench Too Far: platoons, companies and tanks of the early twentieth century; one base is a squad. Importing this registers the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rules.content.names import plain
from rules.custom.content import CustomContent
from rules.custom.profiles import ProfileCard
from rules.custom.system import CustomGame
from rules.custom.units import ForceUnit, profile_in
from rules.force import Force, ForceFighter
from rules.game import register
from rules.parts.choice import ChoiceAsked, Choosing
from rules.parts.sheet import WeaponLine
from rules.problems import Problem

if TYPE_CHECKING:
    from rules.custom.document import ForceReader


class TrenchTooFar(CustomGame):
    """Every door of `rules.game.GameSystem`, for A Trench Too Far."""

    id = "trench-too-far"
    name = "A Trench Too Far"
    package = "rules.trench_too_far"
    judged_apart = ("company",)
    counted = ("Bases", "Vehicles")

    def force_asks(self, content: CustomContent, force: Force) -> tuple[ChoiceAsked, ...]:
        """Army, period, what most of it is, and a limit."""
        from rules.trench_too_far import force as forces

        return forces.force_asks(force)

    def unit_asks(self, content: CustomContent, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        """Company and position."""
        from rules.trench_too_far import force as forces

        return forces.unit_asks(force, unit)

    def begins_with(self, force: Force, kind: str) -> Mapping[str, str]:
        """Platoons and teams join the company that was taken last; tanks are on their own."""
        from rules.trench_too_far import force as forces

        if kind not in (forces.PLATOON, forces.TEAM):
            return {}
        companies = forces.companies(self.units(force))
        return {"company": companies[-1].key} if companies else {}

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        """Bases and vehicles."""
        from rules.trench_too_far import force as forces

        return forces.parts(kind, data)

    def profile_code(self, kind: str, path: str) -> str:
        """What is wrong at a place of a profile."""
        from rules.trench_too_far import check

        return check.profile_code(kind, path)

    def findings(self, content: CustomContent, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        """What is wrong or odd."""
        from rules.trench_too_far import check

        return check.findings(force, units)

    def unit_facts(self, content: CustomContent, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """How it begins, whether it may Advance, and what its player says of the force, for the table."""
        from rules.trench_too_far import force as forces

        said = {key: str(force.choices.get(key) or "") for key in ("attacker", "mostly_militia")}
        return {
            "position": str(unit.fighter.choices.get("position") or ""),
            "advance": forces.advance_allowed(force, unit),
            "force": said,
        }

    def read_choices(
        self,
        reader: ForceReader,
        force: Force,
        fighter: ForceFighter,
        given: Mapping[str, Any],
        asked: Mapping[str, Choosing],
    ) -> dict[str, Any]:
        """The company is named by its row's place or by its name; one that nobody leads is kept, for the checker to tell."""
        company = str(given.get("company") or "")
        rest = {key: value for key, value in given.items() if key != "company"}
        found = super().read_choices(reader, force, fighter, rest, asked)
        if company:
            rows = [row for row in force.fighters if profile_in(row).get("kind") == "company"]
            match = next((row.key for row in rows if row.key == company), "") or next(
                (row.key for row in rows if plain(row.name) == plain(company)), ""
            )
            found["company"] = match or company
        return found

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        """Its traits."""
        from rules.trench_too_far.profiles import TRAITS

        names = dict(TRAITS)
        return tuple(names.get(trait, str(trait)) for trait in unit.data.get("traits") or ())

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        """Each weapon with its reach and attacks."""
        from rules.trench_too_far import force as forces

        return forces.armed(unit)

    def told(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Vehicles and equipment; whether a company may Advance."""
        from rules.trench_too_far.profiles import unit_lines

        return unit_lines(unit.kind, unit.data)

    def told_short(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """All of it, for it is short, and its traits, which a page shows as such."""
        traits = ", ".join(self.keywords(unit))
        return (*self.told(unit, card), *([("Traits", traits)] if traits else []))

    def force_notes(self, content: CustomContent, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What belongs to which company."""
        from rules.trench_too_far import force as forces

        units = self.units(force)
        lines = [
            f"{company.name}: {', '.join(unit.name for unit in forces.of_company(units, company.key)) or 'nobody yet'}"
            for company in forces.companies(units)
        ]
        alone = ", ".join(unit.name for unit in forces.of_company(units, ""))
        if alone and lines:
            lines.append(f"Independent: {alone}")
        found = [("Companies", tuple(lines))] if lines else []
        if forces.mostly_militia(force, units):
            found.append(("Initiative", ("Mostly militia: \u22121",)))
        return tuple(found)

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        """Invented forces to begin from."""
        from rules.trench_too_far import samples

        return samples.DOCUMENTS


SYSTEM = TrenchTooFar()
register(SYSTEM)
