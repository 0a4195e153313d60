"""Among whom a profile may be shared: the host knows the groups that a person is in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from warbands.host import host


@dataclass(frozen=True, slots=True)
class SharingGroup:
    """People who play under the same terms. `runs`: this person looks after it, and may change what is shared there."""

    terms: int
    system: str
    edition: str
    name: str
    runs: bool = False


def sharing_groups_of(user: Any, system: str = "") -> tuple[SharingGroup, ...]:
    """The circles of a person, of one game where it is named, in the order of their names. Queries are the host's."""
    if not user.is_authenticated:
        return ()
    found = (circle for circle in host().sharing_groups(user) if not system or circle.system == system)
    return tuple(sorted(found, key=lambda circle: (circle.name.casefold(), circle.terms)))


def members_of(terms: Iterable[int]) -> frozenset[tuple[int, int]]:
    """Who is in the circles of these terms now, as pairs of terms and person. Queries are the host's; none without terms."""
    wanted = set(terms)
    return frozenset(host().group_members(wanted)) if wanted else frozenset()
