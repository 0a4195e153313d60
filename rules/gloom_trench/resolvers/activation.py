"""The rules of an activation: coherency, Stress, its tests, and which units may be activated.

Source: core rules, Squad Leader (coherency); Activating Units; Stress; Stress Test; Make Morale Checks; Actions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import (
    ACTIVATION_ORDER,
    AGAIN,
    DISTANCE_DICE,
    LEADER,
    MORALE_STRESS,
    PASSED_REMOVES,
    WHEN_TESTED,
    chosen,
)
from rules.gloom_trench.resolvers.dice import (
    SIDES,
    Command,
    Count,
    Die,
    Distance,
    Mods,
    Name,
    Spent,
    Stress,
    TargetThrow,
    enemy_point,
    mods,
    numbers,
    own_point,
    thrown,
)
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.units import Unit, command_of, stress_of
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.odds import Odds, binomial, odds_of, successes
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

Action = Literal["none", "advance", "take-that-ground", "charge", "open-up", "dig-in", "rally", "do-nothing"]
NEAREST_MOST = 2
LEADER_MOST = 6
HORROR_WITHIN = 4
FRIENDS_WITHIN = 6
MOVE = 5


class Gap(RuleInput, frozen=True, kw_only=True):
    """One model's distances: MU to the nearest other model of its unit, and to the leader."""

    nearest: Distance | None = None
    leader: Distance | None = None


class Coherent(RuleInput, frozen=True, kw_only=True):
    """A unit's models, each with its distances: [{"nearest": 1.5, "leader": 4}], or plain numbers for the nearest
    model only.
    """

    gaps: Annotated[tuple[Distance | Gap, ...], Meta(max_length=200)] = ()
    unit: Unit | Count | None = None


def coherent(content: CustomContent, data: Coherent, roller: Roller) -> Resolved:
    """Whether every model is within 2 MU of another and within 6 of the leader; `total`: how many are not."""
    size = data.unit.size if isinstance(data.unit, Unit) and data.unit.models is not None else data.unit
    alone = size == 1 or (not isinstance(size, int) and len(data.gaps) < 2)
    led = not (chosen(content, LEADER) == "squads-only" and isinstance(data.unit, Unit) and not data.unit.has("Squad"))
    gaps = [gap if isinstance(gap, Gap) else Gap(nearest=gap) for gap in data.gaps]
    out = [number for number, gap in enumerate(gaps, 1) if not alone and _is_apart(gap, led)]
    words = (
        gettext("Every model is in coherency.")
        if not out
        else gettext("{quantity} out of coherency.").format(quantity=quantity(len(out), "model"))
    )
    return Resolved(
        "no" if out else "yes", words, total=len(out), effects=effects(coherent=not out, out=out or None)
    )  # fmt: skip


def _is_apart(gap: Gap, led: bool) -> bool:
    """Whether a model is too far from the next one, or from the leader if it has to keep to one."""
    apart = gap.nearest is not None and gap.nearest > NEAREST_MOST
    return apart or (led and gap.leader is not None and gap.leader > LEADER_MOST)


class Test(Rolling, frozen=True, kw_only=True):
    """The fields shared by all rolls for Stress.

    `tp`: own Tactical Points (d+1), `opponent_tp`: those of the enemy (-1).
    """

    command: Command | None = None
    stress: Stress | None = None
    unit: Unit | None = None
    tp: Spent = False
    opponent_tp: Spent = False
    dice_mods: Mods = 0
    roll_mods: Mods = 0


def _test(content: CustomContent, data: Test, die: Die, command: int, flat: int, stress: int) -> TargetThrow:
    dice = (*mods(data.dice_mods), *own_point(content, data.tp))
    stressed = ((-flat, gettext("Stress")),) if flat else ()
    commanded = ((command, gettext("Command")),) if command else ()
    roll = (*commanded, *stressed, *mods(data.roll_mods), *enemy_point(content, data.opponent_tp, stress))
    return thrown(content, die, dice, roll)


