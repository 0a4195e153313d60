"""Where a warband that is brought along goes besides its owner's own list: the rooms above register what they have to offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404

from warbands.models import Terms, Warband
from warbands.models.base import Recorded
from warbands.recording import Recorder


@dataclass(frozen=True, slots=True)
class Score:
    """What a warband fought for before it came here: the points it holds, and its battles won, drawn and lost."""

    points: int = 0
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """Somewhere to bring a warband to: whose it will be, under which terms, and what is written there in the same act.

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


Finder = Callable[[Any, str], ImportTarget]
_finders: dict[str, Finder] = {}


def register_place(kind: str, find: Finder) -> None:
    """Let places of a kind be found: `find(user, id)` raises Http404 or PermissionDenied where this person may not bring anything."""
    _finders[kind] = find


def place_for(user: Any, name: str) -> ImportTarget | None:
    """The place of this name ("seat:12") for this person; None for one's own list (""). Raises Http404 where there is none."""
    if not name:
        return None
    kind, _, id_ = name.partition(":")
    if kind not in _finders:
        raise Http404("There is no such place.")
    return _finders[kind](user, id_)
