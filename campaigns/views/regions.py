"""The views of a campaign's regions: the page for players, where administrators also change them, and that for spectators."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import campaign_by_slug, campaign_for, is_administrator
from campaigns.models import Battle, Campaign, Region, Seat
from campaigns.pages.regions import regions_page
from campaigns.services.regions import add_regions, change_region, remove_region, take_region
from campaigns.views.acting import respond
from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.parsing import read_number
from warbands.views.acting import Notice, tried_form

BESIDE = ("name", "names", "stake")


@login_required
@require_http_methods(["GET", "POST"])
def region_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the map and the list. An administrator adds and changes regions and records who holds them."""
    campaign = campaign_for(request.user, pk)
    administers = is_administrator(request.user, campaign)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = regions_page(campaign, request.user, administers=administers)
        return render_page(request, "campaigns/regions.html", {"page": page, "notice": notice}, status=status)

    if request.method != "POST":
        return show(None, 200)
    if not administers:
        raise PermissionDenied(_("Only the campaign's administrators can do this."))
    form = ActForm(request.POST)
    tried = tried_form(request, form, lambda: _done(request, campaign, form.cleaned_data["token"]), beside=BESIDE)
    return respond(request, tried, show, onward=reverse("region-list", args=[pk]))


@public(reason="The regions of a campaign that its administrators show to whoever has the link.")
@require_safe
def region_watch(request: HttpRequest, slug: str) -> HttpResponse:
    page = regions_page(campaign_by_slug(slug), None, administers=False, public=True)
    return render_page(request, "campaigns/regions.html", {"page": page})


def _done(request: HttpRequest, campaign: Campaign, token: str) -> Any:
    once = {"actor": request.user, "token": token}
    sent = request.POST
    act = sent.get("act", "")
    if act == "add":
        return add_regions(campaign=campaign, names=sent.get("names", "").splitlines(), **once)
    if act not in ("change", "remove", "take"):
        raise Refusal(_("Choose something first."))
    region = _row(Region.objects.select_related("campaign"), campaign, sent.get("region", ""))
    if act == "remove":
        return remove_region(region=region, **once)
    if act == "change":
        keys = {number for key in sent.getlist("neighbours") if (number := read_number(key)) is not None}
        return change_region(
            region=region, name=sent.get("name", ""), stake=sent.get("stake", ""), neighbours=keys, **once
        )
    seat = battle = None
    if sent.get("seat"):
        seat = _row(Seat.objects.select_related("warband"), campaign, sent["seat"])
    if sent.get("battle"):
        battle = _row(Battle.objects.select_related("round"), campaign, sent["battle"])
    return take_region(region=region, seat=seat, battle=battle, **once)


def _row(rows: Any, campaign: Campaign, key: str) -> Any:
    number = read_number(key)
    found = rows.filter(pk=number, campaign=campaign, is_undone=False).first() if number is not None else None
    if found is None:
        raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
    return found
