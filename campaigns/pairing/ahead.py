"""Looks past this round: whether the rounds after it can go on without a rematch.

The players who have not met form a graph. A round without a rematch is a perfect matching in it, and "nobody meets
again before all have met" says that it splits into perfect matchings (a 1-factorization).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import pairwise

from campaigns.pairing.model import Pair, pair_of

Graph = dict[int, set[int]]
STEPS_PER_EDGE = 60  # of the random walk, until a colouring counts as not found


def without(graph: Mapping[int, set[int]], pairs: Iterable[Pair]) -> Graph:
    """Return the graph without these edges."""
    left = {key: set(others) for key, others in graph.items()}
    for one, other in pairs:
        left.get(one, set()).discard(other)
        left.get(other, set()).discard(one)
    return left


def degree(graph: Mapping[int, set[int]]) -> int | None:
    """Return the number of neighbours that every player has, None if they differ."""
    degrees = {len(others) for others in graph.values()}
    return degrees.pop() if len(degrees) == 1 else None


def largest_matching(graph: Mapping[int, set[int]]) -> int:
    """Return the number of pairs of a largest matching."""
    order = len(graph)
    if order and min(len(others) for others in graph.values()) * 2 >= order:
        return order // 2  # Dirac: there is a Hamiltonian cycle
    import networkx  # a third of a second on a cold start, so only where a round is paired

    found = networkx.Graph()
    found.add_nodes_from(graph)
    found.add_edges_from((one, other) for one, others in graph.items() for other in others if one < other)
    return len(networkx.max_weight_matching(found, maxcardinality=True))


def splits_for_sure(order: int, each: int) -> bool:
    """Return whether every regular graph of this order and degree splits into perfect matchings.

    Known as the 1-factorization conjecture: proved for large graphs, and checked for small ones.
    """
    half = order // 2
    return each >= (half if half % 2 else half - 1) or each <= 1


def split(graph: Mapping[int, set[int]], seed: int = 0) -> list[list[Pair]] | None:
    """Return the perfect matchings into which a regular graph splits. None if none was found.

    Colours the edges: an edge takes a colour that is free at both ends, if need be after swapping two colours along a
    chain, else it takes the place of another edge, which then looks for a colour.
    """
    each = degree(graph)
    if each is None:
        return None
    dice = random.Random(seed)
    waiting = sorted(pair_of(one, other) for one, others in graph.items() for other in others if one < other)
    steps = STEPS_PER_EDGE * max(1, len(waiting))
    dice.shuffle(waiting)
    at: dict[int, dict[int, int]] = {key: {} for key in graph}  # player → colour → neighbour
    while waiting:
        steps -= 1
        if steps < 0:
            return None
        one, other = waiting.pop(dice.randrange(len(waiting)))
        free_one = [colour for colour in range(each) if colour not in at[one]]
        free_other = [colour for colour in range(each) if colour not in at[other]]
        both = set(free_one) & set(free_other)
        if both:
            _paint(at, one, other, min(both))
            continue
        first, second = dice.choice(free_one), dice.choice(free_other)
        if not _chain_frees(at, other, one, first, second):
            taken = at[other].pop(first)
            del at[taken][first]
            waiting.append(pair_of(other, taken))
        _paint(at, one, other, first)
    return [sorted({pair_of(key, at[key][colour]) for key in at}) for colour in range(each)]


def _paint(at: dict[int, dict[int, int]], one: int, other: int, colour: int) -> None:
    at[one][colour] = other
    at[other][colour] = one


def _chain_frees(at: dict[int, dict[int, int]], start: int, end: int, first: int, second: int) -> bool:
    """Swap two colours along the chain from a player, so that `first` is free there. False if it leads to `end`."""
    chain, colour = [start], first
    while colour in at[chain[-1]]:
        chain.append(at[chain[-1]][colour])
        colour = second if colour == first else first
    if chain[-1] == end:
        return False
    edges = list(pairwise(chain))
    for place, (one, other) in enumerate(edges):
        was = first if place % 2 == 0 else second
        del at[one][was]
        del at[other][was]
    for place, (one, other) in enumerate(edges):
        _paint(at, one, other, second if place % 2 == 0 else first)
    return True


def forced_next(graph: Mapping[int, set[int]]) -> tuple[int, bool]:
    """Return the rematches that the next round cannot avoid, and whether the rounds after it are in doubt."""
    order = len(graph)
    forced = order // 2 - largest_matching(graph)
    each = degree(graph)
    if forced or each is None or order > 40 or splits_for_sure(order, each):
        return forced, False
    return 0, split(graph) is None and split(graph, 1) is None
