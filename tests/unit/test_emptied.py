"""What a test committed is gone after it, and what migrating wrote is still there."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection

from accounts.models import User
from tests import campaign_stories as c
from tests.emptied import OF_THE_SITE, empty_database
from tests.kept_rows import NOBODY_S, all_rows
from warbands.models import Event


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_every_row_goes_but_those_of_the_site(ada: Any, ben: Any, cleo: Any) -> None:
    c.club(cleo, ada, ben)
    permissions, number = Permission.objects.count(), cleo.pk
    assert permissions
    assert Event.objects.exists()
    empty_database()
    left = {table for table, rows in all_rows().items() if rows}
    assert left <= OF_THE_SITE | NOBODY_S | {"sqlite_sequence"}
    assert Permission.objects.count() == permissions
    connection.check_constraints()
    assert User.objects.create_user("dora").pk > number, (
        "numbers go on: what a process remembers of a row is not another's"
    )
