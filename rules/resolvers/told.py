"""Results that players read off their own dice: which row of a chart each roll came to, in place of faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.problems import Refusal
from rules.resolvers.roller import DiceThrow, Pool
from rules.translation import gettext as _

DAMAGE = (3, 5)  # the faces from which a damage roll does more to a vehicle


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


class CountedRoller:
    """Answers a rule's rolls with numbers that players counted on their own dice: how many succeeded, throw by throw.

    Several pools of one throw ("Attack, Rifles", "Attack, LMG") share a number. `ones` is how many of the dice that failed showed a
    natural 1, of all throws or by throw. A die that a rule reads whole is told by its face. Raises NeedResult for the next throw, Refusal
    for a number that cannot be.
    """

    def __init__(self, counts: Sequence[int], ones: int | Mapping[str, int] = 0) -> None:
        self.counts = list(counts)
        self.ones = {"": ones} if isinstance(ones, int) else dict(ones)
        self.what, self.left = "", 0

    def pool(self, pool: Pool, why: str, cuts: tuple[int, ...]) -> DiceThrow:
        raise _only_dice(why)

    def die(self, sides: int, why: str, cuts: tuple[int, ...] = ()) -> int:
        return self.several(1, sides, why, cuts)[0]

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        if not count:
            return ()
        what = why.partition(",")[0]
        if what != self.what or not cuts:
            self._next(AskedThrow(Pool(count, 0), why, cuts))
        if not cuts:
            face, self.left = self.left, 0
            if count != 1 or not 1 <= face <= sides:
                raise _impossible(what)
            return (face,)
        need = cuts[-1]
        good = min(self.left, count) if need <= sides else 0
        self.left -= good
        whose = what if what in self.ones else ""
        ones = min(self.ones.get(whose, 0), count - good)
        if ones:
            self.ones[whose] -= ones
        bad = 1 if need <= 2 else min(need - 1, sides)
        return (*[sides] * good, *[1] * ones, *[bad] * (count - good - ones))

    def _next(self, throw: AskedThrow) -> None:
        if self.left:
            raise _impossible(self.what)
        if not self.counts:
            raise NeedResult(throw)
        self.what, self.left = throw.why.partition(",")[0], self.counts.pop(0)

    def finish(self) -> None:
        """Raise Refusal if more was told than there were dice for."""
        if self.left or any(self.ones.values()) or self.counts:
            raise _impossible(self.what)


class VehicleRoller(CountedRoller):
    """The same for attacks on vehicles: hits are counted weapon by weapon, saves vehicle by vehicle, damage rolls are told by face."""

    def several(self, count: int, sides: int, why: str, cuts: tuple[int, ...] = ()) -> tuple[int, ...]:
        if not count:
            return ()
        if len(cuts) < 2:
            self.what = ""  # each weapon tells its own hits, since each does something else to the saves
            return super().several(count, sides, why, cuts)
        throw = AskedThrow(Pool(count, 0), why, cuts)
        if cuts == DAMAGE:
            return tuple(self._told(throw, 1, sides) for _die in range(count))
        saved = self._told(throw, 0, count)
        return (*[sides] * saved, *[1] * (count - saved))

    def _told(self, throw: AskedThrow, least: int, most: int) -> int:
        self._next(throw)
        told, self.left = self.left, 0
        if not least <= told <= most:
            raise _impossible(self.what)
        return told


def _impossible(why: str) -> Refusal:
    return Refusal(_("{why}: these dice cannot come to that.").format(why=why), mend=_("Count again."), code="told")
