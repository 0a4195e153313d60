"""What the odds of units' attacks share in games of own profiles: tables laid of two rosters, fresh units, chances by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from rules.custom.check import views
from rules.custom.content import CORE, CustomContent
from rules.custom.force_rules import ForceRules
from rules.custom.units import copy_of
from rules.force import Force, ForceFighter
from rules.parts.unit_attacks import BARE, MINE, THEIRS, Spread
from rules.tracker.state import TableFighter, TableSide, TableState
from rules.tracker.tracker import Tracker


class CustomUnitAttacks:
    """The methods that need no rule of a game."""

    def __init__(
        self, rules: ForceRules, tracker_of: Callable[[CustomContent], Tracker], unit_kinds: Iterable[str]
    ) -> None:
        self.rules = rules
        self.tracker_of = tracker_of
        self.unit_kinds = frozenset(unit_kinds)

    def facing(self, content: CustomContent, mine: Force, theirs: Force) -> TableState:
        tracker = self.tracker_of(content)
        sides = ((MINE, mine), (THEIRS, theirs))
        fighters = tuple(each for key, force in sides for each in self._fighters(tracker, key, force))
        return tracker.set_up(
            TableState(sides=tuple(TableSide(key, force.name) for key, force in sides), fighters=fighters)
        )

    def _fighters(self, tracker: Tracker, side: str, force: Force) -> Iterable[TableFighter]:
        """Yield the active units of a force that have anybody left, with companies named as their rows are."""
        there = {unit.key for unit in self.rules.units(force) if not unit.spent}
        active = replace(force, fighters=tuple(fighter for fighter in force.fighters if fighter.key in there))
        for key, view in views(self.rules, active).items():
            facts = tracker.facts(view)
            if facts.get("company"):
                facts["company"] = f"{side}:{facts['company']}"
            yield TableFighter(
                key=f"{side}:{key}",
                side=side,
                name=view.name or view.profile_name,
                profile=view.profile,
                profile_name=view.profile_name,
                facts=facts,
            )

    def samples(self, content: CustomContent) -> tuple[tuple[str, str], ...]:
        return tuple((p.id, p.name) for p in self.rules.profiles.default_profiles() if p.kind in self.unit_kinds)

    def bare_force(self, content: CustomContent, sample: str) -> Force:
        for profile in self.rules.profiles.default_profiles():
            if profile.id == sample and profile.kind in self.unit_kinds:
                row = ForceFighter(BARE, profile.name, profile.id, state={"profile": copy_of(profile)})
                return Force(self.rules.id, CORE, self.rules.list_id, name=profile.name, fighters=(row,))
        raise KeyError(sample)


def counted(label: str, outcomes: Mapping[str, Fraction]) -> Spread:
    """Return the chances of each number, from 0 to the highest that is possible."""
    shares = {int(name): share for name, share in outcomes.items() if share}
    return Spread(label, tuple((str(n), shares.get(n, Fraction(0))) for n in range(max(shares, default=0) + 1)))


def spread_of(label: str, shares: Iterable[Fraction]) -> Spread:
    """Return the chances of 0, 1, 2 ... in this order."""
    return counted(label, {str(number): share for number, share in enumerate(shares)})


def mixed(parts: Iterable[tuple[Fraction, Mapping[str, Fraction]]]) -> dict[str, Fraction]:
    """Return the chances of results that come about in several ways, each way with its own chance."""
    found: dict[str, Fraction] = {}
    for chance, outcomes in parts:
        for name, share in outcomes.items():
            found[name] = found.get(name, Fraction(0)) + chance * share
    return found
