"""Responses to acts on campaign pages: like those of warbands, with undo only where the act can be undone there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.forms import first_words
from warbands.models import Event
from warbands.views.acting import Attempt, Notice, attempt, told_to

# Acts on one's own warband. Others have acts of their own to take them back (move back, reopen, amend).
UNDOABLE = ("write", "bring", "leave")


def tried_form(request: HttpRequest, form: Any, do: Callable[[], Any]) -> Attempt:
    """Run the service of a form without fields of its own; any error becomes the notice."""
    tried = attempt(request, form, do)
    if not tried.done and tried.notice is None:
        return Attempt(False, tried.status, Notice("problem", first_words(form) or "This could not be read."))
    return tried


def respond(
    request: HttpRequest,
    tried: Attempt,
    show: Callable[[Notice | None, int], HttpResponse],
    *,
    onward: str,
    said: str = "",
) -> HttpResponse:
    """Respond to an act: a message and a redirect once done (htmx gets the page's part), else the page with its notice."""
    if not tried.done:
        return show(tried.notice, tried.status)
    add_success_message(request, tried.event, said)
    if request.htmx:  # type: ignore[attr-defined]
        return show(None, 200)
    return redirect(onward)


def add_success_message(request: HttpRequest, event: Event | None, said: str = "") -> None:
    """Say what was done, with its undo if there is one."""
    words = said or (told_to(event, request.user) if event is not None else "")
    if words:
        undo = f"undo:{event.pk}" if event is not None and event.kind in UNDOABLE else ""
        messages.success(request, words, extra_tags=undo)


def mark_of(shown: Any) -> str:
    """Return a mark of what was shown before an act, which the form sends back."""
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:24]


def site_of(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
