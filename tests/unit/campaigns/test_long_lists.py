"""Long lists of a campaign come in pages: links that work without a script, state in the address, as many queries as a short one."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Battle, Campaign, Round, Seat, Side
from tests import campaign_stories as c
from tests.conftest import person
from tests.module_story import story
from warbands.idempotency import new_token

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

SEATS, BATTLES, ROUNDS, MOST = 60, 90, 14, 15
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@story
def clubs(cleo: Any) -> tuple[Any, c.Club, c.Club]:
    """Cleo's two campaigns: one of two seats and a battle, one of many seats and battles, one of them seated last."""
    return cleo, _club(cleo, "few", 3), _club(cleo, "many", BATTLES)


def _club(cleo: Any, word: str, battles: int) -> c.Club:
    made = c.club(cleo, *(person(f"{word}{n}") for n in range(2)), seen_by=Campaign.SeenBy.LINK)
    mine = [seat.pk for seat in made.seats.values()]
    more = SEATS if battles == BATTLES else 1
    Seat.objects.bulk_create(Seat(campaign=made.campaign, name=f"Guest {n}") for n in range(more))
    seats = list(Seat.objects.filter(campaign=made.campaign).order_by("pk"))
    last = ROUNDS if battles == BATTLES else 2  # one over, as in a longer campaign: its gazette is asked for
    rounds = [Round(campaign=made.campaign, number=n, is_closed=n < last) for n in range(1, last + 1)]
    found = Round.objects.bulk_create(rounds)[-1]
    rows = [
        Battle(
            campaign=made.campaign,
            round=found,
            status=("scheduled", "reported", "closed")[n % 3],
            scenario_id=c.SCENARIO,
        )
        for n in range(battles)
    ]
    for place, battle in enumerate(Battle.objects.bulk_create(rows)):
        pair = (seats[place % len(seats)], seats[(place + 1) % len(seats)])
        points = None if battle.status == "scheduled" else 2
        Side.objects.bulk_create(
            Side(battle=battle, seat=seat, warband=seat.warband, place=n, points=points) for n, seat in enumerate(pair)
        )
    made.seats = {str(seat.user): seat for seat in Seat.objects.filter(pk__in=mine).select_related("user")}
    return made


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def asked(client: Client, address: str) -> tuple[int, str]:
    """How many queries a page takes, and its text."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, address
    return sum(not query["sql"].startswith(TRANSACTION) for query in captured), answer.content.decode()


PAGES = ("campaign-show", "player-list", "round-arrange", "campaign-administer", "battle-schedule")


@pytest.mark.parametrize("name", [*PAGES, "round-show"])
def test_a_long_list_is_cut_into_pages_that_hold_everything_once(clubs: Any, name: str) -> None:
    cleo, _, large = clubs
    client, here = signed_in(cleo), reverse(name, args=[large.campaign.pk, *([ROUNDS] if name == "round-show" else [])])
    sizes, shown, address = [], [], here
    while address:
        count, page = asked(client, address)
        assert count <= MOST, address
        sizes.append(len(page))
        shown += _rows(name, page)
        links = re.findall(r'<a class="button" href="([^"]+)" rel="next"', page)
        if name == "battle-schedule":
            turn = re.search(r'name="turn" value="(\d+)">Next', page)
            links = [f"{here}?page={turn[1]}"] if turn else []
        address = links[0].replace("&amp;", "&").partition("#")[0] if links else ""
    assert len(sizes) > 1
    expected = {"round-show": BATTLES, "round-arrange": ROUNDS, "campaign-administer": BATTLES * 2 // 3}.get(
        name, SEATS + 2
    )
    assert len(shown) == len(set(shown)) == expected
    assert asked(client, f"{here}?page=99")[1].count("Previous") == 1
    assert asked(client, f"{here}?page=no")[0] <= MOST


def _rows(name: str, page: str) -> list[str]:
    patterns = {
        "campaign-show": r'<th scope="row"><span class="marked">(?:<svg.*?</svg>)?<(?:a|span)[^>]*>([^<]+)',
        "player-list": r'<li[^>]* id="seat_(\d+)"',
        "round-arrange": r'<h2 class="section-head" id="round_(\d+)"',
        "round-show": r'href="/battles/(\d+)/"',
        "campaign-administer": r'href="/battles/(\d+)/(?:report|confirm)/"',
        "battle-schedule": r'id="id_seat_(\d+)"',
    }
    return re.findall(patterns[name], page)


@pytest.mark.parametrize("name", PAGES)
def test_a_long_list_takes_few_queries(clubs: Any, name: str) -> None:
    cleo, small, large = clubs
    client = signed_in(cleo)
    few, many = (asked(client, reverse(name, args=[club.campaign.pk]))[0] for club in (small, large))
    assert few == many <= MOST


def test_one_s_own_row_stands_below_the_standings_wherever_it_is(clubs: Any) -> None:
    _, _, large = clubs
    seat = large.seats["many1"]
    client, here = signed_in(seat.user), reverse("campaign-show", args=[large.campaign.pk])
    for address in (here, f"{here}?page=2", f"{here}?sort=won&page=3"):
        page = asked(client, address)[1]
        assert page.count("data-mine") == 1, address
        assert page.count("<tr") <= 27
    assert "sort=won&amp;page=2" in asked(client, f"{here}?sort=won&page=3")[1]


def test_who_is_ticked_stays_ticked_on_other_pages(clubs: Any) -> None:
    cleo, _, large = clubs
    client, here = signed_in(cleo), reverse("battle-schedule", args=[large.campaign.pk])
    chosen = large.seats["many0"].pk
    form = asked(client, here)[1].partition('<form class="form form-wide" method="post"')[2]
    assert "name=" not in re.findall(r"<button[^>]*>", form)[0]  # the Enter key sets the battle up
    sent = {
        "token": new_token(),
        "seat": [chosen],
        "planned_for": "2026-12-24",
        "round": str(ROUNDS),
        "guest_name": "Emil",
        "turn": "2",
    }
    answer = client.post(here, sent)
    assert answer.status_code == 302
    kept = parse_qs(urlsplit(answer["Location"]).query)
    assert (kept["seat"], kept["page"], kept["round"], kept["guest_name"]) == (
        [str(chosen)],
        ["2"],
        [str(ROUNDS)],
        ["Emil"],
    )
    assert not {"csrfmiddlewaretoken", "token"} & kept.keys()
    page = asked(client, answer["Location"])[1]
    assert re.search(rf'id="id_seat_{chosen}" value="{chosen}" checked', page)
    assert 'value="2026-12-24"' in page
    assert 'value="Emil"' in page
    assert Battle.objects.filter(campaign=large.campaign).count() == BATTLES


def test_where_more_waits_than_is_read_the_desk_says_so(clubs: Any) -> None:
    cleo, small, large = clubs
    page = asked(signed_in(cleo), "/")[1]
    lines = re.findall(r"(\d+(?: or more)? things?|There may be more) for administrators", page)
    assert any("or more" in line for line in lines), lines
    for club in (small, large):
        assert reverse("campaign-administer", args=[club.campaign.pk]) in page
    desk = asked(signed_in(cleo), reverse("campaign-administer", args=[large.campaign.pk]))[1]
    assert "The rest follow once these are done." in desk


def test_a_short_list_has_no_pages(clubs: Any) -> None:
    cleo, small, _ = clubs
    client = signed_in(cleo)
    for name in PAGES:
        page = asked(client, reverse(name, args=[small.campaign.pk]))[1]
        assert 'class="pager"' not in page, name
        assert 'name="turn"' not in page
