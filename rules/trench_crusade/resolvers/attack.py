"""Attacks: who is hit, how well, and what becomes of every fighter that is hit.

Source: Attacks 1.6, "Making a Ranged Attack" and "Making a Melee Attack"; Turns and actions 1.0, "Actions"; core rules 1.0, "Attacks".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from rules.content.play import EditionPlay
from rules.formatting import signed
from rules.problems import Refusal
from rules.resolvers.roller import Changes, Resolved, Roller
from rules.trench_crusade.resolvers.injury import (  # fmt: skip
    DOUBLED,
    INFECTS,
    INFECTS_ALWAYS,
    INFECTS_MORE,
    MINOR_IS_DOWN,
    NO_ROLL,
    SET_SIX,
    TAKEN_DOWN,
    TURNED_SIX,
    after,
    injury_changes,
    injury_flats,
    resolve_injury,
)
from rules.trench_crusade.resolvers.inputs import (
    AgainstDown,
    Attack,
    Caught,
    DiceModifier,
    Friend,
    Injury,
    Target,
    words_of,
)
from rules.trench_crusade.resolvers.success import (
    CRITICAL,
    SUCCESS,
    checked_spending,
    own_changes,
    roll,
    spent_markers,
    with_effects,
)

INJURIES = ("no-effect", "minor-hit", "down", "out-of-action")
WORST = ("failure", "success", *INJURIES)  # success: a shot at a point of the ground that catches nobody
# Modifiers to the hit that a keyword of the weapon, or of whoever attacks with it, leaves out. Source: core rules 1.0, IGNORE [MODIFIER].
IGNORES = {
    "long_range": frozenset({"IGNORE LONG RANGE"}), "cover": frozenset({"IGNORE COVER"}),
    "elevated": frozenset({"IGNORE ELEVATED POSITION"}), "off_hand": frozenset({"IGNORE OFF HAND WEAPON", "IGNORE OFF HAND"}),
    "defended_obstacle": frozenset({"IGNORE DEFENDED OBSTACLE"}), "fear": frozenset({"IGNORE FEAR", "NEGATE FEAR"}),
    "down": frozenset({"IGNORE DOWN"}),
}  # fmt: skip
# What a keyword of the weapon does to the markers of an injury, in words.
LEAVING = (
    (INFECTS, "INFECTION in place of BLOOD MARKERS"),
    (INFECTS_ALWAYS, "An INFECTION MARKER more, whatever the injury roll shows"),
    (INFECTS_MORE, "An INFECTION MARKER more wherever it leaves any"),
    ("ONE BLOOD MARKER MORE", "A BLOOD MARKER more, whatever the injury roll shows"),
    ("TWO BLOOD MARKERS MORE", "Two BLOOD MARKERS more, whatever the injury roll shows"),
    (DOUBLED, "Twice the BLOOD MARKERS of the result"),
    (MINOR_IS_DOWN, "A Minor Hit by it is Down"),
    (SET_SIX, "One die of the injury is a 6, unrolled"),
    (TURNED_SIX, "The lowest die of the injury is turned to 6"),
    (NO_ROLL, "No injury roll: its markers alone"),
    (TAKEN_DOWN, "No injury roll: the target is taken Down"),
)
STRIKES_OTHERS = (
    "STRIKES OTHERS TOO"  # a line, a cloud, a swarm: whom the table names besides is injured like those in a blast
)
NEVER_STRAYS = "NEVER STRAYS"  # no D6 says whom it finds in a melee
# What is done with the markers of one attack is that attack's alone.
FOR_ONE_ATTACK = (
    "blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent", "bloodbath", "bloodbath_cost", "caught",
)  # fmt: skip


class Attacks(Attack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack, or several as a list in `attacks`, resolved one after the other; what stands beside the list holds for each of them.

    Attacks of a list against targets of the same name (or none) are against one fighter: what an attack does to it holds for the next,
    and an attack against a fighter that is out is left out.
    """

    attacks: Annotated[tuple[Attack, ...], Meta(max_length=12)] = ()


