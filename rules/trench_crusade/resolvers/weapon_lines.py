"""The printed line of a weapon as numbers and keywords ("+1 DICE to hit", "+1 INJURY DICE", "AUTOMATIC 2"), as in
either edition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.content.compiled import Content
from rules.fighters.kit import CarriedItem
from rules.trench_crusade.resolvers.injury import INFECTS, INFECTS_ALWAYS, INFECTS_MORE

NUMBERS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("hit", r"^([+-]\d+) DICE to hit$"),
        ("hit", r"^([+-]\d+) DICE$"),
        ("injury", r"^([+-]\d+) DICE to injuries$"),
        ("injury", r"^([+-]\d+) INJURY DICE$"),
        ("flat", r"^([+-]\d+) to injuries$"),
        ("flat", r"^([+-]\d+) INJURY MODIFIER$"),
    )
)
# How many attacks, and of which kind; "" for the weapon's own kind.
ATTACKS = (
    ("", re.compile(r"^(\d+) attacks$")),
    ("ranged", re.compile(r"^AUTOMATIC (\d+)$")),
    ("melee", re.compile(r"^CLEAVE (\d+)$")),
)
ONE_TARGET = "ONE TARGET"  # all attacks of one ACTION are at the same fighter
BASE = {"3D6 injury roll": 3, "3D6 on injuries": 3, "1D6 on injuries": 1}
# Printed terms that the resolver knows as a keyword.
AS_KEYWORD = {
    "ignores armour": "IGNORE ARMOUR", "ignores cover": "IGNORE COVER", "ignores long range": "IGNORE LONG RANGE",
    "ignores height": "IGNORE ELEVATED POSITION", "ignores shields": "IGNORE SHIELD", "armour counts for 1 less": "ARMOUR PIERCING",
    "hits automatically": "FLAMETHROWER", "no Success Roll": "FLAMETHROWER", "-1 DICE to hit for chargers": "BLOCK", "no injury roll": "NO INJURY ROLL",
    "double BLOOD MARKERS": "DOUBLE MARKERS", "ends the Activation": "RELOAD", "INFECTION in place of BLOOD": INFECTS,
    "1 INFECTION MARKER more": INFECTS_MORE, "1 INFECTION MARKER always": INFECTS_ALWAYS, "one BLOOD MARKER more": "ONE BLOOD MARKER MORE", "Minor Hits become Down": "MINOR HITS ARE DOWN",
    "leaps on to others": "STRIKES OTHERS TOO", "RISKY ACTION": "RISKY", "both shots at one target": ONE_TARGET,
}  # fmt: skip
RADIUS = re.compile(r"^BLAST (\d+)[\"″”]$")
# Terms by their beginning; a measure follows.
BY_START = {"BLAST": "BLAST", "strikes all ": "STRIKES OTHERS TOO"}
# Keywords that do not change an attack's own dice, or that the resolver handles itself.
SILENT = {
    "HEAVY", "ASSAULT", "CONSUMABLE", "SHIELD COMBO", "BAYONET LUG", "CUMBERSOME", "GRENADE", "FIRE", "GAS", "SHRAPNEL", "CRITICAL",
    "DEADLY", "IGNORE ARMOUR", "ARMOUR PIERCING", "ARMOUR PIERCING 2", "IGNORE COVER", "IGNORE LONG RANGE", "IGNORE OFF-HAND WEAPON", "IGNORE OFF-HAND",
    "IGNORE ELEVATED POSITION", "IGNORE DEFENDED OBSTACLE", "SHOTGUN", "PISTOL",
    "RISKY", "RELOAD", "SCATTER", "may be wielded", "BLOCK", "FLAMETHROWER", "BLAST", "BLAST (X)", "HELD", "POLEARM", "INFECTION MARKERS", "DEPLOYABLE",
}  # fmt: skip
# Printed terms that change nothing in one attack: other rolls, how often, and how attacks follow one another.
OF_OTHER_MATTERS = {
    "FUMBLE", "+1 DICE on other rolls", "once per game", "two Shoot ACTIONS", "2-Handed in place of other melee weapons",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AttackTerms:
    """A weapon's line as numbers. `shots` and `blows`: its attacks at range and in melee. `blast`: the radius in
    inches. `left`: printed terms that are not calculated."""

    hit: int = 0
    injury: int = 0
    flat: int = 0
    base: int = 2
    shots: int = 1
    blows: int = 1
    keywords: frozenset[str] = frozenset()
    left: tuple[str, ...] = ()
    blast: int = 0


def terms_of(content: Content, held: CarriedItem) -> AttackTerms:
    """Read the line of a weapon: its modifiers and its keywords."""
    numbers = {"hit": 0, "injury": 0, "flat": 0}
    base, blast = 2, 0
    attacks = {"ranged": 1, "melee": 1}
    keywords: set[str] = set()
    left: list[str] = []
    for term in dict.fromkeys((*held.item.modifiers, *_printed_keywords(content, held))):
        text = term.replace("−", "-")
        if wide := RADIUS.match(text):
            blast = max(blast, int(wide[1]))
        number, count, words = _number_in(NUMBERS, text), _number_in(ATTACKS, text), _keywords(text)
        if number:
            numbers[number[0]] += number[1]
        if count:
            kind = count[0] or ("melee" if held.item.category == "melee" else "ranged")
            attacks[kind] = max(attacks[kind], count[1])
        base = BASE.get(text, base)
        keywords |= words
        if not (number or count or words or text in BASE or text in OF_OTHER_MATTERS):
            left.append(term)
    return AttackTerms(
        **numbers,
        base=base,
        shots=attacks["ranged"],
        blows=attacks["melee"],
        blast=blast,
        keywords=frozenset(keywords),
        left=tuple(left),
    )


def printed_attacks(held: CarriedItem, kind: str) -> int:
    """How many attacks of a kind a weapon has by its own printed line."""
    counts = (_number_in(ATTACKS, term) for term in (*held.item.modifiers, *held.item.keywords))
    return max((count for of, count in filter(None, counts) if (of or held.item.category) == kind), default=1)


def _number_in(patterns: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> tuple[str, int] | None:
    """The name and the number of the pattern that a term matches."""
    return next(((name, int(match[1])) for name, pattern in patterns if (match := pattern.match(text))), None)


def _keywords(text: str) -> set[str]:
    found = {keyword for start, keyword in BY_START.items() if text.startswith(start)}
    return found | ({AS_KEYWORD[text]} if text in AS_KEYWORD else {text} & SILENT)


def _printed_keywords(content: Content, held: CarriedItem) -> tuple[str, ...]:
    """A piece's keywords with their figures, without those it has lost, and with those it has gained."""
    family = content.item_keywords[held.item.id]
    lost = family - held.keywords
    kept = [word for key in held.item.keywords if (word := content.keyword(key)) not in lost]
    return (*kept, *sorted(held.keywords - family))
