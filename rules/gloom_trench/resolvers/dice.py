"""The dice of Gloom Trench: three sizes, their shifts, the definition of success, and the exact odds.

Source: core rules, Dice; Target Number; Roll Modifiers; Dice Modifiers; Rule of One; Random Direction.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import OPPONENT_POINT, OPPOSITE_DICE, POINTS_PER_ROLL, chosen
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller, TableDice
from rules.translation import gettext

Die = Literal["D6", "D8", "D12"]
LADDER: tuple[Die, ...] = ("D6", "D8", "D12")
SIDES: Mapping[str, int] = {"D6": 6, "D8": 8, "D12": 12}
TARGET = 5
MOST_SHIFT = 20
MOST_COUNTED = 100

Whole = Annotated[int, Meta(ge=-20, le=20)]
Stress = Annotated[int, Meta(ge=0, le=60, description="Stress tokens.")]
Command = Annotated[int, Meta(ge=0, le=20)]
Count = Annotated[int, Meta(ge=0, le=100)]
Distance = Annotated[float, Meta(ge=0, le=1000, description="MU.")]
Pool = Annotated[int, Meta(ge=0, le=100, description="Tactical Points.")]
Spent = bool | Annotated[int, Meta(ge=0, le=20, description="Tactical Points spent on this roll.")]
Words = Annotated[str, Meta(max_length=200)]
Name = Annotated[str, Meta(max_length=120)]


class Mod(RuleInput, frozen=True, kw_only=True):
    """One modifier and its cause."""

    modifier: Whole
    why: Words = "told"


Mods = Annotated[
    Whole | Annotated[str, Meta(max_length=200)] | tuple[Whole | Annotated[str, Meta(max_length=40)] | Mod, ...],
    Meta(description='Modifiers: 1, [1, -1], "d+1", or [{"modifier": 1, "why": "..."}].'),
]
Caused = tuple[tuple[int, str], ...]


def mods(given: Mods, kind: str = "told") -> Caused:
    """Modifiers as (number, why). Raises Refusal for words that are no modifier, or more than a table has."""
    each: Iterable[Any] = given if isinstance(given, tuple) else (given,)
    found: list[tuple[int, str]] = []
    for one in each:
        if isinstance(one, Mod):
            found.append((one.modifier, one.why))
        elif isinstance(one, int):
            found.append((int(one), kind))
        else:
            for part in filter(None, re.split(r"[,;\s]+", one)):
                read = re.fullmatch(r"d?([+\-−]?)(\d{1,2})", part, re.IGNORECASE)
                if read is None:
                    raise Refusal(
                        gettext("“{part}” is no modifier.").format(part=part),
                        mend=gettext("Write d+1, d-1, +1 or -1."),
                        code="input",
                    )
                found.append((int(read[2]) * (-1 if read[1] in ("-", "−") else 1), kind))
    if len(found) > MOST_SHIFT or any(abs(number) > MOST_SHIFT for number, _ in found):
        raise Refusal(
            gettext("At most {most_shift} modifiers, none beyond {most_shift}.").format(most_shift=MOST_SHIFT),
            code="input",
        )
    return tuple(one for one in found if one[0])


def shifted(
    base: Die, dice: Iterable[int], roll: int = 0, *, locked: bool = False, first_shifts: bool = False
) -> tuple[Die, int]:
    """The die that is rolled and what is added to it.

    One step at most; what is left over, or finds no larger or smaller die, becomes a roll modifier. `locked`: no step at all.
    `first_shifts`: opposite modifiers do not cancel, the first takes the step.

    Source: core rules, Dice Modifiers.
    """
    ones = [1 if number > 0 else -1 for number in dice for _ in range(abs(number))]
    if not ones or (not first_shifts and not sum(ones)):
        return base, roll
    step = ones[0] if first_shifts else (1 if sum(ones) > 0 else -1)
    place = LADDER.index(base) + step
    possible = not locked and 0 <= place < len(LADDER)
    return (LADDER[place], roll + sum(ones) - step) if possible else (base, roll + sum(ones))


@dataclass(frozen=True, slots=True)
class TargetThrow:
    """Dice of one size rolled against the target number: the die, what is added, and every modifier with its cause."""

    die: Die
    modifier: int
    modifiers: tuple[tuple[str, str], ...] = ()

    @property
    def sides(self) -> int:
        return SIDES[self.die]

    @property
    def need(self) -> int:
        """The lowest natural result that succeeds; above `sides` for none."""
        return max(2, TARGET - self.modifier)

    @property
    def cuts(self) -> tuple[int, ...]:
        """The faces at which the result changes: natural 1, failure, success."""
        return (2, self.need) if self.need > 2 else (2,)

    @property
    def odds(self) -> Fraction:
        """The odds that one die succeeds."""
        return p_success(self.sides, self.modifier)

    def succeeds(self, face: int) -> bool:
        """Whether a face succeeds. A natural 1 never does."""
        return face >= self.need

    def kept(self, faces: Sequence[int]) -> tuple[int, ...]:
        return tuple(face for face in faces if self.succeeds(face))

    def told(self) -> str:
        """D8+1."""
        return f"{self.die}{self.modifier:+d}"

    def why(self, what: str) -> str:
        """What the dice are rolled for, with the die and the lowest face that succeeds: "To hit, D8, 7+"."""
        return f"{what}, {self.die}, " + (f"{self.need}+" if self.need <= self.sides else gettext("no face is enough"))


def thrown(content: CustomContent, base: Die, dice: Caused, roll: Caused, *, locked: bool = False) -> TargetThrow:
    """A throw of `base` dice under these modifiers."""
    first = chosen(content, OPPOSITE_DICE) == "first-shifts"
    flat = sum(number for number, _ in roll)
    die, modifier = shifted(base, [number for number, _ in dice], flat, locked=locked, first_shifts=first)
    told = (
        *((f"d{number:+d}", why) for number, why in dice),
        *((f"{number:+d}", why) for number, why in roll),
    )
    return TargetThrow(die, modifier, told)


def own_point(content: CustomContent, spent: bool | int) -> Caused:
    """d+1 for one's own Tactical Points. Raises Refusal for more than the table allows on a roll."""
    if int(spent) > 1 and chosen(content, POINTS_PER_ROLL) == "one":
        raise Refusal(
            gettext("A player spends one Tactical Point on a roll."), mend=gettext("Spend one, or none."), code="points"
        )
    return ((int(spent), gettext("Tactical Point")),) if spent else ()


