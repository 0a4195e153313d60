"""A lock that is not had in time: 503, nothing written, and the same form goes through afterwards. On real connections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from config.db_timeout import is_busy
from config.errors import server_error
from tests import stories as s
from warbands.models import Event, Fighter, Warband

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ON_SQLITE = "sqlite"


@contextmanager
def held_elsewhere(warband: Warband) -> Iterator[None]:
    """Hold on a second connection what a write to this warband needs."""
    other = connection.copy()
    other.connect()
    try:
        with other.cursor() as cursor:
            if connection.vendor == ON_SQLITE:
                cursor.execute("BEGIN IMMEDIATE")
            else:
                other.set_autocommit(False)
                cursor.execute("SELECT id FROM warbands_warband WHERE id = %s FOR UPDATE", [warband.pk])
        yield
        other.rollback() if connection.vendor != ON_SQLITE else other.cursor().execute("ROLLBACK")
    finally:
        other.close()


@pytest.fixture(params=["lock", "statement"])
def impatient(request: Any) -> Iterator[None]:
    """This test's own connection waits a moment only, for a lock or for any statement."""
    with connection.cursor() as cursor:
        if connection.vendor == ON_SQLITE:
            if request.param == "statement":
                pytest.skip("SQLite knows one timeout.")
            cursor.execute("PRAGMA busy_timeout = 100")
        else:
            cursor.execute(f"SET {request.param}_timeout = '200ms'")
    yield
    connection.close()


@pytest.fixture
def phone(ada: Any) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(ada)
    return client


def sent(warband: Warband) -> dict[str, str]:
    """The form that hires one more Yeoman."""
    return {"offer": s.hire_offer(warband, "Yeoman").id, "token": "once", "csrfmiddlewaretoken": "of-the-page"}


def test_a_lock_that_is_not_had_is_told_and_the_same_button_works_afterwards(
    ada: Any, phone: Client, impatient: None
) -> None:
    warband = s.small_warband(ada)
    before = (Fighter.objects.count(), Event.objects.count())
    address, form = reverse("fighter-hire", args=[warband.pk]), sent(warband)
    with held_elsewhere(warband):
        answer = phone.post(address, form)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "Nothing was saved." in answer.content.decode()
    assert f'name="offer" value="{form["offer"]}"' in answer.content.decode()
    assert answer.content.decode().count('name="csrfmiddlewaretoken"') == 1
    assert (Fighter.objects.count(), Event.objects.count()) == before
    s.assert_reconciled(warband)

    assert phone.post(address, form).status_code == 302
    assert phone.post(address, form).status_code in (200, 302)  # once more: it was done already
    assert Fighter.objects.count() == before[0] + 1
    s.assert_reconciled(warband)


def test_htmx_is_told_by_a_header_that_it_is_not_the_line(ada: Any, phone: Client, impatient: None) -> None:
    warband = s.small_warband(ada)
    with held_elsewhere(warband):
        answer = phone.post(
            reverse("fighter-hire", args=[warband.pk]), sent(warband), HTTP_HX_REQUEST="true", HTTP_HX_TARGET="div#hire"
        )
    assert answer.status_code == 503
    assert answer["X-Busy"] == "database"


def test_a_database_that_ends_in_the_middle_is_told_as_it_is(rf: Any) -> None:
    """Perhaps it was the moment in which the act was saved. Sent again it counts only once."""
    for sent, words in (({"token": "once"}, "It counts only once."), ({}, "look whether it was saved")):
        try:
            raise OperationalError("server closed the connection unexpectedly")
        except OperationalError:
            answer = server_error(rf.post("/warbands/1/hire/", sent))
        assert answer.status_code == 503
        assert "Perhaps this was saved, perhaps not." in answer.content.decode()
        assert words in answer.content.decode()
        assert "Nothing was saved" not in answer.content.decode()


def test_a_query_that_is_wrong_is_no_busy_database() -> None:
    with pytest.raises(Exception, match="no_such_table") as caught, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM no_such_table")
    assert not is_busy(caught.value)
    assert not is_busy(OperationalError("disk I/O error"))
    assert not is_busy(None)
