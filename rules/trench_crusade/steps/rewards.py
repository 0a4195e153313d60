"""What a location hands out, reward by reward: consequences, and the decisions some of them ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.consequences import (
    Consequence,
    GainsItem,
    Joins,
    LosesItems,
    Money,
    Owes,
    SetFighter,
    SetWarband,
)
from rules.content.schema import ItemOffer
from rules.dice import d3
from rules.formatting import joined
from rules.price import Price
from rules.resolution import Option, Resolution
from rules.trench_crusade.lookup import held, known_skills, limit_of
from rules.trench_crusade.steps.context import StepContext, fighter_options
from rules.trench_crusade.steps.healing import healed, scar_options
from rules.trench_crusade.steps.learning import learn, link
from rules.vocabulary import (
    BuysFighterEffect,
    CampaignPointsReward,
    DucatsReward,
    ExperienceReward,
    ExplorationSkillReward,
    FightersReward,
    FreeKitReward,
    GloryItemReward,
    GloryReward,
    HealReward,
    ItemChoiceReward,
    ItemsReward,
    LastingReward,
    LinkEffect,
    OneOfReward,
    PromiseReward,
    Reward,
    SkillReward,
)

NONE, LATER = "none", "later"
ANY_GLORY = 99  # the price that stands for "whatever it asks"


@dataclass
class Taking:
    """A location being used: who takes what, and what came of it so far. `must`: a promise is settled, so something is taken."""

    context: StepContext
    resolution: Resolution
    location: str
    option: str = ""
    must: bool = False
    does: list[Consequence] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    count: int = 0
    gained: Counter[str] = field(default_factory=Counter)

    @property
    def at(self) -> str:
        """The start of the keys of this reward's decisions."""
        return f"reward-{self.count}"

    @property
    def entry(self) -> str:
        """The key under which this reward stands in the roster's state."""
        return f"{self.context.prefix}-{self.location}-{self.count}"

    @property
    def reason(self) -> str:
        """Where things come from, in words."""
        place = self.context.book.locations[self.location]
        way = next((o.name for o in place.options if o.id == self.option), "")
        return f"{place.name}, {way}" if way else place.name

    def money(self, price: Price) -> None:
        """Ducats or glory come in (or, negative, go out)."""
        self.does.append(Money(price, self.reason))

    def item(
        self, item: str, *, offer: ItemOffer | None = None, paid: Price | None = None, under: ItemOffer | None = None
    ) -> None:
        """An item joins the stash, as a find or, with `paid`, bought through its entry (which pays for it).

        A find from another list is kept `under` that list's entry, whose holders go on holding.
        """
        self.gained[item] += 1
        if paid is not None and offer is not None:
            self.does.append(GainsItem(item, "bought", self.reason, offer=offer.id, paid=paid))
            self.lines.append(f"{self.name(item)} for {paid}.")
        else:
            self.does.append(GainsItem(item, "found", self.reason, offer=under.id if under else ""))
            self.lines.append(f"{self.name(item)} joins the {self.context.label('stash')}.")

    def name(self, item: str) -> str:
        """An item's name."""
        return self.context.book.items[item].name

    def is_full(self, offer: ItemOffer) -> bool:
        """Whether the warband owns as many of an entry's item as its LIMIT allows."""
        limit = limit_of(self.context.book, self.context.force, offer)
        joined = sum(1 for f in self.context.force.fighters if f.active and f.offer == offer.id)
        if self._crowded(self.hires(offer.item)):
            return True
        return limit is not None and held(self.context.force, offer.item) + joined + self.gained[offer.item] >= limit

    def _crowded(self, profile: str) -> bool:
        """Whether the warband has as many fighters of a profile's group as its list allows."""
        caps = self.context.book.lists[self.context.force.list].group_caps if profile else ()
        here = [f.profile for f in self.context.force.fighters if f.active]
        here += [c.profile for c in self.does if isinstance(c, Joins)]
        return any(
            cap.most is not None and profile in cap.profiles and sum(p in cap.profiles for p in here) >= cap.most
            for cap in caps
        )

    def hires(self, item: str) -> str:
        """The profile of the fighter that an item stands for, "" for every other item."""
        effects = self.context.book.items[item].effects
        return next((effect.profile for effect in effects if isinstance(effect, BuysFighterEffect)), "")

    def find(self, offer: ItemOffer) -> None:
        """What an entry of the own list offers is found: an item for the stash, or the fighter it stands for joins."""
        profile = self.hires(offer.item)
        if not profile:
            self.item(offer.item)
            return
        self.gained[offer.item] += 1
        name = self.context.book.profiles[profile].name
        self.does.append(Joins(offer.id, profile, name, self.reason, hired_as="item"))
        self.lines.append(f"{name} joins, free of charge.")

    @property
    def strongbox(self) -> Price:
        """What the warband holds, with what this location brought so far."""
        now = self.context.strongbox
        moves = [c.amount for c in self.does if isinstance(c, Money)]
        bought = [c.paid for c in self.does if isinstance(c, GainsItem)]
        ducats = sum(m.ducats for m in moves) - sum(p.ducats for p in bought)
        glory = sum(m.glory for m in moves) - sum(p.glory for p in bought)
        return Price(now.ducats + ducats, now.glory + glory)

    def price(self, item: str) -> Price:
        """What an item asks on the own list, else on any."""
        offer = self.context.book.offer_of(self.context.force.list, item)
        return offer.price if offer else self.context.book.content.any_price.get(item, Price())


