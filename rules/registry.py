"""The games of this project by id. Importing this module is cheap; a game is loaded on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from rules.game import Game

PACKAGES = {
    "trench-crusade": "rules.trench_crusade",
    "gloom-trench": "rules.gloom_trench",
    "trench-too-far": "rules.trench_too_far",
}


@cache
def system(game_id: str) -> Game:
    """Return the game with this id. Raises KeyError for an unknown one."""
    game: Game = import_module(f"{PACKAGES[game_id]}.game").SYSTEM
    return game


def systems() -> tuple[Game, ...]:
    """Return all games, in the order in which they are offered."""
    return tuple(system(game_id) for game_id in PACKAGES)
