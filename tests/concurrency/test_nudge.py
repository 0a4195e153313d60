"""A reminder from the press to the mail server: the clock runs as a process of its own, as `make run` starts it, but looks more often."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaigns.models import Battle, Side
from notifications.management.commands import clock
from tests.databases import url_of_run
from tests.forty import Forty, forty
from tests.mail_server import MailServer
from tests.unit.test_settings import ROOT
from warbands.idempotency import new_token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.slow]

SEATS = 20
SOON = 60.0  # seconds in which a reminder leaves
PAUSE = 0.5  # seconds between two looks of this clock

CLOCK = f"""
import django
django.setup()
from django.core.management import execute_from_command_line
from notifications.management.commands import clock
clock.PAUSE = {PAUSE}
execute_from_command_line(["manage.py", "clock", "--keep-on"])
"""


@pytest.fixture
def mails() -> Iterator[MailServer]:
    """A mail server, and a running clock that sends to it."""
    with MailServer() as server:
        keep = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
        where = {"DATABASE_URL": url_of_run(), "EMAIL_URL": f"smtp://{server.host}:{server.port}"}
        how = {**keep, **where, "DEVELOPMENT": "1", "DJANGO_SETTINGS_MODULE": "config.settings"}
        running = subprocess.Popen([sys.executable, "-c", CLOCK], cwd=ROOT, env=how, stdout=subprocess.DEVNULL)
        try:
            yield server
        finally:
            running.terminate()
            assert running.wait(30) == 0


@pytest.fixture
def club(cleo: Any) -> Forty:
    """A club of twenty in whose round nothing was played yet; everybody has an address."""
    made = forty(cleo, seats=SEATS, rounds=1)
    Battle.objects.update(status=Battle.Status.SCHEDULED)
    Side.objects.update(confirmed_at=None, result="")
    players = list(User.objects.filter(username__startswith="player-"))
    for player in players:
        player.email = f"{player.username}@club.example"
    User.objects.bulk_update(players, ["email"])
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in players
    )
    return made


def arrived(server: MailServer, count: int, since: float) -> float:
    """The seconds until so many mails are there."""
    while len(server.mails) < count and time.monotonic() - since < SOON:
        time.sleep(0.02)
    return time.monotonic() - since


def test_a_reminder_arrives_within_a_minute_of_the_press(
    mails: MailServer, club: Forty, client: Client, cleo: Any
) -> None:
    client.force_login(cleo)
    here = reverse("reminder-list", args=[club.campaign.pk])
    first = club.campaign.seats.live().earliest("pk")
    took = []
    for count, press in ((1, {"seat": first.pk}), (SEATS, {"act": "all"})):
        pressed = time.monotonic()
        assert client.post(here, {**press, "token": new_token()}).status_code == 302
        took.append(arrived(mails, count, pressed))
        assert len(mails.mails) == count
    assert sorted(mail["To"] for mail in mails.mails) == [f"player-{number:02}@club.example" for number in range(SEATS)]
    assert max(took) + clock.PAUSE - PAUSE < SOON
    print(f"One reminder arrived after {took[0]:.1f} s, {SEATS - 1} after {took[1]:.1f} s")  # noqa: T201
