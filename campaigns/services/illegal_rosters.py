"""The service that settles an illegal roster found after the muster. The battle is flagged until an administrator
settles it.

There are three options: accept the roster, have it fixed from now on, or void the battle (`void.py`). The flag stays
readable.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

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
        raise Refusal(_("Choose what happens to it."), code="way")
    if not words:
        raise Refusal(_("Give a reason. Your opponent can read it."), code="no-words", field="words")
    battle = side.battle
    sides = live_sides(battle)
    with recording(battle, side, kind="flag", actor=actor, for_name="", occasion=battle.occasion, token=token) as act:
        row: Battle = act.row(battle)
        row.campaign = battle.campaign
        if row.status in (Battle.Status.VOID, Battle.Status.CANCELLED):
            raise Refusal(_("This battle is {lower}.").format(lower=row.get_status_display().lower()), code="void")
        mine: Side = act.row(side)
        if mine.snapshot is None or not mine.snapshot.problems:
            raise Refusal(
                _("{side_name} had no problems in this battle.").format(side_name=side_name(side)), code="no-problem"
            )
        flag = {"way": way, "words": words, "by": str(actor), "at": timezone.now().isoformat()}
        act.set_leaf(mine, ("flag",), flag, field="force")
        for each in sides:
            if each.warband is not None:
                act.also_told_to(each.warband)
        name = side_name(side)
        battle = scenario_name(row)
        if way == STANDS:
            act.say(
                _("{{who}} accepted the problems of {name} in {battle}: “{words}”").format(
                    name=name, battle=battle, words=words
                )
            )
        else:
            act.say(
                _("{{who}} asked {name} to fix the problems found in {battle}: “{words}”").format(
                    name=name, battle=battle, words=words
                )
            )
    return mine
