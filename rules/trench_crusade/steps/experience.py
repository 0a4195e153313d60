"""Experience and advancement: the tally for survivors and deeds, what skills and finds yield, and the skills learned.

Source: Campaign rules 1.6.3, "Experience and Advancement".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from rules.consequences import Consequence, Money, SetFighter
from rules.content.schema import SkillTable
from rules.dice import Draw
from rules.force import ForceFighter
from rules.formatting import quantity
from rules.price import Price
from rules.resolution import Option, Outcome, Resolution, TableRow, Task
from rules.translation import gettext
from rules.trench_crusade.carried_effects import CarriedEffect, full_skills, known_skills
from rules.trench_crusade.steps.context import StepContext, around, fighter_options, settled
from rules.trench_crusade.steps.learning import learn
from rules.vocabulary import AfterBattleEffect, OtherExperienceEffect

TALLY = "experience"
NO_SKILL = "none"


def tasks(context: StepContext) -> tuple[Task, ...]:
    """Return the tally first, then teaching, then income, then each skill advancement that is due."""
    found: list[Task] = []
    tally = Task(
        TALLY,
        gettext("Experience"),
        partial(resolve_tally, context),
        words=gettext("One point for surviving, one for deeds."),
        absorbs=True,
    )
    if TALLY in context.record.written:
        found.append(settled(context, tally, gettext("Experience is tallied.")))
    elif any(gain for _, gain, _ in gains(context)):
        found.append(tally)
    needs = (TALLY,) if found and TALLY not in context.record.written else ()
    found += _teaching(context, needs)
    found += income(context)
    waits = needs + tuple(t.key for t in found if t.key.startswith("teach-") and t.key not in context.record.written)
    found += advances(context, waits)
    return tuple(found)


# --- the tally


def gains(context: StepContext) -> tuple[tuple[ForceFighter, int, str], ...]:
    """Return who gains experience for this battle: the fighter, the amount within its cap, and the reason as text."""
    found = []
    for key in context.in_order(context.aftermath.mine.took_part):
        fighter = context.fighter(key)
        if fighter is None or not context.learns(key):
            continue
        did_deed = key in context.deed_learners
        gain = min(2 if did_deed else 1, max(0, context.experience_cap(key) - fighter.experience))
        found.append((fighter, gain, gettext("survived +1, deed +1") if did_deed else gettext("survived +1")))
    return tuple(found)


def resolve_tally(context: StepContext, resolution: Resolution) -> Outcome:
    """Give every living ELITE fighter that took part one point, and one more if it did a deed, up to its cap."""
    does: list[Consequence] = []
    lines: list[str] = []
    for fighter, gain, why in gains(context):
        now = fighter.experience + gain
        capped = gettext("; the most it can have") if now >= context.experience_cap(fighter.key) else ""
        lines.append(
            gettext("{fighter}: {why}, {experience} to {now}{capped}.").format(
                fighter=fighter.name, why=why, experience=fighter.experience, now=now, capped=capped
            )
        )
        if gain:
            does.append(SetFighter(fighter.key, ("experience",), now, why))
    count = len(does)
    return Outcome(
        gettext("{count} experience.").format(
            count=quantity(count, gettext("fighter gains"), gettext("fighters gain"))
        ),
        tuple(lines),
        tuple(does),
    )


def _is_open(context: StepContext, source: CarriedEffect) -> bool:
    """Return whether a source yields something for this battle.

    Skills learned in this sequence came after the battle, so they do not count. Neither does what joined the roster
    after the fork.
    """
    return f"-{context.prefix}-" not in source.key and not {"fork", "reinforcements"} & context.record.written


def _teaching(context: StepContext, needs: tuple[str, ...]) -> list[Task]:
    found = []
    for source, effect in context.effects(OtherExperienceEffect):
        task = Task(
            f"teach-{source.key}",
            _source_title(context, source),
            partial(resolve_teaching, context, source, effect),
            subject=source.fighter,
            words=gettext("Others gain experience."),
            needs=needs,
        )
        if task.key in context.record.written:
            found.append(settled(context, task))
        elif _is_open(context, source) and _pupils(context, source):
            found.append(task)
    return found + _vanished(context, "teach-", found, gettext("Experience passed on"))


def _source_title(context: StepContext, source: CarriedEffect) -> str:
    return (
        gettext("{source} of {name}").format(source=source.name, name=context.name(source.fighter))
        if source.fighter
        else source.name
    )


def _pupils(context: StepContext, source: CarriedEffect) -> list[str]:
    """Return the other ELITE fighters that can still gain experience."""
    return [
        f.key
        for f in context.force.fighters
        if f.active
        and f.key != source.fighter
        and context.learns(f.key)
        and f.experience < context.experience_cap(f.key)
    ]


def resolve_teaching(
    context: StepContext, source: CarriedEffect, effect: OtherExperienceEffect, resolution: Resolution
) -> Outcome:
    """Let other ELITE fighters of the player's choice (or all of them) gain experience."""
    pupils = _pupils(context, source)
    if effect.count == 0:
        picked: tuple[str, ...] = tuple(pupils)
    else:
        most = min(effect.count, len(pupils))
        words = {key: gettext("experience {experience}").format(experience=_experience(context, key)) for key in pupils}
        options = fighter_options(context, pupils, words)
        if most == 1:
            picked = (
                resolution.choose(
                    "pupil",
                    gettext("{name}: who gains {experience} experience?").format(
                        name=source.name, experience=effect.experience
                    ),
                    options,
                ),
            )
        else:
            picked = resolution.choose_some(
                "pupils", gettext("{name}: who gains experience?").format(name=source.name), options, most=most
            )
    return experience_for(context, picked, effect.experience, source.name)


