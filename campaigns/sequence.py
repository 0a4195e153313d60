"""One side's post-battle sequence: its steps and their state, their tasks, and the progress of each task.

The services that write a sequence and the pages that show it share this module, which writes nothing. It does not
know the names of steps: steps, tasks and order come from the game and edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from django.utils.translation import gettext as _

from campaigns.models import PostBattle
from campaigns.serialization import read_aftermath, read_draws, read_record
from rules.consequences import Leaves, LosesItems, Taken
from rules.dice import DiceSource, Draw
from rules.force import Force
from rules.game import Game, GameContent
from rules.parts.post_battle import Aftermath, StepKind, StepRecord
from rules.problems import Refusal
from rules.resolution import Asked, Outcome, Progress, Task, advance
from warbands.adapters import force_of, forces_of
from warbands.models import Change, Warband

StepState = Literal["done", "skipped", "open", "waiting"]


@dataclass(frozen=True, slots=True)
class StepStanding:
    """The state of a step: "done", "skipped" (`why` gives the reason), "open" (the current step) or "waiting" (for an
    earlier step).

    `waits` holds the titles of required tasks that are not yet written.
    """

    step: StepKind
    state: StepState
    why: str = ""
    waits: tuple[str, ...] = ()


class StepSequence:
    """A sequence that is read once: two queries for the roster, none after that. Create a new one after every write.

    `post_battle` should come with its warband and terms loaded.
    """

    def __init__(self, post_battle: PostBattle, force: Force | None = None) -> None:
        self.post_battle = post_battle
        self._version = post_battle.warband.version
        terms = post_battle.warband.terms
        self.game: Game = terms.game
        self.content: GameContent = terms.content
        self.force = force_of(post_battle.warband, gone=True) if force is None else force
        self.aftermath: Aftermath = read_aftermath(post_battle.aftermath)
        self.record: StepRecord = read_record(post_battle.record)
        self._tasks = _known_tasks(self.game, self.content, self.force, self.aftermath, self.record)

    def force_in(self, version: int) -> Force | None:
        """Return the force for another sequence, if the warband is still of the version that it was read from.

        Every act raises the version. Profiles that players write have none, so their games read it again.
        """
        return self.force if version == self._version and self.game.profiles is None else None

    def again(self, post_battle: PostBattle) -> StepSequence:
        """Return the sequence of this row, which was read after this one; the force with it only if the warband has changed."""
        return StepSequence(post_battle, self.force_in(post_battle.warband.version))

    @cached_property
    def steps(self) -> tuple[StepKind, ...]:
        return tuple(self.game.post_battle.steps(self.content, self.force))

    def step(self, step_id: str) -> StepKind:
        """Return the step with this id. Raises Refusal if the edition does not have it."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise Refusal(_("This edition has no such step."), code="unknown-step")

    def tasks(self, step_id: str) -> tuple[Task, ...]:
        """Return the tasks of a step; a camp step has none. The tasks of the closing step are written when the sequence is closed."""
        self.step(step_id)
        known = self._tasks.get(step_id)
        if known is None:
            known = tuple(self.game.post_battle.tasks(self.content, self.force, self.aftermath, self.record, step_id))
            self._tasks[step_id] = known
        return known

    def waiting(self, step_id: str) -> tuple[Task, ...]:
        """Return the required tasks of a step that are not written yet."""
        return tuple(t for t in self.tasks(step_id) if not t.optional and t.key not in self.record.written)

    def why_skipped(self, step_id: str) -> str:
        return str(self.game.post_battle.skipped(self.content, self.force, self.aftermath, self.record, step_id))

    def standings(self) -> tuple[StepStanding, ...]:
        """Return every step with its state.

        A step is done if it was finished and no required task in it is open, so undoing a task reopens the step.
        """
        return self._standings

    @cached_property
    def _standings(self) -> tuple[StepStanding, ...]:
        rows: list[StepStanding] = []
        blocked = False
        for step in self.steps:
            why = self.why_skipped(step.id)
            left = step.id in self.post_battle.done
            # Steps that are not yet due are not computed, because their tasks depend on the earlier steps.
            waits = () if why or (blocked and not left) else tuple(t.title for t in self.waiting(step.id))
            state: StepState
            if why:
                state = "skipped"
            elif left and not waits:
                state = "done"
            elif blocked:
                state = "waiting"
            else:
                state = "open"
                blocked = True
            rows.append(StepStanding(step, state, why, waits))
        return tuple(rows)

    def current(self) -> StepKind | None:
        """Return the current step, None if all are done."""
        return next((row.step for row in self.standings() if row.state == "open"), None)

    def find(self, task_key: str) -> tuple[StepKind, Task]:
        """Return a task with its step. Raises Refusal for a task that is not, or no longer, part of the sequence."""
        for step in self.steps:
            if step.kind == "camp" or self.why_skipped(step.id):
                continue
            for task in self.tasks(step.id):
                if task.key == task_key:
                    return step, task
        raise Refusal(_("This is no longer part of the post-battle."), code="unknown-task")

    def title(self, task_key: str) -> str:
        """Return the title of a task, also of one that is no longer part of the sequence."""
        try:
            return self.find(task_key)[1].title
        except Refusal:
            return _("An earlier task")

    # --- one task
    def draws(self, task_key: str) -> tuple[Draw, ...]:
        return read_draws(self.post_battle.record.get("draws", {}).get(task_key, ()))

    def choices(self, task_key: str) -> Mapping[str, Any]:
        return self.post_battle.record.get("choices", {}).get(task_key, {})

    def is_written(self, task_key: str) -> bool:
        return task_key in self.record.written

    def progress(self, task: Task, onward: DiceSource | None = None) -> Progress:
        """Return the task's progress with its stored rolls and decisions. Raises Refusal if a decision is no longer valid."""
        return run(task, self.draws(task.key), self.choices(task.key), onward)

    def progress_with(self, task: Task, choices: Mapping[str, Any]) -> Progress:
        """Return the progress that a task would have with its stored rolls and these decisions. Raises Refusal."""
        return run(task, self.draws(task.key), choices)

    def was_touched(self, task_key: str) -> bool:
        """Return whether rolls or decisions of a task are stored."""
        return bool(self.draws(task_key) or self.choices(task_key))

    def differs(self, step_id: str, task: Task, before: Aftermath, now: Aftermath) -> bool:
        """Return whether a written task would have another result after another battle. Both results are computed
        with the current roster.

        If the task can no longer run with that roster, it differs if it concerns the whole warband, or a fighter for
        whom the two battles differ.
        """
        record = replace(self.record, written=self.record.written - {task.key})
        ends = []
        for aftermath in (before, now):
            tasks = self.game.post_battle.tasks(self.content, self.force, aftermath, record, step_id)
            again = next((each for each in tasks if each.key == task.key), None)
            try:
                ends.append(self._end_of(again) if again is not None else None)
            except Refusal:
                return not task.subject or task.subject in _told_apart(before, now)
        if ends == [None, None]:  # its outcome removed the fighter from the roster
            return self._lost_otherwise(task.subject, before, now)
        return bool(ends[0] != ends[1])

    def out_of_date(self, step_id: str, task: Task) -> bool:
        """Return whether a written task has another result than it would have after the amended report."""
        before = self.record.before.get(task.key)
        if before is None or task.absorbs or not self.is_written(task.key):
            return False
        return self.differs(step_id, task, before, self.aftermath)

    def _lost_otherwise(self, key: str, before: Aftermath, now: Aftermath) -> bool:
        """Return whether two results of a battle differ in whether a fighter that is gone was out, or in who holds the fighter captive."""
        fighter = next((each for each in self.force.fighters if each.key == key), None)
        if (key in before.mine.out) != (key in now.mine.out):
            return True
        held = fighter is not None and fighter.status == "captive"
        return held and before.mine.out_by.get(key) != now.mine.out_by.get(key)

    def _end_of(self, task: Task) -> Any:
        progress = self.progress(task)
        told = tuple(line.words for line in progress.told)
        if progress.outcome is not None:
            return told, progress.outcome.consequences
        return told, str(progress.need) if progress.need is not None else progress.asked

    def choices_before(self, task: Task, choice: str) -> dict[str, Any]:
        """Return the stored decisions of a task that were asked before this one, between its stored rolls."""
        before: dict[str, Any] = {}
        for key, value in self.replay(task, self.draws(task.key)):
            if key == choice:
                break
            before[key] = value
        return before

    # --- what can be done now
    def is_due(self, task: Task) -> bool:
        """Return whether a required task is open, and nothing that it needs is missing."""
        if task.optional or task.closed or self.is_written(task.key):
            return False
        return all(self.is_written(needed) for needed in task.needs)

    def due(self, step_id: str) -> Iterator[tuple[Task, Progress]]:
        """Yield the due tasks of a step with their progress. Tasks whose answers no longer fit are left out."""
        for task in self.tasks(step_id):
            if self.is_due(task):
                with suppress(Refusal):
                    yield task, self.progress(task)

    def rollable(self, step_id: str) -> tuple[Task, ...]:
        """Return the due tasks of a step whose next need is dice."""
        return tuple(task for task, progress in self.due(step_id) if progress.need is not None)

    def certain(self, step_id: str) -> tuple[Task, ...]:
        """Return the due tasks of a step with an outcome that nobody needs to decide or confirm."""
        return tuple(
            task
            for task, progress in self.due(step_id)
            if progress.outcome is not None and not is_loss(progress.outcome)
        )

    def replay(self, task: Task, draws: tuple[Draw, ...]) -> Iterator[tuple[str, Any]]:
        """Yield the stored decisions that come before the end of these draws, in the order in which they are asked."""
        kept = self.choices(task.key)
        known: dict[str, Any] = {}
        while True:
            try:
                progress = run(task, draws, known)
            except Refusal:
                return
            if progress.asked is None or progress.asked.key not in kept:
                return
            known[progress.asked.key] = kept[progress.asked.key]
            yield progress.asked.key, known[progress.asked.key]


