"""What a game with printed campaign rules has between battles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TeamSlot:
    """A place for one team of two: who may be first and who second (key, name), and who was named ("" for nobody).

    `fixed`: the first is settled by the rule that opens the place.
    """

    key: str
    name: str
    words: str
    first: tuple[tuple[str, str], ...]
    second: tuple[tuple[str, str], ...]
    chosen: tuple[str, str] = ("", "")
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Teams:
    """The teams that a warband may declare before a battle, in the game's word for them (`title`: "Fireteams")."""

    title: str
    words: str
    slots: tuple[TeamSlot, ...]
    problems: tuple[str, ...] = ()
