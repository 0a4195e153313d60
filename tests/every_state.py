"""Every edition of every game, as released and in its newest official state: for guards over all lists there are."""

from __future__ import annotations

from typing import Any

from rules.content.overlays.states import newest_official
from rules.registry import systems


def every_state() -> list[tuple[Any, Any]]:
    """Return each game with each content: every edition, then every edition with the official overlays it has."""
    found = [(game, game.content(edition)) for game in systems() for edition in game.editions()]
    for game, content in tuple(found):
        if game.profiles is None and (taken := newest_official(game.id, content.edition)):
            found.append((game, game.content(content.edition, taken)))
    return found
