"""What a file's names mean: a roster file as the same reading that a pasted text gives.

Each line of the file has a number here, so that a person may answer for it as for a line of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.import_text import (
    ANY,
    KEPT,
    KIT,
    LEFT_OUT,
    NEAREST,
    PASSED_KINDS,
    Lexicon,
    Phrase,
    PhraseMeaning,
    TextFighter,
    TextLine,
    TextReading,
)
from rules.price import Price
from rules.problems import Refusal
from rules.roster_files.file_roster import FileEntry, FileFighter, FileRoster
from rules.translation import gettext as _

MOST_ALIKE = 20
MOST_UNKNOWN = 300  # names of one file


def read_file_roster(roster: FileRoster, lexicon: Lexicon, answers: Mapping[str, str]) -> TextReading:
    """Return a file's roster with the meaning of every name. `answers` explain names by key, as for a pasted text."""
    return _Reading(lexicon, answers).of(roster)


def entries_of(roster: FileRoster) -> Iterable[FileEntry]:
    """Yield the entries in the order of their numbers: the lists, the patron, the fighters, the stash, the rest."""
    yield from roster.lists
    if roster.patron is not None:
        yield roster.patron
    for fighter in roster.fighters:
        yield fighter.profile
        yield from fighter.entries
    yield from roster.stash
    yield from roster.extras


class _Reading:
    def __init__(self, lexicon: Lexicon, answers: Mapping[str, str]) -> None:
        self.lexicon, self.answers = lexicon, answers
        self.number = self.unknown = 0
        self.owner = ""
        self.lines: list[TextLine] = []

    def of(self, roster: FileRoster) -> TextReading:
        lists = tuple(self.phrase(entry) for entry in roster.lists)
        patron = self.phrase(roster.patron) if roster.patron is not None else None
        fighters = tuple(self.fighter(fighter) for fighter in roster.fighters)
        self.owner = ""
        stash = tuple(self.phrase(entry) for entry in roster.stash)
        extras = tuple(self.phrase(entry) for entry in roster.extras)
        for note in roster.notes:
            self.number += 1
            self.lines.append(TextLine(self.number, note.text, "passed", note.why, note.source))
        return TextReading(
            name=roster.name,
            lists=lists,
            patron=patron,
            facts={key: str(value) for key, value in roster.facts.items()},
            rating=roster.rating,
            fighters=fighters,
            stash=stash,
            extras=extras,
            lines=tuple(self.lines),
            notes=roster.own_notes,
            source_key=roster.key,
        )

    def fighter(self, fighter: FileFighter) -> TextFighter:
        self.owner = fighter.name
        turned = self.turned(fighter)
        entry = fighter.profile
        if turned is not None:
            entry = replace(entry, ids=(turned.text, *entry.ids), sure=entry.sure + 1)
        profile = self.phrase(entry)
        self.owner = fighter.name or fighter.profile.text
        phrases = []
        for one in fighter.entries:
            if one is turned:
                self.noted(one)
            else:
                phrases.append(self.phrase(one))
        return TextFighter(
            line=profile.line,
            name=fighter.name[:80],
            profile=profile,
            count=max(1, min(MOST_ALIKE, fighter.count)),
            phrases=tuple(phrase for phrase in phrases if not _passed(phrase)),
            section=fighter.section,
            experience=fighter.experience,
            scars=fighter.scars,
            promoted=fighter.promoted,
            status=fighter.status,
            prices=profile.prices,
            total=fighter.total,
            notes=fighter.notes,
            key=fighter.key,
            reserve=fighter.reserve,
        )

    def turned(self, fighter: FileFighter) -> FileEntry | None:
        """Return the one choice of a fighter that names another kind of fighter, which it thereby is."""
        found = [
            entry
            for entry in fighter.entries
            if entry.count == 1
            and self.meaning(entry, None) is None
            and self.lexicon.exact(entry.text, ("profile",)) is not None
        ]
        return found[0] if len(found) == 1 else None

    def noted(self, entry: FileEntry) -> None:
        self.number += 1
        why = _("what kind of fighter it is")
        self.lines.append(TextLine(self.number, _said(entry), "passed", why, entry.source, self.owner))

    def phrase(self, entry: FileEntry) -> Phrase:
        """Return an entry with its meaning or its nearest names."""
        self.number += 1
        key = f"{self.number}.1"
        prices = (entry.price,) if entry.price is not None else ()
        count = entry.count if entry.count != 1 else None
        known = Phrase(
            key, self.number, entry.text, entry.kinds, count, prices, origin=entry.origin, detail=entry.detail
        )
        answer = self.answers.get(key)
        if answer in (LEFT_OUT, KEPT):
            known = replace(known, left_out=True, kept=answer == KEPT)
        else:
            known = replace(known, meaning=self.meaning(entry, answer))
            if known.meaning is None:
                self.count_unknown()
                near = self.lexicon.near(entry.text, self.wider(entry.kinds))[:NEAREST]
                known = replace(known, near=tuple(m for _, m in near), likeness=near[0][0] if near else 0.0)
        self.lines.append(TextLine(self.number, _said(entry), *_read_as(known), entry.source, self.owner))
        return known

    def count_unknown(self) -> None:
        """Stop at a file of which hardly anything is known: to look for names like each would take long and help little."""
        self.unknown += 1
        if self.unknown > MOST_UNKNOWN:
            raise Refusal(
                _("More than {most} names in this file aren't recognised.").format(most=MOST_UNKNOWN),
                mend=_("Check the game."),
                code="unreadable",
            )

    def meaning(self, entry: FileEntry, answer: str | None) -> PhraseMeaning | None:
        if answer and (meant := self.lexicon.by_value(answer, (*entry.kinds, *ANY))):
            return meant
        for name in (*entry.ids, entry.text):
            if name and (meant := self.lexicon.exact(name, entry.kinds)):
                return meant
        if set(entry.kinds) <= set(KIT):
            return self.lexicon.exact(entry.text, KIT)
        return None

    def wider(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        if set(kinds) <= set(KIT):
            return tuple(kind for kind in KIT if kind not in PASSED_KINDS)
        return kinds


def _said(entry: FileEntry) -> str:
    """Return an entry as a line of text: its number, name and price."""
    words = f"{entry.count} × {entry.text}" if entry.count > 1 else entry.text
    return f"{words} ({entry.price})" if entry.price is not None else words


def _passed(phrase: Phrase) -> bool:
    return phrase.meaning is not None and phrase.meaning.kind in PASSED_KINDS


def _read_as(phrase: Phrase) -> tuple[str, str]:
    if phrase.left_out:
        return "left", _("kept as a custom entry") if phrase.kept else _("left out")
    if phrase.meaning is None:
        return "open", ""
    if _passed(phrase):
        return "passed", _("the books know it")
    kind = "fighter" if phrase.kinds == ("profile",) else "kit" if set(phrase.kinds) <= set(KIT) else "fact"
    return kind, phrase.meaning.name


def price_of(ducats: int, glory: int) -> Price | None:
    return Price(ducats=ducats, glory=glory) if ducats or glory else None
