"""A thousand notifications while processes that send them are killed: none arrives twice, and those in doubt are told as such."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from datetime import timedelta
from multiprocessing import get_context
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from notifications.models import Message, Notification
from notifications.sending import CLAIM_FOR, send_due
from notifications.services import PersonTold, notify
from tests.concurrency.test_two_at_once import at_once
from tests.drills import WHOLE
from tests.mail_server import MailServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

COUNT = 1000 if WHOLE else 200
PROCESSES = 2
ROUNDS = 20 if WHOLE else 4  # in each of them all processes are killed


def sends_until_done() -> None:
    """A process of its own that sends until nothing waits."""
    while send_due(most=50):
        pass
    os._exit(0)


def people(count: int) -> list[User]:
    """So many people with a confirmed address."""
    made = User.objects.bulk_create(
        User(username=f"p{number}", email=f"p{number}@example.org", password="!") for number in range(count)
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in made
    )
    notify([PersonTold(user.pk, "reminder", "killed", "Confirm by Tuesday", "Ada waits.", "/") for user in made])
    return made


def test_none_of_a_thousand_is_sent_twice_while_their_processes_are_killed(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    people(COUNT)
    chance, kills = random.Random(7), 0
    fork = get_context("fork")
    with MailServer() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        send_due(most=1)  # so that there are messages
        for _ in range(ROUNDS):
            before = len(server.mails)
            connections.close_all()
            running = [fork.Process(target=sends_until_done) for _ in range(PROCESSES)]
            for process in running:
                process.start()
            until = time.monotonic() + 10
            while len(server.mails) < before + 4 and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.05))
            for process in running:
                if process.is_alive() and process.pid is not None:
                    os.kill(process.pid, signal.SIGKILL)
                    kills += 1
                process.join()
        while send_due():
            pass
        send_due(timezone.now() + CLAIM_FOR + timedelta(seconds=1))
        arrived = Counter(mail["To"] for mail in server.mails)
    states = Counter(Message.objects.values_list("state", flat=True))
    assert set(arrived.values()) == {1}, "Something arrived twice."
    assert set(states) <= {"sent", "perhaps"}
    assert states["sent"] + states["perhaps"] == COUNT
    assert states["perhaps"] <= kills
    sent = set(Message.objects.filter(state="sent").values_list("user__email", flat=True))
    assert sent <= set(arrived), "Something is told as sent that never arrived."
    assert kills >= PROCESSES
    print(f"{COUNT} notifications, {kills} processes killed, {dict(states)}, {len(arrived)} arrived")  # noqa: T201
    for message in Message.objects.filter(state="perhaps").select_related("user")[:2]:
        client = Client()
        client.force_login(message.user)
        assert "Perhaps sent" in client.get(reverse("notification-list")).content.decode()


def test_two_clocks_at_once_send_each_message_once(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    made = people(12)
    with MailServer() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        assert sum(at_once(send_due, send_due, send_due)) == len(made)
        assert sorted(mail["To"] for mail in server.mails) == sorted(user.email for user in made)
    assert Notification.objects.filter(prepared_at=None).count() == 0
    assert CLAIM_FOR.total_seconds() > site.EMAIL_TIMEOUT * 6
