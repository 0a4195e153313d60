"""Room for the frames of a test, so that Python need not ask the system for memory at each call.

CPython 3.11 keeps the frames of a thread in chunks of 16 kB. A function that is called again and again where a chunk is just full takes a new
one from the system at each call and gives it back at its end. Below pytest a page is drawn so deep that this came to nine thousand times
a second, a sixth of all time. A function that claims to need much room gets a large chunk, and all that it calls shares it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

# In words of eight bytes: a little over half of the megabyte that is then taken, of which the system gives only what is used.
ROOM = 66_000


def _called(function: Callable[..., Any], named: dict[str, Any]) -> Any:
    return function(**named)


called_with_room = FunctionType(_called.__code__.replace(co_stacksize=ROOM), globals(), "called_with_room")


class Roomy:
    """A plugin of pytest: all tests run inside of such a function."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Any:
        """Run the tests as they would be run without this: what wraps that has begun already."""
        found = session.config.hook.pytest_runtestloop.get_hookimpls()
        wraps = [each.plugin for each in found if each.wrapper or each.hookwrapper]
        others = session.config.pluginmanager.subset_hook_caller("pytest_runtestloop", [self, *wraps])
        return called_with_room(others, {"session": session})
