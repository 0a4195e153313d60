"""A battle voided: what followed it is undone, and what stands all the same is told before it is void."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import conditional_escape

from campaigns.models import Battle
from campaigns.services.void import followed, preview_void, restore_battle, void_battle
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.export import document_of
from warbands.models import Event, Warband
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


@story
def spent(made: c.Club, row: Battle, ada: Any) -> Warband:
    """Ada's warband after their battle, whose loot she has spent on fighters since."""
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, seed=5, answers={"way": "explore"})
    warband = made.warband(ada)
    while s.purse(warband).ducats >= 30:
        s.hire(warband, "Yeoman")
    return warband


def test_voiding_says_what_stands(row: Battle, spent: Warband, cleo: Any) -> None:
    stands = void_battle(battle=row, actor=cleo, words="Wrong night.").stands
    assert stands
    assert any("spent since" in line or "leans on" in line for line in stands)
    s.assert_reconciled(s.fresh(spent))


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
    client: Client, row: Battle, spent: Warband, cleo: Any
) -> None:
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


# --- a void is undone ---------------------------------------------------------------------------------------------------------


def exported(*warbands: Warband) -> str:
    """The export of warbands as text, without what an undo adds to: version, events and ledger."""
    documents = [document_of(s.fresh(warband)) for warband in warbands]
    for document in documents:
        for key in ("version", "events", "ledger"):
            del document["record"][key]
    return json.dumps(documents, sort_keys=True)


def test_a_void_undone_restores_every_export_and_a_second_time_too(
    made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any
) -> None:
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")], out={ada: ["Matthias Kroll"]})
    c.resolve(row, ada)
    both = made.warband(ada), made.warband(ben)
    status = c.fresh_battle(row).status
    before = exported(*both)
    void_battle(battle=row, actor=cleo, words="Wrong night.")
    void = exported(*both)
    assert void != before
    undone = restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert undone.for_name == ""  # it was done for nobody in particular, though Ada's warband comes first
    assert exported(*both) == before
    assert c.fresh_battle(row).status == status
    undo(event=undone, actor=cleo)  # the void again
    assert exported(*both) == void
    assert c.fresh_battle(row).status == Battle.Status.VOID
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert exported(*both) == before
    void_battle(battle=c.fresh_battle(row), actor=cleo, words="After all.")
    assert exported(*both) == void
    for warband in both:
        s.assert_reconciled(warband)


def test_what_stands_stays_when_a_void_is_undone(row: Battle, spent: Warband, cleo: Any) -> None:
    before = exported(spent)
    assert void_battle(battle=row, actor=cleo, words="Wrong night.").stands
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert exported(spent) == before
    s.assert_reconciled(spent)


def test_unwinding_takes_everything_that_depends_on_it_and_one_undo_brings_it_back(
    made: c.Club, row: Battle, spent: Warband, ada: Any, cleo: Any
) -> None:
    before = exported(spent)
    dry = preview_void(battle=row, actor=cleo, unwinds=True)
    assert exported(spent) == before
    voided = void_battle(battle=row, actor=cleo, words="Wrong night.", unwinds=True)
    assert voided == dry
    assert voided.stands == ()
    assert any("Yeoman" in line for line in voided.later)
    assert followed(row) == []
    assert s.purse(spent) == s.purse(made.warband(ada))
    s.assert_reconciled(spent)
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert exported(spent) == before
    s.assert_reconciled(spent)


def test_unwinding_reopens_a_later_battle_that_depends_on_it(
    made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any
) -> None:
    """The same fighter is wounded in both battles, and the second post-battle is finished."""
    warband = made.warband(ada)
    founded = exported(warband)
    c.fight(row, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.resolve(row, ada)
    c.resolve(row, ben)
    second = c.mustered(made, ada, ben)
    c.fight(second, by=ada, winner=ada, deeds=[("sniper", ada, "Ottla")])
    c.resolve(second, ada)
    before = exported(warband)
    voided = void_battle(battle=row, actor=cleo, words="Wrong night.", unwinds=True)
    assert voided.stands == ()
    assert exported(warband) not in (before, founded)  # the second battle was fought all the same
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert exported(warband) == before
    s.assert_reconciled(warband)


def test_a_part_of_a_void_does_not_come_back_alone(made: c.Club, row: Battle, ada: Any, cleo: Any) -> None:
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, until="threshold")
    wrote = followed(row)[0]
    void_battle(battle=row, actor=cleo, words="Wrong night.")
    with pytest.raises(Refusal, match="belongs to another entry"):
        undo(event=Event.objects.get(undoes=wrote), actor=ada)
    restore_battle(battle=c.fresh_battle(row), actor=cleo)
    undo(event=wrote, actor=ada)  # as before it was void
    assert wrote not in followed(row)


def test_a_void_is_not_undone_under_what_was_done_since(
    made: c.Club, row: Battle, ada: Any, ben: Any, cleo: Any
) -> None:
    """Ada fought another battle meanwhile: the first cannot come back under it."""
    c.fight(row, by=ada, winner=ada)
    c.resolve(row, ada, until="threshold")
    void_battle(battle=row, actor=cleo, words="Wrong night.")
    second = c.mustered(made, ada, ben)
    c.fight(second, by=ada, winner=ada)
    c.resolve(second, ada, until="threshold")
    warband = made.warband(ada)
    before, undone = exported(warband), Event.objects.filter(kind="undo").count()
    with pytest.raises(Refusal, match="later entry"):
        restore_battle(battle=c.fresh_battle(row), actor=cleo)
    assert exported(warband) == before  # all or nothing
    assert Event.objects.filter(kind="undo").count() == undone
    assert c.fresh_battle(row).status == Battle.Status.VOID


def test_an_administrator_brings_a_battle_back_through_its_page(
    client: Client, row: Battle, spent: Warband, ada: Any, cleo: Any
) -> None:
    here = reverse("battle-void", args=[row.pk])
    client.force_login(cleo)
    sent = {"words": "Wrong night.", "token": "t-1"}
    assert client.post(here, sent).context["listed"].stands
    listed = client.post(here, {**sent, "unwinds": "1"}).context["listed"]
    assert listed.unwinds
    assert listed.later
    assert c.fresh_battle(row).status != Battle.Status.VOID
    before = exported(spent)
    assert client.post(here, {**sent, "unwinds": "1", "listed": listed.mark}).status_code == 302
    page = client.get(here)
    assert set(listed.undone) <= set(page.context["page"].returns)
    client.force_login(ada)
    assert client.post(here, {"act": "restore", "token": "t-2"}).status_code == 403
    client.force_login(cleo)
    assert here in words_of(client.get(reverse("battle-show", args=[row.pk])))
    assert client.post(here, {"act": "restore", "token": "t-3"}).status_code == 302
    assert exported(spent) == before
    assert client.post(here, {"act": "restore", "token": "t-4"}).status_code == 422
