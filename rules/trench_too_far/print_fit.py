"""How much of a card its words take, counted in lines of text."""

from __future__ import annotations

from collections.abc import Sequence

CARD_LETTERS = 42  # letters of a line in a narrow font


def pages_of(needs: Sequence[float], first: float, further: float) -> list[tuple[int, int]]:
    """Return which things go on which page, by the space that each needs. The first page may be empty."""
    pages: list[tuple[int, int]] = []
    start, room = 0, first
    for place, need in enumerate(needs):
        if need > room and (place > start or not pages):
            pages.append((start, place))
            start, room = place, further
        room -= need
    return [*pages, (start, len(needs))]


def lines_of(words: str, letters: int = CARD_LETTERS) -> int:
    """Return how many lines of a card words take."""
    return max(1, -(-len(words) // letters))
