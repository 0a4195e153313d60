"""The rows of all attacks of a battle, so small that they fit into a page: what is equal stands once and is referred to by its place.

A device reads them without knowing any rule (`static/js/reckon.js`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any

import msgspec

from rules.content.compiled import Content
from rules.force import Force
from rules.problems import Refusal
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.injury import MOST_MARKERS
from rules.trench_crusade.resolvers.series import following_attacks
from rules.trench_crusade.tracker.attack_lines import CLOSES, AttackLines, attack_lines, caught_line
from rules.trench_crusade.tracker.attack_run import OF_THE_PLACE
from rules.trench_crusade.tracker.attack_shapes import Ending, Figures, Line, Throw
from rules.trench_crusade.tracker.morale_lines import morale_lines

KEPT = 64
# Markers that may be spent: the field, on whom they lie, which go first, the part whose dice they change, and by how much each.
SPENDING = (
    ("blood_spent", "a", ("blood", "infection"), 0, -1),
    ("blessing_spent", "a", ("blessing",), 0, 1),
    ("injury_blood_spent", "t", ("blood", "infection"), 1, 1),
    ("injury_blessing_spent", "t", ("blessing",), 1, -1),
)


def attack_book(content: Content, sides: Mapping[str, Force], hands: Set[str]) -> dict[str, Any]:
    """Return the rows of every attack of the fighters of `hands` on those of other sides, as JSON, and those of a test of morale.

    `sides` are the forces by side. `around` are the lines of whom a weapon strikes besides: by attacker, weapon and fighter.

    A fighter is named by its key on its roster. Nothing of it depends on the table, so it is worked out once for the same rosters.
    """
    ordered = [(one, other) for one in sorted(hands & sides.keys()) for other in sorted(sides.keys() - {one})]
    found = _written(content, tuple(_Pair(sides[one], sides[other]) for one, other in ordered))
    document, fighters, targets, caught = found
    mine, theirs = [sides[one].fighters for one, _ in ordered], [sides[other].fighters for _, other in ordered]
    around: dict[str, dict[str, dict[str, int]]] = {}
    for (pair, place), arm, whose, other, line in caught:
        key = (mine if whose == "a" else theirs)[pair][other].key
        around.setdefault(mine[pair][place].key, {}).setdefault(arm, {})[key] = line
    return {
        **document,
        "fighters": {mine[pair][place].key: way for (pair, place), way in fighters},
        "targets": {theirs[pair][place].key: column for (pair, place), column in targets},
        "around": around,
        "spend": SPENDING,
        "of_place": sorted(OF_THE_PLACE),
        "most": MOST_MARKERS,
    }


class _Pair:
    """Two forces, equal to two others that differ in names and keys alone."""

    def __init__(self, mine: Force, theirs: Force) -> None:
        self.mine, self.theirs = mine, theirs
        self.words = (_nameless(mine), _nameless(theirs))

    def __hash__(self) -> int:
        return hash(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pair) and self.words == other.words


def _nameless(force: Force) -> bytes:
    """Return a force as text without its names, its keys replaced by their places."""
    places: dict[str, int] = {}
    text = msgspec.json.encode(force)
    text = re.sub(rb'"name":"(?:[^"\\]|\\.)*"', b'"name":""', text)
    return re.sub(
        rb'"key":"([^"]*)"', lambda found: b'"key":%d' % places.setdefault(found[1].decode(), len(places)), text
    )


_Places = tuple[
    tuple[tuple[int, int], int], ...
]  # (pair of forces, place in the force) and what belongs to that fighter
# Who attacks, with what, whose side ("a": the attacker's) and which place the fighter struck besides has, and its line.
_Around = tuple[tuple[tuple[int, int], str, str, int, int], ...]


@lru_cache(maxsize=KEPT)
def _written(content: Content, pairs: tuple[_Pair, ...]) -> tuple[Mapping[str, Any], _Places, _Places, _Around]:
    """Return the rows between these forces, which ways to attack and which column each fighter has, and whom a weapon strikes besides."""
    book, columns = _Book(), _Columns()
    caught: list[tuple[tuple[int, int], str, str, int, int]] = []
    for number, pair in enumerate(pairs):
        for place, fighter in enumerate(pair.mine.fighters):
            for arm in arms(content, pair.mine, fighter.key):
                found = [_lines(content, pair, fighter.key, arm.key, target.key) for target in pair.theirs.fighters]
                told = {
                    (number, other): book.pair(lines) if lines is not None else -1 for other, lines in enumerate(found)
                }
                columns.add((number, place), arm.key, told)
                columns.follow((number, place), arm.key, following_attacks(content, pair.mine, fighter.key, arm.key))
                if not any(lines is not None and lines.catches for lines in found):
                    continue
                caught += (
                    ((number, place), arm.key, whose, other, book.line(line))
                    for whose, other, line in _caught(content, pair, fighter.key, arm.key)
                )
    document, fighters, targets = columns.document()
    morale = book.morale(content)
    return {**book.document(), **document, "morale": morale}, fighters, targets, tuple(caught)


def _caught(content: Content, pair: _Pair, fighter: str, arm: str) -> Iterator[tuple[str, int, Line]]:
    """Yield everybody whom a weapon may strike besides its target: whose side, which place, and the line of the injury."""
    for whose, force in (("a", pair.mine), ("t", pair.theirs)):
        for place, other in enumerate(force.fighters):
            try:
                line = caught_line(content, (pair.mine, fighter), arm, (force, other.key))
            except Refusal:
                continue
            yield whose, place, line


def _lines(content: Content, pair: _Pair, fighter: str, arm: str, target: str) -> AttackLines | None:
    try:
        return attack_lines(content, (pair.mine, fighter), arm, (pair.theirs, target))
    except Refusal:
        return None


class _Once:
    """A list in which what is equal stands once."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self._places: dict[Hashable, int] = {}

    def place(self, key: Hashable, made: Any) -> int:
        if key not in self._places:
            self._places[key] = len(self.found)
            self.found.append(made)
        return self._places[key]


