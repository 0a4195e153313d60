"""Names in the fan-made game data that New Recruit and BattleScribe share: switches, ranks, spellings, what turns a fighter."""

from __future__ import annotations

import re
from dataclasses import replace

from rules.content.names import plain as letters
from rules.roster_files.file_roster import FileEntry, FileFighter
from rules.trench_crusade.roster_files.other_names import other_names

SECTIONS = {"elite": "elite", "troop": "troop", "mercenary": "mercenary", "mercenaries": "mercenary"}
PROMOTED = ("elite promotion", "exalted", "favoured", "ascendant", "putrid", "blasphemous", "commissioned officer")
_SWITCHES = frozenset({"iunderstand", "includeweaponprofile"})
_STORAGE = "storage"
_FIRETEAMS = re.compile(
    r"fireteam|cataphract formation|(?:first |second )?(?:dog['’]s friend|friend of the brigade)|mind[ -]linked|"
    r"(?:mamluk|sipahi)-guarded|killing squad"
)
SHAPE_GROUPS, SHAPES = ("thrall type", "role", "specialization"), ("grounded", "winged")
NOTHING_CHOSEN = "none"
ROLL = re.compile(r"\s*\[\d{1,2}\]$")
_FEARED = re.compile(r"(?:haunted|scarred) by the (\w+)", re.IGNORECASE)  # below a trauma that asks for a faction


def is_switch(name: str) -> bool:
    """Return whether a selection is no thing of the game: a display switch or a heading among the selections."""
    return letters(name) in _SWITCHES or letters(name).endswith(_STORAGE)


def is_fireteam(name: str) -> bool:
    return _FIRETEAMS.match(name.lower()) is not None


def feared(name: str) -> str:
    """Return the faction that a choice below a trauma names, "" for any other choice."""
    found = _FEARED.fullmatch(name)
    return other_names().enemies.get(found[1].lower(), found[1]) if found else ""


def comes_along(fighter: FileFighter, piece: str) -> bool:
    """Return whether a piece without a price is what this kind of fighter comes with, and no kit of its own here."""
    known = other_names()
    kinds = (name.lower() for name in (fighter.profile.text, *fighter.profile.ids))
    return any(piece in (*known.part_of.get(kind, ()), *known.packages.get(kind, ())) for kind in kinds)


def names_of(text: str) -> tuple[tuple[str, ...], int]:
    """Return the names by which an entry is looked up, and how many of them settle it.

    After its own name comes how the books spell it where the data differs; last what it is likely to be.
    """
    kept = _letters_kept(text)
    spellings = other_names().spellings
    sure = tuple(name for name in (text, spellings.get(kept) or spellings.get(letters(text), "")) if name)
    likely = other_names().likely.get(kept, "")
    return ((*sure, likely) if likely else sure), len(sure)


def found_entry(path: str, name: str, kinds: tuple[str, ...]) -> FileEntry:
    """Return what a campaign brought: "Esoteric Library: Study" is a location, with what was chosen there."""
    text = ROLL.sub("", name)
    place, colon, chosen = (text if "location" in kinds else "").partition(": ")
    names = (*names_of(text)[0], *(names_of(place)[0] if colon else ()))
    return FileEntry(path, text, kinds, ids=names, sure=len(names), detail=chosen.strip())


def _letters_kept(text: str) -> str:
    return text.lower().replace("’", "'").strip()


def turn_fighter(fighter: FileFighter, choice: str) -> bool:
    """Name a fighter's kind first by the choice that makes it another one. Return whether it does."""
    profile = fighter.profile
    turned = [other_names().turned.get(f"{name.lower()} > {choice}", "") for name in (profile.text, *profile.ids)]
    names = tuple(name for name in turned if name)[:1]
    if names:
        fighter.profile = replace(profile, ids=(*names, *profile.ids), sure=profile.sure + 1)
    return bool(names)
