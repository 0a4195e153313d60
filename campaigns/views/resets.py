"""The view that hands out a password reset link for a seat."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.access import seat_for
from campaigns.services.resets import hand_out_reset
from campaigns.views.acting import site_of
from config.access import login_required
from config.htmx import render_page
from config.qr import code_of
from warbands.forms import ActForm
from warbands.idempotency import new_token
from warbands.views.acting import attempt


@login_required
@require_http_methods(["GET", "POST"])
def seat_reset(request: HttpRequest, pk: int) -> HttpResponse:
    """Explain what the link does; a POST makes the link and shows it once."""
    seat = seat_for(request.user, pk, to="administer")
    context = {"seat": seat, "back": reverse("seat-show", args=[pk]), "token": new_token()}
    if request.method == "GET":
        return render_page(request, "campaigns/reset.html", context)
    form = ActForm(request.POST)
    tried = attempt(
        request, form, lambda: hand_out_reset(seat=seat, actor=request.user, token=form.cleaned_data["token"])
    )
    if tried.done:
        context["address"] = site_of(request) + tried.result
        context["code"] = code_of(context["address"])
    response = render_page(request, "campaigns/reset.html", {**context, "notice": tried.notice}, status=tried.status)
    response["Cache-Control"] = "no-store"
    return response
