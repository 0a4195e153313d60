"""Melee: one round, its result, and the whole melee.

Source: core rules, Fighting in Melee; Melee and Cover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rules.custom.content import CustomContent
from rules.formatting import quantity
from rules.gloom_trench.interpretations import CHARGE_BONUS, LOSER_STRESS, MELEE_DAMAGE, SOLID_IN_MELEE, chosen
from rules.gloom_trench.resolvers import saves
from rules.gloom_trench.resolvers.activation import FRIENDS_WITHIN
from rules.gloom_trench.resolvers.dice import (
    Count,
    Die,
    Mods,
    Spent,
    TargetThrow,
    d3,
    enemy_point,
    mods,
    own_point,
    thrown,
)
from rules.gloom_trench.resolvers.inputs import Rolling, effects
from rules.gloom_trench.resolvers.units import Cover, Group, Suffered, Unit
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.odds import Odds, successes
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext

MOST_ROUNDS = 1000
MOST_MODELS = 60
MOST_BITS = 10_000  # of a fraction: one with more than about 4300 digits is not written out
ROUND = ("lose", "draw", "win")
SAVE_OF_DEFENDER, SAVE_OF_ACTIVE = gettext("Save of the defender"), gettext("Save of the active unit")


class MeleeUnit(Unit, frozen=True, kw_only=True):
    """A unit in melee. Models with their own `combat` or `defence` roll that die.

    `cover` is the cover it is in. `tp`: own points on its pool, `save_tp` on its saves; `opponent_tp` and
    `save_opponent_tp`: the enemy's points against them; `discard`: its Stress tokens that the enemy discards. Points
    and tokens are those of this round; in a whole melee, of the first round. Profiles lose models in the order given.
    """

    attack_die: Die | None = None
    tp: Spent = False
    opponent_tp: Spent = False
    dice_mods: Mods = 0
    roll_mods: Mods = 0
    save_tp: Spent = False
    save_opponent_tp: Spent = False
    save_dice_mods: Mods = 0
    save_roll_mods: Mods = 0
    discard: bool | Annotated[int, Meta(ge=0, le=60)] = False


class MeleeRound(Rolling, frozen=True, kw_only=True):
    """A round of melee: the active unit and the defending one.

    `charge`: the active unit has charged; `braced` (or `reaction`): the defender has spent a point on Brace; `round`:
    the number of the round in the melee. `cover`: the defender's. `moves`: roll the D3 of both for models that are
    not near an enemy.
    """

    active: MeleeUnit
    defender: MeleeUnit
    charge: bool = True
    braced: bool = False
    reaction: Literal["none", "brace", "brace-for-melee", "hold-and-shoot"] = "none"
    round: Annotated[int, Meta(ge=1, le=1000)] = 1
    cover: Cover = "none"
    moves: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """One side before it rolls: dice by throw, its saving roll without hits, its Damage."""

    pools: tuple[tuple[int, TargetThrow], ...]
    save: saves.Save


def _covered(side: MeleeUnit, otherwise: Cover) -> Cover:
    return side.cover if side.cover != "none" else otherwise


def ready(content: CustomContent, data: MeleeRound, is_active: bool) -> Ready:
    """One side's pool and saving roll. Raises Refusal if a die is missing in the input."""
    side, enemy = (data.active, data.defender) if is_active else (data.defender, data.active)
    own = _covered(side, "none" if is_active else data.cover)
    theirs = _covered(enemy, data.cover if is_active else "none")
    where = "active" if is_active else "defender"
    if side.size > MOST_MODELS:
        raise Refusal(
            gettext("At most {most_models} models fight on a side.").format(most_models=MOST_MODELS), code="input"
        )
    roll: list[tuple[int, str]] = []
    if is_active and _has_charge_bonus(content, data):
        roll.append((1, gettext("Charge")))
    if theirs == "solid" and (is_active or chosen(content, SOLID_IN_MELEE) == "both"):
        roll.append((-1, gettext("Solid cover")))
    roll += [*enemy_point(content, side.opponent_tp, side.stress), *mods(side.roll_mods, gettext("special rule"))]
    dice = (*mods(side.dice_mods, gettext("special rule")), *own_point(content, side.tp))
    pools: Counter[Die] = Counter()
    for group in side.groups:
        pools[_die_of(side, group, is_active)] += group.count
    if side.save is None:
        raise Refusal(
            gettext("Its Save is not given (at $.{where}.save).").format(where=where),
            mend=gettext("Give D6, D8 or D12."),
            code="input",
        )
    save = saves.Save(
        hits=0,
        save_die=side.save,
        dice_mods=side.save_dice_mods,
        roll_mods=side.save_roll_mods,
        cover=own,
        melee=True,
        dug_in=side.dug_in,
        tp=side.save_tp,
        opponent_tp=side.save_opponent_tp,
        discard=side.discard,
        stress=side.stress,
        damage=enemy.damage,
    )
    saves.save_throw(content, save)
    return Ready(tuple((count, thrown(content, die, dice, tuple(roll))) for die, count in pools.items()), save)


