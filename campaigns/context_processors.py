"""What a warband's own pages show of a campaign: the way back to the step one came from."""

from __future__ import annotations

from django.http import HttpRequest

SHOWN_ON = ("/warbands/", "/fighters/", "/items/", "/events/")
WAY_BACK = "way_back"


def way_back(request: HttpRequest) -> dict[str, object]:
    """Add the link to the post-battle step that was last open on this device. No queries."""
    if not request.path.startswith(SHOWN_ON) or not request.user.is_authenticated:
        return {}
    return {"way_back": request.session.get(WAY_BACK)}