class StressTest(Test, frozen=True, kw_only=True):
    """A Stress Test. A Rally needs none. `die`: the die before a point makes it bigger."""

    also_called = {"roll": "rolls"}

    die: Die = "D8"
    ordered: Action = msgspec.field(name="action", default="none")


def is_tested(content: CustomContent, command: int, stress: int, ordered: Action) -> bool:
    return ordered != "rally" and stress > (0 if chosen(content, WHEN_TESTED) == "any-stress" else command)


def stress_throw(content: CustomContent, data: StressTest) -> TargetThrow:
    """The die of a Stress Test, with everything that is added to it."""
    command, stress = command_of(content, data.command, data.unit), stress_of(data.stress, data.unit)
    return _test(content, data, data.die, command, stress, stress)


def stress_test(content: CustomContent, data: StressTest, roller: Roller) -> Resolved:
    """A natural 1 fails; else the roll with Command added and Stress taken off. A pass takes a token off the unit."""
    command, stress = command_of(content, data.command, data.unit), stress_of(data.stress, data.unit)
    if not is_tested(content, command, stress, data.ordered):
        return Resolved(
            "no-test", gettext("No Stress Test: it acts."),
            effects=effects(stress=stress, removed=0, acts=True, test_needed=False),
        )  # fmt: skip
    throw = stress_throw(content, data)
    faces = roller.several(1, throw.sides, throw.why(gettext("Stress Test")), (throw.need,))
    passed = throw.succeeds(faces[0])
    removed = 1 if passed and chosen(content, PASSED_REMOVES) == "one" else 0
    words = "passed" if passed else gettext("failed: the activation is over")
    return Resolved(
        "passes" if passed else "fails", gettext("Stress Test {words}; Stress {amount}.").format(words=words, amount=stress - removed), faces, throw.kept(faces),
        faces[0] + throw.modifier, throw.modifiers,
        effects(stress=stress - removed, removed=removed, acts=passed, test_needed=True, die=throw.die,
                possible=throw.odds > 0),
    )  # fmt: skip


class RallyCheck(Test, frozen=True, kw_only=True):
    """A Rally: Command, and the Stress tokens to roll for."""


def rally(content: CustomContent, data: RallyCheck, roller: Roller) -> Resolved:
    """A D6 for each token, Command added; a token off for each success."""
    command, stress = command_of(content, data.command, data.unit), stress_of(data.stress, data.unit)
    throw = _test(content, data, "D6", command, 0, stress)
    faces = roller.several(stress, throw.sides, throw.why(gettext("Rally")), (throw.need,))
    kept = throw.kept(faces)
    return Resolved(
        str(len(kept)), gettext("{quantity} off: Stress {amount}.").format(quantity=quantity(len(kept), 'token'), amount=stress - len(kept)), faces, kept, len(kept),
        throw.modifiers, effects(removed=len(kept), stress=stress - len(kept), successes=len(kept)),
    )  # fmt: skip


class MoraleCheck(Test, frozen=True, kw_only=True):
    """A morale check in the Tactical Phase. `models`: how many the unit has, if known."""

    models: Count | None = None


def _morale(content: CustomContent, data: MoraleCheck, roller: Roller) -> tuple[Resolved, int, int]:
    command, stress = command_of(content, data.command, data.unit), stress_of(data.stress, data.unit)
    models = data.models
    if models is None and data.unit is not None and data.unit.models is not None:
        models = data.unit.size
    throw = _test(content, data, "D8", command, 0, stress)
    faces = roller.several(stress, throw.sides, throw.why(gettext("Morale")), throw.cuts)
    kept = throw.kept(faces)
    ones = faces.count(1)
    lost = ones if models is None else min(ones, models)
    removed = len(kept) + ones
    destroyed = models is not None and lost == models and lost > 0
    outcome = "no-check" if not stress else "destroyed" if destroyed else "loses-models" if lost else "holds"
    words = (
        gettext("No Stress, no morale check.")
        if not stress
        else gettext("{quantity} off: Stress {amount}. {quantity_2} lost.").format(
            quantity=quantity(removed, "token"), amount=stress - removed, quantity_2=quantity(lost, "model")
        )
    )
    return Resolved(
        outcome, words, faces, kept, removed, throw.modifiers,
        effects(
            removed=removed, successes=len(kept), natural_ones=ones, stress=stress - removed, models_lost=lost,
            models=None if models is None else models - lost, models_left=None if models is None else models - lost,
            destroyed=destroyed, friends_stress=1 if destroyed else None,
            friends_within=FRIENDS_WITHIN if destroyed else None,
        ),
    ), stress - removed, lost  # fmt: skip


