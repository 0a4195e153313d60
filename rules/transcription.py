"""A roster typed in from paper: its fields, and the roster document that a game makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from rules.problems import Problem

Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
Amount = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
MOST_FIGHTERS = 60


class _PaperPart(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the parts. It rejects unknown fields."""


class PaperPiece(_PaperPart):
    """An item or an upgrade as typed. `found`: it was not bought."""

    text: str
    found: bool = False


class PaperWound(_PaperPart):
    """A trauma as typed, with the detail it asks for."""

    text: str
    detail: str = ""


class PaperFighter(_PaperPart):
    """A fighter of a paper roster. `key` never changes; `scars` is only set if there are more than the wounds named."""

    key: str
    name: str = ""
    profile: str = ""
    kit: list[PaperPiece] = []
    skills: list[str] = []
    wounds: list[PaperWound] = []
    experience: Count = 0
    scars: Count | None = None
    promoted: bool = False
    misses_next: bool = False
    status: Literal["active", "captive", "dead", "retired"] = "active"
    notes: str = ""


class PaperData(_PaperPart):
    """A whole paper roster as typed.

    `ducats` and `glory` are None until the player enters the contents of the strongbox.
    """

    list_id: str = ""
    name: str = ""
    patron: str = ""
    ducats: Amount | None = None
    glory: Amount | None = None
    fought: Count = 0
    credited: Count = 0
    misses: Count = 0
    last_scenario: str = ""
    reinforced: bool = False
    locations: list[str] = []
    exploration: list[str] = []
    lasting: list[str] = []
    stash: list[PaperPiece] = []
    points: Amount = 0
    won: Count = 0
    drawn: Count = 0
    lost: Count = 0
    notes: str = ""
    fighters: list[PaperFighter] = []


def paper_data(kept: Mapping[str, Any]) -> PaperData:
    """Return the stored paper roster. Data that does not fit counts as nothing typed."""
    try:
        return msgspec.convert(dict(kept), PaperData)
    except msgspec.ValidationError:
        return PaperData()


@dataclass(frozen=True, slots=True)
class PaperName:
    """A name for completion: as printed in the books, with its other names or its price."""

    name: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class PaperBook:
    """The names that a paper roster of one list may contain, those of the list itself first."""

    profiles: tuple[PaperName, ...] = ()
    kit: tuple[PaperName, ...] = ()
    skills: tuple[PaperName, ...] = ()
    traumas: tuple[PaperName, ...] = ()
    details: tuple[PaperName, ...] = ()
    patrons: tuple[PaperName, ...] = ()
    scenarios: tuple[PaperName, ...] = ()
    locations: tuple[PaperName, ...] = ()
    exploration: tuple[PaperName, ...] = ()
    lasting: tuple[PaperName, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperReading:
    """The typed roster as a roster document. Unknown names are left out and listed as problems.

    `unread` holds those problems, by key of their fighter. `notes` are worth a look and block nothing.
    `keys` are the fighters' keys in the order of the document.
    """

    document: dict[str, Any] = field(hash=False)
    keys: tuple[str, ...] = ()
    unread: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


__all__ = [
    "MOST_FIGHTERS",
    "PaperBook",
    "PaperData",
    "PaperFighter",
    "PaperName",
    "PaperPiece",
    "PaperReading",
    "PaperWound",
    "paper_data",
]  # fmt: skip
