"""Founding a Trench Crusade warband: the lists of an edition, and the money and kit that each starts with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.choices import of_list
from rules.content import name_book
from rules.content.compiled import Content, ListContent, patrons_of
from rules.content.schema import ArmyList
from rules.fighters.frame import frame_of
from rules.force import Force
from rules.parts.choice import ChoiceAsked
from rules.parts.founding import ListChoice, StartingItem
from rules.price import Price
from rules.problems import Refusal
from rules.translation import gettext
from rules.trench_crusade.content import GAME, sample, samples
from rules.trench_crusade.marks import mark
from rules.trench_crusade.namesakes import told_name
from rules.vocabulary import ChooseEffect, StartingItemsEffect


def lists(content: Content) -> tuple[ListChoice, ...]:
    """Return the lists: factions first, each followed by its variants; own lists before third-party ones."""
    return tuple(
        _list_choice(content, base, army)
        for base in content.pack.lists
        if not base.faction
        for army in (
            base,
            *sorted((x for x in content.pack.lists if x.faction == base.id), key=lambda variant: variant.third_party),
        )
    )


def _list_choice(content: Content, base: ArmyList, army: ArmyList) -> ListChoice:
    compiled = content.lists[army.id]
    budget = content.house.budget
    return ListChoice(
        id=army.id,
        name=told_name(content, army.id),
        temper=army.temper,
        faction=compiled.faction,
        changes=tuple(f"{rule.name}: {rule.words}" for rule in compiled.rules),
        patrons=tuple((p, content.patrons[p].name) for p in patrons_of(content, army) if p in content.patrons),
        start=budget or army.start.campaign,
        one_off=budget or army.start.one_off,
        third_party=army.third_party,
        choices=_choices(content, army.id),
        keyword=army.keyword or base.keyword,
        closed=compiled.closed,
        short=army.short,
    )


def _choices(content: Content, list_id: str) -> tuple[ChoiceAsked, ...]:
    """Return the choices that the list requires for the whole warband. An item of another list may be chosen later."""
    frame = frame_of(content, Force(GAME, content.edition, list_id))
    asked = [asking.choosing.asked for asking in of_list(content, frame, {})]
    own = {cause.effect.key for cause in frame.of(ChooseEffect)}
    return tuple(each if each.key in own else replace(each, optional=True) for each in asked)


def start(
    content: Content, list_id: str, mode: str, choices: Mapping[str, Any] | None = None
) -> tuple[Price, tuple[StartingItem, ...]]:
    """Return the money and kit of a new warband.

    Raises Refusal for an unknown or closed list, or an invalid choice.
    """
    compiled = content.lists.get(list_id)
    if compiled is None:
        raise Refusal(gettext("No list is called “{list_id}”.").format(list_id=list_id), code="unknown-name")
    if compiled.closed:
        raise Refusal(compiled.closed, mend=gettext("Choose another list."), code="third-party")
    if mode not in ("campaign", "one-off"):
        raise Refusal(
            gettext("A warband is for a campaign or for one-off battles, not for “{mode}”.").format(mode=mode),
            code="mode",
        )
    _refuse_unknown_options(content, list_id, choices or {})
    begins = compiled.army.start
    price = content.house.budget or (begins.campaign if mode == "campaign" else begins.one_off)
    return price, tuple(_starting_items(content, compiled))


def _refuse_unknown_options(content: Content, list_id: str, choices: Mapping[str, Any]) -> None:
    known = {asked.key: {value for value, _ in asked.options} for asked in _choices(content, list_id)}
    for key, value in choices.items():
        for option in value if isinstance(value, list | tuple) else (value,):
            if option not in ("", None) and option not in known.get(key, ()):
                raise Refusal(
                    gettext("“{option}” is not one of the choices.").format(option=option), code="unknown-option"
                )


def _starting_items(content: Content, compiled: ListContent) -> Iterator[StartingItem]:
    effects = (effect for rule in compiled.rules for effect in rule.effects)
    for effect in effects:
        for offer_id in effect.offers if isinstance(effect, StartingItemsEffect) else ():
            offer = content.item_offers.get(offer_id)
            item = offer.item if offer else offer_id
            yield StartingItem(item, offer.id if offer else "", content.name("item", item))


def late_start(content: Content, list_id: str, threshold: int, battles: int) -> tuple[Price, int]:
    """Return a latecomer's money and its experience.

    The money is the campaign's threshold as the list changes it, and the usual glory.
    """
    if list_id not in content.lists:
        raise Refusal(gettext("No list is called “{list_id}”.").format(list_id=list_id), code="unknown-name")
    army = content.lists[list_id].army
    each = content.campaign.rules.late_experience if content.pack.campaign else 1
    return Price(ducats=threshold + army.threshold_add, glory=army.start.campaign.glory), battles * each


def fighter_names(content: Content, list_id: str, profile: str) -> tuple[str, ...]:
    """Return names for fighters of this profile in the manner of the list."""
    faction = content.faction(list_id) if list_id in content.lists else ""
    return name_book.fighter_names(GAME, list_id, faction, profile)


def warband_names(content: Content, list_id: str) -> tuple[str, ...]:
    """Return names for a warband of this list."""
    faction = content.faction(list_id) if list_id in content.lists else ""
    return name_book.warband_names(GAME, list_id, faction)


__all__ = ["fighter_names", "late_start", "lists", "mark", "sample", "samples", "start", "warband_names"]
