"""Attacks: who is hit, how well, and what happens to every fighter that is hit.

Source: Attacks 1.6, "Making a Ranged Attack" and "Making a Melee Attack"; Turns and actions 1.0, "Actions"; core
rules 1.0, "Attacks".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext as _
from rules.trench_crusade.resolvers.hit import IGNORES, hits_by_itself, is_long, roll_to_hit
from rules.trench_crusade.resolvers.injury import NO_ROLL, TAKEN_DOWN, after, resolve_injury
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
from rules.trench_crusade.resolvers.success import SUCCESS

INJURIES = ("no-effect", "minor-hit", "down", "out-of-action")
WORST = ("failure", "success", *INJURIES)  # success: a shot at a point on the ground that hits nobody
# A line, a cloud, a swarm: other fighters that the table names are injured like those in a blast.
STRIKES_OTHERS = "STRIKES OTHERS TOO"
AT_ENEMY = 4  # from this face of the D6 on a shot into a melee goes at an enemy
NEVER_STRAYS = "NEVER STRAYS"  # no D6 decides whom it hits in a melee
# What is done with the markers of one attack applies only to that attack.
FOR_ONE_ATTACK = (
    "blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent", "bloodbath", "bloodbath_cost", "caught",
)  # fmt: skip


class Attacks(Attack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack, or several as a list in `attacks`, resolved one after the other.

    Fields beside the list apply to each of them.

    Attacks of a list against targets of the same name (or none) are against one fighter: the effects of one attack
    carry over to the next, and an attack against a fighter that is out is skipped.
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
                _("`{key}` belongs to one attack; it stands beside a list of them. Write it into its attack.").format(
                    key=key
                ),
                code="input",
            )
    return {"attacks": [{**common, **each} if isinstance(each, Mapping) else each for each in attacks]}


def resolve_attack(play: EditionPlay, data: Attacks, roller: Roller) -> Resolved:
    """One attack or several. Outcomes: failure where nothing was hit, else the worst that an injury roll came to.

    Raises Refusal for what cannot be: markers that do not lie there, an unarmed attack where the edition has none.
    """
    if not data.attacks:
        return one_attack(play, data, roller, all_hit=True)
    steps: list[Resolved] = []
    known: dict[str, Target] = {}
    gone: set[str] = set()
    missed, all_hit = True, True
    for attack in data.attacks:
        name = attack.target.name
        if name in gone or (attack.after_hit and missed):
            missed, all_hit = True, False
            continue
        attack = msgspec.structs.replace(attack, target=known.get(name, attack.target))
        done = one_attack(play, attack, roller, all_hit=all_hit)
        steps.append(done)
        missed = did_miss(done)
        all_hit = all_hit and not missed
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


def did_miss(found: Resolved) -> bool:
    """Whether the roll to hit of an attack failed, even where the miss scattered near enough."""
    return any(step.outcome == "failure" for step in found.steps)


def after_attack(target: Target, found: Resolved) -> Target:
    """The target of one attack as it stands after it: as before where a friend was hit in its stead."""
    if at_friend(found):
        return target
    injury = next((step for step in found.steps if step.told.startswith(_("Injury"))), None)
    return after(target, injury) if injury else target


def one_attack(play: EditionPlay, data: Attack, roller: Roller, *, all_hit: bool = False) -> Resolved:
    """Roll to hit, then for each fighter that is hit its injury. `all_hit`: all attacks of the list before it hit.

    Raises Refusal for markers spent where nothing is rolled.
    """
    if data.against_down is not None and data.target.down:
        line = {name: getattr(data.against_down, name) for name in AgainstDown.__struct_fields__}
        data = msgspec.structs.replace(data, **line)
    keywords = words_of(data.keywords)
    _refuse_idle_markers(data, keywords)
    steps: list[Resolved] = []
    if data.into_melee and data.kind == "ranged" and not data.at_point and may_stray(keywords):
        steps.append(shot_into_melee(roller))
        if steps[0].outcome == "friend":
            return _strayed(steps[0], one_attack(play, _at_friend(data), roller))
    hit = roll_to_hit(play, data, keywords, roller)
    steps.append(hit)
    if hit.outcome == "failure":
        return _missed(play, data, keywords, steps, roller)
    if all_hit and data.all_hit_out:
        injuries = [
            Resolved("out-of-action", _("Injury: every attack hit, Out of Action."), effects=({"out_of_action": True},))
        ]
    else:
        injuries = _injuries(play, data, keywords, roller, critical=hit.outcome == "critical")
    worst = max(injuries, key=lambda step: WORST.index(step.outcome), default=hit)
    steps += injuries
    return Resolved(
        worst.outcome if injuries else "success",
        " ".join([hit.told, *(injury.told for injury in injuries)]),
        _all(steps),
        worst.kept,
        worst.total,
        _modifiers(steps),
        (
            *hit.effects,
            *(effect for injury in injuries for effect in injury.effects),
            *_on_attacker(data, injuries),
            *_reloads(hit, keywords),
        ),
        tuple(steps),
    )


def _on_attacker(data: Attack, injuries: Iterable[Resolved]) -> tuple[Mapping[str, Any], ...]:
    """Markers that the attacker gets, or loses, by an attack and what came of it. The target is the first of the injured."""
    found = next(iter(injuries), None)
    blood = found.summed("blood_markers") if found is not None else 0
    counts = {
        "made": 1,
        "hit": int(found is not None),
        "bled": int(blood > 0),
        "marked": int(found is not None and blood + found.summed("infection_markers") > 0),
        "each marker": blood,
        "not out": int(found is None or found.outcome != "out-of-action"),
    }
    effects: list[Mapping[str, Any]] = []
    for kind in ("blood", "blessing"):
        if total := sum(one.number * counts[one.when] for one in data.on_attacker if one.kind == kind):
            effects.append({f"own_{kind}_markers": total})
    return tuple(effects)


def _near(play: EditionPlay, data: Attack, away: int, roller: Roller) -> list[Resolved]:
    """The injury of a target that a scattered miss still catches; none where it lands too far off."""
    if not data.near_miss or away > data.near_miss:
        return []
    if data.in_blast is not None and away > data.direct_miss:
        line = {name: getattr(data.in_blast, name) for name in AgainstDown.__struct_fields__ if name != "modifiers"}
        data = msgspec.structs.replace(data, **line)
    if words_of(data.keywords) & {NO_ROLL, TAKEN_DOWN}:  # markers are spent on a roll alone
        data = msgspec.structs.replace(data, injury_blood_spent=0, injury_blessing_spent=0, bloodbath=False)
    return [resolve_injury(play, injury_of(data, data.target, words_of(data.keywords), critical=False), roller)]


def _missed(
    play: EditionPlay, data: Attack, keywords: frozenset[str], steps: list[Resolved], roller: Roller
) -> Resolved:
    """An attack whose roll to hit, the last of the steps, failed: where it scatters to, and whom it catches there."""
    hit = steps[-1]
    message, effects = hit.told, hit.effects
    marked = ({"blood_markers": data.miss_marks},) if data.miss_marks else ()
    effects = (*effects, *marked, *_on_attacker(data, ()))
    if hit.effect("flawed") or data.averted:
        return Resolved("failure", message, _all(steps), hit.kept, hit.total, hit.modifiers, effects, tuple(steps))
    if near := _near(play, data, SUCCESS - (hit.total or 0), roller):
        steps += near
        return Resolved(
            near[0].outcome,
            " ".join((message, near[0].told)),
            _all(steps),
            near[0].kept,
            near[0].total,
            _modifiers(steps),
            (*hit.effects, *near[0].effects, *_on_attacker(data, near), *_reloads(hit, keywords)),
            tuple(steps),
        )
    if data.scatters or "SCATTER" in keywords or (data.at_point and play.point_scatters):
        away = SUCCESS - (hit.total or 0)
        effects = (*effects, {"scatters": away})
        message = _("{message} It lands {away} inches off; the opponent picks the direction.").format(
            message=message, away=away
        )
    effects = (*effects, *_reloads(hit, keywords))
    return Resolved("failure", message, _all(steps), hit.kept, hit.total, hit.modifiers, effects, tuple(steps))


def _reloads(hit: Resolved, keywords: frozenset[str]) -> tuple[Mapping[str, Any], ...]:
    ends = "RELOAD" in keywords and not hit.effect("activation_ends")
    return ({"activation_ends": True},) if ends else ()


def _injuries(
    play: EditionPlay, data: Attack, keywords: frozenset[str], roller: Roller, *, critical: bool
) -> list[Resolved]:
    """The injury of the target, then of everybody whom a blast catches."""
    rolls = list(caught_injuries(play, data, critical=critical))
    if not data.at_point:
        counts = critical and (data.aimed or play.blast_critical == "all")
        rolls.insert(0, injury_of(data, data.target, keywords, critical=counts))
    return [resolve_injury(play, injury, roller) for injury in rolls]


def may_stray(keywords: frozenset[str]) -> bool:
    """Whether a shot into a melee may find a friend: not one that never does, nor one that strikes whomever it touches anyhow."""
    return NEVER_STRAYS not in keywords and not {STRIKES_OTHERS, "FLAMETHROWER"} <= keywords


def _refuse_idle_markers(data: Attack, keywords: frozenset[str]) -> None:
    """Markers are spent on a roll: none on a hit that is not rolled for, none on the injury of nobody."""
    if hits_by_itself(data, keywords) and (data.blood_spent or data.blessing_spent):
        raise Refusal(_("It hits without a roll: no markers are spent on the hit."), code="markers")
    on_injury = data.injury_blood_spent or data.injury_blessing_spent or data.bloodbath
    if data.at_point and on_injury:
        raise Refusal(
            _("A shot at a point has no target: markers are spent on those it catches, each on its own."),
            code="markers",
        )


def _modifiers(steps: Iterable[Resolved]) -> tuple[tuple[str, str], ...]:
    return tuple(modifier for step in steps for modifier in step.modifiers)


def _strayed(stray: Resolved, found: Resolved) -> Resolved:
    """An attack into a melee that went at a friend, with the D6 that said so."""
    told = _("It goes at a friend. ") + found.told
    return replace(found, told=told, rolled=(*stray.rolled, *found.rolled), steps=(stray, *found.steps))


def _at_friend(data: Attack) -> Attack:
    """The attack as it goes at a friend: what it is on that friend, or this one with the friend's own armour and markers."""
    if data.at_friend is not None:
        return msgspec.structs.replace(data.at_friend, into_melee=False)
    friend = data.friend or Friend(name="friend")
    return msgspec.structs.replace(
        data,
        into_melee=False, all_hit_out=False,
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
        injury_modifiers=data.injury_modifiers if other.injury_modifiers is None else other.injury_modifiers,
        injury_flats=data.injury_flats if other.injury_flats is None else other.injury_flats,
        injury_blood_spent=other.injury_blood_spent, injury_blessing_spent=other.injury_blessing_spent,
        bloodbath=other.bloodbath,
        keywords=data.keywords if other.keywords is None else other.keywords,
        base_dice=data.base_dice if other.base_dice is None else other.base_dice,
    )  # fmt: skip


