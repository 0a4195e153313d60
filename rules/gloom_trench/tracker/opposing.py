"""A Tactical Point that an opponent spends against the next roll of a unit under Stress, told on the opponent's own phone.

The point is promised to the unit, shows on it, and is paid with its next roll. So nobody waits for the other side.

Source: core rules, Tactical Pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.gloom_trench.tracker.move import Doing, GloomMove, PlayState, enough
from rules.gloom_trench.tracker.units import Troop
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import Asks, RollKind, TableOffer
from rules.translation import gettext as _


def may_oppose(play: PlayState) -> Iterator[tuple[Troop, str]]:
    """Yield the units that are about to roll under Stress, each with a side that may spend a point against it."""
    if play.phase == "choose":
        able = [each for each in play.eligible(str(play.facts["chit"])) if each.known and each.tests(play.content)]
    elif play.phase == "unit" and play.active is not None and not play.facts["done"]:
        able = [play.active]
    else:
        able = []
    for troop in able:
        if troop.stress and not troop.facts.get("opposed") and troop.fighter.fights:
            yield from ((troop, other.key) for other in play.others(troop.side) if play.pool(other.key))


def offers(play: PlayState) -> Iterator[TableOffer]:
    for troop, side in may_oppose(play):
        label = _("1 TP against {name}: −1").format(name=troop.name)
        yield TableOffer("oppose", label, side, given={"target": troop.key}, at_once=True)


def _asked(play: PlayState, data: Mapping[str, str]) -> RollKind:
    keys = tuple(dict.fromkeys(troop.key for troop, _side in may_oppose(play)))
    asks = (Asks("side", _("Whose point"), "side"), Asks("target", _("Against"), "foe", only=keys or ("",)))
    return RollKind("oppose", _("A point against it"), _("Its next roll has −1."), asks, move=True)


def _oppose(play: PlayState, data: Mapping[str, str], found: Resolved) -> RollAct:
    side, target = data.get("side", ""), data.get("target", "")
    troop = next((troop for troop, key in may_oppose(play) if (troop.key, key) == (target, side)), None)
    if troop is None:
        raise Refusal(
            _("No point can be spent against that roll."),
            mend=_("It takes Stress, a point, and a roll to come."),
            code="points",
        )
    enough(play, side, 1)
    doing = Doing(play, "oppose").say(
        _("{side} spends a point against {name}: −1 on its next roll.").format(side=play.name(side), name=troop.name)
    )
    doing.fact(troop, opposed=side)
    return doing.table(**play.within()).act(side=side)


MOVES: Mapping[str, GloomMove] = {"oppose": GloomMove(_asked, _oppose)}