@lru_cache(maxsize=16)
def _known_tasks(
    game: Game, content: GameContent, force: Force, aftermath: Aftermath, record: StepRecord
) -> dict[str, tuple[Task, ...]]:
    """Return the tasks of this state by step, as far as they are worked out. One press reads the same state several times."""
    return {}


def answer_words(asked: Asked, value: Any) -> str:
    """Return a stored decision as text, by the titles of its options."""
    names = {option.value: option.title for option in asked.options}
    if isinstance(value, Mapping):
        return ", ".join(
            f"{names.get(str(key), key)} {count}" for key, count in value.items() if str(count) not in ("", "0")
        ) or _("none")
    if isinstance(value, (list, tuple)):
        return ", ".join(names.get(str(each), str(each)) for each in value) or _("none")
    return str(names.get(str(value), value))


def is_loss(outcome: Outcome) -> bool:
    """Return whether an outcome loses a fighter or kit. A player confirms it by name before it is written."""
    lost = (Leaves, Taken, LosesItems)
    return outcome.grave or any(isinstance(consequence, lost) for consequence in outcome.consequences)


def _told_apart(before: Aftermath, now: Aftermath) -> set[str]:
    """Return the fighters for whom two results of a battle differ."""
    one, other = before.mine, now.mine
    fighters = set(one.took_part) ^ set(other.took_part) | set(one.out) ^ set(other.out)
    return fighters | {fighter for _, fighter in set(one.deeds) ^ set(other.deeds) if fighter}


