"""The crib of a battle between units: what each of one side's units does to each kind of opposing unit, by way and distance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Battle, Side
from campaigns.pages.crib_names import Names
from campaigns.pages.unit_best import DISTANCE
from rules.force import Force
from rules.game import GameContent
from rules.parts.unit_attacks import MINE, THEIRS, UnitAttacksPart, UnitOdds, UnitWay
from rules.problems import Refusal
from rules.tracker.state import TableState
from warbands import access
from warbands.adapters import forces_of

MOST_COLUMNS = 7  # of one table; more go below in another
TIGHT = 14  # rows from which it is set as close as it can be
CROWDED = 11  # rows from which a table is set closer
LEAST_SHOWN = 0.01  # a chance below this stays off the paper


@dataclass(frozen=True, slots=True)
class UnitCribCell:
    """What an attack comes to: the figure to expect, and in small print what else counts. Empty where it does nothing."""

    lead: str = ""
    small: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitCribRow:
    """A way to attack at a distance. `span` counts the rows of the same units, 0 below the first of them."""

    who: str
    span: int
    way: str
    cells: tuple[UnitCribCell, ...]
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class UnitCribColumn:
    """Opposing units on which every attack does the same: what a hit has to get through, and their names."""

    armour: str
    names: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class UnitCribTable:
    columns: tuple[UnitCribColumn, ...]
    rows: tuple[UnitCribRow, ...]


@dataclass(frozen=True, slots=True)
class UnitCrib:
    """All attacks of a force on all kinds of opposing units. `left` and `left_theirs` list texts that the odds leave out."""

    tables: tuple[UnitCribTable, ...]
    left: tuple[str, ...] = ()
    left_theirs: tuple[str, ...] = ()
    told: tuple[str, ...] = ()  # who stands behind a name, where a cell is too small for all

    @property
    def density(self) -> int:
        """Return how closely it is set to begin with, up to 2; where that takes two pages, it is set closer."""
        rows = sum(len(table.rows) for table in self.tables)
        return 2 if rows > TIGHT else 1 if rows > CROWDED else 0


@dataclass(frozen=True, slots=True)
class _Line:
    """One row before it is filled: the units that are alike, and the way with its distance."""

    units: tuple[str, ...]
    way: UnitWay
    stop: str
    label: str


def unit_crib(battle: Battle, mine: Side, others: Iterable[Side], user: Any) -> UnitCrib:
    """Build the crib for units at full strength in the open. Raises Refusal if no opposing roster may be read yet."""
    terms = battle.campaign.terms
    part = terms.game.unit_attacks
    assert part is not None
    assert mine.warband is not None
    opposite = [side.warband for side in others if side.warband is not None]
    forces = forces_of([mine.warband, *opposite])
    readable = [forces[warband.pk] for warband in opposite if access.may(user, warband, "read")]
    if not any(fighter.active for force in readable for fighter in force.fighters):
        raise Refusal(
            _("No opponent's roster is open to you yet."), mend=_("It opens when they are ready."), code="not-open"
        )
    return _Crib(part, terms.content, forces[mine.warband.pk], readable).drawn()


class _Crib:
    """The tables of one force against each opposing one. `left` and `left_theirs` collect the texts that the odds leave out."""

    def __init__(
        self, part: UnitAttacksPart[GameContent], content: GameContent, own: Force, opposing: Iterable[Force]
    ) -> None:
        self.part, self.content = part, content
        self.tables = [part.facing(content, own, force) for force in opposing]
        self.left: dict[str, None] = {}
        self.left_theirs: dict[str, None] = {}
        self.marked: set[tuple[str, ...]] = set()
        self.names = Names(1)
        self.lines = self._lines()

    def _lines(self) -> list[_Line]:
        """Return the rows: for units that are alike one for each way, at each distance where its dice change."""
        first = self.tables[0]
        alike: dict[str, list[str]] = {}
        for unit in first.of(MINE):
            alike.setdefault(self.part.likeness(self.content, first, unit.key), []).append(unit.key)
        found = []
        for keys in alike.values():
            stops: dict[tuple[str, str], _Line] = {}
            for table in self.tables:
                for target in table.of(THEIRS):
                    for way in self.part.ways(self.content, table, keys[0], target.key):
                        if not way.cases:
                            continue
                        asks = self.part.asks(self.content, table, keys[0], target.key, way.key)
                        options = next((each.options for each in asks if each.key == DISTANCE), (("", ""),))
                        for stop, label in options:
                            stops.setdefault((way.key, stop), _Line(tuple(keys), way, stop, label))
            found += sorted(stops.values(), key=lambda line: (not line.stop, float(line.stop or 0)))
        return found

    def drawn(self) -> UnitCrib:
        columns: dict[tuple[Any, ...], list[str]] = {}
        for table in self.tables:
            seen: dict[str, tuple[Any, ...]] = {}
            for target in table.of(THEIRS):
                kind = self.part.likeness(self.content, table, target.key)
                if kind not in seen:
                    seen[kind] = self._column(table, target.key)
                columns.setdefault(seen[kind], []).append(target.name)
        kept = [at for at in range(len(self.lines)) if self._tells(at, [column[2] for column in columns])]
        self.names = Names(min(len(columns), MOST_COLUMNS))
        drawn = [
            (UnitCribColumn(key[0], self.names.of_column(names), key[1]), key[2]) for key, names in columns.items()
        ]
        parts = [drawn[at : at + MOST_COLUMNS] for at in range(0, len(drawn), MOST_COLUMNS)]
        tables = tuple(self._table(part, kept) for part in parts)
        return UnitCrib(tables, tuple(self.left), tuple(self.left_theirs), tuple(self.names.told))

    def _tells(self, at: int, columns: list[tuple[UnitCribCell, ...]]) -> bool:
        """Return whether a row says anything that the next one, at a farther distance, does not say too."""
        if not any(cells[at].lead for cells in columns):
            return False
        line, after = self.lines[at], self.lines[at + 1] if at + 1 < len(self.lines) else None
        same_way = after is not None and (after.units, after.way.key) == (line.units, line.way.key)
        return not same_way or any(cells[at] != cells[at + 1] for cells in columns)

    def _column(self, table: TableState, target: str) -> tuple[str, bool, tuple[UnitCribCell, ...]]:
        marked = False
        cells = []
        for line in self.lines:
            cell, is_theirs = self._cell(table, line, target)
            cells.append(cell)
            marked = marked or is_theirs
        return self.part.armour(self.content, table, target), marked, tuple(cells)

    def _distance(self, table: TableState, line: _Line, target: str) -> dict[str, str] | None:
        """Return the answer to how far the target is; None if the line is of a distance beyond its reach.

        A distance of another kind of target counts as the next one at which the dice change against this one.
        """
        if not line.stop:
            return {}
        asks = {each.key: each for each in self.part.asks(self.content, table, line.units[0], target, line.way.key)}
        stops = [value for value, _words in asks[DISTANCE].options if float(value) >= float(line.stop)]
        return {DISTANCE: min(stops, key=float)} if stops else None

    def _cell(self, table: TableState, line: _Line, target: str) -> tuple[UnitCribCell, bool]:
        told = self._distance(table, line, target)
        odds = self._odds(table, line, target, told) if told is not None else None
        if told is None or odds is None:
            return UnitCribCell(), False
        theirs = False
        for whose, words in odds.unreckoned:
            if whose == MINE:
                self.left[words.rstrip(".")] = None
                self.marked.add(line.units)
            else:
                self.left_theirs[words.rstrip(".")] = None
                theirs = True
        small = [f"{words} {float(share) * 100:.0f}" for words, share in odds.chances[:1] if share >= LEAST_SHOWN]
        if odds.lead.endswith("%"):
            small = []
        ways = self.part.ways(self.content, table, line.units[0], target)
        way = next(each for each in ways if each.key == line.way.key)
        for words, answers in way.cases:
            other = self._odds(table, line, target, {**told, **dict(answers)})
            if other is not None:
                small.append(f"{words} {other.lead.removesuffix(' %')}")
        return UnitCribCell(odds.lead.removesuffix(" %"), tuple(small)), theirs

    def _odds(self, table: TableState, line: _Line, target: str, told: Mapping[str, str]) -> UnitOdds | None:
        try:
            return self.part.odds(self.content, table, line.units[0], target, line.way.key, told)
        except Refusal:
            return None

    def _table(self, part: list[tuple[UnitCribColumn, tuple[UnitCribCell, ...]]], kept: list[int]) -> UnitCribTable:
        first = self.tables[0]
        rows = []
        for units, grouped in groupby(kept, key=lambda at: self.lines[at].units):
            places = list(grouped)
            who = self.names.of_row([first.fighter(key).name for key in units])
            for number, at in enumerate(places):
                line = self.lines[at]
                words = f"{line.way.name} {line.label}".strip()
                cells_here = tuple(cells[at] for _c, cells in part)
                heads = ("", 0) if number else (who, len(places))
                rows.append(UnitCribRow(*heads, words, cells_here, units in self.marked and not number))
        return UnitCribTable(tuple(column for column, _cells in part), tuple(rows))
