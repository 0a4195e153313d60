"""Services for kit: buy, give, swap, stash, sell and return it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from rules.force import Force, ForceItem
from rules.formatting import listed
from rules.parts.offer import Offer
from rules.problems import Refusal
from warbands.camp_locks import refuse_shut
from warbands.draft_acts import draftable
from warbands.labels import labels_of, one
from warbands.models import Fighter, Item, Warband
from warbands.recorder import Recorder
from warbands.rules_cache import item_offer
from warbands.services.common import (
    acting,
    content_of,
    game_of,
    held_item,
    next_position,
    on_offer,
    paid_words,
    refuse_closed,
    refuse_order,
    roster_fighter,
    settle_choices,
    shop_of,
)
from warbands.services.hire import called, enlist


@draftable
def buy_item(
    *,
    warband: Warband,
    offer_id: str,
    actor: Any,
    fighter: Fighter | None = None,
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> Item | Fighter:
    """Buy an item through an offer, for a fighter or (without one) for the stash.

    Some purchases hire a fighter instead; then return that fighter.

    Raises:
        Refusal: not on offer, closed, a choice is missing, or (after the founding) the strongbox holds too little.
    """
    with acting(warband, kind="buy", actor=actor, token=token, seen=seen) as act:
        bearer = roster_fighter(act, fighter) if fighter is not None else None
        force = act.force()
        taker = str(bearer.pk) if bearer else ""
        offer = on_offer(item_offer(game_of(act), content_of(act), force, taker, offer_id))
        if offer.kind == "hire":
            joined = enlist(act, force, offer, choices=choices)
            act.say(
                _("{{who}} bought {piece}, {paid}.").format(
                    piece=called(joined.name, offer.name), paid=paid_words(offer.price)
                )
            )
            return joined
        item = place_order(act, offer, fighter=bearer, choices=choices)
        told = (
            _("{{who}} bought {piece} for {fighter}, {paid}.")
            if bearer
            else _("{{who}} bought {piece} for the {stash}, {paid}.")
        )
        act.say(
            told.format(
                piece=one(offer.name),
                fighter=bearer.name if bearer else "",
                stash=_stash(act),
                paid=paid_words(offer.price),
            )
        )
    return item


@draftable
def buy_kit(
    *,
    warband: Warband,
    fighters: Sequence[Fighter],
    offer_ids: Sequence[str],
    actor: Any,
    token: str = "",
    seen: int | None = None,
) -> tuple[Item, ...]:
    """Buy all these offers for each of these fighters in one act.

    Raises:
        Refusal: money, a limit or hands forbid a part of it. It names the part, and nothing is bought.
    """
    with acting(warband, kind="buy", actor=actor, token=token, seen=seen) as act:
        bearers = [roster_fighter(act, fighter) for fighter in fighters]
        keys = [str(bearer.pk) for bearer in bearers]
        judged = shop_of(act).whole_kit(content_of(act), act.force(), keys, offer_ids)
        if judged.reason:
            raise Refusal(judged.reason, mend=judged.mend, code="closed")
        bought, names = [], []
        for bearer in bearers:
            for offer_id in offer_ids:
                offer = on_offer(item_offer(game_of(act), content_of(act), act.force(), str(bearer.pk), offer_id))
                bought.append(place_order(act, offer, fighter=bearer))
                names.append(one(offer.name))
        what, who = listed(names[: len(offer_ids)]), listed(bearer.name for bearer in bearers)
        told = _("{{who}} bought {kit} for {fighters}, {paid}.")
        if len(bearers) > 1:
            told = _("{{who}} bought {kit} each for {fighters}, {paid}.")
        act.say(told.format(kit=what, fighters=who, paid=paid_words(act.spent)))
    return tuple(bought)


def place_order(
    act: Recorder,
    offer: Offer,
    *,
    fighter: Fighter | None,
    choices: Mapping[str, Any] | None = None,
) -> Item:
    """Buy the item of an offer inside an act. Returns the new row."""
    refuse_order(act, offer)
    item: Item = act.create(
        Item(
            warband=act.warband,
            fighter=fighter,
            item_id=offer.ref,
            offer_id=offer.id,
            origin=Item.Origin.BOUGHT,
            paid_ducats=offer.price.ducats,
            paid_glory=offer.price.glory,
            state=settle_choices(offer.choices, choices),
            position=next_position(Item.objects.filter(warband=act.warband)),
            why=_("Bought for {price}").format(price=offer.price),
        )
    )
    act.pay(
        offer.price,
        reason=_("Bought {piece} for {fighter}").format(piece=one(offer.name), fighter=fighter.name)
        if fighter
        else _("Bought {piece}").format(piece=one(offer.name)),
    )
    return item


@draftable
def give_item(*, item: Item, fighter: Fighter | None, actor: Any, token: str = "", seen: int | None = None) -> Item:
    """Give an owned item to a fighter, or put it into the stash (fighter None).

    Raises:
        Refusal: the rules do not let this fighter carry it, or its bearer cannot give it away.
    """
    with acting(item.warband, kind="give", actor=actor, token=token, seen=seen) as act:
        refuse_shut(act.warband, "move")
        piece = held_item(act, item)
        taker = roster_fighter(act, fighter) if fighter is not None else None
        if piece.fighter_id == (taker.pk if taker else None):
            where = (
                _("{name} already carries this.").format(name=taker.name)
                if taker
                else _("This is already in the {stash}.").format(stash=_stash(act))
            )
            raise Refusal(where, code="no-change")
        offer = shop_of(act).carry(content_of(act), act.force(), str(piece.pk), str(taker.pk) if taker else "")
        refuse_closed(offer)
        giver = piece.fighter
        act.change(piece, fighter=taker)
        act.say(_moved(offer.name, giver, taker, _stash(act)))
    item.fighter = taker
    return item


def _stash(act: Recorder) -> str:
    return labels_of(act.warband.terms)["stash_within"]


def _moved(name: str, giver: Fighter | None, taker: Fighter | None, stash: str) -> str:
    if taker is None:
        return (
            _("{{who}} put {name} of {giver} into the {stash}.").format(name=one(name), giver=giver.name, stash=stash)
            if giver
            else _("{{who}} left {name} in the {stash}.").format(name=one(name), stash=stash)
        )
    return (
        _("{{who}} gave {name} of {giver} to {taker}.").format(name=one(name), giver=giver.name, taker=taker.name)
        if giver
        else _("{{who}} gave {name} to {taker}.").format(name=one(name), taker=taker.name)
    )


@draftable
def swap_item(*, item: Item, other: Item, actor: Any, token: str = "", seen: int | None = None) -> Item:
    """Swap two owned items between two fighters, or between a fighter and the stash.

    Raises:
        Refusal: one of them may not take the place of the other.
    """
    with acting(item.warband, kind="swap", actor=actor, token=token, seen=seen) as act:
        refuse_shut(act.warband, "move")
        first, second = held_item(act, item), held_item(act, other)
        if first.pk == second.pk or first.fighter_id == second.fighter_id:
            raise Refusal(_("Both items are in the same place already."), code="no-change")
        force = act.force()
        offers = []
        for piece, gone in ((first, second), (second, first)):
            place = str(gone.fighter_id) if gone.fighter_id else ""
            room = _without(force, str(gone.pk))
            offer = shop_of(act).carry(content_of(act), room, str(piece.pk), place)
            refuse_closed(offer)
            offers.append(offer)
        here, there = first.fighter, second.fighter
        act.change(first, fighter=there)
        act.change(second, fighter=here)
        names = [
            _("{piece} of {fighter}").format(piece=one(o.name), fighter=f.name)
            if f
            else _("{piece} from the {stash}").format(piece=one(o.name), stash=_stash(act))
            for o, f in zip(offers, (here, there), strict=True)
        ]
        act.say(_("{{who}} swapped {one} and {other}.").format(one=names[0], other=names[1]))
    item.fighter, other.fighter = there, here
    return item


def _without(force: Force, key: str) -> Force:
    """Return the force with this item moved from its bearer to the stash, to check what can replace it."""
    moved: list[ForceItem] = [piece for piece in force.stash if piece.key == key]
    fighters = []
    for fighter in force.fighters:
        moved += [piece for piece in fighter.kit if piece.key == key]
        fighters.append(replace(fighter, kit=tuple(piece for piece in fighter.kit if piece.key != key)))
    stash = [piece for piece in force.stash if piece.key != key]
    return replace(force, fighters=tuple(fighters), stash=(*stash, *moved))


@draftable
def sell_item(*, item: Item, actor: Any, token: str = "", seen: int | None = None) -> Item:
    """Sell an owned item at the price in the rules. Raises Refusal if it cannot be sold now."""
    with acting(item.warband, kind="sell", actor=actor, token=token, seen=seen) as act:
        refuse_shut(act.warband, "sell")
        piece = held_item(act, item)
        offer = shop_of(act).sale(content_of(act), act.force(), str(piece.pk))
        refuse_closed(offer)
        act.change(piece, fighter=None, status=Item.Status.SOLD)
        act.earn(offer.price, reason=_("Sold {offer}").format(offer=one(offer.name)))
        act.say(_("{{who}} sold {offer}: +{price}.").format(offer=one(offer.name), price=offer.price))
    item.fighter, item.status = None, Item.Status.SOLD
    return item


@draftable
def return_item(*, item: Item, actor: Any, token: str = "", seen: int | None = None) -> Item:
    """Return an item while founding, for a full refund.

    Kit that came with a fighter is refunded at its share of the fighter's price.

    Raises:
        Refusal: the founding is over, or the item cannot be returned.
    """
    with acting(item.warband, kind="return", actor=actor, token=token, seen=seen) as act:
        piece = held_item(act, item)
        offer = shop_of(act).refund(content_of(act), act.force(), str(piece.pk))
        refuse_closed(offer)
        act.change(piece, fighter=None, status=Item.Status.RETURNED)
        act.earn(offer.price, reason=_("Returned {offer}").format(offer=one(offer.name)))
        act.say(_("{{who}} returned {offer}: +{price}.").format(offer=one(offer.name), price=offer.price))
    item.fighter, item.status = None, Item.Status.RETURNED
    return item
