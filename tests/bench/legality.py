"""How fast the checker is: a built twelve-fighter roster, judged again and again while it changes."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from rules.force import Force
from rules.registry import system

ROSTER: dict[str, Any] = {
    "game": "trench-crusade",
    "edition": "1.6.3",
    "faction": "New Antioch",
    "battles": {"fought": 4, "credited": 0},
    "fighters": [
        {"name": "Ilse", "profile": "Lieutenant", "kit": ["Automatic Pistol", "Sword / Axe", "Reinforced Armour", "Combat Helmet"],
         "skills": ["Strength of Samson"], "traumas": ["Leg Wound"], "experience": 4},
        {"name": "Anselm", "profile": "Sniper Priest", "kit": ["Sniper Rifle", "Standard Armour", "Binoculars"], "experience": 3},
        {"name": "Clemens", "profile": "Trench Cleric", "kit": ["Pistol / Revolver", "Sword / Axe", "Trench Shield", "Standard Armour"]},
        {"name": "Bruno", "profile": "Mechanised Heavy Infantry", "kit": ["Machine Gun"], "upgrades": ["Machine Armour"]},
        {"name": "Dirk", "profile": "Mechanised Heavy Infantry", "kit": ["Heavy Flamethrower", "Gas Mask"]},
        {"name": "Emil", "profile": "Combat Engineer", "kit": ["Satchel Charge", "Shotgun"]},
        {"name": "Franz", "profile": "Combat Medic"},
        {"name": "Gerd", "profile": "Shocktrooper", "kit": ["Shotgun", "Trench Shield", "Sword / Axe", "Standard Armour", "Grenades"]},
        {"name": "Heinz", "profile": "Shocktrooper", "kit": ["Submachine Gun", "Trench Club", "Standard Armour", "Gas Mask"]},
        {"name": "Ottla", "profile": "Yeoman", "kit": ["Bolt-Action Rifle", "Bayonet", "Combat Helmet"]},
        {"name": "Kolya", "profile": "Yeoman", "kit": ["Grenade Launcher"], "upgrades": ["Trench Mole"]},
        {"name": "Matthias", "profile": "Yeoman", "kit": ["Shotgun", "Trench Shield", "Medi-Kit"]},
    ],
    "stash": ["Gas Mask", {"item": "Trench Shield", "origin": "found"}],
}  # fmt: skip


def variants(content: Any, force: Force) -> list[Force]:
    """The roster in many states: each fighter with each single piece of the stash, without each of its own, wounded, promoted."""
    found = [force]
    for fighter in force.fighters:
        found += [force.with_fighter(replace(fighter, kit=(*fighter.kit, piece))) for piece in force.stash]
        found += [
            force.with_fighter(replace(fighter, kit=tuple(p for p in fighter.kit if p is not piece)))
            for piece in fighter.kit
        ]
        found.append(force.with_fighter(replace(fighter, promoted=not fighter.promoted)))
    return found


def bench_checks_per_second(n: int = 2000) -> dict[str, float]:
    """Checks per second: `built` (one roster), `changing` (a different one each time), `cold` (no fighter remembered)."""
    game = system("trench-crusade")
    content = game.content("1.6.3")
    force, problems = game.read_document(ROSTER)
    if problems or game.check(content, force).problems:
        raise AssertionError("the roster of the benchmark must be legal")
    many = variants(content, force)
    return {
        "built": _rate(lambda _: game.check(content, force), n),
        "changing": _rate(lambda i: game.check(content, many[i % len(many)]), n),
        "cold": _rate(lambda _: (content.cache.pop("facts", None), game.check(content, force)), max(1, n // 20)),
    }


def _rate(act: Any, n: int) -> float:
    act(0)
    start = time.perf_counter()
    for turn in range(n):
        act(turn)
    return n / (time.perf_counter() - start)


if __name__ == "__main__":
    for name, rate in bench_checks_per_second().items():
        print(f"{name}: {rate:,.0f} checks per second")
