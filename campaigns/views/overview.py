"""The views of a campaign's overview: the table of all warbands, and the same as a CSV file."""

from __future__ import annotations

import csv

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaigns.access import campaign_for
from campaigns.models import Campaign
from campaigns.pages.overview import OverviewPage, overview_page, table_of
from config.access import login_required
from config.htmx import render_page

LONGEST_SEARCH = 60


@login_required
@require_safe
def campaign_overview(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = campaign_for(request.user, pk, to="administer")
    return render_page(request, "campaigns/overview.html", {"page": _page(request, campaign)})


@login_required
@require_safe
@never_cache
def overview_export(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the table as it is sorted and filtered. A byte order mark tells spreadsheets that it is UTF-8."""
    campaign = campaign_for(request.user, pk, to="administer")
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(campaign.name) or "campaign"}.csv"'
    response.write("\ufeff")
    csv.writer(response).writerows(table_of(_page(request, campaign)))
    return response


def _page(request: HttpRequest, campaign: Campaign) -> OverviewPage:
    sent = request.GET
    return overview_page(
        campaign,
        sort=sent.get("sort", ""),
        search=sent.get("q", "").strip()[:LONGEST_SEARCH],
        show=sent.get("show", ""),
    )
