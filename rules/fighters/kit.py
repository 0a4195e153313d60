"""What a fighter carries: the kit of its profile, and what was bought or found since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ItemEntry, ItemOffer, KitSet, ProfileEntry
from rules.fighters.sources import EffectSource, picks, place_of
from rules.force import ForceFighter, ForceItem
from rules.price import ZERO


class CarriedItem:
    """One carried piece. `row` is its place in the fighter's kit (-1: implied by the profile), `included` the set it belongs to."""

    __slots__ = ("fixed", "hands", "included", "item", "keywords", "offer", "origin", "price", "row")

    def __init__(
        self, item: ItemEntry, row: int, origin: str, keywords: frozenset[str], included: KitSet | None
    ) -> None:
        self.item = item
        self.row = row
        self.origin = origin
        self.keywords = keywords
        self.included = included
        self.fixed = included is not None and included.fixed
        self.offer: ItemOffer | None = None
        self.hands = item.hands
        self.price = ZERO


def implied_key(fighter: ForceFighter, held: CarriedItem, place: int) -> str:
    """The key of a piece that comes with the profile and is no row of its own."""
    included = held.included.id if held.included else "kit"
    return f"{fighter.key}+{included}+{place}"


def kit_of(
    content: Content, fighter: ForceFighter, profile: ProfileEntry, taken: Sequence[EffectSource], explicit: bool
) -> tuple[list[CarriedItem], tuple[KitSet, ...]]:
    """Everything carried: kit that comes with the profile (matched with what is listed), then the rest; and swappable sets that are gone."""
    swaps: list[v.SwapKitEffect] = [e for s in taken for e in s.effects if isinstance(e, v.SwapKitEffect)]
    stripped = any(isinstance(e, v.KitToStashEffect) for s in taken for e in s.effects)
    open_rows = {row: item for row, item in enumerate(fighter.kit) if item.item in content.items}
    held: list[CarriedItem] = []
    removed: list[KitSet] = []

    def listed(item_id: str) -> int | None:
        match = None
        for row, item in open_rows.items():
            if item.item != item_id:
                continue
            if item.origin == "mandatory":
                return row
            if match is None and not item.offer and not item.paid and item.origin == "bought":
                match = row
        return match

    def take(item_id: str, kit: KitSet) -> None:
        if item_id not in content.items:
            return
        row = listed(item_id)
        if row is not None:
            del open_rows[row]
        held.append(
            CarriedItem(
                content.items[item_id], -1 if row is None else row, "mandatory", content.item_keywords[item_id], kit
            )
        )

    for kit in profile.kit:
        items = list(kit.items)
        for swap in swaps:
            if kit.id in swap.take or set(swap.take) <= set(items):
                gone = [i for i in items if i in swap.take or kit.id in swap.take]
                items = [i for i in items if i not in gone] + list(swap.give)
                for item_id in gone:  # what is listed of the replaced kit stands for what replaced it
                    row = listed(item_id)
                    if row is not None:
                        del open_rows[row]
        if not kit.fixed and not _is_kept(content, fighter, profile, kit, items, explicit, stripped):
            removed.append(kit)
            continue
        if kit.one_of:
            items += _loadout(fighter, kit, open_rows)
        for item_id in items:
            take(item_id, kit)
    for row, item in open_rows.items():
        held.append(CarriedItem(content.items[item.item], row, item.origin, content.item_keywords[item.item], None))
    held.sort(key=lambda h: (h.row < 0, h.row))
    return held, tuple(removed)


def _is_kept(
    content: Content,
    fighter: ForceFighter,
    profile: ProfileEntry,
    kit: KitSet,
    items: Sequence[str],
    explicit: bool,
    stripped: bool,
) -> bool:
    """Whether a swappable set is still with its fighter.

    Rows say so themselves. A roster document may leave it unsaid: then it is there, unless the fighter lists another weapon of the
    same kind (one that takes its place in the hands, or of a group of which the profile carries one) and not the set's own.
    """
    if any(i.origin == "mandatory" and i.item in items for i in fighter.kit):
        return True
    if fighter.choices.get(f"returned-{kit.id}") or kit.id in picks(fighter.choices, "returned"):
        return False
    if explicit or stripped:
        return False
    if any(i.item in items for i in fighter.kit):
        return True
    slots = {content.items[i].slot for i in items if i in content.items}
    single = {e.among.group for e in profile.effects if isinstance(e, v.CarryLimitEffect) and e.most == 1}
    groups = {group for i in items if i in content.items for group in content.items[i].groups} & single
    return not any(
        (content.items[i.item].slot in slots and content.items[i.item].slot != "equipment")
        or not groups.isdisjoint(content.items[i.item].groups)
        for i in fighter.kit
        if i.item in content.items
    )


def _loadout(fighter: ForceFighter, kit: KitSet, open_rows: Mapping[int, ForceItem]) -> list[str]:
    picked = picks(fighter.choices, f"loadout-{kit.id}")
    place = place_of(picked, len(kit.one_of))
    if place is not None:
        return list(kit.one_of[place])
    listed = {item.item for item in open_rows.values()}
    best = max(range(len(kit.one_of)), key=lambda n: (sum(i in listed for i in kit.one_of[n]), -n))
    return list(kit.one_of[best])
