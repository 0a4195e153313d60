"""Entries that a campaign adds to a pack, in the pack's own schema: parsed, checked by field, and merged into the pack."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from rules.content import campaign_entries as ce
from rules.content import schema as s
from rules.content.check import check_pack
from rules.content.load import PackFault, decode_entry
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext
from rules.visible import fault_of_name

TABLES: dict[str, type] = {
    "keywords": s.Keyword, "abilities": s.Ability, "profiles": s.ProfileEntry, "profile_offers": s.ProfileOffer, "items": s.ItemEntry,
    "item_offers": s.ItemOffer, "upgrades": s.Upgrade, "upgrade_offers": s.UpgradeOffer, "skills": s.Skill,
    "skill_tables": s.SkillTable, "patrons": ce.Patron, "deeds": ce.Deed, "scenarios": ce.Scenario, "locations": ce.Location,
    "lasting": ce.Lasting,
}  # fmt: skip
# Of a table that is rolled on or chosen from, what somebody still has is known, but not in the pack: no roll finds it.
PUT_AWAY = ("traumas", "locations", "patrons")
KEPT_TABLES = {**TABLES, "traumas": ce.Trauma, "lists": s.ArmyList, "rules": s.ListRule}
OFFERS = {"profile_offers": "profile", "item_offers": "item", "upgrade_offers": "upgrade"}
MOST_TEXT = 16_000  # characters of the whole text
MOST_ENTRIES = 60
MOST_WORDS = 400  # characters of one string
MOST_PARTS = 60  # values of one array
LEAST_NUMBER, MOST_NUMBER = -999, 9999
DEEPEST = 12
NOT_BELOW_ZERO = {
    "ducats",
    "glory",
    "limit",
    "most",
    "least",
    "ranged_hands",
    "movement_inches",
    "range_inches",
    "score",
}
TOLD = 6  # faults that one refusal lists

Rows = tuple[tuple[str, Any], ...]  # table, entry


@dataclass(frozen=True, slots=True)
class Laid:
    """A pack with a campaign's own entries and prices in it.

    `own`: ids of the campaign's own entries, by table; `gone`: ids of offers that were removed again, whose items
    somebody may still own; `book_prices`: the prices in the book, if the campaign changes them. `held`: removed entries
    that somebody may still have, and that are not in the pack.
    """

    pack: s.Pack
    own: frozenset[tuple[str, str]] = frozenset()
    gone: frozenset[str] = frozenset()
    book_prices: Mapping[str, Price] | None = None
    held: Rows = ()

    @property
    def with_held(self) -> s.Pack:
        """Return the pack with what is held beside it."""
        tables = {name: getattr(self.pack, name) for name, _entry in self.held}
        for name, entry in self.held:
            tables[name] = (*tables[name], entry)
        return msgspec.structs.replace(self.pack, **tables)


def parsed(text: str) -> dict[str, Any]:
    """Return the text as TOML tables. Raises Refusal, naming the line, if it is too long or not TOML."""
    if len(text) > MOST_TEXT:
        raise Refusal(
            gettext("Own entries: {count} characters; {most_text} fit.").format(count=len(text), most_text=MOST_TEXT),
            code="too-long",
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refusal(
            gettext("Own entries: the TOML cannot be read: {error}.").format(error=error), code="house-rule"
        ) from error
    except RecursionError:
        raise Refusal(gettext("Own entries: tables nested too deep."), code="house-rule") from None


def faults_of(pack: s.Pack, text: str) -> tuple[str, ...]:
    """Return everything wrong with the extra entries in this pack, each with table, entry and field.

    Empty if they are sound.

    Three passes: entries that cannot be read, then duplicate ids, then entries that do not fit the pack. The first pass
    with faults ends the check.
    """
    try:
        data = parsed(text)
    except Refusal as refusal:
        return (refusal.message,)
    rows, faults = _read_rows(data)
    if not faults:
        faults = list(_taken_ids(pack, rows))
    if not faults:
        before = set(check_pack(pack))
        faults = [fault for fault in check_pack(laid_over(pack, tuple(rows))) if fault not in before]
        faults += _unfit(rows)
    return tuple(faults)


def _read_rows(data: Mapping[str, Any]) -> tuple[list[tuple[str, Any]], list[str]]:
    """Return the entries that can be read, each with its table, and what is wrong with the others."""
    faults = [
        gettext("{name}: no table of this name can be added; {tables} can").format(name=name, tables=", ".join(TABLES))
        for name in data
        if name not in TABLES
    ]
    rows: list[tuple[str, Any]] = []
    count = 0
    for name, kind in TABLES.items():
        given = data.get(name, [])
        if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
            faults.append(gettext("{name}: entries are written as [[{name}]]").format(name=name))
            continue
        count += len(given)
        for index, entry in enumerate(given):
            where = f"{name}[{index}]" + (f" ({entry['id'][:40]})" if isinstance(entry.get("id"), str) else "")
            beyond = list(_beyond(entry, where))
            read = None if beyond else decode_entry(gettext("own entries"), name, index, entry, kind)
            if isinstance(read, PackFault):
                faults.append(f"{where}{read.path.partition(']')[2]}: {read.words}")
            elif beyond:
                faults += beyond
            else:
                rows.append((name, read))
    if count > MOST_ENTRIES:
        faults.append(gettext("{count} entries; {most_entries} fit").format(count=count, most_entries=MOST_ENTRIES))
    return rows, faults


def _taken_ids(pack: s.Pack, rows: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Yield the ids that the book or an earlier one of these entries already has."""
    ids = [(name, entry.id) for name, entry in rows]
    book = {name: {entry.id for entry in getattr(pack, name)} for name in TABLES}
    for name, id_ in ids:
        if id_ in book[name]:
            yield gettext("{name} ({id}): id: an entry of this id is in the book already").format(name=name, id=id_)
    for index, (name, id_) in enumerate(ids):
        if (name, id_) in ids[:index]:
            yield gettext("{name} ({id}): id: stands twice").format(name=name, id=id_)


