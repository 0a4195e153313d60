"""The answer to a question that is asked by the hundred: that there is nothing new. It has no body, and as few headers as can be."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class NothingNew(HttpResponse):
    """A 204 without a body: no document that a policy could hold for."""

    status_code = 204

    def __init__(self) -> None:
        super().__init__()
        del self["Content-Type"]


class BareAnswers:
    """Middleware around all others, which add headers to every response: it takes them off a `NothingNew` again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(response, NothingNew):
            for name in list(response.headers):
                del response[name]
            response["Cache-Control"] = "no-store"
        return response
