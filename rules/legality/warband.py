"""What a warband breaks as a whole: who and how many may be hired, what may be owned, what it may spend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules import vocabulary as v
from rules.choices import of_item, of_list
from rules.content.compiled import Content, opener_of
from rules.content.schema import ItemOffer, ProfileOffer, UpgradeOffer
from rules.eligibility import traits
from rules.fighters.advancement import advances, scars_of
from rules.fighters.facts import Facts
from rules.fighters.foreign import foreign_offers
from rules.fighters.frame import PAIRS, Frame, frame_of
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import holder_fits, item_passes, passes_any, trait_holds
from rules.fighters.prices import named_entry, price_under
from rules.fighters.sources import Cause, picks
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem
from rules.formatting import counted, fighter_count, first, limit_words, listed, number, plural
from rules.legality.fighter import as_recruited, extra_rows, fighter_findings, open_choice, ruled_out, worth_findings
from rules.legality.finding import Finding, Placed, label_of, left_out
from rules.price import ZERO, Price, add
from rules.vocabulary import Cap

PRESENT = ("active", "captive")


class RosterState(NamedTuple):
    """A warband worked out: its frame, the fighters on the roster with their facts, and (once asked for) what stands against purchases."""

    content: Content
    force: Force
    frame: Frame
    fighters: tuple[ForceFighter, ...]
    facts: tuple[Facts, ...]
    sizes: dict[tuple[str, str, str], int]  # of what was found, empty until a purchase is compared with it


def examine(content: Content, force: Force, before: RosterState | None = None) -> RosterState:
    """Work the warband out. Fighters whose profile nobody knows are left out. Raises KeyError for an unknown list.

    `before` is the same warband without a change that is tried: fighters that the change does not reach keep their facts.
    """
    frame = frame_of(content, force)
    fighters = [f for f in force.fighters if f.status in PRESENT and f.profile in content.profiles]
    if any(not f.offer for f in fighters):
        fighters = with_offers(content, frame, fighters)
    explicit = force.strongbox is not None
    known = _unchanged(before, frame, explicit) if before is not None else {}
    return RosterState(
        content,
        force,
        frame,
        tuple(fighters),
        tuple([known.get(id(f)) or facts(content, frame, f, explicit=explicit) for f in fighters]),
        {},
    )


def _unchanged(before: RosterState, frame: Frame, explicit: bool) -> dict[int, Facts]:
    """The facts of fighters to whom this frame is what the one before was, by the identity of the fighter's value."""
    old = before.frame
    if old.key != frame.key or explicit != (before.force.strongbox is not None):
        return {}
    return {
        id(fighter): who
        for fighter, who in zip(before.fighters, before.facts, strict=True)
        if frame.linked.get(fighter.key) == old.linked.get(fighter.key)
        and frame.foreign.get(fighter.key) == old.foreign.get(fighter.key)
        and frame.firsts.rows.get(fighter.key) == old.firsts.rows.get(fighter.key)
    }


def with_offers(content: Content, frame: Frame, fighters: Sequence[ForceFighter]) -> list[ForceFighter]:
    """The fighters with the recruitment entry each was hired through, where none is known: leaders first, then what still has room."""
    army = frame.list
    taken: Counter[str] = Counter(f.offer for f in fighters if f.offer)
    entries = {f.key: _entries(content, frame, f) for f in fighters if not f.offer}
    chosen: dict[str, str] = {}
    leading = any(o.leader for o in army.profile_offers if taken[o.id])
    only_leaders = [k for k, offers in entries.items() if offers and all(o.leader for o in offers)]
    for key in only_leaders:
        chosen[key] = entries[key][0].id
        taken[chosen[key]] += 1
        leading = True
    for key, offers in entries.items():
        if not leading and key not in chosen and any(o.leader for o in offers):
            chosen[key] = next(o.id for o in offers if o.leader)
            taken[chosen[key]] += 1
            leading = True
    for key, offers in entries.items():
        if key in chosen or not offers:
            continue
        ranked = sorted(offers, key=lambda o: (o.leader, o.hired_as == "find"))
        free = next((o for o in ranked if o.most is None or taken[o.id] < o.most), ranked[0])
        chosen[key] = free.id
        taken[free.id] += 1
    return [replace(f, offer=chosen[f.key]) if f.key in chosen else f for f in fighters]


def _entries(content: Content, frame: Frame, fighter: ForceFighter) -> list[ProfileOffer]:
    own = list(frame.list.by_profile.get(fighter.profile, ()))
    if own:
        return own
    return [o for o in content.pack.profile_offers if o.profile == fighter.profile and o.hired_as == "find"]


