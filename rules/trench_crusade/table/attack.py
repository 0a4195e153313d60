"""Attacks: who is hit, how well, and what becomes of every fighter that is hit.

Source: Attacks 1.6, "Making a Ranged Attack" and "Making a Melee Attack"; Turns and actions 1.0, "Actions"; core rules 1.0, "Attacks".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from rules.content.play import Play
from rules.problems import Refusal
from rules.table.roller import Changes, Resolved, Roller, signed
from rules.trench_crusade.table.injury import after, injury_changes, injury_flats, resolve_injury
from rules.trench_crusade.table.inputs import Attack, Caught, Injury, Target
from rules.trench_crusade.table.success import (
    SUCCESS,
    checked_spending,
    own_changes,
    roll,
    spent_markers,
    with_effects,
    words_of,
)

WORST = ("failure", "no-effect", "minor-hit", "down", "out-of-action")


class Attacks(Attack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack, or several as a list in `attacks`, resolved one after the other.

    Attacks of a list against targets of the same name (or none) are against one fighter: what an attack does to it holds for the next,
    and an attack against a fighter that is out is left out. `caught` are further fighters in a blast, each with its own armour.
    """

    attacks: Annotated[tuple[Attack, ...], Meta(max_length=12)] = ()
    caught: Annotated[tuple[Caught, ...], Meta(max_length=30)] = ()


def resolve_attack(play: Play, data: Attacks, roller: Roller) -> Resolved:
    """One attack or several. Outcomes: failure where nothing was hit, else the worst that an injury roll came to.

    Raises Refusal for what cannot be: markers that do not lie there, an unarmed attack where the edition has none.
    """
    if not data.attacks:
        return one_attack(play, data, roller, data.caught)
    steps: list[Resolved] = []
    known: dict[str, Target] = {}
    gone: set[str] = set()
    for attack in data.attacks:
        name = attack.target.name
        if name in gone:
            continue
        attack = msgspec.structs.replace(attack, target=known.get(name, attack.target))
        done = one_attack(play, attack, roller, ())
        steps.append(done)
        known[name] = after_attack(attack.target, done)
        if done.effect("out_of_action"):
            gone.add(name)
        if done.effect("activation_ends"):
            break
    return together(tuple(steps))


def together(steps: tuple[Resolved, ...]) -> Resolved:
    """Several attacks as one result: the worst of them, every die, every effect."""
    worst = max(steps, key=lambda step: WORST.index(step.outcome))
    return Resolved(
        outcome=worst.outcome,
        told=" ".join(step.told for step in steps),
        rolled=tuple(face for step in steps for face in step.rolled),
        kept=worst.kept,
        total=worst.total,
        modifiers=(),
        effects=tuple(effect for step in steps for effect in step.effects),
        steps=steps,
    )


def after_attack(target: Target, found: Resolved) -> Target:
    """The target of one attack as it stands after it."""
    injury = next((step for step in found.steps if step.told.startswith("Injury")), None)
    return after(target, injury) if injury else target


