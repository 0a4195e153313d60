"""The page of a person's notifications: what they were told and how it left, their choices, their devices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from notifications.kinds import TEST, kinds
from notifications.models import Channel, Message, Notification, NotificationSettings
from notifications.push import public_key
from notifications.services import channel_for, reachable, settings_of

LATEST, MOST = 8, 100
State = Message.State


@dataclass(frozen=True, slots=True)
class NotificationLine:
    title: str
    words: str
    href: str
    when: str
    fate: str
    is_new: bool
    is_doubtful: bool


@dataclass(frozen=True, slots=True)
class KindChoice:
    """One kind with its options: value, label, whether it is chosen."""

    key: str
    label: str
    options: tuple[tuple[str, str, bool], ...]
    words: str


@dataclass(frozen=True, slots=True)
class Device:
    pk: int
    name: str
    added: str


@dataclass(frozen=True, slots=True)
class NotificationPage:
    here: str
    lines: tuple[NotificationLine, ...]
    has_more: bool
    choices: tuple[KindChoice, ...]
    at_once: bool
    digest_words: str
    mail_words: str
    devices: tuple[Device, ...]
    push_key: str
    device_href: str


def notification_page(user: Any, *, shows_all: bool = False) -> NotificationPage:
    """Build the page, with the latest notifications or with all of them. Five queries."""
    person = reachable([user.pk]).first()
    rows = list(Notification.objects.filter(user=user).prefetch_related("sent_in")[: MOST + 1])
    own = settings_of(person) if person is not None else NotificationSettings(user=user)
    return NotificationPage(
        here=reverse("notification-list"),
        lines=tuple(_line(row) for row in rows[: MOST if shows_all else LATEST]),
        has_more=not shows_all and len(rows) > LATEST,
        choices=tuple(
            KindChoice(
                kind.key,
                str(kind.label),
                _options(person, own, kind.key),
                _("always at once") if kind.at_once else "",
            )
            for kind in kinds()
        ),
        at_once=own.at_once,
        digest_words=_("at {hour}:00").format(hour=settings.DIGEST_HOUR),
        mail_words=""
        if person is None or person.has_address
        else _("Confirm an e-mail address first. Until then nothing is sent by e-mail."),
        devices=tuple(
            Device(device.pk, device.name, _moment(device.added_at)) for device in user.push_devices.order_by("pk")
        ),
        push_key=public_key(settings.VAPID_PRIVATE_KEY),
        device_href=reverse("device-add"),
    )


def _options(person: Any, own: NotificationSettings, kind: str) -> tuple[tuple[str, str, bool], ...]:
    chosen = own.channels.get(kind)
    if chosen is None:
        chosen = channel_for(person, kind) if person is not None else Channel.DESK
    return tuple((str(value), str(label), value == chosen) for value, label in Channel.choices)


def _line(row: Notification) -> NotificationLine:
    messages = list(row.sent_in.all())
    return NotificationLine(
        title=row.title,
        words=row.words,
        href=row.href,
        when=_moment(row.made_at),
        fate=fate_words(row, messages),
        is_new=row.seen_at is None,
        is_doubtful=any(message.state == State.PERHAPS for message in messages),
    )


def _moment(at: datetime) -> str:
    return f"{timezone.localtime(at):%-d %b, %H:%M}"


# --- fates, for the person and for whoever sent it ---------------------------------------------------------------------------


def fate_words(row: Notification, messages: Sequence[Message]) -> str:
    """Return what became of a notification. The messages are its own; no queries."""
    if row.is_dropped:
        return _("Not sent: it was settled before.")
    if not messages:
        return _("Not sent yet.") if row.due_at is not None and row.prepared_at is None else ""
    if row.kind == TEST or row.channel == Channel.PUSH:
        return " ".join(dict.fromkeys(_pushed(message) for message in messages))
    return " ".join(dict.fromkeys(_mailed(message) for message in messages))


def _mailed(message: Message) -> str:
    if message.state == State.SENT:
        return _("Sent by e-mail.")
    return _unsent(message)


def _pushed(message: Message) -> str:
    if message.state == State.SENT:
        return _("Sent to a device.")
    return _unsent(message)


def _unsent(message: Message) -> str:
    if message.state == State.PERHAPS:
        return _("Perhaps sent, and not sent again. {why}").format(why=message.why)
    if message.state == State.REFUSED:
        return _("Not sent. {why}").format(why=message.why)
    if message.state == State.DROPPED:
        return _("Not sent: you stopped it.")
    return _("Not sent yet. {why}").format(why=message.why).strip()


def doubtful(rows: Iterable[Notification]) -> list[Notification]:
    return [row for row in rows if any(message.state == State.PERHAPS for message in row.sent_in.all())]
