"""Suggests a round: the pairs with the lowest costs by minimum-weight matching, looking a round ahead."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from campaigns.pairing.ahead import Graph, degree, forced_next, split, without
from campaigns.pairing.costs import REMATCH, WISH, Costs
from campaigns.pairing.model import BYE, Pair, Player, Reason, Suggestion, TableOfPlayers, Wanted, pair_of
from campaigns.pairing.threes import one_of_three, tables_of_three

AS_USUAL = Wanted()
MAX_TRIES = 16  # other rounds that are tried where the best one would force a rematch later


def suggest(players: Sequence[Player], wanted: Wanted = AS_USUAL) -> Suggestion:
    """Return a round in which each of these players stands at one table, or has a bye.

    Locked tables and agreed challenges stay as they are. A player without anybody to meet gets a bye.
    """
    known = {player.key: player for player in sorted(players, key=lambda each: each.key)}
    costs = Costs(known, wanted.weights, wanted.scenarios)
    fixed = _fixed(known, wanted)
    taken = {key for table in fixed for key in table}
    free = [key for key in known if key not in taken]
    if wanted.odd == "threes":
        found = tables_of_three(free, costs)
    else:
        pairs = _pairs(free, fixed, costs)
        found = one_of_three(pairs, costs) if wanted.odd == "three" else pairs
    return judged([*fixed, *found], known.values(), wanted)


def judged(tables: Iterable[Iterable[int]], players: Iterable[Player], wanted: Wanted) -> Suggestion:
    """Return a round that somebody has put together, with its weights and reasons, in the order of its tables."""
    known = {player.key: player for player in players}
    costs = Costs(known, wanted.weights, wanted.scenarios)
    locked = {frozenset(table) for table in wanted.locked}
    seated = [tuple(key for key in table if key in known) for table in tables]
    rows = []
    for keys in filter(None, seated):
        scenario = next(iter(_scenarios(costs, keys)), "") if len(keys) > 1 else ""
        reasons = tuple(_reasons(keys, costs, wanted, frozenset(keys) in locked, scenario, seated))
        weight = sum(costs.soft(*pair) for pair in combinations(sorted(keys), 2))
        rows.append(TableOfPlayers(keys, frozenset(keys) in locked, scenario, weight, reasons))
    again = sum(1 for row in rows for pair in row.pairs if costs.meetings(*pair))
    return Suggestion(tuple(rows), again)


def _scenarios(costs: Costs, keys: tuple[int, ...]) -> list[str]:
    """Return the scenarios for a table: those played least by its players first."""
    return sorted(costs.scenarios, key=lambda each: sum(costs.players[key].scenarios.get(each, 0) for key in keys))


def _fixed(known: dict[int, Player], wanted: Wanted) -> list[tuple[int, ...]]:
    """Return the tables that stay: locked ones, then agreed challenges between players who are still free."""
    taken: set[int] = set()
    fixed = []
    for table in (*wanted.locked, *sorted(wanted.challenges)):
        if table and all(key in known for key in table) and not taken & set(table):
            fixed.append(tuple(table))
            taken |= set(table)
    return fixed


def _pairs(free: list[int], fixed: list[tuple[int, ...]], costs: Costs) -> list[tuple[int, ...]]:
    places = [*free, BYE] if len(free) % 2 else free
    if not places:
        return []
    best = _matching(places, costs)
    fresh = _fresh(costs, fixed, odd=len(costs.players) % 2 == 1)
    rounds = [pair for table in fixed for pair in combinations(sorted(table), 2)]
    best_score = _score(best, fresh, rounds, costs)
    # The next round would need a rematch, or later ones might.
    if best_score[1:3] != (best_score[3], False):
        for other in _others(places, fresh, bool(fixed), costs):
            score = _score(other, fresh, rounds, costs)
            if score < best_score:
                best, best_score = other, score
            if best_score[1:3] == (best_score[3], False):
                break
    return [tuple(key for key in pair if key != BYE) for pair in best]


def _fresh(costs: Costs, fixed: Sequence[tuple[int, ...]], *, odd: bool) -> Graph:
    """Return who has met whom least: not at all, until everybody has met. With an odd number also who had fewest byes."""
    keys = [*costs.players, BYE] if odd else list(costs.players)
    graph: Graph = {key: set() for key in keys}
    fewest = min((costs.meetings(*pair) for pair in combinations(sorted(costs.players), 2)), default=0)
    fewest_byes = min((player.byes for player in costs.players.values()), default=0)
    for one, other in combinations(sorted(keys), 2):
        if BYE in (one, other):
            is_fresh = costs.players[one or other].byes == fewest_byes
        else:
            is_fresh = costs.meetings(one, other) == fewest
        if is_fresh:
            graph[one].add(other)
            graph[other].add(one)
    return graph


Score = tuple[int, int, bool, int, int]


def _score(pairs: list[Pair], fresh: Graph, fixed: list[Pair], costs: Costs) -> Score:
    """Return how good a round is, lower is better: wishes, rematches of this round and the next, doubt about later
    rounds, rematches of this round, weights."""
    hard = [costs.hard(*pair) for pair in pairs]
    wishes = sum(cost // WISH for cost in hard)
    again = sum(cost % WISH // REMATCH for cost in hard)
    left = without(fresh, [*pairs, *fixed])
    if not any(left.values()):
        return wishes, again, False, again, sum(costs.soft(*pair) for pair in pairs)  # all have met: a new turn begins
    forced, doubt = forced_next(left)
    return wishes, again + forced, doubt, again, sum(costs.soft(*pair) for pair in pairs)


def _others(places: list[int], fresh: Graph, has_fixed: bool, costs: Costs) -> Iterator[list[Pair]]:
    """Yield other rounds: those of a season without rematches, then the best under shaken weights."""
    if not has_fixed and degree(fresh) is not None and set(places) == set(fresh):
        for seed in range(3):
            season = split(fresh, seed)
            if season is not None:
                yield from sorted(season, key=lambda pairs: sum(costs.of(*pair) for pair in pairs))
                break
    dice = random.Random(len(places))
    for _ in range(MAX_TRIES if len(places) <= 24 else MAX_TRIES // 4):
        yield _matching(places, costs, dice)


def _matching(places: list[int], costs: Costs, dice: random.Random | None = None) -> list[Pair]:
    """Return the pairs with the lowest sum of costs; `dice` shakes the differences, not what comes before them."""
    import networkx  # a third of a second on a cold start, so only where a round is paired

    graph = networkx.Graph()
    graph.add_nodes_from(places)
    for one, other in combinations(places, 2):
        cost = costs.of(one, other) if dice is None else costs.hard(one, other) + dice.randrange(1000)
        graph.add_edge(one, other, weight=cost)
    return sorted(pair_of(*pair) for pair in networkx.min_weight_matching(graph))


def _wishes(asks: Player, asked: Player) -> Iterator[Reason]:
    if asked.key in asks.wants:
        yield Reason("wish", (asks.name, asked.name))
    if asked.key in asks.avoids:
        yield Reason("apart", (asks.name, asked.name))


def _reasons(
    keys: tuple[int, ...],
    costs: Costs,
    wanted: Wanted,
    locked: bool,
    scenario: str,
    tables: Sequence[tuple[int, ...]],
) -> Iterator[Reason]:
    players = [costs.players[key] for key in keys]
    if locked:
        yield Reason("locked")
    if len(keys) == 1:
        yield Reason("bye", (), (players[0].games, players[0].byes))
        return
    pairs = list(combinations(sorted(keys), 2))
    if any(pair in wanted.challenges for pair in pairs):
        yield Reason("challenge")
    for one, other in pairs:
        yield from _wishes(costs.players[one], costs.players[other])
        yield from _wishes(costs.players[other], costs.players[one])
    again = [pair for pair in pairs if costs.meetings(*pair)]
    if not again:
        yield Reason("first")
    for one, other in again:
        yield _why_again(one, other, costs, tables, fixed=locked or pair_of(one, other) in wanted.challenges)
    games = [player.games for player in players]
    yield Reason("battles", (), tuple(sorted(set(games))))
    if costs.weights.score:
        yield Reason("score", (), (max(p.score for p in players) - min(p.score for p in players),))
    if costs.weights.rating:
        yield Reason("rating", (), (max(p.rating for p in players) - min(p.rating for p in players),))
    if scenario:
        played = sum(player.scenarios.get(scenario, 0) for player in players)
        yield Reason("scenario", (scenario,), (played,))


def _why_again(one: int, other: int, costs: Costs, tables: Sequence[tuple[int, ...]], *, fixed: bool) -> Reason:
    """Return why two players meet again. The first number is how often they met; the second says why:

    0 somebody fixed it, 1 one of them has met everybody who is here, 2 it saves more rematches elsewhere.
    """
    times = costs.meetings(one, other)
    if fixed:
        return Reason("rematch", (), (times, 0))
    here = {key for table in tables for key in table}
    for key in (one, other):
        if all(costs.meetings(key, each) for each in here - {key}):
            return Reason("rematch", (costs.players[key].name,), (times, 1))
    return Reason("rematch", (), (times, 2))
