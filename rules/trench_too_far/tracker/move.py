"""Base classes and helpers of all rolls and moves at this table.

Each move says what it asks, which rule resolves it, which act follows, and when it is not possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec

from rules.custom.interpretations import HasReadings
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.tracker.acts import Effect, RollAct, TableEffect
from rules.tracker.rolls import Asks, RollKind
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext as _
from rules.trench_too_far.resolvers import rules

MOST_TOLD = 490
ORDER_WORDS = {
    "move": _("Move"), "fire": _("Fire"), "assault": _("Assault"), "advance": _("Advance"), "defend": _("Defend"), "recover": _("Recover"),
}  # fmt: skip
POSITION_WORDS = {
    "closed": _("Closed order"), "dispersed": _("Dispersed"), "prone": _("Prone"), "cover": _("Cover"), "entrenched": _("Entrenched"),
}  # fmt: skip


class TooFarMove:
    """One roll or move. `content` holds the readings of the battle."""

    id = ""
    label = ""
    words = ""
    dice_words = ""
    move = False
    tells_results = False  # whether players may tell what their own dice came to, in place of the faces

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        """Return its questions, given the answers so far."""
        return ()

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        asks = self.asks(content, state, data)
        return RollKind(self.id, self.label, self.words, asks, self.dice_words, move=self.move)

    def counted(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int]
    ) -> Resolved:
        """Return the roll that players counted on their own dice. Raises NeedResult for the next number, Refusal."""
        rule, given = self.question(content, state, data)
        return rules.resolve_told(content, rule, given, rows)

    def counting(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int], form: RollKind
    ) -> RollKind:
        """Return the form with the next number to tell, after those told so far. Most forms take dice alone."""
        return form

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        """Return why this fighter (or side) cannot do it now, or "" if it can."""
        return ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """Return the name of the rule that resolves it ("" for none) and the input. Raises Refusal."""
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        """Return the act that follows from the result. Raises Refusal."""
        raise NotImplementedError

    # --- helpers for subclasses

    def act(
        self,
        told: str,
        *,
        fighter: TableFighter | None = None,
        side: str = "",
        effects: Iterable[Effect] = (),
        **table: Any,
    ) -> RollAct:
        """Return the act of this move.

        `table` is its effect on the table. A message that is too long to store is cut.
        """
        more = {name: table.pop(name) for name in ("side_effects", "initiative") if name in table}
        return RollAct(
            roll=self.id, told=told[:MOST_TOLD], fighter=fighter.key if fighter is not None else "", side=side, effects=tuple(effects),
            table=TableEffect(**table), **more,
        )  # fmt: skip

    def refuse(self, content: HasReadings, state: TableState, whose: str) -> None:
        why = self.barred(content, state, whose)
        if why:
            raise Refusal(why, mend=_("Correct it on the unit."), code="closed")


class UnitMove(TooFarMove):
    """A roll or move of one unit or company, which the answer `fighter` names."""

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("fighter", _("Who"), "mine"),)

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        """Return why this fighter cannot do it now, or "" if it can."""
        return ""

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return self.bar(content, state, state.fighter(whose)) if whose else ""

    def able(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> TableFighter:
        """Return the named fighter. Raises Refusal if it cannot do it now."""
        fighter = fighter_in(state, data)
        self.refuse(content, state, fighter.key)
        return fighter

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.able(content, state, data)
        return "", {}


def named(state: TableState, data: Mapping[str, str], name: str = "fighter") -> TableFighter | None:
    """Return the named fighter, or None if the answer is missing."""
    return next((each for each in state.fighters if each.key == data.get(name, "")), None)


def fighter_in(state: TableState, data: Mapping[str, str], name: str = "fighter") -> TableFighter:
    """Return the named fighter. Raises Refusal if none was named."""
    key = data.get(name, "")
    if not key:
        raise Refusal(_("No unit is named yet."), mend=_("Say who."), code="nobody")
    return state.fighter(key)


def number(data: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    """Return a number of the form. The shared tracker code has checked that it is a number."""
    told = str(data.get(name, "")).strip().replace("\u2212", "-")
    try:
        return int(told) if told else otherwise
    except ValueError:
        return otherwise


def keys_in(data: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for key in str(data.get(name, "")).split(",") if key))


def told(what: msgspec.Struct) -> dict[str, Any]:
    """Return an input in the form that the rules read, without empty fields."""
    found: dict[str, Any] = _bare(msgspec.to_builtins(what))
    return found


def _bare(what: Any) -> Any:
    if isinstance(what, dict):
        return {key: _bare(held) for key, held in what.items() if held is not None}
    return [_bare(each) for each in what] if isinstance(what, (list, tuple)) else what


def worked_out(content: HasReadings, rule: str, given: Mapping[str, Any]) -> Resolved:
    """Return the result of a rule without dice. Raises Refusal."""
    return rules.resolve_typed(content, rule, given, ())


def percent(share: Fraction) -> str:
    """Return a chance as 27.2 %."""
    return f"{float(share) * 100:.1f} %"


def revived(state: TableState, keys: Iterable[str]) -> TableState:
    """Return the state with these fighters no longer out, so that players can correct them."""
    wanted = set(keys)
    return replace(
        state, fighters=tuple(replace(f, out=False) if f.key in wanted and f.out else f for f in state.fighters)
    )
