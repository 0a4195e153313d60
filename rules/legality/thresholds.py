"""The limits of a battle: how much a warband may field, and the conditions that depend on it."""

from __future__ import annotations

from rules.content.campaign_entries import BattleLimit
from rules.content.compiled import Content
from rules.force import Force
from rules.legality.money import start_of
from rules.legality.roster_state import RosterState, rating_of


def threshold_of(content: Content, force: Force, battle: int | None = None) -> int | None:
    """Return the threshold in ducats of the next battle (or of battle `battle`) for this list; None in one-off games."""
    battle = battle or force.battles.next_number
    row = _limits_of(content, force, battle)
    if row is None:
        return None
    own = content.lists[force.list].army.threshold_add if force.list in content.lists else 0
    return content.house.thresholds.get(battle, row.threshold) + own + content.house.threshold_add


def field_strength_of(content: Content, force: Force, battle: int | None = None) -> int | None:
    """Return the field strength in fighters of the next battle (or of battle `battle`); None in one-off games."""
    own_count = content.reading("late_field_strength") == "own"
    battle = battle or (force.battles.fought + 1 if own_count else force.battles.next_number)
    row = _limits_of(content, force, battle)
    if row is None:
        return None
    return content.house.field_strengths.get(battle, row.field_strength) + content.house.field_strength_add


def _limits_of(content: Content, force: Force, battle: int) -> BattleLimit | None:
    """Return the row of the campaign's table for a battle. Battles after the last row use the last row."""
    if force.mode == "one-off" or content.pack.campaign is None:
        return None
    rows = content.pack.campaign.limits
    last = rows[-1] if rows and battle > rows[-1].battle else None
    return next((row for row in rows if row.battle == battle), last)


def threshold_reached(roster: RosterState, ducats: int) -> bool:
    """Return whether the condition "past so many ducats" is met, by this campaign's interpretation."""
    reading = roster.content.reading("threshold_condition", "threshold")
    if reading == "rating":
        return rating_of(roster).ducats > ducats
    value = threshold_of(roster.content, roster.force)
    if value is None:
        value = (roster.force.budget or start_of(roster.content, roster.force)).ducats
    return value > ducats if reading == "threshold-over" else value >= ducats
