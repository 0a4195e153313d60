"""The views for pairing a round, and for what players ask of it: challenges, wishes and days away."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import campaign_for, is_administrator, seat_of
from campaigns.forms import AbsenceForm, ChallengeForm, RoundForm
from campaigns.models import Absence, Campaign, Challenge, PairingWish, Seat
from campaigns.pages.challenges import challenges_page
from campaigns.pages.formatting import closed_words
from campaigns.pages.pairing import paired_round, pairing_page
from campaigns.pairing_state import read_state
from campaigns.questions import ask_about_round
from campaigns.services.challenges import (
    answer_challenge,
    end_absence,
    end_wish,
    make_wish,
    offer_challenge,
    plan_absence,
    withdraw_challenge,
)
from campaigns.services.pairing import publish_round
from campaigns.views.acting import add_success_message, respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.parsing import read_number
from warbands.views.acting import Notice, ask_first, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def round_pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Suggest a round, change the suggestion name by name, and publish it."""
    campaign = campaign_for(request.user, pk, to="administer")
    state = read_state(request.POST if request.method == "POST" else request.GET)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {
            "page": pairing_page(campaign, state),
            "closed_words": closed_words(campaign),
            "campaign_pk": campaign.pk,
            "notice": notice,
            "token": new_token(),
        }
        return render_page(request, "campaigns/pair.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = RoundForm(request.POST)
    asked = None
    if form.is_valid():
        days = (form.cleaned_data["starts_on"], form.cleaned_data["ends_on"])
        wanted = paired_round(campaign, state, *days)
        asked = ask_first(request, [*ask_about_round(*days), *wanted.questions], label=_("Publish round"))

    def do() -> Any:
        return publish_round(
            campaign=campaign,
            actor=request.user,
            tables=wanted.tables,
            round=wanted.round,
            starts_on=days[0],
            ends_on=days[1],
            scenario_ids=wanted.scenario_ids,
            token=form.cleaned_data["token"],
        )

    tried = asked or tried_form(request, form, do, beside=("starts_on", "ends_on"))
    if not tried.done:
        return show(tried.notice, tried.status)
    add_success_message(request, tried.event)
    return redirect("round-show", pk, tried.result.number)


@login_required
@require_http_methods(["GET", "POST"])
def challenge_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one's challenges, wishes and days away; an administrator sees and does it for any player."""
    campaign = campaign_for(request.user, pk, to="play")
    administers = is_administrator(request.user, campaign)
    seat = _whose(request, campaign, administers)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = challenges_page(campaign, seat, administers=administers, user=request.user)
        context = {"page": page, "notice": notice, "tokens": [new_token() for _ in range(3)], "token": new_token}
        return render_page(request, "campaigns/challenges.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    act = request.POST.get("act", "")
    form = AbsenceForm(request.POST) if act == "away" else ChallengeForm(request.POST)
    beside = ("starts_on", "ends_on", "words")
    tried = tried_form(request, form, lambda: _asked(campaign, seat, act, form, request.user), beside=beside)
    here = reverse("challenge-list", args=[pk])
    return respond(request, tried, show, onward=f"{here}?seat={seat.pk}" if administers and seat is not None else here)


def _whose(request: HttpRequest, campaign: Campaign, administers: bool) -> Seat | None:
    """Return the seat that the page is about: one's own, or for administrators the one that the address names."""
    mine = seat_of(request.user, campaign)
    wanted = read_number((request.POST if request.method == "POST" else request.GET).get("seat", ""))
    if wanted is None or (mine is not None and mine.pk == wanted):
        return mine
    if not administers:
        raise PermissionDenied
    live = Seat.objects.live().filter(campaign=campaign).exclude(status=Seat.Status.LEFT)
    return live.filter(pk=wanted).select_related("campaign", "warband", "user").first() or mine


def _asked(campaign: Campaign, seat: Seat | None, act: str, form: Any, user: Any) -> Any:
    if seat is None:
        raise Refusal(_("Choose a player first."), code="no-seat")
    once = {"actor": user, "token": form.cleaned_data["token"]}
    data = form.cleaned_data
    if act == "away":
        return plan_absence(seat=seat, starts_on=data["starts_on"], ends_on=data["ends_on"], **once)
    if act == "offer":
        return offer_challenge(
            seat=seat, other=_row(Seat, data["other"], campaign=campaign), words=data["words"], **once
        )
    if act in ("meet", "apart"):
        return make_wish(seat=seat, other=_row(Seat, data["other"], campaign=campaign), kind=act, **once)
    if act == "wish-end":
        return end_wish(wish=_row(PairingWish, data["row"], seat=seat), **once)
    if act == "away-end":
        return end_absence(absence=_row(Absence, data["row"], seat=seat), **once)
    if act in ("accept", "decline"):
        challenge = _row(Challenge, data["row"], other=seat)
        return answer_challenge(challenge=challenge, accepts=act == "accept", **once)
    if act == "withdraw":
        challenge = _row(Challenge, data["row"], campaign=campaign)
        if seat.pk not in (challenge.seat_id, challenge.other_id) or (
            seat.pk == challenge.other_id and challenge.status == Challenge.Status.OFFERED
        ):
            raise Refusal(_("This challenge isn't yours."), code="not-mine")
        return withdraw_challenge(challenge=challenge, by=seat, **once)
    raise Refusal(_("Choose something first."))


def _row(model: Any, key: int | None, **where: Any) -> Any:
    found = model.objects.live().filter(pk=key, **where).first() if key is not None else None
    if found is None:
        raise Refusal(_("That is no longer here."), mend=_("Reload the page."), code="gone")
    return found
