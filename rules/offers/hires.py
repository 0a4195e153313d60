"""Offers to hire: every recruitment entry of the list, and the kit that comes with a fighter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from rules import vocabulary as v
from rules.choices import of_fighter
from rules.content.compiled import Content
from rules.content.schema import ItemEntry, ItemOffer, ProfileEntry, ProfileOffer
from rules.fighters.sources import picks
from rules.fighters.stat_line import stat_line
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import listed
from rules.legality.finding import Finding, Placed
from rules.legality.hiring import most_of
from rules.legality.roster import new_findings
from rules.legality.roster_state import RosterState, examine
from rules.offers.judging import TRIAL, house_details, judged, ordered, without_advice
from rules.offers.reinforcements import purchase_closed
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import StartingItem
from rules.parts.offer import Offer
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext as _

_ELITE, _TROOPS, _MERCENARIES, _GLORY = _("Elite"), _("Troops"), _("Mercenaries"), _("For glory")
_SECTIONS = {"elite": _ELITE, "troop": _TROOPS, "mercenary": _MERCENARIES, "special": _TROOPS}
_ORDER = (_ELITE, _TROOPS, _MERCENARIES, _GLORY)
_ROLES = {"elite": 0, "troop": 1, "special": 1, "mercenary": 2}


def hire_offers(content: Content, force: Force, only: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return an offer for every recruitment entry of the list, with its price and whether it is open.

    `only`: the ids of the entries to judge (empty: all).
    """
    if force.list not in content.lists:
        return ()
    roster = examine(content, force)

    def rank(entry: ProfileOffer) -> tuple[str, int, bool]:
        profile = content.profiles[entry.profile]
        return _section(profile, entry), _ROLES[profile.role], not entry.leader

    entries = sorted(_wanted(roster, only), key=rank)
    counts = Counter(who.offer.id for who in roster.facts if who.offer is not None)
    offers = [_hire_offer(roster, entry, counts[entry.id]) for entry in entries]
    return ordered(sorted(offers, key=lambda o: _ORDER.index(o.group)))


def _wanted(roster: RosterState, only: Collection[str]) -> Iterator[ProfileOffer]:
    entries = (entry for entry in roster.frame.list.profile_offers if entry.hired_as in ("own", "mercenary"))
    return (entry for entry in entries if not only or entry.id in only)


def _section(profile: ProfileEntry, entry: ProfileOffer) -> str:
    if entry.price.glory and not entry.price.ducats:
        return _GLORY
    return _MERCENARIES if entry.hired_as == "mercenary" else _SECTIONS[profile.role]


def _hire_offer(roster: RosterState, entry: ProfileOffer, hired: int) -> Offer:
    content = roster.content
    profile = content.profiles[entry.profile]
    price = content.hire_price(entry)
    maximum, cause = most_of(roster, entry)
    offer = Offer(
        kind="hire",
        id=entry.id,
        ref=profile.id,
        name=profile.name,
        group=_section(profile, entry),
        price=price,
        rating=price,
        held=hired,
        limit=maximum,
        purpose=profile.purpose,
        statline=hire_stats(roster, profile, entry),
        rules=hire_rules(content, profile),
        details=(
            *_twin_details(roster, entry),
            *hire_details(content, profile),
            *_worth_details(roster, profile, entry),
            *house_details(content, entry, entry.most, profile.id),
        ),
        choices=hire_choices(roster, profile, entry),
        hired_as=entry.hired_as,
        leads=entry.leader,
    )
    army = roster.frame.list
    closing = [Finding("third-party", army.closed)] if army.closed else []
    closing += purchase_closed(roster, offer.price, None, hires=True)
    moving = any(isinstance(cap, v.CapHalf | v.CapMatch | v.CapOutnumbered) for cap in entry.caps)
    if maximum is not None and hired >= maximum and not (cause and moving):
        text = _("Limit of {limit} reached{cause}.").format(limit=maximum, cause=cause)
        closing.append(Finding("too-many", text, _("Dismiss one first.") if hired else ""))
    added = without_advice(trial_hire(roster, profile, entry), "too-many", entry.id)
    return judged(roster, offer, added, closing)


def _twin_details(roster: RosterState, entry: ProfileOffer) -> tuple[str, ...]:
    """Return which entry this is, if a list hires the same profile both as its leader and as an ordinary fighter."""
    twins = [o for o in roster.frame.list.profile_offers if o.profile == entry.profile and o.hired_as == entry.hired_as]
    if len({o.leader for o in twins}) < 2:
        return ()
    return (_("as the leader"),) if entry.leader else (_("beside the leader"),)


def _worth_details(roster: RosterState, profile: ProfileEntry, entry: ProfileOffer) -> tuple[str, ...]:
    if profile.role == "mercenary" or entry.hired_as == "mercenary":
        return ()
    return tuple(
        _("{rule}: worth at least {ducats} ducats with its kit").format(
            rule=c.source.name, ducats=c.effect.least_ducats
        )
        for c in roster.frame.of(v.WorthEffect)
        if c.effect.on_roster and profile.id not in c.effect.except_profiles
    )


