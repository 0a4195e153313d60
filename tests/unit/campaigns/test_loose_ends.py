"""What is left over in a campaign reaches its administrators: on their own desk, and on the campaign's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import Battle, Booklet
from campaigns.pages.administer import administer_page
from campaigns.pages.desk_queries import read_board
from campaigns.pages.desk_waits import waits
from campaigns.pages.loose_ends import VOIDS_FOR, read_loose_ends
from campaigns.services.illegal_rosters import settle_flag
from campaigns.services.void import restore_battle, void_battle
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event, Snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
PROBLEM = {"message": "Two suits of armour.", "mend": "", "source": "", "fighter": ""}


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben."""
    return c.club(cleo, ada, ben)


def left_over(made: c.Club) -> list[tuple[str, str]]:
    """Titles and words of what is left over, which the desk of the campaign and Cleo's own count alike."""
    page = administer_page(made.campaign, "https://club.example")
    matters = [
        matter
        for matter in (*page.matters.rosters, *page.matters.loose)
        if matter.key.startswith(("flag_", "void_", "booklet_"))
    ]
    told = [wait for wait in waits(read_board(made.administrator)) if wait.key == f"administer_{made.campaign.pk}"]
    assert [wait.title.split()[0] for wait in told] == ([str(page.matters.count)] if page.matters.count else [])
    return [(matter.title, matter.words) for matter in matters]


def test_a_muster_with_problems_waits_until_it_is_settled(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    row = c.mustered(made, ada, ben)
    assert left_over(made) == []
    side = c.side(row, ada)
    Snapshot.objects.filter(pk=side.snapshot_id).update(problems=[PROBLEM])
    ((title, words),) = left_over(made)
    assert title == side.seat.name  # type: ignore[union-attr]
    assert "was ready with problems on" in words
    assert "roster with problems" in next(wait.meta for wait in waits(read_board(cleo)) if "administer" in wait.key)
    assert not [wait for wait in waits(read_board(ada)) if "administer" in wait.key]
    settle_flag(side=side, way="stands", words="Both agreed.", actor=cleo)
    assert left_over(made) == []


@pytest.mark.parametrize("status", [Battle.Status.VOID, Battle.Status.CANCELLED])
def test_nothing_is_to_settle_about_a_battle_that_was_not_fought(made: c.Club, ada: Any, ben: Any, status: str) -> None:
    row = c.mustered(made, ada, ben)
    Snapshot.objects.filter(pk=c.side(row, ada).snapshot_id).update(problems=[PROBLEM])
    Battle.objects.filter(pk=row.pk).update(status=status)
    assert left_over(made) == []


def test_what_a_void_battle_leaves_standing_is_told_for_two_weeks(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, seed=5, answers={"way": "explore"})
    while s.purse(made.warband(ada)).ducats >= 30:
        s.hire(made.warband(ada), "Yeoman")
    voided = void_battle(battle=row, actor=cleo, words="The wrong night.")
    assert voided.stands
    ((title, words),) = left_over(made)
    assert title == "A void battle left something standing"
    assert words == " ".join(voided.stands)
    Event.objects.filter(kind="void").update(at=timezone.now() - VOIDS_FOR - timedelta(minutes=1))
    assert left_over(made) == []
    Event.objects.filter(kind="void").update(at=timezone.now())
    assert len(left_over(made)) == 1
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert [title for title, _words in left_over(made) if "void" in title] == []


def test_a_void_battle_that_leaves_nothing_is_no_matter(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    assert void_battle(battle=row, actor=cleo, words="The wrong night.").stands == ()
    assert left_over(made) == []


def test_a_booklet_that_failed_waits_until_a_newer_one(made: c.Club, cleo: Any) -> None:
    failed = Booklet.objects.create(campaign=made.campaign, status=Booklet.Status.FAILED, why="No space left.")
    assert left_over(made) == [("The booklet failed", "No space left.")]
    Booklet.objects.filter(pk=failed.pk).update(asked_at=timezone.now() - timedelta(days=8))
    assert left_over(made) == []
    Booklet.objects.filter(pk=failed.pk).update(asked_at=timezone.now())
    Booklet.objects.create(campaign=made.campaign, status=Booklet.Status.DONE)
    assert left_over(made) == []


def test_all_of_it_is_one_query_and_is_cut(made: c.Club, ada: Any, ben: Any) -> None:
    for _nth in range(3):
        row = c.mustered(made, ada, ben)
        Snapshot.objects.filter(pk=c.side(row, ben).snapshot_id).update(problems=[PROBLEM])
        Battle.objects.filter(pk=row.pk).update(status=Battle.Status.CLOSED)
    Booklet.objects.create(campaign=made.campaign, status=Booklet.Status.FAILED)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert len(read_loose_ends([made.campaign.pk], 25)) == 4
    assert len(queries) == 1
    assert len(read_loose_ends([made.campaign.pk], 2)) == 2
    with CaptureQueriesContext(connection) as queries:
        assert read_loose_ends([], 25) == ()
    assert len(queries) == 0
