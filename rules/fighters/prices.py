"""The worth of a fighter, its items and its upgrades, and the money that was spent on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ItemOffer, KitSet, ProfileOffer
from rules.fighters.facts import Bearer
from rules.fighters.frame import Frame
from rules.fighters.kit import CarriedItem, bought_piece
from rules.fighters.matching import holder_fits, passes_any
from rules.fighters.sources import Cause
from rules.force import ForceFighter
from rules.price import ZERO, Price, add

# --- one item ---


def named_entry(frame: Frame, item: str, offer: str, chosen: tuple[ItemOffer, ...]) -> ItemOffer | None:
    """Return the entry with this id; None if the list now sells the item through other entries (an entry was split in two).

    `chosen`: entries of other lists that were picked.
    """
    known = frame.content.item_offers.get(offer)
    if known is None or not known.lists or frame.list.army.id in known.lists or known in chosen:
        return known
    return None if item in frame.list.by_item else known


def _entry_of(
    frame: Frame, fighter: ForceFighter, who: Bearer, held: CarriedItem, foreign: tuple[ItemOffer, ...]
) -> ItemOffer | None:
    """Return the armoury entry that an item was bought through, or (for finds) the one it would be bought through."""
    named = named_entry(frame, held.item.id, fighter.kit[held.row].offer if held.row >= 0 else "", foreign)
    if named is not None:
        return named
    entries = (*frame.list.by_item.get(held.item.id, ()), *[o for o in foreign if o.item == held.item.id])
    if not entries:
        return None if held.origin == "bought" else frame.content.finds.get(held.item.id)
    if len(entries) == 1:
        return entries[0]
    fitting = [o for o in entries if holder_fits(o.who, who, frame.content, item=held.item.id, owned=True)]
    return min(fitting or entries, key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))


def price_under(frame: Frame, offer: ItemOffer, *, first: bool | None = None) -> Price:
    """Return the price of an armoury entry for this warband, after the warband's price effects.

    `first`: whether the item is the warband's first copy; None for one about to be bought.
    """
    price = offer.price
    firsts = frame.firsts
    if not (frame.prices or firsts.tests) or not price.ducats:
        return price
    ducats = price.ducats
    piece = bought_piece(frame.content, offer.item, offer)
    for effect in frame.prices:
        if effect.items and price.ducats >= effect.from_ducats and passes_any(effect.items, piece, None, frame.content):
            ducats = max(effect.least_ducats, ducats + effect.add_ducats)
    is_halved = offer.item not in firsts.items if first is None else first
    if is_halved and passes_any(firsts.tests, piece, None, frame.content):
        ducats = (ducats + 1) // 2
    return Price(ducats=max(0, ducats), glory=price.glory)


def _price_of(frame: Frame, fighter: ForceFighter, held: CarriedItem, offer: ItemOffer | None) -> Price:
    """Return the worth of an item on the roster: its current price on the own list, else on any list, else the price paid."""
    content = frame.content
    if held.origin == "mandatory":
        return Price(ducats=content.swappable.get(held.item.id, 0))
    paid = fighter.kit[held.row].paid if held.row >= 0 else ZERO
    if offer is None:
        return content.any_price.get(held.item.id, paid)
    if paid and offer.id in content.repriced:
        return paid  # house rules never change the price of bought items
    return price_under(frame, offer, first=held.row in frame.firsts.rows.get(fighter.key, ()))


def priced_kit(
    frame: Frame, fighter: ForceFighter, who: Bearer, pieces: Sequence[CarriedItem], foreign: tuple[ItemOffer, ...]
) -> tuple[CarriedItem, ...]:
    """Return the items with their armoury entries and prices. Items that come with the profile have neither."""
    chosen = (*foreign, *frame.foreign.get("", ())) if frame.foreign else foreign
    priced = []
    for held in pieces:
        if held.included is None:
            offer = _entry_of(frame, fighter, who, held, chosen)
            price = _price_of(frame, fighter, held, offer)
            held = CarriedItem(held.item, held.row, held.origin, held.keywords, None, offer, price)
        priced.append(held)
    return tuple(priced)


# --- upgrades ---


def upgrade_price(frame: Frame, fighter: ForceFighter, row: int) -> Price:
    """Return the worth of an upgrade: its entry's price (or the price paid) after the warband's price effects."""
    content, taken = frame.content, fighter.upgrades[row]
    entries = frame.upgrade_entries(taken.upgrade) or frame.list.by_upgrade.get(taken.upgrade, ())
    offer = content.upgrade_offers.get(taken.offer) or next(iter(entries), None)
    if offer is None or (offer.id in content.repriced and taken.paid):
        return taken.paid
    return upgrade_price_under(frame, offer.price, taken.upgrade)


def upgrade_price_under(frame: Frame, price: Price, upgrade: str) -> Price:
    """Return the price of an upgrade for this warband."""
    ducats = price.ducats
    known = frame.content.upgrades.get(upgrade)
    for effect in frame.prices:
        if (
            known is not None
            and effect.upgrade_category
            and effect.upgrade_category == known.category
            and ducats >= effect.from_ducats
        ):
            ducats = max(effect.least_ducats, ducats + effect.add_ducats)
    return Price(ducats=max(0, ducats), glory=price.glory)


# --- the whole fighter ---


class Worth(NamedTuple):
    """The worth of a fighter.

    `rating` is its share of the warband's worth, `spent` its share of the money spent from the budget; the rest are
    parts of the rating.
    """

    rating: Price
    spent: Price
    profile: Price
    upgrades: tuple[Price, ...]


def worth_of(
    frame: Frame,
    fighter: ForceFighter,
    offer: ProfileOffer | ItemOffer | None,
    becomes: v.BecomesEffect | None,
    pieces: Sequence[CarriedItem],
    removed: Sequence[KitSet],
    effects: Mapping[type, list[Cause]],
) -> Worth:
    """Return the worth of the fighter with its upgrades and items, and the money that was spent on it."""
    new_worth = None if becomes is None else becomes.worth_ducats
    profile, hire = _profile_prices(frame.content, fighter, offer, new_worth, sum(kit.adds_ducats for kit in removed))
    prices = tuple(
        [
            ZERO
            if new_worth is not None and _brings(frame.content, taken.upgrade, becomes)
            else upgrade_price(frame, fighter, row)
            for row, taken in enumerate(fighter.upgrades)
        ]
    )
    free_ducats = sum(cause.effect.free_ducats for cause in effects.get(v.UpgradeBudgetEffect, ()))
    upgrades = Price(max(0, sum([p.ducats for p in prices]) - free_ducats), sum([p.glory for p in prices]))
    own = [held for held in pieces if held.included is None]
    spent = [_spent_on(fighter, held) for held in own if held.origin == "bought"]
    return Worth(
        rating=add(profile, upgrades, *[held.price for held in own]),
        spent=add(hire, upgrades, *spent),
        profile=profile,
        upgrades=prices,
    )


def _profile_prices(
    content: Content,
    fighter: ForceFighter,
    offer: ProfileOffer | ItemOffer | None,
    new_worth: int | None,
    removed_ducats: int,
) -> tuple[Price, Price]:
    """Return the worth of the profile without kit that was given up, and the cost of hiring it.

    `new_worth`: the worth of the profile that it changed into, in ducats.
    """
    paid_for_removed = paid_on_top(content, fighter, removed_ducats)
    keeps_paid = offer is not None and offer.id in content.repriced and bool(fighter.paid)
    listed = fighter.paid if offer is None or keeps_paid else content.hire_price(offer)
    credit = Price(ducats=-paid_for_removed if keeps_paid else -removed_ducats)
    worth = add(listed if new_worth is None else Price(ducats=new_worth), credit)
    if isinstance(offer, ProfileOffer) and offer.hired_as == "find":
        return worth, ZERO
    return worth, add(fighter.paid, Price(ducats=-paid_for_removed)) if fighter.paid else add(listed, credit)


def _brings(content: Content, upgrade: str, becomes: v.BecomesEffect | None) -> bool:
    """Return whether this upgrade changes the fighter into another profile.

    It adds nothing to the worth of that profile.
    """
    return upgrade in content.upgrades and becomes in content.upgrades[upgrade].effects


def paid_on_top(content: Content, fighter: ForceFighter, ducats: int) -> int:
    """Return how much of these ducats for swappable kit is included in the price paid for the fighter.

    It is 0 for a fighter hired without the kit.
    """
    entry = content.profile_offers.get(fighter.offer)
    return max(0, min(ducats, fighter.paid.ducats - entry.price.ducats)) if entry is not None and ducats else ducats


def _spent_on(fighter: ForceFighter, held: CarriedItem) -> Price:
    paid = fighter.kit[held.row].paid if held.row >= 0 else ZERO
    return paid or (held.price if held.offer is not None else ZERO)
