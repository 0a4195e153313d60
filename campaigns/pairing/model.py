"""The values that pairing works on: the players with what they did so far, what is fixed, and the suggestion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

BYE = 0  # the key of the empty place that an odd number of players has; seats start at 1

Pair = tuple[int, int]  # keys of two players, the smaller first
ReasonKind = Literal[
    "first", "rematch", "battles", "score", "rating", "challenge", "wish", "apart", "locked", "scenario", "bye", "again"
]


@dataclass(frozen=True, slots=True)
class Player:
    """One player who can be paired. `met` counts the battles against each other player, by key.

    `last` are the opponents of the player's last round. `wants` and `avoids` are the players' fixed wishes.
    """

    key: int
    name: str
    games: int = 0
    byes: int = 0
    score: int = 0
    rating: int = 0
    met: Mapping[int, int] = field(default_factory=dict)
    last: frozenset[int] = frozenset()
    scenarios: Mapping[str, int] = field(default_factory=dict)
    wants: frozenset[int] = frozenset()
    avoids: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each difference weighs once rematches are as few as possible, from 0 (does not matter) to 9.

    `battles` weighs a battle more or fewer, `score` a point, `rating` 100 ducats, `recent` a meeting in the last
    round, and `scenario` a pair without any scenario that is new to both.
    """

    battles: int = 5
    recent: int = 5
    score: int = 1
    rating: int = 0
    scenario: int = 1


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a table. `numbers` and `names` are what its sentence tells; what they are depends on the kind."""

    kind: ReasonKind
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableOfPlayers:
    """Players who meet: two, or three where the round has tables of three. One alone has a bye.

    `weight` is the sum of the weighted differences, without rematches.
    """

    players: tuple[int, ...]
    locked: bool = False
    scenario: str = ""
    weight: int = 0
    reasons: tuple[Reason, ...] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple(combinations(sorted(self.players), 2))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: tables that stay, agreed challenges, what an odd number does, and the weights.

    `odd` is "bye", "three" (one table of three), or "threes" (tables of three wherever possible).
    """

    locked: tuple[tuple[int, ...], ...] = ()
    challenges: frozenset[Pair] = frozenset()
    odd: Literal["bye", "three", "threes"] = "bye"
    weights: Weights = Weights()
    scenarios: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A round: its tables, and the number of pairs that meet again."""

    tables: tuple[TableOfPlayers, ...]
    rematches: int = 0


def pair_of(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
