"""Among whom a profile may be shared: the rooms above register the circles that a person is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Circle:
    """People who play under the same terms. `runs`: this person looks after it, and may change what is shared there."""

    terms: int
    system: str
    edition: str
    name: str
    runs: bool = False


Source = Callable[[Any], Iterable[Circle]]
Members = Callable[[Iterable[int]], Iterable[tuple[int, int]]]
_sources: list[Source] = []
_members: list[Members] = []


def register_circles(source: Source) -> Source:
    """Add a function `(user) -> circles` of a fixed number of queries. Returns it."""
    if source not in _sources:
        _sources.append(source)
    return source


def circles_of(user: Any, system: str = "") -> tuple[Circle, ...]:
    """The circles of a person, of one game where it is named, in the order of their names. Queries are the sources'."""
    if not user.is_authenticated:
        return ()
    found = (circle for source in _sources for circle in source(user) if not system or circle.system == system)
    return tuple(sorted(found, key=lambda circle: (circle.name.casefold(), circle.terms)))


def register_members(source: Members) -> Members:
    """Add a function `(terms) -> (terms, person)`, both by primary key, of a fixed number of queries. Returns it."""
    if source not in _members:
        _members.append(source)
    return source


def members_of(terms: Iterable[int]) -> frozenset[tuple[int, int]]:
    """Who is in the circles of these terms now, as pairs of terms and person. Queries are the sources'; none without terms."""
    wanted = set(terms)
    return frozenset(pair for source in _members for pair in source(wanted)) if wanted else frozenset()
