"""Scars that leave a fighter, with all that came of them."""

from __future__ import annotations

from collections.abc import Iterable

from rules.consequences import Consequence, SetFighter
from rules.force import ForceFighter, ForceTrauma
from rules.resolution import Option
from rules.trench_crusade.steps.context import StepContext
from rules.vocabulary import DemotedEffect, Effect, MissesBattleEffect

UNNAMED = "unnamed-"  # a scar that was only counted, on a roster brought from paper


def scar_options(context: StepContext, fighter: ForceFighter) -> tuple[Option, ...]:
    """The scars of a fighter as options: each trauma that left one, then those known only by their number."""
    named = [
        Option(t.key, context.content.traumas[t.trauma].name, context.content.traumas[t.trauma].summary)
        for t in fighter.traumas
        if t.scar and t.trauma in context.content.traumas
    ]
    unnamed = max(0, context.scars(fighter.key) - len(named))
    return (*named, *(Option(f"{UNNAMED}{n}", "A scar that was only counted") for n in range(1, unnamed + 1)))


def healed(
    context: StepContext, key: str, scars: Iterable[str], reason: str, *, scar_only: bool = False
) -> list[Consequence]:
    """What taking these scars (values of `scar_options`) off a fighter does: the traumas go, and what they did to it.

    `scar_only`: the traumas stay with all they do, and count as scars no more.
    """
    fighter = context.force.fighter(key)
    gone = tuple(dict.fromkeys(scars))
    if scar_only:
        eased: list[Consequence] = [
            SetFighter(key, ("traumas", t.key, "scar"), False, reason) for t in fighter.traumas if t.key in gone
        ]
        if fighter.scars is not None:
            eased.append(SetFighter(key, ("scars",), max(0, fighter.scars - len(gone)), reason))
        return eased
    taken = [t for t in fighter.traumas if t.key in gone]
    left = [t for t in fighter.traumas if t.key not in gone]
    does: list[Consequence] = [SetFighter(key, ("traumas", t.key), None, reason) for t in taken]
    if fighter.scars is not None:
        does.append(SetFighter(key, ("scars",), max(0, fighter.scars - len(gone)), reason))
    if fighter.demoted and _any(context, taken, DemotedEffect) and not _any(context, left, DemotedEffect):
        does.append(SetFighter(key, ("demoted",), False, reason))
    if (
        fighter.misses_battle
        and _any(context, taken, MissesBattleEffect)
        and not _any(context, left, MissesBattleEffect)
    ):
        does.append(SetFighter(key, ("misses_battle",), 0, reason))
    return does


def _any(context: StepContext, traumas: Iterable[ForceTrauma], kind: type[Effect]) -> bool:
    known = context.content.traumas
    return any(isinstance(e, kind) for t in traumas if t.trauma in known for e in known[t.trauma].effects)
