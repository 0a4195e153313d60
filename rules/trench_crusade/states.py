"""The states of Trench Crusade editions: their overlays, and what another state changes for the books and for a warband."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from rules.browse import differences
from rules.checker import check
from rules.content.check import kinds_named, texts_of
from rules.content.compiled import Content
from rules.content.load import PackError
from rules.content.overlays.apply import MISSING
from rules.content.overlays.schema import FieldChange, Overlay
from rules.content.overlays.states import TAKEN_AWAY, may_be_taken, newest_official, overlays_of, refusal_of, state_of
from rules.content.overlays.states import at_hand as any_copy
from rules.content.schema import ArmyList
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import listed, short_price
from rules.legality.money import priced
from rules.parts.states import (
    ChangeTold,
    EntryChange,
    FigureChange,
    Missing,
    OverlayInfo,
    RowPrice,
    WarbandChange,
    info_of,
)
from rules.price import ZERO, Price, add
from rules.problems import Problem, Refusal
from rules.translation import gettext as _
from rules.trench_crusade.browse.detail import KIND_OF
from rules.trench_crusade.browse.entries import entries_of
from rules.trench_crusade.browse.entry import detail_of
from rules.trench_crusade.content import GAME, content_of, held_words
from rules.trench_crusade.namesakes import told_name

OFFERED = {"profile_offers": ("profiles", "profile"), "item_offers": ("items", "item"), "upgrade_offers": ("upgrades", "upgrade")}  # fmt: skip
TOLD_TABLES = (*KIND_OF, *OFFERED)
NEEDED_TABLES = (
    "profiles",
    "items",
    "upgrades",
    "abilities",
    "skills",
    "lasting",
    "rules",
)  # what an entry names comes with it


def overlays(edition: str) -> tuple[OverlayInfo, ...]:
    return tuple(info_of(overlay) for overlay in overlays_of(GAME, edition).values())


def newest(edition: str) -> tuple[str, ...]:
    return newest_official(GAME, edition)


def ordered(edition: str, overlays: Sequence[str]) -> tuple[str, ...]:
    for id_ in overlays:
        if id_.startswith(TAKEN_AWAY):
            raise Refusal(
                _("{state} is a state of the past. It can be read, not played.").format(state=id_), code="history"
            )
        overlay = may_be_taken(GAME, edition, id_)
        if overlay is None:
            raise Refusal(_("No overlay is called “{id}” here.").format(id=id_[:60]), code="unknown-overlay")
        if overlay.head.in_base:
            raise Refusal(held_words(edition, id_), code="overlay-held")
    try:
        return state_of(GAME, edition, overlays).tokens
    except PackError as error:
        raise refusal_of(error) from error


def at_hand(edition: str, overlays: Sequence[str]) -> tuple[str, ...]:
    return tuple(id_ for id_ in overlays if any_copy(GAME, edition, id_) is not None)


def with_copies(
    edition: str, overlays: Sequence[str], house_rules: Mapping[str, Any], copies: Sequence[Overlay]
) -> Content:
    return content_of(edition, overlays, house_rules, copies)


# --- what an overlay says ----------------------------------------------------------------------------------------------


def told(edition: str, overlay: str) -> tuple[ChangeTold, ...]:
    found = any_copy(GAME, edition, overlay)
    if found is None:
        raise KeyError(overlay)
    return tuple(_told(edition, found))


def _told(edition: str, overlay: Overlay) -> Iterator[ChangeTold]:
    head, source = overlay.head, overlay.head.source
    base = state_of(GAME, edition).pack
    named = [(table, entry) for table, entry in overlay.added if hasattr(entry, "id")]  # notes on sources have no id
    own = {(table, entry.id): entry for table, entry in named}
    for change in overlay.changes:
        kind, id_, name = _entry_named(base, own, change.table, change.entry)
        before, after = _both(change)
        yield ChangeTold(
            head.id, head.title, head.date, kind, id_, name, _field_words(change), before, after,
            change.reason, change.source or source, change.apply,
        )  # fmt: skip
    for table, entry in named:
        kind, id_, name = _entry_named(base, own, table, entry.id)
        price = short_price(entry.price) if hasattr(entry, "price") else ""
        words = _("a new offer") if table in OFFERED else _("new")
        yield ChangeTold(
            head.id, head.title, head.date, kind, id_, name, words, "", price, "", getattr(entry, "source", "") or source, True
        )  # fmt: skip
    for note in (entry for table, entry in overlay.added if table == "notes"):
        kind, id_, name = _spoken_of(base, own, note.about)
        yield ChangeTold(
            head.id, head.title, head.date, kind, id_, name, _("how it is read here"), "", "", note.words, source, True
        )  # fmt: skip
    for row in overlay.withdrawn:
        kind, id_, name = _entry_named(base, own, row.table, row.entry)
        yield ChangeTold(
            head.id, head.title, head.date, kind, id_, name, _("withdrawn"), "", "", row.reason, row.source or source, True
        )  # fmt: skip


def _entry_named(pack: Any, own: Mapping[tuple[str, str], Any], table: str, id_: str) -> tuple[str, str, str]:
    """Return kind, id and name of the entry that a row speaks of; an offer speaks of what it sells."""
    entry = own.get((table, id_)) or _find(pack, table, id_)
    if entry is not None and table in OFFERED:
        table, attribute = OFFERED[table]
        sold = getattr(entry, attribute)
        entry = own.get((table, sold)) or _find(pack, table, sold)
        id_ = sold
    return KIND_OF.get(table, ""), id_ if entry is not None else "", getattr(entry, "name", "") or id_


def _spoken_of(pack: Any, own: Mapping[tuple[str, str], Any], id_: str) -> tuple[str, str, str]:
    """Return kind, id and name of the entry that a note is about, whatever its table; the id in words if none has it."""
    for table in dict.fromkeys((*(table for table, each in own if each == id_), *TOLD_TABLES)):
        if (table, id_) in own or _find(pack, table, id_) is not None:
            return _entry_named(pack, own, table, id_)
    return "", "", id_.replace("-", " ").capitalize()


def _find(pack: Any, table: str, id_: str) -> Any:
    rows = getattr(pack, table, ())
    return next((e for e in rows if e.id == id_), None) if isinstance(rows, tuple) else None


def _field_words(change: FieldChange) -> str:
    """Return a changed field in words: "statline.ranged" is told as its last part."""
    return change.field.rpartition(".")[2].replace("_", " ")


def _both(change: FieldChange) -> tuple[str, str]:
    if change.is_of_list:
        return _shown(change.remove), _shown(change.add)
    return _shown(change.before), _shown(change.after)


def _shown(value: Any) -> str:
    """Return a value of an overlay in words; "" for none, and for what only the app reads."""
    if value in MISSING:
        return ""
    if isinstance(value, Mapping):
        if set(value) <= {"ducats", "glory"}:
            return short_price(Price(**value))
        return str(value.get("name", value.get("id", "")))
    if isinstance(value, list | tuple):
        return listed([word for part in value if (word := _shown(part))])
    return str(value)


def history(content: Content, kind: str, id_: str) -> tuple[ChangeTold, ...]:
    kept: dict[tuple[str, str], list[ChangeTold]] | None = content.cache.get("history")
    if kept is None:
        kept = content.cache["history"] = {}
        known = dict(overlays_of(GAME, content.edition))
        for taken in content.overlays:  # those that no folder holds
            if taken not in known and (copy := any_copy(GAME, content.edition, taken)):
                known[taken] = copy
        for overlay in known.values():
            for change in _told(content.edition, overlay):
                kept.setdefault((change.kind, change.id), []).append(change)
    return tuple(kept.get((kind, id_), ()))


# --- two states --------------------------------------------------------------------------------------------------------


def book_changes(here: Content, there: Content) -> tuple[EntryChange, ...]:
    key = ("book-changes", _itself(there))
    found: tuple[EntryChange, ...] | None = here.cache.get(key)
    if found is None:
        found = here.cache[key] = tuple(_book_changes(here, there))
    return found


def _itself(content: Content) -> object:
    """Return what stands for this content in a key. Its own id may be another one's once it is forgotten."""
    return content.cache.setdefault("itself", object())