def threshold_of(content: Content, force: Force, battle: int | None = None) -> int | None:
    """The threshold of the next battle (or of battle `battle`) for this list; None in one-off games."""
    if force.mode == "one-off" or content.pack.campaign is None:
        return None
    number_ = battle or force.battles.next_number
    house = content.house
    rows = content.pack.campaign.limits
    base = next(
        (r.threshold for r in rows if r.battle == number_),
        rows[-1].threshold if rows and number_ > rows[-1].battle else None,
    )
    if base is None:
        return None
    base = house.thresholds.get(number_, base)
    own = content.lists[force.list].army.threshold_add if force.list in content.lists else 0
    return base + own + house.threshold_add


def field_strength_of(content: Content, force: Force, battle: int | None = None) -> int | None:
    """The field strength of the next battle (or of battle `battle`); None in one-off games."""
    if force.mode == "one-off" or content.pack.campaign is None:
        return None
    number_ = battle or (
        force.battles.fought + 1 if content.reading("late_field_strength") == "own" else force.battles.next_number
    )
    rows = content.pack.campaign.limits
    base = next(
        (r.field_strength for r in rows if r.battle == number_),
        rows[-1].field_strength if rows and number_ > rows[-1].battle else None,
    )
    if base is None:
        return None
    return content.house.field_strengths.get(number_, base) + content.house.field_strength_add


def start_of(content: Content, force: Force) -> Price:
    """What the list is founded with in this mode."""
    if content.house.budget is not None:
        return content.house.budget
    start = content.lists[force.list].army.start
    return start.campaign if force.mode == "campaign" else start.one_off


def rating_of(exam: RosterState) -> Price:
    """What the active fighters, their kit and upgrades are worth."""
    return add(*[w.rating for f, w in zip(exam.fighters, exam.facts, strict=True) if f.status == "active"])


def money_left(exam: RosterState) -> Price | None:
    """What is left to spend: the strongbox, or a budget less what the roster took from it; None where nobody can tell."""
    force = exam.force
    if force.strongbox is not None:
        return force.strongbox
    budget = force.budget
    if budget is None:
        if force.battles.fought or force.battles.credited:
            return None
        budget = start_of(exam.content, force)
    spent = add(*[w.spent for w in exam.facts], *[stash_price(exam, i) for i in force.stash if i.origin == "bought"])
    return Price(ducats=budget.ducats - spent.ducats, glory=budget.glory - spent.glory)


def stash_price(exam: RosterState, piece: ForceItem) -> Price:
    """What a piece in the stash took from the budget."""
    if piece.paid:
        return piece.paid
    offer = stash_offer(exam, piece)
    if offer is not None:
        return price_under(exam.frame, offer, first=piece.key in exam.frame.firsts.stash)
    return ZERO


def priced(content: Content, force: Force) -> Force:
    """The force with what a document leaves unsaid of money: what each fighter, piece and upgrade took, as the check counts it."""
    if force.list not in content.lists:
        return force
    exam = examine(content, force)
    fighters = {}
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        worth = {h.row: h.price for h in who.held if h.row >= 0 and h.included is None and h.offer is not None}
        kit = [
            replace(piece, paid=worth.get(row, ZERO)) if piece.origin == "bought" and not piece.paid else piece
            for row, piece in enumerate(fighter.kit)
        ]
        upgrades = [
            taken if taken.paid else replace(taken, paid=who.upgrade_prices[row])
            for row, taken in enumerate(fighter.upgrades)
        ]
        hired = isinstance(who.offer, ProfileOffer) and who.offer.hired_as != "find"
        paid = who.profile_price if hired and not fighter.paid else fighter.paid
        fighters[fighter.key] = replace(fighter, kit=tuple(kit), upgrades=tuple(upgrades), paid=paid)
    stash = [replace(i, paid=stash_price(exam, i)) if i.origin == "bought" else i for i in force.stash]
    return replace(force, fighters=tuple(fighters.get(f.key, f) for f in force.fighters), stash=tuple(stash))


def stash_offer(exam: RosterState, piece: ForceItem) -> ItemOffer | None:
    """The armoury entry of a piece in the stash."""
    named = named_entry(exam.frame, piece.item, piece.offer, exam.frame.foreign.get("", ()))
    if named is not None:
        return named
    entries = (
        *exam.frame.list.by_item.get(piece.item, ()),
        *(o for o in exam.frame.foreign.get("", ()) if o.item == piece.item),
    )
    if not entries:
        return None if piece.origin == "bought" else exam.content.finds.get(piece.item)
    return min(entries, key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))


