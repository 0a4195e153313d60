"""The exact odds of fire and assaults against tanks: hits, saves, damage and the worst that befalls one of them.

Source: core rules, "Tanks", "Firing" and "Assault".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import binomial, successes
from rules.translation import gettext
from rules.trench_too_far.charts import TANK_CLASS
from rules.trench_too_far.resolvers.common import (
    TroopOdds,
    chance_of,
    in_order,
)
from rules.trench_too_far.resolvers.fire import MOST_DICE
from rules.trench_too_far.resolvers.inputs import Tank
from rules.trench_too_far.resolvers.tank_inputs import (
    TankAssault,
    TankFire,
)
from rules.trench_too_far.resolvers.tanks import (
    DESTROYED,
    WORST,
    TankShot,
    assault_shots,
    damaged_by,
    fire_shots,
    save_odds,
    target_tanks,
)


def _hurt_odds(content: HasReadings, tank: Tank, modifiers: tuple[int, ...]) -> tuple[tuple[Fraction, ...], Fraction]:
    """What hits with these save modifiers do to one tank: the odds of each worst result, and of no damage roll of 5 or 6."""
    states = {(tank, 0): Fraction(1)}
    spared = Fraction(1)
    target = TANK_CLASS[tank.class_]
    for modifier in modifiers:
        saves = save_odds(content, target, modifier)
        spared *= 1 - (1 - saves) / 3
        following: defaultdict[tuple[Tank, int], Fraction] = defaultdict(Fraction)
        for (before, worst), share in states.items():
            following[before, worst] += share * saves
            for roll in (1, 3, 5):
                after, result = (before, DESTROYED) if before.destroyed else damaged_by(content, before, roll)
                following[after, max(worst, WORST.index(result))] += share * (1 - saves) / 3
        states = following
    results = [Fraction(0)] * len(WORST)
    for (_, worst), share in states.items():
        results[worst] += share
    return tuple(results), spared


def _ways_to_hit(shots: tuple[TankShot, ...]) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every number of hits, as the modifier of each, with its chance."""
    ways: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for shot in shots:
        ways = [
            ((*hits, *[shot.modifier] * count), weight * share)
            for hits, weight in ways
            for count, share in enumerate(binomial(shot.dice, chance_of(shot.hit)))
        ]
    return ways


def _worst_odds(content: HasReadings, shots: tuple[TankShot, ...], tanks: tuple[Tank, ...]) -> TroopOdds:
    """The odds of the worst that befalls one of the tanks, added up over every number of hits: then each tank is hurt by itself."""
    if sum(shot.dice for shot in shots) > MOST_DICE:
        raise Refusal(
            gettext("More than {most_dice} attack dice.").format(most_dice=MOST_DICE),
            mend=gettext("Give fewer bases."),
            code="dice",
        )
    standing = [tank for tank in tanks if not tank.destroyed]
    hurt_odds = cache(lambda tank, modifiers: _hurt_odds(content, tank, modifiers))
    outcomes = [Fraction(0)] * len(WORST)
    spared = Fraction(0)
    for hits, weight in _ways_to_hit(shots):
        each = [hurt_odds(tank, hits[index :: len(standing)]) for index, tank in enumerate(standing)]
        spared += weight * prod(none for _, none in each)
        # The odds that no vehicle suffers anything worse than each result.
        at_worst = [prod(sum(worst[: level + 1], Fraction(0)) for worst, _ in each) for level in range(len(WORST))]
        for level, up_to in enumerate(at_worst):
            outcomes[level] += weight * (up_to - (at_worst[level - 1] if level else 0))
    also = {"destroyed_outright": 1 - spared, "shocked": 1 - outcomes[0]}
    if len(shots) == 1:
        saves = save_odds(content, TANK_CLASS[standing[0].class_], shots[0].modifier)
        also = {"damage_per_die": chance_of(shots[0].hit) * (1 - saves), **also}
    return in_order(dict(zip(WORST, outcomes, strict=True)), WORST, also)


def failed_saves(
    content: HasReadings, shots: tuple[TankShot, ...], tanks: Sequence[Tank]
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The odds of 0, 1, ... hits of these dice, of saves made, and of saves failed; hits go round the tanks that stand."""
    standing = [tank for tank in tanks if not tank.destroyed]
    ways: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for shot in shots:
        ways = [
            ((*hits, *[shot.modifier] * count), weight * share)
            for hits, weight in ways
            for count, share in enumerate(binomial(shot.dice, chance_of(shot.hit)))
        ]
    most = sum(shot.dice for shot in shots)
    hit, saved, failed = ([Fraction(0)] * (most + 1) for _ in range(3))
    for hits, weight in ways:
        hit[len(hits)] += weight
        classes = (TANK_CLASS[standing[number % len(standing)].class_] for number in range(len(hits)))
        made = successes(*((1, save_odds(content, each, by)) for each, by in zip(classes, hits, strict=True)))
        for count, share in enumerate(made):
            saved[count] += weight * share
            failed[len(hits) - count] += weight * share
    return tuple(hit), tuple(saved), tuple(failed)


def tank_fire_odds(content: HasReadings, data: TankFire) -> TroopOdds:
    """The worst that befalls a tank; beside it a damage result per die, and destroyed by a single damage roll of 5 or 6."""
    return _worst_odds(content, fire_shots(content, data), target_tanks(data.tanks, data.class_))


def tank_assault_odds(content: HasReadings, data: TankAssault) -> TroopOdds:
    return _worst_odds(content, assault_shots(content, data), target_tanks(data.tanks, data.class_))
