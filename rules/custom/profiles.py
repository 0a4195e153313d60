"""Profiles that players write themselves, for games that publish no army lists: what there is to fill in, and what was filled in.

A game tells its kinds of profile as data (`ProfileKind`): pages draw forms from them, documents are checked against them. A profile is
plain JSON under the keys of its kind's fields. A unit on a roster keeps a copy of the profile it was taken from, so that a change in the
library never changes a force behind its player's back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

FieldKind = Literal["text", "words", "integer", "number", "flag", "choice", "choices", "strings", "rows"]


@dataclass(frozen=True, slots=True)
class ProfileField:
    """One thing to fill in.

    `kind`: text (one line), words (several lines), integer, number, flag, choice (one of `options`), choices (any of them), strings
    (short texts, one a line), rows (a list of tables with `fields`, at most `most`). `least` and `most` bound figures, lengths and rows;
    None: no bound. `options` are (value, words); on a text they are what may be
    typed ahead, and anything else may stand there too. `usual` is what a new profile holds; None: empty. A field that is not `required` may
    be left out, and reads as `usual`.
    """

    key: str
    label: str
    kind: FieldKind
    words: str = ""
    required: bool = False
    least: float | None = None
    most: float | None = None
    options: tuple[tuple[str, str], ...] = ()
    usual: Any = None
    fields: tuple[ProfileField, ...] = ()
    group: str = ""
    unit: str = ""  # what a figure is counted in: "distance" follows the force's scale, else the word itself


@dataclass(frozen=True, slots=True)
class ProfileKind:
    """A kind of profile: unit, weapon, platoon ... `takes`: a force is built from it; else it only fills in parts of others.

    `fills` are (kind, rows field): a profile of that kind may be copied in as a row there, its name as the row's `name`. A field of ""
    means this profile's own fields of the same keys.
    """

    id: str
    name: str
    plural: str
    words: str
    fields: tuple[ProfileField, ...]
    takes: bool = True
    fills: tuple[tuple[str, str], ...] = ()

    def field(self, key: str) -> ProfileField:
        """A field by its key. Raises KeyError."""
        for each in self.fields:
            if each.key == key:
                return each
        raise KeyError(key)


@dataclass(frozen=True, slots=True)
class ProfileProblem:
    """What keeps a profile from being used: where (`weapons.0.short_range`), what is, and what would help."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class CustomProfile:
    """A profile of a library. `data` has passed the kind. `origin`: book (the game's own tables), own, shared, sample (invented)."""

    id: str
    kind: str
    name: str
    data: Mapping[str, Any] = field(hash=False)
    origin: Literal["book", "own", "shared", "sample"] = "own"
    version: int = 1
    by: str = ""  # whose it is, in words, where it is somebody else's


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """A profile as a card shows it: figures (label, value), lines (bold name, words), and what is odd about it without being wrong."""

    title: str
    subtitle: str
    figures: tuple[tuple[str, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    hints: tuple[str, ...] = ()
