"""Experience and advancement: the tally of who lived and did deeds, what skills and finds yield, and the skills learned.

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
from rules.resolution import Desk, Option, Outcome, TableRow, Task
from rules.trench_crusade.lookup import Source, full_skills, known_skills
from rules.trench_crusade.steps.context import Scene, around, fighter_options, settled
from rules.trench_crusade.steps.learning import learn
from rules.vocabulary import AfterBattleEffect, OtherExperienceEffect, Price

TALLY = "experience"
NO_SKILL = "none"


def tasks(scene: Scene) -> tuple[Task, ...]:
    """The tally first, then what others teach, then income, then each skill advancement that is due."""
    found: list[Task] = []
    tally = Task(
        TALLY, "Experience", partial(resolve_tally, scene), words="One point for living, one for deeds.", absorbs=True
    )
    if TALLY in scene.record.written:
        found.append(settled(scene, tally, "Experience is tallied."))
    elif any(gain for _, gain, _ in gains(scene)):
        found.append(tally)
    needs = (TALLY,) if found and TALLY not in scene.record.written else ()
    found += _teaching(scene, needs)
    found += income(scene)
    waits = needs + tuple(t.key for t in found if t.key.startswith("teach-") and t.key not in scene.record.written)
    found += advances(scene, waits)
    return tuple(found)


# --- the tally


def gains(scene: Scene) -> tuple[tuple[ForceFighter, int, str], ...]:
    """Who gains experience for this battle: the fighter, how much after its cap, and why in words."""
    found = []
    for key in scene.in_order(scene.aftermath.mine.took_part):
        fighter = scene.fighter(key)
        if fighter is None or not scene.learns(key):
            continue
        did_deed = key in scene.deed_learners
        gain = min(2 if did_deed else 1, max(0, scene.experience_cap(key) - fighter.experience))
        found.append((fighter, gain, "lived +1, deed +1" if did_deed else "lived +1"))
    return tuple(found)


def resolve_tally(scene: Scene, desk: Desk) -> Outcome:
    """Give every ELITE fighter that took part and lives its point, and one more where it did a deed, up to its cap."""
    does: list[Consequence] = []
    lines: list[str] = []
    for fighter, gain, why in gains(scene):
        now = fighter.experience + gain
        capped = "; the most it can have" if now >= scene.experience_cap(fighter.key) else ""
        lines.append(f"{fighter.name}: {why}, {fighter.experience} to {now}{capped}.")
        if gain:
            does.append(SetFighter(fighter.key, ("experience",), now, why))
    count = len(does)
    return Outcome(
        f"{count} {'fighter gains' if count == 1 else 'fighters gain'} experience.", tuple(lines), tuple(does)
    )


def _is_open(scene: Scene, source: Source) -> bool:
    """Whether a source yields something for this battle.

    What was learned in this very sequence came after the battle, and what joined the roster once the fork was behind came later still.
    """
    return f"-{scene.prefix}-" not in source.key and not {"fork", "reinforcements"} & scene.record.written


def _teaching(scene: Scene, needs: tuple[str, ...]) -> list[Task]:
    found = []
    for source in scene.sources:
        if isinstance(source.effect, OtherExperienceEffect):
            pupils = _pupils(scene, source)
            task = Task(
                f"teach-{source.key}",
                f"{source.name} of {scene.name(source.fighter)}" if source.fighter else source.name,
                partial(resolve_teaching, scene, source, source.effect),
                subject=source.fighter,
                words="Others gain experience.",
                needs=needs,
            )
            if task.key in scene.record.written:
                found.append(settled(scene, task))
            elif pupils and _is_open(scene, source):
                found.append(task)
    return found + _vanished(scene, "teach-", found, "Experience passed on")


def _pupils(scene: Scene, source: Source) -> list[str]:
    """Other ELITE fighters that can still gain experience."""
    return [
        f.key
        for f in scene.force.fighters
        if f.active and f.key != source.fighter and scene.learns(f.key) and f.experience < scene.experience_cap(f.key)
    ]


def resolve_teaching(scene: Scene, source: Source, effect: OtherExperienceEffect, desk: Desk) -> Outcome:
    """Let other ELITE fighters of the player's choice (or all of them) gain experience."""
    pupils = _pupils(scene, source)
    if effect.count == 0:
        picked: tuple[str, ...] = tuple(pupils)
    else:
        most = min(effect.count, len(pupils))
        words = {key: f"experience {_experience(scene, key)}" for key in pupils}
        options = fighter_options(scene, pupils, words)
        if most == 1:
            picked = (desk.choose("pupil", f"{source.name}: who gains {effect.experience} experience?", options),)
        else:
            picked = desk.choose_some("pupils", f"{source.name}: who gains experience?", options, most=most)
    return experience_for(scene, picked, effect.experience, source.name)


