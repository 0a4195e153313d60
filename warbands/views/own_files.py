"""What follows when somebody brings a file that this app wrote: it is imported at once, or asked about."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from warbands.import_targets import ImportTarget
from warbands.services.library_import import LibraryAsks
from warbands.services.own_files import OwnFile, import_own_roster
from warbands.transcription_forms import PasteForm
from warbands.views.acting import Attempt, add_success_message, attempt
from warbands.views.library_import import after_library, ask_about_library, try_library
from warbands.views.roster import warband_address


def bring_own(
    request: HttpRequest, own: OwnFile, place: ImportTarget | None, form: PasteForm
) -> tuple[Attempt, HttpResponse | None]:
    """Import a file that this app wrote: profiles into the library, a roster with its history.

    Return also where it goes on, None where it was refused.
    """
    if own.is_library:
        tried, raised = try_library(request, form, own.document)
        if isinstance(raised, LibraryAsks):
            return tried, ask_about_library(request, own.document, raised)
        return tried, after_library(request, tried) if tried.done else None

    def bring() -> Any:
        token = form.cleaned_data["token"]
        return import_own_roster(actor=request.user, document=own.document, place=place, token=token)

    tried = attempt(request, form, bring)
    if not tried.done:
        return tried, None
    add_success_message(request, tried.event)
    return tried, redirect(warband_address(tried.result.pk))
