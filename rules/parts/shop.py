"""Buying kit and upgrades. None for games in which nothing is bought."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rules.consequences import Consequence
from rules.force import Force
from rules.parts.founding import StartingItem
from rules.parts.offer import Offer
from rules.price import Price

C_contra = TypeVar("C_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class UsualKit:
    """Kit to buy for a fighter in one act. `offers` and `items` (their names) have the same order."""

    key: str
    name: str
    offers: tuple[str, ...]
    items: tuple[str, ...]
    price: Price


@dataclass(frozen=True, slots=True)
class WholeKit:
    """A purchase of several pieces in one act: what it costs, and why it cannot be made ("" if it can)."""

    price: Price = Price()
    reason: str = ""
    mend: str = ""


class ShopPart(Protocol[C_contra]):
    """Buying kit and upgrades. None for games in which nothing is bought."""

    def item_offers(
        self,
        content: C_contra,
        force: Force,
        fighter: str = "",
        only: Collection[str] = (),
        *,
        one_is_enough: bool = False,
    ) -> tuple[Offer, ...]:
        """Return what may be bought for a fighter, or for the stash (fighter ""). `only`: these offers alone.

        `one_is_enough`: the first offer that is not closed, () if there is none.

        If buying an item hires a fighter instead, the offer has kind "hire", `ref` its profile and `id` the armoury
        entry.
        """

    def whole_kit(self, content: C_contra, force: Force, fighters: Sequence[str], offers: Sequence[str]) -> WholeKit:
        """Judge the purchase of all these offers for each of these fighters, in one act. Raises Refusal for one who is gone."""

    def usual_kits(self, content: C_contra, force: Force, fighter: str) -> tuple[UsualKit, ...]:
        """Return kits that fighters of this profile often carry, without what this one has, each buyable as a whole.

        Money is not judged. Raises Refusal for a fighter who is not on the roster.
        """

    def outfit(
        self, content: C_contra, force: Force, offer: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[StartingItem, ...]:
        """Return the swappable kit that comes with this hire, one row each (fixed kit is implied and not listed).

        `choices` are those that the offer asked for. Raises Refusal for a choice that does not fit.
        """

    def upgrade_offers(self, content: C_contra, force: Force, fighter: str) -> tuple[Offer, ...]: ...

    def follows(
        self,
        content: C_contra,
        force: Force,
        fighter: str,
        offer: str,
        option: str = "",
        choices: Mapping[str, Any] | None = None,
    ) -> tuple[Consequence, ...]:
        """Return further consequences of this upgrade: kit moved to the stash, mandatory kit swapped, another profile.

        `force` is the force before the upgrade.
        """

    def carry(self, content: C_contra, force: Force, item: str, fighter: str) -> Offer:
        """Return whether an owned item may be moved to this fighter ("" = the stash), as an offer."""

    def sale(self, content: C_contra, force: Force, item: str) -> Offer:
        """Return the offer to sell an owned item for `price`, or why it cannot be sold."""

    def refund(self, content: C_contra, force: Force, item: str) -> Offer:
        """Return the offer to return an owned item for `price` while founding, or why it cannot be returned."""

    def priced(self, content: C_contra, force: Force) -> Force:
        """Return the force with the price that each fighter, item and upgrade took from the budget, if none is recorded."""

    def at_work_when_lost(self, content: C_contra) -> frozenset[str]:
        """Return the ids of items that still have an effect when they are lost; a force holds them as `lost`."""

    def consumables(self, content: C_contra) -> frozenset[str]:
        """Return the ids of items that a battle may use up."""
