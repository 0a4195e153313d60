"""The explanations of a game's words, where a newcomer first meets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExplainedTerm:
    """A word of the game and what it means."""

    word: str
    words: str


def terms_in(labels: Mapping[str, str], *keys: str) -> tuple[ExplainedTerm, ...]:
    """Return the terms with these label keys that the game explains, in this order."""
    return tuple(
        ExplainedTerm(labels[key], labels[f"term_{key}"]) for key in keys if labels.get(f"term_{key}") and key in labels
    )


def term_of(labels: Mapping[str, str], key: str) -> ExplainedTerm | None:
    """Return the term with this label key, None if the game does not explain it."""
    return next(iter(terms_in(labels, key)), None)