def enemy_point(content: CustomContent, spent: bool | int, stress: bool | int | None) -> Caused:
    """What the opponent's Tactical Points take from the roll of a unit under Stress. Raises Refusal for a unit without any."""
    if not spent:
        return ()
    if stress == 0:
        raise Refusal(
            gettext("The unit has no Stress, so its opponent cannot spend a point against it."),
            mend=gettext("Spend none."),
            code="points",
        )
    if int(spent) > 1 and chosen(content, POINTS_PER_ROLL) == "one":
        raise Refusal(
            gettext("A player spends one Tactical Point on a roll."), mend=gettext("Spend one, or none."), code="points"
        )
    each = -2 if chosen(content, OPPONENT_POINT) == "minus-2" else -1
    return ((each * int(spent), gettext("Tactical Point of the opponent")),)


@lru_cache(maxsize=512)
def p_success(sides: int, modifier: int) -> Fraction:
    """The odds of one die of `sides` sides to reach the target number, a natural 1 failing always."""
    return Fraction(max(0, min(sides - 1, sides - TARGET + 1 + modifier)), sides)


@lru_cache(maxsize=2048)
def numbers(spread: Sequence[Fraction], each: int = 1) -> Odds:
    """A distribution over 0, 1, 2 ... times `each` as the odds of a rule; what cannot happen is left out."""
    odds = Odds()
    for number, share in enumerate(spread):
        if share:
            odds.add(str(number * each), 0, share)
    return odds


