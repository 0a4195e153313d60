"""Dates and times of day in the words of the pages."""

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.dateformat import format as date_format

from warbands.pages.formatting import clock, day, short_date


def test_every_day_of_this_year_is_told_without_its_year() -> None:
    first = date(timezone.localdate().year, 1, 1)
    days = [first + timedelta(days=n) for n in range(365)]
    assert [short_date(each) for each in days] == [date_format(each, "D j M") for each in days]


def test_a_day_of_another_year_is_told_with_it() -> None:
    assert short_date(date(2019, 3, 7)) == "Thu 7 Mar 2019"


def test_a_moment_is_told_where_the_club_is() -> None:
    moment = datetime(2019, 12, 31, 23, 5, tzinfo=UTC)
    assert (day(moment), clock(moment)) == ("Tue 31 Dec 2019", "23:05")
    with timezone.override("Europe/Berlin"):
        assert (day(moment), clock(moment)) == ("Wed 1 Jan 2020", "00:05")
