"""The rules that are rolled at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.dice import DiceSource
from rules.resolvers.odds import Odds
from rules.resolvers.roller import Resolved
from rules.resolvers.rule import TableRule

C_contra = TypeVar("C_contra", contravariant=True)


class ResolversPart(Protocol[C_contra]):
    """The rules that are rolled at the table."""

    def table_rules(self) -> tuple[TableRule, ...]:
        """Return every rule that is rolled, in the order in which they are listed."""

    def resolve(self, content: C_contra, rule: str, given: Mapping[str, Any], dice: DiceSource) -> Resolved:
        """Resolve one rule of the table. Raises Refusal for an unknown rule or input, NeedDice where typed dice run out."""

    def odds(self, content: C_contra, rule: str, given: Mapping[str, Any]) -> Odds:
        """Return the exact odds of one rule of the table. Raises Refusal for an unknown rule or input."""
