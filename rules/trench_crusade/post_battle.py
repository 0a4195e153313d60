"""The post-battle sequence of Trench Crusade: the steps in an edition's pack and the immediate results of a report.

Source: Campaign rules 1.6.3, "Post-Battle Sequence Summary"; 1.0, "Campaign Phase Steps".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rules.consequences import Consequence, LosesItems, Money, SetWarband
from rules.content.campaign_entries import PhaseStep
from rules.content.compiled import Content
from rules.fighters.views import views
from rules.force import Force
from rules.parts.post_battle import Aftermath, Amended, StepKind, StepRecord
from rules.price import Price
from rules.resolution import Task
from rules.translation import gettext as _
from rules.trench_crusade.carried_effects import sources
from rules.trench_crusade.labels import reads_camp
from rules.trench_crusade.scenarios import attacker_task, scenario_task
from rules.trench_crusade.steps import experience, exploration, hospital, injuries, promotion, reinforcements, roster
from rules.trench_crusade.steps.amended import amended
from rules.trench_crusade.steps.context import StepContext
from rules.trench_crusade.steps.fallen import REMEMBER
from rules.trench_crusade.steps.promotion import promotion_chances
from rules.vocabulary import DeedGloryEffect, DeployPriceEffect


@dataclass(frozen=True, slots=True)
class StepPart:
    """One part of a step: its tasks, and what the battle must count for to run it ("": nothing)."""

    tasks: Callable[[StepContext], tuple[Task, ...]]
    counts: str = ""
    words: str = ""  # why the part is skipped if the battle does not count for it


PARTS: Mapping[str, StepPart] = {
    "injuries": StepPart(injuries.tasks, "injuries", _("This battle does not count for injuries.")),
    "hospital": StepPart(hospital.tasks, "injuries", _("This battle does not count for injuries.")),
    "experience": StepPart(experience.tasks, "experience", _("This battle does not count for experience.")),
    "promotion": StepPart(promotion.tasks, "promotion", _("This battle does not count for promotions.")),
    "threshold": StepPart(reinforcements.threshold_tasks),
    "fork": StepPart(reinforcements.fork_tasks),
    "reinforcements": StepPart(reinforcements.call_tasks),
    "exploration": StepPart(exploration.tasks, "exploration", _("This battle does not count for exploration.")),
    "roster": StepPart(roster.tasks),
}


def steps(content: Content, force: Force | None) -> tuple[StepKind, ...]:
    """Return the steps that the edition's pack lists, in order.

    The house rule "camp" picks among the steps that exist only under one reading. A step other than camp leads to the
    shop while the warband has reinforcements to spend.
    """
    way = "strict" if content.reading("camp", "one") == "strict" and reads_camp(content) else "one"
    spending = force is not None and bool(force.state.get("reinforcing"))
    return tuple(
        StepKind(step.id, step.name, step.kind, step.words, step.doors if step.kind == "camp" or spending else ())
        for step in content.campaign.steps
        if step.camp in ("", way)
    )


def step_of(content: Content, step: str) -> PhaseStep:
    """A step of the pack by its id. Raises KeyError."""
    for known in content.campaign.steps:
        if known.id == step:
            return known
    raise KeyError(step)


def tasks(content: Content, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> tuple[Task, ...]:
    """Return the tasks of a step in order; none in camp. Completed tasks stay listed. Raises KeyError.

    If a step has several parts, each waits until the required tasks of the earlier parts are completed.
    """
    context, found = step_context(content, force, aftermath, record), []
    waits: tuple[str, ...] = ()
    for name in step_of(content, step).parts:
        part = PARTS[name]
        if part.counts and part.counts not in aftermath.counts:
            continue
        own = part.tasks(context)
        found += [replace(task, needs=(*task.needs, *waits)) if waits else task for task in own]
        waits += tuple(task.key for task in own if not task.optional and task.key not in record.written)
    return tuple(found)


def step_context(content: Content, force: Force, aftermath: Aftermath, record: StepRecord) -> StepContext:
    return StepContext(content, force, aftermath, record, views(content, force))


def amended_report(content: Content, force: Force, before: Aftermath, now: Aftermath, record: StepRecord) -> Amended:
    """Return what an amended report adds to a roster whose steps are already written."""
    return amended(step_context(content, force, before, record), step_context(content, force, now, record))


def skipped(content: Content, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
    """Return why a step is skipped, or "" if it is not.

    Either the battle counts for none of its parts, or the option chosen at the fork leads past it.
    """
    known = step_of(content, step)
    shut = [
        PARTS[name].words for name in known.parts if PARTS[name].counts and PARTS[name].counts not in aftermath.counts
    ]
    if shut and len(shut) == len(known.parts):
        return shut[0]
    way = reinforcements.way_taken(record)
    if way == reinforcements.REINFORCE and step in content.campaign.rules.reinforcements_skip:
        if known.kind == "camp":
            return _("The warband asked for reinforcements: nothing else is bought or sold this time.")
        return _("The warband asked for reinforcements and explores nothing this time.")
    if "exploration" in known.parts:
        if way == REMEMBER:
            return _("The warband remembers its fallen and explores nothing this time.")
        if way == reinforcements.NEITHER:
            return _("The warband stays in camp.")
    return ""


def result_consequences(content: Content, force: Force, aftermath: Aftermath) -> tuple[Consequence, ...]:
    """Return the immediate consequences of a report for this side.

    The battle counts as fought, each deed earns its glory, used-up items are removed, and finds that lasted for one
    battle are spent. Treatments are paid as far as the strongbox allows, because a report is never refused.
    """
    mine = aftermath.mine
    does: list[Consequence] = []
    if "number" in aftermath.counts:
        does.append(
            SetWarband(("fought",), force.battles.fought + 1, _("battle {number}").format(number=aftermath.number))
        )
    does.append(
        SetWarband(("last_scenario",), aftermath.scenario, _("battle {number}").format(number=aftermath.number))
    )
    if "glory" in aftermath.counts:
        does += _glory(content, force, mine.deeds)
    if mine.used_up:
        does.append(LosesItems(mine.used_up, _("Used up in battle {number}").format(number=aftermath.number)))
    left = force.strongbox.ducats if force.strongbox else 0
    for key in mine.took_part:
        for name, ducats in _upkeep(content, force, key):
            paid = min(ducats, left)
            left -= paid
            if paid:
                does.append(Money(Price(ducats=-paid), f"{name}: {_name(force, key)}"))
    kept = force.state.get("lasting")
    for entry, lasting in kept.items() if isinstance(kept, Mapping) else ():
        rule = content.lasting.get(str(lasting.get("id"))) if isinstance(lasting, Mapping) else None
        if rule is not None and rule.spends and rule.moment == "battle":
            does.append(SetWarband(("lasting", entry), None, _("{rule} is spent").format(rule=rule.name)))
    return tuple(does)


def _glory(content: Content, force: Force, done: tuple[tuple[str, str], ...]) -> list[Consequence]:
    """Return the glory of each deed, credited once to whoever did it first, plus what a rule adds for some fighters.

    A rule that makes deeds worth more adds to each deed in the reported order, up to its maximum for one battle.
    """
    first: dict[str, str] = {}
    for deed_id, key in done:
        first.setdefault(deed_id, key)
    rules = [(s, s.effect) for s in sources(content, force) if isinstance(s.effect, DeedGloryEffect)]
    by_key = views(content, force) if rules else {}
    given: Counter[str] = Counter()
    found: list[Consequence] = []
    for deed_id, key in first.items():
        deed = content.deeds.get(deed_id)
        glory, name = (deed.glory, deed.name) if deed else (1, deed_id)
        why = _("{name}, by {what}").format(name=name, what=_name(force, key) if key else _("the warband"))
        for rule, effect in rules:
            view = by_key.get(key)
            if view is None or not {view.profile, *view.counts_as}.intersection(effect.profiles):
                continue
            more = effect.glory - glory
            if effect.most_extra is not None:
                more = min(more, effect.most_extra - given[rule.key])
            if more > 0:
                given[rule.key] += more
                glory += more
                why += f"; {rule.name}"
        found.append(Money(Price(glory=glory), why))
    return found


def _upkeep(content: Content, force: Force, key: str) -> list[tuple[str, int]]:
    """Return what fielding a fighter costs, by the trauma or rule that requires it."""
    fighters = (fighter for fighter in force.fighters if fighter.key == key)
    traumas = (content.traumas.get(suffered.trauma) for fighter in fighters for suffered in fighter.traumas)
    return [
        (trauma.name, effect.ducats)
        for trauma in traumas
        if trauma is not None
        for effect in trauma.effects
        if isinstance(effect, DeployPriceEffect)
    ]


def _name(force: Force, key: str) -> str:
    return next((f.name for f in force.fighters if f.key == key), "a fighter")


__all__ = [
    "PARTS",
    "amended_report",
    "attacker_task",
    "promotion_chances",
    "result_consequences",
    "scenario_task",
    "skipped",
    "steps",
    "tasks",
]
