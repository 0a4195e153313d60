"""Offers for an owned piece: give it to somebody, sell it, return it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.facts import Facts
from rules.fighters.foreign import foreign_offers
from rules.fighters.kit import CarriedItem
from rules.fighters.prices import paid_on_top
from rules.force import Force, ForceFighter, ForceItem
from rules.legality.finding import put_away
from rules.legality.kit import is_locked
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.offers.judging import SHELVES, closed, fighter_in, judged
from rules.offers.reinforcements import kit_closed, only_newcomers
from rules.offers.sales import sale_price
from rules.parts.offer import Offer
from rules.price import ZERO, Price
from rules.problems import Refusal
from rules.translation import gettext as _


def _find_piece(force: Force, key: str) -> tuple[ForceItem, ForceFighter | None]:
    """Return the piece with this key and its carrier (None: the stash). Raises Refusal for an unknown key."""
    bearers = ((None, force.stash), *((fighter, fighter.kit) for fighter in force.fighters))
    for bearer, pieces in bearers:
        for piece in pieces:
            if piece.key == key:
                return piece, bearer
    raise Refusal(_("The warband no longer holds this piece."), code="gone")


def _piece_offer(
    roster: RosterState, piece: ForceItem, price: Price, kind: Literal["item", "sell", "special"] = "item"
) -> Offer:
    item = roster.content.items.get(piece.item)
    name = item.name if item else piece.item
    group = SHELVES[item.category] if item else ""
    return Offer(kind=kind, id=piece.key, ref=piece.item, name=name, group=group, price=price, rating=ZERO)


def _bound(roster: RosterState, piece: ForceItem, owner: ForceFighter | None) -> str:
    """Return why a piece cannot leave its bearer, or "" if it can."""
    item = roster.content.items.get(piece.item)
    if owner is None or item is None:
        return ""
    who = next((who for fighter, who in roster.people if fighter.key == owner.key), None)
    if who is None:
        return ""
    row = next((n for n, i in enumerate(owner.kit) if i.key == piece.key), -1)
    held = next((h for h in who.held if h.row == row), None)
    if any(isinstance(e, v.CannotMoveEffect) for e in item.effects) and not (held and held.fixed):
        return _("{item} stays with its first owner.").format(item=item.name)
    return _bound_by_rules(roster, owner, who, held) if held is not None else ""


def _bound_by_rules(roster: RosterState, owner: ForceFighter, who: Facts, held: CarriedItem) -> str:
    if held.fixed:
        return _("{item} belongs to {profile} and stays with {owner}.").format(
            item=held.item.name, profile=who.profile.name, owner=owner.name
        )
    if _is_picked_for_good(roster, who, held):
        return _("{item} stays with its first owner.").format(item=held.item.name)
    return _keeps_to_its_kit(owner) if held.included is not None and is_locked(who) else ""


def _keeps_to_its_kit(fighter: ForceFighter) -> str:
    return _("{fighter} keeps to the kit that comes with it.").format(fighter=fighter.name)


def _is_picked_for_good(roster: RosterState, who: Facts, held: CarriedItem) -> bool:
    """Return whether the piece was picked from another list through a rule that binds it to its bearer."""
    rules = (c for c in who.of(v.ForeignPickEffect) if c.effect.own and c.effect.stays)
    return any(held.offer in foreign_offers(roster.content, roster.frame.list, c) for c in rules)


def carry(content: Content, force: Force, item: str, fighter: str) -> Offer:
    """Return the offer to give an owned piece to this fighter ("" is the stash)."""
    roster = examine(content, force)
    piece, owner = _find_piece(force, item)
    offer = _piece_offer(roster, piece, ZERO)
    reason = _bound(roster, piece, owner) or kit_closed(roster, owner, fighter)
    if reason:
        return closed(offer, reason)
    if not fighter:
        return offer
    bearer, who = fighter_in(roster, fighter)
    if is_locked(who):
        return closed(offer, _keeps_to_its_kit(bearer), _("Give it to someone else."))
    fighters = tuple(replace(f, kit=tuple(i for i in f.kit if i.key != item)) for f in force.fighters)
    without = replace(force, fighters=fighters, stash=tuple(i for i in force.stash if i.key != item))
    taker = without.fighter(fighter)
    before = examine(content, without)
    after = examine(content, without.with_fighter(replace(taker, kit=(*taker.kit, piece))), before)
    added = [placed for placed in new_findings(before, after) if placed.finding.code != "warband-limit"]
    return judged(roster, offer, added, takes=True)


def sale(content: Content, force: Force, item: str) -> Offer:
    """Return the offer to sell an owned piece for half of its base price, rounded up, or why it cannot be sold."""
    roster = examine(content, force)
    piece, owner = _find_piece(force, item)
    price = sale_price(roster, piece)
    offer = _piece_offer(roster, piece, price, "sell")
    bound = _bound(roster, piece, owner)
    if bound:
        return closed(offer, bound)
    if force.founding:
        mend = _("Until then, return it for all that was paid.")
        return closed(offer, _("{offer} can be sold only after building.").format(offer=offer.name), mend)
    if only_newcomers(roster):
        return closed(offer, _("The warband called for reinforcements: nothing is sold until after the next battle."))
    return offer if price else closed(offer, _("{offer} has no price and can't be sold.").format(offer=offer.name))


def refund(content: Content, force: Force, item: str) -> Offer:
    """Return the offer to return a piece while founding.

    It refunds all that was paid, or what swappable kit added to its fighter's price.
    """
    roster = examine(content, force)
    piece, owner = _find_piece(force, item)
    paid = piece.paid
    if piece.origin == "mandatory":
        paid = Price(ducats=content.swappable.get(piece.item, 0))
        if owner is not None and owner.paid:
            paid = Price(ducats=paid_on_top(content, owner, paid.ducats))
    offer = _piece_offer(roster, piece, paid, "special")
    bound = _bound(roster, piece, owner)
    if bound:
        return closed(offer, bound)
    if not force.founding:
        return closed(offer, _("You can return kit only while building."), _("Sell it instead."))
    if piece.origin not in ("bought", "mandatory"):
        return closed(offer, _("{offer} was not bought.").format(offer=offer.name), f"{put_away(content, 'it')}.")
    return offer
