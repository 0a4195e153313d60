"""The record of the dice that were rolled in a battle at the table: what stands, what was taken back, and the file to check it with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import REPORTED, Battle, DiceSeed, Side, Table, TableAct
from campaigns.services.common import side_name
from rules.dice import IDENTITY, NOT_BY_APP
from rules.tracker.state import read_state

BEGIN = "begin"
FORMAT = "muster-roll-dice/1"
SCRIPT = Path(settings.BASE_DIR) / "docs" / "check_dice.py"
OPEN = (*REPORTED, Battle.Status.VOID)  # from none of these can a battle go back to the table


@cache
def script_text() -> str:
    """Return the script that checks the record of a battle."""
    return SCRIPT.read_text(encoding="utf-8")


def opened_seed(battle: Battle, table: Table | None) -> str:
    """Return the seed of a battle that was reported, "" before that or without a seal. One query at most."""
    if battle.status not in OPEN or table is None or not table.seal:
        return ""
    return DiceSeed.objects.values_list("seed", flat=True).get(table=table)


def standing_acts(acts: Iterable[TableAct]) -> list[TableAct]:
    """Return those of these acts that are not undone and that came after tracking last started. `acts` are in order."""
    live = [act for act in acts if act.undone_by_id is None]
    begun = max((place for place, act in enumerate(live) if act.data.get("kind") == BEGIN), default=-1)
    return live[begun + 1 :]


def read_rolls(battle: int) -> list[TableAct]:
    """Return the rolls, moves and starts at the table of the battle with this id, in order. One query."""
    acts = TableAct.objects.filter(table__battle=battle, data__kind__in=("roll", BEGIN)).order_by("number")
    return list(acts.only("number", "data", "dice", "side_id", "undone_by_id"))


def taken_back(acts: Sequence[TableAct]) -> list[TableAct]:
    """Return the acts whose dice the app rolled and that stand no longer: undone, or left behind when tracking started over."""
    standing = {act.number for act in standing_acts(acts)}
    return [act for act in acts if by_app(act) and act.number not in standing]


def by_app(act: TableAct) -> bool:
    return bool(act.dice) and any(draw.get("origin") not in NOT_BY_APP for draw in act.dice)


def by_device(act: TableAct) -> bool:
    """Return whether a phone rolled these dice without a line."""
    return any(draw.get("origin") == "device" for draw in act.dice)


def taken_back_words(battle: Battle, sides: Sequence[Side]) -> str:
    """Return how many of the app's rolls were taken back, by side. "" if the app rolled nothing. One query."""
    acts = read_rolls(battle.pk)
    offline = sum(by_device(act) for act in standing_acts(acts))
    apart = ngettext(
        "{count} roll made offline, outside the seal", "{count} rolls made offline, outside the seal", offline
    )
    outside = apart.format(count=offline) if offline else ""
    if not any(by_app(act) for act in acts):
        return outside
    counts = Counter(act.side_id for act in taken_back(acts))
    names = {side.pk: side_name(side) for side in sides}
    shares = [f"{names[pk]} {counts[pk]}" for pk in names if counts[pk]]
    if rest := sum(number for pk, number in counts.items() if pk not in names):
        shares.append(_("for all sides {number}").format(number=rest))
    return "; ".join(filter(None, (", ".join(shares) or _("none"), outside)))


def dice_document(battle: Battle, table: Table | None) -> dict[str, Any]:
    """Return all throws of a battle as JSON data, with the seal, and the seed once it is open. Two queries at most.

    `identity` names a sealed throw by turn, side, actor, rule, target, number of the act of its kind, and number of the
    throw. It is null for dice that were typed in or rolled without a seal.
    """
    state = read_state(table.state) if table is not None else None
    names = {side.key: side.name for side in state.sides} if state is not None else {}
    names |= {fighter.key: fighter.name for fighter in state.fighters} if state is not None else {}
    return {
        "format": FORMAT,
        "battle": battle.pk,
        "seal": table.seal if table is not None else "",
        "seed": opened_seed(battle, table),
        "identity": list(IDENTITY),
        "names": names,
        "throws": list(_throws(read_rolls(battle.pk))),
    }


def _throws(acts: Sequence[TableAct]) -> Iterator[dict[str, Any]]:
    standing = {act.number for act in standing_acts(acts)}
    for act in acts:
        for draw in (each for each in act.dice if each["faces"]):  # a told result has none
            yield {
                "act": act.number,
                "why": draw["why"],
                "sides": draw["sides"],
                "faces": draw["faces"],
                "origin": draw["origin"],
                "identity": draw.get("identity"),
                "taken_back": act.number not in standing,
            }
