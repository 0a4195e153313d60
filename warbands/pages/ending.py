"""The page that ends a warband (disbands or archives it), or restores it."""

from __future__ import annotations

from dataclasses import dataclass

from warbands.models import Warband
from warbands.pages.formatting import plural
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
    count = plural(len(roster.force.fighters), "fighter")
    if warband.status in (Warband.Status.DISBANDED, Warband.Status.ARCHIVED):
        return EndPage(
            way="restore",
            title=f"Bring back {warband.name}",
            words=(
                f"{warband.get_status_display()} it is now. It comes back as it was: {count}, their kit and the strongbox.",
            ),
            button="Bring it back",
            seen=warband.version,
        )
    if way == "archive" or not may_disband:
        return EndPage(
            way="archive",
            title=f"Archive {warband.name}",
            words=(
                "It leaves the list of warbands and can only be read.",
                "It comes back whenever you want it.",
                *(() if may_disband else ("Only its owner can disband it, or allow others to.",)),
            ),
            button="Archive",
            seen=warband.version,
        )
    return EndPage(
        way="disband",
        title=f"Disband {warband.name}",
        words=(
            f"{count} and all they carry leave play. Nothing is deleted: roster, ledger and history stay readable.",
            "Undo works from the history.",
        ),
        button="Disband it",
        seen=warband.version,
    )
