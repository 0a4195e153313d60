"""Differences between a roster here and the same roster in another program, each with the side on which it arose.

`base` is the roster as it was last brought, None where it never was. Fighters are matched by the other program's ids, then by
name and kind, then by kind and kit. Nothing here knows a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rules.force import Force, ForceFighter

Side = Literal["file", "here", "both", "differs"]
ASPECTS = ("name", "profile", "kit", "upgrades", "skills", "traumas", "scars", "experience", "promoted", "status")


@dataclass(frozen=True, slots=True)
class RosterChange:
    """One difference. `key` names it in a form. `fighter` is the key here, "" for the warband; `row` its number in the file."""

    key: str
    aspect: str
    side: Side
    fighter: str = ""
    row: int = -1
    here: Any = None
    there: Any = None


def values_of(fighter: ForceFighter) -> dict[str, Any]:
    """Return what is compared of a fighter, by aspect. Kit that comes with its kind is left out."""
    return {
        "name": fighter.name,
        "profile": fighter.profile,
        "kit": tuple(sorted(piece.item for piece in fighter.kit if piece.origin not in ("mandatory", "granted"))),
        "upgrades": tuple(sorted(taken.option or taken.upgrade for taken in fighter.upgrades)),
        "skills": tuple(sorted(learned.skill for learned in fighter.skills)),
        "traumas": tuple(sorted(suffered.trauma for suffered in fighter.traumas)),
        "scars": fighter.scars if fighter.scars is not None else sum(wound.scar for wound in fighter.traumas),
        "experience": fighter.experience,
        "promoted": fighter.promoted,
        "status": fighter.status,
    }


def side_of(base: Any, here: Any, there: Any, *, is_known: bool) -> Side:
    """Return on which side a value changed since the roster was last brought."""
    if not is_known:
        return "differs"
    if here == base:
        return "file"
    return "here" if there == base else "both"


def match_fighters(
    there: Sequence[ForceFighter], keys: Sequence[str], here: Sequence[ForceFighter], known: Mapping[str, str]
) -> dict[int, str]:
    """Return for each fighter of the file its key here, for as many as can be told.

    `keys` are the other program's ids, "" for none; `known` is the key here for each id that was brought before.
    """
    found: dict[int, str] = {}
    left = {row.key: row for row in here}
    for at, key in enumerate(keys):
        if key and known.get(key) in left:
            found[at] = left.pop(known[key]).key
    tests: tuple[Callable[[ForceFighter, ForceFighter], bool], ...] = (
        lambda one, other: _same(one.name, other.name) and one.profile == other.profile,
        lambda one, other: _same(one.name, other.name),
        lambda one, other: one.profile == other.profile and values_of(one)["kit"] == values_of(other)["kit"],
    )
    for number, test in enumerate(tests):
        for at, row in enumerate(there):
            if at in found or (number == len(tests) - 1 and at < len(keys) and keys[at] and known):
                continue  # an id that was never brought is somebody new, unless the name says otherwise
            alike = next((other for other in left.values() if test(row, other)), None)
            if alike is not None:
                found[at] = left.pop(alike.key).key
    return found


def changes_of(
    *,
    base: Force | None,
    here: Force,
    there: Force,
    rows: Mapping[int, str],
    brought: Mapping[str, int],
    untold: Collection[str] = (),
) -> list[RosterChange]:
    """Return every difference: fighter by fighter in the order of the file, then who is missing there, then the warband.

    `rows` are the matched fighters; `brought` says which fighter of `base` each one here was. `untold` are aspects that
    the file says nothing about.
    """
    found: list[RosterChange] = []
    mine = {row.key: row for row in here.fighters}
    for at, row in enumerate(there.fighters):
        key = rows.get(at, "")
        if key not in mine:
            side: Side = "here" if key else "file"
            if row.status == "active" or not key:
                found.append(RosterChange(f"new-{at}", "left" if key else "new", side, key, at, None, row.status))
            continue
        before = _before(base, brought, key)
        found += [change for change in _of_fighter(mine[key], row, at, before) if change.aspect not in untold]
    seen = set(rows.values())
    for row in here.fighters:
        if row.key not in seen and row.status in ("active", "captive"):
            was_there = row.key in brought
            found.append(
                RosterChange(
                    f"gone-{row.key}",
                    "gone" if was_there else "hired",
                    "file" if was_there else "here",
                    row.key,
                    -1,
                    row.name,
                )
            )
    return [*found, *(change for change in _of_warband(base, here, there) if change.aspect not in untold)]


def _of_fighter(here: ForceFighter, there: ForceFighter, at: int, base: ForceFighter | None) -> list[RosterChange]:
    ours, theirs = values_of(here), values_of(there)
    was = values_of(base) if base is not None else {}
    return [
        RosterChange(
            f"{aspect}-{here.key}",
            aspect,
            side_of(was.get(aspect), ours[aspect], theirs[aspect], is_known=base is not None),
            here.key,
            at,
            ours[aspect],
            theirs[aspect],
        )
        for aspect in ASPECTS
        if ours[aspect] != theirs[aspect] and not (aspect == "scars" and ours["traumas"] != theirs["traumas"])
    ]


def replaced(changes: Sequence[RosterChange]) -> frozenset[str]:
    """Return the fighters here in whose place of the file somebody else may stand: another name and not a piece in common."""
    by_aspect = {(change.fighter, change.aspect): change for change in changes if change.fighter and change.row >= 0}
    found = set()
    for (fighter, aspect), named in by_aspect.items():
        kit = by_aspect.get((fighter, "kit"))
        if aspect != "name" or kit is None or set(kit.here) & set(kit.there):
            continue
        one, other = sorted((str(named.here).casefold(), str(named.there).casefold()), key=len)
        if not other.startswith(one):
            found.add(fighter)
    return frozenset(found)


def _before(base: Force | None, brought: Mapping[str, int], key: str) -> ForceFighter | None:
    at = brought.get(key, -1)
    return base.fighters[at] if base is not None and 0 <= at < len(base.fighters) else None


def _of_warband(base: Force | None, here: Force, there: Force) -> list[RosterChange]:
    found = []
    for aspect, read in OF_WARBAND.items():
        ours, theirs = read(here), read(there)
        if ours != theirs:
            was = read(base) if base is not None else None
            side = side_of(was, ours, theirs, is_known=base is not None)
            found.append(RosterChange(aspect, aspect, side, here=ours, there=theirs))
    return found


OF_WARBAND: Mapping[str, Callable[[Force], Any]] = {
    "patron": lambda force: force.patron,
    "stash": lambda force: tuple(sorted(piece.item for piece in force.stash)),
    "locations": lambda force: tuple(sorted(force.locations)),
    "exploration_skills": lambda force: tuple(sorted(force.exploration_skills)),
    "lasting": lambda force: tuple(sorted(force.lasting)),
    "fought": lambda force: force.battles.fought,
    "misses": lambda force: force.promotion_misses,
}


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def more_and_less(here: Sequence[str], there: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what the file has besides, and what it lacks, with repetitions."""
    ours, theirs = Counter(here), Counter(there)
    return sorted((theirs - ours).elements()), sorted((ours - theirs).elements())
