"""All rules of one game's table: looked up by name, and resolved with dice from a source or typed in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from rules.dice import DiceSource, NeedDice, TypedDice
from rules.formatting import dice_words
from rules.problems import Refusal
from rules.resolvers.roller import Resolved, TableDice
from rules.resolvers.rule import TableRule
from rules.resolvers.told import CountedRoller, VehicleRoller
from rules.translation import gettext as _

MOST_QUOTED = 60
AnyRule = TypeVar("AnyRule", bound=TableRule)


class RuleBook(Generic[AnyRule]):
    """The rules of a game by name, in the order in which they are listed."""

    def __init__(self, rules: Iterable[AnyRule]) -> None:
        self.rules: Mapping[str, AnyRule] = {rule.name: rule for rule in rules}

    def all(self) -> tuple[AnyRule, ...]:
        """Every rule, in order."""
        return tuple(self.rules.values())

    def named(self, name: str) -> AnyRule:
        """A rule by its name; underscores and blanks do for hyphens, capitals for small letters. Raises Refusal naming those there are."""
        found = self.rules.get(name.strip().lower().replace("_", "-").replace(" ", "-"))
        if found is None:
            known = ", ".join(self.rules)
            raise Refusal(
                _("No rule is called “{name}”. Known: {known}.").format(name=name[:MOST_QUOTED], known=known),
                code="unknown-rule",
            )
        return found

    def resolve(self, content: object, name: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        """Resolve a rule with these dice. Raises Refusal for an input, or NeedDice where typed dice run out."""
        rule = self.named(name)
        return rule.resolve(content, rule.read(given), TableDice(dice))

    def resolve_told(
        self,
        content: object,
        name: str,
        given: Mapping[str, Any],
        counts: Sequence[int],
        ones: int | Mapping[str, int] = 0,
        *,
        at_vehicles: bool = False,
    ) -> Resolved:
        """The same with what players counted on their own dice (see `CountedRoller`, `VehicleRoller`). Raises NeedResult, Refusal."""
        rule = self.named(name)
        roller = VehicleRoller(counts) if at_vehicles else CountedRoller(counts, ones)
        found = rule.resolve(content, rule.read(given), roller)
        roller.finish()
        return found

    def resolve_typed(self, content: object, name: str, given: Mapping[str, Any], faces: Sequence[int]) -> Resolved:
        """The same with exactly these faces. Raises Refusal for too few, too many or impossible ones."""
        dice = TypedDice(faces)
        try:
            found = self.resolve(content, name, given, dice)
        except NeedDice as need:
            raise Refusal(
                _("{why}: {dice_words} of {sides} sides {words} asked for, {count} are left.").format(
                    why=need.why,
                    dice_words=dice_words(need.count),
                    sides=need.sides,
                    words="is" if need.count == 1 else "are",
                    count=len(dice.left),
                ),
                code="dice",
            ) from None
        if dice.left:
            raise Refusal(_("{count} of the dice are not asked for.").format(count=len(dice.left)), code="dice")
        return found