def shared(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The input with what stands beside a list of attacks written into each of them that does not say otherwise.

    Raises Refusal for markers beside the list, which are spent on one attack only, and for those whom one blast catches.
    Source: Attacks 1.6, "Multiple Attacks".
    """
    attacks = given.get("attacks")
    if not isinstance(attacks, (list, tuple)) or not attacks:
        return given
    common = {key: value for key, value in given.items() if key != "attacks" and (value or key not in FOR_ONE_ATTACK)}
    for key in FOR_ONE_ATTACK:
        if key in common:
            raise Refusal(
                f"`{key}` belongs to one attack; it stands beside a list of them. Write it into its attack.",
                code="input",
            )
    return {"attacks": [{**common, **each} if isinstance(each, Mapping) else each for each in attacks]}


def resolve_attack(play: EditionPlay, data: Attacks, roller: Roller) -> Resolved:
    """One attack or several. Outcomes: failure where nothing was hit, else the worst that an injury roll came to.

    Raises Refusal for what cannot be: markers that do not lie there, an unarmed attack where the edition has none.
    """
    if not data.attacks:
        return one_attack(play, data, roller)
    steps: list[Resolved] = []
    known: dict[str, Target] = {}
    gone: set[str] = set()
    missed = True
    for attack in data.attacks:
        name = attack.target.name
        if name in gone or (attack.after_hit and missed):
            missed = True
            continue
        attack = msgspec.structs.replace(attack, target=known.get(name, attack.target))
        done = one_attack(play, attack, roller)
        steps.append(done)
        missed = done.outcome == "failure"
        known[name] = after_attack(attack.target, done)
        if done.effect("out_of_action") and not at_friend(done):
            gone.add(name)
        if cut_short(done):
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
        modifiers=_modifiers(steps),
        effects=tuple(effect for step in steps for effect in step.effects),
        steps=steps,
    )


def at_friend(found: Resolved) -> bool:
    """Whether an attack into a melee went at a friend."""
    return any(step.outcome == "friend" for step in found.steps)


def cut_short(found: Resolved) -> bool:
    """Whether a failed risky roll ended the activation, and with it the attacks that were to follow."""
    return any(step.effect("activation_ends") for step in found.steps)


def after_attack(target: Target, found: Resolved) -> Target:
    """The target of one attack as it stands after it: as before where a friend was hit in its stead."""
    if at_friend(found):
        return target
    injury = next((step for step in found.steps if step.told.startswith("Injury")), None)
    return after(target, injury) if injury else target


def one_attack(play: EditionPlay, data: Attack, roller: Roller) -> Resolved:
    """Roll to hit, then for each fighter that is hit its injury. Raises Refusal for markers spent where nothing is rolled."""
    if data.against_down is not None and data.target.down:
        lying = data.against_down
        data = msgspec.structs.replace(data, **{name: getattr(lying, name) for name in AgainstDown.__struct_fields__})
    keywords = words_of(data.keywords)
    _refuse_idle_markers(data, keywords)
    target, friendly = data.target, ""
    steps: list[Resolved] = []
    if data.into_melee and data.kind == "ranged" and not data.at_point and may_stray(keywords):
        who = shot_into_melee(roller)
        steps.append(who)
        if who.outcome == "friend":
            friendly = "It goes at a friend. "
            data = _at(data, data.friend or Friend(name="friend"))
            target = data.target
    if hits_by_itself(data, keywords):
        hit = Resolved("success", "It hits by itself.")
    else:
        hit = _hit(play, data, target, keywords, roller)
    steps.append(hit)
    effects: list[Mapping[str, Any]] = [*hit.effects]
    reloads: tuple[Mapping[str, Any], ...] = (
        ({"activation_ends": True},) if "RELOAD" in keywords and not hit.effect("activation_ends") else ()
    )
    if hit.outcome == "failure":
        told = friendly + hit.told
        if data.scatters or "SCATTER" in keywords or (data.at_point and play.point_scatters):
            away = SUCCESS - (hit.total or 0)
            effects.append({"scatters": away})
            told = f"{told} It lands {away} inches off; the other side picks the way."
        return Resolved(
            "failure", told, _all(steps), hit.kept, hit.total, hit.modifiers, (*effects, *reloads), tuple(steps)
        )
    is_critical = hit.outcome == "critical"
    injuries: list[Resolved] = []
    if not data.at_point:
        keen = is_critical and (data.aimed or play.blast_critical == "all")
        injuries.append(resolve_injury(play, injury_of(data, target, keywords, critical=keen), roller))
    injuries += [resolve_injury(play, injury, roller) for injury in caught_injuries(play, data, critical=is_critical)]
    steps += injuries
    for injury in injuries:
        effects += injury.effects
    worst = max(injuries, key=lambda step: WORST.index(step.outcome), default=hit)
    outcome = worst.outcome if injuries else "success"
    told = " ".join([friendly + hit.told, *(injury.told for injury in injuries)]).strip()
    return Resolved(
        outcome, told, _all(steps), worst.kept, worst.total, _modifiers(steps), (*effects, *reloads), tuple(steps)
    )


def may_stray(keywords: frozenset[str]) -> bool:
    """Whether a shot into a melee may find a friend: not one that never does, nor one that strikes whomever it touches anyhow."""
    return NEVER_STRAYS not in keywords and not {STRIKES_OTHERS, "FLAMETHROWER"} <= keywords


def hits_by_itself(data: Attack, keywords: frozenset[str]) -> bool:
    """Whether the attack is not rolled for: told, or by its keyword."""
    return data.automatic_hit or "FLAMETHROWER" in keywords


def _refuse_idle_markers(data: Attack, keywords: frozenset[str]) -> None:
    """Markers are spent on a roll: none on a hit that is not rolled for, none on the injury of nobody."""
    if hits_by_itself(data, keywords) and (data.blood_spent or data.blessing_spent):
        raise Refusal("It hits without a roll: no markers are spent on the hit.", code="markers")
    on_injury = data.injury_blood_spent or data.injury_blessing_spent or data.bloodbath
    if data.at_point and on_injury:
        raise Refusal(
            "A shot at a point has no target: markers are spent on those it catches, each on its own.", code="markers"
        )


def _modifiers(steps: Iterable[Resolved]) -> tuple[tuple[str, str], ...]:
    return tuple(modifier for step in steps for modifier in step.modifiers)


def _at(data: Attack, friend: Friend) -> Attack:
    """The attack as it goes at a friend: with the friend's own armour and markers."""
    return msgspec.structs.replace(
        data,
        target=friend, armour=friend.armour, shield=friend.shield, unignorable_armour=friend.unignorable_armour,
        injury_blood_spent=friend.injury_blood_spent, injury_blessing_spent=friend.injury_blessing_spent,
        bloodbath=friend.bloodbath,
    )  # fmt: skip


def _all(steps: list[Resolved]) -> tuple[int, ...]:
    return tuple(face for step in steps for face in step.rolled)


def caught_injuries(play: EditionPlay, data: Attack, *, critical: bool) -> tuple[Injury, ...]:
    """The injury rolls of the further fighters whom a blast catches. `critical`: the hit was; the edition says whether it counts here."""
    spreads = critical and play.blast_critical == "all"
    each = ((_of(data, other), other.target) for other in data.caught)
    return tuple(injury_of(one, target, words_of(one.keywords), critical=spreads) for one, target in each)


def _of(data: Attack, other: Caught) -> Attack:
    return msgspec.structs.replace(
        data,
        target=other.target, armour=other.armour, shield=other.shield, unignorable_armour=other.unignorable_armour,
        injury_dice=data.injury_dice + other.injury_dice, injury_modifier=data.injury_modifier + other.injury_modifier,
        injury_blood_spent=other.injury_blood_spent, injury_blessing_spent=other.injury_blessing_spent,
        bloodbath=other.bloodbath,
        keywords=data.keywords if other.keywords is None else other.keywords,
        base_dice=data.base_dice if other.base_dice is None else other.base_dice,
    )  # fmt: skip


def _hit(play: EditionPlay, data: Attack, target: Target, keywords: frozenset[str], roller: Roller) -> Resolved:
    checked_spending(data.blood_spent, data.blessing_spent, data.blood, data.infection, data.blessing)
    if data.unarmed and play.unarmed == "none":
        raise Refusal("Without a melee weapon nobody fights in this edition.", code="unarmed")
    changes = _own(data, keywords)
    for dice, why in situation(play, data, target, keywords):
        changes = changes.plus(dice, why)
    found = roll(
        roller, Changes(_characteristic_first(changes)), data.modifier, base=data.hit_base,
        risky=data.risky or data.shaken or "RISKY" in keywords, why="Roll to hit", critical_from=data.critical_from,
    )  # fmt: skip
    return with_effects(found, spent_markers(data.blood_spent, data.blessing_spent))


def _own(data: Attack, keywords: frozenset[str]) -> Changes:
    down = data.down and not keywords & IGNORES["down"]
    return own_changes(data.dice, data.modifiers, down, data.blood_spent, data.blessing_spent)


def _characteristic_first(changes: Changes) -> tuple[tuple[int, str], ...]:
    return tuple(sorted(changes.entries, key=lambda entry: "haracteristic" not in entry[1]))


def situation(play: EditionPlay, data: Attack, target: Target, keywords: frozenset[str]) -> list[tuple[int, str]]:
    """What the characteristic and the situation do to a roll to hit: (dice, why)."""
    found: list[tuple[int, str]] = []
    if data.kind == "ranged":
        found.append((data.ranged, "Ranged Characteristic"))
        ignores = (data.grenade or "GRENADE" in keywords) and play.grenades_ignore
        if is_long(data) and not ignores and not keywords & (IGNORES["long_range"] | {"SHOTGUN"}):
            found.append((-1, "Long range"))
        if data.cover and not data.at_point and not ignores and not keywords & IGNORES["cover"]:
            found.append((-1, "Cover"))
        if is_elevated(play, data, target) and not keywords & IGNORES["elevated"]:
            found.append((1, "Elevated position"))
        return found
    if data.pistol or "PISTOL" in keywords:
        if play.pistol_melee == "ranged":
            found.append((data.ranged, "Ranged Characteristic, a pistol"))
        else:
            found.append((max(data.ranged, data.melee), "the better Characteristic, a pistol"))
    elif data.by_ranged:
        found.append((data.ranged, "Ranged Characteristic"))
    else:
        found.append((data.melee, "Melee Characteristic"))
    if data.unarmed:
        found.append((-1, "Unarmed"))
    if data.off_hand and not keywords & IGNORES["off_hand"]:
        found.append((-1, "Off-hand weapon"))
    shielded = (play.obstacle_for_down or not target.down) and not keywords & IGNORES["defended_obstacle"]
    if data.defended_obstacle and shielded and not (data.diving_charge and play.diving_ignores_obstacle):
        found.append((-1, "Defended Obstacle"))
    if target.fear and not data.fear_immune and not keywords & IGNORES["fear"]:
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


def is_elevated(play: EditionPlay, data: Attack, target: Target) -> bool:
    """Whether the attacker stands high enough: told, or by how much higher it stands and the target's base."""
    if data.elevated:
        return True
    if data.higher_by is None:
        return False
    large = bool(play.large_base) and target.base is not None and target.base >= play.large_base
    return data.higher_by >= (play.large_base_from if large else play.elevated_from)


def injury_of(data: Attack, target: Target, keywords: frozenset[str], *, critical: bool) -> Injury:
    """The injury roll that a hit of this attack leads to."""
    spread = data.kind == "ranged" and "SHOTGUN" in keywords and not keywords & IGNORES["long_range"] and is_long(data)
    far = (DiceModifier(dice=-1, why="Long range, SHOTGUN"),) if spread else ()
    return Injury(
        dice=data.injury_dice, modifiers=(*data.injury_modifiers, *far), modifier=data.injury_modifier, modifier_why=data.injury_modifier_why,
        flats=data.injury_flats, base_dice=data.base_dice,
        armour=data.armour, shield=data.shield, unignorable_armour=data.unignorable_armour,
        ignore_armour=data.ignore_armour, critical=critical, critical_keyword=data.critical_keyword,
        melee=data.kind == "melee", diving_charge=data.kind == "melee" and data.diving_charge,
        unarmed=data.kind == "melee" and data.unarmed,
        keywords=(*data.keywords, *data.critical_keywords) if critical else data.keywords, blood_spent=data.injury_blood_spent,
        blessing_spent=data.injury_blessing_spent, bloodbath=data.bloodbath, bloodbath_cost=data.bloodbath_cost,
        target=target,
    )  # fmt: skip


def causes(play: EditionPlay, data: Attack) -> tuple[str, ...]:
    """Everything that bears on an attack as it stands, in words: on the hit first, then on the injury of a plain hit."""
    keywords = words_of(data.keywords)
    hit = _own(data, keywords)
    for dice, why in situation(play, data, data.target, keywords):
        hit = hit.plus(dice, why)
    by_itself = hits_by_itself(data, keywords)
    roll_of_injury = injury_of(data, data.target, keywords, critical=False)
    injury = injury_changes(play, roll_of_injury, keywords)
    told = (
        []
        if by_itself
        else [f"{signed(dice, plus_zero=True)} DICE to hit: {why}" for dice, why in _characteristic_first(hit)]
    )
    told += [f"{signed(dice, plus_zero=True)} {play.injury_dice} to injure: {why}" for dice, why in injury.entries]
    told += [
        f"{signed(number, plus_zero=True)} to the injury: {why}"
        for number, why in injury_flats(play, roll_of_injury, keywords)
    ]
    if by_itself:
        told.insert(0, "It hits by itself")
    elif data.critical_from < CRITICAL:
        told.append(f"A Critical Success from {data.critical_from} on")
    if (base := max(data.base_dice, 3 if "DEADLY" in keywords else 1)) != 2:
        told.append(f"The injury is rolled with {base}D6")
    if ("IGNORE ARMOUR" in keywords or data.ignore_armour) and (data.armour or data.shield):
        told.append("Armour is ignored")
    elif "IGNORE SHIELD" in keywords and data.shield:
        told.append("The shield is ignored")
    told += [words for keyword, words in LEAVING if keyword in keywords]
    if data.critical_keywords and not by_itself:
        told.append(f"On a Critical Success: {', '.join(data.critical_keywords)}")
    if data.bloodbath_cost is not None:
        told.append(f"A Bloodbath takes {data.bloodbath_cost} markers")
    saves = (
        ("TOUGH", data.target.tough),
        ("GOLEM", data.target.golem),
        ("A Down result is a Minor Hit", data.target.down_is_minor),
        ("Without a BLOOD MARKER a Down result is a Minor Hit", data.target.unmarked_down_is_minor),
        ("Its first Down result is a Minor Hit", data.target.first_down == "minor-hit"),
        ("Its first Down result does nothing", data.target.first_down == "no-effect"),
        ("A Minor Hit is Down", data.target.minor_is_down),
        ("Its first Out of Action result does nothing", data.target.ignores_out),
        ("No BLOOD MARKER is placed on it", data.target.no_markers),
    )
    return (*told, *(f"The target: {words}" for words, there in saves if there))


def shot_into_melee(roller: Roller) -> Resolved:
    """Whom a shot into a melee goes at: 1-3 a friend within an inch of the target, 4-6 an enemy. Outcomes: friend, enemy."""
    face = roller.die(6, "Shooting into melee", (4,))
    outcome = "enemy" if face >= 4 else "friend"
    return Resolved(outcome, f"Shooting into melee: {face}, {outcome}.", (face,), (face,), face)