def _book_changes(here: Content, there: Content) -> Iterator[EntryChange]:
    old = {(entry.kind, entry.id): entry for entry in entries_of(here)}
    armies = _list_labels(here) | _list_labels(there)
    for entry in entries_of(there):
        if old.pop((entry.kind, entry.id), None) is None:
            yield EntryChange(entry.kind, entry.id, entry.name, _("new"), "", entry.words)
            continue
        for label, before, after in _figures(here, there, entry.kind, entry.id):
            yield EntryChange(entry.kind, entry.id, entry.name, label, before, after, armies.get(label, ""))
    for (kind, id_), entry in old.items():
        yield EntryChange(kind, id_, entry.name, _("no longer there"), entry.words, "")


def _figures(here: Content, there: Content, kind: str, id_: str) -> tuple[tuple[str, str, str], ...]:
    """Return the figures of one entry that differ: label, before, after. Cached."""
    key = ("figures", _itself(there), kind, id_)
    found: tuple[tuple[str, str, str], ...] | None = here.cache.get(key)
    if found is None:
        one, other = detail_of(here, kind, id_), detail_of(there, kind, id_)
        both = differences(one, other) if one is not None and other is not None else ()
        same = _("nothing more")
        told = ((d.label, *("" if words == same else words for words in (d.here, d.there))) for d in both)
        found = here.cache[key] = tuple((label, was, now) for label, was, now in told if was != now)
    return found


