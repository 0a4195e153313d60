"""What a meeting of two players costs. The lowest sum over a round is the best round.

Three things come before every difference, in this order: players who are to be kept apart, wishes to meet, and
rematches. So no difference, however large, makes two players meet again while somebody new is free.
"""

from __future__ import annotations

from campaigns.pairing.model import BYE, Player, Weights

APART, WISH, REMATCH = 10**12, 10**9, 10**6
MOST = 9_999  # of one difference: a hundred of them stay below one rematch


class Costs:
    """The costs of all pairs of these players, and of a bye for each. `scenarios` are the ids that can be played."""

    def __init__(self, players: dict[int, Player], weights: Weights, scenarios: tuple[str, ...] = ()) -> None:
        self.players = players
        self.weights = weights
        self.scenarios = scenarios
        self.most_games = max((player.games for player in players.values()), default=0)
        self.fewest_rests = min((self.rests(key) for key in players), default=0)

    def rests(self, key: int) -> int:
        """Return how many battles a player is behind those with the most."""
        return self.most_games - self.players[key].games

    def meetings(self, one: int, other: int) -> int:
        """Return how often two players met; for a bye, how many battles and byes the player is behind the others."""
        if BYE in (one, other):
            key = one or other
            return self.rests(key) - self.fewest_rests
        return self.players[one].met.get(other, 0)

    def soft(self, one: int, other: int) -> int:
        """Return the weighted differences of two players, 0 to 9999."""
        weights = self.weights
        if BYE in (one, other):
            # Of those with as many battles, who had fewer byes.
            return min(MOST, 100 * self.players[one or other].byes)
        a, b = self.players[one], self.players[other]
        cost = weights.battles * abs(a.games - b.games) + weights.score * abs(a.score - b.score)
        cost += weights.rating * (abs(a.rating - b.rating) // 100)
        if other in a.last or one in b.last:
            cost += 10 * weights.recent
        if weights.scenario and self.scenarios and not self.fresh_scenarios(one, other):
            cost += weights.scenario
        return min(MOST, cost)

    def fresh_scenarios(self, *keys: int) -> list[str]:
        """Return the scenarios that none of these players has played."""
        return [each for each in self.scenarios if not any(each in self.players[key].scenarios for key in keys)]

    def apart(self, one: int, other: int) -> bool:
        return BYE not in (one, other) and (other in self.players[one].avoids or one in self.players[other].avoids)

    def wished(self, one: int, other: int) -> bool:
        return BYE not in (one, other) and (other in self.players[one].wants or one in self.players[other].wants)

    def hard(self, one: int, other: int) -> int:
        meetings = self.meetings(one, other)
        wish = 0 if self.wished(one, other) else WISH
        return APART * self.apart(one, other) + wish + REMATCH * meetings * meetings

    def of(self, one: int, other: int) -> int:
        return self.hard(one, other) + self.soft(one, other)
