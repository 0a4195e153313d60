"""A rule as a tree of throws: each throw with what every row of its chart leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules.problems import Refusal
from rules.resolvers.roller import DiceThrow, Pool, Resolved, Roller
from rules.resolvers.told import AskedThrow
from rules.translation import gettext as _

MOST_THROWS = 6


@dataclass(frozen=True, slots=True)
class Branch:
    """A throw and what follows it, row by row: a further throw, or the result."""

    throw: AskedThrow
    then: tuple[Branch | Resolved, ...]


class _AskedDie(Exception):
    def __init__(self, throw: AskedThrow) -> None:
        super().__init__(throw.why)
        self.throw = throw


class _Rows:
    """Answers throws with rows of their charts, also with rows that these dice cannot come to."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._rows = list(rows)

    def pool(self, pool: Pool, why: str, cuts: tuple[int, ...]) -> DiceThrow:
        if not self._rows:
            raise _AskedDie(AskedThrow(pool, why, cuts))
        row = self._rows.pop(0)
        return DiceThrow(cuts[row - 1] if row else cuts[0] - 1)

    def die(self, sides: int, why: str, cuts: tuple[int, ...] = ()) -> int:
        raise Refusal(_("{why}: the dice themselves are needed.").format(why=why), code="told")

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        raise Refusal(_("{why}: the dice themselves are needed.").format(why=why), code="told")


def tree_of(rule: Callable[[Roller], Resolved], rows: tuple[int, ...] = ()) -> Branch | Resolved:
    """Return a rule as a tree of throws, or its result if it throws nothing. Raises Refusal if it reads single dice."""
    try:
        return rule(_Rows(rows))
    except _AskedDie as asked:
        if len(rows) == MOST_THROWS:
            raise Refusal(
                _("{why}: the dice themselves are needed.").format(why=asked.throw.why), code="told"
            ) from None
        count = len(asked.throw.cuts) + 1
        return Branch(asked.throw, tuple(tree_of(rule, (*rows, row)) for row in range(count)))
