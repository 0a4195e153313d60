"""The states of an edition: what was changed after its release, and what another state would change for a warband."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rules.content.overlays.schema import Overlay
from rules.force import Force
from rules.price import Price
from rules.problems import Problem

C_contra = TypeVar("C_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class OverlayInfo:
    """One dated overlay: what it is, who says so, and whether the edition holds it already."""

    id: str
    title: str
    date: str
    status: str  # official, beta, community or house
    source: str
    summary: str
    replaces: tuple[str, ...]
    in_base: bool
    reversible: bool  # the edition holds it, and the state before it is known
    version: int


def info_of(overlay: Overlay) -> OverlayInfo:
    """Return what an overlay says of itself."""
    head = overlay.head
    return OverlayInfo(
        head.id,
        head.title,
        head.date,
        head.status,
        head.source,
        head.summary,
        head.replaces,
        head.in_base,
        head.in_base and any(change.apply for change in overlay.changes),
        head.version,
    )


@dataclass(frozen=True, slots=True)
class ChangeTold:
    """One change of an overlay as it states it: of which entry, before, after, and why. `applied`: it is not only told."""

    overlay: str
    title: str
    date: str
    kind: str
    id: str
    name: str
    field: str
    before: str
    after: str
    reason: str
    source: str
    applied: bool


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One figure of an entry that differs: "" where the entry, or the figure, is not there.

    `faction` is its name if the figure is what one of its lists asks for the entry.
    """

    kind: str
    id: str
    name: str
    label: str
    before: str
    after: str
    faction: str = ""


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One figure that differs for a fighter ("" for the whole warband): of which entry, before and after."""

    fighter: str
    entry: str
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Missing:
    """What a warband owns and the other state does not have: its table, id and name, and its holder."""

    table: str
    id: str
    name: str
    holder: str


@dataclass(frozen=True, slots=True)
class RowPrice:
    """What one bought row costs before and after: its kind (fighter, item or upgrade) and its key.

    An upgrade's key is that of its fighter, a stroke, and its own.
    """

    kind: str
    key: str
    name: str
    before: Price
    after: Price


@dataclass(frozen=True, slots=True)
class WarbandChange:
    """What another state changes for a warband.

    `refund` is what the bought rows cost less there; below 0, what they cost more.
    """

    lines: tuple[FigureChange, ...]
    missing: tuple[Missing, ...]
    new: tuple[Problem, ...]
    gone: tuple[Problem, ...]
    before: tuple[Problem, ...]
    after: tuple[Problem, ...]
    rating_before: Price
    rating_after: Price
    refund: Price
    prices: tuple[RowPrice, ...] = ()  # of the rows whose price differs

    @property
    def nothing(self) -> bool:
        """Return whether nothing at all differs."""
        return not (self.lines or self.missing or self.new or self.gone or self.refund)


class StatesPart(Protocol[C_contra]):
    """The overlays of an edition, and the difference of two states."""

    def overlays(self, edition: str) -> tuple[OverlayInfo, ...]:
        """Return the overlays of an edition, in their order. Raises KeyError for an unknown edition."""

    def newest(self, edition: str) -> tuple[str, ...]:
        """Return the overlays that the newest official state of an edition takes."""

    def ordered(self, edition: str, overlays: Sequence[str]) -> tuple[str, ...]:
        """Return overlays that may be pinned together, in their order.

        Raises Refusal for an unknown one, for one that only tells history, and where they do not fit together.
        """

    def at_hand(self, edition: str, overlays: Sequence[str]) -> tuple[str, ...]:
        """Return those of these overlays that can be applied: from a folder here, or as a copy that was kept."""

    def with_copies(
        self, edition: str, overlays: Sequence[str], house_rules: Mapping[str, Any], copies: Sequence[Overlay]
    ) -> Any:
        """Return the content of a state in which copies stand in for the overlays of their ids."""

    def told(self, edition: str, overlay: str) -> tuple[ChangeTold, ...]:
        """Return everything that an overlay changes, adds and withdraws, applied or not. Raises KeyError."""

    def history(self, content: C_contra, kind: str, id_: str) -> tuple[ChangeTold, ...]:
        """Return what the overlays of an edition say of one entry, the oldest first."""

    def book_changes(self, here: C_contra, there: C_contra) -> tuple[EntryChange, ...]:
        """Return every figure of the books that differs in the other state. Cached with the content."""

    def roster_changes(self, here: C_contra, there: C_contra, force: Force) -> WarbandChange:
        """Return what the other state changes for this warband."""

    def kept(self, here: C_contra, there: C_contra, force: Force) -> tuple[tuple[str, object], ...]:
        """Return the entries, as (table, plain entry), that a warband holds and the other state does not have."""
