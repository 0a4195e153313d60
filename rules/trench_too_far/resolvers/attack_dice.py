"""The dice of fire: how many a platoon rolls, on what number they hit, and what saves.

Source: core rules, "Fire", "Machine guns", "Snipers", "Indirect fire", "Heavy infantry", "Advance", "Unit traits".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, Roller
from rules.translation import gettext
from rules.trench_too_far.charts import NAMES, PLATOON_WEAPON, SAVE, WEAPON
from rules.trench_too_far.interpretations import choice
from rules.trench_too_far.resolvers.common import facts, given_or, many, plus
from rules.trench_too_far.resolvers.fire_inputs import FireDice, HitTarget, SaveTarget
from rules.trench_too_far.resolvers.inputs import Base, Order, Platoon
from rules.trench_too_far.resolvers.orders import base_count
from rules.trench_too_far.resolvers.targets import barred_by_recover, listed


def usual_weapon(platoon: Platoon) -> str:
    """What its bases fire with if the bases do not say."""
    if platoon.weapon is not None:
        return platoon.weapon
    return "tank-mg" if platoon.kind == "tank" else PLATOON_WEAPON.get(platoon.kind, platoon.kind)


def bases_of(platoon: Platoon) -> tuple[Base, ...]:
    if isinstance(platoon.bases, tuple):
        return platoon.bases
    count = base_count(platoon)
    return (Base(weapon=usual_weapon(platoon), count=count, range=platoon.range, attacks=platoon.attacks),)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class FireGroup:
    """Dice that are rolled together. `hit` is the number they hit on, `jams` marks the dice of one HMG."""

    label: str
    dice: int
    hit: int
    jams: bool = False

    def with_more(self, dice: int) -> FireGroup:
        return replace(self, dice=self.dice + dice)


def _attacks(base: Base, distance: float, harassing: bool) -> int:
    """Attack dice of one base at a distance; 0 out of range."""
    own = base.range is not None and base.attacks is not None
    weapon = None if own else listed(base.weapon)
    reach = given_or(base.range, weapon.range_inches if weapon else None)
    if harassing and base.weapon == "hmg":
        reach = max(reach or 0, WEAPON["hmg"].harassing_inches)
    if reach is not None and distance > reach:
        return 0
    if base.attacks is not None:
        return base.attacks
    assert weapon is not None
    close = weapon.close_attacks and distance <= weapon.close_range_inches
    return weapon.close_attacks if close else weapon.attacks


def free_of_advance(kind: str, traits: tuple[str, ...], weapon: str, moved: bool | None) -> bool:
    """Whether fire on Advance hits as usual: Heavy infantry, Raiders, and HMGs and LMGs that stayed."""
    if kind == "heavy-infantry" or "raider" in traits:
        return True
    return not moved if weapon == "hmg" else weapon == "lmg" and moved is False


def _silent_on_advance(weapon: str, order: str, kind: str, traits: tuple[str, ...], moved: bool | None) -> bool:
    """Whether it is an HMG that moved on Advance, and so does not fire."""
    exempt = kind == "heavy-infantry" or "raider" in traits
    return weapon == "hmg" and order == "advance" and bool(moved) and not exempt


def counts_all_dice(content: HasReadings, platoon: Platoon) -> bool:
    """Whether every attack die of a platoon on Advance counts against Tolerance."""
    if platoon.kind == "heavy-infantry":
        return choice(content, "heavy-infantry-advance") == "all"
    return platoon.has("raider") or (platoon.kind == "hmg" and not platoon.moved)


def _base_groups(
    content: HasReadings, platoon: Platoon, base: Base, distance: float, order: Order, harassing: bool, closed: bool
) -> list[FireGroup]:
    """The dice of like bases: those of each HMG apart, others together."""
    distance = given_or(base.distance, distance)
    moved = given_or(base.moved, platoon.moved)
    attacks = _attacks(base, distance, harassing)
    if not attacks or not base.count or _silent_on_advance(base.weapon, order, platoon.kind, platoon.traits, moved):
        return []
    is_hmg = base.weapon == "hmg"
    hit, _ = hit_number(
        content,
        HitTarget(
            order=order or "fire",
            kind=platoon.kind,
            traits=platoon.traits,
            weapon=base.weapon,
            moved=moved,
            shocked=platoon.shocked,
            harassing=harassing and is_hmg,
            distance=distance,
            failed_motivation=platoon.failed_motivation,
            damaged=platoon.damaged or base.damaged,
            target_close_order=closed,
        ),
    )
    label = NAMES.get(base.weapon, base.weapon)
    if is_hmg:
        return [FireGroup(label, attacks, hit, True)] * base.count
    return [FireGroup(label, attacks * base.count, hit)]


def groups_of(
    content: HasReadings, platoon: Platoon, distance: float, order: Order, harassing: bool, closed: bool
) -> tuple[FireGroup, ...]:
    """The dice a platoon throws, by the number they hit on, with those of Rifle Drill. `closed`: the target is in Close order."""
    if barred_by_recover(content, order):
        return ()
    groups: list[FireGroup] = []
    for base in bases_of(platoon):
        for group in _base_groups(content, platoon, base, distance, order, harassing, closed):
            if groups and not group.jams and replace(groups[-1], dice=group.dice) == group:
                groups[-1] = groups[-1].with_more(group.dice)
            else:
                groups.append(group)
    drilled = next((index for index, group in enumerate(groups) if not group.jams), None)
    if drilled is not None:
        groups[drilled] = groups[drilled].with_more(drill(platoon, order))
    return tuple(groups)


def drill(platoon: Platoon, order: str) -> int:
    """Additional dice of Rifle Drill: 2 at full strength, else 1; only on Fire."""
    if not platoon.has("rifle-drill") or order not in ("", "fire"):
        return 0
    count = base_count(platoon)
    start = given_or(platoon.start_bases, count + (platoon.lost_bases or 0))
    return (2 if count >= start else 1) if count else 0


def drilled_dice(platoon: Platoon, order: str, groups: tuple[FireGroup, ...]) -> int:
    """The dice of Rifle Drill among these groups: HMGs have none."""
    return 0 if all(group.jams for group in groups) else drill(platoon, order)


def fire_dice(content: HasReadings, data: FireDice, roller: Roller) -> Resolved:
    """How many attack dice a platoon throws. Outcome and `total`: that number."""
    order = data.platoon.order or "fire"
    checked_strength(data.platoon)
    groups = groups_of(content, data.platoon, data.distance, order, data.harassing, False)
    dice = sum(group.dice for group in groups)
    extra = drilled_dice(data.platoon, order, groups)
    drill_label = gettext("Rifle Drill on Fire, at full strength") if extra == 2 else gettext("Rifle Drill on Fire")
    parts = ", ".join(f"{group.dice} {group.label}" for group in groups) or gettext("out of range or not firing")
    return Resolved(
        str(dice),
        f"{many(dice, 'attack die', 'attack dice')}: {parts}.",
        total=dice,
        modifiers=((gettext("+{extra} dice").format(extra=extra), drill_label),) if extra else (),
        effects=facts(
            dice=dice,
            by_weapon=[{"weapon": group.label, "dice": group.dice, "hit": group.hit} for group in groups],
        ),
    )


def checked_strength(platoon: Platoon) -> None:
    """Raises Refusal for more bases than it started with."""
    if platoon.start_bases is not None and platoon.bases is not None and base_count(platoon) > platoon.start_bases:
        raise Refusal(
            gettext("{base_count} bases of {start_bases} are told.").format(
                base_count=base_count(platoon), start_bases=platoon.start_bases
            ),
            mend=gettext("Give start_bases at full strength."),
            code="input",
        )


# --- hits and saves


def hit_number(content: HasReadings, data: HitTarget) -> tuple[int, list[tuple[str, str]]]:
    """What an attack die must show, and why."""
    weapon = data.weapon or PLATOON_WEAPON.get(data.kind, data.kind)
    far = data.distance is None or data.distance > (WEAPON["hmg"].range_inches or 0)
    bound = data.order == "advance" and not free_of_advance(data.kind, data.traits, weapon, data.moved)
    sixes = (
        (gettext("Advance"), bound),
        (gettext("Shocked"), data.shocked),
        (gettext("Harassing fire"), data.harassing and (far or choice(content, "harassing-close") == "sixes")),
        (gettext("Sniper"), data.sniper or weapon == "sniper"),
        (gettext("Would not assault"), data.failed_motivation),
        (gettext("Damaged vehicle"), data.damaged),
    )
    reasons = [("6", reason) for reason, holds in sixes if holds]
    if reasons:
        return 6, reasons
    if data.target_close_order and (data.artillery or weapon in ("field-artillery", "artillery")):
        return 4, [("4+", gettext("Artillery at Close order"))]
    return 5, []


def hit_target(content: HasReadings, data: HitTarget, roller: Roller) -> Resolved:
    """What an attack die must show. Outcomes: 4+, 5+, 6+, or none where it may not fire."""
    message = ""
    if _silent_on_advance(data.weapon or data.kind, data.order, data.kind, data.traits, data.moved):
        message = gettext("An HMG that moves on Advance does not fire.")
    elif barred_by_recover(content, data.order):
        message = gettext("On Recover no unit fires.")
    if message:
        return Resolved("none", message, effects=facts(hit_target=None, may_fire=False))
    number, reasons = hit_number(content, data)
    return Resolved(
        plus(number),
        gettext("Hits on {words}.").format(words=number if number == 6 else f"{number}+"),
        total=number,
        modifiers=tuple(reasons),
        effects=facts(hit_target=number, may_fire=True),
    )


def save_number(content: HasReadings, data: SaveTarget) -> tuple[int | None, list[tuple[str, str]]]:
    """What a save must show, and why; None: no save."""
    if data.sniper_shot:
        return 6, [("6+", gettext("Sniper"))]
    target = SAVE[data.position]
    reasons: list[tuple[str, str]] = []
    always_prone = choice(content, "defend-save") == "prone"
    minimums = (
        (5, gettext("Always at least Prone"), data.always_prone),
        (4, gettext("Heavy weapons team: at least Cover"), data.heavy_team),
        (5, gettext("Defend: at least Prone"), data.defend and not always_prone),
    )
    for minimum, reason, holds in minimums:
        if holds and (target is None or target > minimum):
            target = minimum
            reasons.append((plus(minimum), reason))
    if data.defend and always_prone:
        target = 5
        reasons.append(("5+", gettext("Defend: Prone")))
    if data.indirect and target == 4 and not data.overhead:
        target = 5
        reasons.append(("5+", gettext("Indirect fire at cover that is open above")))
    return target, reasons


def save_target(content: HasReadings, data: SaveTarget, roller: Roller) -> Resolved:
    """What a save must show. Outcomes: none, 3+ to 6+."""
    target, reasons = save_number(content, data)
    message = gettext("No save.") if target is None else gettext("Saved on {target}+.").format(target=target)
    return Resolved(plus(target), message, total=target, modifiers=tuple(reasons), effects=facts(save_target=target))
