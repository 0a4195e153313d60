"""Offers before orders: everything that may be done now, at what price, and why not. The order charges what the offer says.

Each offer is tried out: the warband is worked out with it, and what it adds to the findings makes it open, open with the problem it
would make (while founding: money, hands and what depends on the order of building), or closed with the reason easiest to change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from rules import vocabulary as v
from rules.checker import new_findings
from rules.choices import asked, of_fighter, of_item
from rules.consequences import Becomes, Consequence, GainsItem, LosesItems, ToStash
from rules.content.compiled import Content
from rules.content.extra import OFFERS
from rules.content.schema import ItemEntry, ItemOffer, KitSet, ProfileEntry, ProfileOffer, Upgrade, UpgradeOffer
from rules.eligibility import holder_words
from rules.fighters.advancement import scars_of
from rules.fighters.facts import Facts
from rules.fighters.foreign import foreign_offers
from rules.fighters.matching import holder_fits
from rules.fighters.prices import paid_on_top, price_under, upgrade_price_under
from rules.fighters.sources import EffectSource
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem, ForceUpgrade
from rules.formatting import figure, first, limit_words, listed, plural, signed
from rules.legality.fighter import as_recruited, extra_rows, is_locked
from rules.legality.finding import Finding, Placed, label_of, problem, put_away
from rules.legality.warband import (
    RosterState,
    capped,
    examine,
    item_counts,
    item_limit,
    money_left,
    most_of,
    shop_cap,
    start_of,
    stash_offer,
    upgrade_counts,
    upgrade_limit,
)
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import StartingItem
from rules.parts.offer import Offer, OfferState
from rules.price import ZERO, Price
from rules.problems import Problem, Refusal

# What may stand while founding, because the order of building makes it so.
ORDERLY = frozenset({"hands", "heavy", "needs", "ratio", "too-few", "option", "over-budget"})
# The reason easiest to change is told first.
EASE = ("option", "hands", "slot-grenade", "slot-shield", "slot-armour", "slot-headgear", "slot-standard", "slot-instrument", "heavy",
        "duplicate", "model-limit", "needs", "over-budget", "only-for", "excludes", "warband-limit", "ratio", "too-many", "group-cap",
        "elite-cap", "recruitment", "banned", "fixed-kit", "not-offered", "third-party")  # fmt: skip
RANK = {code: place for place, code in enumerate(EASE)}
TRIAL = "(new)"
SHELVES = {
    "ranged": "Ranged",
    "melee": "Melee",
    "armour": "Armour",
    "equipment": "Other: equipment",
    "field": "Other: field",
}
SECTIONS = {"elite": "Elite", "troop": "Troops", "mercenary": "Mercenaries", "special": "Troops"}


def _judged(
    exam: RosterState, offer: Offer, added: Sequence[Placed], closing: Sequence[Finding] = (), *, takes: bool = False
) -> Offer:
    """The offer with its state: from what it would add, what closes it outright, and the money.

    `takes`: the offer would put a piece into a fighter's kit, in the last place. Then the advice is to part with another.
    """
    if takes:
        added = [_another_way(exam, placed) for placed in added]
    money = _short_of(exam, offer)
    founding = exam.force.founding
    hard = list(closing)
    told_already = {f.code for f in closing}
    added = [p for p in added if p.finding.code not in told_already]
    soft: list[Placed] = []
    for placed in added:
        code = placed.finding.code
        if code == "choice":
            continue  # taking it asks for the choice
        orderly = code in ORDERLY or placed.finding.moving
        if founding and orderly:
            soft.append(placed)
        else:
            hard.append(placed.finding)
    if money is not None and founding and money.size:
        soft.append(Placed(money))
    elif money is not None:
        hard.append(money)
    if hard:
        worst = min(hard, key=lambda f: RANK.get(f.code, len(EASE)))
        who = next((p.fighter for p in added if p.finding == worst and p.fighter), None)
        told = problem(Placed(worst, who))
        others = [problem(p) for p in added if p.finding != worst]
        return replace(offer, state="closed", reason=told.message, mend=told.mend, problems=(told, *others))
    if soft:
        worst_soft = min(soft, key=lambda p: RANK.get(p.finding.code, len(EASE)))
        told = problem(worst_soft)
        return replace(
            offer, state="problem", reason=told.message, mend=told.mend, problems=tuple(problem(p) for p in soft)
        )
    return offer


def _another_way(exam: RosterState, placed: Placed) -> Placed:
    """The finding with advice for a piece not taken yet: which other piece would make room for it."""
    finding, fighter = placed
    if fighter is None:
        return placed
    if finding.code == "banned" and finding.row == len(fighter.kit) - 1:
        return Placed(finding._replace(mend="Give it to someone else."), fighter)
    if not finding.spares:
        return placed
    name = next((name for row, name in finding.spares if row != len(fighter.kit) - 1), "")
    return Placed(finding._replace(mend=f"{put_away(exam.content, name)} first." if name else ""), fighter)


def _short_of(exam: RosterState, offer: Offer) -> Finding | None:
    """The sentence for a purse too short for this offer, None where it pays or nobody counts.

    `size` 0 marks a currency the warband was never given any of: no order of building brings it.
    """
    left = money_left(exam)
    if left is None:
        return None
    founding = exam.force.founding
    for currency in ("glory", "ducats"):
        asked, held = getattr(offer.price, currency), getattr(left, currency)
        if not asked or asked <= held:
            continue
        given = exam.force.budget or start_of(exam.content, exam.force)
        hopeless = founding and not getattr(given, currency)
        if founding and not hopeless:
            over = asked - held
            what = "glory" if currency == "glory" else "ducat" if over == 1 else "ducats"
            text = f"{offer.name} leaves you {over} {what} over."
        else:
            text = f"{offer.name} asks {asked} {currency}; you hold {held}."
        mend = "" if hopeless else _frees(exam, currency, asked - held)
        return Finding("over-budget", text, mend, subject=currency, size=0 if hopeless else asked - held)
    return None


def _frees(exam: RosterState, currency: str, missing: int) -> str:
    """What would bring the missing amount: the smallest piece that is enough, else the dearest."""
    founding = exam.force.founding
    pieces: list[tuple[int, str]] = []
    owned: list[ForceItem] = [*exam.force.stash]
    if founding:
        owned += [i for f in exam.fighters for i in f.kit]
    for piece in owned:
        if piece.item not in exam.content.items:
            continue
        if founding:
            brings = piece.paid if piece.paid else ZERO
            if not piece.paid and piece.origin == "bought":
                offer = stash_offer(exam, piece)
                brings = offer.price if offer else ZERO
        else:
            brings = _sale_price(exam, piece)
        amount = getattr(brings, currency)
        if amount > 0:
            pieces.append((amount, exam.content.items[piece.item].name))
    if not pieces:
        return ""
    pieces.sort()
    amount, name = next((p for p in pieces if p[0] >= missing), pieces[-1])
    return f"{'Returning' if founding else 'Selling'} {_one(name)} frees {amount}."


def _one(name: str) -> str:
    last = name.rsplit(" ", 1)[-1]
    if last in ("Ammunition", "Armour", "Equipment") or (last.endswith("s") and not last.endswith("ss")):
        return name
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def _ordered(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Open before closed within each group, groups in the order they first come."""
    listed_ = list(offers)
    groups = list(dict.fromkeys(o.group for o in listed_))
    return tuple(sorted(listed_, key=lambda o: (groups.index(o.group), o.state == "closed")))