def roster_changes(here: Content, there: Content, force: Force) -> WarbandChange:
    before, after = check(here, force), check(there, force)
    known = {_mark(problem) for problem in before.problems}
    then = {_mark(problem) for problem in after.problems}
    asked, wanted = _asked(here, force), _asked(there, force)
    names = _row_names(here, force)
    both = [(asked[key], wanted[key]) for key in asked if key in wanted]
    refund = add(*(Price(one.ducats - other.ducats, one.glory - other.glory) for one, other in both))
    return WarbandChange(
        lines=tuple(_lines(here, there, force, asked, wanted)),
        missing=tuple(_missing(here, there, force)),
        new=tuple(problem for problem in after.problems if _mark(problem) not in known),
        gone=tuple(problem for problem in before.problems if _mark(problem) not in then),
        before=before.problems,
        after=after.problems,
        rating_before=before.rating,
        rating_after=after.rating,
        refund=refund,
        prices=tuple(
            RowPrice(kind, key, names.get((kind, key), ""), asked[kind, key], wanted[kind, key])
            for kind, key in asked
            if (kind, key) in wanted and asked[kind, key] != wanted[kind, key]
        ),
    )


def _row_names(content: Content, force: Force) -> dict[tuple[str, str], str]:
    names = {("item", piece.key): content.name("item", piece.item) for piece in force.stash}
    for fighter in force.fighters:
        names["fighter", fighter.key] = fighter.name
        names |= {("item", piece.key): content.name("item", piece.item) for piece in fighter.kit}
        names |= {("upgrade", f"{fighter.key}/{u.key}"): content.name("upgrade", u.upgrade) for u in fighter.upgrades}
    return names


def _mark(problem: Problem) -> tuple[str, ...]:
    return problem.code, problem.message, problem.fighter_key, problem.item_key


