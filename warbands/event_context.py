"""The name and URL of an event's occasion, as the host knows them."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from warbands.host import host
from warbands.labels import has_shop
from warbands.models import Warband


def camp_words(warband: Warband) -> str:
    """Return how long a warband in camp may spend money; "" for a warband not in camp. Only the host's queries."""
    if warband.status != Warband.Status.CAMP:
        return ""
    return host().camp_words(warband) or (
        _("You can keep spending until your next battle.") if has_shop(warband.terms) else ""
    )


def occasions_told(occasions: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the name and URL of each of these occasions ("battle:12"), by id; both "" if unknown, and for "".

    Only the host's queries, a fixed number for any number of occasions; none if there is no occasion.
    """
    wanted = set(occasions)
    named = wanted - {""}
    return {**dict.fromkeys(wanted, ("", "")), **(host().occasion_words(named) if named else {})}