# --- reinforcements ----------------------------------------------------------------------------------------------------------


def only_newcomers(exam: RosterState) -> bool:
    """Whether the warband called for reinforcements after its last battle, in an edition where they bring new fighters and no more."""
    campaign = exam.content.pack.campaign
    called = exam.force.state.get("reinforced_last") and not exam.force.founding
    return bool(called) and campaign is not None and campaign.rules.reinforcements == "newcomers"


def is_newcomer(force: Force, fighter: ForceFighter) -> bool:
    """Whether a fighter joined after the battle fought last."""
    joined = fighter.state.get("joined")
    return isinstance(joined, int) and joined >= force.battles.fought > 0


def _shut_by_call(
    exam: RosterState, price: Price, bearer: ForceFighter | None, *, hires: bool = False
) -> list[Finding]:
    """What closes a purchase after a call for reinforcements: all but new fighters and their kit, for ducats, until the roster closes."""
    if not only_newcomers(exam):
        return []
    if not exam.force.state.get("reinforcing"):
        words = "The warband called for reinforcements: nothing is bought until after the next battle."
    elif price.glory:
        words = "Reinforcements cost ducats; glory is spent after the next battle."
    elif hires or (bearer is not None and is_newcomer(exam.force, bearer)):
        return []
    else:
        words = (
            "Reinforcements are new fighters and their kit."
            if bearer is None
            else f"{bearer.name} is no newcomer; reinforcements equip those alone."
        )
    return [Finding("not-offered", words, "")]


# --- fighters --------------------------------------------------------------------------------------------------------------


def hire_offers(content: Content, force: Force) -> tuple[Offer, ...]:
    """Every recruitment entry of the list, with what it costs and whether it is open."""
    if force.list not in content.lists:
        return ()
    exam = examine(content, force)
    army = exam.frame.list
    role = {"elite": 0, "troop": 1, "special": 1, "mercenary": 2}
    entries = sorted(
        (o for o in army.profile_offers if o.hired_as in ("own", "mercenary")),
        key=lambda o: (_section(content.profiles[o.profile], o), role[content.profiles[o.profile].role], not o.leader),
    )
    counts = _hired_counts(exam)
    found = [_hire_offer(exam, entry, counts.get(entry.id, 0)) for entry in entries]
    order = ["Elite", "Troops", "Mercenaries", "For glory"]
    return _ordered(sorted(found, key=lambda o: order.index(o.group)))


def _hired_counts(exam: RosterState) -> dict[str, int]:
    counts: dict[str, int] = {}
    for who in exam.facts:
        if who.offer is not None:
            counts[who.offer.id] = counts.get(who.offer.id, 0) + 1
    return counts


def _section(profile: ProfileEntry, entry: ProfileOffer) -> str:
    if entry.price.glory and not entry.price.ducats:
        return "For glory"
    return "Mercenaries" if entry.hired_as == "mercenary" else SECTIONS[profile.role]


