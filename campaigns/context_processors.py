"""The context processor that adds a link from a warband's pages back to the open post-battle step."""

from __future__ import annotations

from django.http import HttpRequest

SHOWN_ON = ("/warbands/", "/fighters/", "/items/", "/events/")
WAY_BACK = "way_back"


def way_back(request: HttpRequest) -> dict[str, object]:
    """Add the link to the post-battle step that was last open on this device. No queries."""
    if not request.path.startswith(SHOWN_ON) or not request.user.is_authenticated:
        return {}
    return {"way_back": request.session.get(WAY_BACK)}
