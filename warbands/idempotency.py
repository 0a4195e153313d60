"""One-use tokens of forms: two clicks on one form have one effect. Every act requires a token that this site made for this person.

A token is signed for the person whose page it stands on. A page that sends one form several times without loading it again appends a
suffix of its own to the token for each.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch
from django.utils.crypto import constant_time_compare, salted_hmac

SALT = "warbands.tokens"
ANYBODY, VISITOR = "", "visitor"
# Forms that are no acts, by URL name: to send them twice makes no difference. Those of other apps are listed by route below.
WITHOUT_TOKEN = frozenset(
    {
        "account-show",  # one's own preferences
        "account-delete",  # there is nobody to delete a second time
        "demo-login",
        "roster-print",  # what is drawn on paper; a booklet is asked for once until it is done
        "booklet-print",
        "paper-begin",  # a draft, typed over as often as wanted; the warband is made by a form with a token
        "paper-fighter",
        "paper-settle",
        "paper-text",
        "paper-warband",
    }
)
ROUTES_WITHOUT_TOKEN = (
    "accounts/",
    "admin/",
)  # signing in, passwords and addresses; what the site's own administrators see
_SIGNED = 24  # hexadecimal digits: 96 bits
_FORM = re.compile(r"([\w-]{12})\.([0-9a-f]{24})(?:\.[0-9a-f]{1,24})?", re.ASCII)

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def new_token() -> str:
    """A unique token for the reader of the page that is being drawn. Made outside a request, it is valid for anybody."""
    drawn = secrets.token_urlsafe(9)
    request = _request.get()
    return f"{drawn}.{_signature(drawn, ANYBODY if request is None else _reader(request.user), settings.SECRET_KEY)}"


def is_ours(token: str, user: Any) -> bool:
    """Whether the site made this token, for this person."""
    found = _FORM.fullmatch(token)
    if found is None:
        return False
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    readers = (_reader(user), ANYBODY)
    return any(constant_time_compare(_signature(found[1], reader, key), found[2]) for reader in readers for key in keys)


def _reader(user: Any) -> str:
    return str(user.pk) if user.is_authenticated else VISITOR


def _signature(drawn: str, reader: str, key: str) -> str:
    return salted_hmac(SALT, f"{drawn}:{reader}", secret=key, algorithm="sha256").hexdigest()[:_SIGNED]


@contextmanager
def _drawing(request: HttpRequest) -> Iterator[None]:
    before = _request.set(request)
    try:
        yield
    finally:
        _request.reset(before)


class OwnTokens:
    """Middleware: makes tokens for the reader of each page, and refuses acts without a token that the site made for their sender."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with _drawing(request):
            if request.method == "POST" and any(not is_ours(token, request.user) for token in _sent(request)):
                return _refused(request)
            return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if request.method != "POST" or _sent(request) or not _asks_one(request.resolver_match):
            return None
        return _refused(request)


def _asks_one(match: ResolverMatch | None) -> bool:
    return (
        match is not None and match.url_name not in WITHOUT_TOKEN and not match.route.startswith(ROUTES_WITHOUT_TOKEN)
    )


def _refused(request: HttpRequest) -> HttpResponse:
    return render(request, "400_token.html", status=400)


def _sent(request: HttpRequest) -> list[str]:
    return [token for token in request.POST.getlist("token") if token]
