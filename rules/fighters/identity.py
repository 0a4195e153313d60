"""The identity of a fighter.

It is made of the current profile, the profile hired, the recruitment entry, and whether it is a leader or for hire.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.content.schema import ItemOffer, ProfileEntry, ProfileOffer
from rules.fighters.frame import Frame
from rules.fighters.sources import EffectSource
from rules.force import ForceFighter


class Identity(NamedTuple):
    """The identity of a fighter.

    `printed` is the profile it was hired as, `profile` the current one, which an upgrade may change.

    `for_hire`: it is a mercenary by its profile or its recruitment entry; the rules of the list may not apply to it.
    """

    profile: ProfileEntry
    printed: ProfileEntry
    becomes: v.BecomesEffect | None
    offer: ProfileOffer | ItemOffer | None
    mercenary: bool
    leader: bool
    for_hire: bool


def identity_of(content: Content, frame: Frame, fighter: ForceFighter, taken: Iterable[EffectSource]) -> Identity:
    """Return the identity of the fighter with the upgrades it has `taken`."""
    printed = profile = content.profiles[fighter.profile]
    hired = content.profile_offers.get(fighter.offer)
    becomes = next((e for source in taken for e in source.effects if isinstance(e, v.BecomesEffect)), None)
    if becomes is not None:
        profile = content.profiles.get(becomes.profile, printed)
        if hired is not None:
            printed = content.profiles.get(hired.profile, printed)
    offer: ProfileOffer | ItemOffer | None = hired or content.item_offers.get(fighter.offer)
    if offer is None:
        offer = next(iter(frame.list.by_profile.get(printed.id, ())), None)
    hired_as = offer.hired_as if isinstance(offer, ProfileOffer) else fighter.hired_as
    is_mercenary = profile.role == "mercenary"
    leads = isinstance(offer, ProfileOffer) and offer.leader and offer.id not in frame.outranked
    return Identity(
        profile,
        printed,
        becomes,
        offer,
        mercenary=is_mercenary or hired_as == "mercenary",
        leader=leads or any(o.leads for taken in fighter.upgrades for o in frame.upgrade_entries(taken.upgrade)),
        for_hire=is_mercenary or (hired is not None and hired.hired_as == "mercenary"),
    )
