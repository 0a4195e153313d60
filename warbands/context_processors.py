"""The context processor that adds the band of the draft in which a page stands."""

from __future__ import annotations

from django.http import HttpRequest

from warbands.pages.drafts import draft_band


def draft(request: HttpRequest) -> dict[str, object]:
    """Add the band of the draft, on pages inside one only. No queries."""
    run = getattr(request, "draft_run", None)
    return {} if run is None else {"draft_band": draft_band(run)}
