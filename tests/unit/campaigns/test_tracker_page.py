"""The page of a table: with and without script, small updates, who may press what, and the way into the report and its answer."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from zlib import compress

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import reverse

from campaigns.access import TableRead, table_by_slug, table_for, table_read, table_read_by_slug
from campaigns.models import Battle, Campaign, Table, TableAct
from campaigns.report_prefill import logged_report, table_state
from campaigns.services.reports import send_report
from campaigns.services.tracker import act_at_table, begin_table
from rules.tracker.state import read_state
from tests import campaign_stories as c
from tests.conftest import person
from tests.module_story import story

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PHONE = {"HTTP_X_TABLE": "1"}


class Phone:
    """Somebody's phone at the table of a battle."""

    def __init__(self, user: Any, battle: Battle) -> None:
        self.user, self.battle = user, battle
        self.client = Client()
        self.client.force_login(user)
        self.here = reverse("battle-track", args=[battle.pk])

    def get(self, query: str = "") -> str:
        answer = self.client.get(self.here + query)
        assert answer.status_code == 200
        return answer.content.decode()

    def press(self, press: str, **fields: str) -> Any:
        return self.client.post(self.here, {"press": press, **fields})

    def ask(self, since: str) -> Any:
        return self.client.get(f"{self.here}?since={since}", **PHONE)

    def send(self, press: str, since: str, **fields: str) -> Any:
        return self.client.post(f"{self.here}?since={since}", {"press": press, **fields}, **PHONE)

    def own(self, place: int = 0) -> str:
        state = table_state(self.battle)
        assert state is not None
        return state.of(str(c.side(self.battle, self.user).pk))[place].key


@story
def battle(ada: Any, ben: Any, cleo: Any) -> Battle:
    return c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="trench-warfare")


@story
def phones(battle: Battle, ada: Any, ben: Any) -> tuple[Phone, Phone]:
    begin_table(battle=battle, actor=ada)
    return Phone(ada, battle), Phone(ben, battle)


def test_the_table_is_laid_by_a_press_and_by_no_look(battle: Battle, ada: Any, ben: Any) -> None:
    mine = Phone(ada, battle)
    assert "Start tracking" in mine.get()
    assert not Table.objects.exists()
    assert mine.press("begin").status_code == 302
    assert Phone(ben, battle).press("begin").status_code == 302
    assert Table.objects.count() == 1
    page = mine.get()
    assert "Turn 1 of 5" in page
    assert "Start tracking" not in page


def test_a_battle_that_is_not_mustered_says_what_it_waits_for(ada: Any, ben: Any, cleo: Any) -> None:
    club = c.club(cleo, ada, ben)
    page = Phone(ada, c.battle(club, ada, ben)).get()
    assert "The table opens once everyone is ready" in page
    assert "Start tracking" not in page


def test_a_press_goes_back_to_the_same_fighter(phones: tuple[Phone, Phone]) -> None:
    mine, _ = phones
    key = mine.own()
    answer = mine.press(f"marker {key} blood 1 0", token="t1")
    assert answer.headers["Location"] == f"{mine.here}?open={key}#f{key}"
    page = mine.get(f"?open={key}")
    assert re.search(rf'<details class="table-fighter" name="fighter" id="d{key}" open>', page)
    assert f'value="marker {key} blood 1 1"' in page
    again = mine.press(f"marker {key} blood 1 1", token="t1")
    assert again.status_code == 200
    assert "This was done already" in again.content.decode()


@pytest.mark.parametrize(
    "press",
    ["", "jump", "marker", "marker 0 blood 1", "marker x", "turn soon", "turn 7", "undo", "undo x", "undo 99", "anew 1 2 3",
     "marker 1 2 3 4 5 6", "deed", "note", "add", "roll", "score 999999 1 0", "keep", "out 999999", "end 3 4"],
)  # fmt: skip
def test_what_is_no_press_is_a_sentence_and_422(phones: tuple[Phone, Phone], press: str) -> None:
    mine, _ = phones
    for answer in (mine.press(press), mine.send(press, "1")):
        assert answer.status_code == 422
    assert TableAct.objects.count() == 1