def take(taking: Taking, reward: Reward) -> None:
    """Apply one reward, asking what it asks."""
    taking.count += 1
    match reward:
        case DucatsReward():
            _ducats(taking, reward)
        case GloryReward():
            _glory(taking, reward)
        case ItemsReward():
            _items(taking, reward)
        case ItemChoiceReward():
            _item_choice(taking, reward)
        case FreeKitReward():
            _free_kit(taking, reward)
        case GloryItemReward():
            _glory_item(taking, reward)
        case FightersReward():
            _fighters(taking, reward)
        case LastingReward():
            _lasting(taking, reward)
        case ExperienceReward():
            _experience(taking, reward)
        case SkillReward():
            _skill(taking, reward)
        case ExplorationSkillReward():
            _exploration_skills(taking, reward)
        case HealReward():
            _heal(taking)
        case CampaignPointsReward():
            _campaign_points(taking, reward)
        case OneOfReward():
            _one_of(taking, reward)
        case PromiseReward():
            _promise(taking, reward.words, reward.expires, reward.lists, reward.glory)


# --- money


def _ducats(taking: Taking, reward: DucatsReward) -> None:
    ducats = reward.ducats
    if reward.dice:
        draw = taking.resolution.roll(reward.dice, 6, f"{taking.reason}: ducats")
        ducats += draw.total * reward.times
        taking.resolution.tell(f"{draw.total} times {reward.times} is {draw.total * reward.times} ducats.", draw)
    taking.money(Price(ducats=ducats))
    taking.lines.append(f"{ducats} ducats join the strongbox.")


def _one_of(taking: Taking, reward: OneOfReward) -> None:
    words = [_sum_words(one) for one in reward.of]
    options = tuple(Option(str(place), text) for place, text in enumerate(words, 1))
    picked = int(taking.resolution.choose(taking.at, f"{taking.reason}: choose one.", options)) - 1
    one = reward.of[picked]
    if isinstance(one, DucatsReward):
        _ducats(taking, one)
    else:
        _glory(taking, one)


def _sum_words(reward: DucatsReward | GloryReward) -> str:
    """A sum before it is rolled for: "150 ducats", "6D6 x 10 ducats", "3 + D3 glory"."""
    if isinstance(reward, DucatsReward):
        fixed, rolled, what = reward.ducats, f"{reward.dice}D6 x {reward.times}" if reward.dice else "", "ducats"
    else:
        fixed, rolled, what = reward.glory, "D3" if reward.d3 else "", "glory"
    return f"{' + '.join(part for part in (str(fixed) if fixed else '', rolled) if part)} {what}"


def _campaign_points(taking: Taking, reward: CampaignPointsReward) -> None:
    points = reward.victory_points
    if reward.d3:
        value, draw = d3(taking.resolution.dice, f"{taking.reason}: D3 points")
        taking.resolution.tell(f"{draw.faces[0]} on the die is {value}.", draw)
        points += value
    if reward.for_glory:
        most = max(0, min(reward.for_glory, taking.strongbox.glory))
        given = taking.resolution.number(f"{taking.at}-glory", f"{taking.reason}: glory given for points", 0, most)
        if given:
            taking.money(Price(glory=-given))
        points += given
    if points:
        before = int(taking.context.force.state.get("campaign_points") or 0)
        taking.does.append(SetWarband(("campaign_points",), before + points, taking.reason))
    taking.lines.append(f"{points} {taking.context.label('campaign_points')}.")


