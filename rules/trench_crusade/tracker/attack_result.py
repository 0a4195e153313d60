"""The result of an attack: the sentence in the log, and the effects on everybody who was hit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect
from rules.tracker.rolls import ticked
from rules.tracker.state import TableFighter
from rules.translation import gettext
from rules.trench_crusade.resolvers.attack import INJURIES, at_friend
from rules.trench_crusade.resolvers.field import MOST_MARKERS
from rules.trench_crusade.tracker.attack_question import caught_of, friend_of
from rules.trench_crusade.tracker.attack_request import AttackRequest
from rules.trench_crusade.tracker.attack_run import RUN, after_attack
from rules.trench_crusade.tracker.rolls import fell_words, figure, suffered, taken, that_count

STRAYED = ("friend", "enemy")  # the possible results of the D6 for a shot into a melee


def attack_result(strike: AttackRequest, found: Resolved) -> tuple[str, tuple[Effect, ...], Mapping[str, Any]]:
    """Return the log sentence of an attack, its effects on the attacker and on everybody who was hit, and what follows in its ACTION."""
    data, fighter = strike.data, strike.fighter
    spent = taken(fighter, figure(data, "blood_spent"), figure(data, "blessing_spent"))
    by_hand = strike.is_told()
    weapon = "" if by_hand else _weapon_words(data["arm"], dict(strike.ways()).get(data["arm"], ""))
    hurt: dict[str, list[Resolved]] = {}
    words, hits = _one(strike, strike.target, found, with_blast=not by_hand)
    for key, injury in (*hits, *_marked_by_a_miss(_struck(strike, found), found)):
        hurt.setdefault(key, []).append(injury)
    struck = [suffered(fighter, strike.state.fighter(key), injuries) for key, injuries in hurt.items()]
    run = {} if by_hand else after_attack(strike, found, struck)
    own = on_attacker(fighter, spent, found, run)
    return f"{fighter.name}{weapon} {words}", that_count(_joined([own, *struck])), run


def on_attacker(
    fighter: TableFighter, spent: Mapping[str, int], found: Resolved, run: Mapping[str, Any] | None = None
) -> Effect:
    """Return what an attack does to the attacker: markers spent, gained and lost, going Down, the end of its Activation.

    `spent` are the markers spent on its rolls, as negative counts. A kind of marker stays between none and the most. `run` is the attack
    of the same ACTION that follows: until it is made the Activation goes on.
    """
    markers = dict(spent)
    for kind in ("blood", "blessing"):
        there = fighter.markers.get(kind, 0) + markers.get(kind, 0)
        left = max(0, min(MOST_MARKERS, there + found.summed(f"own_{kind}_markers")))
        markers[kind] = markers.get(kind, 0) + left - there
    ends = bool(found.effect("activation_ends")) and not fighter.acted and not run
    falls = bool(found.effect("attacker_down")) and not fighter.down
    return Effect(
        fighter=fighter.key,
        markers={kind: count for kind, count in markers.items() if count},
        down=True if falls else None,
        acted=True if ends else None,
        facts={RUN: dict(run or {})} if run or fighter.facts.get(RUN) else {},
    )


def _marked_by_a_miss(target: TableFighter, done: Resolved) -> tuple[tuple[str, Resolved], ...]:
    """Return the markers that a miss leaves on its target, as a result of their own."""
    marks = done.summed("blood_markers") if done.outcome == "failure" else 0
    return ((target.key, Resolved("failure", "", effects=({"blood_markers": marks},))),) if marks else ()


def _weapon_words(arm: str, words: str) -> str:
    return (
        " unarmed"
        if arm.startswith("unarmed:")
        else gettext(" with {what}").format(what=words.rpartition(", ")[0] or words)
    )


def _one(
    strike: AttackRequest, target: TableFighter, done: Resolved, *, with_blast: bool
) -> tuple[str, list[tuple[str, Resolved]]]:
    """Return one attack as text, and the injuries of each fighter that it hurt."""
    stray = [step for step in done.steps if step.outcome in STRAYED]
    injuries = [step for step in done.steps if step.outcome in INJURIES]
    hit = next((step for step in done.steps if step.outcome not in (*STRAYED, *INJURIES)), None)
    at_point = with_blast and ticked(strike.data, "at_point")
    # A miss catches nobody but the target that is near enough, even where the shot went at a point.
    missed = hit is not None and hit.outcome == "failure"
    found = _struck(strike, done)
    struck = () if at_point and not missed else (found,)
    hurt = (*struck, *(other for other in (caught_of(strike) if with_blast else ()) if other.key != found.key))
    pairs = list(zip(hurt, injuries, strict=False))
    plain = [other.key for other, _ in pairs] == [target.key]
    first = hit if injuries else done
    parts = (
        *(f"{_said(step)}{fell_words(step)}" for step in stray),
        f"{_said(first)}{fell_words(first)}" if first else _said(done),
        *(f"{'' if plain else f'{other.name}: '}{_said(injury)}{fell_words(injury)}" for other, injury in pairs),
    )
    at = gettext("at a point") if at_point else gettext("at {target}").format(target=target.name)
    return f"{at}: {' '.join(parts)}", [(other.key, injury) for other, injury in pairs]


def _said(step: Resolved) -> str:
    """Return what a roll came to. A result that was told has no total."""
    if step.rolled or step.total is None:
        return step.told
    return step.told.replace(f": {step.total}, ", ": ", 1).replace(f": {step.total} ", ": ", 1)


def _struck(strike: AttackRequest, done: Resolved) -> TableFighter:
    """Return the fighter that an attack finds: its target, or a friend in the melee."""
    friend = friend_of(strike) if at_friend(done) else None
    return friend or strike.target


def _joined(effects: list[Effect]) -> Iterator[Effect]:
    """Yield the effects, merged for a fighter hurt by its own blast.

    What such a fighter spent and what it suffers become one effect.
    """
    found: dict[str, Effect] = {}
    for effect in effects:
        before = found.get(effect.fighter)
        if before is None:
            found[effect.fighter] = effect
            continue
        marks = {
            name: before.markers.get(name, 0) + effect.markers.get(name, 0)
            for name in {*before.markers, *effect.markers}
        }
        found[effect.fighter] = Effect(
            fighter=effect.fighter, markers={name: count for name, count in marks.items() if count},
            down=before.down if effect.down is None and not effect.out else effect.down, out=effect.out, by=effect.by, acted=None if effect.out else before.acted,
            facts={**before.facts, **effect.facts},
        )  # fmt: skip
    yield from found.values()