def injury_of(data: Attack, target: Target, keywords: frozenset[str], *, critical: bool) -> Injury:
    """The injury roll that a hit of this attack leads to."""
    spread = data.kind == "ranged" and "SHOTGUN" in keywords and not keywords & IGNORES["long_range"] and is_long(data)
    far = (DiceModifier(dice=-1, why=_("Long range, SHOTGUN")),) if spread else ()
    return Injury(
        dice=data.injury_dice, modifiers=(*data.injury_modifiers, *far), modifier=data.injury_modifier, modifier_why=data.injury_modifier_why,
        flats=data.injury_flats, base_dice=data.base_dice,
        armour=data.armour, shield=data.shield, unignorable_armour=data.unignorable_armour,
        ignore_armour=data.ignore_armour, critical=critical, critical_keyword=data.critical_keyword,
        melee=data.kind == "melee", diving_charge=data.kind == "melee" and data.diving_charge,
        unarmed=data.kind == "melee" and data.unarmed,
        keywords=(*data.keywords, *data.critical_keywords) if critical else data.keywords, blood_spent=data.injury_blood_spent,
        blessing_spent=data.injury_blessing_spent, bloodbath=data.bloodbath, bloodbath_cost=data.bloodbath_cost,
        more_blood=data.more_blood, more_infection=data.more_infection, reroll_below=data.reroll_below, target=target,
    )  # fmt: skip


def shot_into_melee(roller: Roller) -> Resolved:
    """Whom a shot into a melee goes at: 1-3 a friend within an inch of the target, 4-6 an enemy. Outcomes: friend, enemy."""
    face = roller.die(6, _("Shooting into melee"), (AT_ENEMY,))
    outcome = "enemy" if face >= AT_ENEMY else "friend"
    return Resolved(
        outcome, _("Shooting into melee: {face}, {outcome}.").format(face=face, outcome=outcome), (face,), (face,), face
    )
