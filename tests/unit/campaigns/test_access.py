"""Who may look, play, administer and act: 404 for strangers, 403 without the right; and what warbands ask."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from accounts.export import exported_data
from campaigns.access import (
    battle_for,
    campaign_by_slug,
    campaign_for,
    capture_for,
    post_battle_for,
    seat_for,
)
from campaigns.models import Capture
from campaigns.services.join import leave_seat
from campaigns.services.muster import make_side_ready
from campaigns.services.open import change_campaign
from tests import campaign_stories as c
from tests.conftest import person
from tests.module_story import story
from warbands.access import right_of, warband_for
from warbands.event_context import occasions_told
from warbands.services.sharing import add_delegate

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def made(cleo: Any, ada: Any, ben: Any) -> c.Club:
    """Cleo's campaign with Ada and Ben; Dora is a stranger."""
    return c.club(cleo, ada, ben)


def may(get: Any, *args: Any, **how: Any) -> int:
    """The status a view would answer with."""
    try:
        get(*args, **how)
    except Http404:
        return 404
    except PermissionDenied:
        return 403
    return 200


def test_a_campaign_is_for_its_people(made: c.Club, ada: Any, cleo: Any, dora: Any) -> None:
    pk = made.campaign.pk
    for user, expected in ((ada, (200, 200, 403)), (cleo, (200, 200, 200)), (dora, (404, 404, 404))):
        assert tuple(may(campaign_for, user, pk, to=to) for to in ("watch", "play", "administer")) == expected
    assert may(campaign_for, AnonymousUser(), pk) == 404
    assert may(campaign_for, ada, 999999) == 404


def test_who_left_watches_and_plays_no_more(made: c.Club, ada: Any) -> None:
    leave_seat(seat=made.seat(ada), actor=ada)
    assert [may(campaign_for, ada, made.campaign.pk, to=to) for to in ("watch", "play")] == [200, 403]


def test_the_public_address_shows_only_what_is_public(made: c.Club, cleo: Any) -> None:
    assert may(campaign_by_slug, made.campaign.slug) == 404
    change_campaign(campaign=made.campaign, actor=cleo, seen_by="link")
    assert campaign_by_slug(made.campaign.slug).pk == made.campaign.pk
    assert may(campaign_by_slug, "") == 404


def test_a_battle_and_its_sides(made: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    eve = person("eve")
    c.joins(made, eve, "third-breach")
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    warband = made.warband(ada)
    for user, battle, side in ((ada, 200, 200), (ben, 200, 403), (cleo, 200, 200), (eve, 403, 403), (dora, 404, 404)):
        assert may(battle_for, user, row.pk, to="play") == battle
        assert may(post_battle_for, user, row.pk, warband.pk) == side
    assert may(battle_for, eve, row.pk) == 200
    assert may(post_battle_for, eve, row.pk, warband.pk, to="watch") == 200
    assert may(battle_for, ada, row.pk, to="administer") == 403


def test_a_delegate_acts_for_the_side(made: c.Club, ada: Any, ben: Any, dora: Any) -> None:
    add_delegate(warband=made.warband(ada), username="dora", actor=ada)
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    assert may(post_battle_for, dora, row.pk, made.warband(ada).pk) == 200
    assert may(post_battle_for, dora, row.pk, made.warband(ben).pk) == 403


def test_a_seat(made: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    pk = made.seat(ada).pk
    assert [may(seat_for, user, pk, to="act") for user in (ada, ben, cleo, dora)] == [200, 403, 200, 404]
    assert [may(seat_for, user, pk, to="administer") for user in (ada, cleo)] == [403, 200]


def test_a_captive_is_for_both_owners(made: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    eve = person("eve")
    c.joins(made, eve, "third-breach")
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ben, winner=ben, out={ada: ["Ilse Brandt"]})
    sequence = c.begin(row, ada)
    key = f"trauma-{c.keys(made.warband(ada), 'Ilse Brandt')[0]}"
    c.type_in(sequence, key, 1, 2)
    c.write(sequence, key)
    pk = Capture.objects.get().pk
    assert [may(capture_for, user, pk) for user in (ada, ben, cleo, eve, dora)] == [200, 200, 200, 403, 404]


def test_rosters_are_seen_as_the_campaign_says(made: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    warband = made.warband(ada)
    assert [right_of(user, warband) for user in (ada, ben, cleo, dora)] == ["own", "read", "edit", None]
    change_campaign(campaign=made.campaign, actor=cleo, rosters="opponents")
    assert right_of(ben, warband) is None
    row = c.battle(made, ada, ben)
    assert right_of(ben, warband) == "read"
    change_campaign(campaign=made.campaign, actor=cleo, rosters="muster")
    assert right_of(ben, warband) is None
    make_side_ready(side=c.side(row, ada), actor=ada)
    assert right_of(ben, warband) == "read"
    assert may(warband_for, dora, warband.pk) == 404


def test_an_administrator_loses_a_warband_that_left(made: c.Club, ada: Any, cleo: Any) -> None:
    leave_seat(seat=made.seat(ada), actor=ada)
    assert right_of(cleo, made.warband(ada)) == "read"


def test_history_knows_battles_by_their_scenarios_with_one_query(
    made: c.Club, ada: Any, ben: Any, django_assert_num_queries: Any
) -> None:
    one, other = c.battle(made, ada, ben), c.battle(made, ada, ben)
    nowhere = ("battle:999999", "battle:soon", "battle:" + "9" * 30, "")
    with django_assert_num_queries(1):
        told = occasions_told((one.occasion, other.occasion, one.occasion, *nowhere))
    assert told[one.occasion] == ("Hill 223", f"/battles/{one.pk}/")
    assert told[other.occasion][1] == f"/battles/{other.pk}/"
    assert {told[occasion] for occasion in nowhere} == {("", "")}
    with django_assert_num_queries(0):
        assert occasions_told([""]) == {"": ("", "")}


def test_the_export_of_an_account_holds_seats_and_reports(made: c.Club, ada: Any, ben: Any) -> None:
    c.fight(c.battle(made, ada, ben), by=ada, winner=ada)
    data = exported_data(ada)["campaigns"]
    assert data["seats"][0]["campaign"] == "The Winter at Gallows Weir"
    assert len(data["reports"]) == 1
