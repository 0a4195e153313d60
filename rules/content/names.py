"""Matches names as people type them, and suggests near misses.

Case, accents, punctuation and British or American spelling do not matter.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_PARAMETER = re.compile(r'\s*[\[(]?\s*(?:X|D?\d+)\s*["”″\']?\s*[\])]?$')
_FIGURE = re.compile(r"^[+\-−]\d+\s+")
_BRACKET = re.compile(r"\s*\([^()]*\)$")
_AMERICAN = (("armor", "armour"), ("mechaniz", "mechanis"))


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """Return the text reduced to lower-case ASCII letters and digits (ß becomes ss, é becomes e, armor armour)."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c for c in folded if c.isascii() and c.isalnum())
    for american, british in _AMERICAN:
        kept = kept.replace(american, british)
    return kept


@lru_cache(maxsize=4096)
def keyword_base(text: str) -> str:
    """Return a keyword without its parameter.

    "BLAST (3)" and "BLAST 3″" are BLAST, "+1 DICE" is DICE, "AMMUNITION (FIRE)" is AMMUNITION.
    """
    return _FIGURE.sub("", _BRACKET.sub("", _PARAMETER.sub("", text))).strip()


def keyword_stem(name: str) -> str:
    """Return the common prefix of a keyword family; "" if the keyword names no family.

    The prefix is "NEGATE " for a family named "NEGATE [KEYWORD]".
    """
    stem, bracket, _ = name.partition("[")
    return f"{stem.strip()} " if bracket and stem.strip() else ""


def nearest(text: str, known: Mapping[str, str], names: Mapping[str, str], most: int = 3) -> tuple[str, ...]:
    """Return up to `most` names close to `text`.

    `known` maps plain spellings to ids, `names` ids to the names shown.
    """
    wanted = plain(text)
    close = difflib.get_close_matches(wanted, list(known), n=most * 2, cutoff=0.55)
    close += sorted(k for k in known if wanted and len(wanted) > 3 and (wanted in k or (len(k) > 3 and k in wanted)))
    found: list[str] = []
    for spelling in close:
        name = names.get(known[spelling], known[spelling])
        if name not in found:
            found.append(name)
    return tuple(found[:most])
