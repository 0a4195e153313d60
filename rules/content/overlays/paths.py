"""Reads and writes a value inside an entry by its dotted path, on plain values (dicts, lists, texts, numbers)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from rules.translation import gettext as _


class NoSuchPath(Exception):
    """The path leads nowhere; the message says where it ends."""


def value_at(tree: Any, path: Sequence[str]) -> Any:
    """Return the value at the path, UNSET if nothing stands there. Raises NoSuchPath."""
    for step in path:
        if isinstance(tree, dict):
            tree = tree.get(step, UNSET)
            if tree is UNSET:
                return UNSET
        elif isinstance(tree, list | tuple):
            tree = tree[_place(tree, step)]
        else:
            raise NoSuchPath(_("has no part “{part}”").format(part=step))
    return tree


def put(tree: Any, path: Sequence[str], value: Any) -> Any:
    """Return the tree with this value at the path; UNSET takes away what stands there. Raises NoSuchPath."""
    if not path:
        return value
    step, *rest = path
    if isinstance(tree, dict) or tree is UNSET:
        known = {} if tree is UNSET else tree
        inner = put(known.get(step, UNSET), rest, value)
        left = {key: old for key, old in known.items() if key != step}
        return left if inner is UNSET else {**left, step: inner}
    if isinstance(tree, list | tuple):
        place = _place(tree, step)
        inner = put(tree[place], rest, value)
        return [*tree[:place], *(() if inner is UNSET else (inner,)), *tree[place + 1 :]]
    raise NoSuchPath(_("has no part “{part}”").format(part=step))


def _place(parts: Sequence[Any], step: str) -> int:
    """Return the place of a part in a list: by its id, by its effect word if only one has it, or by number from 0."""
    for key in ("id", "effect"):
        found = [n for n, part in enumerate(parts) if isinstance(part, dict) and part.get(key) == step]
        if len(found) == 1:
            return found[0]
        if found:
            raise NoSuchPath(_("holds several parts called “{part}”; name the place by number").format(part=step))
    if step.isdigit() and int(step) < len(parts):
        return int(step)
    raise NoSuchPath(_("has no part “{part}”").format(part=step))
