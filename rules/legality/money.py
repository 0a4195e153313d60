"""The money of a warband: what it was founded with, what its roster cost, and what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.content.compiled import Content
from rules.content.schema import ProfileOffer
from rules.fighters.facts import Facts
from rules.fighters.prices import price_under
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import first
from rules.legality.finding import Finding, Placed
from rules.legality.roster_state import RosterState, examine, stash_offer
from rules.price import ZERO, Price, add
from rules.translation import gettext as _


def start_of(content: Content, force: Force) -> Price:
    """Return what the list is founded with in this mode."""
    if content.house.budget is not None:
        return content.house.budget
    start = content.lists[force.list].army.start
    return start.campaign if force.mode == "campaign" else start.one_off


def money_left(roster: RosterState) -> Price | None:
    """Return the money that is left: the strongbox, or a budget minus the cost of the roster.

    None if it cannot be known.
    """
    force = roster.force
    if force.strongbox is not None:
        return force.strongbox
    budget = force.budget
    if budget is None:
        if force.battles.fought or force.battles.credited:
            return None
        budget = start_of(roster.content, force)
    stash = [stash_price(roster, piece) for piece in force.stash if piece.origin == "bought"]
    spent = add(*[who.spent for who in roster.facts], *stash)
    return Price(ducats=budget.ducats - spent.ducats, glory=budget.glory - spent.glory)


def stash_price(roster: RosterState, piece: ForceItem) -> Price:
    if piece.paid:
        return piece.paid
    offer = stash_offer(roster, piece)
    if offer is None:
        return ZERO
    is_first = piece.key in roster.frame.firsts.stash
    return price_under(roster.frame, offer, first=is_first)


def priced(content: Content, force: Force) -> Force:
    """Return the force with prices filled in that a document leaves out: for each fighter, piece and upgrade, as the checker counts it."""
    if force.list not in content.lists:
        return force
    roster = examine(content, force)
    fighters = {fighter.key: _priced_fighter(fighter, who) for fighter, who in roster.people}
    stash = [replace(i, paid=stash_price(roster, i)) if i.origin == "bought" else i for i in force.stash]
    return replace(force, fighters=tuple(fighters.get(f.key, f) for f in force.fighters), stash=tuple(stash))


def _priced_fighter(fighter: ForceFighter, who: Facts) -> ForceFighter:
    prices = {h.row: h.price for h in who.held if h.row >= 0 and h.included is None and h.offer is not None}
    kit = [
        replace(piece, paid=prices.get(row, ZERO)) if piece.origin == "bought" and not piece.paid else piece
        for row, piece in enumerate(fighter.kit)
    ]
    upgrades = [
        taken if taken.paid else replace(taken, paid=who.upgrade_prices[row])
        for row, taken in enumerate(fighter.upgrades)
    ]
    hired = isinstance(who.offer, ProfileOffer) and who.offer.hired_as != "find"
    paid = who.profile_price if hired and not fighter.paid else fighter.paid
    return replace(fighter, kit=tuple(kit), upgrades=tuple(upgrades), paid=paid)


def money_findings(roster: RosterState) -> Iterator[Placed]:
    """Yield findings for overspending, while founding or in a roster document."""
    left = money_left(roster) or ZERO
    for currency in ("ducats", "glory"):
        amount = getattr(left, currency)
        if amount < 0:
            over = f"{-amount} {currency}"
            yield Placed(
                Finding(
                    "over-budget",
                    _("{first} over budget.").format(first=first(over)),
                    _("Return kit or a fighter worth {over}.").format(over=over),
                    _("{army}, start").format(army=roster.frame.list.army.name),
                    subject=currency,
                    size=-amount,
                )
            )
