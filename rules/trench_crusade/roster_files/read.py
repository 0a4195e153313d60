"""Reads a roster file of any known format: its edition, its list, its fighters, and what became of each line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from rules.content.compiled import Content
from rules.content.names import plain
from rules.content.overlays.states import newest_official, overlays_of
from rules.import_reader import read_text
from rules.import_text import Lexicon, Phrase, TextReading, TextRoster
from rules.roster_files.file_roster import FileRoster, RecognisedFile
from rules.roster_files.opening import OpenedFile, open_file, refuse
from rules.roster_files.reading import entries_of, read_file_roster
from rules.translation import gettext as _
from rules.trench_crusade.content import EDITIONS, GAME, content_of, held_words
from rules.trench_crusade.roster_files.battlescribe import read_battlescribe
from rules.trench_crusade.roster_files.companion import read_save, read_table_export
from rules.trench_crusade.roster_files.editions import (
    CURRENT,
    GAME_DATA,
    EditionFound,
    edition_of,
    names_of_another_era,
    usual_edition,
)
from rules.trench_crusade.roster_files.newrecruit_text import read_new_recruit_text
from rules.trench_crusade.roster_files.own_document import read_own_document
from rules.trench_crusade.roster_files.table import read_table
from rules.trench_crusade.text_import.document import document_of
from rules.trench_crusade.text_import.names import WORDS, ImportNames
from rules.trench_crusade.text_import.read import list_of, unread_parts
from rules.trench_crusade.text_import.remarks import remarks_of

_TREES: Mapping[str, Callable[[Mapping[str, Any]], FileRoster]] = {
    "battlescribe-ros": read_battlescribe,
    "battlescribe-rosz": read_battlescribe,
    "newrecruit-json": read_battlescribe,
    "companion-save": read_save,
    "companion-envelope": read_save,
    "companion-tts": read_table_export,
    "roster-document": read_own_document,
}
WEIGHT_OF_NAME = 2
COMPANION = ("companion-text", "companion-tts", "companion-save", "companion-envelope")
# Names of the playtest's book that Trench Companion has kept ever since: they tell nothing of the edition.
KEPT_BY_COMPANION = frozenset({"greatswordgreataxe", "infernalbrandmark", "reroll"})
MOST_GUESSES = 400
MOST_OPEN = 100  # unknown names of a file of which hardly any is known
LEAST_ALIKE_WORD, ALIKE_AS_A_WHOLE = 0.67, 0.9  # of each word; of names with more or fewer words
TAKEN_UNASKED = 0.82  # least likeness of a name that is taken as a guess; below it, names are only offered


@dataclass(frozen=True, slots=True)
class RosterFile:
    """A file as read: its kind, edition and list with the reason, each phrase, and the roster document.

    `guessed` are the keys of phrases whose nearest name was taken. The document leaves out what is unknown.
    `overlays`: those by whose names it was read.
    """

    format: str
    edition: str
    why: str
    list_id: str
    reading: TextReading
    document: dict[str, Any] = field(hash=False)
    unread: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    remarks: tuple[str, ...] = ()
    guessed: frozenset[str] = frozenset()
    source: FileRoster | None = None
    is_list_guessed: bool = False
    overlays: tuple[str, ...] = ()
    is_decided: bool = True  # whether the file itself decides the edition


def read_roster_file(
    data: bytes, *, wanted: str = "", edition: str = "", list_id: str = "", answers: Mapping[str, str] | None = None
) -> RosterFile:
    """Return a file of any known format as read.

    `wanted`, `edition` and `list_id` overrule what the file says. `answers` explain phrases by key.

    Raises:
        Refusal: with one sentence, if the file is damaged, too large, of another game, or no roster.
    """
    opened = open_file(data, wanted)
    return read_opened(opened, edition=edition, list_id=list_id, answers=answers)


def recognise(data: bytes) -> RecognisedFile:
    """Return what a file is and which edition it was written for. Raises Refusal as `open_file` does."""
    opened = open_file(data)
    if opened.format == "roster-document":
        return RecognisedFile(opened.format, "", "")
    read = read_opened(opened)
    text = opened.text if opened.format in ("text", "companion-text") else ""
    return RecognisedFile(opened.format, read.edition, read.why, text, read.is_decided)


def read_by_content(
    content: Content, data: bytes, list_id: str = "", answers: Mapping[str, str] | None = None
) -> TextRoster:
    """Return a file read by the names of this content, with everything that is unknown left open for the person."""
    opened, known = open_file(data), answers or {}
    found = list_id or _read(opened, content, "", {}).list_id
    reading, _source = _reading(opened, content, found, known)
    unread = unread_parts(content, reading, found)
    document = document_of(content, reading, found)
    return TextRoster(found, reading, document, unread, remarks_of(content, reading, document, found))


def read_opened(
    opened: OpenedFile, *, edition: str = "", list_id: str = "", answers: Mapping[str, str] | None = None
) -> RosterFile:
    if edition and edition not in EDITIONS:
        refuse(_("No edition “{edition}” is kept here.").format(edition=edition))
    source = _TREES[opened.format](opened.tree) if opened.format in _TREES else None
    if source is None and opened.format == "newrecruit-text":
        source = read_new_recruit_text(opened.text, ImportNames(content_of(CURRENT)))
    elif opened.format == "roster-table":
        source = read_table(opened.text)
    if source is not None and not source.fighters:
        refuse(_("The file holds no fighters."), _("Export the whole roster."))
    found = EditionFound(edition, _("you said so")) if edition else edition_of(opened, source)
    editions = (found.edition,) if found.edition else tuple(EDITIONS)
    read = [_read_in(opened, one, list_id, answers or {}) for one in editions]
    read = [one for one in read if one.list_id or not list_id] or read
    if opened.format == "roster-document":
        read = [replace(one, document=dict(opened.tree)) for one in read]
    if found.edition:
        return replace(read[0], why=found.why)
    usual = usual_edition(opened)
    fit = _fit_of_data if opened.format in GAME_DATA else _fit_of_words
    best = min(read, key=lambda one: (fit(one), one.edition != usual))
    if any(fit(best) == fit(one) for one in read if one is not best):
        why = _("not decided by the file: {edition} is the likelier one")
        return replace(best, why=why.format(edition=best.edition), is_decided=False)
    return replace(best, why=_("its names and prices fit this edition best"))


def _read_in(opened: OpenedFile, edition: str, list_id: str, answers: Mapping[str, str]) -> RosterFile:
    """Read a file by an edition, with the overlays that it names, or with the official ones if it is of a list of theirs."""
    if opened.format == "roster-document" and (named := opened.tree.get("overlays")):
        try:
            found = _read(opened, content_of(edition, tuple(named)), list_id, answers)
        except KeyError as error:
            refuse(_("Nothing called {error} is kept here (at $.overlays).").format(error=error))
        held = [id_ for id_ in dict.fromkeys(named) if overlays_of(GAME, edition)[id_].head.in_base]
        return replace(found, remarks=(*(held_words(edition, id_) for id_ in held), *found.remarks))
    plain_content = content_of(edition)
    released = _read(opened, plain_content, list_id, answers)
    newest = newest_official(GAME, edition)
    if not newest or opened.format == "roster-document" or _misfit(released) == (0, 0):
        return released
    latest = _read(opened, content_of(edition, newest), list_id, answers)
    is_theirs = latest.list_id not in plain_content.lists and _misfit(latest) < _misfit(released)
    return latest if is_theirs else released


def _fit_of_data(roster: RosterFile) -> tuple[int, ...]:
    """Return how badly a file fits an edition whose names are those of the game data, which spells both editions alike."""
    strange = names_of_another_era(roster.source, roster.edition) if roster.source is not None else 0
    return (len(roster.unread) + strange + (0 if roster.list_id else 5), len(roster.remarks))


def _fit_of_words(roster: RosterFile) -> tuple[int, ...]:
    """Return how badly a file fits an edition by whose books its program names things.

    What is unknown weighs most. A name that only the other edition's book has weighs twice a price that differs, since a
    program may be behind with its prices, and one wrong price also makes the total wrong.
    """
    unknown, differing = _misfit(roster)
    return (unknown, differing - WEIGHT_OF_NAME * _in_its_words(roster))


def _misfit(roster: RosterFile) -> tuple[int, int]:
    """Return how badly a file fits an edition: what is unknown, and half as bad what is guessed; then prices that differ."""
    unknown = 2 * len(roster.unread) + len(roster.guessed)
    return (unknown + (0 if roster.list_id else 5), len(roster.remarks))


def _in_its_words(roster: RosterFile) -> int:
    """Return how many names a file spells as the books of this edition do: each edition knows the other's names too."""
    known = {
        plain(p.text) for _whose, p in roster.reading.phrases() if p.meaning and plain(p.text) == plain(p.meaning.name)
    }
    return len(known - (KEPT_BY_COMPANION if roster.format in COMPANION else frozenset()))


