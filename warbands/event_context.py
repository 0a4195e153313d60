"""The name and the address of an event's occasion. The host knows them."""

from __future__ import annotations

from collections.abc import Iterable

from warbands.host import host
from warbands.labels import has_shop
from warbands.models import Warband

AT_CAMP = "At camp: spending stays open until the next muster."


def camp_words(warband: Warband) -> str:
    """How long money may be spent, for a warband in camp; "" for any other. Queries are the host's."""
    if warband.status != Warband.Status.CAMP:
        return ""
    return host().camp_words(warband) or (AT_CAMP if has_shop(warband.terms) else "")


def occasions_told(occasions: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Words and address of each of these occasions ("battle:12"), by id; both "" where nobody knows it, and for "".

    Queries are the host's, however many occasions; none where there is no occasion.
    """
    wanted = set(occasions)
    named = wanted - {""}
    return {**dict.fromkeys(wanted, ("", "")), **(host().occasion_words(named) if named else {})}
