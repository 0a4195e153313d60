"""The stash page (items nobody carries, items for sale, last movements, open promises) and the page of the whole ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Sum, Window
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.force import ForceItem
from warbands.event_context import camp_words, occasions_told
from warbands.labels import labels_of
from warbands.models import LedgerEntry, Warband
from warbands.pages.addresses import href_of
from warbands.pages.builder import Promised, promised
from warbands.pages.formatting import day, figure, signed
from warbands.pages.history import undone_events
from warbands.pages.kit import KitPiece, piece_of
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.shop import Shop, stash_shop
from warbands.pages.widgets import BudgetBar, Link, Tab, budget_bar, stashed, tabs_of

LAST = 5
PER_PAGE = 40


@dataclass(frozen=True, slots=True)
class BattleGroup:
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One movement in the shape that `components/ledger_row.html` renders."""

    date: str
    reason: str
    who: str
    battle: BattleGroup | None
    amount_words: str
    balance_words: str
    direction: str
    undo_href: str


@dataclass(frozen=True, slots=True)
class Purse:
    ducats: str
    glory: str
    caption: str
    rows: tuple[LedgerRow, ...]
    entry_count: int
    ledger_href: str


@dataclass(frozen=True, slots=True)
class StashPage:
    """The stash of a warband. `purse` is None for readers who may not see the money."""

    pk: int
    name: str
    acts: bool
    tabs: tuple[Tab, ...]
    labels: Mapping[str, str]
    purse: Purse | None
    pieces: tuple[KitPiece, ...]
    empty_words: str
    shop: Shop | None
    open_words: str
    promises: tuple[Promised, ...]
    camp_href: str
    camp_words: str
    bar: BudgetBar | None
    seen: int


def stash_page(
    roster: Roster,
    *,
    acts: bool,
    shows_money: bool = True,
    find: str = "",
    take: str = "",
    order: Sequence[str] = (),
) -> StashPage:
    """Build the stash page; `order` as for its shop. Five queries on top of the roster."""
    warband = roster.warband
    labels = labels_of(warband.terms)
    at = f"stash:{warband.pk}"
    purse = _purse(roster) if shows_money else None
    usable = len(roster.game.post_battle.camp_tasks(roster.content, roster.force)) if acts else 0
    return StashPage(
        pk=warband.pk,
        name=warband.name,
        acts=acts,
        tabs=tabs_of(warband, "stash", stashed=len(roster.force.stash), acts=acts),
        labels=labels,
        purse=purse,
        pieces=tuple(
            piece_of(roster, item, at=at) if acts else _read_only(roster, item) for item in roster.force.stash
        ),
        empty_words=_empty_words(roster),
        shop=stash_shop(roster, find=find, take=take, order=order) if acts else None,
        open_words=camp_words(warband) if acts else "",
        promises=promised(warband, acts=acts),
        camp_href=href_of("camp-show", warband.pk) if usable else "",
        camp_words=ngettext("{n} find can be used or given out.", "{n} finds can be used or given out.", usable).format(
            n=usable
        )
        if usable
        else "",
        bar=budget_bar(roster, main=Link(_("Hire"), href_of("fighter-hire", warband.pk))) if acts else None,
        seen=warband.version,
    )


def _empty_words(roster: Roster) -> str:
    words = (
        _("The {stash} is empty: fighters carry everything.") if roster.force.fighters else _("The {stash} is empty.")
    )
    return words.format(stash=labels_of(roster.warband.terms)["stash_within"])


def _purse(roster: Roster) -> Purse:
    warband = roster.warband
    entries = _entries(warband)
    return Purse(
        ducats=f"{figure(warband.strongbox_ducats)} d",
        glory=figure(warband.strongbox_glory),
        caption=_("{strongbox}, last entries").format(strongbox=labels_of(warband.terms)["strongbox"]),
        rows=ledger_rows(warband, tuple(entries[:LAST])),
        entry_count=entries.count(),
        ledger_href=href_of("ledger-list", warband.pk),
    )


def _read_only(roster: Roster, item: ForceItem) -> KitPiece:
    href = roster.names.href(item.item, *ITEM_KINDS)
    return KitPiece(f"piece_{item.key}", roster.item_name(item), href, "", "", (), (), ())


def _entries(warband: Warband):
    return (
        LedgerEntry.objects.filter(warband=warband)
        .annotate(
            ducats_held=Window(Sum("ducats"), order_by=F("pk").asc()),
            glory_held=Window(Sum("glory"), order_by=F("pk").asc()),
        )
        .select_related("event")
        .order_by("-pk")
    )


def ledger_rows(warband: Warband, entries: tuple[LedgerEntry, ...]) -> tuple[LedgerRow, ...]:
    """Return movements as rows, each with the balance after it. Two queries: undone movements, and the names of battles."""
    undoings = undone_events(warband, {entry.event_id for entry in entries})
    told = occasions_told(entry.event.occasion for entry in entries)
    history = href_of("history-show", warband.pk)
    rows = []
    for entry in entries:
        words, href = told[entry.event.occasion]
        undone = entry.event_id in undoings
        glory = getattr(entry, "glory_held", 0)
        rows.append(
            LedgerRow(
                date=day(entry.event.at),
                reason=entry.reason,
                who=entry.event.who.rstrip(","),
                battle=BattleGroup(words, href) if words else None,
                amount_words=signed(entry.ducats, entry.glory),
                balance_words=figure(getattr(entry, "ducats_held", 0)) + (f", {figure(glory)} g" if glory else ""),
                direction="undone" if undone else "in" if entry.ducats + entry.glory > 0 else "out",
                undo_href=f"{history}?show=undone#event_{undoings[entry.event_id].pk}" if undone else "",
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class LedgerPage:
    name: str
    back: Link
    tabs: tuple[Tab, ...]
    labels: Mapping[str, str]
    strongbox_words: str
    glory_words: str
    caption: str
    rows: tuple[LedgerRow, ...]
    pager: Pager | None


def ledger_page(warband: Warband, *, page: int, acts: bool) -> LedgerPage:
    """Build the ledger. Five queries."""
    part: Slice[LedgerEntry] = cut(
        _entries(warband),
        page,
        PER_PAGE,
        href_of("ledger-list", warband.pk),
        {},
        counted=LedgerEntry.objects.filter(warband=warband),
    )
    labels = labels_of(warband.terms)
    return LedgerPage(
        name=warband.name,
        back=Link(labels["stash"], href_of("stash-show", warband.pk)),
        tabs=tabs_of(warband, "stash", stashed=stashed(warband), acts=acts),
        labels=labels,
        strongbox_words=f"{figure(warband.strongbox_ducats)} d",
        glory_words=figure(warband.strongbox_glory),
        caption=ngettext("{strongbox}, {count} entry", "{strongbox}, {count} entries", part.count).format(
            strongbox=labels["strongbox"], count=part.count
        ),
        rows=ledger_rows(warband, part.rows),
        pager=part.pager,
    )
