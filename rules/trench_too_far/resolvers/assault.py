"""Assaults: the nerve to attack, the nerve to stand, and the fight that goes to and fro until one side is driven off.

Source: core rules, "Assaulting", "Tanks: Assault", "Unit traits".
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.trench_too_far.charts import QUALITY, TEAMS, moves
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import (
    FAILS,
    PASSES,
    TroopOdds,
    ask_several,
    binomial,
    chance_of,
    facts,
    in_order,
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
MOST_BASES = 20  # of one side: a platoon and all that may join it, and a bound for the odds


def is_fresh(platoon: Platoon) -> bool:
    """Whether it has lost no base yet. Where neither `fresh`, its losses nor its strength at the start tell, it tests like one that lost some:
    who asks for the test means it."""
    if platoon.fresh is not None:
        if platoon.fresh and platoon.lost_bases:
            raise Refusal("A platoon that has lost bases is not fresh.", mend="Tell one of the two.", code="input")
        return platoon.fresh
    if platoon.lost_bases is not None:
        return platoon.lost_bases == 0
    if platoon.start_bases is not None:
        return base_count(platoon) >= platoon.start_bases
    return False


def _barred(content: HasReadings, platoon: Platoon) -> str:
    if platoon.shocked and choice(content, "shocked-assault") == "no":
        return "Shocked, it only moves away."
    if platoon.stranded:
        return "Stranded, it only moves to rejoin."
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
            PASSES, "Fresh: it assaults without a roll.", effects=facts(assaults=True, tested=False, move_inches=inches)
        )
    close = platoon.has("close-order")
    done = morale_test(
        content,
        MoraleTest(
            quality=platoon.quality, roll=data.roll, bonus=int(close), aggressive_assault=platoon.has("aggressive")
        ),
        roller,
    )
    modifiers = tuple((what, "Close order" if why == "Bonus" else why) for what, why in done.modifiers)
    if done.outcome == PASSES:
        return dataclasses.replace(
            done, told=f"{done.told} It assaults.", modifiers=modifiers,
            effects=(*done.effects, *facts(assaults=True, tested=True, move_inches=inches)),
        )  # fmt: skip
    told = f'{done.told} It stays, and may fire at enemies within 8", hitting on 6.'
    more = facts(assaults=False, tested=True, may_fire_within=8, hit_target=6)
    return dataclasses.replace(done, told=told, modifiers=modifiers, effects=(*done.effects, *more))


def assault_reception(content: HasReadings, data: Reception, roller: Roller) -> Resolved:
    """Whether a contacted defender stands. Outcomes: fails, passes. Trenches, fortifications and buildings spare the test."""
    platoon = data.defender
    if platoon.entrenched or platoon.in_building:
        return Resolved(PASSES, "Behind works: it stands without a test.", effects=facts(stands=True, tested=False))
    done = morale_test(
        content,
        MoraleTest(quality=platoon.quality, roll=data.roll, aggressive_assault=platoon.has("aggressive")),
        roller,
    )
    if done.outcome == PASSES:
        return dataclasses.replace(
            done, told=f"{done.told} It stands.", effects=(*done.effects, *facts(stands=True, tested=True))
        )
    rate = moves(platoon.kind)
    back = rate.march_inches if choice(content, "fall-back") == "march" else rate.standard_inches
    told = f'{done.told} It falls back {back:g}" and is Shocked; no fight.'
    return dataclasses.replace(
        done, told=told, effects=(*done.effects, *facts(stands=False, tested=True, falls_back=back, shocked=True))
    )


@dataclass(frozen=True, slots=True)
class AssaultForce:
    """One side as it fights: `squads` and `teams` are bases; a base throws `each`, the platoon `once` more, its tanks `tanks`."""

    squads: int
    teams: int
    each: int
    once: int
    tanks: int
    hit: int
    touching: int | None = None

    @property
    def bases(self) -> int:
        """Bases at the start."""
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
        return 6, "Shocked"
    if side.kind == "engineers":
        return 4, "Engineers"
    return (4, "Close combat weapons") if side.close_combat_weapons else (5, "")


def force_of(content: HasReadings, side: Platoon) -> AssaultForce:
    """A platoon as it fights."""
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
    # Weapons that stand among the bases of a platoon as bases of their own fight as heavy weapons teams where they are heavy.
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
                f"+{force.squads * (2 if side.kind == 'cavalry' else 1)} dice",
                "Cavalry" if side.kind == "cavalry" else "Bases",
            )
        )
        modifiers += [
            (f"+{force.squads} dice", why) for why, holds in (("Assault troops", side.kind == "assault"), ("Veteran", side.has("veteran"))) if holds
        ]  # fmt: skip
        modifiers += [("+1 die", "Grenades")] if side.grenades else []
        modifiers += [("+1 die", "Outstanding Officer")] if force.once > side.grenades else []
    modifiers += [(f"+{force.teams} dice", "Heavy weapons teams")] if force.teams else []
    modifiers += [(f"+{force.tanks} dice", "Machine guns of tanks")] if force.tanks else []
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
        plus(target), f"Each {target}{'' if target == 6 else '+'} destroys a base.", total=target,
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
        raise Refusal("On Defend nobody moves to join a fight.", mend="Leave joining_bases out.", code="order")
    if attacker.kind == "tank" and not attacker.heavy_teams:
        raise Refusal(
            "Tanks do not assault infantry on their own.",
            mend="Tell the infantry; tanks beside it as machine_guns.",
            code="input",
        )
    if defender.kind == "tank":
        raise Refusal("Tanks are no bases to destroy.", mend="Use tank-assault.", code="input")
    one, other = force_of(content, attacker), force_of(content, defender)
    for force, words in ((one, "attacker"), (other, "defender")):
        if not force.bases:
            raise Refusal(f"The {words} has no bases.", mend="Tell its bases.", code="input")
        if force.bases + joining > MOST_BASES:
            raise Refusal(f"The {words} has more than {MOST_BASES} bases.", mend="Tell those that fight.", code="input")
    return _Fight(
        one, other, joining, choice(content, "assault-casualties") == "per-roll", choice(content, "after-counterattack") == "goes-on",
        choice(content, "beaten-attacker") == "shocked",
    )  # fmt: skip


def _beaten(fight: _Fight, destroyed: int, lost: int, left: int) -> bool:
    """Whether a side breaks that lost so many in this roll, so many in all, and has so many left."""
    return left == 0 or (destroyed if fight.per_roll else lost) >= DECIDES


def _resolve(fight: _Fight, roller: Roller, most: int | None = None) -> Resolved:
    attacker, defender, joined = fight.attacker.bases, fight.defender.bases, 0
    steps: list[Resolved] = []
    rolled: tuple[int, ...] = ()
    winner = ""
    while not winner:
        if most is not None and len(steps) >= most:
            winner = STANDS_OFF
            break
        if len(steps) > MOST_STEPS:
            raise Refusal("This fight does not end.", code="dice")
        attacks = len(steps) % 2 == 0
        if not attacks and len(steps) == 1:
            joined = fight.joining
            defender += joined
        force, left = (fight.attacker, attacker) if attacks else (fight.defender, defender)
        dice = force.dice(left)
        faces = ask_several(roller, None, dice, "Attack" if attacks else "Counterattack", force.hit)
        hits = sum(face >= force.hit for face in faces)
        rolled += faces
        enemy = defender if attacks else attacker
        destroyed = min(hits, enemy)
        enemy -= destroyed
        whole = (fight.defender.bases + joined) if attacks else fight.attacker.bases
        if attacks:
            defender = enemy
        else:
            attacker = enemy
        who = "Attacker" if attacks else "Defender"
        steps.append(
            Resolved(
                str(destroyed), f"{who}: {many(dice, 'die', 'dice')}, {many(destroyed, 'base')} destroyed.", faces,
                tuple(face for face in faces if face >= force.hit), destroyed, (), facts(side=who.lower(), dice=dice, destroyed=destroyed),
            )
        )  # fmt: skip
        if _beaten(fight, destroyed, whole - enemy, enemy):
            winner = WINS if attacks else BEATEN
        elif not attacks and not fight.goes_on:
            winner = STANDS_OFF
    attacker_lost, defender_lost = fight.attacker.bases - attacker, fight.defender.bases + joined - defender
    loser_left = defender if winner == WINS else attacker
    told = facts(
        winner={WINS: "attacker", BEATEN: "defender"}.get(winner), attacker_bases_lost=attacker_lost, defender_bases_lost=defender_lost,
        attacker_bases_left=attacker, defender_bases_left=defender,
    )  # fmt: skip
    if winner == STANDS_OFF:
        words = "Not decided yet."
    else:
        loser = "defender" if winner == WINS else "attacker"
        shocked = loser_left > 0 and (winner == WINS or fight.attacker_shocked)
        if loser_left:
            told += facts(falls_back=BACK_INCHES, loser=loser, shocked=loser if shocked else None)
            words = f'The {loser} falls back 8"{" and is Shocked" if shocked else ""}.'
        else:
            told += facts(loser=loser, wiped_out=loser)
            words = f"The {loser} is wiped out."
    return Resolved(
        winner, " ".join([*(step.told for step in steps), words]), rolled, rolled, steps[-1].total, (), told, tuple(steps),
        {"attacker": attacker, "defender": defender},
    )  # fmt: skip


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


# Where a fight may end: the outcome, and the bases left on either side.
_End = tuple[str, int, int]


def fight_odds(fight: _Fight, most: int | None = None) -> dict[_End, Fraction]:
    """How a fight ends, exactly: forwards over the bases left, with the exchange in which nobody falls divided out.

    `most`: stopped after so many rolls. Raises Refusal where neither side has dice.
    """
    if most is not None:
        return _bounded(fight, most)
    ends: dict[_End, Fraction] = {}
    weights: dict[tuple[int, int], Fraction] = {}

    def end(outcome: str, attacker: int, defender: int, share: Fraction) -> None:
        key = (outcome, attacker, defender)
        ends[key] = ends.get(key, Fraction(0)) + share

    def exchange(attacker: int, defender: int, weight: Fraction, joining: int, known: int) -> None:
        """One attack and the counterattack it leaves; `joining` come between, `known` have joined before."""
        attack = _falls(fight, fight.attacker, fight.attacker.dice(attacker), defender, fight.defender.bases + known)
        counters = {
            left: _falls(fight, fight.defender, fight.defender.dice(left + joining), attacker, fight.attacker.bases)
            for left, _, beaten in attack
            if not beaten
        }
        if not joining:
            idle = sum(
                (
                    share * again
                    for left, share, beaten in attack
                    if left == defender and not beaten
                    for now, again, lost in counters[left]
                    if now == attacker and not lost and fight.goes_on
                ),
                Fraction(0),
            )
            if idle == 1:
                raise Refusal("Neither side has dice: this fight does not end.", code="odds")
            weight /= 1 - idle
        for left, share, beaten in attack:
            if beaten:
                end(WINS, attacker, left, weight * share)
                continue
            for now, again, lost in counters[left]:
                part = weight * share * again
                if lost:
                    end(BEATEN, now, left + joining, part)
                elif not fight.goes_on:
                    end(STANDS_OFF, now, left + joining, part)
                elif joining or (now, left) != (attacker, defender):
                    state = (now, left + joining)
                    weights[state] = weights.get(state, Fraction(0)) + part

    if fight.joining:
        exchange(fight.attacker.bases, fight.defender.bases, Fraction(1), fight.joining, 0)
    else:
        weights[fight.attacker.bases, fight.defender.bases] = Fraction(1)
    while weights:
        state = max(weights, key=sum)  # whoever has most left cannot be reached from what is left
        exchange(*state, weights.pop(state), 0, fight.joining)
    return ends


def _falls(fight: _Fight, force: AssaultForce, dice: int, enemy: int, whole: int) -> list[tuple[int, Fraction, bool]]:
    """What a roll leaves of an enemy with so many bases of so many: (left, odds, whether it is beaten)."""
    hits = binomial(dice, chance_of(force.hit))
    shares = (*hits[:enemy], sum(hits[enemy:], Fraction(0))) if enemy < len(hits) else hits
    return [
        (enemy - k, share, _beaten(fight, k, whole - (enemy - k), enemy - k)) for k, share in enumerate(shares) if share
    ]


def _bounded(fight: _Fight, most: int) -> dict[_End, Fraction]:
    """The same, stopped after so many rolls."""
    states = {(fight.attacker.bases, fight.defender.bases): Fraction(1)}
    ends: dict[_End, Fraction] = {}
    joined = 0
    for step in range(most):
        attacks = step % 2 == 0
        following: dict[tuple[int, int], Fraction] = {}
        if step == 1:
            joined = fight.joining
            states = {(attacker, defender + joined): share for (attacker, defender), share in states.items()}
        for (attacker, defender), share in states.items():
            force, left, enemy = (
                (fight.attacker, attacker, defender) if attacks else (fight.defender, defender, attacker)
            )
            whole = fight.defender.bases + joined if attacks else fight.attacker.bases
            for hits, each in enumerate(binomial(force.dice(left), chance_of(force.hit))):
                destroyed = min(hits, enemy)
                now = enemy - destroyed
                state = (attacker, now) if attacks else (now, defender)
                beaten = _beaten(fight, destroyed, whole - now, now)
                if beaten or (not attacks and not fight.goes_on):
                    end = ((WINS if attacks else BEATEN) if beaten else STANDS_OFF, *state)
                    ends[end] = ends.get(end, Fraction(0)) + share * each
                else:
                    following[state] = following.get(state, Fraction(0)) + share * each
        states = following
    for state, share in states.items():
        key = (STANDS_OFF, *state)
        ends[key] = ends.get(key, Fraction(0)) + share
    return ends


def _told(fight: _Fight, ends: dict[_End, Fraction], before: dict[str, Fraction] | None = None) -> TroopOdds:
    """Ends as odds: outcomes, and beside them the mean losses of both sides and how likely either is wiped out."""
    found = dict(before or {})
    also = {
        name: Fraction(0)
        for name in ("attacker_wiped_out", "defender_wiped_out", "attacker_bases_lost", "defender_bases_lost")
    }
    for (outcome, attacker, defender), share in ends.items():
        found[outcome] = found.get(outcome, Fraction(0)) + share
        also["attacker_wiped_out"] += share if not attacker else 0
        also["defender_wiped_out"] += share if not defender else 0
        also["attacker_bases_lost"] += share * (fight.attacker.bases - attacker)
        also["defender_bases_lost"] += (
            share * (fight.defender.bases + fight.joining - defender) if not fight.joining else 0
        )
    if fight.joining:
        del also["defender_bases_lost"]
    if before is not None:
        also = {"attacker_prevails": found.get(WINS, Fraction(0)) + found.get(FALLS_BACK, Fraction(0)), **also}
    return in_order(found, ENDS, also)


def assault_round_odds(content: HasReadings, data: AssaultRound) -> TroopOdds:
    """How the fight ends."""
    fight = _fight(content, data.attacker, data.defender, data.joining_bases)
    return _told(fight, fight_odds(fight, data.most_rolls))


def _nerve(content: HasReadings, platoon: Platoon, bonus: int) -> Fraction:
    target = 2 if platoon.has("aggressive") else QUALITY[platoon.quality]
    if choice(content, "natural-faces") == "settle":
        return Fraction(sum((face >= target - bonus and face != 1) or face == 6 for face in range(1, 7)), 6)
    return chance_of(target - bonus)


def assault_odds(content: HasReadings, data: Assault) -> TroopOdds:
    """How a whole assault ends; `attacker_prevails` beside: motivation times (falls back, or stands and is beaten)."""
    fight = _fight(content, data.attacker, data.defender, data.joining_bases)
    goes = Fraction(1)
    if data.motivation:
        if _barred(content, data.attacker):
            goes = Fraction(0)
        elif not is_fresh(data.attacker):
            goes = _nerve(content, data.attacker, int(data.attacker.has("close-order")))
    stands = Fraction(1)
    if data.reception and not data.defender.entrenched and not data.defender.in_building:
        stands = _nerve(content, data.defender, 0)
    ends = {end: share * goes * stands for end, share in fight_odds(fight).items()} if goes and stands else {}
    return _told(fight, ends, {STAYS: 1 - goes, FALLS_BACK: goes * (1 - stands)})
