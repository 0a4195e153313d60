"""What nobody carries, what may be bought for the stash, what moved last, what is still owed; and the whole ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import F, Sum, Window

from rules.parts.offer import Offer
from warbands.event_context import camp_words, occasions_told
from warbands.labels import labels_of
from warbands.models import LedgerEntry, Promise, Warband
from warbands.pages.addresses import href_of
from warbands.pages.builder import Promised
from warbands.pages.formatting import day, figure, plural, signed
from warbands.pages.history import undone_events
from warbands.pages.kit import SHOP, KitPiece, piece_of, shelf_of
from warbands.pages.offers import OfferGroup, OfferRow, grouped, offer_row
from warbands.pages.paging import Pager, Slice, cut
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.widgets import BudgetBar, Link, Tab, budget_bar, stashed, tabs_of

LAST = 5
PER_PAGE = 40


@dataclass(frozen=True, slots=True)
class BattleGroup:
    """Where a movement belongs."""

    words: str
    href: str


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One movement in the shape that `components/ledger_row.html` draws."""

    date: str
    reason: str
    who: str
    battle: BattleGroup | None
    amount_words: str
    balance_words: str
    direction: str
    undo_href: str


@dataclass(frozen=True, slots=True)
class StashPage:
    """The stash of a warband."""

    pk: int
    name: str
    acts: bool
    here: str
    address: str
    tabs: tuple[Tab, ...]
    strongbox_words: str
    glory_words: str
    pieces: tuple[KitPiece, ...]
    empty_words: str
    shelves: tuple[Tab, ...]
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    shop_words: str
    open_words: str
    rows: tuple[LedgerRow, ...]
    entry_count: int
    ledger_href: str
    promises: tuple[Promised, ...]
    camp_href: str
    camp_words: str
    bar: BudgetBar | None
    closed: bool
    closed_count: int
    seen: int
    labels: Mapping[str, str]
    caption: str


def stash_page(
    roster: Roster,
    *,
    acts: bool,
    shows_money: bool = True,
    tab: str = "",
    take: str = "",
    closed: bool = True,
    changed: str = "",
    order: Sequence[str] = (),
) -> StashPage:
    """Build the stash page; `order` as `grouped` has it: five queries on top of the roster."""
    warband = roster.warband
    here = href_of("stash-show", warband.pk)
    open_shelf = next((shelf for shelf in SHOP if acts and shelf.casefold() == tab.casefold()), "")
    offers = roster.item_offers() if open_shelf else ()
    state = {**({"tab": open_shelf.casefold()} if open_shelf else {}), **({} if closed else {"set": "1"})}
    address = f"{here}?{urlencode(state)}" if state else here

    def to_buy(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb="Buy",
            url=address,
            fields={"offer": offer.id, "seen": str(warband.version)},
            href=roster.names.href(offer.ref, *ITEM_KINDS),
            choose_href=f"{here}?{urlencode({**state, 'take': offer.id})}#offer_choices",
            opened=take,
            changed=changed,
        )

    on_shelf = [offer for offer in offers if shelf_of(offer) == open_shelf]
    groups = grouped(on_shelf, to_buy, closed=closed, order=order)
    at = f"stash:{warband.pk}:{open_shelf.casefold()}"
    pieces = tuple(
        piece_of(roster, item, at=at) if acts else _read_only(roster, item.key) for item in roster.force.stash
    )
    entries = _entries(warband)
    rows, count = (ledger_rows(warband, tuple(entries[:LAST])), entries.count()) if shows_money else ((), 0)
    held = roster.strongbox
    found = roster.game.post_battle.camp_tasks(roster.content, roster.force) if acts else ()
    labels = labels_of(warband.terms)
    return StashPage(
        pk=warband.pk,
        name=warband.name,
        acts=acts,
        here=here,
        address=address,
        tabs=tabs_of(warband, "stash", stashed=len(roster.force.stash), acts=acts),
        labels=labels,
        caption=f"{labels['strongbox']}, last entries",
        strongbox_words=f"{figure(held.ducats)} d" if shows_money else "",
        glory_words=figure(held.glory) if shows_money else "",
        pieces=pieces,
        empty_words=f"The {labels['stash_within']} is empty: everything owned is carried."
        if roster.force.fighters
        else f"The {labels['stash_within']} is empty.",
        shelves=tuple(
            Tab(shelf, f"{here}?{urlencode({**state, 'tab': shelf.casefold()})}#buy", shelf == open_shelf)
            for shelf in SHOP
        ),
        groups=groups,
        opened=next((offered for group in groups for offered in group.rows if offered.opened), None),
        shop_words="Nothing of this kind is open to buy." if open_shelf and not on_shelf else "",
        open_words=camp_words(warband) if acts else "",
        rows=rows,
        entry_count=count,
        ledger_href=href_of("ledger-list", warband.pk) if shows_money else "",
        promises=tuple(
            Promised(promise.words, promise.expires, href_of("promise-settle", promise.pk) if acts else "")
            for promise in Promise.objects.live().filter(warband=warband, status=Promise.Status.OPEN)
        ),
        camp_href=href_of("camp-show", warband.pk) if found else "",
        camp_words=f"{plural(len(found), 'thing')} may be used up or given out." if found else "",
        bar=budget_bar(roster, main=Link("Hire", href_of("fighter-hire", warband.pk))) if acts else None,
        closed=closed,
        closed_count=sum(1 for offer in on_shelf if offer.state == "closed"),
        seen=warband.version,
    )


def _read_only(roster: Roster, key: str) -> KitPiece:
    item = next(item for item in roster.force.stash if item.key == key)
    return KitPiece(f"piece_{key}", roster.item_name(item), roster.names.href(item.item, *ITEM_KINDS), "", (), ())


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
    """Movements as rows, each with the balance after it. Two queries: which of them were undone, and what their battles are called."""
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
    """Every movement of the strongbox, forty to a page, newest first."""

    pk: int
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
    """Build the ledger: five queries."""
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
        pk=warband.pk,
        name=warband.name,
        back=Link(labels["stash"], href_of("stash-show", warband.pk)),
        tabs=tabs_of(warband, "stash", stashed=stashed(warband), acts=acts),
        labels=labels,
        strongbox_words=f"{figure(warband.strongbox_ducats)} d",
        glory_words=figure(warband.strongbox_glory),
        caption=f"{labels['strongbox']}, {part.count} entr{'y' if part.count == 1 else 'ies'}",
        rows=ledger_rows(warband, part.rows),
        pager=part.pager,
    )
