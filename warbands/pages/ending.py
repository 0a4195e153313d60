"""The page that ends a warband (disbands or archives it), or restores it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from warbands.labels import headcount_of
from warbands.models import Warband
from warbands.pages.roster import Roster


@dataclass(frozen=True, slots=True)
class EndPage:
    """What the act means, and its button. `way` is disband, archive or restore."""

    way: str
    title: str
    words: tuple[str, ...]
    button: str
    seen: int


def end_page(roster: Roster, *, way: str, may_disband: bool) -> EndPage:
    """Build the page that ends a warband, or restores one that has ended. No queries on top of the roster.

    A user who may not disband the warband gets the form that archives it.
    """
    warband = roster.warband
    if warband.status in (Warband.Status.DISBANDED, Warband.Status.ARCHIVED):
        return EndPage(
            way="restore",
            title=_("Restore {name}").format(name=warband.name),
            words=(f"{warband.get_status_display()}.", _("It comes back as it was.")),
            button=_("Restore"),
            seen=warband.version,
        )
    if way == "archive" or not may_disband:
        return EndPage(
            way="archive",
            title=_("Archive {name}").format(name=warband.name),
            words=(
                _("It leaves your list of warbands and becomes read-only."),
                _("You can restore it at any time."),
                *(() if may_disband else (_("Only its owner can disband it, or allow others to."),)),
            ),
            button=_("Archive"),
            seen=warband.version,
        )
    return EndPage(
        way="disband",
        title=_("Disband {name}").format(name=warband.name),
        words=(
            _("The warband leaves play, with {headcount}.").format(headcount=headcount_of(warband)),
            _("Nothing is deleted: you can still read the roster and history."),
            _("You can undo this in the history."),
        ),
        button=_("Disband"),
        seen=warband.version,
    )
