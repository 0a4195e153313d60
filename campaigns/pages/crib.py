"""The crib of a battle, a sheet with the odds of each of one side's weapons against each kind of opposing fighter.

Weapons go down, opponents across: all against whom every chance is equal share a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Battle, Side
from campaigns.pages.crib_names import Names
from campaigns.pages.odds import arm_words, percent_of
from rules.force import FighterView, Force, ForceFighter
from rules.formatting import joined, signed
from rules.game import GameContent
from rules.parts.attacks import AttacksPart
from rules.problems import Refusal
from rules.resolvers.situation import Arm, Situation
from warbands import access
from warbands.adapters import forces_of
from warbands.models import Terms

MOST_COLUMNS = 8  # of one table; more go below in another
MOST_LETTERS = 14  # columns of one table whose heads are letters
DENSE, TIGHT = 13, 16  # a table with more rows is set closer
SITUATIONS = ("long_range", "cover")  # what only the table knows, and a crib foresees


@dataclass(frozen=True, slots=True)
class CribCell:
    """The chances of one weapon against one kind: to take it down or out, out, and what is left of the first in each situation."""

    lead: str
    out: str
    cover: str = ""
    long: str = ""


@dataclass(frozen=True, slots=True)
class CribRow:
    """A weapon. `span` counts the rows of the same fighters, 0 below the first of them; `is_marked`: texts that not every weapon has are left out."""

    who: str
    span: int
    weapon: str
    hits: str
    cells: tuple[CribCell, ...]
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class CribKind:
    """Opponents against whom all chances are equal: their armour, and their names."""

    armour: str
    names: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class CribTable:
    kinds: tuple[CribKind, ...]
    rows: tuple[CribRow, ...]


@dataclass(frozen=True, slots=True)
class NumberedCrib:
    """The same with numbers for fighters and letters for opponents, whose armour is a bare figure: each weapon once for all who are equally good with it.

    `mine` and `theirs` are the names by their numbers and letters.
    """

    tables: tuple[CribTable, ...]
    mine: tuple[tuple[str, str], ...]
    theirs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Crib:
    """All weapons against all kinds; no table without a weapon. `left` and `left_theirs` list the rules texts that the odds leave out, of either side."""

    tables: tuple[CribTable, ...]
    left: tuple[str, ...] = ()
    left_theirs: tuple[str, ...] = ()
    told: tuple[str, ...] = ()  # who stands behind a name, where a cell is too small for all
    numbered: NumberedCrib | None = None  # for where names leave too little room

    @property
    def density(self) -> int:
        """Return how closely it is set to begin with, up to 2; where that takes two pages, it is set closer."""
        rows = [len(table.rows) for table in self.tables]
        return 2 if sum(rows) > TIGHT else 1 if max(rows, default=0) > DENSE or len(rows) > 1 else 0


def crib(battle: Battle, mine: Side, others: Iterable[Side], user: Any) -> Crib:
    """Build the crib for attacks in the open at short range, with the chance at long range and against cover.

    Raises Refusal if the game has no attacks to calculate, or if the user may not read any opposing roster yet.
    """
    terms = battle.campaign.terms
    if terms.game.attacks is None:
        raise Refusal(
            _("No crib is drawn for this game."),
            mend=_("The table works each shot out as it is fired."),
            code="no-crib",
        )
    assert mine.warband is not None
    mine.warband.terms = terms
    opposite = [side.warband for side in others if side.warband is not None]
    forces = forces_of([mine.warband, *opposite])
    readable = [forces[warband.pk] for warband in opposite if access.may(user, warband, "read")]
    attack = _Attack(terms, terms.game.attacks, forces[mine.warband.pk])
    columns = attack.columns(readable)
    if not columns:
        raise Refusal(
            _("No opponent's roster is open to you yet."), mend=_("It opens when they are ready."), code="not-open"
        )
    attack.join_alike(columns)
    attack.names = Names(min(len(columns), MOST_COLUMNS))
    tables = [columns[at : at + MOST_COLUMNS] for at in range(0, len(columns), MOST_COLUMNS)]
    drawn = tuple(attack.table(part) for part in tables) if attack.arms else ()
    numbered = attack.numbered(columns) if attack.arms else None
    return Crib(drawn, tuple(attack.left), tuple(attack.left_theirs), tuple(attack.names.told), numbered)


@dataclass(frozen=True, slots=True)
class _Column:
    value: int
    armour: str
    names: tuple[str, ...]
    is_marked: bool
    hits: tuple[str, ...]
    cells: tuple[CribCell, ...]


# What fighters of one column share: their armour and its heading, whether a mark stands, and what each weapon does.
_Chances = tuple[tuple[int, str], bool, tuple[str, ...], tuple[CribCell, ...]]


class _Attack:
    """All weapons of a force. `left` and `left_theirs` collect the rules texts that the odds leave out."""

    def __init__(self, terms: Terms, attacks: AttacksPart[GameContent], own: Force) -> None:
        self.terms, self.attacks, self.own = terms, attacks, own
        self.names = Names(1)
        self.left: dict[str, None] = {}
        self.left_theirs: dict[str, None] = {}
        self.unread: dict[int, set[str]] = {}  # the arm's number → its texts that the odds leave out
        attackers: dict[tuple[Any, ...], list[str]] = {}
        for fighter in own.fighters:
            if fighter.active:
                attackers.setdefault(_likeness(fighter), []).append(fighter.key)
        self.arms: list[tuple[list[str], Arm]] = [
            (keys, arm) for keys in attackers.values() for arm in attacks.arms(terms.content, own, keys[0])
        ]
        self.groups: list[tuple[list[str], list[int]]] = []  # fighters, and the numbers of their arms

    def columns(self, forces: Iterable[Force]) -> list[_Column]:
        """Return a column for each armour and each set of equal chances, the easiest first."""
        alike: dict[_Chances, list[str]] = {}
        for force in forces:
            views = self.terms.game.views(self.terms.content, force)
            kinds: dict[tuple[Any, ...], list[ForceFighter]] = {}
            for fighter in force.fighters:
                if fighter.active:
                    kinds.setdefault(_likeness(fighter), []).append(fighter)
            for fighters in kinds.values():
                first = fighters[0]
                armour, marked = _armour(views[first.key]), False
                hits, cells = [], []
                for at in range(len(self.arms)):
                    hit, cell, is_theirs = self._cell(at, force, first.key)
                    hits.append(hit)
                    cells.append(cell)
                    marked = marked or is_theirs
                names = alike.setdefault((armour, marked, tuple(hits), tuple(cells)), [])
                names += [fighter.name for fighter in fighters]
        found = [
            _Column(armour[0], armour[1], tuple(names), marked, hits, cells)
            for (armour, marked, hits, cells), names in sorted(alike.items(), key=lambda item: -item[0][0][0])
        ]
        return found

    def join_alike(self, columns: list[_Column]) -> None:
        """Let fighters whose weapons have the same names, chances and texts left out share their rows."""
        places: dict[int, list[int]] = {}
        for at, (keys, _arm) in enumerate(self.arms):
            places.setdefault(id(keys), []).append(at)
        joined: dict[Any, tuple[list[str], list[int]]] = {}
        for own in places.values():
            told = tuple((arm_words(self.arms[at][1]), frozenset(self.unread.get(at, ()))) for at in own)
            chances = tuple((column.hits[at], column.cells[at]) for column in columns for at in own)
            joined.setdefault((told, chances), ([], own))[0].extend(self.arms[own[0]][0])
        self.groups = list(joined.values())

    def numbered(self, columns: list[_Column]) -> NumberedCrib:
        """Return the tables with numbers and letters in place of names."""
        mine = {
            key: str(number) for number, key in enumerate(dict.fromkeys(k for keys, _arm in self.arms for k in keys), 1)
        }
        theirs = [(column, _letter(at), column.names) for at, column in enumerate(columns)]
        parts = [theirs[at : at + MOST_LETTERS] for at in range(0, len(theirs), MOST_LETTERS)]
        tables = []
        for part in parts:
            alike: dict[CribRow, list[str]] = {}
            for at, (keys, _arm) in enumerate(self.arms):
                row = self._row(at, [column for column, _letter_of, _names in part])
                alike.setdefault(row, []).extend(mine[key] for key in keys)
            rows = (
                replace(row, who=", ".join(sorted(dict.fromkeys(who), key=int)), span=1) for row, who in alike.items()
            )
            kinds = (CribKind(signed(column.value), letter, column.is_marked) for column, letter, _names in part)
            tables.append(CribTable(tuple(kinds), tuple(rows)))
        names = tuple((number, self.own.fighter(key).name) for key, number in mine.items())
        return NumberedCrib(tuple(tables), names, tuple((letter, joined(names)) for _column, letter, names in theirs))

    def _row(self, at: int, columns: list[_Column]) -> CribRow:
        hits = list(dict.fromkeys(column.hits[at] for column in columns))
        return CribRow(
            "",
            0,
            arm_words(self.arms[at][1]),
            hits[0] if len(hits) == 1 else f"{min(hits, key=int)}–{max(hits, key=int)}",
            tuple(column.cells[at] for column in columns),
            bool(self.unread.get(at, set()) - self._unread_of_all()),
        )

    def _unread_of_all(self) -> set[str]:
        """Return the texts left out that every weapon has: they need no mark."""
        return set.intersection(*(self.unread.get(at, set()) for at in range(len(self.arms))))

    def table(self, columns: list[_Column]) -> CribTable:
        rows = []
        for keys, places in self.groups:
            who = self.names.of_row([self.own.fighter(key).name for key in keys])
            for at in places:
                row = self._row(at, columns)
                rows.append(replace(row, who=who, span=len(places)) if at == places[0] else row)
        kinds = (CribKind(each.armour, self.names.of_column(each.names), each.is_marked) for each in columns)
        return CribTable(tuple(kinds), tuple(rows))

    def _cell(self, at: int, force: Force, target: str) -> tuple[str, CribCell, bool]:
        """Return the chance to hit, the cell, and whether texts of the target are left out."""
        keys, arm = self.arms[at]
        plain = self._situation(keys[0], arm, force, target, {})
        is_theirs = False
        for whose, words in plain.unreckoned:
            if whose == "mine":
                self.left[words.partition(": ")[0]] = None
                self.unread.setdefault(at, set()).add(words)
            else:
                self.left_theirs[words.partition(": ")[0]] = None
                is_theirs = True
        known = {toggle.key for toggle in plain.toggles}
        hit, lead, out = self._chances(plain)
        other = {
            name: self._chances(self._situation(keys[0], arm, force, target, {name: 1}))[1]
            for name in SITUATIONS
            if name in known and arm.kind == "ranged"
        }
        return hit, CribCell(lead, out, other.get("cover", ""), other.get("long_range", "")), is_theirs

    def _situation(self, attacker: str, arm: Arm, force: Force, target: str, told: Mapping[str, Any]) -> Situation:
        return self.attacks.situation(self.terms.content, (self.own, attacker), arm.key, (force, target), told)

    def _chances(self, situation: Situation) -> tuple[str, str, str]:
        outcomes = self.terms.game.resolvers.odds(self.terms.content, situation.rule, situation.given).outcomes
        miss, out, down = (percent_of(outcomes, name) for name in ("failure", "out-of-action", "down"))
        return f"{100 - miss:.0f}", f"{down + out:.0f}", f"{out:.0f}"


def _armour(view: FighterView) -> tuple[int, str]:
    """Return a fighter's armour as a number, and as words for a heading."""
    worn = view.stats.get("armour")
    value = worn.value if worn is not None and worn.value is not None else 0
    return value, _("Armour {value}").format(value=signed(value))


def _letter(at: int) -> str:
    """Return A to Z, then AA and so on."""
    return ("" if at < 26 else chr(64 + at // 26)) + chr(65 + at % 26)


def _likeness(fighter: ForceFighter) -> tuple[Any, ...]:
    kit = tuple(sorted(piece.item for piece in fighter.kit))
    return (fighter.profile, kit, fighter.skills, fighter.traumas, fighter.upgrades)
