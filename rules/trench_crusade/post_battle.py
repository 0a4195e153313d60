"""The post-battle sequence of Trench Crusade 1.6.3: its steps, what is settled in each, and what a report does at once.

Source: Campaign rules 1.6.3, "Post-Battle Sequence Summary".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from rules.consequences import Consequence, LosesItems, Money, SetWarband
from rules.content.compiled import Content
from rules.desk import Task
from rules.force import Force
from rules.system import Aftermath, Amended, Record, StepKind
from rules.trench_crusade.lookup import book, fighter_views, sources
from rules.trench_crusade.scenarios import attacker_task, scenario_task
from rules.trench_crusade.steps import experience, exploration, injuries, promotion, reinforcements, roster
from rules.trench_crusade.steps.amended import amended
from rules.trench_crusade.steps.fallen import REMEMBER
from rules.trench_crusade.steps.promotion import promotion_chances
from rules.trench_crusade.steps.scene import Scene
from rules.vocabulary import DeedGloryEffect, DeployPriceEffect, Price

INJURIES = StepKind("injuries", "Injuries", "tasks", "ELITE fighters roll on the trauma chart, all others a D6.")
EXPERIENCE = StepKind(
    "experience", "Experience", "tasks", "Points for living and for deeds; skills where they are due."
)
PROMOTION = StepKind("promotion", "Promotions", "tasks", "Dice for those who may join the ELITE.")
THRESHOLD = StepKind("threshold", "Threshold", "tasks", "It rises by itself.")
FORK = StepKind("fork", "Fork", "tasks", "Reinforcements, or exploration and loot.")
EXPLORE = StepKind("exploration", "Explore", "tasks", "Dice, a location, and loot.")
CAMP = StepKind(
    "camp", "Quartermaster", "camp", "Hire, buy, sell, spend glory, move kit.", ("hire", "buy", "sell", "glory", "move")
)
HIRE = StepKind("hire", "Recruit", "camp", "New fighters and their kit.", ("hire", "buy"))
TRADE = StepKind("trade", "Trade", "camp", "Buy; sell for half the base price, rounded up.", ("buy", "sell"))
GLORY = StepKind("glory", "Glory", "camp", "Mercenaries and glory items.", ("glory",))
REALLOCATE = StepKind("reallocate", "Move kit", "camp", "Kit changes hands.", ("move",))
ROSTER = StepKind("roster", "Roster", "close", "Before and after; closing is the last act.")

BEFORE_CAMP = (INJURIES, EXPERIENCE, PROMOTION, THRESHOLD, FORK, EXPLORE)
ONE_CAMP = (*BEFORE_CAMP, CAMP, ROSTER)
STRICT = (*BEFORE_CAMP, HIRE, TRADE, GLORY, REALLOCATE, ROSTER)

TASKS: Mapping[str, Callable[[Scene], tuple[Task, ...]]] = {
    "injuries": injuries.tasks,
    "experience": experience.tasks,
    "promotion": promotion.tasks,
    "threshold": reinforcements.threshold_tasks,
    "fork": reinforcements.fork_tasks,
    "exploration": exploration.tasks,
    "roster": roster.tasks,
}
COUNTS = {
    "injuries": ("injuries", "This battle does not count for injuries."),
    "experience": ("experience", "This battle does not count for experience."),
    "promotion": ("promotion", "This battle does not count for promotions."),
    "exploration": ("exploration", "This battle does not count for exploration."),
}


def steps(content: Content, force: Force) -> tuple[StepKind, ...]:
    """The steps in their order; the house rule "camp" merges hire, trade, glory and reallocation ("one") or not ("strict")."""
    return STRICT if content.reading("camp", "one") == "strict" else ONE_CAMP


def tasks(content: Content, force: Force, aftermath: Aftermath, record: Record, step: str) -> tuple[Task, ...]:
    """What is to be settled in a step, in order; nothing in camp. Tasks already written stay listed. Raises KeyError."""
    if step not in TASKS:
        if any(kind.id == step for kind in (*ONE_CAMP, *STRICT)):
            return ()
        raise KeyError(step)
    return TASKS[step](scene_of(content, force, aftermath, record))


def scene_of(content: Content, force: Force, aftermath: Aftermath, record: Record) -> Scene:
    """The sequence at this moment, as the steps look at it."""
    return Scene(book(content), force, aftermath, record, fighter_views(content, force))


def amended_report(content: Content, force: Force, before: Aftermath, now: Aftermath, record: Record) -> Amended:
    """What an amended report makes up for on a roster where steps were written already."""
    return amended(scene_of(content, force, before, record), scene_of(content, force, now, record))


def skipped(content: Content, force: Force, aftermath: Aftermath, record: Record, step: str) -> str:
    """Why a step is passed over ("" when it is not)."""
    if step in COUNTS:
        what, words = COUNTS[step]
        if what not in aftermath.counts:
            return words
    if step == "exploration":
        way = record.choices.get(reinforcements.FORK, {}).get("way") if reinforcements.FORK in record.written else ""
        if way == reinforcements.REINFORCE:
            return "The warband asked for reinforcements and explores nothing this time."
        if way == REMEMBER:
            return "The warband remembers its fallen and explores nothing this time."
        if way == reinforcements.NEITHER:
            return "The warband stays in camp."
    return ""


def result_consequences(content: Content, force: Force, aftermath: Aftermath) -> tuple[Consequence, ...]:
    """What a report does to this side at once.

    The battle counts as fought, each deed brings its glory, what was used up is gone, treatments are paid as far as the strongbox
    reaches (a report is never refused), and finds that lasted for one battle are spent.
    """
    known, mine = book(content), aftermath.mine
    does: list[Consequence] = []
    if "number" in aftermath.counts:
        does.append(SetWarband(("fought",), force.battles.fought + 1, f"battle {aftermath.number}"))
    does.append(SetWarband(("last_scenario",), aftermath.scenario, f"battle {aftermath.number}"))
    if "glory" in aftermath.counts:
        does += _glory(content, force, mine.deeds)
    if mine.used_up:
        does.append(LosesItems(mine.used_up, f"Used up in battle {aftermath.number}"))
    left = force.strongbox.ducats if force.strongbox else 0
    for key in mine.took_part:
        for name, ducats in _upkeep(content, force, key):
            paid = min(ducats, left)
            left -= paid
            if paid:
                does.append(Money(Price(ducats=-paid), f"{name}: {_name(force, key)}"))
    kept = force.state.get("lasting")
    for entry, lasting in kept.items() if isinstance(kept, Mapping) else ():
        rule = known.lasting.get(str(lasting.get("id"))) if isinstance(lasting, Mapping) else None
        if rule is not None and rule.spends and rule.moment == "battle":
            does.append(SetWarband(("lasting", entry), None, f"{rule.name} is spent"))
    return tuple(does)


def _glory(content: Content, force: Force, done: tuple[tuple[str, str], ...]) -> list[Consequence]:
    """The glory of each deed, once each, in the name of whoever did it first; with what a rule adds for some fighters.

    A rule that makes a deed worth more adds to each deed in the order told, until it has given as much as it may in one battle.
    """
    known = book(content)
    first: dict[str, str] = {}
    for deed_id, key in done:
        first.setdefault(deed_id, key)
    rules = [s for s in sources(known, force) if isinstance(s.effect, DeedGloryEffect)]
    views = fighter_views(content, force) if rules else {}
    given: Counter[str] = Counter()
    found: list[Consequence] = []
    for deed_id, key in first.items():
        deed = known.deeds.get(deed_id)
        glory, name = (deed.glory, deed.name) if deed else (1, deed_id)
        why = f"{name}, by {_name(force, key) if key else 'the warband'}"
        for rule in rules:
            effect, view = rule.effect, views.get(key)
            assert isinstance(effect, DeedGloryEffect)
            if view is None or not {view.profile, *view.counts_as}.intersection(effect.profiles):
                continue
            more = min(effect.glory - glory, effect.most_extra - given[rule.key])
            if more > 0:
                given[rule.key] += more
                glory += more
                why += f"; {rule.name}"
        found.append(Money(Price(glory=glory), why))
    return found


def _upkeep(content: Content, force: Force, key: str) -> list[tuple[str, int]]:
    """What fielding a fighter costs, by the trauma or rule that asks it."""
    known = book(content)
    fighter = next((f for f in force.fighters if f.key == key), None)
    found = []
    for suffered in fighter.traumas if fighter else ():
        trauma = known.traumas.get(suffered.trauma)
        for effect in trauma.effects if trauma else ():
            if isinstance(effect, DeployPriceEffect) and trauma is not None:
                found.append((trauma.name, effect.ducats))
    return found


def _name(force: Force, key: str) -> str:
    return next((f.name for f in force.fighters if f.key == key), "a fighter")


__all__ = [
    "amended_report",
    "attacker_task",
    "promotion_chances",
    "result_consequences",
    "scenario_task",
    "skipped",
    "steps",
    "tasks",
]
