"""The context processor that adds a link from a warband's own pages back to its open post-battle step."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from warbands.models import EventSubject, Fighter, Item

WAY_BACK = "way_back"
OWN_PAGE = re.compile(r"^/(warbands|fighters|items|events)/(\d{1,18})/", re.ASCII)


def way_back(request: HttpRequest) -> dict[str, Callable[[], object]]:
    """Add the link to the post-battle step that was last open on this device, on the pages of its warband.

    One query where it is shown on the page of a fighter, an item or an entry of the history, otherwise none.
    """
    return {"way_back": cache(lambda: _way_back(request))}


def _way_back(request: HttpRequest) -> object:
    found = OWN_PAGE.match(request.path)
    if found is None or not request.user.is_authenticated:
        return None
    way = request.session.get(WAY_BACK)
    return way if way and _is_of(way.get("warband"), *found.groups()) else None


def _is_of(warband: int | None, kind: str, pk: str) -> bool:
    """Return whether an address of this kind is of the warband."""
    match kind:
        case "fighters":
            return Fighter.objects.filter(pk=pk, warband=warband).exists()
        case "items":
            return Item.objects.filter(pk=pk, warband=warband).exists()
        case "events":
            return EventSubject.objects.filter(event=pk, warband=warband).exists()
    return int(pk) == warband
