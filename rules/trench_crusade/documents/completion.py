"""Completion of roster documents: the entries that things were bought through, swappable kit, and picks from other
lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rules.content.compiled import Content, ListContent
from rules.content.schema import ItemOffer
from rules.fighters.facts import Facts
from rules.fighters.foreign import foreign_candidates, foreign_key
from rules.fighters.frame import frame_of
from rules.fighters.kit import CarriedItem
from rules.fighters.matching import holder_fits
from rules.fighters.work_out import facts
from rules.force import Force, ForceFighter, ForceItem, ForceUpgrade
from rules.legality.roster_state import with_offers
from rules.legality.upgrades import as_recruited
from rules.offers.hires import bought_fighter
from rules.vocabulary import CountsAsEffect, ForeignPickEffect


def complete(content: Content, force: Force) -> Force:
    completion = _Completion(content, _with_picks(content, force))
    return replace(completion.force, fighters=tuple(completion.fighter(row) for row in completion.force.fighters))


class _Completion:
    """Completes the fighters of one force, one after another.

    `used` counts how often each entry has sold, for its LIMIT.
    """

    def __init__(self, content: Content, force: Force) -> None:
        self.content, self.force = content, force
        self.frame = frame_of(content, force)
        present = [_as_bought(content, force, f) for f in force.fighters if f.status in ("active", "captive")]
        self.offered = {fighter.key: fighter for fighter in with_offers(content, self.frame, present)}
        pieces = [*(piece for fighter in present for piece in fighter.kit), *force.stash]
        self.used = Counter(piece.offer for piece in pieces if piece.offer)

    def fighter(self, row: ForceFighter) -> ForceFighter:
        fighter = self.offered.get(row.key, row)
        who = facts(self.content, self.frame, fighter)
        kit = (self._piece(fighter, who, index, carried) for index, carried in enumerate(who.held))
        return replace(
            fighter,
            kit=tuple(piece for piece in kit if piece is not None),
            choices=_kit_choices(fighter, who),
            upgrades=tuple(self._upgrade(fighter, who, taken) for taken in fighter.upgrades),
            paid=who.profile_price if who.removed_sets and not fighter.paid else fighter.paid,
            hired_as=self._hired_as(fighter),
        )

    def _piece(self, fighter: ForceFighter, who: Facts, index: int, carried: CarriedItem) -> ForceItem | None:
        """Return a piece of the fighter's kit as a row, or None for kit that is fixed to its profile."""
        piece = fighter.kit[carried.row] if carried.row >= 0 else None
        if carried.included is not None:
            key = piece.key if piece else f"{fighter.key}-k{index}"
            return None if carried.included.fixed else ForceItem(key, carried.item.id, "mandatory")
        if piece is None or piece.origin != "bought" or piece.offer:
            return piece
        offer = self._entry(fighter, who, piece.item)
        if offer is None:
            return piece
        self.used[offer.id] += 1
        return replace(piece, offer=offer.id)

    def _entry(self, fighter: ForceFighter, who: Facts, item: str) -> ItemOffer | None:
        """Return the cheapest armoury entry through which the fighter may have bought an item.

        Entries within their LIMIT come first.
        """
        foreign = (*self.frame.foreign.get("", ()), *self.frame.foreign.get(fighter.key, ()))
        known = [*self.frame.list.by_item.get(item, ()), *(offer for offer in foreign if offer.item == item)]
        fitting = [o for o in known if holder_fits(o.who, who, self.content, item=item, owned=True)] or known
        fitting.sort(key=lambda o: (o.exploration_only, o.price.glory, o.price.ducats))
        free = (offer for offer in fitting if offer.limit is None or self.used[offer.id] < offer.limit)
        return next(free, fitting[0] if fitting else None)

    def _upgrade(self, fighter: ForceFighter, who: Facts, taken: ForceUpgrade) -> ForceUpgrade:
        offers = self.content.lists[self.force.list].by_upgrade.get(taken.upgrade, ())
        if taken.offer or not offers:
            return taken
        before = as_recruited(who, fighter)
        holders = (who, before)
        fitting = (o for o in offers if any(holder_fits(o.who, holder, self.content) for holder in holders))
        return replace(taken, offer=next(fitting, offers[0]).id)

    def _hired_as(self, fighter: ForceFighter) -> str:
        offer = self.content.profile_offers.get(fighter.offer)
        if offer is not None:
            return offer.hired_as
        return "item" if fighter.offer in self.content.item_offers else fighter.hired_as


def _kit_choices(fighter: ForceFighter, who: Facts) -> dict[str, Any]:
    """Return the fighter's choices plus those that its kit implies.

    The kit shows what it gave back, and which alternatives it took.
    """
    choices = dict(fighter.choices)
    for given_back in who.removed_sets:
        choices[f"returned-{given_back.id}"] = True
    for included in who.profile.kit:
        if included.one_of and f"loadout-{included.id}" not in choices:
            chosen = Counter(carried.item.id for carried in who.held if carried.included is included)
            chosen.subtract(included.items)
            index = next((n for n, items in enumerate(included.one_of) if Counter(items) == +chosen), 0)
            choices[f"loadout-{included.id}"] = str(index)
    return choices


