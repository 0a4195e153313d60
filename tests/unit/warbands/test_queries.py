"""Every page of one warband runs the same number of queries for 2 fighters and for 20, and the builder stays small."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import stories
from tests.module_story import story
from warbands.services.sharing import share_warband

pytestmark = pytest.mark.django_db

MOST = 15
OF_A_WARBAND = (
    "warband-show",
    "fighter-hire",
    "stash-show",
    "ledger-list",
    "history-show",
    "warband-ready",
    "warband-change",
    "warband-share",
    "warband-disband",
    "warband-export",
)
OF_A_FIGHTER = (
    "fighter-show",
    "kit-buy",
    "upgrade-buy",
    "fighter-copy",
    "fighter-dismiss",
    "fighter-rename",
    "fighter-note",
    "fighter-move",
)
OF_A_PIECE = ("item-give", "item-swap", "item-stash", "item-sell", "item-return")
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def manned(owner, yeomen, name):
    warband = stories.found(owner, name=name)
    stories.hire(warband, "Lieutenant", "Ilse Brandt")
    for number in range(yeomen):
        yeoman = stories.hire(warband, "Yeoman", f"Yeoman {number + 1}")
        if number < 2:
            stories.equip(yeoman, "Gas Mask")
    return warband


def count(client, address):
    client.get(address)  # what is kept per process is there then
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, address
    return sum(1 for query in captured if not query["sql"].startswith(TRANSACTION)), answer


@story
def warbands(ada):
    return manned(ada, 1, "Few"), manned(ada, 19, "Many")


@pytest.fixture
def pair(client, ada, warbands):
    client.force_login(ada)
    return warbands


@pytest.mark.parametrize("name", OF_A_WARBAND)
def test_a_page_of_a_warband(client, pair, name):
    few, many = (count(client, reverse(name, args=[warband.pk]))[0] for warband in pair)
    assert few == many
    assert many <= MOST


@pytest.mark.parametrize("name", OF_A_FIGHTER)
def test_a_page_of_a_fighter(client, pair, name):
    few, many = (count(client, reverse(name, args=[stories.fighter(warband, "Yeoman 1").pk]))[0] for warband in pair)
    assert few == many
    assert many <= MOST


@pytest.mark.parametrize("name", OF_A_PIECE)
def test_a_page_of_a_piece(client, pair, name):
    pieces = [stories.fighter(warband, "Yeoman 1").items.get(item_id="gas-mask") for warband in pair]
    few, many = (count(client, reverse(name, args=[piece.pk]))[0] for piece in pieces)
    assert few == many
    assert many <= MOST


def test_the_page_of_an_undo(client, pair):
    few, many = (count(client, reverse("event-undo", args=[stories.last_event(warband).pk]))[0] for warband in pair)
    assert few == many
    assert many <= MOST


def test_a_shared_roster(client, ada, pair):
    few, many = (
        count(client, reverse("warband-watch", args=[share_warband(warband=w, actor=ada).slug]))[0] for w in pair
    )
    assert few == many
    assert many <= MOST


def test_the_list_of_warbands(client, ada, pair):
    before, _ = count(client, reverse("warband-list"))
    for number in range(5):
        stories.found(ada, name=f"More {number}")
    after, _ = count(client, reverse("warband-list"))
    assert before == after <= MOST


def test_the_builder_of_twelve_fighters_is_small(client, ada):
    client.force_login(ada)
    warband = manned(ada, 11, "Twelve")
    _, answer = count(client, reverse("warband-show", args=[warband.pk]))
    assert answer.content.count(b'<details class="unit"') == 12
    assert len(answer.content) < 120_000
