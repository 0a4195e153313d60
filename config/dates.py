"""Dates in words, as the language of the reader writes them: each format is one of Django's date filter."""

from __future__ import annotations

from datetime import date

from django.utils.dateformat import format as formatted
from django.utils.translation import gettext as _


def short_day(when: date) -> str:
    """Return a day: "Sat 14 Nov"."""
    return formatted(when, _("D j M"))


def day_of_month(when: date) -> str:
    """Return a day without its weekday: "14 Nov"."""
    return formatted(when, _("j M"))


def whole_day(when: date) -> str:
    """Return a day with its month and year in full: "14 November 2026"."""
    return formatted(when, _("j F Y"))
