"""Views that found a warband, copy a sample, or import a roster document."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.problems import Refusal
from rules.registry import PACKAGES, system
from warbands.forms import FoundForm, ImportForm, SampleForm
from warbands.idempotency import new_token
from warbands.import_targets import place_for
from warbands.pages.founding import THIRD_PARTY, FoundPage, found_page, house_rules_of, read_state
from warbands.pages.imports import with_place
from warbands.services.founding import copy_sample, found_warband, import_document, terms_for
from warbands.views.acting import Attempt, Notice, add_success_message, attempt, renewed
from warbands.views.roster import warband_address


@login_required
@require_http_methods(["GET", "POST"])
def warband_found(request: HttpRequest) -> HttpResponse:
    """Show the three steps of founding. The last one, or copying a sample, founds the warband."""
    page = found_page(read_state(request.GET))
    if request.method != "POST":
        return _show(request, page, _form(page))
    if "sample" in request.POST:
        return _copy(request, page)
    form = _form(page, request.POST)
    if page.chosen is None:
        return _show(request, page, form, Notice("problem", "Choose a list first."), 422)
    return _found(request, page, form)


def _form(page: FoundPage, data: Any = None) -> FoundForm:
    if page.chosen is None:
        return FoundForm(data)
    return FoundForm(
        data,
        asks=page.asks,
        patrons=page.patrons,
        with_money=bool(page.start_words),
        called=page.called,
        initial={"token": new_token()},
    )


def _found(request: HttpRequest, page: FoundPage, form: FoundForm) -> HttpResponse:
    chosen = page.chosen
    assert chosen is not None

    def do() -> Any:
        with transaction.atomic():
            return found_warband(
                actor=request.user,
                owner=request.user,
                terms=terms_for(page.game, page.edition, page.house_rules),
                list_id=chosen.id,
                name=form.cleaned_data["name"],
                patron=form.cleaned_data.get("patron", ""),
                mode=page.mode,
                choices=form.chosen,
                budget=form.budget(chosen.one_off if page.mode == "one-off" else chosen.start),
                token=form.cleaned_data["token"],
            )

    tried = attempt(request, form, do)
    if not tried.done:
        return _show(request, page, renewed(form), tried.notice, tried.status)
    return _onward(request, tried)


def _copy(request: HttpRequest, page: FoundPage) -> HttpResponse:
    form = SampleForm(request.POST)

    def do() -> Any:
        game, _, edition = form.cleaned_data["game"].partition("/")
        if game not in PACKAGES or edition not in system(game).editions():
            raise Refusal("There is no such game here.")
        with transaction.atomic():
            return copy_sample(
                actor=request.user,
                owner=request.user,
                terms=terms_for(game, edition, house_rules_of(form.cleaned_data)),
                sample_id=form.cleaned_data["sample"],
                token=form.cleaned_data["token"],
            )

    tried = attempt(request, form, do)
    if not tried.done:
        return _show(request, page, _form(page), tried.notice, tried.status)
    return _onward(request, tried)


def _onward(request: HttpRequest, tried: Attempt) -> HttpResponse:
    add_success_message(request, tried.event)
    return redirect(warband_address(tried.result.pk))


def _show(
    request: HttpRequest, page: FoundPage, form: FoundForm, notice: Notice | None = None, status: int = 200
) -> HttpResponse:
    samples = [
        (words, [(group, [(sample, new_token()) for sample in group.samples]) for group in groups])
        for words, groups in page.samples
    ]
    context = {"page": page, "form": form, "notice": notice, "samples": samples}
    return render_page(request, "warbands/found.html", context, status=status)


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
        document = form.cleaned_data["document"]
        game, edition = _edition_of(document)
        with transaction.atomic():
            return import_document(
                actor=request.user,
                owner=place.owner if place is not None else request.user,
                terms=place.terms if place is not None else terms_for(game, edition, _let_in(document)),
                document=document,
                name=form.cleaned_data["name"],
                place=place,
                token=form.cleaned_data["token"],
            )

    tried = attempt(request, form, do)
    if not tried.done:
        return show(tried.notice, tried.status)
    return _onward(request, tried)


def _let_in(document: dict[str, Any]) -> dict[str, Any]:
    """Return the house rules that a document may set outside a campaign: only whether third-party lists are allowed."""
    given = document.get("house_rules")
    return house_rules_of({THIRD_PARTY: "yes"}) if isinstance(given, dict) and given.get(THIRD_PARTY) is True else {}


def _edition_of(document: dict[str, Any]) -> tuple[str, str]:
    """Return the game and edition that a document names, or the game's first edition if it names none. Raises Refusal for unknown ones."""
    game = document.get("game", "trench-crusade")
    if not isinstance(game, str) or game not in PACKAGES:
        raise Refusal(
            f"The document names the game “{str(game)[:40]}”, which is not kept here.",
            mend=f"Known: {', '.join(PACKAGES)}.",
        )
    known = system(game).editions()
    edition = document.get("edition") or known[0]
    if edition not in known:
        raise Refusal(
            f"The document names edition “{str(edition)[:40]}”, which is not kept here.",
            mend=f"Known: {', '.join(known)}.",
        )
    return game, edition
