"""The limits on what a warband may own: limits of the armoury, pieces in the stash, and rules of the list on all of its kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ItemOffer
from rules.fighters.facts import Facts
from rules.fighters.foreign import foreign_offers
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import item_passes, passes_any
from rules.fighters.sources import Cause
from rules.force import ForceItem
from rules.formatting import counted, first, limit_words, listed, number
from rules.legality.finding import Finding, Placed, label_of, left_out
from rules.legality.hiring import raised
from rules.legality.kit import ruled_out
from rules.legality.roster_state import RosterState, stash_held, stash_offer
from rules.translation import gettext as _

# --- limits of the armoury


def item_counts(roster: RosterState) -> Counter[str]:
    """Return the copies bought through each armoury entry, carried or in the stash.

    The kit that came with fighters is not counted. The kit of mercenaries counts only if the entry is for them alone.
    """
    counts: Counter[str] = Counter()
    loot = ("found", "looted") if roster.content.reading("loot_respects_limit", False) else ()
    origins = ("bought", "starting", *loot)  # pieces that the list grants at the start count as bought
    for who in roster.facts:
        if who.remembered.counted is None:
            who.remembered.counted = tuple(_counted(roster.content, who, origins))
        counts.update(who.remembered.counted)
    for piece in (*roster.force.stash, *roster.force.lost):
        if piece.item in roster.content.items and piece.origin in origins:
            offer = stash_offer(roster, piece)
            if offer is not None:
                counts[offer.id] += 1
    return counts


def _counted(content: Content, who: Facts, origins: Sequence[str]) -> Iterator[str]:
    """Yield the armoury entry of each copy that counts for one fighter."""
    if isinstance(who.offer, ItemOffer):
        yield who.offer.id
    for held in who.held:
        if held.offer is None or held.origin not in origins:
            continue
        if not who.mercenary or _for_mercenaries(content, held.offer):
            yield held.offer.id


def _for_mercenaries(content: Content, offer: ItemOffer) -> bool:
    named = [content.profiles.get(t.profile) for t in offer.who.only_for]
    return bool(named) and all(p is not None and p.role == "mercenary" for p in named)


def item_limit(roster: RosterState, offer: ItemOffer) -> int | None:
    limit = roster.content.limit_of(offer.limit, offer.id, offer.item)
    own = None if limit is None else limit + raised(roster, offer.id, offer.item)
    picked = _pick_limit(roster, offer)
    if own is None or picked is None:
        return picked if own is None else own
    return min(own, picked)


def _pick_limit(roster: RosterState, offer: ItemOffer) -> int | None:
    """Return how many copies of an entry the picks from other lists grant together, or None if one of them sets no limit."""
    frame = roster.frame
    if offer.id in frame.list.item_offer_ids or not any(offer in x for x in frame.foreign.values()):
        return None
    granted = 0
    for cause in frame.wide:
        if isinstance(cause.effect, v.ForeignPickEffect) and offer in foreign_offers(roster.content, frame.list, cause):
            if cause.effect.limit is None:
                return None
            granted += cause.effect.limit
    return granted or None


def item_limit_findings(roster: RosterState) -> Iterator[Placed]:
    army = roster.frame.list.army
    for offer_id, count in item_counts(roster).items():
        offer = roster.content.item_offers[offer_id]
        limit = item_limit(roster, offer)
        if limit is not None and count > limit:
            name = roster.content.items[offer.item].name
            yield Placed(
                Finding(
                    "warband-limit",
                    _("{first}; the list allows {limit_words}.").format(
                        first=first(counted(count, name)), limit_words=limit_words(limit)
                    ),
                    _("Return one or sell it."),
                    _("{army}, armoury: LIMIT {limit}").format(army=army.name, limit=limit),
                    name,
                    subject=offer_id,
                    size=count - limit,
                )
            )


def stash_findings(roster: RosterState) -> Iterator[Placed]:
    """Yield findings for pieces in the stash that are unknown or that the list does not offer."""
    for piece in roster.force.stash:
        if piece.item not in roster.content.items:
            text = _("Stash: no item is called “{item}”.").format(item=piece.item)
            yield Placed(Finding("unknown-name", text, subject=piece.item, item_key=piece.key))
        elif piece.origin == "bought":
            finding = _not_in_armoury(roster, piece)
            if finding is not None:
                yield Placed(finding)


def _not_in_armoury(roster: RosterState, piece: ForceItem) -> Finding | None:
    army = roster.frame.list
    offer = stash_offer(roster, piece)
    if offer is not None and offer in roster.frame.foreign.get("", ()):
        return None  # it was picked from another list
    name = roster.content.items[piece.item].name
    about: dict[str, Any] = {"item": name, "subject": f"stash-{piece.item}", "item_key": piece.key}
    if piece.item in army.shut:
        return left_out(army.shut[piece.item], name, **about)
    on_list = offer is not None and army.army.id in offer.lists
    if on_list or ruled_out(roster.frame, stash_held(roster, piece), None, roster.content):
        return None  # the rule's own finding reports it once
    text = _("{name} is not in the armoury of {name_2}.").format(name=name, name_2=army.army.name)
    return Finding("not-offered", text, _("Take something the list offers."), army.army.name, **about)


def early_find_findings(roster: RosterState) -> Iterator[Placed]:
    """Yield findings for exploration-only pieces that fighters bought before the first battle."""
    if not roster.untried or shop_cap(roster) is not None:
        return
    army = roster.frame.list.army
    for fighter, who in roster.people:
        for held in who.held:
            if held.origin == "bought" and held.offer is not None and held.offer.exploration_only:
                name = held.item.name
                text = _("{name} is only found by exploration.").format(name=name)
                finding = Finding("not-offered", text, _("Return it."), army.name, name, held.row, held.item.id)
                yield Placed(finding, fighter)


def shop_cap(roster: RosterState) -> int | None:
    """Return the highest glory price at which exploration-only items may be bought, or None if they may not be bought.

    One-off games have no such limit.
    """
    if roster.force.mode == "one-off":
        return 99
    caps = [int(c.effect.most_glory) for c in roster.frame.wide if isinstance(c.effect, v.ShopCapEffect)]
    until = roster.force.state.get("shop_until")
    if isinstance(until, int) and not isinstance(until, bool):
        caps.append(until)
    return max(caps, default=None)


def borne_findings(roster: RosterState) -> Iterator[Finding]:
    """Yield findings for pieces that a fighter has to carry when the warband is recruited, if nobody does."""
    if not roster.force.founding:
        return
    for cause in roster.frame.of(v.StartingItemsEffect):
        for offer in cause.effect.offers if cause.effect.borne else ():
            item = roster.content.item_offers[offer].item
            if not any(h.item.id == item for who in roster.facts for h in who.held):
                name = roster.content.items[item].name
                mend = _("Give {name} to one of the fighters.").format(name=name)
                yield Finding(
                    "too-few",
                    _("No fighter has {name}.").format(name=name),
                    mend,
                    cause.source.where,
                    name,
                    subject=item,
                )


# --- rules of the list on all kit


def _pieces_under(
    roster: RosterState, pieces: Sequence[CarriedItem], who: Facts | None
) -> tuple[tuple[CarriedItem, ...], ...]:
    """Return the pieces that each cap on the warband's kit counts, then those that each ban forbids.

    Last come, for each balance, the pieces on its two sides.
    """
    content, frame = roster.content, roster.frame
    capped_pieces = [
        tuple(
            h
            for h in pieces
            if item_passes(c.effect.among, h, who, content) and not passes_any(c.effect.ignore, h, who, content)
        )
        for c in frame.of(v.WarbandItemCapEffect)
    ]
    banned_pieces = [
        tuple(h for h in pieces if h.included is None and passes_any(c.effect.items, h, who, content))
        for c in frame.of(v.WarbandBanEffect)
    ]
    balanced_pieces = [
        tuple(h for h in pieces if item_passes(side, h, who, content))
        for c in frame.of(v.WarbandItemBalanceEffect)
        for side in (c.effect.among, c.effect.beside)
    ]
    return (*capped_pieces, *banned_pieces, *balanced_pieces)


def _under(roster: RosterState, who: Facts) -> tuple[tuple[CarriedItem, ...], ...]:
    """Return the same for the kit of a fighter, cached with its facts."""
    if who.remembered.under is None:
        who.remembered.under = _pieces_under(roster, who.held, who)
    return who.remembered.under


def _under_all(roster: RosterState, under_stash: Sequence[Sequence[CarriedItem]], index: int) -> list[CarriedItem]:
    """Return the pieces of all fighters and of the stash that one of these rules counts."""
    return [*(held for who in roster.facts for held in _under(roster, who)[index]), *under_stash[index]]


def kit_rule_findings(roster: RosterState) -> Iterator[Placed]:
    """Yield findings from the list's rules on the kit of the whole warband: too many pieces of a kind, and banned pieces."""
    caps = roster.frame.of(v.WarbandItemCapEffect)
    bans = roster.frame.of(v.WarbandBanEffect)
    balances = roster.frame.of(v.WarbandItemBalanceEffect)
    if not caps and not bans and not balances:
        return
    known = [piece for piece in roster.force.stash if piece.item in roster.content.items]
    stash = [stash_held(roster, piece) for piece in known]
    under_stash = _pieces_under(roster, stash, None)
    for index, cause in enumerate(caps):
        hit = _under_all(roster, under_stash, index)
        if len(hit) > cause.effect.most:
            yield Placed(_over_cap(cause, hit))
    for index, cause in enumerate(bans, len(caps)):
        yield from _banned_on_fighters(roster, cause, index)
        banned = [(piece, held) for piece, held in zip(known, stash, strict=True) if held in under_stash[index]]
        yield from _banned_in_stash(roster, cause, banned)
    for row, cause in enumerate(balances):
        index = len(caps) + len(bans) + 2 * row
        pieces, beside = (_under_all(roster, under_stash, index + side) for side in (0, 1))
        if len(pieces) > len(beside):
            yield Placed(_out_of_balance(cause, pieces, len(beside)))


