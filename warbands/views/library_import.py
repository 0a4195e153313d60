"""The view that imports a document of profiles into a library, and the question about those that differ."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from config.access import login_required
from config.htmx import render_page
from rules.custom.profiles import ProfileProblem
from warbands.founding_forms import LibraryImportForm
from warbands.idempotency import new_token
from warbands.pages.library import shelf_of, shelves
from warbands.pages.library_compare import compare_page
from warbands.services.library_import import LibraryAsks
from warbands.services.own_files import LibraryRefused, import_own_library
from warbands.views.acting import Attempt, Notice, add_success_message, attempt, renewed

MOST_TOLD = 100  # problems of a document that are listed one by one
_WAY = re.compile(r"way_(\d{1,3})", re.ASCII)


@login_required
@require_http_methods(["GET", "POST"])
def profile_import(request: HttpRequest) -> HttpResponse:
    """Import a document of profiles: either all of them, or none with a list of everything that is wrong.

    Where profiles differ from those of the same name, the page asks what happens to each.
    """
    form = LibraryImportForm(request.POST or None, request.FILES or None, initial={"token": new_token()})
    shelf = shelf_of(request.GET.get("game", "")) or shelves()[0]

    def show(notice: Notice | None, status: int, wrong: tuple[ProfileProblem, ...] = ()) -> HttpResponse:
        context = {
            "form": renewed(form) if form.is_bound else form,
            "notice": notice,
            "wrong": wrong[:MOST_TOLD],
            "unlisted": max(0, len(wrong) - MOST_TOLD),
            "back_href": f"{reverse('profile-list')}?game={shelf.game.id}",
            "kinds": shelf.kinds,
            "game": shelf.game,
        }
        return render_page(request, "library/import.html", context, status=status)

    if request.method != "POST":
        return show(None, 200)
    tried, raised = try_library(request, form)
    if isinstance(raised, LibraryAsks):
        return ask_about_library(request, form.cleaned_data["document"], raised)
    if not tried.done:
        wrong = raised.wrong if isinstance(raised, LibraryRefused) and tried.status == 422 else ()
        return show(None if wrong else tried.notice, tried.status, wrong)
    return after_library(request, tried)


def try_library(
    request: HttpRequest, form: Any, document: Mapping[str, Any] | None = None
) -> tuple[Attempt, LibraryAsks | LibraryRefused | None]:
    """Try to import a document of profiles, by default the form's own. Return what to ask or to tell of it besides."""
    raised: list[LibraryAsks | LibraryRefused] = []

    def do() -> Any:
        try:
            return import_own_library(
                owner=request.user,
                actor=request.user,
                document=document if document is not None else form.cleaned_data["document"],
                ways={int(found[1]): way for name, way in request.POST.items() if (found := _WAY.fullmatch(name))},
                token=form.cleaned_data["token"],
            )
        except (LibraryAsks, LibraryRefused) as refusal:
            raised.append(refusal)
            raise

    tried = attempt(request, form, do)
    return tried, raised[0] if raised and not tried.done else None


def ask_about_library(request: HttpRequest, document: Mapping[str, Any], asks: LibraryAsks) -> HttpResponse:
    """Show every profile of the file beside the library. The page's form sends the file again, with the answers."""
    game = str(document.get("game", ""))
    context = {
        "page": compare_page(game, asks),
        "document": json.dumps(document, ensure_ascii=False, separators=(",", ":")),
        "token": new_token(),
    }
    return render_page(request, "library/import_compare.html", context, status=422)


def after_library(request: HttpRequest, tried: Attempt) -> HttpResponse:
    add_success_message(request, tried.event)
    return redirect(f"{reverse('profile-list')}?game={tried.result[0].system}")