def _glory(taking: Taking, reward: GloryReward) -> None:
    glory = reward.glory
    if reward.d3:
        value, draw = d3(taking.resolution.dice, f"{taking.reason}: D3 glory")
        taking.resolution.tell(f"{draw.faces[0]} on the die is {value} glory.", draw)
        glory += value
    taking.money(Price(glory=glory))
    taking.lines.append(f"{glory} glory join the strongbox.")


# --- items


def _items(taking: Taking, reward: ItemsReward) -> None:
    for place, item in enumerate(reward.items):
        own = taking.context.book.offer_of(taking.context.force.list, item)
        if reward.own_list_only and own is None and not reward.counts_as:
            taking.lines.append(f"{taking.name(item)} is not on this list and stays behind.")
        elif reward.counts_as:
            _standing_in(taking, item, reward.counts_as, place)
        elif reward.within_limit and own is not None and taking.is_full(own):
            if reward.else_price:
                taking.money(own.price)
                taking.lines.append(f"{taking.name(item)} is at its LIMIT: {own.price} instead.")
            else:
                taking.lines.append(f"{taking.name(item)} is at its LIMIT and stays behind.")
        else:
            taking.item(item)


def _standing_in(taking: Taking, item: str, other: str, place: int) -> None:
    """An item that counts as another for LIMIT: at the limit it can only take the place of one that is owned."""
    force = taking.context.force
    offer = taking.context.book.offer_of(force.list, other)
    limit = limit_of(taking.context.book, force, offer) if offer else None
    if limit is None or held(force, item) + held(force, other) < limit:
        taking.item(item)
        return
    owned = [(f.name, i) for f in force.fighters if f.active for i in f.kit if i.item == other]
    owned += [(f"in the {taking.context.label('stash')}", i) for i in force.stash if i.item == other]
    options = [Option(i.key, f"Give up {taking.name(other)}", who) for who, i in owned]
    options.append(Option(NONE, f"Leave {taking.name(item)} behind"))
    words = f"{taking.name(other)} is at its LIMIT of {limit}. What makes room for {taking.name(item)}?"
    picked = taking.resolution.choose(f"{taking.at}-{place}", words, options)
    if picked == NONE:
        taking.lines.append(f"{taking.name(item)} stays behind.")
        return
    taking.does.append(LosesItems((picked,), f"Makes room for {taking.name(item)}"))
    taking.item(item)


def _free_offers(taking: Taking, offers: Iterable[ItemOffer], *, fighters: bool = False) -> list[ItemOffer]:
    """Armoury entries that can be handed out: each item once, by its cheapest entry; what hires a fighter only with `fighters`."""
    best: dict[str, ItemOffer] = {}
    for offer in offers:
        if taking.hires(offer.item) and not fighters:
            continue
        known = best.get(offer.item)
        rank = (offer.exploration_only, offer.price.glory, offer.price.ducats)
        if known is None or rank < (known.exploration_only, known.price.glory, known.price.ducats):
            best[offer.item] = offer
    return sorted(best.values(), key=lambda offer: taking.name(offer.item))


