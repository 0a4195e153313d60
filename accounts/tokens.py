"""Tokens with which a person's own programs read what that person may read. Only a digest of each is kept."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import ApiToken, User
from accounts.security import Kind, note_change
from accounts.validators import validate_visible
from rules.problems import Refusal

PREFIX = "mr_"  # so that scanners of published code recognize one
MOST = 10
LONGEST_NAME = 60


def make_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """Make a token and return it with its text, which is shown this once.

    Raises Refusal without a name, when the person has the most already, and after a new password, which ends all tokens.
    Raises ValidationError for invisible characters.
    """
    words = " ".join(name.split())
    if not words:
        raise Refusal(_("Give the token a name."), code="no-words")
    if len(words) > LONGEST_NAME:
        raise Refusal(_("The name can have {most} characters.").format(most=LONGEST_NAME), code="text")
    validate_visible(words)
    text = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if row.password != user.password:
            raise Refusal(_("Your password was changed meanwhile. Sign in again."), code="password")
        if row.api_tokens.count() >= MOST:
            raise Refusal(_("You have {most} tokens. Delete one first.").format(most=MOST), code="most")
        made = ApiToken.objects.create(user=row, name=words, digest=_digest(text), shown=text[: len(PREFIX) + 4])
        note_change(user=row, kind=Kind.TOKEN)
    return made, text


def user_of(text: str) -> User | None:
    """Return whose token this is, None if nobody's, or if that person may not sign in now. One query, and one a day."""
    found = ApiToken.objects.select_related("user").filter(digest=_digest(text)).first()
    if found is None or not found.user.is_active:
        return None
    now = timezone.now()
    if found.used_at is None or now - found.used_at > timedelta(days=1):
        ApiToken.objects.filter(pk=found.pk).update(used_at=now)
    return found.user


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
