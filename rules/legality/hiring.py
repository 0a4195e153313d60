"""The limits on hiring: entries of the list, leaders, groups, ELITE fighters and promotions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rules import vocabulary as v
from rules.choices import is_elite_profile
from rules.content.compiled import Content
from rules.content.schema import ItemOffer, ProfileOffer, UpgradeOffer
from rules.eligibility import traits
from rules.fighters.advancement import advances, scars_of
from rules.fighters.facts import Facts
from rules.fighters.matching import trait_holds
from rules.fighters.sources import picks
from rules.formatting import counted, fighter_count, first, limit_words, listed, number, plural
from rules.legality.finding import Finding, Placed, left_out
from rules.legality.roster_state import PRESENT, RosterState
from rules.legality.thresholds import threshold_reached
from rules.translation import gettext as _
from rules.vocabulary.limits import Cap

# --- entries


def unknown_profile_findings(roster: RosterState) -> Iterator[Finding]:
    for fighter in roster.force.fighters:
        if fighter.status in PRESENT and fighter.profile and fighter.profile not in roster.content.profiles:
            text = _("{name}: no profile is called “{profile}”.").format(name=fighter.name, profile=fighter.profile)
            yield Finding("unknown-name", text, subject=fighter.profile)


def entry_findings(roster: RosterState, *, purchase: bool) -> Iterator[Placed]:
    """Yield findings for fighters that are not on offer at all, then for entries with too few or too many fighters.

    `purchase` adds the conditions that only prevent a purchase.
    """
    army = roster.frame.list
    for fighter, who in roster.people:
        if who.offer is None or who.offer.id not in army.profile_offer_ids:
            finding = _not_open(roster, who)
            if finding is not None:
                yield Placed(finding, fighter)
    counts = Counter(who.offer.id if who.offer else "" for who in roster.facts)
    for entry in army.profile_offers:
        if counts[entry.id] or entry.least:
            buying = purchase or roster.force.founding
            yield from map(Placed, _count_findings(roster, entry, counts[entry.id], buying=buying))
        if counts[entry.id]:
            for cap in entry.caps:
                buying = purchase or roster.force.founding
                yield from map(Placed, _cap_findings(roster, entry, cap, counts, buying=buying))


def _not_open(roster: RosterState, who: Facts) -> Finding | None:
    """Return a finding if a fighter's entry is not among the entries of its list, unless an item or exploration brought it."""
    army, offer = roster.frame.list, who.offer
    if isinstance(offer, ItemOffer):
        return None if offer.id in army.item_offer_ids else _not_on_list(roster, who)
    if offer is not None and offer.hired_as == "find" and not (roster.untried and roster.force.strongbox is None):
        return None
    shut = army.shut.get(who.printed.id)
    return left_out(shut, who.printed.name, subject=who.printed.id) if shut else _not_on_list(roster, who)


def _not_on_list(roster: RosterState, who: Facts) -> Finding:
    army = roster.frame.list.army
    text = _("{name} is not open to {army_name}.").format(name=who.printed.name, army_name=army.name)
    return Finding("not-offered", text, _("Hire from the list instead."), army.name, subject=who.printed.id)


def _count_findings(roster: RosterState, entry: ProfileOffer, count: int, *, buying: bool) -> Iterator[Finding]:
    army = roster.frame.list.army
    name = roster.content.profiles[entry.profile].name
    if count < entry.least and not entry.leader:
        missing = entry.least - count
        text = _("{first}; {name} needs at least {least}.").format(
            first=first(counted(count, name)), name=army.name, least=number(entry.least)
        )
        yield Finding(
            "too-few",
            text,
            _("Hire {missing} more.").format(missing=number(missing)),
            army.name,
            subject=entry.id,
            size=missing,
        )
    maximum, cause = most_of(roster, entry) if count else (None, "")
    if maximum is not None and count > maximum and not buying:
        maximum = max(maximum, _joined(roster, entry))
    if maximum is not None and count > maximum:
        yield Finding(
            "too-many",
            _("{count}; {army} takes {maximum}{cause}.").format(
                count=first(counted(count, name)), army=army.name, maximum=limit_words(maximum), cause=cause
            ),
            _("Let the rest go."),
            army.name,
            subject=entry.id,
            size=count - maximum,
            moving=bool(cause),
        )