def _item_choice(taking: Taking, reward: ItemChoiceReward) -> None:
    resolution = taking.resolution
    if reward.from_face:
        draw = resolution.roll(1, 6, f"{taking.reason}: one thing more on {reward.from_face}+")
        hit = draw.total >= reward.from_face
        resolution.tell(f"{draw.total}: {'one thing more is found' if hit else 'nothing more is found'}.", draw)
        if not hit:
            taking.lines.append(f"{draw.total} on the die: nothing more is found.")
            return
    options = _choice_options(taking, reward)
    missing = tuple(one for one in reward.lists if one not in taking.context.book.lists)
    if missing and not taking.must:
        names = {one.id: one.name for one in taking.context.book.pack.other_lists}
        options.append(
            Option(LATER, "Choose later", f"From {joined(names.get(m, m) for m in missing)}, kept as a promise.")
        )
    if reward.optional and not taking.must:
        options.append(Option(NONE, "Take nothing"))
    if not taking.must and not any(not option.closed for option in options):
        taking.lines.append("Nothing here fits the warband.")
        return
    picked = resolution.choose(taking.at, f"{taking.reason}: choose one.", options)
    if picked == NONE:
        taking.lines.append("Nothing is taken.")
    elif picked == LATER:
        _promise(taking, f"One item: {taking.reason}", "", missing, reward.most_glory or 0)
    else:
        offer = taking.context.book.offer_of(taking.context.force.list, picked)
        if reward.within_limit and offer is not None and taking.is_full(offer):
            taking.money(offer.price)
            taking.lines.append(f"{taking.name(picked)} is at its LIMIT: {offer.price} instead.")
        elif offer is not None and reward.glory_items:
            taking.find(offer)
        else:
            taking.item(picked)


def _choice_options(taking: Taking, reward: ItemChoiceReward) -> list[Option]:
    book, own = taking.context.book, taking.context.force.list
    entries: list[tuple[str, ItemOffer | None]]
    if reward.items:
        entries = [(item, book.offer_of(own, item)) for item in reward.items]
        if reward.own_list_only:
            entries = [(item, offer) for item, offer in entries if offer is not None]
    else:
        lists = tuple(one for one in reward.lists if one in book.lists) if reward.lists else (own,)
        offers = [
            offer
            for one in lists
            for offer in book.armoury(one)
            if (
                offer.exploration_only
                if reward.glory_items
                else reward.most_glory is not None or not offer.exploration_only
            )
            and (not reward.among or any(book.fits(test, offer) for test in reward.among))
            and (reward.most_ducats is None or (not offer.price.glory and offer.price.ducats <= reward.most_ducats))
            and (reward.most_glory is None or 0 < offer.price.glory <= reward.most_glory)
        ]
        found = _free_offers(taking, offers, fighters=reward.glory_items)
        entries = [(offer.item, offer) for offer in found]
    options = []
    for item, offer in entries:
        full = reward.within_limit and offer is not None and taking.is_full(offer)
        price = offer.price if offer else taking.price(item)
        if full and reward.else_price:
            options.append(Option(item, book.items[item].name, f"At its LIMIT: {price} instead."))
        else:
            closed = "the warband is at its LIMIT." if full else ""
            options.append(Option(item, book.items[item].name, f"worth {price}", closed=closed))
    return options


def _free_kit(taking: Taking, reward: FreeKitReward) -> None:
    """Items up to a total, one after another until the player has enough; free, or at their price."""
    book = taking.context.book
    left = reward.most
    foreign = reward.others or bool(reward.lists)
    wanted = [
        offer
        for offer in _shelves(taking, reward)
        if (offer.price.glory if reward.currency == "glory" else offer.price.ducats) > 0
        and not (offer.price.ducats if reward.currency == "glory" else offer.price.glory)
        and (offer.exploration_only if reward.glory_items else reward.currency == "glory" or not offer.exploration_only)
        and (not reward.categories or book.items[offer.item].category in reward.categories)
    ]
    entries = _free_offers(taking, wanted, fighters=reward.glory_items and not reward.paying)
    counts = {offer.id: _counts(taking, reward, offer) for offer in entries}
    step = 1
    while True:
        options = []
        for offer in entries:
            if counts[offer.id] > left:
                continue
            closed = ""
            if reward.within_limit and taking.is_full(offer):
                closed = "the warband is at its LIMIT."
            elif reward.paying and not _covers(taking.strongbox, offer.price):
                closed = f"it asks {offer.price}; the strongbox holds {taking.strongbox}."
            whose = (f"{offer.price}, {_whose(taking, offer)}", offer.who_words)
            words = (
                "; ".join(part for part in whose if part) if foreign else f"{offer.price}. {offer.who_words}".strip()
            )
            options.append(Option(offer.id, taking.name(offer.item), words, closed=closed))
        if not (taking.must and step == 1):
            if not any(not option.closed for option in options):
                break
            options.append(Option(NONE, "That is all", f"{left} {reward.currency} unused."))
        picked = taking.resolution.choose(
            f"{taking.at}-kit-{step}", f"{left} {reward.currency} left to choose for.", options
        )
        if picked == NONE:
            break
        offer = book.item_offers[picked]
        left -= counts[offer.id]
        under = offer if foreign and offer not in book.armoury(taking.context.force.list) else None
        if taking.hires(offer.item):
            taking.find(offer)
        else:
            taking.item(offer.item, offer=offer, paid=offer.price if reward.paying else None, under=under)
        step += 1
        if reward.most_items and step > reward.most_items:
            break
    if step == 1:
        taking.lines.append("Nothing is taken.")


