"""What a resolved rule does to a warband, as data. Services carry these out, each as recorded changes of one event.

A small vocabulary shared by all games, so that nothing above `rules/` knows a rule. Fighter and item keys are those of the `Force`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.price import Price


@dataclass(frozen=True, slots=True)
class SetFighter:
    """Set one leaf of a fighter's game state: `path` ("experience",), ("traumas", "t3") ...; value None removes the leaf."""

    fighter: str
    path: tuple[str, ...]
    value: Any = field(hash=False, default=None)
    why: str = ""


@dataclass(frozen=True, slots=True)
class SetWarband:
    """Set one leaf of the warband's game state; value None removes it."""

    path: tuple[str, ...]
    value: Any = field(hash=False, default=None)
    why: str = ""


@dataclass(frozen=True, slots=True)
class Leaves:
    """The fighter leaves the roster with this status (dead, retired, dismissed, sold, left); what it carries is lost unless `kit_to_stash`."""

    fighter: str
    status: str
    reason: str
    kit_to_stash: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """The fighter is held by another side of the battle (`captor` is that side's id, "" unknown) until ransomed."""

    fighter: str
    captor: str
    reason: str


@dataclass(frozen=True, slots=True)
class Home:
    """The captive returns to the roster with everything it carries."""

    fighter: str
    reason: str


@dataclass(frozen=True, slots=True)
class LosesItems:
    """These owned items are gone."""

    items: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Recovers:
    """Pieces that were lost are found again and join the stash. What had come with a fighter counts as a find from then on.

    `sold`: they are sold on the spot instead (what they bring is told by a movement of its own).
    """

    items: tuple[str, ...]
    reason: str
    sold: bool = False


@dataclass(frozen=True, slots=True)
class ToStash:
    """These owned items go to the stash."""

    items: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Money:
    """A movement of the strongbox: positive in, negative out."""

    amount: Price
    reason: str


@dataclass(frozen=True, slots=True)
class Pays:
    """A sum goes from the strongbox to that of another side of the battle. `to` is that side's id, "" where nobody is known."""

    to: str
    amount: Price
    reason: str


@dataclass(frozen=True, slots=True)
class GainsItem:
    """An item joins the stash (or a fighter): origin found, looted, granted, mandatory or bought (then `paid` leaves the strongbox)."""

    item: str
    origin: str
    reason: str
    offer: str = ""
    fighter: str = ""
    paid: Price = Price()


@dataclass(frozen=True, slots=True)
class Joins:
    """A fighter joins through this offer; `paid` leaves the strongbox."""

    offer: str
    profile: str
    name: str
    reason: str
    paid: Price = Price()
    hired_as: str = "find"


@dataclass(frozen=True, slots=True)
class Becomes:
    """The fighter turns into another profile, held through `offer` ("" keeps the entry it was hired through)."""

    fighter: str
    profile: str
    reason: str
    offer: str = ""


@dataclass(frozen=True, slots=True)
class Owes:
    """The warband is owed something of this kind. `data` holds what is needed to resolve it later."""

    kind: str
    words: str
    expires: str = ""
    data: dict[str, Any] = field(hash=False, default_factory=dict)


@dataclass(frozen=True, slots=True)
class Redeems:
    """The promise with this key is settled, or has lapsed."""

    key: str
    reason: str


Consequence = (
    SetFighter | SetWarband | Leaves | Taken | Home | LosesItems | Recovers | ToStash | Money | Pays | GainsItem | Joins | Becomes | Owes | Redeems
)  # fmt: skip
