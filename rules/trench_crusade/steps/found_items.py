"""Items that a location hands out: given, chosen, taken up to a sum, or bought for glory."""

from __future__ import annotations

from collections.abc import Iterable

from rules.consequences import LosesItems
from rules.content.compiled import Content
from rules.content.schema import ItemOffer
from rules.formatting import joined
from rules.price import Price
from rules.resolution import Option
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import count_owned, limit_of
from rules.trench_crusade.steps.taking import LATER, NONE, Taking
from rules.vocabulary import FreeKitReward, GloryItemReward, ItemChoiceReward, ItemsReward, ItemTest

ANY_GLORY = 99  # the price that stands for any glory price
AT_LIMIT = _("the warband is at its LIMIT.")


def free_offers(taking: Taking, offers: Iterable[ItemOffer], *, fighters: bool = False) -> list[ItemOffer]:
    """Return the armoury entries that can be handed out: each item once, by its cheapest entry.

    Entries that hire a fighter are included only with `fighters`.
    """
    best: dict[str, ItemOffer] = {}
    for offer in sorted(offers, key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats)):
        if fighters or not taking.hires(offer.item):
            best.setdefault(offer.item, offer)
    return sorted(best.values(), key=lambda offer: taking.name(offer.item))


# --- items that are given


def items(taking: Taking, reward: ItemsReward) -> None:
    """Add certain items to the stash, as far as the list and its LIMITs allow."""
    for index, item in enumerate(reward.items):
        own = taking.context.content.offer_of(taking.context.force.list, item)
        if reward.counts_as:
            _standing_in(taking, item, reward.counts_as, index)
        elif reward.own_list_only and own is None:
            taking.lines.append(_("{name} is not on this list and stays behind.").format(name=taking.name(item)))
        elif own is None or not (reward.within_limit and taking.is_full(own)):
            taking.item(item)
        elif reward.else_price:
            taking.earn(own.price)
            taking.lines.append(
                _("{name} is at its LIMIT: {price} instead.").format(name=taking.name(item), price=own.price)
            )
        else:
            taking.lines.append(_("{name} is at its LIMIT and stays behind.").format(name=taking.name(item)))


def _standing_in(taking: Taking, item: str, other: str, index: int) -> None:
    """Add an item that counts as another for LIMIT. At the limit it can only replace one that the warband owns."""
    force = taking.context.force
    offer = taking.context.content.offer_of(force.list, other)
    limit = limit_of(taking.context.content, force, offer) if offer else None
    if limit is None or count_owned(force, item) + count_owned(force, other) < limit:
        taking.item(item)
        return
    owned = [(f.name, i) for f in force.fighters if f.active for i in f.kit if i.item == other]
    owned += [
        (_("in the {label}").format(label=taking.context.label("stash")), i) for i in force.stash if i.item == other
    ]
    options = [Option(i.key, _("Give up {name}").format(name=taking.name(other)), holder) for holder, i in owned]
    options.append(Option(NONE, _("Leave {name} behind").format(name=taking.name(item))))
    words = _("{name} is at its LIMIT of {limit}. What makes room for {name_2}?").format(
        name=taking.name(other), limit=limit, name_2=taking.name(item)
    )
    picked = taking.resolution.choose(f"{taking.at}-{index}", words, options)
    if picked == NONE:
        taking.lines.append(_("{name} stays behind.").format(name=taking.name(item)))
        return
    taking.does.append(LosesItems((picked,), _("Makes room for {name}").format(name=taking.name(item))))
    taking.item(item)


# --- one item of the player's choice


def item_choice(taking: Taking, reward: ItemChoiceReward) -> None:
    """Ask for one item out of several. A choice from lists that are not in the pack may be postponed as a promise."""
    if reward.from_face and not _one_more(taking, reward.from_face):
        return
    missing = tuple(one for one in reward.lists if one not in taking.context.content.lists)
    options = _choice_options(taking, reward)
    if not taking.must:
        options += _ways_out(taking, reward, missing)
    if not taking.must and not any(not option.closed for option in options):
        taking.lines.append(_("Nothing here fits the warband."))
        return
    picked = taking.resolution.choose(taking.at, _("{reason}: choose one.").format(reason=taking.reason), options)
    if picked == NONE:
        taking.lines.append(_("Nothing is taken."))
    elif picked == LATER:
        taking.promise(_("One item: {reason}").format(reason=taking.reason), "", missing, reward.most_glory or 0)
    else:
        _take_choice(taking, reward, picked)


def _ways_out(taking: Taking, reward: ItemChoiceReward, missing: tuple[str, ...]) -> list[Option]:
    """Return the options of postponing the choice until these lists are in the pack, and of taking nothing."""
    options = []
    if missing:
        names = {one.id: one.name for one in taking.context.content.pack.other_lists}
        words = _("From {listed}, kept as a promise.").format(listed=joined(names.get(one, one) for one in missing))
        options.append(Option(LATER, _("Choose later"), words))
    if reward.optional:
        options.append(Option(NONE, _("Take nothing")))
    return options


