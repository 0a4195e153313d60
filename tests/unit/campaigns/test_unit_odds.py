"""The odds of units through the pages: whose units, answers that move the figures, links, the table, and the printed crib."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from tests import campaign_stories as c
from tests.module_story import story
from tests.unit.campaigns.test_gloom_trench_tracker import Laid
from warbands.models import Fighter

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@story
def laid(ada, ben, cleo):
    return Laid(ada, ben, cleo)


def row(user, name):
    return Fighter.objects.live().get(warband__owner=user, name=name).pk


def shown(client, **query):
    answer = client.get(reverse("odds-show"), query)
    assert answer.status_code == 200, answer.content[:300]
    return unescape(answer.content.decode())


def mean(html):
    return re.search(r"([\d.]+) models lost on average", html)[1]


def test_a_unit_meets_another_one_at_each_distance_and_order(client, laid, ada, ben):
    client.force_login(ada)
    asked = {"mine": row(ada, "First Rifles"), "theirs": row(ben, "Mill Street Levy")}
    plain = shown(client, **asked)
    assert "Shoot: First Rifles against Mill Street Levy" in plain
    assert "Models they lose" in plain
    assert "to 24 MU" in plain
    near, far = mean(plain), mean(shown(client, **asked, distance="24"))
    assert float(near) > float(far) > float(mean(shown(client, **asked, distance="24", cover="heavy")))
    assert mean(shown(client, **asked, distance="999", los_0="lots")) == near
    charge = shown(client, **asked, way="charge", gap="9", answers="1")
    assert "Contact 83.3 %" in re.sub(r"<[^>]+>", "", charge)
    assert "Best attackers" in charge
    nothing = client.get(reverse("odds-show"), {**asked, "los_0": "0"})
    assert "No model of First Rifles reaches so far" in unescape(nothing.content.decode())


def test_the_words_are_those_of_units(client, laid, ada, ben):
    client.force_login(ada)
    found = shown(client, mine=row(ada, "First Rifles"), theirs=row(ben, "Mill Street Levy"), answers="1")
    for word in ("ducat", "Out of Action", "Down or out", "BLOOD"):
        assert word not in found, word


def test_an_answer_is_given_away_as_a_link_that_shows_no_more(client, laid, ada, ben):
    client.force_login(ada)
    found = shown(client, mine=row(ada, "First Rifles"), theirs=row(ben, "Mill Street Levy"), cover="heavy")
    share = re.search(r'href="([^"]+shared=[^"]+)"', found)[1]
    client.logout()
    given = unescape(client.get(share).content.decode())
    assert mean(given) == mean(found)
    assert "They stand in: Heavy" in given
    assert client.get(share[:-4] + "AAAA").status_code == 404


def test_a_stranger_and_another_game_are_refused(client, laid, ada, ben, dora):
    client.force_login(dora)
    assert client.get(reverse("odds-show"), {"mine": row(ada, "First Rifles")}).status_code == 404
    assert client.get(reverse("odds-show"), {"table": laid.battle.pk}).status_code == 404
    client.force_login(ada)
    for wrong in ("sample.nobody", "x", "999999999"):
        assert client.get(reverse("odds-show"), {"mine": row(ada, "First Rifles"), "theirs": wrong}).status_code == 404
    for wrong in ("x", "999999999", ""):
        assert client.get(reverse("odds-show"), {"table": wrong}).status_code == 404


def test_at_the_table_the_odds_know_who_is_left(client, laid, ada, ben):
    client.force_login(ada)
    mine, theirs = laid.key("First Rifles"), laid.key("Mill Street Levy")
    asked = {"table": laid.battle.pk, "mine": mine, "theirs": theirs}
    before = shown(client, **asked)
    assert "As the table stands in turn 1" in before
    card = unescape(client.get(reverse("battle-track", args=[laid.battle.pk])).content.decode())
    assert f"{reverse('odds-show')}?table={laid.battle.pk}&mine={mine}" in card
    best = client.get(reverse("battle-track", args=[laid.battle.pk]), {"best": theirs})
    words = unescape(best.content.decode())
    assert "My best answer to Mill Street Levy" in words
    assert "First Rifles" in words
    assert "models lost on average" in words
    assert "Who threatens First Rifles most" in unescape(
        client.get(reverse("battle-track", args=[laid.battle.pk]), {"best": mine}).content.decode()
    )


def test_the_crib_is_one_page_with_every_unit_of_both_sides(client, laid, ada, ben):
    client.force_login(ada)
    answer = client.get(reverse("crib-print"), {"battle": laid.battle.pk})
    assert answer["Content-Type"] == "application/pdf"
    pages = PdfReader(io.BytesIO(answer.content)).pages
    assert len(pages) == 1
    text = " ".join(" ".join(each.extract_text() for each in pages).split())
    for name in ("First Rifles", "The Sewing Machine", "Mill Street Levy", "Old Agatha", "Captain Orlova"):
        assert name in text
    assert "†" in text
    assert "Down or Out" not in text
    links = unescape(client.get(reverse("battle-show", args=[laid.battle.pk])).content.decode())
    assert f"{reverse('crib-print')}?battle={laid.battle.pk}" in links


def test_the_other_game_has_its_odds_and_crib_too(client, ada, ben, cleo):
    made = c.Club(c.open_campaign(actor=cleo, name="The Long Canal", system="trench-too-far", edition=""), cleo)
    mine, theirs = c.joins(made, ada, sample="canal-company"), c.joins(made, ben, sample="quarry-company")
    assert mine is not theirs
    battle = c.mustered(made, ada, ben, scenario="open-battle")
    client.force_login(ada)
    found = shown(client, mine=row(ada, "Lock Keepers"), theirs=row(ben, "Stonebreakers"), way="assault")
    assert "How it ends" in found
    assert "has no attack that hurts" in shown(client, mine=row(ada, "Canal Company"), theirs=row(ben, "Stonebreakers"))
    answer = client.get(reverse("crib-print"), {"battle": battle.pk})
    pages = PdfReader(io.BytesIO(answer.content)).pages
    assert len(pages) == 1


def test_a_phone_keeps_the_form_of_a_shot_for_when_its_line_is_down(client, laid, ada):
    client.force_login(ada)
    laid.to_draw()
    laid.do("drawn", which=laid.mine)
    here = reverse("battle-track", args=[laid.battle.pk])
    assert "data-kept-form" in client.get(here).content.decode()
    wanted = {"roll": "shoot", "fighter": laid.key("First Rifles"), "here": "1", "away": "1"}
    headers = {"HX-Request": "true", "HX-Target": "form#t_roll"}
    kept = client.get(here, wanted, headers=headers).content.decode()
    assert 'name="result"' in kept
    assert "hx-post" not in kept, "nothing in it asks the server"
    assert "Offline" in kept
    del wanted["away"]
    assert 'name="result"' not in client.get(here, wanted, headers=headers).content.decode(), "not measured yet"


def test_more_units_take_no_more_queries(client, laid, ada, ben):
    client.force_login(ada)
    asked = {"mine": row(ada, "First Rifles"), "theirs": row(ben, "Mill Street Levy"), "answers": "1"}

    def count():
        with CaptureQueriesContext(connection) as found:
            shown(client, **asked)
        return len(found)

    count()
    before = count()
    for user, name in ((ada, "First Rifles"), (ben, "Mill Street Levy")):
        copy = Fighter.objects.get(pk=row(user, name))
        for place in range(4):
            copy.pk, copy.name, copy.position = None, f"Further {place}", 50 + place
            copy.save(force_insert=True)
    assert "Further 3" in shown(client, **asked)
    assert count() == before
