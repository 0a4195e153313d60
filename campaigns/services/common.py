"""Helpers that several services share: for whom somebody acts, and names for the history."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.access import acts_for
from campaigns.models import Battle, Campaign, Seat, Side
from rules.formatting import joined
from rules.problems import Refusal
from rules.visible import fault_of_name
from warbands.models import Warband
from warbands.recorder import NotLocked

READY_FOR = timedelta(hours=20)  # since everybody was ready: the battle was fought by now

P = ParamSpec("P")
R = TypeVar("R")


class NothingToDo(Exception):
    """Raised inside a recording that has nothing to write. The recording is rolled back, and `settles` returns `result`."""

    def __init__(self, result: Any) -> None:
        super().__init__(_("This was done before."))
        self.result = result


def settles(service: Callable[P, R]) -> Callable[P, R]:
    """Decorate a service that may find its work already done. It then records no event and returns the existing result."""

    @wraps(service)
    def settled(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return service(*args, **kwargs)
        except NothingToDo as nothing:
            return cast(R, nothing.result)

    return settled


def again_if_overtaken(service: Callable[P, R]) -> Callable[P, R]:
    """Decorate a service whose subjects depend on what it reads: if somebody changed that before the lock, it begins anew.

    Nothing of the first try is left. Twice at most, so that a subject that was forgotten is a fault and no endless loop.
    """

    @wraps(service)
    def tried(*args: P.args, **kwargs: P.kwargs) -> R:
        for _try in range(2):
            with suppress(NotLocked):
                return service(*args, **kwargs)
        return service(*args, **kwargs)

    return tried


def rehearsed(do: Callable[[], R]) -> R:
    """Run an action, roll it back and return its result. Raises what the action raises."""
    with transaction.atomic():
        result = do()
        transaction.set_rollback(True)
    return result


def new_link() -> str:
    return secrets.token_urlsafe(18)


def for_whom(actor: Any, *, seat: Seat | None = None, warband: Warband | None = None) -> str:
    """Return the name of the person represented, or "" if people act for themselves or as a named delegate."""
    if actor is None or seat is None:
        return ""
    if seat.user_id == actor.pk or (seat.user_id is None and acts_for(actor, warband)):
        return ""
    return str(seat.user) if seat.user_id else seat.name


def for_side(side: Side | None, actor: Any) -> str:
    """Return the name of the person represented, as `for_whom` does; for a guest, the guest's name."""
    if side is None or side.is_guest:
        return side.guest_name if side is not None else ""
    return for_whom(actor, seat=side.seat, warband=side.warband)


def cleaned_name(name: str, what: str, most: int = 80, *, field: str = "") -> str:
    """Return a name with surplus whitespace removed. Raises Refusal if it is empty, not fully visible or too long.

    `field` is the form's name for it, where a form has several.
    """
    name = " ".join(name.split())
    if not name:
        raise Refusal(_("{what} needs a name.").format(what=what), code="no-name", field=field)
    if fault := fault_of_name(name):
        raise Refusal(
            _("{what} needs another name. {fault}").format(what=what, fault=fault), code="no-name", field=field
        )
    if len(name) > most:
        raise Refusal(
            _("{what} can have a name of up to {most} letters; this one has {name}.").format(
                what=what, most=most, name=len(name)
            ),
            code="name-too-long",
            field=field,
        )
    return name


def side_name(side: Side) -> str:
    """Return the name of a side for the history: its warband, its seat if it has no warband yet, or the guest."""
    if side.is_guest:
        return side.guest_name
    return side.warband.name if side.warband_id else side.seat.name


def player_name(side: Side) -> str:
    """Return who plays a side: the name of its seat, or the guest's."""
    return side.guest_name if side.is_guest else str(side.seat.name)


def side_and_player(side: Side) -> str:
    """Return a side with its player: "Lantern Wardens (Ada)"; only the player where the warband is called alike or missing."""
    warband, player = side_name(side), player_name(side)
    return warband if warband == player else _("{warband} ({player})").format(warband=warband, player=player)


def who_answers(side: Side) -> str:
    """Return who answers a report for a side: the side itself, or an administrator for a guest, because guests have no account."""
    return (
        _("an administrator for {guest_name}").format(guest_name=side.guest_name) if side.is_guest else side_name(side)
    )


def is_unclaimed(side: Side) -> bool:
    """Return whether nobody with an account plays the side, through its seat or its warband. A guest's side has no seat."""
    return not side.is_guest and side.seat.user_id is None and (side.warband is None or side.warband.owner_id is None)


def versus(sides: Iterable[Side], name: Callable[[Side], str] = side_name) -> str:
    """Return the sides as one phrase: "Lantern Wardens against Choir of Brass", "Ada against Ben and Dora"."""
    first, *others = (name(side) for side in sides)
    return _("{first} against {joined}").format(first=first, joined=joined(others)) if others else first


def live_sides(battle: Battle) -> list[Side]:
    """Return the live sides of a battle with their seat, warband and terms. One query."""
    return list(
        battle.sides.live()
        .select_related("seat__user", "warband__terms", "warband__owner", "snapshot")
        .order_by("place", "pk")
    )


def refuse_unless_running(campaign: Campaign) -> None:
    if campaign.status != Campaign.Status.RUNNING:
        raise Refusal(
            _("{campaign} is over.").format(campaign=campaign.name),
            mend=_("An administrator can reopen it."),
            code="finished",
        )
