"""Pages of a warband that has fought ask no more for ten battles than for one, and none asks more than fifteen times."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Battle
from tests.bench.pages import NO_PAGES, paths_of
from tests.module_story import story
from tests.scene import Scene, make_scene
from warbands.models import Event, LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

MOST = 15
# A draft's page runs its changes through the services and rolls all back: 14 queries for each run, 5 more for a new name.
RUNS_DRAFTS = {"draft-show pk": 27, "draft-compare pk": 40}
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@story
def scene() -> Scene:
    """A scene whose owner's warband has fought."""
    return make_scene()


def count(client: Client, path: str) -> int:
    client.get(path)  # what a process reads once is read by then
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(path)
    assert answer.status_code == 200, path
    return number_of(captured)


def number_of(captured: CaptureQueriesContext) -> int:
    return sum(not query["sql"].startswith(TRANSACTION) for query in captured)


def spread(scene: Scene, battles: int) -> None:
    """Let the warband's acts and money belong to so many battles in turn."""
    campaign = scene.campaign
    rows = Battle.objects.bulk_create(Battle(campaign=campaign, scenario_id="hill-223") for _ in range(battles))
    events = list(Event.objects.filter(subjects__warband=scene.wardens).order_by("pk"))
    for place, event in enumerate(events):
        Event.objects.filter(pk=event.pk).update(occasion=rows[place % battles].occasion)
        LedgerEntry.objects.create(warband=scene.wardens, event=event, ducats=0, reason="Counted")


@pytest.mark.parametrize(
    "key", ["history-show pk", "ledger-list pk", "stash-show pk", "warband-show pk", "fighter-show pk"]
)
def test_a_page_asks_as_often_for_many_battles_as_for_one(scene: Scene, key: str) -> None:
    path = paths_of(scene)[key]
    for who in ("owner", "administrator"):
        counts = []
        for battles in (1, 10):
            with transaction.atomic():
                spread(scene, battles)
                counts.append(count(scene.client(who), path))
                transaction.set_rollback(True)
        assert counts[0] == counts[1] <= MOST, who


def test_every_page_asks_fifteen_times_at_most(scene: Scene) -> None:
    """Each page is opened once by each of them; only where it asks too often, once more, for what a process reads once is read by then."""
    over, opened = {}, 0
    for who in ("owner", "administrator"):
        client = scene.client(who)
        for key, path in paths_of(scene).items():
            if key in NO_PAGES:
                continue
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(path)
            if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
                continue
            opened += 1
            most = RUNS_DRAFTS.get(key, MOST)
            if number_of(captured) > most and (asked := count(client, path)) > most:
                over[key, who] = asked
    assert opened > 200
    assert not over