def _hire_offer(exam: RosterState, entry: ProfileOffer, held: int) -> Offer:
    content = exam.content
    profile = content.profiles[entry.profile]
    most, cause = most_of(exam, entry)
    offer = Offer(
        kind="hire", id=entry.id, ref=profile.id, name=profile.name, group=_section(profile, entry), price=exam.content.hire_price(entry), rating=exam.content.hire_price(entry),
        held=held, limit=most, details=(*_twin_words(exam, entry), *_hire_details(content, profile), *_worth_details(exam, profile, entry), *_house_details(content, entry, entry.most, profile.id)),
        choices=_hire_choices(exam, profile, entry), hired_as=entry.hired_as,
    )  # fmt: skip
    closing = []
    if exam.frame.list.closed:
        closing.append(Finding("third-party", exam.frame.list.closed))
    closing += _shut_by_call(exam, offer.price, None, hires=True)
    if most is not None and held >= most and not (cause and _moving(entry.caps)):
        closing.append(_full(exam, held, most, cause))
    return _judged(exam, offer, _not_yet(_trial_hire(exam, profile, entry), "too-many", entry.id), closing)


def _not_yet(added: Sequence[Placed], code: str, subject: str) -> list[Placed]:
    """The findings without the advice to let go of what is not taken yet."""
    return [
        Placed(p.finding._replace(mend=""), p.fighter) if (p.finding.code, p.finding.subject) == (code, subject) else p
        for p in added
    ]


def _twin_words(exam: RosterState, entry: ProfileOffer) -> tuple[str, ...]:
    """Which of two entries this is, where a list hires the same profile as its leader and once more beside it."""
    twins = [o for o in exam.frame.list.profile_offers if o.profile == entry.profile and o.hired_as == entry.hired_as]
    if len({o.leader for o in twins}) < 2:
        return ()
    return ("as the leader",) if entry.leader else ("beside the leader",)


def _worth_details(exam: RosterState, profile: ProfileEntry, entry: ProfileOffer) -> tuple[str, ...]:
    """What the list asks such a fighter to be worth with its kit, where it cannot be included otherwise."""
    if profile.role == "mercenary" or entry.hired_as == "mercenary":
        return ()
    return tuple(
        f"{c.source.name}: worth {c.effect.least_ducats} ducats with its kit at the least"
        for c in exam.frame.of(v.WorthEffect)
        if c.effect.on_roster and profile.id not in c.effect.except_profiles
    )


def _house_details(content: Content, entry: Any, limit: int | None, ref: str) -> tuple[str, ...]:
    """What house rules changed about an entry, in a line each."""
    lines = []
    book = content.book_prices.get(entry.id)
    if book is not None:
        lines.append(f"House rule: {entry.price}; the book asks {book}.")
    now = content.limit_of(limit, entry.id, ref)
    if now != limit:
        said = f"{limit_words(now)} at most" if now is not None else "any number"
        lines.append(f"House rule: {said}; the book allows {'any number' if limit is None else limit_words(limit)}.")
    if any((table, entry.id) in content.own for table in OFFERS):
        lines.append("This campaign's own entry.")
    return tuple(lines)


def _full(exam: RosterState, held: int, most: int, cause: str) -> Finding:
    return Finding("too-many", f"This list takes {limit_words(most)}{cause}.", "" if not held else "Let one go first.")


def _moving(caps: Sequence[v.Cap]) -> bool:
    return any(isinstance(c, v.CapHalf | v.CapMatch | v.CapOutnumbered) for c in caps)


def _trial_hire(exam: RosterState, profile: ProfileEntry, entry: ProfileOffer | ItemOffer) -> list[Placed]:
    """What one more fighter through this entry would add."""
    kit = tuple(
        ForceItem(f"{TRIAL}{n}", item, "mandatory")
        for n, (_, item) in enumerate(_swappable(profile))
        if item in exam.content.items
    )
    hired_as = entry.hired_as if isinstance(entry, ProfileOffer) else "item"
    recruit = ForceFighter(
        TRIAL, profile.name, profile.id, entry.id, exam.content.hire_price(entry), hired_as=hired_as, kit=kit
    )
    after = examine(exam.content, replace(exam.force, fighters=(*exam.force.fighters, recruit)), exam)
    # what the new fighter lacks yet (a weapon to carry, an upgrade to choose) is settled after hiring
    return [p for p in new_findings(exam, after) if not (p.fighter is not None and p.fighter.key == TRIAL)]


def _swappable(profile: ProfileEntry) -> list[tuple[KitSet, str]]:
    return [(kit, item) for kit in profile.kit if not kit.fixed for item in kit.items]


def _hire_details(content: Content, profile: ProfileEntry) -> tuple[str, ...]:
    line = profile.statline
    stats = f"Mv {line.movement_inches}″  Rg {_dice(line.ranged)}  Ml {_dice(line.melee)}  Ar {figure(line.armour)}"
    kit = [
        content.name("item", i)
        for k in profile.kit
        for i in k.items
        if i in content.items and not content.items[i].built_in
    ]
    lines = [stats]
    if kit:
        lines.append(f"comes with {listed(kit)}")
    for piece in profile.kit:
        if piece.adds_ducats:
            names = listed(content.name("item", i) for i in piece.items)
            lines.append(f"{names}: {Price(ducats=piece.adds_ducats)} of the price")
    return tuple(lines)


def _dice(value: int | None) -> str:
    return "–" if value is None else signed(value)


def _hire_choices(exam: RosterState, profile: ProfileEntry, entry: ProfileOffer | ItemOffer) -> tuple[ChoiceAsked, ...]:
    """What is asked on hiring: powers to pick, a loadout, a base size, as the list leaves the profile."""
    hired_as = entry.hired_as if isinstance(entry, ProfileOffer) else "item"
    recruit = ForceFighter(TRIAL, profile.name, profile.id, entry.id, entry.price, hired_as=hired_as)
    explicit = exam.force.strongbox is not None
    who = facts(exam.content, exam.frame, recruit, explicit=explicit)
    asks = of_fighter(exam.content, exam.frame.list, recruit, who, own_only=True)
    return tuple(asking.choosing.asked for asking in asks)


