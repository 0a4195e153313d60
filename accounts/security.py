"""What changed about how a person signs in, told to them: on their page, at the next sign-in, and by mail if they have one."""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from allauth.account import signals as account_signals
from allauth.mfa import signals as second_step_signals
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import ApiToken, SecurityNote, User, password_replaced

logger = logging.getLogger(__name__)

Kind: Any = SecurityNote.Kind  # its members are strings
SHOWN = 10  # how many notes the account page shows, newest first

ADDED = {Authenticator.Type.TOTP: Kind.APP_ADDED, Authenticator.Type.WEBAUTHN: Kind.KEY_ADDED}
REMOVED = {Authenticator.Type.TOTP: Kind.APP_REMOVED, Authenticator.Type.WEBAUTHN: Kind.KEY_REMOVED}


def note_change(*, user: User, kind: str, by: str = "", reason: str = "", also_to: str = "") -> SecurityNote:
    """Keep what changed, and mail it once the change is saved.

    Args:
        by: the shown name of who did it, if that was not the person.
        also_to: one more address, such as the one that was replaced.
    """
    note = SecurityNote.objects.create(user=user, kind=kind, by=by, reason=reason)
    addresses = sorted({address for address in (user.email, also_to) if address})
    if addresses:
        transaction.on_commit(lambda: _mail(note, addresses))
    return note


def _mail(note: SecurityNote, addresses: list[str]) -> None:
    """Send one mail to each address. No request is needed: the change may come from the console."""
    context = {"user": note.user, "words": words_of(note), "when": timezone.localtime(note.made_at)}
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + render_to_string("account/email/security_subject.txt").strip()
    text = render_to_string("account/email/security_message.txt", {**context, "site": settings.SITE_URL})
    for address in addresses:
        try:
            EmailMessage(subject, text, to=[address]).send()
        except (smtplib.SMTPException, OSError):
            logger.exception("A note about signing in was not sent")


def words_of(note: SecurityNote) -> str:
    """Return what happened in a sentence or two, without its date."""
    words = str(note.get_kind_display())
    if note.by:
        words += " " + _("{person} did it.").format(person=note.by)
    return words + (f" “{note.reason}”" if note.reason else "")


def told_of(note: SecurityNote) -> str:
    return f"{timezone.localtime(note.made_at):%-d %B %Y, %H:%M}: {words_of(note)}"


def untold_notes(user: User) -> list[str]:
    """Return unread notes, oldest first, and mark them read. One or two queries."""
    notes = list(user.security_notes.filter(is_told=False).order_by("pk"))
    if notes:
        SecurityNote.objects.filter(pk__in=[note.pk for note in notes]).update(is_told=True)
    return [told_of(note) for note in notes]


def end_second_step(user: User, *, by: str, reason: str = "") -> bool:
    """Remove every app, key and recovery code of a person, and tell them. Return whether there was any."""
    removed, _tables = Authenticator.objects.filter(user=user).delete()
    if removed:
        note_change(user=user, kind=Kind.STEP_ENDED, by=by, reason=reason)
    return bool(removed)


def has_second_step(user: User) -> bool:
    return Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()


# --- what allauth tells -------------------------------------------------------------------------------------------------


def _on_password(user: User, **_more: Any) -> None:
    """End the tokens for programs: whoever knew the old password may have made one."""
    with transaction.atomic():
        ended, _tables = ApiToken.objects.filter(user=user).delete()
        note_change(user=user, kind=Kind.PASSWORD_TOKENS if ended else Kind.PASSWORD)


def _on_added(user: User, authenticator: Authenticator, **_more: Any) -> None:
    if kind := ADDED.get(Authenticator.Type(authenticator.type)):
        note_change(user=user, kind=kind)


def _on_removed(user: User, authenticator: Authenticator, **_more: Any) -> None:
    if kind := REMOVED.get(Authenticator.Type(authenticator.type)):
        note_change(user=user, kind=kind)


def _on_codes(user: User, **_more: Any) -> None:
    note_change(user=user, kind=Kind.CODES)


def _on_address(user: User, from_email_address: Any = None, email_address: Any = None, **_more: Any) -> None:
    before = from_email_address or email_address
    note_change(user=user, kind=Kind.ADDRESS, also_to=before.email if before is not None else "")


def listen() -> None:
    """Hear of every change. Called once, when the site starts."""
    password_replaced.connect(_on_password, dispatch_uid="security-note")
    second_step_signals.authenticator_added.connect(_on_added, dispatch_uid="security-note")
    second_step_signals.authenticator_removed.connect(_on_removed, dispatch_uid="security-note")
    second_step_signals.authenticator_reset.connect(_on_codes, dispatch_uid="security-note")
    account_signals.email_changed.connect(_on_address, dispatch_uid="security-note")
    account_signals.email_removed.connect(_on_address, dispatch_uid="security-note")
