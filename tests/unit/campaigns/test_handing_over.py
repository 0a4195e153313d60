"""A warband, or a place with its warband, goes to another player: asked about first, by its owner alone, and given back by the new one."""

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Seat
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from tests.pressing import sure
from warbands.idempotency import new_token
from warbands.models import Event, Warband
from warbands.services.sharing import add_delegate
from warbands.undo import undo

pytestmark = pytest.mark.django_db


@story
def club(ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada, ben)


def signed_in(client: Any, user: Any) -> Any:
    client.force_login(user)
    return client


def test_a_warband_goes_to_another_player_by_its_settings(client: Any, ada: Any, ben: Any) -> None:
    warband = s.found(ada)
    here = reverse("warband-change", args=[warband.pk])
    page = signed_in(client, ada).get(here).content.decode()
    assert 'name="new_owner"' in page
    asked = client.post(here, {"new_owner": "ben", "token": new_token()})
    assert "goes to ben, with its history" in asked.content.decode()
    assert s.fresh(warband).owner == ada
    assert sure(client, here, {"new_owner": "ben"}).url == reverse("warband-list")
    assert s.fresh(warband).owner == ben
    assert client.get(here).status_code == 404
    event = Event.objects.get(kind="hand-over")
    assert event.told == f"ada gave {warband.name} to ben."
    assert client.post(reverse("event-undo", args=[event.pk]), {"token": new_token()}).status_code == 404
    undo(event=event, actor=ben)
    assert s.fresh(warband).owner == ada


@pytest.mark.parametrize(
    ("name", "words"), [("nobody", "No user with that name"), ("", "Give the user name"), ("ada", "ada already owns ")]
)
def test_a_wrong_name_is_answered(client: Any, ada: Any, name: str, words: str) -> None:
    warband = s.found(ada)
    answer = signed_in(client, ada).post(reverse("warband-change", args=[warband.pk]), {"new_owner": name})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert s.fresh(warband).owner == ada


def test_only_the_owner_hands_a_warband_over(client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    warband = club.warband(ada)
    add_delegate(warband=warband, username="ben", actor=ada)
    for user in (ben, cleo):
        sent = {"new_owner": str(user), "token": new_token()}
        assert signed_in(client, user).post(reverse("warband-change", args=[warband.pk]), sent).status_code == 403
        answer = client.post(reverse("seat-show", args=[club.seat(ada).pk]), {**sent, "act": "hand-over"})
        assert answer.status_code == 403 if user == cleo else answer.status_code in (403, 404)
    assert s.fresh(warband).owner == ada


def test_a_warband_that_plays_goes_with_its_place(client: Any, club: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    c.fight(c.mustered(club, ada, ben), by=ada, winner=ada)
    warband, seat = club.warband(ada), club.seat(ada)
    refused = sure(signed_in(client, ada), reverse("warband-change", args=[warband.pk]), {"new_owner": "dora"})
    assert refused.status_code == 422
    assert "Hand over your place there" in refused.content.decode()
    here = reverse("seat-show", args=[seat.pk])
    assert "Hand over your place" in client.get(here).content.decode()
    taken = sure(client, here, {"act": "hand-over", "new_owner": "ben"})
    assert "has a place" in taken.content.decode()
    assert sure(client, here, {"act": "hand-over", "new_owner": "dora"}).status_code == 302
    fresh = Seat.objects.get(pk=seat.pk)
    assert (fresh.user, fresh.name) == (dora, "dora")
    assert Warband.objects.get(pk=warband.pk).owner == dora
    undo(event=Event.objects.get(kind="hand-over"), actor=dora)
    fresh.refresh_from_db()
    assert (fresh.user, fresh.name) == (ada, "ada")
    s.assert_reconciled(s.fresh(warband))


def test_two_presses_hand_it_over_once(client: Any, ada: Any, ben: Any) -> None:
    warband = s.found(ada)
    sent = {"new_owner": "ben", "token": new_token()}
    here = reverse("warband-change", args=[warband.pk])
    mark = signed_in(client, ada).post(here, sent).context["notice"].checked
    client.post(here, {**sent, "checked": mark})
    client.post(here, {**sent, "checked": mark})
    assert Event.objects.filter(kind="hand-over").count() == 1