def outfit(
    content: Content, force: Force, offer: str, choices: Mapping[str, object] | None = None
) -> tuple[StartingItem, ...]:
    """The swappable kit that comes with a hire, one row each. Raises Refusal for an entry or choice nobody knows."""
    entry: ProfileOffer | ItemOffer | None = content.profile_offers.get(offer)
    profile_id = entry.profile if isinstance(entry, ProfileOffer) else ""
    if entry is None and offer in content.item_offers:
        profile_id = bought_fighter(content.items[content.item_offers[offer].item]) or ""
    if profile_id not in content.profiles:
        raise Refusal("This is not on offer here.", code="not-offered")
    profile = content.profiles[profile_id]
    through = entry if entry is not None else content.item_offers[offer]
    for wanted in _hire_choices(examine(content, force), profile, through):
        given = (choices or {}).get(wanted.key)
        values = (
            [str(x) for x in given]
            if isinstance(given, list | tuple)
            else [str(given)]
            if given not in (None, "")
            else []
        )
        for value in values:
            if value not in {known for known, _ in wanted.options}:
                raise Refusal(f"“{value}” is not one of the choices.", code="unknown-option")
    return tuple(StartingItem(item, "", content.name("item", item)) for _, item in _swappable(profile))


def bought_fighter(item: ItemEntry) -> str | None:
    """The profile that buying this item hires, None for real items."""
    return next((e.profile for e in item.effects if isinstance(e, v.BuysFighterEffect)), None)


# --- kit -------------------------------------------------------------------------------------------------------------------


def _fighter_in(exam: RosterState, key: str) -> tuple[ForceFighter, Facts]:
    for fighter, who in zip(exam.fighters, exam.facts, strict=True):
        if fighter.key == key:
            return fighter, who
    raise Refusal("This fighter is on the roster no longer.", code="gone")


def item_offers(content: Content, force: Force, fighter: str = "") -> tuple[Offer, ...]:
    """Every armoury entry of the list, for one fighter or for the stash. Raises Refusal for a fighter who is not on the roster."""
    if force.list not in content.lists:
        return ()
    exam = examine(content, force)
    bearer = _fighter_in(exam, fighter) if fighter else None
    if bearer is not None and is_locked(bearer[1]):
        return ()
    counts = item_counts(exam)
    foreign = [
        o for who in ("", fighter) for o in exam.frame.foreign.get(who, ()) if o not in exam.frame.list.item_offers
    ]
    entries = sorted((*exam.frame.list.item_offers, *dict.fromkeys(foreign)), key=lambda o: content.items[o.item].name)
    shelf = list(SHELVES)
    entries.sort(key=lambda o: shelf.index(content.items[o.item].category))
    return _ordered(_item_offer(exam, entry, bearer, counts.get(entry.id, 0)) for entry in entries)


def _item_offer(exam: RosterState, entry: ItemOffer, bearer: tuple[ForceFighter, Facts] | None, held: int) -> Offer:
    content = exam.content
    item = content.items[entry.item]
    price = price_under(exam.frame, entry)
    limit = item_limit(exam, entry)
    profile_id = bought_fighter(item)
    closing = []
    if exam.frame.list.closed:
        closing.append(Finding("third-party", exam.frame.list.closed))
    closing += _shut_by_call(exam, price, bearer[0] if bearer else None, hires=profile_id is not None)
    if entry.exploration_only:
        cap = shop_cap(exam)
        if cap is None or entry.price.glory > cap:
            closing.append(Finding(
                "not-offered", f"{item.name} is only found by exploration." if cap is None
                else f"{item.name} asks {entry.price.glory} glory; your contacts sell up to {cap}.",
                "Explore: some places open the trade in such things." if cap is None else "",
            ))  # fmt: skip
    if limit is not None and held >= limit:
        closing.append(
            Finding("warband-limit", f"The list allows {limit_words(limit)}.", "Return one or sell it." if held else "")
        )
    if profile_id is not None:
        profile = content.profiles[profile_id]
        offer = Offer(
            kind="hire", id=entry.id, ref=profile.id, name=profile.name, group=SHELVES[item.category], price=price, rating=price, held=held,
            limit=limit, details=(*_hire_details(content, profile), *_house_details(content, entry, entry.limit, item.id)),
            choices=_hire_choices(exam, profile, entry), hired_as="item",
        )  # fmt: skip
        return _judged(exam, offer, _trial_hire(exam, profile, entry), closing)
    offer = Offer(
        kind="item", id=entry.id, ref=item.id, name=item.name, group=SHELVES[item.category], price=price, rating=price, held=held,
        limit=limit, details=(*_item_details(exam, entry, item, bearer), *_house_details(content, entry, entry.limit, item.id)),
        choices=_item_choices(exam, item),
    )  # fmt: skip
    piece = ForceItem(TRIAL, item.id, "bought", entry.id, price)
    return _judged(exam, offer, _trial_item(exam, piece, bearer[0] if bearer else None), closing, takes=True)


