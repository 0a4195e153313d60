"""Helpers shared by all pages of offers: the form of the pressed offer, its open choices, the filter and the row order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from rules.parts.offer import Offer
from warbands.forms import OfferChoosingForm, OfferForm
from warbands.idempotency import new_token
from warbands.pages.offers import asks_of, must_choose, order_of
from warbands.views.acting import renewed

OOB = ("components/budget_bar.html", "components/toasts.html")
MAX_IN_ORDER = 400  # rows of a page; no real list is longer


def offer_form(request: HttpRequest, offer: Offer | None, *, named: bool = False) -> Any:
    if offer is not None and must_choose(offer):
        return OfferChoosingForm(request.POST, asks=asks_of(offer), named=named)
    return OfferForm(request.POST)


def choosing_form(opened: Any, form: Any, seen: int, *, named: bool = False) -> Any:
    """Return the form of the choices that are open on a page, as it was submitted or fresh; None if no choices are open."""
    if isinstance(form, OfferChoosingForm):
        return renewed(form, seen)
    if opened is not None and opened.asks:
        initial = {"offer": opened.id, "seen": seen, "token": new_token()}
        return OfferChoosingForm(asks=opened.asks, named=named, initial=initial)
    return None


def take_of(request: HttpRequest, form: Any) -> str:
    if form is not None:
        return request.POST.get("offer", "")
    return request.GET.get("take", "") if request.method == "GET" else ""


def shows_closed(request: HttpRequest) -> bool:
    """Return whether the page shows closed offers too. It does unless the filter was set without them."""
    return "closed" in request.GET or "set" not in request.GET


def stood_order(request: HttpRequest, offers: Iterable[Offer], **shown: Any) -> tuple[str, ...]:
    """Return the offer ids in the order of the page that was pressed: as the form lists them, else in the order before the act."""
    sent = request.POST.get("order", "").split()
    return tuple(sent[:MAX_IN_ORDER]) or order_of(offers, **shown)
