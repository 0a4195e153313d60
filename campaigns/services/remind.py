"""An administrator's reminder: an event that the player reads in the warband's history and on the desk."""

from __future__ import annotations

from typing import Any

from campaigns.models import Battle, Seat
from campaigns.scenarios import scenario_name
from warbands.models import Event
from warbands.recording import recording


def remind_seat(*, seat: Seat, actor: Any, battle: Battle | None = None, words: str = "", token: str = "") -> Event:
    """Remind a seat of a battle that waits for it, in the administrator's words or none."""
    subjects: list[Any] = [seat.campaign, seat] + ([battle] if battle is not None else [])
    occasion = battle.occasion if battle is not None else ""
    with recording(*subjects, kind="remind", actor=actor, occasion=occasion, token=token) as act:
        if seat.warband is not None:
            act.also_told_to(seat.warband)
        what = f" of {scenario_name(battle)}" if battle is not None else ""
        said = f": “{' '.join(words.split())[:200]}”" if words.strip() else "."
        act.say(f"{{who}} reminded {seat.name}{what}{said}")
    return act.event