def stash_held(exam: RosterState, piece: ForceItem) -> CarriedItem:
    """A piece in the stash as item tests see it."""
    item, keywords = exam.content.items[piece.item], exam.content.item_keywords[piece.item]
    return CarriedItem(item, -1, piece.origin, keywords, None, stash_offer(exam, piece))


# --- everything found ------------------------------------------------------------------------------------------------------


def roster_findings(exam: RosterState, *, purchase: bool = False) -> list[Placed]:
    """Everything the roster breaks. `purchase` adds what only stops a purchase: groups that would outnumber the others.

    While founding everybody was just bought, so it stands then in any case.
    """
    found: list[Placed] = [Placed(f) for f in _list_findings(exam)]
    found += [Placed(f) for f in _unknown_profiles(exam)]
    found += _hired(exam, purchase=purchase)
    found += [Placed(f) for f in _leaders(exam)]
    found += [Placed(f) for f in _groups(exam, purchase=purchase)]
    found += _elites(exam)
    found += _careers(exam)
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        findings = (
            who.remembered.findings
            if who.remembered.findings is not None
            else fighter_findings(exam.content, exam.frame, fighter, who)
        )
        found += [Placed(f, fighter) for f in findings]
        found += [Placed(f, fighter) for f in worth_findings(who)]
    found += _item_limits(exam)
    found += _warband_items(exam)
    found += [Placed(f) for f in _borne(exam)]
    found += _upgrade_limits(exam)
    found += [Placed(f) for f in _choices(exam)]
    if exam.force.choices.get(PAIRS):
        from rules.fireteams import fireteam_findings

        found += [Placed(f) for f in fireteam_findings(exam)]
    return found


def _borne(exam: RosterState) -> Iterator[Finding]:
    """What somebody must bear when the warband is recruited."""
    if not exam.force.founding:
        return
    for cause in exam.frame.of(v.StartingItemsEffect):
        for offer in cause.effect.offers if cause.effect.borne else ():
            item = exam.content.item_offers[offer].item
            if not any(h.item.id == item for w in exam.facts for h in w.held):
                name = exam.content.items[item].name
                yield Finding(
                    "too-few",
                    f"Nobody bears {name}.",
                    f"Give {name} to one of the fighters.",
                    cause.source.where,
                    name,
                    subject=item,
                )


def money_findings(exam: RosterState) -> list[Placed]:
    """Overspending while founding (or by a roster document)."""
    left = money_left(exam)
    if left is None:
        return []
    found = []
    for currency in ("ducats", "glory"):
        amount = getattr(left, currency)
        if amount < 0:
            over = f"{-amount} {currency}"
            found.append(
                Placed(Finding("over-budget", f"{first(over)} over budget.", f"Return kit or a fighter worth {over}.",
                               f"{exam.frame.list.army.name}, start", subject=currency, size=-amount))
            )  # fmt: skip
    return found


def _list_findings(exam: RosterState) -> Iterator[Finding]:
    army, content, force = exam.frame.list, exam.content, exam.force
    if army.closed:
        yield Finding(
            "third-party" if army.army.third_party else "banned",
            army.closed,
            "Choose another list.",
            "House rules",
            subject="list",
        )
    patrons = (*army.army.patrons, *(p for c in exam.frame.of(v.OpensPatronsEffect) for p in c.effect.patrons))
    if force.patron and force.patron not in patrons and patrons:
        name = content.name("patron", force.patron)
        names = listed((content.name("patron", p) for p in patrons), "or")
        opener = opener_of(exam.content, army.army, force.patron)
        mend = f"{first(opener)} would open it; else choose {names}." if opener else f"Choose {names}."
        yield Finding("patron", f"{name} is no patron of {army.army.name}.", mend, army.army.name, subject="patron")


def _unknown_profiles(exam: RosterState) -> Iterator[Finding]:
    for fighter in exam.force.fighters:
        if fighter.status in PRESENT and fighter.profile and fighter.profile not in exam.content.profiles:
            yield Finding(
                "unknown-name",
                f"{fighter.name}: no profile is called “{fighter.profile}”.",
                "",
                subject=fighter.profile,
            )