def morale_check(content: CustomContent, data: MoraleCheck, roller: Roller) -> Resolved:
    """A D8 for each token, Command added. A success takes a token off; a natural 1 costs a model and takes one off too."""
    return _morale(content, data, roller)[0]


def morale_losses(content: CustomContent, data: MoraleCheck, roller: Roller) -> Resolved:
    """A morale roll whose outcome is the models it costs."""
    done, _, lost = _morale(content, data, roller)
    return _as(done, str(lost))


def morale_stress(content: CustomContent, data: MoraleCheck, roller: Roller) -> Resolved:
    """A morale roll whose outcome is the Stress that is left."""
    done, stress, _ = _morale(content, data, roller)
    return _as(done, str(stress))


def _as(done: Resolved, outcome: str) -> Resolved:
    return dataclasses.replace(done, outcome=outcome)


class Mustered(RuleInput, frozen=True, kw_only=True):
    """A unit in the morale step. `near`: names of friendly units within 6 MU of it."""

    name: Name
    command: Command
    stress: Stress
    models: Count
    near: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()


class MoraleStep(Rolling, frozen=True, kw_only=True):
    """All morale checks of a turn, unit by unit in the given order."""

    units: Annotated[tuple[Mustered, ...], Meta(min_length=1, max_length=40)]


def morale_step(content: CustomContent, data: MoraleStep, roller: Roller) -> Resolved:
    """Every unit's check, and the Stress that units destroyed in it bring their friends."""
    stress = {unit.name: unit.stress for unit in data.units}
    if len(stress) < len(data.units):
        raise Refusal(gettext("Two units bear the same name."), mend=gettext("Name them apart."), code="input")
    left = {unit.name: unit.models for unit in data.units}
    later = dict.fromkeys(stress, 0)
    at_once = chosen(content, MORALE_STRESS) == "at-once"
    steps: list[Resolved] = []
    for unit in data.units:
        tokens = stress[unit.name]
        done, tokens_left, lost = _morale(
            content, MoraleCheck(command=unit.command, stress=tokens, models=unit.models), roller
        )
        steps.append(done)
        stress[unit.name], left[unit.name] = tokens_left, unit.models - lost
        if unit.models and not left[unit.name]:
            shaken = stress if at_once else later
            for friend in unit.near:
                if left.get(friend):
                    shaken[friend] += 1
    final = {name: tokens + later[name] for name, tokens in stress.items()}
    gone = _wiped_out(data.units, left)
    return Resolved(
        str(len(gone)), gettext("{quantity} lost to morale.").format(quantity=quantity(len(gone), 'unit')), tuple(f for s in steps for f in s.rolled), (),
        len(gone), (), effects(stress=final, models=left, destroyed=gone), tuple(steps),
    )  # fmt: skip


def morale_step_odds(content: CustomContent, data: MoraleStep) -> Odds:
    """How many units are lost: each apart, unless Stress of this step is rolled for at once."""
    if chosen(content, MORALE_STRESS) == "at-once":
        return odds_of(lambda roller: morale_step(content, data, roller))
    each = Fraction(1, SIDES["D8"])
    gone = (sum(binomial(unit.stress, each)[unit.models :], Fraction(0)) for unit in data.units if unit.models)
    return numbers(successes(*((1, chance) for chance in gone)))


