"""What an administrator is asked for: a battle whose time has not passed is listed to play, and asks for nothing yet."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Campaign, Round, Seat
from campaigns.services.challenges import plan_absence
from campaigns.services.places import add_seats
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from tests.module_story import story
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TODAY = timezone.localdate()


@story
def club(cleo: Any, ada: Any, ben: Any) -> c.Club:
    return c.club(cleo, ada, ben)


@pytest.fixture
def round(club: c.Club, cleo: Any) -> Round:
    return open_round(campaign=club.campaign, actor=cleo, starts_on=TODAY, ends_on=TODAY + timedelta(days=14))


@pytest.fixture
def battle(club: c.Club, round: Round, ada: Any, ben: Any) -> Battle:
    return c.battle(club, ada, ben, round=round)


def desk(client: Client, club: c.Club) -> tuple[list[str], list[str]]:
    """The keys of what is missing and of what is ahead, as the campaign desk shows them."""
    matters = client.get(reverse("campaign-administer", args=[club.campaign.pk])).context["page"].matters
    return [matter.key for matter in matters.missing], [matter.key for matter in matters.ahead]


def test_a_round_just_published_asks_an_administrator_for_nothing(
    client: Client, club: c.Club, cleo: Any, battle: Battle
) -> None:
    client.force_login(cleo)
    assert desk(client, club) == ([], [f"ahead_{battle.pk}"])
    assert "for administrators" not in unescape(client.get("/").content.decode())
    page = unescape(client.get(reverse("campaign-administer", args=[club.campaign.pk])).content.decode())
    assert "Nothing is missing, disputed or unfinished." in page
    assert reverse("battle-report", args=[battle.pk]) in page


@pytest.mark.parametrize("what", ["day", "round", "ready", "old"])
def test_a_battle_whose_time_has_passed_is_missing(
    client: Client, club: c.Club, cleo: Any, ada: Any, ben: Any, battle: Battle, what: str
) -> None:
    if what == "day":
        Battle.objects.filter(pk=battle.pk).update(planned_for=TODAY - timedelta(days=1))
    elif what == "round":
        days = {"starts_on": TODAY - timedelta(days=9), "ends_on": TODAY - timedelta(days=1)}
        Round.objects.filter(pk=battle.round_id).update(**days)
    elif what == "ready":
        for who in (ada, ben):
            c.make_side_ready(side=c.side(battle, who), actor=who)
        battle.sides.update(ready_at=timezone.now() - timedelta(hours=21))
    else:
        Battle.objects.filter(pk=battle.pk).update(created_at=timezone.now() - timedelta(days=15))
    client.force_login(cleo)
    missing, ahead = desk(client, club)
    assert f"ahead_{battle.pk}" in missing
    assert ahead == []
    assert "for administrators" in unescape(client.get("/").content.decode()) or "matter" in str(missing)


def test_a_battle_set_for_a_day_to_come_is_not_due_however_old(
    client: Client, club: c.Club, cleo: Any, battle: Battle
) -> None:
    Battle.objects.filter(pk=battle.pk).update(created_at=timezone.now() - timedelta(days=60), planned_for=TODAY)
    client.force_login(cleo)
    assert desk(client, club) == ([], [f"ahead_{battle.pk}"])


def test_who_is_away_today_is_not_asked_after(client: Client, club: c.Club, round: Round, cleo: Any, ada: Any) -> None:
    client.force_login(cleo)
    rounds = reverse("round-arrange", args=[club.campaign.pk])
    assert desk(client, club)[0] == ["idle"]
    assert club.warband(ada).name in client.get(rounds).context["page"].rounds[0].idle_words
    for who in ("ada", "ben"):
        seat = club.seats[who]
        plan_absence(seat=seat, actor=cleo, starts_on=TODAY, ends_on=TODAY + timedelta(days=3))
    assert desk(client, club)[0] == []
    assert client.get(rounds).context["page"].rounds[0].idle_words == ""


def test_a_row_of_a_battle_names_its_players_and_spectators_see_warbands_only(
    client: Client, club: c.Club, cleo: Any, battle: Battle
) -> None:
    client.force_login(cleo)
    matters = client.get(reverse("campaign-administer", args=[club.campaign.pk])).context["page"].matters
    assert [matter.words.partition(":")[0] for matter in matters.ahead] == ["ada v ben"]
    (line,) = client.get(reverse("round-show", args=[club.campaign.pk, 1])).context["page"].battles
    assert (line.title, line.words) == ("The Lantern Wardens v The Gallows Choir", "Hill 223, ada v ben")
    Campaign.objects.filter(pk=club.campaign.pk).update(seen_by=Campaign.SeenBy.LINK)
    (line,) = client.get(reverse("campaign-watch", args=[club.campaign.slug])).context["page"].battles
    assert line.words == "Hill 223"


def test_a_post_battle_that_nobody_else_can_finish_is_asked_for_at_once(
    client: Client, club: c.Club, cleo: Any, ada: Any, ben: Any
) -> None:
    row = c.mustered(club, ada, ben)
    c.fight(row, by=ada, winner=ada)
    client.force_login(cleo)
    here = reverse("campaign-administer", args=[club.campaign.pk])
    assert client.get(here).context["page"].matters.stuck == ()
    Seat.objects.filter(pk=club.seat(ben).pk).update(user=None)
    Warband.objects.filter(pk=club.warband(ben).pk).update(owner=None)
    (matter,) = client.get(here).context["page"].matters.stuck
    assert matter.title == "The Gallows Choir"
    assert "unfinished post-battle" in client.get("/").content.decode()


def test_many_places_without_a_warband_are_one_row(client: Client, club: c.Club, cleo: Any) -> None:
    client.force_login(cleo)
    here = reverse("campaign-administer", args=[club.campaign.pk])
    add_seats(campaign=club.campaign, actor=cleo, names=["Anna", "Bert"])
    assert [matter.title for matter in client.get(here).context["page"].matters.missing] == ["Anna", "Bert"]
    add_seats(campaign=club.campaign, actor=cleo, names=["Carl", "Dina", "Emil"])
    (matter,) = client.get(here).context["page"].matters.missing
    assert (matter.title, matter.words) == ("No warband yet", "Anna, Bert, Carl, Dina and Emil")
