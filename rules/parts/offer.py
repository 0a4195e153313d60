"""An offer: one thing that may be done now, its price, and the reason if it is closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.parts.choice import ChoiceAsked
from rules.price import Price
from rules.problems import Problem

OfferState = Literal["open", "problem", "closed"]
OfferLock = Literal["", "glory", "fighter", "hands", "limit", "money", "other"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A hire, an item or an upgrade on offer: open, open with a problem, or closed with the reason.

    `purpose` is what it is for, in at most six words. `lock` is the kind of reason that closes it or of the problem it
    would cause, for grouping:
    glory, another fighter, hands or slots, a limit, money, anything else.

    `price` is charged, `rating` is added to the warband's worth. `held` and `limit` count per entry (limit None: any number).
    """

    kind: Literal["hire", "item", "upgrade", "dismiss", "sell", "special"]
    id: str  # the offer's id in the pack
    ref: str  # the profile, item or upgrade id
    name: str
    group: str  # the heading it is listed under ("Elite", "Troops", "For glory", "Ranged" ...)
    price: Price
    rating: Price
    held: int = 0
    limit: int | None = None
    purpose: str = ""
    state: OfferState = "open"
    lock: OfferLock = ""
    reason: str = ""
    mend: str = ""
    problems: tuple[Problem, ...] = ()
    statline: tuple[tuple[str, str, str, str], ...] = ()  # of a hire: label, value as it will be, state, cause
    rules: tuple[tuple[str, str], ...] = ()  # its abilities and keywords, each with our summary
    details: tuple[str, ...] = ()  # a line or two of text: what it comes with, what it changes
    options: tuple[tuple[str, str], ...] = ()  # (value, words): a choice to make on taking it
    option_words: str = ""
    choices: tuple[ChoiceAsked, ...] = ()
    hired_as: str = "own"  # for hires: own, mercenary, find, item
    leads: bool = False  # of a hire: whoever is hired so leads the warband
    state_begins: Mapping[str, Any] = field(default_factory=dict, hash=False)  # for hires: the initial state of the row
