"""A battle voided: what followed it is undone, and what stands all the same is told before it is void."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import conditional_escape

from campaigns.models import Battle
from campaigns.services.void import followed, preview_void, void_battle
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.recording import AlreadyDone
from warbands.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.slow]


@story
def made(ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada, ben)


@story
def row(made: c.Club, ada: Any, ben: Any) -> Battle:
    """Their battle, both sides ready."""
    return c.mustered(made, ada, ben)


def words_of(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_voided_battle_counts_for_nothing_and_what_followed_is_undone(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    before = s.document(made.warband(ada))
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")], out={ada: ["Matthias Kroll"]})
    c.resolve(row, ada, until="threshold")
    assert s.document(made.warband(ada)) != before
    with pytest.raises(Refusal, match="Give a reason"):
        void_battle(battle=row, actor=cleo, words=" ")
    assert preview_void(battle=row, actor=cleo).stands == ()
    assert c.fresh_battle(row).status == Battle.Status.REPORTED
    told = tuple(event.told for event in followed(row))
    voided = void_battle(battle=row, actor=cleo, words="Played on the wrong night.")
    assert voided.undone == told
    assert followed(row) == []
    assert (len(voided.undone), voided.stands) == (4, ())
    assert c.fresh_battle(row).status == Battle.Status.VOID
    assert s.document(made.warband(ada)) == before
    s.assert_reconciled(made.warband(ada))
    with pytest.raises(AlreadyDone):
        void_battle(battle=row, actor=cleo, words="Again.")


def test_what_followed_a_battle_is_what_stands_of_it(row: Battle, ada: Any, cleo: Any) -> None:
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")], out={ada: ["Matthias Kroll"]})
    c.resolve(row, ada, until="threshold")
    every = followed(row)
    newest = every[0]
    undoing = undo(event=newest, actor=cleo, by_right=False)
    assert followed(row) == every[1:]
    undo(event=undoing, actor=cleo, by_right=False)
    assert followed(row) == every


def test_voiding_says_what_stands(made: c.Club, row: Battle, ada: Any, cleo: Any) -> None:
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, seed=5, answers={"way": "explore"})
    while s.purse(made.warband(ada)).ducats >= 30:
        s.hire(made.warband(ada), "Yeoman")
    stands = void_battle(battle=row, actor=cleo, words="Wrong night.").stands
    assert stands
    assert any("spent since" in line or "leans on" in line for line in stands)
    s.assert_reconciled(made.warband(ada))


def test_only_an_administrator_voids_a_battle_and_says_why(
    client: Client, made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    reported = c.mustered(made, ada, ben)
    c.fight(reported, by=ada, winner=ada)
    here = reverse("battle-void", args=[reported.pk])
    client.force_login(ada)
    assert client.post(here, {"words": "No.", "token": "t-1"}).status_code == 403
    client.force_login(cleo)
    assert client.post(here, {"words": "", "token": "t-2"}).status_code == 422
    client.post(here, {"words": "Wrong table.", "token": "t-3"})
    reported.refresh_from_db()
    assert reported.status == Battle.Status.VOID
    assert "counts for nothing" in words_of(client.get(reverse("battle-show", args=[reported.pk])))


def test_what_would_stand_is_listed_before_a_battle_is_void(
    client: Client, made: c.Club, row: Battle, ada: Any, cleo: Any
) -> None:
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, seed=5, answers={"way": "explore"})
    warband = made.warband(ada)
    while s.purse(warband).ducats >= 30:
        s.hire(warband, "Yeoman")
    here = reverse("battle-void", args=[row.pk])
    client.force_login(cleo)
    followed = client.get(here).context["page"].followed
    sent = {"words": "Wrong night.", "token": "t-1"}
    first = client.post(here, sent)
    listed = first.context["listed"]
    assert first.status_code == 200
    assert c.fresh_battle(row).status != Battle.Status.VOID
    assert listed.stands
    assert len(listed.undone) + len(listed.stands) == len(followed)
    assert all(line in words_of(first) for line in map(conditional_escape, (*listed.stands, *listed.undone)))
    assert 'value="Wrong night."' in words_of(first)
    other = client.post(here, {**sent, "listed": "something-else"})
    assert other.context["listed"] == listed  # what was listed is not what would stand now
    assert client.post(here, {**sent, "listed": listed.mark}).status_code == 302
    assert c.fresh_battle(row).status == Battle.Status.VOID
    assert client.get(reverse("battle-show", args=[row.pk])).context["page"].stands == listed.stands