def test_the_other_side_is_read_only(phones: tuple[Phone, Phone], dora: Any) -> None:
    mine, theirs = phones
    page = mine.get()
    assert f'value="acted {mine.own()}"' in page
    assert f"acted {theirs.own()}" not in page
    answer = mine.press(f"acted {theirs.own()}")
    assert answer.status_code == 422
    assert "Here it is read only" in answer.content.decode()
    stranger = Phone(dora, mine.battle)
    assert stranger.client.get(stranger.here).status_code == 404
    assert stranger.ask("1").status_code == 404


def test_a_closed_row_has_what_it_fights_with_and_its_figures_for_a_wide_screen(phones: tuple[Phone, Phone]) -> None:
    page = phones[0].get()
    assert page.count('<span class="table-brief-head" aria-hidden="true">Rg Ml Ar</span>') == 2
    assert '<p class="table-brief" aria-hidden="true"><span>Sniper Rifle</span><b>+2 −1 0</b></p>' in page
    assert 'data-sides="2"' in page
    assert "data-watched" not in page


def test_nothing_new_is_a_bare_204_in_one_query_besides_those_for_the_person(
    phones: tuple[Phone, Phone], django_assert_num_queries: Any
) -> None:
    mine, _ = phones
    with django_assert_num_queries(3) as asked:
        answer = mine.ask("1")
    assert [re.search(r'FROM "(\w+)"', query["sql"])[1] for query in asked] == [
        "django_session",
        "accounts_user",
        "campaigns_side",
    ]
    assert (answer.status_code, answer.content) == (204, b"")
    assert dict(answer.headers) == {"Cache-Control": "no-store"}
    assert not answer.cookies


