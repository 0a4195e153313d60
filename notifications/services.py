"""The writes of notifications: telling people, their choices, their devices, and stopping e-mails by a link."""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from config.outbound import is_push_address
from notifications.kinds import TEST, kind_of, kinds
from notifications.models import Channel, Message, Notification, NotificationSettings, PushDevice
from rules.problems import Refusal

MOST_DEVICES = 10
STOP_SALT = "notifications.stop"


@dataclass(frozen=True, slots=True)
class PersonTold:
    """What one person is told. `key` is the same for what must be told once."""

    user: int
    kind: str
    key: str
    title: str
    words: str
    href: str
    about: str = ""
    group: str = ""
    event: int | None = None


# --- telling --------------------------------------------------------------------------------------------------------------


def reachable(users: Iterable[int]) -> QuerySet[User]:
    """Select the people with an account, with their settings, and whether they have a device and a confirmed address."""
    devices = PushDevice.objects.filter(user=OuterRef("pk"))
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
    return (
        User.objects.filter(pk__in=set(users), is_active=True, is_guest=False)
        .select_related("notification_settings")
        .annotate(has_device=Exists(devices), has_address=Exists(addresses))
    )


def settings_of(user: Any) -> NotificationSettings:
    """Return a person's settings, unsaved defaults if they never chose."""
    found: NotificationSettings | None = getattr(user, "notification_settings", None)
    return found or NotificationSettings(user=user)


def channel_for(user: Any, kind: str) -> Any:
    """Return how a person of `reachable` hears of a kind: as they chose, else on a device, else by e-mail. No queries.

    Without a device or a confirmed address it only stands on their page.
    """
    default: Any = Channel.PUSH if user.has_device else Channel.EMAIL
    chosen: Any = Channel(settings_of(user).channels.get(kind, default))
    if kind == TEST:
        chosen = Channel.PUSH
    reached: dict[Any, bool] = {Channel.EMAIL: user.has_address, Channel.PUSH: user.has_device, Channel.DESK: True}
    return chosen if reached[chosen] else Channel.DESK


def next_digest(now: datetime) -> datetime:
    """Return the next hour of the daily digest."""
    local = timezone.localtime(now)
    at = timezone.make_aware(datetime.combine(local.date(), time(settings.DIGEST_HOUR)))
    return at if at > now else timezone.make_aware(datetime.combine(local.date() + timedelta(days=1), at.time()))


def notify(told: Iterable[PersonTold], now: datetime | None = None) -> None:
    """Tell people, inside the transaction of the act that it is about. What has the same key is told once.

    They leave later, by the clock. Two queries, none if nobody is told.
    """
    told = list(told)
    if not told:
        return
    now = now or timezone.now()
    people = {user.pk: user for user in reachable(each.user for each in told)}
    rows = []
    for each in told:
        if (user := people.get(each.user)) is None:
            continue
        channel = channel_for(user, each.kind)
        at_once = kind_of(each.kind).at_once or settings_of(user).at_once
        due = None if channel == Channel.DESK else now if at_once else next_digest(now)
        rows.append(
            Notification(
                user_id=each.user,
                kind=each.kind,
                key=each.key[:120],
                title=_cut(each.title, 200),
                words=_cut(each.words, 500),
                href=each.href,
                about=each.about,
                group=each.group,
                event=each.event,
                channel=channel,
                made_at=now,
                due_at=due,
            )
        )
    Notification.objects.bulk_create(rows, ignore_conflicts=True)


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def send_test(user: User) -> None:
    """Send a test to each device of a person."""
    notify(
        [
            PersonTold(
                user=user.pk,
                kind=TEST,
                key=f"test:{secrets.token_hex(8)}",
                title=_("It works"),
                words=_("Notifications arrive on this device."),
                href=reverse("notification-list"),
            )
        ]
    )


# --- choices --------------------------------------------------------------------------------------------------------------


def choose(user: User, *, channels: Mapping[str, str], at_once: bool) -> None:
    """Keep a person's choices. What waits leaves by the new ones."""
    known = {kind.key for kind in kinds()}
    with transaction.atomic():
        row, _made = NotificationSettings.objects.select_for_update(no_key=True).get_or_create(user=user)
        row.channels = {key: str(Channel(value)) for key, value in channels.items() if key in known}
        row.at_once = at_once
        row.save(update_fields=["channels", "at_once"])
        _send_by_choice(user)