def _trial_item(exam: RosterState, piece: ForceItem, bearer: ForceFighter | None) -> list[Placed]:
    if bearer is None:
        after = replace(exam.force, stash=(*exam.force.stash, piece))
    else:
        after = exam.force.with_fighter(
            replace(exam.force.fighter(bearer.key), kit=(*exam.force.fighter(bearer.key).kit, piece))
        )
    return new_findings(exam, examine(exam.content, after, exam))


def _item_details(
    exam: RosterState, entry: ItemOffer, item: ItemEntry, bearer: tuple[ForceFighter, Facts] | None
) -> tuple[str, ...]:
    """A line on what it is and a line on what it changes."""
    hands = entry.hands or item.hands
    parts = []
    if item.range_inches:
        parts.append(f"{item.range_inches}″")
    elif item.range_words:
        parts.append(item.range_words)
    most = max(hands.ranged, hands.melee)
    if most:
        parts.append("1 hand" if most == 1 else f"{most} hands")
    if item.keywords or item.stipulations:
        printed = [_with_figure(exam.content.keyword(k), item) for k in item.keywords]
        parts.append(", ".join((*printed, *item.stipulations)))
    lines = ["; ".join(parts)] if parts else []
    if bearer is not None:
        for effect in item.effects:
            if isinstance(effect, v.StatEffect):
                now = bearer[1].stats[effect.stat].value
                then = effect.set if effect.set is not None else (now or 0) + effect.add
                unit = "″" if effect.stat == "movement" else ""
                lines.append(f"{effect.stat} {figure(now or 0)}{unit} to {figure(then)}{unit}")
            elif isinstance(effect, v.KeywordEffect) and effect.gain:
                lines.append(f"gains {listed(exam.content.keyword(k) for k in effect.gain)}")
    words = holder_words(entry.who, exam.content, entry.who_words)
    if words != "anyone":
        lines.append(words)
    return tuple(lines)


def _with_figure(keyword: str, item: ItemEntry) -> str:
    """A keyword that leaves a figure open, with the figure this item gives it."""
    stem = keyword.removesuffix(" (X)")
    if stem == keyword:
        return keyword
    return next((m.replace('"', "″") for m in item.modifiers if m.startswith(f"{stem} ")), keyword)


def _item_choices(exam: RosterState, item: ItemEntry) -> tuple[ChoiceAsked, ...]:
    people = tuple(zip(exam.fighters, exam.facts, strict=True))
    asks = of_item(exam.content, exam.frame.list, ForceItem(TRIAL, item.id), people, exam.force.stash)
    return tuple(asking.choosing.asked for asking in asks)


# --- upgrades --------------------------------------------------------------------------------------------------------------


def upgrade_offers(content: Content, force: Force, fighter: str) -> tuple[Offer, ...]:
    """The upgrade entries meant for this fighter."""
    if force.list not in content.lists:
        return ()
    exam = examine(content, force)
    bearer, who = _fighter_in(exam, fighter)
    before = as_recruited(who, bearer)
    counts = upgrade_counts(exam)
    extras = _extras_left(exam, bearer, who)
    found = []
    for entry in exam.frame.list.upgrade_offers:
        if entry.raises and entry.upgrade not in who.upgrades:
            continue
        fits = holder_fits(entry.who, who, content) or holder_fits(entry.who, before, content)
        open_ = fits and (not entry.rule or entry.rule in exam.frame.in_force)
        extra = content.upgrades[entry.upgrade].category in extras
        if not open_ and not extra and entry.upgrade not in who.upgrades:
            continue
        found.append(_upgrade_offer(exam, entry, bearer, who, counts.get(entry.id, 0), extra=extra))
    return _ordered(found)


def _extras_left(exam: RosterState, bearer: ForceFighter, who: Facts) -> frozenset[str]:
    """Categories of which the fighter may take one more upgrade, whatever it is."""
    free = Counter(c.effect.category for c in who.of(v.ExtraUpgradeEffect))
    if not free:
        return frozenset()
    for row in extra_rows(exam.content, exam.frame, bearer, who, needed_only=True):
        free[exam.content.upgrades[bearer.upgrades[row].upgrade].category] -= 1
    return frozenset(category for category, left in free.items() if left > 0)


