"""Fire at troops: the attack, and the losses, jams and Shock that follow from it.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Heavy infantry", "Advance", "Unit traits".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import binomial, successes
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext
from rules.trench_too_far.charts import HEAVY_TEAMS, TEAMS
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.attack_dice import (
    FireGroup,
    bases_of,
    checked_strength,
    counts_all_dice,
    drilled_dice,
    groups_of,
    save_number,
)
from rules.trench_too_far.resolvers.common import (
    TroopOdds,
    ask_several,
    chance_of,
    facts,
    given_or,
    in_order,
    many,
    needed,
    plus,
)
from rules.trench_too_far.resolvers.fire_inputs import Fire, Jam, ResolveFire, SaveTarget, Shock
from rules.trench_too_far.resolvers.inputs import Order, Platoon, Position
from rules.trench_too_far.resolvers.orders import base_count
from rules.trench_too_far.resolvers.targets import barred_by_recover, indirect_barred, special_orders
from rules.trench_too_far.resolvers.tolerance import counted_dice, shock, tolerance_of

MOST_DICE = 120  # of one attack: far more than at a real table; limits the odds
JAM_ONES = 3


# --- the dice of an attack


def _ones(rolls: tuple[int, ...]) -> int:
    return sum(face == 1 for face in rolls)


def hmg_jam(content: HasReadings, data: Jam, roller: Roller) -> Resolved:
    """Whether an HMG's own dice jam it. Outcomes: jammed, fires."""
    rolls = data.rolls if data.rolls is not None else roller.several(data.dice, 6, gettext("Attack"), (2,))
    ones = _ones(rolls)
    jams = ones >= JAM_ONES
    result = gettext("its hits stand, then it is removed.") if jams else gettext("it goes on firing.")
    return Resolved(
        "jammed" if jams else "fires",
        f"{many(ones, 'natural 1')}: {result}",
        rolls,
        rolls,
        ones,
        (),
        facts(jammed=jams, ones=ones, removed=jams),
    )


def resolve_fire(content: HasReadings, data: ResolveFire, roller: Roller) -> Resolved:
    """Attack dice, then saves. Outcome and `total`: bases lost."""
    if data.dice is None and data.rolls is None:
        raise Refusal(gettext("How many attack dice are there?"), mend=gettext("Give dice or rolls."), code="input")
    dice = data.dice if data.dice is not None else len(data.rolls or ())
    group = (FireGroup(gettext("Attack"), dice, data.hit_target, data.hmg),)
    shot = _shoot(group, data.save_target, data.bases, data.rolls, data.saves, roller)
    jammed = {"jammed": bool(shot.jams)} if data.hmg else {}
    return Resolved(
        str(shot.lost),
        shot.message,
        shot.rolled,
        shot.kept,
        shot.lost,
        (),
        facts(hits=shot.hits, saved=shot.saved, bases_lost=shot.lost, **jammed),
        shot.steps,
    )


@dataclass(frozen=True, slots=True)
class _Shot:
    hits: int
    saved: int
    lost: int
    jams: int
    rolled: tuple[int, ...]
    kept: tuple[int, ...]
    message: str
    steps: tuple[Resolved, ...]


def _attack(groups: tuple[FireGroup, ...], rolls: tuple[int, ...] | None, roller: Roller) -> tuple[Resolved, int]:
    """The attack dice of all groups as a step, and how many HMGs jam."""
    dice = sum(group.dice for group in groups)
    if rolls is not None and len(rolls) != dice:
        raise Refusal(
            gettext("Attack: {dice} dice are asked for, {count} are told.").format(dice=dice, count=len(rolls)),
            code="dice",
        )
    jams = 0
    fallen: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    for group in groups:
        told = rolls[len(fallen) : len(fallen) + group.dice] if rolls is not None else None
        why = gettext("Attack, {group}").format(group=group.label) if len(groups) > 1 else gettext("Attack")
        if group.jams:
            faces = ask_several(roller, told, group.dice, needed(why, (group.hit,)), 2, group.hit)
            jams += _ones(faces) >= JAM_ONES
        else:
            faces = ask_several(roller, told, group.dice, why, group.hit)
        fallen += faces
        struck += tuple(face for face in faces if face >= group.hit)
    hits = len(struck)
    message = gettext("{many} of {many_2}.").format(many=many(hits, "hit"), many_2=many(dice, "die", "dice"))
    return Resolved(str(hits), message, fallen, struck, hits, (), facts(hits=hits)), jams