def open_count(roller: Roller, told: int | None, rolls: int | tuple[int, ...] | None = None) -> int:
    """How many dice: as given, else as many as were typed, else one."""
    if told is not None:
        return told
    if isinstance(rolls, tuple):
        return len(rolls)
    left = getattr(roller.source, "left", None) if isinstance(roller, TableDice) else None
    return len(left) if left else 1


class ResolveDice(RuleInput, frozen=True, kw_only=True):
    """A die and what changes it.

    `dice_mods`: d+1 and d-1, 2 counting as two; `locked`: the die cannot shift (Hold and Shoot).
    """

    base: Die
    dice_mods: Mods = 0
    roll_mods: Mods = 0
    locked: bool = False


def resolve_dice(content: CustomContent, data: ResolveDice, roller: Roller) -> Resolved:
    """The die that is rolled, and the roll modifier (in `total` too)."""
    throw = thrown(content, data.base, mods(data.dice_mods), mods(data.roll_mods), locked=data.locked)
    return Resolved(
        throw.told(),
        gettext("Roll a {die}").format(die=throw.die) + (gettext(" with {modifier:+d}.").format(modifier=throw.modifier) if throw.modifier else "."),
        total=throw.modifier,
        modifiers=throw.modifiers,
        effects=effects(
            die=throw.die, modifier=throw.modifier, need=throw.need if throw.need <= throw.sides else None,
            possible=throw.odds > 0,
        ),
    )  # fmt: skip


class RollVsTn(Rolling, frozen=True, kw_only=True):
    """Dice of one size against the target number.

    `count`: how many; if left out, as many as are given in the input or typed.
    """

    die: Die
    modifier: Whole = 0
    count: Count | None = None


def roll_vs_tn(content: CustomContent, data: RollVsTn, roller: Roller) -> Resolved:
    """How many succeed."""
    throw = TargetThrow(data.die, data.modifier, ((f"{data.modifier:+d}", "told"),) if data.modifier else ())
    told = data.count
    if told is None and isinstance(data.rolls, int) and not isinstance(roller, TableDice):
        told = data.rolls  # in odds nothing is rolled, so a number of rolls is a number of dice
        if not 1 <= told <= MOST_COUNTED:
            raise Refusal(
                gettext("Odds take 1 to {most_counted} dice.").format(most_counted=MOST_COUNTED),
                mend=gettext("Give how many as count."),
                code="input",
            )
    count = open_count(roller, told, data.rolls)
    faces = roller.several(count, throw.sides, throw.why(gettext("Dice")), throw.cuts)
    kept = throw.kept(faces)
    return Resolved(
        str(len(kept)),
        f"{quantity(len(kept), 'success', 'successes')}.",
        faces,
        kept,
        len(kept),
        throw.modifiers,
        effects(successes=len(kept), natural_ones=faces.count(1), need=throw.need),
    )


class PSuccess(RuleInput, frozen=True, kw_only=True):
    """One die and what is added to it."""

    die: Die
    m: Whole = 0


def resolve_p_success(content: CustomContent, data: PSuccess, roller: Roller) -> Resolved:
    odds = p_success(SIDES[data.die], data.m)
    return Resolved(
        str(odds),
        gettext("A die succeeds with odds of {odds}.").format(odds=odds),
        effects=effects(p=str(odds), percent=round(float(odds) * 100, 4)),
    )


def p_success_odds(content: CustomContent, data: PSuccess) -> Odds:
    """Success and failure of that die."""
    odds = p_success(SIDES[data.die], data.m)
    return Odds({"failure": 1 - odds, "success": odds}, {0: Fraction(1)})


class SmallDie(Rolling, frozen=True, kw_only=True):
    """A D3 or D2, read from a D6. `count`: how many; if left out, as many as are given in the input or typed."""

    also_called = {"d6": "rolls"}

    count: Annotated[int, Meta(ge=1, le=12)] | None = None


def d3(face: int) -> int:
    """A D6 halved, rounded up."""
    return (face + 1) // 2


