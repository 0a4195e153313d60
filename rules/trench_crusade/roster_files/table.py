"""The table of fighters that this app writes: one row each, kit and the rest parted by semicolons."""

from __future__ import annotations

import csv
import io

from rules.roster_files.file_roster import Counter, FileEntry, FileFighter, FileRoster, number, words
from rules.roster_files.opening import TABLE_HEAD, refuse
from rules.roster_files.reading import price_of
from rules.translation import gettext as _

_LISTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("kit", ("item", "upgrade", "ability")),
    ("upgrades", ("upgrade", "item", "skill")),
    ("skills", ("skill", "upgrade", "ability")),
    ("traumas", ("trauma",)),
)
_STATES = ("active", "captive", "dead", "retired")


def read_table(text: str) -> FileRoster:
    """Return the roster of a table. It names no stash and no campaign; older ones name no list and no edition either."""
    roster, counter = FileRoster(), Counter()
    roster.note("1", TABLE_HEAD, _("the head of a table"))
    try:
        for row in csv.DictReader(io.StringIO(text.lstrip("\ufeff \r\n"))):
            counter.one()
            told = {key: words(value, 4_000) for key, value in row.items() if key}
            place = str(len(roster.fighters) + 2)
            if told.get("list") and not roster.lists:
                roster.lists.append(FileEntry(place, told["list"], ("list", "other-list")))
            roster.edition = roster.edition or told.get("edition", "")
            _fighter(roster, place, told)
    except csv.Error:
        refuse(_("The table is damaged."))
    roster.check()
    return roster


def _fighter(roster: FileRoster, place: str, row: dict[str, str]) -> None:
    profile, name, status = row.get("profile", ""), row.get("name", "").removeprefix("'"), row.get("status", "")
    fighter = FileFighter(
        profile=FileEntry(place, profile or name, ("profile",)),
        name="" if name.casefold() == profile.casefold() else name,
        status=status if status in _STATES else "retired" if status else "active",
        experience=number(row.get("experience"), most=999),
        scars=number(row.get("scars"), most=99) or None,
        promoted=row.get("promoted") == "yes",
        total=price_of(number(row.get("ducats")), number(row.get("glory"))),
    )
    for field, kinds in _LISTS:
        for said in filter(None, map(str.strip, row.get(field, "").split(";"))):
            fighter.entries.append(FileEntry(place, said, kinds))
    roster.fighters.append(fighter)
