"""Exploration: the dice, the changes to them that a warband owns, the lookup of the exact score, the location, and
the loot.

Source: Campaign rules 1.6.3, "Exploration"; 1.0, "Exploration Step".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

from rules.consequences import Consequence, Money, SetWarband
from rules.content.campaign_entries import ByBattles, Location, LocationOption
from rules.formatting import dice_words, quantity
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.translation import gettext
from rules.trench_crusade.carried_effects import CarriedEffect
from rules.trench_crusade.steps.context import StepContext, settled
from rules.trench_crusade.steps.exploration_dice import (
    CHANGES,
    DIE,
    REROLLS,
    STEPS,
    DieChange,
    _pick_die,
    _reachable,
    _roll_again,
    owned_changes,
)
from rules.trench_crusade.steps.rewards import take
from rules.trench_crusade.steps.taking import Taking
from rules.vocabulary import ExplorationDiceEffect, LootEffect

EXPLORATION = "exploration"
DONE = "done"
MOST_DEAD = 9999  # the highest accepted value, in ducats, of the dead of one battle


def tasks(context: StepContext) -> tuple[Task, ...]:
    """Return the task of the whole exploration. A skill advancement from a location falls due in the experience step."""
    task = Task(EXPLORATION, gettext("Looting and exploration"), partial(resolve_exploration, context))
    return (settled(context, task, gettext("Looted and explored.")) if EXPLORATION in context.record.written else task,)


# --- what the warband brings to the roll


def by_battles(context: StepContext) -> ByBattles:
    """Return the dice and tables for the number of battles fought, including this one."""
    rows = context.content.campaign.exploration
    for row in rows:
        if row.first <= context.fought and (row.last is None or context.fought <= row.last):
            return row
    return rows[-1]


def dice_count(context: StepContext) -> int:
    """Return the number of exploration dice rolled at once.

    An Extra Dice skill adds its own later, if its owner wants it.
    """
    more = context.effects(ExplorationDiceEffect)
    return by_battles(context).dice + sum(effect.add for s, effect in more if s.skill_kind != "exploration")


def loot_bonus(context: StepContext) -> int:
    return sum(effect.ducats for _, effect in context.effects(LootEffect))


def scavenging(context: StepContext) -> CarriedEffect | None:
    """Return the rule that halves the loot and pays for the dead instead, or None if there is none."""
    return next((source for source, effect in context.effects(LootEffect) if effect.scavenges), None)


def loot_of(context: StepContext, score: int) -> int:
    loot = score * context.content.campaign.loot_ducats_per_point
    return loot // 2 if scavenging(context) else loot


# --- changing the dice


def _score_words(dice: list[int], more: int) -> str:
    beside = gettext(" and {more:+d}").format(more=more) if more else ""
    return gettext("Dice {listed}{beside}: score {score}.").format(
        listed=", ".join(map(str, dice)), beside=beside, score=sum(dice) + more
    )


def _roll_fresh_die(resolution: Resolution, dice: list[int], again: set[int], step: int) -> int:
    """Roll a die again that was not rolled again yet. Return its place."""
    fresh = [place for place in range(len(dice)) if place not in again]
    place = _pick_die(resolution, dice, f"mod-{step}-die", gettext("Roll which die again?"), fresh)
    _roll_again(resolution, dice, place)
    return place


def _usable(left: Mapping[str, int], *, all_rerolled: bool) -> dict[str, int]:
    """Return the changes that are left, without re-rolls once each die has had its own."""
    return {change: count for change, count in left.items() if count and not (all_rerolled and change in REROLLS)}


def bend(context: StepContext, resolution: Resolution, dice: list[int], tables: tuple[str, ...] = ()) -> int:
    """Let the player use owned changes in any order, each as often as it is owned. Return the score.

    If the edition allows only one re-roll for each die, dice already rolled again are left out of further re-rolls.
    """
    tables = tables or by_battles(context).tables
    on_total, more = context.rules.exploration_steps == "total", 0
    again: set[int] = set()
    owned = [change for change in owned_changes(context) if not _is_early(context, change)]
    names = {change.id: change.name for change in owned}
    left = Counter(change.id for change in owned)
    step = 1
    while any(left.values()):
        usable = _usable(left, all_rerolled=len(again) == len(dice))
        options = _change_options(context, dice, more, tables, usable, names)
        score = sum(dice) + more
        if not options:
            return score
        leave = gettext("Leave it at {score}").format(score=score)
        options.append(Option(DONE, leave, _place_words(context, score, tables)))
        picked = resolution.choose(f"mod-{step}", _score_words(dice, more), options)
        if picked == DONE:
            return score
        if on_total and picked in STEPS:
            more += STEPS[picked]
            words = gettext("the score becomes {number}.").format(number=sum(dice) + more)
        elif picked in REROLLS and context.rules.reroll_once:
            again.add(_roll_fresh_die(resolution, dice, again, step))
            words = ""
        else:
            words = CHANGES[picked](resolution, dice, f"mod-{step}")
        if words:
            resolution.tell(f"{names[picked]}: {words}")
        left[picked] -= 1
        step += 1
    return sum(dice) + more


def _change_options(
    context: StepContext,
    dice: list[int],
    more: int,
    tables: tuple[str, ...],
    left: Mapping[str, int],
    names: Mapping[str, str],
) -> list[Option]:
    options = []
    for change, count in left.items():
        reach = _reachable(change, dice, more, on_total=context.rules.exploration_steps == "total")
        if reach != []:
            times = gettext(" ({count} left)").format(count=count) if count > 1 else ""
            words = _reach_words(context, reach, sum(dice) + more, tables)
            options.append(Option(change, names[change] + times, words))
    return options


def _reach_words(context: StepContext, reach: list[int] | None, score: int, tables: tuple[str, ...]) -> str:
    if reach is None:
        return gettext("Roll to decide.")
    if reach == [score]:
        return gettext("The score stays {score}.").format(score=score)
    if len(reach) == 1:
        return gettext("Makes {reach}: {place_words}").format(
            reach=reach[0], place_words=_place_words(context, reach[0], tables)
        )
    places = [
        f"{at}: {_place_words(context, at, tables)}"
        for at in reach
        if at != score and open_locations(context, at, tables)
    ]
    return (
        "; ".join(places)
        if places
        else gettext("{reach} to {reach_2}, no location among them.").format(reach=reach[0], reach_2=reach[-1])
    )


def _place_words(context: StepContext, score: int, tables: tuple[str, ...]) -> str:
    return " or ".join(f"{place.name} ({place.rarity})" for place in open_locations(context, score, tables)) or gettext(
        "no location"
    )


# --- locations


def locations_at(context: StepContext, score: int, tables: tuple[str, ...] = ()) -> tuple[Location, ...]:
    """Return the locations of these tables with exactly this score. No tables means all open ones."""
    tables = tables or by_battles(context).tables
    return tuple(p for p in context.content.pack.locations if p.rarity in tables and p.score == score)


def open_locations(context: StepContext, score: int, tables: tuple[str, ...] = ()) -> tuple[Location, ...]:
    """Return the locations at this score that the warband has not found before."""
    return tuple(p for p in locations_at(context, score, tables) if p.id not in context.force.locations)


def _table_rows(context: StepContext, score: int, tables: tuple[str, ...]) -> tuple[TableRow, ...]:
    """Return the rows of these tables around the score: the next location below, those hit, the next above."""
    places = sorted(
        (p for p in context.content.pack.locations if p.rarity in tables), key=lambda p: (p.score, p.rarity)
    )
    rows = [(p.score, TableRow(str(p.score), f"{p.name}, {p.rarity}", p.score == score)) for p in places]
    if not any(at == score for at, _ in rows):
        rows.append((score, TableRow(str(score), gettext("No location"), True)))
        rows.sort(key=lambda row: row[0])
    hits = [place for place, (at, _) in enumerate(rows) if at == score]
    return tuple(row for _, row in rows[max(0, hits[0] - 1) : hits[-1] + 2])


def _found(context: StepContext, resolution: Resolution, score: int, tables: tuple[str, ...]) -> Location | None:
    here, fresh = locations_at(context, score, tables), open_locations(context, score, tables)
    if not here:
        resolution.tell(
            gettext("Score {score}: no location.").format(score=score), rows=_table_rows(context, score, tables)
        )
        return None
    if not fresh:
        names = " and ".join(p.name for p in here)
        resolution.tell(
            gettext("Score {score}: {names}, {label}: nothing is left.").format(
                score=score, names=names, label=context.label("found_before")
            ),
            rows=_table_rows(context, score, tables),
        )
        return None
    if len(fresh) == 1:
        resolution.tell(
            gettext("Score {score}: {name}.").format(score=score, name=fresh[0].name),
            rows=_table_rows(context, score, tables),
        )
        return fresh[0]
    resolution.tell(
        gettext("Score {score} fits {count} places.").format(score=score, count=len(fresh)),
        rows=_table_rows(context, score, tables),
    )
    options = tuple(Option(p.id, f"{p.name}, {p.rarity}", _location_words(context, p)) for p in fresh)
    picked = resolution.choose(
        "location", gettext("{score} fits {count} places. Choose one.").format(score=score, count=len(fresh)), options
    )
    return next(p for p in fresh if p.id == picked)


def _location_words(context: StepContext, place: Location) -> str:
    """Return the description of a location and of the options that are open to the warband."""
    ways = [f"{o.name}: {o.words}" for o in place.options if not closed_option(context, o)]
    return " ".join([place.words, *ways]).strip()


def closed_option(context: StepContext, option: LocationOption) -> str:
    """Return why this option of a location is closed to the warband, or "" if it is open."""
    own = {context.force.list}
    if not option.base_list_only:
        own.add(context.content.faction(context.force.list))
    if option.lists and not own.intersection(option.lists):
        return gettext("for {list_names} only.").format(list_names=_list_names(context, option.lists))
    if own.intersection(option.not_lists):
        return gettext("not for {list_names}.").format(list_names=_list_names(context, option.not_lists))
    return ""


def _list_names(context: StepContext, lists: tuple[str, ...]) -> str:
    names = {one.id: one.name for one in context.content.pack.lists}
    names |= {one.id: one.name for one in context.content.pack.other_lists}
    return ", ".join(names.get(one, one) for one in lists)


def _way(context: StepContext, resolution: Resolution, place: Location) -> LocationOption | None:
    if not place.options:
        return None
    options = tuple(Option(o.id, o.name, o.words, closed=closed_option(context, o)) for o in place.options)
    open_ones = [o for o in options if not o.closed]
    if not open_ones:
        resolution.tell(
            gettext("{name} has nothing for {name_2}.").format(
                name=place.name, name_2=context.content.lists[context.force.list].army.name
            )
        )
        return None
    picked = (
        open_ones[0].value
        if len(open_ones) == 1
        else resolution.choose("option", gettext("{name}: choose one.").format(name=place.name), options)
    )
    return next(o for o in place.options if o.id == picked)


# --- the whole


def _is_early(context: StepContext, change: DieChange) -> bool:
    skill = context.content.skills.get(change.id)
    return any(isinstance(e, ExplorationDiceEffect) and e.before_roll for e in (skill.effects if skill else ()))


def further_dice(context: StepContext, resolution: Resolution) -> int:
    """Return the extra dice that the warband takes, if this is decided before the roll."""
    owned = [change for change in owned_changes(context) if _is_early(context, change)]
    if not owned:
        return 0
    most = len(owned)
    words = gettext("{name}: how many more dice? At most {most}.").format(name=owned[0].name, most=most)
    return resolution.number("further-dice", words, 0, most)


def chosen_tables(context: StepContext, resolution: Resolution) -> tuple[str, ...]:
    """Return the tables to look the score up in: all open ones, or the one chosen before the roll."""
    tables: tuple[str, ...] = by_battles(context).tables
    if context.rules.exploration_table == "all" or len(tables) == 1:
        return tables
    options = tuple(Option(table, table.capitalize()) for table in tables)
    return (resolution.choose("table", gettext("Which table is explored?"), options),)


def resolve_exploration(context: StepContext, resolution: Resolution) -> Outcome:
    """Roll the dice, apply changes, look up the exact score, take one option of the location, and loot ten ducats a
    point.

    Dice and tables depend on battles fought, including this one but not credited ones. Loot counts the score after
    all changes, with or without a location. What was found this time does not add to it yet.
    """
    count = dice_count(context)
    tables = chosen_tables(context, resolution)
    count += further_dice(context, resolution)
    draw = resolution.roll(count, DIE, gettext("Exploration dice"))
    dice = list(draw.faces)
    names = " and ".join(tables)
    word = gettext("Table") if len(tables) == 1 else gettext("Tables")
    resolution.tell(
        gettext("{dice} after {count}: {map}. {word}: {names}.").format(
            dice=dice_words(count),
            count=quantity(context.fought, "battle"),
            map=", ".join(map(str, dice)),
            word=word,
            names=names,
        ),
        draw,
    )
    score = bend(context, resolution, dice, tables)
    loot, bonus = loot_of(context, score), loot_bonus(context)
    does: list[Consequence] = [Money(Price(ducats=loot), gettext("Loot, {score} points").format(score=score))]
    rule, each = scavenging(context), context.content.campaign.loot_ducats_per_point
    halved = ", halved," if rule else ""
    lines = [
        gettext("Loot: {score} times {each}{halved} is {loot} ducats.").format(
            score=score, each=each, halved=halved, loot=loot
        )
    ]
    if bonus:
        does.append(Money(Price(ducats=bonus), gettext("Extra loot from earlier finds")))
        lines.append(gettext("{bonus} extra ducats from earlier finds.").format(bonus=bonus))
    if rule is not None:
        asked = gettext("{name}: how many ducats were all who died, friend and foe, worth?").format(name=rule.name)
        dead = resolution.number("dead", asked, 0, MOST_DEAD) // 2
        does.append(
            Money(Price(ducats=dead), gettext("{rule}: half of what the dead were worth").format(rule=rule.name))
        )
        lines.append(
            gettext("{name}: {dead} ducats, half of what the dead were worth.").format(name=rule.name, dead=dead)
        )
        bonus += dead
    place = _found(context, resolution, score, tables)
    if place is None:
        return Outcome(
            gettext("{amount} ducats of loot, no location.").format(amount=loot + bonus), tuple(lines), tuple(does)
        )
    way = _way(context, resolution, place)
    taking = Taking(context, resolution, place.id, way.id if way else "")
    for reward in (*place.rewards, *(way.rewards if way else ())):
        take(taking, reward)
    does.append(SetWarband(("locations", place.id), way.id if way else "", place.name))
    found = f"{place.name}, {way.name}" if way else place.name
    lines += [f"{found}: {way.words if way else place.words}", *taking.lines]
    return Outcome(
        gettext("{found}, and {amount} ducats of loot.").format(found=found, amount=loot + bonus),
        tuple(lines),
        (*does, *taking.does),
    )