def _joined(roster: RosterState, entry: ProfileOffer) -> int:
    """Return how many of an entry may be there because a rule let one join, 0 if none does."""
    mine = [who.rating.ducats for who in roster.facts if who.offer is entry]
    others = sum(who.rating.ducats for who in roster.facts) - max(mine, default=0)
    caps = (cap for cap in entry.caps if isinstance(cap, v.CapJoins))
    return max((cap.most for cap in caps if others >= cap.others_ducats), default=0)


def _cap_findings(
    roster: RosterState, entry: ProfileOffer, cap: Cap, counts: Counter[str], *, buying: bool
) -> Iterator[Finding]:
    army = roster.frame.list.army
    name = roster.content.profiles[entry.profile].name
    match cap:
        case v.CapOutnumbered() if "roster" in cap.scopes:
            yield from _outnumbered(roster, entry, cap)
        case v.CapOthersCost() if buying:
            others = sum(who.rating.ducats for who in roster.facts if who.offer is not entry)
            if others < cap.ducats:
                yield Finding(
                    "needs",
                    _("{name} beside others worth {others} ducats; {army_name} needs {ducats}.").format(
                        name=name, others=others, army_name=army.name, ducats=cap.ducats
                    ),
                    _("Bring the others to {ducats} ducats first.").format(ducats=cap.ducats),
                    army.name,
                    subject=f"{entry.id}-others",
                    size=cap.ducats - others,
                )
        case v.CapAfter() if buying and not counts[cap.offer]:
            price = roster.content.profile_offers[cap.offer].price
            yield Finding(
                "needs",
                _("{name} for {price}: the first of them costs {price_2}.").format(
                    name=name, price=entry.price, price_2=price
                ),
                _("Hire one for {price} first.").format(price=price),
                army.name,
                subject=f"{entry.id}-{cap.offer}",
                size=counts[entry.id],
            )


def _outnumbered(roster: RosterState, entry: ProfileOffer, cap: v.CapOutnumbered) -> Iterator[Finding]:
    """Yield a finding if the fighters of an entry are not outnumbered by the others that its cap names."""
    mine = sum(1 for who in roster.facts if who.profile.id == entry.profile)
    others = sum(
        1
        for who in roster.facts
        if who.profile.id != entry.profile and any(trait_holds(t, who, roster.content) for t in cap.by)
    )
    allowed = others if roster.content.reading("wretched_ratio", "strict") == "equal" else others - 1
    over = mine - max(allowed, 0)
    if over > 0:
        whom = traits(cap.by, roster.content)
        whom = whom if others != 1 else whom.replace("fighters", "fighter")
        name = roster.content.profiles[entry.profile].name
        yield Finding(
            "ratio",
            _("{first} beside {others} other {whom}; they must stay outnumbered.").format(
                first=first(counted(mine, name)), others=number(others), whom=whom
            ),
            _("Hire {over} more of the others, or fewer of these.").format(over=number(over)),
            roster.frame.list.army.name,
            subject=entry.id,
            size=mine - allowed,
        )


def most_of(roster: RosterState, entry: ProfileOffer) -> tuple[int | None, str]:
    """Return how many fighters may be hired through an entry, and the reason as text if something changes that limit."""
    maximum = roster.content.limit_of(entry.most, entry.id, entry.profile)
    if maximum is not None:
        maximum += raised(roster, entry.id, entry.profile) + _raised_at_large(roster, entry)
    return capped(roster, entry.caps, maximum)


def capped(roster: RosterState, caps: Sequence[Cap], maximum: int | None) -> tuple[int | None, str]:
    """Return a maximum after the caps that change it, and the reason as text."""
    cause = ""
    for cap in caps:
        if isinstance(cap, v.CapRises) and threshold_reached(roster, cap.threshold_ducats):
            maximum = max(maximum or 0, cap.most)
        elif isinstance(cap, v.CapHalf | v.CapMatch):
            bound = _bound_by_others(roster, cap)
            if maximum is None or bound < maximum:
                maximum, cause = bound, _bound_words(roster, cap)
    return maximum, cause


