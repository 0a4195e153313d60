"""What a fighter and its pieces are worth, and what was spent on them."""

from __future__ import annotations

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ItemEntry, ItemOffer, ProfileOffer
from rules.fighters.facts import Facts
from rules.fighters.frame import Frame
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import holder_fits, item_passes, passes_any
from rules.force import ForceFighter
from rules.price import ZERO, Price, add


def entry_of(
    content: Content, frame: Frame, fighter: ForceFighter, who: Facts, held: CarriedItem, foreign: tuple[ItemOffer, ...]
) -> ItemOffer | None:
    """The armoury entry a piece was bought through, or (for finds) the one it would be bought through."""
    chosen = (*foreign, *frame.foreign.get("", ())) if frame.foreign else foreign
    named = named_entry(frame, held.item.id, fighter.kit[held.row].offer if held.row >= 0 else "", chosen)
    if named is not None:
        return named
    entries = (*frame.list.by_item.get(held.item.id, ()), *(o for o in chosen if o.item == held.item.id))
    if not entries:
        return None if held.origin == "bought" else content.finds.get(held.item.id)
    fitting = [o for o in entries if holder_fits(o.who, who, content, item=held.item.id, owned=True)]
    return min(fitting or entries, key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))


def named_entry(frame: Frame, item: str, offer: str, chosen: tuple[ItemOffer, ...]) -> ItemOffer | None:
    """The entry with this id; None where the list sells the piece through others now, as when an entry was parted in two.

    `chosen`: entries of other lists that were picked.
    """
    known = frame.content.item_offers.get(offer)
    if known is None or not known.lists or frame.list.army.id in known.lists or known in chosen:
        return known
    return None if item in frame.list.by_item else known


def price_under(frame: Frame, item: ItemEntry, offer: ItemOffer, *, first: bool | None = None) -> Price:
    """What an armoury entry asks of this warband: its price, under the warband's price effects.

    `first`: whether the piece is the warband's first copy; None for one about to be bought.
    """
    price = offer.price
    firsts = frame.firsts
    if not (frame.prices or firsts.tests) or not price.ducats:
        return price
    ducats = price.ducats
    piece = CarriedItem(item, -1, "bought", frame.content.item_keywords[item.id], None)
    piece.offer = offer
    for effect in frame.prices:
        if effect.items and price.ducats >= effect.from_ducats and passes_any(effect.items, piece, None, frame.content):
            ducats = max(effect.least_ducats, ducats + effect.add_ducats)
    halved = item.id not in firsts.items if first is None else first
    if halved and any(item_passes(t, piece, None, frame.content) for t in firsts.tests):
        ducats = (ducats + 1) // 2
    return Price(ducats=max(0, ducats), glory=price.glory)


def price_of(content: Content, frame: Frame, fighter: ForceFighter, held: CarriedItem, place: int) -> Price:
    """What a piece is worth on the roster: its price on the own list now, else on any list, else what was paid."""
    if held.origin == "mandatory":
        return Price(ducats=content.swappable.get(held.item.id, 0))
    if content.repriced and held.row >= 0 and held.offer is not None and held.offer.id in content.repriced:
        paid = fighter.kit[held.row].paid
        if paid:
            return paid  # house rules never reprice what was bought
    if held.offer is not None:
        return price_under(frame, held.item, held.offer, first=held.row in frame.firsts.rows.get(fighter.key, ()))
    known = content.any_price.get(held.item.id)
    if known is not None:
        return known
    return fighter.kit[held.row].paid if held.row >= 0 else ZERO


def upgrade_price(frame: Frame, content: Content, fighter: ForceFighter, row: int) -> Price:
    """What an upgrade counts: its entry's price (or what was paid) under the warband's price effects."""
    taken = fighter.upgrades[row]
    entries = frame.upgrade_entries(taken.upgrade) or frame.list.by_upgrade.get(taken.upgrade, ())
    offer = content.upgrade_offers.get(taken.offer) or next(iter(entries), None)
    if offer is None or (offer.id in content.repriced and taken.paid):
        return taken.paid
    return upgrade_price_under(frame, content, offer.price, taken.upgrade)


def upgrade_price_under(frame: Frame, content: Content, price: Price, upgrade: str) -> Price:
    """The price of an upgrade for this warband."""
    ducats = price.ducats
    category = content.upgrades[upgrade].category if upgrade in content.upgrades else ""
    for effect in frame.prices:
        if effect.upgrade_category and effect.upgrade_category == category and ducats >= effect.from_ducats:
            ducats = max(effect.least_ducats, ducats + effect.add_ducats)
    return Price(ducats=max(0, ducats), glory=price.glory)


def set_money(
    content: Content,
    frame: Frame,
    fighter: ForceFighter,
    who: Facts,
    offer: ProfileOffer | ItemOffer | None,
    becomes: v.BecomesEffect | None,
) -> None:
    """Rating (what it adds to the warband's worth) and spending (what it took from the budget)."""
    bought_before = offer is not None and offer.id in content.repriced and bool(fighter.paid)
    listed = content.hire_price(offer) if offer is not None and not bought_before else fighter.paid
    gone = sum(kit.adds_ducats for kit in who.removed_sets)
    back = paid_on_top(content, fighter, gone)
    credit = Price(ducats=-back if bought_before else -gone)
    free = sum(c.effect.free_ducats for c in who.effects.get(v.UpgradeBudgetEffect, ()))
    prices = [upgrade_price(frame, content, fighter, row) for row in range(len(fighter.upgrades))]
    if becomes is not None:
        for row, upgrade in enumerate(fighter.upgrades):
            taken = content.upgrades.get(upgrade.upgrade)
            if taken and becomes in taken.effects and becomes.worth_ducats is not None:
                prices[row] = ZERO
    ducats = max(0, sum(p.ducats for p in prices) - free)
    upgrades = Price(ducats=ducats, glory=sum(p.glory for p in prices))
    worth = Price(ducats=becomes.worth_ducats) if becomes is not None and becomes.worth_ducats is not None else listed
    own = add(worth, credit)
    who.profile_price = own
    who.upgrade_prices = tuple(prices)
    who.rating = add(own, upgrades, *(h.price for h in who.held if h.included is None))
    bought = [h for h in who.held if h.included is None and h.origin == "bought"]
    found = isinstance(offer, ProfileOffer) and offer.hired_as == "find"
    asked = add(fighter.paid, Price(ducats=-back)) if fighter.paid else add(listed, credit)
    who.spent = add(ZERO if found else asked, upgrades, *(_spent_on(fighter, h) for h in bought))


def paid_on_top(content: Content, fighter: ForceFighter, ducats: int) -> int:
    """How much of these ducats for swappable kit is in what was paid for the fighter: none where it was hired without."""
    entry = content.profile_offers.get(fighter.offer)
    return max(0, min(ducats, fighter.paid.ducats - entry.price.ducats)) if entry is not None and ducats else ducats


def _spent_on(fighter: ForceFighter, held: CarriedItem) -> Price:
    paid = fighter.kit[held.row].paid if held.row >= 0 else ZERO
    if paid:
        return paid
    return held.price if held.offer is not None else ZERO
