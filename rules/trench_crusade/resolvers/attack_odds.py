"""The exact odds of several attacks, and of the other fighters caught in a blast."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.odds import MOST_RUNS, Odds, every_way
from rules.resolvers.roller import Resolved
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.attack import (
    WORST,
    after_attack,
    at_friend,
    caught_injuries,
    cut_short,
    did_miss,
    one_attack,
)
from rules.trench_crusade.resolvers.injury import resolve_injury
from rules.trench_crusade.resolvers.inputs import Attack, Target

# The index of the worst outcome, with the blood and infection markers given, and the BLOOD MARKERS that the attacker gets.
_Harm = tuple[int, int, int, int]
_Harms = Mapping[_Harm, Fraction]
_NOBODY: _Harms = {(0, 0, 0, 0): Fraction(1)}


@dataclass(frozen=True, slots=True)
class _State:
    """The results of the attacks so far. `known`: each target by name, None once it is out."""

    known: tuple[tuple[str, Target | None], ...] = ()
    harm: _Harm = (0, 0, 0, 0)
    ended: bool = False
    missed: bool = True
    all_hit: bool = True


def attack_odds(play: EditionPlay, attacks: tuple[Attack, ...]) -> Odds:
    """The odds of several attacks: each against every state that those before it may have left, with its chance.

    Of a target only what a later attack meets is kept apart, and whom a blast catches besides is calculated by itself.
    Raises Refusal where the attacks have too many ways to go.
    """
    states: dict[_State, Fraction] = {_State(): Fraction(1)}
    runs = 0
    for index, planned in enumerate(attacks):
        rest = attacks[index + 1 :]
        later = {other.target.name for other in rest}
        caught = {critical: _caught_harms(play, planned, critical=critical) for critical in (False, True)}
        awaited = bool(rest) and rest[0].after_hit
        counted = any(other.all_hit_out for other in rest)
        following: defaultdict[_State, Fraction] = defaultdict(Fraction)
        for state, chance in states.items():
            if _is_left_out(state, planned):
                following[replace(state, known=_kept(dict(state.known), later), missed=True, all_hit=False)] += chance
                continue
            for done, share in _ways(play, state, planned):
                runs += 1
                if runs > MOST_RUNS:
                    raise Refusal(_("This has too many ways to go for exact odds."), code="odds")
                after = _after(state, planned, done, later, awaited=awaited, counted=counted)
                critical = any(step.outcome == "critical" for step in done.steps)
                harms = _NOBODY if did_miss(done) else caught[critical]
                for harm, likely in harms.items():
                    following[replace(after, harm=_plus(after.harm, harm))] += chance * share * likely
        states = following
    odds = Odds()
    for worst, outcome in enumerate(WORST):
        for state, chance in states.items():
            if state.harm[0] == worst:
                odds.add(outcome, state.harm[1], chance, state.harm[2], state.harm[3])
    return odds


def _is_left_out(state: _State, planned: Attack) -> bool:
    """Whether an attack is not made: the activation is over, the one before it missed, or its target is out."""
    gone = (planned.target.name, None) in state.known
    return state.ended or (planned.after_hit and state.missed) or gone


def _ways(play: EditionPlay, state: _State, planned: Attack) -> Iterator[tuple[Resolved, Fraction]]:
    """Every way an attack may go, without those whom it catches besides."""
    one = msgspec.structs.replace(planned, target=_target(state, planned), caught=())
    return every_way(lambda roller: one_attack(play, one, roller, all_hit=state.all_hit))


def _target(state: _State, planned: Attack) -> Target:
    return dict(state.known).get(planned.target.name) or planned.target


def _after(state: _State, planned: Attack, done: Resolved, later: set[str], *, awaited: bool, counted: bool) -> _State:
    """What one way of an attack leaves. `later`: the names of targets yet to come, `awaited`: the next attack asks for a hit,
    `counted`: a later one asks whether all hit.
    """
    out = done.effect("out_of_action") and not at_friend(done)
    target = None if out else after_attack(_target(state, planned), done)
    return _State(
        _kept({**dict(state.known), planned.target.name: target}, later),
        _plus(state.harm, _harm(done)),
        cut_short(done),
        did_miss(done) if awaited else True,
        state.all_hit and not did_miss(done) if counted else False,
    )


def _kept(known: Mapping[str, Target | None], later: set[str]) -> tuple[tuple[str, Target | None], ...]:
    """What is known of targets that a later attack is made against, in order."""
    return tuple((name, known[name]) for name in sorted(known.keys() & later))


def _harm(done: Resolved) -> _Harm:
    return (
        WORST.index(done.outcome),
        done.summed("blood_markers"),
        done.summed("infection_markers"),
        done.summed("own_blood_markers"),
    )


def _plus(one: _Harm, more: _Harm) -> _Harm:
    """Both together: the worse outcome, and all markers."""
    return max(one[0], more[0]), one[1] + more[1], one[2] + more[2], one[3] + more[3]


def _caught_harms(play: EditionPlay, planned: Attack, *, critical: bool) -> _Harms:
    """What a hit does to those whom its blast catches besides, together."""
    harms = _NOBODY
    for roll in caught_injuries(play, planned, critical=critical):
        each: defaultdict[_Harm, Fraction] = defaultdict(Fraction)
        for done, chance in every_way(lambda roller, roll=roll: resolve_injury(play, roll, roller)):  # type: ignore[misc]
            each[_harm(done)] += chance
        joined: defaultdict[_Harm, Fraction] = defaultdict(Fraction)
        for harm, chance in harms.items():
            for more, share in each.items():
                joined[_plus(harm, more)] += chance * share
        harms = joined
    return harms
