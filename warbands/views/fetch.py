"""Functions that fetch the rows a view needs, all through access: strangers get 404, readers without the right get 403."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from warbands import access, rights
from warbands.access import Right
from warbands.gone import SubjectGone
from warbands.models import Event, Fighter, Item, Profile, Warband
from warbands.pages.roster import Roster, read_roster


def fighter_for(user: Any, pk: int, to: Right) -> tuple[Warband, int]:
    """Return the warband of a fighter, present or gone, and the fighter's id. Two queries."""
    return access.fighter_for(user, pk, to=to).warband, pk


def item_for(user: Any, pk: int, to: Right) -> tuple[Warband, Item]:
    """Return the warband of an owned item, and the item. Two queries."""
    item = access.item_for(user, pk, to=to)
    return item.warband, item


def event_for(user: Any, pk: int) -> tuple[Warband | Profile, Event]:
    """Return the first warband that an event touched, else the first profile, and the event.

    The user must be allowed to act on everything that the event touched.
    """
    event = rights.event_for(user, pk)
    warband = next((subject.warband for subject in event.subjects.all() if subject.warband), None)
    return warband or access.profiles_of(event)[0], event


def row_of(roster: Roster, pk: int) -> Fighter:
    """Return the fighter's row in a roster that is already read. Raises SubjectGone."""
    return roster.row(str(pk))


def present_row(roster: Roster, pk: int) -> Fighter:
    """Return the row of a fighter on the roster. Raises SubjectGone for one that has left."""
    row = row_of(roster, pk)
    if str(row.pk) not in {fighter.key for fighter in roster.force.fighters}:
        raise SubjectGone(_("{row} is no longer on the roster.").format(row=row.name), back=roster.address)
    return row


def fresh_roster(warband: Warband, *, gone: bool = False) -> Roster:
    """Read the warband and its roster again, for a page rendered after an act. Four queries."""
    fresh = Warband.objects.select_related("terms", "owner").filter(pk=warband.pk).first() or warband
    return read_roster(fresh, gone=gone)


def whole_number(request: HttpRequest, name: str, usual: int = 1) -> int:
    """Return a number from the query string, or the default (`usual`) for any other value."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else usual
