"""Middleware that refuses requests that are too large, and text which the database cannot store."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _


def refuse_null_characters(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 400 to a form or query with a null character: no browser sends one, and PostgreSQL cannot store it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        for name, values in chain(request.GET.lists(), request.POST.lists()):
            if any("\0" in text for text in (name, *values)):
                raise SuspiciousOperation("A null character was sent.")
        return get_response(request)

    return middleware


def refuse_large_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 413 to a request that announces more than the largest file we take, before any of it is read."""

    def middleware(request: HttpRequest) -> HttpResponse:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        if announced.isdigit() and int(announced) > settings.MOST_REQUEST_BYTES:
            most = settings.MOST_REQUEST_BYTES // 1_000_000
            words = _("This is too large: {most} MB at most.").format(most=most)
            return HttpResponse(render_to_string("400.html", {"words": words}), status=413)
        return get_response(request)

    return middleware
