"""What people can be told. The app that knows an occasion registers its kinds, and says later which notifications still hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from notifications.models import Notification

TEST = "test"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of notification, as a person chooses for it. `at_once` ones never wait for the daily digest."""

    key: str
    label: Any
    at_once: bool = False


class Source:
    """An app's kinds. It subclasses this and registers an instance when the site starts."""

    kinds: tuple[Kind, ...] = ()

    def outdated(self, notifications: Sequence[Notification]) -> Collection[int]:
        """Return the ids of those that no longer hold, e.g. since the act was undone. A fixed number of queries."""
        return ()


_sources: dict[str, Source] = {}


def register_source(name: str, source: Source) -> None:
    _sources[name] = source


def kinds() -> tuple[Kind, ...]:
    return tuple(kind for _, source in sorted(_sources.items()) for kind in source.kinds)


def kind_of(key: str) -> Kind:
    """Return the kind with this key. One that no app registers any more has its key as label."""
    if key == TEST:
        return Kind(TEST, gettext_lazy("Test"), at_once=True)
    return next((kind for kind in kinds() if kind.key == key), Kind(key, key))


def outdated(notifications: Sequence[Notification]) -> set[int]:
    """Return the ids of the notifications that no longer hold, by the apps whose kinds they are."""
    found: set[int] = set()
    for _, source in sorted(_sources.items()):
        own = {kind.key for kind in source.kinds}
        if mine := [each for each in notifications if each.kind in own]:
            found |= set(source.outdated(mine))
    return found
