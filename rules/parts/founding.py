"""How a warband is founded: the lists to choose from, and what each begins with."""

from __future__ import annotations

from dataclasses import dataclass

from rules.parts.choice import ChoiceAsked
from rules.price import Price


@dataclass(frozen=True, slots=True)
class ListChoice:
    """A faction with its lists, for founding."""

    id: str
    name: str
    temper: str
    faction: str
    changes: tuple[str, ...]
    patrons: tuple[tuple[str, str], ...]
    start: Price
    one_off: Price
    third_party: bool
    choices: tuple[ChoiceAsked, ...] = ()
    keyword: str = ""  # the faction's keyword as printed, by which other rules name it
    closed: str = ""  # why the list cannot be played under these terms, "" when it can


@dataclass(frozen=True, slots=True)
class StartingItem:
    """An item handed out when a warband is founded."""

    item: str
    offer: str
    name: str
