"""Tables of three, by local search: two players change places as long as that makes the round better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from campaigns.pairing.costs import Costs

MAX_PASSES = 12


def one_of_three(tables: Sequence[tuple[int, ...]], costs: Costs) -> list[tuple[int, ...]]:
    """Return the round with the player who has a bye at a table of three instead, and then improved."""
    alone = [table for table in tables if len(table) == 1]
    others = [table for table in tables if len(table) > 1]
    if not alone or not others:
        return list(tables)
    key = alone[0][0]
    best = min(range(len(others)), key=lambda place: sum(costs.of(key, each) for each in others[place]))
    others[best] = (*others[best], key)
    return improved(others, costs)


def tables_of_three(keys: Sequence[int], costs: Costs) -> list[tuple[int, ...]]:
    """Return tables of three; where the number does not divide by three, one or two tables of two."""
    count = len(keys)
    if count < 3:
        return [tuple(keys)] if keys else []
    twos = {0: 0, 1: 2, 2: 1}[count % 3]
    sizes = [3] * ((count - 2 * twos) // 3) + [2] * twos
    left = sorted(keys, key=lambda key: (costs.players[key].games, key))
    tables = []
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            nearest = min(left, key=lambda key: (sum(costs.of(key, each) for each in table), key))
            left.remove(nearest)
            table.append(nearest)
        tables.append(tuple(table))
    return improved(tables, costs)


def improved(tables: Sequence[tuple[int, ...]], costs: Costs) -> list[tuple[int, ...]]:
    """Return the round after every swap of two players that lowers its costs."""
    rows = [list(table) for table in tables]
    for _ in range(MAX_PASSES):
        if not any(_improve(rows[one], rows[other], costs) for one, other in combinations(range(len(rows)), 2)):
            break
    return [tuple(row) for row in rows]


def _improve(one: list[int], other: list[int], costs: Costs) -> bool:
    """Swap the two players of two tables whose change gains most. Return whether any did."""
    now = table_cost(one, costs) + table_cost(other, costs)
    best, found = now, None
    for a in range(len(one)):
        for b in range(len(other)):
            one[a], other[b] = other[b], one[a]
            cost = table_cost(one, costs) + table_cost(other, costs)
            one[a], other[b] = other[b], one[a]
            if cost < best:
                best, found = cost, (a, b)
    if found is not None:
        a, b = found
        one[a], other[b] = other[b], one[a]
    return found is not None


def table_cost(keys: Sequence[int], costs: Costs) -> int:
    return sum(costs.of(*pair) for pair in combinations(keys, 2))
