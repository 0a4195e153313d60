"""A site without campaigns whose host lets named people read or act, for tests of the warbands app alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from warbands.host import Host, set_host
from warbands.models import Warband


class OpenHost(Host):
    """Lets these people read, or act on, every warband."""

    def __init__(self, *, readers: tuple[Any, ...] = (), editors: tuple[Any, ...] = ()) -> None:
        self.readers, self.editors = readers, editors

    def may_read(self, user: Any, warband: Warband) -> bool:
        return user in self.readers

    def may_edit(self, user: Any, warband: Warband) -> bool:
        return user in self.editors


@contextmanager
def hosted(host: Host) -> Iterator[Host]:
    """Within, the site has this host."""
    before = set_host(host)
    try:
        yield host
    finally:
        set_host(before)
