"""A pasted roster as data: fighters and phrases, each with its text and its probable meaning.

Nothing is dropped silently. Every line is returned with how it was read. An unknown phrase keeps its position and its
nearest
names until the user explains it. Names, headings and labels come from the game (`Lexicon`, `Words`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rules.price import Price

MOST_CHARACTERS, MOST_LINES, LONGEST_LINE = 30_000, 500, 600
MOST_COUNTED, MOST_HELD = 999, 100_000  # battles and the like; money and points
LEFT_OUT, KEPT = "-", "="  # answers to a phrase: leave it out, or keep it in words as a custom entry
CLOSE, NAME_LIKE = (
    0.55,
    0.72,
)  # minimum likeness to suggest a name; minimum likeness to read a phrase as misspelt kit rather than a fighter's name
NEAREST = 6


@dataclass(frozen=True, slots=True)
class PhraseMeaning:
    """One entry of the books that a phrase may mean."""

    kind: str
    id: str
    name: str

    @property
    def value(self) -> str:
        """The meaning as a form sends it: "item:bayonet"."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of one line that means one thing. `key` ("12.1") is the key of an answer to it.

    `count` is None if the text gives no number. `prices` are those in the text. `meaning` is None while it is unknown.
    A `kept` phrase is left out too: it becomes a custom entry, which the rules do not see.
    """

    key: str
    line: int
    text: str
    kinds: tuple[str, ...]
    count: int | None = None
    prices: tuple[Price, ...] = ()
    meaning: PhraseMeaning | None = None
    near: tuple[PhraseMeaning, ...] = ()
    left_out: bool = False
    origin: str = ""
    detail: str = ""
    likeness: float = 0.0  # likeness to the nearest name, 0 to 1
    kept: bool = False  # left out of what the rules see, and kept in words

    @property
    def guess(self) -> PhraseMeaning | None:
        """Return the nearest name, if it is near enough to be suggested."""
        return self.near[0] if self.near and self.likeness >= NAME_LIKE else None

    @property
    def open(self) -> bool:
        return self.meaning is None and not self.left_out

    @property
    def custom_words(self) -> str:
        """Return the phrase as a custom entry names it: number, name and price."""
        words = f"{self.count} × {self.text}" if self.count and self.count > 1 else self.text
        return f"{words} ({', '.join(map(str, self.prices))})" if self.prices else words


@dataclass(frozen=True, slots=True)
class TextFighter:
    """A fighter (or `count` identical ones) as the text gives it: name, profile, and the phrases that belong to it."""

    line: int
    name: str
    profile: Phrase
    count: int = 1
    phrases: tuple[Phrase, ...] = ()
    section: str = ""
    experience: int = 0
    scars: int | None = None
    promoted: bool = False
    status: str = "active"
    prices: tuple[Price, ...] = ()
    total: Price | None = None  # the total cost with everything it carries, according to the text
    notes: str = ""  # the player's own, where a file has them
    key: str = ""  # the other program's id
    reserve: bool = False  # on the roster, yet not in its worth

    @property
    def is_counted(self) -> bool:
        """Return whether the total of the text has this fighter in it."""
        return self.status == "active" and not self.reserve

    @property
    def custom_words(self) -> str:
        """Return a fighter of an unknown kind as a custom entry: name, kind, price and everything it carries."""
        words = f"{self.name}, {self.profile.custom_words}" if self.name else self.profile.custom_words
        words = f"{self.count} × {words}" if self.count > 1 else words
        carried = ", ".join(phrase.custom_words for phrase in self.phrases if not phrase.left_out or phrase.kept)
        return f"{words}: {carried}" if carried else words


@dataclass(frozen=True, slots=True)
class TextLine:
    """One pasted line and how it was read. `kind`: blank, fighter, kit, heading, fact, passed, open or left.

    `place` is where a file holds it ("forces[0].selections[3]"), empty for a text. `owner` is the fighter it belongs to.
    """

    number: int
    text: str
    kind: str
    read_as: str = ""
    place: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class TextReading:
    """A whole text as read. `facts` are numbers and texts about the warband, by field name."""

    name: str = ""
    lists: tuple[Phrase, ...] = ()
    patron: Phrase | None = None
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)
    rating: Price | None = None  # the warband's worth, according to the text
    fighters: tuple[TextFighter, ...] = ()
    stash: tuple[Phrase, ...] = ()
    extras: tuple[Phrase, ...] = ()  # scenario, locations, exploration skills, lasting effects
    strays: tuple[Phrase, ...] = ()  # lines that belong to no known fighter
    lines: tuple[TextLine, ...] = ()
    notes: str = ""
    source_key: str = ""  # the other program's id of the roster

    def phrases(self) -> Iterator[tuple[str, Phrase]]:
        """Yield every phrase with the name of the fighter it belongs to ("" for none)."""
        for phrase in self.lists:
            yield "", phrase
        if self.patron is not None:
            yield "", self.patron
        for fighter in self.fighters:
            yield "", fighter.profile
            if fighter.profile.left_out:
                continue
            for phrase in fighter.phrases:
                yield fighter.name or fighter.profile.text, phrase
        for phrase in (*self.stash, *self.extras, *self.strays):
            yield "", phrase

    def open(self) -> tuple[tuple[str, Phrase], ...]:
        return tuple(sorted((x for x in self.phrases() if x[1].open), key=lambda x: _place(x[1].key)))


@dataclass(frozen=True, slots=True)
class TextRoster:
    """A text as a roster: its list, the reading, the roster document, unknown names, and remarks on differences from the books."""

    list_id: str
    reading: TextReading
    document: dict[str, Any] = field(hash=False)
    unread: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    remarks: tuple[str, ...] = ()


class Lexicon(Protocol):
    """The names that a game knows."""

    def exact(self, text: str, kinds: Iterable[str]) -> PhraseMeaning | None:
        """Return the entry of the first of these kinds that has this name (case, punctuation and plural do not matter)."""
        ...

    def near(self, text: str, kinds: Iterable[str]) -> tuple[tuple[float, PhraseMeaning], ...]:
        """Return entries with similar names, the most similar first, each with its likeness (0 to 1)."""
        ...

    def by_value(self, value: str, kinds: Iterable[str]) -> PhraseMeaning | None:
        """Return the entry that a form's answer names, by value or by name."""
        ...