def _asked(content: Content, force: Force) -> dict[tuple[str, str], Price]:
    """Return what each bought row of the roster costs in this state, by table and key."""
    fighters = tuple(
        replace(
            fighter,
            paid=ZERO,
            kit=tuple(replace(piece, paid=ZERO) for piece in fighter.kit),
            upgrades=tuple(replace(taken, paid=ZERO) for taken in fighter.upgrades),
        )
        for fighter in force.fighters
        if fighter.active and fighter.profile in content.profiles
    )
    bare = replace(force, fighters=fighters, stash=tuple(replace(piece, paid=ZERO) for piece in force.stash))
    if force.list not in content.lists:
        return {}
    found: dict[tuple[str, str], Price] = {}
    for fighter in priced(content, bare).fighters:
        if fighter.paid:
            found["fighter", fighter.key] = fighter.paid
        found |= {
            ("upgrade", f"{fighter.key}/{u.key}"): u.paid for u in fighter.upgrades if u.upgrade in content.upgrades
        }
        found |= _of_items(content, fighter.kit)
    return found | _of_items(content, priced(content, bare).stash)


def _of_items(content: Content, pieces: Iterable[ForceItem]) -> dict[tuple[str, str], Price]:
    return {("item", i.key): i.paid for i in pieces if i.origin == "bought" and i.item in content.items}


def _lines(
    here: Content,
    there: Content,
    force: Force,
    asked: Mapping[tuple[str, str], Price],
    wanted: Mapping[tuple[str, str], Price],
) -> Iterator[FigureChange]:
    """Yield what differs for the warband: first for the list, then fighter by fighter."""
    names = [("list", force.list), ("patron", force.patron)]
    names += [("rule", rule.id) for rule in (here.lists[force.list].rules if force.list in here.lists else ())]
    limits: dict[tuple[str, str], None] = {}
    told: list[FigureChange] = []
    for fighter in force.fighters:
        if fighter.active:
            told += _of_fighter(here, there, fighter, asked, wanted)
            limits |= dict.fromkeys(_entries_of(fighter))
    for piece in force.stash:
        told += _of_price(here, "", "item", piece.item, asked.get(("item", piece.key)), wanted.get(("item", piece.key)))
        limits["item", piece.item] = None
    for kind, id_ in names:
        if kind != "list":
            yield from (
                FigureChange("", here.name(kind, id_), *figure)
                for figure in _figures(here, there, kind, id_)
                if id_ and figure[0] not in (_("Lists"), _("Chosen by"))
            )
    labels = _list_labels(here) | _list_labels(there)
    mine = _list_label(here, force.list)
    for kind, id_ in limits:
        for label, was, now in _figures(here, there, kind, id_):
            if label == mine:
                yield FigureChange("", here.name(kind, id_), _("on the list"), was, now)
    yield from (line for line in told if line.label not in labels)


def _entries_of(fighter: ForceFighter) -> list[tuple[str, str]]:
    return [
        ("profile", fighter.profile),
        *(("item", piece.item) for piece in fighter.kit),
        *(("upgrade", taken.upgrade) for taken in fighter.upgrades),
        *(("skill", learned.skill) for learned in fighter.skills),
    ]


def _of_fighter(
    here: Content,
    there: Content,
    fighter: ForceFighter,
    asked: Mapping[tuple[str, str], Price],
    wanted: Mapping[tuple[str, str], Price],
) -> Iterator[FigureChange]:
    name, key = fighter.name, ("fighter", fighter.key)
    yield from _of_price(here, name, "profile", fighter.profile, asked.get(key), wanted.get(key))
    for piece in fighter.kit:
        key = ("item", piece.key)
        yield from _of_price(here, name, "item", piece.item, asked.get(key), wanted.get(key))
    for taken in fighter.upgrades:
        key = ("upgrade", f"{fighter.key}/{taken.key}")
        yield from _of_price(here, name, "upgrade", taken.upgrade, asked.get(key), wanted.get(key))
    profile = here.profiles.get(fighter.profile)
    comes_with = [("item", item) for kit in (profile.kit if profile else ()) for item in kit.items]
    abilities = [("ability", ability) for ability in (profile.abilities if profile else ())]
    for kind, id_ in dict.fromkeys((*_entries_of(fighter), *comes_with, *abilities)):
        others = {_("Fighters"), _("Works with"), *((_("Comes with"),) if kind == "item" else ())}
        for label, was, now in _figures(here, there, kind, id_):
            if label not in others:  # which other entries have it is no change for this fighter
                yield FigureChange(name, here.name(kind, id_), label, was, now)


