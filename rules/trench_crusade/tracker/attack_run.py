"""Several attacks of one ACTION, made one after the other: which one is next, and with what answers.

Each is rolled and written by itself, so that its target is chosen with the one before settled.
Source: Attacks 1.6, "Multiple Attacks"; Turns and actions 1.0, "Actions" (AUTOMATIC); core rules 1.0, "Attacks".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    if cut_short(found) or strike.fighter.key in gone:
        return {}
    foes = [fighter for fighter in strike.state.fighters if fighter.side != strike.fighter.side and fighter.fights]
    if all(foe.key in gone for foe in foes):
        return {}
    target, missed = strike.target, did_miss(found)
    attacks = strike.situation(target).attacks
    keywords = attacks[0].get("keywords", ())
    bound = run.bound_to or (target.key if ONE_TARGET in keywords else "")
    hit = not missed and not at_friend(found) and (run.at == 1 or run.struck == target.key)
    goes_on = run.place < len(attacks) and bound not in gone
    if goes_on and attacks[run.place].get("after_hit") and missed:
        goes_on = False
    kept = {"turn": strike.state.turn, "struck": target.key if hit else ""}
    given = _answers(strike, dropped=OF_ONE | (OF_THE_PLACE if target.key in gone else set()))
    if target.key in gone:
        given.pop("target", None)
    if goes_on:
        rest, place, before = run.rest, run.place + 1, run.before
    elif run.rest:
        (arm, off_hand), *others = run.rest
        rest, place, before, bound = tuple(others), 1, run.at, ""
        switches = {key: answer for key, answer in given.items() if key in ("charged", *OF_THE_PLACE)}
        given = {name: given[name] for name in ("fighter", "target") if name in given}
        given |= {"arm": arm, **switches, **({"off_hand": "1"} if off_hand else {})}
    else:
        return {}
    next_run = AttackRun(place, before, rest, str(kept["struck"]), bound)
    following = replace(strike, data={**given, "target": target.key})
    count = attacks_in_all(following, next_run)
    return {
        **kept, "place": place, "before": before, "rest": [list(one) for one in rest], "bound_to": bound, "given": given,
        "at": next_run.at, "of": count,
    }  # fmt: skip


def _answers(strike: AttackRequest, dropped: Iterable[str]) -> dict[str, str]:
    """Return the answers that hold for the next attack too: who, with what, at whom, and the switches that are on."""
    names = {"fighter", "arm", "target"}
    names |= {toggle.key for toggle in strike.situation(strike.target).toggles if toggle.is_switch}
    data = strike.data
    return {name: data[name] for name in data if name in names - set(dropped) and ticked(data, name)}
