"""What a read roster keeps in words: the player's own notes, and custom entries that the rules do not see."""

from __future__ import annotations

from collections.abc import Iterator

from rules.import_text import Phrase, TextFighter, TextReading
from rules.translation import gettext

MOST_ABOUT_A_FIGHTER, MOST_ABOUT_A_WARBAND = 2_000, 4_000  # characters


def notes_of_fighters(reading: TextReading) -> Iterator[str]:
    """Yield the note of each fighter, in the order of the roster document."""
    for fighter in reading.fighters:
        if not fighter.profile.left_out:
            note = _joined(fighter.notes, fighter.phrases)[:MOST_ABOUT_A_FIGHTER]
            yield from [note] * fighter.count


def notes_of_warband(reading: TextReading) -> str:
    """Return the note of the warband, with custom fighters and what belongs to nobody."""
    custom: list[Phrase | TextFighter] = [phrase for phrase in reading.lists if phrase.kept]
    if reading.patron is not None and reading.patron.kept:
        custom.append(reading.patron)
    custom += [fighter for fighter in reading.fighters if fighter.profile.kept]
    custom += [phrase for phrase in (*reading.stash, *reading.extras, *reading.strays) if phrase.kept]
    lines = [reading.notes, *(_line(entry.custom_words) for entry in custom)]
    return "\n".join(line for line in lines if line)[:MOST_ABOUT_A_WARBAND]


def _joined(notes: str, phrases: tuple[Phrase, ...]) -> str:
    custom = [_line(phrase.custom_words) for phrase in phrases if phrase.kept]
    return "\n".join(line for line in (notes, *custom) if line)


def _line(words: str) -> str:
    return gettext("Custom entry: {words}").format(words=words)
