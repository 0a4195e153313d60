"""The state of an offer: open, open with the problem it would cause, or closed with the reason that is easiest to fix.

Every offer is tried out: the warband is computed as if the offer were taken, and the findings that this adds decide.
While founding, findings that depend only on the order of building (money, hands) do not close an offer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.content.compiled import Content
from rules.content.extra import OFFERS
from rules.content.schema import ItemOffer, ProfileOffer, UpgradeOffer
from rules.fighters.facts import Facts
from rules.force import ForceFighter
from rules.legality.finding import Finding, Placed, problem, put_away
from rules.legality.money import money_left, start_of
from rules.legality.roster_state import RosterState
from rules.offers.sales import brought_by
from rules.parts.offer import Offer, OfferLock, OfferState
from rules.problems import Problem, Refusal
from rules.translation import gettext as _

# Findings that do not close an offer while founding, because only the order of building causes them.
ORDERLY = frozenset({"hands", "heavy", "needs", "ratio", "too-few", "option", "over-budget"})
# The codes of findings, the easiest to fix first.
EASE = (
    "option", "hands", "slot-grenade", "slot-shield", "slot-armour", "slot-headgear", "slot-standard", "slot-instrument", "heavy",
    "duplicate", "model-limit", "needs", "over-budget", "only-for", "excludes", "warband-limit", "ratio", "too-many", "group-cap",
    "elite-cap", "recruitment", "banned", "fixed-kit", "not-offered", "third-party",
)  # fmt: skip
# The kind of reason behind a finding, by its code; money is told apart by its currency.
LOCKS: dict[str, OfferLock] = {
    "only-for": "fighter", "banned": "fighter", "fixed-kit": "fighter",
    "hands": "hands", "heavy": "hands", "slot-grenade": "hands", "slot-shield": "hands", "slot-armour": "hands",
    "slot-headgear": "hands", "slot-standard": "hands", "slot-instrument": "hands",
    "duplicate": "limit", "model-limit": "limit", "warband-limit": "limit", "too-many": "limit", "group-cap": "limit",
    "elite-cap": "limit",
}  # fmt: skip
RANK = {code: index for index, code in enumerate(EASE)}
TRIAL = "(new)"  # the key of the fighter or piece that is tried out
SHELVES = {
    "ranged": "Ranged",
    "heavy": "Ranged: heavy",
    "melee": "Melee",
    "armour": "Armour",
    "equipment": "Other: equipment",
    "field": "Other: field",
}


def _closed(offer: Offer, hard: Sequence[Finding], added: Sequence[Placed]) -> Offer:
    worst = min(hard, key=_rank)
    fighter = next((p.fighter for p in added if p.finding == worst and p.fighter), None)
    others = (problem(p) for p in added if p.finding != worst)
    return _with_reason(offer, "closed", Placed(worst, fighter), others)


def judged(
    roster: RosterState, offer: Offer, added: Sequence[Placed], closing: Sequence[Finding] = (), *, takes: bool = False
) -> Offer:
    """Return the offer with its state, from the findings it would add, from what closes it in any case, and from the money.

    `takes`: the offer would add a piece to the end of a fighter's kit. The advice is then to give up another piece.
    """
    if takes:
        added = [_with_other_advice(roster, placed) for placed in added]
    closed_codes = {finding.code for finding in closing}
    added = [placed for placed in added if placed.finding.code not in closed_codes]
    hard, soft = _weighed(roster, added)
    hard = [*closing, *hard]
    money = _short_of_money(roster, offer)
    if money is not None and roster.force.founding and money.size:
        soft.append(Placed(money))
    elif money is not None:
        hard.append(money)
    if hard:
        return _closed(offer, hard, added)
    if soft:
        return _with_reason(offer, "problem", min(soft, key=lambda p: _rank(p.finding)), map(problem, soft))
    return offer


def _weighed(roster: RosterState, added: Sequence[Placed]) -> tuple[list[Finding], list[Placed]]:
    """Return the findings that close an offer, and those that do not while founding.

    An open choice is neither, because the form asks for it.
    """
    hard: list[Finding] = []
    soft: list[Placed] = []
    for placed in added:
        if placed.finding.code == "choice":
            continue
        if roster.force.founding and _is_orderly(placed.finding):
            soft.append(placed)
        else:
            hard.append(placed.finding)
    return hard, soft


def _is_orderly(finding: Finding) -> bool:
    """Return whether only the order of building causes this finding, so that it does not close an offer while founding."""
    return finding.code in ORDERLY or finding.moving


def _rank(finding: Finding) -> int:
    return RANK.get(finding.code, len(EASE))


def _with_reason(offer: Offer, state: OfferState, worst: Placed, others: Iterable[Problem]) -> Offer:
    reason = problem(worst)
    problems = (reason, *others) if state == "closed" else tuple(others)
    return replace(
        offer, state=state, lock=_lock(worst.finding), reason=reason.message, mend=reason.mend, problems=problems
    )


def _lock(finding: Finding) -> OfferLock:
    if finding.code == "over-budget":
        return "glory" if finding.subject == "glory" else "money"
    return LOCKS.get(finding.code, "other")


def _with_other_advice(roster: RosterState, placed: Placed) -> Placed:
    """Return the finding with advice that suits a piece not taken yet: which other piece to remove to make room for it."""
    finding, fighter = placed
    if fighter is None:
        return placed
    new_row = len(fighter.kit) - 1
    if finding.code == "banned" and finding.row == new_row:
        return Placed(finding._replace(mend=_("Give it to someone else.")), fighter)
    if not finding.spares:
        return placed
    name = next((name for row, name in finding.spares if row != new_row), "")
    return Placed(
        finding._replace(mend=_("{act} first.").format(act=put_away(roster.content, name)) if name else ""),
        fighter,
    )


def _short_of_money(roster: RosterState, offer: Offer) -> Finding | None:
    """Return a finding if there is too little money for this offer, or None if there is enough or money is not counted.

    `size` 0 marks a currency that the warband never received, so no order of building provides it.
    """
    left = money_left(roster)
    if left is None:
        return None
    for currency in ("glory", "ducats"):
        price, available = getattr(offer.price, currency), getattr(left, currency)
        if price and price > available:
            return _too_dear(roster, offer.name, currency, price, available)
    return None


def _too_dear(roster: RosterState, name: str, currency: str, price: int, available: int) -> Finding:
    founding, missing = roster.force.founding, price - available
    budget = roster.force.budget or start_of(roster.content, roster.force)
    costs = _("{name} costs {price}; you have {left}.").format(
        name=name, price=_in_coin(currency, price), left=max(0, available)
    )
    if founding and not getattr(budget, currency):
        return Finding("over-budget", costs, subject=currency, size=0)
    text = _("{amount} over budget.").format(amount=_in_coin(currency, missing)) if founding else costs
    return Finding("over-budget", text, _what_frees(roster, currency, missing), subject=currency, size=missing)


def _in_coin(currency: str, amount: int) -> str:
    return _("{amount} glory").format(amount=amount) if currency == "glory" else _("{amount} d").format(amount=amount)


def _what_frees(roster: RosterState, currency: str, missing: int) -> str:
    """Return a sentence on what would raise the missing amount, or "" if nothing would.

    It names the cheapest piece that is enough, or else the most expensive one.
    """
    founding = roster.force.founding
    owned = [*roster.force.stash, *(i for f in roster.fighters for i in f.kit if founding)]
    pieces = sorted(
        (amount, roster.content.items[piece.item].name)
        for piece in owned
        if piece.item in roster.content.items and (amount := getattr(brought_by(roster, piece), currency)) > 0
    )
    if not pieces:
        return ""
    amount, name = next((p for p in pieces if p[0] >= missing), pieces[-1])
    words = _("Return {item} (+{amount}).") if founding else _("Sell {item} (+{amount}).")
    return words.format(item=name, amount=_in_coin(currency, amount))


def ordered(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers group after group, in the order of the first offer of each. Within a group they keep their order."""
    known = list(offers)
    groups = list(dict.fromkeys(o.group for o in known))
    return tuple(sorted(known, key=lambda o: groups.index(o.group)))


