"""Every page of the site is measured: an address without a row in the bench fails here, not in a timed run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.pages import BUDGETS, NO_PAGES, pages_of, paths_of
from tests.bench.plans import reads_its_own
from tests.scene import make_scene, routes
from tests.scene_pages import READERS, sent_to

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def measured(django_db_setup: None, django_db_blocker: Any) -> Iterator[set[str]]:
    """The keys of the addresses that the bench opens."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        sent = {key for who in READERS for key in sent_to(who)}  # the bench would open these as the same three people
        scene = make_scene()
        people = {"owner": scene.users["owner"], "administrator": scene.users["administrator"], "visitor": None}
        others = {key: path for key, path in paths_of(scene).items() if key not in sent}
        yield sent | {page.key for page in pages_of(others, people)}
        transaction.set_rollback(True)


def test_there_is_something_to_measure(measured: set[str]) -> None:
    assert len(measured) > 75
    assert {"warband-show pk", "desk-show", "campaign-show pk", "history-show pk", "battle-track pk"} <= measured


def test_every_page_has_its_row(measured: set[str]) -> None:
    assert {key for key in routes() if key not in measured} == NO_PAGES.keys()


def test_every_budget_is_of_a_page() -> None:
    assert BUDGETS.keys() <= {key.split()[0] for key in routes()}


def test_a_query_that_may_read_all_of_a_campaign_may_read_nothing_else() -> None:
    standings = 'SELECT COUNT("campaigns_side"."id") FILTER (WHERE true) FROM "campaigns_side" INNER JOIN "campaigns_battle" ON true'
    assert reads_its_own(standings)
    assert not reads_its_own(f'{standings} INNER JOIN "warbands_event" ON true')
    letters = """SELECT "warbands_fighter"."name" FROM "warbands_fighter" WHERE "warbands_fighter"."name"::text ~ 'x'"""
    assert reads_its_own(f'{letters} AND "warband_id" IN (SELECT "warband_id" FROM "campaigns_seat")')
    assert not reads_its_own(letters)