def _banned_on_fighters(roster: RosterState, cause: Cause, index: int) -> Iterator[Placed]:
    for fighter, who in roster.people:
        for held in _under(roster, who)[index]:
            key = fighter.kit[held.row].key if held.row >= 0 else ""
            yield Placed(_banned(cause, held, "{who}", key), fighter)


def _banned_in_stash(
    roster: RosterState, cause: Cause, banned: Iterable[tuple[ForceItem, CarriedItem]]
) -> Iterator[Placed]:
    label = _("the {label_of}").format(label_of=label_of(roster.content, "stash"))
    for piece, held in banned:
        if held.origin == "bought":  # a find may stay here until it is sold
            yield Placed(_banned(cause, held, label, piece.key))


def _out_of_balance(cause: Cause, pieces: Sequence[CarriedItem], beside: int) -> Finding:
    over = len(pieces) - beside
    return Finding(
        "ratio",
        _("{name}: {count} ({names}) beside {beside}; they may not be more.").format(
            name=cause.source.name,
            count=number(len(pieces)),
            names=listed(h.item.name for h in pieces),
            beside=number(beside),
        ),
        _("Sell {over} of them.").format(over=number(over)),
        cause.source.where,
        subject=f"balance-{cause.source.id}",
        size=over,
    )


def _over_cap(cause: Cause, pieces: Sequence[CarriedItem]) -> Finding:
    count, maximum = len(pieces), cause.effect.most
    many = f"{number(count)} {'piece' if count == 1 else 'pieces'}"
    names = listed(h.item.name for h in pieces)
    return Finding(
        "warband-limit",
        _("{first} under {name}: {names}. {first_2} is the most.").format(
            first=first(many), name=cause.source.name, names=names, first_2=first(number(maximum))
        ),
        _("Return one or sell it."),
        cause.source.where,
        subject=f"cap-{cause.source.id}",
        size=count - maximum,
    )


def _banned(cause: Cause, held: CarriedItem, where: str, key: str) -> Finding:
    return Finding(
        "banned",
        _("{name} of {where}: {name_2} rules it out.").format(
            name=held.item.name, where=where, name_2=cause.source.name
        ),
        _("Return it or sell it."),
        cause.source.where,
        held.item.name,
        subject=f"{held.item.id}-{key}",
        item_key=key,
    )
