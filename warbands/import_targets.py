"""Where an imported warband goes besides its owner's own list. The host knows these places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warbands.host import host
from warbands.models import Terms, Warband
from warbands.models.base import Recorded
from warbands.recording import Recorder


@dataclass(frozen=True, slots=True)
class Score:
    """What a warband achieved before it was imported: its points, and its battles won, drawn and lost."""

    points: int = 0
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """A place for an imported warband: its owner, its terms, and what is written there in the same act.

    `words` name the place in a sentence ("for Ada in The Winter"), `back_*` lead there. `subjects` are locked with the act. `settle` is
    called inside it with the new warband and returns what the sentence adds ("", or "into The Winter, with 9 victory points").
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
    """The place of this name ("seat:12") for this person; None for one's own list (""). Raises Http404 where there is none."""
    if not name:
        return None
    kind, _, id_ = name.partition(":")
    return host().import_target(user, kind, id_)
