"""Assaults: the test to attack, the test to stand, and the fight back and forth until one side is driven off.

Source: core rules, "Assaulting", "Tanks: Assault", "Unit traits".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext
from rules.trench_too_far.charts import TEAMS, moves
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import (
    FAILS,
    PASSES,
    ask_several,
    facts,
    many,
    plus,
)
from rules.trench_too_far.resolvers.inputs import (
    Assault,
    AssaultRound,
    MoraleTest,
    Motivation,
    Platoon,
    Reception,
    Sided,
)
from rules.trench_too_far.resolvers.morale import morale_test
from rules.trench_too_far.resolvers.orders import base_count

STAYS, FALLS_BACK, WINS, BEATEN, STANDS_OFF = "stays", "falls-back", "attacker-wins", "defender-wins", "goes-on"
ENDS = (STAYS, BEATEN, STANDS_OFF, FALLS_BACK, WINS)
DECIDES = 2
BACK_INCHES = 8
MOST_STEPS = 400
HEAVY_STANDS = ("hmg", "trench-mortar", "field-artillery", "artillery", "anti-tank-gun")
MOST_BASES = 20  # of one side: a platoon and all units that may join it; also limits the odds


def is_fresh(platoon: Platoon) -> bool:
    """Whether it has lost no base yet. If neither `fresh` nor its losses nor its strength at the start say so, it has lost some:
    whoever asks for the test means it."""
    if platoon.fresh is not None:
        if platoon.fresh and platoon.lost_bases:
            raise Refusal(
                gettext("A platoon that has lost bases is not fresh."),
                mend=gettext("Give one of the two."),
                code="input",
            )
        return platoon.fresh
    if platoon.lost_bases is not None:
        return platoon.lost_bases == 0
    if platoon.start_bases is not None:
        return base_count(platoon) >= platoon.start_bases
    return False


def _barred(content: HasReadings, platoon: Platoon) -> str:
    if platoon.shocked and choice(content, "shocked-assault") == "no":
        return gettext("Shocked, it only moves away.")
    if platoon.stranded:
        return gettext("Stranded, it only moves to rejoin.")
    return ""


def assault_motivation(content: HasReadings, data: Motivation, roller: Roller) -> Resolved:
    """Whether a platoon assaults. Outcomes: fails, passes. A fresh platoon rolls no die."""
    platoon = data.platoon
    barred = _barred(content, platoon)
    if barred:
        return Resolved(FAILS, barred, effects=facts(assaults=False))
    rate = moves(platoon.kind)
    inches = rate.standard_inches if platoon.shocked else rate.march_inches
    if is_fresh(platoon):
        return Resolved(
            PASSES,
            gettext("Fresh: it assaults without a roll."),
            effects=facts(assaults=True, tested=False, move_inches=inches),
        )
    close = platoon.has("close-order")
    done = morale_test(
        content,
        MoraleTest(
            quality=platoon.quality, roll=data.roll, bonus=int(close), aggressive_assault=platoon.has("aggressive")
        ),
        roller,
    )
    modifiers = tuple(
        (what, gettext("Close order") if why == gettext("Bonus") else why) for what, why in done.modifiers
    )
    if done.outcome == PASSES:
        return dataclasses.replace(
            done, told=gettext("{told} It assaults.").format(told=done.told), modifiers=modifiers,
            effects=(*done.effects, *facts(assaults=True, tested=True, move_inches=inches)),
        )  # fmt: skip
    told = gettext('{told} It stays, and may fire at enemies within 8", hitting on 6.').format(told=done.told)
    more = facts(assaults=False, tested=True, may_fire_within=8, hit_target=6)
    return dataclasses.replace(done, told=told, modifiers=modifiers, effects=(*done.effects, *more))


def assault_reception(content: HasReadings, data: Reception, roller: Roller) -> Resolved:
    """Whether a contacted defender stands. Outcomes: fails, passes. Trenches, fortifications and buildings spare the test."""
    platoon = data.defender
    if platoon.entrenched or platoon.in_building:
        return Resolved(
            PASSES, gettext("Behind works: it stands without a test."), effects=facts(stands=True, tested=False)
        )
    done = morale_test(
        content,
        MoraleTest(quality=platoon.quality, roll=data.roll, aggressive_assault=platoon.has("aggressive")),
        roller,
    )
    if done.outcome == PASSES:
        return dataclasses.replace(
            done,
            told=gettext("{told} It stands.").format(told=done.told),
            effects=(*done.effects, *facts(stands=True, tested=True)),
        )
    rate = moves(platoon.kind)
    back = rate.march_inches if choice(content, "fall-back") == "march" else rate.standard_inches
    told = gettext('{told} It falls back {back:g}" and is Shocked; no fight.').format(told=done.told, back=back)
    return dataclasses.replace(
        done, told=told, effects=(*done.effects, *facts(stands=False, tested=True, falls_back=back, shocked=True))
    )


@dataclass(frozen=True, slots=True)
class AssaultForce:
    """One side in a fight.

    `squads` and `teams` are bases. Each base rolls `each` dice, the platoon rolls `once` more, and its tanks roll
    `tanks`.
    """

    squads: int
    teams: int
    each: int
    once: int
    tanks: int
    hit: int
    touching: int | None = None

    @property
    def bases(self) -> int:
        return self.squads + self.teams

    def dice(self, left: int) -> int:
        """Attack dice with so many bases left; squads fall before weapons teams."""
        squads, teams = max(0, left - self.teams), min(left, self.teams)
        if self.touching is not None:
            squads = min(squads, self.touching)
        return squads * self.each + (self.once if left > self.teams else 0) + teams + self.tanks


def hits_on(content: HasReadings, side: Platoon) -> tuple[int, str]:
    """What its dice must show in an assault, and why."""
    if side.shocked and choice(content, "shocked-melee") == "sixes":
        return 6, gettext("Shocked")
    if side.kind == "engineers":
        return 4, gettext("Engineers")
    return (4, gettext("Close combat weapons")) if side.close_combat_weapons else (5, "")


def force_of(content: HasReadings, side: Platoon) -> AssaultForce:
    guns = (side.machine_guns,) if isinstance(side.machine_guns, int) else side.machine_guns
    if side.kind == "tank":
        guns = guns if guns is not None else (0,) * max(1, base_count(side))
        return AssaultForce(0, side.heavy_teams, 0, 0, sum(max(1, each) for each in guns), 5)
    tanks = sum(max(1, each) for each in guns) if guns is not None else 0
    if side.kind in TEAMS:
        return AssaultForce(0, base_count(side) + side.heavy_teams, 0, 0, tanks, hits_on(content, side)[0])
    each = (2 if side.kind == "cavalry" else 1) + (side.kind == "assault") + side.has("veteran")
    officer = side.outstanding_officer and (side.in_command or choice(content, "officer-reach") == "company")
    touching = side.bases_in_contact if choice(content, "assault-bases") == "touching" else None
    # Weapons that are separate bases within a platoon fight as heavy weapons teams if they are heavy.
    stands = (
        sum(base.count for base in side.bases if base.weapon in HEAVY_STANDS) if isinstance(side.bases, tuple) else 0
    )
    return AssaultForce(
        base_count(side) - stands,
        side.heavy_teams + stands,
        each,
        int(officer) + side.grenades,
        tanks,
        hits_on(content, side)[0],
        touching,
    )


def assault_dice(content: HasReadings, data: Sided, roller: Roller) -> Resolved:
    """How many dice a side throws in an assault. Outcome and `total`: that number."""
    side, force = data.side, force_of(content, data.side)
    dice = force.dice(force.bases)
    modifiers: list[tuple[str, str]] = []
    if force.squads:
        modifiers.append(
            (
                gettext("+{number} dice").format(number=force.squads * (2 if side.kind == "cavalry" else 1)),
                gettext("Cavalry") if side.kind == "cavalry" else gettext("Bases"),
            )
        )
        modifiers += [
            (gettext("+{squads} dice").format(squads=force.squads), why) for why, holds in ((gettext("Assault troops"), side.kind == "assault"), (gettext("Veteran"), side.has("veteran"))) if holds
        ]  # fmt: skip
        modifiers += [(gettext("+1 die"), gettext("Grenades"))] if side.grenades else []
        modifiers += [(gettext("+1 die"), gettext("Outstanding Officer"))] if force.once > side.grenades else []
    modifiers += (
        [(gettext("+{teams} dice").format(teams=force.teams), gettext("Heavy weapons teams"))] if force.teams else []
    )
    modifiers += (
        [(gettext("+{tanks} dice").format(tanks=force.tanks), gettext("Machine guns of tanks"))] if force.tanks else []
    )
    return Resolved(
        str(dice),
        f"{many(dice, 'attack die', 'attack dice')}.",
        total=dice,
        modifiers=tuple(modifiers),
        effects=facts(dice=dice),
    )


def assault_hit_target(content: HasReadings, data: Sided, roller: Roller) -> Resolved:
    """What a side's dice must show in an assault. Outcomes: 4+, 5+, 6+."""
    target, why = hits_on(content, data.side)
    return Resolved(
        plus(target), gettext("Each {target}{words} destroys a base.").format(target=target, words='' if target == 6 else '+'), total=target,
        modifiers=((plus(target), why),) if why else (), effects=facts(hit_target=target),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Fight:
    attacker: AssaultForce
    defender: AssaultForce
    joining: int
    per_roll: bool
    goes_on: bool
    attacker_shocked: bool


def _fight(content: HasReadings, attacker: Platoon, defender: Platoon, joining: int) -> _Fight:
    if joining and defender.order == "defend":
        raise Refusal(
            gettext("On Defend no unit moves to join a fight."), mend=gettext("Leave joining_bases out."), code="order"
        )
    if attacker.kind == "tank" and not attacker.heavy_teams:
        raise Refusal(
            gettext("Tanks do not assault infantry on their own."),
            mend=gettext("Give the infantry; tanks beside it as machine_guns."),
            code="input",
        )
    if defender.kind == "tank":
        raise Refusal(gettext("Tanks are no bases to destroy."), mend=gettext("Use tank-assault."), code="input")
    one, other = force_of(content, attacker), force_of(content, defender)
    for force, words in ((one, "attacker"), (other, "defender")):
        if not force.bases:
            raise Refusal(
                gettext("The {words} has no bases.").format(words=words), mend=gettext("Give its bases."), code="input"
            )
        if force.bases + joining > MOST_BASES:
            raise Refusal(
                gettext("The {words} has more than {most_bases} bases.").format(words=words, most_bases=MOST_BASES),
                mend=gettext("Give those that fight."),
                code="input",
            )
    return _Fight(
        one, other, joining, choice(content, "assault-casualties") == "per-roll", choice(content, "after-counterattack") == "goes-on",
        choice(content, "beaten-attacker") == "shocked",
    )  # fmt: skip


def _outcome(fight: _Fight, attacks: bool, destroyed: int, left: int, joined: int) -> str:
    """How a roll ends the fight that destroyed so many enemy bases and left so many; "" if it goes on. `joined`: bases that joined before."""
    start = fight.defender.bases + joined if attacks else fight.attacker.bases
    if left == 0 or (destroyed if fight.per_roll else start - left) >= DECIDES:
        return WINS if attacks else BEATEN
    return "" if attacks or fight.goes_on else STANDS_OFF


def _blow(fight: _Fight, attacks: bool, bases: int, enemy: int, roller: Roller) -> Resolved:
    """The dice of one side. `total`: enemy bases destroyed."""
    force = fight.attacker if attacks else fight.defender
    side = gettext("Attacker") if attacks else gettext("Defender")
    dice = force.dice(bases)
    faces = ask_several(roller, None, dice, gettext("Attack") if attacks else gettext("Counterattack"), force.hit)
    hits = tuple(face for face in faces if face >= force.hit)
    destroyed = min(len(hits), enemy)
    message = gettext("{side}: {many}, {many_2} destroyed.").format(
        side=side, many=many(dice, "die", "dice"), many_2=many(destroyed, "base")
    )
    effects = facts(side=side.lower(), dice=dice, destroyed=destroyed)
    return Resolved(str(destroyed), message, faces, hits, destroyed, (), effects)


def _resolve(fight: _Fight, roller: Roller, maximum: int | None = None) -> Resolved:
    """The fight, stopped after a maximum of rolls."""
    attacker, defender, joined = fight.attacker.bases, fight.defender.bases, 0
    steps: list[Resolved] = []
    outcome = ""
    while not outcome and (maximum is None or len(steps) < maximum):
        if len(steps) > MOST_STEPS:
            raise Refusal(gettext("This fight does not end."), code="dice")
        attacks = len(steps) % 2 == 0
        if len(steps) == 1:
            joined = fight.joining
            defender += joined
        bases, enemy = (attacker, defender) if attacks else (defender, attacker)
        blow = _blow(fight, attacks, bases, enemy, roller)
        destroyed = int(blow.outcome)
        attacker, defender = (attacker, enemy - destroyed) if attacks else (enemy - destroyed, defender)
        steps.append(blow)
        outcome = _outcome(fight, attacks, destroyed, enemy - destroyed, joined)
    outcome = outcome or STANDS_OFF
    effects = facts(
        winner={WINS: "attacker", BEATEN: "defender"}.get(outcome),
        attacker_bases_lost=fight.attacker.bases - attacker,
        defender_bases_lost=fight.defender.bases + joined - defender,
        attacker_bases_left=attacker,
        defender_bases_left=defender,
    )
    message = gettext("Not decided yet.")
    if outcome != STANDS_OFF:
        message, more = _driven_off(fight, outcome, defender if outcome == WINS else attacker)
        effects += more
    rolled = tuple(face for step in steps for face in step.rolled)
    return Resolved(
        outcome,
        " ".join([*(step.told for step in steps), message]),
        rolled,
        rolled,
        steps[-1].total,
        (),
        effects,
        tuple(steps),
        {"attacker": attacker, "defender": defender},
    )


def _driven_off(fight: _Fight, outcome: str, left: int) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """What becomes of the loser, of whom so many bases are left."""
    loser = "defender" if outcome == WINS else "attacker"
    if not left:
        return gettext("The {loser} is wiped out.").format(loser=loser), facts(loser=loser, wiped_out=loser)
    shocked = outcome == WINS or fight.attacker_shocked
    effects = facts(falls_back=BACK_INCHES, loser=loser, shocked=loser if shocked else None)
    return gettext('The {loser} falls back 8"{words}.').format(
        loser=loser, words=gettext(" and is Shocked") if shocked else ""
    ), effects


def assault_round(content: HasReadings, data: AssaultRound, roller: Roller) -> Resolved:
    """The fight from contact to its end. Outcomes: defender-wins, goes-on, attacker-wins. Dice: attacker, defender, attacker ..."""
    return _resolve(_fight(content, data.attacker, data.defender, data.joining_bases), roller, data.most_rolls)


def assault(content: HasReadings, data: Assault, roller: Roller) -> Resolved:
    """A whole assault. Outcomes: stays, defender-wins, goes-on, falls-back, attacker-wins."""
    fight = _fight(content, data.attacker, data.defender, data.joining_bases)
    steps: list[Resolved] = []
    if data.motivation:
        nerve = assault_motivation(content, Motivation(platoon=data.attacker), roller)
        steps.append(nerve)
        if nerve.outcome == FAILS:
            return Resolved(
                STAYS, nerve.told, nerve.rolled, nerve.kept, nerve.total, nerve.modifiers, nerve.effects, tuple(steps)
            )
    if data.reception:
        stand = assault_reception(content, Reception(defender=data.defender), roller)
        steps.append(stand)
        if stand.outcome == FAILS:
            rolled = tuple(face for step in steps for face in step.rolled)
            more = facts(winner="attacker", loser="defender")
            return Resolved(
                FALLS_BACK,
                stand.told,
                rolled,
                rolled,
                stand.total,
                stand.modifiers,
                (*stand.effects, *more),
                tuple(steps),
            )
    done = _resolve(fight, roller)
    rolled = tuple(face for step in steps for face in step.rolled) + done.rolled
    return dataclasses.replace(
        done,
        rolled=rolled,
        kept=rolled,
        steps=(*steps, *done.steps),
        told=" ".join([*(step.told for step in steps), done.told]),
    )


# How a fight may end: the outcome, and the bases left on either side.
_End = tuple[str, int, int]
