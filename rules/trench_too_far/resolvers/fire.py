"""Fire at troops: who may be fired at, how many dice, what hits, what saves, what jams, and the shock it leaves.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Heavy infantry", "Shock and Disruption", "Advance", "Unit traits".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from msgspec import UNSET

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.odds import many_faces
from rules.resolvers.roller import Resolved, Roller
from rules.trench_too_far.charts import (
    HEAVY_TEAMS,
    NAMES,
    PLATOON_WEAPON,
    SAVE,
    TANK_WEAPON,
    TEAMS,
    WEAPON,
    ChartWeapon,
)
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import (
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
from rules.trench_too_far.resolvers.inputs import (  # fmt: skip
    AddFire,
    Base,
    Fire,
    FireDice,
    HitTarget,
    IndirectLegal,
    Jam,
    LegalTarget,
    Order,
    Platoon,
    Position,
    ResolveFire,
    SaveTarget,
    Shock,
    Tolerance,
)
from rules.trench_too_far.resolvers.orders import base_count

MOST_DICE = 120  # of one attack: far beyond what a table sees, and a bound for its odds
JAM_ONES = 3
CLOSE_INCHES = 8
FREE_OF_ADVANCE = "not held to the limits of Advance"


def is_team(platoon: Platoon) -> bool:
    """Whether it is a single weapons team."""
    return platoon.kind in TEAMS


def usual_weapon(platoon: Platoon) -> str:
    """What its bases fire with, where the bases do not say."""
    if platoon.weapon is not None:
        return platoon.weapon
    if platoon.kind == "tank":
        return "tank-mg"
    return PLATOON_WEAPON.get(platoon.kind, platoon.kind)


def bases_of(platoon: Platoon) -> tuple[Base, ...]:
    """Its bases with their weapons."""
    if isinstance(platoon.bases, tuple):
        return platoon.bases
    count = base_count(platoon)
    return (Base(weapon=usual_weapon(platoon), count=count, range=platoon.range, attacks=platoon.attacks),)  # type: ignore[arg-type]


def listed(weapon: str) -> ChartWeapon:
    """The entry of a weapon against troops. Raises Refusal where it has none."""
    known = {
        "artillery": "field-artillery",
        "tank-gun-shell": "tank-cannon",
        "tank-gun-ap": "tank-cannon",
        "infantry": "rifles",
    }
    found = WEAPON.get(known.get(weapon, weapon))
    if found is None:
        raise Refusal(
            f"{NAMES.get(weapon, weapon)} is not listed against troops.",
            mend="Tell its range and attacks.",
            code="input",
        )
    return found


@dataclass(frozen=True, slots=True)
class FireGroup:
    """Dice that fall together: `hit` is their number, `jams` marks the dice of one HMG."""

    words: str
    dice: int
    hit: int
    jams: bool = False


def special_orders(content: HasReadings, order: str) -> bool:
    """Whether harassing and indirect fire are open under an order."""
    return order in ("", "fire") or (choice(content, "special-fire") == "not-advance" and order in ("move", "assault"))


def _attacks(base: Base, distance: float, harassing: bool) -> int:
    """Attack dice of one base at a distance; 0 out of range."""
    weapon = None if base.range is not None and base.attacks is not None else listed(base.weapon)
    reach = base.range if base.range is not None else weapon.range_inches if weapon else None
    attacks = base.attacks if base.attacks is not None else weapon.attacks if weapon else 0
    if harassing and base.weapon == "hmg":
        reach = max(reach or 0, WEAPON["hmg"].harassing_inches)
    if reach is not None and distance > reach:
        return 0
    if base.attacks is None and weapon and weapon.close_attacks and distance <= weapon.close_range_inches:
        return weapon.close_attacks
    return attacks


def free_of_advance(content: HasReadings, kind: str, traits: tuple[str, ...], weapon: str, moved: bool | None) -> bool:
    """Whether fire on Advance hits as usual: Heavy infantry, Raiders, HMGs and LMGs that stayed."""
    if kind == "heavy-infantry" or "raider" in traits:
        return True
    if weapon == "hmg":
        return not moved
    return weapon == "lmg" and moved is False


def counts_all_dice(content: HasReadings, platoon: Platoon) -> bool:
    """Whether every attack die of a platoon on Advance counts against Tolerance."""
    if platoon.kind == "heavy-infantry":
        return choice(content, "heavy-infantry-advance") == "all"
    return platoon.has("raider") or (platoon.kind == "hmg" and not platoon.moved)


def groups_of(
    content: HasReadings, platoon: Platoon, distance: float, order: Order, harassing: bool, closed: bool
) -> tuple[FireGroup, ...]:
    """The dice a platoon throws, by the number they hit on. HMGs apart, each for itself."""
    if order == "recover" and choice(content, "recover-fire") == "none":
        return ()
    found: list[FireGroup] = []
    for base in bases_of(platoon):
        at = base.distance if base.distance is not None else distance
        each = _attacks(base, at, harassing)
        moved = base.moved if base.moved is not None else platoon.moved
        if (
            base.weapon == "hmg"
            and order == "advance"
            and moved
            and platoon.kind != "heavy-infantry"
            and not platoon.has("raider")
        ):
            each = 0
        if not each or not base.count:
            continue
        number, _ = hit_number(
            content,
            HitTarget(
                order=order or "fire", kind=platoon.kind, traits=platoon.traits, weapon=base.weapon, moved=moved, shocked=platoon.shocked,
                harassing=harassing and base.weapon == "hmg", distance=at, failed_motivation=platoon.failed_motivation,
                damaged=platoon.damaged or base.damaged, target_close_order=closed,
            ),
        )  # fmt: skip
        words = NAMES.get(base.weapon, base.weapon)
        if base.weapon == "hmg":
            found += [FireGroup(words, each, number, True)] * base.count
        elif found and (found[-1].words, found[-1].hit, found[-1].jams) == (words, number, False):
            found[-1] = FireGroup(words, found[-1].dice + each * base.count, number)
        else:
            found.append(FireGroup(words, each * base.count, number))
    extra = drill(platoon, order)
    if found and extra:
        place = next((place for place, group in enumerate(found) if not group.jams), None)
        if place is not None:
            group = found[place]
            found[place] = FireGroup(group.words, group.dice + extra, group.hit)
    return tuple(found)


def drill(platoon: Platoon, order: str) -> int:
    """Dice more for Rifle Drill: 2 at full strength, else 1; on Fire alone."""
    if not platoon.has("rifle-drill") or order not in ("", "fire"):
        return 0
    count = base_count(platoon)
    start = platoon.start_bases
    if start is None:
        start = count + (platoon.lost_bases or 0)
    return (2 if count >= start else 1) if count else 0


def fire_dice(content: HasReadings, data: FireDice, roller: Roller) -> Resolved:
    """How many attack dice a platoon throws. Outcome and `total`: that number."""
    order = data.platoon.order or "fire"
    checked_strength(data.platoon)
    groups = groups_of(content, data.platoon, data.distance, order, data.harassing, False)
    dice = sum(group.dice for group in groups)
    extra = drill(data.platoon, order) if any(not group.jams for group in groups) else 0
    modifiers = (
        ((f"+{extra} dice", "Rifle Drill on Fire" + (", at full strength" if extra == 2 else "")),) if extra else ()
    )
    words = ", ".join(f"{group.dice} {group.words}" for group in groups) or "out of range or not firing"
    return Resolved(
        str(dice), f"{many(dice, 'attack die', 'attack dice')}: {words}.", total=dice, modifiers=modifiers,
        effects=facts(dice=dice, by_weapon=[{"weapon": group.words, "dice": group.dice, "hit": group.hit} for group in groups]),
    )  # fmt: skip


def checked_strength(platoon: Platoon) -> None:
    """Raises Refusal for more bases than it started with."""
    if platoon.start_bases is not None and platoon.bases is not None and base_count(platoon) > platoon.start_bases:
        raise Refusal(
            f"{base_count(platoon)} bases of {platoon.start_bases} are told.",
            mend="Tell start_bases at full strength.",
            code="input",
        )


def hit_number(content: HasReadings, data: HitTarget) -> tuple[int, list[tuple[str, str]]]:
    """What an attack die must show, and why."""
    weapon = data.weapon or PLATOON_WEAPON.get(data.kind, data.kind)
    sixes: list[str] = []
    if data.order == "advance" and not free_of_advance(content, data.kind, data.traits, weapon, data.moved):
        sixes.append("Advance")
    if data.shocked:
        sixes.append("Shocked")
    far = data.distance is None or data.distance > WEAPON["hmg"].range_inches  # type: ignore[operator]
    if data.harassing and (far or choice(content, "harassing-close") == "sixes"):
        sixes.append("Harassing fire")
    if data.sniper or weapon == "sniper":
        sixes.append("Sniper")
    if data.failed_motivation:
        sixes.append("Would not assault")
    if data.damaged:
        sixes.append("Damaged vehicle")
    if sixes:
        return 6, [("6", why) for why in sixes]
    if data.target_close_order and (data.artillery or weapon in ("field-artillery", "artillery")):
        return 4, [("4+", "Artillery at Close order")]
    return 5, []


def hit_target(content: HasReadings, data: HitTarget, roller: Roller) -> Resolved:
    """What an attack die must show. Outcomes: 4+, 5+, 6+, or none where it may not fire."""
    weapon = data.weapon or data.kind
    if (
        weapon == "hmg"
        and data.order == "advance"
        and data.moved
        and data.kind != "heavy-infantry"
        and "raider" not in data.traits
    ):
        return Resolved(
            "none", "An HMG that moves on Advance does not fire.", effects=facts(hit_target=None, may_fire=False)
        )
    if data.order == "recover" and choice(content, "recover-fire") == "none":
        return Resolved("none", "On Recover nobody fires.", effects=facts(hit_target=None, may_fire=False))
    number, why = hit_number(content, data)
    return Resolved(
        plus(number), f"Hits on {number if number == 6 else f'{number}+'}.", total=number, modifiers=tuple(why),
        effects=facts(hit_target=number, may_fire=True),
    )  # fmt: skip


def save_number(content: HasReadings, data: SaveTarget) -> tuple[int | None, list[tuple[str, str]]]:
    """What a save must show, and why; None: no save."""
    if data.sniper_shot:
        return 6, [("6+", "Sniper")]
    target = SAVE[data.position]
    why: list[tuple[str, str]] = []

    def at_least(floor: int, cause: str) -> None:
        nonlocal target
        if target is None or target > floor:
            target = floor
            why.append((f"{floor}+", cause))

    if data.always_prone:
        at_least(5, "Always at least Prone")
    if data.heavy_team:
        at_least(4, "Heavy weapons team: at least Cover")
    if data.defend:
        if choice(content, "defend-save") == "prone":
            target = 5
            why.append(("5+", "Defend: Prone"))
        else:
            at_least(5, "Defend: at least Prone")
    if data.indirect and target == 4 and not data.overhead:
        target = 5
        why.append(("5+", "Indirect fire at cover that is open above"))
    return target, why


def save_target(content: HasReadings, data: SaveTarget, roller: Roller) -> Resolved:
    """What a save must show. Outcomes: none, 3+ to 6+."""
    target, why = save_number(content, data)
    words = "No save." if target is None else f"Saved on {target}+."
    return Resolved(plus(target), words, total=target, modifiers=tuple(why), effects=facts(save_target=target))


def _illegal(why: str) -> Resolved:
    return Resolved("illegal", f"Not this target: {why}.", effects=facts(legal=False, reason=why))


def legal_target(content: HasReadings, data: LegalTarget, roller: Roller) -> Resolved:
    """Whether a target may be fired at. Outcomes: illegal, identify (an identification roll comes first), legal."""
    weapon = data.weapon or PLATOON_WEAPON.get(data.kind, "tank-mg" if data.kind == "tank" else data.kind)
    sniper = data.sniper or weapon == "sniper"
    far = data.distance
    if data.identified is not None and data.roll is not None:
        raise Refusal("Both identified and roll are told.", mend="Tell one of them.", code="dice")
    if data.nearest_enemy is not None and far is not None and data.nearest_enemy > far:
        raise Refusal("The nearest enemy is told farther than the target.", mend="Measure again.", code="input")
    closest = data.closest
    if closest is None:
        closest = data.nearest_enemy is None or far is None or data.nearest_enemy >= far
    near = data.enemies_within_8
    if near is None:
        nearest = far if data.nearest_enemy is None else data.nearest_enemy
        near = nearest is not None and nearest <= CLOSE_INCHES
    if data.order == "recover" and choice(content, "recover-fire") == "none":
        return _illegal("on Recover nobody fires")
    if data.vehicle:
        no = vehicle_barred(content, data.order, data.kind, data.traits, weapon, data.moved)
        if no:
            return _illegal(no)
    if weapon == "hmg" and data.order == "advance" and data.moved:
        return _illegal("an HMG that moves on Advance does not fire")
    if data.harassing:
        if weapon != "hmg":
            return _illegal("only HMGs fire harassing")
        if not special_orders(content, data.order):
            return _illegal("harassing fire takes Fire orders")
        if data.vehicle:
            return _illegal("harassing fire is no fire at vehicles")
    if not data.line_of_sight and not data.indirect:
        return _illegal("it is not in sight")
    if data.indirect:
        no = indirect_barred(content, weapon, far, data.range, data.order)
        if no:
            return _illegal(no)
    if data.intervening and not data.harassing and not data.indirect:
        return _illegal("infantry stands between")
    reach = _reach(content, data, weapon, sniper)
    if reach is not None and far is not None and far > reach:
        return _illegal(f'it is out of range: {reach:g}"')
    if data.failed_motivation and far is not None and far > CLOSE_INCHES:
        return _illegal('after refusing to assault it fires within 8" only')
    if not closest:
        bound = [
            words
            for words, holds in (
                ("Shocked", data.shocked), ("on Defend", data.order == "defend"), ("stranded", data.stranded),
            )
            if holds
        ]  # fmt: skip
        if bound:
            return _illegal(f"{bound[0]}, it fires at the closest enemy")
        if near and not sniper:
            return _illegal('with enemies within 8" it fires at the closest')
        if data.heavy_team and not sniper:
            identified = data.identified if data.roll is None else data.roll >= 4
            if identified is None:
                words = "A weapons team behind closer targets: a 4+ identifies it, else the fire goes at the closest in sight."
                return Resolved("identify", words, effects=facts(legal=None, identification=4))
            if not identified:
                return _illegal("it was not identified, the fire goes at the closest target in sight")
    return Resolved("legal", "It may be fired at.", effects=facts(legal=True))


def _reach(content: HasReadings, data: LegalTarget, weapon: str, sniper: bool) -> float | None:
    if sniper:
        return None if choice(content, "sniper-range") == "sight" else data.range or WEAPON["rifles"].range_inches
    if data.range is not None:
        return max(data.range, WEAPON["hmg"].harassing_inches) if data.harassing else data.range
    if data.vehicle:
        return TANK_WEAPON[weapon].range_inches if data.kind != "heavy-infantry" or weapon == "lmg" else 12
    return WEAPON["hmg"].harassing_inches if data.harassing else listed(weapon).range_inches


def vehicle_barred(
    content: HasReadings, order: str, kind: str, traits: tuple[str, ...], weapon: str, moved: bool | None = None
) -> str:
    """Why a vehicle may not be fired at; "" where it may. An HMG that stays put fires as usual on Advance, at vehicles, too."""
    if kind in ("militia", "remnant") or weapon == "militia":
        return "Militia and Remnants do not fire at vehicles"
    spared = kind == "heavy-infantry" and choice(content, "heavy-infantry-advance") == "all"
    spared = spared or "raider" in traits or (weapon == "hmg" and not moved)
    if order == "advance" and not spared:
        return "vehicles are no targets on Advance"
    if weapon not in TANK_WEAPON:
        return f"{NAMES.get(weapon, weapon)} does nothing to vehicles"
    return ""


def indirect_barred(content: HasReadings, weapon: str, distance: float | None, reach: float | None, order: str) -> str:
    """Why a weapon may not fire at what it does not see; "" where it may."""
    known = WEAPON.get("field-artillery" if weapon == "artillery" else weapon)
    if known is None or not known.indirect:
        return "only mortars and artillery fire indirectly"
    if not special_orders(content, order):
        return "indirect fire takes Fire orders"
    most = reach if reach is not None else known.range_inches or 0
    if distance is None:
        return ""
    if distance > most:
        return f'it is out of range: {most:g}"'
    if 2 * distance < most:
        return f'it is nearer than half the range: {most / 2:g}"'
    return ""


def indirect_legal(content: HasReadings, data: IndirectLegal, roller: Roller) -> Resolved:
    """Whether a weapon may fire indirectly at a distance. Outcomes: illegal, legal."""
    if data.weapon is None and data.range is None:
        raise Refusal("Which weapon fires?", mend="Tell weapon, or the range of a mortar or gun.", code="input")
    why = indirect_barred(content, data.weapon or "trench-mortar", data.distance, data.range, data.order)
    if why:
        return Resolved("illegal", f"No indirect fire: {why}.", effects=facts(legal=False, reason=why))
    return Resolved("legal", "It may fire indirectly.", effects=facts(legal=True))


def _jammed(rolls: tuple[int, ...]) -> bool:
    return sum(face == 1 for face in rolls) >= JAM_ONES


def hmg_jam(content: HasReadings, data: Jam, roller: Roller) -> Resolved:
    """Whether an HMG's own dice jam it. Outcomes: jammed, fires."""
    rolls = data.rolls if data.rolls is not None else roller.several(data.dice, 6, "Attack", (2,))
    jams = _jammed(rolls)
    ones = sum(face == 1 for face in rolls)
    words = f"{many(ones, 'natural 1')}: " + ("its hits stand, then it is removed." if jams else "it goes on firing.")
    return Resolved(
        "jammed" if jams else "fires", words, rolls, rolls, ones, (), facts(jammed=jams, ones=ones, removed=jams)
    )


