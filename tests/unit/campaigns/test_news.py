"""News of a campaign: what is told there, what is left out, and how little is read for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle
from campaigns.pages.feed import MOST, News, newest_events, news_lines, news_page
from campaigns.services.open import open_campaign
from campaigns.services.rounds import open_round
from tests import campaign_stories as c
from tests import stories as s
from tests.forty import forty
from tests.module_story import story
from warbands.models import Event, EventSubject
from warbands.recording import recording
from warbands.undo import undo
from warbands.undo_blockers import leaning_on

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def news(campaigns: list[int], most: int) -> tuple[News, ...]:
    """The newest lines as the desk shows them, without what it knows of battles."""
    return news_lines(newest_events(campaigns, most), {})


@story
def fought(ada: Any, ben: Any, cleo: Any) -> tuple[c.Club, Battle]:
    made = c.club(cleo, ada, ben)
    row = c.mustered(made, ada, ben)
    c.fight(row, ada, ada)
    c.resolve(row, ada)
    return made, row


def told_to(campaign: int) -> list[str]:
    rows = EventSubject.objects.filter(label="campaigns.Campaign", row_id=campaign).order_by("event_id")
    return [subject.event.kind for subject in rows.select_related("event")]


def test_a_battle_is_news_and_the_dice_of_its_sequence_are_not(fought: tuple[c.Club, Battle]) -> None:
    made, row = fought
    kinds = told_to(made.campaign.pk)
    assert {"muster", "report", "schedule"} <= set(kinds)
    readers = EventSubject.objects.filter(label="campaigns.Campaign", is_news=True)
    loud = readers.filter(event__kind="write").values_list("event__data__grave", flat=True)
    assert Event.objects.filter(occasion=row.occasion, kind="write").count() > len(loud)
    assert all(loud)
    assert not readers.filter(event__kind__in=["roll", "step", "choose"]).exists()
    assert any("report" in line.sentence for line in news([made.campaign.pk], MOST))


def test_each_act_is_told_once(fought: tuple[c.Club, Battle]) -> None:
    made, _ = fought
    rows = EventSubject.objects.filter(label="campaigns.Campaign", row_id=made.campaign.pk).values_list(
        "event_id", flat=True
    )
    assert len(rows) == len(set(rows))


def test_a_death_in_a_quiet_act_is_news(fought: tuple[c.Club, Battle], ada: Any) -> None:
    made, row = fought
    with recording(made.warband(ada), kind="write", actor=ada, occasion=row.occasion) as act:
        act.say("{who} wrote down a death.", grave=True)
    assert news([made.campaign.pk], 1)[0].sentence == "ada wrote down a death."


def test_what_was_undone_is_left_out_and_the_campaign_is_not_changed_by_it(cleo: Any) -> None:
    campaign = open_campaign(actor=cleo, name="Undone")
    found = open_round(campaign=campaign, actor=cleo)
    event = Event.objects.filter(kind="round").latest("pk")
    before = [line.pk for line in news([campaign.pk], MOST)]
    undo(event=event, actor=cleo)
    assert found is not None
    assert event.pk in before
    assert [line.pk for line in news([campaign.pk], MOST)] == [pk for pk in before if pk != event.pk]


def test_an_undo_leaves_alone_who_only_read_of_the_act(fought: tuple[c.Club, Battle], ada: Any) -> None:
    made, row = fought
    with recording(made.warband(ada), kind="gift", actor=ada, occasion=row.occasion) as act:
        act.change(act.warband, notes="A gift.")
        act.say("{who} was given something.")
    event = Event.objects.get(kind="gift")
    assert event.subjects.filter(is_news=True, row_id=made.campaign.pk).count() == 1
    assert leaning_on(event) == []
    with recording(made.campaign, kind="settings", actor=ada) as act:
        act.say("{who} did something else in the campaign.")
    assert leaning_on(event) == []
    undoing = undo(event=event, actor=ada)
    assert not undoing.subjects.filter(label="campaigns.Campaign").exists()
    s.assert_reconciled(made.warband(ada))


def test_news_of_several_campaigns_are_the_newest_of_all(ada: Any, cleo: Any) -> None:
    loud, quiet = open_campaign(actor=cleo, name="Loud"), open_campaign(actor=cleo, name="Quiet")
    for number in range(2 * MOST):
        with recording(loud, kind="gift", actor=cleo) as act:
            act.say(f"Loud {number}.")
    with recording(quiet, kind="gift", actor=cleo) as act:
        act.say("Quiet.")
    both = [line.sentence for line in news([quiet.pk, loud.pk], MOST)]
    assert both == ["Quiet.", *(f"Loud {number}." for number in range(2 * MOST - 1, MOST, -1))]
    assert [line.sentence for line in news([quiet.pk], 1)] == ["Quiet."]
    assert news([], MOST) == ()


def test_acts_from_before_become_news_and_the_way_back_takes_only_them_away(fought: tuple[c.Club, Battle]) -> None:
    made, _ = fought
    step = import_module("campaigns.migrations.0004_news")
    lines = [line.pk for line in news([made.campaign.pk], MOST)]
    rows = EventSubject.objects.filter(label="campaigns.Campaign", row_id=made.campaign.pk)
    told = set(rows.values_list("event_id", "is_news"))

    class Past:
        """Models as a migration gets them."""

        @staticmethod
        def get_model(label: str) -> Any:
            return apps.get_model(label)

    step.forget(Past, None)
    assert not rows.filter(is_news=True).exists()
    assert set(rows.values_list("event_id", "is_news")) == {row for row in told if not row[1]}
    step.tell(Past, None)
    step.tell(Past, None)  # a second run tells nothing twice
    assert set(rows.values_list("event_id", "is_news")) == told
    assert rows.count() == len(told)
    assert [line.pk for line in news([made.campaign.pk], MOST)] == lines


def test_all_news_come_by_pages_that_neither_repeat_nor_skip(client: Client, cleo: Any) -> None:
    made = forty(cleo)
    client.force_login(cleo)
    address, told, pages = reverse("news-list", args=[made.campaign.pk]), [], 0
    while address:
        page = client.get(address).context["page"]
        told += [line.pk for group in page.groups for line in group.lines]
        with recording(made.campaign, kind="gift", actor=cleo) as act:  # somebody writes while one reads
            act.say("{who} wrote.")
        address, pages = page.older_href, pages + 1
    rows = EventSubject.objects.filter(label="campaigns.Campaign", row_id=made.campaign.pk, event__kind__in=TOLD)
    assert pages > 3
    assert len(told) == len(set(told)) == rows.count()
    assert min(told) == Event.objects.get(kind="open").pk
    assert page.first_words


TOLD = ("open", "report", "confirm")


def test_news_fold_the_rounds_that_are_over(client: Client, cleo: Any) -> None:
    made = forty(cleo, rounds=2)
    first = news_page(made.campaign)
    titles = [(group.title, group.is_open) for group in first.groups]
    assert titles == [("Round 2", True), ("Round 1", False)]
    client.force_login(cleo)
    html = client.get(reverse("news-list", args=[made.campaign.pk])).content.decode()
    assert html.count('<details class="fold news-round" open') == 1


def test_each_line_names_the_battle_and_the_warbands_with_their_players(fought: tuple[c.Club, Battle]) -> None:
    made, row = fought
    shown = [line for group in news_page(made.campaign).groups for line in group.lines]
    line = next(line for line in shown if line.battle is not None)
    assert line.battle is not None
    assert line.battle.href == reverse("battle-show", args=[row.pk])
    assert line.about == "The Lantern Wardens (ada) v The Gallows Choir (ben)"
    watched = [line for group in news_page(made.campaign, watched=True).groups for line in group.lines]
    assert next(line.about for line in watched if line.battle is not None) == "The Lantern Wardens v The Gallows Choir"
