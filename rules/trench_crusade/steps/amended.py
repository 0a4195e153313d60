"""The effects of amending a report after steps are written: experience is recounted, the rest stays.

Glory and used-up items follow the report automatically. Additional promotion dice become a further task of that step.
"""

from __future__ import annotations

from rules.consequences import Consequence, SetFighter
from rules.force import ForceFighter
from rules.formatting import joined
from rules.parts.post_battle import Amended
from rules.translation import gettext as _
from rules.trench_crusade.steps.context import StepContext
from rules.trench_crusade.steps.experience import TALLY
from rules.trench_crusade.steps.promotion import PROMOTION, further_keys, promoted_here, told_dice


def amended(before: StepContext, now: StepContext) -> Amended:
    """Return what the amended report adds to the earlier one, on a roster whose steps are already written."""
    does: list[Consequence] = []
    done: list[str] = []
    stands: list[str] = []
    if TALLY in now.record.written and "experience" in now.aftermath.counts:
        for key in now.in_order((*before.aftermath.mine.took_part, *now.aftermath.mine.took_part)):
            _tallied_otherwise(before, now, key, does, done, stands)
    if PROMOTION in now.record.written and "promotion" in now.aftermath.counts:
        stands += _promotion_words(before, now)
    return Amended(tuple(does), tuple(done), tuple(stands))


def _due(context: StepContext, key: str) -> int:
    """Return the experience points that the tally gives a fighter, ignoring its cap."""
    if key not in context.aftermath.mine.took_part or not context.learns(key):
        return 0
    return 2 if key in context.deed_learners else 1


def _tallied_otherwise(
    before: StepContext, now: StepContext, key: str, does: list[Consequence], done: list[str], stands: list[str]
) -> None:
    fighter = now.fighter(key)
    change = _due(now, key) - _due(before, key)
    if fighter is None or not change:
        return
    cap = now.experience_cap(key)
    if change < 0 and fighter.experience >= cap:
        stands.append(_("{name} has the most experience there is; that stands.").format(name=fighter.name))
        return
    value = max(0, min(cap, fighter.experience + change))
    if value == fighter.experience:
        return
    why = _("amended report")
    does.append(SetFighter(key, ("experience",), value, why))
    done.append(
        _("{fighter}: experience {experience} to {value}").format(
            fighter=fighter.name, experience=fighter.experience, value=value
        )
    )
    learned = _learned_too_early(now, fighter, value)
    if change < 0 and learned:
        stands.append(
            _("{name} learned a skill at {learned} experience and keeps it, unless that is undone.").format(
                name=fighter.name, learned=learned
            )
        )


def _learned_too_early(context: StepContext, fighter: ForceFighter, experience: int) -> int:
    """Return the experience at which the fighter took its last skill if it now has less than that, else 0."""
    steps = context.content.campaign.advances_at
    last = steps[fighter.advances - 1] if 0 < fighter.advances <= len(steps) else 0
    return last if last > experience else 0


def _promotion_words(before: StepContext, now: StepContext) -> list[str]:
    change = told_dice(now, now.aftermath) - told_dice(now, before.aftermath)
    rose = promoted_here(now)
    if change > 0 and rose and now.rules.promotions == "one":
        return [
            _("{rose} rose in this sequence, and only one does: no further promotion die is rolled.").format(
                rose=joined(rose)
            )
        ]
    rolled = told_dice(now, now.record.before.get([PROMOTION, *further_keys(now)][-1], before.aftermath))
    if change < 0 and told_dice(now, now.aftermath) < rolled:
        return [_("The promotion dice were rolled with more of them than there are now; what they came to stands.")]
    return []
