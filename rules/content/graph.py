"""Which entries of a pack name which: the references that `check` looks after, the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules import vocabulary as v
from rules.content import schema as s
from rules.content.check import CHOOSES, REFERENCES, TABLES, _texts
from rules.content.compiled import Content
from rules.content.names import plain

Entry = tuple[str, str]  # table, id


@dataclass(frozen=True, slots=True)
class Mention:
    """An entry that names another one, and the type and field of the struct that does."""

    table: str
    entry: Any
    owner: type
    field: str


def mentions(content: Content) -> Mapping[Entry, tuple[Mention, ...]]:
    """By entry (table and id), everything that names it. Worked out once per content."""
    kept: dict[Entry, tuple[Mention, ...]] | None = content.cache.get("mentions")
    if kept is None:
        found: dict[Entry, dict[Mention, None]] = {}
        tables = {table: {entry.id for entry in getattr(content.pack, table)} for table in TABLES}
        stipulated = {plain(word): entry.id for entry in content.pack.reference for word in (entry.id, entry.name)}
        for table in TABLES:
            for entry in getattr(content.pack, table):
                for owner, name, target in _targets(content, tables, stipulated, entry):
                    if target != (table, entry.id):
                        found.setdefault(target, {})[Mention(table, entry, owner, name)] = None
        kept = content.cache["mentions"] = {target: tuple(by) for target, by in found.items()}
    return kept


def _targets(
    content: Content, tables: Mapping[str, set[str]], stipulated: Mapping[str, str], entry: Any
) -> Iterator[tuple[type, str, Entry]]:
    for owner, name, value in _texts(entry):
        kinds = REFERENCES.get((type(owner), name), ())
        if isinstance(owner, v.ChooseEffect) and name == "options":
            kinds = (CHOOSES[owner.of],)
        elif isinstance(owner, v.ChooseEffect) and name == "tables":
            kinds = ("skill_tables", "patrons")
        elif isinstance(owner, s.KitSet) and name == "one_of":
            kinds = ("items",)
        for kind in kinds:
            if kind == "keywords":
                found = content.keyword_id(content.keyword(value))
            elif kind == "stipulations":
                kind, found = "reference", stipulated.get(plain(value), "")
            else:
                found = value if value in tables.get(kind, ()) else ""
            if found:
                yield type(owner), name, (kind, found)
                break
