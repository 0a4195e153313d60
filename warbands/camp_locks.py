"""Locks of acts in camp: the host may lock hiring, buying, selling, spending glory or moving kit for a while."""

from __future__ import annotations

from typing import Literal

from rules.parts.offer import Offer
from warbands.host import host
from warbands.models import Warband

Door = Literal["hire", "buy", "sell", "glory", "move"]


def refuse_shut(warband: Warband, door: Door) -> None:
    """Raise Refusal if this act is locked. While a warband is being founded, none is."""
    if not warband.is_founding:
        host().refuse_locked(warband, door)


def door_of(offer: Offer) -> Door:
    """Return the lock that applies to an offer to buy or hire. Everything that costs glory is under the lock of glory."""
    if offer.price.glory:
        return "glory"
    return "hire" if offer.kind == "hire" else "buy"
