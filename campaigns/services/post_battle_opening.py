"""How an act on one side's post-battle sequence begins: what is locked, and what is refused before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Battle, PostBattle, Side
from campaigns.sequence import StepSequence
from campaigns.services.common import for_whom
from rules.force import Force
from rules.problems import Refusal
from rules.resolution import Task
from warbands.models import Warband
from warbands.recorder import Recorder
from warbands.recording import recording


@contextmanager
def open_sequence(
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
    known: StepSequence | None = None,
) -> Iterator[tuple[Recorder, StepSequence]]:
    """Record one action on an open sequence, read again under the lock.

    Locks the battle, its side and the sequence; `with_warband` also locks the warband. `known` is the sequence as it was
    read before: its force is used again, unless the warband has another version by now.
    """
    side, battle = post_battle.side, post_battle.side.battle
    subjects: list[Any] = [battle, side, post_battle]
    if with_warband:
        subjects.append(post_battle.warband)
    if with_campaign:
        subjects.append(battle.campaign)
    with recording(
        *subjects,
        *besides,
        kind=kind,
        actor=actor,
        for_name=acted_for(side, actor),
        occasion=battle.occasion,
        token=token,
        seen=seen,
    ) as act:
        row: PostBattle = act.row(post_battle)
        row.side = act.row(side)
        row.side.battle = act.row(battle)
        row.side.battle.campaign = battle.campaign
        row.side.seat = side.seat
        row.warband = act.row(post_battle.warband) if with_warband else post_battle.warband
        if row.started_at is None:
            raise Refusal(_("This post-battle hasn't started."), code="not-begun")
        if row.side.battle.status == Battle.Status.VOID:
            raise Refusal(_("This battle is void."), code="void")
        if row.closed_at is not None and not closed_too:
            raise Refusal(_("This post-battle is finished."), mend=_("Reopen it first."), code="closed")
        yield act, StepSequence(row, _force_of(row.warband, known, locked=with_warband))


def _force_of(warband: Warband, known: StepSequence | None, *, locked: bool) -> Force | None:
    if known is None:
        return None
    now = warband.version if locked else Warband.objects.values_list("version", flat=True).get(pk=warband.pk)
    return known.force_in(now)


def acted_for(side: Side, actor: Any) -> str:
    return for_whom(actor, seat=side.seat, warband=side.warband)


def due_task(sequence: StepSequence, task_key: str) -> Task:
    """Return the task if it is due and not yet written. Raises Refusal otherwise."""
    if sequence.is_written(task_key):
        raise Refusal(_("This is already done."), mend=_("Undo it to change it."), code="written")
    step, task = sequence.find(task_key)
    refuse_out_of_turn(sequence, step.id)
    return task


def refuse_out_of_turn(sequence: StepSequence, step_id: str) -> None:
    for standing in sequence.standings():
        if standing.step.id == step_id:
            return
        if standing.state == "open":
            waits = [title for title in standing.waits if title != standing.step.label]
            what = " " + _("Still open: {tasks}.").format(tasks=", ".join(waits)) if waits else ""
            raise Refusal(_("{step} comes first.").format(step=standing.step.label) + what, code="out-of-turn")
