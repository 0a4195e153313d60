"""Several pieces bought in one act, for one fighter or for several: all of them, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rules.content.compiled import Content
from rules.fighters.prices import price_under
from rules.force import Force, ForceItem
from rules.legality.finding import Placed, problem
from rules.legality.kit import is_locked
from rules.legality.money import money_left
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.offers.items import item_closings
from rules.offers.judging import ORDERLY, RANK, TRIAL, fighter_in
from rules.parts.shop import WholeKit
from rules.price import Price, add
from rules.translation import gettext as _

# What only the order of building causes stops no single piece while building, but a kit that cannot be used is not bought.
_STOPS = frozenset({"hands", "heavy"})


def whole_kit(content: Content, force: Force, fighters: Sequence[str], offers: Sequence[str]) -> WholeKit:
    """Judge the purchase of all these armoury entries for each of these fighters.

    Raises Refusal for a fighter who is not on the roster.
    """
    roster = examine(content, force)
    entries = [content.item_offers[offer] for offer in offers if offer in roster.frame.list.item_offer_ids]
    if len(entries) < len(offers) or not entries:
        return WholeKit(reason=_("Part of this kit isn't on offer here."))
    prices: list[Price] = []
    taken: Counter[str] = Counter()
    bought: set[str] = set()
    after = force
    for key in fighters:
        bearer = fighter_in(roster, key)
        if is_locked(bearer[1]):
            return WholeKit(reason=_("{fighter} can't buy kit.").format(fighter=bearer[0].name))
        pieces: list[ForceItem] = []
        for entry in entries:
            price = price_under(roster.frame, entry, first=False if entry.item in bought else None)
            closing = item_closings(roster, entry, price, bearer, more=taken[entry.id])
            if closing:
                name = content.items[entry.item].name
                return WholeKit(reason=_("{item}: {reason}").format(item=name, reason=closing[0].text))
            bought.add(entry.item)
            taken[entry.id] += 1
            prices.append(price)
            pieces.append(ForceItem(f"{TRIAL}{key}-{len(pieces)}", entry.item, "bought", entry.id, price))
        row = after.fighter(key)
        after = after.with_fighter(replace(row, kit=(*row.kit, *pieces)))
    total = add(*prices)
    stopping = _stopping(roster, new_findings(roster, examine(content, after, roster)))
    if stopping is not None:
        found = problem(stopping)
        return WholeKit(price=total, reason=found.message, mend=found.mend)
    return WholeKit(price=total, reason=_short_of(roster, total))


def _stopping(roster: RosterState, added: Sequence[Placed]) -> Placed | None:
    """Return the finding that forbids the purchase, None if nothing does."""
    founding = roster.force.founding
    hard = [
        placed
        for placed in added
        if placed.finding.code != "choice"
        and not (founding and (placed.finding.code in ORDERLY - _STOPS or placed.finding.moving))
    ]
    return min(hard, key=lambda placed: RANK.get(placed.finding.code, len(RANK)), default=None)


def _short_of(roster: RosterState, total: Price) -> str:
    left = money_left(roster)
    if left is None or (total.ducats <= left.ducats and total.glory <= left.glory):
        return ""
    if total.glory > left.glory:
        return _("This costs {price} glory; you have {left}.").format(price=total.glory, left=left.glory)
    return _("This costs {price} d; you have {left}.").format(price=total.ducats, left=max(0, left.ducats))
