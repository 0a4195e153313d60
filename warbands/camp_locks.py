"""Which acts of the camp are open: the host may lock hiring, buying, selling, glory or moving kit for a while."""

from __future__ import annotations

from typing import Literal

from rules.parts.offer import Offer
from warbands.host import host
from warbands.models import Warband

Door = Literal["hire", "buy", "sell", "glory", "move", "hand-over"]


def refuse_shut(warband: Warband, door: Door) -> None:
    """Raise Refusal where this act has to wait. Handing over apart, a warband that is being founded has every door open."""
    if door == "hand-over" or not warband.is_founding:
        host().refuse_locked(warband, door)


def door_of(offer: Offer) -> Door:
    """The door that an offer to buy or hire goes through: whatever costs glory goes through that of glory."""
    if offer.price.glory:
        return "glory"
    return "hire" if offer.kind == "hire" else "buy"
