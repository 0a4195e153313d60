"""Saves that a unit's owner makes after fire that was counted at the table, and the losses and Shock that follow.

The fire is written when its hits are known. The target then holds them until its owner has saved.

Source: core rules, "Fire", "Shock and Disruption".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.custom.interpretations import HasReadings
from rules.formatting import quantity
from rules.problems import Refusal
from rules.resolvers.roller import Resolved
from rules.resolvers.told import NeedResult
from rules.tracker.acts import Effect, RollAct
from rules.tracker.rolls import Asks, ResultChoice, ResultRow, RollKind, ticked
from rules.tracker.state import TableFighter, TableState
from rules.translation import gettext
from rules.trench_too_far.resolvers import rules
from rules.trench_too_far.resolvers.common import chance_of
from rules.trench_too_far.resolvers.fire import aim
from rules.trench_too_far.tracker.losing import losses_of
from rules.trench_too_far.tracker.move import UnitMove, fighter_in, named, percent
from rules.trench_too_far.tracker.units import has


def owed(fighter: TableFighter) -> Mapping[str, Any]:
    """Return the fire that the owner of a unit has to save against, {} for none."""
    return (fighter.facts.get("owed") or {}) if fighter.fights else {}


def owing(state: TableState) -> tuple[TableFighter, ...]:
    """Return the units whose owner has saves to make."""
    return tuple(fighter for fighter in state.fighters if owed(fighter))


def hits_of(
    content: HasReadings, given: Mapping[str, Any], counts: Sequence[int], ones: int
) -> tuple[tuple[int, ...], int]:
    """Return faces for attack dice that players counted, and how many HMGs they jam. Raises NeedResult, Refusal."""
    bare = {
        **given,
        "save_target": None,
        "target": {name: told for name, told in given["target"].items() if name != "bases"},
    }
    found = rules.resolve_told(content, "fire", bare, counts, ones if counts else 0)
    return found.rolled, int(found.effect("hmgs_jammed") or 0)


def settled(content: HasReadings, given: Mapping[str, Any]) -> Resolved | None:
    """Return the result of fire that asks for no further die, None if the owner of the target has dice to roll."""
    try:
        return rules.resolve_typed(content, "fire", given, ())
    except Refusal as refusal:
        if refusal.code == "dice":
            return None
        raise


def save_words(content: HasReadings, fighter: TableFighter) -> str:
    """Return what the owner rolls: "3 saves on D6, 5 or more (33.3 %)"."""
    left = owed(fighter)
    save, hits = aim(content, rules.RULES["fire"].read(left["given"])).save, int(left["hits"])
    if not save or not hits:
        return gettext("a D6 for its Close order, 5 or more shakes the Shock off")
    count = quantity(hits, "save")
    return gettext("{count} on D6, {save} or more ({percent})").format(
        count=count, save=save, percent=percent(chance_of(save))
    )


def _rolls_saves(content: HasReadings, fighter: TableFighter) -> bool:
    left = owed(fighter)
    return bool(left["hits"] and aim(content, rules.RULES["fire"].read(left["given"])).save)


class Saves(UnitMove):
    id, label = "saves", gettext("Saves")
    words = ""
    tells_results = True
    dice_words = gettext("a D6 for each hit that may be saved")

    def asks(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[Asks, ...]:
        keys = tuple(each.key for each in owing(state))
        target = named(state, data)
        who = Asks("fighter", gettext("Who saves"), "mine", only=keys or ("-",), leads=True, quiet=len(keys) == 1)
        if target is None or not owed(target) or not has(target, "close-order") or not _rolls_saves(content, target):
            return (who,)
        return (who, Asks("shaken_off", gettext("Close order shook the Shock off, on 5 or more"), chips=True))

    def kind(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> RollKind:
        target = named(state, data)
        if target is None or not owed(target):
            return super().kind(content, state, data)
        if _rolls_saves(content, target):
            choices = tuple(ResultChoice(str(n), str(n), "") for n in range(int(owed(target)["hits"]) + 1))
            row = ResultRow(gettext("Made on my dice"), choices)
        else:
            row = ResultRow(
                gettext("My die says"),
                (ResultChoice("0", gettext("Shocked"), "1–4"), ResultChoice("1", gettext("Shaken off"), "5–6")),
            )
        need = f"{target.name}: {save_words(content, target)}."
        return RollKind(self.id, self.label, "", self.asks(content, state, data), need=need, results=(row,))

    def bar(self, content: HasReadings, state: TableState, fighter: TableFighter) -> str:
        return "" if owed(fighter) else gettext("{name} has no saves to make.").format(name=fighter.name)

    def question(self, content: HasReadings, state: TableState, data: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        return "fire", dict(owed(self.able(content, state, data))["given"])

    def counted(
        self, content: HasReadings, state: TableState, data: Mapping[str, str], rows: Sequence[int]
    ) -> Resolved:
        """Return the result of saves that the owner counted. Raises NeedResult without any number, Refusal."""
        rule, given = self.question(content, state, data)
        try:
            return rules.resolve_told(content, rule, given, rows)
        except NeedResult:
            if not rows:
                raise
            return rules.resolve_told(content, rule, given, (*rows, int(ticked(data, "shaken_off"))))

    def rolled(self, content: HasReadings, state: TableState, data: Mapping[str, str], found: Resolved) -> RollAct:
        target = fighter_in(state, data)
        left = owed(target)
        firer = state.fighter(str(left["by"]))
        effect = losses_of(content, state.turn, firer, target, left.get("first", ""), found)
        cleared = Effect(
            fighter=effect.fighter, markers=effect.markers, facts={**effect.facts, "owed": {}}, counts=effect.counts
        )
        return self.act(f"{target.name}: {found.told}", fighter=target, effects=(cleared,))


SAVE_PLAYS = (Saves(),)
