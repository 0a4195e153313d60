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
    """A place for one team of two: who may be first and who second (key, name), and who was named ("" for nobody).

    `fixed`: the first is settled by the rule that opens the place.
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
    """The teams that a warband may declare before a battle, in the game's word for them (`title`: "Fireteams")."""

    title: str
    words: str
    slots: tuple[TeamSlot, ...]
    problems: tuple[str, ...] = ()


C_contra = TypeVar("C_contra", contravariant=True)


class CampaignRules(Protocol[C_contra]):
    """Printed campaign rules. None for games whose books tell of single battles only."""

    def repeats_scenarios(self, content: C_contra) -> bool:
        """Whether a warband may play the scenario again that it played last."""
        ...

    def result_points(self, content: C_contra) -> Mapping[str, int]:
        """What "won", "drawn" and "lost" are worth in the standings of a campaign; empty where the scenario's points rank."""
        ...

    def deeds(self, content: C_contra, scenario: str) -> tuple[DeedChoice, ...]: ...

    def marker_names(self, content: C_contra) -> tuple[str, ...]:
        """Markers a fighter gathers in a battle, each with its cap, as the battle sheet's boxes: ("blood", ...)."""
        ...

    def captives(self, content: C_contra) -> Literal["held", "settled"]:
        """What becomes of captives: held, without their kit, until ransomed; or settled at once, kit and all, before anything else."""
        ...

    def redeem(self, content: C_contra, force: Force, promise_kind: str, data: Mapping[str, Any]) -> Task | None:
        """What settles a promise of this kind: the player chooses what it gives. The task asks decisions, never dice.

        None where it cannot be settled here (`waits_for` says why).
        """
        ...

    def waits_for(self, content: C_contra, force: Force, promise_kind: str, data: Mapping[str, Any]) -> str:
        """Why a promise cannot be settled now, "" when it can."""
        ...

    def teams(self, content: C_contra, force: Force) -> Teams | None:
        """The teams that the warband may declare between battles; None where nothing of the kind is open to it."""
        ...

    def form_teams(
        self, content: C_contra, force: Force, picks: Mapping[str, tuple[str, str]]
    ) -> tuple[Consequence, ...]:
        """What declaring these teams does: `picks` maps the key of a slot to two fighter keys; slots left out stay empty.

        Raises Refusal for a pair that may not be formed.
        """
        ...

    def house_target(self, content: C_contra, text: str) -> str:
        """The id that a house rule means by this name or id ("Bayonet", "New Antioch: Bayonet"), "" where nothing is called so."""
        ...

    def house_target_name(self, content: C_contra, id_: str) -> str:
        """What to call the target of a house rule, so that `house_target` finds it again."""
        ...

    def what_it_does(self) -> str:
        """What the app does of the campaign's results and what the sheet reminds of, over all editions, as a page of the docs."""
        ...
