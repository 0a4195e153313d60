"""The books' names for ids, and small turns of phrase for the sentences of history."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from rules.registry import system
from warbands.models import Terms

# Things without a number of their own take no article: "sold Standard Armour".
_UNCOUNTED = {"Ammunition", "Armour", "Armor", "Wine", "Water", "Oil", "Blood", "Manna", "Medicine"}


@lru_cache(maxsize=64)
def _names(system_id: str, edition: str, overlays: tuple[str, ...], house_rules: str) -> dict[tuple[str, str], str]:
    game = system(system_id)
    content = game.content(edition, overlays, json.loads(house_rules))
    return {(entry.kind, entry.id): entry.name for entry in game.entries(content)}


def name_of(terms: Terms, kind: str, entry_id: str) -> str:
    """What the edition calls an entry of this kind; the id itself where the books no longer know it."""
    rules = json.dumps(terms.house_rules, sort_keys=True)
    return _names(terms.system, terms.edition, tuple(terms.overlays), rules).get((kind, entry_id), entry_id)


def labels_of(terms: Terms) -> Mapping[str, str]:
    """The edition's words for things that pages and sentences name."""
    labels: Mapping[str, str] = terms.game.labels(terms.content)
    return labels


def one(name: str) -> str:
    """The name with its article: "a Combat Helmet", "an Automatic Pistol"; "Grenades" and "Standard Armour" without."""
    last = name.rsplit(" ", 1)[-1]
    if last in _UNCOUNTED or (last.endswith("s") and not last.endswith("ss")):
        return name
    return f"an {name}" if name[:1] in "AEIOUaeiou" else f"a {name}"


def listed(names: list[str]) -> str:
    """The names as a sentence lists them: "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
