"""The healing of scars, including their effects on the fighter."""

from __future__ import annotations

from collections.abc import Iterable

from rules.consequences import Consequence, SetFighter
from rules.force import ForceFighter, ForceTrauma
from rules.resolution import Option
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.steps.context import StepContext
from rules.vocabulary import DemotedEffect, MissesBattleEffect

UNNAMED = "unnamed-"  # a scar known only as a number, on a roster copied from paper


def scar_options(context: StepContext, fighter: ForceFighter) -> tuple[Option, ...]:
    """Return the scars of a fighter as options: each trauma that left one, then those known only by their number."""
    named = [
        Option(t.key, context.content.traumas[t.trauma].name, context.content.traumas[t.trauma].words)
        for t in fighter.traumas
        if t.scar and t.trauma in context.content.traumas
    ]
    unnamed = max(0, context.scars(fighter.key) - len(named))
    return (*named, *(Option(f"{UNNAMED}{n}", _("A scar that was only counted")) for n in range(1, unnamed + 1)))


def healed(
    context: StepContext, key: str, scars: Iterable[str], reason: str, *, scar_only: bool = False
) -> list[Consequence]:
    """Return the changes of healing these scars (values of `scar_options`).

    The traumas and their effects on the fighter are removed. With `scar_only` they stay, but no longer count as
    scars.
    """
    fighter = context.force.fighter(key)
    gone = tuple(dict.fromkeys(scars))
    taken = [t for t in fighter.traumas if t.key in gone]
    left = [t for t in fighter.traumas if t.key not in gone]
    does: list[Consequence] = [
        SetFighter(key, ("traumas", t.key, "scar"), False, reason)
        if scar_only
        else SetFighter(key, ("traumas", t.key), None, reason)
        for t in taken
    ]
    if fighter.scars is not None:
        does.append(SetFighter(key, ("scars",), max(0, fighter.scars - len(gone)), reason))
    if scar_only:
        return does
    if fighter.demoted and _ends(context, DemotedEffect, taken, left):
        does.append(SetFighter(key, ("demoted",), False, reason))
    if fighter.misses_battle and _ends(context, MissesBattleEffect, taken, left):
        does.append(SetFighter(key, ("misses_battle",), 0, reason))
    return does


def _ends(context: StepContext, kind: type, taken: Iterable[ForceTrauma], left: Iterable[ForceTrauma]) -> bool:
    """Return whether these traumas had an effect of this kind that none of the remaining ones has."""
    traumas = context.content.traumas
    return any(has_effect(traumas.get(t.trauma), kind) for t in taken) and not any(
        has_effect(traumas.get(t.trauma), kind) for t in left
    )