def _counts(taking: Taking, reward: FreeKitReward, offer: ItemOffer) -> int:
    """What an entry counts against the total."""
    asks = offer.price.glory if reward.currency == "glory" else offer.price.ducats
    if reward.weapons_less and taking.context.book.items[offer.item].slot in ("ranged-weapon", "melee-weapon"):
        return max(1, asks - reward.weapons_less)
    return asks


def _shelves(taking: Taking, reward: FreeKitReward) -> list[ItemOffer]:
    """The armouries that a reward opens. Of a list that is not in the pack yet, what the pack already holds."""
    book, own = taking.context.book, taking.context.force.list
    if not reward.others and not reward.lists:
        return list(book.armoury(own))
    lists = reward.lists or tuple(
        one
        for one in (*book.lists, *(x.id for x in book.pack.other_lists))
        if _faction(taking, one) != book.faction(own)
    )
    house = book.content.house
    found: dict[str, ItemOffer] = {}
    for one in lists:
        if one in book.lists:
            offers = () if book.content.lists[one].closed else book.armoury(one)
        else:
            offers = tuple(
                o
                for o in book.pack.item_offers
                if one in o.lists
                and (house.third_party or not o.third_party or house.allowed.intersection((o.id, o.item)))
                and not house.banned.intersection((o.id, o.item))
            )
        found.update((offer.id, offer) for offer in offers)
    return list(found.values())


def _faction(taking: Taking, list_id: str) -> str:
    book = taking.context.book
    if list_id in book.lists:
        return book.faction(list_id)
    return next((x.faction for x in book.pack.other_lists if x.id == list_id), "") or list_id


def _whose(taking: Taking, offer: ItemOffer) -> str:
    """The factions whose armouries hold an entry."""
    names = {x.id: x.name for x in taking.context.book.pack.other_lists}
    names |= {x.id: x.short or x.name for x in taking.context.book.pack.lists}
    factions = dict.fromkeys(_faction(taking, one) for one in offer.lists)
    return joined(names.get(one, one) for one in factions)


def _covers(strongbox: Price, price: Price) -> bool:
    return strongbox.ducats >= price.ducats and strongbox.glory >= price.glory


def _glory_item(taking: Taking, reward: GloryItemReward) -> None:
    """The right to buy one glory item now, or to pass."""
    book = taking.context.book
    offers = [
        offer
        for offer in book.armoury(taking.context.force.list)
        if 0 < offer.price.glory <= reward.most_glory and not offer.price.ducats
    ]
    entries = sorted(_free_offers(taking, offers), key=lambda o: (o.price.glory, taking.name(o.item)))
    options = []
    for offer in entries:
        closed = ""
        if taking.is_full(offer):
            closed = "the warband is at its LIMIT."
        elif not _covers(taking.strongbox, offer.price):
            closed = f"it asks {offer.price}; the strongbox holds {taking.strongbox.glory} glory."
        words = f"{offer.price}. {offer.who_words}".strip()
        options.append(Option(offer.id, taking.name(offer.item), words, losses=(str(offer.price),), closed=closed))
    if not taking.must:
        options.append(Option(NONE, "Buy nothing"))
    words = f"One glory item for {reward.most_glory} glory at the most."
    picked = taking.resolution.choose(taking.at, words if reward.most_glory < ANY_GLORY else "One glory item.", options)
    if picked == NONE:
        taking.lines.append("Nothing is bought.")
        return
    offer = book.item_offers[picked]
    taking.item(offer.item, offer=offer, paid=offer.price)


# --- fighters and skills