def _upgrade_offer(
    exam: RosterState, entry: UpgradeOffer, bearer: ForceFighter, who: Facts, held: int, *, extra: bool = False
) -> Offer:
    content = exam.content
    upgrade = content.upgrades[entry.upgrade]
    price = upgrade_price_under(exam.frame, entry.price, entry.upgrade)
    free = sum(c.effect.free_ducats for c in who.of(v.UpgradeBudgetEffect))
    if free:
        already = sum(p.ducats for p in who.upgrade_prices)
        price = Price(ducats=max(0, already + price.ducats - free) - max(0, already - free), glory=price.glory)
    limit, cause = upgrade_limit(exam, entry)
    earned = entry.earned and exam.force.mode == "campaign"
    category = upgrade.category.replace("-", " ").replace("_", " ")
    headed = content.name("rule", upgrade.category)  # a rule of the list that names these upgrades
    if headed == upgrade.category:
        headed = first(category) if category else "Upgrades"
    offer = Offer(
        kind="upgrade", id=entry.id, ref=upgrade.id, name=entry.name or upgrade.name, group=headed,
        price=ZERO if earned else price, rating=price, held=held, limit=limit,
        details=(*((upgrade.summary,) if upgrade.summary else ()), *_house_details(content, entry, entry.limit, upgrade.id)),
        options=tuple((o, content.name("upgrade", o)) for o in upgrade.options), option_words="Which one?" if upgrade.options else "",
        choices=_upgrade_choices(exam, upgrade),
    )  # fmt: skip
    closing = []
    if (
        not entry.any_time
        and not extra
        and not exam.force.founding
        and not _newly_hired(exam, bearer)
        and not content.reading("upgrades_any_time")
    ):
        closing.append(
            Finding(
                "recruitment", f"{offer.name} is bought at recruitment only.", "A recruit of this camp could take it."
            )
        )
    if earned and not exam.force.battles.fought:
        closing.append(Finding("recruitment", f"{offer.name} is won in a battle.", "Come back after one."))
    moving = bool(capped(exam, entry.caps, None)[1])
    if limit is not None and held >= limit and not extra and not (moving and exam.force.founding):
        closing.append(Finding("warband-limit", f"The list allows {limit_words(limit)}{cause}.", ""))
    if upgrade.id in who.upgrades:
        return _judged(exam, offer, (), [Finding("duplicate", f"{bearer.name} has {offer.name} already.")])
    taken = ForceUpgrade(TRIAL, upgrade.id, entry.id, price, upgrade.options[0] if upgrade.options else "")
    row = exam.force.fighter(bearer.key)
    changed = replace(row, upgrades=(*row.upgrades, taken))
    after = exam.force.with_fighter(changed)
    for cause_effect in upgrade.effects:
        if isinstance(cause_effect, v.KitToStashEffect):
            after = after.with_fighter(replace(changed, kit=tuple(i for i in changed.kit if i.origin == "mandatory")))
    added = new_findings(exam, examine(content, after, exam))
    return _judged(exam, offer, _not_yet(added, "needs", upgrade.id), closing)


def _newly_hired(exam: RosterState, fighter: ForceFighter) -> bool:
    """Whether the fighter joined since the last battle: then it is still being recruited."""
    joined = fighter.state.get("joined")
    return isinstance(joined, int) and joined >= exam.force.battles.fought


def _upgrade_choices(exam: RosterState, upgrade: Upgrade) -> tuple[ChoiceAsked, ...]:
    people = tuple(zip(exam.fighters, exam.facts, strict=True))
    source = EffectSource("upgrade", upgrade.id, upgrade.name, upgrade.summary, upgrade.source, upgrade.effects)
    found = (
        asked(exam.content, exam.frame.list, effect, source, people, exam.force.stash) for effect in upgrade.effects
    )
    return tuple(ask for ask in found if ask is not None)


def follows(
    content: Content,
    force: Force,
    fighter: str,
    offer: str,
    option: str = "",
    choices: Mapping[str, object] | None = None,
) -> tuple[Consequence, ...]:
    """What taking this upgrade does besides: kit to the stash, swappable kit replaced, another profile. `force` is before."""
    entry = content.upgrade_offers.get(offer)
    if entry is None:
        return ()
    row = force.fighter(fighter)
    name = content.name("upgrade", entry.upgrade)
    done: list[Consequence] = []
    effects = [e for u in (entry.upgrade, option) if u in content.upgrades for e in content.upgrades[u].effects]
    for effect in effects:
        if isinstance(effect, v.KitToStashEffect):
            keys = tuple(i.key for i in row.kit if i.origin != "mandatory")
            if keys:
                done.append(ToStash(keys, name))
        elif isinstance(effect, v.SwapKitEffect):
            profile = content.profiles.get(row.profile)
            for kit in profile.kit if profile else ():
                if kit.fixed or not (kit.id in effect.take or set(effect.take) & set(kit.items)):
                    continue
                gone = tuple(i.key for i in row.kit if i.origin == "mandatory" and i.item in kit.items)
                if gone:
                    done.append(LosesItems(gone, name))
                    done += [GainsItem(i, "mandatory", name, fighter=fighter) for i in effect.give]
        elif isinstance(effect, v.BecomesEffect):
            done.append(Becomes(fighter, effect.profile, name))
    return tuple(done)


# --- owned pieces ----------------------------------------------------------------------------------------------------------


def _find_piece(force: Force, key: str) -> tuple[ForceItem, ForceFighter | None]:
    for piece in force.stash:
        if piece.key == key:
            return piece, None
    for fighter in force.fighters:
        for piece in fighter.kit:
            if piece.key == key:
                return piece, fighter
    raise Refusal("The warband no longer holds this piece.", code="gone")


def _piece_offer(
    exam: RosterState, piece: ForceItem, price: Price, kind: Literal["item", "sell", "special"] = "item"
) -> Offer:
    item = exam.content.items.get(piece.item)
    name = item.name if item else piece.item
    group = SHELVES[item.category] if item else ""
    return Offer(kind=kind, id=piece.key, ref=piece.item, name=name, group=group, price=price, rating=ZERO)


def _closed(offer: Offer, reason: str, mend: str = "") -> Offer:
    return replace(offer, state="closed", reason=reason, mend=mend)