def _beyond(value: Any, where: str, depth: int = 0) -> Iterator[str]:
    """Yield numbers and texts beyond the limits of a pack, and texts with invisible characters."""
    if depth > DEEPEST:
        yield gettext("{where}: nested too deep").format(where=where)
        return
    match value:
        case str():
            if fault := _text_fault(value):
                yield f"{where}: {fault}"
        case bool():
            return
        case int() | float():
            minimum = 0 if where.rpartition(".")[2] in NOT_BELOW_ZERO else LEAST_NUMBER
            if not minimum <= value <= MOST_NUMBER:
                yield gettext("{where}: {value} is not from {minimum} to {most_number}").format(
                    where=where, value=str(value)[:20], minimum=minimum, most_number=MOST_NUMBER
                )
        case dict():
            for key, part in value.items():
                yield from _beyond(part, f"{where}.{key[:40]}", depth + 1)
        case list() if len(value) > MOST_PARTS:
            yield gettext("{where}: {count} values; {most_parts} fit").format(
                where=where, count=len(value), most_parts=MOST_PARTS
            )
        case list():
            for index, part in enumerate(value):
                yield from _beyond(part, f"{where}[{index}]", depth + 1)


def _text_fault(text: str) -> str:
    """Return what is wrong with a text, "" if nothing is."""
    if len(text) > MOST_WORDS:
        return gettext("{count} characters; {most_words} fit").format(count=len(text), most_words=MOST_WORDS)
    if any(ord(c) < 32 and c not in "\n\t" for c in text):
        return gettext("holds signs that cannot be printed")
    return fault_of_name(text)