def _hired(exam: RosterState, *, purchase: bool) -> Iterator[Placed]:
    """Entries: on offer at all, at least and at most so many."""
    content, army = exam.content, exam.frame.list
    counts: Counter[str] = Counter()
    early = exam.force.mode == "campaign" and not exam.force.battles.fought and not exam.force.battles.credited
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        offer = who.offer
        counts[offer.id if offer else ""] += 1
        if isinstance(offer, ItemOffer):
            if offer.id not in army.item_offer_ids:
                yield Placed(_not_on_list(exam, who), fighter)
            continue
        found = offer is not None and offer.hired_as == "find" and not (early and exam.force.strongbox is None)
        if offer is None or (offer.id not in army.profile_offer_ids and not found):
            shut = army.shut.get(who.printed.id)
            if shut is not None:
                yield Placed(left_out(shut, who.printed.name, subject=who.printed.id), fighter)
            else:
                yield Placed(_not_on_list(exam, who), fighter)
    for entry in army.profile_offers:
        count = counts[entry.id]
        name = content.profiles[entry.profile].name
        if count < entry.least and not entry.leader:
            yield Placed(Finding(
                "too-few", f"{first(counted(count, name))}; {army.army.name} asks for at least {number(entry.least)}.",
                f"Hire {number(entry.least - count)} more.", army.army.name, subject=entry.id, size=entry.least - count,
            ))  # fmt: skip
        if not count:
            continue
        most, cause = most_of(exam, entry)
        if most is not None and count > most:
            yield Placed(Finding(
                "too-many", f"{first(counted(count, name))}; {army.army.name} takes {limit_words(most)}{cause}.",
                "Let the rest go.", army.army.name, subject=entry.id, size=count - most, moving=bool(cause),
            ))  # fmt: skip
        for cap in entry.caps:
            if isinstance(cap, v.CapOutnumbered) and "roster" in cap.scopes:
                yield from (Placed(f) for f in _outnumbered(exam, entry, cap, name))
            if isinstance(cap, v.CapOthersCost) and (purchase or exam.force.founding):
                others = sum(w.rating.ducats for w in exam.facts if w.offer is not entry)
                if others < cap.ducats:
                    yield Placed(Finding(
                        "needs", f"{name} beside others for {others} ducats; {army.army.name} asks for {cap.ducats}.",
                        f"Bring the others to {cap.ducats} ducats first.", army.army.name, subject=f"{entry.id}-others", size=cap.ducats - others,
                    ))  # fmt: skip
            if isinstance(cap, v.CapAfter) and (purchase or exam.force.founding) and not counts[cap.offer]:
                asked = content.profile_offers[cap.offer].price
                yield Placed(Finding(
                    "needs", f"{name} for {entry.price}: the first of them costs {asked}.", f"Hire one for {asked} first.", army.army.name,
                    subject=f"{entry.id}-{cap.offer}", size=count,
                ))  # fmt: skip


def _not_on_list(exam: RosterState, who: Facts) -> Finding:
    army = exam.frame.list.army
    return Finding(
        "not-offered",
        f"{who.printed.name} is not open to {army.name}.",
        "Hire from the list instead.",
        army.name,
        subject=who.printed.id,
    )


def most_of(exam: RosterState, entry: ProfileOffer) -> tuple[int | None, str]:
    """How many may be hired through an entry, with the cause in words where it moves."""
    content = exam.content
    most = content.limit_of(entry.most, entry.id, entry.profile)
    if most is not None:
        most += raised(exam, entry.id, entry.profile) + raised_at_large(exam, entry)
    least, cause = capped(exam, entry.caps, most)
    return least, cause


def capped(exam: RosterState, caps: Sequence[Cap], most: int | None) -> tuple[int | None, str]:
    """A maximum after the caps that move it, with the cause in words."""
    cause = ""
    for cap in caps:
        if isinstance(cap, v.CapRises) and threshold_reached(exam, cap.threshold_ducats):
            most = max(most or 0, cap.most)
        elif isinstance(cap, v.CapHalf):
            half = sum(1 for w in exam.facts if w.profile.id == cap.profile) // 2
            if most is None or half < most:
                most, cause = half, f" (half its {plural(exam.content.name('profile', cap.profile))})"
        elif isinstance(cap, v.CapMatch):
            count = sum(1 for w in exam.facts if w.is_profile(cap.profile))
            if most is None or count < most:
                most, cause = count, f" (one for each {exam.content.name('profile', cap.profile)})"
    return most, cause


def threshold_reached(exam: RosterState, ducats: int) -> bool:
    """Whether the condition "past so many ducats" is met, as this campaign reads it."""
    reading = exam.content.reading("threshold_condition", "threshold")
    if reading == "rating":
        return rating_of(exam).ducats > ducats
    value = threshold_of(exam.content, exam.force)
    if value is None:
        value = (exam.force.budget or start_of(exam.content, exam.force)).ducats
    return value > ducats if reading == "threshold-over" else value >= ducats


