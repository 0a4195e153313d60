"""Rules that handle several things in one request.

These are initiative among any number of sides, one card of a deck, a platoon of tanks that moves, and one blow of an
assault.

Source: core rules, "Game sequence", "Tanks: Movement", "Assaulting".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

import icepool
from icepool import Die, d6

from rules.custom.interpretations import HasReadings
from rules.formatting import dice_words
from rules.problems import Refusal
from rules.resolvers.odds import successes
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.assault import DECIDES, MOST_BASES, force_of
from rules.trench_too_far.resolvers.common import (
    TroopOdds,
    ask_several,
    chance_of,
    facts,
    in_order,
    many,
)
from rules.trench_too_far.resolvers.inputs import CardDraw, InitiativeSide, Platoon, SidesInitiative, Strike
from rules.trench_too_far.resolvers.tank_inputs import ReliabilityTest, TanksMove
from rules.trench_too_far.resolvers.tanks import reliability

TIE = "tie"
MOST_ROUNDS = 60  # of ties: an endless tie means that the dice are broken


def _checked(data: SidesInitiative) -> None:
    if sum(side.attacker for side in data.sides) > 1:
        raise Refusal(
            gettext("Two sides are told to attack."), mend=gettext("Name one attacker, or none."), code="input"
        )
    if len({side.name for side in data.sides} | {TIE}) <= len(data.sides):
        raise Refusal(
            gettext("Two sides have one name, or one is called a tie."),
            mend=gettext("Give them different names."),
            code="input",
        )


def initiative_of(content: HasReadings, data: SidesInitiative, roller: Roller) -> Resolved:
    """Which of any number of sides chooses who acts first. Outcome: its name, or tie. Those who tie for the most roll again."""
    _checked(data)
    rolling, rolled, words = data.sides, [], []
    for _ in range(MOST_ROUNDS):
        totals: dict[str, int] = {}
        for side in rolling:
            face = roller.die(6, gettext("Initiative, {side}").format(side=side.name))
            rolled.append(face)
            totals[side.name] = face + side.attacker - side.militia
        words.append(" to ".join(f"{name} {total}" for name, total in totals.items()))
        best = max(totals.values())
        rolling = tuple(side for side in rolling if totals[side.name] == best)
        if len(rolling) == 1 or choice(content, "tied-initiative") != "reroll":
            break
    winner = rolling[0].name if len(rolling) == 1 else TIE
    told = gettext("; again ").join(words) + (
        gettext(": a tie.") if winner == TIE else gettext(": {winner} chooses who acts first.").format(winner=winner)
    )  # fmt: skip
    return Resolved(
        winner,
        told,
        tuple(rolled),
        tuple(rolled),
        None,
        _edges(data.sides),
        facts(chooses=None if winner == TIE else winner),
    )


def sides_odds(content: HasReadings, data: SidesInitiative) -> TroopOdds:
    """Each side's odds; those who tie for the most roll among themselves until one wins."""
    _checked(data)
    sides = data.sides

    def best(rolling: tuple[int, ...]) -> Die[tuple[int, ...]]:
        """Which of those who roll have the highest total."""
        highest: Die[Any] = Die([(-1, ())])
        for index in rolling:
            total = d6 + sides[index].attacker - sides[index].militia
            highest = icepool.map(
                _with_higher, highest, total.map(lambda each, index=index: (each, (index,))), star=False
            )
        return highest.map(lambda total, indices: indices)

    @cache
    def winner(rolling: tuple[int, ...]) -> Die[tuple[int, ...]]:
        if len(rolling) == 1:
            return Die([rolling])
        return best(rolling).reroll([rolling], star=False, depth="inf").map(winner, star=False)

    rolling = tuple(range(len(sides)))
    winners = winner(rolling) if choice(content, "tied-initiative") == "reroll" else best(rolling)
    shares: defaultdict[str, Fraction] = defaultdict(Fraction)
    for indices in winners:
        shares[sides[indices[0]].name if len(indices) == 1 else TIE] += winners.probability(indices)
    return in_order(shares)


def _with_higher(one: tuple[int, tuple[int, ...]], other: tuple[int, tuple[int, ...]]) -> Any:
    """The higher of two totals with the indices of whoever rolled it; of like totals both."""
    return (one[0], one[1] + other[1]) if one[0] == other[0] else max(one, other)


