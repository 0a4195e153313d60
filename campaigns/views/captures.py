"""The view of a captive, where two owners negotiate a ransom."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns.access import capture_for, parties_of
from campaigns.forms import RansomForm
from campaigns.models import Capture, RansomOffer
from campaigns.pages.capture import capture_page
from campaigns.services.ransom import accept_price, give_up, let_go, name_price, refuse_price, withdraw_price
from campaigns.views.acting import respond
from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from warbands.idempotency import new_token
from warbands.views.acting import Notice, tried_form


@login_required
@require_http_methods(["GET", "POST"])
def capture_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a captive to both owners; name, accept, refuse or withdraw a price, release the captive, or give it up."""
    capture = capture_for(request.user, pk)

    def show(notice: Notice | None, status: int) -> HttpResponse:
        fresh = capture_for(request.user, pk) if request.method == "POST" else capture
        page = capture_page(fresh, request.user, parties_of(request.user, fresh))
        context = {
            "page": page,
            "notice": notice,
            "parties": [(party, [new_token() for _ in range(4)]) for party in page.parties],
        }
        return render_page(request, "campaigns/capture.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    form = RansomForm(request.POST)
    tried = tried_form(request, form, lambda: _move(request, capture, form), beside=("ducats",))
    return respond(request, tried, show, onward=reverse("capture-settle", args=[pk]))


def _move(request: HttpRequest, capture: Capture, form: RansomForm) -> Any:
    sent = form.cleaned_data
    if sent["role"] not in parties_of(request.user, capture):
        raise PermissionDenied(_("This belongs to the other owner."))
    once = {"actor": request.user, "token": sent["token"]}
    captor = sent["role"] == "captor"
    if sent["act"] == "price":
        return name_price(capture=capture, by_captor=captor, ducats=sent["ducats"] or 0, **once)
    if sent["act"] == "let-go":
        if not captor:
            raise PermissionDenied(_("Only the captor can release a captive."))
        return let_go(capture=capture, **once)
    if sent["act"] == "give-up":
        if captor:
            raise PermissionDenied(_("Only the owner can give up a captive."))
        return give_up(capture=capture, **once)
    if sent["act"] == "withdraw":
        own = RansomOffer.objects.live().filter(capture=capture, pk=sent["offer"] or 0, by_captor=captor).first()
        if own is None:
            raise Refusal(_("This offer is no longer open."))
        own.capture = capture
        return withdraw_price(offer=own, **once)
    offer = RansomOffer.objects.live().filter(capture=capture, pk=sent["offer"] or 0).exclude(by_captor=captor).first()
    if offer is None:
        raise Refusal(_("This offer is no longer open."))
    offer.capture = capture
    return accept_price(offer=offer, **once) if sent["act"] == "accept" else refuse_price(offer=offer, **once)