def _one_more(taking: Taking, from_face: int) -> bool:
    """Roll whether there is anything to choose."""
    draw = taking.resolution.roll(
        1, 6, _("{reason}: one thing more on {from_face}+").format(reason=taking.reason, from_face=from_face)
    )
    hit = draw.total >= from_face
    taking.resolution.tell(f"{draw.total}: {'one thing more is found' if hit else 'nothing more is found'}.", draw)
    if not hit:
        taking.lines.append(_("{total} on the die: nothing more is found.").format(total=draw.total))
    return hit


def _take_choice(taking: Taking, reward: ItemChoiceReward, item: str) -> None:
    offer = taking.context.content.offer_of(taking.context.force.list, item)
    if reward.within_limit and offer is not None and taking.is_full(offer):
        taking.earn(offer.price)
        taking.lines.append(
            _("{name} is at its LIMIT: {price} instead.").format(name=taking.name(item), price=offer.price)
        )
    elif offer is not None and reward.glory_items:
        taking.find(offer)
    else:
        taking.item(item)


def _choice_options(taking: Taking, reward: ItemChoiceReward) -> list[Option]:
    options = []
    for item, offer in _choice_entries(taking, reward):
        full = reward.within_limit and offer is not None and taking.is_full(offer)
        price = offer.price if offer else taking.price(item)
        if full and reward.else_price:
            options.append(Option(item, taking.name(item), _("At its LIMIT: {price} instead.").format(price=price)))
        else:
            options.append(
                Option(item, taking.name(item), _("worth {price}").format(price=price), closed=AT_LIMIT if full else "")
            )
    return options


def _choice_entries(taking: Taking, reward: ItemChoiceReward) -> list[tuple[str, ItemOffer | None]]:
    """Return the items to choose from, each with the entry that offers it."""
    content, own = taking.context.content, taking.context.force.list
    if reward.items:
        entries = [(item, content.offer_of(own, item)) for item in reward.items]
        return [(item, offer) for item, offer in entries if offer is not None or not reward.own_list_only]
    lists = [one for one in reward.lists if one in content.lists] if reward.lists else [own]
    offers = [offer for one in lists for offer in content.lists[one].item_offers if _is_among(content, reward, offer)]
    return [(offer.item, offer) for offer in free_offers(taking, offers, fighters=reward.glory_items)]


def _is_among(content: Content, reward: ItemChoiceReward, offer: ItemOffer) -> bool:
    price = offer.price
    if reward.glory_items != offer.exploration_only and (reward.glory_items or reward.most_glory is None):
        return False
    if reward.most_ducats is not None and (price.glory or price.ducats > reward.most_ducats):
        return False
    if reward.most_glory is not None and not 0 < price.glory <= reward.most_glory:
        return False
    return not reward.among or any(_passes(content, test, offer) for test in reward.among)


def _passes(content: Content, test: ItemTest, offer: ItemOffer) -> bool:
    """Return whether an armoury entry passes a test of items. The test's conditions on a carrier are ignored."""
    return (
        content.meets(test, content.items[offer.item])
        and (not test.limited or offer.limit is not None)
        and (not test.restricted or bool(offer.who.only_for or offer.who.and_also))
        and (test.over_ducats is None or offer.price.ducats > test.over_ducats)
        and (not test.for_glory or bool(offer.price.glory))
    )


# --- items up to a sum


def free_kit(taking: Taking, reward: FreeKitReward) -> None:
    """Ask for items up to a total, one by one until the player has enough. They are free, or sold at their price."""
    left = reward.most
    wanted = [offer for offer in _shelves(taking, reward) if _is_wanted(taking, reward, offer)]
    entries = free_offers(taking, wanted, fighters=reward.glory_items and not reward.paying)
    counts = {offer.id: _counted_price(taking, reward, offer) for offer in entries}
    taken = 0
    while not reward.most_items or taken < reward.most_items:
        options = [_kit_option(taking, reward, offer) for offer in entries if counts[offer.id] <= left]
        if taken or not taking.must:
            if not any(not option.closed for option in options):
                break
            options.append(
                Option(
                    NONE, _("That is all"), _("{left} {currency} unused.").format(left=left, currency=reward.currency)
                )
            )
        picked = taking.resolution.choose(
            f"{taking.at}-kit-{taken + 1}",
            _("{left} {currency} left to choose for.").format(left=left, currency=reward.currency),
            options,
        )
        if picked == NONE:
            break
        left -= counts[picked]
        _take_kit(taking, reward, taking.context.content.item_offers[picked])
        taken += 1
    if not taken:
        taking.lines.append(_("Nothing is taken."))


def _is_wanted(taking: Taking, reward: FreeKitReward, offer: ItemOffer) -> bool:
    """Return whether an entry is priced in the reward's currency alone and is of the kind that the reward gives."""
    by_glory, price = reward.currency == "glory", offer.price
    if not (price.glory if by_glory else price.ducats) > 0 or (price.ducats if by_glory else price.glory):
        return False
    if reward.glory_items != offer.exploration_only and (reward.glory_items or not by_glory):
        return False
    return not reward.categories or taking.context.content.items[offer.item].category in reward.categories


