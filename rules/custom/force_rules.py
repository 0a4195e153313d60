"""What one game of own profiles says of its forces: the hooks of a game, and what follows from them for every such game.

A game is a subclass of `ForceRules` in its own package. Its `game.py` joins the subclass with its resolvers, tracker, rulebook and
sheets to a `CustomGame`.
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
from rules.parts.sheet import WeaponLine
from rules.problems import Problem

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
    list_name = "Own force"
    judged_apart: tuple[str, ...] = ()  # prefixes of the choices whose values `findings` checks
    counted: tuple[str, ...] = ()  # figures of a profile's card that a unit's strength replaces
    row_choices: tuple[str, ...] = ()  # choices that name a row of the force; each is the kind of profile it names
    labels: Mapping[str, str] = {}  # laid over the labels of all such games

    # --- hooks of a game

    def force_asks(self, force: Force) -> tuple[ChoiceAsked, ...]:
        """The choices of the whole force, at its founding or later."""
        return ()

    def unit_asks(self, force: Force, unit: ForceUnit) -> tuple[ChoiceAsked, ...]:
        """The choices of one unit."""
        return ()

    def begins_with(self, force: Force, kind: str) -> Mapping[str, str]:
        """The choices of a new unit of this kind where its player makes none."""
        return {}

    def parts(self, kind: str, data: Mapping[str, Any], choices: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
        """The models or bases of a unit at strength: slug, name, how many."""
        return ()

    def findings(self, force: Force, units: Sequence[ForceUnit]) -> Iterable[Problem]:
        """What is wrong or odd with the force beyond its points."""
        return ()

    def profile_code(self, kind: str, path: str) -> str:
        """The problem code for a path within a profile."""
        return "profile-figures"

    def unit_facts(self, force: Force, unit: ForceUnit) -> Mapping[str, Any]:
        """Facts for the tracker besides the unit's profile, counts and losses."""
        return {}

    def keywords(self, unit: ForceUnit) -> tuple[str, ...]:
        """The words on a unit that the rules explain."""
        return ()

    def armed(self, force: Force, unit: ForceUnit) -> tuple[WeaponLine, ...]:
        """The weapons of a unit, distances in the force's own measure; those that nobody carries come last."""
        return ()

    def lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """What a unit's page says beside its strength and its weapons, as (bold name, text)."""
        return card.lines

    def short_lines(self, unit: ForceUnit, card: ProfileCard) -> tuple[tuple[str, str], ...]:
        """Those of `lines` that a card has room for."""
        return ()

    def force_notes(self, force: Force) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What the sheet says of the whole force: heading, lines."""
        return ()

    def sample_documents(self) -> tuple[tuple[str, str, str, dict[str, Any]], ...]:
        """Invented forces to begin from: id, name, description, document."""
        return ()

    # --- units

    def unit(self, fighter: ForceFighter) -> ForceUnit | None:
        """The roster row as a unit; None where it holds no profile."""
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
        """The units of a force in the order of the roster; `active`: only those that have not left it."""
        rows = (self.unit(fighter) for fighter in force.fighters if fighter.active or not active)
        return tuple(unit for unit in rows if unit is not None)

    def strength(self, fighter: ForceFighter) -> int:
        """Models or bases of the row at strength; 1 where it holds no profile."""
        unit = self.unit(fighter)
        return unit.strength if unit is not None else 1

    def part_slugs(self, copy: Mapping[str, Any]) -> dict[str, str]:
        """The parts of a unit by the plain spelling of their names and slugs."""
        slugs: dict[str, str] = {}
        for part, name, _ in self.parts(copy["kind"], copy.get("data") or {}, {}):
            slugs.setdefault(plain(name), part)
            slugs.setdefault(plain(part), part)
        return slugs

    # --- choices

    def force_choices(self, force: Force) -> tuple[Choosing, ...]:
        """The choices of the whole force as they stand."""
        return tuple(self._choosing("warband", asked, force.choices, self.name) for asked in self.force_asks(force))

    def unit_choices(self, force: Force, fighter: ForceFighter) -> tuple[Choosing, ...]:
        """The choices of one unit as they stand."""
        unit = self.unit(fighter)
        if unit is None:
            return ()
        return tuple(
            self._choosing("fighter", asked, fighter.choices, unit.profile_name, fighter.key)
            for asked in self.unit_asks(force, unit)
        )

    def choices(self, force: Force) -> tuple[Choosing, ...]:
        """Every choice of the force and its active units."""
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
            wrong = f"{asked.words.rstrip('.?')}: what was chosen is not there any more."
        return Choosing(
            row=row,
            path=("choices", asked.key),
            asked=asked,
            source=source,
            chosen=(value,) if value else (),
            fighter=fighter,
            wrong=wrong,
        )
