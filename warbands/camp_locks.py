"""Which acts of the camp are open: the rooms above may shut hiring, buying, selling, glory or moving kit for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from rules.system import Offer
from warbands.models import Warband

Door = Literal["hire", "buy", "sell", "glory", "move", "hand-over"]
DoorGuard = Callable[[Warband, Door], None]
_guards: list[DoorGuard] = []


def register_door_guard(guard: DoorGuard) -> None:
    """Add a function that raises `Refusal` for a door that is shut for a warband now."""
    if guard not in _guards:
        _guards.append(guard)


def refuse_shut(warband: Warband, door: Door) -> None:
    """Raise Refusal where this act has to wait. Handing over apart, a warband that is being founded has every door open."""
    if door == "hand-over" or not warband.is_founding:
        for guard in _guards:
            guard(warband, door)


def door_of(offer: Offer) -> Door:
    """The door that an offer to buy or hire goes through: whatever costs glory goes through that of glory."""
    if offer.price.glory:
        return "glory"
    return "hire" if offer.kind == "hire" else "buy"
