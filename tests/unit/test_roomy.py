"""All tests run where there is room for their frames."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType

from tests.roomy import ROOM


def callers() -> Iterator[CodeType]:
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame.f_code


def test_a_test_has_room() -> None:
    assert [code.co_name for code in callers() if code.co_stacksize >= ROOM] == ["_called"]
