"""Tanks: breaking down, being fired at and assaulted, saves, damage, repair.

Source: core rules, "Tanks" with its parts "Movement", "Firing", "Assault", "Morale effects", "End turn".
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.trench_too_far.charts import NAMES, RELIABLE, TANK_CLASS, TANK_WEAPON
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.assault import force_of
from rules.trench_too_far.resolvers.common import (
    FAILS,
    PASSES,
    TroopOdds,
    ask,
    ask_several,
    binomial,
    chance_of,
    facts,
    in_order,
    many,
    needed,
    plus,
)
from rules.trench_too_far.resolvers.fire import MOST_DICE, bases_of, checked_strength, hit_number, vehicle_barred
from rules.trench_too_far.resolvers.inputs import (  # fmt: skip
    HitTarget,
    ReliabilityTest,
    Repair,
    Tank,
    TankAssault,
    TankClass,
    TankDamage,
    TankFire,
    TankSave,
)

UNHURT, IMMOBILISED, DAMAGED, DESTROYED = "no-effect", "immobilised", "damaged", "destroyed"
WORST = (UNHURT, IMMOBILISED, DAMAGED, DESTROYED)
FIRST_TEST = 3
# What each damage roll is: at least 1, 3 or 5.
CUTS = (3, 5)


def reliability(content: HasReadings, data: ReliabilityTest, roller: Roller) -> Resolved:
    """Whether a tank that moves breaks down. Outcomes: immobilised, passes. No die in the first two turns."""
    if data.turn is not None and data.turn < FIRST_TEST:
        return Resolved(PASSES, "No test in the first two turns.", effects=facts(immobilised=False, tested=False))
    target = RELIABLE[data.kind]
    roll = ask(roller, data.roll, "Reliability", target + data.crossing)
    total = roll - data.crossing
    runs = total >= target
    words = f"{total} against {target}+: " + ("it runs." if runs else "it breaks down, immobilised.")
    modifiers = (("-1", "Crossing a trench or the like"),) if data.crossing else ()
    return Resolved(
        PASSES if runs else IMMOBILISED, words, (roll,), (roll,), total, modifiers,
        facts(target=target, immobilised=not runs, tested=True),
    )  # fmt: skip


def _entry(weapon: str) -> tuple[str, int]:
    found = TANK_WEAPON.get(weapon)
    if found is None:
        raise Refusal(
            f"{NAMES.get(weapon, weapon)} does nothing to vehicles.", mend="Name another weapon.", code="input"
        )
    return found.name, found.save_modifier


def _save_modifier(data: TankSave) -> tuple[int, str]:
    if data.assault:
        hard = data.engineers or data.weapon == "anti-tank-rifle"
        return (-1, "Engineers or anti-tank rifles in assault") if hard else (0, "")
    if data.mod is not None:
        return data.mod, "Weapon"
    if data.weapon is not None:
        name, amount = _entry(data.weapon)
        return amount, name
    return 0, ""


def _saves(content: HasReadings, target: int, modifier: int, roll: int) -> bool:
    if choice(content, "natural-faces") == "settle" and roll in (1, 6):
        return roll == 6
    return roll + modifier >= target


def _save_odds(content: HasReadings, target: int, modifier: int) -> Fraction:
    return Fraction(sum(_saves(content, target, modifier, face) for face in range(1, 7)), 6)


def tank_save(content: HasReadings, data: TankSave, roller: Roller) -> Resolved:
    """A hit tank's save. Outcomes: fails, saved; `total` is the die with the weapon's modifier."""
    target = TANK_CLASS[data.class_]
    modifier, why = _save_modifier(data)
    roll = ask(roller, data.roll, "Tank's save", 2, 6, target - modifier)
    saved = _saves(content, target, modifier, roll)
    total = roll + modifier
    words = f"{total} against {target}+: {'saved' if saved else 'the save fails'}."
    return Resolved(
        "saved" if saved else FAILS, words, (roll,), (roll,), total, ((f"{modifier:+d}", why),) if modifier else (),
        facts(target=target, saved=saved),
    )  # fmt: skip


def damaged_by(content: HasReadings, tank: Tank, roll: int) -> tuple[Tank, str]:
    """The tank after one damage roll, and what the roll did."""
    if roll >= 5:
        return _changed(tank, destroyed=True), DESTROYED
    if roll <= 2 and not tank.immobilised:
        return _changed(tank, immobilised=True), IMMOBILISED
    if not tank.damaged:
        return _changed(tank, damaged=True), DAMAGED
    if roll <= 2 and choice(content, "tank-cascade") == "stops":
        return tank, DAMAGED
    return _changed(tank, destroyed=True), DESTROYED


def _changed(tank: Tank, *, immobilised: bool = False, damaged: bool = False, destroyed: bool = False) -> Tank:
    return Tank(
        class_=tank.class_, immobilised=tank.immobilised or immobilised, damaged=tank.damaged or damaged,
        destroyed=tank.destroyed or destroyed,
    )  # fmt: skip


def state_of(tank: Tank) -> str:
    """Its worst state."""
    return DESTROYED if tank.destroyed else DAMAGED if tank.damaged else IMMOBILISED if tank.immobilised else UNHURT


def tank_damage(content: HasReadings, data: TankDamage, roller: Roller) -> Resolved:
    """Damage rolls on one tank. Outcome: what the last of them did (immobilised, damaged, destroyed)."""
    told = data.rolls if data.rolls is not None else (data.roll,) if data.roll is not None else None
    if data.roll is not None and data.rolls is not None:
        raise Refusal("Both roll and rolls are told.", mend="Tell one of them.", code="dice")
    count = len(told) if told is not None else data.dice
    if not count:
        raise Refusal("No damage roll is told.", mend="Tell at least one.", code="dice")
    tank = Tank(immobilised=IMMOBILISED in data.state, damaged=DAMAGED in data.state)
    steps: list[Resolved] = []
    outcome = UNHURT
    for place in range(count):
        roll = told[place] if told is not None else roller.die(6, "Damage", CUTS)
        again = tank.immobilised and roll <= 2
        before = tank
        tank, outcome = damaged_by(content, tank, roll)
        words = f"{roll}: {outcome}" + (
            ", for it was Damaged already" if outcome == DESTROYED and roll < 5
            else ", for it was immobilised already" if again and outcome == DAMAGED and not before.damaged else ""
        )  # fmt: skip
        steps.append(Resolved(outcome, f"{words}.", (roll,), (roll,), roll, (), facts(result=outcome)))
        if tank.destroyed:
            if place + 1 < count and told is not None:
                raise Refusal("The tank is destroyed before the last roll.", mend="Leave the rest out.", code="dice")
            break
    rolled = tuple(face for step in steps for face in step.rolled)
    words = " ".join(step.told for step in steps)
    if outcome == DAMAGED:
        words += " It hits on 6 only."
    return Resolved(
        outcome, f"{words} The tank platoon is Shocked.", rolled, rolled, rolled[-1], (),
        facts(result=outcome, immobilised=tank.immobilised, damaged=tank.damaged, destroyed=tank.destroyed, shocked=True),
        tuple(steps) if len(steps) > 1 else (), _document(tank),
    )  # fmt: skip


def _document(tank: Tank) -> dict[str, object]:
    return {
        "class": tank.class_, "state": state_of(tank), "immobilised": tank.immobilised, "damaged": tank.damaged, "destroyed": tank.destroyed,
    }  # fmt: skip


def tank_repair(content: HasReadings, data: Repair, roller: Roller) -> Resolved:
    """Whether an immobilised vehicle moves again at the end of the turn. Outcomes: immobilised, mobile. No die for one that moves."""
    if data.state is not None and data.immobilised is not None and data.immobilised != (IMMOBILISED in data.state):
        raise Refusal("The vehicle's state is told twice, in two ways.", mend="Tell it once.", code="input")
    if DESTROYED in (data.state or ()):
        raise Refusal("A destroyed vehicle is not repaired.", mend="Leave it out.", code="input")
    if data.immobilised is False or (data.state is not None and IMMOBILISED not in data.state):
        return Resolved("mobile", "It is not immobilised.", effects=facts(mobile=True, immobilised=False, tested=False))
    roll = ask(roller, data.roll, "Repair", 6)
    runs = roll == 6
    words = f"{roll} against 6: " + ("it moves again." if runs else "it stays immobilised.")
    return Resolved(
        "mobile" if runs else IMMOBILISED, words, (roll,), (roll,), roll, (), facts(mobile=runs, immobilised=not runs)
    )


def _tanks(tanks: Sequence[Tank] | None, class_: TankClass | None) -> tuple[Tank, ...]:
    if tanks is None and class_ is None:
        raise Refusal("Which tank is hit?", mend="Tell its class, or tanks.", code="input")
    if tanks is not None and class_ is not None:
        raise Refusal("Both class and tanks are told.", mend="Tell one of them.", code="input")
    found = tuple(tanks) if tanks is not None else (Tank(class_=class_ or "medium"),)
    if all(tank.destroyed for tank in found):
        raise Refusal("All these tanks are destroyed already.", code="input")
    return found


# Dice against tanks: (words, dice, hit number, save modifier).
_Shots = tuple[tuple[str, int, int, int], ...]


def _fire_shots(content: HasReadings, data: TankFire) -> _Shots:
    firer = data.platoon
    if data.weapon is not None and firer.weapon is None:
        firer = msgspec.structs.replace(firer, weapon=data.weapon)
    checked_strength(firer)
    order = firer.order or "fire"
    if order == "recover" and choice(content, "recover-fire") == "none":
        raise Refusal("On Recover nobody fires.", code="order")
    if data.harassing:
        raise Refusal("Harassing fire is no fire at vehicles.", mend="Fire normally.", code="input")
    found: list[tuple[str, int, int, int]] = []
    for base in bases_of(firer):
        weapon = data.weapon or base.weapon
        if firer.kind == "heavy-infantry" and weapon in ("rifles", "infantry"):
            weapon = "heavy-infantry"
        moved = base.moved if base.moved is not None else firer.moved
        why = vehicle_barred(content, order, firer.kind, firer.traits, weapon, moved)
        if why:
            if isinstance(firer.bases, tuple) and data.weapon is None and weapon not in TANK_WEAPON:
                continue  # a mixed platoon or a tank fires with what can hurt
            raise Refusal(f"{why}.", mend="Name another target or weapon.", code="target")
        entry = TANK_WEAPON[weapon]
        if weapon == "hmg" and order == "advance" and moved and "raider" not in firer.traits:
            continue
        at = base.distance if base.distance is not None else data.distance
        reach = base.range if base.range is not None else entry.range_inches
        if at > reach:
            continue
        each = base.attacks if base.attacks is not None else entry.attacks
        troops = entry.id in ("infantry", "heavy-infantry")
        number = 1 if troops and choice(content, "tank-attacks") == "platoon" else base.count
        hit, _ = hit_number(
            content,
            HitTarget(
                order=order, kind=firer.kind, traits=firer.traits, weapon=weapon, moved=moved, shocked=firer.shocked,
                failed_motivation=firer.failed_motivation, damaged=firer.damaged or base.damaged,
            ),
        )  # fmt: skip
        change = base.save_modifier if base.save_modifier is not None else entry.save_modifier
        found.append((entry.name, each * number, hit, change))
    if data.attack_dice is not None:
        if len(found) != 1:
            raise Refusal("attack_dice goes with one weapon in range.", mend="Leave it out.", code="input")
        found = [(found[0][0], data.attack_dice, *found[0][2:])]
    return tuple(shot for shot in found if shot[1])


def _hurt(
    content: HasReadings, shots: _Shots, tanks: tuple[Tank, ...], roller: Roller, shocks: bool = True
) -> Resolved:
    """Attack dice, then a save for each hit, then a damage roll for each failed save; hits go round the tanks that stand."""
    standing = [place for place, tank in enumerate(tanks) if not tank.destroyed]
    hits: list[int] = []  # the save modifier of each hit
    rolled: tuple[int, ...] = ()
    steps: list[Resolved] = []
    for words, dice, hit, modifier in shots:
        faces = ask_several(roller, None, dice, f"Attack, {words}", hit)
        struck = tuple(face for face in faces if face >= hit)
        hits += [modifier] * len(struck)
        rolled += faces
        steps.append(
            Resolved(
                str(len(struck)),
                f"{words}: {many(len(struck), 'hit')}.",
                faces,
                struck,
                len(struck),
                (),
                facts(hits=len(struck)),
            )
        )
    shares: dict[tuple[int, int], int] = {}
    for place, modifier in enumerate(hits):
        key = (standing[place % len(standing)], modifier)
        shares[key] = shares.get(key, 0) + 1
    failed: dict[int, int] = {}
    saved = 0
    for (place, modifier), count in sorted(shares.items()):
        target = TANK_CLASS[tanks[place].class_]
        why = needed(f"Tank's save with {modifier:+d}" if modifier else "Tank's save", (target - modifier,))
        faces = ask_several(roller, None, count, why, 2, target - modifier, 6)
        good = tuple(face for face in faces if _saves(content, target, modifier, face))
        failed[place] = failed.get(place, 0) + count - len(good)
        saved += len(good)
        rolled += faces
        words = f"{len(good)} of {count} saved on {plus(target)} with {modifier:+d}."
        steps.append(Resolved(str(len(good)), words, faces, good, len(good), (), facts(saved=len(good))))
    now = list(tanks)
    done: list[str] = []
    for place, count in sorted(failed.items()):
        if not count:
            continue
        if choice(content, "tank-cascade") == "cascades":
            faces = ask_several(roller, None, count, "Damage", *CUTS)
        else:  # here it matters which comes first
            faces = tuple(roller.die(6, "Damage", CUTS) for _ in range(count))
        rolled += faces
        for roll in faces:
            if not now[place].destroyed:
                now[place], result = damaged_by(content, now[place], roll)
                done.append(result)
        steps.append(
            Resolved(
                state_of(now[place]),
                f"Damage: {state_of(now[place])}.",
                faces,
                faces,
                None,
                (),
                facts(state=state_of(now[place])),
            )
        )
    outcome = max(done, key=WORST.index) if done else UNHURT
    lost = sum(tank.destroyed for tank in now) - sum(tank.destroyed for tank in tanks)
    words = f"{many(len(hits), 'hit')}, {saved} saved: {outcome.replace('-', ' ')}."
    if done and shocks:
        words += " The tank platoon is Shocked."
    return Resolved(
        outcome, words, rolled, rolled, len(hits), tuple((f"{modifier:+d} to the save", name) for name, _, _, modifier in shots),
        facts(
            dice=sum(shot[1] for shot in shots), hits=len(hits), saved=saved, damage_rolls=len(hits) - saved, tanks_destroyed=lost,
            shocked=bool(done) and shocks, states=[state_of(tank) for tank in now],
        ),
        tuple(steps), {"tanks": [_document(tank) for tank in now]},
    )  # fmt: skip


def tank_fire(content: HasReadings, data: TankFire, roller: Roller) -> Resolved:
    """Fire at tanks. Outcomes: no-effect, immobilised, damaged, destroyed: the worst that befell one. Dice: attacks, saves, damage."""
    tanks = _tanks(data.tanks, data.class_)
    shots = _fire_shots(content, data)
    if not shots:
        return Resolved(
            UNHURT, "Nothing in range.", total=0, effects=facts(dice=0, hits=0, saved=0, damage_rolls=0, shocked=False)
        )
    return _hurt(content, shots, tanks, roller)


def _assault_shots(content: HasReadings, data: TankAssault) -> _Shots:
    attacker = data.attacker
    if attacker.kind == "tank":
        raise Refusal("Tanks do not fight tanks hand to hand.", mend="Use tank-fire.", code="input")
    force = force_of(content, attacker)
    hard = attacker.kind in ("engineers", "anti-tank-rifle") or data.anti_tank_rifles
    return (("Assault", force.dice(force.bases), force.hit, -1 if hard else 0),)


def tank_assault(content: HasReadings, data: TankAssault, roller: Roller) -> Resolved:
    """One roll of assaulting troops against tanks. Outcomes and dice as of tank-fire; Militia fight like any infantry."""
    return _hurt(content, _assault_shots(content, data), _tanks(data.tanks, data.class_), roller)


def _hurt_odds(content: HasReadings, tank: Tank, modifiers: tuple[int, ...]) -> tuple[tuple[Fraction, ...], Fraction]:
    """What hits with these save modifiers do to one tank: the odds of each worst result, and of no damage roll of 5 or 6."""
    states = {(tank, 0): Fraction(1)}
    spared = Fraction(1)
    target = TANK_CLASS[tank.class_]
    for modifier in modifiers:
        saves = _save_odds(content, target, modifier)
        spared *= 1 - (1 - saves) / 3
        following: dict[tuple[Tank, int], Fraction] = {}
        for (now, worst), share in states.items():
            ways = [((now, worst), saves)]
            for roll in (1, 3, 5):
                hurt, result = damaged_by(content, now, roll) if not now.destroyed else (now, DESTROYED)
                ways.append(((hurt, max(worst, WORST.index(result))), (1 - saves) / 3))
            for key, likely in ways:
                following[key] = following.get(key, Fraction(0)) + share * likely
        states = following
    found = [Fraction(0)] * len(WORST)
    for (_, worst), share in states.items():
        found[worst] += share
    return tuple(found), spared


def _worst_odds(content: HasReadings, shots: _Shots, tanks: tuple[Tank, ...]) -> TroopOdds:
    """The odds of the worst that befalls one of the tanks: for every number of hits, tank by tank, which are independent then."""
    if sum(shot[1] for shot in shots) > MOST_DICE:
        raise Refusal(f"More than {MOST_DICE} attack dice.", mend="Tell fewer bases.", code="dice")
    standing = [tank for tank in tanks if not tank.destroyed]
    known: dict[tuple[Tank, tuple[int, ...]], tuple[tuple[Fraction, ...], Fraction]] = {}
    found = [Fraction(0)] * len(WORST)
    spared = Fraction(0)
    ways: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for _, dice, hit, modifier in shots:
        shares = binomial(dice, chance_of(hit))
        ways = [
            (hits + (modifier,) * count, weight * share) for hits, weight in ways for count, share in enumerate(shares)
        ]
    for hits, weight in ways:
        most = [Fraction(1)] * len(WORST)  # the odds that nothing worse than this befalls any of them
        none = Fraction(1)
        for place, tank in enumerate(standing):
            key = (tank, hits[place :: len(standing)])
            if key not in known:
                known[key] = _hurt_odds(content, *key)
            worst, none_here = known[key]
            none *= none_here
            most = [so_far * sum(worst[: level + 1], Fraction(0)) for level, so_far in enumerate(most)]
        spared += weight * none
        for level, up_to in enumerate(most):
            found[level] += weight * (up_to - (most[level - 1] if level else 0))
    also = {"destroyed_outright": 1 - spared, "shocked": 1 - found[0]}
    if len(shots) == 1:
        _, _, hit, modifier = shots[0]
        saves = _save_odds(content, TANK_CLASS[standing[0].class_], modifier)
        also = {"damage_per_die": chance_of(hit) * (1 - saves), **also}
    return in_order(dict(zip(WORST, found, strict=True)), WORST, also)


def tank_fire_odds(content: HasReadings, data: TankFire) -> TroopOdds:
    """The worst that befalls a tank; beside it a damage result per die, and destroyed by a single damage roll of 5 or 6."""
    return _worst_odds(content, _fire_shots(content, data), _tanks(data.tanks, data.class_))


def tank_assault_odds(content: HasReadings, data: TankAssault) -> TroopOdds:
    """The same for one roll in an assault."""
    return _worst_odds(content, _assault_shots(content, data), _tanks(data.tanks, data.class_))
