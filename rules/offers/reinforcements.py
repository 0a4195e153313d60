"""The call for reinforcements: what a warband may buy and move afterwards, until its roster closes.

This applies to editions in which reinforcements bring new fighters and nothing else.
"""

from __future__ import annotations

from rules.force import Force, ForceFighter
from rules.legality.finding import Finding
from rules.legality.roster_state import RosterState
from rules.price import Price
from rules.translation import gettext as _


def only_newcomers(roster: RosterState) -> bool:
    """Return whether the warband called for reinforcements after its last battle, in an edition where they bring only new fighters."""
    campaign = roster.content.pack.campaign
    called = roster.force.state.get("reinforced_last") and not roster.force.founding
    return bool(called) and campaign is not None and campaign.rules.reinforcements == "newcomers"


def joined_at(fighter: ForceFighter) -> int:
    """Return after how many battles the fighter joined, or -1 if that is unknown."""
    joined = fighter.state.get("joined")
    return joined if isinstance(joined, int) else -1


def _is_newcomer(force: Force, fighter: ForceFighter | None) -> bool:
    return fighter is not None and joined_at(fighter) >= force.battles.fought > 0


def purchase_closed(
    roster: RosterState, price: Price, bearer: ForceFighter | None, *, hires: bool = False
) -> list[Finding]:
    """Return what prevents a purchase after the call, until the roster closes.

    Only new fighters and their kit may be bought, and only for ducats.
    """
    if not only_newcomers(roster):
        return []
    if not roster.force.state.get("reinforcing"):
        text = _("The warband called for reinforcements: nothing is bought until after the next battle.")
    elif price.glory:
        text = _("Reinforcements cost ducats; glory is spent after the next battle.")
    elif hires or _is_newcomer(roster.force, bearer):
        return []
    elif bearer is None:
        text = _("Reinforcements are new fighters and their kit.")
    else:
        text = _("{bearer} is no newcomer; reinforcements equip those alone.").format(bearer=bearer.name)
    return [Finding("not-offered", text, "")]


def kit_closed(roster: RosterState, owner: ForceFighter | None, taker: str) -> str:
    """Return why a piece may not move after the call, or "" if it may. Only newcomers exchange kit with each other."""
    if not only_newcomers(roster):
        return ""
    other = next((fighter for fighter in roster.force.fighters if fighter.key == taker), None)
    both = _is_newcomer(roster.force, owner) and _is_newcomer(roster.force, other)
    if both and roster.force.state.get("reinforcing"):
        return ""
    return _("The warband called for reinforcements: kit changes hands after the next battle.")
