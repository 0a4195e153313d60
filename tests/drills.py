"""How much a long test runs over: a fixed sample under `make test`, all of it under `make drills`, one case under `make quick`."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

# Read while tests are collected, when no option of pytest's is known yet to what is parametrized.
WHOLE = os.environ.get("DRILLS") == "1"
QUICK = os.environ.get("QUICK") == "1"


def sampled(cases: Iterable[T], count: int, *, always: Sequence[T] = ()) -> list[T]:
    """Return `count` of the cases in their order, the same ones each time, with those of `always` among them; all of them under `make drills`."""
    everything = list(cases)
    missing = [case for case in always if case not in everything]
    assert not missing, f"No such case: {missing}"
    if WHOLE or len(everything) <= count:
        return everything
    others = [index for index, case in enumerate(everything) if case not in always]
    drawn = random.Random(count).sample(others, max(0, count - len(always)))
    return [case for index, case in enumerate(everything) if case in always or index in drawn]


def examples(whole: int) -> int:
    """Return for how many examples Hypothesis looks: a quarter and at least five, or the whole number under `make drills`."""
    return whole if WHOLE else min(whole, max(5, whole // 4))
