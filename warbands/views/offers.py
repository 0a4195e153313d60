"""Helpers shared by all pages of offers: the form of the pressed offer, its open choices, the search and the row order."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from rules.parts.offer import Offer
from warbands.forms import OfferChoosingForm, OfferForm
from warbands.idempotency import new_token
from warbands.pages.offers import asks_of, must_choose
from warbands.views.acting import renewed

OOB = ("components/budget_bar.html", "components/just_done.html")
BRIEF = ("warbands/parts/roster_brief.html",)
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


def find_of(request: HttpRequest) -> str:
    """Return what the page is searched for. It stands in the address, also in that of a press."""
    return request.GET.get("find", "")[:60]


def stood_order(request: HttpRequest) -> tuple[str, ...]:
    """Return the offer ids of the rows of the page that was pressed, () on a page that is opened."""
    return tuple(request.POST.get("order", "").split()[:MAX_IN_ORDER])
