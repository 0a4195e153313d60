"""The calendar: days away in every campaign at once, a month in words and signs, and the feed that other programs read."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.deletion import delete_account
from campaigns.calendar_entries import CalendarEntry
from campaigns.calendar_feed import feed_of
from campaigns.models import Absence, Battle, CalendarFeed, Round
from campaigns.pairing_facts import read_facts
from campaigns.services.answers import dispute_report
from campaigns.services.calendar import hand_out_feed, plan_absence_in
from campaigns.services.challenges import plan_absence
from campaigns.services.rounds import change_round, open_round
from rules.problems import Refusal
from tests import campaign_stories as c
from tests.module_story import story
from warbands.idempotency import new_token
from warbands.models import Event
from warbands.undo import undo

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()
SOON = TODAY + timedelta(days=6)


@story
def club(ada: Any, ben: Any, cleo: Any) -> c.Club:
    return c.club(cleo, ada, ben)


def signed_in(client: Any, user: Any) -> Any:
    client.force_login(user)
    return client


def feed(client: Any, code: str, **headers: str) -> Any:
    return client.get(reverse("calendar-feed", args=[code]), headers=headers)


def events(client: Any, code: str) -> dict[str, Any]:
    """The events of a feed as another program reads them, by their titles."""
    read = icalendar.Calendar.from_ical(feed(client, code).content)
    return {str(event["summary"]): event for event in read.walk("VEVENT")}


def test_days_in_a_row_on_which_the_same_people_are_away_are_one_line(
    client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    for user, first, last in ((ada, 2, 9), (ben, 6, 7)):
        days = {"starts_on": date(2099, 12, first), "ends_on": date(2099, 12, last)}
        plan_absence(seat=club.seat(user), actor=user, **days)
    here = reverse("campaign-calendar", args=[club.campaign.pk])
    page = signed_in(client, cleo).get(here, {"month": "2099-12"}).context["page"]
    assert [(day.key, [line.words for line in day.lines]) for day in page.days] == [
        ("day_2", ["Away: ada"]),
        ("day_6", ["Away: ada and ben"]),
        ("day_8", ["Away: ada"]),
    ]
    assert page.days[0].title == "Wed 2 Dec 2099 to Sat 5 Dec 2099"
    grid = {day.number: day.key for week in page.weeks for day in week if day.key}
    assert grid == dict.fromkeys(range(2, 6), "day_2") | {6: "day_6", 7: "day_6", 8: "day_8", 9: "day_8"}


def test_days_away_hold_in_all_campaigns_and_pairing_reads_them(
    client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any
) -> None:
    other = c.club(cleo, ada)
    here = reverse("calendar-show")
    sent = {"act": "away", "seat": "0", "starts_on": TODAY, "ends_on": SOON, "token": new_token()}
    for _press in range(2):
        signed_in(client, ada).post(here, sent)
    assert {each.seat_id for each in Absence.objects.live()} == {club.seat(ada).pk, other.seat(ada).pk}
    for made in (club, other):
        facts = read_facts(made.campaign, round=None, starts_on=TODAY, ends_on=SOON)
        assert [each.seat.name for each in facts.left_out] == ["ada"]
    assert "Away" in client.get(here).content.decode()
    there = reverse("campaign-calendar", args=[club.campaign.pk])
    assert "Away: ada" in signed_in(client, cleo).get(there).content.decode()
    assert "Away" not in signed_in(client, ben).get(there).content.decode()
    undo(event=Event.objects.get(kind="absence"), actor=ada)
    assert not Absence.objects.live().exists()
    one = {**sent, "seat": str(other.seat(ada).pk), "token": new_token()}
    signed_in(client, ada).post(here, one)
    absence = Absence.objects.live().get()
    assert absence.seat.campaign == other.campaign
    theirs = {"act": "away-end", "row": absence.pk}
    assert signed_in(client, ben).post(here, {**theirs, "token": new_token()}).status_code == 422
    assert signed_in(client, ada).post(here, {**theirs, "token": new_token()}).status_code == 302
    assert not Absence.objects.live().filter(is_over=False).exists()


@pytest.mark.parametrize(
    ("starts_on", "ends_on", "words"),
    [("soon", "", "A day, like"), (SOON, TODAY, "before the first"), (TODAY, date(2090, 1, 1), "more than a year")],
)
def test_wrong_days_are_answered(client: Any, club: c.Club, ada: Any, starts_on: Any, ends_on: Any, words: str) -> None:
    sent = {"act": "away", "starts_on": starts_on, "ends_on": ends_on, "token": new_token()}
    answer = signed_in(client, ada).post(reverse("calendar-show"), sent)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    with pytest.raises(Refusal):
        plan_absence_in(seats=[], starts_on=TODAY, ends_on=SOON, actor=ada)


def test_a_month_shows_what_is_agreed(client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any) -> None:
    found = open_round(campaign=club.campaign, actor=cleo, starts_on=TODAY, ends_on=SOON)
    row = c.battle(club, ada, ben, round=found)
    Battle.objects.filter(pk=row.pk).update(planned_for=SOON)
    page = signed_in(client, ada).get(f"{reverse('calendar-show')}?month={SOON:%Y-%m}").content.decode()
    assert "Round 1 ends" in page
    assert "The Lantern Wardens v" in page
    for month in ("2026-13", "x", "9999-01", ""):
        assert client.get(f"{reverse('calendar-show')}?month={month}").status_code == 200


def test_a_feed_is_read_by_another_program_and_tells_its_changes(
    client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any
) -> None:
    found = open_round(campaign=club.campaign, actor=cleo, starts_on=TODAY, ends_on=SOON)
    row = c.mustered(club, ada, ben, round=found)
    c.fight(row, by=ada, winner=ada, words="Ben forgot his dice again.")
    client.force_login(ada)
    client.post(reverse("calendar-show"), {"act": "feed", "token": new_token()})
    code = CalendarFeed.objects.get().code
    client.logout()
    first = events(client, code)
    ends = first["Round 1 ends"]
    assert (ends.decoded("dtstart"), ends.decoded("dtend")) == (SOON, SOON + timedelta(days=1))
    assert (ends["sequence"], str(ends["status"])) == (0, "CONFIRMED")
    (title,) = set(first) - {"Round 1 ends"}
    assert title.startswith("Time to confirm ends: The Lantern Wardens v")
    confirm_by = Battle.objects.get(pk=row.pk).confirm_by
    assert confirm_by is not None
    assert first[title].decoded("dtstart") == confirm_by.astimezone(UTC).replace(microsecond=0)
    assert b"forgot" not in feed(client, code).content
    before = feed(client, code)
    assert feed(client, code, **{"If-None-Match": before["ETag"]}).status_code == 304
    change_round(round=Round.objects.get(pk=found.pk), actor=cleo, starts_on=TODAY, ends_on=SOON + timedelta(days=3))
    answer = feed(client, code, **{"If-None-Match": before["ETag"]})
    assert answer.status_code == 200
    moved = events(client, code)["Round 1 ends"]
    assert moved["uid"] == ends["uid"]
    assert moved["sequence"] == 1
    assert moved.decoded("dtstart") == SOON + timedelta(days=3)
    assert moved.decoded("dtstamp") > ends.decoded("dtstamp") - timedelta(seconds=1)
    undo(event=Event.objects.filter(kind="round").latest("pk"), actor=cleo)
    back = events(client, code)["Round 1 ends"]
    assert (back.decoded("dtstart"), back["sequence"]) == (SOON, 2)
    dispute_report(battle=Battle.objects.get(pk=row.pk), side=c.side(row, ben), actor=ben, words="No.")
    assert set(events(client, code)) == {"Round 1 ends"}


def test_who_plays_elsewhere_reads_nothing_of_it_and_old_addresses_end(
    client: Any, club: c.Club, ada: Any, ben: Any, cleo: Any, dora: Any
) -> None:
    row = c.battle(club, ada, ben)
    Battle.objects.filter(pk=row.pk).update(planned_for=SOON)
    third = c.joins(club, dora)
    assert third.pk
    assert len(events(client, hand_out_feed(user=ada))) == 1
    assert events(client, hand_out_feed(user=dora)) == {}
    here = reverse("campaign-calendar", args=[club.campaign.pk])
    signed_in(client, ada)
    assert client.post(here, {"act": "feed", "token": new_token()}).status_code == 403
    signed_in(client, cleo).post(here, {"act": "feed", "token": new_token()})
    code = CalendarFeed.objects.get(campaign=club.campaign).code
    assert len(events(client, code)) == 1
    assert code in signed_in(client, dora).get(here).content.decode()
    signed_in(client, cleo).post(here, {"act": "feed-new", "token": new_token()})
    assert feed(client, code).status_code == 404
    code = CalendarFeed.objects.get(campaign=club.campaign).code
    client.post(here, {"act": "feed-end", "token": new_token()})
    assert feed(client, code).status_code == 404
    mine = hand_out_feed(user=ada)
    type(ada).objects.filter(pk=ada.pk).update(is_active=False)
    assert feed(client, mine).status_code == 404
    type(ada).objects.filter(pk=ada.pk).update(is_active=True)
    assert delete_account(ada) == []
    assert feed(client, mine).status_code == 404


def test_a_long_title_is_folded_and_escaped_and_a_called_off_battle_says_so() -> None:
    title = "Žižka; the “Blind”, Ünser\\Haufen " * 5
    moment = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)  # the night in which clocks change
    entry = CalendarEntry("confirm", "u-1@muster-roll", moment.date(), moment, title, "C", "/x/", True, 3, moment)
    file = feed_of([entry], name="Club", site="https://club.example", time_zone="Europe/Berlin")
    assert max(len(line) for line in file.split(b"\r\n")) <= 75
    assert b"\n" not in file.replace(b"\r\n", b"")
    (event,) = icalendar.Calendar.from_ical(file).walk("VEVENT")
    assert (str(event["summary"]), event["sequence"], str(event["status"])) == (title, 3, "CANCELLED")
    assert event.decoded("dtstart") == moment
    assert file == feed_of([entry], name="Club", site="https://club.example", time_zone="Europe/Berlin")


def test_a_feed_asks_as_much_for_many_as_for_few(client: Any, club: c.Club, ada: Any, ben: Any) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert feed(client, code).status_code == 200
        return len(queries)

    code = hand_out_feed(user=ada)
    for _number in range(2):
        Battle.objects.filter(pk=c.battle(club, ada, ben).pk).update(planned_for=SOON)
    few = asked()
    for _number in range(6):
        Battle.objects.filter(pk=c.battle(club, ada, ben).pk).update(planned_for=SOON)
    assert asked() == few
