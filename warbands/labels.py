"""Names of ids in the rule books, and phrases for the sentences of the history."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from django.utils.translation import gettext as _

from rules.registry import system
from warbands.models import Terms, Warband

# Uncountable things take no article: "sold Standard Armour".
_UNCOUNTED = {"Ammunition", "Armour", "Armor", "Wine", "Water", "Oil", "Blood", "Manna", "Medicine"}


@lru_cache(maxsize=64)
def _names(system_id: str, edition: str, overlays: tuple[str, ...], house_rules: str) -> dict[tuple[str, str], str]:
    game = system(system_id)
    content = game.content(edition, overlays, json.loads(house_rules))
    return {(entry.kind, entry.id): entry.name for entry in game.rulebook.entries(content)}


def name_of(terms: Terms, kind: str, entry_id: str) -> str:
    """Return the edition's name for an entry of this kind; the id itself if the edition no longer contains it."""
    rules = json.dumps(terms.house_rules, sort_keys=True)
    return _names(terms.system, terms.edition, terms.at_hand, rules).get((kind, entry_id), entry_id)


def labels_of(terms: Terms) -> Mapping[str, str]:
    labels: Mapping[str, str] = terms.game.labels(terms.content)
    return labels


def word(terms: Terms, key: str, usual: str) -> str:
    """Return the game's own word for something, else the usual one."""
    return labels_of(terms).get(key, usual)


def edition_name(game_id: str, edition: str) -> str:
    """Return the name of the game, with its edition if there are several or the edition is a number."""
    game = system(game_id)
    return f"{game.name} {edition}" if len(game.editions()) > 1 or edition[:1].isdigit() else str(game.name)


def house_target_name(terms: Terms, id_: str) -> str:
    """Return the name of a house rule's target; the id itself if the game has no entries that can be targets."""
    campaign = terms.game.campaign
    return campaign.house_target_name(terms.content, id_) if campaign is not None else id_


def mark_of(warband: Warband) -> str:
    """Return the key of the mark that stands beside the warband's name."""
    return list_mark(warband.terms, warband.list_id)


def list_mark(terms: Terms, list_id: str) -> str:
    """Return the key of the mark of a list under these terms."""
    return str(terms.game.founding.mark(terms.content, list_id))


def has_shop(terms: Terms) -> bool:
    return terms.game.shop is not None


def worth_words(terms: Terms, ducats: int, glory: int = 0, *, short: bool = True) -> str:
    """Return a value in the game's unit: "45 d", "45 d, 2 g", "45 pts"; "" if zero and the game has no shop."""
    if has_shop(terms):
        parts = [f"{ducats} d"] if ducats or not glory else []
        return ", ".join([*parts, *([f"{glory} g"] if glory else [])])
    return f"{ducats} {labels_of(terms)['worth']}" if ducats else ""


def worth_of(warband: Warband) -> str:
    """Return the short value of a warband: "841 d", "51 pts"; its headcount if that is zero and the game has no shop."""
    return worth_words(warband.terms, warband.rating_ducats) or headcount_of(warband)


def headcount_of(warband: Warband) -> str:
    """Return the size of its roster in the unit that the game counts: "15 fighters", "1 unit"."""
    count = warband.fighter_count
    one, many = word(warband.terms, "row", "fighter"), word(warband.terms, "rows", "fighters")
    return f"{count} {one if count == 1 else many}"


def figures_of(warband: Warband) -> str:
    worth = worth_words(warband.terms, warband.rating_ducats, warband.rating_glory)
    return ", ".join(words for words in (worth, headcount_of(warband)) if words)


def figures_short(warband: Warband) -> str:
    worth = worth_words(warband.terms, warband.rating_ducats)
    return ", ".join(words for words in (worth, headcount_of(warband)) if words)


def one(name: str) -> str:
    """Return the name with its article: "a Combat Helmet", "an Automatic Pistol"; "Grenades", "Standard Armour" have none."""
    last = name.rsplit(" ", 1)[-1]
    if last in _UNCOUNTED or (last.endswith("s") and not last.endswith("ss")):
        return name
    return _("an {name}").format(name=name) if name[:1] in "AEIOUaeiou" else f"a {name}"


def listed(names: list[str]) -> str:
    """Join names for a sentence: "a, b and c"."""
    return (
        names[0]
        if len(names) == 1
        else _("{join} and {names}").format(join=", ".join(names[:-1]), names=names[-1])
        if names
        else ""
    )
