"""Middleware for pages and forms whose subject is gone, because an act removed it in the meantime.

If a form is sent twice and the first request removed its subject, the sender reads that the act is done. Everybody else
reads what no longer exists, with a link back.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from rules.problems import Refusal
from warbands.gone import SubjectGone
from warbands.models import Event

NOT_THERE = (403, 404)


class Guard:
    """Middleware that answers repeated forms, missing subjects and unexpected refusals. One query, only for those."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code not in NOT_THERE:
            return response
        return _done_before(request) or response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Explain why a page could not be drawn. Only SubjectGone and Refusal are handled, so that bugs stay visible."""
        return explain(request, exception) if isinstance(exception, SubjectGone | Refusal) else None


def explain(request: HttpRequest, exception: SubjectGone | Refusal) -> HttpResponse:
    """Answer with what is gone, or was refused, and a way back; with what was done if this form did it before."""
    if done := _done_before(request):
        return done
    words = exception.words if isinstance(exception, SubjectGone) else f"{exception.message} {exception.mend}".strip()
    back = exception.back if isinstance(exception, SubjectGone) else ""
    if request.htmx:  # type: ignore[attr-defined]
        messages.error(request, words)
        return HttpResponseClientRedirect(back or request.htmx.current_url_abs_path or "/")  # type: ignore[attr-defined]
    return render(request, "404.html", {"reason": words, "back": back}, status=404)


def _done_before(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect if this request, or an earlier one with its token, did the person's own act; else None."""
    token = request.POST.get("token", "") if request.method == "POST" else ""
    if not token or not request.user.is_authenticated:
        return None
    event = Event.objects.filter(token=token, actor=request.user).first()
    if event is None:
        return None
    if not getattr(request, "acted", False):
        messages.info(request, _("This was done already. {told}").format(told=event.told))
    subject = event.subjects.filter(warband__isnull=False).first()
    onward = reverse("warband-show", args=[subject.warband_id]) if subject is not None else reverse("desk-show")
    return HttpResponseClientRedirect(onward) if request.htmx else redirect(onward)  # type: ignore[attr-defined]
