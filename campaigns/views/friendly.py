"""The views of friendly battles: start one or enter a code, invite the other player, accept."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import friendly_for
from campaigns.pages.friendly import accept_page, friendly_page, invite_page
from campaigns.people_forms import FriendlyForm
from campaigns.services.friendly import read_code, seat_of_code, start_friendly, take_friendly
from campaigns.views.acting import respond, site_of
from campaigns.views.invitations import own_warband
from config.access import login_required, public
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.views.acting import Notice, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def friendly_start(request: HttpRequest) -> HttpResponse:
    """Set up a friendly battle for one's own warband; or go on to the battle of a code that somebody was given."""
    if code := read_code(request.GET.get("code", "")):
        return redirect("friendly-accept", code)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        page = friendly_page(request.user, request.POST.get("warband", "") or request.GET.get("warband", ""))
        context = {"page": page, "notice": notice, "token": new_token()}
        return render_page(request, "campaigns/friendly.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = FriendlyForm(request.POST)
    tried = tried_form(
        request,
        form,
        lambda: start_friendly(
            warband=own_warband(request.user, form.cleaned_data["warband"]),
            actor=request.user,
            token=form.cleaned_data["token"],
        ),
    )
    onward = reverse("friendly-invite", args=[tried.result.pk]) if tried.done and tried.result else reverse("desk-show")
    return respond(request, tried, show, onward=onward)


@login_required
@require_http_methods(["GET", "POST"])
def friendly_invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the link and the code for the other player. A POST plays both sides with a second warband of one's own."""
    battle = friendly_for(request.user, pk)
    page = invite_page(battle, request.user, site_of(request))
    if page is None:
        return redirect("battle-show", pk)
    return _taking(request, page.code, {"page": page}, "campaigns/friendly_invite.html")


@public(reason="Whoever was given the link or code of a friendly battle reads who asks; taking it needs an account.")
@require_http_methods(["GET", "POST"])
def friendly_accept(request: HttpRequest, code: str) -> HttpResponse:
    """Show a friendly battle to whoever has its code; a POST brings the second warband."""
    try:
        seat = seat_of_code(read_code(code))
    except Refusal as refusal:
        context = {"title": _("Friendly battle"), "refusal": refusal}
        return render_page(request, "campaigns/closed_link.html", context, status=404)
    page = accept_page(seat, request.user)
    if request.method == "POST" and page.sign_in_href:
        return redirect(page.sign_in_href)
    return _taking(request, code, {"page": page}, "campaigns/friendly_accept.html")


def _taking(request: HttpRequest, code: str, context: dict[str, object], template: str) -> HttpResponse:
    def show(notice: Notice | None, status: int) -> HttpResponse:
        return render_page(request, template, {**context, "notice": notice, "token": new_token()}, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = FriendlyForm(request.POST)
    tried = tried_form(
        request,
        form,
        lambda: take_friendly(
            code=read_code(code),
            warband=own_warband(request.user, form.cleaned_data["warband"]),
            actor=request.user,
            token=form.cleaned_data["token"],
        ),
    )
    onward = reverse("battle-show", args=[tried.result.pk]) if tried.done and tried.result else reverse("desk-show")
    return respond(request, tried, show, onward=onward)