class _Columns:
    """Who attacks whom with what: equal fighters share their attacks, equal targets their column."""

    def __init__(self) -> None:
        self._told: dict[tuple[int, int], dict[str, dict[tuple[int, int], int]]] = {}
        self._then: dict[tuple[int, int], dict[str, tuple[tuple[str, bool], ...]]] = {}

    def add(self, fighter: tuple[int, int], arm: str, told: dict[tuple[int, int], int]) -> None:
        self._told.setdefault(fighter, {})[arm] = told

    def follow(self, fighter: tuple[int, int], arm: str, weapons: tuple[tuple[str, bool], ...]) -> None:
        """Keep the weapons that the same ACTION brings after this one, each with whether it is Off-Hand."""
        if weapons:
            self._then.setdefault(fighter, {})[arm] = weapons

    def document(self) -> tuple[dict[str, Any], _Places, _Places]:
        rows = [row for each in self._told.values() for row in each.values()]
        targets = dict.fromkeys(target for row in rows for target in row)
        columns, ways = _Once(), _Once()
        thens: list[Mapping[str, Any]] = []
        of_target = [(key, columns.place(tuple(row.get(key, -1) for row in rows), key)) for key in targets]
        of_fighter = []
        for fighter, each in self._told.items():
            made = {arm: [row.get(key, -1) for key in columns.found] for arm, row in each.items()}
            then = self._then.get(fighter, {})
            of_fighter.append((fighter, ways.place(msgspec.json.encode([made, then]), made)))
            if len(thens) < len(ways.found):
                thens.append(then)
        return {"ways": ways.found, "thens": thens}, tuple(of_fighter), tuple(of_target)


