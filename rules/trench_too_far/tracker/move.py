"""What every roll and move at this table shares: what it asks, which rule it goes through, what comes of it, and when it cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from rules.trench_too_far.resolvers import rules

MOST_TOLD = 490
ORDER_WORDS = {
    "move": "Move", "fire": "Fire", "assault": "Assault", "advance": "Advance", "defend": "Defend", "recover": "Recover",
}  # fmt: skip
POSITION_WORDS = {
    "closed": "Closed order", "dispersed": "Dispersed", "prone": "Prone", "cover": "Cover", "entrenched": "Entrenched",
}  # fmt: skip


class TooFarMove:
    """One roll or move. `content` holds the readings of the battle."""

    id = ""
    label = ""
    words = ""
    dice_words = ""
    move = False

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        """What it asks for, given the answers so far."""
        return ()

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        asks = self.asks(content, state, data)
        return RollKind(self.id, self.label, self.words, asks, self.dice_words, move=self.move)

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        """Why this fighter (or side) cannot do it now; "" if it can."""
        return ""

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The rule that resolves it, and the input; "" for none. Raises Refusal."""
        return "", {}

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        """The act that follows from the result. Raises Refusal."""
        raise NotImplementedError

    # --- what they are made of

    def act(
        self,
        told: str,
        *,
        fighter: TableFighter | None = None,
        side: str = "",
        effects: Iterable[Effect] = (),
        **table: Any,
    ) -> RollAct:
        """The act of this move; `table` is what it does to the table. A message that is too long to store is cut."""
        more = {name: table.pop(name) for name in ("side_effects", "initiative") if name in table}
        return RollAct(
            roll=self.id, told=told[:MOST_TOLD], fighter=fighter.key if fighter is not None else "", side=side, effects=tuple(effects),
            table=TableEffect(**table), **more,
        )  # fmt: skip

    def refuse(self, content: HasReadings, state: TableState, whose: str) -> None:
        why = self.barred(content, state, whose)
        if why:
            raise Refusal(why, mend="What the table has wrong is put right on the unit.", code="closed")


class UnitMove(TooFarMove):
    """A roll or move of one unit or company, which the answer `fighter` names."""

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        return (Asks("fighter", "Who", "mine"),)

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        """Why this fighter cannot do it now; "" if it can."""
        return ""

    def barred(self, content: HasReadings, state: TableState, whose: str) -> str:
        return self.bar(content, state, state.fighter(whose)) if whose else ""

    def able(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> TableFighter:
        """The fighter that was named. Raises Refusal if it cannot do it now."""
        fighter = fighter_in(state, data)
        self.refuse(content, state, fighter.key)
        return fighter

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        self.able(content, state, data)
        return "", {}


def named(state: TableState, data: Mapping[str, str], name: str = "fighter") -> TableFighter | None:
    """Who was named, if anybody was."""
    return next((each for each in state.fighters if each.key == data.get(name, "")), None)


def fighter_in(state: TableState, data: Mapping[str, str], name: str = "fighter") -> TableFighter:
    """The fighter that was named. Raises Refusal if none was."""
    key = data.get(name, "")
    if not key:
        raise Refusal("Nobody is named yet.", mend="Say who.", code="nobody")
    return state.fighter(key)


def number(data: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    """A figure of the form; the frame has checked that it is one."""
    told = str(data.get(name, "")).strip().replace("\u2212", "-")
    try:
        return int(told) if told else otherwise
    except ValueError:
        return otherwise


def keys_in(data: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for key in str(data.get(name, "")).split(",") if key))


def told(what: msgspec.Struct) -> dict[str, Any]:
    """An input as the rules read it, without its empty fields."""
    found: dict[str, Any] = _bare(msgspec.to_builtins(what))
    return found


def _bare(what: Any) -> Any:
    if isinstance(what, dict):
        return {key: _bare(held) for key, held in what.items() if held is not None}
    return [_bare(each) for each in what] if isinstance(what, (list, tuple)) else what


def worked_out(content: HasReadings, rule: str, given: Mapping[str, Any]) -> Resolved:
    """The result of a rule without dice. Raises Refusal."""
    return rules.resolve_typed(content, rule, given, ())


def percent(share: Fraction) -> str:
    """A chance as 27.2 %."""
    return f"{float(share) * 100:.1f} %"


def revived(state: TableState, keys: Iterable[str]) -> TableState:
    """The state with these fighters no longer out, so that they can be corrected."""
    wanted = set(keys)
    return replace(
        state, fighters=tuple(replace(f, out=False) if f.key in wanted and f.out else f for f in state.fighters)
    )
