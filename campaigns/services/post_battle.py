"""After the battle: each side's sequence, from the report on. Rolls and choices are kept, outcomes written, steps left, all closed.

A sequence starts from the report and waits for no confirmation; it keeps its own battle number and dice. A roll is kept the moment it
falls and is never drawn again: reloading, undoing a written task or beginning anew meet the same faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from campaigns.battle_result import aftermath_of
from campaigns.models import Battle, Capture, PostBattle, Side
from campaigns.scenarios import scenario_name
from campaigns.sequence import StepSequence, run
from campaigns.serialization import aftermath_json, draw_json
from campaigns.services.common import NothingToDo, for_whom, live_sides, settles, side_name
from campaigns.services.dice_entry import dice_words, draw_for, told
from campaigns.services.ransom import close_captures
from rules.consequences import Pays
from rules.dice import DiceSource, Draw
from rules.problems import Refusal
from rules.resolution import Outcome, Task
from warbands.models import Event, Fighter, Warband
from warbands.recording import AlreadyDone, Recorder, recording
from warbands.services.consequences import carry_out
from warbands.undo import is_live, undo

REPORTED = (Battle.Status.REPORTED, Battle.Status.DISPUTED, Battle.Status.CONFIRMED, Battle.Status.CLOSED)


@settles
def start_post_battle(*, side: Side, actor: Any, token: str = "", seen: int | None = None) -> PostBattle:
    """Begin a side's sequence: what the report itself does to the warband happens once, and the battle is frozen as this side lived it.

    Begun already, it is returned as it is. Raises Refusal before the report, for a guest, and where the battle counts for nothing.
    """
    if side.warband is None:
        raise Refusal(f"{side_name(side)} has no warband here.", code="no-warband")
    found = PostBattle.objects.live().filter(side=side).select_related("warband__terms").first()
    if found is None:
        raise Refusal("Nothing follows this battle for this side.", code="no-sequence")
    if found.started_at is not None:
        return found
    battle = side.battle
    with recording(
        battle, side, found, side.warband, kind="fought", actor=actor, for_name=_for(side, actor), occasion=battle.occasion,
        token=token, seen=seen,
    ) as act:  # fmt: skip
        row: PostBattle = act.row(found)
        if row.started_at is not None:
            raise NothingToDo(row)
        fresh = act.row(battle)
        if fresh.status not in REPORTED:
            raise Refusal("The battle is not reported.", mend="Send the report first.", code="not-reported")
        warband = act.row(side.warband)
        aftermath = aftermath_of(fresh, act.row(side))
        game, content = warband.terms.game, warband.terms.content
        consequences = game.post_battle.result_consequences(content, act.force(warband), aftermath)
        act.change(row, started_at=timezone.now(), aftermath=aftermath_json(aftermath))
        carry_out(act, warband, consequences, occasion=battle.occasion)
        act.say(f"{{who}} began what follows {scenario_name(battle)} for {warband.name}, battle {aftermath.number}.")
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
) -> tuple[Draw, ...]:
    """Answer the dice that a task asks for, and keep them at once. Returns every draw now kept for the task.

    `source` is "app" or "typed" (then `faces`). `at` is how many draws the form knew of: where another press was faster, `AlreadyDone`
    tells of it and nothing is rolled. `onward` lets the app's dice roll on until a decision or the outcome. `dice` replaces the app's.
    Raises Refusal for a task that asks for no dice, and for faces or a source that do not fit.
    """
    with _open(post_battle, actor, "roll", token) as (act, row):
        sequence = StepSequence(row)
        task = _due(sequence, task_key)
        kept = list(sequence.draws(task_key))
        if at is not None and at != len(kept):
            raise AlreadyDone(_latest(row, task_key))
        fallen: list[Draw] = []
        choices = sequence.choices(task_key)
        while (progress := run(task, (*kept, *fallen), choices)).need is not None:
            fallen.append(draw_for(row.side.battle.campaign, progress.need, source, faces, dice))
            if source == "typed" or not onward:
                run(task, (*kept, *fallen), choices)  # a resolver may refuse what was typed
                break
        if not fallen:
            raise Refusal(f"{task.title} asks for no dice now.", code="no-dice")
        by = _by(actor)
        stored = [*row.record.get("draws", {}).get(task_key, ()), *(draw_json(draw, by) for draw in fallen)]
        act.set_leaf(row, ("draws", task_key), stored, field="record")
        words = "; ".join(f"{told(draw)} ({draw.why})" for draw in fallen)
        act.say(f"{{who}} {words}. {task.title}", task=task_key, draws=[draw_json(draw, by) for draw in fallen])
    return (*kept, *fallen)


def take_back_roll(
    *, post_battle: PostBattle, task_key: str, actor: Any, at: int | None = None, token: str = ""
) -> None:
    """“Mistyped”: take back the last roll of a task, if it was typed in and its outcome is not written. Decisions after it go with it.

    It is an event of its own, which the other side can read. Raises Refusal for the app's dice and for what is written.
    """
    with _open(post_battle, actor, "mistyped", token) as (act, row):
        sequence = StepSequence(row)
        task = _due(sequence, task_key)
        kept = sequence.draws(task_key)
        if at is not None and at != len(kept):
            raise AlreadyDone(_latest(row, task_key))
        if not kept:
            raise Refusal(f"{task.title} has no roll to take back.", code="no-dice")
        last = kept[-1]
        if last.origin != "typed":
            raise Refusal("The app's dice stand: only what was typed in can be mistyped.", code="app-dice")
        before = kept[:-1]
        choices = dict(sequence.replay(task, before))
        stored = row.record["draws"][task_key][:-1]
        act.set_leaf(row, ("draws", task_key), stored or None, field="record")
        act.set_leaf(row, ("choices", task_key), choices or None, field="record")
        faces = ", ".join(str(face) for face in last.faces)
        act.say(
            f"{{who}} took back {faces}, mistyped ({last.why}). {task.title}", task=task_key, mistyped=list(last.faces)
        )


def keep_choice(
    *, post_battle: PostBattle, task_key: str, choice_key: str, value: Any, actor: Any, token: str = ""
) -> None:
    """Keep a decision that a task asks for. It may be made anew until dice have fallen since; decisions after it are then asked again.

    `value` is a string, a list of strings ("some"), a number, or counts by option ("allot"). Raises Refusal for one that is not open,
    and for a decision that the task does not ask for now.
    """
    with _open(post_battle, actor, "choose", token) as (act, row):
        sequence = StepSequence(row)
        task = _due(sequence, task_key)
        kept = sequence.draws(task_key)
        before: dict[str, Any] = {}
        for key, known in sequence.replay(task, kept):
            if key == choice_key:
                break
            before[key] = known
        progress = run(task, kept, before)
        if progress.asked is None or progress.asked.key != choice_key:
            raise Refusal(f"{task.title} does not ask for this now.", code="not-asked")
        if len(progress.draws) != len(kept):
            raise Refusal("Dice have fallen since; this choice stands.", code="dice-fell")
        chosen = {**before, choice_key: value}
        run(task, kept, chosen)
        act.set_leaf(row, ("choices", task_key), chosen, field="record")
        act.say(f"{{who}} chose: {_chosen_words(progress.asked.options, value)}. {task.title}", task=task_key)


def write_task(
    *, post_battle: PostBattle, task_key: str, actor: Any, token: str = "", seen: int | None = None
) -> Event:
    """Carry out what a task came to, in one event, and mark it written; undoing that event makes it unwritten again.

    Raises Refusal while a die or a decision is missing, a task before it waits, or the roster changed so that it no longer fits;
    `AlreadyDone` where somebody else wrote it a moment ago.
    """
    paid = _paid(post_battle, task_key)
    with _open(post_battle, actor, "write", token, with_warband=True, seen=seen, besides=paid.values()) as (act, row):
        sequence = StepSequence(row, _everybody(act, row))
        if sequence.is_written(task_key):
            raise AlreadyDone(Event.objects.filter(pk=row.record["written"][task_key]).first())
        task = _due(sequence, task_key)
        for needed in task.needs:
            if not sequence.is_written(needed):
                raise Refusal(f"{_title(sequence, needed)} comes first.", code="comes-first")
        outcome = _outcome(sequence, task)
        warband = act.row(row.warband)
        carry_out(
            act,
            warband,
            outcome.consequences,
            occasion=row.side.battle.occasion,
            on_taken=lambda fighter, captor, reason: _capture(act, row, fighter, captor),
            on_pays=lambda sum_: _receive(act, row, paid, sum_),
        )
        close_captures(act, warband)
        act.set_leaf(row, ("written", task_key), act.event.pk, field="record")
        act.set_leaf(row, ("before", task_key), None, field="record")
        progress = sequence.progress(task)
        act.say(
            f"{{who}} wrote down: {outcome.sentence}",
            task=task_key,
            title=task.title,
            told=[line.words for line in progress.told],
            will_do=list(outcome.will_do),
            grave=outcome.grave,
            binds=task.binds,
            dice=[dict(kept) for kept in row.record.get("draws", {}).get(task_key, ())],
            dice_words=dice_words(row.record.get("draws", {}).get(task_key, ())),
        )
    return act.event


# --- steps -------------------------------------------------------------------------------------------------------------------


@settles
def finish_step(*, post_battle: PostBattle, step: str, actor: Any, token: str = "") -> PostBattle:
    """Leave a step as finished. Raises Refusal while something required in it waits, or a step before it does; done twice is done once."""
    with _open(post_battle, actor, "step", token) as (act, row):
        sequence = StepSequence(row)
        kind = sequence.step(step)
        standing = next(s for s in sequence.standings() if s.step.id == step)
        if standing.state in ("done", "skipped"):
            raise NothingToDo(row)
        if kind.kind == "close":
            raise Refusal(f"{kind.label} is left by closing the sequence.", code="close")
        _refuse_out_of_turn(sequence, step)
        if standing.waits:
            raise Refusal(f"{kind.label} waits for: {', '.join(standing.waits)}.", code="waits")
        act.change(row, done=[*(d for d in row.done if d != step), step])
        act.say(f"{{who}} finished {kind.label} for {row.warband.name}.", step=step)
    return row


@settles
def close_post_battle(*, post_battle: PostBattle, actor: Any, token: str = "", seen: int | None = None) -> PostBattle:
    """Close the sequence, the last act of it. Camp stays open until the next muster; a battle confirmed and closed by all is closed.

    Raises Refusal while a step waits. Closed twice is closed once.
    """
    with _open(
        post_battle, actor, "close", token, with_warband=True, seen=seen, with_campaign=True, closed_too=True
    ) as (act, row):
        if row.closed_at is not None:
            raise NothingToDo(row)
        sequence = StepSequence(row, _everybody(act, row))
        for standing in sequence.standings():
            if standing.step.kind == "close" or standing.state in ("done", "skipped"):
                continue
            what = f": {', '.join(standing.waits)}" if standing.waits else ""
            raise Refusal(f"{standing.step.label} waits still{what}.", mend="Finish that step first.", code="waits")
        lines: list[str] = []
        for step in sequence.steps:
            for task in sequence.waiting(step.id) if step.kind == "close" else ():
                outcome = _outcome(sequence, task)
                carry_out(act, act.row(row.warband), outcome.consequences, occasion=row.side.battle.occasion)
                act.set_leaf(row, ("written", task.key), act.event.pk, field="record")
                lines += outcome.will_do
        act.change(row, closed_at=timezone.now())
        close_battle_if_all_is_done(act, act.row(row.side.battle))
        act.say(f"{{who}} closed what follows {scenario_name(row.side.battle)} for {row.warband.name}.", will_do=lines)
    return row


def reopen_post_battle(*, post_battle: PostBattle, actor: Any, token: str = "") -> PostBattle:
    """Open a closed sequence again by undoing its closing. Raises Refusal for one that is open, or where later acts lean on it."""
    if post_battle.closed_at is None:
        raise Refusal("This sequence is open.", code="open")
    closings = Event.objects.filter(
        kind="close", subjects__label="campaigns.PostBattle", subjects__row_id=post_battle.pk
    ).order_by("-pk")
    closing = next((event for event in closings if is_live(event)), None)
    if closing is None:
        raise Refusal("This sequence is open.", code="open")
    undo(event=closing, actor=actor, token=token, by_right=False)
    post_battle.refresh_from_db()
    return post_battle


def close_battle_if_all_is_done(act: Recorder, battle: Battle) -> None:
    """Within an act on the battle: close it when its report is confirmed and every sequence is closed. One query."""
    if battle.status != Battle.Status.CONFIRMED:
        return
    if not PostBattle.objects.live().filter(side__battle=battle, closed_at=None).exists():
        act.change(battle, status=Battle.Status.CLOSED)


# --- inside ------------------------------------------------------------------------------------------------------------------


class _open:  # noqa: N801
    """One act on an open sequence: locks the battle, its side and the sequence (and the warband where the roster is touched)."""

    def __init__(
        self,
        post_battle: PostBattle,
        actor: Any,
        kind: str,
        token: str,
        *,
        with_warband: bool = False,
        with_campaign: bool = False,
        closed_too: bool = False,
        seen: int | None = None,
        besides: Iterable[Warband] = (),
    ) -> None:
        side = post_battle.side
        battle = side.battle
        subjects: list[Any] = [battle, side, post_battle]
        if with_warband:
            subjects.append(post_battle.warband)
        if with_campaign:
            subjects.append(battle.campaign)
        subjects += besides
        self.given, self.closed_too, self.with_warband = post_battle, closed_too, with_warband
        self.context = recording(
            *subjects,
            kind=kind,
            actor=actor,
            for_name=_for(side, actor),
            occasion=battle.occasion,
            token=token,
            seen=seen,
        )

    def __enter__(self) -> tuple[Recorder, PostBattle]:
        act = self.context.__enter__()
        try:
            row: PostBattle = act.row(self.given)
            side: Side = act.row(self.given.side)
            side.battle = act.row(self.given.side.battle)
            side.battle.campaign = self.given.side.battle.campaign
            side.seat = self.given.side.seat
            row.side = side
            row.warband = act.row(self.given.warband) if self.with_warband else self.given.warband
            if row.started_at is None:
                raise Refusal("This sequence is not begun.", code="not-begun")
            if side.battle.status == Battle.Status.VOID:
                raise Refusal("This battle was voided.", code="void")
            if row.closed_at is not None and not self.closed_too:
                raise Refusal("This post-battle sequence is closed.", mend="Open it again first.", code="closed")
        except BaseException as error:
            if not self.context.__exit__(type(error), error, error.__traceback__):
                raise
        return act, row

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool | None:
        return self.context.__exit__(kind, error, traceback)


def _for(side: Side, actor: Any) -> str:
    return for_whom(actor, seat=side.seat, warband=side.warband)


def _by(actor: Any) -> str:
    return str(actor) if actor is not None else ""


def _everybody(act: Recorder, row: PostBattle) -> Any:
    from warbands.adapters import force_of

    return force_of(act.row(row.warband), gone=True)


def _due(sequence: StepSequence, task_key: str) -> Task:
    """The task, if its turn has come and it is not written. Raises Refusal."""
    if sequence.is_written(task_key):
        raise Refusal("This is written already.", mend="Undo it to change it.", code="written")
    step, task = sequence.find(task_key)
    _refuse_out_of_turn(sequence, step.id)
    return task


def _refuse_out_of_turn(sequence: StepSequence, step_id: str) -> None:
    for standing in sequence.standings():
        if standing.step.id == step_id:
            return
        if standing.state == "open":
            what = f" It waits for: {', '.join(standing.waits)}." if standing.waits else ""
            raise Refusal(f"{standing.step.label} comes first.{what}", code="out-of-turn")


def _outcome(sequence: StepSequence, task: Task) -> Outcome:
    progress = sequence.progress(task)
    if progress.need is not None:
        raise Refusal(f"{task.title}: the dice are not rolled yet.", code="needs-dice")
    if progress.asked is not None:
        raise Refusal(f"{task.title}: a choice is open. {progress.asked.words}", code="needs-choice")
    assert progress.outcome is not None
    return progress.outcome


def _title(sequence: StepSequence, task_key: str) -> str:
    try:
        return sequence.find(task_key)[1].title
    except Refusal:
        return "Something else"


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


def _chosen_words(options: Any, value: Any) -> str:
    names = {option.value: option.title for option in options}
    if isinstance(value, dict):
        return (
            ", ".join(f"{names.get(str(k), k)} {v}" for k, v in value.items() if str(v) not in ("", "0")) or "nothing"
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(names.get(str(v), str(v)) for v in value) or "nothing"
    return str(names.get(str(value), value))


def _paid(post_battle: PostBattle, task_key: str) -> dict[str, Warband]:
    """The other warbands that a task, as it stands, pays something to, by their side: they are part of the act that writes it.

    About three queries: what the form was drawn from may be older than what was chosen since.
    """
    rows = PostBattle.objects.live().select_related("side__battle", "warband__terms")
    fresh = rows.filter(pk=post_battle.pk).first()
    if fresh is None or fresh.started_at is None:
        return {}
    sequence = StepSequence(fresh)
    try:
        outcome = sequence.progress(sequence.find(task_key)[1]).outcome
    except Refusal:
        return {}
    to = {str(c.to) for c in outcome.consequences if isinstance(c, Pays)} if outcome is not None else set()
    if not to:
        return {}
    sides = {str(side.pk): side for side in live_sides(post_battle.side.battle)}
    return {key: sides[key].warband for key in to if key in sides and sides[key].warband is not None}


def _receive(act: Recorder, row: PostBattle, paid: Mapping[str, Warband], pays: Pays) -> None:
    """Put what another side is paid into its strongbox; a side without a warband keeps no books here."""
    if pays.to in paid:
        receiver: Warband = act.row(paid[pays.to])
        act.earn(pays.amount, reason=f"{pays.reason} of {row.warband.name}", warband=receiver)
    elif any(str(side.pk) == pays.to and side.warband_id is not None for side in live_sides(row.side.battle)):
        raise Refusal(
            "What is paid was chosen anew a moment ago.", mend="Look again and press once more.", code="stale"
        )


def _capture(act: Recorder, row: PostBattle, fighter: Fighter, captor: str) -> None:
    """Write down who holds a fighter."""
    other = next((s for s in live_sides(row.side.battle) if str(s.pk) == captor), None)
    act.create(
        Capture(
            fighter=fighter,
            warband=act.row(row.warband),
            captor=other.warband if other is not None else None,
            captor_name=side_name(other) if other is not None else "somebody unknown",
            battle=row.side.battle,
        )
    )
