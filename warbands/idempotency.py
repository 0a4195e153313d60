"""One-use tokens of forms: two clicks on one form have one effect. Only those that this site drew for this person count, and every act asks one.

A token is signed for the person whose page it stands on. A page that sends one form several times without asking the site in between
hangs an ending of its own on the form's token for each.
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
# Forms that are no acts, by the names of their addresses: sent twice they come to the same. Those of others' rooms stand by their routes.
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
    """A token that no other form has, for whoever reads the page that is drawn now; drawn for no page it is anybody's."""
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
    """Lets tokens be drawn for the reader of each page, and refuses a form whose token the site did not make for its sender.

    An act without any is refused too.
    """

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