def _saves(save: int | None, hits: int, saves: tuple[int, ...] | None, roller: Roller) -> Resolved:
    """The saves against so many hits as a step; without a save no dice are asked for."""
    if save is None:
        if saves:
            raise Refusal(gettext("Saves are told where there is none."), code="dice")
        return Resolved("0", "", total=0)
    thrown = ask_several(roller, saves, hits, gettext("Save"), save)
    good = tuple(face for face in thrown if face >= save)
    saved = len(good)
    return Resolved(
        str(saved),
        gettext("{saved} of {hits} saved on {save}+.").format(saved=saved, hits=hits, save=save),
        thrown,
        good,
        saved,
        (),
        facts(saved=saved),
    )


def _shoot(
    groups: tuple[FireGroup, ...],
    save: int | None,
    bases: int | None,
    rolls: tuple[int, ...] | None,
    saves: tuple[int, ...] | None,
    roller: Roller,
) -> _Shot:
    attack, jams = _attack(groups, rolls, roller)
    hits = len(attack.kept)
    thrown = _saves(save, hits, saves, roller)
    saved = len(thrown.kept)
    lost = hits - saved if bases is None else min(bases, hits - saved)
    message = gettext("{many}, {saved} saved: {many_2} lost").format(
        many=many(hits, "hit"), saved=saved, many_2=many(lost, "base")
    )
    if jams:
        message += (
            gettext("; then the HMG jams and is removed")
            if jams == 1
            else gettext("; then {jams} HMGs jam and are removed").format(jams=jams)
        )
    steps = (attack, thrown) if thrown.rolled else (attack,)
    return _Shot(hits, saved, lost, jams, attack.rolled + thrown.rolled, attack.kept, f"{message}.", steps)


# --- an attack as a whole


@dataclass(frozen=True, slots=True)
class _Aim:
    """An attack before its dice are rolled.

    `counted` are the dice that count against Tolerance. `bases` are those of the target, if they are known.
    """

    groups: tuple[FireGroup, ...]
    save: int | None
    modifiers: tuple[tuple[str, str], ...]
    bases: int | None
    counted: int
    indirect: bool


def _overridden(groups: tuple[FireGroup, ...], data: Fire) -> tuple[FireGroup, ...]:
    """The dice with what the input says of them: their number all together, and what each hits on."""
    if data.dice is None:
        return tuple(replace(group, hit=data.hit_target or group.hit) for group in groups)
    hits = {group.hit for group in groups}
    if data.hit_target is None and len(hits) != 1:
        raise Refusal(gettext("What do these dice hit on?"), mend=gettext("Give hit_target."), code="input")
    if not data.dice:
        return ()
    alone = len(groups) == 1
    label = groups[0].label if alone else gettext("Attack")
    return (FireGroup(label, data.dice, data.hit_target or hits.pop(), alone and groups[0].jams),)


def _refuse_fire(content: HasReadings, data: Fire, order: Order, weapons: set[str]) -> None:
    checked_strength(data.platoon)
    checked_strength(data.target)
    if barred_by_recover(content, order):
        raise Refusal(gettext("On Recover no unit fires."), code="order")
    if data.harassing and "hmg" not in weapons:
        raise Refusal(gettext("Only HMGs fire harassing."), mend=gettext("Fire normally."), code="input")
    if (data.harassing or data.indirect) and not special_orders(content, order):
        raise Refusal(
            gettext("Harassing and indirect fire take Fire orders."), mend=gettext("Fire normally."), code="order"
        )
    for base in bases_of(data.platoon) if data.indirect else ():
        distance = given_or(base.distance, data.distance) or None  # 0 means that the distance is not given
        reason = indirect_barred(content, base.weapon, distance, base.range, order)
        if reason:
            raise Refusal(
                gettext("No indirect fire: {reason}.").format(reason=reason),
                mend=gettext("Fire at what it sees."),
                code="input",
            )


def _position(target: Platoon) -> Position:
    if target.in_trenches:
        return "entrenched"
    # Bases in Close order touch each other, so they are never dispersed.
    return "closed" if target.has("close-order") and target.position == "dispersed" else target.position


