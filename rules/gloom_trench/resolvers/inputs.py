"""Base classes for inputs of rules that roll, and for rules that accept dice results in their input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rules.custom.content import CustomContent
from rules.dice import NeedDice, TypedDice
from rules.formatting import dice_words, quantity
from rules.problems import Refusal
from rules.resolvers.normaliser import RuleInput
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved, Roller, TableDice
from rules.resolvers.rule import TableRule
from rules.translation import gettext as _


class Rolling(RuleInput, frozen=True, kw_only=True):
    """An input of a rule that rolls.

    `rolls`: natural results already rolled, used instead of dice, in the order of the rule.
    """

    rolls: int | tuple[int, ...] | None = None


def ruled(
    name: str,
    words: str,
    data: type[RuleInput],
    resolve: Callable[[Any, Any, Roller], Resolved],
    *,
    dice: str = "none",
    source: str,
    outcomes: tuple[str, ...] = (),
    odds: Callable[[Any, Any], Odds] | None = None,
) -> TableRule:
    """A rule that takes its dice from `rolls` where they are told."""

    def resolved(content: CustomContent, given: Any, roller: Roller) -> Resolved:
        fell = getattr(given, "rolls", None)
        if fell is None or not isinstance(roller, TableDice):
            return resolve(content, given, roller)
        if isinstance(roller.source, TypedDice) and roller.source.left:
            # Told in both places: the same faces, or how many of them.
            typed_too = tuple(roller.source.left)
            if fell in (len(typed_too), typed_too) or (fell,) == typed_too:
                return resolve(content, msgspec.structs.replace(given, rolls=None), roller)
            raise Refusal(_("The dice stand in `rolls` already."), mend=_("Give them once."), code="dice")
        typed = TypedDice((fell,) if isinstance(fell, int) else fell)
        try:
            done = resolve(content, given, TableDice(typed))
        except NeedDice as need:
            raise Refusal(
                _("{why}: {dice_words} of {sides} sides {words} asked for, {count} are left in `rolls`.").format(
                    why=need.why,
                    dice_words=dice_words(need.count),
                    sides=need.sides,
                    words="is" if need.count == 1 else "are",
                    count=len(typed.left),
                ),
                code="dice",
            ) from None
        if typed.left:
            raise Refusal(
                _("{quantity} not asked for.").format(quantity=quantity(len(typed.left), _('die in `rolls` is'), _('dice in `rolls` are'))),
                mend=_("Remove what is not rolled."), code="dice",
            )  # fmt: skip
        return done

    return TableRule(name, words, data, resolved, dice, source, outcomes, odds)


def effects(**told: Any) -> tuple[Mapping[str, Any], ...]:
    """One-key tables, without what is None."""
    return tuple({name: each} for name, each in told.items() if each is not None)
