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


def count(client, address, headers=None):
    client.get(address, headers=headers)  # what is kept per process is there then
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, headers=headers)
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


# --- the parts of the builder ---------------------------------------------------------------------------------------------


def htmx(target, here):
    return {"HX-Request": "true", "HX-Target": f"div#{target}", "HX-Current-URL": f"http://testserver{here}"}


PARTS = {
    "an open fighter": lambda warband, pk: (f"{reverse('warband-show', args=[warband.pk])}?fighter={pk}", {}),
    "its panel": lambda warband, pk: (reverse("fighter-show", args=[pk]) + "?part=panel", htmx("panel", "/")),
    "its shop": lambda warband, pk: (reverse("kit-buy", args=[pk]) + "?part=beside", htmx("shop", "/")),
    "what may be hired": lambda warband, pk: (
        reverse("fighter-hire", args=[warband.pk]) + "?part=beside",
        htmx("hire", "/"),
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_the_builder(client, pair, name):
    counted = []
    for warband in pair:
        address, headers = PARTS[name](warband, stories.fighter(warband, "Yeoman 1").pk)
        counted.append(count(client, address, headers)[0])
    assert counted[0] == counted[1]
    assert counted[1] <= MOST


# What one press asks: who presses, the roster, the lock, what the act writes, the new totals, and the roster again for the answer.
MOST_OF_A_PRESS = 26
PRESSES = {
    "hire": lambda warband, pk, offer: (reverse("fighter-hire", args=[warband.pk]), "hire", {"offer": offer}),
    "hire beside": lambda warband, pk, offer: (
        reverse("fighter-hire", args=[warband.pk]),
        "hire",
        {"offer": offer, "beside": "1"},
    ),
    "buy": lambda warband, pk, offer: (reverse("kit-buy", args=[pk]), "kit", {"offer": item_of(warband, pk)}),
    "buy beside": lambda warband, pk, offer: (
        reverse("kit-buy", args=[pk]),
        "shop",
        {"offer": item_of(warband, pk), "beside": "1"},
    ),
    "rename": lambda warband, pk, offer: (reverse("fighter-rename", args=[pk]), "panel", {"name": "Somebody else"}),
    "another name": lambda warband, pk, offer: (reverse("fighter-rename", args=[pk]), "panel", {"another": "1"}),
}


def item_of(warband, pk):
    return stories.item_offer(warband, "Trench Club", stories.fighter(warband, "Yeoman 1")).id


@pytest.mark.parametrize("name", PRESSES)
def test_a_press_in_the_builder(client, pair, name):
    counted = []
    for warband in pair:
        pk = stories.fighter(warband, "Yeoman 1").pk
        address, target, fields = PRESSES[name](warband, pk, stories.hire_offer(warband, "Yeoman").id)
        client.get(address, headers=htmx(target, "/"))
        sent = {**fields, "seen": stories.fresh(warband).version}
        with CaptureQueriesContext(connection) as captured:
            answer = client.post(address, sent, headers=htmx(target, reverse("warband-show", args=[warband.pk])))
        assert answer.status_code == 200, answer.content.decode()[:500]
        assert stories.fresh(warband).version == sent["seen"] + 1
        counted.append(sum(1 for query in captured if not query["sql"].startswith(TRANSACTION)))
    assert counted[0] == counted[1]
    assert counted[1] <= MOST_OF_A_PRESS


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


def test_the_builder_with_an_open_fighter_its_shop_and_what_may_be_hired_is_small(client, ada):
    client.force_login(ada)
    warband = manned(ada, 11, "Twelve")
    pk = stories.fighter(warband, "Yeoman 1").pk
    parts = [
        count(client, *PARTS[name](warband, pk))[1] for name in ("an open fighter", "its shop", "what may be hired")
    ]
    assert sum(len(part.content) for part in parts) < 120_000
