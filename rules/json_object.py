"""Reads a JSON object from untrusted text, or says what is wrong with it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from rules.translation import gettext as _


class Unreadable(ValueError):
    """The text is not a valid JSON object. The message says why; it follows the words "The document"."""


def read_object(data: bytes | str) -> dict[str, Any]:
    """Return the one JSON object that the text holds. Raises Unreadable.

    Stricter than `json`: it rejects duplicate keys, NaN, Infinity, lone surrogates and null characters, since databases
    cannot store
    them.
    """
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        found = json.loads(text, object_pairs_hook=_once)
        json.dumps(found, ensure_ascii=False).encode("utf-8")
        wrong = _wrong(found, "$")
    except UnicodeDecodeError as error:
        raise Unreadable(_("is not UTF-8 (byte {start})").format(start=error.start)) from None
    except UnicodeEncodeError:
        raise Unreadable(_("holds half a character (a lone surrogate)")) from None
    except json.JSONDecodeError as error:
        raise Unreadable(
            _("is no JSON: {msg}, line {lineno}, column {colno}").format(
                msg=error.msg, lineno=error.lineno, colno=error.colno
            )
        ) from None
    except RecursionError:
        raise Unreadable(_("is nested too deeply to be read")) from None
    except Unreadable:
        raise
    except ValueError as error:
        why = _("a number has too many digits") if "digits" in str(error) else str(error)
        raise Unreadable(_("cannot be read: {why}").format(why=why)) from None
    if wrong:
        raise Unreadable(wrong)
    if not isinstance(found, dict):
        raise Unreadable(_("holds no JSON object (at $)"))
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Unreadable(_("cannot be read: {key!r} stands twice in one object").format(key=key[:60]))
        found[key] = value
    return found


def _wrong(value: Any, place: str) -> str:
    """Return what a database cannot store in this value, with its place; "" if there is nothing."""
    if isinstance(value, float) and not math.isfinite(value):
        return _("holds no number at {place}").format(place=place)
    if isinstance(value, str) and "\0" in value:
        return _("holds a null character at {place}").format(place=place)
    parts: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        if any("\0" in key for key in value):
            return _("holds a null character in a key at {place}").format(place=place)
        parts = ((f"{place}.{key}", each) for key, each in value.items())
    elif isinstance(value, list):
        parts = ((f"{place}[{number}]", each) for number, each in enumerate(value))
    return next((wrong for part, each in parts if (wrong := _wrong(each, part))), "")