def one_attack(play: Play, data: Attack, roller: Roller, caught: tuple[Caught, ...]) -> Resolved:
    """Roll to hit, then for each fighter that is hit its injury."""
    keywords = words_of(data.keywords)
    target, friendly = data.target, ""
    steps: list[Resolved] = []
    if data.into_melee and data.kind == "ranged" and not data.automatic_hit:
        who = shot_into_melee(roller)
        steps.append(who)
        if who.outcome == "friend":
            friendly = "It goes at a friend. "
            target = data.friend or Target(name="friend")
    if data.automatic_hit:
        hit = Resolved("success", "It hits by itself.")
        risky_ends = False
    else:
        hit = _hit(play, data, target, keywords, roller)
        risky_ends = bool(hit.effect("activation_ends"))
    steps.append(hit)
    effects: list[Mapping[str, Any]] = [*hit.effects]
    missed = hit.outcome == "failure"
    if missed and (data.scatters or "SCATTER" in keywords) and data.at_point:
        away = SUCCESS - (hit.total or 0)
        effects.append({"scatters": away})
        told = f"{friendly}{hit.told} It lands {away} inches off; the other side picks the way."
        return Resolved("failure", told, hit.rolled, hit.kept, hit.total, hit.modifiers, tuple(effects), tuple(steps))
    if missed:
        return Resolved(
            "failure",
            friendly + hit.told,
            _all(steps),
            hit.kept,
            hit.total,
            hit.modifiers,
            tuple(effects),
            tuple(steps),
        )
    is_critical = hit.outcome == "critical"
    injuries: list[Resolved] = []
    if not data.at_point:
        injuries.append(_injury(play, data, target, keywords, critical=is_critical, roller=roller))
    for other in caught:
        spreads = is_critical and play.blast_critical == "all"
        injuries.append(_injury(play, _of(data, other), other.target, keywords, critical=spreads, roller=roller))
    steps += injuries
    for injury in injuries:
        effects += injury.effects
    worst = max(injuries, key=lambda step: WORST.index(step.outcome), default=hit)
    outcome = worst.outcome if injuries else "success"
    told = " ".join([friendly + hit.told, *(injury.told for injury in injuries)]).strip()
    if risky_ends:
        effects.append({"activation_ends": True})
    if "RELOAD" in keywords:
        effects.append({"activation_ends": True})
    return Resolved(outcome, told, _all(steps), worst.kept, worst.total, worst.modifiers, tuple(effects), tuple(steps))


def _all(steps: list[Resolved]) -> tuple[int, ...]:
    return tuple(face for step in steps for face in step.rolled)


def _of(data: Attack, other: Caught) -> Attack:
    return msgspec.structs.replace(
        data,
        target=other.target, armour=other.armour, shield=other.shield, unignorable_armour=other.unignorable_armour,
        injury_dice=data.injury_dice + other.injury_dice, injury_modifier=data.injury_modifier + other.injury_modifier,
        injury_blood_spent=other.injury_blood_spent, injury_blessing_spent=other.injury_blessing_spent,
        bloodbath=other.bloodbath,
    )  # fmt: skip


def _hit(play: Play, data: Attack, target: Target, keywords: frozenset[str], roller: Roller) -> Resolved:
    checked_spending(data.blood_spent, data.blessing_spent, data.blood, data.infection, data.blessing)
    if data.unarmed and play.unarmed == "none":
        raise Refusal("Without a melee weapon nobody fights in this edition.", code="unarmed")
    changes = own_changes(data.dice, data.modifiers, data.down, data.blood_spent, data.blessing_spent)
    for dice, why in situation(play, data, target, keywords):
        changes = changes.plus(dice, why)
    found = roll(
        roller, Changes(_characteristic_first(changes)), data.modifier,
        risky=data.risky or data.shaken or "RISKY" in keywords, why="Roll to hit",
    )  # fmt: skip
    return with_effects(found, spent_markers(data.blood_spent, data.blessing_spent))


def _characteristic_first(changes: Changes) -> tuple[tuple[int, str], ...]:
    return tuple(sorted(changes.entries, key=lambda entry: "haracteristic" not in entry[1]))


def situation(play: Play, data: Attack, target: Target, keywords: frozenset[str]) -> list[tuple[int, str]]:
    """What the characteristic and the situation do to a roll to hit: (dice, why)."""
    found: list[tuple[int, str]] = []
    if data.kind == "ranged":
        found.append((data.ranged, "Ranged Characteristic"))
        ignores = data.grenade and play.grenades_ignore
        if is_long(data) and not ignores and not keywords & {"IGNORE LONG RANGE", "SHOTGUN"}:
            found.append((-1, "Long range"))
        if data.cover and not data.at_point and not ignores and "IGNORE COVER" not in keywords:
            found.append((-1, "Cover"))
        if is_elevated(play, data, target):
            found.append((1, "Elevated position"))
        return found
    if data.pistol or "PISTOL" in keywords:
        if play.pistol_melee == "ranged":
            found.append((data.ranged, "Ranged Characteristic, a pistol"))
        else:
            found.append((max(data.ranged, data.melee), "the better Characteristic, a pistol"))
    else:
        found.append((data.melee, "Melee Characteristic"))
    if data.unarmed:
        found.append((-1, "Unarmed"))
    if data.off_hand and "IGNORE OFF HAND WEAPON" not in keywords:
        found.append((-1, "Off-hand weapon"))
    shielded = play.obstacle_for_down or not target.down
    if data.defended_obstacle and shielded and not (data.diving_charge and play.diving_ignores_obstacle):
        found.append((-1, "Defended Obstacle"))
    if target.fear and not data.fear_immune:
        found.append((-1, "FEAR"))
    if data.charged and target.polearm:
        found.append((-1, "Polearm against a charge"))
    if data.diving_charge:
        found.append((1, "Diving Charge"))
    return found


