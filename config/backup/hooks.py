"""What apps do with the data of a restored site."""

from __future__ import annotations

from collections.abc import Callable

after_restore: list[Callable[[], None]] = []
