"""Tests of morale in the tracker: when one is due, what the resolver is given, and what its result does.

Source: Condensed rules 1.6.3, "Morale Phase", LEADER; Turns and actions 1.0, "Morale Phase".
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from rules.content.play import EditionPlay
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import RollAct
from rules.tracker.rolls import ticked
from rules.tracker.state import TableSide, TableState
from rules.translation import gettext as _
from rules.trench_crusade.tracker.rolls import fell_words, figure

# What the scenario says of morale.
NO_TESTS, NEVER_FLEES = "no-tests", "other"
ONLY_SHAKEN = ("shaken", NEVER_FLEES)


def why_due(play: EditionPlay, state: TableState, side: TableSide) -> str:
    """Return why a side tests its morale at the end of this turn, or "" if it does not."""
    if side.fled or state.morale == NO_TESTS or side.tested == state.turn:
        return ""
    own = [fighter for fighter in state.of(side.key) if fighter.there]
    fallen = sum(fighter.down or fighter.out for fighter in own)
    if own and 2 * fallen >= len(own):
        return _("{name}: {fallen} of {count} are Down or Out.").format(name=side.name, fallen=fallen, count=len(own))
    return _("{name} was Shaken.").format(name=side.name) if _is_shaken_again(play, state, side) else ""


def _is_shaken_again(play: EditionPlay, state: TableState, side: TableSide) -> bool:
    """Return whether a side tests because it is Shaken, whatever comes of a second failure."""
    return side.shaken == state.turn and play.morale_failed == "choice"


def failed_before(play: EditionPlay, state: TableState, side: TableSide) -> bool:
    """Return whether the next failure is the second one, which makes the side flee.

    The newer edition counts failures in a row; the option of the older one counts all failures.
    """
    if state.morale == NEVER_FLEES:
        return False
    return side.shaken == state.turn if play.morale_failed == "choice" else side.failed


def words_for_devices(play: EditionPlay, state: TableState, hands: Set[str]) -> str:
    """Return what a device needs to test the morale of these sides without a line; "" if nothing is tested."""
    again = play.morale_failed == "choice"

    def told(side: TableSide) -> str:
        failed = 0 if state.morale == NEVER_FLEES else side.shaken if again else -int(side.failed)
        return f"{side.key}={side.tested}/{failed}/{side.shaken}"

    sides = [told(side) for side in state.sides if side.key in hands and not side.fled]
    if state.morale == NO_TESTS or not sides:
        return ""
    return f"{state.morale if state.morale in ONLY_SHAKEN else ''}|{int(again)}|{' '.join(sides)}"


def input_of_test(play: EditionPlay, state: TableState, data: Mapping[str, str]) -> dict[str, Any]:
    """Return the input of the resolver. Raises Refusal if the side has tested this turn."""
    side = state.side(data.get("side", ""))
    if side.tested == state.turn:
        raise Refusal(_("{name} has tested its morale this turn.").format(name=side.name), code="tested")
    own = [fighter for fighter in state.of(side.key) if fighter.there]
    given: dict[str, Any] = {
        "dice": figure(data, "dice"),
        "leader": any(fighter.facts.get("leader") and not fighter.out for fighter in own),
        "shaken": failed_before(play, state, side) or _is_shaken_again(play, state, side),
        "flees": ticked(data, "flees"),
        "shaken_rule": ticked(data, "shaken_rule") or state.morale in ONLY_SHAKEN,
    }
    if own:
        given |= {
            "models": len(own),
            "down": sum(fighter.down for fighter in own),
            "out": sum(fighter.out for fighter in own),
        }
    return given


def result_of_test(state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
    """Return what the result does. Raises Refusal if no test is due."""
    side = state.side(data.get("side", ""))
    if found.effect("test") is False:
        raise Refusal(
            _("No morale test is due for {name}.").format(name=side.name),
            mend=_("Half must be Down or Out."),
            code="not-due",
        )
    outcome, words = found.outcome, found.told.replace(_("the warband"), side.name)
    if outcome == "flees" and state.morale == NEVER_FLEES:
        words = _("Morale: {total}, {name} is Shaken; no one flees here.").format(total=found.total, name=side.name)
        outcome = "shaken"
    return RollAct(
        roll="morale", told=f"{words}{fell_words(found)}", side=side.key,
        morale=outcome,  # type: ignore[arg-type]
    )  # fmt: skip
