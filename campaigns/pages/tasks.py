"""The tasks of one step of a post-battle sequence, each with its progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.urls import reverse
from django.utils.text import slugify

from campaigns.pages.task_forms import (
    Panel,
    TaskChoice,
    ToldLine,
    answer_words,
    choice_of,
    panel_of,
    source_words,
    told_line,
)
from campaigns.sequence import StepSequence, StepStanding, run
from rules.dice import Draw
from rules.problems import Refusal
from rules.resolution import Progress, Task
from warbands.models import Event
from warbands.pages.rule_links import RuleLinks, names_of


@dataclass(frozen=True, slots=True)
class TaskDecision:
    """A decision already made that can still be changed, with a link to change it."""

    words: str
    href: str


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task with its progress."""

    key: str
    id: str
    title: str
    words: str
    group: str
    state: Literal["written", "blocked", "roll", "choose", "ready", "stuck"]
    open: bool
    at: int
    told: tuple[ToldLine, ...] = ()
    panel: Panel | None = None
    choice: TaskChoice | None = None
    chosen: tuple[TaskDecision, ...] = ()
    sentence: str = ""
    will_do: tuple[str, ...] = ()
    grave: bool = False
    write_label: str = "Write it down"
    mistyped: bool = False
    undo_href: str = ""
    stuck_words: str = ""
    optional: bool = False
    amended_words: str = ""


def task_id(key: str) -> str:
    return f"task_{slugify(key).replace('-', '_')}"


def task_views(
    sequence: StepSequence,
    row: StepStanding,
    here: str,
    open_task: str,
    again: str,
    typed: Mapping[str, str],
    typed_task: str,
    typed_error: str,
) -> tuple[TaskView, ...]:
    """Return the tasks of a step in order. `open_task` is unfolded, `again` is a decision in it to repeat. At most one query."""
    tasks = sequence.tasks(row.step.id)
    written = {
        key: pk
        for key, pk in sequence.post_battle.record.get("written", {}).items()
        if any(task.key == key for task in tasks)
    }
    events = Event.objects.in_bulk(list(written.values())) if written else {}
    open_keys = [task.key for task in tasks if task.key not in sequence.record.written]
    first = (
        open_task
        if open_task in open_keys
        else next((key for key in open_keys if _can_start(sequence, tasks, key)), "")
    )
    if len(tasks) == 1:
        first = tasks[0].key  # a single task is always unfolded
    views = []
    for task in tasks:
        if sequence.is_written(task.key):
            views.append(_written(sequence, row.step.id, task, events.get(written.get(task.key, 0))))
        else:
            bring_back = typed if task.key == typed_task else {}
            error = typed_error if task.key == typed_task else ""
            views.append(
                _open_task(
                    sequence,
                    task,
                    tasks,
                    here,
                    task.key == first,
                    again if task.key == open_task else "",
                    bring_back,
                    error,
                )
            )
    return tuple(views)


def _can_start(sequence: StepSequence, tasks: tuple[Task, ...], key: str) -> bool:
    task = next(task for task in tasks if task.key == key)
    return not task.optional and all(sequence.is_written(needed) for needed in task.needs)


def _written(sequence: StepSequence, step: str, task: Task, event: Event | None) -> TaskView:
    told: tuple[ToldLine, ...] = ()
    will_do: tuple[str, ...] = ()
    sentence = task.title
    if event is not None:
        draws = list(sequence.draws(task.key))
        told = tuple(ToldLine(str(words)) for words in event.data.get("told", ()))
        if draws:
            told = (
                *told,
                ToldLine(
                    "",
                    tuple(face for draw in draws for face in draw.faces),
                    _source(sequence, task.key, len(draws) - 1),
                ),
            )
        will_do = tuple(str(line) for line in event.data.get("will_do", ()))
        sentence = outcome_words(event)
    closed = sequence.post_battle.closed_at is not None
    return TaskView(
        key=task.key,
        id=task_id(task.key),
        title=task.title,
        words="",
        group=task.group,
        state="written",
        open=False,
        at=len(sequence.draws(task.key)),
        told=told,
        sentence=sentence,
        will_do=will_do,
        grave=bool(event is not None and event.data.get("grave")),
        undo_href=reverse("event-undo", args=[event.pk]) if event is not None and not closed else "",
        amended_words="The report was amended since this was written. Undo it, and write what it comes to now."
        if sequence.out_of_date(step, task)
        else "",
    )


