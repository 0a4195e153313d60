"""Promises (IOUs) of a warband: settled, or lapsed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.consequences import Consequence
from rules.problems import Refusal
from warbands.models import Promise, Warband
from warbands.promises import settling_task, waits_for
from warbands.services.camp import come_to
from warbands.services.common import acting, sentence
from warbands.services.consequences import carry_out


def settle_promise(
    *,
    promise: Promise,
    actor: Any,
    how: str = "",
    lapsed: bool = False,
    consequences: Iterable[Consequence] = (),
    token: str = "",
    seen: int | None = None,
) -> Promise:
    """Close an open promise: kept (with what follows from it), or lapsed. `how` tells it in words.

    Raises:
        Refusal: it is open no longer.
    """
    with acting(promise.warband, kind="promise", actor=actor, token=token, seen=seen) as act:
        row = _open(act.warband, promise)
        status = Promise.Status.LAPSED if lapsed else Promise.Status.SETTLED
        act.change(row, status=status)
        carry_out(act, act.warband, consequences)
        verb = "let lapse" if lapsed else "settled"
        act.say(f"{{who}} {verb}: {sentence(row.words)}" + (f" {sentence(how)}" if how else ""))
    promise.status = status
    return promise


def redeem_promise(
    *,
    promise: Promise,
    actor: Any,
    choices: Mapping[str, Any] | None = None,
    token: str = "",
    seen: int | None = None,
) -> Promise:
    """Settle an open promise: the player's `choices` (by key) say what it gives, and that comes to the warband in the same act.

    Raises:
        Refusal: it is open no longer, it cannot be settled here, or a decision is open or does not fit.
    """
    with acting(promise.warband, kind="promise", actor=actor, token=token, seen=seen) as act:
        row = _open(act.warband, promise)
        terms, force = act.warband.terms, act.force()
        task = settling_task(terms, force, row.kind, row.data)
        if task is None:
            raise Refusal(
                f"This cannot be settled now: {waits_for(terms, force, row.kind, row.data)}",
                code="closed",
            )
        outcome = come_to(task, choices)
        act.change(row, status=Promise.Status.SETTLED)
        carry_out(act, act.warband, outcome.consequences)
        act.say(f"{{who}} settled what was owed: {sentence(outcome.sentence)}", will_do=list(outcome.will_do))
    promise.status = Promise.Status.SETTLED
    return promise


def _open(warband: Warband, promise: Promise) -> Promise:
    """The promise as it is now, inside the lock. Raises Refusal where it is open no longer."""
    row = Promise.objects.live().filter(pk=promise.pk, warband_id=warband.pk).first()
    if row is None or row.status != Promise.Status.OPEN:
        raise Refusal("This promise is no longer open.", code="gone")
    return row
