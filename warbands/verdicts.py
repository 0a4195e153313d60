"""Rating and problems under today's house rules, even if a rule took effect since the last act."""

from __future__ import annotations

from collections.abc import Iterable

from rules.force import Force
from warbands import rules_cache
from warbands.adapters import forces_of
from warbands.models import Warband


def judge(warband: Warband, force: Force) -> None:
    """Set rating and problem count of a warband by the rules that apply now (not saved). No queries."""
    verdict = rules_cache.verdict(warband.terms.game, warband.terms.content, force)
    warband.rating_ducats, warband.rating_glory = verdict.rating.ducats, verdict.rating.glory
    warband.problem_count = len(verdict.errors)
    warband.judged_under = warband.terms.mark


def judged(warbands: Iterable[Warband | None]) -> list[Warband]:
    """Return the warbands (None left out) with rating and problem count under today's rules. Nothing is saved.

    No queries if the stored numbers are up to date, else two for all warbands together. `terms` should be loaded.
    """
    found = [warband for warband in warbands if warband is not None]
    # If no change is coming, the act that wrote the terms also judged every warband under them.
    old = [each for each in found if each.terms.coming and each.judged_under != each.terms.mark]
    forces = forces_of(old)
    for warband in old:
        judge(warband, forces[warband.pk])
    return found
