"""The newest official state of an edition, which new campaigns and warbands begin with."""

from __future__ import annotations

from rules.registry import PACKAGES, system


def newest_overlays(game_id: str, edition: str) -> tuple[str, ...]:
    """Return the overlays of the newest official state of an edition, () if there are none or it is unknown."""
    if game_id not in PACKAGES:
        return ()
    game = system(game_id)
    return game.states.newest(edition) if game.states is not None and edition in game.editions() else ()
