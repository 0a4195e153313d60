"""The rules for forces of A Trench Too Far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.custom.force_rules import ForceRules, ProfileBook
from rules.custom.profiles import ProfileCard
from rules.custom.units import ForceUnit
from rules.force import Force
from rules.parts.choice import ChoiceAsked
from rules.parts.sheet import WeaponLine
from rules.problems import Problem
from rules.translation import gettext as _
from rules.trench_too_far import check, profiles, samples
from rules.trench_too_far import force as forces
from rules.trench_too_far.interpretations import READINGS
from rules.trench_too_far.profile_fields import KINDS, TRAITS


class TooFarForceRules(ForceRules):
    """The rules for forces of A Trench Too Far."""

    id = "trench-too-far"
    mark = "trench-too-far"
    name = "A Trench Too Far"
    profiles: ProfileBook = profiles
    kinds = KINDS
    readings = READINGS
    judged_apart = (forces.COMPANY,)
    labels = {"edition_words": _("Companies and orders. You write your own profiles.")}
    row_choices = (forces.COMPANY,)
    counted = (_("Bases"), _("Vehicles"))

    def force_asks(self, force: Force) -> tuple[ChoiceAsked, ...]:
        return forces.force_asks(force)

    def unit_asks(self, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        return forces.unit_asks(force, unit)

    def begins_with(self, force: Force, kind: str) -> Mapping[str, str]:
        """Return default choices: platoons and teams join the company that was taken last, tanks are independent."""
        if kind not in (forces.PLATOON, forces.TEAM):
            return {}
        companies = forces.companies(self.units(force))
        return {"company": companies[-1].key} if companies else {}

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        return forces.parts(kind, data)

    def profile_code(self, kind: str, path: str) -> str:
        return check.profile_code(kind, path)

    def findings(self, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        return check.findings(force, units)

    def unit_facts(self, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """Return, for the table, how the unit starts, whether it may Advance, and the player's answers about the force."""
        said = {key: str(force.choices.get(key) or "") for key in ("attacker", "mostly_militia")}
        return {
            "position": str(unit.fighter.choices.get("position") or ""),
            "advance": forces.advance_allowed(force, unit),
            "force": said,
        }

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        names = dict(TRAITS)
        return tuple(names.get(trait, str(trait)) for trait in unit.data.get("traits") or ())

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        return forces.armed(unit)

    def lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        return profiles.unit_lines(unit.kind, unit.data)

    def short_lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Return all lines, because they are short, and the traits, which a page shows separately."""
        traits = ", ".join(self.keywords(unit))
        return (*self.lines(unit, card), *([(_("Traits"), traits)] if traits else []))

    def force_notes(self, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        units = self.units(force)
        lines = [
            f"{company.name}: {', '.join(unit.name for unit in forces.of_company(units, company.key)) or 'none yet'}"
            for company in forces.companies(units)
        ]
        alone = ", ".join(unit.name for unit in forces.of_company(units, ""))
        if alone and lines:
            lines.append(_("Independent: {alone}").format(alone=alone))
        found = [(_("Companies"), tuple(lines))] if lines else []
        if forces.mostly_militia(force, units):
            found.append((_("Initiative"), (_("Mostly militia: \u22121"),)))
        return tuple(found)

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        return samples.DOCUMENTS


FORCE_RULES = TooFarForceRules()
