"""Rating and problems under the house rules of today, even where a rule came into force since the last act."""

from __future__ import annotations

from collections.abc import Iterable

from rules.force import Force
from warbands import rules_cache
from warbands.adapters import forces_of
from warbands.models import Warband


def judge(warband: Warband, force: Force) -> None:
    """Set rating and problem count of a warband by the rules that hold now (not saved). No queries."""
    verdict = rules_cache.verdict(warband.terms.game, warband.terms.content, force)
    warband.rating_ducats, warband.rating_glory = verdict.rating.ducats, verdict.rating.glory
    warband.problem_count = len(verdict.errors)
    warband.judged_under = warband.terms.mark


def judged(warbands: Iterable[Warband | None]) -> list[Warband]:
    """The warbands (None left out) with rating and problem count as they are today, whatever the rows say. Nothing is saved.

    No queries where the stored numbers are up to date, two for all the others together. `terms` should be loaded.
    """
    found = [warband for warband in warbands if warband is not None]
    # Terms without a change to come were written by an act that judged every warband under them.
    old = [each for each in found if each.terms.coming and each.judged_under != each.terms.mark]
    forces = forces_of(old)
    for warband in old:
        judge(warband, forces[warband.pk])
    return found
