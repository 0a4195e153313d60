"""The input of the rule `attack` for an attack between two rosters: one attack, or those of one ACTION."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.resolvers.situation import Toggle
from rules.translation import gettext
from rules.trench_crusade.resolvers.arms import mode_terms
from rules.trench_crusade.resolvers.brings import MOST_MARKERS, Bearing
from rules.trench_crusade.resolvers.defences import armour_input, immunities, target_input
from rules.trench_crusade.resolvers.inputs import AgainstDown
from rules.trench_crusade.resolvers.sides import Sides
from rules.trench_crusade.resolvers.success import CRITICAL
from rules.trench_crusade.resolvers.weapon_lines import printed_attacks

FLAGS = (
    "long_range",
    "cover",
    "elevated",
    "off_hand",
    "defended_obstacle",
    "charged",
    "diving_charge",
    "down",
    "bloodbath",
)
ALWAYS_STATED = ("cover", "defended_obstacle")  # where the target has cover regardless of its position
COUNTS = ("dice", "injury_dice", "blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent")
# The parts of an attack that may differ once an earlier attack has put the target Down.
OF_A_LINE = tuple(AgainstDown.__struct_fields__)


def attack_input(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    """The attack, or those of one ACTION one after the other. `allowed`: what the table may state, by key.

    Markers are spent on the first attack alone.
    """
    given = {**_one_attack(sides, allowed), **_near_miss(sides, allowed)}
    of_all = given.pop("all_hit_out", False)
    acting = [(one.effect, times) for one, times in sides.brought.counting if one.acts]
    printed = sides.terms.shots if sides.kind == "ranged" else sides.terms.blows
    count = printed + sum(effect.attacks * times for effect, times in acting)
    if count < 2:
        return given
    own = printed if sides.held is None else min(printed, printed_attacks(sides.held, sides.kind))
    later = _later_attack(sides, allowed)
    less = [
        {"dice": one.effect.later_hit, "why": gettext("{one}, not the first attack").format(one=one.name)}
        for one, _ in sides.brought.counting
        if one.acts and one.effect.later_hit
    ]
    added = _with_dice(later, less)
    attacks = [given, *(added if index >= own else later for index in range(1, count))]
    return {"attacks": [*attacks[:-1], {**attacks[-1], "all_hit_out": True}] if of_all else attacks}


def _near_miss(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    """How far off a miss that scatters still catches its target, where the table says that nothing stands between.

    The blast is measured from where the shot lands to the target's base; where it lands on the base it hits directly.
    Source: core rules 1.0, SCATTER and BLAST; MURAD Bombard, Infernal Bomb and their like of either edition.
    """
    if "near_miss" not in allowed or not sides.told.get("near_miss"):
        return {}
    half = sides.theirs.base / 2 / 25.4
    around = _one_attack(replace(sides, told={**sides.told, "around": 1}), allowed)
    line = {name: around[name] for name in OF_A_LINE}
    return {"near_miss": sides.terms.blast + half, "direct_miss": half, "in_blast": line}


def _later_attack(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    """Each attack of one ACTION after the first."""
    rest = replace(
        sides,
        terms=mode_terms(sides.content, sides.mine, sides.mode, first=False),
        bearings=tuple(one for one in sides.bearings if not one.effect.first_only),
    )
    attack = _one_attack(rest, allowed)
    later = {
        name: value
        for name, value in attack.items()
        if not name.endswith("_spent") and not name.startswith("bloodbath") and name != "all_hit_out"
    }
    text = sides.mode.text
    if (text is not None and text.later == "off-hand") or sides.acts_with("later_off_hand"):
        later["off_hand"] = True
    if sides.acts_with("after_hit"):
        later["after_hit"] = True
    if not sides.told.get("target_down"):
        lying = _one_attack(replace(rest, told={**sides.told, "target_down": 1}), allowed)
        if any(lying[name] != later[name] for name in OF_A_LINE):
            later["against_down"] = {name: lying[name] for name in OF_A_LINE}
    return later


def _with_dice(attack: dict[str, Any], more: list[dict[str, Any]]) -> dict[str, Any]:
    """An attack with further dice to hit, against a target that stands and against one that went Down."""
    if not more:
        return attack
    found = {**attack, "modifiers": [*attack["modifiers"], *more]}
    if "against_down" in attack:
        found["against_down"] = _with_dice(attack["against_down"], more)
    return found


def _one_attack(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    return {
        **_attacker(sides),
        **_dice(sides),
        **_on_the_target(sides),
        **_stated(sides, allowed),
        **_exceptions(sides),
    }


def _attacker(sides: Sides) -> dict[str, Any]:
    """Who attacks, and with what."""
    held, text, stats = sides.held, sides.mode.text, sides.mine.stats
    counts = text is None or text.characteristic != "none"
    return {
        "kind": sides.kind,
        "weapon": sides.mode.arm.name if held is not None or text is not None else "",
        "ranged": (stats["ranged"].value or 0) if counts else 0,
        "melee": (stats["melee"].value or 0) if counts else 0,
        "unarmed": held is None and text is None,
        "pistol": held is not None and ("pistol" in held.item.groups or "PISTOL" in held.keywords),
        "grenade": "GRENADE" in sides.keywords,
        "automatic_hit": "FLAMETHROWER" in sides.keywords,
        "fear_immune": _is_fear_immune(sides) or sides.acts_with("fear_immune"),
        "keywords": sorted(sides.keywords),
        "critical_keywords": sorted({word for effect in sides.acting for word in effect.on_critical}),
        **_on_attacker(sides),
    }


def _on_attacker(sides: Sides) -> dict[str, Any]:
    """What the attack places on the attacker, and what the attacker pays for; nothing where no text says so."""
    counting = sides.brought.counting
    found = [
        {"number": number * times, "kind": kind, "when": one.effect.own_when, "why": one.name}
        for one, times in counting
        for number, kind in _own_markers(one)
        if number
    ]
    given: dict[str, Any] = {"on_attacker": found} if found else {}
    marks = sum(one.effect.marks * times for one, times in counting if not one.acts)
    for name, more in (("more_blood", marks), ("more_infection", 0)):
        more += sum(getattr(one.effect, name) * times for one, times in counting if one.acts)
        if more:
            given[name] = min(MOST_MARKERS, more)
    if missed := sum(one.effect.marks for one, _ in counting if not one.acts and one.effect.even_missed):
        given["miss_marks"] = missed
    return given


def _own_markers(one: Bearing) -> tuple[tuple[int, str], ...]:
    """What a text places on the attacker: (number, kind)."""
    if not one.acts:
        return ((one.effect.own_against, "blood"),)
    return ((one.effect.own_blood, "blood"), (one.effect.own_blessing, "blessing"))


def _is_fear_immune(sides: Sides) -> bool:
    return "FEAR" in immunities(sides.mine) or bool(sides.mine.keywords & {"FEAR", "GOLEM", "NEGATE FEAR"})


def _dice(sides: Sides) -> dict[str, Any]:
    """Dice and numbers of the attack's line and of what either side brings: to hit, and to injure."""
    terms, brought, name = sides.terms, sides.brought, sides.mode.arm.name
    flats = [(terms.flat, name), *brought.flats]
    base = [effect.base_dice for effect in sides.acting if effect.base_dice]
    return {
        "modifiers": _modifiers(((terms.hit, name), *brought.hit)),
        "modifier": brought.hit_flat,
        "injury_modifiers": _modifiers(((terms.injury, name), *brought.injury)),
        "injury_modifier": sum(number for number, _ in flats),
        "injury_modifier_why": " and ".join(dict.fromkeys(why for number, why in flats if number)) or "told",
        "injury_flats": [{"number": number, "why": why} for number, why in brought.flats_against],
        "hit_base": max((effect.hit_base for effect in sides.acting), default=0) or 2,
        "base_dice": max(base, default=terms.base),
    }


