"""What a game with printed campaign rules has between battles."""

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
    """A team of two: who may be first and second (key, name), and who was chosen ("" for nobody).

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
    """The teams that a warband may declare before a battle. `title` is what the game calls them ("Fireteams")."""

    title: str
    words: str
    slots: tuple[TeamSlot, ...]
    problems: tuple[str, ...] = ()


C_contra = TypeVar("C_contra", contravariant=True)


class CampaignPart(Protocol[C_contra]):
    """Printed campaign rules. None for games whose books tell of single battles only."""

    def repeats_scenarios(self, content: C_contra) -> bool:
        """Whether a warband may play the scenario again that it played last."""

    def result_points(self, content: C_contra) -> Mapping[str, int]:
        """Campaign points for "won", "drawn" and "lost"; empty where the scenario's points rank."""

    def deeds(self, content: C_contra, scenario: str) -> tuple[DeedChoice, ...]: ...

    def marker_names(self, content: C_contra) -> tuple[str, ...]:
        """The markers for which the paper battle sheet has boxes: ("blood", ...)."""

    def captives(self, content: C_contra) -> Literal["held", "settled"]:
        """Captives are "held" without their kit until ransomed, or "settled" with their kit before anything else."""

    def redeem(self, content: C_contra, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
        """The task that settles a promise of this kind. It asks for decisions, never for dice.

        None where the promise cannot be settled now (`waits_for` says why).
        """

    def waits_for(self, content: C_contra, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
        """Why a promise cannot be settled now, "" when it can."""

    def teams(self, content: C_contra, force: Force) -> Teams | None:
        """The teams that the warband may declare between battles; None where it may declare none."""

    def form_teams(
        self, content: C_contra, force: Force, picks: Mapping[str, tuple[str, str]]
    ) -> tuple[Consequence, ...]:
        """What declaring these teams does: `picks` maps the key of a slot to two fighter keys; slots left out stay empty.

        Raises Refusal for a pair that may not be formed.
        """

    def house_target(self, content: C_contra, text: str) -> str:
        """The id of the entry with this name or id ("Bayonet", "New Antioch: Bayonet"), "" where there is none."""

    def house_target_name(self, content: C_contra, id_: str) -> str:
        """The name of a house rule's target. `house_target` turns it back into the id."""

    def what_it_does(self) -> str:
        """Which campaign results the app carries out and which it only prints as reminders, as a page of the docs."""
