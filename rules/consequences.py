"""The consequences of a resolved rule for a warband, as data.

Services apply them, each as recorded changes of one event.

All games share this small vocabulary, so no code outside `rules/` depends on the rules of a game. Fighter and item keys
are those
of the `Force`.
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
    """The fighter leaves the roster with this status (dead, retired, dismissed, sold, left).

    The items it carries are lost unless `kit_to_stash`.
    """

    fighter: str
    status: str
    reason: str
    kit_to_stash: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """Another side of the battle holds the fighter until it is ransomed.

    `captor` is the id of that side ("" if unknown).
    """

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
    """Lost items are found again and join the stash. Items that came with a fighter count as finds from then on.

    `sold`: they are sold at once instead; a separate `Money` consequence adds the proceeds.
    """

    items: tuple[str, ...]
    reason: str
    sold: bool = False


@dataclass(frozen=True, slots=True)
class ToStash:
    """These owned items move to the stash."""

    items: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Money:
    """A payment into the strongbox (positive) or out of it (negative)."""

    amount: Price
    reason: str


@dataclass(frozen=True, slots=True)
class Pays:
    """A sum moves from the strongbox to that of another side of the battle.

    `to` is the id of that side, "" if unknown.
    """

    to: str
    amount: Price
    reason: str


@dataclass(frozen=True, slots=True)
class GainsItem:
    """An item joins the stash or a fighter.

    Its origin is found, looted, granted, mandatory or bought; when bought, `paid` is taken from the strongbox.
    """

    item: str
    origin: str
    reason: str
    offer: str = ""
    fighter: str = ""
    paid: Price = Price()


@dataclass(frozen=True, slots=True)
class Joins:
    """A fighter joins through this offer; `paid` is taken from the strongbox."""

    offer: str
    profile: str
    name: str
    reason: str
    paid: Price = Price()
    hired_as: str = "find"


@dataclass(frozen=True, slots=True)
class Becomes:
    """The fighter changes to another profile, held through `offer` ("" keeps the entry it was hired through)."""

    fighter: str
    profile: str
    reason: str
    offer: str = ""


@dataclass(frozen=True, slots=True)
class Owes:
    """The warband is owed a promise of this kind. `data` holds everything needed to resolve it later."""

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
