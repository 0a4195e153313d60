"""Lists that share a name: a faction of its own and the variant of another faction that it grew from."""

from __future__ import annotations

from collections.abc import Sequence

from rules.content.compiled import Content
from rules.content.names import plain


def namesakes(content: Content, list_id: str) -> tuple[str, ...]:
    """Return the lists that have the name of this one, itself among them. Empty if nobody else has it."""
    name = plain(content.lists[list_id].army.name)
    found = tuple(id_ for id_, other in content.lists.items() if plain(other.army.name) == name)
    return found if len(found) > 1 else ()


def told_name(content: Content, list_id: str) -> str:
    """Return a list's name as pages show it: a faction that shares its name with a variant has its book beside it."""
    army = content.lists[list_id].army
    if army.faction or army.book == "core" or not namesakes(content, list_id):
        return army.name
    return f"{army.name} ({army.book.replace('-', ' ').title()})"


def variant_named(content: Content, faction: str, text: str) -> str:
    """Return the variant of this faction with this name, short name or id, "" if it has none."""
    wanted = plain(text)
    for army in (content_.army for content_ in content.lists.values()):
        if army.faction == faction and wanted in (plain(army.id), plain(army.name), plain(army.short)):
            return army.id
    return ""


def beside_their_factions(content: Content, named: Sequence[str]) -> tuple[str, ...]:
    """Return these lists, each as the one of its name that goes with another list that is named beside it."""
    return tuple(_beside(content, id_, named) for id_ in named)


def _beside(content: Content, list_id: str, named: Sequence[str]) -> str:
    """Return the list of this name that is a variant of a named faction, else the faction of a named variant."""
    alike = namesakes(content, list_id)
    factions = {content.lists[id_].army.faction for id_ in named}
    variants = [id_ for id_ in alike if content.lists[id_].army.faction in named]
    return next(iter((*variants, *(id_ for id_ in alike if id_ in factions))), list_id)
