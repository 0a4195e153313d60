"""The last step: a comparison of the roster before and after the battle, and what lapses on closing.

Source: Campaign rules 1.6.3, "Update Warband Roster".
"""

from __future__ import annotations

from functools import partial

from rules.consequences import Consequence, Leaves, Money, SetFighter, SetWarband
from rules.price import Price
from rules.resolution import Outcome, Resolution, Task
from rules.translation import gettext as _
from rules.trench_crusade.steps.context import StepContext, settled
from rules.trench_crusade.steps.death import RAISED_BY
from rules.trench_crusade.steps.fallen import forgotten
from rules.trench_crusade.steps.reinforcements import REINFORCE, taken_way

CLOSE = "close"


def tasks(context: StepContext) -> tuple[Task, ...]:
    task = Task(CLOSE, _("Close the roster"), partial(resolve_close, context))
    return (settled(context, task, _("The roster is closed.")) if CLOSE in context.record.written else task,)


def resolve_close(context: StepContext, resolution: Resolution) -> Outcome:
    """Show what changed, let the unspent reinforcement purse lapse, and clear the misses of fighters that sat this
    battle out.
    """
    mine, limits = context.aftermath.mine, context.limits(context.next_number)
    does: list[Consequence] = []
    ducats = context.strongbox.ducats
    lines = []
    if mine.rating and mine.rating != context.rating.ducats:
        lines.append(
            _("{head} {ducats} ducats; {rating} took the field.").format(
                head=context.head("rating"), ducats=context.rating.ducats, rating=mine.rating
            )
        )
    else:
        lines.append(_("{head} {ducats} ducats.").format(head=context.head("rating"), ducats=context.rating.ducats))
    lapse = _lapse(context)
    if lapse:
        does.append(Money(Price(ducats=-lapse), _("What was left of the reinforcements lapses")))
        lines.append(_("{lapse} ducats of the reinforcements lapse.").format(lapse=lapse))
    if context.force.state.get("reinforcing"):
        does.append(SetWarband(("reinforcing",), None, _("reinforcements are over")))
    does += forgotten(context)
    for fighter in context.force.fighters:
        if fighter.active and fighter.lifeless and fighter.choices.get(RAISED_BY) and _camp_was_open(context):
            does.append(Leaves(fighter.key, "dead", _("Killed, and not raised in camp")))
            lines.append(_("{name} was not raised and is lost, with its kit.").format(name=fighter.name))
    lines.append(
        _("Strongbox {amount} ducats and {glory} glory.").format(amount=ducats - lapse, glory=context.strongbox.glory)
    )
    lines.append(
        _("Battle {next_number}: {threshold} ducats, {field_strength} fighters.").format(
            next_number=context.next_number, threshold=limits.threshold, field_strength=limits.field_strength
        )
    )
    for fighter in context.force.fighters:
        if fighter.status == "active" and 0 < fighter.misses_battle < context.next_number:
            does.append(SetFighter(fighter.key, ("misses_battle",), 0, _("sat the battle out")))
            lines.append(_("{name} is fit to fight again.").format(name=fighter.name))
    lines += _changes(context)
    return Outcome(_("The roster is up to date."), tuple(lines), tuple(does))


def _camp_was_open(context: StepContext) -> bool:
    """Return whether this sequence had a camp. A call for reinforcements may have skipped it."""
    past = context.rules.reinforcements_skip if taken_way(context) == REINFORCE else ()
    return any(step.kind == "camp" and step.id not in past for step in context.content.campaign.steps)


def _lapse(context: StepContext) -> int:
    """Return the unspent ducats of a reinforcement purse, at most the purse and at most the strongbox."""
    kept = context.force.state.get("reinforcing")
    if not isinstance(kept, dict) or kept.get("battle") != context.aftermath.number:
        return 0
    return max(0, min(int(kept.get("ducats", 0)), context.strongbox.ducats))


def _changes(context: StepContext) -> list[str]:
    """Return the changes of this sequence to each fighter: traumas, skills, promotions."""
    lines = []
    content = context.content
    for fighter in context.force.fighters:
        news = [
            content.traumas[t.trauma].name for t in fighter.traumas if context.wrote(t) and t.trauma in content.traumas
        ]
        news += [
            _("learned {skills}").format(skills=content.skills[s.skill].name)
            for s in fighter.skills
            if s.key.startswith(f"{context.prefix}-") and s.skill in content.skills
        ]
        if fighter.choices.get("promoted_after") == context.aftermath.number:
            news.append(_("ELITE now"))
        if fighter.lifeless:
            news.append("lifeless")
        if fighter.misses_battle == context.next_number:
            news.append(_("misses the next battle"))
        if news:
            lines.append(f"{fighter.name}: {'; '.join(news)}.")
    return lines
