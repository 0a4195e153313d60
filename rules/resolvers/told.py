"""Results that players read off their own dice: which row of a chart each roll came to, in place of faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.problems import Refusal
from rules.resolvers.roller import DiceThrow, Pool
from rules.translation import gettext as _


@dataclass(frozen=True, slots=True)
class AskedThrow:
    """A roll that a rule asks for: its pool, its reason, and the totals (`cuts`) at which each further row of the chart begins."""

    pool: Pool
    why: str
    cuts: tuple[int, ...]

    def reaches(self, row: int) -> bool:
        """Return whether the dice can come to this row, counted from 0."""
        lowest = self.cuts[row - 1] if row else self.pool.base
        highest = self.cuts[row] - 1 if row < len(self.cuts) else 6 * self.pool.base
        return max(lowest, self.pool.base) <= min(highest, 6 * self.pool.base)

    def total(self, row: int) -> int:
        """Return a total of this row."""
        return max(self.cuts[row - 1], self.pool.base) if row else min(self.cuts[0] - 1, 6 * self.pool.base)


class NeedResult(Exception):
    """A rule asks for a roll whose result has not been told. `throw` describes it."""

    def __init__(self, throw: AskedThrow) -> None:
        super().__init__(throw.why)
        self.throw = throw


class ToldRoller:
    """Answers a rule's rolls with told rows, in order. Raises NeedResult for the next roll, Refusal for a row that cannot be.

    The rule then tells a total of that row; `Resolved.rolled` stays empty.
    """

    def __init__(self, rows: Sequence[int]) -> None:
        self.left = list(rows)
        self.throws: list[AskedThrow] = []

    def pool(self, pool: Pool, why: str, cuts: tuple[int, ...]) -> DiceThrow:
        throw = AskedThrow(pool, why, cuts)
        if not self.left:
            raise NeedResult(throw)
        row = self.left.pop(0)
        if not 0 <= row <= len(cuts) or not throw.reaches(row):
            raise Refusal(_("{why}: these dice cannot come to that.").format(why=why), code="told")
        self.throws.append(throw)
        return DiceThrow(throw.total(row))

    def die(self, sides: int, why: str, cuts: tuple[int, ...] = ()) -> int:
        raise _only_dice(why)

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        raise _only_dice(why)


def _only_dice(why: str) -> Refusal:
    return Refusal(_("{why}: the dice themselves are needed.").format(why=why), mend=_("Enter your dice."), code="told")