def run(task: Task, draws: tuple[Draw, ...], choices: Mapping[str, Any], onward: DiceSource | None = None) -> Progress:
    """Run a task with stored rolls and decisions.

    Raises Refusal, for example if the stored rolls do not match the dice that are now needed.
    """
    try:
        return advance(task, draws, choices, onward)
    except ValueError as error:
        raise Refusal(
            _("{task}: an earlier change makes these rolls unusable.").format(task=task.title),
            mend=_("Undo that change first."),
            code="rolls-do-not-fit",
        ) from error


def step_places(sequences: Iterable[tuple[PostBattle, Warband]]) -> dict[int, tuple[int, int]]:
    """Return, by sequence id, the number of the first open step and the number of steps, for begun sequences and
    their warbands.

    One query if there are any sequences; three more in total if some of them may have a reopened step.
    """
    begun = list(sequences)
    # An amendment or an undo may reopen a finished step.
    touched = Change.objects.filter(label=PostBattle._meta.label, event__kind__in=["amend", "undo"]).order_by()
    reopened = set(touched.filter(row_id__in=[each.pk for each, _ in begun]).values_list("row_id", flat=True))
    places: dict[int, tuple[int, int]] = {}
    for sequence, warband in begun:
        if sequence.pk in reopened:
            continue
        terms = warband.terms
        bare = Force(game=terms.system, edition=terms.edition, list=warband.list_id)
        steps = [step.id for step in terms.game.post_battle.steps(terms.content, bare)]
        left = max((steps.index(step) for step in sequence.done if step in steps), default=-1)
        places[sequence.pk] = (min(left + 2, len(steps)), len(steps))
    rows = list(PostBattle.objects.filter(pk__in=reopened).select_related("warband__terms")) if reopened else []
    forces = forces_of((row.warband for row in rows), gone=True)
    for row in rows:
        states = [each.state for each in StepSequence(row, forces[row.warband_id]).standings()]
        places[row.pk] = (states.index("open") + 1 if "open" in states else len(states), len(states))
    return places


def injuries_waiting(post_battle: PostBattle) -> tuple[str, ...]:
    """Return what must be settled before this warband musters again: the required tasks of the first step. Two
    queries.

    For a sequence that has not begun, return a single entry that says so.
    """
    if post_battle.started_at is None:
        return (_("the post-battle hasn't started"),)
    sequence = StepSequence(post_battle)
    first = next((step for step in sequence.steps if step.kind == "tasks"), None)
    if first is None or sequence.why_skipped(first.id):
        return ()
    return tuple(task.title for task in sequence.waiting(first.id))
