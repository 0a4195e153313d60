"""Writes a calendar as a file that calendar programs subscribe to (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from campaigns.calendar_entries import CalendarEntry

EVERY = timedelta(hours=6)  # how often a program should look again
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


def feed_of(entries: Iterable[CalendarEntry], *, name: str, site: str, time_zone: str) -> bytes:
    """Return the calendar file. Days are all-day events; moments are in UTC, so no time zone has to be described.

    Equal entries give equal bytes: DTSTAMP is the time of an entry's last change, not of this call.
    """
    from icalendar import Calendar, Event  # takes a moment to load, and few requests need it

    feed = Calendar()
    feed.add("prodid", "-//Muster Roll//Campaign calendar//EN")
    feed.add("version", "2.0")
    feed.add("calscale", "GREGORIAN")
    feed.add("method", "PUBLISH")
    feed.add("x-wr-calname", name)
    feed.add("name", name)
    feed.add("x-wr-timezone", time_zone)
    feed.add("refresh-interval", EVERY, parameters={"value": "DURATION"})
    feed.add("x-published-ttl", "PT6H")
    for entry in entries:
        event = Event()
        changed = (entry.changed_at or BEGINNING).astimezone(UTC)
        event.add("uid", entry.uid)
        event.add("dtstamp", changed)
        event.add("last-modified", changed)
        event.add("sequence", entry.revision)
        event.add("summary", entry.title)
        event.add("description", entry.campaign)
        event.add("url", site + entry.href)
        event.add("status", "CANCELLED" if entry.is_gone else "CONFIRMED")
        event.add("transp", "TRANSPARENT")
        if entry.at is None:
            event.add("dtstart", entry.on)
            event.add("dtend", entry.on + timedelta(days=1))
        else:
            event.add("dtstart", entry.at.astimezone(UTC))
        feed.add_component(event)
    return bytes(feed.to_ical())
