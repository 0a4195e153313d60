"""Sending what is due, by any number of processes: each message is claimed, and its claim committed, before it leaves.

So nothing leaves twice. A process that is killed in between leaves a claim behind: that message may have left, is marked
so, and is never sent again.
"""

from __future__ import annotations

import logging
import secrets
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from notifications.fates import CLAIM_FOR, Fate, wait_after
from notifications.kinds import outdated
from notifications.mail import Mailer
from notifications.models import Channel, Message, Notification, PushDevice
from notifications.push import Pusher

log = logging.getLogger(__name__)

MOST_PEOPLE = 50  # whose notifications become messages in one transaction
MOST_MESSAGES = 200  # in one run
State = Message.State


def send_due(now: datetime | None = None, most: int = MOST_MESSAGES) -> int:
    """Send what is due, and give up claims that nobody settled. Return how many messages were tried."""
    now = now or timezone.now()
    keep_commits()
    give_up_claims(now)
    while prepare(now):
        pass
    tried = 0
    mailer, pusher = Mailer(), Pusher()
    try:
        for pk, channel in _waiting(now, most):
            if channel == Channel.EMAIL and mailer.is_down:
                continue
            message = claim(pk)
            if message is None:
                continue
            tried += 1
            settle(message, _sent(message, mailer, pusher))
    finally:
        mailer.close()
        pusher.close()
    return tried


def keep_commits() -> None:
    """Let SQLite write every commit to the disk, so that a claim outlives a power cut too."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=FULL")


def prepare(now: datetime) -> int:
    """Make messages of the notifications of a few people that are due; return how many people there were.

    What no longer holds is dropped. An e-mail or push message holds everything that is due for it.
    """
    with transaction.atomic():
        due = Notification.objects.filter(prepared_at=None, due_at__lte=now, is_dropped=False)
        ids = list(due.order_by("user_id").values_list("user_id", flat=True).distinct()[:MOST_PEOPLE])
        if not ids:
            return 0
        # The lock lets nobody else split a person's digest.
        held = User.objects.select_for_update(
            skip_locked=connection.features.has_select_for_update_skip_locked, no_key=True
        )
        people = set(held.filter(pk__in=ids).order_by("pk").values_list("pk", flat=True))
        rows = list(due.filter(user__in=people).order_by("user_id", "pk"))
        gone = outdated(rows)
        Notification.objects.filter(pk__in=[each.pk for each in rows]).update(prepared_at=now)
        Notification.objects.filter(pk__in=gone).update(is_dropped=True)
        _make_messages([each for each in rows if each.pk not in gone], now)
    return len(people)


def _make_messages(rows: Iterable[Notification], now: datetime) -> None:
    together: dict[tuple[int, str], list[Notification]] = defaultdict(list)
    for each in rows:
        together[(each.user_id, each.channel)].append(each)
    pushed = [user for user, channel in together if channel == Channel.PUSH]
    devices: dict[int, list[PushDevice]] = defaultdict(list)
    for device in PushDevice.objects.filter(user__in=pushed):
        devices[device.user_id].append(device)
    messages: list[tuple[Message, list[Notification]]] = []
    for (user, channel), notifications in together.items():
        for device in devices[user] if channel == Channel.PUSH else [None]:
            messages.append((Message(user_id=user, channel=channel, device=device, due_at=now), notifications))
    Message.objects.bulk_create([message for message, _ in messages])
    through = Message.notifications.through
    through.objects.bulk_create(
        through(message_id=message.pk, notification_id=each.pk)
        for message, notifications in messages
        for each in notifications
    )


def _waiting(now: datetime, most: int) -> list[tuple[int, str]]:
    due = Message.objects.filter(state=State.WAITING, due_at__lte=now)
    return list(due.order_by("due_at", "pk").values_list("pk", "channel")[:most])


def claim(pk: int) -> Message | None:
    """Claim a waiting message for this process; None if another one was faster. Committed when it returns."""
    code = secrets.token_hex(8)
    mine = Message.objects.filter(pk=pk, state=State.WAITING).update(
        state=State.CLAIMED, claim=code, claimed_at=timezone.now(), tries=F("tries") + 1, why=""
    )
    return Message.objects.select_related("device").get(pk=pk) if mine else None


def _sent(message: Message, mailer: Mailer, pusher: Pusher) -> Fate:
    notifications = list(message.notifications.order_by("pk"))
    try:
        if message.channel == Channel.PUSH:
            return pusher.send(message.device, notifications)
        return mailer.send(message, notifications)
    except Exception as error:
        # No text of the error: it may name the address.
        log.error("Message %s broke off: %s", message.pk, type(error).__name__)
        return Fate("perhaps", _("The server stopped while sending it."))


def settle(message: Message, fate: Fate) -> None:
    """Write down what became of a message that this process claimed."""
    wait = wait_after(message.tries, fate) if fate.outcome == "later" else None
    now = timezone.now()
    state = {"sent": State.SENT, "refused": State.REFUSED, "later": State.REFUSED, "perhaps": State.PERHAPS}[
        fate.outcome
    ]
    changed = {"state": state, "settled_at": now, "why": fate.why[:200]}
    if wait is not None:
        changed = {"state": State.WAITING, "due_at": now + wait, "why": fate.why[:200]}
    # Also what was given up meanwhile: its fate is known now.
    ours = Message.objects.filter(pk=message.pk, claim=message.claim, state__in=[State.CLAIMED, State.PERHAPS])
    ours.update(**changed)
    if fate.is_gone and message.device_id is not None:
        PushDevice.objects.filter(pk=message.device_id).delete()
    if fate.outcome != "sent":
        log.warning("Message %s: %s. %s", message.pk, fate.outcome, fate.why)


def give_up_claims(now: datetime) -> int:
    """Mark messages whose process was stopped while sending: perhaps sent, and never sent again. Return how many."""
    left = Message.objects.filter(state=State.CLAIMED, claimed_at__lt=now - CLAIM_FOR)
    return left.update(state=State.PERHAPS, settled_at=now, why=_("The server stopped while sending it."))
