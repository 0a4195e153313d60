"""Short names of the sides of a table."""

from __future__ import annotations

from rules.tracker.state import TableState


def short_names(state: TableState) -> dict[str, str]:
    """Return a short name for each side: the first words that distinguish it from the others, without an article."""
    words = {
        side.key: [word for word in side.name.split() if word.lower() not in ("the", "a", "an")] or [side.name]
        for side in state.sides
    }
    found: dict[str, str] = {}
    for key, own in words.items():
        others = [other for each, other in words.items() if each != key]
        count = next((n for n in range(1, len(own) + 1) if all(other[:n] != own[:n] for other in others)), len(own))
        found[key] = " ".join(own[:count])[:24]
    return found