def _unfit(rows: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Yield entries that the schema allows but the game cannot use."""
    for table, entry in rows:
        if not entry.__struct_fields__ or (hasattr(entry, "name") and table not in OFFERS and not entry.name.strip()):
            yield gettext("{table} ({entry}): name: is empty").format(table=table, entry=entry.id)
        if fault := _unfit_entry(table, entry):
            yield f"{table} ({entry.id}): {fault}"


def _unfit_entry(table: str, entry: Any) -> str:
    """Return why an entry of this table cannot be used, "" if it can."""
    if table in OFFERS:
        return "" if entry.lists else gettext("lists: names no list")
    match table:
        case "skill_tables" if sorted(row.roll for row in entry.rows) != list(range(2, 13)):
            return gettext("rows: every total of 2D6 from 2 to 12 is asked for once")
        case "profiles" if not entry.statline.base_mm or min(entry.statline.base_mm) < 1:
            return gettext("statline.base_mm: a base is at least 1 mm wide")
        case "items" if not (0 <= entry.hands.ranged <= 6 and 0 <= entry.hands.melee <= 6):
            return gettext("hands: from 0 to 6")
        case "locations" if not (entry.options or entry.rewards):
            return gettext("options: gives nothing")
    return ""


def rows_of(text: str, withdrawn: Iterable[Sequence[Any]] = ()) -> tuple[Rows, Rows]:
    """Return the entries of a text, and those removed from it earlier. Unreadable entries are skipped."""
    try:
        data = parsed(text) if text else {}
    except Refusal:
        data = {}
    now = [(name, entry) for name in TABLES for entry in _listed(data.get(name))]
    return _decoded(now, TABLES), _decoded(((str(row[0]), row[1]) for row in withdrawn if len(row) == 2), KEPT_TABLES)


def _listed(given: Any) -> list[Any]:
    return [entry for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []


def _decoded(rows: Iterable[tuple[str, Any]], tables: Mapping[str, type]) -> Rows:
    found = []
    for name, entry in rows:
        if name in tables:
            read = decode_entry(gettext("own entries"), name, 0, entry, tables[name])
            if not isinstance(read, PackFault):
                found.append((name, read))
    return tuple(found)


def laid_over(pack: s.Pack, rows: Rows) -> s.Pack:
    """Return the pack with these entries added. They replace entries of the book with the same id.

    A patron is added to the lists that it names.
    """
    tables: dict[str, dict[str, Any]] = {}
    for name, entry in rows:
        tables.setdefault(name, {entry_.id: entry_ for entry_ in getattr(pack, name)})[entry.id] = entry
    changed: dict[str, Any] = {name: tuple(entries.values()) for name, entries in tables.items()}
    patrons = [entry for name, entry in rows if name == "patrons"]
    if patrons:
        changed["lists"] = tuple(
            msgspec.structs.replace(
                army,
                patrons=tuple(
                    dict.fromkeys((*army.patrons, *(p.id for p in patrons if {army.id, army.faction} & {*p.lists})))
                ),
            )
            for army in changed.get("lists", pack.lists)
        )
    return msgspec.structs.replace(pack, **changed)


def laid(pack: s.Pack, text: str, withdrawn: Sequence[Sequence[Any]], prices: Mapping[str, Price]) -> Laid:
    """Return the pack under a campaign: with its own entries, those it removed again, and its prices."""
    if not (text or withdrawn or prices):
        return Laid(pack)
    now, earlier = rows_of(text, withdrawn)
    standing = {(name, entry.id) for name, entry in now}
    book = {(name, entry.id) for name in KEPT_TABLES for entry in getattr(pack, name)}
    left = tuple((name, e) for name, e in earlier if (name, e.id) not in standing | book)
    held = tuple(row for row in left if row[0] in PUT_AWAY)
    whole = laid_over(pack, (*(row for row in left if row not in held), *now)) if now or left else pack
    repriced, before = _repriced(whole, prices)
    return Laid(repriced, frozenset(standing), frozenset(entry.id for _, entry in left), before, held)


def _repriced(pack: s.Pack, prices: Mapping[str, Price]) -> tuple[s.Pack, dict[str, Price]]:
    """Return the pack with these prices for offers or for their entries, and the earlier price of each changed offer."""
    before: dict[str, Price] = {}
    changed = {}
    for table, attribute in OFFERS.items() if prices else ():
        offers = []
        for offer in getattr(pack, table):
            price = prices.get(offer.id, prices.get(getattr(offer, attribute), offer.price))
            if price != offer.price:
                before[offer.id] = offer.price
                offer = msgspec.structs.replace(offer, price=price)
            offers.append(offer)
        changed[table] = tuple(offers)
    return msgspec.structs.replace(pack, **changed), before


def remembered(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a campaign must remember when these house rules are replaced.

    These are removed entries, and offers with changed prices.
    Somebody may still own a removed entry, and items bought at a changed price keep the price paid.
    """
    known = before.get("kept") or {}
    old, gone = before.get("extra") or "", known.get("withdrawn") or []
    now = {(name, entry["id"]) for name, entry in _raw(after.get("extra") or "")}
    left: dict[tuple[str, str], Any] = {}
    for name, entry in (*((row[0], row[1]) for row in gone), *_raw(old)):
        if (name, entry["id"]) not in now:
            left[name, entry["id"]] = entry
    priced = {*(known.get("priced") or ()), *(before.get("prices") or {})} - {*(after.get("prices") or {})}
    found: dict[str, Any] = {}
    if left:
        found["withdrawn"] = [[name, entry] for (name, _), entry in left.items()]
    if priced:
        found["priced"] = sorted(priced)
    if known.get("battles"):  # what battles of another edition were about
        found["battles"] = known["battles"]
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """An entry of a text with its own name."""

    table: str
    id: str
    name: str


def entries_named(text: str) -> tuple[Named, ...]:
    """Return the entries of a text that have a name, in their order."""
    return tuple(
        Named(table, entry["id"], entry["name"])
        for table, entry in _raw(text)
        if table not in OFFERS and isinstance(entry.get("name"), str) and entry["name"]
    )


def _raw(text: str) -> list[tuple[str, Any]]:
    try:
        data = parsed(text) if text else {}
    except Refusal:
        return []
    return [(n, e) for n in TABLES for e in _listed(data.get(n)) if isinstance(e.get("id"), str)]
