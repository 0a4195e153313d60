"""The sources of effects: a profile, an ability, an item, a rule of the list, and the choice made with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules.content.campaign_entries import Trauma
from rules.content.schema import Ability, ItemEntry, ListRule, ProfileEntry, Skill, Upgrade
from rules.vocabulary import Effect

Entry = Ability | ItemEntry | ListRule | ProfileEntry | Skill | Trauma | Upgrade
NO_CHOICES: Mapping[str, Any] = {}


class EffectSource(msgspec.Struct, frozen=True):
    """A source of effects.

    `row` is the index in the fighter's kit for an item, else -1; `choices` are the choices stored with it.
    """

    kind: str
    id: str
    name: str
    words: str
    where: str
    effects: tuple[Effect, ...]
    row: int = -1
    choices: Mapping[str, Any] = NO_CHOICES


class Cause(msgspec.Struct, frozen=True):
    """One effect with its source."""

    source: EffectSource
    effect: Any


def source_of(
    kind: str, entry: Entry, where: str | None = None, row: int = -1, choices: Mapping[str, Any] = NO_CHOICES
) -> EffectSource:
    """Return the effects of an entry as a source.

    `where` is the place in the book if the entry names none (default: the entry's name).
    """
    place = entry.source or (entry.name if where is None else where)
    return EffectSource(kind, entry.id, entry.name, entry.words, place, entry.effects, row, choices)


def picks(choices: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the chosen values under a key, one or several, as a tuple of texts."""
    value = choices.get(key)
    if value is None or value == "":
        return ()
    return tuple(str(x) for x in value) if isinstance(value, list | tuple) else (str(value),)


def picked_index(picked: Sequence[str], count: int) -> int | None:
    """Return the index among `count` options that was picked by its number.

    Return None for anything else: a document may hold any text.
    """
    return next((n for n in range(count) if picked and picked[0] == str(n)), None)