def _fighters(taking: Taking, reward: FightersReward) -> None:
    book = taking.context.book
    for offer_id in reward.offers:
        offer = book.profile_offers[offer_id]
        name = book.profiles[offer.profile].name
        taking.does.append(Joins(offer.id, offer.profile, name, taking.reason))
        taking.lines.append(f"{name} joins, free of charge.")


def _lasting(taking: Taking, reward: LastingReward) -> None:
    lasting = taking.context.book.lasting[reward.lasting]
    choices: dict[str, str | list[str]] = {}
    for effect in lasting.effects:
        if isinstance(effect, LinkEffect):
            picked = link(taking.context, effect, lasting.name, taking.resolution, f"{taking.at}-")
            if picked:
                choices["link"] = picked
    kept = {"id": lasting.id, "choices": choices}
    taking.does.append(SetWarband(("lasting", taking.entry), kept, taking.reason))
    taking.lines.append(f"{lasting.name}: {lasting.summary}")


def _experience(taking: Taking, reward: ExperienceReward) -> None:
    context = taking.context
    pupils = [
        f.key
        for f in context.force.fighters
        if f.active
        and f.key in context.views
        and context.views[f.key].may_learn
        and f.experience < context.experience_cap(f.key)
        and (context.rules.promoted_learn or f.choices.get("promoted_after") != context.aftermath.number)
    ]
    if not pupils:
        taking.lines.append("No ELITE fighter can gain experience.")
        return
    most = min(reward.count, len(pupils))
    options = fighter_options(context, pupils)
    words = f"{taking.reason}: up to {most} gain {reward.experience} experience."
    for key in taking.resolution.choose_some(taking.at, words, options, most=most):
        fighter = context.force.fighter(key)
        now = min(context.experience_cap(key), fighter.experience + reward.experience)
        taking.does.append(SetFighter(key, ("experience",), now, taking.reason))
        taking.lines.append(f"{fighter.name}: experience {fighter.experience} to {now}.")


def _skill(taking: Taking, reward: SkillReward) -> None:
    context, book = taking.context, taking.context.book
    active = [f.key for f in context.force.fighters if f.active]
    if not active:
        return
    key = taking.resolution.choose(f"{taking.at}-who", f"{taking.reason}: for whom?", fighter_options(context, active))
    skill_id = reward.skill
    if not skill_id:
        known = known_skills(book, context.force.fighter(key))
        tables = (*book.skill_tables, "exploration")
        options = tuple(
            Option(s, book.skills[s].name, book.skills[s].summary)
            for s in book.skills_of(tables)
            if s not in known or book.skills[s].kind == "exploration"
        )
        skill_id = taking.resolution.choose(f"{taking.at}-skill", f"{taking.reason}: which skill?", options)
    extra = {"keywords": list(reward.gain_keywords)} if reward.gain_keywords else None
    lesson = learn(context, key, book.skills[skill_id], taking.entry, taking.resolution, extra)
    taking.does.extend(lesson.does)
    taking.lines.extend([f"{context.name(key)} learns {book.skills[skill_id].name}.", *lesson.lines])


def _exploration_skills(taking: Taking, reward: ExplorationSkillReward) -> None:
    for place, skill in enumerate(reward.skills):
        taking.does.append(SetWarband(("exploration_skills", f"{taking.entry}-{place}"), skill, taking.reason))
        taking.lines.append(f"The warband learns {taking.context.book.skills[skill].name}.")


def _heal(taking: Taking) -> None:
    context = taking.context
    scarred = [f.key for f in context.force.fighters if f.active and scar_options(context, f)]
    if not scarred:
        taking.lines.append("Nobody bears a scar.")
        return
    words = {key: f"{context.scars(key)} scars" for key in scarred}
    key = taking.resolution.choose(
        taking.at, f"{taking.reason}: whose scars heal?", fighter_options(context, scarred, words)
    )
    scars = [option.value for option in scar_options(context, context.force.fighter(key))]
    taking.does.extend(healed(context, key, scars, taking.reason))
    taking.lines.append(f"All scars leave {context.name(key)}.")


def _promise(taking: Taking, words: str, expires: str, lists: tuple[str, ...], glory: int) -> None:
    data = {"location": taking.location, "option": taking.option, "lists": list(lists), "glory": glory}
    taking.does.append(Owes("find", words, expires, data))
    taking.lines.append(f"Owed: {words}" + (f", until {expires}." if expires else "."))