def experience_for(context: StepContext, keys: Iterable[str], gain: int, why: str) -> Outcome:
    does: list[Consequence] = []
    lines = []
    for key in keys:
        before = _experience(context, key)
        now = max(before, min(context.experience_cap(key), before + gain))
        does.append(SetFighter(key, ("experience",), now, why))
        lines.append(gettext("{name}: {before} to {now}.").format(name=context.name(key), before=before, now=now))
    names = ", ".join(context.name(key) for key in keys) or gettext("no one")
    return Outcome(gettext("{why}: experience for {names}.").format(why=why, names=names), tuple(lines), tuple(does))


def _experience(context: StepContext, key: str) -> int:
    fighter = context.fighter(key)
    return fighter.experience if fighter else 0


def _vanished(context: StepContext, start: str, found: Iterable[Task], title: str) -> list[Task]:
    """Return written tasks whose occasion is no longer on the roster. They stay listed."""
    listed = {task.key for task in found}
    return [
        settled(context, Task(key, title, lambda resolution: Outcome("")))
        for key in sorted(context.record.written)
        if key.startswith(start) and key not in listed
    ]


# --- income


def income(context: StepContext) -> list[Task]:
    """Return what skills, kit and finds bring in after the battle, one task each."""
    found = []
    for source, effect in context.effects(AfterBattleEffect):
        key, resolve = f"income-{source.key}", partial(resolve_income, context, source, effect)
        task = Task(key, _source_title(context, source), resolve, subject=source.fighter, group=gettext("Income"))
        if key in context.record.written:
            found.append(settled(context, task))
        elif _is_open(context, source) and _earns(context, source, effect):
            found.append(task)
    return found + _vanished(context, "income-", found, gettext("Income"))


def _earns(context: StepContext, source: CarriedEffect, effect: AfterBattleEffect) -> bool:
    mine = context.aftermath.mine
    if not source.fighter:
        return not effect.fielded
    if (effect.fielded or effect.standing or effect.per) and source.fighter not in mine.took_part:
        return False
    return not (effect.standing and source.fighter in mine.out)


def resolve_income(
    context: StepContext, source: CarriedEffect, effect: AfterBattleEffect, resolution: Resolution
) -> Outcome:
    """Resolve the income from one source.

    It is a fixed sum, dice, or an amount for each unit of something that the player counts.
    """
    ducats, glory = effect.ducats, effect.glory
    if effect.if_so:
        answers = (Option("yes", gettext("Yes")), Option("no", "No"))
        if resolution.choose("if-so", f"{source.name}: {effect.if_so}", answers) == "no":
            return Outcome(gettext("{name}: nothing this time.").format(name=source.name))
    if effect.per:
        count = resolution.number(
            "count", gettext("{name}: how many {per}?").format(name=source.name, per=effect.per), 0, 99
        )
        ducats, glory = ducats * count, glory * count
    if effect.dice:
        draw = resolution.roll(effect.dice, 6, source.name)
        earned = draw.total * effect.times
        resolution.tell(
            gettext("{total} times {times} is {earned} {currency}.").format(
                total=draw.total, times=effect.times, earned=earned, currency=effect.currency
            ),
            draw,
        )
        ducats, glory = (ducats + earned, glory) if effect.currency == "ducats" else (ducats, glory + earned)
    earned_now = Price(ducats, glory)
    who = _source_title(context, source)
    if not earned_now:
        return Outcome(gettext("{who}: nothing this time.").format(who=who))
    return Outcome(
        f"{who}: {earned_now}.",
        (gettext("{earned_now} join the strongbox.").format(earned_now=earned_now),),
        (Money(earned_now, who),),
    )


