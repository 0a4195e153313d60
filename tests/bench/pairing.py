"""How fast a round of sixty is suggested, in processor seconds: a season of twelve rounds whose results pull players together."""

from __future__ import annotations

import random
import time

from campaigns.pairing.model import Player
from campaigns.pairing.suggest import suggest

SEATS, ROUNDS = 60, 12
PAIRING_BUDGET_MS = 200


def slowest_round(seats: int = SEATS, rounds: int = ROUNDS) -> float:
    """Return the processor seconds of the slowest suggestion of a season, after a first one that loads the library."""
    dice = random.Random(1)
    met: dict[int, dict[int, int]] = {key: {} for key in range(1, seats + 1)}
    games, score = dict.fromkeys(met, 0), dict.fromkeys(met, 0)
    suggest([Player(1, "P1"), Player(2, "P2")])
    slowest = 0.0
    for _ in range(rounds):
        players = [Player(key, f"P{key}", games[key], score=score[key], met=dict(met[key])) for key in met]
        start = time.process_time()
        found = suggest(players)
        slowest = max(slowest, time.process_time() - start)
        for one, other in (pair for table in found.tables for pair in table.pairs):
            for a, b in ((one, other), (other, one)):
                met[a][b] = met[a].get(b, 0) + 1
                games[a] += 1
            score[dice.choice((one, other))] += dice.randint(1, 12)
    return slowest