def _aimed_save(content: HasReadings, data: Fire, sniper: bool) -> tuple[int | None, list[tuple[str, str]]]:
    """The target's save, and the modifiers that explain it."""
    if data.save_target is not UNSET:
        return data.save_target, [(gettext("save as told"), gettext("Save"))]
    target, position = data.target, _position(data.target)
    save, reasons = save_number(
        content,
        SaveTarget(
            position=position,
            always_prone=target.always_prone or target.kind in ("sniper", "remnant") or target.has("scouts"),
            heavy_team=target.heavy_team or target.kind in HEAVY_TEAMS,
            defend=target.order == "defend",
            indirect=data.indirect,
            overhead=data.overhead,
            sniper_shot=sniper,
        ),
    )
    by_position = (plus(save) if save else gettext("no save"), position.capitalize())
    causes = [(gettext("save {what}").format(what=what), reason) for what, reason in reasons]
    return save, causes or [by_position]


def aim(content: HasReadings, data: Fire) -> _Aim:
    """Everything about an attack that is known before dice fall. Raises Refusal for one that may not be made."""
    firer, target = data.platoon, data.target
    order = firer.order or "fire"
    weapons: set[str] = {base.weapon for base in bases_of(firer)}
    _refuse_fire(content, data, order, weapons)
    closed = target.has("close-order") or target.position == "closed"
    groups = groups_of(content, firer, data.distance, order, data.harassing, closed)
    if data.dice is not None or data.hit_target is not None:
        groups = _overridden(groups, data)
    dice = sum(group.dice for group in groups)
    if dice > MOST_DICE:
        raise Refusal(
            gettext("More than {most_dice} attack dice.").format(most_dice=MOST_DICE),
            mend=gettext("Give fewer bases."),
            code="dice",
        )
    save, save_modifiers = _aimed_save(content, data, weapons == {"sniper"})
    modifiers = [(gettext("hits on {hit}+").format(hit=group.hit), group.label) for group in dict.fromkeys(groups)]
    extra = drilled_dice(firer, order, groups)
    if extra:
        modifiers.append((gettext("+{extra} dice").format(extra=extra), gettext("Rifle Drill")))
    modifiers += save_modifiers
    free = order == "advance" and not counts_all_dice(content, firer)
    if free and dice:
        modifiers.append((gettext("−1 die for Shock"), gettext("Advance")))
    return _Aim(
        groups,
        save,
        tuple(modifiers),
        base_count(target) if target.bases is not None else None,
        counted_dice(dice, free),
        bool(weapons & {"trench-mortar", "field-artillery", "artillery"}),
    )


def fire(content: HasReadings, data: Fire, roller: Roller) -> Resolved:
    """An attack by fire. Outcome and `total`: bases lost. Dice: attacks, saves, then one where Close order may shake Shock off.

    `state` holds the target as the attack leaves it.
    """
    aimed = aim(content, data)
    if not aimed.groups:
        return Resolved(
            "0",
            gettext("No base is in range or may fire."),
            total=0,
            effects=facts(dice=0, hits=0, saved=0, bases_lost=0),
        )
    shot = _shoot(aimed.groups, aimed.save, aimed.bases, data.rolls, data.saves, roller)
    dice = sum(group.dice for group in aimed.groups)
    effects = facts(dice=dice, hits=shot.hits, saved=shot.saved, bases_lost=shot.lost)
    if any(group.jams for group in aimed.groups):
        effects += facts(jammed=bool(shot.jams), hmgs_jammed=shot.jams, ones=_ones(shot.rolled[:dice]))
    done = Resolved(
        str(shot.lost), shot.message, shot.rolled, shot.kept, shot.lost, aimed.modifiers, effects, shot.steps
    )
    target = data.target
    if not _without_tolerance(content, target):
        return _shocked_by(content, data, aimed, done, roller)
    if aimed.bases is None:
        return done
    left = aimed.bases - shot.lost
    return replace(done, effects=effects + facts(bases_left=left, wiped_out=not left, shocked=target.shocked))


def _without_tolerance(content: HasReadings, target: Platoon) -> bool:
    return target.kind in TEAMS and choice(content, "team-shock") == "never"