def _of_price(
    content: Content, fighter: str, kind: str, id_: str, before: Price | None, after: Price | None
) -> Iterator[FigureChange]:
    if before is not None and after is not None and before != after:
        yield FigureChange(fighter, content.name(kind, id_), _("price"), short_price(before), short_price(after))


def _list_label(content: Content, list_id: str) -> str:
    """Return the label under which the figures of an entry tell its offer on this list."""
    if list_id not in content.lists:
        return ""
    army = content.lists[list_id].army
    base = content.lists.get(army.faction)
    return f"{base.army.short or base.army.name}, {army.name}" if base else told_name(content, list_id)


def _list_labels(content: Content) -> dict[str, str]:
    """Return the name of the faction by the label of each of its lists."""
    return {
        _list_label(content, army.id): told_name(content, army.faction or army.id)
        for army in content.pack.lists
        if army.id in content.lists
    }


# --- what has no counterpart -------------------------------------------------------------------------------------------


def _held(force: Force) -> Iterator[tuple[str, str, str]]:
    """Yield everything that a warband holds: table, id, and the name of its holder."""
    for fighter in force.fighters:
        yield "profiles", fighter.profile, fighter.name
        yield from (("items", piece.item, fighter.name) for piece in fighter.kit)
        for taken in fighter.upgrades:
            yield "upgrades", taken.upgrade, fighter.name
            yield "upgrades", taken.option, fighter.name
        yield from (("skills", learned.skill, fighter.name) for learned in fighter.skills)
        yield from (("traumas", suffered.trauma, fighter.name) for suffered in fighter.traumas)
    for piece in (*force.stash, *force.lost):
        yield "items", piece.item, ""
    yield "patrons", force.patron, ""
    for table, ids in (
        ("lasting", force.lasting),
        ("locations", force.locations),
        ("skills", force.exploration_skills),
    ):
        yield from ((table, id_, "") for id_ in ids)


def _missing(here: Content, there: Content, force: Force) -> Iterator[Missing]:
    if force.list and force.list not in there.lists:
        yield Missing("lists", force.list, here.name("list", force.list), "")
    for table, id_, holder in dict.fromkeys(_held(force)):
        if id_ and id_ not in getattr(there, table):
            yield Missing(table, id_, here.name(KIND_OF[table], id_), holder)


def kept(here: Content, there: Content, force: Force) -> tuple[tuple[str, object], ...]:
    bought = {f.offer for f in force.fighters} | {u.offer for f in force.fighters for u in f.upgrades}
    bought |= {i.offer for i in (*force.stash, *force.lost, *(i for f in force.fighters for i in f.kit))}
    waiting = [("lists", force.list), *((table, id_) for table, id_, _holder in _held(force))]
    waiting += [(table, id_) for table in OFFERED for id_ in sorted(bought)]
    found: dict[tuple[str, str], object] = {}
    while waiting:
        table, id_ = waiting.pop(0)
        if (table, id_) in found or id_ in getattr(there, table) or id_ not in getattr(here, table):
            continue
        entry = here.lists[id_].army if table == "lists" else getattr(here, table)[id_]
        found[table, id_] = msgspec.to_builtins(entry)
        waiting += _named_in(here, entry)
    return tuple((table, entry) for (table, _id), entry in found.items())


def _named_in(content: Content, entry: msgspec.Struct) -> Iterator[tuple[str, str]]:
    """Yield what an entry names and needs, as table and id: its kit, abilities, options, skills and keywords."""
    for owner, name, value in texts_of(entry):
        for table in kinds_named(owner, name):
            if table == "keywords":
                yield table, content.keyword_id(value)
            elif isinstance(owner, ArmyList) and name == "faction":
                yield "lists", value
            elif table in NEEDED_TABLES:
                yield table, value
