"""The Tactical Pools of both sides: filled in the Tactical Phase, checked at the end of the turn, corrected by hand.

Source: core rules, Tactical Pool; Turn End.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.gloom_trench.resolvers.dice import TargetThrow
from rules.gloom_trench.tracker.move import (
    MOST_POINTS,
    Doing,
    GloomMove,
    PlayState,
    counted_row,
    figure,
    needs,
    plainly,
)
from rules.gloom_trench.tracker.phases import unfilled
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind
from rules.translation import gettext as _


def _pool_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    ending = play.phase == "end-pool"
    side = data.get("side", "")
    dice = (
        (play.pool(side) if ending else play.command(side)) if any(side == each.key for each in play.state.sides) else 0
    )
    results = (counted_row(_("5 or more on my dice"), dice),) if dice else ()
    return RollKind(
        "pool", _("Check the pool") if ending else _("Fill the pool"),
        _("A point stays for each success.") if ending else _("A point for each success, and one for each Commander."),
        (Asks("side", _("Whose"), "side", quiet=bool(dice)),), _("a D6 for each point") if ending else _("a D6 for each point of Command"),
        need=_("{name}: {dice} D6, each {needs} counts.").format(name=play.name(side), dice=dice, needs=needs(TargetThrow("D6", 0))) if dice else "",
        results=results,
    )  # fmt: skip


def commanders(play: PlayState, side: str) -> int:
    return sum(troop.has("Commander") for troop in play.troops(side))


def _pool_question(play: PlayState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    play.must(("pool", "end-pool"), _("The pool"))
    side = play.state.side(data.get("side", ""))
    if side.key not in unfilled(play):
        raise Refusal(
            _("{name} has nothing to roll for its pool now.").format(name=side.name), mend=_("Continue."), code="done"
        )
    if play.phase == "end-pool":
        return "check-pool", {"pool": play.pool(side.key)}
    return "populate-pool", {
        "pool": play.pool(side.key), "command": play.command(side.key), "commanders_on_table": commanders(play, side.key),
    }  # fmt: skip


def _pool(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    side = play.state.side(data["side"])
    doing = Doing(play, "pool")
    now = min(MOST_POINTS, int(found.effect("pool", 0)))
    doing.pay(side.key, play.pool(side.key) - now)
    doing.side(side.key, **{"kept" if play.phase == "end-pool" else "filled": play.state.turn})
    return doing.say(f"{side.name}: {found.told}").table(**play.within()).act(side=side.key)


def _pool_now_asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    side = next((side for side in play.state.sides if side.key == data.get("side")), play.state.sides[0])
    return RollKind(
        "points", _("Put the pool right"), _("For points spent or gained beside the table."),
        (Asks("side", _("Whose"), "side", leads=True), Asks("now", _("Tactical Points"), "number", 0, MOST_POINTS, usual=str(play.pool(side.key)))),
        move=True,
    )  # fmt: skip


def _pool_now(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    side = play.state.side(data.get("side", ""))
    before, now = play.pool(side.key), figure(data, "now", play.pool(side.key))
    if now == before:
        raise Refusal(
            _("{name} has {before} already.").format(name=side.name, before=before),
            mend=_("Say another number."),
            code="done",
        )
    doing = Doing(play, "points").say(
        _("{name}: Tactical Points {before} to {now}.").format(name=side.name, before=before, now=now)
    )
    doing.pay(side.key, before - now)
    return doing.act(side=side.key)


MOVES: Mapping[str, GloomMove] = {
    "pool": GloomMove(_pool_asked, _pool, _pool_question, plainly),
    "points": GloomMove(_pool_now_asked, _pool_now),
}
