"""An attack as a page asks about it: the attacker and the weapon, what the players can switch, and the input for the resolver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Arm:
    """One way in which a fighter attacks: a weapon for shooting or for melee. `key` names it in URLs."""

    key: str
    name: str
    kind: Literal["ranged", "melee"]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Toggle:
    """One fact that only the players at the table know: a switch, or a number between `least` and `most`."""

    key: str
    words: str
    least: int = 0
    most: int = 1

    @property
    def is_switch(self) -> bool:
        return (self.least, self.most) == (0, 1)


@dataclass(frozen=True, slots=True)
class Situation:
    """An attack to be resolved: the input of a rule, and what a page shows with it.

    A page shows what players can switch, what the fighters contribute as text, and what is not computed (whose, words).
    """

    rule: str
    given: Mapping[str, Any] = field(hash=False)
    toggles: tuple[Toggle, ...] = ()
    causes: tuple[str, ...] = ()
    unreckoned: tuple[tuple[str, str], ...] = ()

    @property
    def attacks(self) -> Sequence[Mapping[str, Any]]:
        attacks: Sequence[Mapping[str, Any]] = self.given.get("attacks", (self.given,))
        return attacks
