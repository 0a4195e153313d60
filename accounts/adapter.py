"""Adapts allauth to this site."""

import logging
import smtplib
import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from accounts.data import apps
from accounts.guests import guest_to_turn, is_guest, take_along
from accounts.lookalikes import TAKEN, is_taken
from accounts.models import User
from accounts.reset import untold
from accounts.security import untold_notes
from accounts.site_owner import suspension_of

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """Adapts allauth: people can sign up and sign in even when the mail server is down."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("User name and password don't match."),
        "email_password_mismatch": _("E-mail and password don't match."),
        "incorrect_password": _("Wrong password."),
        "enter_current_password": _("Enter your current password."),
        "email_taken": _("There is an account with this e-mail already."),
        "username_taken": TAKEN,
        "same_as_current": _("That is your current one. Choose another."),
        "too_many_login_attempts": _("Too many wrong passwords. Try again in five minutes."),
    }

    def new_user(self, request: HttpRequest) -> User:
        """Return the row that a sign-up fills in: the guest's own, so that what the guest made stays in place."""
        if is_guest(request.user):
            return guest_to_turn(request.user.pk)
        new: User = super().new_user(request)
        return new

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether this visitor may open an account: SIGN_UP says who. An invitation is the address or where it leads."""
        if settings.SIGN_UP != "invited":
            return bool(settings.SIGN_UP == "open")
        onward = request.GET.get("next") or request.POST.get("next") or ""
        return is_guest(request.user) or any(app.invites(path) for app in apps() for path in (request.path, onward))

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the normalized name. Raises ValidationError if it looks like another person's user name or shown name.

        So nobody can sign up as another person's double.
        """
        cleaned: str = super().clean_username(unicodedata.normalize("NFKC", username), shallow=shallow)
        if not shallow and is_taken(cleaned):
            raise ValidationError(TAKEN, code="taken")
        return cleaned

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the cache key that counts wrong passwords: one for each account and IP address, for any of its names.

        With one count for the whole account, anybody could lock out its owner.
        """
        login = credentials.get("email") or credentials.get("username") or ""
        named = User.objects.filter(Q(username__iexact=login) | Q(email__iexact=login)).order_by("pk")
        account = named.values_list("pk", flat=True).first() or login.casefold()
        return f"{account}:{get_ip(request)}"

    def login(self, request: HttpRequest, user: Any) -> None:
        """Sign the person in, with every step passed. What they made as a guest comes along first, while it is still known whose it is."""
        take_along(request, user)
        super().login(request, user)

    def post_login(self, request: HttpRequest, user: Any, **how: Any) -> HttpResponse:
        """Continue after sign-in. First show the person what changed about signing in: reset links, passwords, second steps."""
        for words in (*untold(user), *untold_notes(user)):
            messages.warning(request, words)
        response: HttpResponse = super().post_login(request, user, **how)
        return response

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Say why somebody who gave the right password can't sign in: the site owner's reason, or that it is closed."""
        suspension = suspension_of(user)
        context = {"reason": suspension.reason if suspension is not None else ""}
        return render(request, "account/account_inactive.html", context, status=403)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail. A failure of the mail server is logged, and the sign-up succeeds anyway."""
        try:
            super().send_mail(template_prefix, email, context)
        except (smtplib.SMTPException, OSError):
            logger.exception("Mail %s was not sent", template_prefix)