def _bound_by_others(roster: RosterState, cap: v.CapHalf | v.CapMatch) -> int:
    """Return how many fighters there may be beside those that the cap counts."""
    if isinstance(cap, v.CapHalf):
        return sum(1 for who in roster.facts if who.profile.id == cap.profile) // 2
    return cap.times * sum(1 for who in roster.facts if who.is_profile(cap.profile))


def _bound_words(roster: RosterState, cap: v.CapHalf | v.CapMatch) -> str:
    name = roster.content.name("profile", cap.profile)
    if isinstance(cap, v.CapHalf):
        return _(" (half its {name})").format(name=plural(name))
    if cap.times == 1:
        return _(" (one for each {name})").format(name=name)
    return _(" ({times} for each {name})").format(times=number(cap.times), name=name)


def raised(roster: RosterState, *ids: str) -> int:
    """Return by how much choices stored with skills and items raised a limit."""
    more = 0
    for cause in roster.frame.wide:
        if isinstance(cause.effect, v.RaiseLimitEffect):
            chosen = {x for key in cause.source.choices for x in picks(cause.source.choices, key)}
            if chosen.intersection(ids):
                more += cause.effect.add
    return more


def _raised_at_large(roster: RosterState, entry: ProfileOffer) -> int:
    """Return by how much rules for every entry of a kind raise the limit of this entry.

    If several such rules apply, only the largest raise counts.
    """
    rules = [
        cause.effect
        for cause in roster.frame.wide
        if isinstance(cause.effect, v.RaiseLimitEffect) and cause.effect.every and cause.effect.of == "profiles"
    ]
    if not rules:
        return 0
    profile = roster.content.profiles[entry.profile]
    elite = is_elite_profile(roster.content, profile)
    base = max(profile.statline.base_mm)
    rises = (
        rule.add
        for rule in rules
        if entry.hired_as == "own"
        and (not rule.base_below_mm or base < rule.base_below_mm)
        and not (rule.not_elite and elite)
    )
    return max([0, *rises])


# --- leaders and groups


def _leader_fix(roster: RosterState, entries: Sequence[ProfileOffer], raised: Sequence[UpgradeOffer]) -> str:
    """Return who can lead the warband, and for how much."""
    names = listed(_leader_names(roster.content, entries, raised), "or")
    prices = (*(o.price for o in entries), *(o.price for o in raised))
    fix = _("{name} needs {article} {names} as its leader, for {cheapest}.").format(
        name=roster.frame.list.army.name,
        article="an" if names[:1] in "AEIOU" else "a",
        names=names,
        cheapest=min(prices, key=lambda price: (price.glory, price.ducats)),
    )
    if roster.force.founding:
        return fix
    if entries:
        return fix + _(" One must be hired; until then the warband can still play.")
    return fix + _(" Until somebody takes it the warband can still play.")


def leader_findings(roster: RosterState) -> Iterator[Finding]:
    army = roster.frame.list
    leaders = [who for who in roster.facts if who.leader]
    entries = [o for o in army.profile_offers if o.leader]
    raised = [o for o in army.upgrade_offers if o.leads]
    if not leaders and (entries or raised):
        mend = _leader_fix(roster, entries, raised)
        yield Finding("no-leader", _("No leader."), mend, army.army.name, subject="leader")
    if len(leaders) > 1 and len({who.offer.id for who in leaders if who.offer}) > 1:
        yield Finding(
            "too-many",
            _("{first} leaders: {listed}. One leads.").format(
                first=first(number(len(leaders))), listed=listed(who.printed.name for who in leaders)
            ),
            _("Dismiss one, or hire it as an ordinary fighter."),
            army.army.name,
            subject="leader",
            size=len(leaders),
        )


def _leader_names(content: Content, entries: Iterable[ProfileOffer], raised: Iterable[UpgradeOffer]) -> Iterator[str]:
    yield from (content.profiles[o.profile].name for o in entries)
    yield from (o.name or content.name("upgrade", o.upgrade) for o in raised)


