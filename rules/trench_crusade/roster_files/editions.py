"""Which edition a roster file was written for, and what says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.content.names import plain
from rules.roster_files.file_roster import FileRoster, rows, words
from rules.roster_files.opening import OpenedFile
from rules.translation import gettext as _
from rules.trench_crusade.roster_files.battlescribe import edition_marks
from rules.trench_crusade.roster_files.companion import save_version
from rules.trench_crusade.roster_files.game_data import ROLL
from rules.trench_crusade.roster_files.other_names import other_names
from rules.trench_crusade.roster_files.own_document import edition_named

PLAYTEST, CURRENT = "1.6.3", "1.0"

# Revision of the game data from which on it is of edition 1.0.
GAME_DATA_RAISED = 17
# An edition that somebody wrote into a roster: "Edition: 1.0", "Trench Crusade 1.6.3", or the playtest's number alone.
_SAID = re.compile(
    r"\b(?:edition|ruleset|rules|trench[ -]crusade)(?:\s+(?:edition|rules|version))?\s*[:=,-]?\s*v?(1\.[06](?:\.\d)?)(?![\d.]*\d)",
    re.IGNORECASE,
)
_PLAYTEST_NUMBER = re.compile(r"(?<![\d.])v?(1\.6\.\d)(?![\d.]*\d)", re.IGNORECASE)
# Names that stand in one edition only, of its books and of Trench Companion.
NAMES: Mapping[str, str] = {
    "hereticnavalraidingparty": PLAYTEST, "hereticnavalraiders": CURRENT, "annointedheavyinfantry": PLAYTEST,
    "theprinicpalityofnewantioch": PLAYTEST,
}  # fmt: skip
# Names that stand in the game data of one edition only. The books and Trench Companion have them in both.
NAMES_OF_DATA: Mapping[str, str] = {
    "janissaries": PLAYTEST, "alchemist": PLAYTEST, "sapper": PLAYTEST, "assassin": PLAYTEST, "sniperpriests": PLAYTEST,
    "jabireanalchemist": CURRENT, "sultanatesapper": CURRENT, "sniperpriest": CURRENT, **NAMES,
}  # fmt: skip
SAVE_OF_PLAYTEST, SAVE_OF_CURRENT = 2, 8
TREES = ("battlescribe-ros", "battlescribe-rosz", "newrecruit-json")
GAME_DATA = (*TREES, "newrecruit-text")  # forms that take their names from the game data that these programs share


@dataclass(frozen=True, slots=True)
class EditionFound:
    """The edition, "" where nothing in the file decides it, and the reason in words."""

    edition: str
    why: str


def edition_of(opened: OpenedFile, roster: FileRoster | None) -> EditionFound:
    """Return the edition that a file's marks or names decide."""
    if opened.format in TREES:
        found = _by_revision(opened.tree)
        if found is not None:
            return found
    if opened.format == "roster-document" and (named := edition_named(opened.tree)):
        return EditionFound(named, _("the document names it"))
    if opened.format in ("companion-save", "companion-envelope"):
        version = save_version(opened.tree)
        if 0 < version <= SAVE_OF_PLAYTEST:
            return EditionFound(PLAYTEST, _("the save has the shape that belonged to the playtest rules"))
        if version >= SAVE_OF_CURRENT:
            return EditionFound(CURRENT, _("the save has the shape that came with 1.0"))
    if said := _said(opened, roster):
        return EditionFound(
            PLAYTEST if said.startswith("1.6") else CURRENT, _("it names {edition}").format(edition=said)
        )
    if opened.format == "companion-text" and (name := _old_spelling(opened.text)):
        return EditionFound(PLAYTEST, _("the spelling {name} is of the program's older data").format(name=name))
    telling = NAMES_OF_DATA if opened.format in GAME_DATA else NAMES
    if roster is not None and (name := _telling_name(roster, telling)):
        return EditionFound(telling[plain(name)], _("only this edition has the name {name}").format(name=name))
    if roster is not None and opened.format in GAME_DATA:
        return _by_rolls(opened, roster)
    return EditionFound("", "")


