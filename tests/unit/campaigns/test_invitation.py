"""The page of an invitation: three ways to a warband, the account as its last step, and what a guest brings along."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaigns.models import Invitation, Seat
from tests import campaign_stories as c
from tests import stories as s
from tests.conftest import PASSWORD
from warbands.models import Promise, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

STRONG = "lantern-wardens-1916"


@pytest.fixture(autouse=True)
def clean_slate() -> None:
    cache.clear()


@pytest.fixture
def made(cleo: Any) -> c.Club:
    return c.club(cleo)


@pytest.fixture
def address(made: c.Club) -> str:
    invitation = Invitation.objects.get(campaign=made.campaign)
    return reverse("campaign-join", args=[invitation.token])


def sign_up(**more: str) -> dict[str, str]:
    return {"username": "ottla", "password1": STRONG, **more}


def test_a_stranger_reads_the_three_ways_and_no_wall(client: Any, address: str) -> None:
    page = client.get(address).content.decode()
    for words in ("Use a ready warband", "Build my own", "I have one already", "Join now, choose a warband later"):
        assert words in page
    assert '<b>9 fighters</b>, <span class="figure">698 d</span>' in page
    assert 'name="password1"' not in page
    assert "Third-party lists" not in page


def test_the_account_is_the_last_step_of_the_same_page(client: Any, address: str, made: c.Club) -> None:
    page = client.get(f"{address}?bring=ready:lantern-wardens").content.decode()
    assert "You join with The Lantern Wardens." in page
    assert 'name="password1"' in page
    answer = client.post(address, sign_up(bring="ready:lantern-wardens"))
    assert answer.url == reverse("campaign-show", args=[made.campaign.pk])
    seat = Seat.objects.get(user__username="ottla")
    assert (seat.name, seat.warband.name, seat.warband.problem_count) == ("ottla", "The Lantern Wardens", 0)
    assert seat.warband.terms == made.campaign.terms
    assert client.get(answer.url).status_code == 200
    s.assert_reconciled(seat.warband)


def test_faults_of_the_account_join_nobody(client: Any, address: str, ada: User) -> None:
    answer = client.post(address, sign_up(username="ada", password1="123", bring="ready:lantern-wardens"))
    assert answer.status_code == 422
    page = answer.content.decode()
    for words in ("already uses that name", "too short", "too common", "You join with The Lantern Wardens."):
        assert words in page
    assert not Warband.objects.exists()


def test_what_is_refused_opens_no_account(client: Any, address: str) -> None:
    assert client.post(address, sign_up(bring="ready:no-such")).status_code == 422
    assert not User.objects.filter(username="ottla").exists()
    assert not Seat.objects.exists()


def test_two_presses_join_once(client: Any, address: str) -> None:
    form = sign_up(bring="ready:lantern-wardens", token="once")
    assert client.post(address, form).status_code == 302
    client.post(address, form)
    assert Seat.objects.count() == Warband.objects.count() == 1


@pytest.mark.parametrize(
    ("bring", "leads"), [("found", "seat-found"), ("later", "campaign-show"), ("brought", "warband-bring")]
)
def test_the_other_ways_lead_on(client: Any, address: str, made: c.Club, bring: str, leads: str) -> None:
    answer = client.post(address, sign_up(bring=bring))
    seat = Seat.objects.get()
    args = {"seat-found": [seat.pk], "campaign-show": [made.campaign.pk]}.get(leads)
    assert answer.url.partition("?")[0] == reverse(leads, args=args)
    assert client.get(answer.url).status_code == 200


def test_somebody_signed_in_joins_with_one_press(address: str, ada: User) -> None:
    client = Client()
    client.force_login(ada)
    assert 'name="password1"' not in client.get(f"{address}?bring=later").content.decode()
    assert client.post(address, {"bring": "ready:third-breach"}).status_code == 302
    assert Seat.objects.get(user=ada).warband.name == "The Third Breach"


def test_a_guest_brings_the_warband_built_before(client: Any, address: str) -> None:
    client.post("/warbands/new/", {"game": "trench-crusade/1.6.3", "name": "The Turf Cutters"})
    warband = Warband.objects.get()
    page = client.get(address).content.decode()
    assert "The Turf Cutters" in page
    assert f"bring={warband.pk}" in page
    assert client.post(address, {"bring": str(warband.pk)}).status_code == 422  # the account comes first
    assert client.post(address, sign_up(bring=str(warband.pk))).status_code == 302
    seat = Seat.objects.get()
    assert (seat.warband, seat.user, seat.user.username) == (warband, warband.owner, "ottla")
    assert not seat.user.is_guest


def test_a_guest_with_an_account_signs_in_and_comes_back_to_the_last_step(client: Any, address: str, ada: User) -> None:
    client.post("/warbands/new/", {"game": "trench-crusade/1.6.3", "name": "The Turf Cutters"})
    warband = Warband.objects.get()
    last = f"{address}?bring={warband.pk}"
    sign_in = client.get(last).context["page"].sign_in_href
    assert sign_in.startswith("/account/keep/?next=")
    form = {"act": "sign-in", "old-login": "ada", "old-password": PASSWORD, "next": last}
    assert client.post("/account/keep/", form).url == last
    assert "You join with The Turf Cutters." in client.get(last).content.decode()
    assert client.post(address, {"bring": str(warband.pk)}).status_code == 302
    assert Seat.objects.get(user=ada).warband == warband


def test_nobody_brings_what_is_another_ones(client: Any, address: str, ada: User) -> None:
    theirs = s.found(ada)
    assert client.post(address, sign_up(bring=str(theirs.pk))).status_code == 422
    assert not User.objects.filter(username="ottla").exists()


def test_a_latecomer_with_a_ready_warband_is_not_behind(made: c.Club, ada: Any, ben: Any, address: str) -> None:
    for player in (ada, ben):
        c.joins(made, player)
    c.fight(c.mustered(made, ada, ben), ada, ada)
    for player in (ada, ben):
        warband = made.warband(player)
        Warband.objects.filter(pk=warband.pk).update(state={**s.fresh(warband).state, "fought": 3})
    client = Client()
    assert "to catch up with the others" in client.get(address).content.decode()
    assert client.post(address, sign_up(bring="ready:lantern-wardens")).status_code == 302
    warband = Seat.objects.get(user__username="ottla").warband
    assert warband.budget_ducats > 700
    assert warband.strongbox_ducats == warband.budget_ducats - warband.rating_ducats
    assert Promise.objects.filter(warband=warband, kind="late-experience").exists()
    s.assert_reconciled(warband)
