"""The games of this project by id. Importing this module costs nothing; a game is loaded when it is first asked for."""

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
    """The game with this id. Raises KeyError for an unknown one."""
    game: Game = import_module(f"{PACKAGES[game_id]}.game").SYSTEM
    return game


def systems() -> tuple[Game, ...]:
    """All games, in the order in which they are offered."""
    return tuple(system(game_id) for game_id in PACKAGES)
