"""What one press in a post-battle step does: roll or decide, then write every outcome that is certain after it.

Each roll and each outcome is an event of its own, made by the services of `post_battle.py` one after another. A press
that is cut short leaves kept rolls behind, and the page offers to confirm what they came to. An outcome that loses a
fighter or kit is never written without a press that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import PostBattle, Side
from campaigns.sequence import StepSequence, is_loss
from campaigns.services.post_battle import (
    finish_step,
    keep_choice,
    keep_roll,
    start_post_battle,
    take_back_roll,
    write_task,
)
from rules.dice import DiceSource
from rules.problems import Refusal
from warbands.models import Event
from warbands.recording import AlreadyDone, event_of_token
from warbands.undo import undo

WITH_ALL = ("side__battle__campaign__terms", "side__seat__user", "side__warband", "warband__terms", "warband__owner")


def begin(*, side: Side, actor: Any, token: str = "") -> PostBattle:
    """Begin a side's sequence, and write what is certain in its first step. Raises Refusal."""
    is_begun = PostBattle.objects.live().filter(side=side, started_at__isnull=False).exists()
    post_battle = start_post_battle(side=side, actor=actor, token=token)
    if not is_begun:
        _enter(post_battle, actor)
    return post_battle


def answer_with_dice(
    *,
    post_battle: PostBattle,
    task_key: str,
    actor: Any,
    source: str,
    faces: Sequence[int] = (),
    at: int | None = None,
    dice: DiceSource | None = None,
    token: str = "",
) -> tuple[Event, ...]:
    """Keep the dice of a task, and write what is certain then. The app's dice roll on until a decision or the outcome.

    Returns the events of what was written. Raises Refusal and AlreadyDone as `keep_roll` does.
    """

    sequence = StepSequence(post_battle)

    def roll() -> None:
        keep_roll(
            post_battle=post_battle,
            task_key=task_key,
            actor=actor,
            source=source,
            faces=faces,
            at=at,
            onward=source == "app",
            dice=dice,
            token=token,
            known=sequence,
        )

    return _and_what_follows(sequence, task_key, actor, roll)


def roll_all(
    *, post_battle: PostBattle, step: str, actor: Any, dice: DiceSource | None = None, token: str = ""
) -> tuple[Event, ...]:
    """Roll the app's dice for every task of a step that waits for dice, and write what is certain then.

    Tasks that come due by it are rolled too. Returns the events of what was written. Raises Refusal if no task waits
    for dice, or if the campaign rolls at the table.
    """
    if spent := event_of_token(token):
        raise AlreadyDone(spent)
    written: list[Event] = []
    rolled: set[tuple[str, int]] = set()
    while (place := _next_roll(sequence := _read(post_battle), step, rolled)) is not None:
        known, once = _certain_keys(sequence, step), "" if rolled else token
        rolled.add(place)
        try:
            keep_roll(
                post_battle=sequence.post_battle,
                task_key=place[0],
                actor=actor,
                source="app",
                at=place[1],
                onward=True,
                dice=dice,
                token=once,
                known=sequence,
            )
        except AlreadyDone:  # another phone was faster with this one
            if event_of_token(once):
                raise
            continue
        written += _write_certain(sequence, step, actor, known)
    if not rolled:
        raise Refusal(_("No dice are needed now."), code="no-dice")
    return tuple(written)


def _next_roll(sequence: StepSequence, step: str, rolled: Collection[tuple[str, int]]) -> tuple[str, int] | None:
    """Return the key of the next task to roll for, with the number of its kept rolls. None if there is none."""
    waiting = ((task.key, len(sequence.draws(task.key))) for task in sequence.rollable(step))
    return next((place for place in waiting if place not in rolled), None)


def answer_with_choice(
    *, post_battle: PostBattle, task_key: str, choice_key: str, value: Any, actor: Any, token: str = ""
) -> tuple[Event, ...]:
    """Store a decision. If it settles its task, write the task in the same event.

    A loss is written only if the decision was one press on a named option; any other answer waits for its
    confirmation. Returns the events of what was written. Raises Refusal.
    """
    written: list[Event] = []
    sequence = StepSequence(post_battle)

    def choose() -> None:
        given = {"post_battle": post_battle, "task_key": task_key, "actor": actor, "token": token, "known": sequence}
        if _settles(sequence, task_key, choice_key, value):
            written.append(write_task(**given, last_choice=(choice_key, value)))
        else:
            keep_choice(**given, choice_key=choice_key, value=value)

    after = _and_what_follows(sequence, task_key, actor, choose)
    return (*written, *after)


def confirm_task(
    *, post_battle: PostBattle, task_key: str, actor: Any, token: str = "", seen: int | None = None
) -> tuple[Event, ...]:
    """Write a task that waits for its confirmation, and what is certain then. Returns the events. Raises Refusal."""
    written: list[Event] = []
    sequence = StepSequence(post_battle)

    def write() -> None:
        given = {"post_battle": post_battle, "task_key": task_key, "actor": actor, "token": token, "seen": seen}
        written.append(write_task(**given, known=sequence))

    after = _and_what_follows(sequence, task_key, actor, write)
    return (*written, *after)