def d2(face: int) -> int:
    """1 for the lower half of a D6, 2 for the upper."""
    return 1 if face <= 3 else 2


def _small(data: SmallDie, roller: Roller, sides: int) -> Resolved:
    count = open_count(roller, data.count, data.rolls)
    faces = tuple(roller.die(6, f"D{sides}", (3, 5) if sides == 3 else (4,)) for _ in range(count))
    read = tuple(d3(face) if sides == 3 else d2(face) for face in faces)
    told = ", ".join(map(str, read))
    return Resolved(
        told, gettext("{told} on the D{sides}.").format(told=told, sides=sides), faces, faces, sum(read),
        effects=effects(result=read[0] if count == 1 else None, results=list(read)),
    )  # fmt: skip


def roll_d3(content: CustomContent, data: SmallDie, roller: Roller) -> Resolved:
    return _small(data, roller, 3)


def roll_d2(content: CustomContent, data: SmallDie, roller: Roller) -> Resolved:
    return _small(data, roller, 2)


class Point(RuleInput, frozen=True, kw_only=True):
    """A place on the table, in MU from its lower left corner."""

    x: Annotated[float, Meta(ge=-1000, le=1000)]
    y: Annotated[float, Meta(ge=-1000, le=1000)]


class TableSize(RuleInput, frozen=True, kw_only=True):
    """The table: MU from left to right and from bottom to top."""

    width: Annotated[float, Meta(gt=0, le=1000)] = 48
    height: Annotated[float, Meta(gt=0, le=1000)] = 48


Bearing = Annotated[
    float, Meta(ge=-1000, le=1000)
]  # two of them; a tuple of fixed length in a union makes msgspec 0.22 crash


class PointScatter(Rolling, frozen=True, kw_only=True):
    """A point that scatters.

    `direction`: degrees clockwise from the far edge, as the scatter die points; or the way it points as [right, up];
    or D8 or D12 to roll one, with its faces arranged like the hours of a clock, the highest straight ahead.
    `distance`: MU, or the die that gives it.
    """

    point: Point = Point(x=24, y=24)
    direction: Annotated[float, Meta(ge=-720, le=720)] | Literal["D8", "D12"] | tuple[Bearing, ...] = "D12"
    distance: Distance | Literal["D2", "D3", "D6", "D8", "D12"] = "D6"
    table: TableSize = TableSize()


def scatter(content: CustomContent, data: PointScatter, roller: Roller) -> Resolved:
    """Where the point comes to lie; lost off the table. Dice: the direction, then the distance, each only where it is a die."""
    rolled: list[int] = []
    if isinstance(data.direction, str):
        face = roller.die(SIDES[data.direction], gettext("Direction"))
        rolled.append(face)
        degrees = 360 * face / SIDES[data.direction]
    elif isinstance(data.direction, tuple):
        if len(data.direction) != 2 or not any(data.direction):
            raise Refusal(
                gettext("A direction has two numbers, and one of them is not 0."),
                mend=gettext("Give [right, up]."),
                code="input",
            )
        degrees = math.degrees(math.atan2(*data.direction))
    else:
        degrees = data.direction
    if isinstance(data.distance, str):
        face = roller.die(SIDES.get(data.distance, 6), gettext("Distance"))
        rolled.append(face)
        far = float(d3(face) if data.distance == "D3" else d2(face) if data.distance == "D2" else face)
    else:
        far = float(data.distance)
    turn = math.radians(degrees)
    x = round(data.point.x + far * math.sin(turn), 6) + 0.0
    y = round(data.point.y + far * math.cos(turn), 6) + 0.0
    on = 0 <= x <= data.table.width and 0 <= y <= data.table.height
    words = (
        gettext("It comes down at {x:g}, {y:g}.").format(x=x, y=y)
        if on
        else gettext("It leaves the table and is lost.")
    )
    return Resolved(
        "on-table" if on else "lost", words, tuple(rolled), tuple(rolled), None,
        effects=effects(x=x, y=y, distance=far, direction=degrees % 360, lost=not on),
    )  # fmt: skip
