"""How many PDFs one person, or one address, may have in a while."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from config.limits import seconds_to_wait
from tests import stories as s
from warbands.models import Snapshot
from warbands.services.sharing import share_warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@pytest.fixture(autouse=True)
def clean_slate() -> None:
    cache.clear()


def test_a_try_is_free_again_when_it_is_old_enough() -> None:
    def ask(now: float) -> int:
        return seconds_to_wait("sample", most=3, seconds=600, now=now)

    assert [ask(0), ask(100), ask(200)] == [0, 0, 0]
    assert ask(250) == 350
    assert ask(599.5) == 1
    assert ask(600) == 0  # the first is ten minutes old
    assert ask(601) == 99


def test_a_club_night_does_not_come_near_it() -> None:
    most, seconds = settings.PDF_LIMITS["user"]
    assert most / (seconds / 60) >= 6  # a sheet every ten seconds
    assert settings.PDF_LIMITS["address"][0] >= most


def refused(answer: Any) -> bool:
    """Whether it is the page that says so, with a time to come back."""
    if answer.status_code != 429:
        return False
    assert 0 < int(answer["Retry-After"]) <= 600
    assert "The limit is" in answer.content.decode()
    return True


def test_the_next_sheet_of_one_person_waits_and_anothers_does_not(ada: Any, ben: Any, settings: Any) -> None:
    settings.PDF_LIMITS = {"user": (2, 600), "address": (2, 600)}
    for person in (ada, ben):
        warband = s.small_warband(person)
        client = Client()
        client.force_login(person)
        download = reverse("roster-download", args=[warband.pk])
        assert client.get(download)["Content-Type"] == "application/pdf"
        assert client.get(download + "?paper=A0").status_code == 400  # none was made
        sheet = reverse("roster-print", args=[warband.pk])
        assert client.post(sheet, {"paper": "A4", "look": "full"})["Content-Type"] == "application/pdf"
        kept = Snapshot.objects.filter(warband=warband).count()
        assert refused(client.post(sheet, {"paper": "A4", "look": "full"}))
        assert refused(client.get(download))
        assert Snapshot.objects.filter(warband=warband).count() == kept
        assert client.get(sheet).status_code == 200  # choosing stays open


def test_a_visitor_with_a_share_link_is_counted_by_address(ada: Any, settings: Any) -> None:
    settings.PDF_LIMITS = {"user": (1, 600), "address": (2, 600)}
    link = share_warband(warband=s.small_warband(ada), name="For the club", actor=ada)
    address = reverse("watch-download", args=[link.slug])
    for visitor in (Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")):
        assert [visitor.get(address).status_code for _ in range(2)] == [200, 200]
        assert refused(visitor.get(address))
        assert visitor.get(reverse("warband-watch", args=[link.slug])).status_code == 200
