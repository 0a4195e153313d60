"""What pages of the rooms below show of a campaign: the way back to the step one came from."""

from __future__ import annotations

from django.http import HttpRequest

SHOWN_ON = ("/warbands/", "/fighters/", "/items/", "/events/")
WAY_BACK = "way_back"


def way_back(request: HttpRequest) -> dict[str, object]:
    """The link to the post-battle step that is open on this device, on the warband's own pages. No queries."""
    if not request.path.startswith(SHOWN_ON) or not request.user.is_authenticated:
        return {}
    return {"way_back": request.session.get(WAY_BACK)}
