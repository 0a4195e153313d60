"""Entries that a campaign adds to a pack, in the pack's own schema: read, checked with the field named, and laid over it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from rules.content import schema as s
from rules.content.check import check_pack
from rules.content.load import PackFault, decode_entry
from rules.price import Price
from rules.problems import Refusal
from rules.visible import fault_of_name

TABLES: dict[str, type] = {
    "keywords": s.Keyword, "abilities": s.Ability, "profiles": s.ProfileEntry, "profile_offers": s.ProfileOffer, "items": s.ItemEntry,
    "item_offers": s.ItemOffer, "upgrades": s.Upgrade, "upgrade_offers": s.UpgradeOffer, "skills": s.Skill,
    "skill_tables": s.SkillTable, "patrons": s.Patron, "deeds": s.Deed, "scenarios": s.Scenario, "locations": s.Location,
    "lasting": s.Lasting,
}  # fmt: skip
OFFERS = {"profile_offers": "profile", "item_offers": "item", "upgrade_offers": "upgrade"}
MOST_TEXT = 16_000  # characters of the whole
MOST_ENTRIES = 60
MOST_WORDS = 400  # characters of one text
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
TOLD = 6  # faults that one refusal names

Rows = tuple[tuple[str, Any], ...]  # table, entry


@dataclass(frozen=True, slots=True)
class Laid:
    """A pack with a campaign's own entries and prices in it.

    `own`: ids of entries that are the campaign's, by table; `gone`: ids of offers that were taken out again, whose things may still be
    held; `book_prices`: what the book asks where the campaign asks otherwise.
    """

    pack: s.Pack
    own: frozenset[tuple[str, str]] = frozenset()
    gone: frozenset[str] = frozenset()
    book_prices: Mapping[str, Price] | None = None


def parsed(text: str) -> dict[str, Any]:
    """The text as TOML tables. Raises Refusal for what is too long or no TOML, with the line."""
    if len(text) > MOST_TEXT:
        raise Refusal(f"Extra entries: {len(text)} characters; {MOST_TEXT} fit.", code="too-long")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refusal(f"Extra entries: the TOML cannot be read: {error}.", code="house-rule") from error
    except RecursionError:
        raise Refusal("Extra entries: tables nested too deep.", code="house-rule") from None


def faults_of(pack: s.Pack, text: str) -> tuple[str, ...]:
    """Everything wrong with the extra entries as they stand beside this pack, each with table, entry and field. Empty when sound."""
    try:
        data = parsed(text)
    except Refusal as refusal:
        return (refusal.message,)
    faults = [
        f"{name}: no table of this name can be added; {', '.join(TABLES)} can" for name in data if name not in TABLES
    ]
    rows: list[tuple[str, Any]] = []
    count = 0
    for name, kind in TABLES.items():
        given = data.get(name, [])
        if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
            faults.append(f"{name}: entries are written as [[{name}]]")
            continue
        for place, entry in enumerate(given):
            count += 1
            where = f"{name}[{place}]" + (f" ({entry['id'][:40]})" if isinstance(entry.get("id"), str) else "")
            beyond = list(_beyond(entry, where))
            if beyond:
                faults += beyond
                continue
            found = decode_entry("extra entries", name, place, entry, kind)
            if isinstance(found, PackFault):
                faults.append(f"{where}{found.path.partition(']')[2]}: {found.words}")
            else:
                rows.append((name, found))
    if count > MOST_ENTRIES:
        faults.append(f"{count} entries; {MOST_ENTRIES} fit")
    if faults:
        return tuple(faults)
    known = {name: {entry.id for entry in getattr(pack, name)} for name in TABLES}
    faults += [
        f"{name} ({entry.id}): id: an entry of this id is in the book already"
        for name, entry in rows
        if entry.id in known[name]
    ]
    seen: set[tuple[str, str]] = set()
    for name, entry in rows:
        if (name, entry.id) in seen:
            faults.append(f"{name} ({entry.id}): id: stands twice")
        seen.add((name, entry.id))
    if faults:
        return tuple(faults)
    before = set(check_pack(pack))
    faults += [fault for fault in check_pack(laid_over(pack, tuple(rows))) if fault not in before]
    faults += _unfit(pack, rows)
    return tuple(faults)


def _beyond(value: Any, where: str, depth: int = 0) -> Iterator[str]:
    """Figures and texts beyond what a pack holds, and texts that nobody can see as they are."""
    if depth > DEEPEST:
        yield f"{where}: nested too deep"
    elif isinstance(value, str):
        if len(value) > MOST_WORDS:
            yield f"{where}: {len(value)} characters; {MOST_WORDS} fit"
        elif any(ord(c) < 32 and c not in "\n\t" for c in value):
            yield f"{where}: holds signs that cannot be printed"
        elif fault := fault_of_name(value):
            yield f"{where}: {fault}"
    elif isinstance(value, bool):
        return
    elif isinstance(value, int | float):
        least = 0 if where.rpartition(".")[2] in NOT_BELOW_ZERO else LEAST_NUMBER
        if not least <= value <= MOST_NUMBER:
            yield f"{where}: {str(value)[:20]} is not from {least} to {MOST_NUMBER}"
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _beyond(part, f"{where}.{key[:40]}", depth + 1)
    elif isinstance(value, list):
        if len(value) > MOST_PARTS:
            yield f"{where}: {len(value)} values; {MOST_PARTS} fit"
        else:
            for place, part in enumerate(value):
                yield from _beyond(part, f"{where}[{place}]", depth + 1)


def _unfit(pack: s.Pack, rows: Sequence[tuple[str, Any]]) -> Iterator[str]:
    """What the schema allows and play cannot use."""
    for name, entry in rows:
        where = f"{name} ({entry.id})"
        if not entry.__struct_fields__ or (hasattr(entry, "name") and name not in OFFERS and not entry.name.strip()):
            yield f"{where}: name: is empty"
        if name in OFFERS and not entry.lists:
            yield f"{where}: lists: names no list"
        if name == "skill_tables" and sorted(row.roll for row in entry.rows) != list(range(2, 13)):
            yield f"{where}: rows: every total of 2D6 from 2 to 12 is asked for once"
        if name == "profiles" and (not entry.statline.base_mm or min(entry.statline.base_mm) < 1):
            yield f"{where}: statline.base_mm: a base is at least 1 mm wide"
        if name == "items":
            hands = entry.hands
            if not (0 <= hands.ranged <= 6 and 0 <= hands.melee <= 6):
                yield f"{where}: hands: from 0 to 6"
        if name == "locations" and not (entry.options or entry.rewards):
            yield f"{where}: options: gives nothing"


def rows_of(text: str, withdrawn: Iterable[Sequence[Any]] = ()) -> tuple[Rows, Rows]:
    """The entries of a text, and those taken out of it earlier; what cannot be read (any more) is passed over."""
    try:
        data = parsed(text) if text else {}
    except Refusal:
        data = {}
    now = [(name, entry) for name in TABLES for entry in _listed(data.get(name))]
    return _decoded(now), _decoded((str(row[0]), row[1]) for row in withdrawn if len(row) == 2)


def _listed(given: Any) -> list[Any]:
    return [entry for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []


def _decoded(rows: Iterable[tuple[str, Any]]) -> Rows:
    found = []
    for name, entry in rows:
        if name in TABLES:
            read = decode_entry("extra entries", name, 0, entry, TABLES[name])
            if not isinstance(read, PackFault):
                found.append((name, read))
    return tuple(found)


def laid_over(pack: s.Pack, rows: Rows) -> s.Pack:
    """The pack with these entries added; one of the same id takes the place of the book's. A patron joins the lists it names."""
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
            for army in pack.lists
        )
    return msgspec.structs.replace(pack, **changed)


