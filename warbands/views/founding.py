"""Views that start a warband, take a ready one, or import a roster document."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guests import is_guest, new_guest, refuse_newcomer, sign_guest_in
from config.access import login_required, public
from config.htmx import render_page
from warbands.founding_forms import FoundForm, ImportForm, SampleForm
from warbands.idempotency import new_token
from warbands.import_targets import place_for
from warbands.models import Warband
from warbands.pages.addresses import with_query
from warbands.pages.imports import with_place
from warbands.pages.start import StartPage, house_rules_of, read_state, start_page, starting_price
from warbands.recording import event_of_token
from warbands.services.founding import copy_sample, found_warband, terms_for
from warbands.services.own_files import import_own_roster
from warbands.views.acting import Attempt, Notice, add_success_message, attempt, renewed
from warbands.views.roster import warband_address

SAME_PRESS = timedelta(minutes=10)  # how long a visitor's repeated press still leads to what the first one started


@public(reason="A stranger may build a warband before signing up.")
@require_http_methods(["GET", "POST"])
def warband_found(request: HttpRequest) -> HttpResponse:
    """Start a warband on one page, or from a ready one. A stranger who does so becomes a guest."""
    if request.method != "POST":
        page = start_page(read_state(request.GET), request.user, name=request.GET.get("name", "")[:80])
        return _show(request, page, _form(page))
    asked = request.POST if "game" in request.POST else request.GET
    state = read_state(asked)
    if "show" in request.POST:
        return _show_choices(request, state)
    if not request.user.is_authenticated and (refused := refuse_newcomer(request)):
        return refused
    page = start_page(state, request.user, name=request.POST.get("name", "")[:80])
    if asked.get("game", state["game"]) != state["game"]:
        return _show(request, page, _form(page), Notice("problem", _("This site has no such game.")), 422)
    if "sample" in request.POST:
        return _copy(request, page)
    if asked.get("faction", state["faction"]) != state["faction"]:  # changed without a script: not shown yet
        return _show(request, page, _form(page), Notice("problem", _("Choose a faction of this game.")), 422)
    return _found(request, page, _form(page, request.POST))


def _show_choices(request: HttpRequest, state: Mapping[str, str]) -> HttpResponse:
    """Show what belongs to another game or faction: the changed part, or the whole page without a script."""
    typed = request.POST.get("name", "")[:80]
    own_name = "" if typed == request.POST.get("suggested", "") else typed
    if not request.htmx:
        return redirect(with_query(reverse("warband-found"), {**state, **({"name": own_name} if own_name else {})}))
    page = start_page(state, request.user, name=own_name)
    response = _show(request, page, _form(page))
    response["HX-Replace-Url"] = page.address
    return response


def _form(page: StartPage, data: Any = None) -> FoundForm:
    return FoundForm(
        data,
        asks=(*page.asks, *page.later),
        patrons=page.patrons,
        start_words=page.start_words,
        called=page.called,
        initial={"token": new_token(), "name": page.suggested},
    )


def _found(request: HttpRequest, page: StartPage, form: FoundForm) -> HttpResponse:
    def do() -> Warband:
        with transaction.atomic():
            owner = _owner(request)
            return found_warband(
                actor=owner,
                owner=owner,
                terms=terms_for(page.game, page.edition, page.house_rules),
                list_id=page.chosen.id,
                name=form.cleaned_data["name"],
                patron=form.cleaned_data.get("patron", ""),
                mode=page.mode,
                choices=form.chosen,
                budget=form.budget(starting_price(page)),
                token=form.cleaned_data["token"],
            )

    tried = attempt(request, form, do)
    if not tried.done:
        return _begun_before(request) or _show(request, page, renewed(form), tried.notice, tried.status)
    _enter(request, tried.result)
    return redirect("fighter-hire", tried.result.pk)


def _copy(request: HttpRequest, page: StartPage) -> HttpResponse:
    form = SampleForm(request.POST)

    def do() -> Warband:
        with transaction.atomic():
            owner = _owner(request)
            return copy_sample(
                actor=owner,
                owner=owner,
                terms=terms_for(page.game, page.edition, house_rules_of(form.cleaned_data)),
                sample_id=form.cleaned_data["sample"],
                token=form.cleaned_data["token"],
            )

    tried = attempt(request, form, do)
    if not tried.done:
        return _begun_before(request) or _show(request, page, _form(page), tried.notice, tried.status)
    _enter(request, tried.result)
    return _onward(request, tried)


def _owner(request: HttpRequest) -> Any:
    """Return who starts the warband: the person signed in, or a new guest. Inside the transaction of the act."""
    return request.user if request.user.is_authenticated else new_guest()


def _enter(request: HttpRequest, warband: Warband) -> None:
    """Sign in the guest who was made for this warband."""
    if not request.user.is_authenticated:
        sign_guest_in(request, warband.owner)


def _begun_before(request: HttpRequest) -> HttpResponse | None:
    """Return the way into the warband that the same press of a visitor started before, if its answer was lost.

    Only the browser that was given the page knows its token, and only for the first minutes.
    """
    event = event_of_token(request.POST.get("token"))
    if request.user.is_authenticated or event is None or not is_guest(event.actor):
        return None
    if timezone.now() - event.at > SAME_PRESS:
        return None
    warband = Warband.objects.live().filter(owner=event.actor, event_subjects__event=event).first()
    if warband is None:
        return None
    sign_guest_in(request, event.actor)
    return redirect(warband_address(warband.pk))


def _onward(request: HttpRequest, tried: Attempt) -> HttpResponse:
    add_success_message(request, tried.event)
    return redirect(warband_address(tried.result.pk))


def _show(
    request: HttpRequest, page: StartPage, form: FoundForm, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    ready = [(group, [(warband, new_token()) for warband in group.warbands]) for group in page.ready]
    context = {"page": page, "form": form, "notice": notice, "ready": ready}
    return render_page(
        request,
        "warbands/start.html",
        context,
        partials=["start"],
        oob=["warbands/parts/start_head.html", "warbands/parts/start_bar.html"],
        status=status,
    )


@login_required
@require_http_methods(["GET", "POST"])
def warband_import(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("for", "")
    place = place_for(request.user, name)
    form = ImportForm(request.POST or None, request.FILES or None, initial={"token": new_token()})

    def show(notice: Notice | None, status: int) -> HttpResponse:
        context = {
            "form": renewed(form) if form.is_bound else form,
            "notice": notice,
            "place": place,
            "back_href": with_place(reverse("warband-bring"), place, name),
        }
        return render_page(request, "warbands/import.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)

    def do() -> Any:
        return import_own_roster(
            actor=request.user,
            document=form.cleaned_data["document"],
            place=place,
            name=form.cleaned_data["name"],
            token=form.cleaned_data["token"],
        )

    tried = attempt(request, form, do)
    if not tried.done:
        return show(tried.notice, tried.status)
    return _onward(request, tried)