def undo_task(*, post_battle: PostBattle, task_key: str, actor: Any, token: str = "") -> Event:
    """Undo what was written for a task; its rolls are kept. Raises Refusal if something later depends on it."""
    event = Event.objects.filter(pk=post_battle.record.get("written", {}).get(task_key)).first()
    if event is None:
        if spent := event_of_token(token):
            raise AlreadyDone(spent)
        raise Refusal(_("This was already undone."), code="undone")
    return undo(event=event, actor=actor, token=token)


def correct_roll(*, post_battle: PostBattle, task_key: str, actor: Any, at: int | None = None, token: str = "") -> None:
    """Take back the last typed roll of a task. What it came to is undone first. Raises Refusal for the app's dice."""
    sequence = _read(post_battle)
    kept = sequence.draws(task_key)
    if sequence.is_written(task_key) and kept and kept[-1].origin == "typed" and at in (None, len(kept)):
        undo_task(post_battle=sequence.post_battle, task_key=task_key, actor=actor)
        sequence = _read(post_battle)
    take_back_roll(post_battle=sequence.post_battle, task_key=task_key, actor=actor, at=at, token=token)


def leave_step(*, post_battle: PostBattle, step: str, actor: Any, token: str = "") -> PostBattle:
    """Finish a step and those after it that have nothing to do. Write what is certain in the next one. Raises Refusal."""
    finish_step(post_battle=post_battle, step=step, actor=actor, token=token)
    while True:
        sequence = _read(post_battle)
        current = sequence.current()
        if current is None or current.kind != "tasks" or sequence.tasks(current.id) or current.doors:
            break
        finish_step(post_battle=sequence.post_battle, step=current.id, actor=actor)
    _enter(post_battle, actor)
    return post_battle


# --- inside ------------------------------------------------------------------------------------------------------------------


def _read(post_battle: PostBattle) -> StepSequence:
    """Return the sequence as it is now. Three queries."""
    return StepSequence(PostBattle.objects.select_related(*WITH_ALL).get(pk=post_battle.pk))


def _read_again(known: StepSequence) -> StepSequence:
    """Return a sequence as it is now, of the same side. Three queries, one if no act touched the roster since."""
    row = PostBattle.objects.select_related("warband__terms", "warband__owner").get(pk=known.post_battle.pk)
    row.side = known.post_battle.side
    return known.again(row)


def _enter(post_battle: PostBattle, actor: Any) -> None:
    """Write what is certain in the current step, unless a roll or a decision of it is already there."""
    sequence = _read(post_battle)
    current = sequence.current()
    if current is None or current.kind != "tasks":
        return
    answered = {task.key for task in sequence.tasks(current.id) if sequence.was_touched(task.key)}
    _write_certain(sequence, current.id, actor, answered)


def _and_what_follows(sequence: StepSequence, task_key: str, actor: Any, act: Callable[[], None]) -> tuple[Event, ...]:
    """Do an act on a task. Then write the tasks of its step that were not certain before the act and now are.

    A task that was undone stays as it is, therefore, until somebody confirms it. `sequence` is as it was read before.
    """
    step = sequence.find(task_key)[0].id
    known = _certain_keys(sequence, step)
    act()
    return _write_certain(sequence, step, actor, known, loud=task_key)


def _certain_keys(sequence: StepSequence, step: str) -> set[str]:
    return {task.key for task in sequence.certain(step)}


def _write_certain(
    sequence: StepSequence, step: str, actor: Any, known: Collection[str], loud: str = ""
) -> tuple[Event, ...]:
    """Write the certain tasks of a step that are not in `known`, one event each, until none is left.

    A refusal leaves its task open for the player; that of the task `loud` is raised.
    """
    written: list[Event] = []
    tried = set(known)
    while True:
        sequence = _read_again(sequence)
        fresh = next((task for task in sequence.certain(step) if task.key not in tried), None)
        if fresh is None:
            break
        tried.add(fresh.key)
        try:
            written.append(
                write_task(post_battle=sequence.post_battle, task_key=fresh.key, actor=actor, known=sequence)
            )
        except AlreadyDone:
            continue
        except Refusal:
            if fresh.key == loud:
                raise
    return tuple(written)


def _settles(sequence: StepSequence, task_key: str, choice_key: str, value: Any) -> bool:
    """Return whether this answer leads to the outcome of its task without another press."""
    if sequence.is_written(task_key):
        return False
    task = sequence.find(task_key)[1]
    before = sequence.choices_before(task, choice_key)
    asked = sequence.progress_with(task, before).asked
    if asked is None or asked.key != choice_key:
        return False
    outcome = sequence.progress_with(task, {**before, choice_key: value}).outcome
    return outcome is not None and (asked.kind == "one" or not is_loss(outcome))
