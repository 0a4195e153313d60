"""Injuries after a battle: a D66 for every ELITE fighter taken Out of Action, and a D6 for everybody else.

`tasks` lists what is to be settled. A D66 runs `resolve_trauma`: it rolls on the chart, offers a re-roll and the pieces that undo the
result, and hands the result to `traumas.suffer`. A D6 runs `resolve_casualty`. Deaths, captives and those who leave for good have
modules of their own.

Source: Campaign rules 1.6.3, "Injuries and Battle Scars".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from rules.consequences import LosesItems
from rules.content.campaign_entries import Trauma
from rules.dice import d66
from rules.force import ForceFighter
from rules.formatting import joined
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.translation import gettext
from rules.trench_crusade.carried_effects import has_effect
from rules.trench_crusade.steps.captivity import ransom_tasks
from rules.trench_crusade.steps.context import StepContext, around, settled
from rules.trench_crusade.steps.death import ENGINE, death, piece_with
from rules.trench_crusade.steps.departures import freed_task, given_up_task
from rules.trench_crusade.steps.traumas import is_immune, leaves_scar, suffer
from rules.vocabulary import (
    CancelsTraumaEffect,
    CapturedEffect,
    RerollCasualtyEffect,
    RerollInjuryEffect,
    SparedEffect,
)

CHART = gettext("Trauma of ")
KEYS = ("trauma-", "casualty-")
CASUALTY_AGAIN = "casualty-again"


# --- what is to be settled


def tasks(context: StepContext) -> tuple[Task, ...]:
    """Return one task for each fighter taken Out of Action, in roster order.

    ELITE fighters come first, or last if the edition says so. If captives are settled at once, a capture and its
    ransom come before any further roll.
    """
    out = _taken_out(context)
    charted = _present(_trauma_task(context, key) for key in out if _rolls_on_chart(context, key))
    diced = _present(_casualty_task(context, key) for key in out if not _rolls_on_chart(context, key))
    rolls = [*charted, *diced]
    if context.rules.troops_first:
        open_dice = [task.key for task in diced if task.key not in context.record.written]
        rolls = [*diced, *(_after(task, open_dice) for task in charted)]
    rolls += _present((given_up_task(context), freed_task(context)))
    if context.rules.captives != "settled":
        return tuple(rolls)
    ransoms = ransom_tasks(context)
    waiting = [task.key for task in ransoms if task.key not in context.record.written] + _captures_rolled(context)
    return (*(_after(task, waiting) for task in rolls), *ransoms)


def _taken_out(context: StepContext) -> tuple[str, ...]:
    """Return who is reported Out of Action, and anyone settled before the report was amended."""
    settled_before = (key.partition("-")[2] for key in sorted(context.record.written) if key.startswith(KEYS))
    return context.in_order((*context.aftermath.mine.out, *settled_before))


def _rolls_on_chart(context: StepContext, key: str) -> bool:
    """Return whether a fighter rolls a D66. A written roll stays valid, whatever the fighter counts as now."""
    if f"casualty-{key}" in context.record.written:
        return False
    return f"trauma-{key}" in context.record.written or context.was_elite(key)


def _present(tasks: Iterable[Task | None]) -> list[Task]:
    return [task for task in tasks if task is not None]


def _after(task: Task, others: Iterable[str]) -> Task:
    return replace(task, needs=(*task.needs, *(key for key in others if key != task.key)))


def _captures_rolled(context: StepContext) -> list[str]:
    """Return the first unwritten task whose last roll on the chart is a capture, if there is one."""
    for key, draws in context.record.draws.items():
        if not key.startswith("trauma-") or key in context.record.written:
            continue
        charted = [draw.faces for draw in draws if len(draw.faces) == 2 and draw.why.startswith(CHART)]
        if charted:
            tens, units = charted[-1]
            if has_effect(context.content.trauma_at(tens * 10 + units), CapturedEffect):
                return [key]
    return []


def _trauma_task(context: StepContext, key: str) -> Task | None:
    task = Task(
        key=f"trauma-{key}",
        title=context.name(key),
        resolve=partial(resolve_trauma, context, key),
        subject=key,
        group="ELITE, D66",
        words=gettext("Scars {scars} of {scar_limit}.").format(
            scars=context.scars(key), scar_limit=context.scar_limit(key)
        ),
    )
    if task.key in context.record.written:
        return settled(context, task, _trauma_summary(context, key))
    fighter = context.fighter(key)
    return task if fighter and fighter.active else None


def _trauma_summary(context: StepContext, key: str) -> str:
    """Return the result of a written roll on the chart, as text."""
    fighter = context.fighter(key)
    suffered = next((t for t in (fighter.traumas if fighter else ()) if context.wrote(t)), None)
    if suffered and suffered.trauma in context.content.traumas:
        return f"{context.name(key)}: {context.content.traumas[suffered.trauma].name}."
    if fighter is not None and fighter.status != "active":
        ends = {
            "dead": gettext("died of their wounds"),
            "captive": gettext("was captured"),
            "retired": gettext("left the roster"),
        }
        return f"{fighter.name} {ends.get(fighter.status, 'has left the roster')}."
    return gettext("{name}: saved.").format(name=context.name(key))


def _casualty_task(context: StepContext, key: str) -> Task | None:
    task = Task(
        key=f"casualty-{key}",
        title=context.name(key),
        resolve=partial(resolve_casualty, context, key),
        subject=key,
        group=gettext("Troops, D6"),
        words=gettext("Dies on {span}.").format(span=_span(*context.content.campaign.troop_dies_on)),
    )
    fighter = context.fighter(key)
    if task.key in context.record.written:
        lives = fighter is not None and fighter.status == "active"
        fate = (
            gettext("is lifeless")
            if fighter and fighter.lifeless
            else "survives"
            if lives
            else gettext("died of their wounds")
        )
        return settled(context, task, f"{context.name(key)} {fate}.")
    return task if fighter and fighter.active else None


def _span(first: int, *others: int) -> str:
    """Return faces or numbers in a row as text: "1" or "1-3"."""
    return f"{first}-{others[-1]}" if others and others[-1] != first else str(first)


# --- the D66 of an ELITE fighter


def resolve_trauma(context: StepContext, key: str, resolution: Resolution) -> Outcome:
    """Roll on the trauma chart for an ELITE fighter and resolve the result.

    Source: Campaign rules 1.6.3, "Injuries and Battle Scars".
    """
    fighter = context.force.fighter(key)
    trauma = _roll(context, fighter, resolution)
    return _undo(context, fighter, trauma, resolution) or suffer(context, fighter, trauma, resolution)


def _roll(context: StepContext, fighter: ForceFighter, resolution: Resolution) -> Trauma:
    """Return the result on the chart, after the one optional re-roll that a skill grants.

    The second result counts. Two skills grant only one re-roll. Source: developer answer Q14.8 ('Tis but a Scratch).
    """
    name = fighter.name
    trauma = _roll_possible(context, fighter, resolution, f"{CHART}{name}")
    granted = [source.name for source, _ in context.effects(RerollInjuryEffect, fighter.key)]
    if granted:
        keep = Option("keep", gettext("Keep {trauma}").format(trauma=trauma.name), trauma.words)
        again = Option("again", gettext("Roll again"), gettext("The second result stands."))
        if (
            resolution.choose(
                "re-roll",
                gettext("{granted} lets {name} roll again, once.").format(granted=joined(granted), name=name),
                (keep, again),
            )
            == "again"
        ):
            return _roll_possible(
                context, fighter, resolution, gettext("{chart}{name}, rolled again").format(chart=CHART, name=name)
            )
    return trauma


def _roll_possible(context: StepContext, fighter: ForceFighter, resolution: Resolution, why: str) -> Trauma:
    """Roll until the fighter can suffer the result. A scar that it has and cannot have twice is rolled again."""
    chart = context.content.pack.traumas
    rows = tuple(TableRow(_span(t.first, t.last), t.name) for t in chart)
    while True:
        number, draw = d66(resolution.dice, why)
        trauma = context.content.trauma_at(number)
        shown = around(rows, chart.index(trauma))
        if not _bears_already(context, fighter, trauma):
            resolution.tell(f"{number}: {trauma.name}.", draw, shown)
            return trauma
        resolution.tell(
            gettext("{number}: {name}, which {fighter_name} bears already. That is rolled again.").format(
                number=number, name=trauma.name, fighter_name=fighter.name
            ),
            draw,
            shown,
        )
        why = gettext("{chart}{fighter}, instead of a second {trauma}").format(
            chart=CHART, fighter=fighter.name, trauma=trauma.name
        )


def _bears_already(context: StepContext, fighter: ForceFighter, trauma: Trauma) -> bool:
    if trauma.repeatable or not leaves_scar(trauma) or is_immune(context, fighter, trauma):
        return False
    return any(suffered.trauma == trauma.id for suffered in fighter.traumas)


def _undo(context: StepContext, fighter: ForceFighter, trauma: Trauma, resolution: Resolution) -> Outcome | None:
    """Return a full recovery if the player uses up a piece for it, else None."""
    piece = piece_with(context, CancelsTraumaEffect)
    if piece is None or not (trauma.scar or trauma.effects):
        return None
    item = context.content.items[piece.item].name
    options = (
        Option("rest", gettext("Keep {trauma}").format(trauma=trauma.name), trauma.words),
        Option("use", gettext("Use the {item}").format(item=item), gettext("A full recovery."), losses=(item,)),
    )
    if (
        resolution.choose(
            ENGINE,
            gettext("{trauma}: use the {item} for {fighter}?").format(
                trauma=trauma.name, item=item, fighter=fighter.name
            ),
            options,
        )
        != "use"
    ):
        return None
    lost = LosesItems((piece.key,), gettext("Used for {fighter}").format(fighter=fighter.name))
    return Outcome(
        gettext("{item}: {name} recovers fully.").format(item=item, name=fighter.name),
        (gettext("{name} is undone.").format(name=trauma.name),),
        (lost,),
    )


# --- the D6 of everybody else


def resolve_casualty(context: StepContext, key: str, resolution: Resolution) -> Outcome:
    """Roll a D6 for a fighter that is not ELITE: it lives, or dies with its kit. A spared profile needs no die.

    Source: Campaign rules 1.6.3, "Injuries and Battle Scars".
    """
    fighter = context.force.fighter(key)
    for source, spared in context.effects(SparedEffect):
        if context.profiles_of(key).intersection(spared.profiles):
            return Outcome(
                gettext("{name} recovers fully: {source_name}.").format(name=fighter.name, source_name=source.name),
                (gettext("No die is needed."),),
            )
    dies, total = _casualty_roll(context, fighter, resolution, gettext("Does {name} live?").format(name=fighter.name))
    granted = _casualty_rerolls(context, key)
    if dies and granted:
        keep = Option(
            "keep", gettext("Keep the {total}").format(total=total), gettext("{name} dies.").format(name=fighter.name)
        )
        again = Option("again", gettext("Roll again"), gettext("The second result stands."))
        words = gettext("{granted}: roll again for {name}?").format(granted=granted, name=fighter.name)
        if resolution.choose(CASUALTY_AGAIN, words, (keep, again)) == "again":
            why = gettext("Does {name} live? Rolled again").format(name=fighter.name)
            dies, total = _casualty_roll(context, fighter, resolution, why)
    if dies:
        return death(context, fighter, resolution, gettext("{total} on the die.").format(total=total))
    return Outcome(gettext("{fighter} survives.").format(fighter=fighter.name), (gettext("No ill effects."),))


def _casualty_roll(context: StepContext, fighter: ForceFighter, resolution: Resolution, why: str) -> tuple[bool, int]:
    """Roll a D6 for a fighter and tell it. Return whether it dies, and the total."""
    draw = resolution.roll(1, 6, why)
    dies_on = context.content.campaign.troop_dies_on
    lives_on = tuple(face for face in range(1, 7) if face not in dies_on)
    dies = draw.total in dies_on
    rows = (TableRow(_span(*dies_on), gettext("Dies"), dies), TableRow(_span(*lives_on), gettext("Survives"), not dies))
    resolution.tell(f"{draw.total}: {fighter.name} {'dies' if dies else 'lives to fight on'}.", draw, rows)
    return dies, draw.total


def _casualty_rerolls(context: StepContext, key: str) -> str:
    """Return the name of what lets this roll be rolled again, "" once every bearer has lent its one roll."""
    granted = [source.name for source, _ in context.effects(RerollCasualtyEffect)]
    taken = sum(
        picked.get(CASUALTY_AGAIN) == "again"
        for task, picked in context.record.choices.items()
        if task.startswith("casualty-") and task != f"casualty-{key}"
    )
    return granted[0] if len(granted) > taken else ""
