"""Where effects come from: a profile, an ability, an item, a rule of the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.vocabulary import Effect


class EffectSource(NamedTuple):
    """Where effects come from. `row` is the place in the fighter's kit for an item, else -1; `choices` what was chosen with it."""

    kind: str
    id: str
    name: str
    words: str
    where: str
    effects: tuple[Effect, ...]
    row: int = -1
    choices: Mapping[str, Any] = {}


class Cause(NamedTuple):
    """One effect with its source."""

    source: EffectSource
    effect: Any


def picks(choices: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """What was chosen under a key: one value or several, as a tuple of texts."""
    value = choices.get(key)
    if value is None or value == "":
        return ()
    return tuple(str(x) for x in value) if isinstance(value, list | tuple) else (str(value),)


def place_of(picked: Sequence[str], count: int) -> int | None:
    """The place among `count` options that was picked by its number, None for anything else: a document may hold any text."""
    return next((n for n in range(count) if picked and picked[0] == str(n)), None)