def laid(pack: s.Pack, text: str, withdrawn: Sequence[Sequence[Any]], prices: Mapping[str, Price]) -> Laid:
    """The pack as a campaign has it: with its own entries, those it took out again, and its prices."""
    if not (text or withdrawn or prices):
        return Laid(pack)
    now, earlier = rows_of(text, withdrawn)
    standing = {(name, entry.id) for name, entry in now}
    book = {(name, entry.id) for name in TABLES for entry in getattr(pack, name)}
    left = tuple((name, e) for name, e in earlier if (name, e.id) not in standing and (name, e.id) not in book)
    gone = frozenset(entry.id for _, entry in left)
    whole = laid_over(pack, (*left, *now)) if now or left else pack
    before: dict[str, Price] = {}
    if prices:
        changed = {}
        for table, attribute in OFFERS.items():
            rows = []
            for offer in getattr(whole, table):
                if offer.id in prices or getattr(offer, attribute) in prices:
                    asked = prices[offer.id] if offer.id in prices else prices[getattr(offer, attribute)]
                    if asked != offer.price:
                        before[offer.id] = offer.price
                        offer = msgspec.structs.replace(offer, price=asked)
                rows.append(offer)
            changed[table] = tuple(rows)
        whole = msgspec.structs.replace(whole, **changed)
    return Laid(whole, frozenset(standing), gone, before)


def remembered(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What a campaign must still know of once these house rules give way to those: entries taken out, and offers that had other prices.

    Somebody may hold what was taken out, and what was bought at a changed price keeps counting at what was paid.
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
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """An entry of a text, as it calls itself."""

    table: str
    id: str
    name: str


def entries_named(text: str) -> tuple[Named, ...]:
    """The entries of a text that have a name, in their order."""
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