def _shocked_by(content: HasReadings, data: Fire, aimed: _Aim, done: Resolved, roller: Roller) -> Resolved:
    """An attack with what it adds to the target's tally, and with the Shock that leaves."""
    target, lost = data.target, done.total or 0
    tally, limit, exceeds = _tallied(content, aimed, target, lost)
    effects = done.effects + facts(counted=aimed.counted, tally=tally)
    if aimed.bases is None:
        return replace(done, effects=effects)
    left = aimed.bases - lost
    # Only a platoon that would become Shocked may avoid it. One that is already Shocked stays Shocked, without a roll.
    traits = () if target.shocked else target.traits
    after = shock(content, Shock(exceeds=exceeds, bases_left=left, traits=traits, roll=data.shock_roll), roller)
    shocked = target.shocked or after.outcome == "shocked"
    effects += facts(
        tolerance=limit,
        exceeds=exceeds,
        shocked=shocked and left > 0,
        bases_left=left,
        wiped_out=not left,
        still_needed=max(0, limit - tally + 1),
    )
    state: dict[str, Any] = {
        "bases": left,
        "tally": tally,
        "tally_had_indirect": target.tally_had_indirect or aimed.indirect,
        "shocked": shocked,
        "fresh": False if lost else target.fresh,
    }
    return replace(
        done,
        told=gettext("{told} Tally {tally} against Tolerance {limit}{what}").format(
            told=done.told, tally=tally, limit=limit, what=": " + after.told if exceeds else "."
        ),
        rolled=done.rolled + after.rolled,
        effects=effects,
        steps=(*done.steps, after),
        state=state,
    )


def _tallied(content: HasReadings, aimed: _Aim, target: Platoon, lost: int) -> tuple[int, int, bool]:
    """The tally after the attack, the Tolerance it is compared with, and whether it exceeds that."""
    tally = target.tally + aimed.counted
    bases = base_count(target) - (lost if choice(content, "tolerance-bases") == "after" else 0)
    limit = target.tolerance
    if limit is None:
        limit, _ = tolerance_of(content, target, bases, aimed.indirect)
    compared = tally if choice(content, "shock-scope") == "turn" else aimed.counted
    return tally, limit, compared > limit


# --- odds


def _losses(groups: tuple[FireGroup, ...], save: int | None, bases: int | None) -> tuple[dict[int, Fraction], Fraction]:
    """The odds of so many bases lost, and those that any HMG jams."""
    fails = 1 - chance_of(save)
    lost: dict[int, Fraction] = {}
    for count, share in enumerate(successes(*((group.dice, chance_of(group.hit) * fails) for group in groups))):
        key = count if bases is None else min(bases, count)
        lost[key] = lost.get(key, Fraction(0)) + share
    fires = Fraction(1)
    for group in groups:
        fires *= sum(binomial(group.dice, Fraction(1, 6))[:JAM_ONES]) if group.jams else 1
    return lost, 1 - fires


def fire_odds(content: HasReadings, data: Fire) -> TroopOdds:
    """The odds of bases lost; beside them those of a jam, of Shock and of the end of the platoon."""
    if data.rolls is not None or data.saves is not None or data.shock_roll is not None:
        raise Refusal(gettext("Odds are asked for before dice fall."), mend=gettext("Leave the dice out."), code="dice")
    aimed = aim(content, data)
    lost, jam = _losses(aimed.groups, aimed.save, aimed.bases)
    also = {"jammed": jam}
    if aimed.bases is not None:
        also["shocked"] = sum(
            (share * _shock_chance(content, data.target, aimed, count) for count, share in lost.items()), Fraction(0)
        )
        also["wiped_out"] = sum((share for count, share in lost.items() if count >= aimed.bases), Fraction(0))
    also = {name: share for name, share in also.items() if share}
    return in_order({str(count): share for count, share in lost.items()}, (), also)


def _shock_chance(content: HasReadings, target: Platoon, aimed: _Aim, lost: int) -> Fraction:
    """How likely the attack shocks the target if it costs so many bases."""
    left = (aimed.bases or 0) - lost
    if left <= 0 or not aimed.groups or _without_tolerance(content, target):
        return Fraction(0)
    if not _tallied(content, aimed, target, lost)[2]:
        return Fraction(0)
    return Fraction(2, 3) if target.has("close-order") and not target.shocked and left >= 2 else Fraction(1)


def resolve_fire_odds(content: HasReadings, data: ResolveFire) -> TroopOdds:
    if data.rolls is not None or data.saves is not None or data.dice is None:
        raise Refusal(
            gettext("Odds take the number of dice, before they fall."), mend=gettext("Give dice alone."), code="dice"
        )
    group = (FireGroup(gettext("Attack"), data.dice, data.hit_target, data.hmg),)
    lost, jam = _losses(group, data.save_target, data.bases)
    return in_order({str(count): share for count, share in lost.items()}, (), {"jammed": jam} if jam else {})