def group_findings(roster: RosterState, *, purchase: bool) -> Iterator[Finding]:
    """Yield findings for groups of profiles that have too many members.

    `purchase` adds groups that would outnumber the others.
    """
    for group in roster.frame.list.army.group_caps:
        members = group.profiles
        count = sum(1 for who in roster.facts if who.printed.id in members or who.profile.id in members)
        source = group.source or roster.frame.list.army.name
        maximum = roster.content.limit_of(group.most, group.id)
        if maximum is not None and count > maximum:
            text = _("{first} of {name}; {maximum} together is the most.").format(
                first=first(number(count)), name=group.name, maximum=number(maximum)
            )
            yield Finding("group-cap", text, _("Dismiss one."), source, subject=group.id, size=count - maximum)
        others = len(roster.facts) - count
        if group.not_more_than_others and (purchase or roster.force.founding) and count > others:
            beside = f"{number(others)} {'other' if others == 1 else 'others'}"
            text = _("{first} {name} beside {beside}; they may not be more.").format(
                first=first(number(count)), name=group.name, beside=beside
            )
            yield Finding("ratio", text, _("Hire others first."), source, subject=group.id, size=count - others)
    if purchase:
        yield from _outnumbering_purchases(roster)


def _outnumbering_purchases(roster: RosterState) -> Iterator[Finding]:
    for entry in roster.frame.list.profile_offers:
        for cap in entry.caps:
            if isinstance(cap, v.CapOutnumbered) and "roster" not in cap.scopes:
                yield from _outnumbered(roster, entry, cap)


# --- ELITE fighters and promotions


def elite_cap(roster: RosterState) -> int | None:
    numbers = roster.content.pack.campaign
    if numbers is None:
        return None
    cap = numbers.elite_cap if roster.content.house.elite_cap is None else roster.content.house.elite_cap
    own = [c for who in roster.facts for c in who.of(v.EliteCapEffect) if c.source.kind not in ("rule", "lasting")]
    return int(cap + sum(c.effect.add for c in (*roster.frame.of(v.EliteCapEffect), *own)))


def counts_as_elite(content: Content, who: Facts) -> bool:
    """Return whether a fighter counts among the ELITE fighters of its warband.

    Mercenaries do if the edition allows them to advance.
    """
    campaign = content.pack.campaign
    return who.elite and (not who.mercenary or (campaign is not None and campaign.rules.mercenaries_advance))


def elite_findings(roster: RosterState) -> Iterator[Finding]:
    cap = elite_cap(roster)
    elites = [who for who in roster.facts if who.elite and counts_as_elite(roster.content, who)]
    count = sum(1 for who in elites if not who.of(v.UncountedEliteEffect))
    if cap is not None and count > cap:
        yield Finding(
            "elite-cap",
            _("{first}; {cap} is the most.").format(first=first(fighter_count(count, "ELITE ")), cap=number(cap)),
            _("Dismiss one."),
            f"Campaign rules {roster.content.edition}, promotion",
            subject="elite",
            size=count - cap,
        )


def career_findings(roster: RosterState) -> Iterator[Placed]:
    """Yield findings for promotions that a profile cannot have had, and for more scars than a fighter can survive."""
    numbers = roster.content.pack.campaign
    if numbers is None:
        return
    source = f"Campaign rules {roster.content.edition}"
    for fighter, who in roster.people:
        if not fighter.promoted and not fighter.traumas and not fighter.scars:
            continue
        if fighter.promoted and not advances(roster.content, who):
            of_a_kind = who.profile.advancement not in ("full", "limited")
            whom = plural(who.printed.name) if of_a_kind and not who.mercenary else _("Mercenaries")
            text = _("{whom} are never promoted, but {{who}} is marked as ELITE.").format(whom=whom)
            mend = _("Take the promotion off {who}.")
            yield Placed(
                Finding("promotion", text, mend, _("{source}, promotion").format(source=source), subject="promotion"),
                fighter,
            )
        scars = scars_of(fighter)
        if scars <= numbers.scar_limit or fighter.status != "active":
            continue
        limit = numbers.scar_limit + sum(c.effect.add for c in who.of(v.ScarLimitEffect))
        if scars > limit:
            bears = f"{number(scars)} {'scar' if scars == 1 else 'scars'}"
            text = _("{{who}} has {bears}; {limit} is the limit.").format(bears=bears, limit=number(limit))
            mend = _("Strike {who} off, or a scar.")
            size = scars - limit
            yield Placed(
                Finding("scars", text, mend, _("{source}, injuries").format(source=source), subject="scars", size=size),
                fighter,
            )
