"""Tokens of forms by a word of the test's own: the site draws one for each word, as if on a page that anybody reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import Context
from threading import Lock
from typing import Any

from warbands.idempotency import new_token

WORD = re.compile(r"[\w ?-]{1,40}", re.ASCII)


_known: dict[str, str] = {}
_drawing = Lock()


def token(word: str) -> str:
    """The token that goes by this word, the same in every thread. Drawn beside whatever page is being drawn just now."""
    with _drawing:
        if word not in _known:
            _known[word] = Context().run(new_token)
        return _known[word]


def drawn(data: Any) -> Any:
    """What a test sends, its token being one that the site drew: a new one where it names none, else that of the word it names.

    Fields without any token are sent by `Client.generic`.
    """
    data = {} if data is None else data
    if not isinstance(data, Mapping):
        return data
    given = data.get("token")
    if given is None:
        return {**data, "token": Context().run(new_token)}
    if isinstance(given, str):
        return {**data, "token": _one(given)}
    return {**data, "token": [_one(each) for each in given]} if isinstance(given, list) else data


def _one(given: Any) -> Any:
    return token(given) if isinstance(given, str) and WORD.fullmatch(given) else given
