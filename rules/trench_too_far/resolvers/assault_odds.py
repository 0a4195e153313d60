"""The exact odds of an assault: every exchange of blows, followed to its ends (A Trench Too Far, Assault)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import binomial
from rules.translation import gettext
from rules.trench_too_far.charts import QUALITY
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.assault import (
    ENDS,
    FALLS_BACK,
    STANDS_OFF,
    STAYS,
    WINS,
    _barred,
    _End,
    _Fight,
    _fight,
    _outcome,
    is_fresh,
)
from rules.trench_too_far.resolvers.common import (
    TroopOdds,
    chance_of,
    in_order,
)
from rules.trench_too_far.resolvers.inputs import (
    Assault,
    AssaultRound,
    Platoon,
)


def fight_odds(fight: _Fight, maximum: int | None = None) -> Mapping[_End, Fraction]:
    """How a fight ends, exactly: forwards over the bases left, with the exchange in which nobody falls divided out.

    `maximum`: stopped after so many rolls. Raises Refusal if neither side has dice.
    """
    if maximum is not None:
        return _bounded(fight, maximum)
    ends: defaultdict[_End, Fraction] = defaultdict(Fraction)
    weights: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    start = (fight.attacker.bases, fight.defender.bases)
    if fight.joining:
        _exchange(fight, start, Fraction(1), True, ends, weights)
    else:
        weights[start] = Fraction(1)
    while weights:
        state = max(weights, key=sum)  # no remaining state leads to the one with the most bases
        _exchange(fight, state, weights.pop(state), False, ends, weights)
    return ends


def _exchange(
    fight: _Fight,
    state: tuple[int, int],
    weight: Fraction,
    first: bool,
    ends: defaultdict[_End, Fraction],
    weights: defaultdict[tuple[int, int], Fraction],
) -> None:
    """Adds one attack and the counterattack it leaves to `ends` and `weights`. In the first exchange friends join before the counterattack."""
    attacker, defender = state
    joining, joined = (fight.joining, 0) if first else (0, fight.joining)
    attack = _falls(fight, True, attacker, defender, joined)
    counters = {
        left: _falls(fight, False, left + joining, attacker, joined) for left, _, outcome in attack if not outcome
    }
    idle = Fraction(0) if joining else _idle(attack, defender) * _idle(counters.get(defender, []), attacker)
    if idle == 1:
        raise Refusal(gettext("Neither side has dice: this fight does not end."), code="odds")
    weight /= 1 - idle
    for left, share, outcome in attack:
        if outcome:
            ends[outcome, attacker, left] += weight * share
            continue
        for own, again, result in counters[left]:
            part = weight * share * again
            if result:
                ends[result, own, left + joining] += part
            elif joining or (own, left) != state:
                weights[own, left + joining] += part


def _idle(falls: list[tuple[int, Fraction, str]], bases: int) -> Fraction:
    """How likely a roll leaves so many bases as they were, and the fight goes on."""
    return sum((share for left, share, outcome in falls if left == bases and not outcome), Fraction(0))


def _falls(fight: _Fight, attacks: bool, bases: int, enemy: int, joined: int) -> list[tuple[int, Fraction, str]]:
    """What the roll of one side leaves of so many enemy bases: (left, odds, how that ends the fight)."""
    force = fight.attacker if attacks else fight.defender
    hits = binomial(force.dice(bases), chance_of(force.hit))
    shares = (*hits[:enemy], sum(hits[enemy:], Fraction(0))) if enemy < len(hits) else hits
    return [
        (enemy - count, share, _outcome(fight, attacks, count, enemy - count, joined))
        for count, share in enumerate(shares)
        if share
    ]


def _bounded(fight: _Fight, maximum: int) -> Mapping[_End, Fraction]:
    """The same, stopped after a maximum of rolls."""
    states: Mapping[tuple[int, int], Fraction] = {(fight.attacker.bases, fight.defender.bases): Fraction(1)}
    ends: defaultdict[_End, Fraction] = defaultdict(Fraction)
    for step in range(maximum):
        attacks = step % 2 == 0
        joined = fight.joining if step else 0
        if step == 1:
            states = {(attacker, defender + joined): share for (attacker, defender), share in states.items()}
        following: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (attacker, defender), share in states.items():
            bases, enemy = (attacker, defender) if attacks else (defender, attacker)
            for left, each, outcome in _falls(fight, attacks, bases, enemy, joined):
                after = (attacker, left) if attacks else (left, defender)
                if outcome:
                    ends[outcome, *after] += share * each
                else:
                    following[after] += share * each
        states = following
    for after, share in states.items():
        ends[STANDS_OFF, *after] += share
    return ends


def _told(fight: _Fight, ends: Mapping[_End, Fraction], before: dict[str, Fraction] | None = None) -> TroopOdds:
    """Ends as odds: outcomes, and beside them the mean losses of both sides and how likely each is wiped out."""
    found = dict(before or {})
    also = {
        name: Fraction(0)
        for name in ("attacker_wiped_out", "defender_wiped_out", "attacker_bases_lost", "defender_bases_lost")
    }
    for (outcome, attacker, defender), share in ends.items():
        found[outcome] = found.get(outcome, Fraction(0)) + share
        also["attacker_wiped_out"] += share if not attacker else 0
        also["defender_wiped_out"] += share if not defender else 0
        also["attacker_bases_lost"] += share * (fight.attacker.bases - attacker)
        also["defender_bases_lost"] += (
            share * (fight.defender.bases + fight.joining - defender) if not fight.joining else 0
        )
    if fight.joining:
        del also["defender_bases_lost"]
    if before is not None:
        also = {"attacker_prevails": found.get(WINS, Fraction(0)) + found.get(FALLS_BACK, Fraction(0)), **also}
    return in_order(found, ENDS, also)


def assault_round_odds(content: HasReadings, data: AssaultRound) -> TroopOdds:
    fight = _fight(content, data.attacker, data.defender, data.joining_bases)
    return _told(fight, fight_odds(fight, data.most_rolls))


def _nerve(content: HasReadings, platoon: Platoon, bonus: int) -> Fraction:
    target = 2 if platoon.has("aggressive") else QUALITY[platoon.quality]
    if choice(content, "natural-faces") == "settle":
        return Fraction(sum((face >= target - bonus and face != 1) or face == 6 for face in range(1, 7)), 6)
    return chance_of(target - bonus)


def assault_odds(content: HasReadings, data: Assault) -> TroopOdds:
    """How a whole assault ends; `attacker_prevails` beside: motivation times (falls back, or stands and is beaten)."""
    fight, ends, before = _whole(content, data)
    return _told(fight, ends, before)


def assault_losses(content: HasReadings, data: Assault) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The odds of 0, 1, ... bases lost in a whole assault, the attacker's and the defender's.

    The latter are empty where friends join: the bases left do not say whether they had come by then.
    """
    fight, ends, before = _whole(content, data)
    lost = ([Fraction(0)] * (fight.attacker.bases + 1), [Fraction(0)] * (fight.defender.bases + 1))
    for each in lost:
        each[0] += sum(before.values(), Fraction(0))
    for (_, attacker, defender), share in ends.items():
        lost[0][fight.attacker.bases - attacker] += share
        if not fight.joining:
            lost[1][fight.defender.bases - defender] += share
    return tuple(lost[0]), () if fight.joining else tuple(lost[1])


def _whole(content: HasReadings, data: Assault) -> tuple[_Fight, Mapping[_End, Fraction], dict[str, Fraction]]:
    """The fight of an assault, its ends with their odds, and the odds of the outcomes without a fight."""
    fight = _fight(content, data.attacker, data.defender, data.joining_bases)
    goes = Fraction(1)
    if data.motivation:
        if _barred(content, data.attacker):
            goes = Fraction(0)
        elif not is_fresh(data.attacker):
            goes = _nerve(content, data.attacker, int(data.attacker.has("close-order")))
    stands = Fraction(1)
    if data.reception and not data.defender.entrenched and not data.defender.in_building:
        stands = _nerve(content, data.defender, 0)
    ends = {end: share * goes * stands for end, share in fight_odds(fight).items()} if goes and stands else {}
    return fight, ends, {STAYS: 1 - goes, FALLS_BACK: goes * (1 - stands)}
