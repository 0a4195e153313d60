"""Guests: people who build before they sign up. What they may do, and how a guest becomes an account.

A guest is a user without a password, signed in by the session of one browser. Signing up turns that same row into an
account, so nothing moves. Signing in to an account that exists moves what the guest made, by recorded acts. Whatever is
neither is deleted two weeks after its last use.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.stagekit import pop_login
from allauth.core import ratelimit
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from accounts.data import apps
from accounts.models import User
from config.limits import too_many_guests
from rules.problems import Refusal

KEPT_DAYS = 14
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
SAFE = ("GET", "HEAD", "OPTIONS")
SECOND_STEP = "mfa_authenticate"

# --- what a guest may do --------------------------------------------------------------------------------------------------

OWN_ROOM = "warbands."  # the app of what one person builds: open to guests, but for these addresses
SHARES = frozenset({"warband-share", "warband-hand-over", "profile-share"})
ALSO_OPEN = frozenset(
    {
        "account-keep",
        "account-export",
        "account-delete",
        "account_logout",
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key",
        "account_reset_password_from_key_done",
        "campaign-list",
        "campaign-join",  # asks for the account as its last step
        "demo-login",
        "odds-show",
        "crib-print",
    }
)


def is_guest(user: object) -> bool:
    return bool(getattr(user, "is_guest", False))


def needs_account(view: Callable[..., HttpResponse], match: ResolverMatch | None, method: str) -> bool:
    """Return whether a guest must sign up first: for everything but their own warbands and what anybody may read."""
    name = match.url_name if match is not None else ""
    if name in ALSO_OPEN:
        return False
    if view.__module__.startswith(OWN_ROOM):
        return name in SHARES
    return not (getattr(view, "public_reason", "") and method in SAFE)


class GuestLimits:
    """Middleware that leads a guest to the sign-up form before anything that needs an account, and back afterwards."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *more: object
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is not None and match.url_name == SECOND_STEP and is_guest(request.user):
            leave_behind(request, request.user)  # type: ignore[arg-type]
            request.user = AnonymousUser()  # for this page, which is for people who are not signed in yet
            return None
        if getattr(view, "public_reason", "") and request.method in SAFE:
            return None  # such a page may stand without a database: leave the person unread
        if not is_guest(request.user):
            return None
        _note_use(request.user)
        if not needs_account(view, match, request.method or ""):
            return None
        if request.htmx:  # type: ignore[attr-defined]
            return HttpResponseClientRedirect(keep_address(request.htmx.current_url_abs_path or "/"))  # type: ignore[attr-defined]
        has_page = request.method in SAFE or bool(getattr(view, "public_reason", ""))
        return redirect(keep_address(request.get_full_path() if has_page else ""))


def keep_address(onward: str = "") -> str:
    """Return the address of the form that turns the guest into an account, and leads onward from there."""
    here = reverse("account-keep")
    return f"{here}?{urlencode({'next': onward})}" if onward not in ("", "/") else here


def _note_use(guest: User, every: timedelta = timedelta(days=1)) -> None:
    """Move the date from which an unused guest is counted. One write a day."""
    now = timezone.now()
    if guest.last_login is None or now - guest.last_login > every:
        User.objects.filter(pk=guest.pk).update(last_login=now)


# --- beginning ------------------------------------------------------------------------------------------------------------


def refuse_newcomer(request: HttpRequest) -> HttpResponse | None:
    """Return the page for a visitor who cannot become a guest now: sign-up is closed, or there were too many."""
    if not get_adapter(request).is_open_for_signup(request):
        return redirect("account_signup")
    return too_many_guests(request)


def new_guest() -> User:
    """Make a guest. The user name has a space, so that nobody can sign up with it, or with its like."""
    guest = User(username=f"guest {secrets.token_hex(12)}", is_guest=True, last_login=timezone.now())
    guest.takes_reset_links = False
    guest.set_unusable_password()
    guest.save()
    return guest


def sign_guest_in(request: HttpRequest, guest: User) -> None:
    """Sign a new guest in, under a new session key. A sign-in that waits for its second step is dropped: it was not the guest's."""
    pop_login(request)
    login(request, guest, backend=BACKEND)


# --- becoming an account --------------------------------------------------------------------------------------------------


def limit_sign_up(request: HttpRequest) -> HttpResponse | None:
    """Return the page for too many sign-ups from one address, else None and count one."""
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="signup")
    return refused


def guest_to_turn(pk: int) -> User:
    """Return the guest's row, locked, to become an account. Raises Refusal if that happened meanwhile."""
    guest = User.objects.select_for_update(no_key=True).filter(pk=pk, is_guest=True).first()
    if guest is None:
        raise Refusal(_("You have an account already. Reload the page."), code="no-guest")
    guest.is_guest = False
    guest.takes_reset_links = True
    guest.date_joined = timezone.now()
    return guest


def name_account(user: User) -> None:
    """Put the name of the new account where "Guest" stood. Call it in the transaction that opens the account."""
    for app in apps():
        app.name_account(user)


def leave_behind(request: HttpRequest, guest: User) -> None:
    """Note whose warbands go to the account that this request signs in to, should it get that far."""
    request.left_behind = guest  # type: ignore[attr-defined]


def take_along(request: HttpRequest, user: User) -> None:
    """Give the account what the guest made who signs in to it now. Does nothing if nobody did."""
    guest = getattr(request, "left_behind", None)
    if guest is not None:
        merge_guest(guest, user)


def merge_guest(guest: User, user: User) -> None:
    """Give everything that the guest made to an account, and end the guest; all in one transaction.

    Does nothing if another tab did it before.
    """
    with transaction.atomic():
        row = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
        if row is None:
            return
        for app in apps():
            app.take_over(row, user)
        for relation in User._meta.related_objects:
            if isinstance(relation.field, models.ForeignKey) and relation.related_model is not None:
                rows = relation.related_model._base_manager.filter(**{relation.field.name: row})
                rows.update(**{relation.field.name: user})
        row.delete()


# --- ending ---------------------------------------------------------------------------------------------------------------


def unused_guests(now: datetime, days: int = KEPT_DAYS) -> models.QuerySet[User]:
    return User.objects.filter(is_guest=True, last_login__lt=now - timedelta(days=days))
