"""Roster documents of this app as roster files: what stands in them, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.problems import Refusal
from rules.roster_files.file_roster import FileEntry, FileFighter, FileRoster
from rules.translation import gettext as _
from rules.trench_crusade.content import EDITIONS, GAME
from rules.trench_crusade.documents.schema import FighterDoc, RosterDoc, decode

_KINDS: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "upgrade"),
    "upgrade": ("upgrade", "item"),
    "skill": ("skill", "upgrade"),
    "trauma": ("trauma",),
}


def read_own_document(document: Mapping[str, Any]) -> FileRoster:
    """Return a document's roster. Raises Refusal for another game's document, or with the path of a wrong field."""
    if document.get("game") != GAME:
        raise Refusal(
            _("This is a roster document of another game."),
            mend=_("Import it as an export of this app."),
            code="unknown-game",
        )
    data = decode(document)
    roster = FileRoster(name=data.name)
    for field in ("faction", "variant"):
        if said := getattr(data, field):
            roster.lists.append(FileEntry(field, said, ("list", "other-list")))
    if data.patron:
        roster.patron = FileEntry("patron", data.patron, ("patron",))
    for number, row in enumerate(data.fighters):
        roster.fighters.append(_fighter(f"fighters[{number}]", row))
    for number, piece in enumerate(data.stash):
        roster.stash.append(_entry(f"stash[{number}]", piece, "item"))
    _campaign(roster, data)
    return roster


def edition_named(document: Mapping[str, Any]) -> str:
    """Return the edition that a document names, "" for one that names none that is kept here."""
    edition = document.get("edition")
    return edition if edition in EDITIONS else ""


def _fighter(path: str, row: FighterDoc) -> FileFighter:
    fighter = FileFighter(
        profile=FileEntry(path, row.profile, ("profile",)),
        name=row.name,
        count=row.count,
        status=row.status if row.status in ("active", "captive", "dead", "retired") else "retired",
        experience=row.experience,
        scars=row.scars,
        promoted=row.promoted,
    )
    lists = (("kit", "item"), ("upgrades", "upgrade"), ("skills", "skill"), ("traumas", "trauma"))
    for field, kind in lists:
        for number, entry in enumerate(getattr(row, field)):
            fighter.entries.append(_entry(f"{path}.{field}[{number}]", entry, kind))
    return fighter


def _entry(path: str, entry: Any, kind: str) -> FileEntry:
    said = entry if isinstance(entry, str) else str(getattr(entry, "option", "") or getattr(entry, kind))
    return FileEntry(path, said, _KINDS[kind])


def _campaign(roster: FileRoster, data: RosterDoc) -> None:
    if data.campaign is None:
        return
    for number, place in enumerate(data.campaign.locations):
        roster.extras.append(FileEntry(f"campaign.locations[{number}]", place, ("location",)))
    for number, skill in enumerate(data.campaign.exploration_skills):
        roster.extras.append(FileEntry(f"campaign.exploration_skills[{number}]", skill, ("exploration", "skill")))