def raised(exam: RosterState, *ids: str) -> int:
    """By how much a limit was raised through picks kept with skills and items."""
    more = 0
    for cause in exam.frame.wide:
        if isinstance(cause.effect, v.RaiseLimitEffect):
            chosen = {x for key in cause.source.choices for x in picks(cause.source.choices, key)}
            if chosen.intersection(ids):
                more += cause.effect.add
    return more


def raised_at_large(exam: RosterState, entry: ProfileOffer) -> int:
    """By how much the limit of an entry rises with every other of its kind; of several such rules one counts, the farthest reaching."""
    profile = exam.content.profiles[entry.profile]
    elite = profile.role == "elite" or "ELITE" in {exam.content.keyword(k) for k in profile.keywords}
    more = 0
    for cause in exam.frame.wide:
        effect = cause.effect
        if not isinstance(effect, v.RaiseLimitEffect) or not effect.every or effect.of != "profiles":
            continue
        small = not effect.base_below_mm or max(profile.statline.base_mm) < effect.base_below_mm
        if entry.hired_as == "own" and small and not (effect.not_elite and elite):
            more = max(more, effect.add)
    return more


def _outnumbered(exam: RosterState, entry: ProfileOffer, cap: v.CapOutnumbered, name: str) -> Iterator[Finding]:
    mine = sum(1 for w in exam.facts if w.profile.id == entry.profile)
    others = sum(
        1 for w in exam.facts if w.profile.id != entry.profile and any(trait_holds(t, w, exam.content) for t in cap.by)
    )
    allowed = others if exam.content.reading("wretched_ratio", "strict") == "equal" else others - 1
    if mine > max(allowed, 0):
        whom = traits(cap.by, exam.content)
        yield Finding(
            "ratio", f"{first(counted(mine, name))} beside {number(others)} other {whom if others != 1 else whom.replace('fighters', 'fighter')}; they must stay outnumbered.",
            f"Hire {number(mine - max(allowed, 0))} more of the others, or fewer of these.", exam.frame.list.army.name,
            subject=entry.id, size=mine - allowed,
        )  # fmt: skip


def _leaders(exam: RosterState) -> Iterator[Finding]:
    army = exam.frame.list
    leaders = [w for w in exam.facts if w.leader]
    entries = [o for o in army.profile_offers if o.leader]
    if not leaders and entries:
        names = listed((exam.content.profiles[o.profile].name for o in entries), "or")
        article = "an" if names[:1] in "AEIOU" else "a"
        cheapest = min(entries, key=lambda o: (o.price.glory, o.price.ducats)).price
        mend = f"{army.army.name} takes the field under {article} {names}, for {cheapest}."
        if not exam.force.founding:
            mend += " One must be hired; until then the warband can still play."
        yield Finding("no-leader", "No leader.", mend, army.army.name, subject="leader")
    if len(leaders) > 1 and len({w.offer.id for w in leaders if w.offer}) > 1:
        yield Finding(
            "too-many", f"{first(number(len(leaders)))} leaders: {listed(w.printed.name for w in leaders)}. One leads.",
            "Let one go, or hire it as an ordinary fighter.", army.army.name, subject="leader", size=len(leaders),
        )  # fmt: skip


def _groups(exam: RosterState, *, purchase: bool) -> Iterator[Finding]:
    for group in exam.frame.list.army.group_caps:
        count = sum(1 for w in exam.facts if w.printed.id in group.profiles or w.profile.id in group.profiles)
        most = exam.content.limit_of(group.most, group.id)
        if most is not None and count > most:
            yield Finding(
                "group-cap", f"{first(number(count))} of {group.name}; {number(most)} together is the most.", "Let one go.",
                group.source or exam.frame.list.army.name, subject=group.id, size=count - most,
            )  # fmt: skip
        others = len(exam.facts) - count
        if group.not_more_than_others and (purchase or exam.force.founding) and count > others:
            yield Finding(
                "ratio", f"{first(number(count))} {group.name} beside {number(others)} {'other' if others == 1 else 'others'}; they may not be more.",
                "Hire others first.", group.source or exam.frame.list.army.name, subject=group.id, size=count - others,
            )  # fmt: skip
    if purchase:
        for entry in exam.frame.list.profile_offers:
            for cap in entry.caps:
                if isinstance(cap, v.CapOutnumbered) and "roster" not in cap.scopes:
                    yield from _outnumbered(exam, entry, cap, exam.content.profiles[entry.profile].name)


def elite_cap(exam: RosterState) -> int | None:
    """How many ELITE fighters the warband may hold."""
    numbers = exam.content.pack.campaign
    if numbers is None:
        return None
    cap = numbers.elite_cap if exam.content.house.elite_cap is None else exam.content.house.elite_cap
    return int(cap + sum(int(c.effect.add) for w in exam.facts for c in w.of(v.EliteCapEffect)))


