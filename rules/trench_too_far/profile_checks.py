"""What can be wrong with a profile of A Trench Too Far, beyond the range of a single field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.custom.parse import Check, slug
from rules.custom.profiles import ProfileProblem
from rules.translation import gettext
from rules.trench_too_far.book_weapons import book_weapons
from rules.trench_too_far.profile_fields import SQUADS


def _check_platoon(platoon: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    squads = sum(base["count"] or 0 for base in platoon["bases"] if base["kind"] == "squad")
    if squads > SQUADS:
        yield ProfileProblem(
            "bases",
            gettext(
                "This platoon has {squads} squads; four are the most. Take some away, or make them attached stands."
            ).format(squads=squads),
        )
    if platoon["bases"] and not squads:
        yield ProfileProblem("bases", gettext("Attached stands alone make no platoon. Add a squad."))
    if {"close-order", "light-infantry"} <= set(platoon["traits"]):
        yield ProfileProblem("traits", gettext("Close order and Light infantry shut each other out. Keep one of them."))
    if platoon["dismounted"] and platoon["type"] != "cavalry":
        yield ProfileProblem(
            "dismounted", gettext("Only cavalry dismounts. Take the tick away, or make the platoon cavalry.")
        )
    for place, base in enumerate(platoon["bases"]):
        yield from _check_name(platoon, base["weapon"], f"bases.{place}.weapon")
    yield from _check_own(platoon)


def _check_team(team: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    yield from _check_name(team, team["weapon"], "weapon")
    yield from _check_own(team)


def _check_tanks(tanks: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    for place, vehicle in enumerate(tanks["vehicles"]):
        for gun in vehicle["guns"]:
            yield from _check_name(tanks, gun, f"vehicles.{place}.guns")
    yield from _check_own(tanks)


def _check_name(data: Mapping[str, Any], name: str, path: str) -> Iterator[ProfileProblem]:
    if not name:
        return
    if slug(name) not in book_weapons() and all(slug(own["name"]) != slug(name) for own in data["weapons"]):
        yield ProfileProblem(
            path,
            gettext(
                "Neither the book nor this profile has a weapon called “{name}”. Add it under Weapons of its own."
            ).format(name=name),
        )


def _check_own(data: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    seen: set[str] = set()
    for place, weapon in enumerate(data["weapons"]):
        key = slug(weapon["name"])
        if weapon["name"] and key in seen:
            yield ProfileProblem(
                f"weapons.{place}.name",
                gettext("Another weapon is called “{weapon}”. Give this one a name of its own.").format(
                    weapon=weapon["name"]
                ),
            )
        seen.add(key)
        yield from _check_weapon(weapon, f"weapons.{place}.")


def _check_weapon(weapon: Mapping[str, Any], path: str = "") -> Iterator[ProfileProblem]:
    if not (weapon["attacks"] or weapon["tank_attacks"]):
        yield ProfileProblem(
            f"{path}attacks", gettext("This weapon hits nothing. Give it attacks against troops or against tanks.")
        )
    if (weapon["close_range"] is None) != (weapon["close_attacks"] is None):
        missing = "close_range" if weapon["close_range"] is None else "close_attacks"
        yield ProfileProblem(
            f"{path}{missing}", gettext("Close range and its attacks go together. Give both, or neither.")
        )
    elif weapon["close_range"] is not None and weapon["range"] is not None and weapon["close_range"] >= weapon["range"]:
        yield ProfileProblem(
            f"{path}close_range", gettext("Close range is as far as the range itself. Make it shorter.")
        )
    yield from _check_against_tanks(weapon, path)
    yield from _check_harassing(weapon, path)


def _check_against_tanks(weapon: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    if weapon["tank_range"] is not None and not weapon["tank_attacks"]:
        yield ProfileProblem(
            f"{path}tank_attacks", gettext("It has a range against tanks and no attacks. Give both, or neither.")
        )
    if weapon["tank_range"] is None and (weapon["tank_attacks"] or weapon["tank_save"] is not None):
        yield ProfileProblem(
            f"{path}tank_range", gettext("Against tanks it has no range. Give one, or empty the other figures.")
        )
    if weapon["militia"] and weapon["tank_range"] is not None:
        yield ProfileProblem(
            f"{path}militia", gettext("Militia arms cannot fire at tanks. Take the tick or the range away.")
        )


def _check_harassing(weapon: Mapping[str, Any], path: str) -> Iterator[ProfileProblem]:
    if weapon["harassing_range"] is None:
        return
    if not weapon["harassing"]:
        yield ProfileProblem(
            f"{path}harassing", gettext("It has a range of harassing fire. Tick harassing fire, or empty the range.")
        )
    if weapon["range"] is not None and weapon["harassing_range"] < weapon["range"]:
        yield ProfileProblem(
            f"{path}harassing_range", gettext("Harassing fire reaches at least as far as the weapon itself. Raise it.")
        )


def _check_movement(rate: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    if rate["move"] is None and rate["march"] is None:
        yield ProfileProblem("move", gettext("A rate of movement has a figure. Give the move, the march, or both."))


CHECKS: dict[str, Check] = {
    "platoon": _check_platoon,
    "team": _check_team,
    "tanks": _check_tanks,
    "weapon": _check_weapon,
    "movement": _check_movement,
}