class StartActivation(Test, frozen=True, kw_only=True):
    """The activation of a unit.

    `near_horror`: an incursion marker or Horrific Terrain is within 4 MU, or its distance in MU.
    """

    near_horror: bool | Distance = False
    coherent: bool = True
    die: Die = "D8"
    ordered: Action = msgspec.field(name="action", default="none")


def test_at_start(content: CustomContent, data: StartActivation) -> StressTest:
    """The Stress Test of an activation, with the tokens that it brings if they count for it."""
    command = command_of(content, data.command, data.unit)
    stress = _stress_before(data)
    if chosen(content, ACTIVATION_ORDER) == "tokens-first":
        stress += _tokens(data)
    return StressTest(
        command=command, stress=stress, tp=data.tp, opponent_tp=data.opponent_tp,
        dice_mods=data.dice_mods, roll_mods=data.roll_mods, die=data.die, ordered=_forced(data) or data.ordered,
    )  # fmt: skip


def _stress_before(data: StartActivation) -> int:
    stress = data.stress if data.stress is not None else (data.unit.stress or 0) if data.unit is not None else None
    return stress_of(stress, data.unit)


def _near_horror(data: StartActivation) -> bool:
    return data.near_horror if isinstance(data.near_horror, bool) else data.near_horror <= HORROR_WITHIN


def _tokens(data: StartActivation) -> int:
    return (not data.coherent) + _near_horror(data)


def _forced(data: StartActivation) -> Action | None:
    return None if data.coherent else "advance"


def start_activation(content: CustomContent, data: StartActivation, roller: Roller) -> Resolved:
    """Tokens for lost coherency and for horror, the action declared or forced, then the Stress Test."""
    horror, tokens, forced = _near_horror(data), _tokens(data), _forced(data)
    ordered = forced or data.ordered
    first = chosen(content, ACTIVATION_ORDER) == "tokens-first"
    test = test_at_start(content, data)
    done = stress_test(content, test, roller)
    left = int(done.effect("stress")) + (0 if first else tokens)
    told = tuple(
        (gettext("+1 Stress"), why)
        for why, holds in (
            (gettext("out of coherency"), not data.coherent),
            (gettext("incursion marker or Horrific Terrain"), horror),
        )
        if holds
    )
    if done.outcome == "fails":
        words = gettext("The test fails, the activation is over; Stress {left}.").format(left=left)
    else:
        words = gettext("It acts{words}; Stress {left}.").format(
            words=gettext(" and must Advance to close up") if forced else "", left=left
        )
    return Resolved(
        done.outcome, words, done.rolled, done.kept, done.total, (*told, *done.modifiers),
        effects(
            tokens=int(tokens), forced_action=forced, action=None if ordered == "none" else ordered,
            test_needed=done.outcome != "no-test", stress=left, removed=done.effect("removed"),
            acts=done.outcome != "fails", dug_in=False, activated=True,
        ),
        (done,) if done.outcome != "no-test" else (),
    )  # fmt: skip


class MayActivate(RuleInput, frozen=True, kw_only=True):
    """A unit and the units of its force: those on the table, each with whether it was activated this turn."""

    unit: Unit | None = None
    activated: bool | None = None
    others: Annotated[tuple[Unit | bool, ...], Meta(max_length=100)] = msgspec.field(name="army", default=())


def _wiped_out(units: Iterable[Mustered], left: Mapping[str, int]) -> list[str]:
    return [unit.name for unit in units if unit.models and not left[unit.name]]


def may_activate(content: CustomContent, data: MayActivate, roller: Roller) -> Resolved:
    """Not activated yet, or all the others have been."""
    unit = data.unit or Unit()
    if data.unit is not None and not unit.on_table:
        return Resolved("no", gettext("It is no longer on the table."), effects=effects(allowed=False))
    itself = _namesakes(unit, data.others)
    done = any(each.was_activated for each in (unit, *itself)) if data.activated is None else data.activated
    waiting = [each for each in data.others if _is_waiting(each) and each not in itself]
    again = not waiting and chosen(content, AGAIN) == "all-others"
    if not done:
        message = gettext("It has not been activated this turn.")
    elif again:
        message = gettext("All the others have been activated: it may go again.")
    else:
        message = _activated_words(len(waiting))
    allowed = not done or again
    return Resolved("yes" if allowed else "no", message, effects=effects(allowed=allowed, waiting=len(waiting)))


