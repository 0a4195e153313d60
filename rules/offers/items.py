"""Offers of the armoury, for one fighter or for the stash."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from rules import vocabulary as v
from rules.choices import of_item
from rules.content.compiled import Content
from rules.content.names import plain
from rules.content.schema import ItemEntry, ItemOffer
from rules.eligibility import holder_words
from rules.fighters.facts import Facts
from rules.fighters.prices import price_under
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import figure, listed, quantity
from rules.legality.armoury import item_counts, item_limit, shop_cap
from rules.legality.finding import Finding, Placed
from rules.legality.kit import is_locked
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.offers.hires import bought_fighter, hire_choices, hire_details, hire_rules, hire_stats, trial_hire
from rules.offers.judging import SHELVES, TRIAL, fighter_in, house_details, judged, ordered
from rules.offers.reinforcements import purchase_closed
from rules.parts.choice import ChoiceAsked
from rules.parts.offer import Offer
from rules.price import Price
from rules.translation import gettext as _

_Taker = tuple[ForceFighter, Facts] | None  # None: the piece goes to the stash


def item_offers(
    content: Content, force: Force, fighter: str = "", only: Collection[str] = (), *, one_is_enough: bool = False
) -> tuple[Offer, ...]:
    """Return an offer for every armoury entry of the list, for one fighter or for the stash.

    `only`: the ids of the entries to judge (empty: all). `one_is_enough`: return the first one that is not closed.
    Raises Refusal for a fighter who is not on the roster.
    """
    offers = _offers(content, force, fighter, only)
    return ordered(offers) if not one_is_enough else tuple(islice((o for o in offers if o.state != "closed"), 1))


def _offers(content: Content, force: Force, fighter: str, only: Collection[str]) -> Iterator[Offer]:
    """Yield the offers, shelf after shelf."""
    if force.list not in content.lists:
        return
    roster = examine(content, force)
    bearer = fighter_in(roster, fighter) if fighter else None
    if bearer is not None and is_locked(bearer[1]):
        return
    counts = item_counts(roster)
    own = roster.frame.list.item_offers
    foreign = [o for key in ("", fighter) for o in roster.frame.foreign.get(key, ()) if o not in own]
    shelves = list(SHELVES)

    def shelf_and_name(entry: ItemOffer) -> tuple[int, str]:
        item = content.items[entry.item]
        return shelves.index(shelf_of(item)), item.name

    entries = sorted((*own, *dict.fromkeys(foreign)), key=shelf_and_name)
    for entry in entries:
        if not only or entry.id in only:
            yield _item_offer(roster, entry, bearer, counts.get(entry.id, 0))


def _item_offer(roster: RosterState, entry: ItemOffer, bearer: _Taker, owned: int) -> Offer:
    content = roster.content
    item = content.items[entry.item]
    profile_id = bought_fighter(item)
    profile = content.profiles[profile_id] if profile_id is not None else None
    price = price_under(roster.frame, entry)
    limit = item_limit(roster, entry)
    closing = _closing(roster, entry, price, bearer, hires=profile is not None)
    closing += _limit_reached(limit, owned)
    details = hire_details(content, profile) if profile else _item_details(roster, entry, item, bearer)
    offer = Offer(
        kind="hire" if profile else "item",
        id=entry.id,
        ref=profile.id if profile else item.id,
        name=profile.name if profile else item.name,
        group=SHELVES[shelf_of(item)],
        price=price,
        rating=price,
        held=owned,
        limit=limit,
        purpose=item.purpose or (profile.purpose if profile else ""),
        statline=hire_stats(roster, profile, entry) if profile else (),
        rules=hire_rules(content, profile) if profile else item_rules(content, item),
        details=(*details, *house_details(content, entry, entry.limit, item.id)),
        choices=hire_choices(roster, profile, entry) if profile else _item_choices(roster, item),
        hired_as="item" if profile else "own",
    )
    if profile is not None:
        return judged(roster, offer, trial_hire(roster, profile, entry), closing)
    piece = ForceItem(TRIAL, item.id, "bought", entry.id, price)
    return judged(roster, offer, _trial_item(roster, piece, bearer), closing, takes=True)


def shelf_of(item: ItemEntry) -> str:
    """Return the shelf of an item for sale.

    Few fighters carry a heavy weapon or grenades, so these have a shelf of their own. Helmets and masks lie with the armour.
    """
    if item.category == "ranged" and ("HEAVY" in item.keywords or item.slot == "grenade"):
        return "heavy"
    return "armour" if item.slot == "headgear" else item.category


def _limit_reached(limit: int | None, owned: int) -> list[Finding]:
    if limit is None or owned < limit:
        return []
    text = _("Limit of {limit} reached.").format(limit=limit)
    return [Finding("warband-limit", text, _("Return or sell one first.") if owned else "")]


def item_closings(roster: RosterState, entry: ItemOffer, price: Price, bearer: _Taker, *, more: int) -> list[Finding]:
    """Return what closes an entry whatever its bearer carries. `more`: how many are bought with it in the same act."""
    owned = item_counts(roster).get(entry.id, 0) + more
    return [*_closing(roster, entry, price, bearer, hires=False), *_limit_reached(item_limit(roster, entry), owned)]


def _closing(roster: RosterState, entry: ItemOffer, price: Price, bearer: _Taker, *, hires: bool) -> list[Finding]:
    army = roster.frame.list
    closing = [Finding("third-party", army.closed)] if army.closed else []
    closing += purchase_closed(roster, price, bearer[0] if bearer else None, hires=hires)
    if entry.exploration_only:
        name, glory, cap = roster.content.items[entry.item].name, entry.price.glory, shop_cap(roster)
        if cap is None:
            text = _("{name} is only found by exploration.").format(name=name)
            closing.append(Finding("not-offered", text, _("Some places you explore let you buy such items.")))
        elif glory > cap:
            text = _("{name} costs {price} glory; your contacts sell up to {most}.")
            closing.append(Finding("not-offered", text.format(name=name, price=glory, most=cap)))
    return closing


def _trial_item(roster: RosterState, piece: ForceItem, bearer: _Taker) -> list[Placed]:
    if bearer is None:
        after = replace(roster.force, stash=(*roster.force.stash, piece))
    else:
        row = roster.force.fighter(bearer[0].key)
        after = roster.force.with_fighter(replace(row, kit=(*row.kit, piece)))
    return new_findings(roster, examine(roster.content, after, roster))


def item_rules(content: Content, item: ItemEntry) -> tuple[tuple[str, str], ...]:
    """Return our summary of an item, then its keywords and what the armoury requires of it, each explained."""
    said = item.summary.removeprefix(_("No further rules.")).strip()
    keywords = [content.keywords[i] for k in item.keywords if (i := content.keyword_id(k)) in content.keywords]
    required = {plain(word) for word in item.stipulations}
    notes = [note for note in content.pack.reference if plain(note.name) in required]
    explained = ((one.name, one.words) for one in (*keywords, *notes))
    return tuple(pair for pair in (("", said), ("", item.details), *explained) if pair[1])


def _item_details(roster: RosterState, entry: ItemOffer, item: ItemEntry, bearer: _Taker) -> tuple[str, ...]:
    """Return one line on what the item is, one on each thing it changes for its bearer, and one on who may have it."""
    changes = _changes(roster.content, item, bearer[1]) if bearer is not None else ()
    holder = holder_words(entry.who, roster.content, entry.who_words)
    return tuple(
        filter(None, (_what_it_is(roster.content, entry, item), *changes, holder if holder != "anyone" else ""))
    )


def _what_it_is(content: Content, entry: ItemOffer, item: ItemEntry) -> str:
    hands = entry.hands or item.hands
    count = max(hands.ranged, hands.melee)
    keywords = [_with_figure(content.keyword(k), item) for k in item.keywords]
    parts = (
        f"{item.range_inches}″" if item.range_inches else item.range_words,
        quantity(count, "hand") if count else "",
        ", ".join((*keywords, *item.stipulations)),
    )
    return "; ".join(filter(None, parts))


def _changes(content: Content, item: ItemEntry, who: Facts) -> Iterator[str]:
    for effect in item.effects:
        if isinstance(effect, v.StatEffect):
            now = who.stats[effect.stat].value or 0
            then = effect.set if effect.set is not None else now + effect.add
            unit = "″" if effect.stat == "movement" else ""
            change = _("{stat} {before} to {after}")
            yield change.format(stat=effect.stat, before=f"{figure(now)}{unit}", after=f"{figure(then)}{unit}")
        elif isinstance(effect, v.KeywordEffect) and effect.gain:
            yield _("gains {keywords}").format(keywords=listed(content.keyword(k) for k in effect.gain))


def _with_figure(keyword: str, item: ItemEntry) -> str:
    """Return a keyword that has a variable figure, with the figure of this item."""
    stem = keyword.removesuffix(" (X)")
    if stem == keyword:
        return keyword
    return next((m.replace('"', "″") for m in item.modifiers if m.startswith(f"{stem} ")), keyword)


def _item_choices(roster: RosterState, item: ItemEntry) -> tuple[ChoiceAsked, ...]:
    asks = of_item(roster.content, roster.frame.list, ForceItem(TRIAL, item.id), roster.people, roster.force.stash)
    return tuple(asking.choosing.asked for asking in asks)
