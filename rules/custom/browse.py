"""The rules pages of a game with own profiles: terms in our own words, tables, and interpretations of unclear rules.

Rules that only the console names ("resolve defend-stick") are not listed here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.browse import RuleDetail, RuleEntry, RuleFact, RuleTable, named
from rules.custom.content import CustomContent
from rules.custom.interpretations import Reading
from rules.custom.parse import slug
from rules.custom.reference import ReferencePart
from rules.translation import gettext

TABLE, READING = "table", "reading"
LONGEST = 160


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the game and its meaning in our words. `also`: other names to find it by."""

    kind: str
    name: str
    words: str
    source: str = ""
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return slug(self.name)


@dataclass(frozen=True, slots=True)
class CustomGameBook:
    """The content of a game's rules pages."""

    terms: tuple[Term, ...]
    parts: tuple[ReferencePart, ...]
    readings: tuple[Reading, ...]
    source: str


def entries_of(book: CustomGameBook) -> tuple[RuleEntry, ...]:
    found = [RuleEntry(t.kind, t.id, t.name, t.words, t.source or book.source, also=t.also) for t in book.terms]
    found += [RuleEntry(TABLE, slug(part.title), part.title, _part_words(part), book.source) for part in book.parts]
    found += [
        RuleEntry(
            READING,
            slug(r.key),
            r.words.rstrip("."),
            f"{dict(r.options)[r.default].capitalize()}.",
            r.source,
            also=(r.source,),
        )
        for r in book.readings
    ]
    return tuple(found)


def detail_of(book: CustomGameBook, content: CustomContent, kind: str, id_: str) -> RuleDetail | None:
    """Return one entry in detail, or None if there is none."""
    if kind == TABLE:
        return next((_table(part) for part in book.parts if slug(part.title) == id_), None)
    if kind == READING:
        return next((_reading(content, reading) for reading in book.readings if slug(reading.key) == id_), None)
    return RuleDetail() if any(term.kind == kind and term.id == id_ for term in book.terms) else None


def glossary(book: CustomGameBook, names: Iterable[str]) -> tuple[RuleEntry, ...]:
    """Return the terms with these names, each once, in the order of the names."""
    known = {slug(term.name): term for term in book.terms}
    wanted = dict.fromkeys(slug(name) for name in names)
    return tuple(
        RuleEntry(t.kind, t.id, t.name, t.words, t.source or book.source)
        for t in (known[name] for name in wanted if name in known)
    )


def _part_words(part: ReferencePart) -> str:
    told = "; ".join(f"{label} {words}" for label, words in part.lines) or ", ".join(row[0] for row in part.rows)
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 1].rstrip()}…"


def _table(part: ReferencePart) -> RuleDetail:
    facts = tuple(RuleFact(label, named(words)) for label, words in part.lines)
    if not part.rows:
        return RuleDetail(facts=facts)
    rows = tuple(tuple(named(cell) for cell in row) for row in part.rows)
    heads = part.head or tuple("" for _ in part.rows[0])
    return RuleDetail(facts=facts, tables=(RuleTable(part.title, heads, rows),))


def _reading(content: CustomContent, reading: Reading) -> RuleDetail:
    chosen = content.readings.get(reading.key, reading.default)
    options = dict(reading.options)
    facts = [
        RuleFact(gettext("Read here as"), named(options.get(chosen, chosen))),
        *(RuleFact(gettext("Or as"), named(words)) for option, words in reading.options if option != chosen),
    ]
    house = (
        (gettext("By house rule: {options}.").format(options=options[chosen]),)
        if chosen != reading.default and chosen in options
        else ()
    )
    return RuleDetail(facts=tuple(facts), house=house)