def _has_charge_bonus(content: CustomContent, data: MeleeRound) -> bool:
    if not data.charge or data.braced or data.reaction.startswith("brace"):
        return False
    return data.round == 1 or chosen(content, CHARGE_BONUS) == "every-round"


def _die_of(side: MeleeUnit, group: Group, is_active: bool) -> Die:
    """What the models of a profile roll. Raises Refusal if the input does not say."""
    die = (group.combat or side.combat) if is_active else (group.defence or side.defence)
    die = die or side.attack_die
    if die is None:
        stat = "$.active.combat" if is_active else "$.defender.defence"
        raise Refusal(
            gettext("What its models roll is not given (at {stat}).").format(stat=stat),
            mend=gettext("Give D6, D8 or D12."),
            code="input",
        )
    return die


def after(side: MeleeUnit, damage: int) -> tuple[tuple[Group, ...], int, int | None, int]:
    """Its profiles with the models that are left, the damage recorded, on which of them, and the models lost."""
    groups = side.groups
    order = tuple(place for place, group in enumerate(groups) if group.count)
    names = [group.name for group in groups]
    bears = names.index(side.recorded_on) if side.recorded_on in names else order[0] if order else None
    done = saves.allocated(groups, side.wounds, side.recorded_damage, bears, damage, order)
    left = tuple(
        msgspec.structs.replace(group, count=group.count - lost) for group, lost in zip(groups, done.lost, strict=True)
    )
    return left, done.recorded, done.recorded_on, sum(done.lost)


def capacity(side: MeleeUnit) -> int:
    """Damage its models can still take."""
    return sum(group.count * (group.wounds or side.wounds) for group in side.groups) - side.recorded_damage


def compared(
    content: CustomContent,
    to_active: int,
    to_defender: int,
    can_active: int | None = None,
    can_defender: int | None = None,
) -> str:
    """Win, draw or lose as the active unit sees it, by the damage both took, bounded by what a unit could take if the reading says so.

    Source: core rules, Check for a Winner."""
    if chosen(content, MELEE_DAMAGE) == "counted":
        to_active = to_active if can_active is None else min(to_active, can_active)
        to_defender = to_defender if can_defender is None else min(to_defender, can_defender)
    return "draw" if to_active == to_defender else "win" if to_defender > to_active else "lose"


def settled(by_damage: str, active_left: int, defender_left: int) -> str:
    """What follows from it: win, lose, draw (another round) or both-gone.

    The loser leaves the table. A winner without models is gone as well; after a draw a side without models has lost.

    Source: core rules, Drawn Melee; Remove Losing Unit.
    """
    if by_damage == "draw":
        if active_left and defender_left:
            return "draw"
        return "win" if active_left else "lose" if defender_left else "both-gone"
    winner_left = active_left if by_damage == "win" else defender_left
    return by_damage if winner_left else "both-gone"


RESULT_WORDS: Mapping[str, str] = {
    "win": gettext("the active unit wins, the defender is removed"),
    "lose": gettext("the defender wins, the active unit is removed"),
    "draw": gettext("a draw, another round follows at once"),
    "both-gone": gettext("both are gone"),
    "stalemate": gettext("neither can hurt the other"),
}
REMOVED: Mapping[str, list[str]] = {"win": ["defender"], "lose": ["active"], "both-gone": ["active", "defender"]}


class MeleeResult(RuleInput, frozen=True, kw_only=True):
    """Damage both units took in a round, and their models after it.

    `..._capacity`: damage they could take, if a table compares that.
    """

    damage_to_active: Suffered
    damage_to_defender: Suffered
    active_left: Count = 1
    defender_left: Count = 1
    active_capacity: Suffered | None = None
    defender_capacity: Suffered | None = None


