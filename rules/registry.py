"""The games this project knows, by id. Importing this module costs nothing; a game is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from rules.game import SYSTEMS, Game

PACKAGES = {
    "trench-crusade": "rules.trench_crusade",
    "gloom-trench": "rules.gloom_trench",
    "trench-too-far": "rules.trench_too_far",
}


def system(game_id: str) -> Game:
    """The doors of the game with this id. Raises KeyError for a game nobody wrote."""
    if game_id not in SYSTEMS:
        import_module(PACKAGES[game_id])
    return SYSTEMS[game_id]


def systems() -> tuple[Game, ...]:
    """All games, in the order in which they are offered."""
    return tuple(system(game_id) for game_id in PACKAGES)
