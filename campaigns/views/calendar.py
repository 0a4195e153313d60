"""The views of the calendar: a person's, a campaign's, and the feeds that calendar programs read."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.access import campaign_for, is_administrator, seat_of
from campaigns.calendar_entries import campaigns_of, with_revisions
from campaigns.calendar_feed import feed_of
from campaigns.forms import AbsenceEndForm, AbsenceForm
from campaigns.models import Absence, CalendarFeed, Campaign, Seat
from campaigns.pages.calendar import campaign_calendar_page, month_of, own_calendar_page
from campaigns.services.calendar import hand_out_feed, plan_absence_in, revoke_feed
from campaigns.services.challenges import end_absence
from campaigns.views.acting import respond, site_of
from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.views.acting import Attempt, Notice, tried_form

BACK, AHEAD = timedelta(days=60), timedelta(days=400)
FEED_ACTS = ("feed", "feed-new", "feed-end")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def calendar_show(request: HttpRequest) -> HttpResponse:
    """Show a person's calendar; a POST notes days away in one campaign or all, or makes and ends the feed's address."""
    user: Any = request.user
    month = month_of(request.GET.get("month", ""))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = own_calendar_page(user, month, site_of(request))
        return _drawn(request, page, notice, status)

    if request.method != "POST":
        return show(None, 200)
    if (act := request.POST.get("act", "")) in FEED_ACTS:
        _feed_act(act, user=user)
        return redirect(reverse("calendar-show") + "#feed")
    tried = _away(request, act, Seat.objects.live().filter(user=user, campaign__in=campaigns_of(user)))
    return respond(request, tried, show, onward=request.get_full_path())


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def campaign_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a campaign's calendar. Its players note days away here; its administrators make and end the feed's address."""
    campaign = campaign_for(request.user, pk)
    administers, mine = is_administrator(request.user, campaign), seat_of(request.user, campaign)
    month = month_of(request.GET.get("month", ""))

    def show(notice: Notice | None, status: int) -> HttpResponse:
        how: dict[str, Any] = {"administers": administers, "mine": mine}
        page = campaign_calendar_page(campaign, request.user, month, site_of(request), **how)
        return _drawn(request, page, notice, status)

    if request.method != "POST":
        return show(None, 200)
    if (act := request.POST.get("act", "")) in FEED_ACTS:
        if not administers:
            raise PermissionDenied(_("Only the campaign's administrators can do this."))
        _feed_act(act, campaign=campaign)
        return redirect(reverse("campaign-calendar", args=[pk]) + "#feed")
    tried = _away(request, act, Seat.objects.live().filter(pk=mine.pk if mine is not None else None))
    return respond(request, tried, show, onward=request.get_full_path())


def _drawn(request: HttpRequest, page: Any, notice: Notice | None, status: int) -> HttpResponse:
    context = {"page": page, "notice": notice, "token": new_token}
    return render_page(request, "campaigns/calendar.html", context, status=status)


def _feed_act(act: str, **whose: Any) -> None:
    if act == "feed-end":
        revoke_feed(**whose)
    else:
        hand_out_feed(**whose, renew=act == "feed-new")


def _away(request: HttpRequest, act: str, seats: Any) -> Attempt:
    """Note days away for the chosen one of these seats or for all of them; or remove what was noted."""
    form: Any = AbsenceEndForm(request.POST) if act == "away-end" else AbsenceForm(request.POST)

    def do() -> Any:
        live = seats.exclude(status=Seat.Status.LEFT).select_related("campaign").order_by("pk")
        data = form.cleaned_data
        once = {"actor": request.user, "token": data["token"]}
        if act == "away-end":
            absence = Absence.objects.live().filter(pk=data["row"], seat__in=live).select_related("seat__campaign")
            if (found := absence.first()) is None:
                raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
            return end_absence(absence=found, **once)
        if act != "away":
            raise Refusal(_("Choose something first."))
        chosen = live.filter(pk=data["seat"]) if data["seat"] else live
        days = {"starts_on": data["starts_on"], "ends_on": data["ends_on"]}
        return plan_absence_in(seats=list(chosen), **days, **once)

    return tried_form(request, form, do, beside=("starts_on", "ends_on"))


@public(reason="A calendar program has no session: the secret address is the key, until it is revoked.")
@require_safe
def calendar_feed(request: HttpRequest, code: str) -> HttpResponse:
    """Return a calendar as a file. An unchanged one is a bare 304."""
    feed = CalendarFeed.objects.filter(code=code).select_related("user", "campaign__terms").first()
    if feed is None or (feed.user is not None and not feed.user.is_active):
        raise Http404(_("Nothing is shown here."))
    if feed.campaign is not None and feed.campaign.is_undone:
        raise Http404(_("Nothing is shown here."))
    campaigns: list[Campaign] = [feed.campaign] if feed.campaign is not None else campaigns_of(feed.user)
    today = timezone.localdate()
    entries = with_revisions(campaigns, today - BACK, today + AHEAD, user=feed.user)
    name = feed.campaign.name if feed.campaign is not None else _("Muster Roll")
    body = feed_of(entries, name=name, site=site_of(request), time_zone=settings.TIME_ZONE)
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="muster-roll.ics"'
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    response["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=response)
    assert answer is not None
    return answer
