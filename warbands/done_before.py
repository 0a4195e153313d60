"""A form sent again whose act took away what it was sent to: its sender is told that it is done, where others find nothing."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from warbands.models import Event

NOT_THERE = (403, 404)


class DoneBefore:
    """Answers a refused form whose one-use token its sender has spent before. One query, and only for a refused form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        response = self.get_response(request)
        if request.method != "POST" or response.status_code not in NOT_THERE or request.htmx:  # type: ignore[attr-defined]
            return response
        token = request.POST.get("token", "")
        if not token or not request.user.is_authenticated:
            return response
        event = Event.objects.filter(token=token, actor=request.user).first()
        if event is None:
            return response
        messages.info(request, f"This was done already. {event.told}")
        subject = event.subjects.filter(warband__isnull=False).first()
        return redirect("warband-show", subject.warband_id) if subject is not None else redirect("desk-show")
