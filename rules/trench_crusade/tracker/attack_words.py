"""The words for what may bear on an attack: how the table stands, switches of the form, what is used up.

A word is a switch of the form, or begins with whom the table asks about: "a:" the attacker, "t:" the target. "hit" means that all earlier
attacks of the same ACTION hit this target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rules.problems import Refusal
from rules.translation import gettext
from rules.trench_crusade.resolvers.brings import conditions
from rules.trench_crusade.resolvers.inputs import USED_UP, Target
from rules.trench_crusade.resolvers.sides import Sides

DOWN, TARGET_DOWN, READY, MARKED = "a:down", "t:down", "t:ready", "t:blood"
ALL_HIT = "hit"
TOLD_BY: Mapping[str, str] = {DOWN: "down", TARGET_DOWN: "target_down", READY: "target_to_act"}
BLOODBATH = "bloodbath"
CRITICAL_HIT = "critical"  # of those in a blast: the hit that caught them was a Critical Success
AT_POINT, LANDED = "at_point", "landed"
# What cannot be spent beside a switch: no injury of the target is rolled, or no hit.
CLOSES: Mapping[str, tuple[str, ...]] = {
    AT_POINT: ("injury_blood_spent", "injury_blessing_spent", BLOODBATH),
    LANDED: ("blood_spent", "blessing_spent"),
}
COUNTED: Mapping[str, str] = {"own_blood": "a:blood", "target_blood": MARKED}
OFFERED_APART = frozenset({"down", "target_down", "around", "target_to_act", "dice", "injury_dice", *COUNTED})
SPENT = ("blood_spent", "blessing_spent", "injury_blood_spent", "injury_blessing_spent")
# Words that the rules of the roll themselves read together.
TOGETHER = (
    (TARGET_DOWN, "defended_obstacle"), ("diving_charge", "defended_obstacle"), ("charged", "diving_charge"), (AT_POINT, "cover"),
    *((TARGET_DOWN, word) for word in (MARKED, *(f"t:{name}" for name in USED_UP))),
)  # fmt: skip
_WORD = {**{told: word for word, told in TOLD_BY.items()}, **COUNTED}


def conditions_of(sides: Sides) -> tuple[frozenset[str], Mapping[str, Any]]:
    """Return the words that texts of either side ask for, and those that they ask for together; "" holds those read beside any other."""
    words: set[str] = set()
    both: list[frozenset[str]] = [frozenset(pair) for pair in TOGETHER]
    beside_all: set[str] = set()
    covering: set[str] = set()
    for one in sides.bearings:
        asked = {_WORD.get(key, key) for key in conditions(one)}
        words |= asked
        if len(asked) > 1:
            both.append(frozenset(asked))
        if one.effect.covered or one.effect.uncovered:
            covering |= asked
        if one.effect.unraised:
            both += [frozenset((word, "elevated")) for word in asked]
        if one.effect.bloodbath or one.effect.bloodbath_cost:
            both += [frozenset((word, other)) for word in asked for other in (BLOODBATH, TARGET_DOWN)]
        if one.effect.gives or one.effect.ignores or one.effect.gives_against:
            beside_all |= asked
    both += [frozenset({*covering, "cover", "defended_obstacle", "charged"})] if covering else []
    return frozenset(words), {"both": tuple(both), "": frozenset(beside_all)}


def turns_of(sides: Sides) -> tuple[str, ...]:
    """Return the words on which it hangs how many attacks there are. Raises Refusal where markers are counted for it."""
    asked = {key for one in sides.bearings if one.effect.attacks for key in conditions(one)}
    if asked & COUNTED.keys():
        raise Refusal(gettext("How many attacks there are needs a connection."), code="told")
    return tuple(sorted(_WORD.get(key, key) for key in asked))


def told_of(words: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield what the form is told by these words, each with its count."""
    for word in words:
        if word in TOLD_BY:
            yield TOLD_BY[word], 1
        elif ":" in word:
            name, _, count = word.partition("=")
            told = next((key for key, value in COUNTED.items() if value == name), "")
            if told:
                yield told, int(count or 1)
        elif word != ALL_HIT:
            name, _, count = word.partition("=")
            yield name, int(count or 1)


def as_it_stands(target: Target, words: frozenset[str], *, down: bool) -> Target:
    """Return the target as it stands, its markers unknown: a device keeps them to their most."""
    changes: dict[str, Any] = {"down": down, "tough_used": "t:tough_used" in words, "name": ""}
    if "t:ignores_out_used" in words:
        changes["ignores_out"] = False
    if "t:first_down_used" in words:
        changes |= {"first_down": "", "first_down_tough": False}
    if "t:spares_used" in words:
        changes["spares"] = 0
    if any(word.startswith(MARKED) for word in words):
        changes |= {"unmarked_down_is_minor": False, "unmarked_minor_is_nothing": False}
    return msgspec.structs.replace(target, **changes)


def exclude(one: str, other: str) -> bool:
    """Return whether two words are counts of the same thing."""
    return "=" in one and one.partition("=")[0] == other.partition("=")[0]
