"""The kit that a fighter carries: that of its profile, and items bought or found since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import Hands, ItemEntry, ItemOffer, KitSet, ProfileEntry
from rules.fighters.sources import EffectSource, picked_index, picks
from rules.force import ForceFighter, ForceItem
from rules.price import ZERO, Price


class CarriedItem(msgspec.Struct, frozen=True, eq=False):
    """One carried item.

    `row` is its index in the fighter's kit (-1: implied by the profile), `included` is the kit set that it belongs to.
    """

    item: ItemEntry
    row: int
    origin: str
    keywords: frozenset[str]
    included: KitSet | None
    offer: ItemOffer | None = None
    price: Price = ZERO

    @property
    def fixed(self) -> bool:
        """Return whether the item belongs to a set that may not be given up."""
        return self.included is not None and self.included.fixed

    @property
    def hands(self) -> Hands:
        """Return the hands that the item takes. Its armoury entry may override those of the item."""
        return self.item.hands if self.offer is None or self.offer.hands is None else self.offer.hands


class HandUse(NamedTuple):
    """An item, and the hands that it takes when shooting and when fighting."""

    held: CarriedItem
    ranged: int
    melee: int


class Kit(NamedTuple):
    """All that a fighter carries, and the swappable sets of its profile that are gone."""

    pieces: list[CarriedItem]
    removed: tuple[KitSet, ...]


def bought_piece(content: Content, item_id: str, offer: ItemOffer | None = None) -> CarriedItem:
    """Return an item as it would be carried if it were bought now."""
    return CarriedItem(content.items[item_id], -1, "bought", content.item_keywords[item_id], None, offer)


def implied_key(fighter: ForceFighter, held: CarriedItem, index: int) -> str:
    """Return the key of an item that comes with the profile and has no row."""
    included = held.included.id if held.included else "kit"
    return f"{fighter.key}+{included}+{index}"


class _OpenRows:
    """The rows of a fighter's kit that are not yet matched with an item of its profile."""

    def __init__(self, content: Content, fighter: ForceFighter) -> None:
        self.rows = {row: item for row, item in enumerate(fighter.kit) if item.item in content.items}

    def claim(self, item_id: str) -> int:
        """Claim the row for this item of the profile: one marked as mandatory, else a plain purchase; -1 if there is none."""
        row = self._row_for(item_id)
        if row >= 0:
            del self.rows[row]
        return row

    def _row_for(self, item_id: str) -> int:
        plain = -1
        for row, item in self.rows.items():
            if item.item == item_id:
                if item.origin == "mandatory":
                    return row
                if plain < 0 and item.origin == "bought" and not item.offer and not item.paid:
                    plain = row
        return plain


def kit_of(
    content: Content, fighter: ForceFighter, profile: ProfileEntry, taken: Sequence[EffectSource], explicit: bool
) -> Kit:
    """Return everything carried: the kit of the profile, matched with the rows that list it, then the other rows.

    `taken` are the upgrades. `explicit`: swappable kit counts as present only if listed.
    """
    swaps = [e for source in taken for e in source.effects if isinstance(e, v.SwapKitEffect)]
    unsaid = not explicit and not any(isinstance(e, v.KitToStashEffect) for source in taken for e in source.effects)
    open_rows = _OpenRows(content, fighter)
    pieces: list[CarriedItem] = []
    removed: list[KitSet] = []
    for kit in profile.kit:
        items = _swapped(kit, swaps, open_rows)
        if not kit.fixed and not _is_kept(content, fighter, profile, kit, items, unsaid):
            removed.append(kit)
            continue
        if kit.one_of:
            items += _loadout(fighter, kit, open_rows.rows.values())
        pieces += [
            CarriedItem(content.items[i], open_rows.claim(i), "mandatory", content.item_keywords[i], kit)
            for i in items
            if i in content.items
        ]
    pieces += [
        CarriedItem(content.items[item.item], row, item.origin, content.item_keywords[item.item], None)
        for row, item in open_rows.rows.items()
    ]
    pieces.sort(key=lambda piece: (piece.row < 0, piece.row))
    return Kit(pieces, tuple(removed))


def _swapped(kit: KitSet, swaps: Iterable[v.SwapKitEffect], open_rows: _OpenRows) -> list[str]:
    """Return the items of a set after its upgrades replaced some.

    A row that lists a replaced item counts as a row of its replacement.
    """
    items = list(kit.items)
    for swap in swaps:
        if kit.id in swap.take or set(swap.take) <= set(items):
            gone = [i for i in items if i in swap.take or kit.id in swap.take]
            items = [i for i in items if i not in gone] + list(swap.give)
            for item_id in gone:
                open_rows.claim(item_id)
    return items


def _is_kept(
    content: Content, fighter: ForceFighter, profile: ProfileEntry, kit: KitSet, items: Sequence[str], unsaid: bool
) -> bool:
    """Return whether the fighter still has a swappable set.

    Rows list it explicitly; a roster document may leave it `unsaid`.
    """
    if any(i.origin == "mandatory" and i.item in items for i in fighter.kit):
        return True
    if fighter.choices.get(f"returned-{kit.id}") or kit.id in picks(fighter.choices, "returned"):
        return False
    if not unsaid:
        return False
    return any(i.item in items for i in fighter.kit) or not _is_replaced(content, fighter, profile, items)


def _is_replaced(content: Content, fighter: ForceFighter, profile: ProfileEntry, items: Sequence[str]) -> bool:
    """Return whether the fighter lists a weapon in place of these items.

    That is a weapon for the same slot, or one of a group of which the profile carries one.
    """
    known = [content.items[i] for i in items if i in content.items]
    slots = {item.slot for item in known} - {"equipment"}
    single = {e.among.group for e in profile.effects if isinstance(e, v.CarryLimitEffect) and e.most == 1}
    groups = {group for item in known for group in item.groups} & single
    carried = [content.items[i.item] for i in fighter.kit if i.item in content.items]
    return any(item.slot in slots or not groups.isdisjoint(item.groups) for item in carried)


def _loadout(fighter: ForceFighter, kit: KitSet, rows: Iterable[ForceItem]) -> tuple[str, ...]:
    """Return the alternative that was picked, else the one of which the fighter lists most items."""
    index = picked_index(picks(fighter.choices, f"loadout-{kit.id}"), len(kit.one_of))
    if index is not None:
        return kit.one_of[index]
    listed = {item.item for item in rows}
    return max(kit.one_of, key=lambda items: sum(i in listed for i in items))
