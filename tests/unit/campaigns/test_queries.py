"""Every page of a campaign runs the same number of queries for few seats, battles and fighters as for many, and at most fifteen."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Campaign, Capture
from campaigns.services.open import open_campaign
from campaigns.services.rounds import open_round
from rules.price import Price
from tests import campaign_stories as c
from tests import stories as s
from tests.conftest import person
from tests.module_story import story
from warbands.adapters import force_of
from warbands.recording import recording

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]

MOST = 15
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def count(client, address):
    client.get(address)  # what is kept per process is there then, and messages are read
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, address
    return sum(1 for query in captured if not query["sql"].startswith(TRANSACTION))


def enlarge(warband, more):
    """Give a warband the money for so many more fighters, and hire them."""
    with recording(warband, kind="gift", actor=warband.owner) as act:
        act.earn(Price(ducats=2000), reason="A gift")
        act.say("{who} was given 2000 ducats.")
    for _ in range(more):
        warband = s.fresh(warband)
        offers = warband.terms.game.hire_offers(warband.terms.content, force_of(warband))
        s.hire(warband, next(offer.name for offer in offers if offer.state == "open" and offer.limit is None))


@story
def clubs(cleo):
    """Two campaigns of one administrator: two seats and one battle, and eight seats with many."""
    return cleo, [_club(cleo, "few", 2, 0), _club(cleo, "many", 4, 9)]


def _club(cleo, word, players, more_fighters):
    people = [person(f"{word}{n}") for n in range(players)]
    club = c.club(cleo, *people, seen_by=Campaign.SeenBy.LINK)
    Campaign.objects.filter(pk=club.campaign.pk).update(name=f"The {word}")
    club.campaign.refresh_from_db()
    first, second = people[:2]
    if more_fighters:
        enlarge(club.warband(first), more_fighters)
    open_round(campaign=club.campaign, actor=cleo)
    rows = []
    for pair in [(first, second)] + ([(people[2], people[3]), (people[1], people[2])] if players > 2 else []):
        row = c.mustered(club, *pair)
        c.fight(row, pair[1], pair[1], out={pair[0]: [c.named_first(club, pair[0])]})
        c.resolve(row, pair[1])
        if rows:
            c.resolve(row, pair[0])
        rows.append(row)
    open_battle = c.battle(club, second, people[-1] if players > 2 else first)
    played = rows[0]
    post_battle = c.begin(played, first)
    key = f"trauma-{c.keys(club.warband(first), c.named_first(club, first))[0]}"
    c.type_in(post_battle, key, 1, 2)
    c.write(post_battle, key)
    return club, people, played, open_battle


def both(client, clubs, user_of, address_of):
    cleo, worlds = clubs
    found = []
    for club, people, played, ahead in worlds:
        client.force_login(cleo if user_of is None else people[user_of])
        found.append(count(client, address_of(club, people, played, ahead)))
    return found


PAGES = {
    "campaign-show": (0, lambda club, people, played, ahead: [club.campaign.pk]),
    "campaign-watch": (0, lambda club, people, played, ahead: [club.campaign.slug]),
    "news-list": (0, lambda club, people, played, ahead: [club.campaign.pk]),
    "news-watch": (0, lambda club, people, played, ahead: [club.campaign.slug]),
    "house-rule-list": (0, lambda club, people, played, ahead: [club.campaign.pk]),
    "round-show": (0, lambda club, people, played, ahead: [club.campaign.pk, 1]),
    "battle-schedule": (0, lambda club, people, played, ahead: [club.campaign.pk]),
    "campaign-join": (0, lambda club, people, played, ahead: [c.link(club.campaign)]),
    "campaign-administer": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "player-list": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "round-arrange": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "campaign-overview": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "campaign-texts": (0, lambda club, people, played, ahead: [club.campaign.pk]),
    "region-list": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "campaign-copy": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "round-pair": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "challenge-list": (0, lambda club, people, played, ahead: [club.campaign.pk]),
    "campaign-calendar": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "booklet-print": (None, lambda club, people, played, ahead: [club.campaign.pk]),
    "seat-show": (None, lambda club, people, played, ahead: [club.seat(people[0]).pk]),
    "seat-repair": (None, lambda club, people, played, ahead: [club.seat(people[0]).pk]),
    "seat-found": (None, lambda club, people, played, ahead: [club.seat(people[0]).pk]),
    "battle-show": (0, lambda club, people, played, ahead: [played.pk]),
    "report-confirm": (0, lambda club, people, played, ahead: [played.pk]),
    "force-select": (1, lambda club, people, played, ahead: [ahead.pk]),
    "battle-report": (1, lambda club, people, played, ahead: [ahead.pk]),
    "capture-settle": (0, lambda club, people, played, ahead: [Capture.objects.get(battle=played).pk]),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_as_many_queries_for_many(client, clubs, name):
    user, arguments = PAGES[name]
    few, many = both(client, clubs, user, lambda *world: reverse(name, args=arguments(*world)))
    assert few == many
    assert many <= MOST


@pytest.mark.parametrize("query", ["?edit=campaign", "?edit=ways", "?edit=rules", "?edit=readings"])
def test_a_settings_form(client, clubs, query):
    few, many = both(
        client, clubs, None, lambda club, *rest: reverse("house-rule-list", args=[club.campaign.pk]) + query
    )
    assert few == many
    assert many <= MOST


@pytest.mark.parametrize(
    "step", ["injuries", "experience", "promotion", "threshold", "fork", "exploration", "camp", "roster"]
)
def test_a_step(client, clubs, step):
    few, many = both(
        client,
        clubs,
        0,
        lambda club, people, played, ahead: reverse(
            "post-battle-resolve", args=[played.pk, club.warband(people[0]).pk, step]
        ),
    )
    assert few == many
    assert many <= MOST


@pytest.mark.parametrize("step", ["promotion", "fork", "camp", "roster"])
def test_a_step_of_a_closed_sequence(client, clubs, step):
    few, many = both(
        client,
        clubs,
        1,
        lambda club, people, played, ahead: reverse(
            "post-battle-resolve", args=[played.pk, club.warband(people[1]).pk, step]
        ),
    )
    assert few == many
    assert many <= MOST


def test_the_desk(client, clubs):
    few, many = both(client, clubs, 0, lambda *world: "/")
    assert few == many
    assert many <= MOST


def test_the_desk_of_who_runs_both(client, clubs):
    cleo, _ = clubs
    client.force_login(cleo)
    assert count(client, "/") <= MOST
    assert count(client, reverse("campaign-list")) <= MOST


def test_a_welcome_runs_no_query(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get("/")


def test_a_new_campaign(client, clubs):
    cleo, _ = clubs
    client.force_login(cleo)
    campaign = open_campaign(actor=cleo, name="Empty")
    for name in ("campaign-show", "campaign-administer", "player-list", "round-arrange"):
        assert count(client, reverse(name, args=[campaign.pk])) <= MOST
