"""The preparation of a battle: scenarios, deeds, the muster, and the paper sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rules.force import Force
from rules.price import Price
from rules.resolution import Task
from rules.tracker.tracker import Tracker


@dataclass(frozen=True, slots=True)
class ScenarioChoice:
    """A scenario for muster and report. `described` False: only its name is known, and points are typed in."""

    id: str
    name: str
    described: bool
    words: str
    force_words: str
    length_words: str
    victory_words: str
    deployment_words: str
    special_words: str
    has_attacker: bool
    morale: str  # loses, no-tests, other, ""
    winner: str  # points, last-standing, other, none
    deeds: tuple[str, ...]
    attacker_with: tuple[str, ...] = ()  # parts, found by dice, that give it an attacker
    has_reserves: bool = False  # some fighters wait beside the table and come on later
    reserves_with: tuple[str, ...] = ()  # parts, found by dice, that give it reserves
    needs_enemy_rating: bool = False
    turns_least: int = 0  # 0: the scenario does not set it
    turns_most: int = 0


@dataclass(frozen=True, slots=True)
class DeedChoice:
    """A glorious deed of a battle. `needs_profile`: only a fighter of this profile can do it; empty for any fighter.

    `side`: "attacker" or "defender" if only that side can do it, else "".
    """

    id: str
    name: str
    words: str
    glory: int
    by_warband: bool
    needs_profile: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class MusterRow:
    """One fighter at the muster: whether it can take part (`closed` says why not), its upkeep and its rating."""

    fighter: str
    name: str
    profile_name: str
    rating: Price
    closed: str = ""
    upkeep: Price = Price()
    roll_out_on: tuple[int, ...] = ()  # a D6 on any of these faces makes it miss this battle
    elite: bool = False
    words: str = ""  # what else to know about it before the battle


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One line of a paper battle sheet: its text, and a labelled box for each value to write."""

    words: str
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperStep:
    """One step of the post-battle sequence as the paper battle sheet prints it, in the order of the rules."""

    label: str
    lines: tuple[PaperLine, ...]


@dataclass(frozen=True, slots=True)
class PaperPlay:
    """What the paper sheet has of a battle while it is played.

    `states` are the states of a fighter, each a box to tick. `limits` are labelled texts on what a side must look at.
    """

    states: tuple[str, ...] = ()
    limits: tuple[tuple[str, str], ...] = ()


C_contra = TypeVar("C_contra", contravariant=True)


class BattlePart(Protocol[C_contra]):
    """A battle from the choice of its scenario to the last turn."""

    def scenarios(self, content: C_contra) -> tuple[ScenarioChoice, ...]: ...

    def scenario_task(
        self,
        content: C_contra,
        numbers: Sequence[int],
        last_played: Sequence[str],
        settings: Mapping[str, Any],
        names: Sequence[str] = (),
    ) -> Task:
        """Return the task that rolls a scenario.

        `numbers` are the battle numbers of the warbands, `names` their names in the same order. `last_played` are the
        scenarios they played last. The outcome names the scenario as `SetWarband(("scenario",), id)`.
        """

    def attacker_task(
        self,
        content: C_contra,
        sides: Sequence[tuple[str, str, int]],
        settings: Mapping[str, Any],
        scenario: str = "",
        sizes: Mapping[str, int] | None = None,
    ) -> Task:
        """Return the task that decides who attacks. Sides are (side id, name, battles fought).

        Its result is `SetWarband(("attacker",), side id)`. `sizes` are the numbers of fighters on each side's roster:
        an edition may use them.
        """

    def muster(self, content: C_contra, force: Force, scenario: str = "") -> tuple[MusterRow, ...]: ...

    def tracker(self, content: C_contra) -> Tracker:
        """Return the table during a battle: its markers, actions, rolls and prompts.

        Raises Refusal if the edition has no rules for it.
        """

    def paper_steps(self, content: C_contra, force: Force | None) -> tuple[PaperStep, ...]:
        """Return what is written down after a battle, step by step, on the paper battle sheet. None: of an unknown force."""

    def paper_play(self, content: C_contra, force: Force | None, fighters: int, morale: str) -> PaperPlay:
        """Return the states and limits on the paper battle sheet of a side with so many fighters, 0 where nobody knows.

        `morale` is how the scenario tests it, "" for the usual way.
        """