def _edges(sides: tuple[InitiativeSide, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{amount:+d}", f"{side.name}: {why}")
        for side in sides
        for amount, told, why in ((1, side.attacker, "attacker"), (-1, side.militia, gettext("mostly militia")))
        if told
    )


def card_draw(content: HasReadings, data: CardDraw, roller: Roller) -> Resolved:
    """One card of those left, blind. Outcome: the card. The last one falls without a die."""
    count = len(data.cards)
    face = roller.die(count, gettext("Which card")) if count > 1 else 1
    card = data.cards[face - 1]
    return Resolved(
        card,
        gettext("{card} is drawn; {many} left.").format(card=card, many=many(count - 1, "card")),
        (face,),
        (face,),
        face,
        (),
        facts(card=card),
    )


def draw_odds(content: HasReadings, data: CardDraw) -> TroopOdds:
    """Every card is as likely as another."""
    return in_order({card: Fraction(count, len(data.cards)) for card, count in Counter(data.cards).items()})


def tanks_move(content: HasReadings, data: TanksMove, roller: Roller) -> Resolved:
    """Reliability of every vehicle that moves. Outcome: how many break down; `broken` holds their places in the order told."""
    steps = [
        reliability(content, ReliabilityTest(kind=kind, crossing=data.crossing, turn=data.turn), roller)
        for kind in data.kinds
    ]
    broken = [place for place, step in enumerate(steps) if step.effect("immobilised")]
    rolled = tuple(face for step in steps for face in step.rolled)
    if not rolled:
        words = gettext("No test in the first two turns.")
    else:
        words = (
            gettext("{count} of {many} break down.").format(count=len(broken), many=many(len(steps), "vehicle"))
            if broken
            else gettext("None breaks down.")
        )
    return Resolved(str(len(broken)), words, rolled, rolled, len(broken), (), facts(broken=broken), tuple(steps))


def strikes(content: HasReadings, strikers: tuple[Platoon, ...]) -> tuple[tuple[int, int], ...]:
    """The dice of those who strike and what each must show: (dice, target), like targets together."""
    found: dict[int, int] = {}
    for striker in strikers:
        force = force_of(content, striker)
        if force.bases > MOST_BASES:
            raise Refusal(
                gettext("More than {most_bases} bases strike.").format(most_bases=MOST_BASES),
                mend=gettext("Give those that fight."),
                code="input",
            )
        found[force.hit] = found.get(force.hit, 0) + force.dice(force.bases)
    return tuple((dice, hit) for hit, dice in sorted(found.items(), reverse=True) if dice)


def strike(content: HasReadings, data: Strike, roller: Roller) -> Resolved:
    """One blow of one side of an assault, whoever joined it included. Outcome and `total`: enemy bases destroyed."""
    groups = strikes(content, data.strikers)
    if not groups:
        raise Refusal(gettext("No base is left to strike."), mend=gettext("Give their bases."), code="input")
    rolled: tuple[int, ...] = ()
    good: tuple[int, ...] = ()
    for dice, hit in groups:
        faces = ask_several(roller, None, dice, data.why, hit)
        rolled += faces
        good += tuple(face for face in faces if face >= hit)
    destroyed = min(len(good), data.enemy_bases)
    whole = sum(dice for dice, _ in groups)
    modifiers = tuple(
        (dice_words(dice), gettext("hit on {hit}{what}").format(hit=hit, what="" if hit == 6 else "+"))
        for dice, hit in groups
    )
    return Resolved(
        str(destroyed), gettext("{many}: {many_2} destroyed.").format(many=many(whole, 'die', 'dice'), many_2=many(destroyed, 'base')), rolled, good, destroyed, modifiers,
        facts(dice=whole, hits=len(good), destroyed=destroyed, decided=destroyed >= DECIDES or destroyed == data.enemy_bases),
    )  # fmt: skip


def strike_odds(content: HasReadings, data: Strike) -> TroopOdds:
    """How many bases one blow destroys; beside it whether that decides the assault."""
    hits = successes(*((dice, chance_of(hit)) for dice, hit in strikes(content, data.strikers)))
    shares: defaultdict[str, Fraction] = defaultdict(Fraction)
    for count, share in enumerate(hits):
        shares[str(min(count, data.enemy_bases))] += share
    decides = sum(hits[min(DECIDES, data.enemy_bases) :], Fraction(0))
    return in_order(shares, (), {"decides": decides})