@dataclass(frozen=True)
class Words:
    """The headings and labels of a game's rosters, all in their plain spelling.

    `headings` name sections (value: the section), `labels` say what follows the colon (value: the field), `passed` are
    labels and
    headings whose content the books already imply, `flags` appear in brackets after a fighter.
    """

    headings: Mapping[str, str]
    labels: Mapping[str, str]
    passed: frozenset[str]
    flags: Mapping[str, str]
    titles: tuple[str, ...]  # texts that a tool may write about itself or the game
    ducats: tuple[str, ...]
    glory: tuple[str, ...]
    statline: re.Pattern[str]


KIT = ("item", "upgrade", "skill", "trauma", "ability", "keyword")
ANY = ("profile", *KIT)
PASSED_KINDS = ("ability", "keyword")
ORIGINS = ("found", "looted", "granted")
FIELD_KINDS: Mapping[str, tuple[str, ...]] = {
    "kit": KIT,
    "upgrades": ("upgrade", "item", "skill", "ability"),
    "skills": ("skill", "upgrade", "ability"),
    "traumas": ("trauma",),
    "patron": ("patron",),
    "list": ("list", "other-list"),
    "scenario": ("scenario",),
    "locations": ("location",),
    "lasting": ("lasting",),
    "exploration": ("exploration", "skill"),
}
NUMBERS = {
    "ducats", "glory", "money", "fought", "credited", "misses", "points", "won", "drawn", "lost", "experience", "scars", "held",
}  # fmt: skip


def _place(key: str) -> tuple[int, int]:
    line, _, part = key.partition(".")
    return int(line), int(part or 0)
