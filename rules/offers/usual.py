"""Usual kits: what fighters of a profile often carry, to be bought in one act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.content.compiled import Content
from rules.content.schema import ItemOffer
from rules.content.schema import UsualKit as KitEntry
from rules.fighters.facts import Facts
from rules.fighters.matching import holder_fits
from rules.fighters.prices import price_under
from rules.force import Force, ForceFighter, ForceItem
from rules.legality.kit import is_locked
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.offers.judging import TRIAL, fighter_in
from rules.offers.reinforcements import purchase_closed
from rules.parts.shop import UsualKit
from rules.price import Price, add


def usual_kits(content: Content, force: Force, fighter: str) -> tuple[UsualKit, ...]:
    """Return the usual kits of a fighter's profile that it may buy as a whole, without what it has already.

    Money is not judged. Raises Refusal for a fighter who is not on the roster.
    """
    if force.list not in content.lists:
        return ()
    roster = examine(content, force)
    bearer, who = fighter_in(roster, fighter)
    if is_locked(who):
        return ()
    found = (
        _kit(roster, entry, bearer, who, f"{bearer.profile}-{number}")
        for number, entry in enumerate(who.profile.usual_kits, 1)
        if not entry.lists or force.list in entry.lists
    )
    return tuple(kit for kit in found if kit is not None)


def _kit(roster: RosterState, entry: KitEntry, bearer: ForceFighter, who: Facts, key: str) -> UsualKit | None:
    """Return the kit for this fighter, None if it lacks nothing of it or may not have all of it."""
    entries = [_entry(roster, item, who) for item in _lacking(entry.items, bearer)]
    open_ones = [each for each in entries if each is not None]
    if not open_ones or len(open_ones) < len(entries):
        return None
    prices = tuple(_prices(roster, open_ones))
    if any(purchase_closed(roster, price, bearer) for price in prices):
        return None
    row = roster.force.fighter(bearer.key)
    pieces = (
        ForceItem(f"{TRIAL}{n}", each.item, "bought", each.id, price)
        for n, (each, price) in enumerate(zip(open_ones, prices, strict=True))
    )
    after = roster.force.with_fighter(replace(row, kit=(*row.kit, *pieces)))
    if new_findings(roster, examine(roster.content, after, roster)):
        return None
    names = tuple(roster.content.items[each.item].name for each in open_ones)
    return UsualKit(key, entry.name, tuple(each.id for each in open_ones), names, add(*prices))


def _lacking(items: Iterable[str], bearer: ForceFighter) -> Iterator[str]:
    has = Counter(piece.item for piece in bearer.kit)
    for item in items:
        if has[item]:
            has[item] -= 1
        else:
            yield item


def _entry(roster: RosterState, item: str, who: Facts) -> ItemOffer | None:
    """Return the armoury entry through which this fighter buys the item, None if there is none."""
    entries = roster.frame.list.by_item.get(item, ())
    fitting = [e for e in entries if not e.exploration_only and holder_fits(e.who, who, roster.content, item=item)]
    return min(fitting, key=lambda e: (e.price.glory, e.price.ducats), default=None)


def _prices(roster: RosterState, entries: Iterable[ItemOffer]) -> Iterator[Price]:
    """Yield the price of each entry; only the first of a kind can be the warband's first copy."""
    bought: set[str] = set()
    for entry in entries:
        yield price_under(roster.frame, entry, first=False if entry.item in bought else None)
        bought.add(entry.item)