# --- advancement


@dataclass(frozen=True)
class LearnedSkill:
    """The result of a roll on one table: the skill (NO_SKILL if none is left), and whether it is a patron pick."""

    table: SkillTable
    total: int
    roll: int
    skill: str
    patron: bool = False


def due(context: StepContext, fighter: ForceFighter) -> tuple[int, ...]:
    """Return the experience values at which a fighter has earned a skill that it has not taken yet."""
    if fighter.demoted or not context.is_elite(fighter.key):
        return ()
    cap = context.experience_cap(fighter.key)
    reached = [step for step in context.content.campaign.advances_at if step <= min(cap, fighter.experience)]
    return tuple(reached[fighter.advances :])


def advances(context: StepContext, needs: tuple[str, ...] = ()) -> list[Task]:
    """Return a task for each skill advancement that is due, fighter by fighter, and those already written."""
    found: list[Task] = []
    for key in sorted(k for k in context.record.written if k.startswith("advance-")):
        fighter_key, _, step = key.removeprefix("advance-").rpartition("-")
        fighter = context.fighter(fighter_key)
        learned = next((s for s in (fighter.skills if fighter else ()) if s.key == f"{context.prefix}-{key}"), None)
        skill = context.content.skills.get(learned.skill) if learned else None
        name = skill.name if skill else "a skill"
        task = Task(
            key,
            gettext("{name}: skill at {step}").format(name=context.name(fighter_key), step=step),
            lambda resolution: Outcome(""),
            subject=fighter_key,
        )
        found.append(
            settled(
                context, task, gettext("{name} learned {name_2}.").format(name=context.name(fighter_key), name_2=name)
            )
        )
    for fighter in context.force.fighters:
        if not fighter.active and fighter.status != "captive":
            continue
        before: tuple[str, ...] = ()
        for mark in due(context, fighter):
            task = Task(
                f"advance-{fighter.key}-{mark}",
                gettext("{fighter}: skill at {mark}").format(fighter=fighter.name, mark=mark),
                partial(resolve_advance, context, fighter.key, mark),
                subject=fighter.key,
                group=gettext("Advancement"),
                words=gettext("Roll on two tables and take one result."),
                needs=needs + before,
            )
            before = (task.key,)
            found.append(task)
    return found


def resolve_advance(context: StepContext, key: str, step: int, resolution: Resolution) -> Outcome:
    """Roll 2D6 on two of the four tables and take one of the two results.

    A skill the fighter already knows is replaced by the next lower one it does not know, else by the next higher.
    Results 2 and 12 are a patron skill of the player's choice; no fighter learns one twice.

    Source: Campaign rules 1.6.3, "Skill Advancement Rolls".
    """
    fighter = context.fighter(key)
    assert fighter is not None
    content = context.content
    known = known_skills(content, fighter) | full_skills(content, context.force, key)
    tables = {table.id: table for table in content.pack.skill_tables}
    picked = resolution.choose_some(
        "tables", gettext("Which tables?"), tuple(Option(t.id, t.name) for t in tables.values()), least=2, most=2
    )
    rows = []
    for table_id in sorted(picked, key=list(tables).index):
        table = tables[table_id]
        draw = resolution.roll(2, 6, f"{fighter.name}: {table.name}")
        rows.append(
            substitute(table, draw.total, known, patron_skills(context, known), context.rules.patron_row_counts)
        )
        _tell(context, resolution, draw, rows[-1])
    options = tuple(_option(context, row) for row in rows)
    if all(row.skill == NO_SKILL for row in rows):
        done = SetFighter(key, ("advances",), fighter.advances + 1, "advancement")
        return Outcome(
            gettext("{name} finds nothing new to learn.").format(name=fighter.name),
            (gettext("The advancement passes."),),
            (done,),
        )
    taken = resolution.choose("take", gettext("Take one."), options)
    row = next(r for r in rows if r.table.id == taken)
    skill_id = row.skill
    if row.patron:
        open_skills = patron_skills(context, known) or ()
        patron = content.patrons[context.force.patron]
        choices = tuple(Option(s, content.skills[s].name, content.skills[s].words) for s in open_skills)
        skill_id = resolution.choose(
            "patron-skill", gettext("Which skill of {name}?").format(name=patron.name), choices
        )
    lesson = learn(context, key, content.skills[skill_id], f"{context.prefix}-advance-{key}-{step}", resolution)
    does = (*lesson.does, SetFighter(key, ("advances",), fighter.advances + 1, "advancement"))
    return Outcome(
        gettext("{fighter} learns {skills}.").format(fighter=fighter.name, skills=content.skills[skill_id].name),
        tuple(lesson.lines),
        does,
    )


