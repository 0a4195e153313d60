"""Formatting of dates, rounds and battles as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import reduce

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import AHEAD, Battle, Campaign, Round, Side
from campaigns.services.common import side_name
from warbands.labels import edition_name
from warbands.pages.formatting import day, short_date


def closed_words(campaign: Campaign) -> str:
    """Return that a campaign has ended or is archived, "" while it runs."""
    if campaign.status == Campaign.Status.RUNNING:
        return ""
    return _("This campaign is {lower}.").format(lower=campaign.get_status_display().lower())


def on_day(when: date | None) -> str:
    """Format a date: "Tue 17 Nov", with the year if it is not the current one; "" for None."""
    if when is None:
        return ""
    return short_date(when)


def until(moment: datetime | None) -> str:
    """Format a deadline: "until Tue 17 Nov", "until today"; "" for None."""
    if moment is None:
        return ""
    last = timezone.localtime(moment).date()
    return _("until today") if last <= timezone.localdate() else _("until {day}").format(day=day(moment))


def days_since(moment: datetime) -> int:
    return max(0, (timezone.now() - moment).days)


def ago(moment: datetime) -> str:
    """Format a past moment: "today", "1 day ago", "9 days ago"."""
    days = days_since(moment)
    return ngettext("{count} day ago", "{count} days ago", days).format(count=days) if days else _("today")


def edition_words(campaign: Campaign) -> str:
    """Return the game and edition of a campaign: "Trench Crusade 1.6.3"."""
    return edition_name(campaign.terms.system, campaign.terms.edition)


def round_words(found: Round | None, planned: int, today: date | None = None) -> str:
    """Describe a round: "Round 4 of 12, ends Sun 22 Nov"; "" for None."""
    if found is None:
        return ""
    words = _("Round {number}").format(number=found.number)
    if planned >= found.number:
        words = _("Round {number} of {planned}").format(number=found.number, planned=planned)
    if found.is_closed:
        return _("{round}, closed").format(round=words)
    if found.ends_on is None:
        return words
    has_ended = found.ends_on < (today or timezone.localdate())
    dated = _("{round}, ended {day}") if has_ended else _("{round}, ends {day}")
    return dated.format(round=words, day=on_day(found.ends_on))


def against(sides: Iterable[Side], name: Callable[[Side], str] = side_name) -> str:
    """Return the names of the sides for lists: "Lantern Wardens v Choir of Brass", or those of their players by `player_name`."""
    first, *others = [name(side) for side in sides] or [""]
    return reduce(versus, others, first)


def versus(one: str, other: str) -> str:
    return _("{one} v {other}").format(one=one, other=other)


def score(sides: Iterable[Side], name: Callable[[Side], str] = side_name) -> str:
    """Return the points of the sides: "Lantern Wardens 3 : 1 Choir of Brass"; "" if nothing has been reported."""
    sides = list(sides)
    if any(side.points is None for side in sides):
        return ""
    if len(sides) == 2:
        one, other = sides
        return f"{name(one)} {one.points} : {other.points} {name(other)}"
    return ", ".join(f"{name(side)} {side.points}" for side in sides)


STATUS_WORDS = {
    Battle.Status.SCHEDULED: gettext_lazy("set up, not ready"),
    Battle.Status.MUSTERED: gettext_lazy("all ready"),
    Battle.Status.REPORTED: gettext_lazy("reported, not confirmed"),
    Battle.Status.CONFIRMED: gettext_lazy("confirmed"),
    Battle.Status.DISPUTED: gettext_lazy("disputed"),
    Battle.Status.CLOSED: gettext_lazy("closed"),
    Battle.Status.VOID: gettext_lazy("void"),
    Battle.Status.CANCELLED: gettext_lazy("cancelled"),
}


def battle_state(battle: Battle) -> str:
    """Return the state of a battle in two or three words."""
    if battle.kind == Battle.Kind.BYE:
        return _("bye")
    if battle.status == Battle.Status.SCHEDULED and battle.planned_for:
        return _("set for {day}").format(day=on_day(battle.planned_for))
    words = str(STATUS_WORDS[Battle.Status(battle.status)])
    if battle.kind != Battle.Kind.PLAYED and battle.status not in AHEAD:
        return f"{battle.get_kind_display().lower()}, {words}"
    return words