def _modifiers(causes: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
    return [{"dice": dice, "why": why} for dice, why in causes if dice]


def _on_the_target(sides: Sides) -> dict[str, Any]:
    target = target_input(sides.content, sides.theirs, sides.met)
    return {**armour_input(sides.theirs, sides.met), "target": {**target, "down": bool(sides.told.get("target_down"))}}


def _stated(sides: Sides, allowed: Mapping[str, Toggle]) -> dict[str, Any]:
    """What the table states, within what it may state."""
    told = sides.told
    found: dict[str, Any] = {name: True for name in FLAGS if told.get(name) and name in (*allowed, *ALWAYS_STATED)}
    if sides.acts_with("raised"):
        found["elevated"] = True
    if any(effect.unraised for effect in sides.met):
        found.pop("elevated", None)
    for name in COUNTS:
        if name in allowed and told.get(name):
            found[name] = max(allowed[name].least, min(allowed[name].most, int(told[name])))
    if told.get("around"):
        found["aimed"] = False
    return found


def _exceptions(sides: Sides) -> dict[str, Any]:
    """What effects change in how the attack is made."""
    found: dict[str, Any] = {}
    if (cost := _bloodbath_cost(sides)) is not None:
        found["bloodbath_cost"] = cost
    if sides.kind == "melee" and sides.acts_with("by_ranged"):
        found["by_ranged"] = True
    if sides.acts_with("always_off_hand"):
        found["off_hand"] = True
    first = min((effect.critical_from for effect in sides.acting if effect.critical_from), default=CRITICAL)
    if "ONE HIT DIE IS 6" in sides.known_keywords:
        found["hit_sixes"] = 1
    if sides.is_too_large or any(effect.averts for effect in sides.met):
        found["averted"] = True
    found |= _rerolls(sides)
    sooner = sum(one.effect.critical_sooner * times for one, times in sides.brought.counting if one.acts)
    if first - sooner < CRITICAL:
        found["critical_from"] = max(2, first - sooner)
    return found


def _rerolls(sides: Sides) -> dict[str, Any]:
    """What is rolled again, and what all attacks together may come to."""
    found: dict[str, Any] = {}
    again = [effect for effect in sides.acting if effect.reroll]
    if any(effect.reroll == "hit" for effect in again):
        found["reroll_hit"] = True
        found["backfires"] = all(effect.backfires for effect in again if effect.reroll == "hit")
    if below := [effect.reroll_below for effect in again if effect.reroll == "injury"]:
        found["reroll_below"] = max(below, key=lambda to: to == "out-of-action")
    if any(effect.all_hit_out >= sides.theirs.base > 0 for effect in sides.acting):
        found["all_hit_out"] = True
    return found


def _bloodbath_cost(sides: Sides) -> int | None:
    """What a Bloodbath takes, where a text says so."""
    costs = [effect.bloodbath_cost for effect in sides.acting if effect.bloodbath_cost]
    less = sum(effect.bloodbath for effect in sides.acting)
    if not costs and not less:
        return None
    return max(0, min([3 if sides.told.get("target_down") else 6, *costs]) + less)
