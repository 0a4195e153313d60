"""The demonstration club: made by the services alone, the same each time, once, and its books add up."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db.models import Max

from campaigns.demo import ADMINISTRATOR, CAMPAIGN, NEWCOMER, OWN_LISTS, PLAYERS, ROUNDS_PLAYED, SECOND_CAMPAIGN, Demo
from campaigns.models import Battle, Campaign, PostBattle
from campaigns.standings import standings
from tests.demo_club import Enough, Watched, demo_club, in_words
from tests.drills import WHOLE
from tests.scene import rolled_back
from tests.stories import assert_reconciled
from warbands.models import Change, Event, Fighter, Item, LedgerEntry, Warband

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The database, open over the whole module and rolled back after it."""
    with django_db_blocker.unblock(), rolled_back():
        yield


@pytest.fixture(scope="module")
def earlier(db: None) -> Watched:
    """The club as it was made another time: up to its first evening, or whole under `make drills`. That time was rolled back."""
    demo = Watched(first_only=not WHOLE)
    with rolled_back(), contextlib.suppress(Enough):
        demo.make()
        demo.at_the_end = in_words()
    return demo


@pytest.fixture(scope="module")
def after_the_first(earlier: Watched) -> dict[str, Any]:
    """The club is there, and this is what it looked like after its first evening."""
    return demo_club()


@pytest.fixture(scope="module")
def club(after_the_first: dict[str, Any]) -> Campaign:
    """The club's campaign, for all tests of the module."""
    return Campaign.objects.get(name=CAMPAIGN)


@pytest.fixture(autouse=True)
def _forgotten(club: Campaign) -> Iterator[None]:
    """No test sees what another one did."""
    with rolled_back():
        yield


def test_two_clubs_of_one_seed_are_the_same(earlier: Watched, after_the_first: dict[str, Any]) -> None:
    assert len(after_the_first) >= 4
    assert after_the_first == earlier.after_the_first
    if WHOLE:
        assert in_words() == earlier.at_the_end


def test_the_people_of_the_sign_in_page_are_there(club: Campaign) -> None:
    from accounts.models import User

    assert {name for name, _ in settings.DEMO_LOGINS} <= set(User.objects.values_list("username", flat=True))
    assert {person.username for person in (*PLAYERS, ADMINISTRATOR, NEWCOMER)} == set(
        User.objects.values_list("username", flat=True)
    )
    ada = User.objects.get(username="ada")
    assert ada.check_password(settings.DEMO_PASSWORD)


def test_three_rounds_are_played_and_the_fourth_is_under_way(club: Campaign) -> None:
    rounds = list(club.rounds.live().order_by("number"))
    assert [round_.is_closed for round_ in rounds] == [True] * ROUNDS_PLAYED + [False]
    for round_ in rounds[:ROUNDS_PLAYED]:
        states = set(round_.battles.live().values_list("status", flat=True))
        assert states == {Battle.Status.CLOSED}
    tonight = set(rounds[-1].battles.live().values_list("status", flat=True))
    assert tonight == {Battle.Status.REPORTED, Battle.Status.SCHEDULED}
    begun = PostBattle.objects.live().get(closed_at=None, started_at__isnull=False)
    assert begun.warband.owner.username == "ada"
    assert begun.done == ["injuries"]


def test_everything_was_written_by_the_services(club: Campaign) -> None:
    """Every warband, fighter and piece was created by an event, and every strongbox is the sum of its ledger."""
    made = set(Change.objects.filter(field="").values_list("label", "row_id"))
    for model in (Warband, Fighter, Item, Campaign, Battle, PostBattle):
        for row in model.objects.all():
            assert (row._meta.label, row.pk) in made, row
    for warband in Warband.objects.all():
        entries = LedgerEntry.objects.filter(warband=warband)
        assert sum(entry.ducats for entry in entries) == warband.strongbox_ducats
        assert_reconciled(warband)
    call_command("reconcile", stdout=io.StringIO())


def test_a_second_time_changes_nothing(club: Campaign) -> None:
    before = Event.objects.aggregate(Max("pk")), Campaign.objects.count(), in_words()
    told = io.StringIO()
    call_command("demo", stdout=told)
    assert "here already" in told.getvalue()
    assert Demo().make() is None
    assert (Event.objects.aggregate(Max("pk")), Campaign.objects.count(), in_words()) == before


def test_the_club_can_play_on(club: Campaign) -> None:
    assert club.name == CAMPAIGN
    assert Warband.objects.live().filter(status="founding").get().name == "The Sodden Bell"
    for warband in Warband.objects.live().exclude(status="founding"):
        assert warband.fighter_count >= 4, warband


def test_a_second_campaign_is_played_by_the_newest_edition(club: Campaign) -> None:
    second = Campaign.objects.get(name=SECOND_CAMPAIGN)
    newest, *_, oldest = club.terms.game.editions()
    assert (club.terms.edition, second.terms.edition) == (oldest, newest)
    rounds = second.rounds.live()
    assert rounds.count() == ROUNDS_PLAYED
    assert set(Battle.objects.live().filter(campaign=second).values_list("status", flat=True)) == {Battle.Status.CLOSED}
    sequences = PostBattle.objects.live().filter(side__battle__campaign=second)
    assert sequences.count() == 2 * ROUNDS_PLAYED
    assert not sequences.filter(closed_at=None).exists()
    assert {w.terms.edition for w in Warband.objects.filter(seats__campaign=second)} == {newest}
    assert sum(row.points for row in standings(second)) >= ROUNDS_PLAYED * 20


def test_each_game_of_own_profiles_has_a_small_campaign_with_losses_carried_into_a_mustered_battle(
    club: Campaign,
) -> None:
    small = list(Campaign.objects.filter(name__in=OWN_LISTS).order_by("pk"))
    assert [campaign.name for campaign in small] == list(OWN_LISTS)
    assert len({campaign.terms.system for campaign in small} | {club.terms.system}) == 3
    for campaign in small:
        battles = Battle.objects.live().filter(campaign=campaign).order_by("pk")
        assert [battle.status for battle in battles] == [Battle.Status.CLOSED, Battle.Status.MUSTERED]
        assert all(battle.scenario_id for battle in battles)
        warbands = Warband.objects.filter(seats__campaign=campaign)
        assert {warband.problem_count for warband in warbands} == {0}
        assert {warband.strongbox_ducats for warband in warbands} == {0}
        assert Fighter.objects.filter(warband__in=warbands).exclude(state__left={}).exists()
