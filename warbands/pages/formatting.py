"""Functions that format values for the pages: money, signed amounts, dates."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.dates import short_day
from rules.formatting import joined
from rules.price import Price

MINUS = "\N{MINUS SIGN}"


def money(price: Price) -> str:
    """Return a price as lists show it: "45 d", "5 g", "45 d, 5 g"; no price is "0 d"."""
    parts = [f"{figure(price.ducats)} d"] if price.ducats or not price.glory else []
    if price.glory:
        parts.append(f"{figure(price.glory)} g")
    return ", ".join(parts)


def asked(price: Price) -> str:
    """Return a price as offers show it: "free" if it costs nothing."""
    return money(price) if price else _("free")


def figure(number: int) -> str:
    return f"{MINUS}{-number}" if number < 0 else str(number)


def signed(ducats: int, glory: int) -> str:
    """Return a signed amount of money: "+110", "−45", "+1 g"."""
    parts = [f"{'+' if ducats > 0 else ''}{figure(ducats)}"] if ducats or not glory else []
    if glory:
        parts.append(f"{'+' if glory > 0 else ''}{figure(glory)} g")
    return ", ".join(parts)


def in_full(price: Price) -> str:
    """Return a price for use in a sentence: "45 ducats and 1 glory"."""
    parts = [ducats_words(price.ducats).replace("-", MINUS)] if price.ducats or not price.glory else []
    if price.glory:
        parts.append(_("{glory} glory").format(glory=figure(price.glory)))
    return joined(parts)


def day(moment: datetime) -> str:
    """Return a local date: "Sat 14 Nov", with the year if it is not the current one."""
    return short_date(timezone.localtime(moment))


def short_date(when: date) -> str:
    """Return a date: "Sat 14 Nov", with the year if it is not the current one."""
    words = short_day(when)
    return words if when.year == timezone.localdate().year else f"{words} {when.year}"


def clock(moment: datetime) -> str:
    """Return a local time of day: "22:41"."""
    return f"{timezone.localtime(moment):%H:%M}"


def days_words(number: int) -> str:
    return ngettext("{count} day", "{count} days", number).format(count=number)


def battles_words(number: int) -> str:
    return ngettext("{count} battle", "{count} battles", number).format(count=number)


def problems_words(number: int) -> str:
    return ngettext("{count} problem", "{count} problems", number).format(count=number)


def players_words(number: int) -> str:
    return ngettext("{count} player", "{count} players", number).format(count=number)


def ducats_words(number: int) -> str:
    return ngettext("{count} ducat", "{count} ducats", number).format(count=number)


def sheets_words(number: int) -> str:
    return ngettext("{count} sheet", "{count} sheets", number).format(count=number)


def sentence(text: str) -> str:
    text = capfirst(text.strip())
    return text if not text or text[-1] in ".!?:" else f"{text}."
