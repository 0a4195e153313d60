"""Who is told of what in a campaign: in the transaction of the act, never of one's own, and not any more once it is settled."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Round
from campaigns.services.answers import confirm_report, decide_dispute, dispute_report
from campaigns.services.deadlines import tell_deadlines
from campaigns.services.join import add_seat
from campaigns.services.pairing import publish_round
from campaigns.services.reminders import GAP, remind
from campaigns.services.rounds import change_round, open_round
from notifications.models import Message, Notification
from notifications.sending import CLAIM_FOR, claim, prepare, send_due
from notifications.services import next_digest
from rules.problems import Refusal
from tests import campaign_stories as c
from tests import stories as s
from tests.module_story import story
from warbands.models import Event
from warbands.services.roster import rename_fighter
from warbands.undo import refusal_to_undo, undo

pytestmark = pytest.mark.django_db


@story
def made(ada: Any, ben: Any, cleo: Any) -> c.Club:
    """Ada and Ben play in Cleo's campaign; everybody's address is confirmed."""
    for user in (ada, ben, cleo):
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    club = c.club(cleo, ada, ben)
    Notification.objects.all().delete()
    return club


def told(user: Any, kind: str) -> list[str]:
    return list(Notification.objects.filter(user=user, kind=kind).values_list("title", flat=True))


def test_a_published_round_tells_its_players_and_its_undo_is_not_sent(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    publish_round(campaign=made.campaign, actor=cleo, tables=[[made.seat(ada), made.seat(ben)]])
    assert (
        told(ada, "paired")
        == told(ben, "paired")
        == ["You play: The Lantern Wardens (ada) against The Gallows Choir (ben)"]
    )
    assert Notification.objects.filter(kind="paired").first().words.startswith(f"{made.campaign.name}. cleo paired")
    assert told(cleo, "paired") == []
    client = Client()
    client.force_login(ada)
    assert f'href="{reverse("notification-list")}"' in client.get("/").content.decode()
    assert [client.get(reverse("notification-list")).context["page"].lines[0].is_new for _ in "12"] == [True, False]
    event = Event.objects.get(kind="pair")
    again = undo(event=undo(event=event, actor=cleo), actor=cleo)
    undo(event=again, actor=cleo)
    send_due(next_digest(timezone.now()))
    assert mail.outbox == []
    assert set(Notification.objects.filter(kind="paired").values_list("is_dropped", flat=True)) == {True}


def test_a_report_asks_the_other_player_by_its_date_until_they_answered(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.mustered(made, ada, ben)
    Notification.objects.all().delete()
    c.fight(row, by=ada, winner=ada)
    (title,) = told(ben, "confirm")
    assert title.startswith("Confirm by ")
    assert told(ada, "confirm") == []
    assert told(ben, "post-battle") == ["Start the post-battle of The Gallows Choir"]
    confirm_report(battle=c.fresh_battle(row), actor=ben, side=c.side(row, ben))
    send_due(next_digest(timezone.now()))
    (sent,) = mail.outbox
    assert sent.to == [ben.email]
    assert "post-battle" in sent.subject  # confirming is settled
    assert reverse("post-battle-show", args=[row.pk, made.warband(ben).pk]) in sent.body


def test_a_dispute_calls_the_administrator_and_a_decision_the_players(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    dispute_report(battle=c.fresh_battle(row), side=c.side(row, ben), actor=ben, words="It was a draw.")
    assert told(cleo, "dispute")[0].startswith("Decide: ")
    assert told(ada, "dispute")[0].startswith("Disputed: ")
    assert told(ben, "dispute") == []
    decide_dispute(battle=c.fresh_battle(row), actor=cleo)
    assert len(told(ada, "decision")) == len(told(ben, "decision")) == 1


def test_who_acts_in_your_name_is_told_once_a_day(made: c.Club, ada: Any, cleo: Any) -> None:
    warband = made.warband(ada)
    fighters = [s.fighter(warband, name) for name in ("Ilse Brandt",)]
    for number in (1, 2):
        rename_fighter(fighter=fighters[0], name=f"Ilse {number}", actor=cleo)
    assert told(ada, "for-you") == ["cleo acted for you"]
    assert "Ilse 1" in Notification.objects.get(kind="for-you").words


def test_an_act_of_ones_own_costs_no_query(made: c.Club, ada: Any, django_assert_num_queries: Any) -> None:
    from campaigns.notifications import tell_people

    fighter = s.fighter(made.warband(ada), "Ilse Brandt")
    rename_fighter(fighter=fighter, name="Ilse", actor=ada)
    event = Event.objects.latest("pk")
    with django_assert_num_queries(0):
        tell_people(event, [made.campaign])


def test_deadlines_are_told_once(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    evening = open_round(campaign=made.campaign, actor=cleo, ends_on=timezone.localdate() + timedelta(days=1))
    row = c.battle(made, ada, ben, round=evening, planned_for=timezone.localdate() - timedelta(days=1))
    Notification.objects.all().delete()
    now = timezone.localtime().replace(hour=10)  # three hours of one day
    assert tell_deadlines(now) == 4  # a missing report and the end of the round, each to two players
    assert tell_deadlines(now + timedelta(hours=1)) == 0
    assert told(ada, "report")[0].startswith("Report missing: ")
    assert "Not reported yet" in Notification.objects.filter(kind="round").first().words
    change_round(round=Round.objects.get(pk=evening.pk), actor=cleo, ends_on=timezone.localdate())
    assert tell_deadlines(now + timedelta(hours=2)) == 2  # another day
    c.mustered(made, ada, ben)
    c.fight(c.fresh_battle(row), by=ada, winner=ada)
    send_due(next_digest(now))
    assert "Report missing" not in "".join(each.body for each in mail.outbox)


def test_silence_is_told_of_before_it_confirms(made: c.Club, ada: Any, ben: Any) -> None:
    row = c.mustered(made, ada, ben)
    c.fight(row, by=ada, winner=ada)
    late = timezone.now() + timedelta(days=6)
    assert tell_deadlines(late) == 1
    assert len(told(ben, "confirm")) == 2


def test_one_press_reminds_everybody_with_something_open_and_history_names_it(
    made: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    c.mustered(made, ada, ben)
    add_seat(campaign=made.campaign, name="Anselm", actor=cleo)
    client = Client()
    client.force_login(cleo)
    here = reverse("reminder-list", args=[made.campaign.pk])
    page = client.get(here).content.decode()
    assert "Remind all" in page
    assert "ada: Report The Lantern Wardens (ada) against The Gallows Choir (ben)" in page
    assert "Anselm: Start or import a warband" in page  # who has no account is in the text, and told nothing
    assert "no account: send the text yourself" in page
    assert client.post(here, {"act": "all", "token": "remind-1"}).status_code == 302
    assert client.post(here, {"act": "all", "token": "remind-1"}).status_code == 200  # pressed twice
    assert send_due() == 2  # at once, not with the digest
    assert sorted(each.to[0] for each in mail.outbox) == [ada.email, ben.email]
    assert "Report The Lantern Wardens (ada) against The Gallows Choir (ben)" in mail.outbox[0].body
    event = Event.objects.get(kind="remind")
    assert event.told == "cleo reminded ada and ben."
    assert refusal_to_undo(event) is not None
    seat = made.seat(ada).pk
    assert client.post(here, {"seat": seat, "token": "remind-2"}).status_code == 422
    assert "Copy the text" in client.post(here, {"seat": seat, "token": "remind-3"}).content.decode()
    Notification.objects.filter(user=ada).update(made_at=timezone.now() - GAP - timedelta(minutes=1))
    assert client.post(here, {"seat": seat, "token": "remind-4"}).status_code == 302
    assert Message.objects.count() == 2  # it waits for the clock
    assert Notification.objects.filter(kind="reminder").count() == 3


def test_nobody_is_reminded_of_nothing(made: c.Club, ada: Any, cleo: Any) -> None:
    with pytest.raises(Refusal):
        remind(campaign=made.campaign, actor=cleo)
    client = Client()
    client.force_login(cleo)
    here = reverse("reminder-list", args=[made.campaign.pk])
    for wrong in ({}, {"seat": "x"}, {"seat": "9" * 30}, {"seat": made.seat(ada).pk}, {"act": "every"}):
        assert client.post(here, {**wrong, "token": "t"}).status_code == 422
    assert not Notification.objects.exists()


def test_the_administrator_sees_what_perhaps_left(made: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    publish_round(campaign=made.campaign, actor=cleo, tables=[[made.seat(ada), made.seat(ben)]])
    later = next_digest(timezone.now())
    prepare(later)
    assert claim(Message.objects.get(user=ada).pk) is not None  # and the process is killed
    send_due(later + CLAIM_FOR + timedelta(minutes=1))
    client = Client()
    client.force_login(cleo)
    page = client.get(reverse("reminder-list", args=[made.campaign.pk])).context["page"]
    assert [line.name for line in page.doubtful] == ["ada"]


def test_the_page_asks_as_many_queries_for_four_players_as_for_two(
    made: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from campaigns.pages.reminders import reminder_page
    from tests.conftest import person

    c.mustered(made, ada, ben)
    with CaptureQueriesContext(
        connection,
    ) as few:
        reminder_page(made.campaign, cleo)
    c.joins(made, dora, sample="third-breach")
    eve = person("eve")
    c.joins(made, eve, sample="brand-of-dis")
    c.mustered(made, dora, eve)
    with django_assert_num_queries(len(few)):
        assert len(reminder_page(made.campaign, cleo).rows) == 4
