"""Numbers for long keys, so that what is remembered under them is cheap to look up."""

from __future__ import annotations

import itertools
from typing import Any

from rules.content.compiled import Content

MOST_REMEMBERED = 4_000


# Never used twice, so that what is remembered under an old number is never mistaken for another.
_numbers = itertools.count()


def number_of(content: Content, key: Any) -> int:
    """A small number for a long key: cheap to hash, the same for equal keys."""
    numbers: dict[Any, int] = content.cache.setdefault("numbers", {})
    if len(numbers) > MOST_REMEMBERED:
        numbers.clear()
        content.cache.pop("frames", None)
        content.cache.pop("facts", None)
    found = numbers.get(key)
    if found is None:
        found = numbers[key] = next(_numbers)
    return found