def _following(content: CustomContent, outcome: str) -> dict[str, Any]:
    removed = REMOVED.get(outcome)
    stressed = bool(removed) and chosen(content, LOSER_STRESS) == "yes"
    return {
        "result": outcome,
        "removed": removed,
        "winner": {"win": "active", "lose": "defender"}.get(outcome),
        "loser": {"win": "defender", "lose": "active"}.get(outcome),
        "another_round": outcome == "draw",
        "friends_stress": 1 if stressed else None,
        "friends_within": FRIENDS_WITHIN if stressed else None,
    }


def melee_result(content: CustomContent, data: MeleeResult, roller: Roller) -> Resolved:
    by_damage = compared(
        content, data.damage_to_active, data.damage_to_defender, data.active_capacity, data.defender_capacity
    )
    outcome = settled(by_damage, data.active_left, data.defender_left)
    words = RESULT_WORDS[outcome]
    return Resolved(
        outcome, f"{words[0].upper()}{words[1:]}.", total=data.damage_to_defender - data.damage_to_active,
        effects=effects(**_following(content, outcome)),
    )  # fmt: skip


def _hits(who: str, side: Ready, roller: Roller) -> tuple[tuple[int, ...], tuple[int, ...]]:
    faces: list[int] = []
    kept: list[int] = []
    for count, throw in side.pools:
        fell = roller.several(count, throw.sides, throw.why(gettext("{who}, melee").format(who=who)), throw.cuts[-1:])
        faces += fell
        kept += throw.kept(fell)
    return tuple(faces), tuple(kept)


def _hit_told(faces: tuple[int, ...], kept: tuple[int, ...], side: Ready) -> Resolved:
    throw = side.pools[0][1]
    return Resolved(
        str(len(kept)), f"{quantity(len(kept), 'hit')}.", faces, kept, len(kept), throw.modifiers,
        effects(hits=len(kept), die=throw.die, modifier=throw.modifier),
    )  # fmt: skip


def _face_to_face(content: CustomContent, data: MeleeRound) -> tuple[Ready, Ready]:
    """Both sides with their pools. Raises Refusal if one has no model."""
    if not data.active.size or not data.defender.size:
        raise Refusal(
            gettext("Both sides need a model to fight a round."), mend=gettext("Give their models."), code="input"
        )
    return ready(content, data, True), ready(content, data, False)


def one_round(content: CustomContent, data: MeleeRound, roller: Roller) -> tuple[Resolved, MeleeUnit, MeleeUnit]:
    """A round, and both sides as they are behind it (Stress, models, recorded damage)."""
    active, defender = _face_to_face(content, data)
    steps: list[Resolved] = []
    if data.moves:
        for who in (gettext("Defence move"), gettext("Attack move")):
            face = roller.several(1, 6, who)[0]
            steps.append(Resolved(str(d3(face)), f"{who}: {d3(face)} MU.", (face,), (face,), d3(face)))
    faces_a, kept_a = _hits(gettext("Active unit"), active, roller)
    faces_d, kept_d = _hits(gettext("Defender"), defender, roller)
    save_d = msgspec.structs.replace(defender.save, hits=len(kept_a))
    save_a = msgspec.structs.replace(active.save, hits=len(kept_d))
    done_d, throw_d = saves.saved(content, save_d, roller, SAVE_OF_DEFENDER)
    done_a, throw_a = saves.saved(content, save_a, roller, SAVE_OF_ACTIVE)
    new_a, new_d = _behind(data.active, done_a), _behind(data.defender, done_d)
    by_damage = compared(content, done_a.damage, done_d.damage, capacity(data.active), capacity(data.defender))
    outcome = settled(by_damage, new_a.size, new_d.size)
    later = _later(msgspec.structs.replace(data, active=new_a, defender=new_d))
    stuck = outcome == "draw" and _hopeless(ready(content, later, True), ready(content, later, False))
    told_a, told_d = (
        saves.told_save(content, save_a, done_a, throw_a),
        saves.told_save(content, save_d, done_d, throw_d),
    )
    steps += [_hit_told(faces_a, kept_a, active), _hit_told(faces_d, kept_d, defender), told_d, told_a]
    follows = RESULT_WORDS["stalemate" if stuck else outcome]
    words = gettext("The active unit takes {damage} damage, the defender {done_d_damage}: {follows}.").format(
        damage=done_a.damage, done_d_damage=done_d.damage, follows=follows
    )
    result = Resolved(
        by_damage, words, tuple(f for step in steps for f in step.rolled), tuple(f for step in steps for f in step.kept),
        done_d.damage - done_a.damage,
        (*_of(active.pools[0][1], "active"), *_of(defender.pools[0][1], "defender"), *_of(throw_d, gettext("defender's save")),
         *_of(throw_a, gettext("active unit's save"))),
        effects(
            hits_active=len(kept_a), hits_defender=len(kept_d), saved_active=len(done_a.kept),
            saved_defender=len(done_d.kept), damage_to_active=done_a.damage, damage_to_defender=done_d.damage,
            stress_active=done_a.gained, stress_defender=done_d.gained,
            models_lost_active=data.active.size - new_a.size, models_lost_defender=data.defender.size - new_d.size,
            active_left=new_a.size, defender_left=new_d.size,
            recorded_active=new_a.recorded_damage, recorded_defender=new_d.recorded_damage,
            stalemate=True if stuck else None, **{**_following(content, outcome), **({"another_round": False} if stuck else {})},
        ),
        tuple(steps),
    )  # fmt: skip
    return result, new_a, new_d


