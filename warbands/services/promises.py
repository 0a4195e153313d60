"""Services for promises (IOUs) of a warband: settle one, or let it lapse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

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
    """Close an open promise: as settled (with its consequences), or as lapsed. `how` describes what happened.

    Raises:
        Refusal: the promise is no longer open.
    """
    with acting(promise.warband, kind="promise", actor=actor, token=token, seen=seen) as act:
        row = _open(act.warband, promise)
        status = Promise.Status.LAPSED if lapsed else Promise.Status.SETTLED
        act.change(row, status=status)
        carry_out(act, act.warband, consequences)
        told = _("{{who}} let lapse: {reward}") if lapsed else _("{{who}} settled: {reward}")
        reward = f"{sentence(row.words)} {sentence(how)}" if how else sentence(row.words)
        act.say(told.format(reward=reward))
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
    """Settle an open promise and give the warband its result in the same act. `choices` are the player's, by key.

    Raises:
        Refusal: the promise is no longer open, cannot be settled here, or a decision is missing or invalid.
    """
    with acting(promise.warband, kind="promise", actor=actor, token=token, seen=seen) as act:
        row = _open(act.warband, promise)
        terms, force = act.warband.terms, act.force()
        task = settling_task(terms, force, row.kind, row.data)
        if task is None:
            raise Refusal(
                _("This can't be settled now: {reason}").format(reason=waits_for(terms, force, row.kind, row.data)),
                code="closed",
            )
        outcome = come_to(task, choices)
        act.change(row, status=Promise.Status.SETTLED)
        carry_out(act, act.warband, outcome.consequences)
        act.say(
            _("{{who}} settled what was owed: {sentence}").format(sentence=sentence(outcome.sentence)),
            will_do=list(outcome.will_do),
        )
    promise.status = Promise.Status.SETTLED
    return promise


def _open(warband: Warband, promise: Promise) -> Promise:
    """Return the promise, read again under the lock. Raises Refusal if it is no longer open."""
    row = Promise.objects.live().filter(pk=promise.pk, warband_id=warband.pk).first()
    if row is None or row.status != Promise.Status.OPEN:
        raise Refusal(_("This reward is no longer open."), code="gone")
    return row
