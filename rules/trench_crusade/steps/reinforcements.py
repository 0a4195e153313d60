"""The threshold that rises by itself; reinforcements, called for at the fork or in a step of their own.

Source: Campaign rules 1.6.3, "Warband Limits" and "Reinforcements"; 1.0, "Reinforcements Step".
"""

from __future__ import annotations

from functools import partial

from rules.consequences import Consequence, LosesItems, Money, SetWarband
from rules.resolution import Desk, Option, Outcome, Task
from rules.system import Record
from rules.trench_crusade.steps.context import Scene, amount, listed, settled
from rules.trench_crusade.steps.exploration import dice_count, loot_bonus, loot_of, owned_changes
from rules.trench_crusade.steps.fallen import REMEMBER, remember_option, remembered
from rules.vocabulary import Price, ReinforcementsEffect
from rules.wording import dice_words

THRESHOLD, FORK, CALL = "threshold", "fork", "reinforcements"
REMEMBERED = "The fallen are remembered: what they carried is back."
REINFORCE, EXPLORE, NEITHER = "reinforce", "explore", "neither"


# --- threshold


def threshold_tasks(scene: Scene) -> tuple[Task, ...]:
    """The new threshold, told; nothing is decided and nothing need be written."""
    task = Task(
        THRESHOLD,
        scene.head("threshold"),
        partial(resolve_threshold, scene),
        words="It rises by itself.",
        optional=True,
    )
    return (settled(scene, task, threshold_words(scene)) if THRESHOLD in scene.record.written else task,)


def threshold_words(scene: Scene) -> str:
    """Threshold and field strength, of the battle fought and of the next one."""
    old, new = scene.limits(scene.aftermath.number), scene.limits(scene.next_number)
    head, strength = scene.head("threshold"), scene.label("field_strength")
    if (old.threshold, old.field_strength) == (new.threshold, new.field_strength):
        return f"{head} {new.threshold} ducats, {strength} {new.field_strength}."
    return f"{head} {old.threshold} to {new.threshold} ducats, {strength} {old.field_strength} to {new.field_strength}."


def resolve_threshold(scene: Scene, desk: Desk) -> Outcome:
    """Tell what the next battle allows."""
    new = scene.limits(scene.next_number)
    return Outcome(threshold_words(scene), (f"Battle {scene.next_number}: {new.threshold} ducats.",))


# --- fork


def way_taken(record: Record) -> str:
    """The way that was written: at the fork, or in the step of reinforcements; "" while it is open."""
    for task in (FORK, CALL):
        if task in record.written:
            return str(record.choices.get(task, {}).get("way", ""))
    return ""


def taken_way(scene: Scene) -> str:
    """The way written in this sequence, "" while it is open."""
    return way_taken(scene.record)


def fork_tasks(scene: Scene) -> tuple[Task, ...]:
    """One decision: ask for reinforcements, or explore."""
    task = Task(FORK, "Reinforce or explore", partial(resolve_fork, scene), binds=True)
    if FORK not in scene.record.written:
        return (task,)
    words = {
        REINFORCE: "Reinforcements are on their way.",
        EXPLORE: "The warband goes exploring.",
        REMEMBER: REMEMBERED,
    }
    return (settled(scene, task, words.get(taken_way(scene), "The warband stays in camp.")),)


def purse(scene: Scene) -> int:
    """Ducats that reinforcements may be bought for: from the rating up to the raised threshold."""
    return scene.limits(scene.next_number).threshold - scene.rating.ducats


def why_not_reinforce(scene: Scene) -> str:
    """Why reinforcements cannot be asked for ("" when they can)."""
    rules = [s for s in scene.sources if isinstance(s.effect, ReinforcementsEffect)]
    for source in rules:
        effect = source.effect
        if isinstance(effect, ReinforcementsEffect) and effect.never:
            return f"{source.name}: no reinforcements."
        if isinstance(effect, ReinforcementsEffect) and effect.not_twice and scene.force.state.get("reinforced_last"):
            return f"{source.name}: not twice in a row."
    if purse(scene) <= 0:
        threshold = scene.limits(scene.next_number).threshold
        return f"the warband is worth {scene.rating.ducats} ducats; it must be below the {scene.label('threshold')} of {threshold}."
    return ""


def reinforce_option(scene: Scene) -> Option:
    """Reinforcements with all they give and take, in figures."""
    book, stash, held = scene.book, scene.force.stash, scene.strongbox
    closed = why_not_reinforce(scene)
    glory = book.lists[scene.force.list].glory_per_reinforcement
    gains = [f"fighters and kit for up to {max(0, purse(scene))} ducats; what is left over lapses"]
    if scene.rules.reinforcements == "newcomers":
        gains = [f"new fighters with their kit for up to {max(0, purse(scene))} ducats; what is left over lapses"]
    if glory:
        gains.append(f"{glory} glory")
    losses = [f"{held.ducats} ducats"] if held.ducats else []
    losses += [book.items[i.item].name if i.item in book.items else i.item for i in stash]
    losses.append("exploration and loot this time")
    if len(scene.rules.reinforcements_skip) > 1:
        losses[-1] = "exploration, loot and the quartermaster this time"
    words = (
        f"{scene.head('rating')} {scene.rating.ducats}, {scene.label('threshold')} "
        f"{scene.limits(scene.next_number).threshold} ducats. Glory is kept."
    )
    return Option(REINFORCE, "Reinforce", words, tuple(gains), tuple(losses), closed)