def _bound(exam: RosterState, piece: ForceItem, owner: ForceFighter | None) -> str:
    """Why a piece cannot leave its bearer, "" when it can."""
    if owner is None or piece.item not in exam.content.items:
        return ""
    item = exam.content.items[piece.item]
    who = next((w for f, w in zip(exam.fighters, exam.facts, strict=True) if f.key == owner.key), None)
    if who is None:
        return ""
    row = next((n for n, i in enumerate(owner.kit) if i.key == piece.key), -1)
    held = next((h for h in who.held if h.row == row), None)
    if held is not None and held.fixed:
        return f"{item.name} belongs to {who.profile.name} and stays with {owner.name}."
    stays = (c for c in who.of(v.ForeignPickEffect) if c.effect.own and c.effect.stays)
    picked = held is not None and any(
        held.offer in foreign_offers(exam.content, exam.frame.list, cause) for cause in stays
    )
    if picked or any(isinstance(e, v.CannotMoveEffect) for e in item.effects):
        return f"{item.name} stays with whoever was given it first."
    if is_locked(who) and held is not None and held.included is not None:
        return f"{owner.name} keeps to the kit that comes with it."
    return ""


def carry(content: Content, force: Force, item: str, fighter: str) -> Offer:
    """Whether an owned piece may go to this fighter ("" = the stash)."""
    exam = examine(content, force)
    piece, owner = _find_piece(force, item)
    offer = _piece_offer(exam, piece, ZERO)
    bound = _bound(exam, piece, owner)
    if bound:
        return _closed(offer, bound)
    fighters = tuple(replace(f, kit=tuple(i for i in f.kit if i.key != item)) for f in force.fighters)
    stash = tuple(i for i in force.stash if i.key != item)
    shut = _kept_by_call(exam, owner, fighter)
    if shut:
        return _closed(offer, shut)
    if not fighter:
        return offer
    bearer, who = _fighter_in(exam, fighter)
    if is_locked(who):
        return _closed(offer, f"{bearer.name} keeps to the kit that comes with it.", "Give it to someone else.")
    without = replace(force, fighters=fighters, stash=stash)
    taker = without.fighter(fighter)
    before = examine(content, without)
    after = examine(content, without.with_fighter(replace(taker, kit=(*taker.kit, piece))), before)
    added = [p for p in new_findings(before, after) if p.finding.code not in ("warband-limit",)]
    return _judged(exam, offer, added, takes=True)


