"""The view of texts to paste into Discord."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaigns.access import campaign_for
from campaigns.pages.texts import texts_page
from config.access import login_required
from config.htmx import render_page


@login_required
@require_safe
def campaign_texts(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = campaign_for(request.user, pk)
    return render_page(request, "campaigns/texts.html", {"page": texts_page(campaign)})