def _namesakes(unit: Unit, others: Iterable[Unit | bool]) -> list[Unit]:
    """The unit itself, if it is listed among the others too."""
    return [each for each in others if isinstance(each, Unit) and unit.name and each.name == unit.name]


def _activated_words(waiting: int) -> str:
    if not waiting:
        what = gettext("no unit goes twice here.")
    else:
        what = gettext("{count} not.").format(count=quantity(waiting, gettext("other has"), gettext("others have")))
    return gettext("It has been activated this turn, and {what}").format(what=what)


def _is_waiting(other: Unit | bool) -> bool:
    """Whether a unit has yet to be activated; True and False say whether it has been."""
    return not other if isinstance(other, bool) else other.on_table and not other.was_activated


class Reactivation(RuleInput, frozen=True, kw_only=True):
    """A player draws a chit.

    `units`: that player's units on the table, as a number or a list; `activated`: how many of them were activated
    this turn.
    """

    units: Count | Annotated[tuple[Unit | bool, ...], Meta(max_length=100)]
    activated: Count | bool | None = None


def _activated_count(data: Reactivation) -> tuple[int, int]:
    """How many units are on the table, and how many of them were activated."""
    if isinstance(data.units, int):
        return data.units, data.units if data.activated is True else int(data.activated or 0)
    there = [each for each in data.units if isinstance(each, bool) or each.on_table]
    return len(there), sum(each if isinstance(each, bool) else each.was_activated for each in there)


def reactivation(content: CustomContent, data: Reactivation, roller: Roller) -> Resolved:
    """Whether a unit may go again, and how many the player may choose from."""
    count, done = _activated_count(data)
    if done > count:
        raise Refusal(
            gettext("Of {count} units, {done} cannot have been activated.").format(count=count, done=done),
            mend=gettext("Count those on the table."),
            code="input",
        )
    again = bool(count) and done == count and chosen(content, AGAIN) == "all-others"
    eligible = count if again else count - done
    words = (
        gettext("All have been activated: any of them may go again.")
        if again
        else gettext("{quantity} to choose from.").format(quantity=quantity(eligible, "unit"))
        if eligible
        else gettext("No unit can act: put the chit aside.")
    )
    return Resolved(
        "yes" if again else "no", words, total=eligible, effects=effects(allowed=again, eligible=eligible)
    )  # fmt: skip


class Distanced(Rolling, frozen=True, kw_only=True):
    """A move with a die. `tp` (or d+1 in `dice_mods`): a Tactical Point for a D8; `move`: MU without the die."""

    also_called = {"d": "rolls"}

    die: Die = "D6"
    tp: Spent = False
    dice_mods: Mods = 0
    move: Distance = MOVE


def far(content: CustomContent, data: Distanced, roller: Roller) -> tuple[int, Fraction, Die]:
    """The face, the whole distance, and the die that was rolled. Nothing fails by a natural 1 unless the table reads it so."""
    throw = thrown(content, data.die, (*own_point(content, data.tp), *mods(data.dice_mods)), ())
    face = roller.several(1, SIDES[throw.die], "Distance")[0]
    one = chosen(content, DISTANCE_DICE) == "rule-of-one" and face == 1
    return face, Fraction(str(data.move)) + (0 if one else max(0, face + throw.modifier)), throw.die


def take_that_ground(content: CustomContent, data: Distanced, roller: Roller) -> Resolved:
    """How far the unit may move."""
    face, reach, die = far(content, data, roller)
    return Resolved(
        f"{float(reach):g}", gettext("It moves up to {reach:g} MU.").format(reach=float(reach)), (face,), (face,), int(reach), (),
        effects(reach=float(reach), die=die),
    )  # fmt: skip
