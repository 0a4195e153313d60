"""The services of one side's post-battle sequence: begin it, store rolls and choices, write outcomes, finish steps,
close it.

A sequence starts from the report, without waiting for its confirmation, and stores its own battle number and dice. A
roll is stored at once and never made again: reloading the page, undoing a written task and starting again all use the
same faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.battle_result import aftermath_of
from campaigns.models import REPORTED, Battle, Capture, PostBattle, Side
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence, answer_words, run
from campaigns.serialization import aftermath_json, draw_json
from campaigns.services.common import NothingToDo, live_sides, settles, side_name
from campaigns.services.dice_entry import dice_words, draw_for, told
from campaigns.services.post_battle_opening import acted_for, due_task, open_sequence, refuse_out_of_turn
from campaigns.services.ransom import close_captures
from rules.consequences import Leaves, Pays
from rules.dice import DiceSource, Draw
from rules.problems import Refusal
from rules.resolution import Asked, Outcome, Task, Told
from warbands.models import Event, Fighter, Warband
from warbands.recorder import Recorder
from warbands.recording import AlreadyDone, recording
from warbands.services.consequences import carry_out
from warbands.undo import is_live, undo


@settles
def start_post_battle(*, side: Side, actor: Any, token: str = "", seen: int | None = None) -> PostBattle:
    """Begin a side's sequence: freeze the battle's result for this side, and apply the report's effects on the
    warband once.

    A sequence that has already begun is returned unchanged. Raises Refusal before the report, for a guest, and if the
    battle counts for nothing.
    """
    if side.warband is None:
        raise Refusal(_("{side} has no warband here.").format(side=side_name(side)), code="no-warband")
    post_battle = PostBattle.objects.live().filter(side=side).select_related("warband__terms").first()
    if post_battle is None:
        raise Refusal(_("This side has no post-battle here."), code="no-sequence")
    if post_battle.started_at is not None:
        return post_battle
    battle = side.battle
    with recording(
        battle,
        side,
        post_battle,
        side.warband,
        kind="fought",
        actor=actor,
        for_name=acted_for(side, actor),
        occasion=battle.occasion,
        token=token,
        seen=seen,
    ) as act:
        row: PostBattle = act.row(post_battle)
        if row.started_at is not None:
            raise NothingToDo(row)
        fresh = act.row(battle)
        if fresh.status not in REPORTED:
            raise Refusal(_("The battle isn't reported yet."), mend=_("Send the report first."), code="not-reported")
        warband = act.row(side.warband)
        aftermath = aftermath_of(fresh, act.row(side))
        game, content = warband.terms.game, warband.terms.content
        consequences = game.post_battle.result_consequences(content, act.force(warband), aftermath)
        act.change(row, started_at=timezone.now(), aftermath=aftermath_json(aftermath))
        carry_out(act, warband, consequences, occasion=battle.occasion)
        act.say(
            _("{who} started the post-battle of {battle} for {warband}, battle {number}.").format(
                who="{who}", battle=scenario_name(battle), warband=warband.name, number=aftermath.number
            )
        )
    return row


# --- rolling and choosing ----------------------------------------------------------------------------------------------------


def keep_roll(
    *,
    post_battle: PostBattle,
    task_key: str,
    actor: Any,
    source: str,
    faces: Sequence[int] = (),
    at: int | None = None,
    onward: bool = False,
    dice: DiceSource | None = None,
    token: str = "",
    known: StepSequence | None = None,
) -> tuple[Draw, ...]:
    """Store the dice that a task asks for. Return all draws now stored for the task.

    `source` is "app" or "typed" (then with `faces`). `at` is the number of draws that the form knew of: if another
    request was faster, AlreadyDone names it and nothing is rolled. With `onward`, the app's dice roll on until a
    decision or the outcome. `dice` replaces the app's dice. `known` is the sequence as it was
    read before. Raises Refusal if the task asks for no dice, and for
    invalid faces or an invalid source.
    """
    with open_sequence(post_battle, actor, "roll", token, known=known) as (act, sequence):
        row, task = sequence.post_battle, due_task(sequence, task_key)
        stored, choices = list(sequence.draws(task_key)), sequence.choices(task_key)
        if at is not None and at != len(stored):
            raise AlreadyDone(_latest(row, task_key))
        new: list[Draw] = []
        while (progress := run(task, (*stored, *new), choices)).need is not None:
            new.append(draw_for(row.side.battle.campaign, progress.need, source, faces, dice))
            if source == "typed" or not onward:
                run(task, (*stored, *new), choices)  # a resolver may refuse the typed faces
                break
        if not new:
            raise Refusal(_("{task} needs no dice now.").format(task=task.title), code="no-dice")
        rows = [draw_json(draw, str(actor) if actor is not None else "") for draw in new]
        before = row.record.get("draws", {}).get(task_key, ())
        act.set_leaf(row, ("draws", task_key), [*before, *rows], field="record")
        words = "; ".join(f"{told(draw)} ({draw.why})" for draw in new)
        act.say(_("{{who}} {words}. {task}").format(words=words, task=task.title), task=task_key, draws=rows)
    return (*stored, *new)


def take_back_roll(
    *, post_battle: PostBattle, task_key: str, actor: Any, at: int | None = None, token: str = ""
) -> None:
    """Take back the last roll of a task ("Mistyped"), if it was typed in and its outcome is not written.

    Decisions made after it are dropped too. This is a separate event, which the other side can read. Raises Refusal
    for the app's dice and for written tasks.
    """
    with open_sequence(post_battle, actor, "mistyped", token) as (act, sequence):
        row, task = sequence.post_battle, due_task(sequence, task_key)
        kept = sequence.draws(task_key)
        if at is not None and at != len(kept):
            raise AlreadyDone(_latest(row, task_key))
        if not kept:
            raise Refusal(_("{task} has no roll to undo.").format(task=task.title), code="no-dice")
        last = kept[-1]
        if last.origin != "typed":
            raise Refusal(_("The app's dice stay. Only dice you entered can be undone."), code="app-dice")
        choices = dict(sequence.replay(task, kept[:-1]))
        act.set_leaf(row, ("draws", task_key), row.record["draws"][task_key][:-1] or None, field="record")
        act.set_leaf(row, ("choices", task_key), choices or None, field="record")
        faces = ", ".join(str(face) for face in last.faces)
        act.say(
            _("{who} undid a mistyped roll: {faces} ({why}). {task}").format(
                who="{who}", faces=faces, why=last.why, task=task.title
            ),
            task=task_key,
            mistyped=list(last.faces),
        )


def keep_choice(
    *,
    post_battle: PostBattle,
    task_key: str,
    choice_key: str,
    value: Any,
    actor: Any,
    token: str = "",
    known: StepSequence | None = None,
) -> None:
    """Store a decision that a task asks for. It may be changed until dice are rolled after it; later decisions are
    then asked again.

    `value` is a string, a list of strings ("some"), a number, or counts by option ("allot"). Raises Refusal for an
    option that is not available, and for a decision that the task does not ask for now.
    """
    with open_sequence(post_battle, actor, "choose", token, known=known) as (act, sequence):
        task = due_task(sequence, task_key)
        asked = _chosen(act, sequence, task, choice_key, value)[1]
        act.say(
            _("{{who}} chose: {answer_words}. {task}").format(answer_words=answer_words(asked, value), task=task.title),
            task=task_key,
        )


def _chosen(
    act: Recorder, sequence: StepSequence, task: Task, choice_key: str, value: Any
) -> tuple[StepSequence, Asked]:
    """Store a decision that the task asks for now. Return the sequence with it, and what was asked. Raises Refusal."""
    kept = sequence.draws(task.key)
    before = sequence.choices_before(task, choice_key)
    progress = run(task, kept, before)
    if progress.asked is None or progress.asked.key != choice_key:
        raise Refusal(_("{task}: this is not needed now.").format(task=task.title), code="not-asked")
    if len(progress.draws) != len(kept):
        raise Refusal(_("Dice were rolled since; this choice stays."), code="dice-fell")
    chosen = {**before, choice_key: value}
    run(task, kept, chosen)
    row = sequence.post_battle
    act.set_leaf(row, ("choices", task.key), chosen, field="record")
    return StepSequence(row, sequence.force), progress.asked


def write_task(
    *,
    post_battle: PostBattle,
    task_key: str,
    actor: Any,
    token: str = "",
    seen: int | None = None,
    last_choice: tuple[str, Any] | None = None,
    known: StepSequence | None = None,
) -> Event:
    """Carry out the outcome of a task in one event, and mark the task as written. Undoing that event makes it
    unwritten again.

    `last_choice` is the key and value of the decision that settles the task: it is stored by the same event, and
    undone with it.

    Raises Refusal while a die or a decision is missing, while an earlier task is open, or if the roster has changed
    so that the outcome is no longer possible. Raises AlreadyDone if somebody else wrote the task a moment ago.
    """
    try:
        return _write(post_battle, task_key, actor, token, seen, last_choice, known)
    except _PaysOthers as found:
        return _write(post_battle, task_key, actor, token, seen, last_choice, known, found.payees)


class _PaysOthers(Exception):
    """Raised when an outcome pays warbands that the recording has not locked. `payees` maps side ids to these warbands."""

    def __init__(self, payees: Mapping[str, Warband]) -> None:
        super().__init__()
        self.payees = payees


def _write(
    post_battle: PostBattle,
    task_key: str,
    actor: Any,
    token: str,
    seen: int | None,
    last_choice: tuple[str, Any] | None,
    known: StepSequence | None,
    payees: Mapping[str, Warband] | None = None,
) -> Event:
    """Write a task while its own warband and the payees are locked.

    Raises _PaysOthers if `payees` is None and the outcome pays other warbands.
    """
    others = (payees or {}).values()
    with open_sequence(
        post_battle, actor, "write", token, with_warband=True, seen=seen, besides=others, known=known
    ) as (
        act,
        sequence,
    ):
        row = sequence.post_battle
        if sequence.is_written(task_key):
            raise AlreadyDone(Event.objects.filter(pk=row.record["written"][task_key]).first())
        task = due_task(sequence, task_key)
        for needed in task.needs:
            if not sequence.is_written(needed):
                raise Refusal(_("{task} comes first.").format(task=sequence.title(needed)), code="comes-first")
        if last_choice is not None:
            sequence = _chosen(act, sequence, task, *last_choice)[0]
            row = sequence.post_battle
        lines, outcome = _outcome(sequence, task)
        paid = _payees(row, outcome)
        if not paid.keys() <= (payees or {}).keys():
            if payees is None:
                raise _PaysOthers(paid)
            raise Refusal(_("The payment changed a moment ago."), mend=_("Check it and press again."), code="stale")
        warband = act.row(row.warband)
        carry_out(
            act,
            warband,
            outcome.consequences,
            occasion=row.side.battle.occasion,
            on_taken=lambda fighter, captor, reason: _capture(act, row, fighter, captor),
            on_pays=lambda pays: _receive(act, row, paid, pays),
        )
        close_captures(act, warband)
        act.set_leaf(row, ("written", task_key), act.event.pk, field="record")
        act.set_leaf(row, ("before", task_key), None, field="record")
        draws = row.record.get("draws", {}).get(task_key, ())
        act.say(
            _("{who} recorded: {outcome}").format(who="{who}", outcome=outcome.sentence),
            task=task_key,
            outcome=outcome.sentence,
            title=task.title,
            told=[line.words for line in lines],
            will_do=list(outcome.will_do),
            grave=outcome.grave,
            died=any(isinstance(each, Leaves) and each.status == "dead" for each in outcome.consequences),
            binds=task.binds,
            dice=[dict(draw) for draw in draws],
            dice_words=dice_words(draws),
        )
    return act.event


def _payees(row: PostBattle, outcome: Outcome) -> dict[str, Warband]:
    """Return the warbands that an outcome pays, by side id. One query if there are any payments.

    A side without a warband is left out, because it has no strongbox.
    """
    to = {str(consequence.to) for consequence in outcome.consequences if isinstance(consequence, Pays)}
    sides = live_sides(row.side.battle) if to else ()
    return {str(side.pk): side.warband for side in sides if str(side.pk) in to and side.warband is not None}


def _receive(act: Recorder, row: PostBattle, payees: Mapping[str, Warband], pays: Pays) -> None:
    if pays.to in payees:
        act.earn(
            pays.amount,
            reason=_("{reason} of {warband}").format(reason=pays.reason, warband=row.warband.name),
            warband=act.row(payees[pays.to]),
        )


def _capture(act: Recorder, row: PostBattle, fighter: Fighter, captor: str) -> None:
    other = next((side for side in live_sides(row.side.battle) if str(side.pk) == captor), None)
    act.create(
        Capture(
            fighter=fighter,
            warband=act.row(row.warband),
            captor=other.warband if other is not None else None,
            captor_name=side_name(other) if other is not None else _("an unknown captor"),
            battle=row.side.battle,
        )
    )


# --- steps -------------------------------------------------------------------------------------------------------------------


@settles
def finish_step(*, post_battle: PostBattle, step: str, actor: Any, token: str = "") -> PostBattle:
    """Finish a step. A second call changes nothing. Raises Refusal while a required task in it, or an earlier step, is open."""
    with open_sequence(post_battle, actor, "step", token) as (act, sequence):
        row = sequence.post_battle
        kind = sequence.step(step)
        standing = next(s for s in sequence.standings() if s.step.id == step)
        if standing.state in ("done", "skipped"):
            raise NothingToDo(row)
        if kind.kind == "close":
            raise Refusal(_("Finish the post-battle to leave {step}.").format(step=kind.label), code="close")
        refuse_out_of_turn(sequence, step)
        if standing.waits:
            raise Refusal(
                _("{step} is still open: {tasks}.").format(step=kind.label, tasks=", ".join(standing.waits)),
                code="waits",
            )
        act.change(row, done=[*(d for d in row.done if d != step), step])
        act.say(
            _("{who} finished {step} for {warband}.").format(who="{who}", step=kind.label, warband=row.warband.name),
            step=step,
        )
    return row


@settles
def close_post_battle(*, post_battle: PostBattle, actor: Any, token: str = "", seen: int | None = None) -> PostBattle:
    """Close the sequence. Camp stays open until the next muster. A confirmed battle closes with its last sequence.

    A second call changes nothing. Raises Refusal while a step is open.
    """
    with open_sequence(
        post_battle, actor, "close", token, with_warband=True, seen=seen, with_campaign=True, closed_too=True
    ) as (act, sequence):
        row = sequence.post_battle
        if row.closed_at is not None:
            raise NothingToDo(row)
        for standing in sequence.standings():
            if standing.step.kind == "close" or standing.state in ("done", "skipped"):
                continue
            what = f": {', '.join(standing.waits)}" if standing.waits else ""
            raise Refusal(
                _("{step} is still open{tasks}.").format(step=standing.step.label, tasks=what),
                mend=_("Finish that step first."),
                code="waits",
            )
        lines: list[str] = []
        for step in sequence.steps:
            for task in sequence.waiting(step.id) if step.kind == "close" else ():
                outcome = _outcome(sequence, task)[1]
                carry_out(act, act.row(row.warband), outcome.consequences, occasion=row.side.battle.occasion)
                act.set_leaf(row, ("written", task.key), act.event.pk, field="record")
                lines += outcome.will_do
        act.change(row, closed_at=timezone.now())
        close_battle_if_all_is_done(act, act.row(row.side.battle))
        act.say(
            _("{who} finished the post-battle of {battle} for {warband}.").format(
                who="{who}", battle=scenario_name(row.side.battle), warband=row.warband.name
            ),
            will_do=lines,
        )
    return row


def reopen_post_battle(*, post_battle: PostBattle, actor: Any, token: str = "") -> PostBattle:
    """Reopen a closed sequence by undoing its closing. Raises Refusal if it is open, or if later events depend on the closing."""
    if post_battle.closed_at is None:
        raise Refusal(_("This post-battle is open."), code="open")
    closings = Event.objects.filter(
        kind="close", subjects__label="campaigns.PostBattle", subjects__row_id=post_battle.pk
    ).order_by("-pk")
    closing = next((event for event in closings if is_live(event)), None)
    if closing is None:
        raise Refusal(_("This post-battle is open."), code="open")
    undo(event=closing, actor=actor, token=token, by_right=False)
    post_battle.refresh_from_db()
    return post_battle


def close_battle_if_all_is_done(act: Recorder, battle: Battle) -> None:
    """Close the battle, inside a recording that locks it, if its report is confirmed and all sequences are closed. One query."""
    if battle.status != Battle.Status.CONFIRMED:
        return
    if not PostBattle.objects.live().filter(side__battle=battle, closed_at=None).exists():
        act.change(battle, status=Battle.Status.CLOSED)


# --- inside ------------------------------------------------------------------------------------------------------------------


def _outcome(sequence: StepSequence, task: Task) -> tuple[tuple[Told, ...], Outcome]:
    """Return the narrated lines and the outcome of a task. Raises Refusal while a die or a decision is missing."""
    progress = sequence.progress(task)
    if progress.need is not None:
        raise Refusal(_("{task}: roll the dice first.").format(task=task.title), code="needs-dice")
    if progress.asked is not None:
        raise Refusal(
            _("{task}: decide first. {question}").format(task=task.title, question=progress.asked.words),
            code="needs-choice",
        )
    assert progress.outcome is not None
    return progress.told, progress.outcome


def _latest(row: PostBattle, task_key: str) -> Event | None:
    return (
        Event.objects.filter(
            kind__in=["roll", "mistyped"],
            subjects__label="campaigns.PostBattle",
            subjects__row_id=row.pk,
            data__task=task_key,
        )
        .order_by("-pk")
        .first()
    )