def _open_task(
    sequence: StepSequence,
    task: Task,
    tasks: tuple[Task, ...],
    here: str,
    unfolded: bool,
    again: str,
    typed: Mapping[str, str],
    error: str,
) -> TaskView:
    kept, choices = sequence.draws(task.key), dict(sequence.choices(task.key))
    base: dict[str, Any] = {
        "key": task.key,
        "id": task_id(task.key),
        "title": task.title,
        "words": task.words,
        "group": task.group,
        "open": unfolded,
        "at": len(kept),
        "optional": task.optional,
    }
    missing = [other.title for other in tasks if other.key in task.needs and not sequence.is_written(other.key)]
    if missing:
        return TaskView(**base, state="blocked", stuck_words=f"Comes after: {', '.join(missing)}.")
    try:
        progress = run(task, kept, choices)
        before = None
        if again and again in choices:
            before = sequence.choices_before(task, again)
            progress = run(task, kept, before)
    except Refusal as refusal:
        return TaskView(**base, state="stuck", stuck_words=str(refusal), mistyped=_may_take_back(kept))
    common: dict[str, Any] = {
        **base,
        "told": _told(sequence, task.key, progress),
        "mistyped": _may_take_back(kept),
        "chosen": _chosen(sequence, task, kept, here) if before is None else (),
    }
    if progress.need is not None:
        return TaskView(
            **common,
            state="roll",
            panel=panel_of(progress.need, sequence.post_battle.side.battle.campaign, task.key, typed, error),
        )
    if progress.asked is not None:
        return TaskView(
            **common,
            state="choose",
            choice=choice_of(progress.asked, choices.get(progress.asked.key), typed, _names(sequence)),
        )
    outcome = progress.outcome
    assert outcome is not None
    return TaskView(
        **common,
        state="ready",
        sentence=outcome.sentence,
        will_do=outcome.will_do,
        grave=outcome.grave,
        write_label="Write the loss down" if outcome.grave else "Write it down",
    )


def _may_take_back(kept: tuple[Draw, ...]) -> bool:
    return bool(kept) and kept[-1].origin == "typed"


def _chosen(sequence: StepSequence, task: Task, kept: tuple[Draw, ...], here: str) -> tuple[TaskDecision, ...]:
    """Return the decisions that can still be changed because no dice were rolled after them. `told` shows the others."""
    found = []
    before: dict[str, Any] = {}
    for key, value in sequence.replay(task, kept):
        progress = run(task, kept, before)
        if progress.asked is not None and len(progress.draws) == len(kept):
            href = f"{here}?task={task.key}&again={key}#{task_id(task.key)}"
            found.append(TaskDecision(f"{progress.asked.words} {answer_words(progress.asked, value)}", href))
        before[key] = value
    return tuple(found)


def _told(sequence: StepSequence, key: str, progress: Progress) -> tuple[ToldLine, ...]:
    lines: list[ToldLine] = []
    kept = sequence.draws(key)
    spoken = 0
    for line in progress.told:
        faces: tuple[int, ...] = ()
        source = ""
        if line.draw is not None:
            faces = line.draw.faces
            place = next((n for n in range(spoken, len(kept)) if kept[n] == line.draw), None)
            if place is not None:
                source, spoken = _source(sequence, key, place), place + 1
        lines.append(told_line(line, faces, source, _names(sequence)))
    silent = [draw for draw in kept[spoken:] if draw not in [line.draw for line in progress.told]]
    for draw in silent:
        lines.append(ToldLine(draw.why, draw.faces, _source(sequence, key, kept.index(draw))))
    return tuple(lines)


def _names(sequence: StepSequence) -> RuleLinks:
    return names_of(sequence.post_battle.warband.terms)


def _source(sequence: StepSequence, key: str, place: int) -> str:
    kept = sequence.post_battle.record.get("draws", {}).get(key, ())
    return source_words(kept[place]) if place < len(kept) else ""


def outcome_words(event: Event) -> str:
    """Return the outcome of a written task, without the name of its author."""
    return event.sentence.removeprefix("{who} wrote down: ").replace("{who}", event.who)