def _read(opened: OpenedFile, content: Content, list_id: str, answers: Mapping[str, str]) -> RosterFile:
    """Read a file by the names of one edition: first to find its list, then with that list's own names first."""
    first, source = _reading(opened, content, list_id, answers)
    _refuse_junk(first)
    found = list_id or list_of(content, first) or _guessed_list(content, first)
    if found not in content.lists:
        found = ""
    if found and not list_id and not first.lists and source is not None:
        return _best_variant(opened, content, found, answers)
    read = _read_as(opened, content, found, answers, (first, source) if found == list_id else None)
    return replace(read, is_list_guessed=bool(found) and not list_id and not first.lists)


def _refuse_junk(reading: TextReading) -> None:
    """Stop at a text of which hardly anything is known: to read it in every way would take long and help nobody."""
    known = sum(phrase.meaning is not None for _whose, phrase in reading.phrases())
    if len(reading.open()) > MOST_OPEN and known * 4 < len(reading.open()):
        refuse(_("Hardly anything in this is recognised."), _("Check the game."))


def _best_variant(opened: OpenedFile, content: Content, faction: str, answers: Mapping[str, str]) -> RosterFile:
    """Read a file that names no list as the faction of its fighters, and as that variant of it which fits far better."""
    named, faction = faction, content.faction(faction)
    variants = (id_ for id_, army in content.lists.items() if army.army.faction == faction)
    names = [faction, *(id_ for id_ in variants if id_ == named or not content.lists[id_].closed)]
    read = [_read_as(opened, content, name, answers) for name in names]
    if told := _list_by_rules(content, read):
        return told
    best = min(read, key=_misfit)
    taken = best if _misfit(best) < _misfit(read[0]) else read[0]
    why = _("The file names no list: its fighters and prices fit {name} best.")
    remark = why.format(name=content.name("list", taken.list_id))
    return replace(taken, remarks=(remark, *taken.remarks), is_list_guessed=True)


