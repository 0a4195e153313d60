"""A roster as its file tells it: every line of the file, with what kind of thing it names.

The readers of the formats make it; a game's names give it meaning (`rules.roster_files.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.price import Price
from rules.problems import Refusal
from rules.roster_files.limits import LONGEST_NAME, MOST_FIGHTERS, MOST_NUMBER, MOST_SELECTIONS
from rules.translation import gettext as _


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One line of a file that names one thing.

    `source` is its place in the file. `ids` are names to try first, most telling first: what the file's own id of the
    entry stands for. The first `sure` of them settle what is meant; a later one is a guess. `price` is that of all
    `count` pieces.
    """

    source: str
    text: str
    kinds: tuple[str, ...]
    count: int = 1
    price: Price | None = None
    ids: tuple[str, ...] = ()
    sure: int = 1
    detail: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class FileNote:
    """A line of the file that is kept for nothing: a heading, a total, a switch of the other program. `why` says so."""

    source: str
    text: str
    why: str


@dataclass(slots=True)
class FileFighter:
    """A fighter of the file, or `count` alike. `key` is the id that the other program gives it, for bringing it again."""

    profile: FileEntry
    name: str = ""
    key: str = ""
    count: int = 1
    section: str = ""
    status: str = "active"
    experience: int = 0
    scars: int | None = None
    promoted: bool = False
    reserve: bool = False  # on the roster, yet not in its worth
    notes: str = ""
    total: Price | None = None  # with everything it carries
    entries: list[FileEntry] = field(default_factory=list)


@dataclass(slots=True)
class FileRoster:
    """A whole file. `facts` are numbers about the warband by field. `edition` is its number, where the file states it.

    `list_rules` are the rules of a list among the abilities of fighters, and how many fighters have each.
    """

    name: str = ""
    key: str = ""
    lists: list[FileEntry] = field(default_factory=list)
    patron: FileEntry | None = None
    facts: dict[str, int] = field(default_factory=dict)
    rating: Price | None = None
    fighters: list[FileFighter] = field(default_factory=list)
    stash: list[FileEntry] = field(default_factory=list)
    extras: list[FileEntry] = field(default_factory=list)
    notes: list[FileNote] = field(default_factory=list)
    own_notes: str = ""  # the player's
    edition: str = ""
    list_rules: dict[str, int] = field(default_factory=dict)

    def note(self, source: str, text: str, why: str) -> None:
        self.notes.append(FileNote(source, text, why))

    def check(self) -> None:
        """Refuse a file with more in it than any roster holds."""
        if sum(fighter.count for fighter in self.fighters) > MOST_FIGHTERS:
            raise Refusal(_("The file holds more than {most} fighters.").format(most=MOST_FIGHTERS), code="unreadable")


@dataclass(frozen=True, slots=True)
class RecognisedFile:
    """What a file is: its format, its edition and the reason. `text` are its words where it is read as a text.

    `is_decided`: the file itself decides the edition; else the likelier one is taken.
    """

    format: str
    edition: str
    why: str
    text: str = ""
    is_decided: bool = True


# --- values of a file, whatever their type ------------------------------------------------------------------------------

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


def words(value: Any, longest: int = LONGEST_NAME) -> str:
    """Return a value as text. Names that look like numbers come as numbers in some files."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(_UNSEEN.sub("", str(value)[: longest * 4]).replace("\xa0", " ").split())[:longest]


def rows(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none for anything else. Some programs write an empty list as an empty object."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def part(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def number(value: Any, least: int = 0, most: int = MOST_NUMBER) -> int:
    """Return a whole number between the bounds; for what is no number 0, or the bound next to it."""
    nothing = min(max(0, least), most)
    try:
        found = float(value.replace(",", ".") if isinstance(value, str) else value)
    except (TypeError, ValueError, OverflowError):
        return nothing
    if found != found:
        return nothing
    return round(min(max(found, least), most))


class Counter:
    """Counts what is read, and stops beyond what any roster holds."""

    def __init__(self) -> None:
        self.seen = 0

    def one(self) -> None:
        self.seen += 1
        if self.seen > MOST_SELECTIONS:
            raise Refusal(
                _("The file holds more than {most} entries; a roster is far smaller.").format(most=MOST_SELECTIONS),
                code="unreadable",
            )


def each(value: Any, path: str, counter: Counter) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects of a list with their places in the file, and count them."""
    for index, row in enumerate(rows(value)):
        counter.one()
        yield f"{path}[{index}]", row
