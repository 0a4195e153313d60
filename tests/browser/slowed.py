"""A slower processor for a page, for as long as a block lasts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def slowed(page: Any, times: int) -> Iterator[None]:
    """Make the page's processor `times` slower, and as fast as before at the end.

    What slows it down is a thread of the page's process that takes its time away. It goes on while a page is kept for
    the next test, and takes as much from every test that follows.
    """
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})
    try:
        yield
    finally:
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        session.detach()