def _said(opened: OpenedFile, roster: FileRoster | None) -> str:
    """Return the number of the edition that the roster itself names, "" for none, or for two."""
    text = opened.text
    if roster is not None:
        text = "\n".join(
            (text, roster.name, " ".join(("edition", roster.edition)), *(entry.text for entry in roster.lists))
        )
    found = {*_SAID.findall(text), *_PLAYTEST_NUMBER.findall(text)}
    return min(found) if len({said[:3] for said in found}) == 1 else ""


def _by_rolls(opened: OpenedFile, roster: FileRoster) -> EditionFound:
    """Return the edition by the names of skills and traumas: the data of 1.0 has their roll in them, "Leg Wound [31]"."""
    if name := _rolled(opened):
        return EditionFound(CURRENT, _("only the data of 1.0 has the roll in a name, as in {name}").format(name=name))
    entries = (entry for fighter in roster.fighters for entry in fighter.entries)
    bare = next((entry.text for entry in entries if entry.kinds == ("trauma",)), "")
    if bare:
        return EditionFound(PLAYTEST, _("the data of 1.0 would have the roll in the name {name}").format(name=bare))
    return EditionFound("", "")


def _rolled(opened: OpenedFile) -> str:
    """Return the first name in a file that ends in the roll of a table."""
    if opened.format == "newrecruit-text":
        names = (name.strip() for name in re.split(r"[,:\n]", opened.text))
        return next((words(name) for name in names if name.endswith("]") and ROLL.search(name[-5:])), "")
    waiting: list[Any] = rows(opened.tree.get("forces"))
    while waiting:
        node = waiting.pop()
        waiting += rows(node.get("selections")) + rows(node.get("forces"))
        if ROLL.search(name := words(node.get("name"))):
            return name
    return ""


def _by_revision(tree: Mapping[str, Any]) -> EditionFound | None:
    revision, catalogues = edition_marks(tree)
    if revision >= GAME_DATA_RAISED:
        return EditionFound(CURRENT, _("the game data is of revision {revision}").format(revision=revision))
    if revision < GAME_DATA_RAISED - 1 and revision:
        return EditionFound(PLAYTEST, _("the game data is of revision {revision}").format(revision=revision))
    raised_at = other_names().raised
    raised = next((n for n, r in catalogues.items() if r >= raised_at.get(n, 10_000)), "")
    if raised:
        return EditionFound(
            CURRENT,
            _("the catalogue {name} is of revision {revision}").format(name=raised, revision=catalogues[raised]),
        )
    return None


def _old_spelling(text: str) -> str:
    return next((name for name in other_names().old_spellings if name in text), "")


def _telling_name(roster: FileRoster, telling: Mapping[str, str]) -> str:
    said = [fighter.profile.text for fighter in roster.fighters] + [entry.text for entry in roster.lists]
    return next((name for name in said if plain(name) in telling), "")


@lru_cache(maxsize=1)
def _eras() -> Mapping[str, str]:
    known = other_names()
    return {**dict.fromkeys(known.older, PLAYTEST), **dict.fromkeys(known.newer, CURRENT)}


def names_of_another_era(roster: FileRoster, edition: str) -> int:
    """Return how many names of a roster the game data has only in the other edition's days."""
    said = [entry.text for fighter in roster.fighters for entry in (fighter.profile, *fighter.entries)]
    said += [entry.text for entry in (*roster.lists, *roster.stash)]
    return sum(_eras().get(name, edition) != edition for name in said)


def usual_edition(opened: OpenedFile) -> str:
    """Return the edition to take where neither marks nor names nor prices decide.

    Game data of the revision before the raised one served the playtest rules for most of its time.
    """
    if opened.format in TREES:
        return PLAYTEST
    return CURRENT