def _as_bought(content: Content, force: Force, fighter: ForceFighter) -> ForceFighter:
    """Return a fighter that only an armoury entry offers (a dog) with that entry.

    During founding the fighter stays unchanged.
    """
    army = content.lists[force.list]
    early = force.mode == "campaign" and not force.battles.fought and not force.battles.credited
    if fighter.offer or fighter.profile in army.by_profile or early:
        return fighter
    hires = (offer for offer in army.item_offers if bought_fighter(content.items[offer.item]) == fighter.profile)
    entry = next(hires, None)
    return replace(fighter, offer=entry.id) if entry else fighter


def with_hired(content: Content, force: Force) -> Force:
    """Return the force with pieces that hire a fighter (a dog) turned into that fighter.

    The pieces may be listed as kit or in the stash.
    """
    joined: list[ForceFighter] = []

    def without_hires(pieces: tuple[ForceItem, ...]) -> tuple[ForceItem, ...]:
        rest = []
        for piece in pieces:
            profile = bought_fighter(content.items[piece.item])
            if profile:
                key = f"f{len(force.fighters) + len(joined) + 1}"
                joined.append(ForceFighter(key, content.profiles[profile].name, profile, piece.offer))
            else:
                rest.append(piece)
        return tuple(rest)

    fighters = tuple([replace(fighter, kit=without_hires(fighter.kit)) for fighter in force.fighters])
    stash = without_hires(force.stash)
    return replace(force, fighters=(*fighters, *joined), stash=stash) if joined else force


# --- picks from other lists


def _with_picks(content: Content, force: Force) -> Force:
    """Fill in a list's picks from other lists where the document leaves them out.

    The picks are the held pieces that the own list lacks.
    """
    army = content.lists[force.list]
    fighters = tuple(_with_own_picks(content, army, f) if f.upgrades else f for f in force.fighters)
    force = replace(force, fighters=fighters)
    strange = _strange_items(army, force)
    if not strange:
        return force
    choices = dict(force.choices)
    for cause in frame_of(content, force).of(ForeignPickEffect):
        key = foreign_key(cause.source, cause.effect)
        if cause.effect.own or key in choices:
            continue
        known = _by_item(foreign_candidates(content, army, cause.effect))
        items = [item for item in strange if item in known][: cause.effect.count]
        if items:
            picked = [known[item].id for item in items]
            choices[key] = picked[0] if cause.effect.count == 1 else picked
            strange = [item for item in strange if item not in items]
    return replace(force, choices=choices)


def _strange_items(army: ListContent, force: Force) -> list[str]:
    """Return each item that the warband bought and that its own list does not sell, once."""
    pieces = [*(piece for fighter in force.fighters for piece in fighter.kit), *force.stash]
    bought = (piece.item for piece in pieces if piece.origin == "bought")
    return list(dict.fromkeys(item for item in bought if item not in army.by_item))


def _with_own_picks(content: Content, army: ListContent, fighter: ForceFighter) -> ForceFighter:
    """Fill in a fighter's upgrade picks from other lists where the document leaves them out, from the kit it carries."""
    strange = [i.item for i in fighter.kit if i.origin == "bought" and _is_strange(content, army, fighter, i.item)]
    taken = []
    for upgrade in fighter.upgrades:
        entry = content.upgrades.get(upgrade.upgrade)
        for effect in entry.effects if entry else ():
            if not isinstance(effect, ForeignPickEffect) or not effect.own or upgrade.choices.get("item"):
                continue
            known = _by_item(foreign_candidates(content, army, effect))
            item = next((item for item in strange if item in known), None)
            if item is not None:
                upgrade = replace(upgrade, choices={**upgrade.choices, "item": known[item].id})
                strange = [other for other in strange if other != item]
        taken.append(upgrade)
    return replace(fighter, upgrades=tuple(taken))


def _by_item(offers: Iterable[ItemOffer]) -> dict[str, ItemOffer]:
    found: dict[str, ItemOffer] = {}
    for offer in offers:
        found.setdefault(offer.item, offer)
    return found


def _is_strange(content: Content, army: ListContent, fighter: ForceFighter, item: str) -> bool:
    """Return whether the own list sells this item to nobody, or only to other profiles."""
    profile = content.profiles.get(fighter.profile)
    names = {fighter.profile} | {
        e.profile for e in (profile.effects if profile else ()) if isinstance(e, CountsAsEffect)
    }
    return all(
        bool(offer.who.only_for) and all(t.profile and t.profile not in names for t in offer.who.only_for)
        for offer in army.by_item.get(item, ())
    )
