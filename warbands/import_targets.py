"""Places for an imported warband other than its owner's own list. The host provides them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warbands.host import host
from warbands.models import Terms, Warband
from warbands.models.base import Recorded
from warbands.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a warband before its import: its points, and its battles won, drawn and lost."""

    points: int = 0
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """A place for an imported warband: its owner, its terms, and what the import writes there in the same act.

    `words` is the place's name in a sentence ("for Ada in The Winter"), `back_*` are a link to it. The act locks
    `subjects`. It calls `settle` with the new warband, which returns the place's name for the event's sentence
    ("The Winter, with 9 victory points").
    """

    words: str
    back_label: str
    back_href: str
    terms: Terms
    owner: Any
    subjects: tuple[Recorded, ...]
    settle: Callable[[Recorder, Warband, Score], str]
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)


def place_for(user: Any, name: str) -> ImportTarget | None:
    """Return the place with this name ("seat:12") for this person; None for their own list ("").

    Raises Http404 if there is none.
    """
    if not name:
        return None
    kind, _, id_ = name.partition(":")
    return host().import_target(user, kind, id_)
