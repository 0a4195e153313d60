"""The rows of all attacks of a battle, so small that they fit into a page: what is equal stands once and is referred to by its place.

A device reads them without knowing any rule (`static/js/reckon.js`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from rules.content.compiled import Content
from rules.force import Force
from rules.problems import Refusal
from rules.trench_crusade.resolvers.arms import arms
from rules.trench_crusade.resolvers.attack import AT_ENEMY
from rules.trench_crusade.resolvers.injury import MOST_MARKERS
from rules.trench_crusade.resolvers.series import following_attacks
from rules.trench_crusade.tracker.attack_lines import AttackLines, attack_lines, caught_line
from rules.trench_crusade.tracker.attack_run import OF_THE_PLACE
from rules.trench_crusade.tracker.attack_shapes import Ending, Figures, Line, Throw
from rules.trench_crusade.tracker.attack_words import CLOSES
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

    `sides` are the forces by side. `around` are the lines of whom a weapon strikes besides: by attacker, weapon and fighter. `mates` are
    the fighters of the same side whom a shot into a melee may find, and `mixed` the ways to shoot at them.

    A fighter is named by its key on its roster. Nothing of it depends on the table, so it is worked out once for the same rosters.
    """
    names = sorted(sides)
    acting = tuple(place for place, name in enumerate(names) if name in hands)
    document, found = _written(content, _Forces(tuple(sides[name] for name in names)), acting)

    def key(fighter: _Place) -> str:
        side, place = fighter
        return sides[names[side]].fighters[place].key

    around: dict[str, dict[str, dict[str, int]]] = {}
    for fighter, arm, other, line in found.caught:
        around.setdefault(key(fighter), {}).setdefault(arm, {})[key(other)] = line
    return {
        **document,
        "fighters": {key(fighter): way for fighter, way in found.fighters},
        "targets": {key(target): column for target, column in found.targets},
        "shooters": {key(fighter): way for fighter, way in found.shooters},
        "mates": {key(mate): column for mate, column in found.mates},
        "around": around,
        "spend": SPENDING,
        "strays": AT_ENEMY,
        "of_place": sorted(OF_THE_PLACE),
        "most": MOST_MARKERS,
    }


class _Forces:
    """The forces at a table, equal to others that differ in names and keys alone."""

    def __init__(self, forces: tuple[Force, ...]) -> None:
        self.forces = forces
        self.words = tuple(_nameless(force) for force in forces)

    def __hash__(self) -> int:
        return hash(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Forces) and self.words == other.words


_NAME, _KEY = re.compile(rb'"name":"(?:[^"\\]|\\.)*"'), re.compile(rb'"key":"([^"]*)"')


def _nameless(force: Force) -> bytes:
    """Return a force as text without its names, its keys replaced by their places."""
    places: dict[str, int] = {}
    text = _NAME.sub(b'"name":""', msgspec.json.encode(force))
    return _KEY.sub(lambda found: b'"key":%d' % places.setdefault(found[1].decode(), len(places)), text)


def _likenesses(force: Force) -> tuple[bytes, ...]:
    """Return a text for each fighter. It is the same for those of whom everything but names and keys is the same.

    Where something names a fighter or a piece of it by its key, that fighter is like no other.
    """
    elsewhere = _KEY.sub(b"", msgspec.json.encode(force))
    found = []
    for fighter in force.fighters:
        text = msgspec.json.encode(fighter)
        is_named = any(b'"%s"' % key in elsewhere for key in _KEY.findall(text))
        found.append(text if is_named else _KEY.sub(b"", _NAME.sub(b"", text)))
    return tuple(found)


_Place = tuple[int, int]  # which force, and which fighter of it
_Places = tuple[tuple[_Place, int], ...]  # fighters, each with what belongs to it


@dataclass(frozen=True, slots=True)
class _Found:
    """Which ways to attack and which column each fighter has, those of shots that find a friend, and whom a weapon strikes besides: who
    attacks, with what, who is struck, and the line."""

    fighters: _Places
    targets: _Places
    shooters: _Places
    mates: _Places
    caught: tuple[tuple[_Place, str, _Place, int], ...]


@lru_cache(maxsize=KEPT)
def _written(content: Content, table: _Forces, acting: tuple[int, ...]) -> tuple[Mapping[str, Any], _Found]:
    """Return the rows of the acting forces against all others of the table."""
    book, columns, mixed = _Book(), _Columns(), _Columns()
    caught: list[tuple[_Place, str, _Place, int]] = []
    everybody = [(side, place) for side, force in enumerate(table.forces) for place in range(len(force.fighters))]

    def at(fighter: _Place) -> tuple[Force, str]:
        force = table.forces[fighter[0]]
        return force, force.fighters[fighter[1]].key

    likenesses = [_likenesses(force) for force in table.forces]
    known: dict[Hashable, AttackLines | None] = {}

    def lines_of(fighter: _Place, arm: str, target: _Place) -> AttackLines | None:
        alike = tuple((side, likenesses[side][place]) for side, place in (fighter, target))
        if (alike, arm) not in known:
            known[alike, arm] = _lines(content, at(fighter), arm, at(target))
        return known[alike, arm]

    for fighter in (each for each in everybody if each[0] in acting):
        for arm in arms(content, *at(fighter)):
            foes = {each: lines_of(fighter, arm.key, each) for each in everybody if each[0] != fighter[0]}
            columns.add(fighter, arm.key, {each: book.pair(lines) for each, lines in foes.items()})
            columns.follow(fighter, arm.key, following_attacks(content, *at(fighter), arm.key))
            if any(lines is not None and lines.strays for lines in foes.values()):
                mates = (each for each in everybody if each[0] == fighter[0] and each != fighter)
                mixed.add(
                    fighter,
                    arm.key,
                    {each: book.pair(lines_of(fighter, arm.key, each)) for each in mates},
                )
            if any(lines is not None and lines.catches for lines in foes.values()):
                caught += (
                    (fighter, arm.key, other, book.line(line))
                    for other in everybody
                    if (line := _caught(content, at(fighter), arm.key, at(other))) is not None
                )
    document, fighters, targets = columns.document()
    of_mates, shooters, mates_found = mixed.document()
    morale = book.morale(content)
    written = {**book.document(), **document, "mixed": of_mates["ways"], "morale": morale}
    return written, _Found(fighters, targets, shooters, mates_found, tuple(caught))


def _caught(content: Content, mine: tuple[Force, str], arm: str, other: tuple[Force, str]) -> Line | None:
    """Return the line of the injury of somebody whom a weapon may strike besides its target."""
    try:
        return caught_line(content, mine, arm, other)
    except Refusal:
        return None


def _lines(content: Content, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str]) -> AttackLines | None:
    try:
        return attack_lines(content, mine, arm, theirs)
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
        self._told: dict[_Place, dict[str, dict[_Place, int]]] = {}
        self._then: dict[_Place, dict[str, tuple[tuple[str, bool], ...]]] = {}

    def add(self, fighter: _Place, arm: str, told: dict[_Place, int]) -> None:
        self._told.setdefault(fighter, {})[arm] = told

    def follow(self, fighter: _Place, arm: str, weapons: tuple[tuple[str, bool], ...]) -> None:
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

    def pair(self, found: AttackLines | None) -> int:
        """Return the place of the rows of one attacker, weapon and target; -1 where there are none."""
        if found is None:
            return -1
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
