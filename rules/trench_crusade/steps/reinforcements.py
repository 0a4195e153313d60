"""The threshold, which rises automatically, and reinforcements, called for at the fork or in a separate step.

Source: Campaign rules 1.6.3, "Warband Limits" and "Reinforcements"; 1.0, "Reinforcements Step".
"""

from __future__ import annotations

from functools import partial

from rules.consequences import Consequence, LosesItems, Money, SetWarband
from rules.formatting import amount, dice_words, joined
from rules.parts.post_battle import StepRecord
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, Task
from rules.translation import gettext as _
from rules.trench_crusade.steps.context import StepContext, settled
from rules.trench_crusade.steps.exploration import dice_count, loot_bonus, loot_of
from rules.trench_crusade.steps.exploration_dice import owned_changes
from rules.trench_crusade.steps.fallen import REMEMBER, remember_option, remembered
from rules.vocabulary import ReinforcementsEffect

THRESHOLD, FORK, CALL = "threshold", "fork", "reinforcements"
REMEMBERED = _("The fallen are remembered: what they carried is back.")
REINFORCE, EXPLORE, NEITHER = "reinforce", "explore", "neither"


# --- threshold


def threshold_tasks(context: StepContext) -> tuple[Task, ...]:
    """Return a task that shows the new threshold. It needs no decision and need not be written."""
    task = Task(
        THRESHOLD,
        context.head("threshold"),
        partial(resolve_threshold, context),
        words=_("It rises by itself."),
        optional=True,
    )
    return (settled(context, task, threshold_words(context)) if THRESHOLD in context.record.written else task,)


def threshold_words(context: StepContext) -> str:
    old, new = context.limits(context.aftermath.number), context.limits(context.next_number)
    head, strength = context.head("threshold"), context.label("field_strength")
    if (old.threshold, old.field_strength) == (new.threshold, new.field_strength):
        return _("{head} {threshold} ducats, {strength} {field_strength}.").format(
            head=head, threshold=new.threshold, strength=strength, field_strength=new.field_strength
        )
    return _(
        "{head} {threshold} to {new_threshold} ducats, {strength} {field_strength} to {new_field_strength}."
    ).format(
        head=head,
        threshold=old.threshold,
        new_threshold=new.threshold,
        strength=strength,
        field_strength=old.field_strength,
        new_field_strength=new.field_strength,
    )


def resolve_threshold(context: StepContext, resolution: Resolution) -> Outcome:
    new = context.limits(context.next_number)
    return Outcome(
        threshold_words(context),
        (
            _("Battle {next_number}: {threshold} ducats.").format(
                next_number=context.next_number, threshold=new.threshold
            ),
        ),
    )


# --- fork


def way_taken(record: StepRecord) -> str:
    """Return the option written at the fork or in the reinforcements step, or "" while it is open."""
    for task in (FORK, CALL):
        if task in record.written:
            return str(record.choices.get(task, {}).get("way", ""))
    return ""


def taken_way(context: StepContext) -> str:
    """Return the option written in this sequence, or "" while it is open."""
    return way_taken(context.record)


def fork_tasks(context: StepContext) -> tuple[Task, ...]:
    """Return one decision: ask for reinforcements, or explore."""
    task = Task(FORK, _("Reinforce or explore"), partial(resolve_fork, context), binds=True)
    if FORK not in context.record.written:
        return (task,)
    words = {
        REINFORCE: _("Reinforcements are on their way."),
        EXPLORE: _("The warband goes exploring."),
        REMEMBER: REMEMBERED,
    }
    return (settled(context, task, words.get(taken_way(context), _("The warband stays in camp."))),)


def purse(context: StepContext) -> int:
    """Return the ducats available for reinforcements: from the rating up to the raised threshold."""
    return context.limits(context.next_number).threshold - context.rating.ducats


def why_not_reinforce(context: StepContext) -> str:
    for source, effect in context.effects(ReinforcementsEffect):
        if effect.never:
            return _("{name}: no reinforcements.").format(name=source.name)
        if effect.not_twice and context.force.state.get("reinforced_last"):
            return _("{name}: not twice in a row.").format(name=source.name)
    if purse(context) <= 0:
        threshold = context.limits(context.next_number).threshold
        return _("the warband is worth {ducats} ducats; it must be below the {label} of {threshold}.").format(
            ducats=context.rating.ducats, label=context.label("threshold"), threshold=threshold
        )
    return ""


def reinforce_option(context: StepContext) -> Option:
    content, stash, held = context.content, context.force.stash, context.strongbox
    closed = why_not_reinforce(context)
    glory = content.lists[context.force.list].army.glory_per_reinforcement
    gains = [_("fighters and kit for up to {max} ducats; what is left over lapses").format(max=max(0, purse(context)))]
    if context.rules.reinforcements == "newcomers":
        gains = [
            _("new fighters with their kit for up to {max} ducats; what is left over lapses").format(
                max=max(0, purse(context))
            )
        ]
    if glory:
        gains.append(_("{glory} glory").format(glory=glory))
    losses = [_("{ducats} ducats").format(ducats=held.ducats)] if held.ducats else []
    losses += [content.items[i.item].name if i.item in content.items else i.item for i in stash]
    losses.append(_("exploration and loot this time"))
    if len(context.rules.reinforcements_skip) > 1:
        losses[-1] = _("exploration, loot and the quartermaster this time")
    words = _("{head} {ducats}, {label} {threshold} ducats. Glory is kept.").format(
        head=context.head("rating"),
        ducats=context.rating.ducats,
        label=context.label("threshold"),
        threshold=context.limits(context.next_number).threshold,
    )
    return Option(REINFORCE, _("Reinforce"), words, tuple(gains), tuple(losses), closed)