def trial_hire(roster: RosterState, profile: ProfileEntry, entry: ProfileOffer | ItemOffer) -> list[Placed]:
    """Return the findings that one more fighter through this entry would add.

    What the new fighter itself lacks (a weapon to carry, an upgrade to choose) is left out, because it is settled after
    hiring.
    """
    recruit = _equipped(roster, profile, entry)
    after = examine(roster.content, replace(roster.force, fighters=(*roster.force.fighters, recruit)), roster)
    return [p for p in new_findings(roster, after) if not (p.fighter is not None and p.fighter.key == TRIAL)]


def _equipped(roster: RosterState, profile: ProfileEntry, entry: ProfileOffer | ItemOffer) -> ForceFighter:
    """Return a recruit with the kit that comes with it."""
    items = [item for item in _swappable(profile) if item in roster.content.items]
    kit = tuple(ForceItem(f"{TRIAL}{n}", item, "mandatory") for n, item in enumerate(items))
    return replace(_recruit(profile, entry, roster.content.hire_price(entry)), kit=kit)


def _recruit(profile: ProfileEntry, entry: ProfileOffer | ItemOffer, price: Price) -> ForceFighter:
    hired_as = entry.hired_as if isinstance(entry, ProfileOffer) else "item"
    return ForceFighter(TRIAL, profile.name, profile.id, entry.id, price, hired_as=hired_as)


def _swappable(profile: ProfileEntry) -> list[str]:
    return [item for kit in profile.kit if not kit.fixed for item in kit.items]


def hire_stats(
    roster: RosterState, profile: ProfileEntry, entry: ProfileOffer | ItemOffer
) -> tuple[tuple[str, str, str, str], ...]:
    """Return the statline of a recruit as it will be, with the kit that comes with it."""
    who = facts(
        roster.content,
        roster.frame,
        _equipped(roster, profile, entry),
        explicit=roster.force.strongbox is not None,
    )
    return tuple(line for line in stat_line(who.stats) if line[0] != _("Base"))


def hire_rules(content: Content, profile: ProfileEntry) -> tuple[tuple[str, str], ...]:
    """Return the abilities of a profile, then its keywords that say what they do, each with our summary."""
    abilities = [content.abilities[a] for a in profile.abilities if a in content.abilities]
    keywords = [content.keywords[i] for k in profile.keywords if (i := content.keyword_id(k)) in content.keywords]
    explained = [*((a.name, a.words) for a in abilities), *((k.name, k.words) for k in keywords)]
    return tuple((name, words) for name, words in explained if words)


def hire_details(content: Content, profile: ProfileEntry) -> tuple[str, ...]:
    """Return the kit that a profile comes with, and which of it is included in the price."""
    items = [content.items[i] for kit in profile.kit for i in kit.items if i in content.items]
    kit = listed(item.name for item in items if not item.built_in)
    parts = [
        _("{items}: {price} of the price").format(
            items=listed(content.name("item", i) for i in kit.items), price=Price(ducats=kit.adds_ducats)
        )
        for kit in profile.kit
        if kit.adds_ducats
    ]
    return (*([_("comes with {kit}").format(kit=kit)] if kit else []), *parts)


def hire_choices(
    roster: RosterState, profile: ProfileEntry, entry: ProfileOffer | ItemOffer
) -> tuple[ChoiceAsked, ...]:
    """Return the choices on hiring that the list leaves open: powers to pick, a loadout, a base size."""
    recruit = _recruit(profile, entry, entry.price)
    who = facts(roster.content, roster.frame, recruit, explicit=roster.force.strongbox is not None)
    asks = of_fighter(roster.content, roster.frame.list, recruit, who, own_only=True)
    return tuple(asking.choosing.asked for asking in asks)


def outfit(
    content: Content, force: Force, offer: str, choices: Mapping[str, object] | None = None
) -> tuple[StartingItem, ...]:
    """Return the swappable kit that comes with a hire, one row each. Raises Refusal for an unknown entry or choice."""
    entry: ProfileOffer | ItemOffer | None = content.profile_offers.get(offer) or content.item_offers.get(offer)
    if isinstance(entry, ItemOffer):
        profile = content.profiles.get(bought_fighter(content.items[entry.item]) or "")
    else:
        profile = content.profiles.get(entry.profile) if entry is not None else None
    if entry is None or profile is None:
        raise Refusal(_("This isn't on offer here."), code="not-offered")
    for wanted in hire_choices(examine(content, force), profile, entry):
        known = {value for value, _ in wanted.options}
        for value in picks(choices or {}, wanted.key):
            if value not in known:
                raise Refusal(_("“{value}” isn't one of the choices.").format(value=value), code="unknown-option")
    return tuple(StartingItem(item, "", content.name("item", item)) for item in _swappable(profile))


def bought_fighter(item: ItemEntry) -> str | None:
    """Return the profile that buying this item hires, or None for ordinary items."""
    return next((e.profile for e in item.effects if isinstance(e, v.BuysFighterEffect)), None)
