"""Middleware that refuses text which the database cannot store."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse


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