def _list_by_rules(content: Content, read: Sequence[RosterFile]) -> RosterFile | None:
    """Return the reading as that variant whose own rules most fighters of the file have; None where it is not one alone.

    A program without a place for the list writes rules of the list as abilities of its fighters.
    """
    source = read[0].source
    if source is None or not source.list_rules:
        return None
    rules = [{plain(rule) for rule in content.lists[one.list_id].army.rules} for one in read]
    many = {rule for rule, count in source.list_rules.items() if 2 * count > len(source.fighters)}
    found = []
    for place, (one, own) in enumerate(zip(read, rules, strict=True)):
        others = set().union(*(rules[other] for other in range(len(rules)) if other != place))
        if alone := many & (own - others):
            found.append((one, min(alone)))
    if len(found) != 1:
        return None
    (one, rule), name = found[0], content.name("list", found[0][0].list_id)
    remark = _("The file names no list: its fighters have the rule “{rule}” of {name}.")
    told = next((id_ for id_ in content.lists[one.list_id].army.rules if plain(id_) == rule), rule)
    remark = remark.format(rule=told.replace("-", " "), name=name)
    return replace(one, remarks=(remark, *one.remarks), is_list_guessed=True)


def _read_as(
    opened: OpenedFile,
    content: Content,
    found: str,
    answers: Mapping[str, str],
    known: tuple[TextReading, FileRoster | None] | None = None,
) -> RosterFile:
    """Read a file as a roster of one list."""
    reading, source = known or _reading(opened, content, found, answers)
    guesses = _guesses(reading)
    if guesses:
        reading, source = _reading(opened, content, found, {**guesses, **answers})
    unread = unread_parts(content, reading, found)
    document = document_of(content, without_open(reading), found)
    _keep_names(content, found, reading, document)
    keys = frozenset(key for key in guesses if key not in answers)
    return RosterFile(
        opened.format,
        content.edition,
        "",
        found,
        reading,
        document,
        unread,
        remarks_of(content, reading, document, found),
        keys | _told_otherwise(content, found, reading, source),
        source,
        overlays=content.overlays,
    )


