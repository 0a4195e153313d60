"""The views of links into a campaign: an invitation for anybody, and the claim of one seat."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.guests import limit_sign_up
from accounts.sign_in_forms import SignUpForm, sign_in_new
from campaigns.models import Campaign, Seat
from campaigns.pages.invitation import READY, join_page, needs_sign_up
from campaigns.pages.joining import BROUGHT, FOUND, LATER, READY_MADE, claim_page, ready_address
from campaigns.people_forms import JoinForm
from campaigns.services.join import claim_seat, invitation_for, join_campaign, seat_to_claim
from campaigns.services.starting import use_ready_for_seat
from campaigns.views.acting import add_success_message, respond
from config.access import public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.models import Warband
from warbands.parsing import read_number
from warbands.views.acting import Attempt, Notice, tried_form


@public(reason="An invitation is read before one signs in; its last step opens the account.")
@sensitive_post_parameters("password1")
@require_http_methods(["GET", "POST"])
def campaign_join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation to anybody. A POST takes a seat: with a ready warband, an own one, or none yet.

    Whoever has no account chooses user name and password in the same form.
    """
    try:
        campaign = invitation_for(token).campaign
    except Refusal as refusal:
        return render_page(
            request, "campaigns/closed_link.html", {"title": _("Invitation"), "refusal": refusal}, status=404
        )
    here = reverse("campaign-join", args=[token])
    if needs_sign_up(request.user) and not get_adapter(request).is_open_for_signup(request):
        return redirect_to_login(here)
    sign_up = SignUpForm() if needs_sign_up(request.user) else None
    if request.method != "POST":
        return _show(request, campaign, here, request.GET.get("bring", ""), sign_up)
    form = JoinForm(request.POST)
    bring = request.POST.get("bring", "")
    if sign_up is not None:
        if refused := limit_sign_up(request):
            return refused
        sign_up = SignUpForm(request.POST)
        if not sign_up.is_valid():
            return _show(request, campaign, here, bring, sign_up, status=422)
    tried = tried_form(request, form, lambda: _join(request, token, form, sign_up))
    if not tried.done:
        return _show(request, campaign, here, bring, sign_up, tried.notice, tried.status)
    return _enter(request, campaign, bring, sign_up, tried)


def _join(request: HttpRequest, token: str, form: JoinForm, sign_up: SignUpForm | None) -> Seat:
    """Open the account if there is none, take the seat and bring the warband, all or nothing."""
    bring = form.cleaned_data["bring"]
    with transaction.atomic():
        user: Any = sign_up.save_account(request) if sign_up is not None else request.user
        is_own = bring not in (FOUND, LATER, BROUGHT, "") and not bring.startswith(READY)
        seat = join_campaign(
            invitation_token=token,
            actor=user,
            name=form.cleaned_data["name"],
            warband=own_warband(user, bring) if is_own else None,
            token=form.cleaned_data["token"],
        )
        if bring.startswith(READY):
            use_ready_for_seat(seat=seat, actor=user, sample_id=bring.removeprefix(READY))
    return seat


def _enter(
    request: HttpRequest, campaign: Campaign, bring: str, sign_up: SignUpForm | None, tried: Attempt
) -> HttpResponse:
    onward = bring_address(bring, tried.result.pk) or reverse("campaign-show", args=[campaign.pk])
    add_success_message(request, tried.event, _("You joined {campaign}.").format(campaign=campaign.name))
    return sign_in_new(request, sign_up, onward=onward) if sign_up is not None else redirect(onward)


def bring_address(chosen: str, seat: int) -> str:
    """Return the URL where a warband for a seat is chosen, started or imported, "" for other choices."""
    if chosen == READY_MADE:
        return ready_address(seat)
    if chosen == BROUGHT:
        return f"{reverse('warband-bring')}?for=seat:{seat}"
    return reverse("seat-found", args=[seat]) if chosen == FOUND else ""


def own_warband(user: Any, pk: str) -> Warband:
    """Return the person's warband with this id, as a form sent it. Raises Refusal if it is not theirs."""
    found = Warband.objects.live().select_related("terms").filter(pk=read_number(pk), owner=user).first()
    if found is None:
        raise Refusal(_("That warband isn't yours."))
    return found


def _show(
    request: HttpRequest,
    campaign: Campaign,
    here: str,
    bring: str,
    sign_up: SignUpForm | None,
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    page = join_page(campaign, request.user, here, bring)
    context = {"page": page, "notice": notice, "token": new_token(), "sign_up": sign_up}
    return render_page(request, "campaigns/join.html", context, status=status)


@public(reason="A claim link is read before one signs in; taking the seat asks for it.")
@require_http_methods(["GET", "POST"])
def seat_claim(request: HttpRequest, token: str) -> HttpResponse:
    """Show the seat of a claim link; a POST takes it."""
    try:
        seat = seat_to_claim(token)
    except Refusal as refusal:
        return render_page(
            request, "campaigns/closed_link.html", {"title": _("Claim your place"), "refusal": refusal}, status=404
        )
    here = reverse("seat-claim", args=[token])

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {"page": claim_page(seat, request.user, here), "notice": notice, "token": new_token()}
        return render_page(request, "campaigns/claim.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    if not request.user.is_authenticated:
        return redirect(claim_page(seat, request.user, here).sign_in_href)
    form = ActForm(request.POST)
    tried = tried_form(
        request, form, lambda: claim_seat(claim_token=token, actor=request.user, token=form.cleaned_data["token"])
    )
    return respond(request, tried, show, onward=reverse("campaign-show", args=[seat.campaign_id]))
