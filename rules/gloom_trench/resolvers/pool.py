"""The Tactical Pool, the initiative and the bag of chits.

Source: core rules, Tactical Pool; Generating and Spending Tactical Points; Activation Bag; Fog of War Chits; Roll for Initiative.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import DISTANCE_POINTS, LOST_CHITS, POINTS_PER_ROLL, chosen
from rules.gloom_trench.resolvers.dice import (
    Command,
    Count,
    Mods,
    Pool,
    Spent,
    Stress,
    TargetThrow,
    Words,
    enemy_point,
    mods,
    own_point,
    thrown,
)
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.units import Unit
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput, plain
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _

FOG = 3
Purpose = Literal["own-roll", "opponent-roll", "unit-order", "hold-and-shoot", "take-that-ground", "charge", "brace"]
# The purposes by their numbers in the specification, starting at 1.
NUMBERED: tuple[Purpose, ...] = ("own-roll", "opponent-roll", "unit-order", "take-that-ground", "charge", "brace")


class PopulatePool(Rolling, frozen=True, kw_only=True):
    """What a pool gains in the Tactical Phase. `command`: the highest of the force; `commanders_on_table`: units with the keyword."""

    pool: Pool = 0
    command: Command
    commanders_on_table: Count = 0
    dice_mods: Mods = 0
    roll_mods: Mods = 0


def populate_pool(content: CustomContent, data: PopulatePool, roller: Roller) -> Resolved:
    """Command D6, a point for each success, and one for each Commander."""
    throw = thrown(content, "D6", mods(data.dice_mods), mods(data.roll_mods))
    faces = roller.several(data.command, throw.sides, throw.why(_("Tactical Points gained")), (throw.need,))
    kept = throw.kept(faces)
    gained = len(kept) + data.commanders_on_table
    pool = data.pool + gained
    return Resolved(
        str(pool), _("{quantity} gained: the pool holds {pool}.").format(quantity=quantity(gained, 'point'), pool=pool), faces, kept, pool, throw.modifiers,
        effects(successes=len(kept), commanders=data.commanders_on_table, gained=gained, pool=pool),
    )  # fmt: skip


class CheckPool(Rolling, frozen=True, kw_only=True):
    """The pool at the end of the turn."""

    pool: Pool
    dice_mods: Mods = 0
    roll_mods: Mods = 0


def check_pool(content: CustomContent, data: CheckPool, roller: Roller) -> Resolved:
    """A D6 for each point; those that fail are lost."""
    throw = thrown(content, "D6", mods(data.dice_mods), mods(data.roll_mods))
    faces = roller.several(data.pool, throw.sides, throw.why(_("Tactical Points kept")), (throw.need,))
    kept = throw.kept(faces)
    return Resolved(
        str(len(kept)), _("{count} kept, {amount} lost.").format(count=len(kept), amount=data.pool - len(kept)), faces, kept, len(kept), throw.modifiers,
        effects(pool=len(kept), kept=len(kept), discarded=data.pool - len(kept)),
    )  # fmt: skip


class SpendTp(RuleInput, frozen=True, kw_only=True):
    """A Tactical Point and its purpose, by name or number: own-roll (1), opponent-roll (2), unit-order (3),
    take-that-ground (4), charge (5), brace (6).

    `stress`: of the unit that the opponent rolls for. `spent_on_roll`: points this player has put on the same roll.
    `sign`: -1 for d-1.
    """

    pool: Pool
    purpose: Purpose | Annotated[int, Meta(ge=1, le=6)]
    stress: Stress | None = None
    spent_on_roll: Count = 0
    sign: Literal[1, -1] = 1


def spend_tp(content: CustomContent, data: SpendTp, roller: Roller) -> Resolved:
    """The pool with a point less, and what the point does. Raises Refusal for an empty pool or a use that is not open."""
    purpose = NUMBERED[data.purpose - 1] if isinstance(data.purpose, int) else data.purpose
    distance = purpose in ("take-that-ground", "charge")
    price = 0 if distance and chosen(content, DISTANCE_POINTS) == "none" else 1
    if data.pool < price:
        raise Refusal(_("The Tactical Pool is empty."), mend=_("It is filled in the Tactical Phase."), code="pool")
    for_a_roll = purpose in ("own-roll", "opponent-roll", "take-that-ground", "charge")
    if for_a_roll and data.spent_on_roll and chosen(content, POINTS_PER_ROLL) == "one":
        raise Refusal(_("This player has spent a point on the roll."), mend=_("Keep it for another."), code="points")
    change = enemy_point(content, 1, data.stress)[0][0] if purpose == "opponent-roll" else 0
    left = data.pool - price
    done = effects(
        pool=left,
        spent=price,
        dice_mod=data.sign if purpose == "own-roll" else 1 if distance else None,
        roll_mod=change or None,
        die="D8" if distance else None,
        orders=1 if purpose == "unit-order" else None,
    )
    return Resolved(purpose, _("{count} left.").format(count=quantity(left, "point")), total=left, effects=done)


Side = Literal["A", "B"]
Faces = (
    Annotated[int, Meta(ge=0, le=20)] | Annotated[tuple[Annotated[int, Meta(ge=1, le=12)], ...], Meta(max_length=20)]
)


class InitiativeRoll(Rolling, frozen=True, kw_only=True):
    """The roll for the initiative. `dice_a` and `dice_b`: how many D6 (the highest Command), or their results."""

    dice_a: Faces
    dice_b: Faces
    turn: Annotated[int, Meta(ge=1, le=1000)] = 1
    last_winner: Side | None = None
    tp_a: Spent = False
    tp_b: Spent = False


def _thrown(
    content: CustomContent, dice: int | tuple[int, ...], point: bool | int, who: str, roller: Roller
) -> tuple[tuple[int, ...], TargetThrow]:
    throw = thrown(content, "D6", own_point(content, point), ())
    if isinstance(dice, int):
        return roller.several(
            dice, throw.sides, throw.why(_("Initiative, {who}").format(who=who)), (throw.need,)
        ), throw
    for face in dice:
        if face > throw.sides:
            raise Refusal(
                _("A die of {who} shows {face}; a {die} ends at {sides}.").format(
                    who=who, face=face, die=throw.die, sides=throw.sides
                ),
                code="impossible-face",
            )
    return dice, throw


def _successes(
    content: CustomContent, data: InitiativeRoll, roller: Roller
) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    a, throw_a = _thrown(content, data.dice_a, data.tp_a, "A", roller)
    b, throw_b = _thrown(content, data.dice_b, data.tp_b, "B", roller)
    kept_a, kept_b = throw_a.kept(a), throw_b.kept(b)
    return len(kept_a), len(kept_b), a + b, kept_a + kept_b


def roll_initiative(content: CustomContent, data: InitiativeRoll, roller: Roller) -> Resolved:
    """More successes win. Level: again on turn 1, later whoever did not have it last turn (`tie` where that is not told)."""
    a, b, faces, kept = _successes(content, data, roller)
    if a != b:
        winner, words = ("A", _("A has the initiative.")) if a > b else ("B", _("B has the initiative."))
    elif data.turn == 1:
        winner, words = "reroll", _("Level on the first turn: both roll again.")
    elif data.last_winner is None:
        winner, words = "tie", _("Equal: it goes to the side that did not have it last turn.")
    else:
        winner = "B" if data.last_winner == "A" else "A"
        words = _("Level: {winner} has the initiative, having gone without it last turn.").format(winner=winner)
    return Resolved(
        winner, _("{a} against {b}. {words}").format(a=a, b=b, words=words), faces, kept, None, (),
        effects(successes_a=a, successes_b=b, tie=a == b, winner=winner if winner in ("A", "B") else None,
                reroll=True if winner == "reroll" else None),
    )  # fmt: skip


def single_initiative(content: CustomContent, data: InitiativeRoll, roller: Roller) -> Resolved:
    """One throw of both as A sees it: win, tie or lose."""
    a, b, faces, kept = _successes(content, data, roller)
    outcome = "win" if a > b else "lose" if a < b else "tie"
    return Resolved(
        outcome, _("{a} against {b}.").format(a=a, b=b), faces, kept, a - b, (), effects(successes_a=a, successes_b=b)
    )


class FillBag(RuleInput, frozen=True, kw_only=True):
    """Units on the table on both sides, as a number or a list, and who has the initiative."""

    units_a: Count | Annotated[tuple[Unit, ...], Meta(max_length=100)]
    units_b: Count | Annotated[tuple[Unit, ...], Meta(max_length=100)]
    winner: Side | None = None


def fill_bag(content: CustomContent, data: FillBag, roller: Roller) -> Resolved:
    """A chit for each unit, three of Fog, one more for the winner of the initiative."""
    a, b = (
        each if isinstance(each, int) else sum(unit.on_table for unit in each) for each in (data.units_a, data.units_b)
    )
    a, b = a + (data.winner == "A"), b + (data.winner == "B")
    return Resolved(
        str(a + b + FOG), _("A {a}, B {b}, Fog {fog}: {amount} chits.").format(a=a, b=b, fog=FOG, amount=a + b + FOG), total=a + b + FOG,
        modifiers=(("+1", _("initiative of {winner}").format(winner=data.winner)),) if data.winner else (),
        effects=effects(A=a, B=b, fog=FOG, bag={"A": a, "B": b, "fog": FOG}, total=a + b + FOG),
    )  # fmt: skip


class DrawChit(Rolling, frozen=True, kw_only=True):
    """The bag: its contents by name ({"A": 5, "B": 5, "fog": 3}) or chit by chit.

    `drawn`: chits drawn from it one after another, instead of a die. `units_left`: units on the table by side, for
    sides that may have none. `lost`: chits of units lost this turn, by side, for tables where these leave the bag.
    """

    bag: dict[str, Count] | Annotated[tuple[Words, ...], Meta(max_length=200)]
    drawn: Annotated[tuple[Words, ...], Meta(max_length=200)] | None = None
    units_left: dict[str, Count] | None = None
    lost: dict[str, Count] | None = None


def _named(chit: str) -> str:
    return plain(chit) or chit


def _bag(content: CustomContent, data: DrawChit) -> tuple[dict[str, str], dict[str, int]]:
    """The labels of the chits as given, and the chits left by plain name: players in their order, Fog last."""
    told: dict[str, str] = {}
    left: dict[str, int] = {}
    rows = data.bag.items() if isinstance(data.bag, dict) else ((chit, 1) for chit in data.bag)
    for chit, count in rows:
        name = _named(chit)
        told.setdefault(name, chit)
        left[name] = left.get(name, 0) + count
    fog = left.pop("fog", 0)
    if not fog or fog > FOG:
        raise Refusal(
            _("The bag holds {fog} Fog chits; while chits are drawn it holds 1 to {fog_2}.").format(fog=fog, fog_2=FOG),
            code="input",
        )
    if chosen(content, LOST_CHITS) == "leave":
        for chit, count in (data.lost or {}).items():
            left[_named(chit)] = max(0, left.get(_named(chit), 0) - count)
    return {**told, "fog": "fog"}, {**left, "fog": fog}


def _take(left: dict[str, int], name: str) -> None:
    """Take a chit out of the bag. Raises Refusal if there is none of this name."""
    if not left.get(name):
        raise Refusal(
            _("No chit “{name}” is left in the bag.").format(name=name), mend=_("Draw one that is."), code="bag"
        )
    left[name] -= 1


def _drawn(order: list[str], *, ended: bool, is_told: bool) -> tuple[str, str]:
    """The outcome and its message: the last chit, or the end of the phase if nothing more can be drawn."""
    if ended and (is_told or not order):
        return "ends", _("The phase ends.")
    outcome = order[-1] if order else _("Fog")
    return outcome, _("{outcome} is drawn.").format(outcome=outcome)


def draw_chit(content: CustomContent, data: DrawChit, roller: Roller) -> Resolved:
    """Draws until a chit activates somebody or the phase ends; through all of `drawn` if that is given.

    Dice: for each draw one with as many sides as chits are left, counted in the bag's order with Fog last.
    """
    labels, left = _bag(content, data)
    gone = {_named(side) for side, units in (data.units_left or {}).items() if not units}
    order: list[str] = []
    rolled: list[int] = []
    set_aside = 0
    waiting = list(data.drawn) if data.drawn is not None else None
    while not (ended := _is_over(left)) and (waiting or (waiting is None and not order)):
        name = _named(waiting.pop(0)) if waiting else _by_die(left, roller, rolled)
        _take(left, name)
        if name == "fog" or name in gone:
            set_aside += 1
        else:
            order.append(labels[name])
    if waiting:
        raise Refusal(
            _("The phase has ended; no further chit is drawn."), mend=_("End the list of draws there."), code="bag"
        )
    outcome, message = _drawn(order, ended=ended, is_told=data.drawn is not None)
    return Resolved(
        outcome,
        message,
        tuple(rolled),
        tuple(rolled),
        len(order) if data.drawn is not None else None,
        (),
        effects(
            activations=len(order),
            order=order,
            fog_left=left["fog"],
            fog_drawn=FOG - left["fog"],
            set_aside=set_aside,
            undrawn=sum(left.values()),
            ended=ended,
            bag={labels[name]: count for name, count in left.items()},
        ),
    )


def _is_over(left: Mapping[str, int]) -> bool:
    """Whether no Fog is left in the bag, or nothing but Fog."""
    return not left["fog"] or sum(left.values()) == left["fog"]


def _by_die(left: Mapping[str, int], roller: Roller, rolled: list[int]) -> str:
    """The chit under a die with as many sides as there are chits."""
    bounds: list[int] = []
    reached = 0
    for count in left.values():
        reached += count
        bounds.append(reached)
    face = roller.die(reached, _("Chit"), tuple(bound + 1 for bound in bounds[:-1])) if reached > 1 else 1
    if reached > 1:
        rolled.append(face)
    return next(name for name, bound in zip(left, bounds, strict=True) if face <= bound)


class Fog(Rolling, frozen=True, kw_only=True):
    """The chits left to draw: those of players, and those of Fog."""

    chits: Count
    fog: Annotated[int, Meta(ge=1, le=3)] = FOG


def play_out(content: CustomContent, data: Fog, roller: Roller) -> Resolved:
    """How many activations come before the last Fog. Dice: as for a single draw, to the end."""
    left = {"player": data.chits, "fog": data.fog}
    rolled: list[int] = []
    while left["fog"] and left["player"]:
        left[_by_die(left, roller, rolled)] -= 1
    done = data.chits - left["player"]
    return Resolved(
        str(done), f"{quantity(done, 'activation')}.", tuple(rolled), tuple(rolled), done, (),
        effects(activations=done, undrawn=left["player"] + left["fog"]),
    )  # fmt: skip


def fog_odds(content: CustomContent, data: Fog) -> Odds:
    """Exactly k activations: the last Fog stands right behind k player chits."""
    whole = math.comb(data.chits + data.fog, data.fog)
    odds = Odds()
    for k in range(data.chits + 1):
        odds.add(str(k), 0, Fraction(math.comb(k + data.fog - 1, data.fog - 1), whole))
    return odds


class NextChit(RuleInput, frozen=True, kw_only=True):
    """A bag in the middle of a turn: own chits, enemy chits, and Fog left."""

    mine: Count
    theirs: Count
    fog: Annotated[int, Meta(ge=1, le=3)] = FOG


def chit_drawn(content: CustomContent, data: NextChit, roller: Roller) -> Resolved:
    """What the bag promises: each chit's odds to be drawn at all, and whose comes next."""
    each = Fraction(data.fog, data.fog + 1)
    count = data.mine + data.theirs
    ends = Fraction(1, count + 1) if data.fog == 1 else Fraction(0)
    mine = Fraction(data.mine, count) if count else Fraction(0)
    return Resolved(
        str(each), _("Each chit is drawn with odds of {each}.").format(each=each),
        effects=effects(each=str(each), expected=str(each * count), ends_next=str(ends), mine_next=str(mine)),
    )  # fmt: skip


def chit_drawn_odds(content: CustomContent, data: NextChit) -> Odds:
    """Whether any given chit is drawn this turn."""
    each = Fraction(data.fog, data.fog + 1)
    return Odds({"undrawn": 1 - each, "drawn": each}, {0: Fraction(1)})
