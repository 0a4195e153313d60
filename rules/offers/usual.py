"""Usual kits: what fighters of a profile often carry, to be bought in one act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from rules.content.compiled import Content
from rules.content.schema import ItemOffer, KitEntry
from rules.fighters.facts import Facts
from rules.fighters.matching import holder_fits
from rules.fighters.prices import price_under
from rules.force import Force, ForceFighter, ForceItem
from rules.legality.kit import is_locked
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.offers.items import item_closings
from rules.offers.judging import TRIAL, fighter_in
from rules.parts.shop import UsualKit
from rules.price import Price, add

MOST = 2  # kits that are offered at once; the earlier ones in the pack come first


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
    return tuple(islice((kit for kit in found if kit is not None), MOST))


def _kit(roster: RosterState, entry: KitEntry, bearer: ForceFighter, who: Facts, key: str) -> UsualKit | None:
    """Return the kit for this fighter, None if it lacks nothing of it or may not have all of it."""
    lacking = tuple(_lacking(entry.items, bearer))
    pieces = [ForceItem(f"{TRIAL}{n}", item) for n, item in enumerate(lacking)]
    carrier = fighter_in(_with(roster, bearer, pieces), bearer.key)[1]  # what one item allows, another may need
    entries = tuple(filter(None, (_entry(roster, item, carrier) for item in lacking)))
    if not entries or len(entries) < len(lacking):
        return None
    prices = tuple(_prices(roster, entries))
    taken: Counter[str] = Counter()
    for each, price in zip(entries, prices, strict=True):
        if item_closings(roster, each, price, (bearer, who), more=taken[each.id]):
            return None
        taken[each.id] += 1
    pieces = [
        replace(piece, offer=each.id, paid=price) for piece, each, price in zip(pieces, entries, prices, strict=True)
    ]
    if new_findings(roster, _with(roster, bearer, pieces)):
        return None
    names = tuple(roster.content.items[each.item].name for each in entries)
    return UsualKit(key, entry.name, tuple(each.id for each in entries), names, add(*prices))


def _with(roster: RosterState, bearer: ForceFighter, pieces: Iterable[ForceItem]) -> RosterState:
    row = roster.force.fighter(bearer.key)
    return examine(roster.content, roster.force.with_fighter(replace(row, kit=(*row.kit, *pieces))), roster)


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
