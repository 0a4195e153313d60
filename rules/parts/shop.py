"""Kit and upgrades for money. None for games in which nothing is bought."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.consequences import Consequence
from rules.force import Force
from rules.parts.founding import StartingItem
from rules.parts.offer import Offer

C_contra = TypeVar("C_contra", contravariant=True)


class Shop(Protocol[C_contra]):
    """Kit and upgrades for money. None for games in which nothing is bought."""

    def item_offers(self, content: C_contra, force: Force, fighter: str = "") -> tuple[Offer, ...]:
        """What may be bought for a fighter, or for the stash (fighter "").

        Where buying an item hires a fighter instead, the offer has kind "hire", `ref` its profile and `id` the armoury entry.
        """
        ...

    def outfit(
        self, content: C_contra, force: Force, offer: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[StartingItem, ...]:
        """The swappable kit that comes with this hire, one row each (fixed kit is implied and not listed).

        `choices` are those that the offer asked for. Raises Refusal for a choice that does not fit.
        """
        ...

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
        """What taking this upgrade does besides: kit to the stash, mandatory kit swapped, another profile. `force` is before."""
        ...

    def carry(self, content: C_contra, force: Force, item: str, fighter: str) -> Offer:
        """Whether an owned item may go to this fighter ("" = the stash)."""
        ...

    def sale(self, content: C_contra, force: Force, item: str) -> Offer:
        """What selling an owned item brings (`price`), or why it cannot be sold."""
        ...

    def refund(self, content: C_contra, force: Force, item: str) -> Offer:
        """What returning it brings while founding, or why it cannot be returned."""
        ...

    def priced(self, content: C_contra, force: Force) -> Force:
        """The force with what each fighter, piece and upgrade took from the budget, where that is not noted yet."""
        ...

    def at_work_when_lost(self, content: C_contra) -> frozenset[str]:
        """Items whose pieces are at work still when they are lost; a force tells them as `lost`."""
        ...

    def consumables(self, content: C_contra) -> frozenset[str]:
        """Ids of items that a use in battle may use up: a report asks about them."""
        ...
