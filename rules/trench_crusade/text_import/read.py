"""The parser of a pasted roster: its list, its document, unknown parts, and differences from the books."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.content.compiled import Content, ListContent
from rules.content.names import plain
from rules.import_reader import read_text
from rules.import_text import Phrase, TextReading, TextRoster
from rules.trench_crusade.namesakes import beside_their_factions, namesakes
from rules.trench_crusade.text_import.document import document_of
from rules.trench_crusade.text_import.names import WORDS, ImportNames
from rules.trench_crusade.text_import.remarks import remarks_of


def read_roster(content: Content, text: str, list_id: str = "", answers: Mapping[str, str] | None = None) -> TextRoster:
    """Read a pasted roster.

    `list_id` sets the list if the text does not name it. Raises Refusal for input that is not text.
    """
    first = read_text(text, ImportNames(content, list_id), WORDS, answers)
    found = list_id or list_of(content, first)
    reading = read_text(text, ImportNames(content, found), WORDS, answers) if found and found != list_id else first
    unread = unread_parts(content, reading, found)
    document = document_of(content, reading, found)
    if unread:
        document["unread"] = list(unread)
    return TextRoster(found, reading, document, unread, remarks_of(content, reading, document, found))


def list_of(content: Content, reading: TextReading) -> str:
    """Return the list that a text names, a variant before its faction.

    If it names none, return the only list that fits most of its profiles, else "". So too among lists of one name,
    unless the text says more than that name.
    """
    phrases = [p for p in reading.lists if p.meaning is not None and p.meaning.id in content.lists]
    named = [phrase.meaning.id for phrase in phrases if phrase.meaning is not None]
    profiles = [_names_of(fighter.profile) for fighter in reading.fighters]
    if named:
        named = [*beside_their_factions(content, named)]
        found = next((id_ for id_ in named if content.lists[id_].army.faction), named[0])
        is_shared = len(named) == 1 and plain(phrases[0].text) == plain(content.lists[found].army.name)
        return _among_namesakes(content, found, profiles) if is_shared else found
    if any(phrase.open or phrase.meaning for phrase in reading.lists):
        return ""
    return _best_fitting(content, profiles)


def _names_of(profile: Phrase) -> frozenset[str]:
    """Return what a profile is called in the text, and what it was read as."""
    return frozenset(plain(name) for name in (profile.text, profile.meaning.name if profile.meaning else "") if name)


def _among_namesakes(content: Content, list_id: str, profiles: list[frozenset[str]]) -> str:
    """Return which list of one name a text means by its profiles, "" if they fit several alike."""
    alike = namesakes(content, list_id)
    if not alike:
        return list_id
    scores = {id_: _fitting(content.lists[id_], profiles) for id_ in alike}
    best = [id_ for id_, score in scores.items() if score == max(scores.values())]
    return best[0] if len(best) == 1 else ""


def _best_fitting(content: Content, profiles: list[frozenset[str]]) -> str:
    """Return the only list, or the only faction's own list, that hires most of these profiles.

    Among several variants of one faction it is the faction's own list. Return "" if there are several factions. A list
    that is left out here is it only if it fits better than every other.
    """
    scores = {id_: _fitting(army, profiles) for id_, army in content.lists.items()}
    best_score = max(scores.values(), default=0)
    if not best_score:
        return ""
    best = [id_ for id_, score in scores.items() if score == best_score]
    best = [id_ for id_ in best if not content.lists[id_].closed] or best
    factions = best if len(best) == 1 else [id_ for id_ in best if not content.lists[id_].army.faction]
    if len(factions) == 1:
        return factions[0]
    of = {content.faction(id_) for id_ in best}
    return of.pop() if len(of) == 1 else ""


def _fitting(army: ListContent, profiles: list[frozenset[str]]) -> int:
    names = army.names["profile"]
    return sum(any(name in names and names[name] in army.by_profile for name in one) for one in profiles)


def unread_parts(content: Content, reading: TextReading, list_id: str) -> tuple[dict[str, Any], ...]:
    """Return each unknown part with its line and the names it may stand for."""
    found: list[dict[str, Any]] = []
    lines = {line.number: line.text.strip() for line in reading.lines}
    if not list_id and not any(phrase.open for phrase in reading.lists):
        known = [army.army.name for army in content.lists.values() if not army.army.faction]
        alike = [
            o
            for p in reading.lists
            if p.meaning and p.meaning.id in content.lists
            for o in namesakes(content, p.meaning.id)
        ]
        known = [content.lists[id_].army.short or content.lists[id_].army.name for id_ in alike] or known
        named = next((phrase.text for phrase in reading.lists), "")
        found.append({"line": 0, "text": "", "said": named, "fighter": "", "kind": "faction", "guesses": known})
    for fighter, phrase in reading.open():
        found.append(
            {
                "line": phrase.line,
                "text": lines.get(phrase.line, ""),
                "said": phrase.text,
                "fighter": fighter,
                "kind": "line" if phrase.key.endswith(".0") else phrase.kinds[0],
                "guesses": [meaning.name for meaning in phrase.near],
            }
        )
    return tuple(found)
