"""Regions: named, staked, linked and held over time, each by an act with undo; and a map that is the same for everybody."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from campaigns.models import Campaign, Region, RegionHold, RegionLink
from campaigns.region_map import distance, laid_out
from campaigns.services.answers import confirm_report
from campaigns.services.regions import add_regions, change_region, take_region
from campaigns.services.rounds import open_round
from campaigns.services.seasons import copy_campaign
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event
from warbands.undo import undo

NAMES = ("The Weir", "Hill 223", "Old Chapel")


@story
def made(ada: Any, ben: Any, cleo: Any) -> c.Club:
    club = c.club(cleo, ada, ben, seen_by=Campaign.SeenBy.LINK)
    open_round(campaign=club.campaign, actor=cleo)
    add_regions(campaign=club.campaign, names=NAMES, actor=cleo)
    return club


def region(name: str) -> Region:
    return Region.objects.select_related("campaign").get(name=name)


def won_by_ben(made: c.Club, ada: Any, ben: Any) -> Any:
    row = c.mustered(made, ada, ben, round=made.campaign.rounds.get())
    c.fight(row, ben, ben, points={ada: 2, ben: 6})
    confirm_report(battle=c.fresh_battle(row), actor=ada, side=c.side(row, ada))
    return c.fresh_battle(row)


@pytest.mark.django_db
def test_neighbours_and_stakes_are_set_and_undone(made: c.Club, cleo: Any) -> None:
    weir, hill, chapel = map(region, NAMES)
    change_region(region=weir, name="The Weir", stake="+1 point", neighbours=[hill.pk, chapel.pk, 999999], actor=cleo)
    assert RegionLink.objects.live().filter(is_over=False).count() == 2
    change_region(region=hill, name="Hill 223", stake="", neighbours=[], actor=cleo)
    assert list(RegionLink.objects.live().filter(is_over=False).values_list("other", flat=True)) == [chapel.pk]
    undo(event=Event.objects.filter(kind="region").latest("pk"), actor=cleo)
    assert RegionLink.objects.live().filter(is_over=False).count() == 2
    with pytest.raises(Refusal, match="has a region called"):
        change_region(region=hill, name="the weir", stake="", neighbours=[], actor=cleo)


@pytest.mark.django_db
def test_a_win_changes_the_owner_by_an_act_with_undo(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    weir = region("The Weir")
    take_region(region=weir, seat=made.seat(ada), actor=cleo)
    battle = won_by_ben(made, ada, ben)
    with pytest.raises(Refusal, match="did not win"):
        take_region(region=region("Hill 223"), seat=made.seat(ada), battle=battle, actor=cleo)
    take_region(region=weir, seat=made.seat(ben), battle=battle, actor=cleo)
    event = Event.objects.get(pk=Event.objects.filter(kind="region-owner").latest("pk").pk)
    assert made.warband(ben).name in event.told
    assert made.warband(ada).name in event.told
    holds = list(RegionHold.objects.live().filter(region=weir).order_by("pk"))
    assert [(hold.seat_id, hold.round and hold.round.number) for hold in holds] == [
        (made.seat(ada).pk, 1),
        (made.seat(ben).pk, 1),
    ]
    take_region(region=weir, seat=made.seat(ben), actor=cleo)  # who holds it already: nothing is written
    assert RegionHold.objects.count() == 2
    undo(event=event, actor=cleo)
    last = RegionHold.objects.live().filter(region=weir).last()
    assert last is not None
    assert last.seat_id == made.seat(ada).pk


@pytest.mark.django_db
def test_a_copy_has_the_regions_without_owners(made: c.Club, ada: Any, cleo: Any) -> None:
    weir, hill, _chapel = map(region, NAMES)
    change_region(region=weir, name="The Weir", stake="+1 point", neighbours=[hill.pk], actor=cleo)
    take_region(region=weir, seat=made.seat(ada), actor=cleo)
    copy = copy_campaign(campaign=made.campaign, actor=cleo, name="Copy")
    assert list(copy.regions.order_by("pk").values_list("name", "stake")) == [
        ("The Weir", "+1 point"),
        ("Hill 223", ""),
        ("Old Chapel", ""),
    ]
    assert RegionLink.objects.filter(region__campaign=copy, other__name="Hill 223").exists()
    assert not RegionHold.objects.filter(region__campaign=copy).exists()


@pytest.mark.django_db
def test_the_page_shows_map_list_and_history_and_changes_them(
    made: c.Club, ada: Any, ben: Any, cleo: Any, client: Client
) -> None:
    battle = won_by_ben(made, ada, ben)
    here = reverse("region-list", args=[made.campaign.pk])
    client.force_login(cleo)
    weir = region("The Weir")
    token = new_token()
    sent = {"act": "take", "region": weir.pk, "seat": made.seat(ben).pk, "battle": battle.pk, "token": token}
    assert client.post(here, sent).status_code == 302
    assert client.post(here, sent).status_code == 200  # pressed twice
    assert RegionHold.objects.count() == 1
    assert client.post(here, {**sent, "seat": 999999, "token": new_token()}).status_code == 422
    assert client.post(here, {"act": "add", "names": " ", "token": new_token()}).status_code == 422
    client.force_login(ada)
    page = client.get(here).content.decode()
    owner = made.warband(ben).name
    assert f"Held by {owner}." in page
    assert page.count("region-cell") == 3
    assert "<b>Round 1</b>" in page
    assert client.post(here, sent).status_code == 403
    client.logout()
    watched = client.get(reverse("region-watch", args=[made.campaign.slug])).content.decode()
    assert f"Held by {owner}." in watched
    assert "<form" not in watched.split("<main", 1)[1].split("</main>", 1)[0]


@given(st.integers(min_value=1, max_value=16), st.data())
def test_a_map_has_a_place_of_its_own_for_each_region(count: int, data: Any) -> None:
    keys = list(range(1, count + 1))
    pairs = [(one, other) for one in keys for other in keys if one < other]
    links = data.draw(st.lists(st.sampled_from(pairs), max_size=20)) if pairs else []
    cells = laid_out(keys, links)
    assert len(set(cells.values())) == count
    assert cells == laid_out(reversed(keys), list(reversed(links)))


def test_neighbours_stand_beside_each_other_where_they_can() -> None:
    ring = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6)]
    cells = laid_out(range(1, 7), ring)
    assert sum(distance(cells[one], cells[other]) for one, other in ring) <= 8
    chain = [(key, key + 1) for key in range(1, 12)]
    cells = laid_out(range(1, 13), chain)
    assert sum(distance(cells[one], cells[other]) == 1 for one, other in chain) >= 9
