"""A ready warband for a place without one: chosen by its player, or by an administrator in the player's name."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Seat
from campaigns.pages.joining import ready_address
from campaigns.services.join import add_seat
from campaigns.services.open import open_campaign
from notifications.models import Notification
from rules.registry import system
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event, Warband
from warbands.rights import may_undo
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign: Ada has a warband, Ben has a place without one, and nobody has claimed Otto's place."""
    return c.club_with_empty_places(cleo, ada, ben, "Otto")


def place(made: c.Club, name: str) -> Seat:
    return Seat.objects.select_related("warband").get(campaign=made.campaign, name=name)


def sample(made: c.Club) -> tuple[str, str]:
    """The id and the name of the first ready warband."""
    terms = Campaign.objects.get(pk=made.campaign.pk).terms
    id_, name, *_rest = terms.game.founding.samples(terms.content)[0]
    return id_, name


def use(client: Client, user: Any, seat: Seat, chosen: str, token: str = "") -> Any:
    client.force_login(user)
    return client.post(ready_address(seat.pk), {"sample": chosen, "token": token or new_token()})


@pytest.mark.parametrize("name", ["Benedict", "Otto"])
def test_an_administrator_takes_one_for_a_place_in_that_players_name(
    made: c.Club, cleo: Any, ben: Any, client: Client, name: str
) -> None:
    seat, (chosen, title) = place(made, name), sample(made)
    client.force_login(cleo)
    assert ready_address(seat.pk) in client.get(reverse("seat-found", args=[seat.pk])).content.decode()
    Notification.objects.all().delete()
    answer = use(client, cleo, seat, chosen)
    warband = place(made, name).warband
    assert warband is not None
    assert answer.url == reverse("warband-show", args=[warband.pk])
    assert (warband.name, warband.owner) == (title, seat.user)
    events = list(Event.objects.filter(subjects__warband=warband).distinct().order_by("pk"))
    assert [event.kind for event in events] == ["found", "bring"]
    assert events[-1].for_name == ("ben" if seat.user == ben else "Otto")
    told = Notification.objects.filter(user=ben, kind="for-you")
    assert told.exists() == (seat.user == ben)
    assert not Notification.objects.exclude(user=ben).exists()


def test_the_ways_stand_on_the_page_of_the_place(made: c.Club, cleo: Any, ben: Any, client: Client) -> None:
    client.force_login(cleo)
    here = reverse("seat-show", args=[place(made, "Otto").pk])
    assert ready_address(place(made, "Otto").pk) in client.get(here).content.decode()
    for user in (cleo, ben):
        client.force_login(user)
        here = reverse("seat-show", args=[place(made, "Benedict").pk])
        assert 'value="ready-made"' in client.get(here).content.decode()
        sent = client.post(here, {"act": "bring", "bring": "ready-made", "token": new_token()})
        assert sent.url == ready_address(place(made, "Benedict").pk)


def test_official_lists_come_first_and_closed_ones_are_left_out(made: c.Club, cleo: Any, client: Client) -> None:
    client.force_login(cleo)
    page = client.get(ready_address(place(made, "Otto").pk)).context["page"]
    offered = [warband for group in page.ready for warband in group.warbands]
    assert offered
    assert not [warband for warband in offered if warband.third_party or warband.closed]
    terms = Campaign.objects.get(pk=made.campaign.pk).terms
    terms.house_rules = {**terms.house_rules, "third_party": True}
    terms.save()
    groups = client.get(ready_address(place(made, "Otto").pk)).context["page"].ready
    assert [group.key == "third_party" for group in groups] == [False] * (len(groups) - 1) + [True]


def test_the_player_undoes_it_whoever_took_it(
    made: c.Club, cleo: Any, ada: Any, ben: Any, dora: Any, client: Client
) -> None:
    seat, (chosen, _title) = place(made, "Benedict"), sample(made)
    for by in (ben, cleo):
        use(client, by, seat, chosen)
        warband = place(made, "Benedict").warband
        assert warband is not None
        for event in Event.objects.filter(subjects__warband=warband).distinct():
            # A warband is its player's: whoever runs the campaign takes it out of the place, and leaves it to the player.
            runs = event.kind == "bring"
            assert [may_undo(user, event) for user in (ben, cleo, ada, dora)] == [True, runs, False, False]
        undo(event=s.last_event(warband), actor=ben)
        assert place(made, "Benedict").warband is None
        undo(event=Event.objects.get(kind="found", subjects__warband=warband), actor=ben)
        assert not Warband.objects.live().filter(pk=warband.pk).exists()


def test_nobody_else_takes_one_for_the_place(made: c.Club, ada: Any, dora: Any, client: Client) -> None:
    before = Warband.objects.count()
    for user, status in ((ada, 403), (dora, 404)):
        assert use(client, user, place(made, "Benedict"), sample(made)[0]).status_code == status
        assert client.get(ready_address(place(made, "Otto").pk)).status_code == status
    assert Warband.objects.count() == before


def test_a_press_sent_twice_takes_one(made: c.Club, cleo: Any, client: Client) -> None:
    token = new_token()
    before = Warband.objects.count()
    for _time in range(2):
        use(client, cleo, place(made, "Otto"), sample(made)[0], token)
    assert Warband.objects.count() == before + 1


@pytest.mark.parametrize("chosen", ["", "no-such-warband", "x" * 100])
def test_what_is_not_offered_gets_a_sentence(made: c.Club, cleo: Any, client: Client, chosen: str) -> None:
    before = Warband.objects.count()
    assert use(client, cleo, place(made, "Otto"), chosen).status_code == 422
    assert Warband.objects.count() == before


def test_a_place_with_a_warband_takes_no_second_one(made: c.Club, cleo: Any, ada: Any, client: Client) -> None:
    before = Warband.objects.live().count()
    answer = use(client, cleo, made.seat(ada), sample(made)[0])
    assert answer.status_code == 422
    assert Warband.objects.live().count() == before


@pytest.mark.parametrize("game", ["gloom-trench", "trench-too-far"])
def test_the_games_of_own_profiles_have_theirs(cleo: Any, client: Client, game: str) -> None:
    edition = system(game).editions()[0]
    campaign = open_campaign(actor=cleo, name="Units", system=game, edition=edition)
    seat = add_seat(campaign=campaign, actor=cleo, name="Otto")
    client.force_login(cleo)
    assert ready_address(seat.pk) in client.get(reverse("seat-found", args=[seat.pk])).content.decode()
    chosen, name, *_rest = system(game).founding.samples(system(game).content(edition))[0]
    assert use(client, cleo, seat, chosen).status_code == 302
    warband = Seat.objects.select_related("warband").get(pk=seat.pk).warband
    assert warband is not None
    assert warband.name == name