def patron_skills(context: StepContext, known: frozenset[str]) -> tuple[str, ...] | None:
    """Return the patron's skills that a fighter with these skills may still learn.

    None while the warband has no patron.
    """
    patron = context.content.patrons.get(context.force.patron)
    return None if patron is None else tuple(s for s in patron.skills if s not in known)


def substitute(
    table: SkillTable,
    total: int,
    known: frozenset[str],
    open_patron: tuple[str, ...] | None,
    patron_counts: bool = True,
) -> LearnedSkill:
    """Return the row for a total: its own, else the next lower row with something unknown, else the next higher.

    `open_patron`: what the patron can still teach, None if the warband has no patron yet. `patron_counts`: whether
    the patron's row may replace another; if not, it is an instruction for whoever rolls it and not a skill
    (promotions and experience 1.0, GAPS).
    """

    def is_open(skill: str) -> bool:
        return skill not in known if skill else open_patron is None or bool(open_patron)

    rolls = sorted(table.rows, key=lambda row: row.roll)
    lower = [row for row in reversed(rolls) if row.roll < total]
    higher = [row for row in rolls if row.roll > total]
    here = [row for row in rolls if row.roll == total]
    for row in (*here, *lower, *higher):
        if is_open(row.skill) and (row.skill or patron_counts or row.roll == total):
            return LearnedSkill(table, total, row.roll, row.skill, patron=not row.skill)
    return LearnedSkill(table, total, total, NO_SKILL)


def _skill_name(context: StepContext, skill: str) -> str:
    return context.content.skills[skill].name if skill else gettext("A patron skill")


def _tell(context: StepContext, resolution: Resolution, draw: Draw, row: LearnedSkill) -> None:
    rolls = sorted(row.table.rows, key=lambda r: r.roll)
    shown = tuple(TableRow(str(r.roll), _skill_name(context, r.skill)) for r in rolls)
    if row.skill == NO_SKILL:
        resolution.tell(
            gettext("{name}, {total}: nothing here is new.").format(name=row.table.name, total=row.total), draw, shown
        )
        return
    place = next(i for i, r in enumerate(rolls) if r.roll == row.roll)
    name = _skill_name(context, row.skill)
    moved = (
        gettext("{total} is taken, so {roll}").format(total=row.total, roll=row.roll)
        if row.roll != row.total
        else str(row.total)
    )
    resolution.tell(f"{row.table.name}, {moved}: {name}.", draw, around(shown, place))


def _option(context: StepContext, row: LearnedSkill) -> Option:
    if row.skill == NO_SKILL:
        return Option(row.table.id, row.table.name, closed=gettext("nothing here is new."))
    if row.patron:
        patron = context.content.patrons.get(context.force.patron)
        if patron is None:
            return Option(
                row.table.id,
                gettext("A patron skill"),
                row.table.name,
                closed=gettext("the warband has no patron yet."),
            )
        return Option(
            row.table.id,
            gettext("A skill of {patron}").format(patron=patron.name),
            gettext("{name}. The player's choice.").format(name=row.table.name),
        )
    skill = context.content.skills[row.skill]
    return Option(row.table.id, skill.name, f"{row.table.name}. {skill.words}")
