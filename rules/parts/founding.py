"""The founding of a warband: the lists to choose from, and what each begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rules.parts.choice import ChoiceAsked
from rules.price import Price


@dataclass(frozen=True, slots=True)
class ListChoice:
    """A faction with its lists, for founding."""

    id: str
    name: str
    temper: str
    faction: str
    changes: tuple[str, ...]
    patrons: tuple[tuple[str, str], ...]
    start: Price
    one_off: Price
    third_party: bool
    choices: tuple[ChoiceAsked, ...] = ()
    keyword: str = ""  # the faction's keyword as printed, which other rules use to name it
    closed: str = ""  # why the list cannot be played under these terms, "" if it can
    short: str = ""  # its name where there is little room, "" if the name is short itself


@dataclass(frozen=True, slots=True)
class StartingItem:
    item: str
    offer: str
    name: str


BANNER = "banner"  # the mark of a list that has none of its own

C_contra = TypeVar("C_contra", contravariant=True)


class FoundingPart(Protocol[C_contra]):
    """What a warband begins with: the lists, their starting money and kit, ready rosters."""

    def lists(self, content: C_contra) -> tuple[ListChoice, ...]:
        """Return the factions, each followed by its variants."""

    def start(
        self, content: C_contra, list_id: str, mode: str, choices: Mapping[str, Any] | None = None
    ) -> tuple[Price, tuple[StartingItem, ...]]:
        """Return the money and kit of a new warband.

        Raises Refusal for an unknown list or a choice that does not fit.
        """

    def late_start(self, content: C_contra, list_id: str, threshold: int, battles: int) -> tuple[Price, int]:
        """Return a latecomer's money, and the experience to share out, when the leading warband has fought `battles`."""

    def fighter_names(self, content: C_contra, list_id: str, profile: str) -> tuple[str, ...]:
        """Return names for fighters of this profile in the list's manner, in a mixed but fixed order; () if the game has none."""

    def warband_names(self, content: C_contra, list_id: str) -> tuple[str, ...]:
        """Return names for a warband of this list."""

    def mark(self, content: C_contra, list_id: str) -> str:
        """Return the key of the small shape that stands beside the list's name; `BANNER` for an unknown list."""

    def samples(self, content: C_contra) -> tuple[tuple[str, str, str, str], ...]:
        """Return the ready rosters: (id, name, list id, words)."""

    def sample(self, content: C_contra, sample_id: str) -> dict[str, Any]:
        """Return the roster document of a sample. Raises KeyError."""
