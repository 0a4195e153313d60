"""Addresses of pages without what is secret in them: codes of links, keys and queries."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve

# What may stand in an address besides numbers: names of games, steps and entries, that everybody can read.
OPEN = frozenset({"game", "edition", "kind", "step", "ident"})
OPEN_PAGES = frozenset({"rule-list", "rule-show", "find-use", "paper-fighter"})
HIDDEN = "…"
LONGEST = 300
_PLAIN = re.compile(r"[a-z][a-z-]{0,24}|\d{1,18}|", re.ASCII)
_IN_TEXT = re.compile(r"https?://[^\s<>\"”]+|(?<![\w.])/[\w…-]+/[^\s<>\"”]*")


def shown_address(address: str) -> str:
    """Return the path of an address with each secret part replaced by "…". The query is left out, and so is the host."""
    try:
        path = urlsplit(address).path[:LONGEST]
    except ValueError:
        return ""
    try:
        match = resolve(path)
    except Resolver404:
        return "/".join(part if _PLAIN.fullmatch(part) else HIDDEN for part in path.split("/"))
    secret = {
        str(value)
        for name, value in match.kwargs.items()
        if not isinstance(value, int) and name not in OPEN and match.url_name not in OPEN_PAGES
    }
    return "/".join(_without(part, secret) for part in path.split("/"))


def _without(part: str, secret: set[str]) -> str:
    for each in sorted(secret, key=len, reverse=True):
        if each:
            part = part.replace(each, HIDDEN)
    return part


def without_addresses(text: str) -> str:
    """Return a text in which every address is shown without what is secret in it."""

    def shown(found: re.Match[str]) -> str:
        address = found[0].rstrip(".,;:!?)")
        return shown_address(address) + found[0][len(address) :]

    return _IN_TEXT.sub(shown, text)
