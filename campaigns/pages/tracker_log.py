"""The log of a battle on the tracker. It lists each act with its author and dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Table, TableAct
from campaigns.pages.tracker_board import (
    Press,
)
from campaigns.services.tracker import SCENE, UNDO
from rules.tracker.tracker import Tracker
from warbands.pages.formatting import clock

MAX_LINES = 40


MAX_UNDO = 12


LOG = "log"


@dataclass(frozen=True, slots=True)
class LogThrow:
    """One dice roll of an act. `because` describes the modifiers and their causes."""

    why: str
    faces: str
    because: str


@dataclass(frozen=True, slots=True)
class LogLine:
    number: int
    when: str
    told: str
    who: str
    dice: str
    throws: tuple[LogThrow, ...]
    undone: bool
    undo: Press | None

    @property
    def by(self) -> str:
        """Return who pressed, with which dice, and whether it was taken back."""
        return ", ".join(filter(None, (self.who, self.dice, _("taken back") if self.undone else "")))


@dataclass(frozen=True, slots=True)
class ShownThrow:
    """A throw as both players see it: each face and whether it counted, what the dice came to, what was needed, and why."""

    why: str
    faces: tuple[tuple[int, bool], ...]
    total: int | None
    needed: str
    because: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The dice of the newest act, with who rolled them."""

    throws: tuple[ShownThrow, ...]
    who: str


def shown_dice(newest: Sequence[TableAct], tracker: Tracker, *, names: bool = True) -> Shown | None:
    """Return the dice of the newest act, None if it had none. Without `names` nothing tells who rolled them."""
    act = newest[0] if newest else None
    throws = [_shown(draw, tracker) for draw in act.dice if draw["faces"]] if act is not None else []
    if act is None or not throws:
        return None
    return Shown(tuple(throws), ", ".join(filter(None, (str(act.actor or "") if names else "", _dice_words(act.dice)))))


def _shown(draw: Mapping[str, Any], tracker: Tracker) -> ShownThrow:
    kept = list(draw.get("kept", draw["faces"]))
    counted = list(kept)
    faces = []
    for face in draw["faces"]:
        counts = face in counted
        if counts:
            counted.remove(face)
        faces.append((face, counts))
    total = sum(kept) if "kept" in draw else None
    return ShownThrow(draw["why"], tuple(faces), total, tracker.needed(draw.get("cuts", ())), draw.get("because", ""))


def log_line(act: TableAct, index: int, can_undo: bool, hands: frozenset[str], *, names: bool = True) -> LogLine:
    """Return the log line of an act. `index` counts from the newest act; `hands` are the sides that the user may act for.

    Without `names` it does not tell who pressed.
    """
    actor = str(act.actor) if act.actor is not None and names else ""
    own = act.side_id is None or str(act.side_id) in hands
    can_undo = can_undo and index < MAX_UNDO and own and may_be_undone(act)
    return LogLine(
        number=act.number,
        when=clock(act.at),
        told=act.told,
        who=_("{actor}, for {name}").format(actor=actor, name=act.for_name) if actor and act.for_name else actor,
        dice=_dice_words(act.dice),
        throws=tuple(
            LogThrow(draw["why"], " ".join(map(str, draw["faces"])), draw.get("because", ""))
            for draw in act.dice
            if draw["faces"]
        ),
        undone=act.undone_by_id is not None,
        undo=Press(f"l{act.number}_undo", _("Undo"), f"undo {act.number}", act.told) if can_undo else None,
    )


def may_be_undone(act: TableAct) -> bool:
    """Return whether an act may be undone, as far as it alone says."""
    return act.undone_by_id is None and act.number > 1 and act.data.get("kind") not in (UNDO, SCENE)


def _dice_words(dice: Sequence[Mapping[str, Any]]) -> str:
    if not dice:
        return ""
    origins = {draw.get("origin") for draw in dice}
    if "device" in origins:
        return _("rolled by a phone offline, outside the seal")
    if "told" in origins:
        return _("own dice, result entered")
    return _("own dice, entered") if "typed" in origins else _("rolled by the app")


def newest_acts(table: Table, since: int | None = None) -> list[TableAct]:
    """Return the newest acts, latest first: one more than the log shows; or all after number `since`, and those they may undo.

    One query. An update needs no more, and every act is read with what it did.
    """
    count = MAX_LINES + 1 if since is None else MAX_UNDO + 1 + max(0, table.version - since)
    return list(TableAct.objects.filter(table=table).select_related("actor").order_by("-number")[:count])
