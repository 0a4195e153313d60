"""E-mails with notifications: what they say, and what became of them."""

from __future__ import annotations

import smtplib
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parseaddr
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from notifications.fates import Fate
from notifications.models import Message, Notification
from notifications.services import stop_link


class Mailer:
    """The connection to the mail server for one run. `is_down` says that none could be opened: then the run stops mailing."""

    def __init__(self) -> None:
        self._connection: Any = None
        self.is_down = False

    def send(self, message: Message, notifications: Sequence[Notification]) -> Fate:
        """Send one message. Its claim is committed before this is called."""
        address = _address_of(message.user_id)
        if address is None:
            return Fate("refused", _("There is no confirmed e-mail address any more."))
        mail = compose(message, notifications, address)
        if (fate := self._open()) is not None:
            return fate
        mail.connection = self._connection
        try:
            if mail.send():
                return Fate("sent")
            return Fate("refused", _("The mail server didn't accept it."))
        except smtplib.SMTPRecipientsRefused as error:
            return _refused(next(iter(error.recipients.values()))[0])
        except smtplib.SMTPResponseException as error:
            return _refused(error.smtp_code)
        except (smtplib.SMTPException, OSError):
            self.close()  # what came of it is unknown, and so is the state of the connection
            return Fate("perhaps", _("The connection to the mail server broke."))

    def _open(self) -> Fate | None:
        if self._connection is not None:
            return None
        connection = get_connection()
        try:
            connection.open()
        except (smtplib.SMTPException, OSError):
            self.is_down = True
            return Fate("later", _("The mail server can't be reached."))
        self._connection = connection
        return None

    def close(self) -> None:
        if self._connection is not None:
            with suppress(smtplib.SMTPException, OSError):
                self._connection.close()
        self._connection = None


def _refused(code: int) -> Fate:
    """A refusal that the mail server told: certain, for now (4xx) or for good."""
    why = _("The mail server refused it with code {code}.").format(code=code)
    return Fate("later" if 400 <= code < 500 else "refused", why)


def _address_of(user_id: int) -> str | None:
    """Return a person's main confirmed address. One query."""
    confirmed = EmailAddress.objects.filter(user=user_id, user__is_active=True, verified=True)
    found: str | None = confirmed.order_by("-primary", "pk").values_list("email", flat=True).first()
    return found


def compose(message: Message, notifications: Sequence[Notification], address: str) -> EmailMessage:
    """Return the e-mail: one notification with its words, or a digest. It can be stopped with one press of the mail program."""
    kinds = {each.kind for each in notifications}
    stop = settings.SITE_URL + stop_link(message.user_id, kinds.pop() if len(kinds) == 1 else "")
    count = len(notifications)
    subject = (
        notifications[0].title
        if count == 1
        else ngettext("{count} notification for you", "{count} notifications for you", count).format(count=count)
    )
    context = {
        "notifications": [(each, settings.SITE_URL + each.href) for each in notifications],
        "stop": stop,
        "choices": settings.SITE_URL + reverse("notification-list"),
    }
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    return EmailMessage(
        subject=settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + " ".join(subject.split()),
        body=render_to_string("notifications/mail.txt", context),
        to=[address],
        headers={
            "Message-ID": f"<notification-{message.pk}-{message.claim}@{host}>",
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