def counts_mercenaries(content: Content) -> bool:
    """Whether mercenaries count among the ELITE fighters of their warband."""
    return content.pack.campaign is not None and content.pack.campaign.rules.mercenaries_advance


def _elites(exam: RosterState) -> Iterator[Placed]:
    cap = elite_cap(exam)
    hired = counts_mercenaries(exam.content)
    count = sum(1 for w in exam.facts if w.elite and (hired or not w.mercenary) and not w.of(v.UncountedEliteEffect))
    if cap is not None and count > cap:
        yield Placed(Finding(
            "elite-cap", f"{first(fighter_count(count, 'ELITE '))}; {number(cap)} is the most.", "Let one go.",
            f"Campaign rules {exam.content.edition}, promotion", subject="elite", size=count - cap,
        ))  # fmt: skip


def _careers(exam: RosterState) -> Iterator[Placed]:
    """Promotions that a profile cannot have had, and more scars than anybody lives with."""
    numbers = exam.content.pack.campaign
    if numbers is None:
        return
    source = f"Campaign rules {exam.content.edition}"
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        if fighter.promoted and not advances(exam.content, who):
            of_a_kind = who.profile.advancement not in ("full", "limited")
            whom = plural(who.printed.name) if of_a_kind and not who.mercenary else "Mercenaries"
            yield Placed(Finding(
                "promotion", f"{whom} are never promoted; {{who}} is written down as ELITE.", "Take the promotion off {who}.",
                f"{source}, promotion", subject="promotion",
            ), fighter)  # fmt: skip
        scars = scars_of(fighter)
        if scars > numbers.scar_limit and fighter.status == "active":
            limit = numbers.scar_limit + sum(c.effect.add for c in who.of(v.ScarLimitEffect))
            if scars > limit:
                yield Placed(Finding(
                    "scars", f"{{who}} bears {number(scars)} {'scar' if scars == 1 else 'scars'}; nobody lives with more than {number(limit)}.", "Strike {who} off, or a scar.",
                    f"{source}, injuries", subject="scars", size=scars - limit,
                ), fighter)  # fmt: skip


def item_counts(exam: RosterState) -> Counter[str]:
    """Copies bought through each armoury entry: carried or in the stash.

    What came with fighters is left out, and what mercenaries carry, unless the entry is theirs alone.
    """
    counts: Counter[str] = Counter()
    loot = ("found", "looted") if exam.content.reading("loot_respects_limit", False) else ()
    counted = ("bought", "starting", *loot)  # what the list gives at the start stands for a copy bought
    for who in exam.facts:
        if isinstance(who.offer, ItemOffer):
            counts[who.offer.id] += 1
        for held in who.held:
            if held.offer is None or held.origin not in counted:
                continue
            if not who.mercenary or of_mercenaries(exam.content, held.offer):
                counts[held.offer.id] += 1
    for piece in (*exam.force.stash, *exam.force.lost):
        if piece.item in exam.content.items and piece.origin in counted:
            offer = stash_offer(exam, piece)
            if offer is not None:
                counts[offer.id] += 1
    return counts


def of_mercenaries(content: Content, offer: ItemOffer) -> bool:
    """Whether an armoury entry is open to mercenaries alone."""
    named = [content.profiles.get(t.profile) for t in offer.who.only_for]
    return bool(named) and all(p is not None and p.role == "mercenary" for p in named)


def item_limit(exam: RosterState, offer: ItemOffer) -> int | None:
    """LIMIT of an armoury entry for this warband."""
    limit = exam.content.limit_of(offer.limit, offer.id, offer.item)
    own = None if limit is None else limit + raised(exam, offer.id, offer.item)
    picked = _pick_limit(exam, offer)
    return own if picked is None else picked if own is None else min(own, picked)


def _pick_limit(exam: RosterState, offer: ItemOffer) -> int | None:
    """How many copies foreign picks grant of an entry chosen through them, each its own; None where one of them says nothing."""
    if offer.id in exam.frame.list.item_offer_ids or not any(offer in x for x in exam.frame.foreign.values()):
        return None
    granted = 0
    for cause in exam.frame.wide:
        if isinstance(cause.effect, v.ForeignPickEffect) and offer in foreign_offers(
            exam.content, exam.frame.list, cause
        ):
            if cause.effect.limit is None:
                return None
            granted += cause.effect.limit
    return granted or None


