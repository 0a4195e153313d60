"""One phone for all sides of a table: who offers it, who agrees, and what the page says of it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.pages.tracker_board import Press
from rules.tracker.state import TableState, keeper_of


def keeping_presses(state: TableState, own: frozenset[str]) -> tuple[Press, ...]:
    """Return buttons for agreeing that one player tracks all sides on one phone, and for ending that."""
    played = [side for side in state.sides if not side.open]
    if len(played) < 2:
        return ()
    are_two = len(played) == 2
    mine = _("Track both sides on this phone") if are_two else _("Track all sides on this phone")
    theirs = _("Let {side} track both sides") if are_two else _("Let {side} track all sides")
    presses = []
    for side in played:
        if side.key not in own:
            continue
        if side.keeper:
            presses.append(Press(f"n{side.key}", _("Each tracks its own side"), f"keep {side.key} -"))
            continue
        for keeper in played:
            label = (mine if keeper.key in own else theirs).format(side=keeper.name)
            presses.append(Press(f"k{side.key}_{keeper.key}", label, f"keep {side.key} {keeper.key}"))
    return tuple(presses)


def keeping_words(state: TableState) -> str:
    """Return who tracks all sides, or who has offered it and waits for the others, "" where each tracks its own."""
    are_two = sum(not side.open for side in state.sides) == 2
    for side in state.sides:
        if keeper := keeper_of(state, side.key):
            words = _("{side} tracks both sides.") if are_two else _("{side} tracks all sides.")
            return words.format(side=state.side(keeper).name)
    for side in state.sides:
        if side.keeper:
            words = _("{side} says: {keeper} tracks both. Both players must agree.")
            if not are_two:
                words = _("{side} says: {keeper} tracks all. All players must agree.")
            return words.format(side=side.name, keeper=state.side(side.keeper).name)
    return ""