def _keep_names(content: Content, list_id: str, reading: TextReading, document: dict[str, Any]) -> None:
    """Put a fighter's kind into the document as the file names it, where that name means the same on this list."""
    rows = iter(document["fighters"])
    for fighter in without_open(reading).fighters:
        meaning = fighter.profile.meaning
        for _number in range(0 if fighter.profile.left_out else fighter.count):
            row = next(rows)
            said = fighter.profile.text
            is_name = said != said.lower()  # and no id in words, "brazenbull"
            if meaning and is_name and content.resolve("profile", said, list_id) == meaning.id:
                row["profile"] = said


def _reading(
    opened: OpenedFile, content: Content, list_id: str, answers: Mapping[str, str]
) -> tuple[TextReading, FileRoster | None]:
    lexicon: Lexicon = ImportNames(content, list_id)
    if opened.format in _TREES:
        source = _TREES[opened.format](opened.tree)
    elif opened.format == "newrecruit-text":
        source = read_new_recruit_text(opened.text, lexicon)
    elif opened.format == "roster-table":
        source = read_table(opened.text)
    else:
        return read_text(opened.text, lexicon, WORDS, answers), None
    return read_file_roster(source, lexicon, answers), source


def _guessed_list(content: Content, reading: TextReading) -> str:
    """Return the list whose name is nearest to what the file says, "" if none is near."""
    for phrase in reversed(reading.lists):
        guess = phrase.guess
        if phrase.meaning is None and guess is not None and guess.id in content.lists:
            return guess.id
    return ""


def _guesses(reading: TextReading) -> dict[str, str]:
    """Return the nearest name for each unknown phrase that has one near enough to be taken unasked."""
    found: dict[str, str] = {}
    for _name, phrase in reading.phrases():
        guess = phrase.guess
        near = guess is not None and phrase.likeness >= TAKEN_UNASKED and not phrase.key.endswith(".0")
        near = near and guess is not None and _pairs(phrase.text, guess.name)
        if guess is not None and near and phrase.open and len(found) < MOST_GUESSES:
            found[phrase.key] = guess.value
    return found


def _pairs(said: str, name: str) -> bool:
    """Return whether two names have like words: another word is another thing, however like the rest is."""
    one, other = (re.findall(r"\w+", text.casefold()) for text in (said, name))
    if len(one) != len(other):
        joined = plain(said), plain(name)
        return SequenceMatcher(None, *joined, autojunk=False).ratio() >= ALIKE_AS_A_WHOLE
    return all(
        SequenceMatcher(None, a, b, autojunk=False).ratio() >= LEAST_ALIKE_WORD for a, b in zip(one, other, strict=True)
    )


def _told_otherwise(content: Content, list_id: str, reading: TextReading, source: FileRoster | None) -> frozenset[str]:
    """Return the keys of phrases whose meaning is not the file's id or name: a plural, a base, a short form."""
    names = ImportNames(content, list_id)
    entries = dict(enumerate(entries_of(source), 1)) if source is not None else {}
    found = set()
    for _name, phrase in reading.phrases():
        if phrase.meaning is None:
            continue
        entry = entries.get(phrase.line)
        sure = (phrase.text, *entry.ids[: entry.sure]) if entry is not None else (phrase.text,)
        if not any(names.names_exactly(name, phrase.meaning) for name in sure):
            found.add(phrase.key)
    return frozenset(found)


def without_open(reading: TextReading) -> TextReading:
    """Return the reading without what is unknown. A fighter whose profile is unknown is left out with its kit."""

    def known(phrases: tuple[Phrase, ...]) -> tuple[Phrase, ...]:
        return tuple(phrase for phrase in phrases if not phrase.open)

    patron = reading.patron
    return replace(
        reading,
        patron=None if patron is not None and patron.open else patron,
        fighters=tuple(
            replace(fighter, phrases=known(fighter.phrases)) for fighter in reading.fighters if not fighter.profile.open
        ),
        stash=known(reading.stash),
        extras=known(reading.extras),
    )
