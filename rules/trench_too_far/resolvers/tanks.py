"""Tanks: breakdowns, fire and assaults against them, saves, damage, repair.

Source: core rules, "Tanks" with its parts "Movement", "Firing", "Assault", "Morale effects", "End turn".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext
from rules.trench_too_far.charts import NAMES, RELIABLE, TANK_CLASS, TANK_WEAPON
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.assault import force_of
from rules.trench_too_far.resolvers.attack_dice import bases_of, checked_strength, hit_number
from rules.trench_too_far.resolvers.common import (
    FAILS,
    PASSES,
    ask,
    ask_several,
    facts,
    given_or,
    many,
    needed,
    one_die,
    plus,
)
from rules.trench_too_far.resolvers.fire_inputs import HitTarget
from rules.trench_too_far.resolvers.inputs import Base, Platoon, Tank, TankClass, WeaponId
from rules.trench_too_far.resolvers.tank_inputs import (
    ReliabilityTest,
    Repair,
    TankAssault,
    TankDamage,
    TankFire,
    TankSave,
)
from rules.trench_too_far.resolvers.targets import barred_by_recover, vehicle_barred

UNHURT, IMMOBILISED, DAMAGED, DESTROYED = "no-effect", "immobilised", "damaged", "destroyed"
WORST = (UNHURT, IMMOBILISED, DAMAGED, DESTROYED)
FIRST_TEST = 3
# The lower bounds of the second and third result of a damage roll: at least 1, 3 or 5.
CUTS = (3, 5)


def reliability(content: HasReadings, data: ReliabilityTest, roller: Roller) -> Resolved:
    """Whether a tank that moves breaks down. Outcomes: immobilised, passes. No die in the first two turns."""
    if data.turn is not None and data.turn < FIRST_TEST:
        return Resolved(
            PASSES, gettext("No test in the first two turns."), effects=facts(immobilised=False, tested=False)
        )
    target = RELIABLE[data.kind]
    roll = ask(roller, data.roll, gettext("Reliability"), target + data.crossing)
    total = roll - data.crossing
    runs = total >= target
    words = gettext("{total} against {target}+: ").format(total=total, target=target) + (
        gettext("it runs.") if runs else gettext("it breaks down, immobilised.")
    )
    modifiers = (("-1", gettext("Crossing a trench or the like")),) if data.crossing else ()
    return Resolved(
        PASSES if runs else IMMOBILISED, words, (roll,), (roll,), total, modifiers,
        facts(target=target, immobilised=not runs, tested=True),
    )  # fmt: skip


def _entry(weapon: str) -> tuple[str, int]:
    found = TANK_WEAPON.get(weapon)
    if found is None:
        raise Refusal(
            gettext("{get} does nothing to vehicles.").format(get=NAMES.get(weapon, weapon)),
            mend=gettext("Name another weapon."),
            code="input",
        )
    return found.name, found.save_modifier


def _save_modifier(data: TankSave) -> tuple[int, str]:
    if data.assault:
        hard = data.engineers or data.weapon == "anti-tank-rifle"
        return (-1, gettext("Engineers or anti-tank rifles in assault")) if hard else (0, "")
    if data.mod is not None:
        return data.mod, gettext("Weapon")
    if data.weapon is not None:
        name, amount = _entry(data.weapon)
        return amount, name
    return 0, ""


def _saves(content: HasReadings, target: int, modifier: int, roll: int) -> bool:
    if choice(content, "natural-faces") == "settle" and roll in (1, 6):
        return roll == 6
    return roll + modifier >= target


def save_odds(content: HasReadings, target: int, modifier: int) -> Fraction:
    return Fraction(sum(_saves(content, target, modifier, face) for face in range(1, 7)), 6)


def tank_save(content: HasReadings, data: TankSave, roller: Roller) -> Resolved:
    """A hit tank's save. Outcomes: fails, saved; `total` is the die with the weapon's modifier."""
    target = TANK_CLASS[data.class_]
    modifier, why = _save_modifier(data)
    roll = ask(roller, data.roll, gettext("Tank's save"), 2, 6, target - modifier)
    saved = _saves(content, target, modifier, roll)
    total = roll + modifier
    words = (
        gettext("{total} against {target}+: saved.") if saved else gettext("{total} against {target}+: the save fails.")
    ).format(total=total, target=target)
    return Resolved(
        "saved" if saved else FAILS, words, (roll,), (roll,), total, ((f"{modifier:+d}", why),) if modifier else (),
        facts(target=target, saved=saved),
    )  # fmt: skip


def damaged_by(content: HasReadings, tank: Tank, roll: int) -> tuple[Tank, str]:
    """The tank after one damage roll, and what the roll did."""
    if roll >= 5:
        return msgspec.structs.replace(tank, destroyed=True), DESTROYED
    if roll <= 2 and not tank.immobilised:
        return msgspec.structs.replace(tank, immobilised=True), IMMOBILISED
    if not tank.damaged:
        return msgspec.structs.replace(tank, damaged=True), DAMAGED
    if roll <= 2 and choice(content, "tank-cascade") == "stops":
        return tank, DAMAGED
    return msgspec.structs.replace(tank, destroyed=True), DESTROYED


def state_of(tank: Tank) -> str:
    return DESTROYED if tank.destroyed else DAMAGED if tank.damaged else IMMOBILISED if tank.immobilised else UNHURT


def _damage_step(content: HasReadings, tank: Tank, roll: int) -> tuple[Tank, Resolved]:
    """The tank after one damage roll, and the roll as a step."""
    after, outcome = damaged_by(content, tank, roll)
    reason = ""
    if outcome == DESTROYED and roll < 5:
        reason = gettext(", for it was Damaged already")
    elif outcome == DAMAGED and roll <= 2 and tank.immobilised and not tank.damaged:
        reason = gettext(", for it was immobilised already")
    step = Resolved(outcome, f"{roll}: {outcome}{reason}.", (roll,), (roll,), roll, (), facts(result=outcome))
    return after, step


def _rolls_given(data: TankDamage) -> tuple[int, ...] | None:
    """The rolls that the input tells, None if it leaves them to the dice."""
    if data.roll is not None and data.rolls is not None:
        raise Refusal(gettext("Both roll and rolls are given."), mend=gettext("Give one of them."), code="dice")
    return data.rolls if data.roll is None else (data.roll,)


def tank_damage(content: HasReadings, data: TankDamage, roller: Roller) -> Resolved:
    """Damage rolls on one tank. Outcome: what the last of them did (immobilised, damaged, destroyed)."""
    rolls = _rolls_given(data)
    count = data.dice if rolls is None else len(rolls)
    if not count:
        raise Refusal(gettext("No damage roll is given."), mend=gettext("Give at least one."), code="dice")
    before = (data.state,) if isinstance(data.state, str) else data.state
    tank = Tank(immobilised=IMMOBILISED in before, damaged=DAMAGED in before)
    steps: list[Resolved] = []
    while len(steps) < count and not tank.destroyed:
        roll = roller.die(6, gettext("Damage"), CUTS) if rolls is None else rolls[len(steps)]
        tank, step = _damage_step(content, tank, roll)
        steps.append(step)
    if rolls is not None and len(steps) < count:
        raise Refusal(
            gettext("The tank is destroyed before the last roll."), mend=gettext("Leave the rest out."), code="dice"
        )
    outcome = steps[-1].outcome
    rolled = tuple(face for step in steps for face in step.rolled)
    message = " ".join(step.told for step in steps)
    if outcome == DAMAGED:
        message += gettext(" It hits on 6 only.")
    states = {"immobilised": tank.immobilised, "damaged": tank.damaged, "destroyed": tank.destroyed}
    return Resolved(
        outcome,
        gettext("{message} The tank platoon is Shocked.").format(message=message),
        rolled,
        rolled,
        rolled[-1],
        (),
        facts(result=outcome, **states, shocked=True),
        tuple(steps) if len(steps) > 1 else (),
        _document(tank),
    )


def _document(tank: Tank) -> dict[str, object]:
    return {
        "class": tank.class_,
        "state": state_of(tank),
        "immobilised": tank.immobilised,
        "damaged": tank.damaged,
        "destroyed": tank.destroyed,
    }


def tank_repair(content: HasReadings, data: Repair, roller: Roller) -> Resolved:
    """Whether an immobilised vehicle moves again at the end of the turn. Outcomes: immobilised, mobile. No die for one that moves."""
    if data.state is not None and data.immobilised is not None and data.immobilised != (IMMOBILISED in data.state):
        raise Refusal(
            gettext("The vehicle's state is given twice, in two ways."), mend=gettext("Give it once."), code="input"
        )
    if DESTROYED in (data.state or ()):
        raise Refusal(gettext("A destroyed vehicle is not repaired."), mend=gettext("Leave it out."), code="input")
    if data.immobilised is False or (data.state is not None and IMMOBILISED not in data.state):
        return Resolved(
            "mobile", gettext("It is not immobilised."), effects=facts(mobile=True, immobilised=False, tested=False)
        )
    roll = ask(roller, data.roll, gettext("Repair"), 6)
    if roll == 6:
        return one_die(roll, "mobile", gettext("6 against 6: it moves again."), mobile=True, immobilised=False)
    message = gettext("{roll} against 6: it stays immobilised.").format(roll=roll)
    return one_die(roll, IMMOBILISED, message, mobile=False, immobilised=True)


def target_tanks(tanks: Sequence[Tank] | None, class_: TankClass | None) -> tuple[Tank, ...]:
    if tanks is None and class_ is None:
        raise Refusal(gettext("Which tank is hit?"), mend=gettext("Give its class, or tanks."), code="input")
    if tanks is not None and class_ is not None:
        raise Refusal(gettext("Both class and tanks are given."), mend=gettext("Give one of them."), code="input")
    found = tuple(tanks) if tanks is not None else (Tank(class_=class_ or "medium"),)
    if all(tank.destroyed for tank in found):
        raise Refusal(gettext("All these tanks are destroyed already."), code="input")
    return found


class TankShot(NamedTuple):
    """Dice of one weapon at tanks: the number they hit on, and what the weapon does to the save."""

    label: str
    dice: int
    hit: int
    modifier: int


def fire_shots(content: HasReadings, data: TankFire) -> tuple[TankShot, ...]:
    firer = data.platoon
    if data.weapon is not None and firer.weapon is None:
        firer = msgspec.structs.replace(firer, weapon=data.weapon)
    checked_strength(firer)
    if barred_by_recover(content, firer.order):
        raise Refusal(gettext("On Recover no unit fires."), code="order")
    if data.harassing:
        raise Refusal(gettext("Harassing fire is no fire at vehicles."), mend=gettext("Fire normally."), code="input")
    shots = [shot for base in bases_of(firer) if (shot := _base_shot(content, data, firer, base)) is not None]
    if data.attack_dice is not None:
        if len(shots) != 1:
            raise Refusal(
                gettext("attack_dice goes with one weapon in range."), mend=gettext("Leave it out."), code="input"
            )
        shots = [shots[0]._replace(dice=data.attack_dice)]
    return tuple(shot for shot in shots if shot.dice)


def _weapon_of(data: TankFire, firer: Platoon, base: Base) -> WeaponId:
    """The weapon of the bases. Heavy infantry has better rifles than others against vehicles."""
    weapon = data.weapon or base.weapon
    if firer.kind == "heavy-infantry" and weapon in ("rifles", "infantry"):
        return "heavy-infantry"
    return weapon


def _base_shot(content: HasReadings, data: TankFire, firer: Platoon, base: Base) -> TankShot | None:
    """The dice of like bases; None if they do not fire or do not reach. Raises Refusal if they may not fire at vehicles."""
    order = firer.order or "fire"
    weapon = _weapon_of(data, firer, base)
    moved = given_or(base.moved, firer.moved)
    barred = vehicle_barred(content, order, firer.kind, firer.traits, weapon, moved)
    if barred:
        # A mixed platoon or a tank fires only with weapons that can hurt the target.
        if isinstance(firer.bases, tuple) and data.weapon is None and weapon not in TANK_WEAPON:
            return None
        raise Refusal(f"{barred}.", mend=gettext("Name another target or weapon."), code="target")
    entry = TANK_WEAPON[weapon]
    silent = weapon == "hmg" and order == "advance" and moved and "raider" not in firer.traits
    if silent or given_or(base.distance, data.distance) > given_or(base.range, entry.range_inches):
        return None
    troops = entry.id in ("infantry", "heavy-infantry")
    bases = 1 if troops and choice(content, "tank-attacks") == "platoon" else base.count
    hit, _ = hit_number(
        content,
        HitTarget(
            order=order,
            kind=firer.kind,
            traits=firer.traits,
            weapon=weapon,
            moved=moved,
            shocked=firer.shocked,
            failed_motivation=firer.failed_motivation,
            damaged=firer.damaged or base.damaged,
        ),
    )
    dice = given_or(base.attacks, entry.attacks) * bases
    return TankShot(entry.name, dice, hit, given_or(base.save_modifier, entry.save_modifier))


def _attack_steps(shots: tuple[TankShot, ...], roller: Roller) -> tuple[list[Resolved], list[int]]:
    """The attack dice weapon by weapon, and the save modifier of each hit."""
    steps: list[Resolved] = []
    hits: list[int] = []
    for shot in shots:
        faces = ask_several(roller, None, shot.dice, gettext("Attack, {shot}").format(shot=shot.label), shot.hit)
        struck = tuple(face for face in faces if face >= shot.hit)
        count = len(struck)
        hits += [shot.modifier] * count
        message = f"{shot.label}: {many(count, 'hit')}."
        steps.append(Resolved(str(count), message, faces, struck, count, (), facts(hits=count)))
    return steps, hits


def _save_steps(
    content: HasReadings, hits: list[int], tanks: tuple[Tank, ...], roller: Roller
) -> tuple[list[Resolved], Counter[int]]:
    """The saves of hits that go round the tanks that stand, and how many of them each tank fails, by its index."""
    standing = [index for index, tank in enumerate(tanks) if not tank.destroyed]
    shares = Counter((standing[number % len(standing)], modifier) for number, modifier in enumerate(hits))
    steps: list[Resolved] = []
    failed: Counter[int] = Counter()
    for (index, modifier), count in sorted(shares.items()):
        target = TANK_CLASS[tanks[index].class_]
        what = gettext("Tank's save") if len(standing) == 1 else gettext("Save of tank {place}").format(place=index + 1)
        why = needed(
            gettext("{what} with {modifier:+d}").format(what=what, modifier=modifier) if modifier else what,
            (target - modifier,),
        )
        faces = ask_several(roller, None, count, why, 2, target - modifier, 6)
        good = tuple(face for face in faces if _saves(content, target, modifier, face))
        saved = len(good)
        failed[index] += count - saved
        message = gettext("{saved} of {count} saved on {plus} with {modifier:+d}.").format(
            saved=saved, count=count, plus=plus(target), modifier=modifier
        )
        steps.append(Resolved(str(saved), message, faces, good, saved, (), facts(saved=saved)))
    return steps, failed


def _damage_rolls(content: HasReadings, count: int, roller: Roller) -> tuple[int, ...]:
    if choice(content, "tank-cascade") == "cascades":
        return ask_several(roller, None, count, gettext("Damage"), *CUTS)
    return tuple(roller.die(6, gettext("Damage"), CUTS) for _ in range(count))  # the order of the dice matters here


def _hurt(content: HasReadings, shots: tuple[TankShot, ...], tanks: tuple[Tank, ...], roller: Roller) -> Resolved:
    """Attack dice, then a save for each hit, then a damage roll for each failed save; hits go round the tanks that stand."""
    steps, hits = _attack_steps(shots, roller)
    saves, failed = _save_steps(content, hits, tanks, roller)
    steps += saves
    after = list(tanks)
    results: list[str] = []
    for index, count in sorted(failed.items()):
        if not count:
            continue
        faces = _damage_rolls(content, count, roller)
        for roll in faces:
            if not after[index].destroyed:
                after[index], result = damaged_by(content, after[index], roll)
                results.append(result)
        state = state_of(after[index])
        steps.append(
            Resolved(state, gettext("Damage: {state}.").format(state=state), faces, faces, None, (), facts(state=state))
        )
    outcome = max(results, key=WORST.index, default=UNHURT)
    saved = len(hits) - failed.total()
    message = gettext("{many}, {saved} saved: {replace}.").format(
        many=many(len(hits), "hit"), saved=saved, replace=outcome.replace("-", " ")
    )
    if results:
        message += gettext(" The tank platoon is Shocked.")
    rolled = tuple(face for step in steps for face in step.rolled)
    return Resolved(
        outcome,
        message,
        rolled,
        rolled,
        len(hits),
        tuple((gettext("{modifier:+d} to the save").format(modifier=shot.modifier), shot.label) for shot in shots),
        facts(
            dice=sum(shot.dice for shot in shots),
            hits=len(hits),
            saved=saved,
            damage_rolls=len(hits) - saved,
            tanks_destroyed=sum(tank.destroyed for tank in after) - sum(tank.destroyed for tank in tanks),
            shocked=bool(results),
            states=[state_of(tank) for tank in after],
        ),
        tuple(steps),
        {"tanks": [_document(tank) for tank in after]},
    )


def tank_fire(content: HasReadings, data: TankFire, roller: Roller) -> Resolved:
    """Fire at tanks. Outcomes: no-effect, immobilised, damaged, destroyed: the worst that befell one. Dice: attacks, saves, damage."""
    tanks = target_tanks(data.tanks, data.class_)
    shots = fire_shots(content, data)
    if not shots:
        return Resolved(
            UNHURT,
            gettext("Nothing in range."),
            total=0,
            effects=facts(dice=0, hits=0, saved=0, damage_rolls=0, shocked=False),
        )
    return _hurt(content, shots, tanks, roller)


def assault_shots(content: HasReadings, data: TankAssault) -> tuple[TankShot, ...]:
    attacker = data.attacker
    if attacker.kind == "tank":
        raise Refusal(gettext("Tanks do not fight tanks hand to hand."), mend=gettext("Use tank-fire."), code="input")
    force = force_of(content, attacker)
    hard = attacker.kind in ("engineers", "anti-tank-rifle") or data.anti_tank_rifles
    return (TankShot(gettext("Assault"), force.dice(force.bases), force.hit, -1 if hard else 0),)


def tank_assault(content: HasReadings, data: TankAssault, roller: Roller) -> Resolved:
    """One roll of assaulting troops against tanks. Outcomes and dice as of tank-fire; Militia fight like any infantry."""
    return _hurt(content, assault_shots(content, data), target_tanks(data.tanks, data.class_), roller)
