"""The ways a fighter may leave now: returned while founding, dismissed, or sold."""

from __future__ import annotations

from typing import Literal

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.advancement import scars_of
from rules.fighters.facts import Facts
from rules.fighters.prices import paid_on_top
from rules.force import Force, ForceFighter
from rules.legality.finding import label_of
from rules.legality.roster_state import RosterState, examine
from rules.offers.judging import closed, fighter_in
from rules.offers.reinforcements import only_newcomers
from rules.offers.sales import sale_divisor
from rules.parts.offer import Offer
from rules.price import ZERO, Price
from rules.translation import gettext as _
from rules.translation import ngettext


def departures(content: Content, force: Force, fighter: str) -> tuple[Offer, ...]:
    """Return the ways in which this fighter may leave now. Raises Refusal for a fighter who is not on the roster."""
    roster = examine(content, force)
    bearer, who = fighter_in(roster, fighter)
    ways = [_returned(content, bearer, who)] if force.founding else []
    ways.append(_dismissed(roster, bearer))
    factor = next((c.effect.factor for c in who.of(v.SaleEffect)), 0)
    if factor:
        ways.append(_sold(roster, bearer, who, factor))
    return tuple(ways)


def _way(
    id_: str, name: str, price: Price, details: tuple[str, ...], kind: Literal["dismiss", "sell"] = "dismiss"
) -> Offer:
    return Offer(kind=kind, id=id_, ref=id_, name=name, group="", price=price, rating=ZERO, details=details)


def _kit_details(content: Content) -> tuple[str, ...]:
    return (
        _("Kit you gave it goes to the {stash}. Kit that came with it is lost.").format(
            stash=label_of(content, "stash")
        ),
    )


def _returned(content: Content, bearer: ForceFighter, who: Facts) -> Offer:
    paid = [bearer.paid or who.profile_price, *(upgrade.paid for upgrade in bearer.upgrades)]
    credit = paid_on_top(content, bearer, sum(kit.adds_ducats for kit in who.removed_sets)) if bearer.paid else 0
    price = Price(ducats=sum(p.ducats for p in paid) - credit, glory=sum(p.glory for p in paid))
    return _way(
        "return",
        _("Take back the hire of {bearer}").format(bearer=bearer.name),
        price,
        (_("Everything bought for it is returned too."),),
    )


def _dismissed(roster: RosterState, bearer: ForceFighter) -> Offer:
    content = roster.content
    verb = content.pack.labels.get("retire", _("Dismiss"))
    offer = _way("dismiss", f"{verb} {bearer.name}", ZERO, _kit_details(content))
    if roster.force.founding:
        return closed(offer, _("While building, remove fighters instead."), _("Take back the hire instead."))
    needed = content.pack.campaign.rules.retire_scars if content.pack.campaign else 2
    scars = scars_of(bearer)
    if scars < needed:
        told = ngettext(
            "{fighter} has {count} scar. Only fighters with {needed} or more may leave.",
            "{fighter} has {count} scars. Only fighters with {needed} or more may leave.",
            scars,
        )
        return closed(offer, told.format(fighter=bearer.name, count=scars, needed=needed))
    if only_newcomers(roster):
        return closed(offer, _("The warband called for reinforcements: no one can leave until after the next battle."))
    return offer


def _sold(roster: RosterState, bearer: ForceFighter, who: Facts, factor: int) -> Offer:
    divisor, base = sale_divisor(roster.content), who.profile_price
    price = Price(
        ducats=min(base.ducats, -(-base.ducats * factor // divisor)),
        glory=min(base.glory, -(-base.glory * factor // divisor)),
    )
    offer = _way(
        "sell", _("Sell {bearer}").format(bearer=bearer.name), price, _kit_details(roster.content), kind="sell"
    )
    return (
        closed(offer, _("While building, remove fighters instead."), _("Take back the hire instead."))
        if roster.force.founding
        else offer
    )
