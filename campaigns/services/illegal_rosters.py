"""The service that settles an illegal roster found after the muster. The battle is flagged until an administrator
settles it.

There are three options: accept the roster, have it fixed from now on, or void the battle (`void.py`). The flag stays
readable.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from campaigns.models import Battle, Side
from campaigns.scenarios import scenario_name
from campaigns.services.common import live_sides, side_name
from rules.problems import Refusal
from warbands.recording import recording

STANDS, MEND = "stands", "mend"


def settle_flag(*, side: Side, way: str, words: str, actor: Any, token: str = "") -> Side:
    """Settle the problems with which a side was mustered: accept them ("stands"), or ask the player to fix them
    ("mend").

    The flag may be settled again; the last decision counts. Raises Refusal without an explanation, without problems,
    and for a void or cancelled battle.
    """
    words = " ".join(words.split())[:300]
    if way not in (STANDS, MEND):
        raise Refusal("Say what becomes of it.", code="way")
    if not words:
        raise Refusal("Say why, in a sentence: the other side reads it.", code="no-words")
    battle = side.battle
    sides = live_sides(battle)
    with recording(battle, side, kind="flag", actor=actor, for_name="", occasion=battle.occasion, token=token) as act:
        row: Battle = act.row(battle)
        row.campaign = battle.campaign
        if row.status in (Battle.Status.VOID, Battle.Status.CANCELLED):
            raise Refusal(f"This battle is {row.get_status_display().lower()}.", code="void")
        mine: Side = act.row(side)
        if mine.snapshot is None or not mine.snapshot.problems:
            raise Refusal(f"{side_name(side)} was mustered without a problem.", code="no-problem")
        flag = {"way": way, "words": words, "by": str(actor), "at": timezone.now().isoformat()}
        act.set_leaf(mine, ("flag",), flag, field="force")
        for each in sides:
            if each.warband is not None:
                act.also_told_to(each.warband)
        name = side_name(side)
        told = (
            f"let stand how {name} was mustered for"
            if way == STANDS
            else f"asked {name} to mend from now on what was found after"
        )
        act.say(f"{{who}} {told} {scenario_name(row)}: “{words}”")
    return mine
