"""The printed campaign rules of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from rules.consequences import Consequence
from rules.force import Force
from rules.parts.battle import DeedChoice
from rules.resolution import Task


@dataclass(frozen=True, slots=True)
class TeamSlot:
    """A team of two: the possible first and second members (key, name), and the chosen ones ("" for nobody).

    `fixed`: the rule that opens the slot names the first member.
    """

    key: str
    name: str
    words: str
    first: tuple[tuple[str, str], ...]
    second: tuple[tuple[str, str], ...]
    chosen: tuple[str, str] = ("", "")
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Teams:
    """The teams that a warband may declare before a battle. `title` is the game's name for them ("Fireteams")."""

    title: str
    words: str
    slots: tuple[TeamSlot, ...]
    problems: tuple[str, ...] = ()


C_contra = TypeVar("C_contra", contravariant=True)


class CampaignPart(Protocol[C_contra]):
    """Printed campaign rules. None for games whose books only cover single battles."""

    def repeats_scenarios(self, content: C_contra) -> bool:
        """Return whether a warband may play the scenario that it played last again."""

    def result_points(self, content: C_contra) -> Mapping[str, int]:
        """Return the campaign points for "won", "drawn" and "lost"; empty if the scenario's points decide the ranking."""

    def deeds(self, content: C_contra, scenario: str) -> tuple[DeedChoice, ...]: ...

    def marker_names(self, content: C_contra) -> tuple[str, ...]:
        """Return the markers for which the paper battle sheet has boxes: ("blood", ...)."""

    def captives(self, content: C_contra) -> Literal["held", "settled"]:
        """Return the rule for captives.

        "held": they are kept without their kit until ransomed; "settled": they are settled with their kit before
        anything else.
        """

    def redeem(self, content: C_contra, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
        """Return the task that settles a promise of this kind. It asks for decisions, never for dice.

        Return None if the promise cannot be settled now (`waits_for` says why).
        """

    def waits_for(self, content: C_contra, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
        """Return why a promise cannot be settled now, "" if it can."""

    def teams(self, content: C_contra, force: Force) -> Teams | None:
        """Return the teams that the warband may declare between battles; None if it may declare none."""

    def form_teams(
        self, content: C_contra, force: Force, picks: Mapping[str, tuple[str, str]]
    ) -> tuple[Consequence, ...]:
        """Return the consequences of declaring these teams.

        `picks` maps the key of a slot to two fighter keys; omitted slots stay empty. Raises Refusal for a pair that may
        not be formed.
        """

    def house_target(self, content: C_contra, text: str) -> str:
        """Return the id of the entry with this name or id ("Bayonet", "New Antioch: Bayonet"), "" if there is none."""

    def house_target_name(self, content: C_contra, id_: str) -> str:
        """Return the name of a house rule's target. `house_target` turns it back into the id."""

    def what_it_does(self) -> str:
        """Return a docs page that says which campaign results the app applies and which it only prints as reminders."""
