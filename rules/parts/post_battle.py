"""The post-battle sequence: its steps, its starting point, and what has been settled so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from rules.consequences import Consequence
from rules.dice import Draw
from rules.force import Force
from rules.resolution import Task


@dataclass(frozen=True, slots=True)
class StepKind:
    """One step of the post-battle sequence, as the edition names it.

    `kind`: "tasks" (things to roll, choose and write), "camp" (buying and moving, open until the next muster) or
    "close". `doors`: for camp steps, the actions that are open: hire, buy, sell, glory, move.
    """

    id: str
    label: str
    kind: Literal["tasks", "camp", "close"]
    words: str = ""
    doors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BattleSide:
    """One side of the battle as the post-battle sequence sees it, frozen when the report was submitted.

    `took_part` and `out` hold fighter keys; `out_by` maps a fighter taken out to the side that did it ("": unknown);
    `deeds` are (deed id, fighter key or "" for the warband).
    """

    side: str
    name: str
    list: str
    faction_keyword: str
    won: bool
    rating: int = 0
    took_part: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    out_by: Mapping[str, str] = field(default_factory=dict, hash=False)
    deeds: tuple[tuple[str, str], ...] = ()
    used_up: tuple[str, ...] = ()  # item keys used up in the battle
    losses: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict, hash=False
    )  # the losses of rows with several models, by name
    guest: bool = False  # the app does not track its warband


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The start of a sequence: the battle from the view of one side. `number` is the warband's battle number."""

    battle: str
    number: int
    scenario: str
    mine: BattleSide
    others: tuple[BattleSide, ...]
    counts: frozenset[str] = frozenset({"number", "experience", "promotion", "exploration", "glory", "injuries"})


@dataclass(frozen=True, slots=True)
class StepRecord:
    """The rolls, choices and written tasks of one sequence so far. The app stores it; the rules only read it.

    Keys are task keys. `draws` are in the order in which they were rolled. `before` is the battle as reported when a
    task was written, for tasks written before the report was amended.
    """

    draws: Mapping[str, tuple[Draw, ...]] = field(default_factory=dict, hash=False)
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    written: frozenset[str] = frozenset()
    before: Mapping[str, Aftermath] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Amended:
    """Further results of an amended report for a sequence that has already passed it.

    `done` holds a sentence for the `consequences`. `stands` says what is not reversed, and why.
    """

    consequences: tuple[Consequence, ...] = ()
    done: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()


C_contra = TypeVar("C_contra", contravariant=True)


class PostBattlePart(Protocol[C_contra]):
    """The post-battle sequence, and the actions in camp until the next battle."""

    def steps(self, content: C_contra, force: Force) -> tuple[StepKind, ...]:
        """Return the edition's post-battle steps in order, under the content's house rules."""

    def tasks(
        self, content: C_contra, force: Force, aftermath: Aftermath, record: StepRecord, step: str
    ) -> tuple[Task, ...]:
        """Return the tasks of a step in order, including written ones. Raises KeyError for an unknown step."""

    def skipped(self, content: C_contra, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
        """Return why this step is skipped ("" if it is not), e.g. exploration after reinforcements."""

    def result_consequences(self, content: C_contra, force: Force, aftermath: Aftermath) -> tuple[Consequence, ...]:
        """Return the immediate consequences of a confirmed report for this side.

        They count the battle, award glory for deeds, remove used kit and charge upkeep.
        """

    def amended(
        self, content: C_contra, force: Force, before: Aftermath, now: Aftermath, record: StepRecord
    ) -> Amended:
        """Return what an amended report corrects in a sequence beyond `result_consequences`.

        An example is experience that was already counted.
        Any dice that it requires become further tasks of the sequence.
        """

    def camp_tasks(self, content: C_contra, force: Force) -> tuple[Task, ...]:
        """Return what the player may do between battles with finds, kit and units.

        The tasks ask for decisions, never for dice.

        `closed` says why a task is not possible now.
        """
