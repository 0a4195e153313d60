"""One-use tokens of forms: two clicks on one form have one effect. An act requires a token made for its sender.

A token is signed for the person who loads the page. A page that sends one form several times without a reload appends a
different suffix to the token each time.
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
# Forms that are no acts, by URL name: sending them twice makes no difference. Those of other apps are below, by route.
WITHOUT_TOKEN = frozenset(
    {
        "account-show",  # the person's own preferences
        "account-tokens",  # one token more is seen and deleted; deleting twice deletes
        "account-delete",  # the account cannot be deleted twice
        "account-keep",  # a guest becomes an account once
        "demo-login",
        "notification-list",  # one's own choices and devices
        "device-add",  # a browser is one device, however often it is added
        "notification-stop",  # stopped twice is stopped
        "watch-share",  # a battle has one link: handed out twice it is the same, and revoked twice it is gone
        "roster-print",  # printing changes nothing; a booklet is requested only once until it is done
        "booklet-print",
        "house-overlays",  # the same file is one offer, however often it is handed in
        "house-overlay",  # withdrawn twice is withdrawn
        "site-rules",  # a report is asked for only once until it is done, and deleting it twice deletes it
        "site-rules-report",
        "site-campaigns",  # the same file is kept once, and its campaign is imported once
        "site-campaign",
        "printer-link",  # a campaign has one: handed out twice it is the same, and revoked twice it is gone
        "battle-print",  # so does a sheet; a code drawn twice is just another code
        "paper-begin",  # a draft can be saved repeatedly; the form that creates the warband has a token
        "paper-fighter",
        "paper-settle",
        "paper-warband",
    }
)
ROUTES_WITHOUT_TOKEN = (
    "accounts/",
    "admin/",
)  # sign-in, passwords and e-mail addresses; the admin site
_SIGNED = 24  # hexadecimal digits: 96 bits
_FORM = re.compile(r"([\w-]{12})\.([0-9a-f]{24})(?:\.[0-9a-f]{1,24})?", re.ASCII)

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def new_token() -> str:
    """Return a unique token for the reader of the current page. Outside a request, it is valid for anybody."""
    drawn = secrets.token_urlsafe(9)
    request = _request.get()
    return f"{drawn}.{_signature(drawn, ANYBODY if request is None else _reader(request.user), settings.SECRET_KEY)}"


def is_ours(token: str, user: Any) -> bool:
    """Return whether the site made this token for this person."""
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
    """Middleware that makes tokens for the reader of each page, and refuses acts without a token made for their sender."""

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
