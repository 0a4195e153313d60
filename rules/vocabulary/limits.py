"""Limits on how many fighters of a kind a warband may have."""

from __future__ import annotations

from typing import Literal

from rules.vocabulary.base import PackStruct
from rules.vocabulary.requirements import Trait


class CapRises(PackStruct, frozen=True, tag_field="cap", tag="rises"):
    """The maximum becomes `most` once the warband's threshold value reaches `threshold_ducats`."""

    threshold_ducats: int
    most: int


class CapHalf(PackStruct, frozen=True, tag_field="cap", tag="half-of"):
    """The maximum is half the number of active fighters of `profile`, rounded down."""

    profile: str


class CapMatch(PackStruct, frozen=True, tag_field="cap", tag="one-per"):
    """The maximum is `times` the number of active fighters of `profile`."""

    profile: str
    times: int = 1


class CapOutnumbered(PackStruct, frozen=True, tag_field="cap", tag="outnumbered-by"):
    """Any number, while strictly fewer than the other fighters matching one of `by`. Checked in `scopes`."""

    by: tuple[Trait, ...]
    scopes: tuple[Literal["roster", "purchase"], ...] = ("roster", "purchase")


class CapOthersCost(PackStruct, frozen=True, tag_field="cap", tag="others-cost"):
    """The entry opens once all other fighters, with their kit, cost this much. It only prevents hiring.

    Source: 1.0, The Great Hunger: The Great Maw.
    """

    ducats: int


class CapJoins(PackStruct, frozen=True, tag_field="cap", tag="joins"):
    """A rule may bring one more than can be hired: `most` may stay while all other fighters cost `others_ducats`."""

    most: int
    others_ducats: int


class CapAfter(PackStruct, frozen=True, tag_field="cap", tag="after"):
    """The entry opens once somebody was hired through the entry `offer`. It only prevents hiring.

    Fighters on the roster stay when the first one is gone.
    """

    offer: str


Cap = CapRises | CapHalf | CapMatch | CapOutnumbered | CapAfter | CapOthersCost | CapJoins


class GroupCap(PackStruct, frozen=True):
    """A shared maximum over several profiles or over all fighters matching `who`, on the lists named."""

    id: str
    name: str
    most: int | None = None
    profiles: tuple[str, ...] = ()
    not_more_than_others: bool = False  # the group may not outnumber the fighters outside it (blocks purchases only)
    source: str = ""
