"""The names of a pack: how its entries may be spelled, and how its keywords are printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.content import schema as s
from rules.content.names import plain


def spellings(entries: Iterable[Any]) -> dict[str, str]:
    """Return a mapping from plain spelling to id; the first entry with a spelling wins.

    Ids take precedence over names, names over short and further names, and those over the parts of "Sword / Axe".
    """
    found: dict[str, str] = {}
    listed = list(entries)
    for entry in listed:
        found.setdefault(plain(entry.id), entry.id)
    for attribute in ("name", "short"):
        for entry in listed:
            text = getattr(entry, attribute, "")
            if text:
                found.setdefault(plain(text), entry.id)
    for entry in listed:
        for text in getattr(entry, "also", ()):
            found.setdefault(plain(text), entry.id)
    for entry in listed:
        if "/" in entry.name:
            for part in entry.name.split("/"):
                found.setdefault(plain(part), entry.id)
    return found


def named_entries(pack: s.Pack) -> dict[str, Iterable[Any]]:
    """Return the entries that have a name, by kind."""
    return {
        "list": pack.lists,
        "profile": pack.profiles,
        "item": pack.items,
        "upgrade": pack.upgrades,
        "skill": pack.skills,
        "trauma": pack.traumas,
        "patron": pack.patrons,
        "keyword": pack.keywords,
        "ability": pack.abilities,
        "scenario": pack.scenarios,
        "lasting": pack.lasting,
        "location": pack.locations,
        "rule": pack.rules,
        "deed": pack.deeds,
        "other-list": pack.other_lists,
    }


def keyword_names(pack: s.Pack) -> dict[str, str]:
    """Return every spelling of a keyword in the pack, with the printed name."""
    names: dict[str, str] = {}
    for keyword in pack.keywords:
        for spelling in (keyword.id, keyword.name, plain(keyword.id), plain(keyword.name)):
            names.setdefault(spelling, keyword.name)
    for item in pack.items:
        for stipulation in item.stipulations:
            names.setdefault(plain(stipulation), stipulation)
    return names


def list_spellings(pack: s.Pack) -> dict[str, str]:
    """Return the spellings of the lists; pages name a list with its book where another list has its name."""
    found = spellings(pack.lists)
    for army in pack.lists:
        found.setdefault(plain(f"{army.name} {army.book}"), army.id)
    return found
