"""The reverse references of a pack: which entries name a given entry. `check` validates the references themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.content.check import TABLES, kinds_named, texts_of
from rules.content.compiled import Content
from rules.content.names import plain

Entry = tuple[str, str]  # table, id


@dataclass(frozen=True, slots=True)
class Mention:
    """An entry that names another one, with the type and field of the struct that contains the reference."""

    table: str
    entry: Any
    owner: type
    field: str


def mentions(content: Content) -> Mapping[Entry, tuple[Mention, ...]]:
    """Return everything that names an entry, by entry (table and id). Worked out once per content."""
    return content.once(_mentions)


def _mentions(content: Content) -> Mapping[Entry, tuple[Mention, ...]]:
    found: dict[Entry, dict[Mention, None]] = {}
    tables = {table: {entry.id for entry in getattr(content.pack, table)} for table in TABLES}
    stipulated = {plain(word): entry.id for entry in content.pack.reference for word in (entry.id, entry.name)}
    for table in TABLES:
        for entry in getattr(content.pack, table):
            for owner, name, target in _targets(content, tables, stipulated, entry):
                if target != (table, entry.id):
                    found.setdefault(target, {})[Mention(table, entry, owner, name)] = None
    return {target: tuple(by) for target, by in found.items()}


def _targets(
    content: Content, tables: Mapping[str, set[str]], stipulated: Mapping[str, str], entry: Any
) -> Iterator[tuple[type, str, Entry]]:
    for owner, name, value in texts_of(entry):
        for kind in kinds_named(owner, name):
            if kind == "keywords":
                found = content.keyword_id(content.keyword(value))
            elif kind == "stipulations":
                kind, found = "reference", stipulated.get(plain(value), "")
            else:
                found = value if value in tables.get(kind, ()) else ""
            if found:
                yield type(owner), name, (kind, found)
                break
