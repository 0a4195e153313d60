"""Several attacks of one ACTION, made one after the other: which one is next, and with what answers.

Each is rolled and written by itself, so that its target is chosen with the one before settled.
Source: Attacks 1.6, "Multiple Attacks"; Turns and actions 1.0, "Actions" (AUTOMATIC); core rules 1.0, "Attacks".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect
from rules.tracker.rolls import ticked
from rules.tracker.state import TableFighter, TableState
from rules.trench_crusade.resolvers.attack import at_friend, cut_short, did_miss
from rules.trench_crusade.resolvers.series import following_attacks
from rules.trench_crusade.resolvers.weapon_lines import ONE_TARGET
from rules.trench_crusade.tracker.attack_request import LYING, AttackRequest

RUN = "attacks"  # a fighter's fact: the attack that comes next in its ACTION
# What is said of a target's place holds no longer for another target.
OF_THE_PLACE = frozenset({"cover", "long_range", "elevated", "near_miss", "defended_obstacle"})
# What is said of one attack alone.
OF_ONE = frozenset({*LYING, "bloodbath", "dice", "injury_dice", "at_point", "landed", "last", "caught", "friend"})


@dataclass(frozen=True, slots=True)
class AttackRun:
    """How far the attacks of one ACTION have come.

    The one made now is number `place` of its weapon, after `before` with other weapons. `rest` are the weapons that follow, each with
    whether it is Off-Hand. `struck` is the one fighter that all attacks so far hit, "" if there is none. `bound_to` is the only one at
    whom the weapon's attacks may go, "" if any foe will do.
    """

    place: int = 1
    before: int = 0
    rest: tuple[tuple[str, bool], ...] = ()
    struck: str = ""
    bound_to: str = ""

    @property
    def at(self) -> int:
        return self.before + self.place


def fact_of(state: TableState, fighter: TableFighter) -> Mapping[str, Any]:
    """Return what is kept of a fighter's attacks that are not all made yet, nothing if there are none."""
    fact: Mapping[str, Any] = fighter.facts.get(RUN) or {}
    return fact if fact and fact["turn"] == state.turn and fighter.fights and not fighter.acted else {}


def run_of(strike: AttackRequest) -> AttackRun:
    """Return how far the attacks of this fighter's ACTION have come. Another weapon than the next one begins anew."""
    arm = strike.data["arm"]
    fact = fact_of(strike.state, strike.fighter)
    if fact and fact["given"]["arm"] == arm:
        rest = tuple((str(key), bool(off)) for key, off in fact["rest"])
        return AttackRun(fact["place"], fact["before"], rest, fact["struck"], fact["bound_to"])
    mine = strike.force(strike.fighter)
    return AttackRun(rest=following_attacks(strike.content, *mine, arm) if mine is not None else ())


def attacks_in_all(strike: AttackRequest, run: AttackRun) -> int:
    """Return how many attacks the ACTION brings."""
    more = (strike.with_arm(key) for key, _off in run.rest)
    counts = (len(other.situation(other.target).attacks) for other in more)
    return run.before + len(strike.situation(strike.target).attacks) + sum(counts)


def planned_attack(strike: AttackRequest, run: AttackRun) -> dict[str, Any]:
    """Return the attack made now, as the resolver's input. What is spent is spent on it."""
    attacks = strike.situation(strike.target).attacks
    first, planned = attacks[0], dict(attacks[min(run.place, len(attacks)) - 1])
    for name, value in first.items():
        if name.endswith("_spent") or name.startswith("bloodbath"):
            planned[name] = value
    if run.struck != strike.target.key:
        planned.pop("all_hit_out", None)
    return planned


def after_attack(strike: AttackRequest, found: Resolved, effects: Iterable[Effect]) -> dict[str, Any]:
    """Return what is kept for the next attack of the ACTION; nothing after the last one, or once the activation is over."""
    run = run_of(strike)
    gone = {effect.fighter for effect in effects if effect.out}
    if cut_short(found) or strike.fighter.key in gone or _has_no_foe_left(strike, gone):
        return {}
    target = strike.target
    attacks = strike.situation(target).attacks
    bound = run.bound_to or (target.key if ONE_TARGET in attacks[0].get("keywords", ()) else "")
    struck = target.key if _hits_one_fighter(run, target, found) else ""
    given = _answers(strike, dropped=OF_ONE | (OF_THE_PLACE if target.key in gone else set()))
    if target.key in gone:
        given.pop("target", None)
    if bound not in gone and _weapon_goes_on(run, attacks, found):
        next_run = AttackRun(run.place + 1, run.before, run.rest, struck, bound)
    elif run.rest:
        (arm, off_hand), *others = run.rest
        next_run = AttackRun(1, run.at, tuple(others), struck)
        given = _with_next_weapon(given, arm, off_hand=off_hand)
    else:
        return {}
    following = replace(strike, data={**given, "target": target.key})
    return {
        "turn": strike.state.turn,
        "struck": struck,
        "place": next_run.place,
        "before": next_run.before,
        "rest": [list(one) for one in next_run.rest],
        "bound_to": next_run.bound_to,
        "given": given,
        "at": next_run.at,
        "of": attacks_in_all(following, next_run),
    }


def _has_no_foe_left(strike: AttackRequest, gone: Collection[str]) -> bool:
    foes = [fighter for fighter in strike.state.fighters if fighter.side != strike.fighter.side and fighter.fights]
    return all(foe.key in gone for foe in foes)


def _hits_one_fighter(run: AttackRun, target: TableFighter, found: Resolved) -> bool:
    """Return whether this attack hit its target, as did all before it in the ACTION."""
    return not did_miss(found) and not at_friend(found) and (run.at == 1 or run.struck == target.key)


def _weapon_goes_on(run: AttackRun, attacks: Sequence[Mapping[str, Any]], found: Resolved) -> bool:
    """Return whether the weapon has a further attack; some follow a hit only."""
    return run.place < len(attacks) and not (attacks[run.place].get("after_hit") and did_miss(found))


def _with_next_weapon(given: Mapping[str, Any], arm: str, *, off_hand: bool) -> dict[str, Any]:
    """Return the answers that hold for the next weapon too: who attacks whom, and from where."""
    kept = {name: answer for name, answer in given.items() if name in ("fighter", "target", "charged", *OF_THE_PLACE)}
    return {**kept, "arm": arm, **({"off_hand": "1"} if off_hand else {})}


def _answers(strike: AttackRequest, dropped: Iterable[str]) -> dict[str, str]:
    """Return the answers that hold for the next attack too: who, with what, at whom, and the switches that are on."""
    names = {"fighter", "arm", "target"}
    names |= {toggle.key for toggle in strike.situation(strike.target).toggles if toggle.is_switch}
    data = strike.data
    return {name: data[name] for name in data if name in names - set(dropped) and ticked(data, name)}
