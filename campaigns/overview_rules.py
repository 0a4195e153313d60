"""The plain rules by which the overview says who falls behind and who runs away, each with its threshold and one lever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

BATTLES_BEHIND = 2  # fewer battles than the middle player
RATING_BEHIND = 75  # per cent of the middle rating
RATING_AHEAD = 130
UNSEEN_DAYS = 14

Sign = Literal["battles", "poor", "rich", "unseen"]


@dataclass(frozen=True, slots=True)
class Figures:
    """What the rules compare: battles fought, the rating in ducats, days since the player was last seen (None: never)."""

    battles: int
    rating: int
    unseen_days: int | None
    has_player: bool
    has_warband: bool = True  # a place without one is neither behind nor ahead


def signs(rows: Sequence[Figures]) -> list[tuple[Sign, ...]]:
    """Return for each warband the rules that it meets. Fewer than three warbands have no middle."""
    compared = [row for row in rows if row.has_warband]
    if len(compared) < 3:
        return [_seen(row) for row in rows]
    battles = median(row.battles for row in compared)
    rating = median(row.rating for row in compared)
    return [(*(_against(row, battles, rating) if row.has_warband else ()), *_seen(row)) for row in rows]


def _against(row: Figures, battles: float, rating: float) -> tuple[Sign, ...]:
    found: list[Sign] = []
    if row.battles <= battles - BATTLES_BEHIND:
        found.append("battles")
    if rating and row.rating * 100 < rating * RATING_BEHIND:
        found.append("poor")
    if rating and row.rating * 100 > rating * RATING_AHEAD:
        found.append("rich")
    return tuple(found)


def _seen(row: Figures) -> tuple[Sign, ...]:
    return ("unseen",) if row.has_player and (row.unseen_days is None or row.unseen_days >= UNSEEN_DAYS) else ()
