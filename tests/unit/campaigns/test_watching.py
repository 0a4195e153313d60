"""The link by which anybody watches the table of a battle: who hands it out, what it shows, and that it ends; and the public campaign page."""

from __future__ import annotations

from typing import Any
from zlib import compress

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Campaign, DiceSeed, Table, WatchLink
from campaigns.report_prefill import table_state
from campaigns.services.tracker import act_at_table, begin_table, roll_at_table
from campaigns.services.watching import hand_out_watch_link, revoke_watch_link
from campaigns.stream import heard_at, stream_address
from tests import campaign_stories as c
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PHONE = {"HTTP_X_TABLE": "1"}


@story
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    found = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")
    begin_table(battle=found, actor=ada)
    return found


def under(battle: Battle, **rules: str) -> str:
    """Let the campaign show rosters, or itself, in this way; the address of the link to watch."""
    Campaign.objects.filter(pk=battle.campaign_id).update(**rules)
    return reverse("watch-show", args=[hand_out_watch_link(battle=battle)])


def shown(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200
    assert answer["X-Robots-Tag"] == "noindex"
    return str(answer.content.decode())


@pytest.mark.parametrize("who", ["ada", "cleo"])
def test_a_side_and_an_administrator_hand_the_link_out_and_revoke_it(
    battle: Battle, who: str, ada: Any, ben: Any, cleo: Any, dora: Any
) -> None:
    client, share = Client(), reverse("watch-share", args=[battle.pk])
    client.force_login({"ada": ada, "cleo": cleo}[who])
    table = client.get(reverse("battle-track", args=[battle.pk])).content.decode()
    assert f'href="{share}"' in table
    assert "/watch/" not in client.get(share).content.decode()
    assert client.post(share, {"press": "hand-out"}).status_code == 302
    code = WatchLink.objects.get().code
    page = client.get(share)
    assert f"/watch/{code}/" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert client.post(share, {"press": "hand-out"}).status_code == 302
    assert WatchLink.objects.get().code == code  # a second press hands out the same link
    there = reverse("watch-show", args=[code])
    assert "You are watching" in shown(there)
    client.post(share, {"press": "revoke"})
    assert Client().get(there).status_code == 404
    assert Client().get(f"{there}?since=1", **PHONE).status_code == 404
    client.post(share, {"press": "hand-out"})
    assert WatchLink.objects.get().code not in ("", code)
    assert Client().get(there).status_code == 404
    other = Client()
    other.force_login(dora)
    assert other.post(share, {"press": "hand-out"}).status_code == 404


def test_it_shows_the_board_and_no_button_account_or_seed(battle: Battle, ada: Any) -> None:
    there = under(battle, rosters="open", seen_by="players")
    roll_at_table(battle=battle, actor=ada, roll="initiative", data={}, source="app")
    page = shown(there)
    for words in ("data-watched", "Sniper Rifle", "Trench Cleric", "rolled by the app"):
        assert words in page
    for words in ('name="press"', 'method="post"', DiceSeed.objects.get().seed, "Ada", f"/battles/{battle.pk}/"):
        assert words not in page
    assert f'data-tracker="{there}"' in page


@pytest.mark.parametrize("rosters", ["opponents", "muster"])
def test_where_rosters_are_hidden_it_shows_who_stands_and_not_with_what(battle: Battle, ada: Any, rosters: str) -> None:
    there = under(battle, rosters=rosters)
    state = table_state(battle)
    assert state is not None
    page = shown(there)
    assert all(fighter.name in page for fighter in state.fighters)
    for words in ("Sniper Rifle", "table-card", "table-brief", "statline"):
        assert words not in page
    mine = state.of(str(c.side(battle, ada).pk))[1].key
    act_at_table(battle=battle, actor=ada, data={"kind": "down", "fighter": mine})
    update = Client().get(f"{there}?since=1", **PHONE).content.decode()
    assert f'id="f{mine}"' in update
    assert "table-card" not in update
    assert "Ada" not in update


def test_nothing_new_is_a_bare_204_in_one_query_and_an_update_is_small(
    battle: Battle, ada: Any, django_assert_max_num_queries: Any
) -> None:
    there = under(battle, rosters="open")
    with django_assert_max_num_queries(1):
        answer = Client().get(f"{there}?since=1", **PHONE)
    assert (answer.status_code, answer.content, dict(answer.headers)) == (204, b"", {"Cache-Control": "no-store"})
    act_at_table(battle=battle, actor=ada, data={"kind": "score", "side": str(c.side(battle, ada).pk), "change": 1})
    answer = Client().get(f"{there}?since=1", **PHONE)
    assert (answer.status_code, answer["X-Table-Version"], answer["X-Robots-Tag"]) == (200, "2", "noindex")
    assert len(compress(answer.content)) < 10_000
    assert Client().post(there, {"press": "turn 1"}).status_code == 405


def test_the_phones_of_watchers_stop_asking_once_the_battle_has_ended(battle: Battle, ada: Any) -> None:
    there = under(battle)
    act_at_table(battle=battle, actor=ada, data={"kind": "end"})
    assert Client().get(f"{there}?since=1", **PHONE)["X-Table-Reload"] == "1"
    page = shown(there)
    assert "data-ended" in page
    assert "The battle has ended." in page


def test_news_of_the_table_stream_to_whoever_has_the_link(battle: Battle, settings: Any) -> None:
    settings.STREAM_URL = "/stream/"
    there = under(battle)
    code = there.strip("/").split("/")[1]
    address = stream_address(battle, code=code)
    assert f'data-stream="{address}"' in shown(there)
    heard = heard_at(address, "")
    assert heard is not None
    assert (heard.table, heard.version) == (Table.objects.get().pk, 1)
    revoke_watch_link(battle=battle)
    assert heard_at(address, "") is None
    assert heard_at("/stream/watch//", "") is None


@pytest.mark.parametrize(("rosters", "is_shown"), [("open", True), ("opponents", False)])
def test_the_public_campaign_page_leads_to_a_table_that_is_played_at(
    battle: Battle, ada: Any, rosters: str, is_shown: bool
) -> None:
    under(battle, rosters=rosters, seen_by="link")
    campaign = Campaign.objects.get(pk=battle.campaign_id)
    home, table = (
        reverse("campaign-watch", args=[campaign.slug]),
        reverse("table-watch", args=[campaign.slug, battle.pk]),
    )
    page = Client().get(home).content.decode()
    assert (f'href="{table}"' in page) == is_shown
    assert "/watch/" not in page  # the battle's own link stays a secret
    act_at_table(battle=battle, actor=ada, data={"kind": "end"})
    assert f'href="{table}"' not in Client().get(home).content.decode()