def explore_option(context: StepContext) -> Option:
    """Return the exploration option with what it may bring: dice, re-rolls, and the least, expected and most ducats."""
    closed = "" if "exploration" in context.aftermath.counts else _("this battle does not count for exploration.")
    dice, bonus = dice_count(context), loot_bonus(context)
    least, most = loot_of(context, dice) + bonus, loot_of(context, dice * 6) + bonus
    expected = loot_of(context, dice * 7) // 2 + bonus
    rerolls = sum(1 for change in owned_changes(context) if change.rerolls)
    gains = (
        _("{least} to {most} ducats of loot, {expected} on average").format(least=least, most=most, expected=expected),
        dice_words(dice),
        "1 re-roll" if rerolls == 1 else _("{rerolls} re-rolls").format(rerolls=rerolls),
        _("perhaps a location"),
    )
    kept = _("{amount} and the {label} are kept.").format(
        amount=amount(context.strongbox), label=context.label("stash")
    )
    return Option(EXPLORE, _("Explore"), kept, gains, (), closed)


def resolve_fork(context: StepContext, resolution: Resolution) -> Outcome:
    """Take one option of the fork.

    Reinforcements cost the stash and all ducats, and give a purse up to the raised threshold. Glory stays. Source:
    Campaign rules 1.6.3, "Reinforcements".
    """
    options = [reinforce_option(context), explore_option(context)]
    asked = _("Reinforce or explore?")
    own = remember_option(context)
    if own is not None:
        options.append(own)
        asked = _("Reinforce, explore, or remember the fallen?")
    if options[1].closed:
        options.append(Option(NEITHER, _("Neither"), _("Straight to camp; everything is kept.")))
    way = resolution.choose("way", asked, options)
    if way == REMEMBER:
        return remembered(context)
    if way != REINFORCE:
        does = (SetWarband(("reinforced_last",), False, _("no reinforcements")),)
        words = _("The warband goes exploring.") if way == EXPLORE else _("The warband stays in camp.")
        return Outcome(words, (_("Ducats and {label} are kept.").format(label=context.label("stash")),), does)
    return _reinforced(context, options[0])


def call_tasks(context: StepContext) -> tuple[Task, ...]:
    """Return one decision in a separate step: call for reinforcements, or continue."""
    task = Task(CALL, _("Call for reinforcements?"), partial(resolve_call, context), binds=True)
    if CALL not in context.record.written:
        return (task,)
    words = {REINFORCE: _("Reinforcements are called for."), REMEMBER: REMEMBERED}
    return (settled(context, task, words.get(taken_way(context), _("No reinforcements."))),)


def resolve_call(context: StepContext, resolution: Resolution) -> Outcome:
    """Call for reinforcements, at the cost of all ducats, the stash and the steps that follow; or continue and lose
    nothing.

    Source: Campaign rules 1.0, "Reinforcements Step".
    """
    reinforce = reinforce_option(context)
    kept = _("{amount} and the {label} are kept; exploration comes next.").format(
        amount=amount(context.strongbox), label=context.label("stash")
    )
    options = [reinforce, Option(EXPLORE, _("Continue"), kept)]
    own = remember_option(context)
    if own is not None:
        options.append(own)
    way = resolution.choose("way", _("Call for reinforcements?"), options)
    if way == REMEMBER:
        return remembered(context)
    if way != REINFORCE:
        does = (SetWarband(("reinforced_last",), False, _("no reinforcements")),)
        return Outcome(_("No reinforcements are called for."), (_("Everything is kept."),), does)
    return _reinforced(context, reinforce)


def _reinforced(context: StepContext, option: Option) -> Outcome:
    ducats, held, stash = purse(context), context.strongbox.ducats, context.force.stash
    battle, threshold = context.aftermath.number, context.limits(context.next_number).threshold
    glory = context.content.lists[context.force.list].army.glory_per_reinforcement
    does: list[Consequence] = []
    if stash:
        does.append(LosesItems(tuple(i.key for i in stash), _("Given up for reinforcements")))
    if held:
        does.append(Money(Price(ducats=-held), _("Strongbox emptied for reinforcements")))
    does.append(Money(Price(ducats=ducats), _("Reinforcements up to {threshold} ducats").format(threshold=threshold)))
    if glory:
        does.append(Money(Price(glory=glory), _("Glory that comes with reinforcements")))
    does.append(SetWarband(("reinforcing",), {"battle": battle, "ducats": ducats}, "reinforcements"))
    does.append(SetWarband(("reinforced_last",), True, "reinforcements"))
    lines = [
        _("Lost: {losses}.").format(losses=joined(option.losses)),
        _("{ducats} ducats to hire and equip with, old fighters too; the rest lapses.").format(ducats=ducats)
        if context.rules.reinforcements == "anybody"
        else _("{ducats} ducats for new fighters and their kit; the rest lapses.").format(ducats=ducats),
    ]
    if glory:
        lines.append(_("{glory} glory join the strongbox.").format(glory=glory))
    return Outcome(
        _("Reinforcements for {ducats} ducats.").format(ducats=ducats),
        tuple(lines),
        tuple(does),
        grave=bool(stash or held),
    )
