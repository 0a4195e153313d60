"""The tasks of one step of a post-battle sequence, each with its progress."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaigns.pages.task_forms import (
    Panel,
    TaskChoice,
    ToldLine,
    choice_of,
    panel_of,
    source_words,
    told_line,
)
from campaigns.sequence import StepSequence, StepStanding, answer_words, is_loss, run
from rules.consequences import Leaves, Taken
from rules.dice import Draw
from rules.problems import Refusal
from rules.resolution import Asked, Outcome, Progress, Task
from warbands.models import Event
from warbands.pages.rule_links import RuleLinks, names_of


@dataclass(frozen=True, slots=True)
class TaskDecision:
    """A decision already made that can still be changed, with a link to change it."""

    words: str
    href: str


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task with its progress. `folded` hides a decision whose turn comes later."""

    key: str
    id: str
    title: str
    words: str
    group: str
    state: Literal["written", "blocked", "roll", "choose", "ready", "stuck"]
    folded: bool
    at: int
    told: tuple[ToldLine, ...] = ()
    panel: Panel | None = None
    choice: TaskChoice | None = None
    chosen: tuple[TaskDecision, ...] = ()
    sentence: str = ""
    will_do: tuple[str, ...] = ()
    grave: bool = False
    died: bool = False  # whether a fighter was lost for good
    informs: bool = False  # it happens by itself: there is nothing to confirm
    confirm_label: str = ""
    mistyped: bool = False
    may_undo: bool = False
    stuck_words: str = ""
    optional: bool = False
    amended_words: str = ""
    faces: tuple[int, ...] = ()  # all that fell
    source_words: str = ""

    @property
    def is_fresh(self) -> bool:
        """Return whether nothing fell and nothing was decided yet."""
        return not self.told and not self.chosen

    @property
    def form_id(self) -> str:
        return f"{self.id}_form"


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
    views = []
    for task in tasks:
        if sequence.is_written(task.key):
            views.append(_written(sequence, row.step.id, task, events.get(written.get(task.key, 0))))
        else:
            bring_back = typed if task.key == typed_task else {}
            error = typed_error if task.key == typed_task else ""
            repeat = again if task.key == open_task else ""
            views.append(_open_task(sequence, task, tasks, here, repeat, bring_back, error))
    return _folded(views, open_task)


def _folded(views: list[TaskView], open_task: str) -> tuple[TaskView, ...]:
    """Fold every decision but one, and what is optional. Dice and confirmations are all in view."""
    if len(views) == 1:
        return tuple(views)
    decisions = [view.key for view in views if view.state == "choose" and not view.optional]
    is_open = any(view.key == open_task and view.state != "written" for view in views)
    first = open_task if is_open else next(iter(decisions), "")
    return tuple(
        replace(view, folded=view.key != first and (view.optional or view.state == "choose")) for view in views
    )


def _written(sequence: StepSequence, step: str, task: Task, event: Event | None) -> TaskView:
    told: tuple[ToldLine, ...] = ()
    will_do: tuple[str, ...] = ()
    sentence = task.title
    draws = sequence.draws(task.key)
    if event is not None:
        told = tuple(ToldLine(str(words)) for words in event.data.get("told", ()))
        will_do = tuple(str(line) for line in event.data.get("will_do", ()))
        sentence = outcome_words(event)
    is_open = sequence.post_battle.closed_at is None
    return TaskView(
        key=task.key,
        id=task_id(task.key),
        title=task.title,
        words="",
        group=task.group,
        state="written",
        folded=False,
        at=len(draws),
        told=told,
        sentence=sentence,
        will_do=will_do,
        grave=bool(event is not None and event.data.get("grave")),
        died=bool(event is not None and event.data.get("died")),
        mistyped=is_open and event is not None and _may_take_back(draws),
        may_undo=is_open and event is not None,
        faces=_faces(draws),
        source_words=_source(sequence, task.key, len(draws) - 1) if draws else "",
        amended_words=_("The report changed after this was written. Undo it and confirm it again.")
        if sequence.out_of_date(step, task)
        else "",
    )


def _missing(sequence: StepSequence, task: Task, tasks: tuple[Task, ...]) -> list[str]:
    """Return the titles of the tasks that have to be written before this one."""
    return [other.title for other in tasks if other.key in task.needs and not sequence.is_written(other.key)]


def _open_task(
    sequence: StepSequence,
    task: Task,
    tasks: tuple[Task, ...],
    here: str,
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
        "folded": False,
        "at": len(kept),
        "optional": task.optional,
    }
    if missing := _missing(sequence, task, tasks):
        words = _("Comes after: {tasks}.").format(tasks=", ".join(missing))
        return TaskView(**base, state="blocked", stuck_words=words)
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
        "faces": _faces(kept),
        "source_words": _source(sequence, task.key, len(kept) - 1) if kept else "",
        "chosen": _chosen(sequence, task, kept, here) if before is None else (),
    }
    if progress.need is not None:
        panel = panel_of(progress.need, sequence.post_battle.side.battle.campaign, typed, error)
        return TaskView(**common, state="roll", panel=panel)
    if progress.asked is not None:
        asked = progress.asked
        stored = choices if before is None else before
        ends = _ends(sequence, task, asked, stored)
        choice = choice_of(asked, choices.get(asked.key), typed, _names(sequence), ends)
        return TaskView(**common, state="choose", choice=choice)
    outcome = progress.outcome
    assert outcome is not None
    informs = task.optional and not outcome.consequences and not kept and not choices
    return TaskView(**common, state="ready", informs=informs, **_outcome_part(sequence, outcome))


def _outcome_part(sequence: StepSequence, outcome: Outcome) -> dict[str, Any]:
    return {
        "sentence": outcome.sentence,
        "will_do": outcome.will_do,
        "grave": is_loss(outcome),
        "confirm_label": _confirm_label(sequence, outcome),
    }


def _ends(sequence: StepSequence, task: Task, asked: Asked, stored: Mapping[str, Any]) -> dict[str, Outcome]:
    """Return the outcomes of those options that settle the task with one press."""
    found: dict[str, Outcome] = {}
    if asked.kind != "one":
        return found
    for option in asked.options:
        if option.closed:
            continue
        with suppress(Refusal):
            outcome = sequence.progress_with(task, {**stored, asked.key: option.value}).outcome
            if outcome is not None:
                found[option.value] = outcome
    return found


def _confirm_label(sequence: StepSequence, outcome: Outcome) -> str:
    """Return the words of the button that confirms an outcome. It names what is lost."""
    names = {fighter.key: fighter.name for fighter in sequence.force.fighters}
    for consequence in outcome.consequences:
        if isinstance(consequence, Leaves):
            name = names.get(consequence.fighter, "")
            if consequence.status == "dead":
                return _("Confirm the death of {name}").format(name=name)
            return _("Confirm that {name} leaves").format(name=name)
        if isinstance(consequence, Taken):
            return _("Confirm the capture of {name}").format(name=names.get(consequence.fighter, ""))
    return _("Confirm the loss") if is_loss(outcome) else _("Confirm")


def _faces(draws: tuple[Draw, ...]) -> tuple[int, ...]:
    return tuple(face for draw in draws for face in draw.faces)


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
    kept = event.data.get("outcome")
    return str(kept) if kept else event.sentence.removeprefix(_("{who} wrote down: ")).replace("{who}", event.who)
