"""The post-battle sequence: its steps, what it starts from, and what was settled so far."""

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

    `kind`: "tasks" (things to roll, choose and write), "camp" (buying and moving, open until the next muster) or "close".
    `doors`: for camp steps, which acts are open: hire, buy, sell, glory, move.
    """

    id: str
    label: str
    kind: Literal["tasks", "camp", "close"]
    words: str = ""
    doors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BattleSide:
    """What the post-battle sequence knows of one side of the battle, frozen when the report was sent.

    `took_part`, `out` and `deeds` speak in fighter keys; `out_by` maps a fighter taken out to the side id (or "") that did it;
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
    used_up: tuple[str, ...] = ()  # item keys spent in the battle
    losses: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict, hash=False
    )  # what a row of several lost, by its name
    guest: bool = False  # it keeps no books here


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Everything a sequence starts from: the battle as this side lived it. `number` is this warband's battle number."""

    battle: str
    number: int
    scenario: str
    mine: BattleSide
    others: tuple[BattleSide, ...]
    counts: frozenset[str] = frozenset({"number", "experience", "promotion", "exploration", "glory", "injuries"})


@dataclass(frozen=True, slots=True)
class StepRecord:
    """What was already rolled, chosen and written in one sequence; the pages keep it, the rules only read it.

    Keys are task keys. `draws` are kept in the order in which they fell. `before` is the battle as it was told when a task was written,
    for tasks written before the report was amended.
    """

    draws: Mapping[str, tuple[Draw, ...]] = field(default_factory=dict, hash=False)
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    written: frozenset[str] = frozenset()
    before: Mapping[str, Aftermath] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Amended:
    """What an amended report brings besides its own results, where a sequence was past it: consequences, told in `done`; `stands` is
    what is not taken back, and why."""

    consequences: tuple[Consequence, ...] = ()
    done: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()


C_contra = TypeVar("C_contra", contravariant=True)


class PostBattle(Protocol[C_contra]):
    """The sequence after a battle, and what may be done in camp until the next one."""

    def steps(self, content: C_contra, force: Force) -> tuple[StepKind, ...]:
        """The edition's post-battle steps in order, under the content's house rules."""
        ...

    def tasks(
        self, content: C_contra, force: Force, aftermath: Aftermath, record: StepRecord, step: str
    ) -> tuple[Task, ...]:
        """What is to be settled in a step, in order. Tasks already written stay listed. Raises KeyError for an unknown step."""
        ...

    def skipped(self, content: C_contra, force: Force, aftermath: Aftermath, record: StepRecord, step: str) -> str:
        """Why this step is passed over ("" when it is not), e.g. exploration after reinforcements."""
        ...

    def result_consequences(self, content: C_contra, force: Force, aftermath: Aftermath) -> tuple[Consequence, ...]:
        """What a confirmed report itself does to this side at once: battle counted, glory of deeds, consumed kit, upkeep."""
        ...

    def amended(
        self, content: C_contra, force: Force, before: Aftermath, now: Aftermath, record: StepRecord
    ) -> Amended:
        """What an amended report makes up for in a sequence, beyond what `result_consequences` tells: experience already tallied, say.

        Dice that come due by it are further tasks of the sequence; tasks that are merely out of date are none of this.
        """
        ...

    def camp_tasks(self, content: C_contra, force: Force) -> tuple[Task, ...]:
        """Finds and kit that the player may use up or apply between battles. The tasks ask decisions, never dice.

        `closed` says why one cannot be used now.
        """
        ...