def experience_for(scene: Scene, keys: Iterable[str], gain: int, why: str) -> Outcome:
    """These fighters gain experience, each up to its cap."""
    does: list[Consequence] = []
    lines = []
    for key in keys:
        before = _experience(scene, key)
        now = max(before, min(scene.experience_cap(key), before + gain))
        does.append(SetFighter(key, ("experience",), now, why))
        lines.append(f"{scene.name(key)}: {before} to {now}.")
    names = ", ".join(scene.name(key) for key in keys) or "Nobody"
    return Outcome(f"{why}: experience for {names}.", tuple(lines), tuple(does))


def _experience(scene: Scene, key: str) -> int:
    fighter = scene.fighter(key)
    return fighter.experience if fighter else 0


def _vanished(scene: Scene, start: str, found: Iterable[Task], title: str) -> list[Task]:
    """Written tasks whose occasion is no longer on the roster: still listed."""
    listed = {task.key for task in found}
    return [
        settled(scene, Task(key, title, lambda desk: Outcome("")))
        for key in sorted(scene.record.written)
        if key.startswith(start) and key not in listed
    ]


# --- income


def income(scene: Scene) -> list[Task]:
    """What skills, kit and finds bring in after the battle, one task each."""
    found = []
    for source in scene.sources:
        effect = source.effect
        if not isinstance(effect, AfterBattleEffect):
            continue
        key = f"income-{source.key}"
        title = f"{source.name} of {scene.name(source.fighter)}" if source.fighter else source.name
        task = Task(key, title, partial(resolve_income, scene, source, effect), subject=source.fighter, group="Income")
        if key in scene.record.written:
            found.append(settled(scene, task))
        elif _is_open(scene, source) and _earns(scene, source, effect):
            found.append(task)
    return found + _vanished(scene, "income-", found, "Income")


def _earns(scene: Scene, source: Source, effect: AfterBattleEffect) -> bool:
    mine = scene.aftermath.mine
    if not source.fighter:
        return not effect.fielded
    if (effect.fielded or effect.standing or effect.per) and source.fighter not in mine.took_part:
        return False
    return not (effect.standing and source.fighter in mine.out)


def resolve_income(scene: Scene, source: Source, effect: AfterBattleEffect, desk: Desk) -> Outcome:
    """What one source brings: a fixed sum, dice, or so much for each of something that is asked."""
    ducats, glory = effect.ducats, effect.glory
    if effect.if_so:
        answers = (Option("yes", "Yes"), Option("no", "No"))
        if desk.choose("if-so", f"{source.name}: {effect.if_so}", answers) == "no":
            return Outcome(f"{source.name}: nothing this time.")
    if effect.per:
        count = desk.number("count", f"{source.name}: how many {effect.per}?", 0, 99)
        ducats, glory = ducats * count, glory * count
    if effect.dice:
        draw = desk.roll(effect.dice, 6, source.name)
        earned = draw.total * effect.times
        desk.tell(f"{draw.total} times {effect.times} is {earned} {effect.currency}.", draw)
        ducats, glory = (ducats + earned, glory) if effect.currency == "ducats" else (ducats, glory + earned)
    earned_now = Price(ducats, glory)
    who = f"{source.name} of {scene.name(source.fighter)}" if source.fighter else source.name
    if not earned_now:
        return Outcome(f"{who}: nothing this time.")
    return Outcome(f"{who}: {earned_now}.", (f"{earned_now} join the strongbox.",), (Money(earned_now, who),))