def _item_limits(exam: RosterState) -> Iterator[Placed]:
    content = exam.content
    for offer_id, count in item_counts(exam).items():
        offer = content.item_offers[offer_id]
        limit = item_limit(exam, offer)
        if limit is not None and count > limit:
            name = content.items[offer.item].name
            yield Placed(Finding(
                "warband-limit", f"{first(counted(count, name))}; the list allows {limit_words(limit)}.",
                "Return one or sell it.", f"{exam.frame.list.army.name}, armoury: LIMIT {limit}", name, subject=offer_id, size=count - limit,
            ))  # fmt: skip
    early = exam.force.mode == "campaign" and not exam.force.battles.fought and not exam.force.battles.credited
    for piece in exam.force.stash:
        if piece.item not in content.items:
            yield Placed(
                Finding(
                    "unknown-name",
                    f"Stash: no item is called “{piece.item}”.",
                    "",
                    subject=piece.item,
                    item_key=piece.key,
                )
            )
        elif piece.origin == "bought":
            offer_ = stash_offer(exam, piece)
            name = content.items[piece.item].name
            picked = offer_ is not None and offer_ in exam.frame.foreign.get("", ())
            if piece.item in exam.frame.list.shut and not picked:
                shut = exam.frame.list.shut[piece.item]
                yield Placed(left_out(shut, name, item=name, subject=f"stash-{piece.item}", item_key=piece.key))
            elif ruled_out(exam.frame, stash_held(exam, piece), None, content):
                continue  # told once, by the rule
            elif offer_ is None or (exam.frame.list.army.id not in offer_.lists and not picked):
                yield Placed(Finding(
                    "not-offered", f"{name} is not in the armoury of {exam.frame.list.army.name}.", "Take something the list offers.",
                    exam.frame.list.army.name, name, subject=f"stash-{piece.item}", item_key=piece.key,
                ))  # fmt: skip
    if early and shop_cap(exam) is None:
        for fighter, who in zip(exam.fighters, exam.facts, strict=True):
            for held in who.held:
                if held.origin == "bought" and held.offer is not None and held.offer.exploration_only:
                    yield Placed(Finding(
                        "not-offered", f"{held.item.name} is only found by exploration.", "Return it.", exam.frame.list.army.name,
                        held.item.name, held.row, held.item.id,
                    ), fighter)  # fmt: skip


def shop_cap(exam: RosterState) -> int | None:
    """Up to how much glory exploration-only items may be bought; None: not at all. One-off games know no such bound."""
    if exam.force.mode == "one-off":
        return 99
    caps = [int(c.effect.most_glory) for c in exam.frame.wide if isinstance(c.effect, v.ShopCapEffect)]
    until = exam.force.state.get("shop_until")
    if isinstance(until, int) and not isinstance(until, bool):
        caps.append(until)
    return max(caps) if caps else None


def _under(exam: RosterState, pieces: Sequence[CarriedItem], who: Facts | None) -> tuple[tuple[CarriedItem, ...], ...]:
    """The pieces that each cap on what the warband owns counts, then those that each ban rules out."""
    content, frame = exam.content, exam.frame
    counted = [
        tuple(
            h
            for h in pieces
            if item_passes(c.effect.among, h, who, content) and not passes_any(c.effect.ignore, h, who, content)
        )
        for c in frame.of(v.WarbandItemCapEffect)
    ]
    barred = [
        tuple(h for h in pieces if h.included is None and passes_any(c.effect.items, h, who, content))
        for c in frame.of(v.WarbandBanEffect)
    ]
    return (*counted, *barred)


def _warband_items(exam: RosterState) -> Iterator[Placed]:
    caps = exam.frame.of(v.WarbandItemCapEffect)
    bans = exam.frame.of(v.WarbandBanEffect)
    if not caps and not bans:
        return
    for who in exam.facts:
        if who.remembered.under is None:
            who.remembered.under = _under(exam, who.held, who)
    keys = [p.key for p in exam.force.stash if p.item in exam.content.items]
    stash = [stash_held(exam, p) for p in exam.force.stash if p.item in exam.content.items]
    stashed = _under(exam, stash, None)
    for place, cause in enumerate(caps):
        cap: v.WarbandItemCapEffect = cause.effect
        hit = [h for who in exam.facts for h in (who.remembered.under or ())[place]] + list(stashed[place])
        if len(hit) > cap.most:
            yield Placed(Finding(
                "warband-limit", f"{first(number(len(hit)))} {'piece' if len(hit) == 1 else 'pieces'} under {cause.source.name}: {listed(h.item.name for h in hit)}. {first(number(cap.most))} is the most.",
                "Return one or sell it.", cause.source.where, subject=f"cap-{cause.source.id}", size=len(hit) - cap.most,
            ))  # fmt: skip
    for place, cause in enumerate(bans, len(caps)):
        for fighter, who in zip(exam.fighters, exam.facts, strict=True):
            for held in (who.remembered.under or ())[place]:
                key = fighter.kit[held.row].key if held.row >= 0 else ""
                yield Placed(_ruled_out(cause, held, "{who}", key), fighter)
        for held, key in zip(stash, keys, strict=True):
            if held.origin == "bought" and held in stashed[place]:  # what was found may lie there until it is sold
                yield Placed(_ruled_out(cause, held, f"the {label_of(exam.content, 'stash')}", key))


