"""Lays overlays over a pack, typed field by typed field. Either all of them fit, or nothing is applied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET

from rules.content.load import PackError, PackFault, element_type
from rules.content.overlays.paths import NoSuchPath, put, value_at
from rules.content.overlays.schema import FieldChange, Overlay, Withdrawn
from rules.content.schema import Note, Pack
from rules.translation import gettext as _

KINDS = {name.name: name.type for name in msgspec.structs.fields(Pack)}
# Sentences in our own words: a change need not repeat the one that it replaces.
SENTENCES = {"summary", "details", "words", "who_words", "purpose", "temper", "range_words", "source", "by"}
MISSING: tuple[Any, ...] = (UNSET, None, "", (), [])


@dataclass(frozen=True, slots=True)
class Step:
    """One overlay to lay, or to take away again (`back`)."""

    overlay: Overlay
    back: bool = False


def laid(
    pack: Pack, steps: Sequence[Step], order: Sequence[tuple[str, str]] = (), others: Iterable[Overlay] = ()
) -> Pack:
    """Return the pack with these overlays laid in this order. Raises PackError with every fault.

    `order`: the pairs (earlier, later) of overlays whose order is stated, so that both may touch a field. `others`: all
    overlays that are known, so that a fault can name the one that would bring a missing entry.
    """
    laying = _Laying(
        pack, frozenset(step.overlay.id for step in steps if not step.back), frozenset(order), tuple(others)
    )
    for step in steps:
        if step.back:
            laying.take_away(step.overlay)
        else:
            laying.lay(step.overlay)
    return laying.finished()


@dataclass
class _Laying:
    pack: Pack
    taken: frozenset[str]
    order: frozenset[tuple[str, str]]
    others: tuple[Overlay, ...] = ()
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    touched: dict[tuple[str, str], list[tuple[str, str, bool]]] = field(default_factory=dict)
    added_by: dict[tuple[str, str], str] = field(default_factory=dict)
    gone: dict[tuple[str, str], str] = field(default_factory=dict)
    faults: list[PackFault] = field(default_factory=list)

    def lay(self, overlay: Overlay) -> None:
        for table, entry in overlay.added:
            self.add(overlay, table, entry)
        for change in overlay.changes:
            if change.apply and self.taken.issuperset(change.only_with):
                self.change(overlay, change)
        for row in overlay.withdrawn:
            if self.taken.issuperset(row.only_with):
                self.withdraw(overlay, row)

    def take_away(self, overlay: Overlay) -> None:
        """Change the fields back that tell what stood there before. What came or went with it stays."""
        for change in overlay.changes:
            if not change.apply:
                continue
            back = msgspec.structs.replace(
                change, before=change.after, after=change.before, add=change.remove, remove=change.add
            )
            self.change(overlay, back)

    def finished(self) -> Pack:
        if self.faults:
            raise PackError(self.faults)
        whole = {
            name: tuple(entries.values()) if element_type(KINDS[name]) else entries[""]
            for name, entries in self.tables.items()
        }
        return msgspec.structs.replace(self.pack, **whole)

    def fault(self, overlay: Overlay, entry: str, path: str, words: str) -> None:
        self.faults.append(PackFault(overlay.file, entry, path, words))

    def table(self, name: str) -> dict[str, Any] | None:
        """Return the entries of a table by id (a single table by ""), None for an unknown table."""
        if name not in self.tables:
            if name not in KINDS or name in ("game", "edition"):
                return None
            value = getattr(self.pack, name)
            self.tables[name] = _by_id(value) if element_type(KINDS[name]) else {"": value}
        return self.tables[name]

    def ordered(self, earlier: str, later: Overlay) -> bool:
        return earlier == later.id or (earlier, later.id) in self.order

    def add(self, overlay: Overlay, table: str, entry: Any) -> None:
        entries = self.table(table)
        assert entries is not None  # the reader knows the tables
        id_ = _id_of(entry)
        if id_ in entries:
            other = self.added_by.get((table, id_), "")
            words = (
                _("{other} adds an entry of this id too").format(other=other)
                if other
                else _("there is an entry of this id already; change its fields instead")
            )
            self.fault(overlay, id_, f"$.{table}", words)
            return
        entries[id_] = entry
        self.added_by[table, id_] = overlay.id

    def change(self, overlay: Overlay, change: FieldChange) -> None:
        path = f"$.{change.table}.{change.field}"
        entries = self.table(change.table)
        if entries is None:
            self.fault(overlay, change.entry, f"$.{change.table}", _("no such table"))
            return
        key = (change.table, change.entry)
        if change.entry not in entries:
            if key in self.gone and self.ordered(self.gone[key], overlay):
                return
            self.fault(overlay, change.entry, f"$.{change.table}", self.why_missing(key))
            return
        others = self.touching(key, change, overlay)
        if others is None:
            return
        entry = entries[change.entry]
        try:
            entries[change.entry] = self.changed(entry, change, free=others)
        except (NoSuchPath, msgspec.ValidationError) as error:
            self.fault(overlay, change.entry, path, str(error).partition(" - at ")[0])
            return
        self.touched.setdefault(key, []).append((change.field, overlay.id, change.is_of_list))

    def why_missing(self, key: tuple[str, str]) -> str:
        if key in self.gone:
            return _("{other} withdraws this entry; say which comes first (after)").format(other=self.gone[key])
        for other in self.others:
            if any((table, _id_of(entry)) == key for table, entry in other.added):
                words = _("no such entry; {other} adds it, so take both, or change it only with that one (only_with)")
                return words.format(other=other.id)
        return _("no such entry")

    def touching(self, key: tuple[str, str], change: FieldChange, overlay: Overlay) -> bool | None:
        """Return whether another overlay changed the field before, None if no order of the two is stated."""
        free = False
        for path, other, of_list in self.touched.get(key, ()):
            if other == overlay.id or not _overlap(path, change.field):
                continue
            if not (of_list and change.is_of_list) and not self.ordered(other, overlay):
                words = _(
                    "{other} changes this field too; one of the two must say that it comes after the other (after)"
                )
                self.fault(overlay, change.entry, f"$.{change.table}.{change.field}", words.format(other=other))
                return None
            free = True
        return free

    def changed(self, entry: Any, change: FieldChange, free: bool) -> Any:
        """Return the entry with the change. `free`: another overlay changed the field, so `from` need not hold."""
        kind = type(entry) if isinstance(entry, msgspec.Struct) else KINDS[change.table]
        tree, path = msgspec.to_builtins(entry), change.field.split(".")
        if isinstance(tree, dict) and "effect" not in tree and isinstance(entry, msgspec.Struct):
            _known_field(entry, path[0])
        if change.is_of_list:
            tree = put(tree, path, _changed_list(value_at(tree, path), change, free))
        else:
            if not free and path[-1] not in SENTENCES:
                _holds(entry, kind, tree, path, change)
            tree = put(tree, path, change.after)
        made = msgspec.convert(tree, kind)
        if made == entry and not free:
            raise NoSuchPath(_("holds this already"))
        return made

    def withdraw(self, overlay: Overlay, row: Withdrawn) -> None:
        entries = self.table(row.table)
        key = (row.table, row.entry)
        if entries is None or not element_type(KINDS[row.table]):
            self.fault(overlay, row.entry, f"$.{row.table}", _("no such table"))
        elif row.entry not in entries:
            if key not in self.gone:
                self.fault(overlay, row.entry, f"$.{row.table}", self.why_missing(key))
        else:
            for _path, other, _of_list in self.touched.get(key, ()):
                if not self.ordered(other, overlay):
                    words = _("{other} changes this entry; say which comes first (after)").format(other=other)
                    self.fault(overlay, row.entry, f"$.{row.table}", words)
                    return
            del entries[row.entry]
            self.gone[key] = overlay.id


def _by_id(entries: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in entries:
        id_ = _id_of(entry)
        found[f"{id_} {len(found)}" if id_ in found else id_] = entry  # two notes may be about one thing
    return found


def _id_of(entry: Any) -> str:
    """Return the id of an entry; a note has what it is about."""
    return str(entry.about if isinstance(entry, Note) else entry.id)


def _known_field(entry: msgspec.Struct, name: str) -> None:
    if name == "id" or name not in entry.__struct_fields__:
        raise NoSuchPath(_("has no field “{field}” to change").format(field=name))


def _holds(entry: Any, kind: Any, tree: Any, path: Sequence[str], change: FieldChange) -> None:
    """Check that the value in `from` is what stands there. Raises NoSuchPath."""
    if change.before in MISSING and value_at(tree, path) in MISSING:
        return
    if msgspec.convert(put(tree, path, change.before), kind) != entry:
        now = value_at(tree, path)
        words = _("holds {now}, not {said}").format(now=_shown(now), said=_shown(change.before))
        raise NoSuchPath(words)


def _shown(value: Any) -> str:
    return _("nothing") if value in MISSING else msgspec.json.encode(value).decode()


def _changed_list(now: Any, change: FieldChange, free: bool) -> list[Any]:
    parts = list(now) if isinstance(now, list | tuple) else []
    for value in change.remove:
        if value in parts:
            parts.remove(value)
        elif not free:
            raise NoSuchPath(_("does not hold {value}, so it cannot be removed").format(value=_shown(value)))
    for value in change.add:
        if value not in parts:
            parts.append(value)
        elif not free:
            raise NoSuchPath(_("holds {value} already").format(value=_shown(value)))
    return parts


def _overlap(one: str, other: str) -> bool:
    """Return whether one path is the other, or leads into it."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
