"""What several services need: in whose name somebody acts, and names as history tells them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from django.db import transaction

from campaigns.access import acts_for
from campaigns.models import Battle, Campaign, Seat, Side
from rules.problems import Refusal
from rules.visible import fault_of_name
from warbands.models import Warband

P = ParamSpec("P")
R = TypeVar("R")


class NothingToDo(Exception):
    """Raised inside an act that turns out to have nothing to write: it is rolled back, and `result` returned by `settles`."""

    def __init__(self, result: Any) -> None:
        super().__init__("This was done before.")
        self.result = result


def settles(service: Callable[P, R]) -> Callable[P, R]:
    """A service that may find its work done already: then it leaves no event behind and returns what is there."""

    @wraps(service)
    def settled(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return service(*args, **kwargs)
        except NothingToDo as nothing:
            return cast(R, nothing.result)

    return settled


def rehearsed(do: Callable[[], R]) -> R:
    """What an act comes to, without doing it: it is carried out and taken back at once. Raises what the act raises."""
    with transaction.atomic():
        result = do()
        transaction.set_rollback(True)
    return result


def new_link() -> str:
    """A fresh address part that nobody can guess."""
    return secrets.token_urlsafe(18)


def for_whom(actor: Any, *, seat: Seat | None = None, warband: Warband | None = None) -> str:
    """The name of the person acted for: "" when somebody acts for themselves, as a named delegate included in the sentence."""
    if actor is None or seat is None:
        return ""
    if seat.user_id == actor.pk or (seat.user_id is None and acts_for(actor, warband)):
        return ""
    return str(seat.user) if seat.user_id else seat.name


def cleaned_name(name: str, what: str, most: int = 80) -> str:
    """A name without blanks around it. Raises Refusal when nothing is left, when nobody sees all of it, or when it is too long."""
    name = " ".join(name.split())
    if not name:
        raise Refusal(f"{what} needs a name.", code="no-name")
    if fault := fault_of_name(name):
        raise Refusal(f"{what} needs another name. {fault}", code="no-name")
    if len(name) > most:
        raise Refusal(
            f"{what} can have a name of up to {most} letters; this one has {len(name)}.", code="name-too-long"
        )
    return name


def side_name(side: Side) -> str:
    """A side as history names it: its warband, its seat while it has none, or the guest."""
    if side.is_guest:
        return side.guest_name
    return side.warband.name if side.warband_id else side.seat.name


def who_answers(side: Side) -> str:
    """Who answers a report for a side: the side itself; for a guest, who has no account, an administrator."""
    return f"an administrator for {side.guest_name}" if side.is_guest else side_name(side)


def is_unclaimed(side: Side) -> bool:
    """Whether nobody with an account plays the side: neither its seat nor its warband belongs to anybody. A guest's side has no seat."""
    return not side.is_guest and side.seat.user_id is None and (side.warband is None or side.warband.owner_id is None)


def versus(sides: Iterable[Side]) -> str:
    """The sides of a battle in a line: "Lantern Wardens against Choir of Brass", "Ada against Ben and Dora"."""
    first, *others = (side_name(side) for side in sides)
    return f"{first} against {listed(others)}" if others else first


def live_sides(battle: Battle) -> list[Side]:
    """The sides of a battle with seat, warband and terms. One query."""
    return list(
        battle.sides.live()
        .select_related("seat__user", "warband__terms", "warband__owner", "snapshot")
        .order_by("place", "pk")
    )


def listed(words: Iterable[str]) -> str:
    """Words in a sentence: "Ada", "Ada and Ben", "Ada, Ben and Cleo"."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def refuse_unless_running(campaign: Campaign) -> None:
    """Raise Refusal when the campaign is over."""
    if campaign.status != Campaign.Status.RUNNING:
        raise Refusal(f"{campaign.name} is over.", mend="An administrator can open it again.", code="finished")


def plural(number: int, word: str) -> str:
    """A number with its word: "1 point", "3 points"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