def explore_option(scene: Scene) -> Option:
    """Exploration with what it may bring: dice, re-rolls, and ducats from the least over the expected to the most."""
    closed = "" if "exploration" in scene.aftermath.counts else "this battle does not count for exploration."
    dice, bonus = dice_count(scene), loot_bonus(scene)
    least, most = loot_of(scene, dice) + bonus, loot_of(scene, dice * 6) + bonus
    expected = loot_of(scene, dice * 7) // 2 + bonus
    rerolls = sum(1 for change in owned_changes(scene) if change.rerolls)
    gains = (
        f"{least} to {most} ducats of loot, {expected} on average",
        dice_words(dice),
        "1 re-roll" if rerolls == 1 else f"{rerolls} re-rolls",
        "perhaps a location",
    )
    kept = f"{amount(scene.strongbox)} and the {scene.label('stash')} are kept."
    return Option(EXPLORE, "Explore", kept, gains, (), closed)


def resolve_fork(scene: Scene, desk: Desk) -> Outcome:
    """Take one way. Reinforcements cost the stash and all ducats, and give a purse up to the raised threshold; glory stays.

    Source: Campaign rules 1.6.3, "Reinforcements".
    """
    options = [reinforce_option(scene), explore_option(scene)]
    asked = "Reinforce or explore?"
    own = remember_option(scene)
    if own is not None:
        options.append(own)
        asked = "Reinforce, explore, or remember the fallen?"
    if options[1].closed:
        options.append(Option(NEITHER, "Neither", "Straight to camp; everything is kept."))
    way = desk.choose("way", asked, options)
    if way == REMEMBER:
        return remembered(scene)
    if way != REINFORCE:
        does = (SetWarband(("reinforced_last",), False, "no reinforcements"),)
        words = "The warband goes exploring." if way == EXPLORE else "The warband stays in camp."
        return Outcome(words, (f"Ducats and {scene.label('stash')} are kept.",), does)
    return _reinforced(scene, options[0])


def call_tasks(scene: Scene) -> tuple[Task, ...]:
    """One decision in a step of its own: call for reinforcements, or go on."""
    task = Task(CALL, "Call for reinforcements?", partial(resolve_call, scene), binds=True)
    if CALL not in scene.record.written:
        return (task,)
    words = {REINFORCE: "Reinforcements are called for.", REMEMBER: REMEMBERED}
    return (settled(scene, task, words.get(taken_way(scene), "No reinforcements.")),)


def resolve_call(scene: Scene, desk: Desk) -> Outcome:
    """Call for reinforcements, at the cost of all ducats, the stash and the steps that follow; or go on with everything kept.

    Source: Campaign rules 1.0, "Reinforcements Step".
    """
    reinforce = reinforce_option(scene)
    kept = f"{amount(scene.strongbox)} and the {scene.label('stash')} are kept; exploration comes next."
    options = [reinforce, Option(EXPLORE, "Go on", kept)]
    own = remember_option(scene)
    if own is not None:
        options.append(own)
    way = desk.choose("way", "Call for reinforcements?", options)
    if way == REMEMBER:
        return remembered(scene)
    if way != REINFORCE:
        does = (SetWarband(("reinforced_last",), False, "no reinforcements"),)
        return Outcome("No reinforcements are called for.", ("Everything is kept.",), does)
    return _reinforced(scene, reinforce)


def _reinforced(scene: Scene, option: Option) -> Outcome:
    ducats, held, stash = purse(scene), scene.strongbox.ducats, scene.force.stash
    battle, threshold = scene.aftermath.number, scene.limits(scene.next_number).threshold
    glory = scene.book.lists[scene.force.list].glory_per_reinforcement
    does: list[Consequence] = []
    if stash:
        does.append(LosesItems(tuple(i.key for i in stash), "Given up for reinforcements"))
    if held:
        does.append(Money(Price(ducats=-held), "Strongbox emptied for reinforcements"))
    does.append(Money(Price(ducats=ducats), f"Reinforcements up to {threshold} ducats"))
    if glory:
        does.append(Money(Price(glory=glory), "Glory that comes with reinforcements"))
    does.append(SetWarband(("reinforcing",), {"battle": battle, "ducats": ducats}, "reinforcements"))
    does.append(SetWarband(("reinforced_last",), True, "reinforcements"))
    lines = [
        f"Lost: {listed(option.losses)}.",
        f"{ducats} ducats to hire and equip with, old fighters too; the rest lapses."
        if scene.rules.reinforcements == "anybody"
        else f"{ducats} ducats for new fighters and their kit; the rest lapses.",
    ]
    if glory:
        lines.append(f"{glory} glory join the strongbox.")
    return Outcome(f"Reinforcements for {ducats} ducats.", tuple(lines), tuple(does), grave=bool(stash or held))