def is_long(data: Attack) -> bool:
    """Whether the target is beyond half range: told, or by distance and range."""
    if data.long_range:
        return True
    return data.distance is not None and data.range is not None and data.distance > data.range / 2


def is_elevated(play: Play, data: Attack, target: Target) -> bool:
    """Whether the attacker stands high enough: told, or by how much higher it stands and the target's base."""
    if data.elevated:
        return True
    if data.higher_by is None:
        return False
    large = bool(play.large_base) and target.base is not None and target.base >= play.large_base
    return data.higher_by >= (play.large_base_from if large else play.elevated_from)


def _injury(
    play: Play, data: Attack, target: Target, keywords: frozenset[str], *, critical: bool, roller: Roller
) -> Resolved:
    return resolve_injury(play, injury_of(data, target, keywords, critical=critical), roller)


def injury_of(data: Attack, target: Target, keywords: frozenset[str], *, critical: bool) -> Injury:
    """The injury roll that a hit of this attack leads to."""
    dice = data.injury_dice - (1 if data.kind == "ranged" and "SHOTGUN" in keywords and is_long(data) else 0)
    return Injury(
        dice=dice, modifiers=data.injury_modifiers, modifier=data.injury_modifier, modifier_why=data.injury_modifier_why,
        base_dice=data.base_dice,
        armour=data.armour, shield=data.shield, unignorable_armour=data.unignorable_armour,
        ignore_armour=data.ignore_armour, critical=critical, critical_keyword=data.critical_keyword,
        melee=data.kind == "melee", diving_charge=data.kind == "melee" and data.diving_charge,
        unarmed=data.kind == "melee" and data.unarmed, keywords=data.keywords, blood_spent=data.injury_blood_spent,
        blessing_spent=data.injury_blessing_spent, bloodbath=data.bloodbath, bloodbath_cost=data.bloodbath_cost,
        target=target,
    )  # fmt: skip


def causes(play: Play, data: Attack) -> tuple[str, ...]:
    """Everything that bears on an attack as it stands, in words: on the hit first, then on the injury of a plain hit."""
    keywords = words_of(data.keywords)
    hit = own_changes(data.dice, data.modifiers, data.down, data.blood_spent, data.blessing_spent)
    for dice, why in situation(play, data, data.target, keywords):
        hit = hit.plus(dice, why)
    roll_of_injury = injury_of(data, data.target, keywords, critical=False)
    injury = injury_changes(play, roll_of_injury, keywords)
    told = (
        [] if data.automatic_hit else [f"{signed(dice)} DICE to hit: {why}" for dice, why in _characteristic_first(hit)]
    )
    told += [f"{signed(dice)} {play.injury_dice} to injure: {why}" for dice, why in injury.entries]
    told += [f"{signed(number)} to the injury: {why}" for number, why in injury_flats(play, roll_of_injury, keywords)]
    if data.automatic_hit:
        told.insert(0, "It hits by itself")
    saves = (
        ("TOUGH", data.target.tough),
        ("GOLEM", data.target.golem),
        ("A Down result is a Minor Hit", data.target.down_is_minor),
    )
    return (*told, *(f"The target: {words}" for words, there in saves if there))


def shot_into_melee(roller: Roller) -> Resolved:
    """Whom a shot into a melee goes at: 1-3 a friend within an inch of the target, 4-6 an enemy. Outcomes: friend, enemy."""
    face = roller.die(6, "Shooting into melee", (4,))
    outcome = "enemy" if face >= 4 else "friend"
    return Resolved(outcome, f"Shooting into melee: {face}, {outcome}.", (face,), (face,), face)
