"""The closed list of what only the players at the table can know, so that no odds of an attack include it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content

AT_AN_ATTACK = ("attack", "defence", "battle")
TABLES = ("rules", "profiles", "abilities", "items", "upgrades", "skills", "traumas", "lasting")
MARK = "†"  # beside every such term, wherever odds are shown


@dataclass(frozen=True, slots=True)
class TableTerm:
    """One text that leaves something to the table: where it stands in the pack, what is left, and the entry of the list."""

    table: str
    id: str
    name: str
    words: str
    known: str


def left_words(effect: v.ReminderEffect, effects: tuple[Any, ...], summary: str) -> str:
    """What a reminder leaves out of the odds: nothing where other effects of its text calculate the rest."""
    if effect.when not in AT_AN_ATTACK:
        return ""
    calculated = any(isinstance(other, CALCULATED) for other in effects)
    return effect.rest or ("" if calculated else summary)


CALCULATED = (v.AttackEffect, v.NaturalEffect, v.SeriesEffect)


def table_terms(content: Content) -> Iterator[TableTerm]:
    """Every term of the edition that the odds of an attack leave to the table, in the order of the pack."""
    for table in TABLES:
        for entry in getattr(content.pack, table):
            for effect in entry.effects:
                if isinstance(effect, v.ReminderEffect):
                    words = left_words(effect, entry.effects, entry.words)
                    if words:
                        yield TableTerm(table, entry.id, entry.name, words, effect.table_only)


def marked_names(content: Content) -> frozenset[str]:
    """The names of all texts that leave something to the table, cached with the content."""
    known: frozenset[str] | None = content.cache.get("table-only")
    if known is None:
        known = content.cache["table-only"] = frozenset(term.name for term in table_terms(content))
    return known
