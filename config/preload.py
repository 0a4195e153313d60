"""What every web worker needs, loaded before gunicorn forks them (`--preload`), so that they share its memory."""

from __future__ import annotations

from importlib import import_module

from django.urls import get_resolver

from rules.registry import systems


def preload() -> None:
    """Load the views, the engine of sheets, and the books of each edition in their newest official state."""
    _ = get_resolver().url_patterns
    import_module("warbands.pdf")
    for game in systems():
        for edition in game.editions():
            game.content(edition)
            if game.states is not None and (newest := game.states.newest(edition)):
                game.content(edition, newest)
