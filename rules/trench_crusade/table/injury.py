"""The injury roll: base dice with +DICE and -DICE, flat modifiers, armour, Bloodbath, and what the result does to the target.

Source: Attacks 1.6, "The Injury Roll"; Condensed rules 1.6.3, "Injury Chart"; core rules 1.0, "Injury Rolls".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.content.play import Play
from rules.table.roller import Changes, Pool, Resolved, Roller, told_dice, told_flat
from rules.trench_crusade.table.inputs import Injury, Target, words_of
from rules.trench_crusade.table.success import changes_of, checked_spending, spent_markers

MINOR, DOWN, OUT = 2, 7, 9
MOST_MARKERS = 6
MARKING = ("FIRE", "GAS", "SHRAPNEL")
NAMES = {
    "no-effect": "No Effect", "minor-hit": "Minor Hit", "down": "Down", "out-of-action": "Out of Action",
}  # fmt: skip


def bloodbath_cost(target: Target, told: int | None) -> int:
    """Markers that a Bloodbath asks for: six, three while the target is Down, or what a rule says instead."""
    return told if told is not None else 3 if target.down else 6


def resolve_injury(play: Play, data: Injury, roller: Roller) -> Resolved:
    """Roll on the injury chart. Outcomes: no-effect, minor-hit, down, out-of-action, after what saves the target.

    Effects: `blood_markers` gained (never beyond six where the markers are known), `goes_down`, `tough_used`, `out_of_action`,
    `markers_spent`. Raises Refusal when markers are spent that do not lie on the target.
    """
    target = data.target
    keywords = words_of(data.keywords) - words_of(target.negates)
    cost = bloodbath_cost(target, data.bloodbath_cost) if data.bloodbath else 0
    checked_spending(data.blood_spent + cost, data.blessing_spent, target.blood, target.infection, target.blessing)
    changes = injury_changes(play, data, keywords)
    base = max(data.base_dice, 3 if "DEADLY" in keywords else 2) + (1 if data.bloodbath else 0)
    flats = injury_flats(play, data, keywords)
    flat = sum(number for number, _ in flats)
    fell = roller.pool(Pool(base, changes.net), "Injury roll", (MINOR - flat, DOWN - flat, OUT - flat))
    total = fell.total + flat
    row = (
        "out-of-action" if total >= OUT else "down" if total >= DOWN else "minor-hit" if total >= MINOR else "no-effect"
    )
    outcome, saved, effects = _suffered(row, data, keywords)
    spent = data.blood_spent + cost
    gained = _markers(outcome, target, keywords)
    if gained and target.blood is not None:
        left = max(0, target.blood - spent)  # blood is spent before infection, as `after` has it
        gained = min(gained, MOST_MARKERS - left)
    if gained:
        effects = (*effects, {"blood_markers": gained})
    words = NAMES[row] + (f", {saved}" if saved else "")
    marks = f"; {gained} BLOOD MARKER{'S' if gained != 1 else ''}" if gained else ""
    return Resolved(
        outcome=outcome,
        told=f"Injury roll: {total}, {words}{marks}.",
        rolled=fell.rolled,
        kept=fell.kept,
        total=total,
        modifiers=(
            *told_dice(changes.entries, play.injury_dice),
            *((("+1 base die", "Bloodbath"),) if data.bloodbath else ()),
            *((("3 base dice", "DEADLY"),) if "DEADLY" in keywords and data.base_dice < 3 else ()),
            *told_flat(flats),
        ),
        effects=(*effects, *spent_markers(spent, data.blessing_spent)),
    )


def injury_changes(play: Play, data: Injury, keywords: frozenset[str]) -> Changes:
    """Dice that are added to or taken from an injury roll, with their causes."""
    target = data.target
    changes = changes_of(data.dice, data.modifiers)
    if data.critical:
        keen = data.critical_keyword or "CRITICAL" in keywords
        changes = changes.plus(2 if keen else 1, "Critical hit, CRITICAL" if keen else "Critical hit")
    if target.down and (data.melee or play.down_injury == "all"):
        changes = changes.plus(1, "The target is Down")
    if data.diving_charge:
        changes = changes.plus(play.diving_injury, "Diving Charge")
    if data.unarmed:
        changes = changes.plus(-1, "Unarmed")
    ignores = data.ignore_armour or "IGNORE ARMOUR" in keywords
    for resistance in target.resistances:
        of, unless = resistance.keyword.upper(), resistance.unless.upper()
        if (not of or of in keywords) and not (unless and unless in keywords) and not (ignores and of == "ARMOUR"):
            changes = changes.plus(resistance.dice, resistance.why)
    changes = changes.plus(data.blood_spent, "markers spent on the target")
    return changes.plus(-data.blessing_spent, "BLESSING MARKERS spent")


def injury_flats(play: Play, data: Injury, keywords: frozenset[str]) -> list[tuple[int, str]]:
    """Flat modifiers with their reasons. What armour takes off together is capped where the edition caps it."""
    found: list[tuple[int, str]] = [(data.modifier, data.modifier_why)] if data.modifier > 0 else []
    taken: list[tuple[int, str]] = [(data.modifier, data.modifier_why)] if data.modifier < 0 else []
    armour = [(data.armour, "Armour"), (data.shield, "Shield")]
    if data.ignore_armour or "IGNORE ARMOUR" in keywords:
        armour = []
    elif "ARMOUR PIERCING" in keywords and any((data.armour, data.shield, data.unignorable_armour)):
        armour.append((1, "ARMOUR PIERCING"))
    taken += [
        (number, why) for number, why in (*armour, (data.unignorable_armour, "Armour that nothing ignores")) if number
    ]
    if play.armour_most:
        over = -sum(number for number, _ in taken) - play.armour_most
        if over > 0:
            taken.append((over, f"No more than −{play.armour_most} together"))
    return [*found, *taken]


def _suffered(row: str, data: Injury, keywords: frozenset[str]) -> tuple[str, str, tuple[Mapping[str, Any], ...]]:
    """What the row comes to for this target: the outcome, what saved it in words, and effects.

    A Machine Armour turns the Down row into a Minor Hit, but not a Down that TOUGH or GOLEM made of worse (developer answer Q5.1).
    """
    target = data.target
    if row == "down" and target.down_is_minor:
        return "minor-hit", "taken by the armour as a Minor Hit", ()
    if row != "out-of-action":
        return row, "", ({"goes_down": True},) if row == "down" and not target.down else ()
    if target.ignores_out:
        return "no-effect", "disregarded this once", ({"ignores_out_used": True},)
    down: tuple[Mapping[str, Any], ...] = () if target.down else ({"goes_down": True},)
    if target.golem and not data.bloodbath:
        return "down", "a GOLEM goes Down instead", down
    if target.tough and not target.tough_used:
        return "down", "TOUGH goes Down instead", ({"tough_used": True}, *down)
    return "out-of-action", "", ({"out_of_action": True},)


def _markers(outcome: str, target: Target, keywords: frozenset[str]) -> int:
    if outcome == "out-of-action":
        return 0
    gained = {"no-effect": 0, "minor-hit": 1, "down": 2 if target.down else 1}[outcome]
    return gained + sum(1 for word in MARKING if word in keywords and not (word == "GAS" and target.golem))


def after(target: Target, found: Resolved) -> Target:
    """The target as it stands after an injury, for the next one."""
    import msgspec

    changes: dict[str, Any] = {}
    if found.effect("goes_down"):
        changes["down"] = True
    if found.effect("tough_used"):
        changes["tough_used"] = True
    if found.effect("ignores_out_used"):
        changes["ignores_out"] = False
    spent, gained = found.effect("markers_spent", 0), found.effect("blood_markers", 0)
    if target.blood is not None or target.infection is not None:
        blood, infection = target.blood or 0, target.infection or 0
        from_blood = min(blood, spent)
        changes["blood"] = min(MOST_MARKERS, blood - from_blood + gained)
        if target.infection is not None:
            changes["infection"] = max(0, infection - (spent - from_blood))
    if target.blessing is not None:
        changes["blessing"] = max(0, target.blessing - found.effect("blessing_spent", 0))
    return msgspec.structs.replace(target, **changes) if changes else target
