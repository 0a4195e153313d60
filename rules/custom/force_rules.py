"""The rules for forces of one game with own profiles: the hooks that a game overrides, and what all these games derive from them.

A game is a subclass of `ForceRules` in its own package. Its `game.py` combines the subclass with its resolvers,
tracker, rulebook and sheets into a `CustomGame`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

from rules.content.names import plain
from rules.custom.interpretations import Reading
from rules.custom.profiles import CustomProfile, ProfileCard, ProfileKind, ProfileProblem
from rules.custom.units import ForceUnit, profile_in
from rules.force import Force, ForceFighter
from rules.parts.choice import ChoiceAsked, Choosing
from rules.parts.founding import BANNER
from rules.parts.sheet import WeaponLine
from rules.problems import Problem
from rules.translation import gettext

COUNT = "count:"


class ProfileBook(Protocol):
    """The module of a game that reads its profiles."""

    def read_profile(
        self, kind: str, data: Mapping[str, Any]
    ) -> tuple[Mapping[str, Any], tuple[ProfileProblem, ...]]: ...

    def default_profiles(self) -> tuple[CustomProfile, ...]: ...

    def profile_card(self, profile: CustomProfile) -> ProfileCard: ...


class ForceRules:
    """The rules of forces of one game. Subclasses set the names and override the hooks."""

    id: str
    name: str
    profiles: ProfileBook
    kinds: tuple[ProfileKind, ...]
    readings: tuple[Reading, ...]
    list_id = "own-force"
    list_name = gettext("Own force")
    mark = BANNER
    judged_apart: tuple[str, ...] = ()  # prefixes of the choices that `findings` checks
    counted: tuple[str, ...] = ()  # figures on a profile's card that the strength of a unit replaces
    row_choices: tuple[str, ...] = ()  # choices that name a row of the force; each is the kind of profile it names
    labels: Mapping[str, str] = {}  # override the labels that all these games share

    # --- hooks of a game

    def force_asks(self, force: Force) -> tuple[ChoiceAsked, ...]:
        """Return the choices of the whole force, at its founding or later."""
        return ()

    def unit_asks(self, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        """Return the choices of one unit."""
        return ()

    def begins_with(self, force: Force, kind: str) -> Mapping[str, str]:
        """Return the default choices of a new unit of this kind, for a player who makes none."""
        return {}

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        """Return the models or bases of a unit at full strength: slug, name, how many."""
        return ()

    def findings(self, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        """Return what is wrong or unusual about the force besides its points."""
        return ()

    def profile_code(self, kind: str, path: str) -> str:
        """Return the problem code for a path within a profile."""
        return "profile-figures"

    def unit_facts(self, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """Return facts for the tracker besides the unit's profile, counts and losses."""
        return {}

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        """Return the words on a unit that the rules explain."""
        return ()

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        """Return the weapons of a unit, with distances in the force's own unit of measure.

        Weapons that nobody carries come last.
        """
        return ()

    def lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Return what a unit's page shows besides its strength and its weapons, as (bold name, text)."""
        return card.lines

    def short_lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Return those of `lines` that fit on a card."""
        return ()

    def force_notes(self, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the notes on the whole force for the sheet: heading, lines."""
        return ()

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        """Return invented forces to start from: id, name, description, document."""
        return ()

    # --- units

    def unit(self, fighter: ForceFighter) -> ForceUnit | None:
        """Return the roster row as a unit, or None if it has no profile."""
        copy = profile_in(fighter)
        if not copy:
            return None
        data = copy.get("data") or {}
        parts = self.parts(copy["kind"], data, fighter.choices)
        counts: dict[str, int] = {}
        left: dict[str, int] = {}
        stored = fighter.state.get("left") or {}
        for part, name, n in parts:
            counts[name] = counts.get(name, 0) + n
            left[name] = left.get(name, 0) + min(n, int(stored.get(part, n)))
        return ForceUnit(
            fighter=fighter,
            profile=copy["id"],
            kind=copy["kind"],
            profile_name=copy["name"],
            version=int(copy.get("version") or 1),
            data=data,
            counts=counts,
            left=left,
            parts=tuple((part, name) for part, name, _ in parts),
        )

    def units(self, force: Force, *, active: bool = True) -> tuple[ForceUnit, ...]:
        """Return the units of a force in roster order. `active`: only those that have not left it."""
        rows = (self.unit(fighter) for fighter in force.fighters if fighter.active or not active)
        return tuple(unit for unit in rows if unit is not None)

    def strength(self, fighter: ForceFighter) -> int:
        """Return the models or bases of the row at full strength, or 1 if it has no profile."""
        unit = self.unit(fighter)
        return unit.strength if unit is not None else 1

    def part_slugs(self, copy: Mapping[str, Any]) -> dict[str, str]:
        """Return the parts of a unit by the plain spelling of their names and slugs."""
        slugs: dict[str, str] = {}
        for part, name, _ in self.parts(copy["kind"], copy.get("data") or {}, {}):
            slugs.setdefault(plain(name), part)
            slugs.setdefault(plain(part), part)
        return slugs

    # --- choices

    def force_choices(self, force: Force) -> tuple[Choosing, ...]:
        """Return the choices of the whole force with their current values."""
        return tuple(self._choosing("warband", asked, force.choices, self.name) for asked in self.force_asks(force))

    def unit_choices(self, force: Force, fighter: ForceFighter) -> tuple[Choosing, ...]:
        """Return the choices of one unit with their current values."""
        unit = self.unit(fighter)
        if unit is None:
            return ()
        return tuple(
            self._choosing("fighter", asked, fighter.choices, unit.profile_name, fighter.key)
            for asked in self.unit_asks(force, unit)
        )

    def choices(self, force: Force) -> tuple[Choosing, ...]:
        """Return every choice of the force and its active units."""
        active = (fighter for fighter in force.fighters if fighter.active)
        of_units = (choosing for fighter in active for choosing in self.unit_choices(force, fighter))
        return (*self.force_choices(force), *of_units)

    def _choosing(
        self,
        row: Literal["warband", "fighter"],
        asked: ChoiceAsked,
        made: Mapping[str, Any],
        source: str,
        fighter: str = "",
    ) -> Choosing:
        value = str(made.get(asked.key) or asked.usual)
        wrong = ""
        gone = asked.kind == "options" and value not in {option for option, _ in asked.options}
        if value and gone and not asked.key.startswith(self.judged_apart):
            wrong = gettext("{rstrip}: what was chosen is not there any more.").format(rstrip=asked.words.rstrip(".?"))
        return Choosing(
            row=row,
            path=("choices", asked.key),
            asked=asked,
            source=source,
            chosen=(value,) if value else (),
            fighter=fighter,
            wrong=wrong,
        )