def _of(throw: TargetThrow | None, whose: str) -> tuple[tuple[str, str], ...]:
    """The modifiers of a throw, each with whose throw it is."""
    return tuple((what, f"{why} ({whose})") for what, why in throw.modifiers) if throw else ()


def _behind(side: MeleeUnit, done: saves.Settled) -> MeleeUnit:
    left, recorded, on, _ = after(side, done.damage)
    stress = None if side.stress is None else side.stress - done.discarded + done.gained
    return msgspec.structs.replace(
        side, models=left, recorded_damage=recorded, stress=stress,
        recorded_on=left[on].name if on is not None else None,
    )  # fmt: skip


def _hopeless(active: Ready, defender: Ready) -> bool:
    return not any(throw.odds for side in (active, defender) for count, throw in side.pools if count)


def melee_round(content: CustomContent, data: MeleeRound, roller: Roller) -> Resolved:
    """One round of melee. The outcome goes by the damage; the effect `result` says what follows from it."""
    return one_round(content, data, roller)[0]


def _later(data: MeleeRound) -> MeleeRound:
    """The same melee behind its first round: points and discarded tokens are spent."""
    spent: Mapping[str, Any] = {
        "tp": False, "opponent_tp": False, "save_tp": False, "save_opponent_tp": False, "discard": False,
    }  # fmt: skip
    return msgspec.structs.replace(
        data, active=msgspec.structs.replace(data.active, **spent),
        defender=msgspec.structs.replace(data.defender, **spent), round=data.round + 1,
    )  # fmt: skip


def melee(content: CustomContent, data: MeleeRound, roller: Roller) -> Resolved:
    """Round after round until a side wins or both are gone; at once a stalemate where neither can ever hit."""
    steps: list[Resolved] = []
    for _ in range(MOST_ROUNDS):
        if _hopeless(ready(content, data, True), ready(content, data, False)) and (
            steps or _hopeless(ready(content, _later(data), True), ready(content, _later(data), False))
        ):
            return _told("stalemate", steps, data)
        done, active, defender = one_round(content, data, roller)
        steps.append(done)
        data = _later(msgspec.structs.replace(data, active=active, defender=defender))
        outcome = str(done.effect("result"))
        if outcome != "draw":
            return _told(outcome, steps, data)
    raise Refusal(gettext("This melee does not come to an end."), mend=gettext("Give its dice."), code="odds")


def _told(outcome: str, steps: list[Resolved], data: MeleeRound) -> Resolved:
    last = steps[-1].effects if steps else effects(stalemate=True)
    return Resolved(
        outcome, gettext("After {quantity}: {result_words}.").format(quantity=quantity(len(steps), 'round'), result_words=RESULT_WORDS[outcome]),
        tuple(f for step in steps for f in step.rolled), tuple(f for step in steps for f in step.kept), len(steps), (),
        (*effects(rounds=len(steps)), *last), tuple(steps),
    )  # fmt: skip