# --- advancement


@dataclass(frozen=True)
class Row:
    """What a roll on one table came to: the skill (NO_SKILL where nothing is left), whether it is a pick of the patron's."""

    table: SkillTable
    total: int
    roll: int
    skill: str
    patron: bool = False


def due(scene: Scene, fighter: ForceFighter) -> tuple[int, ...]:
    """The experience values at which a fighter has earned a skill that it has not taken yet."""
    if fighter.demoted or not scene.is_elite(fighter.key):
        return ()
    cap = scene.experience_cap(fighter.key)
    reached = [step for step in scene.book.campaign.advances_at if step <= min(cap, fighter.experience)]
    return tuple(reached[fighter.advances :])


def advances(scene: Scene, needs: tuple[str, ...] = ()) -> list[Task]:
    """A task for each skill advancement that is due, each fighter's in turn, and those already written."""
    found: list[Task] = []
    for key in sorted(k for k in scene.record.written if k.startswith("advance-")):
        fighter_key, _, step = key.removeprefix("advance-").rpartition("-")
        fighter = scene.fighter(fighter_key)
        learned = next((s for s in (fighter.skills if fighter else ()) if s.key == f"{scene.prefix}-{key}"), None)
        name = scene.book.skills[learned.skill].name if learned and learned.skill in scene.book.skills else "a skill"
        task = Task(key, f"{scene.name(fighter_key)}: skill at {step}", lambda desk: Outcome(""), subject=fighter_key)
        found.append(settled(scene, task, f"{scene.name(fighter_key)} learned {name}."))
    for fighter in scene.force.fighters:
        if not fighter.active and fighter.status != "captive":
            continue
        before: tuple[str, ...] = ()
        for mark in due(scene, fighter):
            task = Task(
                f"advance-{fighter.key}-{mark}",
                f"{fighter.name}: skill at {mark}",
                partial(resolve_advance, scene, fighter.key, mark),
                subject=fighter.key,
                group="Advancement",
                words="Choose two tables; roll on each; take one result.",
                needs=needs + before,
            )
            before = (task.key,)
            found.append(task)
    return found


def resolve_advance(scene: Scene, key: str, step: int, desk: Desk) -> Outcome:
    """Roll 2D6 on two of the four tables and take one of the two results.

    A skill the fighter knows gives way to the next lower one it does not know, else to the next higher. Results 2 and 12 are a
    patron skill of the player's choice, none twice on one fighter.

    Source: Campaign rules 1.6.3, "Skill Advancement Rolls".
    """
    fighter = scene.fighter(key)
    assert fighter is not None
    book = scene.book
    known = known_skills(book, fighter) | full_skills(book, scene.force, key)
    tables = {table.id: table for table in book.pack.skill_tables}
    picked = desk.choose_some(
        "tables", "Choose two tables.", tuple(Option(t.id, t.name) for t in tables.values()), least=2, most=2
    )
    rows = []
    for table_id in sorted(picked, key=list(tables).index):
        table = tables[table_id]
        draw = desk.roll(2, 6, f"{fighter.name}: {table.name}")
        rows.append(substitute(table, draw.total, known, patron_skills(scene, known), scene.rules.patron_row_counts))
        _tell(scene, desk, draw, rows[-1])
    options = tuple(_option(scene, row) for row in rows)
    if all(row.skill == NO_SKILL for row in rows):
        done = SetFighter(key, ("advances",), fighter.advances + 1, "advancement")
        return Outcome(f"{fighter.name} finds nothing new to learn.", ("The advancement passes.",), (done,))
    taken = desk.choose("take", "Take one.", options)
    row = next(r for r in rows if r.table.id == taken)
    skill_id = row.skill
    if row.patron:
        open_skills = patron_skills(scene, known) or ()
        patron = book.patrons[scene.force.patron]
        choices = tuple(Option(s, book.skills[s].name, book.skills[s].summary) for s in open_skills)
        skill_id = desk.choose("patron-skill", f"Which skill of {patron.name}?", choices)
    lesson = learn(scene, key, book.skills[skill_id], f"{scene.prefix}-advance-{key}-{step}", desk)
    does = (*lesson.does, SetFighter(key, ("advances",), fighter.advances + 1, "advancement"))
    return Outcome(f"{fighter.name} learns {book.skills[skill_id].name}.", tuple(lesson.lines), does)


