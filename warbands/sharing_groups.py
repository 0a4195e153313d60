"""The groups in which a profile may be shared. The host knows which groups a person is in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from warbands.host import host


@dataclass(frozen=True, slots=True)
class SharingGroup:
    """People who play under the same terms. `runs`: this person administers the group and may change what it shares."""

    terms: int
    system: str
    edition: str
    name: str
    runs: bool = False


def sharing_groups_of(user: Any, system: str = "") -> tuple[SharingGroup, ...]:
    """Return the groups of a person, ordered by name; only those of `system` if given. Only the host's queries."""
    if not user.is_authenticated:
        return ()
    found = (circle for circle in host().sharing_groups(user) if not system or circle.system == system)
    return tuple(sorted(found, key=lambda circle: (circle.name.casefold(), circle.terms)))


def members_of(terms: Iterable[int]) -> frozenset[tuple[int, int]]:
    """Return the current members of the groups of these terms, as pairs of terms and person.

    Only the host's queries; none without terms.
    """
    wanted = set(terms)
    return frozenset(host().group_members(wanted)) if wanted else frozenset()