def spread(content: CustomContent, attacker: Ready, target: Ready) -> tuple[Fraction, ...]:
    """How many saves of the target fail."""
    through = 1 - saves.save_throw(content, target.save).odds
    return successes(*((count, throw.odds * through) for count, throw in attacker.pools))


def round_ways(content: CustomContent, data: MeleeRound) -> dict[tuple[str, int], Fraction]:
    """What a round comes to: (outcome, damage that counts on both where it is a draw, else 0) with its odds."""
    active, defender = ready(content, data, True), ready(content, data, False)
    to_active, to_defender = spread(content, defender, active), spread(content, active, defender)
    can_a, can_d = capacity(data.active), capacity(data.defender)
    left_a = [after(data.active, failed * data.defender.damage) for failed in range(len(to_active))]
    left_d = [after(data.defender, failed * data.active.damage) for failed in range(len(to_defender))]
    size_a = [sum(group.count for group in left[0]) for left in left_a]
    size_d = [sum(group.count for group in left[0]) for left in left_d]
    found: dict[tuple[str, int], Fraction] = {}
    for i, one in enumerate(to_active):
        for j, other in enumerate(to_defender):
            if one and other:
                hurt_a, hurt_d = i * data.defender.damage, j * data.active.damage
                outcome = settled(compared(content, hurt_a, hurt_d, can_a, can_d), size_a[i], size_d[j])
                key = (outcome, hurt_a if outcome == "draw" else 0)
                found[key] = found.get(key, Fraction(0)) + one * other
    return found


def melee_round_odds(content: CustomContent, data: MeleeRound) -> Odds:
    """Who takes more damage in the first round: lose, draw, win. Whether the winner lives to see it is told by the odds of the melee."""
    active, defender = _face_to_face(content, data)
    can = capacity(data.active), capacity(data.defender)
    found: dict[str, Fraction] = {}
    for i, one in enumerate(spread(content, defender, active)):
        for j, other in enumerate(spread(content, active, defender)):
            if one and other:
                outcome = compared(content, i * data.defender.damage, j * data.active.damage, *can)
                found[outcome] = found.get(outcome, Fraction(0)) + one * other
    return Odds({name: found[name] for name in ROUND if name in found}, {0: Fraction(1)})


def melee_odds(content: CustomContent, data: MeleeRound) -> Odds:
    """The whole melee by recursion: both sides of a draw have taken the same damage, so that it alone tells how matters stand.

    A round that changes nothing is divided out; where it is certain, neither can hurt the other.
    """
    _face_to_face(content, data)
    reached: dict[int, Fraction] = {0: Fraction(1)}
    ends: dict[str, Fraction] = {}
    first = True
    while reached:
        hurt = min(reached)
        share = reached.pop(hurt)
        if share.denominator.bit_length() > MOST_BITS:
            raise Refusal(
                gettext("This has too many ways to go for exact odds."),
                mend=gettext("Ask with fewer models."),
                code="odds",
            )
        now = data if first else _standing(data, hurt)
        ways = round_ways(content, now)
        if first and ("draw", 0) in ways:
            reached[0] = share * ways.pop(("draw", 0))
        else:
            again = ways.pop(("draw", 0), Fraction(0))
            if again == 1:
                ends["stalemate"] = ends.get("stalemate", Fraction(0)) + share
                continue
            share /= 1 - again
        for (outcome, damage), odds in ways.items():
            if outcome == "draw":
                reached[hurt + damage] = reached.get(hurt + damage, Fraction(0)) + share * odds
            else:
                ends[outcome] = ends.get(outcome, Fraction(0)) + share * odds
        first = False
    order = ("lose", "win", "both-gone", "stalemate")
    return Odds({name: ends[name] for name in order if name in ends}, {0: Fraction(1)})


def _standing(data: MeleeRound, hurt: int) -> MeleeRound:
    """The melee after draws in which both sides took that much damage in all."""
    now = _later(data)
    sides: dict[str, MeleeUnit] = {}
    for name, side in (("active", now.active), ("defender", now.defender)):
        left, recorded, on, _ = after(side, hurt)
        sides[name] = msgspec.structs.replace(
            side, models=left, recorded_damage=recorded, recorded_on=left[on].name if on is not None else None
        )  # fmt: skip
    return msgspec.structs.replace(now, **sides)
