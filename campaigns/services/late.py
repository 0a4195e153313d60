"""What a latecomer shares out: the experience of battles fought before it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.services.common import plural
from rules.consequences import Consequence, SetFighter
from rules.problems import Refusal
from warbands.force import force_of
from warbands.models import Promise
from warbands.services.promises import settle_promise

KIND = "late-experience"


def share_experience(
    *, promise: Promise, shares: Mapping[str, int], actor: Any, token: str = "", seen: int | None = None
) -> Promise:
    """Share the experience of a late start among the fighters that gain any, all of it at once; skills fall due with the next battle.

    `shares` are points by fighter key. Raises Refusal for a fighter that learns nothing, one past its most, or another sum.
    """
    if promise.kind != KIND:
        raise Refusal("This promise is not about experience.", code="kind")
    warband = promise.warband
    terms = warband.terms
    force = force_of(warband)
    views = terms.game.views(terms.content, force)
    total = int(promise.data["experience"])
    given = {str(key): _number(points) for key, points in shares.items()}
    does: list[Consequence] = []
    for key, points in given.items():
        view = views.get(key)
        if view is None:
            raise Refusal("A fighter named is on the roster no longer.", code="unknown-fighter")
        if not points:
            continue
        if not view.may_learn:
            raise Refusal(f"{view.name} gains no experience.", mend="Give it to another fighter.", code="no-experience")
        after = force.fighter(key).experience + points
        if after > view.experience_cap:
            raise Refusal(f"{view.name} has room for {view.experience_cap} experience, not {after}.", code="too-much")
        does.append(SetFighter(key, ("experience",), after, "joined late"))
    shared = sum(given.values())
    if shared != total:
        raise Refusal(f"{total} experience are there to share out; {shared} are.", code="wrong-sum")
    names = ", ".join(f"{views[key].name} {plural(points, 'point')}" for key, points in given.items() if points)
    return settle_promise(promise=promise, actor=actor, how=names, consequences=does, token=token, seen=seen)


def _number(points: Any) -> int:
    try:
        number = int(points)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise Refusal("A share is a whole number, 0 or more.", code="not-a-number")
    return number