def _ruled_out(cause: Cause, held: CarriedItem, where: str, key: str) -> Finding:
    return Finding(
        "banned", f"{held.item.name} of {where}: {cause.source.name} rules it out.", "Return it or sell it.", cause.source.where,
        held.item.name, subject=f"{held.item.id}-{key}", item_key=key,
    )  # fmt: skip


def upgrade_entry(exam: RosterState, fighter: ForceFighter, who: Facts, row: int) -> UpgradeOffer | None:
    """The entry an upgrade was taken through: the one kept, else the one whose holder fits."""
    taken = fighter.upgrades[row]
    listed_ = exam.frame.list.by_upgrade.get(taken.upgrade, ())
    offers = exam.frame.upgrade_entries(taken.upgrade) or listed_
    named = next((o for o in listed_ if o.id == taken.offer), None)
    if named is not None:
        return named
    before = as_recruited(who, fighter)
    fitting = (o for o in offers if holder_fits(o.who, who, exam.content) or holder_fits(o.who, before, exam.content))
    return next(fitting, offers[0] if offers else None)


def upgrade_counts(exam: RosterState) -> Counter[str]:
    """Holders of each upgrade entry that count against its limit."""
    counts: Counter[str] = Counter()
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        if not fighter.upgrades:
            continue
        extras = extra_rows(exam.content, exam.frame, fighter, who)
        for row in range(len(fighter.upgrades)):
            offer = upgrade_entry(exam, fighter, who, row)
            if offer is not None and row not in extras and counts_against(exam, offer, fighter, who):
                counts[offer.id] += 1
    return counts


def counts_against(exam: RosterState, offer: UpgradeOffer, fighter: ForceFighter, who: Facts) -> bool:
    """Whether a holder counts against the limit of an upgrade entry."""
    return holder_fits(offer.limit_counts, as_recruited(who, fighter), exam.content)


def upgrade_limit(exam: RosterState, offer: UpgradeOffer) -> tuple[int | None, str]:
    """The limit of an upgrade entry for this warband, with its cause where it moves."""
    return capped(exam, offer.caps, exam.content.limit_of(offer.limit, offer.id, offer.upgrade))


def _upgrade_limits(exam: RosterState) -> Iterator[Placed]:
    for offer_id, count in upgrade_counts(exam).items():
        offer = exam.content.upgrade_offers[offer_id]
        limit, cause = upgrade_limit(exam, offer)
        if offer.raises and not exam.force.battles.fought + exam.force.battles.credited:
            name = offer.name or exam.content.name("upgrade", offer.upgrade)
            yield Placed(Finding(
                "recruitment", f"{name}: nobody has died yet; it is taken after a battle.", "Take it off.", exam.frame.list.army.name, name,
                subject=offer_id, size=count,
            ))  # fmt: skip
        if limit is not None and count > limit:
            name = offer.name or exam.content.name("upgrade", offer.upgrade)
            yield Placed(Finding(
                "warband-limit", f"{name} on {fighter_count(count)}; the list allows {limit_words(limit)}{cause}.",
                "Take one off.", exam.frame.list.army.name, name, subject=offer_id, size=count - limit, moving=bool(cause),
            ))  # fmt: skip


def _choices(exam: RosterState) -> Iterator[Finding]:
    """Choices of the list and of pieces in the stash that wait or do not fit. What a list must be told, a document must tell."""
    explicit = exam.force.strongbox is not None
    told = {cause.effect.key for cause in exam.frame.of(v.ChooseEffect)}
    for asking in of_list(exam.content, exam.frame, exam.force.choices):
        finding = open_choice(asking, explicit or asking.choosing.asked.key in told)
        if finding is not None:
            yield finding
    for piece in exam.force.stash:
        for asking in of_item(exam.content, exam.frame.list, piece):
            finding = open_choice(asking, explicit)
            if finding is not None:
                yield finding._replace(item_key=piece.key, subject=f"{finding.subject}-{piece.key}")