class _Book:
    def __init__(self) -> None:
        self.words, self.endings, self.throws, self.rows = _Once(), _Once(), _Once(), _Once()
        self.figures, self.lines, self.offers, self.pairs = _Once(), _Once(), _Once(), _Once()
        self.labels: dict[str, str] = {}
        self.closes: dict[str, tuple[str, ...]] = dict(CLOSES)
        self._shapes: dict[int, tuple[Any, int]] = {}

    def pair(self, found: AttackLines) -> int:
        switches = [[self._word(toggle.key), toggle.most] for toggle in found.toggles]
        self.labels.update({toggle.key: toggle.words for toggle in found.toggles})
        for switch, names in found.closes:
            self.closes[switch] = tuple(dict.fromkeys((*self.closes.get(switch, ()), *names)))
        offered = [
            switches, list(found.spent), int(found.plain), found.bloodbath, found.catches, int(found.bound),
            [self._word(word) for word in found.turns], int(found.strays),
        ]  # fmt: skip
        lines = [[self.line(line) for line in each] for each in found.lines]
        made = [self.offers.place(msgspec.json.encode(offered), offered), *(lines if found.turns else lines[0])]
        return self.pairs.place(msgspec.json.encode(made), made)

    def document(self) -> dict[str, Any]:
        return {
            "words": self.words.found,
            "labels": self.labels,
            "closes": self.closes,
            "endings": self.endings.found,
            "throws": self.throws.found,
            "rows": self.rows.found,
            "figures": self.figures.found,
            "lines": self.lines.found,
            "offers": self.offers.found,
            "pairs": self.pairs.found,
        }

    def _word(self, word: str) -> int:
        return self.words.place(word, word)

    def morale(self, content: Content) -> dict[str, Any]:
        """Return the line of a test of morale, and what a device needs to know of when one is due."""
        found = morale_lines(content)
        self.labels.update(dict(found.asks))
        return {
            "line": self.line(found.line), "asks": [name for name, _ in found.asks], "due": found.due, "again": int(found.again),
            "lasts": found.lasts,
        }  # fmt: skip

    def line(self, line: Line) -> int:
        made = [
            int(line.after),
            [self._word(word) for word in line.words],
            [self._row(shape, figures) for shape, figures in line.rows],
            [place for word, figures in line.adds for place in (self._word(word), self._figures(figures))],
            [
                place
                for one, other, figures in line.beside
                for place in (self._word(one), self._word(other), self._figures(figures))
            ],
        ]
        return self.lines.place(msgspec.json.encode(made), made)

    def _figures(self, figures: Figures) -> int:
        return self.figures.place(figures, figures)

    def _row(self, shape: Throw | Ending, figures: Figures) -> int:
        made = [self._shape(shape), self._figures(figures)]
        return self.rows.place(tuple(made), made)

    def _shape(self, shape: Throw | Ending) -> int:
        """Return the place of a throw; that of an ending as a number below zero."""
        known = self._shapes.get(id(shape))
        if known is None:
            known = self._shapes[id(shape)] = (shape, self._written(shape))
        return known[1]

    def _written(self, shape: Throw | Ending) -> int:
        if isinstance(shape, Ending):
            return -1 - self.endings.place(shape, _ending(shape))
        then = [self._shape(each) for each in shape.then]
        made = [shape.part, shape.base, shape.net, shape.cuts, then, *([shape.flags] if any(shape.flags) else [])]
        return self.throws.place(msgspec.json.encode(made), made)


def _ending(ending: Ending) -> dict[str, Any]:
    """Return an ending with what it says, the rest left out."""
    told = {
        "is": ending.outcome,
        "hurts": int(ending.hurts),
        "marks": dict(ending.markers),
        "spent": ending.spent,
        "down": int(ending.down),
        "out": int(ending.out),
        "facts": ending.facts,
        "own": dict(ending.own),
        "hangs": ending.hangs,
        "falls": int(ending.falls),
        "ends": int(ending.ends),
        "stops": int(ending.stops),
        "missed": int(ending.missed),
        "steady": int(ending.steady),
        "critical": int(ending.critical),
    }
    return {name: value for name, value in told.items() if value}
