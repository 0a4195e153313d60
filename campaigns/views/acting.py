"""Responses to POST requests on campaign pages. They work like those of warbands, but offer undo only where the event can be undone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from warbands.models import Event
from warbands.views.acting import Attempt, Notice, told_to

# Kinds of events on one's own warband. Other kinds are reversed by an action of their own (move back, reopen, amend).
UNDOABLE = (
    "write",
    "bring",
    "leave",
    "pair",
    "season",
    "campaign-copy",
    "preset",
    "preset-remove",
    "archive",
    "unarchive",
    "publish",
    "region",
    "region-owner",
    "places",
)
REPAIR = "repair-"


def respond(
    request: HttpRequest,
    tried: Attempt,
    show: Callable[[Notice | None, int], HttpResponse],
    *,
    onward: str,
    said: str = "",
) -> HttpResponse:
    """Respond to a POST.

    On success add a message and redirect (an htmx request gets the partial page), else show the page with its notice.
    """
    if not tried.done:
        return show(tried.notice, tried.status)
    add_success_message(request, tried.event, said)
    if request.htmx:  # type: ignore[attr-defined]
        return show(None, 200)
    return redirect(onward)


def add_success_message(request: HttpRequest, event: Event | None, said: str = "") -> None:
    """Add a message that says what was done, with its undo if there is one."""
    words = said or (told_to(event, request.user) if event is not None else "")
    if words:
        undo = (
            f"undo:{event.pk}"
            if event is not None and (event.kind in UNDOABLE or event.kind.startswith(REPAIR))
            else ""
        )
        messages.success(request, words, extra_tags=undo)


def add_spoken_message(request: HttpRequest, events: Any) -> None:
    """Add a message for screen readers alone: the page itself shows what these events did, with their undo."""
    told = (events,) if isinstance(events, Event) else events if isinstance(events, tuple) else ()
    words = " ".join(str(event.data.get("outcome") or told_to(event, request.user)) for event in told)
    if words:
        messages.info(request, words, extra_tags="spoken")


def mark_of(shown: Any) -> str:
    """Return a hash of what was shown before an action; the form sends it back."""
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:24]


def site_of(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
