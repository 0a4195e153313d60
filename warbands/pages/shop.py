"""The shop of a fighter or of the stash: items for sale under tabs, one of which is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.parts.offer import Offer
from warbands.pages.addresses import filled, with_query
from warbands.pages.offers import OfferGroup, OfferRow, closed_count, grouped, offer_row, opened_row
from warbands.pages.roster import ITEM_KINDS, Roster
from warbands.pages.widgets import Tab

SHELVES = ("Ranged", "Melee", "Armour", "Other")


@dataclass(frozen=True, slots=True)
class Shop:
    """One open shop. `tabs` are the shelves, `groups` the offers of the open shelf, `address` the page with this shelf open."""

    tabs: tuple[Tab, ...]
    address: str
    groups: tuple[OfferGroup, ...]
    opened: OfferRow | None
    closed_count: int


def shelf_of(offer: Offer) -> str:
    group = offer.group.casefold()
    return next((shelf for shelf in SHELVES[:-1] if group.startswith(shelf.casefold())), SHELVES[-1])


def shelf_named(tab: str) -> str:
    """Return the shelf that an address names, "" for none."""
    return next((shelf for shelf in SHELVES if shelf.casefold() == tab.casefold()), "")


def shop_of(
    roster: Roster,
    offers: Sequence[Offer],
    *,
    shelves: Sequence[str],
    shelf: str,
    here: str,
    anchor: str,
    closed: bool,
    take: str,
    changed: str,
    order: Sequence[str],
    fighter: str = "",
) -> Shop:
    """Build the shop with one shelf open ("" for none); `order` as for `grouped`. No queries."""
    state = filled(tab=shelf.casefold(), set="" if closed else "1")
    address = with_query(here, state)

    def row(offer: Offer) -> OfferRow:
        return offer_row(
            offer,
            verb="Buy",
            url=address,
            fields={"seen": str(roster.warband.version), "offer": offer.id},
            href=roster.names.href(offer.ref, *ITEM_KINDS),
            choose_href=with_query(here, {**state, "take": offer.id}, "offer_choices"),
            opened=take,
            changed=changed,
            fighter=fighter,
        )

    on_shelf = [offer for offer in offers if shelf_of(offer) == shelf]
    groups = grouped(on_shelf, row, closed=closed, order=order)
    return Shop(
        tabs=tuple(
            Tab(one, with_query(here, {**state, "tab": one.casefold()}, anchor), one == shelf) for one in shelves
        ),
        address=address,
        groups=groups,
        opened=opened_row(groups),
        closed_count=closed_count(on_shelf),
    )
