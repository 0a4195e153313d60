"""Attacks between fighters as inputs of a rule. None for games where every attack is described by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rules.force import Force
from rules.resolvers.odds import Odds
from rules.resolvers.situation import Arm, Situation

C_contra = TypeVar("C_contra", contravariant=True)


class AttacksPart(Protocol[C_contra]):
    """Attacks between fighters as inputs of a rule. None for games where every attack is described by hand."""

    def arms(self, content: C_contra, force: Force, fighter: str) -> tuple[Arm, ...]:
        """Return every way in which a fighter attacks. Raises KeyError."""

    def bare_force(self, content: C_contra, profile: str, list_id: str = "") -> Force:
        """Return a force of one fighter fresh from its profile, whose key is "1". Raises KeyError."""

    def profiles_by_list(self, content: C_contra) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Return every profile of every open list: the list's name, and ("list.profile", name) for each.

        Made once per content.
        """

    def situation(
        self, content: C_contra, mine: tuple[Force, str], arm: str, theirs: tuple[Force, str], told: Mapping[str, Any]
    ) -> Situation:
        """Return an attack of one fighter on another as the input of a rule.

        `told` is the state of the table. Raises Refusal, KeyError.
        """

    def chain_odds(
        self,
        content: C_contra,
        mine: tuple[Force, str],
        steps: Sequence[tuple[str, Mapping[str, Any]]],
        theirs: tuple[Force, str],
    ) -> tuple[Odds, ...]:
        """Return the exact odds after each of several ACTIONS, each with what the earlier ones left.

        `steps` are keys of attacks, with the state of the table for each. Raises Refusal, KeyError.
        """

    def series(self, content: C_contra, force: Force, fighter: str) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
        """Return attacks that a text makes in one ACTION: its name, keys of the attacks, whether the later are Off-Hand."""