def resolve_fire(content: HasReadings, data: ResolveFire, roller: Roller) -> Resolved:
    """Attack dice, then saves. Outcome and `total`: bases lost."""
    if data.dice is None and data.rolls is None:
        raise Refusal("How many attack dice are there?", mend="Tell dice or rolls.", code="input")
    dice = data.dice if data.dice is not None else len(data.rolls or ())
    group = (FireGroup("Attack", dice, data.hit_target, data.hmg),)
    shot = _shoot(group, data.save_target, data.bases, data.rolls, data.saves, roller)
    return Resolved(
        str(shot.lost), shot.told, shot.rolled, shot.kept, shot.lost, (),
        facts(hits=shot.hits, saved=shot.saved, bases_lost=shot.lost, **({"jammed": bool(shot.jams)} if data.hmg else {})), shot.steps,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Shot:
    hits: int
    saved: int
    lost: int
    jams: int
    rolled: tuple[int, ...]
    kept: tuple[int, ...]
    told: str
    steps: tuple[Resolved, ...]


def _shoot(
    groups: tuple[FireGroup, ...],
    save: int | None,
    bases: int | None,
    rolls: tuple[int, ...] | None,
    saves: tuple[int, ...] | None,
    roller: Roller,
) -> _Shot:
    dice = sum(group.dice for group in groups)
    if rolls is not None and len(rolls) != dice:
        raise Refusal(f"Attack: {dice} dice are asked for, {len(rolls)} are told.", code="dice")
    hits = jams = 0
    fallen: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    place = 0
    for group in groups:
        told = rolls[place : place + group.dice] if rolls is not None else None
        place += group.dice
        cuts = (2, group.hit) if group.jams else (group.hit,)
        why = f"Attack, {group.words}" if len(groups) > 1 else "Attack"
        faces = ask_several(roller, told, group.dice, needed(why, (group.hit,)) if group.jams else why, *cuts)
        struck = tuple(face for face in faces if face >= group.hit)
        fallen, kept, hits = fallen + faces, kept + struck, hits + len(struck)
        jams += group.jams and _jammed(faces)
    # A tougher save than any die shows, or none at all, asks for no dice.
    thrown: tuple[int, ...] = ()
    if save is None:
        if saves:
            raise Refusal("Saves are told where there is none.", code="dice")
    else:
        thrown = ask_several(roller, saves, hits, "Save", save)
    saved = sum(face >= save for face in thrown) if save is not None else 0
    lost = hits - saved if bases is None else min(bases, hits - saved)
    words = f"{many(hits, 'hit')}, {saved} saved: {many(lost, 'base')} lost"
    if jams:
        words += "; then the HMG jams and is removed" if jams == 1 else f"; then {jams} HMGs jam and are removed"
    steps: list[Resolved] = [
        Resolved(
            str(hits), f"{many(hits, 'hit')} of {many(dice, 'die', 'dice')}.", fallen, kept, hits, (), facts(hits=hits)
        )
    ]
    if thrown:
        good = tuple(face for face in thrown if save is not None and face >= save)
        steps.append(
            Resolved(str(saved), f"{saved} of {hits} saved on {save}+.", thrown, good, saved, (), facts(saved=saved))
        )
    return _Shot(hits, saved, lost, jams, fallen + thrown, kept, words + ".", tuple(steps))


def tolerance_of(
    content: HasReadings, platoon: Platoon, bases: int | None = None, indirect: bool = False
) -> tuple[int, list[tuple[int, str]]]:
    """A platoon's Tolerance, and what makes it. `indirect`: a mortar or artillery fires now."""
    count = base_count(platoon) if bases is None else bases
    parts = [(count, "Bases")]
    if platoon.outstanding_officer and (platoon.in_command or choice(content, "officer-reach") == "company"):
        parts.append((1, "Outstanding Officer"))
    quality = platoon.quality
    if platoon.has("aggressive") and choice(content, "aggressive-tolerance") == "stubborn":
        quality = "stubborn"
    if quality in ("determined", "stubborn"):
        parts.append((2 if quality == "stubborn" else 1, NAMES[quality]))
    if platoon.has("veteran"):
        parts.append((1, "Veteran"))
    if platoon.entrenched and not platoon.enemy_to_flank_or_rear and not (platoon.tally_had_indirect or indirect):
        parts.append((1, "In trenches"))
    if platoon.order == "defend":
        parts.append((2, "Defend"))
    return sum(amount for amount, _ in parts), parts


def tolerance(content: HasReadings, data: Tolerance, roller: Roller) -> Resolved:
    """A platoon's Tolerance. Outcome and `total`: the figure."""
    total, parts = tolerance_of(content, data.platoon)
    words = " + ".join(f"{amount} {why}" for amount, why in parts)
    return Resolved(
        str(total), f"Tolerance {total}: {words}.", total=total, modifiers=tuple((f"{amount:+d}", why) for amount, why in parts),
        effects=facts(tolerance=total),
    )  # fmt: skip


def counted_dice(dice: int, from_advance: bool) -> int:
    """Attack dice that count: on Advance all but the first."""
    return max(0, dice - 1) if from_advance else dice


def add_fire(content: HasReadings, data: AddFire, roller: Roller) -> Resolved:
    """Attack dice added to a platoon's tally, against its Tolerance. Outcomes: exceeds, within."""
    counted = counted_dice(data.dice, data.from_advance)
    tally = data.platoon.tally + counted
    held = tally if choice(content, "shock-scope") == "turn" else counted
    bases = base_count(data.platoon)
    if choice(content, "tolerance-bases") == "after":
        bases = max(0, bases - data.bases_lost)
    limit = data.tolerance if data.tolerance is not None else tolerance_of(content, data.platoon, bases)[0]
    over = held > limit
    left = max(0, limit - held + 1)
    words = f"{held} against Tolerance {limit}: " + (
        "above it." if over else f"{many(left, 'die', 'dice')} short of Shock."
    )
    modifiers = (("−1 die", "Advance: the first attack die is free"),) if data.from_advance and data.dice else ()
    return Resolved(
        "exceeds" if over else "within", words, total=tally, modifiers=modifiers,
        effects=facts(counted=counted, tally=tally, tolerance=limit, exceeds=over, still_needed=left),
    )  # fmt: skip


def shock(content: HasReadings, data: Shock, roller: Roller) -> Resolved:
    """What fire above its Tolerance does to a platoon. Outcomes: shocked, shakes-off, holds, wiped-out."""
    if not data.bases_left:
        return Resolved("wiped-out", "No base is left.", effects=facts(shocked=False))
    if data.team and choice(content, "team-shock") == "never":
        return Resolved("holds", "A single weapons team has no Tolerance.", effects=facts(shocked=False))
    if not data.exceeds:
        return Resolved("holds", "Not above its Tolerance.", effects=facts(shocked=False))
    if "close-order" not in data.traits or data.bases_left < 2:
        words = "One base left shakes nothing off: Shocked." if "close-order" in data.traits else "Shocked."
        return Resolved("shocked", words, effects=facts(shocked=True))
    roll = ask(roller, data.roll, "Close order against Shock", 5)
    off = roll >= 5
    words = f"{roll} against 5+: " + ("it shakes the Shock off." if off else "Shocked.")
    return Resolved(
        "shakes-off" if off else "shocked",
        words,
        (roll,),
        (roll,),
        roll,
        (("5+", "Close order"),),
        facts(shocked=not off),
    )


@dataclass(frozen=True, slots=True)
class _Aim:
    """An attack before its dice: groups, the save, and what it does to the tally."""

    groups: tuple[FireGroup, ...]
    save: int | None
    modifiers: tuple[tuple[str, str], ...]
    bases: int | None
    counted: int
    free_die: bool
    indirect: bool


def _told(groups: tuple[FireGroup, ...], data: Fire) -> tuple[FireGroup, ...]:
    """The dice as they were told: their number for all together, what they hit on for each."""
    if data.dice is not None:
        jams = len(groups) == 1 and groups[0].jams
        hits = {group.hit for group in groups}
        if data.hit_target is None and len(hits) != 1:
            raise Refusal("What do these dice hit on?", mend="Tell hit_target.", code="input")
        words = groups[0].words if len(groups) == 1 else "Attack"
        return (FireGroup(words, data.dice, data.hit_target or hits.pop(), jams),) if data.dice else ()
    return tuple(FireGroup(group.words, group.dice, data.hit_target or group.hit, group.jams) for group in groups)


def aim(content: HasReadings, data: Fire) -> _Aim:
    """Everything about an attack that is known before dice fall. Raises Refusal for one that may not be made."""
    firer, target = data.platoon, data.target
    order = firer.order or "fire"
    checked_strength(firer)
    checked_strength(target)
    weapons = {base.weapon for base in bases_of(firer)}
    if order == "recover" and choice(content, "recover-fire") == "none":
        raise Refusal("On Recover nobody fires.", code="order")
    if data.harassing and "hmg" not in weapons:
        raise Refusal("Only HMGs fire harassing.", mend="Fire normally.", code="input")
    if (data.harassing or data.indirect) and not special_orders(content, order):
        raise Refusal("Harassing and indirect fire take Fire orders.", mend="Fire normally.", code="order")
    if data.indirect:
        for base in bases_of(firer):
            at = base.distance if base.distance is not None else data.distance
            why = indirect_barred(content, base.weapon, at or None, base.range, order)  # 0: the distance is not told
            if why:
                raise Refusal(f"No indirect fire: {why}.", mend="Fire at what it sees.", code="input")
    closed = target.has("close-order") or target.position == "closed"
    groups = groups_of(content, firer, data.distance, order, data.harassing, closed)
    if data.dice is not None or data.hit_target is not None:
        groups = _told(groups, data)
    if sum(group.dice for group in groups) > MOST_DICE:
        raise Refusal(f"More than {MOST_DICE} attack dice.", mend="Tell fewer bases.", code="dice")
    sniper = weapons == {"sniper"}
    position: Position = target.position
    if target.in_trenches and position != "entrenched":
        position = "entrenched"
    elif target.has("close-order") and position == "dispersed":
        position = "closed"  # bases that touch are never dispersed
    save, causes = save_number(
        content,
        SaveTarget(
            position=position, always_prone=target.always_prone or target.kind in ("sniper", "remnant") or target.has("scouts"),
            heavy_team=target.heavy_team or target.kind in HEAVY_TEAMS, defend=target.order == "defend", indirect=data.indirect, overhead=data.overhead,
            sniper_shot=sniper,
        ),
    )  # fmt: skip
    if data.save_target is not UNSET:
        save, causes = data.save_target, [("as told", "Save")]
    modifiers: list[tuple[str, str]] = [(f"hits on {group.hit}+", group.words) for group in dict.fromkeys(groups)]
    extra = drill(firer, order)
    if extra and any(not group.jams for group in groups):
        modifiers.append((f"+{extra} dice", "Rifle Drill"))
    if data.save_target is UNSET:
        modifiers.append((plus(save) if save else "no save", position.capitalize()))
    modifiers += [(f"save {what}", cause) for what, cause in causes]
    free = order == "advance" and not counts_all_dice(content, firer)
    dice = sum(group.dice for group in groups)
    if free and dice:
        modifiers.append(("−1 die for Shock", "Advance"))
    indirect = bool(weapons & {"trench-mortar", "field-artillery", "artillery"})
    bases = base_count(target) if target.bases is not None else None
    return _Aim(groups, save, tuple(modifiers), bases, counted_dice(dice, free), free, indirect)


def fire(content: HasReadings, data: Fire, roller: Roller) -> Resolved:
    """An attack by fire. Outcome and `total`: bases lost. Dice: attacks, saves, then one where Close order may shake Shock off.

    `state` holds the target as the attack leaves it.
    """
    aimed = aim(content, data)
    if not aimed.groups:
        return Resolved(
            "0", "No base is in range or may fire.", total=0, effects=facts(dice=0, hits=0, saved=0, bases_lost=0)
        )
    shot = _shoot(aimed.groups, aimed.save, aimed.bases, data.rolls, data.saves, roller)
    dice = sum(group.dice for group in aimed.groups)
    told = facts(dice=dice, hits=shot.hits, saved=shot.saved, bases_lost=shot.lost)
    if any(group.jams for group in aimed.groups):
        told += facts(jammed=bool(shot.jams), hmgs_jammed=shot.jams, ones=sum(face == 1 for face in shot.rolled[:dice]))
    words, rolled, steps, state = shot.told, shot.rolled, shot.steps, {}
    target = data.target
    if is_team(target) and choice(content, "team-shock") == "never":
        if aimed.bases is not None:
            left = aimed.bases - shot.lost
            told += facts(bases_left=left, wiped_out=not left, shocked=target.shocked)
    else:
        known = aimed.bases is not None
        struck, limit, over = _shocks(content, aimed, target, shot.lost)
        told += facts(counted=aimed.counted, tally=struck)
        if known:
            left = (aimed.bases or 0) - shot.lost
            # Only a platoon that would become Shocked may shake it off: one that is Shocked already stays so, without a die.
            shaken = () if target.shocked else target.traits
            done = shock(content, Shock(exceeds=over, bases_left=left, traits=shaken, roll=data.shock_roll), roller)
            now = target.shocked or done.outcome == "shocked"
            told += facts(
                tolerance=limit, exceeds=over, shocked=now and left > 0, bases_left=left, wiped_out=not left,
                still_needed=max(0, limit - struck + 1),
            )  # fmt: skip
            words = f"{words} Tally {struck} against Tolerance {limit}{': ' + done.told if over else '.'}"
            rolled, steps = rolled + done.rolled, (*steps, done)
            state = {
                "bases": left,
                "tally": struck,
                "tally_had_indirect": target.tally_had_indirect or aimed.indirect,
                "shocked": now,
                "fresh": False if shot.lost else target.fresh,
            }
    return Resolved(str(shot.lost), words, rolled, shot.kept, shot.lost, aimed.modifiers, told, steps, state)


def _shocks(content: HasReadings, aimed: _Aim, target: Platoon, lost: int) -> tuple[int, int, bool]:
    """The tally after the attack, the Tolerance it is held against, and whether it is above."""
    tally = target.tally + aimed.counted
    bases = base_count(target) - (lost if choice(content, "tolerance-bases") == "after" else 0)
    limit = (
        target.tolerance if target.tolerance is not None else tolerance_of(content, target, bases, aimed.indirect)[0]
    )
    held = tally if choice(content, "shock-scope") == "turn" else aimed.counted
    return tally, limit, held > limit


def _hits(groups: tuple[FireGroup, ...]) -> dict[tuple[int, bool], Fraction]:
    """The odds of so many hits, with or without a jam."""
    found = {(0, False): Fraction(1)}
    for group in groups:
        cuts = (2, group.hit) if group.jams else (group.hit,)
        if group.dice > 0 and not group.jams:
            each = {(k, False): share for k, share in enumerate(binomial(group.dice, chance_of(group.hit)))}
        else:
            each = {}
            for faces, share in many_faces(group.dice, 6, cuts):
                key = (sum(face >= group.hit for face in faces), _jammed(faces))
                each[key] = each.get(key, Fraction(0)) + share
        following: dict[tuple[int, bool], Fraction] = {}
        for (hits, jam), share in found.items():
            for (more, jams), next_share in each.items():
                key = (hits + more, jam or jams)
                following[key] = following.get(key, Fraction(0)) + share * next_share
        found = following
    return found


def _losses(groups: tuple[FireGroup, ...], save: int | None, bases: int | None) -> tuple[dict[int, Fraction], Fraction]:
    """The odds of so many bases lost, and those of a jam."""
    jam = Fraction(0)
    lost: dict[int, Fraction] = {}
    fails = 1 - chance_of(save)
    for (hits, jams), share in _hits(groups).items():
        jam += share if jams else 0
        for failed, next_share in enumerate(binomial(hits, fails)):
            key = failed if bases is None else min(bases, failed)
            lost[key] = lost.get(key, Fraction(0)) + share * next_share
    return lost, jam


def fire_odds(content: HasReadings, data: Fire) -> TroopOdds:
    """The odds of bases lost; beside them those of a jam, of Shock and of the end of the platoon."""
    if data.rolls is not None or data.saves is not None or data.shock_roll is not None:
        raise Refusal("Odds are asked for before dice fall.", mend="Leave the dice out.", code="dice")
    aimed = aim(content, data)
    lost, jam = _losses(aimed.groups, aimed.save, aimed.bases)
    also = {"jammed": jam} if jam else {}
    target = data.target
    if aimed.bases is not None:
        struck = gone = Fraction(0)
        for count, share in lost.items():
            if count >= aimed.bases:
                gone += share
            elif not is_team(target) or choice(content, "team-shock") != "never":
                over = _shocks(content, aimed, target, count)[2]
                shaken = target.has("close-order") and not target.shocked and aimed.bases - count >= 2
                struck += share * (Fraction(2, 3) if shaken else 1) if over and aimed.groups else 0
        also |= {"shocked": struck} if struck else {}
        also |= {"wiped_out": gone} if gone else {}
    return in_order({str(count): share for count, share in lost.items()}, (), also)


def resolve_fire_odds(content: HasReadings, data: ResolveFire) -> TroopOdds:
    """The odds of bases lost."""
    if data.rolls is not None or data.saves is not None or data.dice is None:
        raise Refusal("Odds take the number of dice, before they fall.", mend="Tell dice alone.", code="dice")
    group = (FireGroup("Attack", data.dice, data.hit_target, data.hmg),)
    lost, jam = _losses(group, data.save_target, data.bases)
    return in_order({str(count): share for count, share in lost.items()}, (), {"jammed": jam} if jam else {})
