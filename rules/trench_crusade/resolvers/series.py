"""Several ACTIONS of one fighter against one target: the exact odds after each, with what the earlier ones left.

Every attack is worked out anew for each state in which it may find the two: the target Down or marked, what has saved
it before, and the attacker's own BLOOD MARKERS.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import msgspec

from rules import vocabulary as v
from rules.content.compiled import Content
from rules.fighters.matching import item_passes
from rules.force import Force
from rules.problems import Refusal
from rules.resolvers.odds import MOST_RUNS, Odds, every_way
from rules.resolvers.roller import Resolved
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.arms import attack_modes, facts_of
from rules.trench_crusade.resolvers.attack import WORST, after_attack, at_friend, cut_short, did_miss, one_attack
from rules.trench_crusade.resolvers.attack_situation import situation
from rules.trench_crusade.resolvers.brings import FOE_BLOOD, MOST_MARKERS, OWN_BLOOD
from rules.trench_crusade.resolvers.inputs import Attack, Target

MOST_ACTIONS = 4
Step = tuple[str, Mapping[str, Any]]  # the key of an attack, and what the table says of it


@dataclass(frozen=True, slots=True)
class _Left:
    """What the attacks so far have left. `target`: what has saved it, and whether it lies; None before the first attack."""

    target: Target | None = None
    out: bool = False
    blood: int = 0
    own: int = 0
    down: bool = False  # the attacker
    ends: bool = False  # the activation, with this ACTION
    missed: bool = True
    all_hit: bool = True
    cut: bool = False  # the rest of this ACTION
    harm: tuple[int, int, int, int] = (0, 0, 0, 0)


class AttackChain:
    """The attacks of some ACTIONS, worked out for each state that asks for another input."""

    def __init__(
        self, content: Content, mine: tuple[Force, str], steps: Sequence[Step], theirs: tuple[Force, str]
    ) -> None:
        assert content.pack.play is not None
        self.content, self.play, self.mine, self.theirs = content, content.pack.play, mine, theirs
        self.steps = tuple(steps)
        self._made: dict[tuple[int, bool, int, int, bool], tuple[Attack, ...]] = {}
        self._asks: dict[int, frozenset[str]] = {}

    def attacks(self, step: int, left: _Left) -> tuple[Attack, ...]:
        """The attacks of one ACTION as they stand in a state. Raises Refusal."""
        arm, told = self.steps[step]
        lies = left.target.down if left.target is not None else bool(told.get("target_down"))
        asks = self._asks.get(step)
        blood = left.blood if asks is None or FOE_BLOOD in asks else 0
        own = left.own if asks is None or OWN_BLOOD in asks else 0
        key = (step, lies, blood, own, left.down)
        if key not in self._made:
            state = {**told, "target_down": int(lies), FOE_BLOOD: blood, OWN_BLOOD: own}
            if left.down:
                state["down"] = 1
            found = situation(self.content, self.mine, arm, self.theirs, state)
            self._asks.setdefault(step, frozenset(toggle.key for toggle in found.toggles))
            self._made[key] = tuple(msgspec.convert(dict(each), Attack) for each in found.attacks)
        return self._made[key]


def chain_odds(
    content: Content, mine: tuple[Force, str], steps: Sequence[Step], theirs: tuple[Force, str]
) -> tuple[Odds, ...]:
    """The odds after each ACTION: of the worst outcome so far, and of all markers placed so far.

    Raises Refusal for an attack that the fighter does not have, for too many ACTIONS or too many ways to go; KeyError
    for a fighter nobody knows.
    """
    if len(steps) > MOST_ACTIONS:
        raise Refusal(_("At most {most} ACTIONS are worked out together.").format(most=MOST_ACTIONS), code="odds")
    chain = AttackChain(content, mine, steps, theirs)
    first = steps[0][1]
    start = _Left(blood=_figure(first, FOE_BLOOD), own=_figure(first, OWN_BLOOD))
    states: dict[_Left, Fraction] = {start: Fraction(1)}
    found = []
    runs = 0
    for step in range(len(steps)):
        states = _merged((_before(left), chance) for left, chance in states.items())
        for index in range(max(len(chain.attacks(step, left)) for left in states)):
            following: defaultdict[_Left, Fraction] = defaultdict(Fraction)
            for left, chance in states.items():
                attacks = chain.attacks(step, left)
                planned = attacks[index] if index < len(attacks) else None
                if planned is None or left.out or left.cut:
                    following[left] += chance
                    continue
                if planned.after_hit and left.missed:
                    following[replace(left, missed=True, all_hit=False)] += chance
                    continue
                for then, share in _ways(chain, planned, left):
                    runs += 1
                    if runs > MOST_RUNS:
                        raise Refusal(_("This has too many ways to go for exact odds."), code="odds")
                    following[then] += chance * share
            states = dict(following)
        found.append(_odds(states))
    return tuple(found)


def _before(left: _Left) -> _Left:
    """What an ACTION finds: after one that ended the activation, nothing more is made."""
    return replace(left, missed=True, all_hit=True, cut=left.ends)


def _figure(told: Mapping[str, Any], name: str) -> int:
    return max(0, min(MOST_MARKERS, int(told.get(name) or 0)))


def _merged(pairs: Iterable[tuple[_Left, Fraction]]) -> dict[_Left, Fraction]:
    found: defaultdict[_Left, Fraction] = defaultdict(Fraction)
    for left, chance in pairs:
        found[left] += chance
    return dict(found)


def _ways(chain: AttackChain, planned: Attack, left: _Left) -> list[tuple[_Left, Fraction]]:
    """Every way in which one attack may go, and what it leaves."""
    one = msgspec.structs.replace(planned, target=_met(planned.target, left.target), caught=(), against_down=None)
    return [
        (_after(one, done, left), share)
        for done, share in every_way(lambda roller: one_attack(chain.play, one, roller, all_hit=left.all_hit))
    ]


def _met(fresh: Target, known: Target | None) -> Target:
    """The target as this attack finds it: as its texts have it now, less what is used up."""
    if known is None:
        return fresh
    return msgspec.structs.replace(
        fresh,
        down=known.down,
        tough_used=known.tough_used,
        ignores_out=fresh.ignores_out and known.ignores_out,
        first_down=fresh.first_down if known.first_down else "",
        first_down_tough=fresh.first_down_tough and known.first_down_tough,
        unmarked_down_is_minor=fresh.unmarked_down_is_minor and known.unmarked_down_is_minor,
        unmarked_minor_is_nothing=fresh.unmarked_minor_is_nothing and known.unmarked_minor_is_nothing,
        spares=min(fresh.spares, known.spares),
    )


def _after(one: Attack, done: Resolved, left: _Left) -> _Left:
    blood, infection = done.summed("blood_markers"), done.summed("infection_markers")
    own = done.summed("own_blood_markers")
    worst = max(left.harm[0], WORST.index(done.outcome))
    spent, paid = _spent(done)
    out = bool(done.effect("out_of_action")) and not at_friend(done)
    kept = _kept(after_attack(one.target, done))
    return _Left(
        target=kept,
        out=out,
        blood=max(0, min(MOST_MARKERS, max(0, left.blood - spent) + blood)),
        own=max(0, min(MOST_MARKERS, max(0, left.own - paid) + own)),
        down=left.down or bool(done.effect("attacker_down")),
        ends=left.ends or bool(done.effect("activation_ends")),
        missed=did_miss(done),
        all_hit=left.all_hit and not did_miss(done),
        cut=cut_short(done),
        harm=(worst, left.harm[1] + blood, left.harm[2] + infection, left.harm[3] + own),
    )


def _spent(done: Resolved) -> tuple[int, int]:
    """The markers spent on the injury, which lay on the target, and on the roll to hit, which lay on the attacker."""
    injuries = [step for step in done.steps if step.told.startswith(_("Injury"))]
    on_target = sum(step.summed("markers_spent") for step in injuries)
    return on_target, done.summed("markers_spent") - on_target


def _kept(target: Target) -> Target:
    """Of a target only what a later attack may find changed."""
    names = (
        "down", "tough_used", "ignores_out", "first_down", "first_down_tough", "unmarked_down_is_minor", "unmarked_minor_is_nothing", "spares",
    )  # fmt: skip
    return Target(**{name: getattr(target, name) for name in names})


def _odds(states: Mapping[_Left, Fraction]) -> Odds:
    odds = Odds()
    for worst, outcome in enumerate(WORST):
        for left, chance in states.items():
            if left.harm[0] == worst:
                odds.add(outcome, left.harm[1], chance, left.harm[2], left.harm[3])
    return odds


def series_of(content: Content, force: Force, fighter: str) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    """The series of attacks that texts give a fighter in one ACTION: name, keys of the attacks in order, and whether the later are Off-Hand.

    Raises KeyError.
    """
    facts, _others = facts_of(content, force, fighter)
    modes = [mode for mode in attack_modes(content, facts) if mode.held is not None]
    found = []
    for cause in facts.of(v.SeriesEffect):
        effect: v.SeriesEffect = cause.effect
        keys = [
            mode.arm.key
            for mode in modes
            if mode.arm.kind == effect.kind
            and mode.held is not None
            and (not effect.items or any(item_passes(test, mode.held, None, content) for test in effect.items))
        ]
        if len(keys) > 1:
            found.append((cause.source.name, tuple(keys[:MOST_ACTIONS]), effect.off_hand))
    return tuple(found)


def following_attacks(content: Content, force: Force, fighter: str, arm: str) -> tuple[tuple[str, bool], ...]:
    """The attacks that the same ACTION brings once those with a weapon are made: the key of each, and whether it is Off-Hand.

    A text's series comes first, else a second melee weapon in the other hand. Raises KeyError.
    Source: core rules 1.0, "Attacks" (Multiple Melee Weapons); Attacks 1.6, "Making a Melee Attack".
    """
    for _name, keys, off_hand in series_of(content, force, fighter):
        if arm in keys:
            return tuple((key, off_hand) for key in keys if key != arm)
    facts, _others = facts_of(content, force, fighter)
    known = {mode.arm.key for mode in attack_modes(content, facts) if mode.held is not None}
    hands = [f"{use.held.item.id}:melee" for use in facts.hand_uses if use.melee == 1]
    others = [key for key in hands if key in known]
    if arm not in others:
        return ()
    others.remove(arm)
    return tuple((key, True) for key in others[:1])