def stop_emails(user: User, kind: str = "") -> None:
    """Send no more e-mails of a kind, or of any. The notifications stand on the person's page instead."""
    with transaction.atomic():
        row, _made = NotificationSettings.objects.select_for_update(no_key=True).get_or_create(user=user)
        (person,) = reachable([user.pk]) or [None]
        if person is None:
            return
        for each in kinds():
            default: Any = Channel.PUSH if person.has_device else Channel.EMAIL
            if (not kind or each.key == kind) and row.channels.get(each.key, default) == Channel.EMAIL:
                row.channels[each.key] = str(Channel.DESK)
        row.save(update_fields=["channels"])
        _send_by_choice(user)


def _send_by_choice(user: User) -> None:
    """Let what has not left yet leave by the person's present choices. Messages that were refused wait no longer."""
    person = reachable([user.pk]).first()
    if person is None:
        return
    now = timezone.now()
    waiting = list(
        Notification.objects.select_for_update(no_key=True).filter(user=user, prepared_at=None, due_at__isnull=False)
    )
    for each in waiting:
        each.channel = channel_for(person, each.kind)
        at_once = kind_of(each.kind).at_once or settings_of(person).at_once
        each.due_at = None if each.channel == Channel.DESK else now if at_once else each.due_at
    Notification.objects.bulk_update(waiting, ["channel", "due_at"])
    unsent = Message.objects.filter(user=user, state=Message.State.WAITING, channel=Channel.EMAIL)
    for message in unsent.prefetch_related("notifications"):
        if all(channel_for(person, each.kind) != Channel.EMAIL for each in message.notifications.all()):
            Message.objects.filter(pk=message.pk, state=Message.State.WAITING).update(
                state=Message.State.DROPPED, settled_at=now
            )


def stop_link(user_id: int, kind: str = "") -> str:
    """Return the path that stops e-mails of a kind, or all, without signing in."""
    return reverse("notification-stop", args=[signing.Signer(salt=STOP_SALT).sign(f"{user_id}.{kind}")])


def read_stop_link(code: str) -> tuple[User, str] | None:
    """Return the person and kind of a stop link; None if the site did not sign it, or the account is gone. One query."""
    try:
        number, _dot, kind = signing.Signer(salt=STOP_SALT).unsign(code).partition(".")
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=int(number), is_active=True).first()
    return (user, kind) if user is not None else None


def see_all(user: User, now: datetime | None = None) -> None:
    """Mark what a person was told as seen. One query."""
    Notification.objects.filter(user=user, seen_at=None).update(seen_at=now or timezone.now())


# --- devices --------------------------------------------------------------------------------------------------------------


def add_device(user: User, *, endpoint: str, p256dh: str, auth: str, name: str) -> PushDevice:
    """Keep a browser's subscription. The same browser is one device, and belongs to whoever added it last.

    Raises Refusal for an address that is no known push service's, for keys that are none, and for too many devices.
    """
    if len(endpoint) > 1000 or not is_push_address(endpoint):
        raise Refusal(_("This browser's push service is not known here."), code="host")
    if not _is_point(p256dh) or len(_decoded(auth)) != 16:
        raise Refusal(_("The browser sent keys that can't be used."), mend=_("Reload the page."), code="keys")
    digest = hashlib.sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if user.push_devices.exclude(digest=digest).count() >= MOST_DEVICES:
            raise Refusal(_("You can't add more devices."), mend=_("Remove one first."), code="count")
        device, _made = PushDevice.objects.update_or_create(
            digest=digest,
            defaults={
                "user": user,
                "endpoint": endpoint,
                "p256dh": p256dh,
                "auth": auth,
                "name": " ".join(name.split())[:80] or _("A device"),
            },
        )
    return device


def remove_device(user: User, pk: int) -> bool:
    """Forget a device of a person; return whether it was there."""
    return bool(PushDevice.objects.filter(user=user, pk=pk).delete()[0])


def _decoded(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""


def _is_point(text: str) -> bool:
    """Return whether a key is an uncompressed point of the curve that push uses."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(text))
    except ValueError:
        return False
    return len(_decoded(text)) == 65