def _is_foreign(reward: FreeKitReward) -> bool:
    return reward.others or bool(reward.lists)


def _kit_option(taking: Taking, reward: FreeKitReward, offer: ItemOffer) -> Option:
    closed = ""
    if reward.within_limit and taking.is_full(offer):
        closed = AT_LIMIT
    elif reward.paying and not _covers(taking.strongbox, offer.price):
        closed = _("it costs {price}; you have {strongbox}.").format(price=offer.price, strongbox=taking.strongbox)
    words = ", ".join(filter(None, (str(offer.price), offer.who_words)))
    if _is_foreign(reward):
        words = f"{offer.price}, {_factions_with(taking, offer)}"
        words += f"; {offer.who_words}" if offer.who_words else ""
    return Option(offer.id, taking.name(offer.item), words, closed=closed)


def _take_kit(taking: Taking, reward: FreeKitReward, offer: ItemOffer) -> None:
    if taking.hires(offer.item):
        taking.find(offer)
        return
    own = taking.context.content.lists[taking.context.force.list].item_offers
    under = offer if _is_foreign(reward) and offer not in own else None
    taking.item(offer.item, offer=offer, paid=offer.price if reward.paying else None, under=under)


def _counted_price(taking: Taking, reward: FreeKitReward, offer: ItemOffer) -> int:
    """Return what an entry counts towards the total."""
    price = offer.price.glory if reward.currency == "glory" else offer.price.ducats
    if reward.weapons_less and taking.context.content.items[offer.item].slot in ("ranged-weapon", "melee-weapon"):
        return max(1, price - reward.weapons_less)
    return price


def _shelves(taking: Taking, reward: FreeKitReward) -> list[ItemOffer]:
    """Return the armouries that a reward opens.

    For a list that is not in the pack yet, return what the pack already has.
    """
    content, own = taking.context.content, taking.context.force.list
    if not _is_foreign(reward):
        return list(content.lists[own].item_offers)
    everything = (*content.lists, *(other.id for other in content.pack.other_lists))
    lists = reward.lists or [one for one in everything if _faction(content, one) != content.faction(own)]
    found: dict[str, ItemOffer] = {}
    for one in lists:
        found.update((offer.id, offer) for offer in _armoury(content, one))
    return list(found.values())


def _armoury(content: Content, list_id: str) -> tuple[ItemOffer, ...]:
    known = content.lists.get(list_id)
    if known is not None:
        return () if known.closed else known.item_offers
    house = content.house
    return tuple(
        offer
        for offer in content.pack.item_offers
        if list_id in offer.lists
        and (house.third_party or not offer.third_party or house.allowed.intersection((offer.id, offer.item)))
        and not house.banned.intersection((offer.id, offer.item))
    )


def _faction(content: Content, list_id: str) -> str:
    if list_id in content.lists:
        return content.faction(list_id)
    return next((other.faction for other in content.pack.other_lists if other.id == list_id), "") or list_id


def _factions_with(taking: Taking, offer: ItemOffer) -> str:
    content = taking.context.content
    names = {other.id: other.name for other in content.pack.other_lists}
    names |= {army.id: army.short or army.name for army in content.pack.lists}
    return joined(names.get(one, one) for one in dict.fromkeys(_faction(content, one) for one in offer.lists))


def _covers(strongbox: Price, price: Price) -> bool:
    return strongbox.ducats >= price.ducats and strongbox.glory >= price.glory


# --- one item for glory


def glory_item(taking: Taking, reward: GloryItemReward) -> None:
    """Offer to buy one glory item now, or to pass."""
    content = taking.context.content
    offers = [
        offer
        for offer in content.lists[taking.context.force.list].item_offers
        if 0 < offer.price.glory <= reward.most_glory and not offer.price.ducats
    ]
    entries = sorted(free_offers(taking, offers), key=lambda o: (o.price.glory, taking.name(o.item)))
    options = [_glory_option(taking, offer) for offer in entries]
    if not taking.must:
        options.append(Option(NONE, _("Buy nothing")))
    words = _("One glory item for up to {most_glory} glory.").format(most_glory=reward.most_glory)
    picked = taking.resolution.choose(
        taking.at, words if reward.most_glory < ANY_GLORY else _("One glory item."), options
    )
    if picked == NONE:
        taking.lines.append(_("Nothing is bought."))
        return
    offer = content.item_offers[picked]
    taking.item(offer.item, offer=offer, paid=offer.price)


def _glory_option(taking: Taking, offer: ItemOffer) -> Option:
    closed = ""
    if taking.is_full(offer):
        closed = AT_LIMIT
    elif not _covers(taking.strongbox, offer.price):
        closed = _("it costs {price}; you have {glory} glory.").format(price=offer.price, glory=taking.strongbox.glory)
    words = ", ".join(filter(None, (str(offer.price), offer.who_words)))
    return Option(offer.id, taking.name(offer.item), words, losses=(str(offer.price),), closed=closed)
