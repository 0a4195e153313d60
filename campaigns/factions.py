"""The factions that a guest may belong to: the edition's keywords, and the names that people type for them."""

from __future__ import annotations

import re

from rules.content.names import plain
from warbands.models import Terms

LONGEST = 40
_ARTICLE = re.compile(r"^\s*the\s+", re.IGNORECASE)


def factions(terms: Terms) -> tuple[tuple[str, str], ...]:
    """Return each faction keyword of the edition once, with the name of its faction. No queries."""
    found: dict[str, str] = {}
    for choice in terms.game.founding.lists(terms.content):
        if choice.keyword and choice.faction in ("", choice.id):
            found.setdefault(choice.keyword, choice.name)
    return tuple(found.items())


def faction_keyword_of(terms: Terms, text: str) -> str:
    """Return the keyword that a text means.

    The text may be the keyword, or the name of a faction or list. Otherwise return the tidied text. No queries.
    """
    said = " ".join(text.split())[:LONGEST]
    wanted = _bare(said)
    if not wanted:
        return said
    for choice in terms.game.founding.lists(terms.content):
        if choice.keyword and wanted in (_bare(choice.keyword), _bare(choice.name)):
            return str(choice.keyword)
    return said


def _bare(text: str) -> str:
    return plain(_ARTICLE.sub("", text)).removesuffix("s")
