"""What a piece brings when it is sold or returned."""

from __future__ import annotations

from rules.content.compiled import Content
from rules.force import ForceItem
from rules.legality.roster_state import RosterState, stash_offer
from rules.price import ZERO, Price


def brought_by(roster: RosterState, piece: ForceItem) -> Price:
    """Return what a piece frees: what was paid for it while the warband is built, later its sale price."""
    if not roster.force.founding:
        return sale_price(roster, piece)
    if piece.paid or piece.origin != "bought":
        return piece.paid
    offer = stash_offer(roster, piece)
    return offer.price if offer else ZERO


def sale_price(roster: RosterState, piece: ForceItem) -> Price:
    """Return half of the base price, rounded up, in the currency of the entry."""
    offer = stash_offer(roster, piece)
    base = offer.price if offer is not None else roster.content.any_price.get(piece.item, ZERO)
    if offer is not None and piece.paid and offer.id in roster.content.repriced:
        base = piece.paid
    divisor = sale_divisor(roster.content)
    return Price(ducats=-(-base.ducats // divisor), glory=-(-base.glory // divisor))


def sale_divisor(content: Content) -> int:
    return content.pack.campaign.sale_divisor if content.pack.campaign else 2