def test_what_may_be_read_at_once_is_what_the_page_shows(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    club = c.club(cleo, ada, ben, dora)
    battle = c.mustered(club, ada, ben)
    assert table_read(ada, battle.pk) is None
    begin_table(battle=battle, actor=ada)
    stranger = person("eve")
    read = []
    for rosters in Campaign.Rosters.values:
        for seen_by in Campaign.SeenBy.values:
            Campaign.objects.update(rosters=rosters, seen_by=seen_by)
            for user in (ada, ben, cleo, dora, stranger, AnonymousUser()):
                found = table_read(user, battle.pk)
                assert (found is not None) == allows(lambda user=user: table_for(user, battle.pk))
                read.append(found)
            found = table_read_by_slug(club.campaign.slug, battle.pk)
            assert (found is not None) == allows(lambda: table_by_slug(club.campaign.slug, battle.pk))
            read.append(found)
    assert {None, TableRead(Table.objects.get().pk, 1, "mustered")} == set(read)
    assert table_read(ada, battle.pk + 1) is None
    assert table_read_by_slug("", battle.pk) is None


def allows(fetch: Callable[[], Any]) -> bool:
    try:
        fetch()
    except (Http404, PermissionDenied):
        return False
    return True


def test_an_update_holds_what_changed_and_little_more(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    changed, other = theirs.own(), theirs.own(1)
    theirs.press(f"marker {changed} blood 1 0")
    answer = mine.ask("1")
    text = answer.content.decode()
    assert (answer.status_code, answer.headers["X-Table-Version"]) == (200, "2")
    assert f'id="f{changed}"' in text
    assert f'id="f{other}"' not in text
    assert 'id="l2"' in text
    assert 'id="l1"' not in text
    assert len(compress(answer.content)) < 10_000
    assert mine.ask("2").status_code == 204


def test_an_update_tells_the_end_of_the_battle_and_of_activations_as_they_are_now(phones: tuple[Phone, Phone]) -> None:
    """What is left open, and who hands over, change with acts of fighters whose own rows stay as they are."""
    mine, theirs = phones
    state = table_state(mine.battle)
    assert state is not None
    sides = [state.of(str(c.side(phone.battle, phone.user).pk)) for phone in phones]
    mine.press(f"initiative {sides[0][0].side}")
    assert f'data-passes="{" ".join(fighter.key for fighter in sides[0])}"' in mine.get()
    for fighter in sides[1]:
        theirs.press(f"acted {fighter.key}")
    version = Table.objects.get().version
    last = mine.ask(str(version - 1)).content.decode()
    assert f'id="a{sides[0][0].key}"' not in last
    assert "data-yields" in last
    assert "data-passes" not in last
    ending = last.partition('id="t_ending"')[2].partition('id="t_strip"')[0]
    assert ending
    assert sides[0][0].name in ending
    assert sides[1][0].name not in ending


def test_the_update_of_a_deed_brings_this_deed_and_no_other(ada: Any, ben: Any, cleo: Any) -> None:
    """Without a scenario there are dozens of deeds to choose from, more than an update may hold."""
    battle = c.mustered(c.club(cleo, ada, ben), ada, ben, scenario="")
    begin_table(battle=battle, actor=ada)
    mine, theirs = Phone(ada, battle), Phone(ben, battle)
    state = table_state(battle)
    assert state is not None
    assert len(state.deeds) > 40
    done, other = state.deeds[3].id, state.deeds[4].id
    who = f"{c.side(battle, ada).pk}:{mine.own()}"
    for press, since in (({"press": "deed", "deed": done, "who": who}, "1"), ({"press": "undo 2"}, "2")):
        answers = [mine.send(press.pop("press"), since, **press), theirs.ask(since)]
        for phone, answer in enumerate(answers):
            text = answer.content.decode()
            assert len(answer.content) < 10_000
            assert f'id="g_{done}"' in text
            assert other not in text
            assert f'id="o_{done}" value="{done}"{" hidden disabled" if since == "1" else ""}>' in text, phone
            assert 'id="t_deed_options"' not in text
    assert mine.send(f"marker {mine.own()} blood 1 0", "3").content.decode().count('id="g_') == 0


def test_every_update_stays_under_ten_kilobytes_and_all_of_it_comes(phones: tuple[Phone, Phone]) -> None:
    mine = phones[0]
    state = table_state(mine.battle)
    assert state is not None
    for phone in phones:
        for fighter in state.of(str(c.side(phone.battle, phone.user).pk)):
            for kind in ("marker {} blood 2 0", "marker {} blessing 1 0", "acted {}", "down {} 1"):
                assert phone.press(kind.format(fighter.key)).status_code == 302
    mine.press("turn 1 1")
    version, seen, asked = "1", set(), 0
    while (answer := mine.ask(version)).status_code == 200:
        assert len(compress(answer.content)) < 10_000
        version = answer.headers["X-Table-Version"]
        seen |= set(re.findall(r' id="f(\d+)"', answer.content.decode()))
        asked += 1
        assert asked < 60
    assert seen == {fighter.key for fighter in state.fighters}
    assert version == str(Table.objects.get().version)


def test_a_phone_hears_of_its_press_what_changed_and_of_a_refusal_why(phones: tuple[Phone, Phone]) -> None:
    mine, _ = phones
    key = mine.own()
    answer = mine.send(f"marker {key} blood 1 0", "1", token="a")
    assert answer.status_code == 200
    assert f'id="p{key}"' in answer.content.decode()
    assert mine.send(f"marker {key} blood 5 0", "2", token="b").status_code == 200
    refused = mine.send(f"marker {key} blood 1 0", "3", token="c")
    assert refused.status_code == 422
    assert "holds 6 blood; 6 is the most" in refused.content.decode()
    assert mine.send(f"marker {key} blood 1 0", "2", token="a").status_code == 200  # its answer was lost; it was done


BIG = {  # the largest tables: samples, and how many fighters each side brings where a table is to be large
    "trench-crusade 1.6.3": ("lantern-wardens", "gallows-choir", 12),
    "trench-crusade 1.0": ("lantern-wardens", "gallows-choir", 12),
    "gloom-trench ": ("lamplight-column", "red-ford-company", 0),
    "trench-too-far ": ("canal-company", "quarry-company", 0),
}


@pytest.mark.parametrize("game", BIG)
def test_a_whole_table_is_120_kilobytes_at_most_and_40_when_it_is_sent(
    game: str, ada: Any, ben: Any, cleo: Any
) -> None:
    system, _, edition = game.partition(" ")
    campaign = c.open_campaign(actor=cleo, name="The Long Wire", system=system, edition=edition)
    made, (*samples, fighters) = c.Club(campaign, cleo), BIG[game]
    for user, sample in zip((ada, ben), samples, strict=True):
        c.joins(made, user, sample=sample, fighters=fighters)
    battle = c.mustered(made, ada, ben, scenario="")
    begin_table(battle=battle, actor=ada)
    mine = Phone(ada, battle)
    page = mine.get().encode()
    assert page.count(b"data-place=") >= 2 * fighters
    assert len(page) <= 120_000
    assert len(gzip.compress(page, 6)) <= 40_000
    assert b"\n " not in page  # no room is spent on how templates are set
    rows = re.search(rb' data-attacks="([^"]+)"', page)
    assert bool(rows) == (system == "trench-crusade")
    if rows:  # fetched after it
        answer = mine.client.get(rows[1].decode(), headers={"accept-encoding": "gzip"})
        assert len(answer.content) < 20_000
        assert len(json.loads(gzip.decompress(answer.content))["fighters"]) == fighters


def test_what_a_phone_cannot_take_in_pieces_it_loads_anew(phones: tuple[Phone, Phone]) -> None:
    mine, _ = phones
    for since in ("", "x", "abc", "-3", "9" * 40):
        assert mine.ask(since).headers["X-Table-Reload"] == "1"
    mine.press(f"keep {c.side(mine.battle, mine.user).pk} {c.side(mine.battle, mine.user).pk}")
    assert mine.ask("1").headers["X-Table-Reload"] == "1"


def test_the_deed_of_a_fighter_and_a_word_for_the_log(phones: tuple[Phone, Phone]) -> None:
    mine, _ = phones
    state = table_state(mine.battle)
    assert state is not None
    deed = next(deed for deed in state.deeds if not deed.by_warband and not deed.needs_profile)
    side = c.side(mine.battle, mine.user).pk
    assert mine.press("deed", deed=deed.id, who=f"{side}:{mine.own()}").status_code == 302
    assert mine.press("note", side=str(side), words="Fog over the wire").status_code == 302
    page = mine.get("?tab=log")
    assert "Fog over the wire" in page
    assert mine.press("deed", deed=deed.id, who=f"{side}:{mine.own(1)}").status_code == 422


def test_a_roll_is_a_form_and_its_dice_do_what_they_say(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    page = mine.get(f"?roll=injury&fighter={mine.own()}&target={theirs.own(1)}")
    assert "Enter my dice" in page
    assert "face_1" not in page
    fields = {"press": "roll", "roll": "injury", "fighter": mine.own(), "target": theirs.own(1), "armour": "0",
              "source": "typed"}  # fmt: skip
    asking = mine.client.post(f"{mine.here}?roll=injury", fields)
    assert asking.status_code == 302
    page = mine.client.get(asking.headers["Location"]).content.decode()
    for name in ("face_1", "face_2"):
        assert f'name="{name}" id="id_{name}_6"' in page
    assert "face_3" not in page
    assert f'<input type="hidden" name="target" value="{theirs.own(1)}">' in page
    answer = mine.client.post(f"{mine.here}?roll=injury", {**fields, "face_1": "6", "face_2": "6"})
    assert answer.headers["Location"].startswith(f"{mine.here}?open={mine.own()}")
    state = table_state(mine.battle)
    assert state is not None
    assert state.fighter(theirs.own(1)).out or state.fighter(theirs.own(1)).down
    for kind in ("attack", "success", "morale"):
        assert "Roll for me" in mine.get(f"?roll={kind}")
    counted = mine.get("?roll=initiative")  # one is gone or lies there: no die decides
    assert ("Roll for me" in counted) == ("no die is rolled" not in counted)
    assert mine.client.get(f"{mine.here}?roll=what").status_code == 302


@pytest.mark.parametrize(("first", "second", "wrong"), [
    ("7", "5", "not 7"), ("5", "", "Enter this die"), ("x", "5", "not x"), ("0", "5", "not 0"),
])  # fmt: skip
def test_a_face_that_cannot_be_is_answered_at_its_die_and_the_others_stay(
    phones: tuple[Phone, Phone], first: str, second: str, wrong: str
) -> None:
    mine, theirs = phones
    fields = {"press": "roll", "roll": "injury", "fighter": mine.own(), "target": theirs.own(), "armour": "0",
              "source": "typed", "face_1": first, "face_2": second}  # fmt: skip
    answer = mine.client.post(f"{mine.here}?roll=injury", fields)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert wrong in page
    assert page.count("data-wrong") == 1
    assert re.search(r'name="face_[12]" id="id_face_[12]_5" value="5" checked', page)
    assert TableAct.objects.count() == 1


def test_dice_typed_in_go_on_until_the_rule_has_what_it_asks_for(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    fields = {"press": "roll", "roll": "attack", "fighter": mine.own(), "target": theirs.own(), "armour": "0",
              "way": "melee", "source": "typed"}  # fmt: skip
    here = mine.client.post(f"{mine.here}?roll=attack", fields).headers["Location"]
    thrown = 0
    while "roll=attack" in here:
        page = mine.client.get(here).content.decode()
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        dice = set(re.findall(r'name="(face_\d+)"', page))
        assert dice
        thrown += 1
        if thrown == 2:
            assert "Enter the last ones again" in page
            assert "Roll for me" not in page
        hidden |= dict.fromkeys(dice, "6") | {"source": "typed"}
        here = mine.client.post(f"{mine.here}?roll=attack", hidden).headers["Location"]
    assert thrown == 2
    act = TableAct.objects.latest("number")
    assert [draw["origin"] for draw in act.dice] == ["typed", "typed"]
    assert {face for draw in act.dice for face in draw["faces"]} == {6}


@pytest.mark.parametrize("kept", ["a", "6,6,6,6,6", "9", "1," * 70, "-1"])
def test_faces_kept_that_cannot_be_are_a_sentence(phones: tuple[Phone, Phone], kept: str) -> None:
    mine, theirs = phones
    fields = {"press": "roll", "roll": "injury", "fighter": mine.own(), "target": theirs.own(), "armour": "0",
              "source": "typed", "kept": kept}  # fmt: skip
    answer = mine.client.post(f"{mine.here}?roll=injury", fields)
    assert answer.status_code in (302, 422)
    if answer.status_code == 302:
        assert "typed=1" in answer.headers["Location"]
    assert TableAct.objects.count() == 1
    assert mine.client.get(f"{mine.here}?roll=injury&typed=1&kept={kept}").status_code == 200


def test_the_end_leads_to_the_report_filled_in(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    out, side = theirs.own(1), c.side(mine.battle, mine.user).pk
    theirs.press(f"out {out} {side}")
    mine.press(f"score {side} 1 0")
    assert mine.press("end").headers["Location"] == reverse("battle-report", args=[mine.battle.pk])
    page = mine.client.get(reverse("battle-report", args=[mine.battle.pk])).content.decode()
    assert re.search(rf"value=\"\d+:{out}\"[^>]* checked", page)
    assert re.search(rf'id="id_result_{side}"[^>]*checked', page)
    assert re.search(rf'id="id_points_{side}"[^>]*value="1"', page)
    assert "Filled in from the tracker" in page
    assert theirs.send("end", "1").status_code == 422


def test_the_confirm_page_says_where_the_report_differs(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    out, stood = theirs.own(1), theirs.own(0)
    side, other = str(c.side(mine.battle, mine.user).pk), str(c.side(mine.battle, theirs.user).pk)
    act_at_table(battle=mine.battle, actor=theirs.user, data={"kind": "out", "fighter": out, "by": side})
    state = table_state(mine.battle)
    assert state is not None
    data = logged_report(mine.battle, state) | {
        "winner": side,
        "outcome": "won",
        "out": {side: {}, other: {stood: side}},
    }
    send_report(battle=mine.battle, actor=mine.user, data=data, by_side=c.side(mine.battle, mine.user))
    page = theirs.client.get(reverse("report-confirm", args=[mine.battle.pk])).content.decode()
    assert f"The table log has {state.fighter(stood).name} standing." in page
    assert f"The table log has {state.fighter(out).name} out." in page
    closed = mine.get()
    assert "Tracking has ended" in closed
    assert 'name="press"' not in closed
    assert mine.ask(str(Table.objects.get().version)).headers["X-Table-Reload"] == "1"


def test_muster_and_battle_lead_to_the_table_once_it_opens(battle: Battle, ada: Any, cleo: Any, ben: Any) -> None:
    mine = Phone(ada, battle)
    for name in ("battle-show", "force-select"):
        assert f'href="{mine.here}"' in mine.client.get(reverse(name, args=[battle.pk])).content.decode()


def test_the_page_takes_as_many_queries_for_few_acts_as_for_many(
    phones: tuple[Phone, Phone], django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    mine, _ = phones
    mine.get()
    with CaptureQueriesContext(connection) as few:
        mine.get()
    for number in range(12):
        mine.press(f"marker {mine.own(number % 4)} blood 1")
    with CaptureQueriesContext(connection) as many:
        mine.get()
    assert len(few) == len(many) < 30


# --- who only watches


class Watched:
    """A battle of Ada and Ben in a campaign where Dora plays too."""

    def __init__(
        self, cleo: Any, ada: Any, ben: Any, dora: Any, *, rosters: str = "open", seen_by: str = "link"
    ) -> None:
        self.club = c.club(cleo, ada, ben, dora)
        self.campaign = self.club.campaign
        self.campaign.rosters, self.campaign.seen_by = rosters, seen_by
        self.campaign.save()
        self.battle = c.mustered(self.club, ada, ben, scenario="trench-warfare")
        self.link = reverse("table-watch", args=[self.campaign.slug, self.battle.pk])


def test_a_player_of_the_campaign_reads_along_and_presses_nothing(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    watched = Watched(cleo, ada, ben, dora)
    watcher = Phone(dora, watched.battle)
    assert "Tracking hasn" in watcher.get()
    assert 'value="begin"' not in watcher.get()
    begin_table(battle=watched.battle, actor=ada)
    page = watcher.get()
    assert "You are watching" in page
    assert 'name="press"' not in page
    assert "Enter my dice" not in watcher.get("?roll=attack")
    assert watcher.press("turn 1").status_code == 403
    assert watcher.ask("1").status_code == 204
    mine = Phone(ada, watched.battle)
    mine.press(f"down {mine.own()} 1")
    answer = watcher.ask("1")
    assert answer.status_code == 200
    assert f'id="f{mine.own()}"' in answer.content.decode()
    assert 'name="press"' not in answer.content.decode()
    shown = watcher.client.get(reverse("battle-show", args=[watched.battle.pk])).content.decode()
    assert f'href="{watcher.here}"' in shown


@pytest.mark.parametrize("rosters", ["opponents", "muster"])
def test_where_rosters_are_not_open_the_table_is_for_those_who_play(
    ada: Any, ben: Any, cleo: Any, dora: Any, rosters: str
) -> None:
    watched = Watched(cleo, ada, ben, dora, rosters=rosters)
    begin_table(battle=watched.battle, actor=ada)
    watcher = Phone(dora, watched.battle)
    for answer in (watcher.client.get(watcher.here), watcher.ask("1"), Client().get(watched.link)):
        assert answer.status_code in (403, 404)
    assert Phone(ben, watched.battle).ask("1").status_code == 204
    shown = watcher.client.get(reverse("battle-show", args=[watched.battle.pk])).content.decode()
    assert f'href="{watcher.here}"' not in shown


def test_whoever_has_the_campaigns_link_watches_within_the_same_budget(
    ada: Any, ben: Any, cleo: Any, dora: Any, django_assert_max_num_queries: Any
) -> None:
    watched = Watched(cleo, ada, ben, dora)
    begin_table(battle=watched.battle, actor=ada)
    anybody = Client()
    page = anybody.get(watched.link).content.decode()
    assert "You are watching" in page
    assert 'name="press"' not in page
    assert f'data-tracker="{watched.link}"' in page
    with django_assert_max_num_queries(1):
        answer = anybody.get(f"{watched.link}?since=1", **PHONE)
    assert (answer.status_code, answer.content) == (204, b"")
    assert dict(answer.headers) == {"Cache-Control": "no-store"}
    mine = Phone(ada, watched.battle)
    mine.press(f"out {mine.own()} -")
    answer = anybody.get(f"{watched.link}?since=1", **PHONE)
    assert answer.status_code == 200
    assert len(compress(answer.content)) < 10_000
    assert anybody.post(watched.link, {"press": "turn 1"}).status_code == 405
    assert (
        watched.link
        in anybody.get(reverse("battle-watch", args=[watched.campaign.slug, watched.battle.pk])).content.decode()
    )


def test_a_campaign_that_is_not_shown_shows_no_table(ada: Any, ben: Any, cleo: Any, dora: Any) -> None:
    watched = Watched(cleo, ada, ben, dora, seen_by="players")
    begin_table(battle=watched.battle, actor=ada)
    assert Client().get(watched.link).status_code == 404


TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")
MOST_OF_A_PRESS = 12


def statements(captured: Any) -> list[str]:
    """What was asked and written, but for the words that open and close a transaction."""
    return [query["sql"] for query in captured if not query["sql"].startswith(TRANSACTION)]


@pytest.mark.parametrize(
    "press", ["do - initiative", "marker {0} blood 1 0", "out {0} {2}", "acted {0}", "score {1} 1 0"]
)
def test_a_press_is_twelve_statements_at_most(phones: tuple[Phone, Phone], press: str) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    mine, _ = phones
    state = read_state(Table.objects.get().state)
    fighter = state.fighters[0]
    other = next(side.key for side in state.sides if side.key != fighter.side)
    with CaptureQueriesContext(connection) as captured:
        answer = mine.send(press.format(fighter.key, fighter.side, other), "1")
    assert answer.status_code == 200, answer.content
    assert Table.objects.get().version == 2
    assert len(statements(captured)) <= MOST_OF_A_PRESS


def test_pieces_are_drawn_once_for_all_who_look_from_the_same_side(
    phones: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from campaigns.views import tracker as view

    drawn = []
    real = view.table_page
    monkeypatch.setattr(view, "table_page", lambda *args, **how: drawn.append(how) or real(*args, **how))
    mine, theirs = phones
    mine.send("do - initiative", "1")
    drawn.clear()
    first = theirs.ask("1")
    assert len(drawn) == 1
    with CaptureQueriesContext(connection) as captured:
        again = theirs.ask("1")
    assert len(drawn) == 1
    assert (again.content, again.headers["X-Table-Version"]) == (first.content, "2")
    assert len(statements(captured)) <= 7
    assert mine.ask("1").content != first.content  # from the other side the table looks otherwise
    assert len(drawn) == 1  # drawn in answer to the press
    fighter = read_state(Table.objects.get().state).fighters[0]
    mine.send(f"marker {fighter.key} blood 1 0", "2")
    assert theirs.ask("1").headers["X-Table-Version"] == "3"


# --- morale ---------------------------------------------------------------------------------------------------------------------


def test_a_morale_test_is_folded_until_all_have_acted_and_then_rolled_by_one_press(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    state = read_state(Table.objects.get().state)
    whose, others = (state.of(str(c.side(mine.battle, phone.user).pk)) for phone in phones)
    for fighter in whose[: (len(whose) + 1) // 2]:
        act_at_table(battle=mine.battle, actor=mine.user, data={"kind": "down", "fighter": fighter.key})
    asks = mine.get().partition('id="t_asks"')[2]
    assert "Test it now" in asks.partition("Morale is tested at the end of the turn.")[2]
    for phone, fighters in ((mine, whose), (theirs, others)):
        for fighter in fighters:
            act_at_table(battle=mine.battle, actor=phone.user, data={"kind": "acted", "fighter": fighter.key})
    page = mine.get()
    assert "Test it now" not in page
    press = re.search(r'value="(do - morale [^"]*)"', page)
    assert press is not None
    assert mine.press(unescape(press[1])).status_code == 302
    act = TableAct.objects.latest("number")
    assert (act.data["roll"], act.data["side"]) == ("morale", whose[0].side)
    assert {draw["origin"] for draw in act.dice} == {"app"}


# --- the end of a turn, and of the battle ---------------------------------------------------------------------------------------


def test_the_end_of_a_turn_lists_what_is_open_and_ends_it_all_the_same(phones: tuple[Phone, Phone]) -> None:
    mine, theirs = phones
    page = mine.get()
    assert "still to act" in page
    assert 'value="turn 1 1"' in page
    assert "End all the same" in page
    asked = mine.press("turn 1")
    assert asked.status_code == 422
    assert "Turn 1 is not ended yet." in asked.content.decode()
    assert "still to act" in asked.content.decode()
    assert theirs.send("turn 1", "1").status_code == 422
    assert TableAct.objects.count() == 1
    assert mine.press("turn 1 1").status_code == 302
    assert "Turn 2 begins. Ended all the same: " in TableAct.objects.latest("number").told
    assert theirs.press("turn 1 1").status_code == 422


def test_a_turn_with_nothing_open_ends_at_a_press(phones: tuple[Phone, Phone]) -> None:
    for phone in phones:
        state = table_state(phone.battle)
        assert state is not None
        for fighter in state.of(str(c.side(phone.battle, phone.user).pk)):
            phone.press(f"acted {fighter.key}")
    assert 'value="turn 1"' in phones[0].get()
    assert phones[0].press("turn 1").status_code == 302
    assert TableAct.objects.latest("number").told == "Turn 2 begins."


def test_a_battle_ended_on_one_phone_goes_on_from_either(phones: tuple[Phone, Phone]) -> None:
    for phone, other in (phones, phones[::-1]):
        phone.press("end")
        page = other.get()
        assert "either side can go on with it" in page
        assert "Go on with the battle" in page
        assert other.press("reopen").status_code == 302
        state = table_state(phone.battle)
        assert state is not None
        assert not state.ended
    assert "still to act" in next(act.told for act in TableAct.objects.all() if act.data["kind"] == "end")