def patron_skills(scene: Scene, known: frozenset[str]) -> tuple[str, ...] | None:
    """The skills of the warband's patron that a fighter with these skills may still learn. None while it has no patron."""
    patron = scene.book.patrons.get(scene.force.patron)
    return None if patron is None else tuple(s for s in patron.skills if s not in known)


def substitute(
    table: SkillTable,
    total: int,
    known: frozenset[str],
    open_patron: tuple[str, ...] | None,
    patron_counts: bool = True,
) -> Row:
    """The row that a total reaches: its own, else the next lower row with something unknown, else the next higher.

    `open_patron`: what the patron still teaches, None where the warband has no patron yet. `patron_counts`: whether the patron's row
    may stand in for another; where it does not, it is a direction for who rolls it and no skill (promotions and experience 1.0, GAPS).
    """

    def is_open(skill: str) -> bool:
        return skill not in known if skill else open_patron is None or bool(open_patron)

    rolls = sorted(table.rows, key=lambda row: row.roll)
    lower = [row for row in reversed(rolls) if row.roll < total]
    higher = [row for row in rolls if row.roll > total]
    here = [row for row in rolls if row.roll == total]
    for row in (*here, *lower, *higher):
        if is_open(row.skill) and (row.skill or patron_counts or row.roll == total):
            return Row(table, total, row.roll, row.skill, patron=not row.skill)
    return Row(table, total, total, NO_SKILL)


def _skill_name(scene: Scene, skill: str) -> str:
    return scene.book.skills[skill].name if skill else "A patron skill"


def _tell(scene: Scene, desk: Desk, draw: Draw, row: Row) -> None:
    rolls = sorted(row.table.rows, key=lambda r: r.roll)
    shown = tuple(TableRow(str(r.roll), _skill_name(scene, r.skill)) for r in rolls)
    if row.skill == NO_SKILL:
        desk.tell(f"{row.table.name}, {row.total}: nothing here is new.", draw, shown)
        return
    place = next(i for i, r in enumerate(rolls) if r.roll == row.roll)
    name = _skill_name(scene, row.skill)
    moved = f"{row.total} is taken, so {row.roll}" if row.roll != row.total else str(row.total)
    desk.tell(f"{row.table.name}, {moved}: {name}.", draw, around(shown, place))


def _option(scene: Scene, row: Row) -> Option:
    if row.skill == NO_SKILL:
        return Option(row.table.id, row.table.name, closed="nothing here is new.")
    if row.patron:
        patron = scene.book.patrons.get(scene.force.patron)
        if patron is None:
            return Option(row.table.id, "A patron skill", row.table.name, closed="the warband has no patron yet.")
        return Option(row.table.id, f"A skill of {patron.name}", f"{row.table.name}. The player's choice.")
    skill = scene.book.skills[row.skill]
    return Option(row.table.id, skill.name, f"{row.table.name}. {skill.summary}")