def _sale_price(exam: RosterState, piece: ForceItem) -> Price:
    """Half of the base price, rounded up, in the currency of the entry."""
    offer = stash_offer(exam, piece)
    base = offer.price if offer is not None else exam.content.any_price.get(piece.item, ZERO)
    if offer is not None and piece.paid and offer.id in exam.content.repriced:
        base = piece.paid
    divisor = exam.content.pack.campaign.sale_divisor if exam.content.pack.campaign else 2
    return Price(ducats=-(-base.ducats // divisor), glory=-(-base.glory // divisor))


def _kept_by_call(exam: RosterState, owner: ForceFighter | None, taker: str) -> str:
    """Why a piece stays where it is after a call for reinforcements: but for newcomers among themselves, nothing changes hands."""
    if not only_newcomers(exam):
        return ""
    other = next((fighter for fighter in exam.force.fighters if fighter.key == taker), None)
    both = owner is not None and other is not None and is_newcomer(exam.force, owner) and is_newcomer(exam.force, other)
    if both and exam.force.state.get("reinforcing"):
        return ""
    return "The warband called for reinforcements: kit changes hands after the next battle."


def sale(content: Content, force: Force, item: str) -> Offer:
    """What selling an owned piece brings: half of its base price, rounded up; or why it cannot be sold."""
    exam = examine(content, force)
    piece, owner = _find_piece(force, item)
    price = _sale_price(exam, piece)
    offer = _piece_offer(exam, piece, price, "sell")
    bound = _bound(exam, piece, owner)
    if bound:
        return _closed(offer, bound)
    if force.founding:
        return _closed(
            offer, f"{offer.name} is sold after the founding only.", "Until then, return it for all that was paid."
        )
    if only_newcomers(exam):
        return _closed(offer, "The warband called for reinforcements: nothing is sold until after the next battle.")
    if not price:
        return _closed(offer, f"{offer.name} has no price: nobody buys it.")
    return offer


def refund(content: Content, force: Force, item: str) -> Offer:
    """What returning a piece brings while founding: all that was paid, or what swappable kit added to its fighter's price."""
    exam = examine(content, force)
    piece, owner = _find_piece(force, item)
    paid = piece.paid
    if piece.origin == "mandatory":
        paid = Price(ducats=content.swappable.get(piece.item, 0))
        if owner is not None and owner.paid:
            paid = Price(ducats=paid_on_top(content, owner, paid.ducats))
    offer = _piece_offer(exam, piece, paid, "special")
    bound = _bound(exam, piece, owner)
    if bound:
        return _closed(offer, bound)
    if not force.founding:
        return _closed(offer, "Kit is returned while founding only.", "Sell it instead.")
    if piece.origin not in ("bought", "mandatory"):
        return _closed(offer, f"{offer.name} was not bought.", f"{put_away(content, 'it')}.")
    return offer


def part(content: Content, force: Force, fighter: str) -> tuple[Offer, ...]:
    """The ways a fighter may leave now: returned while founding, dismissed, sold."""
    exam = examine(content, force)
    bearer, who = _fighter_in(exam, fighter)
    ways = []
    stash, verb = label_of(content, "stash"), content.pack.labels.get("retire", "Dismiss")
    needed = content.pack.campaign.rules.retire_scars if content.pack.campaign else 2
    kit_words = f"What it was given goes to the {stash}; what came with it is gone."
    if force.founding:
        paid = [bearer.paid or who.profile_price, *(u.paid for u in bearer.upgrades)]
        credit = paid_on_top(content, bearer, sum(k.adds_ducats for k in who.removed_sets)) if bearer.paid else 0
        price = Price(ducats=sum(p.ducats for p in paid) - credit, glory=sum(p.glory for p in paid))
        ways.append(
            _way("return", f"Take back the hire of {bearer.name}", price, ("What was bought for it is returned too.",))
        )
    scars = scars_of(bearer)
    dismiss = _way("dismiss", f"{verb} {bearer.name}", ZERO, (kit_words,))
    if force.founding:
        dismiss = _closed(dismiss, "Nobody is dismissed while founding.", "Take back the hire instead.")
    elif scars < needed:
        had = "no scar" if scars == 0 else "one scar" if scars == 1 else f"{scars} scars"
        wanted = "two" if needed == 2 else str(needed)
        gone = verb.lower() + ("d" if verb.endswith("e") else "ed")
        dismiss = _closed(
            dismiss,
            f"{bearer.name} has {had}; only those with {wanted} may be {gone}.",
        )
    elif only_newcomers(exam):
        dismiss = _closed(dismiss, "The warband called for reinforcements: nobody goes until after the next battle.")
    ways.append(dismiss)
    factor = next((c.effect.factor for c in who.of(v.SaleEffect)), 0)
    if factor:
        divisor = content.pack.campaign.sale_divisor if content.pack.campaign else 2
        base = who.profile_price
        price = Price(
            ducats=min(base.ducats, -(-base.ducats * factor // divisor)),
            glory=min(base.glory, -(-base.glory * factor // divisor)),
        )
        sold = _way("sell", f"Sell {bearer.name}", price, (kit_words,), kind="sell")
        ways.append(
            _closed(sold, "Nobody is sold while founding.", "Take back the hire instead.") if force.founding else sold
        )
    return tuple(ways)


def _way(
    id_: str, name: str, price: Price, details: tuple[str, ...], kind: Literal["dismiss", "sell"] = "dismiss"
) -> Offer:
    return Offer(kind=kind, id=id_, ref=id_, name=name, group="", price=price, rating=ZERO, details=details)


# --- one purchase judged ---------------------------------------------------------------------------------------------------


def purchase_problems(exam: RosterState, wants: Mapping[str, str]) -> tuple[Problem, ...]:
    """Why this may not be bought now; empty when it may.

    `wants`: {"fighter": key or "", and one of "item", "profile", "upgrade": id}.
    """
    content, force = exam.content, exam.force
    key = wants.get("fighter", "")
    offers: tuple[Offer, ...]
    if "profile" in wants:
        wanted, kind = wants["profile"], "profile"
        offers = hire_offers(content, force) + tuple(o for o in item_offers(content, force) if o.kind == "hire")
    elif "upgrade" in wants:
        wanted, kind = wants["upgrade"], "upgrade"
        offers = upgrade_offers(content, force, key)
    else:
        wanted, kind = wants.get("item", ""), "item"
        offers = item_offers(content, force, key)
    matching = [o for o in offers if wanted in (o.ref, o.id)]
    name = content.name(kind, wanted)
    who = next((f.name for f in exam.fighters if f.key == key), "")
    if not matching:
        return (_refused(exam, wants, kind, wanted, name, who, key),)
    best = min(matching, key=lambda o: _STATES[o.state])
    if best.state == "open":
        return ()
    return tuple(dict.fromkeys(_said_alone(p, name, who, key, exam.frame.list.army.name) for p in best.problems))


def _said_alone(problem_: Problem, name: str, who: str, key: str, army: str) -> Problem:
    """A problem of an offer as it reads away from that offer: with its name, whom it concerns, and a source."""
    text = problem_.message
    if text.startswith(("The list ", "This list ")):
        text = f"{name}: {text[:1].lower()}{text[1:]}"
    told = replace(problem_, message=text, source=problem_.source or army)
    return told if told.fighter or not who else replace(told, fighter=who, fighter_key=key, item=told.item or name)


_STATES: dict[OfferState, int] = {"open": 0, "problem": 1, "closed": 2}


def _refused(
    exam: RosterState, wants: Mapping[str, str], kind: str, wanted: str, name: str, who: str, key: str
) -> Problem:
    army = exam.frame.list.army
    if kind == "item" and key:
        facts = next((w for f, w in zip(exam.fighters, exam.facts, strict=True) if f.key == key), None)
        if facts is not None and is_locked(facts):
            return Problem(
                "fixed-kit",
                f"{who} keeps to the kit that comes with it.",
                "Buy it for someone else.",
                army.name,
                who,
                name,
                key,
            )
    rules = dict.fromkeys(
        exam.content.name("rule", o.rule) for o in exam.frame.list.by_upgrade.get(wanted, ()) if o.rule
    )
    entries = exam.frame.upgrade_entries(wanted)
    if kind == "upgrade" and rules and not entries:
        words = f"{name} is for a warband under {listed(rules, 'or')}."
        return Problem("not-offered", words, "", army.name, who, name, key)
    if kind == "upgrade" and entries:
        words = holder_words(entries[0].who, exam.content)
        return Problem(
            "only-for", f"{name} is not for {who}: {words}.", "Choose another fighter.", army.name, who, name, key
        )
    what = plural(name) if kind == "profile" else name
    return Problem(
        "not-offered",
        f"{what} {'are' if kind == 'profile' else 'is'} not on offer to {army.name}.",
        "",
        army.name,
        who,
        name,
        key,
    )
