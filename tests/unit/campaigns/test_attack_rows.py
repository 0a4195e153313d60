"""The rows of all attacks, which a phone fetches beside the page of a table: whose they are, and when they change."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle
from campaigns.services.tracker import act_at_table, begin_table
from config.offline import BORROWED
from tests import campaign_stories as c
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    found = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")
    begin_table(battle=found, actor=ada)
    return found


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def named(client: Client, battle: Battle, since: str = "") -> str:
    """The address that the page of the table names, or an update of it; "" if it names none."""
    here = reverse("battle-track", args=[battle.pk])
    answer = client.get(f"{here}?since={since}", headers={"x-table": "1"}) if since else client.get(here)
    found = re.search(r'id="t_head"[^>]* data-attacks="([^"]+)"', answer.content.decode())
    return found[1] if found else ""


def test_a_side_is_given_its_own_attacks_on_the_others(battle: Battle, ada: Any, ben: Any) -> None:
    mine, theirs = signed_in(ada), signed_in(ben)
    address, other = named(mine, battle), named(theirs, battle)
    assert address != other
    answer = mine.get(address)
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "private, max-age=86400, immutable"
    assert answer["X-Reader"] == str(ada.pk)
    assert answer["X-Keep"] == "yes"
    book = answer.json()
    assert len(book["fighters"]) > 3
    assert not set(book["fighters"]) & set(book["targets"])
    assert set(book["fighters"]) == set(theirs.get(other).json()["targets"])
    assert mine.get(other).status_code == theirs.get(address).status_code == 404


def test_who_does_not_play_is_given_none(battle: Battle, ada: Any, ben: Any, cleo: Any, django_user_model: Any) -> None:
    address = named(signed_in(ada), battle)
    stranger = django_user_model.objects.create_user(username="stranger", email="stranger@example.org")
    assert Client().get(address).status_code == 302
    assert signed_in(stranger).get(address).status_code == 404
    assert signed_in(cleo).get(address).status_code == 404  # an administrator acts for both sides: those are other rows
    assert signed_in(cleo).get(named(signed_in(cleo), battle)).status_code == 200


def test_a_computer_that_is_not_ones_own_keeps_nothing(battle: Battle, ada: Any) -> None:
    client = signed_in(ada)
    session = client.session
    session[BORROWED] = True
    session.save()
    answer = client.get(named(client, battle))
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert "X-Keep" not in answer


def test_a_changed_roster_has_other_rows_and_the_next_update_names_them(battle: Battle, ada: Any, ben: Any) -> None:
    client = signed_in(ada)
    address = named(client, battle)
    assert named(client, battle) == address
    warband = c.side(battle, ben).warband
    warband.__class__.objects.filter(pk=warband.pk).update(version=warband.version + 1)
    assert client.get(address).status_code == 404
    fighter = battle.table.state["fighters"][0]["key"]
    act_at_table(battle=battle, actor=ada, data={"kind": "marker", "fighter": fighter, "marker": "blood", "change": 1})
    newer = named(client, battle, since="1")
    assert newer not in ("", address)
    assert client.get(newer).status_code == 200


def test_an_ended_battle_has_no_rows(battle: Battle, ada: Any) -> None:
    client = signed_in(ada)
    address = named(client, battle)
    act_at_table(battle=battle, actor=ada, data={"kind": "end"})
    assert named(client, battle) == ""
    assert client.get(address).status_code == 404


def test_rows_that_are_known_need_no_roster(battle: Battle, ada: Any, django_assert_max_num_queries: Any) -> None:
    client = signed_in(ada)
    address = named(client, battle)
    first = client.get(address).content
    with django_assert_max_num_queries(7):
        assert client.get(address).content == first


def test_games_that_do_not_reckon_name_none(ada: Any, ben: Any, cleo: Any) -> None:
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Wire", system="trench-too-far", edition=""), cleo)
    for user, sample in ((ada, "canal-company"), (ben, "quarry-company")):
        c.joins(made, user, sample=sample)
    battle = c.mustered(made, ada, ben, scenario="")
    begin_table(battle=battle, actor=ada)
    assert named(signed_in(ada), battle) == ""
