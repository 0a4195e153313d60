"""The map of a campaign's regions: hexagons on a grid, neighbours as near to each other as a simple search finds.

It is worked out from the regions and their links alone, so that everybody sees the same map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from math import sqrt

Cell = tuple[int, int]  # column and row of a hexagon, in axial coordinates
Links = Mapping[int, frozenset[int]]
AROUND: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
PASSES = 6


def distance(one: Cell, other: Cell) -> int:
    """Return how many steps lie between two hexagons."""
    columns, rows = one[0] - other[0], one[1] - other[1]
    return (abs(columns) + abs(rows) + abs(columns + rows)) // 2


def laid_out(regions: Iterable[int], links: Iterable[tuple[int, int]]) -> dict[int, Cell]:
    """Return a hexagon for each region. The same regions and links always give the same map."""
    return dict(_laid_out(tuple(sorted(set(regions))), tuple(sorted(set(links)))))


@lru_cache(maxsize=128)
def _laid_out(regions: tuple[int, ...], links: tuple[tuple[int, int], ...]) -> tuple[tuple[int, Cell], ...]:
    beside: dict[int, set[int]] = {region: set() for region in regions}
    for one, other in links:
        if one in beside and other in beside:
            beside[one].add(other)
            beside[other].add(one)
    near = {region: frozenset(others) for region, others in beside.items()}
    cells: dict[int, Cell] = {}
    while len(cells) < len(regions):
        region = _next(near, cells)
        cells[region] = min(_free(cells), key=lambda cell: (_far(region, cell, near, cells), *_centred(cell)))
    _swap(near, cells)
    return tuple(sorted(cells.items()))


def _next(near: Links, cells: Mapping[int, Cell]) -> int:
    """Return the region to place next: with most neighbours on the map, then with most neighbours."""
    left = [region for region in near if region not in cells]
    return min(left, key=lambda region: (-len(near[region] & cells.keys()), -len(near[region]), region))


def _free(cells: Mapping[int, Cell]) -> set[Cell]:
    taken = set(cells.values())
    return {(column + right, row + down) for column, row in taken for right, down in AROUND} - taken or {(0, 0)}


def _far(region: int, cell: Cell, near: Links, cells: Mapping[int, Cell]) -> int:
    return sum(distance(cell, cells[other]) ** 2 for other in near[region] if other in cells)


def _centred(cell: Cell) -> tuple[int, int, int]:
    return distance(cell, (0, 0)), *cell


def _swap(near: Links, cells: dict[int, Cell]) -> None:
    """Let two regions change places as long as that brings neighbours nearer to each other."""
    for _pass in range(PASSES):
        better = False
        for one, other in combinations(sorted(cells), 2):
            before = _far(one, cells[one], near, cells) + _far(other, cells[other], near, cells)
            cells[one], cells[other] = cells[other], cells[one]
            if _far(one, cells[one], near, cells) + _far(other, cells[other], near, cells) < before:
                better = True
            else:
                cells[one], cells[other] = cells[other], cells[one]
        if not better:
            return


def middle(cell: Cell, size: float) -> tuple[float, float]:
    """Return the middle of a hexagon whose corners are `size` from it, standing on a corner."""
    column, row = cell
    return size * sqrt(3) * (column + row / 2), size * 1.5 * row


def corners(x: float, y: float, size: float) -> str:
    """Return the corners of a hexagon for an SVG polygon."""
    half = size * sqrt(3) / 2
    points = ((0, -size), (half, -size / 2), (half, size / 2), (0, size), (-half, size / 2), (-half, -size / 2))
    return " ".join(f"{x + right:.1f},{y + down:.1f}" for right, down in points)