def closed(offer: Offer, reason: str, mend: str = "") -> Offer:
    return replace(offer, state="closed", lock="other", reason=reason, mend=mend)


def without_advice(added: Sequence[Placed], code: str, subject: str) -> list[Placed]:
    """Return the findings.

    The one with this code and subject loses its advice to give up something that is not taken yet.
    """
    return [
        Placed(p.finding._replace(mend=""), p.fighter) if (p.finding.code, p.finding.subject) == (code, subject) else p
        for p in added
    ]


def fighter_in(roster: RosterState, key: str) -> tuple[ForceFighter, Facts]:
    """Return the fighter with this key and its facts. Raises Refusal if it is not on the roster."""
    for fighter, who in roster.people:
        if fighter.key == key:
            return fighter, who
    raise Refusal(_("This fighter is no longer on the roster."), code="gone")


def house_details(
    content: Content, entry: ProfileOffer | ItemOffer | UpgradeOffer, limit: int | None, ref: str
) -> tuple[str, ...]:
    """Return what house rules changed about an entry, one line each."""
    lines = []
    book_price = content.book_prices.get(entry.id)
    if book_price is not None:
        lines.append(_("House rule: {price} (in the book: {book}).").format(price=entry.price, book=book_price))
    now = content.limit_of(limit, entry.id, ref)
    if now != limit:
        words = _("House rule: limit {limit} (in the book: {book}).")
        lines.append(words.format(limit=_limit(now), book=_limit(limit)))
    if any((table, entry.id) in content.own for table in OFFERS):
        lines.append(_("Added by this campaign."))
    return tuple(lines)


def _limit(limit: int | None) -> str:
    return _("none") if limit is None else str(limit)
