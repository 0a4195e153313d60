"""Profiles that players write, for games without published army lists: the fields of each kind, and the values.

A game defines its kinds of profile as data (`ProfileKind`). Pages build forms from them, and documents are checked
against them. A profile is plain JSON under the keys of its kind's fields. A unit on a roster has its own copy of its
profile, so a change in the library does not change the unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

FieldKind = Literal["text", "words", "integer", "number", "flag", "choice", "choices", "strings", "rows"]


@dataclass(frozen=True, slots=True)
class ProfileField:
    """One field of a profile.

    `kind`: text (one line), words (several lines), integer, number, flag, choice (one of `options`), choices (any of them), strings
    (short texts, one a line), rows (a list of tables with `fields`, at most `most`). `least` and `most` bound figures, lengths and rows;
    None: no bound. `options` are (value, label); on a text they are suggestions. `usual` is the default; None: empty. A field that is not
    `required` may be left out, and reads as `usual`.
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
    unit: str = ""  # unit of a figure: "distance" follows the force's scale


@dataclass(frozen=True, slots=True)
class ProfileKind:
    """A kind of profile: unit, weapon, platoon ...

    `takes`: units can be taken from it; otherwise it only fills parts of other profiles. `fills` are (kind, rows
    field): a profile of that kind may be copied into that field as a row. A field of "" means this profile's own fields
    with the same keys.
    """

    id: str
    name: str
    plural: str
    words: str
    fields: tuple[ProfileField, ...]
    takes: bool = True
    fills: tuple[tuple[str, str], ...] = ()

    def field(self, key: str) -> ProfileField:
        return {each.key: each for each in self.fields}[key]


@dataclass(frozen=True, slots=True)
class ProfileProblem:
    """An error in a profile: its path (`weapons.0.short_range`), what is wrong, and how to fix it."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class CustomProfile:
    """A profile of a library. `data` fits its kind.

    `origin` is book (the game's own tables), own, shared, or sample (invented).
    """

    id: str
    kind: str
    name: str
    data: Mapping[str, Any] = field(hash=False)
    origin: Literal["book", "own", "shared", "sample"] = "own"
    version: int = 1
    by: str = ""  # its owner, if that is another player


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """A profile on a card: figures (label, value), lines (bold name, text), and hints about what is odd but allowed."""

    title: str
    subtitle: str
    figures: tuple[tuple[str, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    hints: tuple[str, ...] = ()
